"""Every kind of damage to an artifact is one ArtifactError that names the file, and nothing else."""

import json
import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from storage_samples import FILES, READ, STAGES, WRITE, accept_file, edit_manifest, sample, values

from pmifact.errors import ArtifactError
from pmifact.storage import arrays, artifact_stage, read_manifest, read_vocabulary, verify_artifact

EVERY_FILE = [(stage, name) for stage in STAGES for name in (*FILES[stage], "manifest.json")]
ARRAYS = [(stage, name) for stage in STAGES for name in FILES[stage][1:]]


@pytest.fixture
def make(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # for speed alone

    def make(stage):
        path = tmp_path / f"x.{stage}"
        WRITE[stage](sample(stage), path)
        return path

    return make


def check_refused(path, stage, name, match=None):
    with pytest.raises(ArtifactError, match=match) as caught:
        READ[stage](path)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(ArtifactError):
        verify_artifact(path)


@pytest.mark.parametrize(("stage", "name"), EVERY_FILE)
def test_a_file_cut_short_extended_emptied_missing_or_of_another_kind(stage, name, make):
    path = make(stage)
    data = (path / name).read_bytes()
    for changed in (data[:-2], data[: len(data) // 2], b"", data + b"\n1", b"\0" * len(data)):
        (path / name).write_bytes(changed)
        check_refused(path, stage, name)
    (path / name).unlink()
    check_refused(path, stage, name)
    (path / name).mkdir()
    check_refused(path, stage, name, "regular file")
    (path / name).rmdir()
    os.mkfifo(path / name)
    check_refused(path, stage, name, "regular file")


@pytest.mark.parametrize(("stage", "name"), EVERY_FILE)
def test_one_flipped_bit_anywhere(stage, name, make):
    path = make(stage)
    data = (path / name).read_bytes()
    whole = values(sample(stage))

    @given(st.integers(0, len(data) - 1), st.integers(0, 7))
    def check(place, bit):
        changed = bytearray(data)
        changed[place] ^= 1 << bit
        (path / name).write_bytes(changed)
        try:
            found = READ[stage](path)
        except ArtifactError:
            return
        # White space between the words of JSON may change, and nothing else.
        assert name == "manifest.json"
        assert json.loads(changed) == json.loads(data)
        assert values(found) == whole

    check()


@pytest.mark.parametrize("stage", STAGES)
def test_files_that_changed_places(stage, make):
    path = make(stage)
    first, second = FILES[stage][1:3]
    os.rename(path / first, path / "x")
    os.rename(path / second, path / first)
    os.rename(path / "x", path / second)
    check_refused(path, stage, ".npy")


@pytest.mark.parametrize("stage", STAGES)
def test_the_vocabulary_of_another_artifact(stage, make):
    path = make(stage)
    (path / "vocabulary.tsv").write_text("the\t5\ncafé\t3\n猫\t2\nother\t0\n", encoding="utf-8")
    accept_file(path, "vocabulary.tsv")
    check_refused(path, stage, "vocabulary.tsv", "not those that manifest.json was written for")
    with pytest.raises(ArtifactError, match="not those"):
        read_vocabulary(path)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"the\t5\ncaf\xe9\t3\n", r"line 2: expected UTF-8, got the byte 0xe9 at byte 3"),
        (b"the\t5\ncat 3\n", "line 2: expected a word, a tab and a count"),
        (b"\t5\n", "line 1: expected a word, a tab and a count"),
        (b"the\t5\ncat\t-3\n", "line 2: expected a count from 0"),
        (b"the\t5\ncat\t9223372036854775808\n", "line 2: expected a count from 0"),
        (b"the\t5\ncat\t\xd9\xa3\n", "line 2: expected a count from 0"),
        (b"the\t5\n\ncat\t3\n", "line 2"),
        (b"the\t5\r\ncat\t3\r\n", "line 1: expected a count"),
        (b"the\t5\ncat\t3", "line 2: expected an end of line"),
        (b"the\t5\nthe\t3\n", "'the' stands twice"),
        ("the\t5\na\u2028b\t3\n".encode(), "white space"),
    ],
)
def test_a_vocabulary_that_agrees_with_its_digest_and_is_wrong(text, fault, make):
    path = make("corpus")
    (path / "vocabulary.tsv").write_bytes(text)
    accept_file(path, "vocabulary.tsv")
    check_refused(path, "corpus", "vocabulary.tsv", fault)


