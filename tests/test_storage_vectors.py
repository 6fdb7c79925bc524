"""Any MODEL becomes word vectors; an option that would have no effect is refused."""

import numpy as np
import pytest
from storage_samples import sample, write_corpus, write_counts, write_factors

from pmifact.errors import ArtifactError, InputError
from pmifact.postprocessing import postprocessed
from pmifact.ppmi import sppmi
from pmifact.storage import read_vectors, read_word2vec, write_vectors
from pmifact.vectors import WordVectors

VECTORS = WordVectors(sample("factors").vocabulary, sample("factors").words)


@pytest.fixture
def models(tmp_path):
    write_factors(sample("factors"), tmp_path / "x.factors")
    write_counts(sample("counts"), tmp_path / "x.counts")
    write_corpus(sample("corpus"), tmp_path / "x.corpus")
    for suffix in ("txt", "vec", "bin"):
        write_vectors(VECTORS, tmp_path / f"x.{suffix}")
    return tmp_path


def test_factors_take_power_and_normalize(models):
    factors = sample("factors")
    for options in (
        *({}, {"power": 0.0}, {"power": 1.0, "normalize": False}),
        *({"center": True}, {"remove_top": 1, "normalize": False}),
    ):
        found = read_vectors(models / "x.factors", **options)
        assert np.array_equal(found.matrix, factors.vectors(**options).matrix)
        assert found.vocabulary == factors.vocabulary


def test_counts_give_their_sparse_sppmi_rows(models):
    options = {"shift": 1.5, "smoothing": 1.0, "subsample": 1e-2}
    expected = WordVectors(sample("counts").vocabulary, sppmi(sample("counts"), **options))
    kept = read_vectors(models / "x.counts", normalize=False, **options)
    assert kept.matrix.toarray().tolist() == expected.matrix.toarray().tolist()
    assert (
        read_vectors(models / "x.counts", **options).matrix.toarray().tolist()
        == expected.unit.toarray().tolist()
    )


@pytest.mark.parametrize("suffix", ["txt", "vec", "bin", "TXT"])
def test_files_are_told_by_their_suffix(suffix, models):
    path = models / f"x.{suffix}"
    write_vectors(VECTORS, path)
    assert np.array_equal(read_vectors(path, normalize=False).matrix, VECTORS.matrix)
    assert np.array_equal(read_vectors(path).matrix, VECTORS.unit)
    assert np.array_equal(read_word2vec(path, binary=suffix == "bin").matrix, VECTORS.matrix)


@pytest.mark.parametrize(
    ("model", "option"),
    [
        ("x.factors", {"shift": 5.0}),
        ("x.factors", {"smoothing": 1.0}),
        ("x.factors", {"subsample": 1e-3}),
        ("x.factors", {"errors": "replace"}),
        ("x.counts", {"power": 0.0}),
        ("x.counts", {"contexts": "add"}),
        ("x.counts", {"errors": "replace"}),
        ("x.txt", {"power": 0.0}),
        ("x.bin", {"contexts": "add"}),
        ("x.bin", {"shift": 2.0}),
    ],
)
def test_options_that_do_not_apply_are_refused(model, option, models):
    with pytest.raises(InputError, match=f"{next(iter(option))}=.* does not apply to"):
        read_vectors(models / model, **option)


@pytest.mark.parametrize("options", [{"center": True}, {"remove_top": 1}])
def test_files_are_postprocessed_before_their_rows_are_scaled(options, models):
    expected = postprocessed(VECTORS, **options)
    kept = read_vectors(models / "x.txt", normalize=False, **options)
    np.testing.assert_array_equal(kept.matrix, expected.matrix)
    np.testing.assert_array_equal(read_vectors(models / "x.bin", **options).matrix, expected.unit)
    with pytest.raises(InputError, match=r"x\.counts: .* are sparse, and without their mean"):
        read_vectors(models / "x.counts", **options)


def test_what_holds_no_vectors(models):
    with pytest.raises(ArtifactError, match=r"got a \.corpus artifact; count and factorize"):
        read_vectors(models / "x.corpus")
    with pytest.raises(ArtifactError, match="got a directory"):
        read_vectors(models)
    with pytest.raises(InputError, match=r"named \.txt, \.vec, \.bin, .*, got the suffix '\.kv'"):
        read_vectors(models / "x.kv")
    with pytest.raises(InputError, match="got the suffix ''"):
        write_vectors(VECTORS, models / "x")
    with pytest.raises(InputError, match="cannot be opened: No such file"):
        read_vectors(models / "missing.txt")
