"""Words that belong together to one token each, as "new_york": collocations found by their counts."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.cooccurrence import count_cooccurrences
from pmifact.corpus import EncodedCorpus
from pmifact.errors import InputError
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.views import read_only
from pmifact.vocabulary import Vocabulary, most_frequent

DELIMITER = "_"
SCORERS = ("npmi", "word2phrase")
_THRESHOLDS = {"npmi": 0.5, "word2phrase": 10.0}
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
    text = _Text(list(corpus.vocabulary.words), corpus.token_ids, corpus.sentence_starts)
    for done in range(options.passes):
        progress(done, options.passes)
        text = _join(text, options, threads)
    progress(options.passes, options.passes)
    return _encoded(text, corpus)


@dataclass(frozen=True)
class _Text:
    words: list[str]
    token_ids: NDArray[np.int32]
    sentence_starts: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """Occurrences of each word."""
        # One place more, for what is out of vocabulary.
        return np.bincount(self.token_ids + 1, minlength=len(self.words) + 1)[1:].astype(np.int64)


def _join(text: _Text, options: PhraseOptions, threads: int | None) -> _Text:
    from pmifact.kernels.phrases import join_pairs

    counts = text.counts
    corpus = EncodedCorpus(Vocabulary(tuple(text.words), counts), text.token_ids, text.sentence_starts)
    pairs = count_cooccurrences(corpus, window=(0, 1), weighting="flat", oov="gap", threads=threads).matrix
    phrases = _phrases(pairs, counts, len(text.token_ids), options)
    words, phrase_ids = _named(text.words, phrases)
    joined, starts = np.empty_like(text.token_ids), np.zeros_like(text.sentence_starts)
    left = join_pairs(
        read_only(text.token_ids),
        read_only(text.sentence_starts),
        read_only(phrases.indptr),
        read_only(phrases.indices),
        read_only(phrase_ids),
        joined,
        starts,
    )
    return _Text(words, joined[:left].copy(), starts)


def _phrases(pairs: csr_array, counts: NDArray[np.int64], n_tokens: int, options: PhraseOptions) -> csr_array:
    """Return the pairs that score above the threshold."""
    a = np.repeat(counts, np.diff(pairs.indptr)).astype(np.float64)
    b = counts[pairs.indices].astype(np.float64)
    together = pairs.data.astype(np.float64)
    least, threshold = options.min_pair_count, float(options.threshold)  # type: ignore[arg-type]
    if options.scorer == "word2phrase":
        types = int(np.count_nonzero(counts)) + pairs.nnz
        passed = (together - least) / (a * b) * types > threshold
    else:
        pa, pb, pab = a / n_tokens, b / n_tokens, together / n_tokens
        score = np.log(pab / (pa * pb)) / -np.log(pab)
        passed = score > threshold
        # NumPy's logarithm may differ from the C library's in the last digit.
        for k in np.flatnonzero(np.abs(score - threshold) < _CLOSE).tolist():
            passed[k] = math.log(pab[k] / (pa[k] * pb[k])) / -math.log(pab[k]) > threshold
        passed &= together >= least
    ends = np.concatenate([[0], np.cumsum(passed)])[pairs.indptr]
    return csr_array((pairs.data[passed], pairs.indices[passed], ends), shape=pairs.shape)


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


def _encoded(text: _Text, corpus: EncodedCorpus) -> EncodedCorpus:
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
    token_ids = rank[text.token_ids]
    return EncodedCorpus(
        Vocabulary(tuple(words), counts[kept]), token_ids, text.sentence_starts, options, corpus.sources
    )
