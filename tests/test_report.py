"""The report page: what it holds, and that nothing in the data can break it."""

import json
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import HOSTILE, Page, gold_sets, model, page_of, report
from scipy.stats import rankdata

from pmifact import (
    InputError,
    PmifactError,
    Vocabulary,
    WordVectors,
    compare_models,
    evaluate_analogy,
    evaluate_similarity,
)
from pmifact.evaluation import SimilaritySet
from pmifact.evaluation.similarity import PairCosines, pair_cosines
from pmifact.plotting.labels import shown
from pmifact.report import Report, ReportModel, ReportOptions, make_report, write_report
from pmifact.report.mistakes import pair_mistakes
from pmifact.report.neighbors import nearest_to
from pmifact.report.page import render
from pmifact.report.settings import compare_settings, varied_option


@pytest.fixture(scope="module")
def made():
    return report()


@pytest.fixture(scope="module")
def page(made):
    return page_of(made)


def test_the_page_is_whole_and_has_its_landmarks(page):
    assert page.text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert page.open == []
    names = [name for name, _ in page.tags]
    for landmark in ("header", "nav", "main", "footer", "h1"):
        assert names.count(landmark) == 1
    assert {"models", "scores", "verdicts", "pictures", "neighbors", "errors"} <= {
        attributes.get("id") for attributes in page.all("section")
    }


def test_ids_are_unique_and_every_reference_has_its_id(page):
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        for name in ("aria-labelledby", "for"):
            if name in attributes:
                assert attributes[name] in ids
        if attributes.get("href", "").startswith("#"):
            assert attributes["href"][1:] in ids
        for value in attributes.values():
            for reference in re.findall(r"url\(#([^)]+)\)", value or ""):
                assert reference in ids


def test_the_page_loads_nothing(page):
    for name, attributes in page.tags:
        assert name not in ("link", "img", "iframe", "object", "embed", "base")
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not any(attribute.startswith("on") for attribute in attributes)
    style = page.text[page.text.index("<style>") : page.text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_tables_have_captions_and_scopes(page):
    names = [name for name, _ in page.tags]
    assert names.count("table") == names.count("caption")
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.all("th"))
    for attributes in page.all("div"):
        if "scroll" in attributes.get("class", "").split():
            assert attributes["tabindex"] == "0"
            assert attributes["role"] == "region"


def test_hostile_words_are_shown_and_do_nothing(page):
    assert len(page.scripts) == 2
    assert [attributes.get("type") for attributes in page.all("script")] == ["application/json", None]
    for word in HOSTILE:
        assert shown(word) in page.words
    for word in HOSTILE[:3]:
        assert word not in page.text
    assert "49{%raw%}" not in page.words
    assert "\x07" not in page.text
    assert "<" not in page.scripts[0]


def test_right_to_left_words_are_kept_apart(page):
    for word in ("שלום", "\u202eevil\u202c"):
        places = [found.start() for found in re.finditer(word, page.text)]
        inside = [page.text[place - 5 : place] == "<bdi>" for place in places]
        # Elsewhere they stand in the data of the script, or in the text of a picture.
        assert any(inside)


def test_the_same_models_make_the_same_page(page):
    assert page_of(report()).text == page.text


def test_scores_are_those_of_evaluate(made, page):
    gold = gold_sets()
    row = next(rows for caption, rows in page.tables.items() if caption.startswith("Similarity"))[1]
    for cell, (rank, seed) in zip(row[1:], ((4, 0), (8, 1), (16, 2)), strict=True):
        vectors = model("m", rank=rank, seed=seed).vectors
        expected = evaluate_similarity(vectors, gold["similarity"][0], resamples=29).iloc[0]
        assert cell.split() == [
            *(f"{expected['score']:.3f}", f"{expected['low']:.3f}", "to", f"{expected['high']:.3f}"),
            *(str(expected["covered"]), "of", "80"),
        ]
    rows = next(rows for caption, rows in page.tables.items() if caption.startswith("Analogy"))
    expected = evaluate_analogy(model("m", rank=4, seed=0).vectors, gold["analogy"][0], resamples=29).iloc[0]
    assert rows[1][1].split()[0] == f"{expected['score']:.3f}"


def test_verdicts_are_those_of_compare(page):
    models = {
        name: model(name, rank=rank, seed=seed).vectors
        for seed, (name, rank) in enumerate((("small", 4), ("large", 8), (HOSTILE[1], 16)))
    }
    verdicts = compare_models(models, **gold_sets(), resamples=29)["verdict"]
    assert len(verdicts) == 6
    for verdict in verdicts:
        assert verdict in page.words


