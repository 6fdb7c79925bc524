"""Words that belong together to one token each, as "new_york": collocations found by their counts."""

import math
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.cooccurrence import count_cooccurrences
from pmifact.corpus import EncodedCorpus
from pmifact.counting.rows import cut_rows
from pmifact.errors import InputError
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.spool import ScatteredFile, on_disk, refusals_explained
from pmifact.resources.views import read_only
from pmifact.vocabulary import Vocabulary, most_frequent

DELIMITER = "_"
SCORERS = ("npmi", "word2phrase")
_THRESHOLDS = {"npmi": 0.5, "word2phrase": 10.0}
_PIECE = 1 << 22  # tokens at a time
_PAIRS = 1 << 20  # pairs at a time
_CLOSE = 1e-9  # scores this near to the threshold are worked out again, one by one


@dataclass(frozen=True, kw_only=True)
class PhraseOptions:
    """When two neighbours are a phrase.

    Parameters
    ----------
    scorer : {"npmi", "word2phrase"}
        See `find_phrases`.
    threshold : float, optional
        The score that a phrase must pass: 0.5 for ``npmi``, in [-1, 1]; 10 for ``word2phrase``, above 0.
    min_pair_count : int
        For ``npmi`` a rarer pair is no phrase; ``word2phrase`` takes as much off every pair's count.
    passes : int
        How often to join; each pass can double the length of phrases.

    Raises
    ------
    InputError
        If a value is none of these.
    """

    scorer: str = "npmi"
    threshold: float | None = None
    min_pair_count: int = 5
    passes: int = 1

    def __post_init__(self) -> None:
        check_choice("scorer", self.scorer, SCORERS)
        if self.threshold is None:
            object.__setattr__(self, "threshold", _THRESHOLDS[self.scorer])
        if self.scorer == "word2phrase":
            check_number("threshold", self.threshold, above=0)
        else:
            check_number("threshold", self.threshold, most=1)
            if float(self.threshold) < -1:  # type: ignore[arg-type]
                raise InputError(f"threshold: expected a number from -1 to 1, got {self.threshold!r}")
        check_integer("min_pair_count", self.min_pair_count, least=1)
        check_integer("passes", self.passes, least=1)


