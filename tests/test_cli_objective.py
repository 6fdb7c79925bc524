"""``pmifact objective``: the table beside the API, and what it refuses."""

import json

import pytest
from cli_samples import in_process, make_all, write_text

from pmifact import sppmi
from pmifact.cli import run_command
from pmifact.objective import exact_objective, reference_objectives, sampled_objective
from pmifact.reproduce.published import DEVIATIONS
from pmifact.storage import read_counts, read_factors


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with counts, an SVD and skip-gram vectors of each loss."""
    folder = make_all(tmp_path_factory.mktemp("made"))
    for loss in ("ns", "hs"):
        train = ["skipgram", folder / "small.counts", "-o", folder / f"{loss}.factors", "--loss", loss]
        train += ["--rank", "8", "--epochs", "1", "--quiet"]
        assert run_command([str(word) for word in train]) == 0
    return folder


def test_the_rows_are_those_of_the_api(cli, made):
    models = [made / "small.factors", made / "ns.factors", made / "small.counts"]
    outcome = cli(
        *("objective", made / "small.counts", *models, "--shift", "2", "--smoothing", "0.75"),
        *("--samples", "1000", "--seed", "3", "--format", "json"),
    )
    assert outcome.status == 0, outcome.err
    rows = json.loads(outcome.out)
    names = ["small.factors", "ns", "small.counts"]
    assert [row["model"] for row in rows] == [
        *("PMI - log k", "SPPMI", "SPPMI, unobserved -inf"),
        *names,
        "zero matrix",
    ]
    counts, terms = read_counts(made / "small.counts"), {"shift": 2.0, "smoothing": 0.75}
    opened = [read_factors(models[0]), read_factors(models[1]), sppmi(counts, **terms)]
    exact = reference_objectives(counts, **terms)
    exact |= {
        name: exact_objective(counts, model, **terms) for name, model in zip(names, opened, strict=True)
    }
    for row in rows:
        expected = exact[row["model"]]
        assert row["shift"] == 2
        assert row["per_pair"] == expected.per_pair
        assert row["optimum_per_pair"] == expected.optimum / expected.pairs
        assert row["deviation_percent"] == pytest.approx(100 * expected.deviation)
    for name, model in zip(names, opened, strict=True):
        (row,) = (row for row in rows if row["model"] == name)
        estimate = sampled_objective(counts, model, **terms, samples=1000, seed=3)
        assert row["sampled_per_pair"] == estimate.per_pair
        assert row["sampled_error"] == estimate.standard_error / estimate.pairs
        assert row["sampled_deviation_percent"] == pytest.approx(100 * estimate.deviation)
    assert rows[0]["sampled_per_pair"] is None
    assert rows[1]["per_pair"] == pytest.approx(rows[5]["per_pair"])


def test_the_table_for_people(cli, made):
    outcome = cli(
        "objective", made / "small.counts", made / "small.factors", "--shift", "5", "--samples", "100"
    )
    assert outcome.status == 0, outcome.err
    assert outcome.err == ""
    ours, published = outcome.out.split("\n\n")
    lines = ours.splitlines()
    assert lines[0] == "Objective of negative sampling, exact, k = 5"
    assert lines[2].split("  ")[0] == "model"
    assert max(map(len, lines)) <= 80
    assert [line.split("  ")[0] for line in lines[4:]] == [
        *("PMI - log k", "SPPMI", "SPPMI, unobserved -inf"),
        *("small", "zero matrix"),
    ]
    assert lines[4].split()[-1] == "0"
    assert lines[-1].split()[2] == "-4.15888"  # -6 log 2
    assert published.splitlines()[-2].split() == list(DEVIATIONS[5].values())
    assert "does not follow from the definition" in published
    other = cli("objective", made / "small.counts", made / "small.factors", "--shift", "3").out
    assert "Published" not in other
    assert "sampled" not in other


def test_a_file_is_new_and_its_ending_names_the_format(cli, made, tmp_path):
    target = tmp_path / "x.csv"
    args = ("objective", made / "small.counts", made / "small.factors", "-o", target)
    outcome = cli(*args)
    assert outcome.status == 0
    assert outcome.out == ""
    assert outcome.err.startswith(f"Wrote {target}: 5 rows; ")
    assert target.read_text().splitlines()[0] == ("model,shift,per_pair,optimum_per_pair,deviation_percent")
    assert cli(*args).status == 1


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (["hs.factors"], "hs.factors: hierarchical softmax has no context vectors"),
        (["pairs.tsv"], "pairs.tsv: the objective needs contexts"),
        (["small.corpus"], "got a .corpus"),
        (["small.factors", "other.factors"], "other.factors: its words and contexts are not those"),
        (["absent"], "absent: "),
    ],
)
def test_a_model_without_the_same_words_and_contexts_is_refused(cli, made, models, said):
    if not (made / "other.factors").exists():
        write_text(made / "other.txt", sentences=50, seed=3)
        cli("count", made / "other.txt", "-o", made / "other.counts", "--max-vocab", "20")
        cli("factorize", made / "other.counts", "-o", made / "other.factors", "--rank", "3")
    outcome = cli("objective", made / "small.counts", *(made / model for model in models))
    assert outcome.status == 1
    assert outcome.out == ""
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
