import math

import numpy as np
import pytest
import scipy.stats
from gensim.models import KeyedVectors
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.errors import InputError
from pmifact.evaluation import SimilaritySet, evaluate_similarity, similarity_items
from pmifact.evaluation.resampling import draw_counts
from pmifact.evaluation.tables import COLUMNS
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

WORDS = ("cat", "Dog", "dog", "FISH", "sun", "moon", "zero")

SCIPY = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}


def make(matrix, words=WORDS):
    return WordVectors(Vocabulary(tuple(words), np.ones(len(words), np.int64)), matrix)


def gold_of(*pairs):
    words1, words2, scores = zip(*pairs, strict=True)
    return SimilaritySet("toy", words1, words2, np.array(scores))


def plain_loop(words, matrix, gold, oov, case, kind):
    """The correlation and the number of covered pairs, by the words of the specification."""
    rows = dict(zip(words, matrix.tolist(), strict=True))
    scores, cosines, covered = [], [], 0
    for word1, word2, score in zip(gold.words1, gold.words2, gold.scores, strict=True):
        pair = []
        for word in (word1, word2):
            if word not in rows and case == "fold":
                word = word.lower()
            if any(rows.get(word, [])):
                pair.append(rows[word])
        if len(pair) == 2:
            covered += 1
            dot = sum(x * y for x, y in zip(*pair, strict=True))
            cosine = dot / (math.hypot(*pair[0]) * math.hypot(*pair[1]))
        elif oov == "skip":
            continue
        else:
            cosine = 0.0
        scores.append(score)
        cosines.append(round(cosine, 9))
    if len(scores) < 2 or len(set(scores)) == 1 or len(set(cosines)) == 1:
        return None, covered
    return SCIPY[kind](scores, cosines).statistic, covered


@given(
    seed=st.integers(0, 2**32 - 1),
    pairs=st.lists(
        st.tuples(
            *2 * [st.sampled_from([*WORDS, "fish", "CAT", "Sun", "ZERO", "cow"])],
            st.integers(0, 4).map(float),
        ),
        min_size=1,
        max_size=25,
    ),
    oov=st.sampled_from(["skip", "zero"]),
    case=st.sampled_from(["fold", "exact"]),
    kind=st.sampled_from(["spearman", "pearson"]),
    sparse=st.booleans(),
)
def test_the_score_equals_a_plain_loop(seed, pairs, oov, case, kind, sparse):
    matrix = np.random.default_rng(seed).standard_normal((len(WORDS), 5)).astype(np.float32)
    matrix[-1] = 0
    gold = gold_of(*pairs)
    rho, covered = plain_loop(WORDS, matrix, gold, oov, case, kind)
    vectors = make(csr_array(matrix) if sparse else matrix)
    options = {"oov": oov, "case": case, "correlation": kind, "resamples": 19}
    if covered == 0 or rho is None:
        with pytest.raises(InputError, match=r"none of the|rho|Pearson's r"):
            evaluate_similarity(vectors, gold, **options)
        return
    (row,) = evaluate_similarity(vectors, gold, **options).itertuples()
    # Cosines that are nearly equal differ by little more than the loop's rounding.
    assert row.score == pytest.approx(rho, abs=1e-6)
    assert row.method == kind
    assert (row.covered, row.total) == (covered, len(pairs))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=40))
def test_rho_shares_ranks_as_scipy_does(values):
    # Vectors on a circle: the cosine with the first word is whatever the test wants, with many ties.
    scores, heights = np.array(values, float).T
    assume(len(set(scores)) > 1 and len(set(heights)) > 1)
    matrix = np.vstack([[1, 0], np.column_stack([heights / 6, np.sqrt(1 - (heights / 6) ** 2)])])
    words = [f"w{i}" for i in range(len(matrix))]
    gold = SimilaritySet("toy", ("w0",) * len(scores), tuple(words[1:]), scores)
    (score,) = evaluate_similarity(make(matrix, words), gold).score
    assert score == pytest.approx(scipy.stats.spearmanr(scores, heights).statistic, abs=1e-12)


@pytest.mark.parametrize("convert", [np.array, csr_array])
def test_words_are_equally_similar_to_themselves(convert):
    matrix = np.random.default_rng(2).standard_normal((7, 50)).astype(np.float32) * np.float32(1e-25)
    gold = gold_of(("cat", "cat", 1.0), ("dog", "dog", 2.0), ("sun", "sun", 3.0), ("sun", "cat", 0.0))
    (score,) = evaluate_similarity(make(convert(matrix)), gold).score
    assert score == pytest.approx(scipy.stats.spearmanr([1, 2, 3, 0], [1, 1, 1, 0]).statistic)


def test_the_table(tmp_path):
    path = tmp_path / "my-set.tsv"
    path.write_text("cat\tdog\t3\ncat\tsun\t1\ncow\tsun\t2\n")
    matrix = np.array([[1, 0], [1, 1], [1, 0.1], [1, 1], [0, 1], [0, 1], [0, 0]], np.float32)
    for gold in (path, str(path)):
        table = evaluate_similarity(make(matrix), gold, model="m")
        assert tuple(table.columns) == COLUMNS
        row = table.loc[0].to_dict()
        assert row.pop("low") <= row.pop("high") <= 1
        assert row == {
            "model": "m",
            "dataset": "my-set",
            "task": "similarity",
            "section": "all",
            "method": "spearman",
            "score": pytest.approx(1.0),
            "covered": 2,
            "total": 3,
        }
        assert len(table) == 1


