"""word2vec's files: exact round trips, gensim on the other side, one sentence for what is wrong."""

import os
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from vector_samples import same, vectors, word_vectors

from pmifact.errors import ArtifactError, InputError
from pmifact.storage import arrays, read_word2vec, write_word2vec
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary


@pytest.mark.parametrize("binary", [False, True])
def test_round_trip_is_exact(binary, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # for speed alone

    @given(word_vectors())
    def check(thing):
        write_word2vec(thing, tmp_path / "v", binary=binary)
        assert same(read_word2vec(tmp_path / "v", binary=binary), thing)

    check()
    assert os.listdir(tmp_path) == ["v"]


@pytest.mark.parametrize("binary", [False, True])
def test_many_blocks_are_written_and_read(binary, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_BLOCK_BYTES", 100)
    thing = vectors([f"w{i}" for i in range(101)], np.random.default_rng(0).normal(size=(101, 11)))
    write_word2vec(thing, tmp_path / "v", binary=binary)
    assert same(read_word2vec(tmp_path / "v", binary=binary), thing)


def test_the_bytes_are_those_of_word2vec(tmp_path):
    thing = vectors(["a", "é"], [[1, -0.1], [1e-30, 16777216]])
    write_word2vec(thing, tmp_path / "v.txt")
    assert (tmp_path / "v.txt").read_bytes() == "2 2\na 1 -0.100000001\né 1e-30 16777216\n".encode()
    write_word2vec(thing, tmp_path / "v.bin", binary=True)
    rows = thing.matrix.astype("<f4")
    assert (tmp_path / "v.bin").read_bytes() == b"".join(
        [b"2 2\n", b"a ", rows[0].tobytes(), b"\n", "é ".encode(), rows[1].tobytes(), b"\n"]
    )


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_reads_ours_and_we_read_gensims(binary, tmp_path):
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    rng = np.random.default_rng(1)
    ours = vectors(["the", "café", "猫", "e\u0301", "'s"], rng.normal(size=(5, 7)))
    write_word2vec(ours, tmp_path / "ours", binary=binary)
    theirs = keyedvectors.KeyedVectors.load_word2vec_format(str(tmp_path / "ours"), binary=binary)
    assert tuple(theirs.index_to_key) == ours.vocabulary.words
    assert theirs.vectors.tobytes() == ours.matrix.tobytes()
    for word in ours.vocabulary.words:
        found = dict(theirs.most_similar(word, topn=4))
        assert found == pytest.approx(dict(ours.nearest(word, 4)), abs=1e-6)
    theirs.save_word2vec_format(str(tmp_path / "theirs"), binary=binary)
    assert same(read_word2vec(tmp_path / "theirs", binary=binary), ours)


def read(tmp_path, data, *, binary=False, errors="strict"):
    (tmp_path / "v").write_bytes(data)
    return read_word2vec(tmp_path / "v", binary=binary, errors=errors)


@pytest.mark.parametrize(
    "text",
    [
        b"2 2\na 1 2\nb 3 4",
        b"2 2 \r\na 1 2\r\nb 3 4\r\n\r\n",
        b"2\t2\na\t1\t2\nb\t3\t4\n",
        b"2 2\na 1 2 \nb 3  4 \n \n",
        b"\xef\xbb\xbf2 2\na +1 2e0\nb 3.0 .4e1\n",
    ],
)
def test_harmless_variants_of_text_are_read(text, tmp_path):
    found = read(tmp_path, text)
    assert found.vocabulary.words == ("a", "b")
    assert found.matrix.tolist() == [[1, 2], [3, 4]]


def test_words_with_odd_white_space_keep_it(tmp_path):
    found = read(tmp_path, "3 2\n. . . 1 2\nNew\u00a0York 3 4\n\u2028 5 6\n".encode())
    assert found.vocabulary.words == (". . .", "New\u00a0York", "\u2028")
    with pytest.raises(InputError, match="holds white space"):
        write_word2vec(found, tmp_path / "w")
    assert os.listdir(tmp_path) == ["v"]


def row(word, *numbers):
    return word + b" " + np.array(numbers, "<f4").tobytes()


def test_binary_rows_end_with_or_without_a_newline(tmp_path):
    rows = [row(b"a", 1, 2), row("猫".encode(), 3, 4)]
    for between, after in ((b"", b""), (b"\n", b"\n"), (b"\n", b""), (b"", b"\n")):
        found = read(tmp_path, b"2 2\n" + between.join(rows) + after, binary=True)
        assert found.vocabulary.words == ("a", "猫")
        assert found.matrix.tolist() == [[1, 2], [3, 4]]


def test_newline_bytes_within_numbers_are_numbers(tmp_path):
    number = np.frombuffer(b"\n \n ", "<f4")[0]
    found = read(tmp_path, b"2 1\n" + row(b"a", number) + row(b"b", number), binary=True)
    assert found.matrix.tolist() == [[number], [number]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "line 1: expected word2vec's header"),
        (
            b"the 0.1 0.2\ncat 0.3 0.4\n",
            "line 1: expected word2vec's header.*got 'the 0.1 0.2.n'; put that line",
        ),
        (b"2\na 1\n", "line 1: expected word2vec's header"),
        (b"-2 2\n", "line 1: expected word2vec's header"),
        (b"2 2", "line 1: expected word2vec's header"),
        (b"0 2\n", "at least one word and one dimension, got 0 and 2"),
        (b"2 0\na\nb\n", "at least one word and one dimension, got 2 and 0"),
        (b"9" * 5_000 + b" 2\n", "line 1: expected word2vec's header"),
        (b"\x93NUMPY\x01\x00", "line 1: expected word2vec's header"),
        (
            b"99999999999999999 99999999999999999\na 1\n",
            "v, line 2: expected a word and 99,999,999,999,999,999 numbers, got 1 number$",
        ),
        (
            b"99999999999999999 2\na 1 2\n",
            "line 1: expected 99,999,999,999,999,999 words .* got 1; .*cut short",
        ),
        (
            b"999999999999999999 999999999999999999\n",
            "line 1: expected 999,.* words as declared there, got 0;",
        ),
        (b"2 2\na 1 2\n", "v, line 1: expected 2 words as declared there, got 1; the file is cut short$"),
        (b"3 2\na 1 2\nb 1\nc 3 4\n", "v, line 3: expected a word and 2 numbers, got 1 number$"),
        (b"3 2\na 1 2\nb\nc 3 4\n", "v, line 3: expected a word and 2 numbers, got 0 numbers$"),
        (b"2 3\na 1 2 3\nnew york 1\n", "v, line 3: expected a word and 3 numbers, got 3 fields$"),
        (b"3 2\na 1 2\nb 3.00000000 4\n", "line 1: expected 3 words as declared there, got 2"),
        (b"2 2\na 1 2\nb 3 4\nc 5 6\n", "line 1: expected 2 words as declared there, got more lines"),
        (b"2 2\na 1 2\n\nb 3 4\n", "line 3: expected a word and 2 numbers, got an empty line$"),
        (b"2 2\na 1.0 2.0\nb 3\n", "line 3: expected a word and 2 numbers, got 1 number$"),
        (b"2 2\na 1 2 3\nb 3 4\n", "line 2: expected a word and 2 numbers, got 3 numbers$"),
        (b"2 2\nx y 5 1 2\nb 3 4\n", "line 2: expected a word and 2 numbers, got more numbers"),
        (b"2 2\na 1 x\nb 3 4\n", "line 2: expected a word and 2 numbers, got 'x' in place of a number"),
        (b"2 2\na 1 1_0\nb 3 4\n", "line 2: .* got '1_0' in place of a number"),
        (b"2 2\na 1 \xd9\xa3\nb 3 4\n", "line 2: .* in place of a number"),
        (b"2 2\na 1 \xff\nb 3 4\n", "line 2: .* in place of a number"),
        (b"2 2\na 1 1,5\nb 3 4\n", "line 2: .* got '1,5' in place of a number"),
        (b"2 2\na 1 0x1\nb 3 4\n", "line 2: .* got '0x1' in place of a number"),
        (b"2 2\na 1 nan\nb 3 4\n", "line 2: expected finite numbers"),
        (b"2 2\na 1 2\nb 3 -inf\n", "line 3: expected finite numbers"),
        (b"2 2\na 1 1e39\nb 3 4\n", "line 2: expected finite numbers"),
        (b"2 2\na 1 2\na 3 4\n", "line 3: the word 'a' stands in line 2 already"),
        (
            b"2 2\na 1 2\n\xe9t\xe9 3 4\n",
            "line 3: expected a word in UTF-8, got b'.xe9t.xe9'; .*errors='replace'",
        ),
        (b"2 2\n" + b"x" * 200_000 + b" 1 2\nb 3 4\n", "line 2: expected a word and 2 numbers"),
    ],
)
def test_text_that_is_wrong(text, fault, tmp_path):
    with pytest.raises(InputError, match=fault) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "v"))
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"2 2\n" + row(b"a", 1, 2), "line 1: expected at least 20 bytes .* got 10"),
        (b"2 2\n" + row(b"a", 1, 2) + row(b"bcd", 3, 4)[:-1], "entry 2: .*got the end of the file"),
        (b"2 2\n" + row(b"a", 1, 2) + b"x" * 70_000, "entry 2: .*got no space within 65,536 bytes"),
        (b"2 2\n" + row(b"a", 1, 2) + row(b"b", 3, 4) + b"x", "expected 2 words .* got 1 byte after"),
        (b"1 2\n" + row(b"a", 1, 2) + b"\n\n", "expected 1 word .* got 2 bytes after"),
        (b"2 2\n" + row(b"a", 1, 2) + row(b"", 3, 4) + b"\n", "entry 2: expected a word, got none"),
        (b"2 2\n" + row(b"a", 1, 2) + row(b"a", 3, 4), "entry 2: the word 'a' stands in entry 1 already"),
        (b"2 2\n" + row(b"a", 1, 2) + row(b"b", np.nan, 4), "entry 2: expected finite numbers"),
        (b"1 2\n" + row(b"z\xbf", 1, 2), "entry 1: expected a word in UTF-8"),
    ],
)
def test_binary_that_is_wrong(data, fault, tmp_path):
    with pytest.raises(InputError, match=fault):
        read(tmp_path, data, binary=True)


