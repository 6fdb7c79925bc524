"""Rows in the making: places grouped by word in threads, and blocks put together as they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.counting.rows import RowBlock, Rows, cut_rows, group_by_word


@given(st.lists(st.integers(-2, 5), max_size=200), st.integers(1, 4), st.data())
def test_places_are_grouped_by_word_whatever_the_threads(stream, threads, data):
    first = data.draw(st.integers(0, len(stream)))
    last = data.draw(st.integers(first, len(stream)))
    starts, places = group_by_word(np.array(stream, np.int32), (first, last), 6, threads)
    for word in range(6):
        expected = [place for place in range(first, last) if stream[place] == word]
        assert places[starts[word] : starts[word + 1]].tolist() == expected


@pytest.mark.parametrize("most", [0, 1, 1_000_000])
@pytest.mark.parametrize("threads", [1, 3])
def test_rows_hold_more_than_was_foretold(most, threads):
    rng = np.random.default_rng(0)
    dense = rng.integers(0, 3, (40, 30))
    rows = Rows(most, threads)
    for first, last in cut_rows(np.ones(40, np.int64), 7):
        part = dense[first:last]
        row, column = np.nonzero(part)
        rows.append(RowBlock(column.astype(np.int32), part[row, column], (part > 0).sum(axis=1)))
    matrix = rows.matrix(30)
    assert matrix.toarray().tolist() == dense.tolist()
    assert len(matrix.data) == (dense > 0).sum()