def test_neighbors_are_those_of_the_vectors(page):
    data = json.loads(page.scripts[0])
    for number, (rank, seed) in enumerate(((4, 0), (8, 1), (16, 2))):
        vectors = model("m", rank=rank, seed=seed).vectors
        words = vectors.vocabulary.words[:40]
        assert data["words"][: data["count"]] == [shown(word, 80) for word in words]
        for word, found in zip(words, data["near"][number], strict=True):
            expected = vectors.nearest(word, 10)
            assert [data["words"][i] for i in found[::2]] == [shown(name, 80) for name, _ in expected]
            assert found[1::2] == pytest.approx([1000 * cosine for _, cosine in expected], abs=0.51)
    first = page.tables["word0"]
    assert first[1][0].split()[0] == data["words"][data["near"][0][0][0]]


def test_words_that_a_model_lacks_are_told_of():
    made = Report(ReportOptions(threads=1))
    made.add(model("first"))
    short = model("second", size=30)
    made.add(short)
    page = page_of(made)
    data = json.loads(page.scripts[0])
    lacking = data["words"].index("word40")
    assert data["near"][1][lacking] is None
    assert data["near"][0][lacking] is not None
    assert not page.tables.keys() & {"scores-1"}
    assert "Errors" not in page.words


def test_what_differs_stands_first_and_the_rest_in_details(page):
    caption = "In what the models differ"
    assert [row[0].split()[0] for row in page.tables[caption][1:]] == ["words", "dimensions", "rank"]
    assert page.tables[caption][3][1:] == ["4", "8", "16"]


def test_settings_are_compared_stage_by_stage():
    models = [
        {("counts", "window"): (2, 5), ("factors", "rank"): 5, ("factors", "tol"): 0.1},
        {("counts", "window"): (2, 5), ("reading", "power"): 0.5, ("factors", "rank"): 7},
    ]
    rows = compare_settings(models)
    assert [(row.stage, row.option, row.values, row.differs) for row in rows] == [
        ("counts", "window", ("2,5", "2,5"), False),
        ("factors", "rank", ("5", "7"), True),
        ("factors", "tol", ("0.1", ""), True),
        ("reading", "power", ("", "0.5"), True),
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"shift": 1.0, "rank": 5}, {"shift": 5.0, "rank": 5}, ("shift", {"a": 1.0, "b": 5.0})),
        ({"shift": 1.0, "rank": 5}, {"shift": 5.0, "rank": 6}, None),
        ({"shift": 1.0}, {"shift": 1.0}, None),
        ({"weighting": "flat"}, {"weighting": "linear"}, None),
        ({"lowercase": True}, {"lowercase": False}, None),
        ({"subsample": None}, {"subsample": 0.1}, None),
    ],
)
def test_a_curve_needs_one_number_that_differs(first, second, expected):
    models = {
        name: {("s", option): value for option, value in settings.items()}
        for name, settings in (("a", first), ("b", second))
    }
    assert varied_option(models) == expected


def test_curves_are_drawn_where_one_option_differs(page):
    captions = [attributes.get("aria-label") for attributes in page.all("svg")]
    assert "Scores against rank" in captions
    assert sum(str(caption).startswith("Map of") for caption in captions) == 3


@given(st.data())
def test_the_pairs_listed_are_those_of_the_largest_difference_of_ranks(data):
    n = data.draw(st.integers(3, 12))
    numbers = st.lists(st.integers(0, 6).map(float), min_size=n, max_size=n)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    gold = gold_sets()["similarity"][0]
    gold = type(gold)("set", gold.words1[:n], gold.words2[:n], np.array(data.draw(numbers)))
    said = [
        PairCosines(np.array(data.draw(numbers)) / 10, np.array(data.draw(flags)) | (np.arange(n) < 2))
        for _ in range(2)
    ]
    found = pair_mistakes(gold, said, 4)
    worst = []
    for item in range(n):
        differences = [0.0]
        for pairs in said:
            if pairs.covered[item]:
                among = pairs.covered.sum() - 1
                ranks = [
                    (rankdata(values[pairs.covered])[pairs.covered[:item].sum()] - 1) / among
                    for values in (pairs.cosines, gold.scores)
                ]
                differences.append(abs(ranks[0] - ranks[1]))
        worst.append(max(differences))
    shown_worst = [max(abs(cell[1]) for cell in row["cells"] if cell) for row in found.rows]
    assert shown_worst == pytest.approx(sorted(worst, reverse=True)[: len(found.rows)])


def test_wrong_questions_are_listed_with_what_each_model_answers(page):
    rows = page.tables["questions: questions answered wrongly"][1:]
    assert len(rows) == 50
    for row in rows:
        judged = [cell.split()[-1] for cell in row[3:]]
        assert "wrong" in judged
    right = ["right" in " ".join(row[3:]).split() for row in rows]
    assert right == sorted(right, reverse=True)  # those on which models differ come first


