"""``pmifact skipgram``: what it trains on, what it refuses, and what an interrupt leaves."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cli_samples import TOPICS, in_process, make_all
from conftest import REPO
from test_cli_progress import on_a_terminal

import pmifact
from pmifact.errors import ArtifactError
from pmifact.skipgram import TrainingInterrupted, train_skipgram
from pmifact.storage import read_corpus, read_counts, read_factors, read_manifest, read_vectors

SMALL = ("--rank", "8", "--threads", "1")


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the text and an artifact of each stage."""
    return make_all(tmp_path_factory.mktemp("made"))


def assert_same(ours, theirs):
    np.testing.assert_array_equal(ours.words, theirs.words)
    np.testing.assert_array_equal(ours.contexts, theirs.contexts)
    assert ours.options == theirs.options


def test_text_and_its_corpus_give_what_the_api_gives(cli, made, tmp_path):
    expected = train_skipgram(read_corpus(made / "small.corpus"), rank=8, epochs=2, threads=1)
    for name in ("small.txt", "small.corpus"):
        outcome = cli("skipgram", made / name, "-o", tmp_path / "x.factors", "--epochs", "2", *SMALL)
        assert outcome.status == 0, outcome.err
        assert outcome.out == ""
        assert_same(read_factors(tmp_path / "x.factors"), expected)
        manifest = read_manifest(tmp_path / "x.factors")
        assert [stage["stage"] for stage in manifest["history"]] == ["corpus"]
        assert [source["name"] for source in manifest["inputs"]] == [str(made / name)]
    assert re.fullmatch(
        rf"Wrote {tmp_path}/x.factors: \d+ words, rank 8, 2 epochs, loss \d\.\d+; .*\n", outcome.err
    )
    assert manifest["options"]["epoch_losses"] == expected.options["epoch_losses"]
    assert manifest["options"]["deterministic"] is True
    assert (manifest["seed"], manifest["threads"]) == (0, 1)
    assert manifest["seconds"].keys() == {"read", "train"}


def test_every_option_arrives(cli, made, tmp_path):
    options = {
        "loss": "ns",
        "rank": 6,
        "window": 3,
        "fixed_window": True,
        "negatives": 2,
        "epochs": 1,
        "negative_rule": "exact",
        "subsample": 0.01,
        "noise_exponent": 1.0,
        "learning_rate": 0.05,
        "seed": 7,
    }
    typed = []
    for name, value in options.items():
        typed += [f"--{name.replace('_', '-')}", *([] if value is True else [value])]
    outcome = cli("skipgram", made / "small.corpus", "-o", tmp_path / "x.factors", *typed, "--threads", "1")
    assert outcome.status == 0, outcome.err
    ours = read_factors(tmp_path / "x.factors")
    assert_same(ours, train_skipgram(read_corpus(made / "small.corpus"), **options, threads=1))
    assert {name: ours.options[name] for name in options} == options


def test_counts_are_trained_on_themselves(cli, made, tmp_path):
    outcome = cli("skipgram", made / "small.counts", "-o", tmp_path / "x.factors", *SMALL, "--epochs", "1")
    assert outcome.status == 0, outcome.err
    expected = train_skipgram(read_counts(made / "small.counts"), rank=8, epochs=1, threads=1)
    assert_same(read_factors(tmp_path / "x.factors"), expected)
    history = read_manifest(tmp_path / "x.factors")["history"]
    assert [stage["stage"] for stage in history] == ["corpus", "counts"]


@pytest.mark.parametrize("loss", ["hs", "softmax"])
def test_other_losses(cli, made, tmp_path, loss):
    outcome = cli(
        *("skipgram", made / "small.corpus", "-o", tmp_path / "x.factors", "--loss", loss, *SMALL),
        *("--epochs", "3", "--subsample", "0", "--learning-rate", "0.05"),
    )
    assert outcome.status == 0, outcome.err
    nearest = [word for word, _ in read_vectors(tmp_path / "x.factors").nearest("boat", n=3)]
    assert set(nearest) <= set(TOPICS["ships"])
    shown = cli("info", tmp_path / "x.factors").out
    assert {"hs": "hierarchical softmax", "softmax": "full softmax"}[loss] in shown
    assert ("inner nodes of the Huffman tree" in shown) == (loss == "hs")


