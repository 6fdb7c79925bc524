"""Labels on a picture: never over each other, nor over a point."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pmifact.plotting.labels import families, place_labels, shown, text_widths

AREA = (0.0, 0.0, 300.0, 200.0)
RADIUS, GAP = 1.5, 1.0
POINTS = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, (n, 2), elements=st.floats(5, 195)),
        arrays(np.float64, (n, 2), elements=st.floats(4, 40)),
    )
)


def apart(first, second, gap=0.0):
    return (
        first[0] >= second[2] + gap
        or second[0] >= first[2] + gap
        or first[1] >= second[3] + gap
        or second[1] >= first[3] + gap
    )


@given(POINTS)
def test_labels_lie_neither_on_another_nor_on_a_point_nor_outside(drawn):
    points, sizes = drawn
    places = place_labels(points, sizes, AREA, radius=RADIUS, gap=GAP)
    assert len(places) == len(points)
    boxes = {
        i: (place.left, place.bottom, place.left + sizes[i, 0], place.bottom + sizes[i, 1])
        for i, place in enumerate(places)
        if place
    }
    for i, box in boxes.items():
        assert box[0] >= AREA[0]
        assert box[1] >= AREA[1]
        assert box[2] <= AREA[2] + 1e-9
        assert box[3] <= AREA[3] + 1e-9
        for j, other in boxes.items():
            assert i == j or apart(box, other, GAP - 1e-9)
        for j, (x, y) in enumerate(points):
            assert i == j or apart(box, (x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS), GAP - 1e-9)
    assert places == place_labels(points, sizes, AREA, radius=RADIUS, gap=GAP)


def test_with_room_every_label_is_beside_its_point():
    points = np.array([(x, y) for x in (50.0, 150.0, 250.0) for y in (50.0, 150.0)])
    places = place_labels(points, np.full((6, 2), (30.0, 8.0)), AREA, radius=RADIUS)
    for place, (x, y) in zip(places, points, strict=True):
        assert place.leader is None
        assert (place.left, place.bottom) == (x + RADIUS + 1, y - 4)


def test_a_crowd_gets_lines_and_every_label_finds_a_place():
    places = place_labels(np.full((40, 2), 100.0), np.full((40, 2), (20.0, 8.0)), AREA, radius=RADIUS)
    assert None not in places
    assert sum(place.leader is not None for place in places) > 20


def test_a_label_wider_than_the_picture_is_left_out():
    points = np.array([(100.0, 100.0), (50.0, 50.0)])
    places = place_labels(points, np.array([(400.0, 8.0), (20.0, 8.0)]), AREA, radius=RADIUS)
    assert places[0] is None
    assert places[1] is not None


@pytest.mark.parametrize(
    ("word", "seen"),
    [
        ("cat", "cat"),
        ("a\x07b", "a\\u0007b"),
        ("x" * 40, "x" * 27 + "…"),
        ("\ufffe", "\\ufffe"),
        ("שלום", "שלום"),
    ],
)
def test_words_are_shown_safely(word, seen):
    assert shown(word) == seen


def test_fonts_are_found_for_letters_and_what_none_has_is_named():
    assert families("cat dog") == (["DejaVu Sans", "sans-serif"], "")
    assert families("a\U0001fbff")[1] in ("", "\U0001fbff")
    assert families("a\U00013000\U0010fffd")[1].endswith("\U0010fffd")


def test_wider_words_are_wider():
    widths = text_widths(["i", "ii", "mm"], ["DejaVu Sans"], 7)
    assert widths[0] < widths[1] < widths[2]
    assert 10 < widths[2] < 16