@pytest.mark.parametrize(("stage", "name"), ARRAYS)
def test_an_array_of_another_kind_that_agrees_with_its_digest(stage, name, make, tmp_path):
    path = make(stage)
    good = np.load(path / name)
    shutil.copytree(path, tmp_path / "kept")
    others = {
        "swapped bytes": good.astype(good.dtype.newbyteorder(">")),
        "narrower": good.astype(np.int16),
        "complex": good.astype(np.complex64),
        "text": good.astype(str),
        "one more dimension": good[None],
        "no dimension": good.sum(),
        "pickled": np.array([{}], dtype=object),
        "fields": np.zeros(3, [("a", "i4")]),
    }
    for array in others.values():
        shutil.rmtree(path)
        shutil.copytree(tmp_path / "kept", path)
        np.save(path / name, array, allow_pickle=True)
        accept_file(path, name)
        check_refused(path, stage, name, "expected")
        # Nor when the manifest admits to it.
        edit_manifest(
            path, lambda m, array=array: m["files"][name].update(dtype=str(array.dtype), shape=[len(good)])
        )
        check_refused(path, stage, name)


@pytest.mark.parametrize("name", ["words.npy", "contexts.npy"])
def test_fortran_order_is_refused(name, make):
    path = make("factors")
    accept_file(path, name, np.asfortranarray(np.load(path / name)))
    check_refused(path, "factors", name, "in C order.*in Fortran order")


def npy(header, version=(1, 0)):
    text = header.encode("latin-1")
    length = len(text).to_bytes(2 if version == (1, 0) else 4, "little")
    return b"\x93NUMPY" + bytes(version) + length + text


class Evil:
    def __reduce__(self):
        return (os.mkdir, ("pwned",))


@pytest.mark.parametrize(
    "data",
    [
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (6,)}", (2, 0)) + bytes(24),
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (6,), 'more': 1}") + bytes(24),
        npy("{'descr': '<i4', 'fortran_order': False}") + bytes(24),
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (-6,)}") + bytes(24),
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000000000000,)}") + bytes(24),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (6,)}") + bytes(48),
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (6,)}") + bytes(20),
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (6,)}") + bytes(28),
        npy("__import__('os').mkdir('pwned')") + bytes(24),
        npy("(" * 9_000) + bytes(24),
        npy("{" * 60_000) + bytes(24),
        npy("[" * 90 + "]" * 90) + bytes(24),
        pickle.dumps(Evil()),
        b"\x93NUMPY\x01\x00\xff\xff",
        b"PK\x03\x04",
    ],
)
def test_hostile_npy_headers(data, make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = make("corpus")
    (path / "token_ids.npy").write_bytes(data)
    accept_file(path, "token_ids.npy")
    check_refused(path, "corpus", "token_ids.npy")
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    ("stage", "name", "change", "fault"),
    [
        ("corpus", "token_ids", (3, 4), r"token_ids: expected ids in \[-1, 4\), got 4 at 3"),
        ("corpus", "token_ids", (5, -2), r"token_ids: expected ids in \[-1, 4\), got -2 at 5"),
        ("corpus", "sentence_starts", (0, 1), "sentence_starts: expected 0 first and 6 last, got 1 and 6"),
        ("corpus", "sentence_starts", (2, 7), "sentence_starts: expected 0 first and 6 last, got 0 and 7"),
        ("corpus", "sentence_starts", (1, 0), "sentence_starts: expected offsets that rise"),
        ("corpus", "sentence_starts", (1, 6), "sentence_starts: expected offsets that rise"),
        ("counts", "indptr", (0, 1), "indptr: expected 5 offsets from 0 to 6"),
        ("counts", "indptr", (4, 5), "indptr: expected 5 offsets from 0 to 6"),
        ("counts", "indptr", (2, 1), "indptr: expected offsets that never fall"),
        ("counts", "indptr", (2, 2**62), "indptr: expected offsets that never fall"),
        ("counts", "indices", (5, 4), r"indices: expected columns in \[0, 4\), got 4 at 5"),
        ("counts", "indices", (0, -1), r"indices: expected columns in \[0, 4\), got -1 at 0"),
        ("counts", "indices", (1, 0), "indices: expected columns that rise within each row, got one .* at 1"),
        ("counts", "data", (3, 0), "data: expected numerators of at least 1, got 0 at 3"),
        ("counts", "data", (1, -(2**40)), "data: expected numerators of at least 1"),
        ("counts", "data", (slice(0, 2), 2**62), r"data: expected numerators whose sum stays below 2\^63"),
        ("factors", "words", ((2, 1), np.nan), "words: expected finite numbers, got others in row 2"),
        ("factors", "contexts", ((1, 0), np.inf), "contexts: expected finite numbers, got others in row 1"),
        ("factors", "strengths", (0, 0.25), "strengths: expected singular values from the largest down"),
        ("factors", "strengths", (1, -1), "strengths: expected singular values from the largest down"),
        ("factors", "residuals", (0, -1), "residuals: expected numbers of at least 0"),
    ],
)
@pytest.mark.parametrize("block", [1 << 23, 8, 4])
def test_values_out_of_range_that_agree_with_their_digest(
    block, stage, name, change, fault, make, monkeypatch
):
    monkeypatch.setattr(arrays, "_BLOCK_BYTES", block)
    path = make(stage)
    array = np.load(path / f"{name}.npy")
    place, value = change
    array[place] = value
    accept_file(path, f"{name}.npy", array)
    check_refused(path, stage, name, fault)


