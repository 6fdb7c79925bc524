"""`train_skipgram`: where it converges, what it keeps, what it refuses."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from pmifact import EncodedCorpus, Factors, InputError, Vocabulary, count_cooccurrences, train_skipgram
from pmifact.cooccurrence import CooccurrenceCounts, CountOptions
from pmifact.skipgram import TrainingInterrupted
from pmifact.skipgram.huffman import huffman_code
from pmifact.skipgram.losses import HierarchicalSoftmax, NegativeSampling
from pmifact.skipgram.options import resolve_options
from pmifact.skipgram.sources import keep_probabilities


def corpus_of(sentences, words=None):
    tokens = [word for sentence in sentences for word in sentence]
    words = tuple(words or sorted(set(tokens), key=lambda word: (-tokens.count(word), word)))
    index = {word: place for place, word in enumerate(words)}
    token_ids = np.array([index.get(word, -1) for word in tokens], np.int32)
    counts = np.bincount(token_ids[token_ids >= 0], minlength=len(words))
    starts = np.cumsum([0] + [len(sentence) for sentence in sentences])
    return EncodedCorpus(Vocabulary(words, counts), token_ids, starts)


@pytest.fixture(scope="module")
def chain():
    """Four words in one long sentence: a likes b, c likes d; every pair occurs."""
    moves = np.array(
        [[0.05, 0.8, 0.1, 0.05], [0.7, 0.05, 0.1, 0.15], [0.1, 0.1, 0.1, 0.7], [0.1, 0.06, 0.8, 0.04]]
    )
    random = np.random.default_rng(0)
    token_ids = np.zeros(4_000, np.int32)
    for place, draw in enumerate(random.random(3_999)):
        token_ids[place + 1] = np.searchsorted(moves[token_ids[place]].cumsum(), draw)
    vocabulary = Vocabulary(tuple("abcd"), np.bincount(token_ids, minlength=4))
    return EncodedCorpus(vocabulary, token_ids, np.array([0, 4_000]))


NEIGHBOURS = {"window": 1, "fixed_window": True, "subsample": 0}


def dense_counts(corpus):
    counts = count_cooccurrences(corpus, window=1, weighting="flat", threads=1)
    dense = counts.matrix.toarray().astype(float)
    assert dense.min() > 0
    return counts, dense


def assert_at_fixed_point(factors, dense, share, shift, rule):
    """Compare every product with its limit: log(#(w,c) / (k N(w) P_n(c)))."""
    others = dense.sum(axis=1, keepdims=True) - (dense if rule == "word2vec" else 0)
    target = np.log(dense / (shift * others * share))
    error = factors.words @ factors.contexts.T - target
    assert np.abs(error).mean() <= 0.02 * np.abs(target).mean()


@pytest.mark.parametrize("rule", ["exact", "word2vec"])
@pytest.mark.parametrize("shift", [1, 5])
def test_each_rule_converges_to_its_fixed_point_on_text(chain, shift, rule):
    _, dense = dense_counts(chain)
    factors = train_skipgram(
        chain,
        rank=4,
        negatives=shift,
        negative_rule=rule,
        noise_exponent=1,
        epochs=300,
        learning_rate=0.03,
        threads=1,
        **NEIGHBOURS,
    )
    share = chain.vocabulary.counts / chain.vocabulary.counts.sum()
    assert_at_fixed_point(factors, dense, share, shift, rule)


def converge_on_counts(chain, rule, shift, epochs):
    counts, dense = dense_counts(chain)
    factors = train_skipgram(
        counts,
        rank=4,
        negatives=shift,
        negative_rule=rule,
        noise_exponent=0.5,
        epochs=epochs,
        learning_rate=0.03,
        threads=1,
    )
    weights = np.sqrt(dense.sum(axis=0))
    assert_at_fixed_point(factors, dense, weights / weights.sum(), shift, rule)


def test_counts_converge_to_the_fixed_point_of_their_own_column_sums(chain):
    converge_on_counts(chain, "exact", 5, 300)


@pytest.mark.acceptance
@pytest.mark.parametrize("rule", ["exact", "word2vec"])
@pytest.mark.parametrize("shift", [1, 5])
def test_counts_converge_under_either_rule(chain, shift, rule):
    converge_on_counts(chain, rule, shift, 1_500)


@pytest.mark.parametrize("loss", ["softmax", "hs"])
def test_softmax_converges_to_the_conditional_entropy(chain, loss):
    counts, dense = dense_counts(chain)
    conditional = dense / dense.sum(axis=1, keepdims=True)
    entropy = -(dense / dense.sum() * np.log(conditional)).sum()
    epochs = {"softmax": 20, "hs": 100}[loss]
    rate = {"softmax": 0.1, "hs": 0.05}[loss]
    factors = train_skipgram(counts, rank=4, loss=loss, epochs=epochs, learning_rate=rate, threads=1)
    products = factors.words.astype(float) @ factors.contexts.T.astype(float)
    if loss == "softmax":
        found = np.exp(products) / np.exp(products).sum(axis=1, keepdims=True)
    else:
        code = huffman_code(dense.sum(axis=0).astype(np.int64))
        found = np.ones((4, 4))
        for word in range(4):
            for place in range(code.starts[word], code.starts[word + 1]):
                sign = 1 - 2 * code.sides[place]
                found[:, word] /= 1 + np.exp(-sign * products[:, code.nodes[place]])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found, conditional, atol=0.025)
    assert -(dense / dense.sum() * np.log(found)).sum() == pytest.approx(entropy, rel=2e-3)
    told = np.mean(factors.options["epoch_losses"][-10:])  # over pairs drawn at random
    assert told == pytest.approx(entropy, rel={"softmax": 0.02, "hs": 0.1}[loss])


