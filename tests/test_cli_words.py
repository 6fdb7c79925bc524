"""The commands that look at words: neighbors of many, analogy, contexts."""

import io
import json

import pandas as pd
import pytest
from cli_samples import TOPICS, in_process, make_all

from pmifact import evaluate_bias, shared_contexts, word_contexts
from pmifact.cli import run_command
from pmifact.evaluation import probe_analogy
from pmifact.storage import read_counts, read_vectors


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the text, its gold sets, and an artifact of each stage."""
    return make_all(tmp_path_factory.mktemp("words"))


# --- neighbors of the words of a file -----------------------------------------------------------------


def test_neighbors_of_many_words(cli, made, tmp_path):
    (tmp_path / "words.txt").write_text("soup\nunicorn\nboat\tx\n".replace("\tx", "\t3"))
    outcome = cli(
        *("neighbors", made / "small.factors", "boat", "--words", tmp_path / "words.txt", "-n", "2"),
        *("--format", "csv"),
    )
    assert outcome.status == 0
    assert outcome.err == f"{tmp_path / 'words.txt'}: 1 word without a vector, left out: unicorn\n"
    found = pd.read_csv(io.StringIO(outcome.out))
    assert found["word"].tolist() == ["boat", "boat", "soup", "soup"]
    vectors = read_vectors(made / "small.factors")
    expected = [pair for neighbors in vectors.nearest(["boat", "soup"], 2) for pair in neighbors]
    assert list(zip(found["neighbor"], found["cosine"], strict=True)) == expected


def test_words_of_which_none_is_known_are_refused(cli, made, tmp_path):
    (tmp_path / "words.txt").write_text("unicorn\nzebra\n")
    outcome = cli("neighbors", made / "small.factors", "--words", tmp_path / "words.txt")
    assert (outcome.status, outcome.out) == (1, "")
    assert "none of its 2 words has a vector" in outcome.err


def test_results_go_to_a_new_file(cli, made, tmp_path):
    for args in (
        ("neighbors", made / "small.factors", "cat"),
        ("analogy", made / "small.factors", "cat", "dog", "soup"),
        ("contexts", made / "small.counts", "cat"),
    ):
        target = tmp_path / f"{args[0]}.json"
        outcome = cli(*args, "-o", target, "-n", "3")
        assert (outcome.status, outcome.out) == (0, "")
        assert outcome.err.startswith(f"Wrote {target}: ")
        assert len(json.loads(target.read_text())) == 3
        assert "expected a new file" in cli(*args, "-o", target).err


# --- analogy ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["add", "mul", "pairdirection"])
@pytest.mark.parametrize("model", ["small.factors", "small.counts"])
def test_an_analogy_is_that_of_the_vectors(cli, made, method, model):
    for inputs in ("exclude", "keep"):
        outcome = cli(
            *("analogy", made / model, "cat", "dog", "soup", "--method", method, "--inputs", inputs),
            *("-n", "3", "--format", "json"),
        )
        assert outcome.status == 0, outcome.err
        rows = json.loads(outcome.out)
        assert [row["rank"] for row in rows] == [1, 2, 3]
        assert {(row["a"], row["a_star"], row["b"], row["method"], row["inputs"]) for row in rows} == {
            ("cat", "dog", "soup", method, inputs)
        }
        expected = read_vectors(made / model).analogy("cat", "dog", "soup", 3, method=method, inputs=inputs)
        assert [(row["answer"], row["score"]) for row in rows] == expected


def test_an_analogy_for_people(cli, made):
    lines = cli("analogy", made / "small.factors", "cat", "dog", "soup", "-n", "2").out.splitlines()
    assert lines[0] == "cat : dog :: soup : ?  (3CosAdd)"
    assert lines[1].split() == ["rank", "answer", "score"]
    assert len(lines) == 5
    kept = cli("analogy", made / "small.factors", "cat", "dog", "soup", "--inputs", "keep").out
    assert kept.startswith("cat : dog :: soup : ?  (3CosAdd, inputs kept)\n")


def test_a_mistyped_word_is_told_what_was_meant(cli, made):
    for args in (("analogy", made / "small.factors", "cat", "dog"), ("contexts", made / "small.counts")):
        outcome = cli(*args, "captian")
        assert (outcome.status, outcome.out) == (1, "")
        assert outcome.err.endswith("words of the vocabulary; did you mean 'captain'?\n")


# --- contexts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"sort": "count", "min_count": 2, "shift": 2, "smoothing": 1}])
def test_contexts_are_those_of_the_api(cli, made, options):
    typed = [text for key, value in options.items() for text in (f"--{key.replace('_', '-')}", value)]
    outcome = cli("contexts", made / "small.counts", "cat", *typed, "--format", "csv")
    assert outcome.status == 0, outcome.err
    expected = word_contexts(read_counts(made / "small.counts"), "cat", **options)
    assert outcome.out == expected.to_csv(index=False, lineterminator="\n")
    if not options:
        assert set(expected["context"][:5]) <= set(TOPICS["pets"])


def test_shared_contexts_are_those_of_the_api(cli, made):
    outcome = cli("contexts", made / "small.counts", "cat", "dog", "--shift", "1.5", "--format", "json")
    expected = shared_contexts(read_counts(made / "small.counts"), "cat", "dog", shift=1.5)
    rows = json.loads(outcome.out)
    assert [row["context"] for row in rows] == expected["context"].tolist()
    assert [row["share"] for row in rows] == [None, None, *expected["share"][2:]]
    assert rows[0]["part"] == "pair"


def test_contexts_for_people(cli, made):
    lines = cli("contexts", made / "small.counts", "cat", "-n", "2").out.splitlines()
    assert lines[0] == "Contexts of cat, by PMI"
    assert lines[1].split() == ["rank", "context", "count", "PMI"]
    assert len(lines) == 5
    lines = cli("contexts", made / "small.counts", "cat", "dog", "-n", "2").out.splitlines()
    assert lines[0] == "cat and dog as contexts of each other"
    assert lines[1].split() == ["word", "context", "#(word)", "#(context)", "count", "PMI"]
    assert [line.split()[:2] for line in lines[3:5]] == [["cat", "dog"], ["dog", "cat"]]
    assert lines[6].startswith("Cosine 0.")
    assert lines[7].split() == ["cat", "dog"]
    assert lines[8].split() == ["rank", "context", "count", "PMI", "count", "PMI", "share"]
    assert "a smaller --shift" in cli("contexts", made / "small.counts", "cat", "dog", "--shift", "1e9").out


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Models that hold next to nothing."""
    folder = tmp_path_factory.mktemp("few")
    (folder / "one.txt").write_text("1 2\nalone 1 2\n")
    (folder / "three.txt").write_text("3 2\na 1 0\nb 0 1\nc 1 1\n")
    (folder / "pairs.txt").write_text("a x\nb x\nc y\n")
    assert run_command(["convert", str(folder / "pairs.txt"), "-o", str(folder / "few.counts"), "-q"]) == 0
    return folder


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("neighbors one.txt alone", "No neighbors of alone: no other word of one.txt has a vector\n"),
        ("analogy three.txt a b c", "No answer: three.txt has no other word with a vector\n"),
        (
            "contexts few.counts a --min-count 1e3",
            "No contexts: nothing stands with a as often as 1000 times in few.counts\n",
        ),
        ("contexts few.counts a c", "No contexts: a and c are none in few.counts, and share none\n"),
    ],
)
def test_that_nothing_was_found_is_told(cli, few, monkeypatch, args, said):
    monkeypatch.chdir(few)
    assert cli(*args.split()) == (0, "", said)
    csv = cli(*args.split(), "--format", "csv")
    assert (csv.out.count("\n"), csv.err) == (1, said)


