from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, SimilaritySet, read_analogy, read_similarity


def put(folder, content, name="set.txt"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def triples(gold):
    return list(zip(gold.words1, gold.words2, gold.scores.tolist(), strict=True))


PAIRS = [("cat", "dog", 7.5), ("sun", "moon", 6.0)]


@pytest.mark.parametrize(
    "content",
    [
        "cat\tdog\t7.5\nsun\tmoon\t6\n",
        "cat,dog,7.5\nsun, moon ,6",
        '"cat","dog","7.5"\n"sun","moon",6\n',
        "cat dog 7.5\nsun   moon  6.0\n",
        "cat\tdog\t7.5\r\nsun\tmoon\t6\r\n\r\n",
        "\ufeffcat\tdog\t7.5\nsun\tmoon\t6\n",
        "# a comment, with commas\n\n# Word 1\tWord 2\tMean\ncat\tdog\t7.5\n# another\n \nsun\tmoon\t6\n",
        "Word 1,Word 2,Human (mean)\ncat,dog,7.5\nsun,moon,6\n",
        "word1 word2 score\ncat\tdog\t7.5\nsun\tmoon\t6\n",
        "word1\tword2\tPOS\tSimLex999\tconc\ncat\tdog\tN\t7.5\t1\nsun\tmoon\tN\t6\t2\n",
        "cat\tdog\tN\t7.5\tCOHYPONYMS\nsun\tmoon\tN\t6\tNONE\n",
        "cat\tdog\t7.5\t9\t8\t7\nsun\tmoon\t6\t1\t1\t2\t3\t4\t5\n",
        "cat\tdog\t7.5\t\t\nsun\tmoon\t6\n",
    ],
)
def test_similarity_files_in_the_usual_forms(tmp_path, content):
    gold = read_similarity(put(tmp_path, content, "my.set.tsv"))
    assert triples(gold) == PAIRS
    assert gold.name == "my.set"
    assert gold.scores.dtype == np.float64


def test_tab_wins_so_that_words_may_hold_spaces_and_commas(tmp_path):
    gold = read_similarity(put(tmp_path, "New York\ta, b\t3\nx\ty\t4\n"))
    assert triples(gold) == [("New York", "a, b", 3), ("x", "y", 4)]


def test_repeated_pairs_and_a_pair_that_begins_with_word_are_kept(tmp_path):
    gold = read_similarity(put(tmp_path, "word sentence 5\nmoney cash 9\nmoney cash 8\nwords text 1\n"))
    assert triples(gold) == [
        ("word", "sentence", 5),
        ("money", "cash", 9),
        ("money", "cash", 8),
        ("words", "text", 1),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "cat;dog;7\n",
            r"set\.txt, line 1: expected two words and a score .*, got 1 space-separated field: 'cat",
        ),
        (
            "# c\n\ncat\tdog\n",
            r"line 3: expected two words and a score .*, got 2 tab-separated fields: 'cat\\tdog'",
        ),
        ("cat dog 7,5\n", r"line 1: .* got 2 comma-separated fields.*; separate the columns with tabs"),
        ("cat dog high\n", r"line 1: expected a numeric score .*, got 'cat dog high'"),
        ("cat dog nan\n", r"line 1: expected a numeric score"),
        (
            "cat dog 7\nsun moon high\n",
            r"line 2: expected a number in column 3, got 'high'; correct the score",
        ),
        ("cat dog 7\nsun moon inf\n", r"line 2: expected a number in column 3, got 'inf'"),
        ("cat\tdog\t7\nsun moon 6\n", r"line 2: expected the score in column 3, as in line 1, got 1 tab-sep"),
        (
            "cat\tdog\tN\t7\nsun\tmoon\tN\n",
            r"line 2: expected the score in column 4, as in line 1, got 3 tab",
        ),
        ("cat\tdog\t7\n\tmoon\t6\n", r"line 2: expected a word in each of the first 2 columns, got an empty"),
        ("word1 word2 score\nterm1 term2 score\n", r"line 2: expected a numeric score"),
        ("", r"set\.txt: expected lines with two words and a score, got no such line"),
        ("# only\n\n", "got no such line"),
        ("word1 word2 score\n", "got no such line"),
        (b"cat dog 7\ncaf\xe9 bar 6\n", r"line 2: expected UTF-8, got the byte 0xe9 at offset 13; convert"),
        ("cat dog 7\n".encode("utf-16"), r"line 1: expected UTF-8, got the byte 0xff at offset 0"),
        ("cat,dog\r,7\n", r"line 1: expected comma-separated fields, got 'cat,dog\\r,7'"),
    ],
)
def test_a_similarity_file_that_cannot_be_used_gets_one_sentence(tmp_path, content, said):
    with pytest.raises(InputError, match=said) as caught:
        read_similarity(put(tmp_path, content))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("read", [read_similarity, read_analogy])
