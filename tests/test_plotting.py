"""Pictures: what they show, and that they are the same bytes every time."""

import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from pmifact import Factors, InputError, PmifactError, Vocabulary, WordVectors
from pmifact.plotting import (
    draw_curves,
    draw_map,
    draw_published,
    draw_rank_choice,
    draw_scores,
    draw_spectrum,
    save_picture,
    svg_of,
)
from pmifact.plotting.map import project
from pmifact.plotting.style import SERIES
from pmifact.spectrum import RankChoice

WORDS = ("the", "cat", "$x_1$", "<script>", "שלום", "a&b", '"q"')


def vectors(seed=0, words=WORDS, sparse=False):
    matrix = np.random.default_rng(seed).normal(size=(len(words), 5)).astype(np.float32)
    matrix[matrix < -1] = 0
    return WordVectors(
        Vocabulary(words, np.arange(len(words), 0, -1)), csr_array(matrix) if sparse else matrix
    )


def score_table():
    rows = [
        (model, dataset, task, section, method, score, score - 0.05, score + 0.04, 90, 100)
        for model, gain in (("svd", 0.0), ("sgns", 0.1))
        for dataset, task, method, score in (
            ("men", "similarity", "spearman", 0.5 + gain),
            ("google", "analogy", "add", 0.3 + gain),
        )
        for section in ("all", "macro")
    ]
    names = ["model", "dataset", "task", "section", "method", "score", "low", "high", "covered", "total"]
    return pd.DataFrame(rows, columns=names)


def texts(figure):
    return [
        element.text
        for element in ElementTree.fromstring(svg_of(figure)).iter()
        if element.tag.endswith("}text")
    ]


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_map_is_the_svd_of_the_centred_rows(seed, sparse):
    drawn = vectors(seed, sparse=sparse)
    coordinates, explained = project(drawn, WORDS[::-1])
    dense = drawn.matrix.toarray() if sparse else drawn.matrix
    rows = dense[::-1].astype(float)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    rows -= rows.mean(axis=0)
    u, s, _ = np.linalg.svd(rows, full_matrices=False)
    np.testing.assert_allclose(explained, (s**2 / (s**2).sum())[:2], rtol=1e-9)
    np.testing.assert_allclose(np.abs(coordinates), np.abs(u[:, :2] * s[:2]), atol=1e-7)
    for axis in coordinates.T:
        assert axis[np.abs(axis).argmax()] > 0


def test_the_map_names_all_words_and_the_variance():
    drawn = vectors()
    _, explained = project(drawn, WORDS)
    found = texts(draw_map(drawn, WORDS))
    assert set(WORDS) <= set(found)
    assert f"Principal component 1 ({explained[0]:.1%} of the variance)" in found
    assert f"Principal component 2 ({explained[1]:.1%} of the variance)" in found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (WORDS[:2], "expected 3 to 1,000 words, got 2"),
        (("the", "cat", "zebra"), "'zebra' is not among"),
        (("the", "cat", "the"), "'the' is given twice"),
        (("the", "cat", "null"), "the vector of 'null' is zero"),
    ],
)
def test_words_that_cannot_be_drawn_are_named(words, message):
    drawn = vectors(words=(*WORDS, "null"))
    drawn.matrix[-1] = 0
    with pytest.raises(InputError, match=message):
        draw_map(WordVectors(drawn.vocabulary, drawn.matrix), words)


def test_equal_vectors_have_no_map():
    same = WordVectors(Vocabulary(("a", "b", "c"), np.array([3, 2, 1])), np.ones((3, 4), np.float32))
    with pytest.raises(InputError, match="the same vector"):
        draw_map(same, ["a", "b", "c"])


def test_words_without_room_for_a_label_are_told_of():
    many = tuple(f"word-number-{number}-of-very-many" for number in range(80))
    with pytest.warns(UserWarning, match="of 80 words found no room for their label"):
        draw_map(vectors(words=many), many, width=2)