def test_pages_of_one_model_and_without_gold_sets():
    alone = Report(ReportOptions(threads=1, resamples=0, **gold_sets()))
    alone.add(model("alone"))
    page = page_of(alone)
    assert "Verdicts" not in page.words
    assert "95 % interval" not in page.words
    with pytest.raises(InputError, match="at least one model"):
        render(Report(ReportOptions()).contents(), "none")
    with pytest.raises(InputError, match="'alone' is given twice"):
        alone.add(model("alone"))


def test_neighbors_keep_the_order_of_the_vocabulary_at_ties():
    vectors = model("m").vectors
    vectors.matrix[3:9] = vectors.matrix[2]
    tied = type(vectors)(vectors.vocabulary, vectors.matrix)
    words = [vectors.vocabulary.words[i] for i in (0, 2, 59)]
    found = nearest_to(tied, words, 5)
    assert [[name for name, _ in row] for row in found[:2]] == [
        [name for name, _ in tied.nearest(word, 5)] for word in words[:2]
    ]
    assert found[2] is None
    assert pair_cosines(tied, gold_sets()["similarity"][0]).cosines.max() <= 1


def test_many_models_share_the_bound_on_neighbors():
    made = Report(ReportOptions(threads=1, search_words=2000, neighbors=60))
    for number in range(3):
        made.add(model(f"m{number}", size=1200, seed=number))
    data = json.loads(page_of(made).scripts[0])
    assert data["count"] == 60_000 // (3 * 60)


@pytest.mark.parametrize("bad", [{"search_words": 0}, {"neighbors": 0}, {"map_words": 2}, {"items": 0}])
def test_numbers_out_of_range_are_refused(bad):
    with pytest.raises(InputError, match=next(iter(bad))):
        ReportOptions(**bad)


def test_only_a_report_is_replaced(made, tmp_path):
    path = tmp_path / "report.html"
    write_report(made, path)
    first = path.read_bytes()
    write_report(made, path)
    assert path.read_bytes() == first
    path.write_text("<!DOCTYPE html><p>My own page, written by hand</p>")
    with pytest.raises(PmifactError, match="is not a report of pmifact"):
        write_report(made, path)
    with pytest.raises(InputError, match=r"named \.html"):
        write_report(made, tmp_path / "report.txt")
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


def foreign_set():
    return SimilaritySet("foreign", ("chat", "chien"), ("loup", "lion"), np.array([1.0, 2.0]))


def test_a_set_that_cannot_be_used_is_an_error_or_left_out_with_the_reason():
    gold = gold_sets()
    gold["similarity"] += (foreign_set(),)
    with pytest.raises(InputError, match="none of the 2 pairs of foreign"):
        report(**gold)
    page = page_of(report(**gold, sets_needed=False))
    assert "Left out: none of the 2 pairs of foreign" in page.words
    assert "questions answered wrongly" in page.words
    page = page_of(report(similarity=(foreign_set(),), analogy=(), sets_needed=False))
    assert "Left out" in page.words
    assert page.open == []


def test_models_with_too_few_common_items_have_no_verdict():
    gold = SimilaritySet("letters", tuple("aceg"), tuple("bdfh"), np.array([1.0, 2.0, 3.0, 4.0]))
    made = Report(ReportOptions(similarity=(gold,), resamples=9))
    for number, words in enumerate(("abcd", "efgh")):
        matrix = np.random.default_rng(number).normal(size=(4, 3)).astype(np.float32)
        vectors = WordVectors(Vocabulary(tuple(words), np.arange(4, 0, -1)), matrix)
        made.add(ReportModel(words, vectors))
    page = page_of(made)
    assert page.open == []
    assert "No verdict: letters: expected at least 2 items that all of abcd, efgh cover" in page.words
    assert "scores higher" not in page.words


def test_a_report_in_one_call(tmp_path):
    (tmp_path / "pairs.tsv").write_text("word0\tword1\t3\nword2\tword3\t1\nword1\tword4\t2\n")
    models = {name: model(name, seed=seed).vectors for seed, name in enumerate(("one", "two"))}
    make_report(models, tmp_path / "r.html", similarity=[tmp_path / "pairs.tsv"], resamples=9, title="Ours")
    page = Page((tmp_path / "r.html").read_text())
    assert "Ours" in page.words
    assert json.loads(page.scripts[0])["models"] == ["one", "two"]


def test_without_jinja2_one_sentence_says_what_to_install(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(PmifactError, match=r"pip install 'pmifact\[report\]'"):
        render(made.contents(), "title")


def test_the_title_is_escaped(made):
    page = page_of(made, title=HOSTILE[1])
    assert len(page.scripts) == 2
    assert HOSTILE[1] in page.words


def test_the_samples_can_tell_a_broken_page():
    with pytest.raises(AssertionError):
        Page("<p><b></p>")
    assert isinstance(model("m"), ReportModel)
