"""Each command on a small text: what it writes, what it says, what it refuses (scores: test_cli_evaluate)."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_samples import TOPICS, in_process, in_subprocess, make_all, write_text
from scipy.sparse import load_npz

import pmifact
from pmifact import DeviceError, sppmi
from pmifact.storage import (
    artifact_source,
    read_corpus,
    read_counts,
    read_factors,
    read_manifest,
    read_vectors,
)


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the text, its gold sets, and an artifact of each stage."""
    return make_all(tmp_path_factory.mktemp("made"))


def data_files(artifact):
    return {path.name: path.read_bytes() for path in Path(artifact).iterdir() if path.name != "manifest.json"}


# --- the stages ---------------------------------------------------------------------------------------


def test_encode_gives_what_the_api_gives(made):
    ours = read_corpus(made / "small.corpus")
    theirs = pmifact.encode_corpus(made / "small.txt")
    assert ours.vocabulary == theirs.vocabulary
    np.testing.assert_array_equal(ours.token_ids, theirs.token_ids)
    assert ours.sources == theirs.sources


def test_encode_passes_every_option(cli, tmp_path):
    text = tmp_path / "odd.txt"
    text.write_bytes("Don't stop\n\nE\u0301TE\u0301 été x x x\n".encode("latin-1", "ignore"))
    outcome = cli(
        *(
            "encode",
            text,
            "-o",
            tmp_path / "x.corpus",
            "--tokenizer",
            "words",
            "--lowercase",
            "--normalize",
            "nfc",
        ),
        *(
            "--boundary",
            "blank",
            "--min-count",
            "1",
            "--max-vocab",
            "3",
            "--encoding",
            "latin-1",
            "--errors",
            "replace",
        ),
    )
    assert outcome.status == 0
    options = read_manifest(tmp_path / "x.corpus")["options"]
    assert options == {
        "tokenizer": "words",
        "lowercase": True,
        "normalize": "nfc",
        "boundary": "blank",
        "min_count": 1,
        "max_vocab": 3,
        "exclude": None,
        "encoding": "latin-1",
        "errors": "replace",
        "input_format": "auto",
        "field": "text",
        "column": "form",
        "given_vocabulary": False,
    }
    assert read_corpus(tmp_path / "x.corpus").vocabulary.words[0] == "x"


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        ('{"body": "a b a"}\n', ("--input-format", "jsonl", "--field", "body"), ("a", "b")),
        ("1\ta\tA" + "\t_" * 7 + "\n", ("--input-format", "conllu", "--column", "lemma"), ("A",)),
    ],
)
def test_encode_and_count_read_records(cli, tmp_path, content, options, words):
    text = tmp_path / "records"
    text.write_text(content)
    for command, read in (("encode", read_corpus), ("count", read_counts)):
        outcome = cli(command, text, "-o", tmp_path / command, "--min-count", "1", *options)
        assert outcome.status == 0, outcome.err
        assert read(tmp_path / command).vocabulary.words == words


def test_encode_reads_standard_input(made, tmp_path):
    with open(made / "small.txt") as text:
        outcome = in_subprocess("encode", "-", "-o", tmp_path / "x.corpus", stdin=text)
    assert outcome.status == 0, outcome.err
    assert data_files(tmp_path / "x.corpus") == data_files(made / "small.corpus")


@pytest.mark.parametrize("given", ["small.corpus", "small.counts", "words.txt"])
def test_encode_takes_the_vocabulary_of_an_artifact_or_a_file(cli, made, tmp_path, given):
    words = read_corpus(made / "small.corpus").vocabulary.words
    (made / "words.txt").write_text("".join(f"{word}\n" for word in words))
    other = write_text(tmp_path / "other.txt", sentences=50, seed=1)
    assert cli("encode", other, "-o", tmp_path / "x.corpus", "--vocabulary", made / given).status == 0
    vocabulary = read_corpus(tmp_path / "x.corpus").vocabulary
    assert vocabulary.words == words
    tokens = other.read_text().split()
    assert vocabulary.counts.tolist() == [tokens.count(word) for word in words]