@pytest.mark.parametrize(
    ("stage", "name", "length"),
    [
        ("corpus", "token_ids", 5),
        ("corpus", "sentence_starts", 0),
        ("counts", "indptr", 4),
        ("counts", "indices", 5),
        ("counts", "data", 5),
        ("factors", "words", 3),
        ("factors", "strengths", 1),
        ("factors", "residuals", 1),
    ],
)
def test_arrays_whose_lengths_disagree(stage, name, length, make):
    path = make(stage)
    accept_file(path, f"{name}.npy", np.load(path / f"{name}.npy")[:length])
    check_refused(path, stage, str(path))


def test_factors_without_dimensions(make):
    path = make("factors")
    for name in ("words", "strengths", "contexts", "residuals"):
        accept_file(path, f"{name}.npy", np.load(path / f"{name}.npy")[..., :0])
    check_refused(path, "factors", str(path))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{",
        b"null",
        b'{"format": 1}',
        b'{"format": 1, "stage": "counts"}',
        b'{"format": 1, "stage": "counts", "stage": "counts"}',
        b'{"format": NaN, "stage": "counts"}',
        b'{"format": 1, "stage": "caf\xe9"}',
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'{"format": 1' + b"0" * 5_000 + b', "stage": "counts"}',
    ],
)
def test_a_manifest_that_is_none(text, make):
    path = make("counts")
    (path / "manifest.json").write_bytes(text)
    check_refused(path, "counts", "manifest.json")
    for look in (read_manifest, artifact_stage, read_vocabulary):
        with pytest.raises(ArtifactError):
            look(path)


def test_a_newer_format_says_so(make):
    path = make("counts")
    edit_manifest(path, lambda manifest: manifest.update(format=2, stage=["anything"]))
    check_refused(path, "counts", "manifest.json", "format: expected 1 at most, got 2.*upgrade pmifact")


def test_an_edited_manifest_is_refused_unless_it_is_sealed_again(make):
    path = make("counts")
    text = (path / "manifest.json").read_text()
    (path / "manifest.json").write_text(text.replace('"unit": 10', '"unit": 11'))
    check_refused(path, "counts", "manifest.json", "its digest does not match")


OLD_MANIFEST = Path(__file__).parent / "golden" / "v1" / "old.counts" / "manifest.json"
KEYS = sorted(json.loads(OLD_MANIFEST.read_bytes()))
EXTRA_KEYS = {"weights_rounded"}  # told to people, needed by no reader


HARMLESS = {
    "pmifact": ["x"],
    "created": ["x"],
    "inputs": [[], [1]],
    "history": [[], [1]],
    "seed": [-1],
    "threads": [-1],
    "seconds": [{"": None}],
    "versions": [{"": None}],
}


