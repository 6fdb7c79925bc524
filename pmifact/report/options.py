"""What a report shows."""

from dataclasses import dataclass

from pmifact.checks import check_integer
from pmifact.evaluation import AnalogySet, PairSet, SimilaritySet


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What a report shows, and how models are scored for it.

    Parameters
    ----------
    similarity : tuple of SimilaritySet
        Scored by `correlation`.
    analogy : tuple of AnalogySet or PairSet
        Asked by `method`, among the first `restrict_vocab` words.
    correlation, method, case, oov, restrict_vocab, resamples, seed, threads
        As for `evaluate_similarity` and `evaluate_analogy`; at least one resample where models are compared.
    sets_needed : bool
        Whether a set that cannot be used, as one of which a model covers nothing, is an error; else it is
        left out, and the page says why.
    search_words : int
        The neighbours of so many of the most frequent words can be searched.
    neighbors : int
        How many of each, in each model.
    map_words : int
        So many of the most frequent words are on the maps.
    items : int
        So many pairs and questions that models get wrong are listed for each set.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    similarity: tuple[SimilaritySet, ...] = ()
    analogy: tuple[AnalogySet | PairSet, ...] = ()
    correlation: str = "spearman"
    method: str = "add"
    case: str = "fold"
    oov: str = "skip"
    restrict_vocab: int | None = None
    sets_needed: bool = True
    resamples: int = 999
    seed: int = 0
    threads: int | None = None
    search_words: int = 1_000
    neighbors: int = 10
    map_words: int = 60
    items: int = 50

    def __post_init__(self) -> None:
        check_integer("search_words", self.search_words, least=1, most=10_000)
        check_integer("neighbors", self.neighbors, least=1, most=100)
        check_integer("map_words", self.map_words, least=3, most=300)
        check_integer("items", self.items, least=1, most=1_000)
