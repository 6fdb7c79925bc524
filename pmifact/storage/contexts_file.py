"""`contexts.tsv`, a context a line: word, tab, count, and for positional contexts tab, offset."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pmifact.contexts import Contexts, PositionalContexts
from pmifact.errors import ArtifactError
from pmifact.storage.files import DigestWriter
from pmifact.storage.vocabulary_file import check_words, parse_vocabulary, vocabulary_lines
from pmifact.vocabulary import Vocabulary


def check_contexts(contexts: Contexts) -> None:
    """Raise `InputError` for a word with white space, which would end it too early when read again."""
    check_words(contexts if isinstance(contexts, Vocabulary) else contexts.vocabulary)


def context_lines(contexts: Contexts) -> Iterator[bytes]:
    """Yield the lines, those of one offset at a time."""
    if isinstance(contexts, Vocabulary):
        yield vocabulary_lines(contexts)
        return
    lines = vocabulary_lines(contexts.vocabulary)
    for offset in contexts.offsets:
        yield lines.replace(b"\n", f"\t{offset}\n".encode())


def write_contexts(path: Path, contexts: Contexts) -> dict[str, Any]:
    """Write `contexts.tsv` and return its entry in the manifest."""
    with DigestWriter(path) as file:
        for lines in context_lines(contexts):
            file.write(lines)
    return file.entry


def parse_contexts(data: bytes, path: Path) -> Contexts:
    """Return what the bytes of a `contexts.tsv` hold; raise `ArtifactError` naming the line."""
    if data.partition(b"\n")[0].count(b"\t") < 2:
        return parse_vocabulary(data, path)
    if not data.endswith(b"\n"):
        last = data.count(b"\n") + 1
        raise ArtifactError(f"{path}, line {last}: expected an end of line, got the end of the file")
    lines = data.removesuffix(b"\n").split(b"\n")
    offsets = [line.rpartition(b"\t")[2] for line in lines]
    size = next((line for line, offset in enumerate(offsets) if offset != offsets[0]), len(lines))
    words = b"".join(line.rpartition(b"\t")[0] + b"\n" for line in lines[:size])
    left = sum(offset.startswith(b"-") for offset in offsets[::size])
    contexts = PositionalContexts(parse_vocabulary(words, path), (left, len(offsets[::size]) - left))
    expected = b"".join(context_lines(contexts))
    if data != expected:
        _tell_difference(data, expected, path)
    return contexts


def _tell_difference(data: bytes, expected: bytes, path: Path) -> None:
    """Raise for the first line that is not as it must be when every word stands at every offset."""
    pairs = zip([*data.split(b"\n"), None], [*expected.split(b"\n"), None], strict=False)
    for number, (got, wanted) in enumerate(pairs, 1):
        if got != wanted:
            texts = (
                "the end of the file" if line in (None, b"") else repr(line.decode(errors="replace"))
                for line in (wanted, got)
            )
            raise ArtifactError(f"{path}, line {number}: expected {next(texts)}, got {next(texts)}")
    raise AssertionError("the files do not differ")
