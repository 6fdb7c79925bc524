"""Bytes by address: every length, at every distance from the end of what may be read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from pmifact.kernels import bytes as kernels

WORDS = (48, 57, 65, 90, 97, 122)  # digits and letters, as the words tokenizer has them


@njit
def run(text, start, ranges):
    return kernels.run_length(kernels.address_of(text) + start, ranges)


@njit
def short(text, start, length):
    at = kernels.address_of(text)
    return kernels.short_word(at + start, length, at + len(text))


@njit
def last(text, length):
    return kernels.last_word(kernels.address_of(text), length)


@given(st.binary(min_size=kernels.RUN + 3, max_size=kernels.RUN + 3) | st.text("az09AZ_ ", min_size=40))
def test_a_run_ends_at_the_first_byte_outside_the_ranges(text):
    data = np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8)
    ranges = tuple(np.uint8(end) for end in WORDS)
    for start in (0, 3):
        seen = data[start : start + kernels.RUN].tobytes()
        expected = next(
            (k for k, byte in enumerate(seen) if not chr(byte).isalnum() or byte > 127), len(seen)
        )
        assert run(data, start, ranges) == expected


@pytest.mark.parametrize("size", range(1, 20))
def test_words_at_the_end_of_the_text(size):
    text = np.arange(1, size + 1, dtype=np.uint8) * 11
    for length in range(1, min(size, 7) + 1):
        for start in range(size - length + 1):
            expected = int.from_bytes(text[start : start + length].tobytes(), "little")
            assert short(text, start, length) == expected
    if size >= 8:
        assert last(text, size) == int.from_bytes(text[size & ~7 :].tobytes(), "little")
