"""The compiled parts of skip-gram against plain loops."""

import heapq
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.kernels.alias import fill_alias
from pmifact.kernels.examples import draw_negatives, draw_pairs, draw_windows, fill_cells
from pmifact.kernels.skipgram import SKIP, block_loss, buffers, train_negatives, train_paths, update_block
from pmifact.skipgram.huffman import huffman_code
from pmifact.skipgram.losses import noise_weights
from pmifact.skipgram.softmax import softmax_gradients
from pmifact.skipgram.sources import read_only

KEY = np.uint64(20140612)


def softplus(x):
    return np.logaddexp(0, x)


def loss_of(words, contexts, inputs, outputs, labels):
    """Sum -log s(x.y) over label 1 and -log s(-x.y) over label 0, pair by pair."""
    return sum(
        softplus(-words[a] @ contexts[b] if label else words[a] @ contexts[b])
        for a in inputs
        for b, label in zip(outputs, labels, strict=True)
        if label != SKIP
    )


def stepped(words, contexts, inputs, outputs, labels, rate):
    """Return both arrays after one step, every product taken before it."""
    new_words, new_contexts = words.copy(), contexts.copy()
    for a in inputs:
        for b, label in zip(outputs, labels, strict=True):
            if label != SKIP:
                error = rate * (label - 1 / (1 + np.exp(-words[a] @ contexts[b])))
                new_words[a] += error * contexts[b]
                new_contexts[b] += error * words[a]
    return new_words, new_contexts


def run_block(words, contexts, inputs, outputs, labels, rate):
    """Take one step with the kernel, in place, and return its loss before it."""
    starts = np.array([0, len(inputs)])
    rows, flags, x, y, errors = buffers(words, starts, len(outputs))
    for buffer in (x, y, errors):
        buffer[:] = 7.0  # what an earlier, larger example may have left
    rows[0, : len(inputs)], rows[1, : len(outputs)], flags[: len(labels)] = inputs, outputs, labels
    loss = block_loss(words, contexts, rows, flags, len(inputs), len(outputs))
    update_block(words, contexts, rows, flags, len(inputs), len(outputs), rate, x, y, errors)
    return loss


@st.composite
def blocks(draw):
    size = draw(st.integers(1, 9))
    inputs = draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=9))
    outputs = draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=14))
    labels = [draw(st.sampled_from([0, 1, SKIP])) for _ in outputs]
    random = np.random.default_rng(draw(st.integers(0, 99)))
    words, contexts = random.normal(size=(2, size, draw(st.integers(1, 20))))
    return words, contexts, inputs, outputs, labels


