"""What is written is what is read, and nothing else takes an artifact's place."""

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array
from storage_samples import FILES, READ, STAGES, WRITE, edit_manifest, hidden, sample, values, vocabulary

from pmifact.cooccurrence import CooccurrenceCounts, CountOptions
from pmifact.corpus import EncodedCorpus, EncodeOptions
from pmifact.counting.imported import ImportOptions
from pmifact.errors import ArtifactError, InputError
from pmifact.factors import Factors
from pmifact.storage import (
    RunRecord,
    arrays,
    artifact_source,
    artifact_stage,
    history_of,
    read_manifest,
    read_vocabulary,
    verify_artifact,
    write_corpus,
    write_counts,
    write_factors,
)
from pmifact.storage import artifact as artifact_module
from pmifact.text.readers import Source
from pmifact.vocabulary import Vocabulary

# Everything that UTF-8 can hold and `str.isspace` does not know.
odd_words = st.text(st.characters(codec="utf-8").filter(lambda c: not c.isspace()), min_size=1, max_size=5)
vocabularies = st.lists(odd_words, max_size=6, unique=True).flatmap(
    lambda words: hnp.arrays(np.int64, len(words), elements=st.integers(0, 2**63 - 1)).map(
        lambda counts: Vocabulary(tuple(words), counts)
    )
)
float32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def corpora(draw):
    vocabulary = draw(vocabularies)
    lengths = draw(st.lists(st.integers(1, 5), max_size=8))
    ids = st.integers(-1, len(vocabulary) - 1)
    return EncodedCorpus(
        vocabulary,
        draw(hnp.arrays(np.int32, sum(lengths), elements=ids)),
        np.cumsum([0, *lengths]).astype(np.int64),
        EncodeOptions(lowercase=draw(st.booleans()), max_vocab=draw(st.none() | st.integers(1, 9))),
        tuple(draw(st.lists(st.builds(Source, st.text(), st.integers(0, 2**60), st.text()), max_size=2))),
    )


@st.composite
def counts(draw):
    vocabulary = draw(vocabularies.filter(len))
    size = len(vocabulary)
    numerators = st.just(0) | st.integers(1, 2**56)
    matrix = csr_array(draw(hnp.arrays(np.int64, (size, size), elements=numerators)))
    window = draw(st.tuples(st.integers(1, 9), st.integers(0, 9)))
    options = CountOptions(window=window, subsample=draw(st.none() | st.floats(1e-9, 1)))
    return CooccurrenceCounts(vocabulary, matrix, draw(st.integers(1, 2**31)), options)


@st.composite
def factors(draw):
    vocabulary, rank = draw(vocabularies), draw(st.integers(1, 4))
    contexts = draw(st.integers(0, 5))
    return Factors(
        vocabulary,
        draw(hnp.arrays(np.float32, (len(vocabulary), rank), elements=float32)),
        np.sort(draw(hnp.arrays(np.float32, rank, elements=st.floats(0, 2**100, width=32))))[::-1],
        np.asfortranarray(draw(hnp.arrays(np.float32, (contexts, rank), elements=float32))),
        draw(hnp.arrays(np.float32, draw(st.sampled_from([0, rank])), elements=st.floats(0, 1, width=32))),
        draw(st.dictionaries(st.text(), st.integers() | st.text() | st.booleans() | st.none(), max_size=3)),
    )


@pytest.mark.parametrize(
    ("stage", "things"), [("corpus", corpora()), ("counts", counts()), ("factors", factors())]
)
def test_round_trip(stage, things, tmp_path, monkeypatch):
    path = tmp_path / f"x.{stage}"
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # for speed alone

    @given(things)
    def check(thing):
        WRITE[stage](thing, path)
        assert values(READ[stage](path)) == values(thing)
        assert read_vocabulary(path) == thing.vocabulary

    check()
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("stage", STAGES)
def test_the_same_object_gives_the_same_data_files(stage, tmp_path):
    for name in ("a", "b"):
        WRITE[stage](sample(stage), tmp_path / name)
    for name in FILES[stage]:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert artifact_source(tmp_path / "a").sha256 == artifact_source(tmp_path / "b").sha256


