"""A report in a browser: nothing is clipped, searching and sorting work, axe finds no serious fault."""

import shutil

import numpy as np
import pytest
from report_samples import HOSTILE, model, report

from pmifact import Vocabulary, WordVectors
from pmifact.evaluation import AnalogySet, SimilaritySet
from pmifact.report import Report, ReportModel, ReportOptions, write_report

pytestmark = pytest.mark.acceptance

WIDTHS, SCHEMES = (390, 1440), ("light", "dark")
MOST_BYTES = 5_000_000
PATIENCE = 300_000  # milliseconds: a busy machine is no fault of the page

# Labels of a picture that lie over each other, or outside of it.
LABELS = """
() => [...document.querySelectorAll("svg")].flatMap((svg, number) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")];
  const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
  const faults = [];
  boxes.forEach(([name, box], i) => {
    const sideways = box.left < frame.left - 1 || box.right > frame.right + 1;
    if (sideways || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      faults.push(`${number}: ${name} is clipped`);
    boxes.slice(i + 1).forEach(([other, rest]) => {
      const wide = Math.min(box.right, rest.right) - Math.max(box.left, rest.left);
      const high = Math.min(box.bottom, rest.bottom) - Math.max(box.top, rest.top);
      // Boxes have room above and below the letters.
      if (wide > 1 && high > 0.35 * Math.min(box.height, rest.height))
        faults.push(`${number}: ${name} over ${other}`);
    });
  });
  return faults;
})
"""
# Words of the page that stick out of what holds them.
CLIPPED = """
() => [...document.querySelectorAll("th, td, caption, p, li, h1, h2, h3, dd, summary, label")]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
  .map((element) => element.textContent.trim().slice(0, 60))
"""


@pytest.fixture(scope="module")
def browser():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on PATH; install the package chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="pip install 'pmifact[browser]'")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"], timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    write_report(report(), file)
    return file


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in SCHEMES], ids=str)
def page(browser, path, request):
    """The report, whose every message and request is a fault."""
    width, scheme = request.param
    opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    opened.set_default_timeout(PATIENCE)
    faults = []
    opened.on("console", lambda message: faults.append(message.text))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("dialog", lambda dialog: faults.append(dialog.message) or dialog.dismiss())
    opened.on("request", lambda made: made.url.startswith("file:") or faults.append(made.url))
    opened.goto(path.as_uri())
    yield opened
    opened.close()
    assert faults == []


def open_all(page):
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")


def test_nothing_is_wider_than_the_page_or_clipped(page):
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate(LABELS) == []
    assert page.evaluate(CLIPPED) == []


def test_faults_would_be_seen(page):
    page.evaluate("""() => {
      const [first, second, third] = document.querySelectorAll(".map text[x]");
      for (const name of ["x", "y", "transform"]) second.setAttribute(name, first.getAttribute(name));
      third.setAttribute("transform", "translate(5000 0)");
      const heading = document.querySelector("h1");
      heading.style.whiteSpace = "nowrap";
      heading.textContent = "wide".repeat(200);
    }""")
    found = page.evaluate(LABELS)
    assert any(" over " in fault for fault in found)
    assert any("is clipped" in fault for fault in found)
    assert page.evaluate(CLIPPED) == ["wide" * 15]
    assert page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


def test_axe_finds_no_serious_fault(page):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="pip install 'pmifact[browser]'"
    )
    open_all(page)
    found = axe.Axe().run(page).response["violations"]
    assert [
        (fault["id"], fault["nodes"][0]["html"])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ] == []


def test_a_search_shows_the_words_that_hold_the_text(page):
    status, cards = page.locator("#search-status"), page.locator("#cards .card")
    before = status.inner_text(), cards.count()
    page.get_by_label("Find a word").fill("WORD1")
    shown = [text.split("\n")[0] for text in cards.all_inner_texts()]
    assert shown[0] == "word1"
    assert all("word1" in word for word in shown)
    assert status.inner_text().startswith(f"{len(shown)} words hold “WORD1”")
    page.get_by_label("Find a word").fill(HOSTILE[0])
    assert cards.count() == 1
    assert cards.locator("caption").inner_text() == HOSTILE[0]
    page.get_by_label("Find a word").fill("no such word")
    assert cards.count() == 0
    assert status.inner_text() == "None of the 40 words holds “no such word”."
    page.get_by_label("Find a word").fill("")
    assert (status.inner_text(), cards.count()) == before


def test_headings_sort_their_table_with_the_keyboard(page):
    table = page.locator("#errors table.sortable").first
    head = table.locator("thead th").nth(2)
    for key, order, sign in (("Enter", "ascending", 1), (" ", "descending", -1)):
        head.locator("button").focus()
        page.keyboard.press(key)
        assert head.get_attribute("aria-sort") == order
        values = [float(text) for text in table.locator("tbody tr td:nth-child(3)").all_inner_texts()]
        assert values == sorted(values, key=lambda value: sign * value)
    words = table.locator("thead th").first
    words.locator("button").click()
    assert (words.get_attribute("aria-sort"), head.get_attribute("aria-sort")) == ("ascending", "none")


def test_without_scripts_the_page_can_be_read(browser, path):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.goto(path.as_uri())
    assert not opened.locator("#search").is_visible()
    assert opened.locator("#cards .card").count() == 12
    assert opened.locator("th button").count() == 0
    context.close()


def test_a_page_of_three_large_models_stays_small(browser, tmp_path):
    size = 100_000
    rng = np.random.default_rng(0)
    words = tuple(f"word-of-usual-length-{number}" for number in rng.permutation(size))
    vocabulary = Vocabulary(words, np.arange(size, 0, -1))
    pairs = rng.integers(0, 2000, (3000, 2))
    similarity = SimilaritySet(
        "pairs",
        tuple(words[i] for i in pairs[:, 0]),
        tuple(words[i] for i in pairs[:, 1]),
        rng.uniform(size=3000),
    )
    questions = tuple(tuple(words[i] for i in rng.choice(2000, 4, replace=False)) for _ in range(500))
    options = ReportOptions(
        similarity=(similarity,), analogy=(AnalogySet("questions", questions, ("",) * 500),), resamples=99
    )
    made = Report(options)
    for name in "abc":
        matrix = rng.normal(size=(size, 20)).astype(np.float32)
        unit = WordVectors(vocabulary, matrix / np.linalg.norm(matrix, axis=1)[:, None])
        made.add(ReportModel(name, unit, model("m").settings))
    write_report(made, tmp_path / "large.html")
    assert (tmp_path / "large.html").stat().st_size < MOST_BYTES
    opened = browser.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.goto((tmp_path / "large.html").as_uri())
    seconds = opened.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
    print(f"{(tmp_path / 'large.html').stat().st_size:,} bytes, loaded in {seconds:.2f} s")
    opened.get_by_label("Find a word").fill(words[0])
    assert opened.locator("#cards .card").first.locator("caption").inner_text() == words[0]
    opened.close()
