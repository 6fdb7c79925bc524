"""Every format of vectors: exact round trips, other tools on the other side, and hostile files."""

import io
import json
import os
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from storage_samples import sample
from vector_samples import odd_words, same, vectors, word_vectors

from pmifact.errors import ArtifactError, InputError
from pmifact.ppmi import sppmi
from pmifact.storage import arrays, check_target, read_vectors, write_vectors
from pmifact.storage.formats import parquet, safetensors
from pmifact.storage.formats.table import FORMATS
from pmifact.vectors import WordVectors

THING = vectors(["the", "café", "猫", "e\u0301", "<unk>"], np.random.default_rng(1).normal(size=(5, 7)))
ENDINGS = sorted(FORMATS)
# An .npz drops a NUL at the end of a word.
WORDS = {".npz": odd_words.filter(lambda word: not word.endswith("\0"))}


def load(path, **options):
    return read_vectors(path, normalize=False, **options)


# --- what is written is read --------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [*ENDINGS, "headerless.txt"])
def test_round_trip_is_exact(ending, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # for speed alone
    path = tmp_path / f"v{ending}"

    @given(word_vectors(WORDS.get(ending, odd_words)))
    def check(thing):
        if "headerless" in ending:
            path.unlink(missing_ok=True)  # a word and one number look like counts, which are not replaced
        write_vectors(thing, path, header="headerless" not in ending)
        if "headerless" in ending and thing.vocabulary.words[0].isdigit() and thing.matrix.shape[1] == 1:
            return  # a first row of two whole numbers is a header
        assert same(load(path), thing)

    check()
    assert all(name.startswith("v") for name in os.listdir(tmp_path))


@pytest.mark.parametrize("ending", ENDINGS)
def test_many_blocks_are_written_and_read(ending, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_BLOCK_BYTES", 100)
    monkeypatch.setattr(parquet, "_ROWS", 7)
    thing = vectors([f"w{i}" for i in range(101)], np.random.default_rng(0).normal(size=(101, 11)))
    path = tmp_path / f"v{ending}"
    write_vectors(thing, path)
    assert same(load(path), thing)
    assert np.array_equal(read_vectors(path).matrix, thing.unit)


@pytest.mark.parametrize("ending", ENDINGS)
def test_older_vectors_are_replaced_and_nothing_else(ending, tmp_path):
    path = tmp_path / f"v{ending}"
    write_vectors(THING, path)
    write_vectors(vectors(["a"], [[1, 2]]), path)
    assert load(path).vocabulary.words == ("a",)
    check_target(path, "vectors")
    for content in (
        b"my thesis\n",
        b"word\t7\n",
        b"PAR1",
        b"PK\x03\x04",
        b"\x00" * 100,
        b"\x08\0\0\0\0\0\0\0null    ",
    ):
        path.write_bytes(content)
        for refuse in (lambda: write_vectors(THING, path), lambda: check_target(path, "vectors")):
            with pytest.raises(ArtifactError, match="is there already and does not hold word vectors"):
                refuse()
        assert path.read_bytes() == content


def test_vectors_of_other_kinds_are_not_replaced(tmp_path):
    np.savez(tmp_path / "v.npz", counts=np.ones(3))
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"text": ["my corpus"]}).to_parquet(tmp_path / "v.parquet")
    pytest.importorskip("safetensors.numpy").save_file({"weight": np.ones(3)}, tmp_path / "v.safetensors")
    for name in os.listdir(tmp_path):
        with pytest.raises(ArtifactError, match="does not hold word vectors"):
            write_vectors(THING, tmp_path / name)
    (tmp_path / "n.tsv").write_text("1\t2\n")
    with pytest.raises(ArtifactError, match="does not hold word vectors"):
        write_vectors(THING, tmp_path / "n.tsv")
    (tmp_path / "w.metadata.tsv").write_text("my notes\n")
    with pytest.raises(ArtifactError, match=r"w\.metadata\.tsv: is there already, without w\.tsv"):
        write_vectors(THING, tmp_path / "w.tsv")


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_could_not_be_read_again_is_not_written(ending, tmp_path):
    path = tmp_path / f"v{ending}"
    counts = sample("counts")
    for thing, fault in (
        (vectors(["a b"], [[1]]), "holds white space"),
        (vectors(["a"], np.zeros((1, 0))), "at least one"),
        (WordVectors(counts.vocabulary, sppmi(counts)), "sparse vectors"),
    ):
        with pytest.raises(InputError, match=fault):
            write_vectors(thing, path)
    assert os.listdir(tmp_path) == []


