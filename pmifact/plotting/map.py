"""A map of words: their vectors in the plane of the largest variance."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_kind
from pmifact.errors import InputError
from pmifact.plotting.labels import families, place_labels, shown, text_widths
from pmifact.plotting.style import FAINT, FONT_SIZE, INK, PAGE, check_width, new_figure, series, styled
from pmifact.vectors import WordVectors

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WORDS = 1_000
_MARGIN = 0.07  # of the range, on each side, for labels
_LEFT, _BOTTOM, _REST = 18.0, 18.0, 3.0  # points around the axes
_RADIUS = 1.5  # points
_LINE_HEIGHT = 1.15  # of the font size
_DESCENT = 0.24


def project(vectors: WordVectors, words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the first two principal components of the words' vectors of length 1.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse.
    words : sequence of str
        At least three, in the vocabulary, with vectors that are not zero.

    Returns
    -------
    coordinates : ndarray of float64, shape (n, 2)
        Centred; the largest |coordinate| of each axis is positive.
    explained : ndarray of float64, shape (2,)
        The share of each axis in the variance of the words.

    Raises
    ------
    InputError
        If words are unknown, too few, too many, given twice, without a vector, or all of the same vector.
    """
    check_kind("vectors", vectors, WordVectors, "read_vectors")
    if not 3 <= len(words) <= MOST_WORDS:
        raise InputError(f"map: expected 3 to {MOST_WORDS:,} words, got {len(words):,}")
    ids = np.array([vectors.vocabulary.word_id(word) for word in words])
    if len(set(words)) < len(words):
        again = next(word for place, word in enumerate(words) if word in words[:place])
        raise InputError(f"map: the word {again!r} is given twice")
    for word, covered in zip(words, vectors.covered[ids], strict=True):
        if not covered:
            raise InputError(f"map: the vector of {word!r} is zero, so it has no place; leave the word out")
    rows = vectors.matrix[ids].astype(np.float64)
    # The products of all pairs hold all that is needed, and stay small however many columns there are.
    products = (rows @ rows.T).toarray() if isinstance(rows, csr_array) else rows @ rows.T
    lengths = vectors.lengths[ids]
    products = products / lengths / lengths[:, None]
    products = products - products.mean(axis=0)
    products = products - products.mean(axis=1)[:, None]
    values, axes = np.linalg.eigh((products + products.T) / 2)
    total = np.trace(products)
    if total <= 1e-9:
        raise InputError("map: all words have the same vector, so there is nothing to draw")
    values, axes = np.maximum(values[:-3:-1], 0), axes[:, :-3:-1]
    largest = np.abs(np.round(axes, 9)).argmax(axis=0)
    axes = axes * np.where(axes[largest, [0, 1]] < 0, -1, 1)
    return axes * np.sqrt(values), values / total


def draw_map(vectors: WordVectors, words: Sequence[str], *, width: float = PAGE) -> "Figure":
    """Draw words where the first two principal components of their vectors put them.

    Vectors are scaled to length 1 and centred on the words drawn. Labels do not overlap; a word that finds
    no room for its label keeps its point, and a warning names it. Both axes have one scale.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse.
    words : sequence of str
        3 to 1,000, the most important first.
    width : float
        Of the picture, in inches.

    Returns
    -------
    matplotlib.figure.Figure
        To be written with `save_picture`.

    Raises
    ------
    InputError
        If a word cannot be drawn (see `project`), or `width` is out of range.
    PmifactError
        If matplotlib is not installed.
    """
    check_width(width)
    with styled():
        coordinates, explained = project(vectors, words)
        height = 0.8 * width
        figure = new_figure(width, height, layout=None)
        frame = np.array([_LEFT, _BOTTOM, 72 * width - _REST, 72 * height - _REST])
        points = _in_frame(coordinates, frame)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set(xlim=(0, 72 * width), ylim=(0, 72 * height))
        look = series(0)
        axes.plot(*points.T, linestyle="", marker="o", markersize=2 * _RADIUS, color=look.colour, mew=0)
        for right, top in ((frame[2], frame[1]), (frame[0], frame[3])):
            axes.plot([frame[0], right], [frame[1], top], color=FAINT, linewidth=0.6)
        names = [_axis_name(number, share) for number, share in enumerate(explained, start=1)]
        axes.text((frame[0] + frame[2]) / 2, 5, names[0], ha="center", va="baseline")
        axes.text(9, (frame[1] + frame[3]) / 2, names[1], ha="center", va="center", rotation=90)
        _write_labels(figure, words, points, frame)
    return figure


def _axis_name(number: int, share: float) -> str:
    return f"Principal component {number} ({share:.1%} of the variance)"


def _in_frame(coordinates: NDArray[np.float64], frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places in points: one scale for both axes, as large as fits into the frame."""
    low, high = coordinates.min(axis=0), coordinates.max(axis=0)
    room = (frame[2:] - frame[:2]) * (1 - 2 * _MARGIN)
    scale = (room / np.maximum(high - low, 1e-12)).min()
    middle: NDArray[np.float64] = (frame[:2] + frame[2:]) / 2
    points: NDArray[np.float64] = middle + (coordinates - (low + high) / 2) * scale
    return points


def _write_labels(
    figure: "Figure", words: Sequence[str], points: NDArray[np.float64], frame: NDArray[np.float64]
) -> None:
    axes = figure.axes[0]
    texts = [shown(word) for word in words]
    fonts, missing = families("".join(texts))
    if missing:
        warnings.warn(
            f"no installed font has the characters {missing[:20]}: a .png shows boxes for them, an .svg what "
            "the fonts of its reader have; install a font that has them",
            stacklevel=3,
        )
    height = _LINE_HEIGHT * FONT_SIZE
    widths = text_widths(texts, fonts, FONT_SIZE)
    sizes = np.column_stack([widths, np.full(len(texts), height)])
    left, bottom, right, top = frame
    places = place_labels(points, sizes, (left + 1, bottom + 1, right, top), radius=_RADIUS)
    for text, point, place in zip(texts, points, places, strict=True):
        if place is None:
            continue
        if place.leader is not None:
            axes.plot(*zip(point, place.leader, strict=True), color=FAINT, linewidth=0.35, zorder=1)
        axes.text(
            place.left, place.bottom + _DESCENT * FONT_SIZE, text, color=INK, family=fonts, va="baseline"
        )
    without = [text for text, place in zip(texts, places, strict=True) if place is None]
    if without:
        warnings.warn(
            f"{len(without):,} of {len(texts):,} words found no room for their label: "
            f"{', '.join(without[:5])}{', ...' if len(without) > 5 else ''}; "
            "draw fewer words or a wider picture",
            stacklevel=3,
        )