def test_count_of_text_and_of_its_corpus_are_the_same(cli, made, tmp_path):
    assert cli("count", made / "small.txt", "-o", tmp_path / "x.counts").status == 0
    assert data_files(tmp_path / "x.counts") == data_files(made / "small.counts")
    ours, theirs = read_manifest(tmp_path / "x.counts"), read_manifest(made / "small.counts")
    assert ours["options"] == theirs["options"]
    assert ours["history"] == theirs["history"]
    assert ours["inputs"][0]["name"] == str(made / "small.txt")
    assert theirs["inputs"][0]["name"] == str(made / "small.corpus")


def test_count_passes_every_option(cli, made, tmp_path):
    outcome = cli(
        *(
            "count",
            made / "small.corpus",
            "-o",
            tmp_path / "x.counts",
            "--window",
            "2,0",
            "--weighting",
            "harmonic",
        ),
        *(
            "--oov",
            "gap",
            "--subsample",
            "0.05",
            "--subsample-mode",
            "after",
            "--seed",
            "3",
            "--threads",
            "2",
        ),
    )
    assert outcome.status == 0
    ours = read_counts(tmp_path / "x.counts")
    theirs = pmifact.count_cooccurrences(
        read_corpus(made / "small.corpus"),
        window=(2, 0),
        weighting="harmonic",
        oov="gap",
        subsample=0.05,
        subsample_mode="after",
        seed=3,
    )
    assert ours.options == theirs.options
    assert (ours.matrix != theirs.matrix).nnz == 0
    assert read_manifest(tmp_path / "x.counts")["threads"] == 2


def test_count_in_bounded_memory_gives_the_same_bytes_and_leaves_nothing_else(cli, made, tmp_path):
    outcome = cli("count", made / "small.corpus", "-o", tmp_path / "x.counts", "--memory", "256MB")
    assert outcome.status == 0, outcome.err
    assert data_files(tmp_path / "x.counts") == data_files(made / "small.counts")
    assert [path.name for path in tmp_path.iterdir()] == ["x.counts"]


def test_count_tells_of_counts_without_a_pair(cli, tmp_path):
    (tmp_path / "text.txt").write_text("a\nb\n" * 9)
    told = cli("count", tmp_path / "text.txt", "-o", tmp_path / "x.counts", "--min-count", "1")
    assert told.status == 0
    assert "x.counts: no two words of the vocabulary stand in one window" in told.err
    quiet = cli(*("count", tmp_path / "text.txt", "-o", tmp_path / "x.counts", "--min-count", "1", "--quiet"))
    assert quiet.err == ""


def test_count_says_what_it_wrote_and_writes_nothing_to_standard_output(cli, made, tmp_path):
    outcome = cli("count", made / "small.txt", "-o", tmp_path / "x.counts")
    counts = read_counts(tmp_path / "x.counts")
    assert outcome.out == ""
    need, wrote = outcome.err.splitlines()
    assert need.startswith("Counting writes about ")
    assert wrote.startswith(
        f"Wrote {tmp_path}/x.counts: {len(counts.vocabulary)} words, {counts.matrix.nnz:,} distinct pairs; "
    )
    assert cli("count", made / "small.txt", "-o", tmp_path / "x.counts", "--quiet") == (0, "", "")


def test_merge_adds(cli, made, tmp_path):
    text = (made / "small.txt").read_text().splitlines(keepends=True)
    for name, lines in (("a", text[:200]), ("b", text[200:])):
        (tmp_path / f"{name}.txt").write_text("".join(lines))
        cli(
            "count",
            tmp_path / f"{name}.txt",
            "-o",
            tmp_path / f"{name}.counts",
            "--vocabulary",
            made / "small.corpus",
        )
    parts = [tmp_path / "a.counts", tmp_path / "b.counts"]
    outcome = cli("merge", *parts, "-o", tmp_path / "both.counts")
    assert outcome.status == 0, outcome.err
    assert data_files(tmp_path / "both.counts") == data_files(made / "small.counts")
    bounded = cli("merge", *parts, "-o", tmp_path / "bounded.counts", "--memory", "256MB")
    assert bounded.status == 0, bounded.err
    assert data_files(tmp_path / "bounded.counts") == data_files(tmp_path / "both.counts")
    inputs = read_manifest(tmp_path / "both.counts")["inputs"]
    assert [entry["sha256"] for entry in inputs] == [artifact_source(path).sha256 for path in parts]


