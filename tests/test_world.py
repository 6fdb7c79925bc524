"""The bundled corpus and gold sets: reproducible, clean English, and with structure that can be learned."""

import re
from collections import Counter, defaultdict
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import spearmanr
from threadpoolctl import threadpool_limits

from pmifact import world
from pmifact.errors import InputError
from pmifact.world.draw import Draw
from pmifact.world.english import comparison, plural, sentence, verb_forms, vowel_sound
from pmifact.world.scene import Article, Scene, table

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def lines():
    return list(world.sentences(0))


@pytest.fixture(scope="module")
def tokens(lines):
    return [re.findall(r"\w+(?:'\w+)*", line.lower()) for line in lines if line]


@pytest.fixture(scope="module")
def counts(tokens):
    return Counter(word for line in tokens for word in line)


# The files


def test_the_bundled_files_are_what_the_generator_writes(tmp_path):
    written = world.write_world(tmp_path / "made" / "here")
    assert [path.name for path in written] == [world.CORPUS, world.SIMILARITY, world.ANALOGIES]
    for path in written:
        assert path.read_bytes() == (DATA / path.name).read_bytes(), path.name


def test_the_bundled_files_are_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 3_500_000
    assert 1_000_000 < (DATA / world.CORPUS).stat().st_size < 3_000_000


def test_a_directory_that_cannot_be_made_is_an_input_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written here"):
        world.write_world(tmp_path / "file")


# The text


def test_a_seed_fixes_the_text_and_another_changes_it(lines):
    assert list(islice(world.sentences(0), 500)) == lines[:500]
    assert list(islice(world.sentences(1), 500)) != lines[:500]


def test_draws_are_the_same_on_every_platform():
    draw = Draw(7)
    assert [draw.below(100) for _ in range(5)] == [32, 15, 65, 7, 53]
    assert "".join(draw.uneven("abcdef") for _ in range(12)) == "bababaabeaac"
    assert draw.sample("abcdef", 4) == ["f", "d", "b", "a"]


def test_the_text_has_the_size_and_the_frequencies_of_a_text(counts):
    frequent = [count for _, count in counts.most_common() if count >= 5]
    assert len(frequent) > 1_000
    # A few words make up much of it, most words are rare: function words lead.
    assert {"the", "in", "a", "is", "and", "of", "to"} <= {word for word, _ in counts.most_common(10)}
    assert sum(frequent[:50]) > 0.4 * sum(frequent)
    assert np.median(frequent) < frequent[0] / 500


def test_articles_are_separated_by_single_empty_lines(lines):
    assert lines[0]
    assert lines[-1] == ""
    assert not any(first == second == "" for first, second in pairwise(lines))
    assert not any(line != line.strip() for line in lines)


def test_every_sentence_is_clean(lines):
    shape = re.compile(r"[A-Z][A-Za-z',;-]*(?: [A-Za-z',;-]+)*[.?!]")
    assert [line for line in lines if line and not shape.fullmatch(line)] == []
    doubled = re.compile(r"\b(?!that\b|had\b)(\w+) \1\b")
    assert [line for line in lines if doubled.search(line)] == []


def test_articles_agree_with_the_sound_that_follows(lines):
    text = "\n".join(lines)
    vowel = re.findall(r"\b[Aa] ([aeioAEIO]\w*|u[^nstr]\w*)", text)
    assert {word for word in vowel if not word.startswith(("one", "euro", "Euro"))} == set()
    assert {w for w in re.findall(r"\b[Aa]n (\w+)", text) if w[0].lower() not in "aeiou"} <= {"hour", "heir"}


def test_no_article_stands_before_a_plural(lines):
    plurals = {item["s"][0] for pool in ("animal", "produce", "thing") for item in world.text.POOLS[pool]}
    singulars = {
        item["word"][0] for pool in ("animal", "produce", "thing") for item in world.text.POOLS[pool]
    }
    wrong = re.findall(r"\b[Aa]n? (\w+)[ .,]", "\n".join(lines))
    assert set(wrong) & (plurals - singulars) == set()


