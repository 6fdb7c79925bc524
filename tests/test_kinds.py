"""What is taken for an object, the path of its file above all, is refused by name with what reads it."""

from pathlib import Path

import numpy as np
import pytest

from pmifact import InputError, compare_models
from pmifact.collocates import shared_contexts, word_contexts
from pmifact.cooccurrence import count_cooccurrences
from pmifact.evaluation import SimilaritySet, evaluate_analogy, evaluate_similarity
from pmifact.merging import merge_counts
from pmifact.objective import reference_objectives
from pmifact.plotting import draw_map
from pmifact.ppmi import sppmi
from pmifact.spectrum import choose_rank

CORPUS = "expected EncodedCorpus, got the path 'x'; read it with read_corpus first"
COUNTS = "expected CooccurrenceCounts, got the path 'x'; read it with read_counts first"
PAIRS = SimilaritySet("pairs", ("a",), ("b",), np.ones(1))
VECTORS = "expected WordVectors, got the path 'x'; read it with read_vectors first"


@pytest.mark.parametrize("path", ["x", Path("x")])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (count_cooccurrences, f"corpus: {CORPUS}"),
        (sppmi, f"counts: {COUNTS}"),
        (choose_rank, f"counts: {COUNTS}"),
        (reference_objectives, f"counts: {COUNTS}"),
        (lambda path: word_contexts(path, "a"), f"counts: {COUNTS}"),
        (lambda path: shared_contexts(path, "a", "b"), f"counts: {COUNTS}"),
        (lambda path: merge_counts([path, path]), f"input 1: {COUNTS}"),
        (lambda path: evaluate_similarity(path, "gold"), f"vectors: {VECTORS}"),
        (lambda path: evaluate_analogy(path, "gold"), f"vectors: {VECTORS}"),
        (lambda path: draw_map(path, ["a", "b", "c"]), f"vectors: {VECTORS}"),
        (
            lambda path: compare_models({"one": path, "other": path}, similarity=[PAIRS]),
            f"model 'one': {VECTORS}",
        ),
    ],
)
def test_a_path_is_not_what_it_holds(call, message, path):
    with pytest.raises(InputError) as caught:
        call(path)
    assert str(caught.value) == message


def test_other_things_are_named_by_their_type():
    with pytest.raises(
        InputError, match="counts: expected CooccurrenceCounts, got list; read_counts reads one"
    ):
        sppmi([[1, 2]])