def test_merge_refuses_texts_that_were_read_differently(cli, made, tmp_path):
    other = ["count", made / "small.txt", "-o", tmp_path / "x.counts", "--vocabulary", made / "small.counts"]
    assert cli(*other, "--lowercase").status == 0
    outcome = cli("merge", made / "small.counts", tmp_path / "x.counts", "-o", tmp_path / "both.counts")
    assert (outcome.status, outcome.out) == (1, "")
    assert "small.counts was read with no --lowercase, that of" in outcome.err
    assert "x.counts with --lowercase; read both in the same way" in outcome.err
    assert not (tmp_path / "both.counts").exists()


def test_text_that_came_cut_adds_to_any_other(cli, made, tmp_path):
    words = (made / "small.txt").read_text().split()[:40]
    lines = [f"{number}\t{word}" + "\t_" * 8 for number, word in enumerate(words, 1)]
    (tmp_path / "x.conllu").write_text("\n".join(lines) + "\n\n")
    counted = cli(
        *("count", tmp_path / "x.conllu", "-o", tmp_path / "x.counts", "--vocabulary", made / "small.counts")
    )
    assert counted.status == 0, counted.err
    outcome = cli("merge", made / "small.counts", tmp_path / "x.counts", "-o", tmp_path / "both.counts")
    assert outcome.status == 0, outcome.err


def test_info_of_merged_counts_shows_each_step_once(cli, made, tmp_path):
    counts = made / "small.counts"
    assert cli("merge", counts, counts, "-o", tmp_path / "both.counts").status == 0
    shown = cli("info", tmp_path / "both.counts").out
    assert shown.count("window 5,5") == cli("info", counts).out.count("window 5,5") == 1


def test_merge_says_what_differs(cli, made, tmp_path):
    cli("count", made / "small.corpus", "-o", tmp_path / "x.counts", "--window", "3")
    outcome = cli("merge", made / "small.counts", tmp_path / "x.counts", "-o", tmp_path / "both.counts")
    assert outcome.status == 1
    ours, theirs = made / "small.counts", tmp_path / "x.counts"
    assert f"{ours} was made with --window 5, {theirs} with --window 3" in " ".join(outcome.err.split())


def test_factorize_is_the_chain_of_the_api_and_keeps_its_history(cli, made, tmp_path):
    outcome = cli(
        *("factorize", made / "small.counts", "-o", tmp_path / "x.factors", "--rank", "5", "--shift", "1.5"),
        *("--smoothing", "1", "--subsample", "0.1", "--solver", "arpack", "--seed", "4", "--threads", "1"),
    )
    assert outcome.status == 0, outcome.err
    counts = read_counts(made / "small.counts")
    matrix = pmifact.sppmi(counts, shift=1.5, smoothing=1.0, subsample=0.1)
    theirs = pmifact.factorize(
        matrix, rank=5, solver="arpack", seed=4, threads=1, vocabulary=counts.vocabulary
    )
    ours = read_factors(tmp_path / "x.factors")
    np.testing.assert_array_equal(ours.words, theirs.words)
    np.testing.assert_array_equal(ours.contexts, theirs.contexts)
    manifest = read_manifest(tmp_path / "x.factors")
    assert [stage["stage"] for stage in manifest["history"]] == ["corpus", "counts", "sppmi"]
    assert manifest["history"][2]["options"] == {"shift": 1.5, "smoothing": 1.0, "subsample": 0.1}
    assert manifest["seed"] == 4
    assert manifest["threads"] == 1
    assert manifest["seconds"].keys() == {"read", "sppmi", "factorize"}


# --- what is refused, before any work -----------------------------------------------------------------


