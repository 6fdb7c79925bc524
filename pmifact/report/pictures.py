"""Pictures inside a page: SVG whose ids are its own and whose colours follow the page's."""

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from pmifact.plotting.saving import svg_of
from pmifact.plotting.style import FAINT, INK, SERIES

if TYPE_CHECKING:
    from markupsafe import Markup

    from pmifact.plotting.style import Figure

_SVG = "http://www.w3.org/2000/svg"
_LINK = "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_COLOURS = {INK: "currentColor", FAINT: "var(--faint)"} | {
    look.colour: f"var(--series-{number})" for number, look in enumerate(SERIES)
}
_COLOUR = re.compile("|".join(map(re.escape, _COLOURS)))


def embedded(figure: "Figure", prefix: str, title: str) -> "Markup":
    """Return a picture as an element of a page.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture.
    prefix : str
        Put before all its ids, which must differ over the page.
    title : str
        What it shows, for those who do not see it.
    """
    from markupsafe import Markup

    root = ElementTree.fromstring(svg_of(figure))
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        _own(element, prefix)
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
    width, height = (float(root.attrib.pop(name).removesuffix("pt")) for name in ("width", "height"))
    root.set("role", "img")
    root.set("aria-label", title)
    # At least its natural size, where 7 points are 7 points.
    root.set("style", f"--width: {width:g}pt; aspect-ratio: {width:g} / {height:g}")
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # text in it is escaped


def _own(element: ElementTree.Element, prefix: str) -> None:
    """Give an element ids of the page and colours of the page."""
    for name, value in list(element.attrib.items()):
        if name == "id":
            element.set(name, f"{prefix}-{value}")
        elif name == f"{{{_LINK}}}href":
            del element.attrib[name]
            element.set("href", f"#{prefix}-{value.removeprefix('#')}")
        else:
            value = _REFERENCE.sub(rf"url(#{prefix}-\1)", value)
            element.set(name, _COLOUR.sub(lambda found: _COLOURS[found[0]], value))
