"""Lines to tokens."""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, groupby

from pmifact.checks import check_choice

Tokenizer = Callable[[str], Iterable[str]]

TOKENIZERS = ("whitespace", "words")
_PIECE = 1 << 20  # characters; the tokens of a longer line are not all in memory at once
_SPACE = re.compile(r"\s")  # the characters of str.isspace
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*")


def whitespace(line: str) -> Iterable[str]:
    """Split at white space, which is `str.isspace`."""
    if len(line) > _PIECE:
        return chain.from_iterable(map(str.split, _pieces(line)))
    return line.split()


def words(line: str) -> Iterable[str]:
    """Take the maximal runs of letters, digits and marks.

    A character belongs to a run when its Unicode category is L (letter), N (number) or M (mark). An
    apostrophe (``'`` or U+2019) between two runs joins them; everything else, the underscore included,
    separates.
    """
    if line.isascii():
        find = _ASCII_WORD.findall
    else:
        find = _word_pattern(beyond_bmp=_BEYOND_BMP.search(line) is not None).findall
    if len(line) > _PIECE:
        return chain.from_iterable(map(find, _pieces(line)))
    return find(line)


def named_tokenizer(name: str) -> Tokenizer:
    """Return the built-in tokenizer of this name; raise `InputError` when there is none."""
    check_choice("tokenizer", name, TOKENIZERS)
    return whitespace if name == "whitespace" else words


def _pieces(line: str) -> Iterator[str]:
    """Cut a long line at white space, where every built-in tokenizer cuts it too."""
    start = 0
    while space := _SPACE.search(line, start + _PIECE // 2):
        yield line[start : space.start()]
        start = space.end()
    yield line[start:]


@cache
def _word_pattern(*, beyond_bmp: bool) -> re.Pattern[str]:
    # Python's `re` looks a character of the Basic Multilingual Plane up in a bitmap, but walks through the
    # ranges beyond it one by one, for each space as well; so most lines are spared them.
    run = f"[{_word_ranges(0, 0xFFFF)}]+"
    if beyond_bmp:
        run = f"(?:{run}|(?={_BEYOND_BMP.pattern})[{_word_ranges(0x10000, sys.maxunicode)}]+)+"
    return re.compile(f"{run}(?:['\u2019]{run})*")


def _word_ranges(first: int, last: int) -> str:
    """Return the characters of categories L, N and M in [first, last] as the inside of a character class."""
    codes = (code for code in range(first, last + 1) if unicodedata.category(chr(code))[0] in "LNM")
    ranges = (list(run) for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in ranges)