def test_one_shared_context_is_told_as_one(cli, few):
    lines = cli("contexts", few / "few.counts", "a", "b").out.splitlines()
    assert "Cosine 1.000, from 1 shared context; this makes 100% of it" in lines


def test_two_words_are_not_sorted(cli, made):
    outcome = cli("contexts", made / "small.counts", "cat", "dog", "--sort", "pmi")
    assert outcome.status == 2
    assert "--sort: has no effect on two words" in outcome.err


# --- bias ---------------------------------------------------------------------------------------------

LISTS = {"pets": ["cat", "dog", "Hamster", "unicorn"], "food": ["bread", "soup", "apple"]}
ATTRIBUTES = {"near pets": ["fur", "paw", "tail"], "near food": ["spoon", "salt"]}


@pytest.fixture
def lists(tmp_path):
    path = tmp_path / "lists.json"
    path.write_text(json.dumps({**LISTS, **ATTRIBUTES}))
    return path


def test_bias_is_that_of_the_api(cli, made, lists):
    names = ("pets", "food", "near pets", "near food")
    outcome = cli(
        *("bias", made / "small.factors", "--lists", lists, "--test", ", ".join(names)),
        *("--probe", "cat", "soup", "dog", "-n", "3", "--format", "json"),
    )
    assert outcome.status == 0, outcome.err
    tests, *probes = json.loads(outcome.out)
    vectors = read_vectors(made / "small.factors")
    expected = evaluate_bias(vectors, lists, tests=[names], model="small").to_dict("records")[0]
    assert {key: tests[key] for key in expected} == expected
    assert (tests["splits"], tests["exact"], tests["missing"]) == (20, True, "unicorn")
    assert tests["p"] == 0
    assert tests["rank"] is None
    found = probe_analogy(vectors, "cat", "soup", "dog", 3, model="small")
    assert [(row["way"], row["rank"], row["word"]) for row in probes] == list(
        zip(found["way"], found["rank"], found["word"], strict=True)
    )
    assert probes[0]["effect"] is None