THEMES = [["cat", "dog", "cow", "hen"], ["red", "blue", "green", "grey"], ["one", "two", "three", "four"]]


@pytest.fixture(scope="module")
def themes():
    """Sentences that each keep to one of three themes."""
    random = np.random.default_rng(5)
    return corpus_of([list(random.choice(THEMES[i % 3], 6)) for i in range(600)])


@pytest.mark.parametrize("loss", ["ns", "hs", "softmax"])
@pytest.mark.parametrize("threads", [1, 3])
def test_words_of_one_theme_end_side_by_side(themes, loss, threads):
    factors = train_skipgram(
        themes,
        rank=10,
        loss=loss,
        subsample=0,
        epochs={"ns": 10, "hs": 10, "softmax": 3}[loss],
        learning_rate={"ns": 0.05, "hs": 0.05, "softmax": 0.2}[loss],
        threads=threads,
    )
    vectors = factors.vectors()
    for theme in THEMES:
        for word in theme:
            assert {near for near, _ in vectors.nearest(word, 3)} == set(theme) - {word}
    assert factors.options["deterministic"] is (threads == 1 or loss == "softmax")
    assert factors.contexts.shape == (len(vectors.vocabulary) - (loss == "hs"), 10)
    losses = factors.options["epoch_losses"]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("loss", ["ns", "hs", "softmax"])
def test_one_thread_gives_the_same_bytes_every_time(themes, loss, tmp_path):
    mapped = np.lib.format.open_memmap(tmp_path / "ids.npy", "w+", np.int32, themes.token_ids.shape)
    mapped[:] = themes.token_ids
    on_disk = EncodedCorpus(
        themes.vocabulary, np.load(tmp_path / "ids.npy", mmap_mode="r"), themes.sentence_starts
    )
    first, second, other = (
        train_skipgram(corpus, rank=7, loss=loss, epochs=2, threads=1, seed=seed)
        for corpus, seed in ((themes, 3), (on_disk, 3), (themes, 4))
    )
    assert first.words.tobytes() == second.words.tobytes()
    assert first.contexts.tobytes() == second.contexts.tobytes()
    assert first.options == second.options
    assert first.words.tobytes() != other.words.tobytes()
    assert first.strengths.tolist() == [1] * 7
    assert first.residuals.shape == (0,)