def spectrum(count, name="svd"):
    strengths = np.linspace(9, 1, count).astype(np.float32)
    arrays = np.zeros((3, count), np.float32)
    return Factors(None, arrays, strengths, arrays, options={"trainer": name} if name == "skipgram" else {})


def test_spectra_are_drawn_on_logarithmic_axes():
    figure = draw_spectrum({"small": spectrum(4), "large": spectrum(20).strengths})
    (axes,) = figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    for line, count in zip(axes.lines, (4, 20), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), np.arange(1, count + 1))
        np.testing.assert_array_equal(line.get_ydata(), spectrum(count).strengths)
    assert {"small", "large", "Singular value"} <= set(texts(figure))
    with pytest.raises(InputError, match="sgns was trained by skip-gram"):
        draw_spectrum({"sgns": spectrum(4, "skipgram")})
    with pytest.raises(InputError, match="at least one model"):
        draw_spectrum({})


def test_scores_of_whole_sets_are_drawn_with_their_intervals():
    figure = draw_scores(score_table())
    assert [axes.get_xlabel() for axes in figure.axes] == ["Spearman's rho", "Accuracy, 3CosAdd"]
    for axes, scores in zip(figure.axes, ([0.5, 0.6], [0.3, 0.4]), strict=True):
        for drawn, score in zip(axes.containers, scores, strict=True):
            line, _, (bars,) = drawn.lines
            assert list(line.get_xdata()) == [pytest.approx(score)]
            assert list(bars.get_segments()[0][:, 0]) == pytest.approx([score - 0.05, score + 0.04])
    assert {"men", "google", "svd", "sgns"} <= set(texts(figure))


def test_scores_without_intervals_are_points():
    table = score_table().assign(low=np.nan, high=np.nan)
    assert {"men", "google"} <= set(texts(draw_scores(table)))
    with pytest.raises(InputError, match="without the column 'section'"):
        draw_scores(table.drop(columns="section"))
    with pytest.raises(InputError, match="at least one score"):
        draw_scores(table[table["section"] != "all"])


def test_curves_go_through_the_scores_in_the_order_of_the_option():
    figure = draw_curves(score_table(), "shift", {"svd": 15, "sgns": 1})
    for axes, scores in zip(figure.axes, ([0.6, 0.5], [0.4, 0.3]), strict=True):
        assert axes.get_xlabel() == "shift"
        assert axes.get_xscale() == "log"
        assert list(axes.lines[0].get_xdata()) == [1, 15]
        assert list(axes.lines[0].get_ydata()) == pytest.approx(scores)
    with pytest.raises(InputError, match="got none of sgns"):
        draw_curves(score_table(), "shift", {"svd": 15, "other": 2})
    with pytest.raises(InputError, match="got only one"):
        draw_curves(score_table(), "shift", {"svd": 1, "sgns": 1})


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_same_picture_is_the_same_bytes_whatever_the_settings(ending, tmp_path):
    first, second = tmp_path / f"first.{ending}", tmp_path / f"second.{ending}"
    before = settings()
    save_picture(draw_map(vectors(), WORDS), first)
    assert settings() == before
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red", "svg.fonttype": "path"}):
        save_picture(draw_map(vectors(), WORDS), second)
    assert first.read_bytes() == second.read_bytes()


def settings():
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}


