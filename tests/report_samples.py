"""Models of random vectors whose words try to break a page, and a reading of pages by their parts."""

from html.parser import HTMLParser

import numpy as np

from pmifact import Vocabulary, WordVectors
from pmifact.evaluation import AnalogySet, SimilaritySet
from pmifact.report import Report, ReportModel, ReportOptions
from pmifact.report.page import render

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img/src=x/onerror=alert(2)>",
    "<!--<script>",
    "]]>&amp;\"'`",
    "{{7*7}}{%raw%}",
    "שלום",
    "\u202eevil\u202c",
    "a\x07b",
    "$x$",
    "👩‍🚀",
)
VOID = {"meta", "link", "input", "br", "img", "hr"}


def word_list(size):
    """Return hostile words among harmless ones, as often as a text might hold them."""
    plain = [f"word{number}" for number in range(size - len(HOSTILE))]
    return (*plain[:5], *HOSTILE, *plain[5:])


def model(name, size=60, rank=8, seed=0, **settings):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(size, rank)).astype(np.float32)
    matrix[size - 1] = 0  # a word without a vector
    vectors = WordVectors(Vocabulary(word_list(size), np.arange(size, 0, -1)), matrix)
    unit = WordVectors(vectors.vocabulary, vectors.unit)
    strengths = np.sort(rng.uniform(1, 9, rank)).astype(np.float32)[::-1]
    origin = (("input", f"{HOSTILE[0]}, 12 bytes"),)
    return ReportModel(name, unit, {("factors", "rank"): rank, **settings}, origin, strengths)


def gold_sets(size=60, seed=9):
    rng = np.random.default_rng(seed)
    words = word_list(size)[: size - 1]
    first, second = (tuple(words[i] for i in rng.integers(0, len(words), 80)) for _ in range(2))
    pairs = SimilaritySet(f"pairs{HOSTILE[0]}", first, second, rng.uniform(0, 10, 80))
    questions = tuple(tuple(words[i] for i in rng.permutation(len(words))[:4]) for _ in range(90))
    sections = tuple(f"section{i % 3}{HOSTILE[1]}" for i in range(90))
    return {"similarity": (pairs,), "analogy": (AnalogySet("questions", questions, sections),)}


def report(names=("small", "large", HOSTILE[1]), ranks=(4, 8, 16), **options):
    made = Report(ReportOptions(resamples=29, threads=1, search_words=40, **{**gold_sets(), **options}))
    for seed, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        made.add(model(name, rank=rank, seed=seed))
    return made


def page_of(made, title="Compared"):
    return Page(render(made.contents(), title))


class Page(HTMLParser):
    """A page by its parts.

    Attributes: `text` the source, `tags` each (name, attributes), `tables` by caption: rows of cell texts,
    `data` what scripts of type application/json hold, `open` what was never closed, `words` the text of the
    page.
    """

    def __init__(self, text):
        super().__init__()
        self.text, self.tags, self.open, self.tables, self.scripts = text, [], [], {}, []
        self.words = ""
        self._caption = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")
        if tag == "caption":
            self._caption = ""
        if tag == "tr":
            self._rows.append([])
        if tag in ("td", "th") and self._rows:
            self._rows[-1].append("")
        if tag == "table":
            self._rows = []

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"
        if tag == "caption":
            self.tables[self._caption.strip()] = self._rows

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
            return
        if "style" in self.open:
            return
        self.words += data
        if "caption" in self.open:
            self._caption += data
        elif {"td", "th"} & set(self.open) and self._rows and self._rows[-1]:
            self._rows[-1][-1] += data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]
