"""Small corpora and counting options, made by hand or by Hypothesis."""

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