# Grammar and templates


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("bake", "bakes baked baked baking"),
        ("carry", "carries carried carried carrying"),
        ("play", "plays played played playing"),
        ("stir", "stirs stirred stirred stirring"),
        ("watch", "watches watched watched watching"),
        ("write", "writes wrote written writing"),
        ("swim", "swims swam swum swimming"),
        ("dye", "dyes dyed dyed dyeing"),
    ],
)
def test_verb_forms(base, forms):
    made = verb_forms(base)
    assert [made[form] for form in ("s", "past", "part", "ing")] == forms.split()
    assert made["word"] == base


def test_plurals_and_degrees():
    nouns = "cherry fox bus donkey potato knife piano box church"
    assert [plural(noun) for noun in nouns.split()] == (
        ["cherries", "foxes", "buses", "donkeys", "potatoes", "knives", "pianos", "boxes", "churches"]
    )
    assert [comparison(word)["er"] for word in ("big", "wise", "dry", "low")] == [
        "bigger",
        "wiser",
        "drier",
        "lower",
    ]
    assert [comparison(word)["est"] for word in ("hot", "busy", "grey")][:2] == ["hottest", "busiest"]


def test_sentences_are_polished():
    assert sentence("a old man has a  uncle .") == "An old man has an uncle."
    assert [word for word in ("hour", "euro", "used", "one", "egg", "Ukrainian") if vowel_sound(word)] == [
        "hour",
        "egg",
    ]


def test_a_template_binds_a_slot_once_and_draws_another_item_for_a_numbered_slot():
    pools = {"pet": [{"word": (name,), "s": (f"{name}s",)} for name in ("dog", "cat", "rat")]}
    scene = Scene(pools, Draw(3), {"pet": pools["pet"][0]})
    made = {scene.write("{pet}, {pet.s}, {pet2} <and|or> {pet2}, {pet3}.") for _ in range(200)}
    assert made == {
        f"Dog, dogs, {two} {word} {two}, {three}."
        for word in ("and", "or")
        for two, three in (("cat", "rat"), ("rat", "cat"))
    }


def test_an_article_leaves_out_what_its_topic_does_not_have():
    article = Article("pet", 1.0, ("The {pet}.", "A {pet.young}.", "The {day.young}."))
    assert article.about({"word": ("ant",)}) == ["The {pet}.", "The {day.young}."]
    assert article.about({"word": ("dog",), "young": ("puppy",)}) == list(article.templates)


def test_a_table_row_with_a_column_too_few_is_refused():
    assert table("word young", "dog | puppy\nant |") == [
        {"word": ("dog",), "young": ("puppy",)},
        {"word": ("ant",)},
    ]
    with pytest.raises(ValueError, match="expected 2 columns"):
        table("word young", "dog")


# The gold sets


def test_every_gold_word_is_in_the_vocabulary(counts):
    gold = {word for pair in world.similarity_pairs() for word in pair[:2]}
    gold |= {word for question in world.analogy_questions() for word in question[1:]}
    assert {word: counts[word.lower()] for word in sorted(gold) if counts[word.lower()] < 5} == {}


def test_similarity_pairs_are_distinct_and_graded():
    pairs = world.similarity_pairs()
    assert pairs == world.similarity_pairs()
    assert 150 <= len(pairs) <= 300
    assert len({frozenset(pair[:2]) for pair in pairs}) == len(pairs)
    scores = [score for *_, score in pairs]
    assert min(scores) == 0
    assert 8 < max(scores) <= 10
    assert len(set(scores)) > 30


