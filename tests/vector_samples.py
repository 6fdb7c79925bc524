"""Word vectors for the tests of file formats, and what it means that two are the same."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

odd_words = st.text(st.characters(codec="utf-8").filter(lambda c: not c.isspace()), min_size=1, max_size=5)
float32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


def vectors(words, matrix):
    words = tuple(words)
    return WordVectors(Vocabulary(words, np.zeros(len(words), np.int64)), np.asarray(matrix, np.float32))


@st.composite
def word_vectors(draw, words=odd_words):
    words = draw(st.lists(words, min_size=1, max_size=6, unique=True))
    shape = (len(words), draw(st.integers(1, 5)))
    return vectors(words, draw(hnp.arrays(np.float32, shape, elements=float32)))


def same(one, other):
    # Bytes, so that -0.0 counts too.
    return one.vocabulary == other.vocabulary and one.matrix.tobytes() == other.matrix.tobytes()
