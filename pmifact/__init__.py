"""PMI/SVD word embeddings: exact co-occurrence counts, shifted PPMI, truncated SVD, and their evaluation.

The public names are loaded when first used, so that ``import pmifact`` stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pmifact.cooccurrence import CooccurrenceCounts, count_cooccurrences, merge_counts
    from pmifact.corpus import EncodedCorpus, encode_corpus
    from pmifact.errors import ArtifactError, InputError, PmifactError
    from pmifact.evaluation import compare_models, evaluate_analogy, evaluate_similarity
    from pmifact.factors import Factors
    from pmifact.objective import exact_objective, sampled_objective
    from pmifact.phrases import find_phrases
    from pmifact.plotting import draw_curves, draw_map, draw_scores, draw_spectrum, save_picture
    from pmifact.ppmi import sppmi
    from pmifact.report import make_report
    from pmifact.skipgram import train_skipgram
    from pmifact.svd.truncated import factorize
    from pmifact.vectors import WordVectors
    from pmifact.vocabulary import Vocabulary

_HOME = {
    "ArtifactError": "errors",
    "InputError": "errors",
    "PmifactError": "errors",
    "Vocabulary": "vocabulary",
    "EncodedCorpus": "corpus",
    "encode_corpus": "corpus",
    "CooccurrenceCounts": "cooccurrence",
    "count_cooccurrences": "cooccurrence",
    "merge_counts": "cooccurrence",
    "find_phrases": "phrases",
    "sppmi": "ppmi",
    "Factors": "factors",
    "factorize": "svd.truncated",
    "train_skipgram": "skipgram",
    "exact_objective": "objective",
    "sampled_objective": "objective",
    "WordVectors": "vectors",
    "evaluate_similarity": "evaluation",
    "evaluate_analogy": "evaluation",
    "compare_models": "evaluation",
    "make_report": "report",
    "draw_curves": "plotting",
    "draw_map": "plotting",
    "draw_scores": "plotting",
    "draw_spectrum": "plotting",
    "save_picture": "plotting",
}

__all__ = [
    "ArtifactError",
    "CooccurrenceCounts",
    "EncodedCorpus",
    "Factors",
    "InputError",
    "PmifactError",
    "Vocabulary",
    "WordVectors",
    "compare_models",
    "count_cooccurrences",
    "draw_curves",
    "draw_map",
    "draw_scores",
    "draw_spectrum",
    "encode_corpus",
    "evaluate_analogy",
    "evaluate_similarity",
    "exact_objective",
    "factorize",
    "find_phrases",
    "make_report",
    "merge_counts",
    "sampled_objective",
    "save_picture",
    "sppmi",
    "train_skipgram",
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