def test_a_warm_start_takes_the_rank_and_is_an_input(cli, made, tmp_path):
    init = made / "small.factors"
    outcome = cli(
        *("skipgram", made / "small.corpus", "-o", tmp_path / "x.factors", "--init", init),
        *("--epochs", "1", "--threads", "1"),
    )
    assert outcome.status == 0, outcome.err
    expected = train_skipgram(
        read_corpus(made / "small.corpus"), init=read_factors(init), epochs=1, threads=1
    )
    assert_same(read_factors(tmp_path / "x.factors"), expected)
    inputs = read_manifest(tmp_path / "x.factors")["inputs"]
    assert [source["name"] for source in inputs] == [str(made / "small.corpus"), str(init)]
    outcome = cli("skipgram", made / "small.corpus", "-o", init, "--init", init)
    assert outcome.status == 1
    assert "also an input" in outcome.err


@pytest.mark.parametrize(
    ("source", "typed"),
    [
        ("small.counts", ["--window", "5"]),
        ("small.counts", ["--fixed-window"]),
        ("small.counts", ["--subsample", "0"]),
        ("small.counts", ["--lowercase"]),
        ("small.corpus", ["--min-count", "5"]),
        ("small.corpus", ["--negatives", "5", "--loss", "hs"]),
        ("small.txt", ["--negative-rule", "exact", "--loss", "softmax"]),
        ("small.counts", ["--noise-exponent", "1", "--loss", "hs"]),
    ],
)
def test_an_option_that_does_not_apply_is_wrong_usage(cli, made, tmp_path, source, typed):
    outcome = cli("skipgram", made / source, "-o", tmp_path / "x.factors", *typed)
    assert outcome.status == 2
    assert outcome.err.splitlines()[-1].startswith(f"Error: {typed[0]}: has no effect")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["absent.txt", "-o", "{made}/small.counts"], "small.counts"),
        (["{made}/small.factors", "-o", "x.factors"], "expected text, or one .corpus or .counts alone"),
        (["{made}/small.counts", "{made}/small.txt", "-o", "x.factors"], "one .corpus or .counts alone"),
        (["{made}/small.corpus", "-o", "x.factors", "--subsample=-1"], "subsample: "),
        (["{made}/small.corpus", "-o", "x.factors", "--window", "20000"], "window: "),
        (["absent.txt", "-o", "x.factors", "--window", "20000"], "window: "),
        (
            ["{made}/small.corpus", "-o", "x.factors", "--init", "{made}/small.factors", "--rank", "3"],
            "rank 3",
        ),
        (["{made}/small.corpus", "-o", "x.factors", "--learning-rate", "1e6", *SMALL], "diverged"),
    ],
)
def test_a_refusal_is_one_sentence_and_leaves_nothing(cli, made, tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    outcome = cli("skipgram", *(arg.format(made=made) for arg in args))
    assert outcome.status == 1
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


# --- Ctrl-C -------------------------------------------------------------------------------------------

# Sends itself the signal when the training reports for the first time in the epoch given.
STOP = """
import os, sys
import pmifact.cli
from pmifact.skipgram import engine

epoch, number = int(sys.argv[1]), int(sys.argv[2])
del sys.argv[1:3]

def reporting(**facts):
    if facts["epoch"] == epoch:
        os.kill(os.getpid(), number)
    return Report(**facts)

Report, engine.TrainingReport = engine.TrainingReport, reporting
pmifact.cli.main()
"""


def stop(epoch, number, *args):
    done = subprocess.run(
        [sys.executable, "-c", STOP, str(epoch), str(int(number)), *map(str, args)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("number", "status", "word"), [(signal.SIGINT, 130, "Interrupted"), (signal.SIGTERM, 143, "Terminated")]
)
def test_a_signal_keeps_the_last_finished_epoch(cli, made, tmp_path, number, status, word):
    target = tmp_path / "x.factors"
    args = ("skipgram", made / "small.corpus", "-o", target, *SMALL, "--epochs", "4")
    assert stop(3, number, *args) == (
        status,
        f"{word}; {target} holds the vectors after epoch 2 of 4\n",
    )
    manifest = read_manifest(target)
    assert (manifest["options"]["epochs"], manifest["options"]["epochs_finished"]) == (4, 2)
    assert len(manifest["options"]["epoch_losses"]) == 2
    assert "train" in manifest["seconds"]
    shown = cli("info", target, "--verify")
    assert shown.status == 0
    assert "2 of 4: the training was interrupted" in shown.out
    assert os.listdir(tmp_path) == ["x.factors"]


def test_before_the_first_epoch_ends_nothing_is_written(made, tmp_path):
    args = ("skipgram", made / "small.corpus", "-o", tmp_path / "x.factors", *SMALL)
    assert stop(1, signal.SIGINT, *args) == (
        130,
        "Interrupted; no epoch was finished, so nothing was written\n",
    )
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_kept_is_said_to_be_lost(cli, made, tmp_path, monkeypatch):
    factors = train_skipgram(read_corpus(made / "small.corpus"), rank=2, epochs=1, threads=1)

    def interrupted(*_, **__):
        raise TrainingInterrupted(factors)

    def full(*_, **__):
        raise ArtifactError("x.factors: no space left")

    monkeypatch.setattr("pmifact.skipgram.train_skipgram", interrupted)
    monkeypatch.setattr("pmifact.storage.write_factors", full)
    outcome = cli("skipgram", made / "small.corpus", "-o", tmp_path / "x.factors")
    assert outcome.status == 130
    assert outcome.err == "Interrupted; the training so far is lost: x.factors: no space left\n"


# --- what is shown ------------------------------------------------------------------------------------


def test_a_terminal_gets_one_line_of_rate_learning_rate_loss_share_and_time_left(made, tmp_path):
    args = ("skipgram", made / "small.corpus", "-o", tmp_path / "x.factors", *SMALL, "--epochs", "3")
    out, shown = on_a_terminal(*args)
    assert out == ""
    lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in re.split(r"[\r\n]+", shown)]
    (done, *_) = [line for line in lines if line.startswith("Epoch 3/3") and "100%" in line]
    assert len(done) <= 80
    assert re.fullmatch(
        r"Epoch 3/3 ━+ 100% [\d.]+ ?[kM]? words/s  lr \S+  loss \d\.\d{3} +\d+\.\d s", done.rstrip()
    )


def test_info_of_a_training(cli, made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a short name, which does not wrap
    target = Path("x.factors")
    cli("skipgram", made / "small.counts", "-o", target, "--rank", "8", "--threads", "2", "--epochs", "2")
    shown = " ".join(cli("info", target).out.split())
    losses = read_factors(target).options["epoch_losses"]
    for part in (
        f"{target}: skip-gram vectors",
        "trained by negative sampling, on counts",
        "epochs 2 of 2",
        f"loss by epoch {losses[0]:.4g}, {losses[1]:.4g} nats a pair",
        "deterministic no: threads wrote without locks",
        "loss ns, rank 8, negatives 5, negative-rule word2vec",
    ):
        assert part in shown
    assert "singular" not in shown


def test_info_of_a_krylov_svd(cli, tmp_path):
    rng = np.random.default_rng(0)
    matrix = rng.random((450, 450)) * (rng.random((450, 450)) < 0.2)
    words = tuple(f"w{number:03d}" for number in range(450))
    vocabulary = pmifact.Vocabulary(words, np.ones(450, np.int64))
    for tol, said in ((0.03, "converged to 0.03 in"), (0.9, "converged to 0.9 in")):
        factors = pmifact.factorize(matrix, rank=12, tol=tol, vocabulary=vocabulary, threads=1)
        pmifact.storage.write_factors(factors, tmp_path / "x.factors")
        shown = " ".join(cli("info", tmp_path / "x.factors").out.split())
        options, s = factors.options, factors.strengths
        assert (
            f"{s[0]:.4g} (1st), {s[1]:.4g} (2nd), {s[4]:.4g} (5th), {s[9]:.4g} (10th), {s[11]:.4g} (12th)"
            in shown
        )
        assert f"captured energy {options['energy']:.2%}" in shown
        assert f"worst residual {factors.residuals.max():.2g} of its singular value" in shown
        assert f"{said} {options['iterations']} iterations ({options['restarts']} restarts, " in shown
        assert f"{options['products']:,} products with a vector, float32)" in shown


def test_info_says_when_a_solver_stopped_early(cli, made, tmp_path):
    factors = read_factors(made / "small.factors")
    facts = {"converged": False, "iterations": 5, "restarts": 1, "products": 9, "precision": "float32"}
    pmifact.storage.write_factors(
        replace(factors, options={**factors.options, **facts}), tmp_path / "x.factors"
    )
    assert "stopped before it converged to 0.03 in 5 iterations" in cli("info", tmp_path / "x.factors").out


def test_info_shows_factors_of_older_versions(cli):
    outcome = cli("info", REPO / "tests" / "golden" / "v1" / "old.factors")
    assert outcome.status == 0, outcome.err
    assert "truncated SVD" in outcome.out