def test_words_that_an_npz_cannot_hold(tmp_path):
    with pytest.raises(InputError, match="ends in a NUL"):
        write_vectors(vectors(["a\0"], [[1]]), tmp_path / "v.npz")
    long = vectors(["x" * 2_000_000, *map(str, range(200))], np.ones((201, 1)))
    with pytest.raises(
        InputError, match=r"of 2,000,000 characters .* more than 1 GiB; .* write \.safetensors"
    ):
        write_vectors(long, tmp_path / "v.npz")
    write_vectors(long, tmp_path / "v.safetensors")
    assert same(load(tmp_path / "v.safetensors"), long)


def test_only_text_has_a_header_to_leave_out(tmp_path):
    write_vectors(vectors(["a", "b"], [[1, 0.5], [2, 3]]), tmp_path / "v.vec", header=False)
    assert (tmp_path / "v.vec").read_bytes() == b"a 1 0.5\nb 2 3\n"
    with pytest.raises(InputError, match=r"header=False applies to \.txt and \.vec only"):
        write_vectors(THING, tmp_path / "v.npz", header=False)


# --- other tools --------------------------------------------------------------------------------------


def test_numpy_reads_ours_and_we_read_numpys(tmp_path):
    write_vectors(THING, tmp_path / "ours.npz")
    with np.load(tmp_path / "ours.npz") as theirs:
        assert tuple(theirs["words"].tolist()) == THING.vocabulary.words
        assert theirs["vectors"].tobytes() == THING.matrix.tobytes()
    words = np.array(THING.vocabulary.words)
    encoded = np.array([word.encode() for word in THING.vocabulary.words])
    for save, names, matrix in (
        (np.savez_compressed, words, THING.matrix),
        (np.savez, encoded, np.asfortranarray(THING.matrix)),
        (np.savez, words.astype(words.dtype.newbyteorder(">")), THING.matrix.astype(">f8")),
        (np.savez, words, THING.matrix.astype(np.float64)),
    ):
        save(tmp_path / "v.npz", words=names, vectors=matrix, extra=np.ones(2))
        assert same(load(tmp_path / "v.npz"), THING)
    np.savez(tmp_path / "half.npz", words=words, vectors=THING.matrix.astype(np.float16))
    assert load(tmp_path / "half.npz").matrix.tolist() == THING.matrix.astype(np.float16).tolist()


