"""What is known of every named set: `registry.toml`, as frozen objects."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from pmifact.errors import InputError

_ITEMS = {"similarity": "pairs", "analogy": "questions", "pairs": "pairs", "corpus": "lines"}


@dataclass(frozen=True)
class DatasetFile:
    """One file of a set.

    Parameters
    ----------
    name : str
        As it is published; "/" stands between folders.
    digest : str or None
        ``sha256:`` or, where only that is published, ``sha1:``, and the digest in hexadecimal.
    url : str or None
        Where exactly these bytes can be fetched.
    member : str or None
        Their name in the ZIP archive that `url` names, when it is one.
    """

    name: str
    digest: str | None = None
    url: str | None = None
    member: str | None = None

    @property
    def stored(self) -> str:
        """The name without folders, which is what a set of one file is kept as."""
        return PurePosixPath(self.name).name


@dataclass(frozen=True)
class Dataset:
    """A named gold set or corpus.

    Parameters
    ----------
    name : str
        What commands call it.
    title, source, licence, citation, note : str
        For people; "unknown" where nothing could be established, and `note` may be empty.
    kind : {"similarity", "analogy", "pairs", "corpus"}
        Scored pairs, questions of four words, pairs with right answers, or text.
    files : tuple of DatasetFile
        One, unless there is a folder.
    folder : str or None
        The folder that holds the files, when there are several.
    rows : int or None
        Pairs, questions or lines, when known.
    bytes : int or None
        The size of the one file, when known.
    """

    name: str
    title: str
    kind: str
    files: tuple[DatasetFile, ...]
    source: str
    licence: str
    citation: str
    note: str = ""
    folder: str | None = None
    rows: int | None = None
    bytes: int | None = None

    @property
    def fetchable(self) -> bool:
        """Whether every file can be fetched, and checked when it is."""
        return all(file.url and file.digest for file in self.files)

    @property
    def items(self) -> str:
        """What its rows are: "pairs", "questions" or "lines"."""
        return _ITEMS[self.kind]

    @property
    def what(self) -> str:
        """What somebody has to find to have this set: a file, or a folder of so many."""
        if self.folder:
            return f"the folder {self.folder} with its {len(self.files)} files"
        return f"the file {self.files[0].stored}"


@cache
def datasets() -> Mapping[str, Dataset]:
    """Return every named set by its name, in the order of the registry."""
    return MappingProxyType({name: _dataset(name, entry) for name, entry in tomllib.loads(_text()).items()})


def dataset(name: str) -> Dataset:
    """Return the set of this name.

    Raises
    ------
    InputError
        If there is none; the message tells the names that are nearest.
    """
    try:
        return datasets()[name]
    except KeyError:
        raise InputError(f"{name}: there is no set of that name; {nearest_names(name)}") from None


def nearest_names(name: str) -> str:
    """Return a remedy for a name that is none: the nearest ones, or where to see all."""
    near = get_close_matches(name.lower(), datasets(), n=3, cutoff=0.6)
    guess = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{guess}'pmifact data list' shows all names"


def _text() -> str:
    return files("pmifact.datasets").joinpath("registry.toml").read_text(encoding="utf-8")


def _dataset(name: str, entry: dict[str, Any]) -> Dataset:
    told = {key: entry[key] for key in ("title", "kind", "source", "licence", "citation")}
    known = {key: entry[key] for key in ("note", "folder", "rows", "bytes") if key in entry}
    if "files" in entry:
        listed = tuple(
            DatasetFile(file, f"sha256:{digest}", entry["url"] + quote(file))
            for file, digest in entry["files"].items()
        )
    else:
        digest = next((f"{kind}:{entry[kind]}" for kind in ("sha256", "sha1") if kind in entry), None)
        listed = (DatasetFile(entry["file"], digest, entry.get("url"), entry.get("member")),)
    return Dataset(name=name, files=listed, **told, **known)
