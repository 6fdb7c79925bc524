"""A picture to a file, whole: PNG for screens, SVG for papers; the same picture is the same bytes."""

import os
import warnings
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pmifact.errors import InputError
from pmifact.plotting.style import styled
from pmifact.storage.replacement import replacing
from pmifact.storage.targets import check_own_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS = 300  # an inch
_METADATA = {
    "png": {"Software": "pmifact"},
    "svg": {"Creator": "pmifact", "Date": None},
}
_MARKS = {"png": b"Software\0pmifact", "svg": b"<dc:title>pmifact</dc:title>"}


def save_picture(figure: "Figure", path: str | os.PathLike[str]) -> None:
    """Write a picture; the ending names the format, `.png` (300 dots an inch) or `.svg` (text as text).

    Raises
    ------
    InputError
        If the ending is another one.
    ArtifactError
        If the file cannot be written, or something else than an older picture of pmifact is there.
    """
    check_picture_target(path)
    data = _rendered(figure, _format_of(path))
    with replacing(Path(path), directory=False) as partial:
        partial.write_bytes(data)


def check_picture_target(path: str | os.PathLike[str]) -> None:
    """Raise early when a picture may not be written to `path`; see `save_picture`."""
    check_own_file(path, _MARKS[_format_of(path)], "a picture of pmifact")


def svg_of(figure: "Figure") -> str:
    """Return the picture as the text of an SVG file."""
    return _rendered(figure, "svg").decode()


def _format_of(path: str | os.PathLike[str]) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".svg"):
        raise InputError(f"{path}: expected a picture named .png or .svg, got the suffix {suffix!r}")
    return suffix[1:]


def _rendered(figure: "Figure", kind: str) -> bytes:
    file = BytesIO()
    with styled(), warnings.catch_warnings():
        # Told once, with a remedy, when the picture was drawn.
        warnings.filterwarnings("ignore", message=r"Glyph \d+")
        face = "white" if kind == "png" else "none"
        figure.savefig(
            file, format=kind, dpi=DOTS if kind == "png" else 72, metadata=_METADATA[kind], facecolor=face
        )
    return file.getvalue()