@pytest.mark.parametrize(
    "option", [["--lowercase"], ["--min-count", "5"], ["--vocabulary", "x"], ["--errors", "strict"]]
)
def test_encode_options_on_a_corpus_are_wrong_usage(cli, made, tmp_path, option):
    outcome = cli("count", made / "small.corpus", "-o", tmp_path / "x.counts", *option)
    assert outcome.status == 2
    assert option[0] in outcome.err.splitlines()[-1]


@pytest.mark.parametrize(
    "names", [["small.corpus", "small.txt"], ["small.counts"], ["small.txt", "small.factors"]]
)
def test_count_refuses_other_artifacts_and_mixtures(cli, made, tmp_path, names):
    outcome = cli("count", *(made / name for name in names), "-o", tmp_path / "x.counts")
    assert outcome.status == 1
    assert "one .corpus alone" in outcome.err


def test_artifacts_are_known_by_their_manifest_and_not_by_their_name(cli, made, tmp_path):
    (tmp_path / "plain").symlink_to(made / "small.corpus")
    assert cli("count", tmp_path / "plain", "-o", tmp_path / "x.counts").status == 0
    assert data_files(tmp_path / "x.counts") == data_files(made / "small.counts")
    (tmp_path / "text.corpus").write_text((made / "small.txt").read_text())
    assert cli("count", tmp_path / "text.corpus", "-o", tmp_path / "y.counts").status == 0
    assert data_files(tmp_path / "y.counts") == data_files(made / "small.counts")


def test_encode_refuses_an_artifact(cli, made, tmp_path):
    outcome = cli("encode", made / "small.corpus", "-o", tmp_path / "x.corpus")
    assert outcome.status == 1
    assert "expected text" in outcome.err


def test_an_output_that_is_an_input_is_refused(cli, made, tmp_path):
    counts = str(made / "small.counts")
    assert cli("merge", counts, counts, "-o", made / "." / "small.counts").status == 1
    (tmp_path / "link").symlink_to(counts)
    assert cli("merge", counts, counts, "-o", tmp_path / "link").status == 1
    assert "lies inside the input" in cli("encode", made, "-o", made / "new.corpus").err


@pytest.mark.parametrize(
    "args",
    [
        ["encode", "absent.txt", "-o", "{made}/pairs.tsv"],
        ["count", "absent.txt", "-o", "{made}/small.corpus"],
        ["factorize", "{made}/small.counts", "-o", "{made}/small.counts"],
        ["factorize", "{made}/small.counts", "-o", "{made}/nowhere/x.factors"],
        ["export", "{made}/small.factors", "-o", "{made}/pairs.tsv"],
        ["export", "{made}/small.factors", "-o", "{made}/small.txt"],
        ["evaluate", "{made}/small.factors", "--similarity", "{made}/pairs.tsv", "-o", "{made}/pairs.tsv"],
        ["evaluate", "{made}/small.factors", "--similarity", "{made}/pairs.tsv", "-o", "{made}/small.txt"],
    ],
)
def test_a_target_that_may_not_be_written_is_refused_and_left_alone(cli, made, args):
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    outcome = cli(*(arg.format(made=made) for arg in args))
    assert outcome.status == 1
    assert outcome.err.count("\n") == 1
    assert "absent.txt" not in outcome.err, "the target is checked before the input is read"
    assert before == {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("args", "ending"),
    [
        (["encode", "{made}/small.txt"], "corpus"),
        (["phrases", "{made}/small.corpus"], "corpus"),
        (["count", "{made}/small.txt"], "counts"),
        (["convert", "{made}/small.txt"], "counts"),
        (["merge", "{made}/small.counts", "{made}/small.counts"], "counts"),
        (["factorize", "{made}/small.counts", "--rank", "3"], "factors"),
        (["skipgram", "{made}/small.corpus"], "factors"),
    ],
)
def test_an_artifact_has_no_name_of_something_else(cli, made, tmp_path, args, ending):
    args = [arg.format(made=made) for arg in args]
    for name in ("x.txt", f"x.{ending}.npz", "x.htm"):
        outcome = cli(*args, "-o", tmp_path / name)
        assert (outcome.status, outcome.err) == (
            1,
            f"Error: {tmp_path / name}: expected an artifact named .{ending}, which is a directory, "
            f"got the suffix {Path(name).suffix!r}\n",
        )
    assert list(tmp_path.iterdir()) == []


