"""How much disk a count will need, told beforehand from a sample of its rows."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pmifact.cooccurrence import keep_probabilities
from pmifact.corpus import EncodedCorpus
from pmifact.counting.columns import Columns, choose_contexts, columns_of
from pmifact.counting.options import CountOptions
from pmifact.counting.shards import TOKENS_PER_SHARD, tokens_per_shard
from pmifact.resources.memory import parse_memory
from pmifact.resources.threads import resolve_threads
from pmifact.resources.views import read_only
from pmifact.vocabulary import Vocabulary

_RATIO = 1.25  # of the last rank of a stratum to its first
_SHARE = 0.005  # of all tokens that may be looked at,
_LEAST = 50_000  # or so many in a small corpus
_BITMAP = 1 << 25  # bytes for the contexts of the sampled words
_ENTRY = 12  # bytes of a pair in a file: its column and its numerator


@dataclass(frozen=True)
class DiskEstimate:
    """About how much a count will write.

    Parameters
    ----------
    pairs : int
        Distinct pairs of the result.
    result : int
        Bytes of the artifact.
    unfinished : int
        Bytes that are needed beside it until it is written.
    """

    pairs: int
    result: int
    unfinished: int

    @property
    def total(self) -> int:
        """Bytes that have to be free."""
        return self.result + self.unfinished


@dataclass(frozen=True)
class _Stratum:
    """Words of neighbouring ranks: how many, their mean frequency, the ranks of those that stand for them."""

    size: int
    frequency: float
    sample: NDArray[np.int64]


def estimate_disk(
    corpus: EncodedCorpus,
    options: CountOptions,
    *,
    context_vocabulary: int | Vocabulary | Sequence[str] | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
) -> DiskEstimate:
    """Estimate what `pmifact.cooccurrence.count_cooccurrences` will write for this corpus.

    The contexts of a few words of each stratum of ranks are counted, in one pass over the corpus, and stand
    for those of the other words there. The most frequent words would take too long to count: they are taken
    to have the same share of the contexts that they would have by chance as less frequent words have.

    Pairs that `min_pair_count` will leave out are counted in.

    Parameters
    ----------
    corpus : EncodedCorpus
    options : CountOptions
    context_vocabulary, memory, threads
        As for counting.
    """
    limit = parse_memory(memory)
    frequencies, n_words = corpus.vocabulary.counts, len(corpus.vocabulary)
    order = np.argsort(-frequencies, kind="stable")
    contexts = choose_contexts(corpus.vocabulary, context_vocabulary)
    columns = columns_of(corpus.vocabulary, contexts, options.offsets_within)
    strata = _strata(frequencies[order], max(_BITMAP // (len(columns) // 8 + 8), 1))
    positions = len(corpus.sentence_starts) - 1
    positions += int(frequencies.sum()) if options.oov == "close" else len(corpus.token_ids)
    sharded = limit is not None or len(corpus.token_ids) > TOKENS_PER_SHARD
    n_shards = -(-positions // tokens_per_shard(limit)) if sharded else 1
    none = np.empty(0, np.int64)  # when no word of a given vocabulary occurs
    sampled = order[np.concatenate([none, *(stratum.sample for stratum in strata)])]
    # One occurrence has a neighbour at each of several offsets, or several that are told apart by word alone.
    offsets, each = (sum(options.window), 1) if options.positional else (1, sum(options.window))
    *shards, whole = (
        _extrapolated(strata, found, offsets, each / parts)
        for found, parts in _contexts(corpus, options, columns, sampled, n_shards, resolve_threads(threads))
    )
    words = _text_size(corpus.vocabulary)
    if contexts is not None or options.positional:
        words += offsets * (_text_size(contexts or corpus.vocabulary) + 3 * columns.contexts)
    result = _ENTRY * whole + 8 * n_words + words
    streams = 4 * positions * (1 if columns.place is None else 2)
    unfinished = streams + _ENTRY * (sum(shards) + whole) + 8 * n_words * n_shards
    return DiskEstimate(whole, result, unfinished if sharded else 0)


def _strata(frequencies: NDArray[np.int64], most_words: int) -> list[_Stratum]:
    """Cut ranks in geometric progression and choose words of each stratum, as long as they are rare enough.

    frequencies int64[V], descending. The stratum of the rarest words comes first.
    """
    n_words = int((frequencies > 0).sum())
    powers = _RATIO ** np.arange(1 + np.log(n_words) / np.log(_RATIO)) if n_words else np.empty(0)
    edges = np.unique(np.minimum(np.append(powers, np.inf), n_words + 1).astype(np.int64)) - 1
    budget = max(_SHARE * int(frequencies.sum()), _LEAST)
    n_strata, left, strata = len(edges) - 1, budget, []
    for first, last in reversed(list(pairwise(edges.tolist()))):
        size, mean = last - first, float(frequencies[first:last].mean())
        wanted = min(size, max(1, int(budget / n_strata / mean)), max(1, most_words // n_strata))
        sample = first + ((np.arange(wanted) + 0.5) * size / wanted).astype(np.int64)
        left -= int(frequencies[sample].sum())
        strata.append(_Stratum(size, mean, sample if left >= 0 else sample[:0]))
    return strata


def _contexts(
    corpus: EncodedCorpus,
    options: CountOptions,
    columns: Columns,
    words: NDArray[np.int64],
    n_shards: int,
    threads: int,
) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Count the distinct columns of words in each of several equal parts of the corpus, and in the whole.

    Yields the counts, one a word, and how many such parts make a corpus.
    """
    from pmifact.kernels.estimation import mark_contexts

    n_words, n_tokens = len(corpus.vocabulary), len(corpus.token_ids)
    row_of = np.full(n_words + 1, -1, np.int32)
    row_of[words + 1] = np.arange(len(words))
    keep = np.empty(0)
    if options.subsample is not None:
        keep = keep_probabilities(corpus.vocabulary, options.subsample)
    place = np.arange(n_words) if columns.place is None else columns.place.astype(np.int64)
    numbers = place, columns.contexts if options.positional else 0
    closes = options.oov == "close", options.subsample_mode == "before"
    token_ids, starts = read_only(corpus.token_ids), read_only(corpus.sentence_starts)

    size = len(words), (len(columns) >> 6) + 1

    def mark(span: tuple[int, int]) -> NDArray[np.uint64]:
        seen = np.zeros(size, np.uint64)
        text = token_ids, starts, span
        mark_contexts(*text, row_of, numbers, keep, options.seed, closes, options.window, seen)
        return seen

    union = np.zeros(size, np.uint64)
    cuts = [n_tokens * part // (n_shards * threads) for part in range(n_shards * threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        for part in range(0, n_shards * threads, threads):
            seen = np.bitwise_or.reduce(list(pool.map(mark, pairwise(cuts[part : part + threads + 1]))))
            union |= seen
            yield _bits(seen), n_shards
    yield _bits(union), 1


def _text_size(vocabulary: Vocabulary) -> int:
    """Return about how many bytes a vocabulary takes as a file."""
    return sum(len(word.encode()) for word in vocabulary.words) + 12 * len(vocabulary)


def _bits(seen: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return how many bits are set in each row."""
    from pmifact.kernels.estimation import count_bits

    counts = np.zeros(len(seen), np.int64)
    count_bits(seen, counts)
    return counts


def _extrapolated(
    strata: list[_Stratum], contexts: NDArray[np.int64], offsets: int, neighbours: float
) -> int:
    """Sum the contexts of all words, from those of the sampled words.

    A word with n neighbours drawn by chance would have sum_c (1 - exp(-n p_c)) contexts, p_c the share of the
    tokens that are c; and so at each of several offsets.

    contexts int64[R] in the order of the samples; `neighbours` is the number of one occurrence's.
    """
    sizes = np.array([stratum.size for stratum in strata], np.int64)
    frequencies = np.array([stratum.frequency for stratum in strata])
    shares = frequencies / max((sizes * frequencies).sum(), 1)
    by_chance = offsets * (-np.expm1(-neighbours * np.outer(frequencies, shares)) @ sizes)
    total, begin, share = 0.0, 0, 1.0
    for stratum, chance in zip(strata, by_chance.tolist(), strict=True):
        found = contexts[begin : begin + len(stratum.sample)]
        begin += len(found)
        if len(found):
            share = min(float(found.mean()) / chance, 1.0)
            total += stratum.size * float(found.mean())
        else:
            total += stratum.size * share * chance
    return round(total)
