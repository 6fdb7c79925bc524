"""Words on a picture: made safe to show, in fonts that have their letters, none over another."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pmifact.plotting.style import FONT

LONGEST = 28
_ANGLES = 24
_RINGS = 40
_NEAR = 4.0  # heights of a label
_LINE = 4.0  # points from one tested place on a leader to the next
_UNSEEN = ("Cc", "Cs", "Cn", "Co", "Zl", "Zp")


class Place(NamedTuple):
    """Where a label stands, in the units of its point.

    Parameters
    ----------
    left, bottom : float
        The corner of its box.
    leader : tuple of float or None
        The end, at the label, of the line from the point; None for a label beside its point.
    """

    left: float
    bottom: float
    leader: tuple[float, float] | None


def shown(word: str, longest: int = LONGEST) -> str:
    """Return `word` as it is drawn: characters that no font shows are escaped, and a long one is cut."""
    safe = "".join(
        f"\\u{ord(character):04x}" if unicodedata.category(character) in _UNSEEN else character
        for character in word
    )
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"


def families(text: str) -> tuple[list[str], str]:
    """Return the fonts that draw `text`, and the characters that none of those installed has."""
    missing = {ord(character) for character in text if not character.isspace()} - _letters(FONT)
    found = [FONT]
    for name in _installed() if missing else ():
        has = missing & _letters(name)
        if has:
            found.append(name)
            missing -= has
        if not missing:
            break
    return [*found, "sans-serif"], "".join(map(chr, sorted(missing)))


@cache
def _installed() -> dict[str, str]:
    """Return the file of each upright font that can be scaled, by its name."""
    from matplotlib.font_manager import fontManager

    upright = [
        font
        for font in fontManager.ttflist
        if (font.style, font.weight, font.stretch) == ("normal", 400, "normal")
        # Bitmaps in colour, and boxes in place of letters.
        and not {"Emoji", "Color", "Last"} & set(font.name.split())
    ]
    return {font.name: font.fname for font in sorted(upright, key=lambda font: (font.name, font.fname))}


@cache
def _letters(name: str) -> frozenset[int]:
    from matplotlib.font_manager import get_font

    return frozenset(get_font(_installed()[name]).get_charmap())


def place_labels(
    points: NDArray[np.float64],
    sizes: NDArray[np.float64],
    area: tuple[float, float, float, float],
    *,
    radius: float,
    gap: float = 1.0,
) -> list[Place | None]:
    """Find a place for the label of each point, so that no label lies on another or on a point.

    Labels are placed one after the other, the most crowded points first, each at the nearest free place:
    beside its point, or further out with a line to it. The result depends on nothing but the arguments.

    Parameters
    ----------
    points : ndarray of float64, shape (n, 2)
        Their places.
    sizes : ndarray of float64, shape (n, 2)
        Width and height of each label.
    area : (left, bottom, right, top)
        Where labels may be.
    radius : float
        Of a point.
    gap : float
        Between a label and anything else.

    Returns
    -------
    list of Place or None, length n
        None where there was no room.
    """
    boxes, leaders = np.empty((0, 4)), np.empty((0, 2))
    marks = np.hstack([points - radius, points + radius])
    places: list[Place | None] = [None] * len(points)
    for i in _crowded_first(points, float(sizes[:, 1].max(initial=0))):
        others = np.vstack([marks[:i], marks[i + 1 :], boxes, _dots(leaders)])
        found: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        for ring in range(_RINGS + 1):
            tried = points[i] + _offsets(sizes[i], radius + gap, ring)
            tried = np.hstack([tried, tried + sizes[i]])
            tried = tried[(tried[:, :2] >= area[:2]).all(axis=1) & (tried[:, 2:] <= area[2:]).all(axis=1)]
            tried = tried[~_overlap(tried, others, gap).any(axis=1)]
            lines = [_leader(points[i], box) if ring else np.empty((0, 2)) for box in tried]
            clear = [n for n, line in enumerate(lines) if not _overlap(_dots(line), boxes, 0).any()]
            if clear:
                found = tried[clear[0]], lines[clear[0]]
                break
            if lines and found is None:
                found = tried[0], lines[0]  # a line under a label is better than no label
        if found is not None:
            box, line = found
            end = (float(line[-1, 0]), float(line[-1, 1])) if len(line) else None
            places[i] = Place(float(box[0]), float(box[1]), end)
            boxes = np.vstack([boxes, box])
            leaders = np.vstack([leaders, line])
    return places


def _crowded_first(points: NDArray[np.float64], height: float) -> NDArray[np.int64]:
    """Return the order of placing: points with the most others around them first, ties in their order."""
    near = [int((np.abs(points - point) < _NEAR * height).all(axis=1).sum()) for point in points]
    return np.argsort(-np.array(near, dtype=np.int64), kind="stable")


def _offsets(size: NDArray[np.float64], distance: float, ring: int) -> NDArray[np.float64]:
    """Return the corners of a label to try relative to its point: beside it, or on a ring further out."""
    width, height = size
    if ring == 0:
        near = distance * 0.7
        return np.array(
            [
                (distance, -height / 2),
                (-distance - width, -height / 2),
                (-width / 2, distance),
                (-width / 2, -distance - height),
                (near, near),
                (-near - width, near),
                (near, -near - height),
                (-near - width, -near - height),
            ]
        )
    angles = 2 * np.pi * np.arange(_ANGLES) / _ANGLES
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    # The middle of the nearest edge, or the nearest corner, stands on the ring.
    centres = directions * (distance + 0.6 * height * ring) + np.sign(np.round(directions, 9)) * size / 2
    corners: NDArray[np.float64] = centres - size / 2
    return corners


def _overlap(first: NDArray[np.float64], second: NDArray[np.float64], gap: float) -> NDArray[np.bool_]:
    """Return which boxes (left, bottom, right, top) come closer than `gap`; (n, 4), (m, 4) to (n, m)."""
    apart = (first[:, None, 0] >= second[None, :, 2] + gap) | (second[None, :, 0] >= first[:, None, 2] + gap)
    apart |= (first[:, None, 1] >= second[None, :, 3] + gap) | (second[None, :, 1] >= first[:, None, 3] + gap)
    return ~apart


def _leader(point: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places on the line from a point to the nearest of a label's box, shape (k, 2)."""
    end = np.clip(point, box[:2], box[2:])
    steps = max(2, int(np.hypot(*(end - point)) / _LINE) + 1)
    line: NDArray[np.float64] = point + np.linspace(0, 1, steps)[:, None] * (end - point)
    return line


def _dots(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places as boxes without extent."""
    return np.hstack([line, line])


def text_widths(words: Sequence[str], fonts: Sequence[str], size: float) -> NDArray[np.float64]:
    """Return how wide each word is at this size, in points."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.font_manager import FontProperties

    fine = 300  # dots an inch, so that rounding to dots does not matter
    renderer: Any = RendererAgg(1, 1, fine)  # type: ignore[no-untyped-call]
    font = FontProperties(family=list(fonts), size=size)
    widths = [renderer.get_text_width_height_descent(word, font, ismath=False)[0] for word in words]
    return np.array(widths, dtype=np.float64) * 72 / fine
