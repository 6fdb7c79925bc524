"""``pmifact plot``: every kind of picture, and no option that is taken and ignored."""

import pandas as pd
import pytest
from cli_samples import in_process, make_all

from pmifact import InputError
from pmifact.evaluation.tables import read_score_table


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_all(tmp_path_factory.mktemp("made"))


def gold(made):
    return "--similarity", made / "pairs.tsv", "--analogy", made / "questions.txt"


@pytest.mark.parametrize("model", ["small.factors", "small.counts"])
def test_a_map_of_the_most_frequent_words(cli, made, tmp_path, model):
    outcome = cli("plot", made / model, "-o", tmp_path / "map.svg", "-n", 10)
    assert outcome.status == 0, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith(f"Wrote {tmp_path}/map.svg: 10 words; ")
    drawn = (tmp_path / "map.svg").read_text()
    words = [line.split("\t")[0] for line in (made / model / "vocabulary.tsv").read_text().splitlines()]
    for word in words[:10]:
        assert f">{word}</text>" in drawn
    assert f">{words[10]}</text>" not in drawn


def test_a_map_of_given_words(cli, made, tmp_path):
    (tmp_path / "words.txt").write_text("cat\ndog\n")
    args = ("plot", made / "small.factors", "-o", tmp_path / "map.svg")
    outcome = cli(*args, "--words", tmp_path / "words.txt", "--word", "boat", "--word", "cat")
    assert outcome.status == 0, outcome.err
    drawn = (tmp_path / "map.svg").read_text()
    assert all(f">{word}</text>" in drawn for word in ("cat", "dog", "boat"))
    assert ">the</text>" not in drawn
    outcome = cli(*args, "--word", "cat", "--word", "dog", "--word", "zebra", "-q")
    assert (outcome.status, outcome.err.count("\n")) == (1, 1)
    assert "'zebra'" in outcome.err
    assert cli(*args, "--word", "cat", "--word", "dog", "--word", "boat", "-n", 50).status == 2
    few = cli(*args, "--word", "cat", "--word", "dog", "--word", "cat")
    assert (few.status, few.out) == (1, "")
    assert "--word, --words: expected at least 3 words for a map, got 2" in few.err


def test_spectra(cli, made, tmp_path):
    outcome = cli("plot", made / "small.factors", "-o", tmp_path / "s.png", "--kind", "spectrum", "-q")
    assert (outcome.status, outcome.err) == (0, "")
    outcome = cli("plot", made / "small.counts", "-o", tmp_path / "s.png", "--kind", "spectrum")
    assert outcome.status == 1
    sgns = tmp_path / "sgns.factors"
    assert cli("skipgram", made / "small.counts", "-o", sgns, "--rank", 4, "--epochs", 1, "-q").status == 0
    outcome = cli("plot", sgns, "-o", tmp_path / "s.png", "--kind", "spectrum")
    assert (outcome.status, "sgns was trained by skip-gram" in outcome.err) == (1, True)


def test_scores_of_models_and_from_a_table_are_one_picture(cli, made, tmp_path):
    models = (made / "small.factors", made / "small.counts")
    outcome = cli(
        "plot", *models, "-o", tmp_path / "a.svg", "--kind", "scores", *gold(made), "--resamples", 19
    )
    assert outcome.status == 0, outcome.err
    for ending in ("csv", "json"):
        table = tmp_path / f"scores.{ending}"
        assert cli("evaluate", *models, *gold(made), "--resamples", 19, "-o", table).status == 0
        assert cli("plot", table, "-o", tmp_path / "b.svg", "--kind", "scores").status == 0
        assert (tmp_path / "b.svg").read_bytes() == (tmp_path / "a.svg").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--kind", "spectrum", "-n", "5"), "--number: has no effect on --kind spectrum"),
        (("--kind", "spectrum", "--power", "0"), "--power: has no effect on --kind spectrum"),
        (("--similarity", "x"), "--similarity: has no effect on --kind map"),
        (("--seed", "1"), "--seed: has no effect on --kind map"),
        (("--kind", "scores"), "no named gold set is at hand"),
        (("--kind", "scores", "--word", "a"), "--word: has no effect on --kind scores"),
        (("--width", "1"), "expected a number above"),
    ],
)
def test_options_that_do_not_apply_are_usage_errors(cli, made, tmp_path, options, message):
    outcome = cli("plot", made / "small.factors", "-o", tmp_path / "p.png", *options)
    assert outcome.status == 2
    assert message in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_a_map_shows_one_model_and_tables_have_no_options(cli, made, tmp_path):
    table, picture = tmp_path / "t.csv", tmp_path / "p.png"
    cli("evaluate", made / "small.factors", *gold(made), "--resamples", 0, "-o", table)
    for args in (
        (made / "small.factors", made / "small.counts"),
        (made / "small.factors", made / "small.factors", "--kind", "spectrum"),
        (table, made / "small.factors", "--kind", "scores"),
        (table, "--kind", "scores", "--resamples", 5),
    ):
        assert cli("plot", *args, "-o", picture).status == 2
    assert not picture.exists()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "model,dataset\nx,y\n", "got none named task"),
        ("a.csv", "", "cannot be read as one"),
        ("a.json", "{", "cannot be read as one"),
        ("a.json", "[]", "got none named model"),
    ],
)
def test_what_is_no_score_table_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_score_table(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_score_table(tmp_path / f"none-{name}")


def test_score_tables_are_read_as_they_were_written(tmp_path):
    row = dict.fromkeys(("model", "dataset", "task", "section", "method"), "NA")
    row |= {"score": 0.25, "low": None, "high": None, "covered": 3.0, "total": 4.0}
    frame = pd.DataFrame([row])
    frame.to_csv(tmp_path / "t.csv", index=False)
    read = read_score_table(tmp_path / "t.csv")
    assert read["model"].iloc[0] == "NA"
    assert read["score"].iloc[0] == 0.25
    assert pd.isna(read["low"].iloc[0])
    frame.assign(score="high").to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InputError, match="score: expected numbers"):
        read_score_table(tmp_path / "t.csv")