def test_options_tell_what_was_done(themes):
    options = train_skipgram(themes, rank=3, epochs=2, threads=1, seed=9).options
    losses = options["epoch_losses"]
    assert options == {
        "trainer": "skipgram",
        "source": "corpus",
        "loss": "ns",
        "rank": 3,
        "window": 5,
        "fixed_window": False,
        "subsample": 1e-3,
        "negatives": 5,
        "negative_rule": "word2vec",
        "noise_exponent": 0.75,
        "epochs": 2,
        "learning_rate": 0.025,
        "seed": 9,
        "epochs_finished": 2,
        "epoch_losses": losses,
        "deterministic": True,
    }
    assert len(losses) == 2
    assert losses[0] == pytest.approx(6 * math.log(2), rel=0.1)
    assert "window" not in train_skipgram(count_cooccurrences(themes), rank=3, epochs=1).options


def test_tokens_are_kept_as_word2vec_does():
    counts = np.array([899_000, 100_000, 1_000, 0])
    keep = keep_probabilities(counts, 1e-3)
    assert keep == pytest.approx([math.sqrt(1e-3 / 0.899) + 1e-3 / 0.899, 0.1 + 0.01, 1, 1])
    assert (keep_probabilities(counts, 0) == 1).all()


def test_every_epoch_draws_windows_and_negatives_anew(themes):
    reports = []
    train_skipgram(themes, rank=2, learning_rate=1e-9, epochs=4, threads=1, monitor=reports.append)
    pairs = train_skipgram(themes, rank=2, learning_rate=1e-9, epochs=4, threads=1).options["epoch_losses"]
    assert len(set(pairs)) == 4  # the same model meets other examples


def test_a_word_without_examples_keeps_no_random_vector():
    corpus = corpus_of(
        [["a", "b", "a", "c"]] * 50 + [["lonely"]] * 3, words=["a", "b", "c", "lonely", "unseen"]
    )
    factors = train_skipgram(corpus, rank=5, subsample=0, threads=1)
    assert (np.abs(factors.words).sum(axis=1) > 0).tolist() == [True, True, True, False, False]
    assert factors.vectors().covered.tolist() == [True, True, True, False, False]


def test_a_warm_start_begins_at_what_the_factors_approximate(themes):
    random = np.random.default_rng(6)
    size = len(themes.vocabulary)
    start = Factors(
        themes.vocabulary,
        random.normal(size=(size, 3)).astype(np.float32),
        np.array([9, 4, 1], np.float32),
        random.normal(size=(size, 3)).astype(np.float32),
    )
    still = train_skipgram(themes, init=start, epochs=1, learning_rate=1e-12, threads=1)
    expected = (start.words * start.strengths) @ start.contexts.T
    np.testing.assert_allclose(still.words @ still.contexts.T, expected, atol=1e-5)
    moved = train_skipgram(themes, init=start, epochs=3, threads=1)
    assert moved.options["epoch_losses"][-1] < moved.options["epoch_losses"][0]
    assert moved.rank == 3
    tree = train_skipgram(themes, rank=3, loss="hs", epochs=1)
    assert train_skipgram(themes, init=tree, loss="hs", epochs=1).contexts.shape == tree.contexts.shape
    other = Factors(Vocabulary(("x",), np.array([1])), start.words[:1], start.strengths, start.contexts[:1])
    short = Factors(themes.vocabulary, start.words, start.strengths, start.contexts[:5])
    for arguments, message in [
        ({"init": other}, "expected the 12 words of the source, got 1 that are not the same"),
        ({"init": start, "rank": 4}, "expected factors of rank 4, got rank 3"),
        ({"init": start, "loss": "hs"}, "the loss hs cannot start from an SVD"),
        ({"init": tree}, "the loss ns cannot start from a model trained with the loss hs"),
        ({"init": short}, "expected 12 context vectors, got 5"),
    ]:
        with pytest.raises(InputError, match=f"^init: {message}"):
            train_skipgram(themes, **arguments)