def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path, read):
    with pytest.raises(InputError, match=r"gone\.txt: expected a readable gold file, got No such file"):
        read(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="expected a readable gold file, got Is a directory"):
        read(str(tmp_path))


@given(st.one_of(st.binary(max_size=60), st.text(alphabet='a1 \t,\n\r":#.', max_size=40).map(str.encode)))
def test_no_content_raises_anything_but_an_input_error(tmp_path_factory, content):
    path = put(tmp_path_factory.mktemp("fuzz"), content)
    for read in (read_similarity, read_analogy):
        with suppress(InputError):
            assert len(read(path)) > 0


QUESTIONS = (("Athens", "Greece", "Oslo", "Norway"), ("a", "b", "c", "d"))


@pytest.mark.parametrize(
    ("content", "sections"),
    [
        (": capitals\nAthens Greece Oslo Norway\n: gram1\na b c d\n", ("capitals", "gram1")),
        (":capitals of\r\nAthens Greece Oslo Norway\r\na b c d", ("capitals of", "capitals of")),
        ("Athens\tGreece\tOslo\tNorway\r\n\r\na\tb\tc\td\r\n", ("", "")),
        ("\ufeffAthens,Greece,Oslo,Norway\na, b, c, d\n", ("", "")),
        ("# note\nAthens Greece Oslo Norway\na b c d\n", ("", "")),
        (": x\n: y\nAthens Greece Oslo Norway\na b c d\n: z\n", ("y", "y")),
        (": x\nAthens\tGreece\tOslo\tNorway\t\na\tb\tc\td\n", ("x", "x")),
    ],
)
def test_analogy_files_in_the_usual_forms(tmp_path, content, sections):
    gold = read_analogy(put(tmp_path, content))
    assert gold.questions == QUESTIONS
    assert gold.sections == sections
    assert gold.name == "set"


def test_a_section_that_returns_is_one_section(tmp_path):
    gold = read_analogy(put(tmp_path, ": x\na b c d\n: y\na b c d\n: x\nc d a b\n"))
    assert gold.sections == ("x", "y", "x")
    assert gold.section_names == ("x", "y")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            ": x\na b c\n",
            r"set\.txt, line 2: expected four words .*, got 3 space-separated fields: 'a b c'; write",
        ),
        ("a b c d e\n", r"line 1: .*got 5 space-separated fields"),
        ("a\tb\tc\td\ne f g h\n", r"line 2: .*got 1 tab-separated field: 'e f g h'"),
        ("a;b;c;d\n", r"line 1: .*got 1 space-separated field"),
        ("a\t\tc\td\n", r"line 1: expected a word in each of the first 4 columns, got an empty field"),
        (":\na b c d\n", r"line 1: expected a section name after the colon"),
        ("a b c d\n: x\na b c d\n", r"line 2: expected no section line after questions without one"),
        (": all\na b c d\n", "analogy set set: the section name 'all' is kept for a summary row"),
        (": semantic\na b c d\n: gram1\na b c d\n", "section name 'semantic' is kept"),
        (": x\n", r"set\.txt: expected analogy questions of four words, got none"),
        ("", "got none"),
        (b": x\na b c \xff\n", r"line 2: expected UTF-8, got the byte 0xff at offset 10"),
    ],
)
def test_an_analogy_file_that_cannot_be_used_gets_one_sentence(tmp_path, content, said):
    with pytest.raises(InputError, match=said) as caught:
        read_analogy(put(tmp_path, content))
    assert "\n" not in str(caught.value)


