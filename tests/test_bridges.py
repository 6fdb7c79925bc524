"""Word vectors as objects of gensim and torch."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array

from pmifact.errors import InputError
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

WORDS = ("cat", "dog", "猫", "sail", "boat")


@pytest.fixture
def vectors():
    matrix = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    return WordVectors(Vocabulary(WORDS, np.array([9, 7, 5, 5, 1])), matrix)


def test_gensim_finds_the_same_words(vectors):
    keyed = vectors.to_gensim()
    assert tuple(keyed.index_to_key) == WORDS
    np.testing.assert_array_equal(keyed.vectors, vectors.matrix)
    assert [keyed.get_vecattr(word, "count") for word in WORDS] == [9, 7, 5, 5, 1]
    for word in WORDS:
        ours, theirs = vectors.nearest(word, 4), keyed.most_similar(word, topn=4)
        assert [name for name, _ in ours] == [name for name, _ in theirs]
        assert [cosine for _, cosine in ours] == pytest.approx([cosine for _, cosine in theirs], abs=1e-6)


def test_gensim_gets_a_copy(vectors):
    before = vectors.matrix.copy()
    vectors.to_gensim().vectors[:] = 0
    np.testing.assert_array_equal(vectors.matrix, before)


@pytest.mark.parametrize("padding", [False, True])
def test_torch_looks_the_same_rows_up(vectors, padding):
    torch = pytest.importorskip("torch")
    embedding = vectors.to_torch(padding=padding)
    assert isinstance(embedding, torch.nn.Embedding)
    assert embedding.weight.requires_grad is False
    assert vectors.to_torch(freeze=False).weight.requires_grad is True
    np.testing.assert_array_equal(embedding(torch.tensor([[4, 0]])).numpy(), vectors.lookup([[4, 0]]))
    assert embedding.padding_idx == (5 if padding else None)
    assert embedding.num_embeddings == 5 + padding
    if padding:
        assert not embedding(torch.tensor([5])).numpy().any()


@pytest.mark.parametrize("padding", [False, True])
@pytest.mark.parametrize("freeze", [False, True])
def test_torch_is_given_the_rows_and_the_padding(monkeypatch, vectors, padding, freeze):
    """Without torch: what it would be given, by a stand-in."""
    embedding = SimpleNamespace(from_pretrained=lambda weights, **options: (weights, options))
    stand_in = SimpleNamespace(from_numpy=lambda array: array, nn=SimpleNamespace(Embedding=embedding))
    monkeypatch.setitem(sys.modules, "torch", stand_in)
    weights, options = vectors.to_torch(padding=padding, freeze=freeze)
    assert options == {"freeze": freeze, "padding_idx": 5 if padding else None}
    assert weights.dtype == np.float32
    assert weights.shape == (5 + padding, 3)
    np.testing.assert_array_equal(weights[:5], vectors.matrix)
    assert not weights[5:].any()
    assert not np.shares_memory(weights, vectors.matrix)


@pytest.mark.parametrize("package", ["gensim", "torch"])
def test_what_is_not_installed_is_said(monkeypatch, vectors, package):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=f"needs {package}, .* install it with: pip install {package}$"):
        getattr(vectors, f"to_{package}")()


@pytest.mark.parametrize("package", ["gensim", "torch"])
def test_sparse_vectors_are_refused(vectors, package):
    sparse = WordVectors(vectors.vocabulary, csr_array(vectors.matrix))
    with pytest.raises(InputError, match="expected dense vectors, got sparse ones; factorize them first"):
        getattr(sparse, f"to_{package}")()
