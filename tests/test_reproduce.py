"""The plans of the papers: resumed, interrupted, changed; and the tables that come out."""

import math
import random
import re
import runpy
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from cli_samples import TOPICS, in_process, write_analogy, write_similarity
from scipy.stats import spearmanr

from pmifact import ArtifactError, InputError, compare_models
from pmifact.cli.signals import Stopped
from pmifact.evaluation import read_similarity
from pmifact.evaluation.similarity import pair_cosines
from pmifact.objective import sampled_objective
from pmifact.plotting import draw_published
from pmifact.ppmi import sppmi
from pmifact.reproduce import plan_levy2014, plan_levy2015, reproduce_levy2014, reproduce_levy2015
from pmifact.reproduce.claims import DEVIATES, POWERS, SMOOTHED, SYNTACTIC, _mean_similarity, verdict
from pmifact.reproduce.grid import GRIDS
from pmifact.reproduce.plan import STAGES
from pmifact.reproduce.published import (
    COLUMNS_2014,
    COLUMNS_2015,
    CROSS_VALIDATED_2015,
    DEVIATIONS,
    SCORES_2014,
    VANILLA_2015,
)
from pmifact.reproduce.running import unwatched
from pmifact.reproduce.text import scaled_min_count, with_min_count
from pmifact.storage import read_counts, read_factors
from pmifact.vectors import WordVectors

SMALL = {"ranks": (8, 12), "shifts": (1, 5), "epochs": 1, "samples": 20_000, "resamples": 20, "threads": 1}
GRID = {"rank": 4, "epochs": 1, "subsample": 0.05, "resamples": 5, "threads": 1}


