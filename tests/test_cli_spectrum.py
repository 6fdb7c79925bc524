"""``pmifact spectrum``: a table, its formats, a picture."""

import json

import pytest
from cli_samples import in_process, write_text


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    from pmifact.cli import run_command

    folder = tmp_path_factory.mktemp("spectrum")
    write_text(folder / "text.txt", sentences=2000)
    target = folder / "text.counts"
    assert run_command(["count", str(folder / "text.txt"), "-o", str(target), "--quiet"]) == 0
    return target


def test_the_table_ends_with_the_choice(capsys, counts):
    outcome = in_process(capsys, "spectrum", counts, "--rank", 6)
    assert outcome.status == 0, outcome.err
    assert "singular value" in outcome.out
    assert "Noise of a cell: " in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_machines_get_every_rank(capsys, counts):
    rows = json.loads(in_process(capsys, "spectrum", counts, "--rank", 6, "--format", "json").out)
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert list(rows[0]) == [
        *("rank", "singular_value", "residual", "energy", "signal", "pip_loss", "chosen")
    ]
    assert sum(row["chosen"] for row in rows) <= 1


def test_a_picture_is_drawn(capsys, counts, tmp_path):
    outcome = in_process(capsys, "spectrum", counts, "--rank", 6, "--plot", tmp_path / "s.svg")
    assert outcome.status == 0, outcome.err
    assert (tmp_path / "s.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--power", "0"], 2, "--power"),
        (["--rank", "0"], 2, "--rank"),
        (["--rank", "5000"], 1, "largest possible rank"),
        (["--plot", "s.gif"], 1, "expected a picture named .png or .svg"),
    ],
)
def test_refusals(capsys, counts, options, status, said):
    outcome = in_process(capsys, "spectrum", counts, *options)
    assert outcome.status == status
    assert said in outcome.err
    assert outcome.out == ""
