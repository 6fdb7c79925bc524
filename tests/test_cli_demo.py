"""``pmifact demo``: the whole story on the bundled world, whose right answers are known."""

import re
import shlex

import pytest
from cli_samples import in_process, in_subprocess
from conftest import REPO

from pmifact.storage import verify_artifact


def score(out, model, dataset):
    """Return the first score of the set that stands on the line of the model, or after it."""
    lines = out.splitlines()
    for first, line in enumerate(lines):
        if line.split()[:1] == [model]:
            for other in lines[first:]:
                if dataset in other.split()[:2]:
                    return float(re.search(r"(\d\.\d{3})", other)[1])
    raise AssertionError(f"no score of {model} on {dataset}")


def assert_both_models_do_well(out):
    for model in ("world-svd", "world-skipgram"):
        assert score(out, model, "world-similarity") > 0.6
        assert score(out, model, "world-analogies") > 0.45


def test_the_demo_runs_every_stage_and_shows_each_command(capsys, tmp_path):
    outcome = in_process(capsys, "demo", "--data", REPO / "data", "--output", tmp_path / "new" / "demo")
    assert outcome.status == 0, outcome.err
    assert_both_models_do_well(outcome.out)
    lines = outcome.err.replace(" \\\n", " ").splitlines()
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("$ ")]
    assert [words[1] for words in commands] == [
        *("encode", "count", "factorize", "skipgram", "export", "neighbors", "neighbors", "evaluate")
    ]
    assert all(words[0] == "pmifact" for words in commands)
    for name in ("world.corpus", "world.counts", "world-svd.factors", "world-skipgram.factors"):
        verify_artifact(tmp_path / "new" / "demo" / name)
    # What is shown can be typed: the last three commands give the results shown.
    for words in commands[-3:]:
        again = in_process(capsys, *words[1:])
        assert again.status == 0
        assert again.out in outcome.out


def test_the_demo_says_which_file_of_the_world_is_missing(capsys, tmp_path):
    outcome = in_process(capsys, "demo", "--data", tmp_path, "--output", tmp_path / "demo")
    assert outcome.status == 1
    assert str(tmp_path / "world.txt") in outcome.err


def test_the_demo_refuses_a_folder_that_cannot_be_made(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    outcome = in_process(capsys, "demo", "--output", tmp_path / "file")
    assert outcome.status == 1
    assert outcome.err.count("\n") == 1


@pytest.mark.acceptance
def test_the_demo_writes_its_own_world_and_runs_again(tmp_path):
    for options in (["--quiet"], ["--seed", "1", "--threads", "2"]):
        outcome = in_subprocess("demo", *options, cwd=tmp_path)
        assert outcome.status == 0, outcome.err
        assert_both_models_do_well(outcome.out)
        assert (outcome.err == "") == (options == ["--quiet"])
    assert {path.name for path in (tmp_path / "pmifact-demo").iterdir()} == {
        *("data", "world.corpus", "world.counts", "world-svd.factors", "world-skipgram.factors", "world.bin")
    }