@given(blocks())
def test_one_block_is_the_slow_step(block):
    words, contexts, *rest = block
    expected = stepped(words, contexts, *rest, 0.1)
    loss = loss_of(words, contexts, *rest)
    assert run_block(words, contexts, *rest, 0.1) == pytest.approx(loss, rel=1e-12)
    np.testing.assert_allclose(words, expected[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(contexts, expected[1], rtol=0, atol=1e-12)


def numeric_gradient(function, array, width=1e-5):
    gradient = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        kept = array[place]
        array[place] = kept + width
        high = function()
        array[place] = kept - width
        gradient[place] = (high - function()) / (2 * width)
        array[place] = kept
    return gradient


def relative_error(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def test_gradients_of_negative_sampling_are_those_of_its_loss():
    random = np.random.default_rng(1)
    words, contexts = random.normal(size=(2, 6, 5))
    inputs, targets = np.array([1, 4, 1, 0], np.int32), np.array([2], np.int32)
    negatives = np.array([[3, 2, 3, 5]], np.int32)
    for exact in (False, True):
        labels = [1, 0, 0 if exact else SKIP, 0, 0]

        def loss(labels=labels):
            return loss_of(words, contexts, inputs, [2, 3, 2, 3, 5], labels)

        expected = numeric_gradient(loss, words), numeric_gradient(loss, contexts)
        after = words.copy(), contexts.copy()
        rates = np.ones(2)
        starts = np.array([0, 4])
        measured = train_negatives.py_func(*after, inputs, starts, targets, negatives, exact, rates)
        assert measured == (pytest.approx(loss()), 4)
        assert relative_error(words - after[0], expected[0]) <= 1e-6
        assert relative_error(contexts - after[1], expected[1]) <= 1e-6


def leaf_probabilities(words, nodes, code, word):
    """Multiply s(+-node.word) along the path of every leaf."""
    chances = []
    for leaf in range(len(code.starts) - 1):
        places = slice(code.starts[leaf], code.starts[leaf + 1])
        signs = 1 - 2.0 * code.sides[places]
        chances.append(np.exp(-softplus(-signs * (nodes[code.nodes[places]] @ words[word])).sum()))
    return np.array(chances)


def test_gradients_of_hierarchical_softmax_are_those_of_minus_log_p():
    random = np.random.default_rng(2)
    counts = np.array([50, 20, 10, 9, 3, 1])
    code = huffman_code(counts)
    words, nodes = random.normal(size=(6, 5)), random.normal(size=(5, 5))
    for word in range(6):
        assert leaf_probabilities(words, nodes, code, word).sum() == pytest.approx(1, abs=1e-12)
    inputs, target = np.array([1, 4, 0], np.int32), 4

    def loss():
        return -sum(np.log(leaf_probabilities(words, nodes, code, word)[target]) for word in inputs)

    expected = numeric_gradient(loss, words), numeric_gradient(loss, nodes)
    after = words.copy(), nodes.copy()
    path = code.starts, code.nodes, code.sides
    targets = np.array([target], np.int32)
    measured = train_paths.py_func(*after, inputs, np.array([0, 3]), targets, *path, np.ones(2))
    assert measured == (pytest.approx(loss()), 3)
    assert relative_error(words - after[0], expected[0]) <= 1e-6
    assert relative_error(nodes - after[1], expected[1]) <= 1e-6


def test_gradients_of_full_softmax_are_those_of_minus_log_p():
    random = np.random.default_rng(3)
    words, contexts = random.normal(size=(2, 7, 4))
    inputs, targets = np.array([1, 4, 1, 0], np.int32), np.array([2, 2, 6, 0], np.int32)

    def loss():
        logits = words[inputs] @ contexts.T
        return float((np.log(np.exp(logits).sum(axis=1)) - logits[range(4), targets]).sum())

    value, on_inputs, on_contexts = softmax_gradients(words, contexts, inputs, targets)
    assert value == pytest.approx(loss(), rel=1e-12)
    on_words = np.zeros_like(words)
    np.add.at(on_words, inputs, on_inputs)
    assert relative_error(on_words, numeric_gradient(loss, words)) <= 1e-6
    assert relative_error(on_contexts, numeric_gradient(loss, contexts)) <= 1e-6


def test_full_softmax_keeps_to_finite_numbers_for_products_of_any_size():
    words = np.array([[300.0], [-300.0]])
    value, *gradients = softmax_gradients(words, words, np.array([0, 1]), np.array([1, 1]))
    assert value == pytest.approx(180_000)
    assert all(np.isfinite(gradient).all() for gradient in gradients)


def test_examples_are_learnt_one_after_another_while_the_rate_falls():
    random = np.random.default_rng(4)
    starts = np.array([0, 3, 3, 4, 11])
    inputs = random.integers(0, 8, 11).astype(np.int32)
    targets = random.integers(0, 8, 4).astype(np.int32)
    negatives = random.integers(0, 8, (4, 5)).astype(np.int32)
    words, contexts = random.normal(size=(2, 8, 16)).astype(np.float32)
    expected = words.astype(np.float64), contexts.astype(np.float64)
    for p in range(4):
        outputs = [targets[p], *negatives[p]]
        labels = [1] + [SKIP if c == targets[p] else 0 for c in negatives[p]]
        example = inputs[starts[p] : starts[p + 1]]
        expected = stepped(*expected, example, outputs, labels, 0.5 - 0.1 * p)
    rates = np.array([0.5, 0.1], np.float32)
    train_negatives(words, contexts, inputs, starts, targets, negatives, False, rates)
    np.testing.assert_allclose(words, expected[0], atol=1e-5)
    np.testing.assert_allclose(contexts, expected[1], atol=1e-5)


def bits(key, position):
    mask = 2**64 - 1
    z = (int(key) + (position + 1) * 0x9E3779B97F4A7C15) & mask
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    return z ^ z >> 31


def slow_windows(token_ids, sentence_starts, keep, window, fixed):
    """Lay the windows of a whole corpus, sentence by sentence."""
    examples = []
    for begin, end in pairwise(sentence_starts):
        kept = [p for p in range(begin, end) if token_ids[p] >= 0 and bits(KEY, p) >> 32 < keep[token_ids[p]]]
        for i, p in enumerate(kept):
            radius = window if fixed else 1 + ((bits(KEY, p) & 0xFFFFFFFF) * window >> 32)
            around = [q for j, q in enumerate(kept) if j != i and abs(i - j) <= radius]
            examples.append(([token_ids[q] for q in around], token_ids[p], p))
    return examples


@st.composite
def corpora(draw):
    sentences = draw(st.lists(st.lists(st.integers(-1, 3), min_size=1, max_size=12), min_size=1, max_size=6))
    token_ids = np.array([w for sentence in sentences for w in sentence], np.int32)
    return read_only(token_ids), read_only(np.cumsum([0] + [len(sentence) for sentence in sentences]))


@given(corpora(), st.integers(1, 4), st.booleans(), st.integers(1, 7))
def test_windows_are_those_of_whole_sentences_however_the_tokens_are_sliced(corpus, window, fixed, step):
    token_ids, sentence_starts = corpus
    keep = np.array([2**32, 2**31, 2**32, 0], np.uint64)
    found = []
    for first in range(0, len(token_ids), step):
        last = min(first + step, len(token_ids))
        inputs, starts, targets, positions = draw_windows(
            token_ids, sentence_starts, first, last, keep, window, fixed, KEY
        )
        for p in range(len(targets)):
            found.append((list(inputs[starts[p] : starts[p + 1]]), targets[p], positions[p]))
    assert found == slow_windows(token_ids, sentence_starts, keep, window, fixed)


def chances(threshold, alias):
    """Return what an alias table gives each outcome."""
    n = len(threshold)
    own = np.where(alias == np.arange(n), 1.0, threshold / 2.0**32)
    result = own.copy()
    np.add.at(result, alias, 1 - own)
    return result / n


@given(st.lists(st.floats(0, 100), min_size=1, max_size=40).filter(lambda weights: sum(weights) > 0.01))
def test_an_alias_table_gives_each_outcome_its_share(weights):
    weights = np.array(weights)
    threshold, alias = np.empty(len(weights), np.uint32), np.empty(len(weights), np.int32)
    fill_alias(weights, threshold, alias)
    np.testing.assert_allclose(chances(threshold, alias), weights / weights.sum(), rtol=0, atol=1e-9)


def assert_drawn_from(found, expected):
    """Chi-square, with room for one failure in a million."""
    seen = expected > 0
    assert found[~seen].sum() == 0
    statistic = ((found[seen] - expected[seen]) ** 2 / expected[seen]).sum()
    degrees = np.count_nonzero(seen) - 1
    assert statistic < degrees + 5 * np.sqrt(2 * degrees) + 12


@pytest.mark.parametrize("group", [1, 4])
def test_pairs_are_drawn_by_their_share_of_the_counts(group):
    dense = np.array([[0, 900, 5, 1], [0, 0, 0, 0], [7, 7, 0, 50], [1, 2, 3, 4]])
    matrix = csr_array(dense)
    indptr, indices, data = (read_only(array) for array in (matrix.indptr, matrix.indices, matrix.data))
    table = np.empty(4, np.uint32), np.empty(4, np.int32)
    fill_alias(dense.sum(axis=1).astype(float), *table)
    cells = np.empty((10, 3), np.uint32)
    fill_cells(indptr, indices, data, cells)

    def draw(first, last):
        return draw_pairs(indptr, cells, *table, group, first, last, KEY)

    inputs, starts, targets, positions = draw(0, 60_000)
    assert np.array_equal(starts, np.arange(0, 60_001, group))
    assert np.array_equal(positions, np.arange(60_000 // group))
    found = np.zeros((4, 4))
    np.add.at(found, (np.repeat(targets, group), inputs), 1)
    if group == 1:  # else inputs of one target come together, and pairs vary more than if drawn apart
        assert_drawn_from(found, dense / dense.sum() * 60_000)
    assert_drawn_from(np.bincount(targets, minlength=4), dense.sum(axis=1) / dense.sum() * 60_000 / group)
    for row in (0, 2, 3):
        assert_drawn_from(found[row], dense[row] / dense[row].sum() * found[row].sum())
    parts = [draw(0, 776), draw(776, 59_999), draw(59_996, 60_000)]
    assert np.array_equal(np.concatenate([part[0] for part in parts[:2]]), inputs[:59_999])
    assert len(parts[1][1]) == len(parts[1][2]) + 1
    assert parts[1][1][-1] == 59_999 - 776
    assert np.array_equal(parts[2][0], inputs[-4:])


@pytest.mark.parametrize("exponent", [0.0, 0.75, 1.0, -0.5, 60.0])
def test_negatives_are_drawn_by_the_noise_distribution(exponent):
    counts = np.array([100, 10, 0, 1, 30])
    weights = noise_weights(counts, exponent)
    threshold, alias = np.empty(5, np.uint32), np.empty(5, np.int32)
    fill_alias(weights, threshold, alias)
    drawn = draw_negatives(threshold, alias, np.arange(10_000), 5, KEY)
    expected = np.where(counts > 0, (np.maximum(counts, 1) / 100) ** exponent, 0)
    assert_drawn_from(np.bincount(drawn.ravel(), minlength=5), expected / expected.sum() * 50_000)
    if exponent < 2:
        assert len(np.unique(drawn, axis=0)) > 100  # the negatives of one example are drawn apart


def heap_cost(counts):
    """Return the bits of a Huffman code for a text with these counts."""
    heap = [count for count in counts if count]
    heapq.heapify(heap)
    cost = 0
    while len(heap) > 1:
        joined = heapq.heappop(heap) + heapq.heappop(heap)
        cost += joined
        heapq.heappush(heap, joined)
    return cost


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=60).filter(lambda c: np.count_nonzero(c) >= 2))
def test_the_huffman_code_is_optimal_and_prefix_free(counts):
    counts = np.array(counts)
    code = huffman_code(counts)
    assert (code.lengths * counts).sum() == heap_cost(counts.tolist())
    assert ((code.lengths == 0) == (counts == 0)).all()
    assert (0.5 ** code.lengths[counts > 0]).sum() == 1  # Kraft: full and prefix-free
    share = counts[counts > 0] / counts.sum()
    entropy = -(share * np.log2(share)).sum()
    assert entropy - 1e-9 <= code.mean_length(counts) < entropy + 1
    paths = {
        tuple(zip(code.nodes[begin:end], code.sides[begin:end], strict=True))
        for begin, end in pairwise(code.starts)
        if end > begin
    }
    assert len(paths) == np.count_nonzero(counts)
    assert {path[0][0] for path in paths} == {np.count_nonzero(counts) - 2}  # all begin at the root
