"""PMI/SVD word embeddings: exact co-occurrence counts, shifted PPMI, truncated SVD, and their evaluation.

The public names are loaded when first used, so that ``import pmifact`` stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pmifact.collocates import shared_contexts, word_contexts
    from pmifact.contexts import PositionalContexts
    from pmifact.cooccurrence import CooccurrenceCounts, count_cooccurrences
    from pmifact.corpus import EncodedCorpus, encode_corpus
    from pmifact.datasets import get_dataset, read_dataset
    from pmifact.errors import ArtifactError, DeviceError, InputError, PmifactError
    from pmifact.estimators import KrylovSVD, PPMITransformer
    from pmifact.evaluation import compare_models, evaluate_analogy, evaluate_bias, evaluate_similarity
    from pmifact.factors import Factors
    from pmifact.merging import merge_counts
    from pmifact.objective import exact_objective, sampled_objective
    from pmifact.phrases import find_phrases
    from pmifact.plotting import (
        draw_curves,
        draw_map,
        draw_rank_choice,
        draw_scores,
        draw_spectrum,
        save_picture,
    )
    from pmifact.ppmi import sppmi
    from pmifact.report import make_report
    from pmifact.reproduce import reproduce_levy2014, reproduce_levy2015
    from pmifact.skipgram import train_skipgram
    from pmifact.spectrum import choose_rank
    from pmifact.svd.truncated import factorize
    from pmifact.vectors import WordVectors
    from pmifact.vocabulary import Vocabulary

_HOME = {
    "ArtifactError": "errors",
    "DeviceError": "errors",
    "InputError": "errors",
    "PmifactError": "errors",
    "Vocabulary": "vocabulary",
    "EncodedCorpus": "corpus",
    "encode_corpus": "corpus",
    "CooccurrenceCounts": "cooccurrence",
    "count_cooccurrences": "cooccurrence",
    "PositionalContexts": "contexts",
    "merge_counts": "merging",
    "find_phrases": "phrases",
    "sppmi": "ppmi",
    "Factors": "factors",
    "factorize": "svd.truncated",
    "train_skipgram": "skipgram",
    "choose_rank": "spectrum",
    "exact_objective": "objective",
    "sampled_objective": "objective",
    "WordVectors": "vectors",
    "KrylovSVD": "estimators",
    "PPMITransformer": "estimators",
    "evaluate_similarity": "evaluation",
    "evaluate_analogy": "evaluation",
    "evaluate_bias": "evaluation",
    "compare_models": "evaluation",
    "make_report": "report",
    "draw_curves": "plotting",
    "draw_map": "plotting",
    "draw_rank_choice": "plotting",
    "draw_scores": "plotting",
    "draw_spectrum": "plotting",
    "save_picture": "plotting",
    "get_dataset": "datasets",
    "read_dataset": "datasets",
    "word_contexts": "collocates",
    "shared_contexts": "collocates",
    "reproduce_levy2014": "reproduce",
    "reproduce_levy2015": "reproduce",
}

__all__ = [
    "ArtifactError",
    "CooccurrenceCounts",
    "DeviceError",
    "EncodedCorpus",
    "Factors",
    "InputError",
    "KrylovSVD",
    "PPMITransformer",
    "PmifactError",
    "PositionalContexts",
    "Vocabulary",
    "WordVectors",
    "choose_rank",
    "compare_models",
    "count_cooccurrences",
    "draw_curves",
    "draw_map",
    "draw_rank_choice",
    "draw_scores",
    "draw_spectrum",
    "encode_corpus",
    "evaluate_analogy",
    "evaluate_bias",
    "evaluate_similarity",
    "exact_objective",
    "factorize",
    "find_phrases",
    "get_dataset",
    "make_report",
    "merge_counts",
    "read_dataset",
    "reproduce_levy2014",
    "reproduce_levy2015",
    "sampled_objective",
    "save_picture",
    "shared_contexts",
    "sppmi",
    "train_skipgram",
    "word_contexts",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # Imported here because importlib.metadata alone takes half the time that `pmifact --help` may.
        from importlib.metadata import version

        return version("pmifact")
    if name not in _HOME:
        raise AttributeError(f"module 'pmifact' has no attribute {name!r}")
    value = getattr(import_module(f"pmifact.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