def test_pictures_are_drawn_without_pyplot():
    script = (
        "import sys, numpy as np; from pmifact.plotting import draw_spectrum, svg_of; "
        "svg_of(draw_spectrum({'a': np.arange(9, 0, -1.0)})); print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_png_has_300_dots_an_inch_and_svg_has_no_date(tmp_path):
    save_picture(draw_scores(score_table(), width=4.0), tmp_path / "scores.png")
    data = (tmp_path / "scores.png").read_bytes()
    place = data.index(b"IHDR") + 4
    assert int.from_bytes(data[place : place + 4], "big") == 1200
    svg = svg_of(draw_scores(score_table()))
    assert "<dc:date>" not in svg
    assert "font-size: 7px" in svg
    assert "sans-serif" in svg


def test_letters_are_at_least_seven_points():
    for figure in (draw_map(vectors(), WORDS), draw_scores(score_table()), draw_spectrum({"a": spectrum(9)})):
        with matplotlib.rc_context():
            figure.canvas.draw()
        sizes = [text.get_fontsize() for text in figure.findobj(matplotlib.text.Text) if text.get_text()]
        assert min(sizes) >= 7


def test_colours_differ_in_lightness_or_marks_do():
    assert len({look.marker for look in SERIES}) == len({look.colour for look in SERIES}) == len(SERIES)


def test_an_older_picture_is_replaced_and_nothing_else(tmp_path):
    figure = draw_scores(score_table())
    for ending in ("png", "svg"):
        path = tmp_path / f"picture.{ending}"
        save_picture(figure, path)
        save_picture(figure, path)
        path.write_bytes(b"\x89PNG a photograph, or <svg/>")
        with pytest.raises(PmifactError, match="is there already and is not a picture of pmifact"):
            save_picture(figure, path)
    with pytest.raises(InputError, match=r"named \.png or \.svg, got the suffix '\.pdf'"):
        save_picture(figure, tmp_path / "picture.pdf")
    with pytest.raises(PmifactError, match="does not exist"):
        save_picture(figure, tmp_path / "nowhere" / "picture.png")
    with pytest.raises(InputError, match="width"):
        draw_scores(score_table(), width=0.5)


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PmifactError, match=r"pip install 'pmifact\[plot\]'"):
        draw_map(vectors(), WORDS)


def test_the_choice_of_a_rank_shows_the_spectrum_the_signal_and_the_losses():
    singular_values = np.array([8.0, 4.0, 2.0, 1.5])
    signal = np.array([7.0, 3.0, 1.0, 0.0])
    losses = np.array([0.6, 0.4, 0.5, 0.7])
    choice = RankChoice(singular_values, np.zeros(4), np.ones(4), signal, losses, 0.1, 2, True, {})
    figure = draw_rank_choice(choice)
    spectrum, loss = figure.axes
    np.testing.assert_array_equal(spectrum.lines[0].get_ydata(), singular_values)
    np.testing.assert_array_equal(spectrum.lines[1].get_ydata(), signal[:3])
    np.testing.assert_array_equal(loss.lines[0].get_ydata(), losses)
    assert {"rank 2", "signal", "singular values"} <= set(texts(figure))
    nothing = RankChoice(
        singular_values, np.zeros(4), np.ones(4), np.zeros(4), np.full(4, np.inf), 9.0, 0, True, {}
    )
    assert "signal" not in texts(draw_rank_choice(nothing))


def test_published_figures_stand_hollow_beside_ours():
    table = pd.DataFrame(
        {
            "at": ["k = 1", "k = 5", "k = 1", "k = 5"],
            "series": ["SVD", "SVD", "SGNS", "SGNS"],
            "value": [0.5, 0.6, 0.4, np.nan],
            "low": [0.4, 0.5, np.nan, np.nan],
            "high": [0.7, 0.65, np.nan, np.nan],
            "paper": [0.55, np.nan, np.nan, np.nan],
        }
    )
    figure = draw_published({"men": table, "empty": table.assign(value=np.nan)}, columns=2)
    panel, unused = figure.axes
    assert panel.get_title(loc="left") == "men"
    assert [label.get_text() for label in panel.get_xticklabels()] == ["k = 1", "k = 5"]
    assert not unused.axison
    (ours, _, (bars,)), *_ = panel.containers
    x, y = ours.get_data()
    assert list(y) == [0.5, 0.6]
    np.testing.assert_allclose([segment[:, 1] for segment in bars.get_segments()], [[0.4, 0.7], [0.5, 0.65]])
    hollow = [line for line in panel.lines if line.get_markerfacecolor() == "none"]
    drawn = [(a, b) for line in hollow for a, b in zip(*line.get_data(), strict=True) if not np.isnan(b)]
    assert drawn == [(x[0], 0.55)]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["SVD", "SGNS", "paper"]
    with pytest.raises(InputError, match="at least one value"):
        draw_published({"empty": table.assign(value=np.nan)})
