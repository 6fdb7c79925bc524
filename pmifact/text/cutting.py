"""Text to numbered tokens by a tokenizer that is a Python function.

`pmifact.text.scanning` does the same for files and the built-in tokenizers, in compiled code.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pmifact.errors import InputError
from pmifact.resources.progress import Progress
from pmifact.text.numbering import Numbering
from pmifact.text.readers import Source, TextInput, stored_size
from pmifact.text.records import RecordOptions, input_format_of, open_records

NumberLines = Callable[[str, Iterable[str]], None]


def number_files(
    paths: Sequence[str], number: NumberLines, input_format: str, taken: RecordOptions, progress: Progress
) -> list[Source]:
    """Give the lines of each file, or of each record of a file, to `number`; return what was read."""
    total = stored_size(paths)
    sources: list[Source] = []
    for path in paths:
        done = sum(source.size for source in sources)
        own_format = input_format_of(path, input_format)
        if own_format == "text":
            with TextInput(path, encoding=taken.encoding, errors=taken.errors) as text:
                number(f"{text.name}, line ", _lines(text, done, total, progress))
                sources.append(text.source)
            continue
        with open_records(path, own_format, taken) as records:
            for block in records:
                for place, held in block:
                    number(f"{records.name}, {place}, line of its text ", split_items([held]))
                progress(done + records.bytes_read, total)
            sources.append(records.source)
    return sources


def number_lines(
    numbering: Numbering,
    cut: Callable[[str], Iterable[str]],
    boundary: str,
    where: str,
    lines: Iterable[str],
) -> None:
    """Cut the lines of one document and number their tokens."""
    for number, line in enumerate(lines, 1):
        if boundary == "blank" and (not line or line.isspace()):
            numbering.end_sentence()
            continue
        numbering.add(cut(line), where, number)
        if boundary == "line":
            numbering.end_sentence()
    numbering.end_sentence()


def split_items(items: Iterable[Any]) -> Iterator[str]:
    """Give the lines that the items of an iterable hold; an item also ends the line that it leaves open."""
    for number, item in enumerate(items, 1):
        if not isinstance(item, str):
            raise InputError(
                f"source: expected item {number} to be a line (str) as the first is, got {item!r:.80}"
            )
        for line in item.removesuffix("\n").split("\n"):
            yield line.removesuffix("\r")


def chained(
    first: Callable[[str], str] | None, then: Callable[[str], Any] | None
) -> Callable[[str], Any] | None:
    """Return the two functions as one; None stands for the one that changes nothing."""
    if first is None or then is None:
        return first or then
    return lambda text: then(first(text))


def _lines(text: TextInput, done: int, total: int, progress: Progress) -> Iterator[str]:
    for block in text:
        yield from block
        progress(done + text.bytes_read, total)