@pytest.mark.parametrize("key", [key for key in KEYS if key not in EXTRA_KEYS | {"manifest_sha256"}])
def test_a_manifest_with_a_wrong_value_is_refused_or_harmless(key, make):
    path = make("counts")
    good = (path / "manifest.json").read_bytes()
    edit_manifest(path, lambda manifest: manifest.pop(key))
    check_refused(path, "counts", str(path))
    for value in (-1, 1.5, True, "x", [], [1], {"": None}):
        (path / "manifest.json").write_bytes(good)
        edit_manifest(path, lambda manifest, value=value: manifest.update({key: value}))
        if value in HARMLESS.get(key, []) and value is not True:
            READ["counts"](path)
        else:
            check_refused(path, "counts", str(path))


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"bytes": "1"},
        {"bytes": -1, "sha256": "0" * 64},
        {"bytes": 1, "sha256": "Z" * 64},
        {"bytes": 1, "sha256": 7},
        {"bytes": True, "sha256": "0" * 64},
        {"bytes": 1, "sha256": "0" * 64, "dtype": 4},
        {"bytes": 1, "sha256": "0" * 64, "shape": 4},
        {"bytes": 1, "sha256": "0" * 64, "shape": [-1]},
        {"bytes": 1, "sha256": "0" * 64, "shape": [True]},
        {"bytes": 1, "sha256": "0" * 64, "shape": [2**70]},
    ],
)
def test_a_file_entry_with_a_wrong_value(entry, make):
    path = make("counts")
    edit_manifest(path, lambda manifest: manifest["files"].update({"data.npy": entry}))
    check_refused(path, "counts", "data.npy")


@pytest.mark.parametrize("name", ["../outside.npy", "/etc/passwd", "columns.tsv", "data.npy/../x", ""])
def test_names_in_a_manifest_are_never_opened(name, make, tmp_path):
    path = make("counts")
    (tmp_path / "outside.npy").write_bytes(b"")
    edit_manifest(path, lambda m: m["files"].update({name: dict(m["files"]["data.npy"])}))
    check_refused(path, "counts", "manifest.json", "is unknown here; upgrade pmifact")


def test_a_missing_entry_and_an_unknown_stage(make):
    path = make("counts")
    edit_manifest(path, lambda manifest: manifest["files"].pop("data.npy"))
    check_refused(path, "counts", "manifest.json", r"expected an entry for data\.npy, got none")
    edit_manifest(path, lambda manifest: manifest.update(stage="phrases"))
    check_refused(path, "counts", str(path), "stage 'phrases' is unknown here; upgrade")


@pytest.mark.parametrize(
    ("stage", "key", "value", "fault"),
    [
        ("counts", "window", "5", "wrong type"),
        ("counts", "window", [5], "wrong type"),
        ("counts", "window", [5, "5"], "wrong type"),
        ("counts", "window", [0, 0], "window"),
        ("counts", "weighting", "cubic", "weighting: expected one of"),
        ("counts", "subsample", "x", "wrong type"),
        ("counts", "seed", None, "wrong type"),
        ("counts", "seed", True, "wrong type"),
        ("counts", "sideways", True, "'sideways' is unknown here.*upgrade"),
        ("corpus", "lowercase", 1, "wrong type"),
        ("corpus", "min_count", 1.5, "wrong type"),
        ("corpus", "max_vocab", 0, "max_vocab"),
        ("corpus", "errors", "ignore", "errors: expected one of"),
    ],
)
def test_options_that_no_run_could_have_had(stage, key, value, fault, make):
    path = make(stage)
    edit_manifest(path, lambda manifest: manifest["options"].update({key: value}))
    check_refused(path, stage, "manifest.json", fault)


@pytest.mark.parametrize("unit", [0, -1, 2**63, None, "10", 10.0, True])
def test_a_unit_that_is_no_positive_integer(unit, make):
    path = make("counts")
    edit_manifest(path, lambda manifest: manifest.update(unit=unit))
    check_refused(path, "counts", "unit")


@pytest.mark.parametrize(
    "inputs", [[{}], [{"name": 1, "size": 2, "sha256": ""}], [{"name": "", "size": 1}], ["a.txt"]]
)
def test_inputs_of_a_corpus_that_are_none(inputs, make):
    path = make("corpus")
    edit_manifest(path, lambda manifest: manifest.update(inputs=inputs))
    check_refused(path, "corpus", "inputs")


def test_a_file_that_cannot_be_read(make, monkeypatch):
    from pmifact.storage import artifact

    path = make("counts")

    def broken(file):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(artifact, "digest_of", broken)
    check_refused(path, "counts", str(path), "cannot be read: Input/output error")
