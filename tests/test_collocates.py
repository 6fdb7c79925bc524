import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from pmifact.collocates import shared_contexts, word_contexts
from pmifact.contexts import PositionalContexts
from pmifact.cooccurrence import CooccurrenceCounts, CountOptions
from pmifact.errors import InputError, UnknownWordError
from pmifact.ppmi import sppmi
from pmifact.vocabulary import Vocabulary

UNIT = 5
tables = (
    st.tuples(st.integers(2, 7), st.integers(2, 7))
    .flatmap(lambda shape: arrays(np.int64, shape, elements=st.sampled_from([0, 0, 1, 2, 5, 12])))
    .filter(lambda table: table.any())
)
settings = st.fixed_dictionaries(
    {"shift": st.sampled_from([0.5, 1.0, 2.0, 50.0]), "smoothing": st.sampled_from([0.75, 1.0])}
)


def vocabulary(letter, size):
    return Vocabulary(tuple(f"{letter}{i}" for i in range(size)), np.arange(size, 0, -1))


def make(table, contexts="own"):
    rows, columns = table.shape
    named = vocabulary("c", columns) if contexts == "own" else contexts
    return CooccurrenceCounts(vocabulary("w", rows), csr_array(table), UNIT, CountOptions(), named)


def plain_pmi(table, w, c, *, shift, smoothing):
    """log(#(w,c) / (#(w) P(c))) - log shift, from the definition; None for a pair that never occurs."""
    if not table[w, c]:
        return None
    smoothed = [float(column.sum()) ** smoothing for column in table.T]
    chance = table[w].sum() * smoothed[c] / sum(smoothed)
    return round(math.log(table[w, c] / chance) - math.log(shift), 9)


@given(
    tables, settings, st.sampled_from(["pmi", "count"]), st.integers(1, 9), st.sampled_from([None, 0.4, 2])
)
def test_contexts_equal_a_plain_loop(table, options, sort, n, min_count):
    for w in range(len(table)):
        cells = []
        for c in range(table.shape[1]):
            pmi, count = plain_pmi(table, w, c, **options), table[w, c] / UNIT
            if pmi is not None and (min_count is None or count >= min_count):
                cells.append((f"c{c}", count, pmi))
        # Sorting keeps the order of equal ones.
        expected = sorted(cells, key=lambda cell: -cell[2 if sort == "pmi" else 1])[:n]
        found = word_contexts(make(table), f"w{w}", n, sort=sort, min_count=min_count, **options)
        assert list(found.columns) == ["word", "rank", "context", "count", "pmi"]
        assert found["word"].tolist() == [f"w{w}"] * len(expected)
        assert found["rank"].tolist() == list(range(1, len(expected) + 1))
        assert found["context"].tolist() == [context for context, _, _ in expected]
        assert found["count"].tolist() == [count for _, count, _ in expected]
        assert found["pmi"].tolist() == pytest.approx([pmi for _, _, pmi in expected], abs=1e-8)


@given(tables, settings, st.integers(1, 9))
def test_shared_contexts_equal_a_plain_loop(table, options, n):
    def weight(w, c):
        return max(plain_pmi(table, w, c, **options) or 0.0, 0.0)

    columns = range(table.shape[1])
    products = {c: weight(0, c) * weight(1, c) for c in columns}
    lengths = [math.sqrt(sum(weight(w, c) ** 2 for c in columns)) for w in (0, 1)]
    shared = sorted((c for c in columns if products[c]), key=lambda c: -round(products[c], 7))
    total = sum(products.values())
    found = shared_contexts(make(table), "w0", "w1", n, **options)
    assert (found["part"] == "shared").all()  # the words are no contexts here
    assert len(found) == min(n, len(shared))
    for place, row in enumerate(found.to_dict("records")):
        c = int(row["context"][1:])
        assert products[c] == pytest.approx(products[shared[place]], abs=1e-6)
        assert row["share"] == pytest.approx(products[c] / total, abs=1e-5)
        assert row["cosine"] == pytest.approx(total / (lengths[0] * lengths[1]), abs=1e-5)
        assert row["shared"] == len(shared)
        assert (row["marginal1"], row["marginal2"]) == (table[0].sum() / UNIT, table[1].sum() / UNIT)
        assert row["context_marginal"] == table[:, c].sum() / UNIT
        assert (row["count1"], row["count2"]) == (table[0, c] / UNIT, table[1, c] / UNIT)
        for side in (0, 1):
            assert row[f"pmi{side + 1}"] == pytest.approx(plain_pmi(table, side, c, **options), abs=1e-8)
    if n >= len(shared) > 0:
        assert found["share"].sum() == pytest.approx(1)