def find_phrases(
    corpus: EncodedCorpus,
    *,
    scorer: str = "npmi",
    threshold: float | None = None,
    min_pair_count: int = 5,
    passes: int = 1,
    memory: int | str | None = None,
    scratch: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> EncodedCorpus:
    """Join neighbours that occur together more often than by chance, with ``_`` between them.

    With n(a b) the count of a pair of neighbours, n(a) and n(b) of its words, N the number of tokens (those
    out of vocabulary included), m = `min_pair_count` and p(.) = n(.) / N, the score of a pair is

        npmi:         log(p(a b) / (p(a) p(b))) / -log p(a b), for n(a b) >= m (Bouma 2009)
        word2phrase:  (n(a b) - m) / (n(a) n(b)) |T| (Mikolov et al. 2013)

    where T, as in gensim, are the distinct words and the distinct pairs together. Pairs that score above the
    threshold are joined from left to right, each token at most once a pass. Sentence ends and tokens out of
    vocabulary stand between phrases.

    This is what gensim's ``Phrases`` does to the same tokens. Words that `min_count` left out of the
    vocabulary make no difference to ``npmi`` as long as `min_pair_count` is not smaller; to |T| they do, so
    encode with ``min_count=1`` to have the same scores of ``word2phrase``. Where the text itself holds the
    token ``a_b``, gensim takes it for the pair of ``a`` and ``b``; here they are told apart until one is made
    of the other.

    Parameters
    ----------
    corpus : EncodedCorpus
        The text.
    scorer, threshold, min_pair_count, passes
        As in `PhraseOptions`.
    memory : int or str, optional
        Bound on the anonymous memory of the whole process, in bytes or as in ``4GB``; at least 256MB. Token
        ids and the counts of pairs then go to disk; the words themselves stay in memory.
    scratch : path, optional
        Folder for what goes to disk, which the caller removes when the result is no longer needed; left
        out, it is a temporary one that takes no care.
    threads : int, optional
        Threads to count pairs with; all cores when not given.
    progress : Progress
        Told the passes done and their number.

    Returns
    -------
    EncodedCorpus
        Words and phrases together, most frequent first, ties in code-point order. What now occurs less often
        than the `min_count` of the corpus is out of vocabulary, and `max_vocab` applies anew, as if the text
        with the phrases had been encoded. Of a corpus with a given vocabulary all that occurs is kept.

    Raises
    ------
    InputError
        If an option is out of range, or the words and phrases do not fit 32-bit ids.
    """
    options = PhraseOptions(scorer=scorer, threshold=threshold, min_pair_count=min_pair_count, passes=passes)
    limit = parse_memory(memory)
    if limit is None:
        return _found(corpus, options, _Work(threads), progress)
    if scratch is not None:
        return _found(corpus, options, _Work(threads, limit, Path(scratch)), progress)
    with TemporaryDirectory(prefix="pmifact-") as folder:  # mapped files stay readable when removed
        return _found(corpus, options, _Work(threads, limit, Path(folder)), progress)


@dataclass(frozen=True)
class _Work:
    """With what the work is done: threads, and under a limit on memory a folder."""

    threads: int | None
    limit: int | None = None
    folder: Path | None = None

    def numbered(self, pieces: Iterable[NDArray[np.int32]]) -> NDArray[np.int32]:
        """Put pieces one after another, in memory or in a file."""
        if self.folder is None:
            return np.concatenate([np.empty(0, np.int32), *pieces])
        return on_disk(pieces, self.folder / "token_ids", np.int32)

    def joined(
        self, pieces: Iterable[tuple[NDArray[np.int32], NDArray[np.int64]]], number: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Put pieces of tokens one after another, and the ends of sentences behind a 0."""
        nothing = np.empty(0, np.int32), np.zeros(1, np.int64)
        if self.folder is None:
            tokens, ends = zip(nothing, *pieces, strict=True)
            return np.concatenate(tokens), np.concatenate(ends)
        n_tokens = n_ends = 0
        with (
            ScatteredFile(self.folder / f"tokens {number}", np.int32) as text,
            ScatteredFile(self.folder / f"sentences {number}", np.int64) as sentences,
        ):
            for tokens_of_piece, ends_of_piece in chain([nothing], pieces):
                text.place(n_tokens, tokens_of_piece)
                sentences.place(n_ends, ends_of_piece)
                n_tokens += len(tokens_of_piece)
                n_ends += len(ends_of_piece)
        return text.mapped(), sentences.mapped()


@dataclass(frozen=True)
class _Text:
    words: list[str]
    token_ids: NDArray[np.int32]
    sentence_starts: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """Occurrences of each word."""
        # One place more, for what is out of vocabulary.
        counts = np.zeros(len(self.words) + 1, np.int64)
        for first in range(0, len(self.token_ids), _PIECE):
            counts += np.bincount(self.token_ids[first : first + _PIECE] + 1, minlength=len(counts))
        return counts[1:]


def _found(corpus: EncodedCorpus, options: PhraseOptions, work: _Work, progress: Progress) -> EncodedCorpus:
    if work.folder is not None:
        with refusals_explained(work.folder):
            work.folder.mkdir(parents=True, exist_ok=True)
    text = _Text(list(corpus.vocabulary.words), corpus.token_ids, corpus.sentence_starts)
    for done in range(options.passes):
        progress(done, options.passes)
        text = _join(text, options, work, done)
    progress(options.passes, options.passes)
    return _encoded(text, corpus, work)


def _join(text: _Text, options: PhraseOptions, work: _Work, number: int) -> _Text:
    counts = text.counts
    corpus = EncodedCorpus(Vocabulary(tuple(text.words), counts), text.token_ids, text.sentence_starts)
    shards = work.folder and work.folder / "pairs"
    pairs = count_cooccurrences(
        corpus,
        window=(0, 1),
        weighting="flat",
        oov="gap",
        memory=work.limit,
        scratch=shards,
        threads=work.threads,
    ).matrix
    phrases = _phrases(pairs, counts, len(text.token_ids), options)
    words, phrase_ids = _named(text.words, phrases)
    if shards is not None:
        shutil.rmtree(shards, ignore_errors=True)
    return _Text(words, *work.joined(_joined(text, phrases, phrase_ids), number))


def _joined(
    text: _Text, phrases: csr_array, phrase_ids: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Yield the tokens after joining and where sentences end, piece by piece."""
    from pmifact.kernels.phrases import join_pairs

    token_ids, starts = read_only(text.token_ids), read_only(text.sentence_starts)
    pairs = read_only(phrases.indptr.astype(np.int64)), read_only(phrases.indices.astype(np.int32))
    place, before = 0, 0
    while place < len(token_ids):
        span = place, min(place + _PIECE, len(token_ids))
        room = int(np.searchsorted(starts, span[1] + 1, side="right") - np.searchsorted(starts, span[0]))
        joined, ends = np.empty(span[1] - span[0], np.int32), np.empty(room, np.int64)
        written, ended, place = join_pairs(
            token_ids, starts, span, before, *pairs, read_only(phrase_ids), joined, ends
        )
        before += written
        yield joined[:written], ends[:ended]


def _phrases(pairs: csr_array, counts: NDArray[np.int64], n_tokens: int, options: PhraseOptions) -> csr_array:
    """Return the pairs that score above the threshold."""
    types = int(np.count_nonzero(counts)) + pairs.nnz
    indices, data, lengths = [], [], []
    for first, last in cut_rows(np.diff(pairs.indptr).astype(np.int64), _PAIRS):
        cells = slice(int(pairs.indptr[first]), int(pairs.indptr[last]))
        own = np.diff(pairs.indptr[first : last + 1])
        columns, together = pairs.indices[cells], pairs.data[cells].astype(np.float64)
        a = np.repeat(counts[first:last], own).astype(np.float64)
        passed = _passed(a, counts[columns].astype(np.float64), together, n_tokens, types, options)
        indices.append(columns[passed])
        data.append(pairs.data[cells][passed])
        ends = np.cumsum(own)
        lengths.append(np.diff(np.concatenate([[0], np.cumsum(passed)])[np.concatenate([[0], ends])]))
    indptr = np.concatenate([[0], *lengths]).cumsum()
    return csr_array((np.concatenate(data), np.concatenate(indices), indptr), shape=pairs.shape)


def _passed(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    together: NDArray[np.float64],
    n_tokens: int,
    types: int,
    options: PhraseOptions,
) -> NDArray[np.bool_]:
    """Tell which pairs, of words that occur a and b times, score above the threshold."""
    least, threshold = options.min_pair_count, float(options.threshold)  # type: ignore[arg-type]
    if options.scorer == "word2phrase":
        return (together - least) / (a * b) * types > threshold
    pa, pb, pab = a / n_tokens, b / n_tokens, together / n_tokens
    score = np.log(pab / (pa * pb)) / -np.log(pab)
    passed: NDArray[np.bool_] = score > threshold
    # NumPy's logarithm may differ from the C library's in the last digit.
    for k in np.flatnonzero(np.abs(score - threshold) < _CLOSE).tolist():
        passed[k] = math.log(pab[k] / (pa[k] * pb[k])) / -math.log(pab[k]) > threshold
    passed &= together >= least
    return passed


def _named(words: list[str], phrases: csr_array) -> tuple[list[str], NDArray[np.int32]]:
    """Return the words with the phrases behind them, and the id of each phrase; equal names are one word."""
    names = list(words)
    ids = {word: word_id for word_id, word in enumerate(words)}
    pairs = phrases.tocoo()
    phrase_ids = np.empty(phrases.nnz, np.int32)
    for k, (a, b) in enumerate(zip(pairs.row.tolist(), pairs.col.tolist(), strict=True)):
        name = f"{words[a]}{DELIMITER}{words[b]}"
        if (phrase_id := ids.setdefault(name, len(names))) == len(names):
            names.append(name)
        if phrase_id >= 2**31 - 1:
            raise InputError("phrases: more words and phrases than 32-bit ids hold; use a larger threshold")
        phrase_ids[k] = phrase_id
    return names, phrase_ids


def _encoded(text: _Text, corpus: EncodedCorpus, work: _Work) -> EncodedCorpus:
    """Choose the vocabulary as when text is encoded."""
    options = replace(corpus.options, given_vocabulary=False)
    if corpus.options.given_vocabulary:
        options = replace(options, min_count=1)
    counts = text.counts
    words, kept = most_frequent(
        counts, text.words.__getitem__, min_count=options.min_count, max_vocab=options.max_vocab
    )
    rank = np.full(len(text.words) + 1, -1, np.int32)
    rank[kept] = np.arange(len(kept), dtype=np.int32)
    # -1 finds the last place of `rank`, which stays -1.
    numbered = (
        rank[text.token_ids[first : first + _PIECE]] for first in range(0, len(text.token_ids), _PIECE)
    )
    token_ids = work.numbered(numbered)
    return EncodedCorpus(
        Vocabulary(tuple(words), counts[kept]), token_ids, text.sentence_starts, options, corpus.sources
    )