def test_analogy_questions_are_distinct_and_their_answers_consistent():
    questions = world.analogy_questions()
    assert 500 <= len(questions) <= 2_000
    assert len(set(questions)) == len(questions)
    answers = defaultdict(set)
    for section, a, a_star, b, b_star in questions:
        assert len({a.lower(), a_star.lower(), b.lower(), b_star.lower()}) == 4, (
            section,
            a,
            a_star,
            b,
            b_star,
        )
        answers[section, a].add(a_star)
        answers[section, b].add(b_star)
    assert {key: found for key, found in answers.items() if len(found) > 1} == {}
    assert ("capital-country", "Paris", "France", "Rome", "Italy") in questions
    assert ("gender", "king", "queen", "prince", "princess") in questions
    assert any(section.startswith("gram") for section, *_ in questions)


def test_the_files_hold_the_gold_sets():
    rows = [line.split("\t") for line in (DATA / world.SIMILARITY).read_text().splitlines()]
    assert [(a, b, float(score)) for a, b, score in rows] == world.similarity_pairs()
    read, section = [], ""
    for line in (DATA / world.ANALOGIES).read_text().splitlines():
        if line.startswith(": "):
            section = line[2:]
        else:
            read.append((section, *line.split()))
    assert read == world.analogy_questions()


# The planted structure


@pytest.fixture(scope="module")
def vectors(tokens, counts):
    """The pipeline in plain NumPy and SciPy: linear window 5, smoothing .75, shift 1, rank 200, power .5."""
    words = [word for word in sorted(counts, key=lambda word: (-counts[word], word)) if counts[word] >= 5]
    index = {word: place for place, word in enumerate(words)}
    ids = [np.array([index[word] for word in line if word in index]) for line in tokens]
    counted = csr_array((len(words), len(words)))
    for distance in range(1, 6):
        left = np.concatenate([line[:-distance] for line in ids if len(line) > distance])
        right = np.concatenate([line[distance:] for line in ids if len(line) > distance])
        weights = np.full(len(left), (6 - distance) / 5)
        counted += csr_array((weights, (left, right)), shape=counted.shape)
    counted = (counted + counted.T).tocoo()
    row, column = counted.coords
    contexts = counted.sum(axis=0) ** 0.75
    pmi = np.log(counted.data / (counted.sum(axis=1)[row] * (contexts / contexts.sum())[column]))
    matrix = csr_array((np.maximum(pmi, 0), (row, column)), shape=counted.shape)
    basis = np.random.default_rng(0).standard_normal((len(words), 250))
    with threadpool_limits(1):  # beside other test processes, BLAS threads only wait for each other
        for _ in range(5):  # subspace iteration: plain, and near enough to the 200 leading triplets
            basis, _ = np.linalg.qr(matrix @ (matrix.T @ basis))
        inner, strengths, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    found = (basis @ inner)[:, :200] * strengths[:200] ** 0.5
    return index, found / np.linalg.norm(found, axis=1, keepdims=True)


def test_similarity_can_be_learned_and_is_not_trivial(vectors):
    index, found = vectors
    pairs = world.similarity_pairs()
    cosines = [found[index[a.lower()]] @ found[index[b.lower()]] for a, b, _ in pairs]
    assert 0.6 < spearmanr([score for *_, score in pairs], cosines).statistic < 0.95


def test_every_section_of_the_analogies_can_be_learned(vectors):
    index, found = vectors
    sections, *columns = zip(*world.analogy_questions(), strict=True)
    a, a_star, b, b_star = (np.array([index[word.lower()] for word in column]) for column in columns)
    scores = (found[a_star] - found[a] + found[b]) @ found.T
    for given in (a, a_star, b):
        scores[np.arange(len(given)), given] = -np.inf
    right = defaultdict(list)
    for section, hit in zip(sections, scores.argmax(axis=1) == b_star, strict=True):
        right[section].append(hit)
    assert 0.5 < np.mean([hit for hits in right.values() for hit in hits]) < 0.9
    # Chance is less than 1 in 2,000.
    assert {section: np.mean(hits) for section, hits in right.items() if np.mean(hits) < 0.25} == {}