def test_counts_are_read_without_a_copy_of_the_large_arrays(tmp_path):
    write_counts(sample("counts"), tmp_path / "x.counts")
    matrix = READ["counts"](tmp_path / "x.counts").matrix
    assert (matrix.indptr.dtype, matrix.indices.dtype) == (np.int32, np.int32)
    assert matrix.has_canonical_format
    for array in (matrix.indices, matrix.data):
        assert not array.flags.writeable
        assert not array.flags.owndata


def test_64_bit_indices_in_memory_are_32_bit_on_disk(tmp_path):
    thing = sample("counts")
    thing.matrix.indices = thing.matrix.indices.astype(np.int64)
    thing.matrix.indptr = thing.matrix.indptr.astype(np.int64)
    write_counts(thing, tmp_path / "x.counts")
    assert values(READ["counts"](tmp_path / "x.counts")) == values(sample("counts"))


def test_arrays_of_many_blocks_are_written_and_checked_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_BLOCK_BYTES", 64)
    size = 1_001
    ids = np.arange(size, dtype=np.int32) % 4
    corpus = EncodedCorpus(sample("corpus").vocabulary, ids, np.arange(size + 1))
    write_corpus(corpus, tmp_path / "x.corpus")
    again = READ["corpus"](tmp_path / "x.corpus")
    assert np.array_equal(again.token_ids, ids)
    assert np.array_equal(again.sentence_starts, corpus.sentence_starts)
    ids[-1] = 4
    with pytest.raises(InputError, match=rf"expected ids in \[-1, 4\), got 4 at {size - 1}"):
        write_corpus(EncodedCorpus(corpus.vocabulary, ids, corpus.sentence_starts), tmp_path / "y.corpus")


def test_the_manifest_says_how_from_what_and_with_what(tmp_path):
    source = Source("text.gz", 12, "ab" * 32)
    record = RunRecord(inputs=(source,), threads=2, seconds={"count": np.float64(1.5)})
    write_corpus(sample("corpus"), tmp_path / "x.corpus")
    write_counts(
        sample("counts"),
        tmp_path / "x.counts",
        record=RunRecord(
            inputs=record.inputs, history=history_of(tmp_path / "x.corpus"), threads=2, seconds=record.seconds
        ),
    )
    manifest = read_manifest(tmp_path / "x.counts")
    assert {
        key: manifest[key] for key in ("format", "stage", "unit", "weights_rounded", "seed", "threads")
    } == {
        "format": 1,
        "stage": "counts",
        "unit": 10,
        "weights_rounded": False,
        "seed": 7,
        "threads": 2,
    }
    assert manifest["inputs"] == [{"name": "text.gz", "size": 12, "sha256": "ab" * 32}]
    assert manifest["seconds"] == {"count": 1.5}
    assert manifest["options"]["window"] == [2, 5]
    assert manifest["vocabulary_sha256"] == sample("counts").vocabulary.fingerprint
    assert {"python", "numpy", "scipy"} <= manifest["versions"].keys()
    assert [stage["stage"] for stage in history_of(tmp_path / "x.counts")] == ["corpus", "counts"]
    assert verify_artifact(tmp_path / "x.counts") == manifest


def test_a_corpus_names_its_sources_unless_the_record_does(tmp_path):
    write_corpus(sample("corpus"), tmp_path / "x.corpus")
    assert READ["corpus"](tmp_path / "x.corpus").sources == sample("corpus").sources


def test_rounded_weights_are_in_the_manifest(tmp_path):
    thing = sample("counts")
    options = CountOptions(window=(40, 40), weighting="harmonic")
    write_counts(CooccurrenceCounts(thing.vocabulary, thing.matrix, 2**31, options), tmp_path / "x.counts")
    assert read_manifest(tmp_path / "x.counts")["weights_rounded"] is True


