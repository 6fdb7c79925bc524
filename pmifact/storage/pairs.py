"""Files of (word, context) pairs, as word2vecf reads them, to counts."""

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.corpus import EncodedCorpus, encode_corpus
from pmifact.counting.imported import ImportOptions
from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.storage.cells import MOST, cells_at_a_time, check_sum, csr_of_pieces
from pmifact.text.readers import STANDARD_INPUT, TextInput, expand_inputs
from pmifact.vocabulary import Vocabulary, most_frequent


def read_pairs(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
    memory: int | str | None = None,
    scratch: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> CooccurrenceCounts:
    """Read counts from files with a pair a line: word, context, and optionally a count.

    White space stands between the fields. A line without a count stands for one pair; repeated pairs add up,
    and lines that hold nothing are passed over. This is the format of word2vecf (Levy & Goldberg, ACL 2014),
    for contexts that are not windows, as those of dependencies.

    Parameters
    ----------
    paths : path, or sequence of paths
        Files, compressed or not, directories or globs.
    encoding, errors : str
        How the files are decoded; ``strict`` or ``replace``.
    memory : int or str, optional
        Bound on the anonymous memory of the whole process, in bytes or as in ``4GB``; at least 256MB. Pairs
        then go to disk, and the matrix of the result is mapped from there; words, contexts and what stands
        for counts are in memory, each different one once.
    scratch : path, optional
        Folder for what goes to disk, which the caller removes when the result is no longer needed; left
        out, it is a temporary one that takes no care.
    threads : int, optional
        Threads to use; all cores when not given.
    progress : Progress
        Told the bytes of input read, as stored, and their total.

    Returns
    -------
    CooccurrenceCounts
        With `unit` 1. Words stand in the order of their sums over contexts, the largest first, ties in
        code-point order, and the counts of the vocabulary are these sums; contexts likewise. When the words
        are the contexts, as sets, the columns are in the order of the rows.

    Raises
    ------
    InputError
        If a file cannot be read, a line has another number of fields or a count that is no positive integer
        (the message names the line), there is no pair, or the counts add up to more than 2^63 - 1.
    """
    names = expand_inputs([paths] if isinstance(paths, str | os.PathLike) else paths)
    limit = parse_memory(memory)
    # Lines of fields are sentences of tokens to the scanner, and a repeated field is parsed once.
    text = encode_corpus(
        names,
        min_count=1,
        encoding=encoding,
        errors=errors,
        input_format="text",
        memory=limit,
        scratch=scratch and Path(scratch) / "text",
        threads=threads,
        progress=progress,
    )
    pairs = _Pairs(text, cells_at_a_time(limit, len(text.sentence_starts) - 1))
    try:
        rows, columns = pairs.sums(_listed(names))
    except _MalformedError as fault:
        raise InputError(f"{_place(names, fault.pair, encoding, errors)}: {fault}") from None
    words, row_of = _ranked(rows, text.vocabulary.words)
    contexts, column_of = _ranked(columns, text.vocabulary.words)
    shared = words.index.keys() == contexts.index.keys()
    if shared:
        contexts, column_of = words, row_of
    matrix = csr_of_pieces(
        ((row_of[word], column_of[context], amounts) for word, context, amounts in pairs),
        (len(words), len(contexts)),
        limit=limit,
        scratch=scratch,
        threads=resolve_threads(threads),
    )
    return CooccurrenceCounts(words, matrix, 1, ImportOptions(imported="pairs"), None if shared else contexts)


class _MalformedError(Exception):
    """A line that is no pair."""

    def __init__(self, pair: int, fault: str) -> None:
        super().__init__(fault)
        self.pair = pair


class _Pairs:
    """The pairs of lines whose fields are numbered, some at a time: words, contexts, amounts."""

    def __init__(self, text: EncodedCorpus, at_a_time: int) -> None:
        self._text = text
        self._at_a_time = at_a_time

    def __iter__(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]]:
        """Yield the pieces; raise `_MalformedError` for a line that is no pair."""
        fields, starts = self._text.token_ids, self._text.sentence_starts
        for start in range(0, len(starts) - 1, self._at_a_time):
            bounds = starts[start : start + self._at_a_time + 1]
            lengths = np.diff(bounds)
            wrong = np.flatnonzero((lengths != 2) & (lengths != 3))
            if len(wrong):
                got = count_of(int(lengths[wrong[0]]), "field")
                fault = f"expected a word, a context and perhaps a count, got {got}"
                raise _MalformedError(start + int(wrong[0]), fault)
            amounts = np.ones(len(lengths), np.int64)
            counted = np.flatnonzero(lengths == 3)
            numbers, which = np.unique(fields[bounds[counted] + 2], return_inverse=True)
            words = self._text.vocabulary.words
            amounts[counted] = np.array([_number(words[field]) for field in numbers.tolist()], np.int64)[
                which
            ]
            if len(wrong := np.flatnonzero(amounts == 0)):
                field = words[fields[bounds[wrong[0]] + 2]]
                fault = f"expected a positive integer as count, got {field!r:.40}"
                raise _MalformedError(start + int(wrong[0]), fault)
            yield fields[bounds[:-1]], fields[bounds[:-1] + 1], amounts

    def sums(self, files: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sum over the pairs of each field as a word, and as a context; `files` for messages."""
        size = len(self._text.vocabulary)
        rows, columns, total = np.zeros(size, np.int64), np.zeros(size, np.int64), 0
        for words, contexts, amounts in self:
            total = check_sum(amounts, files, total)
            np.add.at(rows, words, amounts)
            np.add.at(columns, contexts, amounts)
        return rows, columns


def _place(names: Sequence[str], pair: int, encoding: str, errors: str) -> str:
    """Find the file and line of a pair, numbered from 0 over all files; lines that hold nothing are none."""
    for name in names:
        if name == STANDARD_INPUT:
            return f"standard input, pair {pair + 1}"
        number = 0
        with TextInput(name, encoding=encoding, errors=errors) as text:
            for line in chain.from_iterable(text):
                number += 1
                if line and not line.isspace():
                    if pair == 0:
                        return f"{text.name}, line {number}"
                    pair -= 1
    raise InputError(f"{_listed(names)}: changed while the pairs were read; start again")


def _listed(names: Sequence[str]) -> str:
    """Name the files in a message."""
    first = "standard input" if names[0] == STANDARD_INPUT else names[0]
    return f"{first} and {len(names) - 1:,} more" if len(names) > 1 else first


def _number(field: str) -> int:
    """Return the count that a field holds, 0 when it holds none."""
    # int() alone would take signs, underscores and the digits of other scripts.
    whole = field.isascii() and field.isdigit() and len(field) <= 19 and int(field) <= MOST
    return int(field) if whole else 0


def _ranked(sums: NDArray[np.int64], names: tuple[str, ...]) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return the words of one side, the most frequent first, and the id of each field among them."""
    words, chosen = most_frequent(sums, names.__getitem__, min_count=1, max_vocab=None)
    rank = np.full(len(names), -1, np.int32)
    rank[chosen] = np.arange(len(chosen), dtype=np.int32)
    return Vocabulary(tuple(words), sums[chosen]), rank