def test_safetensors_reads_ours_and_we_read_its(tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    write_vectors(THING, tmp_path / "ours.safetensors")
    theirs = library.load_file(tmp_path / "ours.safetensors")
    assert tuple(theirs["words"].tobytes().decode().splitlines()) == THING.vocabulary.words
    assert theirs["vectors"].tobytes() == THING.matrix.tobytes()
    words = np.frombuffer("\n".join(THING.vocabulary.words).encode(), np.uint8)  # without the last newline
    library.save_file({"vectors": THING.matrix.astype(float), "words": words}, tmp_path / "v.safetensors")
    assert same(load(tmp_path / "v.safetensors"), THING)


def test_arrow_and_pandas_read_ours_and_we_read_theirs(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    write_vectors(THING, tmp_path / "ours.parquet")
    frame = pandas.read_parquet(tmp_path / "ours.parquet")
    assert tuple(frame["word"]) == THING.vocabulary.words
    assert np.stack(frame["vector"]).tobytes() == THING.matrix.tobytes()
    frame.to_parquet(tmp_path / "frame.parquet")
    assert same(load(tmp_path / "frame.parquet"), THING)
    words, rows = list(THING.vocabulary.words), THING.matrix.tolist()
    for word, vector in (  # the first is what Spark's Word2VecModel saves
        (arrow.string(), arrow.list_(arrow.float32())),
        (arrow.large_string(), arrow.large_list(arrow.float64())),
        (arrow.string(), arrow.list_(arrow.float32(), 7)),
        (arrow.binary(), arrow.list_(arrow.float64())),
    ):
        table = arrow.table(
            {"id": range(5), "vector": arrow.array(rows, vector), "word": arrow.array(words, word)}
        )
        parquet._library(tmp_path)[1].write_table(table, tmp_path / "v.parquet", row_group_size=2)
        assert same(load(tmp_path / "v.parquet"), THING)


def test_gensim_reads_our_headerless_text_and_we_read_its(tmp_path):
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    write_vectors(THING, tmp_path / "ours.txt", header=False)
    theirs = keyedvectors.KeyedVectors.load_word2vec_format(str(tmp_path / "ours.txt"), no_header=True)
    assert tuple(theirs.index_to_key) == THING.vocabulary.words
    assert theirs.vectors.tobytes() == THING.matrix.tobytes()
    theirs.save_word2vec_format(str(tmp_path / "theirs.txt"), write_header=False)
    assert same(load(tmp_path / "theirs.txt"), THING)


def test_gensims_own_fasttext_vectors_are_read(tmp_path):
    fasttext = pytest.importorskip("gensim.models.fasttext")
    model = fasttext.FastText(
        [["the", "cat", "sat"], ["the", "dog", "sat"]] * 5, vector_size=8, min_count=1, bucket=50, epochs=1
    )
    model.wv.save_word2vec_format(str(tmp_path / "v.vec"))
    found = load(tmp_path / "v.vec")
    assert found.vocabulary.words == tuple(model.wv.index_to_key)
    assert found.matrix.tobytes() == model.wv.vectors.tobytes()
    fasttext.save_facebook_model(model, str(tmp_path / "v.bin"))
    with pytest.raises(InputError, match=r"got a model of fastText; read the \.vec file"):
        load(tmp_path / "v.bin")


def test_gensims_files_for_the_projector_are_read(tmp_path):
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    converter = pytest.importorskip("gensim.scripts.word2vec2tensor")
    write_vectors(THING, tmp_path / "v.txt")
    converter.word2vec2tensor(str(tmp_path / "v.txt"), str(tmp_path / "v"))
    theirs = keyedvectors.KeyedVectors.load_word2vec_format(str(tmp_path / "v.txt"))
    found = load(tmp_path / "v_tensor.tsv")
    assert found.vocabulary.words == tuple(theirs.index_to_key)
    assert found.matrix.tobytes() == theirs.vectors.tobytes()


def test_files_for_the_projector_go_by_several_names(tmp_path):
    numbers, words = b"1\t2\r\n3\t4\r\n", b"a\r\nb c\r\n"
    for name, beside in (
        ("vectors.tsv", "metadata.tsv"),
        ("vecs.tsv", "meta.tsv"),
        ("x.tsv", "x.metadata.tsv"),
    ):
        (tmp_path / name).write_bytes(numbers)
        (tmp_path / beside).write_bytes(words)
        assert load(tmp_path / name).vocabulary.words == ("a", "b c")
        assert load(tmp_path / name).matrix.tolist() == [[1, 2], [3, 4]]
    (tmp_path / "x.metadata.tsv").write_bytes(b"word\tcount\na\t3\nb\t2\n")
    assert load(tmp_path / "x.tsv").vocabulary.words == ("a", "b")
    write_vectors(vectors(["a", "b"], [[1, 0.5], [2, 3]]), tmp_path / "y.tsv")
    assert (tmp_path / "y.tsv").read_bytes() == b"1\t0.5\n2\t3\n"
    assert (tmp_path / "y.metadata.tsv").read_bytes() == b"a\nb\n"
    (tmp_path / "z.tsv").write_bytes(numbers)
    with pytest.raises(
        InputError, match=r"z\.tsv: expected its words in z\.metadata\.tsv beside it, got no such"
    ):
        load(tmp_path / "z.tsv")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("test_glove.txt", 76),
        ("finalfusion_similarity.nodims", 41),
        ("vecto_plain_no_file_header_emb.txt", 5),
    ],
)
def test_headerless_files_of_other_tools_are_read(name, words, shared_data, tmp_path):
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    (tmp_path / "v.txt").write_bytes((shared_data / "odd/vectors" / name).read_bytes())
    found = load(tmp_path / "v.txt")
    theirs = keyedvectors.KeyedVectors.load_word2vec_format(str(tmp_path / "v.txt"), no_header=True)
    assert len(found) == words
    assert found.vocabulary.words == tuple(theirs.index_to_key)
    assert found.matrix.tobytes() == theirs.vectors.tobytes()