def test_reports_run_to_the_end(themes):
    reports, steps = [], []
    train_skipgram(
        themes,
        rank=4,
        epochs=3,
        threads=2,
        progress=lambda done, total: steps.append((done, total)),
        monitor=reports.append,
    )
    tokens = 3 * len(themes.token_ids)
    assert steps[-1] == (tokens, tokens)
    assert [(report.done, report.total) for report in reports] == steps
    assert sorted(steps) == steps
    assert {report.epoch for report in reports} == {1, 2, 3}
    assert reports[-1].learning_rate == pytest.approx(0.025e-4)
    assert all(report.per_second > 0 and 0 < report.loss < 6 for report in reports)


@pytest.mark.parametrize("finished", [0, 1, 2])
def test_ctrl_c_keeps_the_last_finished_epoch(themes, finished):
    def interrupt(report):
        if report.epoch == finished + 1:
            raise KeyboardInterrupt

    with pytest.raises(TrainingInterrupted, match=f"after {finished} finished epochs") as stopped:
        train_skipgram(themes, rank=4, epochs=3, threads=2, monitor=interrupt)
    assert isinstance(stopped.value, KeyboardInterrupt)
    factors = stopped.value.factors
    if not finished:
        assert factors is None
    else:
        assert factors.options["epochs_finished"] == finished
        assert factors.options["epochs"] == 3
        assert len(factors.options["epoch_losses"]) == finished
        assert np.abs(factors.contexts).max() > 0


@pytest.mark.parametrize("loss", ["ns", "hs", "softmax"])
def test_a_diverging_run_stops_with_a_sentence(themes, loss):
    with pytest.raises(
        InputError, match=r"^learning_rate: training diverged at 1000; try a smaller one, say 100"
    ):
        train_skipgram(themes, rank=4, loss=loss, learning_rate=1_000, epochs=20, threads=1)


def test_a_loss_that_stays_finite_is_still_checked_at_the_end_of_an_epoch(themes):
    bad = Factors(
        themes.vocabulary,
        np.full((12, 2), 3e38, np.float32),
        np.ones(2, np.float32),
        np.zeros((12, 2), np.float32),
    )
    with pytest.raises(InputError, match="diverged"):
        train_skipgram(themes, init=bad, epochs=1, learning_rate=10, threads=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "epochs: expected an integer of at least 1, got 0"),
        ({"rank": 0}, "rank: expected an integer of at least 1, got 0"),
        ({"rank": 2.5}, "rank: expected an integer of at least 1, got 2.5"),
        ({"window": 0}, "window: expected an integer from 1 to 10000, got 0"),
        ({"negatives": 0}, "negatives: expected an integer from 1 to 10000, got 0"),
        ({"learning_rate": 0}, "learning_rate: expected a number above 0, got 0"),
        ({"learning_rate": math.nan}, "learning_rate: expected a number above 0, got nan"),
        ({"subsample": -1}, "subsample: expected a number of at least 0, got -1"),
        ({"noise_exponent": math.inf}, "noise_exponent: expected a number that is finite, got inf"),
        ({"loss": "hinge"}, "loss: expected one of ns, hs, softmax, got 'hinge'"),
        ({"negative_rule": "none"}, "negative_rule: expected one of word2vec, exact, got 'none'"),
        ({"fixed_window": 1}, "fixed_window: expected True or False, got 1"),
        ({"seed": -1}, "seed: expected an integer from 0 to"),
        ({"threads": 0}, "threads: expected an integer from 1 to 1024, got 0"),
        ({"loss": "hs", "negatives": 5}, "negatives: has no effect on the loss hs"),
        ({"loss": "softmax", "noise_exponent": 1}, "noise_exponent: has no effect on the loss softmax"),
    ],
)
def test_bad_options_are_refused(themes, options, message):
    with pytest.raises(InputError, match=f"^{message}"):
        train_skipgram(themes, **options)