def write_pairs_of_words(path):
    """Write sentences about two words of a topic each, so that they stand together often."""
    draw = random.Random(0)
    words = [word for topic in TOPICS.values() for word in topic]
    lines = []
    for _ in range(900):
        pair = 2 * draw.randrange(len(words) // 2)
        lines.append(
            " ".join(
                draw.choice(words[pair : pair + 2] if draw.random() < 0.8 else words)
                for _ in range(draw.randint(4, 8))
            )
        )
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    write_pairs_of_words(folder / "text.txt")
    write_similarity(folder / "pairs.tsv")
    write_analogy(folder / "questions.txt")
    return folder


def gold(inputs, similarity="ws353", *analogies):
    questions = dict.fromkeys(analogies or ("google", "msr"), inputs / "questions.txt")
    return {similarity: inputs / "pairs.tsv", **questions}


def names_of(stages):
    return [stage.name for stage in stages]


@pytest.fixture(scope="module")
def nips(inputs):
    output = inputs / "nips"
    return output, reproduce_levy2014(inputs / "text.txt", output, gold=gold(inputs), **SMALL)


@pytest.fixture(scope="module")
def tacl(inputs):
    """Half of the small grid."""
    output, half = inputs / "tacl", replace(GRIDS["small"], windows=(2,), powers=(0.0, 0.5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GRIDS, "small", half)
        return output, reproduce_levy2015(
            inputs / "text.txt", output, gold=gold(inputs, "ws353-sim", "google"), **GRID
        )


def test_deviations_stand_beside_the_paper_and_samples_hold_the_exact_value(nips):
    table = nips[1].tables["table1"]
    for row in table.to_dict("records"):
        printed = DEVIATIONS[row["shift"]].get(row["model"])
        assert (printed is None and math.isnan(row["paper"])) or row["paper"] == float(printed)
    at = table.set_index(["shift", "model"])
    assert list(at.loc[1].index) == [
        *("PMI - log k", "SPPMI", "SPPMI, unobserved -inf"),
        *("SVD 8", "SVD 12", "SGNS 8", "SGNS 12", "zero matrix"),
    ]
    assert (at.loc[(slice(None), "PMI - log k"), "deviation"] == 0).all()
    sampled = table[table["standard_error"] > 0]
    assert len(sampled) == 10
    # Wider than the interval, so that ten tests at 95 % do not fail by chance.
    assert ((sampled["deviation"] - sampled["sampled"]).abs() < 3.5 * sampled["standard_error"]).all()
    assert np.allclose(sampled["high"] - sampled["low"], 2 * 1.959964 * sampled["standard_error"])
    held = sum(row["low"] <= row["deviation"] <= row["high"] for row in sampled.to_dict("records"))
    assert any(f"; {held} of the 10 intervals of 95 % hold the exact value" in note for note in nips[1].notes)


def test_every_model_is_estimated_from_a_sample_of_its_own(nips, inputs, tmp_path, monkeypatch):
    seeds = []

    def watched(*arguments, seed, **options):
        seeds.append(seed)
        return sampled_objective(*arguments, seed=seed, **options)

    monkeypatch.setattr("pmifact.reproduce.levy2014.sampled_objective", watched)
    again = reproduce_levy2014(inputs / "text.txt", tmp_path / "again", gold=gold(inputs), **SMALL)
    assert len(set(seeds)) == len(seeds) == 10
    pd.testing.assert_frame_equal(again.tables["table1"], nips[1].tables["table1"])
    reproduce_levy2014(inputs / "text.txt", tmp_path / "other", gold=gold(inputs), **SMALL | {"seed": 1})
    assert len(set(seeds)) == len(seeds) == 20


def test_scores_stand_beside_the_paper_and_absent_sets_are_named(nips):
    output, results = nips
    table = results.tables["table2"]
    assert len(table) == 2 * (1 + 2 + 2) * len(COLUMNS_2014)
    for row in table.to_dict("records"):
        assert row["paper"] == SCORES_2014[row["model"], row["shift"]][row["dataset"]]
    there = table[table["dataset"].isin(["ws353", "google", "msr"])]
    # A truncated SVD of so small a text says nothing of some words.
    assert there[there["model"] != "SVD"]["score"].notna().all()
    assert table[table["dataset"] == "men"]["score"].isna().all()
    assert any("pmifact data get men" in note for note in results.notes)
    assert any("do not follow" in note for note in results.notes)
    report = (output / "report.md").read_text()
    assert report == results.report
    assert "paper .605" in report
    assert "scaled down from the paper's 100" in report
    assert len(pd.read_csv(output / "table2.csv")) == len(table)


def test_the_claims_are_tested_on_what_the_tables_show(nips, inputs):
    output, results = nips
    claims = results.tables["claims"]
    deviations = results.tables["table1"].set_index(["shift", "model"])["deviation"]
    scores = results.tables["table2"].set_index(["dataset", "model", "shift", "rank"])["score"]
    tested = 0
    # Two shifts and two ranks of each.
    assert claims["claim"].value_counts().to_dict() == {SYNTACTIC: 4, DEVIATES: 4}
    for row in claims.to_dict("records"):
        shift, rank = (int(part.split("=")[1]) for part in row["at"].split(","))
        if row["claim"] == DEVIATES:
            first, second = (deviations[shift, f"{name} {rank}"] for name in ("SVD", "SGNS"))
            assert (row["low"], row["high"]) == (row["difference"], row["difference"])
        else:
            models = [
                read_factors(path).vectors(power=0.5)
                for name in ("sgns", "svd")
                for path in (output / STAGES).glob(f"{name}-w2-flat-k{shift}-a1-d{rank}.*")
                if not path.name.endswith(".csv")
            ]
            first, second = (scores["msr", name, shift, rank] for name in ("SGNS", "SVD"))
            if len(models) == 2 and not math.isnan(
                row["score1"]
            ):  # the lower rank of an SVD is read from the higher
                (found,) = compare_models(
                    dict(zip("ab", models, strict=True)),
                    analogy=[inputs / "questions.txt"],
                    method="mul",
                    resamples=SMALL["resamples"],
                ).to_dict("records")
                assert (row["low"], row["high"]) == (found["low"], found["high"])
                first, second = found["score1"], found["score2"]
        tested += (known := not math.isnan(row["score1"]))  # not where less than two questions are covered
        if known:
            assert (row["score1"], row["score2"]) == pytest.approx((first, second))
        assert row["difference"] == pytest.approx(row["score1"] - row["score2"], nan_ok=True)
    assert tested >= 4
    assert "What the papers claim" in results.report


def test_claims_on_settings_are_means_over_the_common_pairs(tacl, inputs):
    claims, human = tacl[1].tables["claims"], read_similarity(inputs / "pairs.tsv")
    assert list(claims["claim"]) == [POWERS, POWERS, SMOOTHED]
    row = claims.iloc[2].to_dict()
    counts = [read_counts(path) for path in (tacl[0] / STAGES).glob("counts-w2-linear*.counts")]
    assert len(counts) == 2
    cosines = {
        smoothing: [
            pair_cosines(WordVectors(of.vocabulary, sppmi(of, shift=shift, smoothing=smoothing)), human)
            for of in counts
            for shift in (1, 5)
        ]
        for smoothing in (0.75, 1.0)
    }
    common = np.all([pairs.covered for both in cosines.values() for pairs in both], axis=0)
    expected = [
        np.mean([spearmanr(human.scores[common], pairs.cosines[common])[0] for pairs in both])
        for both in cosines.values()
    ]
    assert [row["score1"], row["score2"]] == pytest.approx(expected)


def test_the_interval_of_a_mean_is_that_of_a_slow_bootstrap():
    random = np.random.default_rng(2)
    people = [random.normal(size=n) for n in (30, 50)]
    cosines = [human + random.normal(size=(3, len(human))) for human in people]
    scores, resampled = _mean_similarity([*people, np.ones(9)], [*cosines, random.random((3, 9))], 4000, 1)
    slow = np.mean(
        [[spearmanr(human, row)[0] for row in rows] for human, rows in zip(people, cosines, strict=True)],
        axis=0,
    )
    np.testing.assert_allclose(scores, slow)
    draws = []
    for _ in range(1500):
        at = [random.integers(0, len(human), len(human)) for human in people]
        draws.append(
            np.mean(
                [
                    [spearmanr(human[i], row[i])[0] for row in rows]
                    for human, rows, i in zip(people, cosines, at, strict=True)
                ],
                axis=0,
            )
        )
    draws = np.array(draws)
    np.testing.assert_allclose(
        (resampled[:, 0] - resampled[:, 1]).std(), (draws[:, 0] - draws[:, 1]).std(), rtol=0.1
    )
    np.testing.assert_allclose(resampled.mean(axis=0), draws.mean(axis=0), atol=0.01)


def test_verdicts():
    assert [verdict(*ends) for ends in ((0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1), (math.nan, 1))] == [
        "holds",
        "fails",
        "open",
        "not tested",
    ]


def test_the_second_time_nothing_is_done(nips, inputs):
    output, results = nips
    before = {path: path.stat().st_mtime_ns for path in (output / STAGES).iterdir()}

    def refuse(*_):
        raise AssertionError("a stage was done again")

    again = reproduce_levy2014(inputs / "text.txt", output, gold=gold(inputs), watch=refuse, **SMALL)
    assert before == {path: path.stat().st_mtime_ns for path in (output / STAGES).iterdir()}
    pd.testing.assert_frame_equal(again.tables["table2"], results.tables["table2"])


@pytest.mark.parametrize(
    ("change", "steps"),
    [
        ({"epochs": 2}, {"sgns", "objective", "score", "claim"}),
        ({"samples": 30_000}, {"objective"}),
        ({"resamples": 30}, {"score", "claim"}),
        ({"ranks": (8, 12, 13)}, {"svd", "sgns", "objective", "score", "claim"}),
        ({"min_count": 7}, {"encode", "count", "svd", "sgns", "objective", "score", "claim"}),
    ],
)
def test_a_changed_option_does_again_only_what_depends_on_it(nips, inputs, change, steps):
    plan = plan_levy2014(inputs / "text.txt", nips[0], gold=gold(inputs), **{**SMALL, **change})
    assert {stage.options["step"] for stage in plan.pending} == steps
    if "epochs" in change:
        assert all("sgns" in name for name in names_of(plan.pending))


def test_another_text_under_the_same_name_is_seen(nips, inputs, tmp_path):
    text = tmp_path / "text.txt"
    text.write_bytes((inputs / "text.txt").read_bytes())
    same = plan_levy2014(text, nips[0], gold=gold(inputs), **SMALL)
    assert not same.pending
    text.write_text("other words " * 50)
    other = plan_levy2014(text, nips[0], gold=gold(inputs), **SMALL)
    assert other.pending == other.stages


def test_an_interrupted_run_goes_on(inputs, tmp_path):
    output, done = tmp_path / "out", []

    def stop_at(place):
        def watch(stage, number, total):
            if number == place:
                raise KeyboardInterrupt
            done.append(stage.name)
            return unwatched(stage, number, total)

        return watch

    plan = plan_levy2014(inputs / "text.txt", output, gold=gold(inputs), **SMALL)
    for place in (1, 2, 4):
        with pytest.raises(KeyboardInterrupt):
            reproduce_levy2014(inputs / "text.txt", output, gold=gold(inputs), watch=stop_at(place), **SMALL)
        assert not list(output.rglob("*.partial"))
        assert not (output / ".unfinished").exists()
        assert not (output / "report.md").exists()
    reproduce_levy2014(inputs / "text.txt", output, gold=gold(inputs), watch=stop_at(0), **SMALL)
    assert done == names_of(plan.stages)


def test_the_grid_shares_counts_and_factorizations(inputs, tmp_path):
    plan = plan_levy2015(
        inputs / "text.txt", tmp_path / "o", gold=gold(inputs, "ws353-sim", "google"), **GRID
    )
    steps = [stage.options["step"] for stage in plan.stages]
    # Two windows, with and without subsampling, and the flat one of Table 2.
    assert [steps.count(step) for step in ("encode", "count", "svd", "sgns")] == [1, 5, 17, 9]
    assert steps.count("score") == 2 * (17 + 17 + 9)
    assert plan.pending == plan.stages
    assert "137 models" in plan.shared[1]


def test_tables_of_the_grid_stand_beside_the_paper(tacl):
    tables = tacl[1].tables
    assert len(tables["table2"]) == len(tables["table3"]) == 3 * len(COLUMNS_2015)
    for row in tables["table2"].to_dict("records"):
        assert row["paper"] == VANILLA_2015[row["model"]][row["dataset"], row["method"]]
    for row in tables["table5"].to_dict("records"):
        assert row["paper"] == CROSS_VALIDATED_2015[2][row["model"]][row["dataset"], row["method"]]
    there = tables["table3"][tables["table3"]["dataset"].isin(["ws353-sim", "google"])]
    assert there[there["model"] != "SVD"]["score"].notna().all()
    assert there["total"].min() > 0


def test_the_tables_follow_from_all_scores(tacl):
    scores, tables = pd.read_csv(tacl[0] / "scores.csv"), tacl[1].tables
    of = scores[(scores["dataset"] == "ws353-sim") & ~scores["fixed"]]
    assert of.groupby("model").size().to_dict() == {"PPMI": 8, "SGNS": 8, "SVD": 32}
    at = (of["model"] == "PPMI") & (of["shift"] == 5) & (of["smoothing"] == 0.75) & of["subsampled"]
    fixed = tables["table3"].set_index(["dataset", "method", "model"])["score"]
    assert fixed["ws353-sim", "spearman", "PPMI"] == of[at]["score"].item()
    sgns = of[of["model"] == "SGNS"]
    best = [sgns[half].idxmax() for half in ("first_half", "second_half")]
    chosen = tables["table5"].set_index(["dataset", "method", "model"])["score"]
    expected = (sgns.loc[best[0], "second_half"] + sgns.loc[best[1], "first_half"]) / 2
    assert np.isclose(chosen["ws353-sim", "spearman", "SGNS"], expected)
    gains = tables["table8"]
    assert set(gains[gains["model"] == "SGNS"]["hyperparameter"]) == {"subsampled", "shift", "contexts"}
    # Gains of one hyperparameter are taken from their mean.
    assert np.allclose(gains.groupby(["model", "hyperparameter"])["gain"].sum(), 0, atol=1e-9)


def test_pictures_show_the_tables(nips, tacl):
    for results, panels in ((nips[1], 5), (tacl[1], 1)):
        assert len(results.panels) == panels
        assert draw_published(results.panels, columns=results.panels_in_a_row).axes
    table2, panel = nips[1].tables["table2"], nips[1].panels["google"]
    own = table2[(table2["dataset"] == "google") & (table2["model"] == "SGNS") & (table2["rank"] == 12)]
    assert list(panel[panel["series"] == "SGNS 12"]["value"]) == list(own["score"])


def test_dry_run_writes_nothing(capsys, inputs, tmp_path):
    files = [part for name, path in gold(inputs).items() for part in ("--gold", f"{name}={path}")]
    output = tmp_path / "out"
    done = in_process(
        *(capsys, "reproduce", "levy2014", inputs / "text.txt", "-o", output, *files, "--dry-run"),
    )
    assert done.status == 0, done.err
    assert list(tmp_path.iterdir()) == []
    assert "Plan for" in done.out
    assert "skip-gram" in done.out
    assert max(map(len, done.out.splitlines())) <= 80 + len(str(output))


def test_the_command_shows_a_line_a_stage_and_the_tables(capsys, inputs, nips):
    files = [part for name, path in gold(inputs).items() for part in ("--gold", f"{name}={path}")]
    options = ["--ranks", "8,12", "--shifts", "1,5", "--epochs", "1", "--samples", "20000"]
    args = ["reproduce", "levy2014", inputs / "text.txt", "-o", nips[0], *files, *options]
    done = in_process(capsys, *args, "--resamples", "9", "--threads", "1")
    assert done.status == 0, done.err
    assert "1/34 Score SPPMI" in done.err
    assert re.search(r"report.md and 3 tables in [\d.]+ m?s", done.err)
    assert "Table 1" in done.out
    assert "zero matrix" in done.out
    picture = inputs / "tables.svg"
    quiet = in_process(
        capsys, *args, "--resamples", "9", "--threads", "1", "--quiet", "--plot", inputs / "tables.svg"
    )
    assert all(text in picture.read_text() for text in ("deviation, %", "SGNS 8", "k = 5", "paper"))
    assert (quiet.status, quiet.err) == (0, "")
    assert quiet.out == done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_ctrl_c_tells_that_what_is_finished_is_kept(capsys, inputs, tmp_path, monkeypatch):
    files = [part for name, path in gold(inputs).items() for part in ("--gold", f"{name}={path}")]
    args = ["reproduce", "levy2014", inputs / "text.txt", "-o", tmp_path / "o", *files, "--ranks", "8"]

    def stop(*arguments, **options):
        raise Stopped

    monkeypatch.setattr("pmifact.reproduce.levy2014.sampled_objective", stop)
    done = in_process(capsys, *args, "--epochs", "1", "--quiet")
    assert (done.status, done.out) == (130, "")
    assert f"Interrupted; {tmp_path / 'o'} keeps the finished stages, and the same command" in done.err
    assert list((tmp_path / "o" / STAGES).glob("*.counts"))


def test_a_limit_on_memory_changes_no_count(inputs, tmp_path, nips):
    given = {"gold": gold(inputs), **SMALL, "shifts": (1,), "ranks": (8,)}
    reproduce_levy2014(inputs / "text.txt", tmp_path / "o", memory="300MB", **given)
    stages = plan_levy2014(inputs / "text.txt", tmp_path / "o", **given).stages
    for stage in stages[:2]:
        assert stage.kind in ("corpus", "counts")
        for array in (tmp_path / "o" / STAGES / stage.file_name).glob("*.npy"):
            assert array.read_bytes() == (nips[0] / STAGES / stage.file_name / array.name).read_bytes()
    assert not (tmp_path / "o" / ".unfinished").exists()


def test_a_table_of_scores_that_was_changed_is_told(inputs, tmp_path):
    given = {"gold": gold(inputs), **SMALL, "shifts": (1,), "ranks": (8,)}
    first = reproduce_levy2014(inputs / "text.txt", tmp_path / "o", **given)
    path = next((tmp_path / "o" / STAGES).glob("google-svd-*.csv"))
    whole = path.read_text()
    for damaged in (
        "junk\n",
        "",
        whole.splitlines()[0] + "\n",
        whole[: len(whole) // 2],
        whole.replace("0", "1", 1),
        whole + "1,2\n",
    ):
        path.write_text(damaged)
        with pytest.raises(ArtifactError, match=rf"{path.name}: expected a table .* remove it and run again"):
            reproduce_levy2014(inputs / "text.txt", tmp_path / "o", **given)
    path.unlink()
    again = reproduce_levy2014(inputs / "text.txt", tmp_path / "o", **given)
    pd.testing.assert_frame_equal(again.tables["table2"], first.tables["table2"])
    assert path.read_text() == whole


def test_an_artifact_is_no_text(inputs, tmp_path, nips):
    counts = next((nips[0] / STAGES).glob("*.counts"))
    for given in (counts, nips[0] / STAGES):
        with pytest.raises(InputError, match=r"stages/.*: expected text, got what another command"):
            plan_levy2014(given, tmp_path / "o", gold=gold(inputs))


def test_wrong_use_is_told(capsys, inputs, tmp_path):
    for extra, status in (
        (["--gold", "ws353"], 2),
        (["--ranks", "5,5"], 2),
        (["--shifts", "0"], 2),
        (["--gold", f"wordsim={inputs / 'pairs.tsv'}"], 1),
    ):
        done = in_process(capsys, "reproduce", "levy2014", inputs / "text.txt", "-o", tmp_path / "o", *extra)
        assert done.status == status, done.err
    with pytest.raises(
        InputError, match=r"no set is at hand, .*; get some first: pmifact data get ws353-sim "
    ):
        plan_levy2015(inputs / "text.txt", tmp_path / "o")
    with pytest.raises(InputError, match="standard input"):
        plan_levy2014("-", tmp_path / "o")


def test_the_least_count_is_scaled_down():
    assert [scaled_min_count(tokens) for tokens in (1_000, 33e6, 1.5e9, 1e11)] == [5, 15, 100, 100]


def test_a_larger_least_count_is_as_if_it_had_been_asked_for(inputs, tmp_path):
    from pmifact import encode_corpus

    wanted = encode_corpus(inputs / "text.txt", min_count=150)
    found = with_min_count(encode_corpus(inputs / "text.txt", min_count=5), 150, tmp_path / "ids")
    assert found.vocabulary.words == wanted.vocabulary.words
    assert 0 < len(wanted.vocabulary) < len(encode_corpus(inputs / "text.txt").vocabulary)
    np.testing.assert_array_equal(found.token_ids, wanted.token_ids)
    assert found.options == wanted.options


@pytest.mark.acceptance
def test_killed_runs_end_in_the_same_tables(inputs, tmp_path, nips):
    files = [part for name, path in gold(inputs).items() for part in ("--gold", f"{name}={path}")]
    options = [
        "--ranks",
        "8,12",
        "--shifts",
        "1,5",
        "--epochs",
        "1",
        "--samples",
        "20000",
        "--resamples",
        "20",
    ]
    command = [sys.executable, "-m", "pmifact", "reproduce", "levy2014", str(inputs / "text.txt"), *files]
    command += [*options, "--threads", "1", "--quiet", "-o", str(tmp_path / "out")]
    draw, kills = random.Random(3), 0
    for _ in range(12):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            process.wait(draw.uniform(1, 9))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    assert kills
    assert subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0
    assert (tmp_path / "out" / "report.md").read_text() == nips[1].report
    left = {path.name for path in (tmp_path / "out" / STAGES).iterdir()}
    assert left <= {path.name for path in (nips[0] / STAGES).iterdir()}
    assert not (tmp_path / "out" / ".unfinished").exists()


@pytest.mark.acceptance
def test_the_script_runs_on_the_bundled_corpus(tmp_path, monkeypatch, capsys):
    script = "docs/reproduce.py"
    files = ("ws353=data/world-similarity.tsv", "google=data/world-analogies.txt")
    files += ("ws353-sim=data/world-similarity.tsv",)
    monkeypatch.setattr(sys, "argv", [script, "data/world.txt", str(tmp_path / "out"), *files])
    runpy.run_path(script, run_name="__main__")
    assert "Table 8" in capsys.readouterr().out