# --- what is odd: one sentence, or left out and counted -----------------------------------------------


@pytest.mark.parametrize(
    ("name", "strict", "kept", "counted"),
    [
        ("vecto_corrupted_emb.txt", "line 2: expected a word and 4 numbers, got 3 numbers", 6,
         "1 line with other than 4 numbers left out"),
        ("finalfusion_utf8-incomplete.txt", "line 2: expected a word in UTF-8", 3, "1 word that is not"),
        ("finalfusion_utf8-incomplete.bin", "entry 2: expected a word in UTF-8", 3, "1 word that is not"),
    ],
)  # fmt: skip
def test_odd_files_of_other_tools(name, strict, kept, counted, shared_data):
    path = shared_data / "odd" / "vectors" / name
    with pytest.raises(InputError, match=strict):
        load(path)
    with pytest.warns(UserWarning, match=counted) as caught:
        assert len(load(path, errors="replace")) == kept
    assert len(caught) == 1
    assert str(caught[0].message).startswith(f"{path}: read {kept} words; ")


ODD = b"".join(
    [
        b"9 2\n",
        b"a 1 2\n",
        b"b\xff 3 4\n",
        b"a 5 6\n",
        b"short 1\n",
        b"long 1 2 3\n",
        b"c nan 1\n",
        b"d 1 1e39\n",
        b"e 1 x\n",
        b"f 7 8\n",
    ]
)


@pytest.mark.parametrize("text", [ODD.replace(b"9 2", b"7 5"), ODD, ODD.partition(b"\n")[2]])
def test_odd_rows_of_text_are_left_out_and_counted(text, tmp_path):
    path = tmp_path / "v.txt"
    path.write_bytes(text)
    with pytest.raises(InputError):
        load(path)
    with pytest.warns(UserWarning, match="read 3 words") as caught:
        found = load(path, errors="replace")
    assert found.vocabulary.words == ("a", "b\ufffd", "f")
    assert found.matrix.tolist() == [[1, 2], [3, 4], [7, 8]]
    (told,) = [str(warning.message) for warning in caught]
    for part in (
        "1 word that is not UTF-8, read with U+FFFD",
        "1 repeated word left out",
        "3 lines with other than 2 numbers left out",
        "2 vectors with NaN or infinity left out",
    ):
        assert part in told
    assert ("the header declares 7, the file has 9 lines after it" in told) == text.startswith(b"7")
    assert ("declares 5 dimensions, the rows have 2" in told) == text.startswith(b"7")


def test_odd_rows_of_binary_files_are_left_out_and_counted(tmp_path):
    def row(word, *numbers):
        return word + b" " + np.array(numbers, "<f4").tobytes()

    rows = [row(b"a", 1, 2), row(b"a", 3, 4), row(b"b\xff", np.inf, 1), row(b"c", 5, 6)]
    for count, after, told in (
        (9, b"", "the header declares 9, the file ends in entry 5"),
        (4, b"rest", "4 bytes after the 4 that the header declares not read"),
        (4, b"", "1 word that is not UTF-8"),
    ):
        (tmp_path / "v.bin").write_bytes(b"%d 2\n" % count + b"".join(rows) + after)
        with pytest.raises(InputError):
            load(tmp_path / "v.bin")
        with pytest.warns(UserWarning, match=told):
            found = load(tmp_path / "v.bin", errors="replace")
        assert found.vocabulary.words == ("a", "c")
        assert found.matrix.tolist() == [[1, 2], [5, 6]]