def test_bias_for_people(cli, made, lists):
    args = ("bias", made / "small.factors", "--lists", lists, "--test", "pets,food,near pets,near food")
    outcome = cli(*args)
    assert outcome.status == 0
    assert outcome.err == "No probe doctor - man + woman: man and woman and doctor without a vector\n"
    assert max(map(len, outcome.out.splitlines())) <= 80
    shown = " ".join(outcome.out.split())
    assert "Words without a vector, left out of 1 list: pets: 1 of 4: unicorn" in shown
    assert "show neither what anybody thinks" in shown
    assert "Nissim" not in shown
    assert "20 8 / 9" not in shown
    probed = cli(*args, "--probe", "cat", "soup", "dog", "--permutations", "5", "--seed", "3").out
    assert "dog - cat + soup (3CosAdd), and the neighbors of dog" in probed
    assert "Nissim" in probed
    assert "drawn" in probed


def test_bias_that_cannot_be_tested_is_refused(cli, made, lists):
    outcome = cli("bias", made / "small.factors", "--lists", lists)
    assert outcome.status == 2
    assert "say with --test which of these lists are X, Y, A and B: pets, food, near pets" in outcome.err
    assert cli("bias", made / "small.factors", "--test", "a,b,c").status == 2
    assert cli("bias", made / "small.factors", "--permutations", "0", "--seed", "1").status == 2
    outcome = cli("bias", made / "small.factors")
    assert (outcome.status, outcome.out) == (1, "")
    assert "no test can be scored" in outcome.err
    test = ("--lists", lists, "--test", "pets,food,near pets,near food")
    outcome = cli("bias", made / "small.factors", *test, "--probe", "cat", "soup", "unicorn")
    assert (outcome.status, outcome.out) == (1, "")
    assert "'unicorn'" in outcome.err
