"""Evaluation of word vectors: gold sets, similarity and analogy; scores are pandas DataFrames."""

from pmifact.evaluation.analogy import evaluate_analogy
from pmifact.evaluation.comparison import compare_models
from pmifact.evaluation.gold import AnalogySet, SimilaritySet, read_analogy, read_similarity
from pmifact.evaluation.items import analogy_items
from pmifact.evaluation.pairs import PairSet, read_pairs
from pmifact.evaluation.similarity import evaluate_similarity, similarity_items

__all__ = [
    "AnalogySet",
    "PairSet",
    "SimilaritySet",
    "analogy_items",
    "compare_models",
    "evaluate_analogy",
    "evaluate_similarity",
    "read_analogy",
    "read_pairs",
    "read_similarity",
    "similarity_items",
]