def odd_npz(path, words, matrix):
    np.savez(path, words=np.array([word.encode() for word in words]), vectors=matrix)


def odd_safetensors(path, words, matrix):
    library = pytest.importorskip("safetensors.numpy")
    library.save_file({"vectors": matrix, "words": np.frombuffer("\n".join(words).encode(), np.uint8)}, path)


def odd_parquet(path, words, matrix):
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"word": words, "vector": list(matrix)}).to_parquet(path)


def odd_projector(path, words, matrix):
    np.savetxt(path, matrix, delimiter="\t")
    path.with_suffix(".metadata.tsv").write_text("\n".join(words))


WRITERS = {".npz": odd_npz, ".safetensors": odd_safetensors, ".parquet": odd_parquet, ".tsv": odd_projector}


@pytest.mark.parametrize("ending", WRITERS)
def test_odd_rows_of_other_formats_are_left_out_and_counted(ending, tmp_path):
    path = tmp_path / f"v{ending}"
    WRITERS[ending](path, ["a", "b", "a", "", "c"], np.array([[1, 2], [np.nan, 0], [3, 4], [5, 6], [7, 8]]))
    place = "line" if ending == ".tsv" else "row"
    with pytest.raises(InputError, match=f"{place} 3: the word 'a' stands in {place} 1 already"):
        load(path)
    with pytest.warns(
        UserWarning, match="read 2 words; 1 repeated .*; 1 .* without a word left out; 1 vector with"
    ):
        found = load(path, errors="replace")
    assert found.vocabulary.words == ("a", "c")
    assert found.matrix.tolist() == [[1, 2], [7, 8]]


@pytest.mark.parametrize("errors", ["strict", "replace"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_damage_gives_anything_but_an_input_error(ending, errors, tmp_path):
    good = tmp_path / f"good{ending}"
    write_vectors(THING, good)
    content = good.read_bytes()
    path = tmp_path / f"v{ending}"
    if ending == ".tsv":
        (tmp_path / "v.metadata.tsv").write_bytes((tmp_path / "good.metadata.tsv").read_bytes())

    @given(st.data())
    def check(data):
        place = data.draw(st.integers(0, len(content)))
        rest = data.draw(st.integers(place, min(len(content), place + 20)) | st.just(len(content)))
        path.write_bytes(content[:place] + data.draw(st.binary(max_size=9)) + content[rest:])
        with warnings.catch_warnings(action="ignore"):
            try:
                found = load(path, errors=errors)
            except InputError as error:
                fault = str(error)
                found = None
        if found is None:
            assert fault.startswith(str(path))
            assert "\n" not in fault
            return
        assert np.isfinite(found.matrix).all()
        assert len(found.matrix) == len(found.vocabulary) > 0

    check()


# --- hostile files ------------------------------------------------------------------------------------


def zipped(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)


def npy(dtype, shape, content=b""):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue() + content


WORDS_NPY = npy("<U1", (2,), np.array(["a", "b"]).tobytes())


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"words": WORDS_NPY}, "expected the arrays 'words' and 'vectors', got 'words'; save them with"),
        (
            {"words": npy("|O", (2,), b"\x80\x04."), "vectors": npy("<f4", (2, 1), bytes(8))},
            "got Python objects",
        ),
        (
            {"words": WORDS_NPY, "vectors": npy("<f4", (2, 10**15), bytes(8))},
            "as its header says, got 8 bytes",
        ),
        (
            {"words": WORDS_NPY, "vectors": npy("<f4", (3, 1), bytes(12))},
            r"got 2 words and vectors of shape \(3, 1\)",
        ),
        (
            {"words": WORDS_NPY, "vectors": npy("<f4", (2,), bytes(8))},
            r"in 2 dimensions, got float32 of shape \(2,\)",
        ),
        (
            {"words": WORDS_NPY, "vectors": npy("<i4", (2, 1), bytes(8))},
            "floating-point numbers .* got int32",
        ),
        ({"words": WORDS_NPY, "vectors": npy("<c8", (1, 1), bytes(8))}, "got the dtype '<c8'"),
        (
            {"words": npy("<f4", (2,), bytes(8)), "vectors": npy("<f4", (2, 1), bytes(8))},
            "words: expected texts",
        ),
        ({"words": npy("<U1", (2,), b"\xff" * 8), "vectors": npy("<f4", (2, 1), bytes(8))}, "expected texts"),
        (
            {"words": npy("<U9999999", (), bytes(39999996)), "vectors": npy("<f4", (2, 1), bytes(8))},
            "of shape ()",
        ),
        ({"words": b"nothing", "vectors": b""}, "expected a .npy file of plain numbers"),
    ],
)
def test_hostile_npz_files(members, fault, tmp_path):
    zipped(tmp_path / "v.npz", members)
    with pytest.raises(InputError, match=fault):
        load(tmp_path / "v.npz")