@pytest.mark.parametrize("option", [{"window": 5}, {"fixed_window": False}, {"subsample": 0}])
def test_counts_refuse_the_options_of_text(themes, option):
    with pytest.raises(InputError, match=f"^{next(iter(option))}: has no effect on counts"):
        train_skipgram(count_cooccurrences(themes), **option)


EMPTY = np.zeros(0, np.int32)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            EncodedCorpus(Vocabulary((), EMPTY), EMPTY, np.zeros(1, np.int64)),
            "corpus: expected tokens that are",
        ),
        (corpus_of([["x", "y"]], words=["a", "b"]), "corpus: expected tokens that are words"),
        (corpus_of([["a", "a", "a"]]), "corpus: skip-gram tells words apart and needs two that occur, got 1"),
        (corpus_of([["a"], ["b"]]), "skip-gram found no pair to train on"),
        (
            EncodedCorpus(
                Vocabulary(("a", "b"), np.array([1, 1])), np.array([0, 2], np.int32), np.array([0, 2])
            ),
            "corpus: expected word ids below 2, the size of its vocabulary, got 2",
        ),
        (
            CooccurrenceCounts(
                Vocabulary(("a", "b"), np.array([1, 1])), csr_array((2, 2), dtype=np.int64), 1, CountOptions()
            ),
            "counts: expected at least one observed pair, got none",
        ),
        (
            CooccurrenceCounts(
                Vocabulary(("a",), np.array([1])), csr_array(np.array([[3]])), 1, CountOptions()
            ),
            "counts: skip-gram tells words apart and needs two that occur, got 1",
        ),
    ],
)
def test_a_source_with_nothing_to_learn_is_refused(source, message):
    with pytest.raises(InputError, match=f"^{message}"):
        train_skipgram(source, rank=2, threads=1)


@pytest.mark.parametrize("loss", ["ns", "hs", "softmax"])
def test_contexts_of_counts_may_be_other_than_the_words(loss):
    words = Vocabulary(("cat", "dog", "car"), np.array([9, 9, 9]))
    contexts = Vocabulary(("purr", "bark", "feed", "drive"), np.array([1, 1, 1, 1]))
    dense = np.array([[400, 1, 300, 1], [1, 400, 300, 1], [1, 1, 1, 600]])
    counts = CooccurrenceCounts(words, csr_array(dense), 1, CountOptions(), contexts)
    factors = train_skipgram(counts, rank=4, loss=loss, epochs=30, threads=1, learning_rate=0.1)
    assert factors.words.shape == (3, 4)
    if loss == "hs":
        assert factors.contexts.shape == (3, 4)
    else:
        assert factors.context_vocabulary == contexts
        assert (factors.words @ factors.contexts.T).argmax(axis=1).tolist()[2] == 3
        again = train_skipgram(counts, init=factors, loss=loss, epochs=1)
        assert again.contexts.shape == (4, 4)
        unnamed = Factors(words, factors.words, factors.strengths, factors.contexts)
        with pytest.raises(InputError, match=r"^init: expected the 4 contexts of the source, got none"):
            train_skipgram(counts, init=unnamed, loss=loss, epochs=1)


def test_full_softmax_is_for_small_vocabularies():
    size = 30_001
    corpus = EncodedCorpus(
        Vocabulary(tuple(map(str, range(size))), np.ones(size, np.int64)),
        np.arange(size, dtype=np.int32),
        np.array([0, size]),
    )
    with pytest.raises(
        InputError, match=r"^loss: softmax takes at most 30,000 words, got 30,001; use ns or hs"
    ):
        train_skipgram(corpus, rank=2, loss="softmax")


def test_losses_know_what_a_model_without_knowledge_scores():
    counts = np.array([4, 2, 1, 1])
    options = resolve_options("corpus", "ns", negatives=3)
    assert NegativeSampling(counts, options).at_zero == pytest.approx(4 * math.log(2))
    assert HierarchicalSoftmax(counts).at_zero == pytest.approx(1.75 * math.log(2))
