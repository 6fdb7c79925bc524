"""From contents to a page: templates, with everything that comes from data escaped."""

import base64
import hashlib
import os
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from pmifact.errors import InputError, PmifactError
from pmifact.plotting.labels import shown
from pmifact.plotting.scores import MEASURES
from pmifact.report.build import Report
from pmifact.storage.replacement import replacing
from pmifact.storage.targets import check_own_file

_MARK = b'<meta name="generator" content="pmifact'
TITLE = "Word vectors compared"
_SUFFIXES = (".html", ".htm")
_LONGEST = 80
_STATIC_CARDS = 12  # words whose neighbours stand on the page as it is, for readers without scripts


def write_report(report: Report, path: str | os.PathLike[str], *, title: str = TITLE) -> None:
    """Write a report as one HTML file that needs nothing else.

    Parameters
    ----------
    report : Report
        With at least one model.
    path : path
        Named `.html`; an older report there is replaced, anything else is refused.
    title : str
        Of the page.

    Raises
    ------
    InputError
        If the ending is another one, or the report cannot be made.
    ArtifactError
        If the file cannot be written; what stood there is then untouched.
    """
    check_report_target(path)
    page = render(report.contents(), title)
    with replacing(Path(path), directory=False) as partial:
        partial.write_text(page, encoding="utf-8", newline="\n")


def check_report_target(path: str | os.PathLike[str]) -> None:
    """Raise early when a report may not be written to `path`; see `write_report`."""
    if Path(path).suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: expected a page named .html, got the suffix {Path(path).suffix!r}")
    check_own_file(path, _MARK, "a report of pmifact")


def render(contents: dict[str, Any], title: str) -> str:
    """Return the page as text; the same contents are the same text."""
    environment = _environment()
    from markupsafe import Markup

    folder = files("pmifact.report") / "templates"
    script = (folder / "report.js").read_text(encoding="utf-8")
    page: str = environment.get_template("report.html").render(
        **contents,
        title=title,
        version=_version(),
        # These two are files of the package; nothing in them comes from data.
        style=Markup((folder / "report.css").read_text(encoding="utf-8")),
        script=Markup(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        cards=contents["neighbors"].cards(_STATIC_CARDS),
        packed=contents["neighbors"].packed(),
    )
    return page


def import_jinja2() -> Any:
    """Return jinja2.

    Raises
    ------
    PmifactError
        If it is not installed; the message says how to install it.
    """
    try:
        import jinja2
    except ImportError as problem:
        raise PmifactError(
            "reports are made with jinja2, which is not installed; pip install 'pmifact[report]'"
        ) from problem
    return jinja2


def _environment() -> Any:
    jinja2 = import_jinja2()
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pmifact.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.filters |= {
        "word": lambda word: shown(str(word), _LONGEST),
        "three": lambda number: "" if number != number else f"{number:.3f}",
        "signed": lambda number: f"{number:+.3f}".replace("-", "\N{MINUS SIGN}"),
        "percent": lambda share: f"{100 * share:+.0f}".replace("-", "\N{MINUS SIGN}"),
        "count": lambda number: f"{number:,}",
        "measure": lambda method: MEASURES.get(method, method),
    }
    return environment


def _version() -> str:
    try:
        return version("pmifact")
    except PackageNotFoundError:
        return ""