def test_an_npz_that_would_fill_the_memory(tmp_path):
    rows = 20_000
    matrix = npy("<f4", (rows, 300), bytes(4 * 300 * rows))
    words = npy("<U5", (rows,), np.array([f"{row:05}" for row in range(rows)]).tobytes())
    zipped(tmp_path / "v.npz", {"words": words, "vectors": matrix}, zipfile.ZIP_DEFLATED)
    with pytest.raises(
        InputError, match=r"declares 20,000 words of 300 dimensions, which .* bytes cannot hold"
    ):
        load(tmp_path / "v.npz")


def test_an_npz_of_counts_is_told_of(tmp_path):
    np.savez(tmp_path / "v.npz", indices=np.ones(3), indptr=np.ones(3), data=np.ones(3), shape=[3, 3])
    with pytest.raises(InputError, match="got 'indices', 'indptr', 'data', 'shape'"):
        load(tmp_path / "v.npz")


def with_header(header, body=b""):
    content = json.dumps(header).encode() if not isinstance(header, bytes) else header
    return len(content).to_bytes(8, "little") + content + body


def tensor(dtype, shape, start, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


NUMBER = tensor("F32", [1, 1], 0, 4)


@pytest.mark.parametrize(
    ("header", "body", "fault"),
    [
        (b"{" * 1000, b"", "expected a .safetensors file"),
        ({"weight": NUMBER}, bytes(4), "expected the tensors .* got 'weight'"),
        ({"vectors": tensor("F32", [2, 2**40], 0, 8)}, bytes(8), "expected a .safetensors file"),
        ({"vectors": tensor("BF16", [1, 1], 0, 2), "words": tensor("U8", [1], 2, 3)}, b"\0\0a", "expected"),
        ({"vectors": NUMBER, "words": tensor("I8", [1], 4, 5)}, b"\0\0\0\0a", "words: expected bytes in one"),
        (
            {"vectors": NUMBER, "words": tensor("U8", [3], 4, 7)},
            b"\0\0\0\0a\nb",
            "got 2 words and vectors of",
        ),
    ],
)
def test_hostile_safetensors_headers(header, body, fault, tmp_path):
    pytest.importorskip("safetensors")
    (tmp_path / "v.safetensors").write_bytes(with_header(header, body))
    with pytest.raises(InputError, match=fault):
        load(tmp_path / "v.safetensors")


@pytest.mark.parametrize("content", [b"", (2**63).to_bytes(8, "little") + b"{}", b"\x02\0\0"])
def test_what_is_no_safetensors_file(content, tmp_path):
    pytest.importorskip("safetensors")
    (tmp_path / "v.safetensors").write_bytes(content)
    with pytest.raises(InputError, match=r"expected a \.safetensors file that NumPy can hold: "):
        load(tmp_path / "v.safetensors")


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        (
            {"text": ["a"]},
            r"expected a column 'word' of text and a column 'vector' .* got text \((large_)?string\)",
        ),
        ({"word": [1], "vector": [[1.0]]}, "expected a column 'word' of text"),
        ({"word": ["a"], "vector": [["x"]]}, "lists of floating-point numbers"),
        (
            {"word": ["a", "b"], "vector": [[1.0, 2.0], [3.0]]},
            "row 2: expected 2 numbers, as in row 1, got 1",
        ),
        ({"word": ["a", None], "vector": [[1.0], [2.0]]}, "expected a word and a vector, got null"),
        ({"word": ["a", "b"], "vector": [[1.0], None]}, "expected a word and a vector, got null"),
        ({"word": ["a", "b"], "vector": [[1.0], [None]]}, "row 2: expected finite numbers"),
        ({"word": ["a"], "vector": [[0.0] * 1_000_000]}, "declares 1 word of 1,000,000 dimensions"),
    ],
)
def test_hostile_parquet_files(columns, fault, tmp_path):
    arrow = pytest.importorskip("pyarrow")
    arrow.parquet.write_table(arrow.table(columns), tmp_path / "v.parquet") if hasattr(
        arrow, "parquet"
    ) else None
    with pytest.raises(InputError, match=fault):
        load(tmp_path / "v.parquet")


