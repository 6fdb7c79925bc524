"""Pair sets: how they are read, and the questions that they and question sets are built from."""

import re

import numpy as np
import pytest

from pmifact.cli.tables import _outline
from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, PairSet, evaluate_analogy, read_analogy, read_pairs
from pmifact.evaluation.gold import subtotals_of
from pmifact.evaluation.pairs import pairs_of, read_analogy_gold
from pmifact.evaluation.questions import design_of, pair_ids, questions_of, relation_design
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary


def test_all_of_bats_reads(shared_data):
    gold = read_pairs(shared_data / "analogy" / "BATS_3.0")
    assert gold.name == "BATS_3.0"
    assert len(gold) == 2_000
    assert len(gold.section_names) == 40
    assert gold.section_names[0] == "I01 [noun - plural_reg]"
    assert gold.pairs[0] == ("album", ("albums",))
    first = gold.pairs[gold.sections.index("L01 [hypernyms - animals]")]
    assert first[0] == "allosaurus"
    assert first[1][:2] == ("dinosaur", "reptile")
    assert first[1][-1] == "archosaurian_reptile"  # the file ends the list with a "/"
    assert len(design_of(gold)) == 40 * 50 * 49
    subtotals = subtotals_of(gold.section_names)
    assert list(subtotals) == ["inflectional", "derivational", "encyclopedic", "lexicographic"]
    assert [len(members) for members in subtotals.values()] == [10, 10, 10, 10]
    assert subtotals["encyclopedic"][0] == "E01 [country - capital]"


def test_the_groups_of_bats_have_subtotals(tmp_path):
    """Each pools the questions of its relations; what has no code of BATS is in none of them."""
    rng = np.random.default_rng(0)
    relations = {"I01 [x]": 4, "L10 [y]": 3, "I02 [z]": 3, "other": 3}
    words = []
    for number, (name, size) in enumerate(relations.items()):
        (tmp_path / f"{name}.txt").write_text("".join(f"a{number}{i} b{number}{i}\n" for i in range(size)))
        words += [f"{side}{number}{i}" for side in "ab" for i in range(size)]
    vectors = WordVectors(
        Vocabulary(tuple(words), np.zeros(len(words), np.int64)), rng.normal(size=(len(words), 3))
    )
    frame = evaluate_analogy(vectors, tmp_path, resamples=9, case="exact").set_index("section")
    assert list(frame.index) == ["all", "macro", "inflectional", "lexicographic", *sorted(relations)]
    parts = frame.loc[["I01 [x]", "I02 [z]"]]
    pooled = (parts["score"] * parts["covered"]).sum() / parts["covered"].sum()
    assert frame.loc["inflectional", "score"] == pytest.approx(pooled)
    assert frame.loc["inflectional", "covered"] == 4 * 3 + 3 * 2
    assert frame.loc["lexicographic", "score"] == frame.loc["L10 [y]", "score"]
    shown = [name for name, _ in _outline(frame.reset_index().to_dict("records"))]
    assert shown == [
        *(tmp_path.name, "  macro", "  inflectional", "    I01 [x]", "    I02 [z]"),
        *("  lexicographic", "    L10 [y]", "  other"),
    ]
    with pytest.raises(InputError, match="section name 'inflectional' is kept for a summary row"):
        PairSet("x", (("a", ("b",)),) * 2, ("I01 [x]", "inflectional"))
    assert PairSet("x", (("a", ("b",)),), ("inflectional",)).section_names == ("inflectional",)


def test_questions_and_pairs_are_told_apart(tmp_path):
    (tmp_path / "pairs.txt").write_text(": young\ncat kitten/kit\n: homes\ndog kennel\n")
    (tmp_path / "questions.txt").write_text("# four words\n: x\na b c d\n")
    pairs = read_analogy_gold(tmp_path / "pairs.txt")
    assert isinstance(pairs, PairSet)
    assert pairs.pairs == (("cat", ("kitten", "kit")), ("dog", ("kennel",)))
    assert pairs.sections == ("young", "homes")
    assert isinstance(read_analogy_gold(tmp_path / "questions.txt"), AnalogySet)
    (tmp_path / "questions.txt").unlink()
    assert read_analogy_gold(tmp_path).sections == ("young", "homes")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a b\nc d e\n", "line 2: expected a word and its right answers, such as .*, got 3 space-separated"),
        ("a\t/\n", "line 1: expected a right answer, got '/'"),
        ("a\tb\n\tc\n", "line 2: expected a word in each of the first 2 columns"),
        ("# nothing\n", "expected lines with a word and its right answers, got none"),
    ],
)
def test_a_pair_that_cannot_be_used_is_one_sentence(tmp_path, text, said):
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=f"{re.escape(str(path))}.*{said}"):
        read_pairs(path)