def test_an_artifact_may_have_a_plain_name_and_an_older_one_is_replaced(cli, made, tmp_path):
    args = ["factorize", made / "small.counts", "--rank", "3", "--quiet", "-o"]
    assert cli(*args, tmp_path / "plain").status == 0
    (tmp_path / "plain").rename(tmp_path / "old.v1")
    assert cli(*args, tmp_path / "old.v1").status == 0
    assert cli(*args, tmp_path / "new.v1").status == 1


def test_the_device_is_told_when_it_is_not_plain(cli, made, tmp_path, monkeypatch):
    def no_gpu():
        raise DeviceError("gpu: there is no driver; install one")

    monkeypatch.setattr("pmifact.device._gpu", no_gpu)
    args = ["factorize", made / "small.counts", "--rank", "3", "-o", tmp_path / "x.factors"]
    assert "CPU" not in cli(*args).err
    outcome = cli(*args, "--device", "auto")
    assert outcome.status == 0
    assert outcome.err.splitlines()[0] == "Worked on the CPU: there is no driver; install one"
    assert read_factors(tmp_path / "x.factors").options["device"] == "cpu"
    assert cli(*args, "--device", "auto", "--quiet").err == ""
    outcome = cli(*args, "--device", "auto", "--solver", "arpack")
    # The matrix is small: LAPACK takes it, whatever was asked.
    assert outcome.err.startswith("Worked on the CPU: the solver was lapack, which knows no GPU")
    outcome = cli(*args, "--device", "gpu")
    assert (outcome.status, outcome.err) == (1, "Error: gpu: there is no driver; install one\n")
    assert cli(*args, "--device", "cuda").status == 2


def test_a_missing_input_is_one_sentence(cli, tmp_path):
    for args in (["count", "absent", "-o", tmp_path / "x"], ["factorize", "absent", "-o", tmp_path / "x"]):
        outcome = cli(*args)
        assert outcome.status == 1
        assert outcome.err.startswith("Error: absent")
        assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("model", "option"),
    [
        ("small.factors", ["--shift", "2"]),
        ("small.factors", ["--errors", "replace"]),
        ("small.counts", ["--power", "0"]),
        ("small.counts", ["--contexts", "add"]),
        ("small.counts", ["--center"]),
        ("small.counts", ["--remove-top", "2"]),
        ("small.txt", ["--power", "0"]),
    ],
)
def test_a_model_option_that_applies_to_no_model_is_wrong_usage(cli, made, model, option):
    outcome = cli("neighbors", made / model, "cat", *option)
    assert outcome.status == 2
    assert option[0] in outcome.err.splitlines()[-1]


# --- neighbors, export, info --------------------------------------------------------------------------


def test_neighbors_are_of_the_planted_topic(cli, made):
    outcome = cli("neighbors", made / "small.factors", "cat", "soup", "-n", "4", "--format", "json")
    rows = json.loads(outcome.out)
    assert [row["rank"] for row in rows] == [1, 2, 3, 4] * 2
    for word, topic in (("cat", "pets"), ("soup", "food")):
        found = [row["neighbor"] for row in rows if row["word"] == word]
        assert len(found) == 4
        assert set(found) <= set(TOPICS[topic]) - {word}
    vectors = read_vectors(made / "small.factors")
    assert [(row["neighbor"], row["cosine"]) for row in rows[:4]] == vectors.nearest("cat", n=4)


def test_neighbors_for_people(cli, made):
    lines = cli("neighbors", made / "small.factors", "cat", "-n", "3").out.splitlines()
    assert lines[0] == "cat"
    assert lines[1].split() == ["rank", "neighbor", "cosine"]
    assert len(lines) == 6