@pytest.mark.parametrize(
    ("numbers", "words", "fault"),
    [
        (b"1\t2\n3\t4\n", b"a\n", "got 2 lines, and 1 word in .*v.metadata.tsv"),
        (b"1\t2\n3\n", b"a\nb\n", "line 2: expected 2 numbers, got '3'"),
        (b"1\t2\n3\tx\n", b"a\nb\n", r"line 2: expected 2 numbers, got '3\\tx'"),
        (b"", b"", "at least one word, got 0 lines"),
        (b"\n\n", b"a\nb\n", "line 1: expected 1 number, got ''"),
        (b"1 " * 50_000 + b"\n" * 50_000, b"a\n" * 50_000, "line 2: expected 50,000 numbers, got ''"),
    ],
)
def test_projector_files_that_are_wrong(numbers, words, fault, tmp_path):
    (tmp_path / "v.tsv").write_bytes(numbers)
    (tmp_path / "v.metadata.tsv").write_bytes(words)
    with pytest.raises(InputError, match=fault):
        load(tmp_path / "v.tsv")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "line 1: expected word2vec's header, two whole numbers, or a word and its numbers as GloVe"),
        (b"my thesis\nis long\n", "line 1: expected word2vec's header, .* got 'my thesis"),
        (b"a 1 2\nb 3\n", "line 2: expected a word and 2 numbers, got 1 number$"),
        (b"a 1 2\nb 3 4 5\n", "line 2: expected a word and 2 numbers, got 3 numbers"),
        (b"a 1 2\na 3 4\n", "line 2: the word 'a' stands in line 1 already"),
        (
            b"a" + b" 1" * 100_000 + b"\n" + b"b 1\n" * 100_000,
            "line 2: expected a word and 100,000 numbers, got 1 number$",
        ),
    ],
)
def test_headerless_text_that_is_wrong(text, fault, tmp_path):
    (tmp_path / "v.txt").write_bytes(text)
    with pytest.raises(InputError, match=fault):
        load(tmp_path / "v.txt")


@pytest.mark.parametrize(
    ("ending", "module", "extra"),
    [(".safetensors", safetensors, "safetensors"), (".parquet", parquet, "parquet")],
)
def test_a_library_that_is_missing_is_told_of(ending, module, extra, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, {"parquet": "pyarrow"}.get(extra, extra), None)
    for use in (lambda path: write_vectors(THING, path), load):
        with pytest.raises(InputError, match=rf"install it with: pip install 'pmifact\[{extra}\]'"):
            use(tmp_path / f"v{ending}")
