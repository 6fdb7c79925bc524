"""Evaluation of word vectors: gold sets, similarity, analogy, association; scores are pandas DataFrames."""

from pmifact.evaluation.analogy import evaluate_analogy
from pmifact.evaluation.bias import evaluate_bias, probe_analogy
from pmifact.evaluation.comparison import compare_models
from pmifact.evaluation.gold import AnalogySet, SimilaritySet, read_analogy, read_similarity
from pmifact.evaluation.items import analogy_items
from pmifact.evaluation.pairs import PairSet, read_pairs
from pmifact.evaluation.similarity import evaluate_similarity, similarity_items
from pmifact.evaluation.word_lists import WordLists, read_word_lists

__all__ = [
    "AnalogySet",
    "PairSet",
    "SimilaritySet",
    "WordLists",
    "analogy_items",
    "compare_models",
    "evaluate_analogy",
    "evaluate_bias",
    "evaluate_similarity",
    "probe_analogy",
    "read_analogy",
    "read_pairs",
    "read_similarity",
    "read_word_lists",
    "similarity_items",
]