def test_an_unknown_word_is_refused_before_any_result(cli, made):
    outcome = cli("neighbors", made / "small.factors", "cat", "unicorn")
    assert outcome.status == 1
    assert outcome.out == ""
    assert "'unicorn'" in outcome.err


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_words_are_shown_whatever_the_terminal_can_write(tmp_path, encoding):
    (tmp_path / "x.txt").write_text("2 2\nplain 1 0\n猫 1 1\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    outcome = in_subprocess("neighbors", tmp_path / "x.txt", "plain", env=environment, encoding=encoding)
    assert outcome.status == 0, outcome.err
    assert ("猫" if encoding == "utf-8" else "\\u732b") in outcome.out
    assert ("───" in outcome.out) == (encoding == "utf-8")


def test_a_model_that_is_not_there_is_said_to_be_missing(cli):
    assert (
        cli("neighbors", "absent.factors", "cat").err
        == "Error: absent.factors: there is no such file or directory\n"
    )


def test_a_word_cannot_steer_the_terminal(cli, tmp_path):
    (tmp_path / "evil.txt").write_text("3 2\nplain 1 0\n\x1b[31mred 1 1\n[bold]x 0 1\n")
    shown = cli("neighbors", tmp_path / "evil.txt", "plain").out
    assert "\x1b" not in shown
    assert "\\x1b[31mred" in shown
    assert "[bold]x" in shown


@pytest.mark.parametrize("ending", ["txt", "vec", "bin", "npz", "safetensors", "parquet", "tsv"])
@pytest.mark.parametrize("unit_rows", [False, True])
def test_export_keeps_lengths_or_not(cli, made, tmp_path, ending, unit_rows):
    target = tmp_path / f"x.{ending}"
    outcome = cli(
        "export", made / "small.factors", "-o", target, "--power", "1", *["--unit-rows"] * unit_rows
    )
    assert outcome.status == 0, outcome.err
    assert outcome.err.startswith(f"Wrote {target}: ")
    expected = read_vectors(made / "small.factors", power=1, normalize=unit_rows)
    found = read_vectors(target, normalize=False)
    assert found.vocabulary.words == expected.vocabulary.words
    np.testing.assert_array_equal(found.matrix, expected.matrix)


def test_export_reads_what_it_wrote_and_refuses_sparse_rows(cli, made, tmp_path):
    cli("export", made / "small.factors", "-o", tmp_path / "x.bin")
    assert cli("export", tmp_path / "x.bin", "-o", tmp_path / "x.txt").status == 0
    assert cli("export", made / "small.counts", "-o", tmp_path / "y.txt").status == 1
    assert cli("export", made / "small.factors", "-o", tmp_path / "x.unknown").status == 1
    assert (
        f"words in {tmp_path / 'z.metadata.tsv'}; "
        in cli("export", tmp_path / "x.bin", "-o", tmp_path / "z.tsv").err
    )


def test_export_leaves_the_header_out(cli, made, tmp_path):
    assert cli("export", made / "small.factors", "-o", tmp_path / "x.txt", "--no-header").status == 0
    assert cli("export", made / "small.factors", "-o", tmp_path / "y.txt").status == 0
    header, rows = (tmp_path / "y.txt").read_text().split("\n", 1)
    assert (tmp_path / "x.txt").read_text() == rows
    assert header.split()[1] == "8"
    assert cli("export", tmp_path / "x.txt", "-o", tmp_path / "y.txt").status == 0
    refused = cli("export", made / "small.factors", "-o", tmp_path / "x.bin", "--no-header")
    assert (refused.status, "--no-header: applies to" in refused.err) == (2, True)


@pytest.mark.filterwarnings("default::UserWarning")
def test_what_is_odd_in_a_vectors_file_is_left_out_with_a_warning(cli, tmp_path):
    (tmp_path / "odd.txt").write_bytes(b"a 1 2\nb 3\nb\xff 3 4\n")
    refused = cli("neighbors", tmp_path / "odd.txt", "a")
    assert (refused.status, refused.err.count("\n")) == (1, 1)
    found = cli("neighbors", tmp_path / "odd.txt", "a", "--errors", "replace", "--format", "csv")
    assert found.status == 0
    assert found.err == (
        f"Warning: {tmp_path / 'odd.txt'}: read 2 words; 1 word that is not UTF-8, read with U+FFFD; "
        "1 line with other than 2 numbers left out\n"
    )


@pytest.mark.parametrize("source", ["text", "corpus"])
def test_phrases_of_text_and_of_its_corpus(cli, tmp_path, source):
    text = tmp_path / "text"
    text.write_text("new york city\nthe end\n" * 5 + "new\nyork\n")
    options = ["--threshold", "0.2", "--min-pair-count", "2", "--passes", "2"]
    if source == "text":
        options += ["--min-count", "3"]
    else:
        assert cli("encode", text, "-o", tmp_path / "a.corpus", "--min-count", "3").status == 0
        text = tmp_path / "a.corpus"
    outcome = cli("phrases", text, "-o", tmp_path / "b.corpus", *options)
    assert outcome.status == 0, outcome.err
    assert "2 words, 2 new" in outcome.err
    corpus = read_corpus(tmp_path / "b.corpus")
    assert corpus.vocabulary.words == ("new_york_city", "the_end")
    assert corpus.options.min_count == 3
    history = read_manifest(tmp_path / "b.corpus")["history"]
    assert [(stage["stage"], stage["options"].get("passes")) for stage in history] == [
        ("corpus", None),
        ("phrases", 2),
    ]
    assert cli("count", tmp_path / "b.corpus", "-o", tmp_path / "b.counts").status == 0
    assert cli("phrases", tmp_path / "b.corpus", "-o", tmp_path / "c.corpus", "--lowercase").status == 2


def test_counts_go_out_and_come_back(cli, made, tmp_path):
    outcome = cli("export", made / "small.counts", "-o", tmp_path / "x.npz")
    assert outcome.status == 0, outcome.err
    assert f"counts times 5; words in {tmp_path / 'x.vocab.tsv'}" in outcome.err
    words = ("--vocabulary", tmp_path / "x.vocab.tsv")
    outcome = cli("convert", tmp_path / "x.npz", "-o", tmp_path / "x.counts", *words)
    assert outcome.status == 0, outcome.err
    ours, theirs = data_files(tmp_path / "x.counts"), data_files(made / "small.counts")
    assert ours == theirs
    manifest = read_manifest(tmp_path / "x.counts")
    assert [Path(source["name"]).name for source in manifest["inputs"]] == ["x.npz", "x.vocab.tsv"]
    assert cli("export", made / "small.factors", "-o", tmp_path / "z.npz", "--sppmi").status == 2
    assert cli("export", made / "small.counts", "-o", tmp_path / "z.npz", "--shift", "2").status == 2
    options = ("--sppmi", "--shift", "2", "--smoothing", "1")
    assert cli("export", made / "small.counts", "-o", tmp_path / "z.npz", *options).status == 0
    expected = sppmi(read_counts(made / "small.counts"), shift=2, smoothing=1)
    assert (load_npz(tmp_path / "z.npz") != expected).nnz == 0
    assert cli("export", made / "small.counts", "-o", tmp_path / "y.npz", "--unit-rows").status == 2
    assert cli("export", made / "small.counts", "-o", tmp_path / "x.npz").status == 1
    assert cli("export", made / "small.factors", "-o", tmp_path / "x.npz").status == 1


@pytest.mark.parametrize("bound", [(), ("--memory", "256MB")])
def test_convert_takes_pairs_and_the_file_of_glove(cli, tmp_path, bound):
    (tmp_path / "pairs.txt").write_text("eat dobj_apple 3\nred amod_apple\n")
    outcome = cli("convert", tmp_path / "pairs.txt", "-o", tmp_path / "x.counts", *bound)
    assert outcome.status == 0, outcome.err
    assert "2 words, 2 contexts, 2 distinct pairs" in outcome.err
    assert read_counts(tmp_path / "x.counts").contexts.words == ("dobj_apple", "amod_apple")
    shown = cli("info", tmp_path / "x.counts").out
    assert "2, which are not the words" in shown
    assert "imported pairs" in shown
    assert cli("factorize", tmp_path / "x.counts", "-o", tmp_path / "x.factors", "--rank", "1").status == 0
    assert cli("neighbors", tmp_path / "x.factors", "eat", "--contexts", "add").status == 1
    (tmp_path / "vocab.txt").write_text("a 5\nb 3\n")
    np.array([(1, 2, 1 / 3)], [("w", "<i4"), ("c", "<i4"), ("v", "<f8")]).tofile(tmp_path / "x.bin")
    words = ("--vocabulary", tmp_path / "vocab.txt")
    outcome = cli("convert", tmp_path / "x.bin", "-o", tmp_path / "y.counts", *words, "--window", "3", *bound)
    assert outcome.status == 0, outcome.err
    counts = read_counts(tmp_path / "y.counts")
    assert (counts.matrix[0, 1], counts.unit) == (2, 6)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        ("pairs.txt --window 3", "--window: has no effect on pairs.txt, which holds pairs"),
        ("pairs.txt --vocabulary words", "--vocabulary: has no effect on pairs.txt, which holds pairs"),
        ("pairs.txt x.npz", "pairs.txt holds pairs, x.npz holds a matrix of SciPy; convert them apart"),
        ("x.npz", "x.npz, which holds a matrix of SciPy, needs --vocabulary"),
        (
            "x.npz y.npz --vocabulary w",
            "x.npz, y.npz: expected one file, which holds a matrix of SciPy, got 2",
        ),
        (
            "x.npz --vocabulary w --encoding latin-1",
            "--encoding: has no effect on x.npz, which holds a matrix",
        ),
        ("x.npz --vocabulary w --memory 1GB", "--memory: has no effect on x.npz"),
        (
            "x.bin --vocabulary w --contexts w",
            "--contexts: has no effect on x.bin, which holds counts of GloVe",
        ),
    ],
)
def test_convert_refuses_what_has_no_effect(cli, tmp_path, args, fault):
    outcome = cli("convert", *args.split(), "-o", tmp_path / "x.counts")
    assert outcome.status == 2
    assert fault in outcome.err


