"""Small corpora and counting options, made by hand or by Hypothesis."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from pmifact.cooccurrence import CountOptions, count_cooccurrences
from pmifact.corpus import EncodedCorpus
from pmifact.vocabulary import Vocabulary


def corpus_of(sentences, n_words):
    """Encode sentences of word ids (-1: out of vocabulary)."""
    token_ids = np.array([token for sentence in sentences for token in sentence], np.int32)
    starts = np.cumsum([0, *(len(sentence) for sentence in sentences)]).astype(np.int64)
    counts = np.bincount(token_ids[token_ids >= 0], minlength=n_words).astype(np.int64)
    return EncodedCorpus(Vocabulary(tuple(f"w{i}" for i in range(n_words)), counts), token_ids, starts)


def count(corpus, options, **more):
    return count_cooccurrences(
        corpus, **{name: getattr(options, name) for name in CountOptions.__dataclass_fields__}, **more
    )


def draw(seed, position):
    """Restate the counter-based draw in Python integers."""
    mask = 2**64 - 1
    z = ((position + 1) * 0x9E3779B97F4A7C15 + seed * 0xD1342543DE82EF95) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return ((z ^ (z >> 31)) >> 11) / 2**53


def slow_triples(sentences, options):
    """Count {(focus, context, offset): weight} with a dictionary, from the definition; exact fractions."""
    frequencies = Counter(token for sentence in sentences for token in sentence if token >= 0)
    total = sum(frequencies.values())
    triples = Counter()
    position = 0
    for sentence in sentences:
        kept = []
        for token in sentence:
            if token < 0:
                if options.oov == "gap":
                    kept.append(None)
            elif (
                options.subsample is None
                or draw(options.seed, position) < (options.subsample * total / frequencies[token]) ** 0.5
            ):
                kept.append(token)
            elif options.subsample_mode == "after":
                kept.append(None)
            position += 1
        left, right = options.window
        for i, focus in enumerate(kept):
            for j, context in enumerate(kept):
                reach = left if j < i else right
                distance = abs(i - j)
                if focus is None or context is None or not 1 <= distance <= reach:
                    continue
                triples[focus, context, j - i] += {
                    "flat": Fraction(1),
                    "linear": Fraction(reach - distance + 1, reach),
                    "harmonic": Fraction(1, distance),
                }[options.weighting]
    return triples


def slow_counts(sentences, options):
    """Count {(focus, context): weight}, wherever the context stands."""
    pairs = Counter()
    for (focus, context, _), weight in slow_triples(sentences, options).items():
        pairs[focus, context] += weight
    return pairs


def as_fractions(counts):
    coo = counts.matrix.tocoo()
    return {
        (int(w), int(c)): Fraction(int(n), counts.unit)
        for w, c, n in zip(coo.coords[0], coo.coords[1], coo.data, strict=True)
    }


def assert_same_files(a, b):
    for ours, theirs in (
        (a.matrix.indptr, b.matrix.indptr),
        (a.matrix.indices, b.matrix.indices),
        (a.matrix.data, b.matrix.data),
        (a.vocabulary.counts, b.vocabulary.counts),
    ):
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)
    assert a.vocabulary.words == b.vocabulary.words
    assert a.unit == b.unit
    assert a.contexts == b.contexts


sentences_of = st.integers(1, 70).flatmap(
    lambda n_words: st.tuples(
        st.just(n_words),
        st.lists(st.lists(st.integers(-1, n_words - 1), min_size=1, max_size=25), min_size=1, max_size=12),
    )
)
windows = st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any)
options_of = st.builds(
    CountOptions,
    window=windows,
    weighting=st.sampled_from(["linear", "flat", "harmonic"]),
    oov=st.sampled_from(["close", "gap"]),
    subsample=st.none() | st.floats(1e-3, 0.5),
    subsample_mode=st.sampled_from(["before", "after"]),
    seed=st.integers(0, 2**63 - 1),
)