@given(st.data())
def test_no_damage_gives_anything_but_an_input_error(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "damaged"
    binary = data.draw(st.booleans())
    rows = [row(b"a", 1, 2), row("猫".encode(), 3, 4)] if binary else [b"a 1 2\n", "猫 3 4.5\n".encode()]
    good = b"2 2\n" + b"".join(rows)
    place = data.draw(st.integers(0, len(good)))
    damaged = (
        good[:place] + data.draw(st.binary(max_size=4)) + good[data.draw(st.integers(place, len(good))) :]
    )
    path.write_bytes(damaged)
    errors = data.draw(st.sampled_from(["strict", "replace"]))
    with warnings.catch_warnings(action="ignore"):
        try:
            found = read_word2vec(path, binary=binary, errors=errors)
        except InputError:
            return
    assert np.isfinite(found.matrix).all()
    assert found.matrix.shape[0] == len(found.vocabulary) > 0


def test_replacing_what_is_no_utf8(tmp_path):
    text = b"2 2\nz\xe9e 1 2\nb 3 4\n"
    with pytest.warns(UserWarning, match="read 2 words; 1 word that is not UTF-8, read with U.FFFD$"):
        assert read(tmp_path, text, errors="replace").vocabulary.words == ("z\ufffde", "b")
    with pytest.raises(InputError, match="errors: expected one of strict, replace"):
        read(tmp_path, text, errors="ignore")


@pytest.mark.parametrize(
    ("thing", "fault"),
    [
        (vectors(["a b"], [[1]]), "holds white space"),
        (vectors([], np.zeros((0, 3))), "at least one"),
        (vectors(["a"], np.zeros((1, 0))), "at least one"),
        (
            WordVectors(Vocabulary(("a",), np.array([1])), csr_array(np.ones((1, 1), np.float32))),
            "sparse vectors",
        ),
    ],
)
def test_vectors_that_could_not_be_read_again_are_not_written(thing, fault, tmp_path):
    for binary in (False, True):
        with pytest.raises(InputError, match=fault):
            write_word2vec(thing, tmp_path / "v", binary=binary)
    assert os.listdir(tmp_path) == []


def test_only_a_file_of_vectors_is_replaced(tmp_path):
    thing = vectors(["a"], [[1]])
    for content in (b"", b"1 1\nold 2\n"):
        (tmp_path / "v").write_bytes(content)
        write_word2vec(thing, tmp_path / "v")
        assert same(read_word2vec(tmp_path / "v"), thing)
    (tmp_path / "v").write_text("my thesis\n")
    with pytest.raises(ArtifactError, match="does not hold word vectors"):
        write_word2vec(thing, tmp_path / "v")
    assert (tmp_path / "v").read_text() == "my thesis\n"
    for path in (tmp_path, "/dev/null"):
        with pytest.raises(ArtifactError, match="regular file"):
            write_word2vec(thing, path)
    with pytest.raises(ArtifactError, match="does not exist"):
        write_word2vec(thing, tmp_path / "missing" / "v")


@pytest.mark.parametrize("name", ["missing", ".", "pipe"])
def test_paths_that_are_no_file(name, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"cannot be opened|regular file"):
        read_word2vec(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lee_fasttext.vec", 1762),
        ("finalfusion_similarity.txt", 41),
        ("finalfusion_similarity.bin", 41),
        ("euclidean_vectors.bin", 2747),
    ],
)
def test_files_of_other_tools_are_read(name, words, shared_data):
    path = shared_data / "odd" / "vectors" / name
    found = read_word2vec(path, binary=name.endswith(".bin"))
    assert len(found) == words
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    theirs = keyedvectors.KeyedVectors.load_word2vec_format(str(path), binary=name.endswith(".bin"))
    assert tuple(theirs.index_to_key) == found.vocabulary.words
    assert theirs.vectors.tobytes() == found.matrix.tobytes()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("vecto_corrupted_emb.txt", "line 2: expected a word and 4 numbers, got 3 numbers"),
        ("vecto_plain_no_file_header_emb.txt", "line 1: expected word2vec's header"),
        ("test_glove.txt", "line 1: expected word2vec's header"),
        ("finalfusion_similarity.nodims", "line 1: expected word2vec's header"),
        ("finalfusion_utf8-incomplete.txt", "line 1: expected word2vec's header"),
        ("finalfusion_utf8-incomplete.bin", "entry 2: expected a word in UTF-8"),
    ],
)
def test_odd_files_of_other_tools_are_one_sentence(name, fault, shared_data):
    path = shared_data / "odd" / "vectors" / name
    with pytest.raises(InputError, match=fault):
        read_word2vec(path, binary=name.endswith(".bin"))
    if "utf8" in name and name.endswith(".bin"):
        with pytest.warns(UserWarning, match="1 word that is not UTF-8"):
            assert read_word2vec(path, binary=True, errors="replace").vocabulary.words[1] == "zee\ufffdn"