def test_a_folder_without_pairs_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"a folder with \.txt files of word pairs, got none"):
        read_pairs(tmp_path)


@pytest.mark.parametrize(
    ("pairs", "sections", "said"),
    [
        ([("a", ("b",))], [], "got 1 pairs and 0 sections"),
        ([("a", ())], ["x"], "the word 'a' has no right answer"),
        ([("a", ("b",))], ["macro"], "'macro' is kept for a summary row"),
    ],
)
def test_a_set_that_cannot_be_used_is_refused(pairs, sections, said):
    with pytest.raises(InputError, match=said):
        PairSet("toy", tuple(pairs), tuple(sections))


QUESTIONS = AnalogySet(
    "toy",
    (("a", "A*", "b", "b*"), ("b", "b*", "A", "a*"), ("a", "a*", "b", "b*"), ("c", "c*", "a", "x")),
    ("one", "one", "two", "two"),
)


def test_questions_know_the_pairs_they_are_built_from():
    design = design_of(QUESTIONS)
    # Letter case makes no pair; one that stands in two sections belongs to the first.
    assert design.pairs.tolist() == [[0, 1], [1, 0], [0, 1], [2, 3]]
    assert design.pair_sections.tolist() == [0, 0, 1, 1]
    assert design.sections.tolist() == [0, 0, 1, 1]


def test_google_is_built_from_573_pairs_in_its_sections(shared_data):
    gold = read_analogy(shared_data / "analogy" / "questions-words.txt")
    pairs = pairs_of(gold)
    assert sum(len(answers) for _, answers in pairs.pairs) == 573
    assert len(pairs) == 572  # a city of two states
    assert len(design_of(gold).pair_sections) == 550  # 23 capitals stand in two sections


def test_pairs_of_questions_merge_right_answers():
    pairs = pairs_of(QUESTIONS)
    assert pairs.pairs == (
        ("a", ("A*",)),
        ("b", ("b*",)),
        ("A", ("a*",)),
        ("a", ("a*", "x")),
        ("b", ("b*",)),
        ("c", ("c*",)),
    )
    assert pairs.sections == ("one",) * 3 + ("two",) * 3


def test_pairs_become_questions_of_words_with_vectors():
    words = ("a", "b", "c", "x", "y", "z")
    vectors = WordVectors(Vocabulary(words, np.ones(6, np.int64)), np.eye(6, dtype=np.float32))
    gold = PairSet("toy", (("a", ("q", "x")), ("b", ("y", "q", "z")), ("c", ("q",))), ("s",) * 3)
    sources, targets = pair_ids(vectors, gold, case="fold")
    assert sources.tolist() == [0, 1, 2]
    assert targets.tolist() == [[3, -1], [4, 5], [-1, -1]]
    design = design_of(gold)
    questions = questions_of(vectors, gold, design, case="fold")
    assert design.texts[0] == ("a", "q/x", "b", "y/q/z")
    assert design.pairs.tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    assert questions.inputs[0].tolist() == [0, 3, 1]
    assert questions.right[0].tolist() == [4, 5]
    assert questions.covered.tolist() == [True, False, True, False, False, False]
    back = questions.reversed()
    assert (back.inputs[0].tolist(), back.right[0].tolist()) == ([3, 0, 4], [1])
    assert relation_design(gold).pairs.tolist() == [[0, 0], [1, 1], [2, 2]]


def test_pairs_that_stand_alone_make_no_questions():
    with pytest.raises(InputError, match="pair set toy: expected two pairs or more in a section"):
        design_of(PairSet("toy", (("a", ("b",)), ("c", ("d",))), ("one", "two")))
