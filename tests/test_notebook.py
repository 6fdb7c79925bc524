"""What a notebook shows."""

import html
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact import encode_corpus
from pmifact.cooccurrence import count_cooccurrences
from pmifact.factors import Factors
from pmifact.notebook import count_of, fraction_of, html_table
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

EVIL = ("<script>alert(1)</script>", "a&b", '"quoted"', "'x'", "</table>", "plain", "more")


class Page(HTMLParser):
    """The tags of a page, and the texts of its cells."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.open, self.cells = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)
        self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data


def read(page):
    parsed = Page(page)
    assert not parsed.open
    parsed.cells = [cell.strip() for cell in parsed.cells]
    assert set(parsed.tags) <= {"table", "caption", "tr", "th", "td"}
    return parsed


@given(st.lists(st.tuples(st.text(), st.text()), max_size=4), st.text(), st.booleans(), st.integers(0, 2))
def test_whatever_is_shown_is_text(rows, title, headings, more):
    parsed = read(html_table(title, rows, ("a<b", "c") if headings else (), more=more))
    # Parsers take some characters for others; what matters is that none of them is markup.
    assert parsed.tags.count("tr") == len(rows) + headings + (more > 0)
    assert parsed.tags.count("td") == len(rows) + (more > 0)


def test_numbers_are_short():
    assert "<td>0.3333</td><td>7</td>" in html_table("t", [("x", 1 / 3, 7)])


def vocabulary():
    return Vocabulary(EVIL, np.arange(len(EVIL), 0, -1) * 1000)


@pytest.mark.parametrize("sparse", [False, True])
def test_word_vectors_show_their_first_words_and_numbers(sparse):
    matrix = np.arange(7 * 9, dtype=np.float32).reshape(7, 9) / 8
    vectors = WordVectors(vocabulary(), csr_array(matrix) if sparse else matrix)
    page = vectors._repr_html_()
    cells = read(page).cells
    assert f"WordVectors(7 words, 9 dimensions, {'sparse' if sparse else 'dense'})" in cells
    at = cells.index(EVIL[1])
    assert cells[at : at + 7] == ["a&b", "6,000", "1.125", "1.25", "1.375", "1.5", "1.625"]
    assert "and 2 more" in cells
    assert "<script>" not in page
    assert html.escape(EVIL[0]) in page


def test_a_vocabulary_shows_its_first_words():
    cells = read(vocabulary()._repr_html_()).cells
    assert [cell for cell in cells if cell in EVIL] == list(EVIL[:5])
    assert read(Vocabulary((), np.empty(0, np.int64))._repr_html_()).tags.count("td") == 0


def test_factors_show_what_they_are():
    draw = np.random.default_rng(0)
    words = draw.random((7, 6), np.float32)
    strengths = np.arange(6, 0, -1, dtype=np.float32)
    options = {"solver": "<krylov>", "tol": 1e-5}
    factors = Factors(vocabulary(), words, strengths, words, np.full(6, 0.002, np.float32), options)
    cells = " ".join(read(factors._repr_html_()).cells)
    for text in (
        "7 words, 7 contexts, rank 6",
        "6, 5, 4, 3, 2, ...",
        "0.002 of its",
        "<krylov>",
        "1e-05",
        EVIL[0],
    ):
        assert text in cells
    assert EVIL[5] not in cells
    bare = Factors(None, words, strengths, words)
    assert "words" not in read(bare._repr_html_()).cells


def test_a_count_is_shown_with_its_noun():
    shown = [count_of(number, "word") for number in (0, 1, 33535)]
    assert shown == ["0 words", "1 word", "33,535 words"]


@pytest.mark.parametrize(
    ("numerator", "denominator", "shown"),
    [
        (31, 2, "15.5"),
        (30, 2, "15"),
        (0, 5, "0"),
        (2_469_135, 2, "1,234,567.5"),
        (47_999, 3_000, "16"),
        (2**63 - 1, 1, "9,223,372,036,854,775,807"),
        (2, 3, "0.667"),
    ],
)
def test_fractions_are_shown_as_decimal_numbers(numerator, denominator, shown):
    assert fraction_of(numerator, denominator) == shown


def test_counts_tell_their_total():
    corpus = encode_corpus([["a", "b", "a"], ["b"]], min_count=1)
    counts = count_cooccurrences(corpus, window=2, threads=1)
    assert counts.total / counts.unit == 5
    assert repr(counts) == "CooccurrenceCounts(2 words, 3 pairs observed, total 5)"
    counts = count_cooccurrences(corpus, window=(2, 1), threads=1)
    assert repr(counts) == "CooccurrenceCounts(2 words, 3 pairs observed, total 4.5)"


def test_corpora_and_counts_show_their_options():
    corpus = encode_corpus([["a", "b", "a"], ["b"]], min_count=1)
    assert "EncodedCorpus(2 words, 4 tokens, 2 sentences)" in read(corpus._repr_html_()).cells
    assert "min count" in read(corpus._repr_html_()).cells
    counts = count_cooccurrences(corpus, window=(2, 1), threads=1)
    cells = read(counts._repr_html_()).cells
    assert cells[cells.index("window") + 1] == "(2, 1)"
    assert cells[cells.index("unit") + 1] == "2"