@pytest.mark.parametrize("stage", ["corpus", "counts", "factors"])
@pytest.mark.parametrize("verify", [False, True])
def test_info(cli, made, stage, verify):
    outcome = cli("info", made / f"small.{stage}", *["--verify"] * verify)
    assert outcome.status == 0, outcome.err
    assert outcome.err == ""
    shown = " ".join(outcome.out.split())
    assert "tokenizer whitespace, lowercase no" in shown
    assert f"pmifact {pmifact.__version__}, python {sys.version.split()[0]}" in shown
    vocabulary = read_corpus(made / "small.corpus").vocabulary
    tokens = len((made / "small.txt").read_text().split())
    expected = {
        "corpus": [f"{tokens:,}, of which 0 (0.0%) out of vocabulary", "sentences 600"],
        "counts": ["window 5,5, weighting linear,", "unit 5 ", "distinct pairs"],
        "factors": [
            "rank 8",
            "singular values",
            "worst residual",
            "sppmi shift 1, smoothing 0.75, subsample off",
        ],
    }
    assert f"words {len(vocabulary):,} that occur {tokens:,} times" in shown
    assert all(part in shown for part in expected[stage])
    assert ("Verified" in shown) == verify


def test_info_of_what_is_no_artifact_or_damaged(cli, made, tmp_path):
    assert cli("info", made / "small.txt").status == 1
    import shutil

    shutil.copytree(made / "small.counts", tmp_path / "x.counts")
    path = tmp_path / "x.counts" / "data.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x7f")
    outcome = cli("info", tmp_path / "x.counts", "--verify")
    assert outcome.status == 1
    assert "data.npy" in outcome.err
    assert outcome.out == ""


def test_what_other_solvers_do_not_know_is_refused(cli, made, tmp_path):
    for option in (("--tol", "0.1"), ("--memory", "1GB")):
        outcome = cli(
            "factorize", made / "small.counts", "-o", tmp_path / "x.factors", "--solver", "arpack", *option
        )
        assert outcome.status == 2
        assert f"{option[0]}: has no effect on the solver arpack" in outcome.err