def test_contexts_that_are_not_the_words_have_a_file_of_their_own(tmp_path):
    contexts = Vocabulary(("nsubj_cat", "the"), np.array([7, 0]))
    options = ImportOptions(imported="glove", window=5, rounded=True)
    matrix = csr_array(np.array([[1, 0], [0, 2**40], [0, 0], [3, 0]]))
    counts = CooccurrenceCounts(vocabulary(), matrix, 60, options, contexts)
    write_counts(counts, tmp_path / "x.counts")
    assert (tmp_path / "x.counts" / "contexts.tsv").read_text() == "nsubj_cat\t7\nthe\t0\n"
    assert read_manifest(tmp_path / "x.counts")["weights_rounded"] is True
    found = READ["counts"](tmp_path / "x.counts")
    assert (found.contexts, found.options, found.unit) == (contexts, options, 60)
    assert found.matrix.toarray().tolist() == matrix.toarray().tolist()

    factors = replace(sample("factors"), contexts=np.ones((2, 2), np.float32), context_vocabulary=contexts)
    write_factors(factors, tmp_path / "x.factors")
    assert READ["factors"](tmp_path / "x.factors").context_vocabulary == contexts
    for path, read in (("x.counts", READ["counts"]), ("x.factors", READ["factors"])):
        (tmp_path / path / "contexts.tsv").write_text("nsubj_cat\t7\nThe\t0\n")
        with pytest.raises(ArtifactError, match=r"contexts.tsv: its digest does not match"):
            read(tmp_path / path)
        (tmp_path / path / "contexts.tsv").unlink()
        with pytest.raises(ArtifactError, match=r"contexts.tsv: cannot be opened"):
            read(tmp_path / path)
    spaced = replace(counts, contexts=Vocabulary(("a b", "c"), np.array([1, 1])))
    with pytest.raises(InputError, match="'a b' holds white space"):
        write_counts(spaced, tmp_path / "y.counts")


@pytest.mark.parametrize("stage", STAGES)
def test_stage_of_artifacts_and_other_paths(stage, tmp_path):
    WRITE[stage](sample(stage), tmp_path / "x")
    assert artifact_stage(tmp_path / "x") == stage
    assert artifact_stage(tmp_path) is None
    assert artifact_stage(tmp_path / "missing") is None
    assert artifact_stage(tmp_path / "x" / "vocabulary.tsv") is None
    (other,) = {"corpus", "counts"} - {stage} if stage != "factors" else {"counts"}
    with pytest.raises(ArtifactError, match=rf"expected a \.{other} artifact.*got a \.{stage} artifact"):
        READ[other](tmp_path / "x")


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda path: None, "there is no such artifact"),
        (lambda path: path.write_text("x"), "got a file"),
        (lambda path: path.mkdir(), "got a directory without one"),
    ],
)
def test_paths_that_are_no_artifact(make, fault, tmp_path):
    make(tmp_path / "x")
    for read in (*READ.values(), read_manifest, verify_artifact):
        with pytest.raises(ArtifactError, match=fault):
            read(tmp_path / "x")


