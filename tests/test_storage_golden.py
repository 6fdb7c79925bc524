"""Files that an older pmifact wrote must be readable for ever."""

import json
from pathlib import Path

import numpy as np
import pytest
from storage_samples import FILES, READ, STAGES, positional_sample, sample, values

from pmifact.cooccurrence import count_cooccurrences
from pmifact.corpus import encode_corpus
from pmifact.storage import read_counts, read_manifest, read_word2vec, verify_artifact

V1 = Path(__file__).resolve().parent / "golden" / "v1"


@pytest.mark.parametrize("stage", STAGES)
def test_an_old_artifact_still_reads(stage):
    path = V1 / f"old.{stage}"
    assert values(READ[stage](path)) == values(sample(stage))
    assert verify_artifact(path)["pmifact"] == "0.1.0"


@pytest.mark.parametrize("suffix", [".txt", ".bin"])
def test_old_vectors_still_read(suffix):
    factors = sample("factors")
    vectors = read_word2vec(V1 / f"old{suffix}", binary=suffix == ".bin")
    assert vectors.vocabulary.words == factors.vocabulary.words
    np.testing.assert_allclose(vectors.matrix, factors.words * np.sqrt(factors.strengths), rtol=1e-6)


@pytest.mark.parametrize("stage", STAGES)
def test_the_file_names_and_dtypes_are_those_promised_to_other_programs(stage):
    path = V1 / f"old.{stage}"
    assert {entry.name for entry in path.iterdir()} == {"manifest.json", *FILES[stage]}
    manifest = json.loads((path / "manifest.json").read_bytes())
    assert manifest == read_manifest(path)
    for name in FILES[stage][1:]:
        array = np.load(path / name, allow_pickle=False)
        assert (str(array.dtype), list(array.shape)) == (
            manifest["files"][name]["dtype"],
            manifest["files"][name]["shape"],
        )
    words = [line.split("\t")[0] for line in (path / "vocabulary.tsv").read_text("utf-8").split("\n")[:-1]]
    assert tuple(words) == sample(stage).vocabulary.words


def test_counts_are_what_numpy_alone_makes_of_the_files():
    path = V1 / "old.counts"
    unit = json.loads((path / "manifest.json").read_bytes())["unit"]
    indptr, indices, data = (np.load(path / f"{name}.npy") for name in ("indptr", "indices", "data"))
    assert (indptr.dtype, indices.dtype, data.dtype) == (np.int64, np.int32, np.int64)
    assert data[indptr[0] : indptr[1]].tolist() == [4, 2**40]
    assert indices[indptr[0] : indptr[1]].tolist() == [0, 1]
    assert unit == 10


def test_old_positional_counts_still_read():
    path = V1 / "old-positional.counts"
    assert values(read_counts(path)) == values(positional_sample())
    assert verify_artifact(path)["options"]["positional"] is True
    corpus = encode_corpus(iter(["the café 猫 the"]), vocabulary=("the", "café", "猫"))
    counted = count_cooccurrences(corpus, window=1, positional=True)
    assert values(counted) == values(positional_sample())


def test_columns_of_positional_counts_are_a_word_a_count_and_an_offset():
    path = V1 / "old-positional.counts"
    lines = (path / "contexts.tsv").read_text("utf-8").split("\n")
    assert lines == [
        *("the\t2\t-1", "café\t1\t-1", "猫\t1\t-1"),
        *("the\t2\t1", "café\t1\t1", "猫\t1\t1", ""),
    ]
    indptr, indices, data = (np.load(path / f"{name}.npy") for name in ("indptr", "indices", "data"))
    assert (indptr.dtype, indices.dtype, data.dtype) == (np.int64, np.int32, np.int64)
    assert indptr.tolist() == [0, 2, 4, 6]
    assert indices.tolist() == [2, 4, 0, 5, 1, 3]
    assert data.tolist() == [1] * 6