EYE = np.eye(7, dtype=np.float32)


@pytest.mark.parametrize(
    ("pairs", "options", "said"),
    [
        (
            [("cow", "cat", 1.0)],
            {},
            r"none of the 1 pairs of toy has vectors for both words in m \(7 words\)",
        ),
        ([("cow", "cat", 1.0), ("cow", "dog", 2.0)], {"oov": "zero"}, "none of the 2 pairs of toy"),
        ([("Cat", "dog", 1.0), ("Sun", "moon", 2.0)], {"case": "exact"}, "none of the 2 pairs of toy"),
        ([("cat", "dog", 1.0), ("cat", "cow", 2.0)], {}, "toy on m: .* at least 2 covered pairs, got 1"),
        ([("cat", "dog", 1.0), ("cat", "cat", 1.0)], {}, "toy on m: .*all 2 gold scores equal 1"),
        ([("cat", "dog", 1.0), ("cat", "sun", 2.0)], {}, "toy on m: .*all 2 cosines equal 0"),
    ],
)
def test_an_undefined_score_is_one_sentence(pairs, options, said):
    with pytest.raises(InputError, match=said):
        evaluate_similarity(make(EYE), gold_of(*pairs), model="m", **options)


@pytest.mark.parametrize("option", ["oov", "case", "correlation"])
def test_unknown_options_are_refused(option):
    with pytest.raises(InputError, match=f"{option}: expected one of"):
        evaluate_similarity(make(EYE), gold_of(("cat", "dog", 1.0)), **{option: "other"})


@pytest.mark.parametrize("oov", ["skip", "zero"])
def test_gensim_gives_the_same_rho_on_published_sets(shared_data, oov):
    path = shared_data / "similarity" / "gensim" / "wordsim353.tsv"
    names = sorted({w for line in path.read_text().splitlines()[2:] for w in line.split("\t")[:2]})
    rng = np.random.default_rng(5)
    # Lower-cased words only, one in six left out; gensim upper-cases, which comes to the same here.
    words = [word for word in dict.fromkeys(map(str.lower, names)) if rng.random() < 5 / 6]
    matrix = rng.standard_normal((len(words), 20)).astype(np.float32)
    keyed = KeyedVectors(20)
    keyed.add_vectors(words, matrix)
    pearson, spearman, missing = keyed.evaluate_word_pairs(str(path), dummy4unknown=oov == "zero")
    (row,) = evaluate_similarity(make(matrix, words), path, oov=oov).itertuples()
    assert row.score == pytest.approx(spearman[0], abs=1e-6)
    (linear,) = evaluate_similarity(make(matrix, words), path, oov=oov, correlation="pearson").itertuples()
    assert linear.score == pytest.approx(pearson[0], abs=1e-6)
    assert row.total == 353
    assert 100 < row.covered < 353
    if oov == "skip":
        assert missing == pytest.approx(100 * (1 - row.covered / row.total))


def test_items_say_what_was_compared():
    gold = gold_of(("cat", "dog", 3.0), ("CAT", "cow", 2.0))
    matrix = np.array([[1, 0], [1, 1], [3, 4], [1, 1], [0, 1], [0, 1], [0, 0]], np.float32)
    for oov, missing in (("skip", math.nan), ("zero", 0.0)):
        first, second = similarity_items(make(matrix), gold, oov=oov, model="m").to_dict("records")
        assert first == {
            "model": "m",
            "dataset": "toy",
            "task": "similarity",
            "word1": "cat",
            "word2": "dog",
            "gold": 3.0,
            "cosine": pytest.approx(0.6),
            "covered": True,
        }
        assert second["cosine"] == pytest.approx(missing, nan_ok=True)
        assert not second["covered"]


def random_pairs(n=60, seed=4):
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(2 * n)]
    gold = SimilaritySet("toy", tuple(words[:n]), tuple(words[n:]), rng.integers(0, 9, n).astype(float))
    return make(rng.standard_normal((2 * n, 3)), words), gold


def test_the_interval_is_that_of_resampled_pairs():
    vectors, gold = random_pairs()
    cosines = similarity_items(vectors, gold).cosine.to_numpy()
    for kind in ("spearman", "pearson"):
        (row,) = evaluate_similarity(vectors, gold, correlation=kind, resamples=200, seed=7).itertuples()
        rhos = []
        for counts in np.vstack(list(draw_counts(np.zeros(60, np.int64), 200, 7))).astype(int):
            rhos.append(SCIPY[kind](np.repeat(gold.scores, counts), np.repeat(cosines, counts)).statistic)
        assert [row.low, row.high] == pytest.approx(np.quantile(rhos, [0.025, 0.975]), abs=1e-12)


def test_the_seed_decides_the_interval_and_no_resamples_leave_it_out():
    vectors, gold = random_pairs()

    def ends(**options):
        return evaluate_similarity(vectors, gold, **options)[["low", "high"]].to_numpy()[0].tolist()

    assert ends() == ends(seed=0, resamples=999) != ends(seed=1)
    assert np.isnan(ends(resamples=0)).all()
    for options in ({"resamples": -1}, {"seed": -1}):
        with pytest.raises(InputError, match="expected an integer of at least 0"):
            ends(**options)