@pytest.mark.parametrize("path", ["", "a\0b", b"bytes"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(InputError, match="expected the path"):
        READ["counts"](path)


def test_words_with_white_space_are_refused_where_they_would_be_written(tmp_path):
    for space in ("a b", "a\u2028", "\u00a0", "a\r", "\x1fa"):
        thing = EncodedCorpus(Vocabulary((space,), np.array([1])), np.zeros(1, np.int32), np.array([0, 1]))
        with pytest.raises(InputError, match="holds white space"):
            write_corpus(thing, tmp_path / "x.corpus")
    assert os.listdir(tmp_path) == []


def test_factors_without_a_vocabulary_are_refused(tmp_path):
    thing = sample("factors")
    bare = Factors(None, thing.words, thing.strengths, thing.contexts)
    with pytest.raises(InputError, match="give `vocabulary=`"):
        write_factors(bare, tmp_path / "x.factors")


def test_options_that_json_cannot_hold_are_refused_and_leave_nothing(tmp_path):
    thing = sample("factors")
    for value in (object(), float("nan"), np.zeros(2)):
        odd = Factors(thing.vocabulary, thing.words, thing.strengths, thing.contexts, options={"x": value})
        with pytest.raises(InputError, match="options and records"):
            write_factors(odd, tmp_path / "x.factors")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("indptr", "indices", "data", "fault"),
    [
        ([0, 2, 2, 2, 2], [1, 0], [1, 1], "columns that rise within each row, got one that does not at 1"),
        ([0, 2, 2, 2, 2], [1, 1], [1, 1], "columns that rise"),
        ([0, 1, 2, 2, 2], [1, 4], [1, 1], r"columns in \[0, 4\), got 4 at 1"),
        ([0, 1, 2, 2, 2], [1, 0], [1, 0], "numerators of at least 1, got 0 at 1"),
        ([0, 1, 2, 2, 2], [1, 0], [2**62, 2**62], "sum stays below 2\\^63"),
        ([0, 2, 1, 2, 2], [1, 0], [1, 1], "offsets that never fall"),
    ],
)
def test_counts_that_could_not_be_read_again_are_not_written(indptr, indices, data, fault, tmp_path):
    thing = sample("counts")
    matrix = csr_array((4, 4), dtype=np.int64)
    matrix.indptr, matrix.indices, matrix.data = np.array(indptr), np.array(indices), np.array(data)
    with pytest.raises(InputError, match=fault):
        write_counts(CooccurrenceCounts(thing.vocabulary, matrix, 1, thing.options), tmp_path / "x.counts")
    assert os.listdir(tmp_path) == []


def test_rows_may_begin_anywhere_and_be_empty(tmp_path):
    dense = np.array([[0, 0, 0, 2], [0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 1]])
    thing = sample("counts")
    write_counts(CooccurrenceCounts(thing.vocabulary, csr_array(dense), 1, thing.options), tmp_path / "x")
    assert READ["counts"](tmp_path / "x").matrix.toarray().tolist() == dense.tolist()


def test_large_artifacts_are_hashed_only_on_request(tmp_path, monkeypatch):
    path = tmp_path / "x.factors"
    write_factors(sample("factors"), path)
    data = bytearray((path / "words.npy").read_bytes())
    data[-1] ^= 1  # another finite number
    (path / "words.npy").write_bytes(data)
    monkeypatch.setattr(artifact_module, "FULL_DIGEST_BELOW", 0)
    READ["factors"](path)
    with pytest.raises(ArtifactError, match=r"words\.npy: its digest does not match"):
        verify_artifact(path)


def test_an_option_younger_than_the_artifact_takes_its_default(tmp_path):
    write_counts(sample("counts"), tmp_path / "x.counts")
    edit_manifest(tmp_path / "x.counts", lambda manifest: manifest["options"].pop("oov"))
    assert READ["counts"](tmp_path / "x.counts").options.oov == CountOptions().oov


def test_reading_a_replaced_artifact_keeps_the_old_arrays_alive(tmp_path):
    write_corpus(sample("corpus"), tmp_path / "x.corpus")
    old = READ["corpus"](tmp_path / "x.corpus")
    write_corpus(sample("corpus", 1), tmp_path / "x.corpus")
    assert old.token_ids.tolist() == sample("corpus").token_ids.tolist()
    write_corpus(old, tmp_path / "x.corpus")  # over the very files it is mapped from or was
    assert values(READ["corpus"](tmp_path / "x.corpus")) == values(sample("corpus"))
    assert hidden(tmp_path) == []


def test_contexts_that_are_one_short_of_the_words(tmp_path):
    """Of a bare matrix, or a tree, they may be any number; of counts they are the words, or have names."""
    path = tmp_path / "x.factors"
    WRITE["factors"](sample("factors"), path)  # three for four words
    assert len(READ["factors"](path).contexts) == 3
    made = RunRecord(history=({"stage": "counts", "options": {}},))
    WRITE["factors"](sample("factors"), path, record=made)
    with pytest.raises(
        ArtifactError, match=r"expected a row for each of the 4 words, .* got 3; make the art"
    ):
        READ["factors"](path)
    tree = replace(sample("factors"), options={"loss": "hs"})
    WRITE["factors"](tree, path, record=made)
    assert len(READ["factors"](path).contexts) == 3