def test_two_words_are_contexts_of_each_other():
    table = np.array([[0, 4, 1], [6, 2, 0], [0, 0, 5]])
    counts = make(table, contexts=None)
    found = shared_contexts(counts, "w0", "w1", smoothing=1).set_index("context")
    pair = found[found["part"] == "pair"]
    assert pair.index.tolist() == ["w1", "w0"]
    assert pair.loc["w1", ["count1", "count2", "context_marginal"]].tolist() == [0.8, 0.4, 1.2]
    assert pair.loc["w0", ["count1", "count2", "context_marginal"]].tolist() == [0, 1.2, 1.2]
    assert math.isnan(pair.loc["w0", "pmi1"])
    assert pair.loc["w0", "pmi2"] == pytest.approx(math.log(6 * 18 / (8 * 6)))
    assert pair["share"].isna().all()
    same = shared_contexts(counts, "w1", "w1", smoothing=1)
    assert same["context"].tolist() == ["w1", "w0"]
    assert same["cosine"].tolist() == [1.0, 1.0]


def test_the_cosine_is_that_of_the_sppmi_rows():
    table = np.random.default_rng(0).integers(0, 5, (6, 40))
    counts = make(table)
    rows = sppmi(counts, shift=1.5, subsample=1e-2).toarray().astype(float)
    expected = rows[2] @ rows[3] / np.linalg.norm(rows[2]) / np.linalg.norm(rows[3])
    found = shared_contexts(counts, "w2", "w3", shift=1.5, subsample=1e-2)
    assert found["cosine"][0] == pytest.approx(expected, abs=1e-12)
    alone = word_contexts(counts, "w2", 40, shift=1.5, subsample=1e-2)
    above = alone[alone["pmi"] > 0]
    assert len(above) == np.count_nonzero(rows[2])
    assert above["pmi"].sum() == pytest.approx(rows[2].sum(), rel=1e-6)


def test_a_row_that_the_shift_empties_has_no_cosine():
    found = shared_contexts(make(np.array([[3, 1], [2, 2]]), contexts=None), "w0", "w1", shift=1000)
    assert found["part"].tolist() == ["pair", "pair"]
    assert found["cosine"].isna().all()
    assert (found["shared"] == 0).all()


def test_positional_contexts_have_an_offset():
    words = vocabulary("w", 2)
    table = np.array([[0, 3, 5, 0], [1, 2, 4, 4]])
    counts = CooccurrenceCounts(
        words, csr_array(table), UNIT, CountOptions(), PositionalContexts(words, (1, 1))
    )
    found = word_contexts(counts, "w0", sort="count")
    assert list(found.columns) == ["word", "rank", "context", "offset", "count", "pmi"]
    assert list(zip(found["context"], found["offset"], found["count"], strict=True)) == [
        ("w0", 1, 1.0),
        ("w1", -1, 0.6),
    ]
    pair = shared_contexts(counts, "w0", "w1").query("part == 'pair'")
    assert list(zip(pair["context"], pair["offset"], pair["count1"], pair["count2"], strict=True)) == [
        ("w1", -1, 0.6, 0.4),
        ("w1", 1, 0.0, 0.8),
        ("w0", -1, 0.0, 0.2),
        ("w0", 1, 1.0, 0.8),
    ]


def test_an_unknown_word_or_option_is_refused():
    counts = make(np.array([[3, 1], [2, 2]]))
    with pytest.raises(UnknownWordError, match="'cow' is not among the 2 words"):
        word_contexts(counts, "cow")
    with pytest.raises(UnknownWordError):
        shared_contexts(counts, "w0", "cow")
    with pytest.raises(InputError, match="sort: expected one of pmi, count, got 'x'"):
        word_contexts(counts, "w0", sort="x")
    with pytest.raises(InputError, match="min_count: expected a number above 0"):
        word_contexts(counts, "w0", min_count=0)
    for look in (lambda n: word_contexts(counts, "w0", n), lambda n: shared_contexts(counts, "w0", "w1", n)):
        with pytest.raises(InputError, match="n: expected an integer of at least 1"):
            look(0)


def test_a_word_without_contexts_has_none():
    counts = make(np.array([[0, 0], [2, 2]]))
    assert len(word_contexts(counts, "w0")) == 0
    assert len(shared_contexts(counts, "w0", "w1")) == 0
