"""The stream that pairs are counted in: a corpus with what counts for nothing taken out or made a gap."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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


@dataclass(frozen=True)
class Laying:
    """How the stream of a corpus is laid, as `pmifact.kernels.cooccurrence` does it, in pieces.

    Parameters
    ----------
    corpus : EncodedCorpus
    keep : ndarray of float64, shape (V,) or (0,)
        Probability of keeping a token of each word; empty keeps all.
    seed : int
        Of the draws.
    close_oov, close_sampled : bool
        Leave out-of-vocabulary tokens, and tokens not kept, out; otherwise they become gaps.
    """

    corpus: EncodedCorpus
    keep: NDArray[np.float64]
    seed: int
    close_oov: bool
    close_sampled: bool

    def spans(self) -> list[tuple[int, int]]:
        """Return the tokens of each piece."""
        n_tokens, step = len(self.corpus.token_ids), _TOKENS_PER_PIECE
        return [(first, min(first + step, n_tokens)) for first in range(0, n_tokens, step)]

    def room(self, span: tuple[int, int]) -> int:
        """Return how many values a piece has at most: its tokens, and the sentence ends among them."""
        return span[1] - span[0] + int(np.diff(np.searchsorted(self.corpus.sentence_starts, span)).item()) + 1

    def lay(self, span: tuple[int, int], piece: NDArray[np.int32]) -> int:
        """Write a piece; return its length.

        Raises
        ------
        InputError
            If a token's id is outside the vocabulary.
        """
        from pmifact.kernels.cooccurrence import lay_stream

        corpus, close = self.corpus, (self.close_oov, self.close_sampled)
        token_ids, starts = read_only(corpus.token_ids), read_only(corpus.sentence_starts)
        n_words = len(corpus.vocabulary)
        length: int = lay_stream(token_ids, starts, span, n_words, self.keep, self.seed, *close, piece)
        if length < 0:
            position = -1 - length
            raise InputError(
                f"corpus: token {position} has the id {token_ids[position]}, "
                f"outside the {n_words:,} words of its vocabulary"
            )
        return length

    def pieces(self) -> Iterator[NDArray[np.int32]]:
        """Yield the pieces in order."""
        for span in self.spans():
            piece = np.empty(self.room(span), np.int32)
            yield piece[: self.lay(span, piece)]


def in_memory(laying: Laying, columns: Columns, threads: int) -> Stream:
    """Lay the whole stream, in threads."""
    spans = laying.spans()
    rooms = [laying.room(span) for span in spans]
    stream = np.empty(sum(rooms), np.int32)
    begins = np.cumsum([0, *rooms])
    places = [stream[begin : begin + room] for begin, room in zip(begins, rooms, strict=False)]
    end = 0
    with ThreadPoolExecutor(threads) as pool:
        for place, length in zip(places, pool.map(laying.lay, spans, places), strict=True):
            stream[end : end + length] = place[:length]  # to the left, where others have been shorter
            end += length
    words = read_only(stream[:end])
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
