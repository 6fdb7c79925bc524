"""``pmifact data``, and named sets where gold files are asked for."""

import csv
import io
import json

import pytest
from cli_samples import in_process, make_all, write_similarity
from dataset_samples import PAIRS, TEXT, entry, registry_of, serving, sha256

from pmifact.datasets import registry


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the text, its gold sets, and an artifact of each stage."""
    return make_all(tmp_path_factory.mktemp("made"))


@pytest.fixture
def use(tmp_path, monkeypatch):
    """Make a text the registry; the cache is empty."""
    monkeypatch.setenv("PMIFACT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PMIFACT_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def use(text):
        monkeypatch.setattr(registry, "_text", lambda: text)
        registry.datasets.cache_clear()

    yield use
    registry.datasets.cache_clear()


@pytest.fixture
def at_hand(use, made, tmp_path, monkeypatch):
    """The gold sets of the small text under the names "near" and "like", and one that it does not cover."""
    foreign = b"katze\thund\t9\nsonne\tmond\t8\n"
    files = {
        "near": ("similarity", (made / "pairs.tsv").read_bytes(), 6),
        "like": ("analogy", (made / "questions.txt").read_bytes(), 11),
        "foreign": ("similarity", foreign, 2),
    }
    folder = tmp_path / "own"
    folder.mkdir()
    text = ""
    for name, (kind, content, rows) in files.items():
        (folder / f"{name}.txt").write_bytes(content)
        digest = sha256(content)
        text += entry(name, kind=kind, rows=rows, file=f"{name}.txt", sha256=digest, url="http://localhost/x")
    use(text + entry("tale", kind="corpus", file="tale.txt"))
    monkeypatch.setenv("PMIFACT_DATA", str(folder))


def test_list_shows_where_each_set_is(cli, use, tmp_path, monkeypatch):
    with serving() as (address, _):
        use(registry_of(address))
        assert cli("data", "get", "moved", "-q") == (0, "", "")
        (tmp_path / "pairs.tsv").write_bytes(PAIRS)
        monkeypatch.setenv("PMIFACT_DATA", str(tmp_path))
        table = cli("data", "list").out
        monkeypatch.delenv("PMIFACT_DATA")
        rows = {row["name"]: row for row in json.loads(cli("data", "list", "--format", "json").out)}
        listed = list(csv.DictReader(io.StringIO(cli("data", "list", "--format", "csv").out)))
    assert table.splitlines()[1].split() == ["name", "kind", "title", "rows", "where"]
    assert table.splitlines()[3].split() == ["pairs", "similarity", "The", "pairs", "3", "PMIFACT_DATA"]
    assert table.count("PMIFACT_DATA") == 6  # of one file name
    assert [rows[name]["where"] for name in ("moved", "pairs", "questions")] == ["cached", "get", "add"]
    assert (rows["moved"]["rows"], rows["prose"]["rows"], rows["pairs"]["path"]) == (3, None, None)
    assert rows["moved"]["path"] == str(tmp_path / "cache/moved/pairs.tsv")
    assert [row["name"] for row in listed] == list(rows)
    assert listed[0]["digest"].startswith("sha256:")
    assert [row["rows"] for row in (listed[0], listed[-1])] == ["3", ""]


def test_list_of_the_real_registry_fits_80_columns(cli):
    shown = cli("data", "list").out
    assert max(map(len, shown.splitlines())) <= 80
    assert "Google analogies" in shown


def test_get_says_what_came(cli, use, tmp_path):
    with serving() as (address, _):
        use(registry_of(address))
        got = cli("data", "get", "pairs", "relations")
        again = cli("data", "get", "pairs")
        mistyped = cli("data", "get", "moved", "relation")
    place = tmp_path / "cache/pairs/pairs.tsv"
    assert got.status == 0
    assert got.out == ""
    assert got.err == (
        f"Fetched: pairs, The pairs, 3 pairs; {place}\n"
        f"Fetched: relations, The relations, 3 pairs; {tmp_path / 'cache/relations/relations'}\n"
    )
    assert again.err == f"At hand: pairs, The pairs, 3 pairs; {place}\n"
    assert mistyped.status == 1
    assert "did you mean relations?" in mistyped.err
    assert not (tmp_path / "cache/moved").exists()


def test_a_failed_download_is_one_sentence(cli, use):
    with serving() as (address, _):
        use(registry_of(address))
        gone = cli("data", "get", "gone")
    assert gone.status == 1
    assert gone.err.startswith(
        f"Error: gone: {address}/gone.tsv cannot be fetched: the server answers 404 Not Found; "
    )
    assert gone.err.count("\n") == 1


def test_add_and_path(cli, use, tmp_path):
    use(registry_of("http://localhost"))
    (tmp_path / "prose").write_bytes(TEXT)
    added = cli("data", "add", "prose", tmp_path / "prose")
    place = tmp_path / "cache/prose/prose.txt"
    assert (added.status, added.err) == (0, f"Added: prose, The prose, 1.7 kB; {place}\n")
    assert cli("data", "path", "prose") == (0, f"{place}\n", "")
    absent = cli("data", "path", "pairs")
    assert absent.err == "Error: pairs: The pairs is not at hand; fetch it with: pmifact data get pairs\n"


def datasets_of(outcome):
    assert outcome.status == 0, outcome.err
    return list(dict.fromkeys(row["dataset"] for row in json.loads(outcome.out)))


def test_evaluate_takes_names(cli, made, at_hand):
    args = ("evaluate", made / "small.factors", "--resamples", "0", "--format", "json")
    assert datasets_of(cli(*args, "--similarity", "near", "--analogy", "like")) == ["near", "like"]
    named = json.loads(cli(*args, "--similarity", "near").out)
    read = json.loads(cli(*args, "--similarity", made / "pairs.tsv").out)
    assert named == [{**row, "dataset": "near"} for row in read]


def test_without_a_set_all_that_are_at_hand_are_taken(cli, made, at_hand, tmp_path):
    outcome = cli(
        "evaluate", made / "small.factors", "--resamples", "0", "--format", "json", "--method", "mul"
    )
    assert datasets_of(outcome) == ["near", "like"]
    assert outcome.err.startswith("Left out: none of the 2 pairs of foreign has vectors for both words")
    outcome = cli(
        *("compare", made / "small.factors", f"rows={made / 'small.counts'}"),
        *("--resamples", "9", "--format", "json"),
    )
    assert datasets_of(outcome) == ["near", "like"]
    assert outcome.err == "Left out: foreign, of which the models cover fewer than 2 items in common\n"
    (tmp_path / "other.txt").write_text("2 2\nx 1 2\ny 3 4\n")
    outcome = cli("evaluate", tmp_path / "other.txt")
    assert outcome.status == 1
    assert outcome.err.splitlines()[-1].startswith("Error: none of the gold sets at hand can be used")
    chosen = cli("evaluate", made / "small.factors", "--similarity", "foreign")
    assert (chosen.status, chosen.err[:31]) == (1, "Error: none of the 2 pairs of f")


def test_a_file_comes_before_a_name(cli, made, at_hand, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_similarity(tmp_path / "foreign")
    outcome = cli(
        "evaluate", made / "small.factors", "--similarity", "foreign", "--resamples", "0", "--format", "json"
    )
    assert json.loads(outcome.out)[0]["covered"] == 5


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [
        ("--similarity", "nearby", "nearby: there is no such file, and no named set; did you mean near? "),
        (
            "--similarity",
            "absent.txt",
            "absent.txt: there is no such file, and no named set; 'pmifact data list'",
        ),
        (
            "--similarity",
            "like",
            "expected a set for --similarity, got The like (analogy); give it to --analogy",
        ),
        (
            "--analogy",
            "tale",
            "expected a set for --analogy, got The tale (corpus); 'pmifact data path tale' prints",
        ),
    ],
)
def test_what_is_no_set_of_the_kind(cli, made, at_hand, option, given, said):
    outcome = cli("evaluate", made / "small.factors", option, given)
    assert outcome.status == 1
    assert said in outcome.err
