"""The stream that pairs are counted in: a corpus with what counts for nothing taken out or made a gap."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmifact.corpus import EncodedCorpus
from pmifact.counting.columns import Columns
from pmifact.errors import InputError
from pmifact.resources.spool import on_disk
from pmifact.resources.views import read_only

_TOKENS_PER_PIECE = 1 << 22


@dataclass(frozen=True)
class Stream:
    """The places of a text, twice over: what is a focus there, and what is a context.

    Parameters
    ----------
    words : ndarray of int32, shape (M,)
        Word ids.
    contexts : ndarray of int32, shape (M,)
        Numbers of context words; the same array when these are the words.
    """

    words: NDArray[np.int32]
    contexts: NDArray[np.int32]


def lay_stream(
    corpus: EncodedCorpus, keep: NDArray[np.float64], *, seed: int, close_oov: bool, close_sampled: bool
) -> Iterator[NDArray[np.int32]]:
    """Yield the stream in pieces, as `pmifact.kernels.cooccurrence` lays it.

    Parameters
    ----------
    corpus : EncodedCorpus
    keep : ndarray of float64, shape (V,) or (0,)
        Probability of keeping a token of each word; empty keeps all.
    seed : int
        Of the draws.
    close_oov, close_sampled : bool
        Leave out-of-vocabulary tokens, and tokens not kept, out; otherwise they become gaps.

    Raises
    ------
    InputError
        If a token's id is outside the vocabulary.
    """
    from pmifact.kernels import cooccurrence

    token_ids, starts = read_only(corpus.token_ids), read_only(corpus.sentence_starts)
    for first in range(0, len(token_ids), _TOKENS_PER_PIECE):
        span = first, min(first + _TOKENS_PER_PIECE, len(token_ids))
        n_ends = np.diff(np.searchsorted(starts, span)).item()
        piece = np.empty(span[1] - span[0] + n_ends + 1, np.int32)
        length = cooccurrence.lay_stream(
            token_ids, starts, span, len(corpus.vocabulary), keep, seed, close_oov, close_sampled, piece
        )
        if length < 0:
            position = -1 - length
            raise InputError(
                f"corpus: token {position} has the id {token_ids[position]}, "
                f"outside the {len(corpus.vocabulary):,} words of its vocabulary"
            )
        yield piece[:length]


def in_memory(pieces: Iterator[NDArray[np.int32]], columns: Columns, room: int) -> Stream:
    """Put pieces one after another, `room` values at most."""
    words = _joined(pieces, room)
    return Stream(words, words if columns.place is None else _joined(columns.numbered(words), len(words)))


def in_folder(pieces: Iterator[NDArray[np.int32]], columns: Columns, folder: Path) -> Stream:
    """Put pieces one after another into a file, and map it."""
    words = on_disk(pieces, folder / "stream", np.int32)
    if columns.place is None:
        return Stream(words, words)
    return Stream(words, on_disk(columns.numbered(words), folder / "contexts", np.int32))


def _joined(pieces: Iterator[NDArray[np.int32]], room: int) -> NDArray[np.int32]:
    stream = np.empty(room, np.int32)
    length = 0
    for piece in pieces:
        stream[length : length + len(piece)] = piece
        length += len(piece)
    return read_only(stream[:length])


def digest(corpus: EncodedCorpus) -> str:
    """Return the SHA-256 (hex) of everything about a corpus that its counts depend on."""
    sha = hashlib.sha256(corpus.vocabulary.fingerprint.encode())
    for array in (corpus.vocabulary.counts, corpus.token_ids, corpus.sentence_starts):
        for start in range(0, len(array), _TOKENS_PER_PIECE):
            sha.update(memoryview(np.ascontiguousarray(array[start : start + _TOKENS_PER_PIECE])))
    return sha.hexdigest()