def test_a_long_line_is_cut_in_messages(tmp_path):
    with pytest.raises(InputError) as caught:
        read_similarity(put(tmp_path, "x" * 10_000))
    assert len(str(caught.value)) < 500


def test_sets_made_in_python_are_checked():
    with pytest.raises(InputError, match="similarity set s: expected as many second words"):
        SimilaritySet("s", ("a", "b"), ("c",), np.ones(2))
    with pytest.raises(InputError, match="the score of 'a' and 'c' is nan"):
        SimilaritySet("s", ("a",), ("c",), np.array([np.nan]))
    with pytest.raises(InputError, match=r"expected four words a question, got \('a', 'b', 'c'\)"):
        AnalogySet("s", (("a", "b", "c"),), ("x",))
    with pytest.raises(InputError, match="got 1 questions and 2 sections"):
        AnalogySet("s", (("a", "b", "c", "d"),), ("x", "y"))
    assert AnalogySet("s", (("a", "b", "c", "d"),), ("semantic",)).section_names == ("semantic",)


PUBLISHED_PAIRS = {
    "EN-MC-30.txt": 30,
    "EN-MEN-TR-3k.txt": 3000,
    "EN-MTurk-287.txt": 287,
    "EN-MTurk-771.txt": 771,
    "EN-RG-65.txt": 65,
    "EN-RW-STANFORD.txt": 2034,
    "EN-SIMLEX-999.txt": 999,
    "EN-WS-353-ALL.txt": 353,
    "EN-WS-353-REL.txt": 252,
    "EN-WS-353-SIM.txt": 203,
    "gensim/simlex999.txt": 999,
    "gensim/wordsim353.tsv": 353,
    "hyperwords/SimLex-999.txt": 999,
    "hyperwords/bruni_men.txt": 3000,
    "hyperwords/luong_rare.txt": 2034,
    "hyperwords/radinsky_mturk.txt": 287,
    "hyperwords/ws353.txt": 353,
    "hyperwords/ws353_relatedness.txt": 252,
    "hyperwords/ws353_similarity.txt": 203,
}


def test_every_published_similarity_set_is_read_whole(shared_data):
    folder = shared_data / "similarity"
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == set(PUBLISHED_PAIRS)
    assert {name: len(read_similarity(folder / name)) for name in PUBLISHED_PAIRS} == PUBLISHED_PAIRS


def test_copies_of_one_published_set_agree(shared_data):
    folder = shared_data / "similarity"
    assert triples(read_similarity(folder / "EN-WS-353-ALL.txt")) == triples(
        read_similarity(folder / "gensim/wordsim353.tsv")
    )
    assert triples(read_similarity(folder / "EN-SIMLEX-999.txt")) == triples(
        read_similarity(folder / "gensim/simlex999.txt")
    )


def test_every_published_analogy_set_is_read_whole(shared_data):
    folder = shared_data / "analogy"
    google = read_analogy(folder / "questions-words.txt")
    assert len(google) == 19544
    assert len(google.section_names) == 14
    lowered = read_analogy(folder / "hyperwords/google.txt")
    assert set(lowered.sections) == {""}
    assert sorted(lowered.questions) == sorted(tuple(map(str.lower, q)) for q in google.questions)
    assert len(read_analogy(folder / "hyperwords/msr.txt")) == 8000
