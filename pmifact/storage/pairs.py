"""Files of (word, context) pairs, as word2vecf reads them, to counts."""

import os
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.corpus import encode_corpus
from pmifact.counting.imported import ImportOptions
from pmifact.errors import InputError
from pmifact.resources.progress import Progress, no_progress
from pmifact.storage.cells import check_sum, csr_of
from pmifact.text.readers import STANDARD_INPUT, TextInput, expand_inputs
from pmifact.vocabulary import Vocabulary, most_frequent

_MOST = 2**63 - 1


def read_pairs(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
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
    # Lines of fields are sentences of tokens to the scanner, and a repeated field is parsed once.
    corpus = encode_corpus(
        names,
        min_count=1,
        encoding=encoding,
        errors=errors,
        input_format="text",
        threads=threads,
        progress=progress,
    )
    fields, first = corpus.token_ids, corpus.sentence_starts[:-1]
    lengths = np.diff(corpus.sentence_starts)
    wrong = np.flatnonzero((lengths != 2) & (lengths != 3))
    if len(wrong):
        fault = f"expected a word, a context and perhaps a count, got {lengths[wrong[0]]} fields"
        raise InputError(f"{_place(names, int(wrong[0]), encoding, errors)}: {fault}")
    amounts = np.ones(len(first), np.int64)
    counted = np.flatnonzero(lengths == 3)
    numbers, which = np.unique(fields[first[counted] + 2], return_inverse=True)
    parsed = [_number(corpus.vocabulary.words[field]) for field in numbers.tolist()]
    amounts[counted] = np.array(parsed, np.int64)[which]
    if len(wrong := np.flatnonzero(amounts == 0)):
        field = corpus.vocabulary.words[fields[first[wrong[0]] + 2]]
        fault = f"expected a positive integer as count, got {field!r:.40}"
        raise InputError(f"{_place(names, int(wrong[0]), encoding, errors)}: {fault}")
    check_sum(amounts, "pairs")
    return _assembled(fields[first], fields[first + 1], amounts, corpus.vocabulary.words)


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
    raise InputError("pairs: the input changed while it was read; start again")


def _number(field: str) -> int:
    """Return the count that a field holds, 0 when it holds none."""
    # int() alone would take signs, underscores and the digits of other scripts.
    whole = field.isascii() and field.isdigit() and len(field) <= 19 and int(field) <= _MOST
    return int(field) if whole else 0


def _assembled(
    words: NDArray[np.int32], contexts: NDArray[np.int32], amounts: NDArray[np.int64], names: tuple[str, ...]
) -> CooccurrenceCounts:
    row_words, row_of = _ranked(words, amounts, names)
    column_words, column_of = _ranked(contexts, amounts, names)
    shared = row_words.index.keys() == column_words.index.keys()
    if shared:
        column_words, column_of = row_words, row_of
    shape = len(row_words), len(column_words)
    matrix = csr_of(row_of[words], column_of[contexts], amounts, shape)
    options = ImportOptions(imported="pairs")
    return CooccurrenceCounts(row_words, matrix, 1, options, None if shared else column_words)


def _ranked(
    fields: NDArray[np.int32], amounts: NDArray[np.int64], names: tuple[str, ...]
) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return the words of one side, the most frequent first, and the id of each field among them."""
    sums = np.zeros(len(names), np.int64)
    np.add.at(sums, fields, amounts)
    words, chosen = most_frequent(sums, names.__getitem__, min_count=1, max_vocab=None)
    rank = np.full(len(names), -1, np.int32)
    rank[chosen] = np.arange(len(chosen), dtype=np.int32)
    return Vocabulary(tuple(words), sums[chosen]), rank
