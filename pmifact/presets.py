"""The settings of other tools, under their names.

A preset sets the options of each stage to what the tool does when it is called without options:

>>> from pmifact.presets import PRESETS
>>> glove = PRESETS["glove"]
>>> corpus = pmifact.encode_corpus("wiki.txt", **glove.encode)  # doctest: +SKIP
>>> counts = pmifact.count_cooccurrences(corpus, **glove.count)  # doctest: +SKIP

What a tool draws at random is counted in expectation where it can be:

word2vec
    draws the reach of each window uniformly from 1 to 5: `linear` weights are the expectation. It
    keeps a word of relative frequency f with probability sqrt(t / f) + t / f, where `subsample`
    keeps it with probability sqrt(t / f); line ends count as tokens in its f. It cuts sentences
    after 1,000 words; lines are not cut here. `ppmi` holds what its negative sampling factorizes in
    effect: 5 negatives, drawn from counts to the power 0.75.
glove
    counts with 1 / distance in windows of 15 on both sides, and has no least count and no limit on
    the vocabulary unless asked for (its demo.sh asks for 5). It factorizes no PMI, so nothing is set
    for `ppmi` and `svd`. Like word2vec, it splits text at spaces, tabs and line ends alone, where
    `whitespace` knows all white space of Unicode.
hyperwords
    keeps the places of out-of-vocabulary and of subsampled words. Its windows are fixed and flat
    unless asked for otherwise, and it does not smooth contexts.
hyperhyper
    scales counts by the expectation of subsampling instead of dropping words. Its tokenizer keeps
    hyphens and underscores within a word, which `words` does not, writes U+2019 as an apostrophe, and
    its vocabulary holds the 50,000 words of the most lines, not of the highest counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


def _frozen(**settings: Any) -> Mapping[str, Any]:
    return MappingProxyType(settings)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The settings of one tool, as keywords of the functions of each stage.

    Parameters
    ----------
    name : str
        Of the tool.
    encode : mapping
        For `pmifact.encode_corpus`.
    count : mapping
        For `pmifact.count_cooccurrences`.
    ppmi : mapping
        For `pmifact.sppmi`; empty, as `svd` is, when the tool has no such stage.
    svd : mapping
        For `pmifact.factorize`.
    vectors : mapping
        For `pmifact.Factors.vectors`.
    """

    name: str
    encode: Mapping[str, Any]
    count: Mapping[str, Any]
    ppmi: Mapping[str, Any] = field(default_factory=_frozen)
    svd: Mapping[str, Any] = field(default_factory=_frozen)
    vectors: Mapping[str, Any] = field(default_factory=_frozen)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="word2vec",
                encode=_frozen(tokenizer="whitespace", lowercase=False, boundary="line", min_count=5),
                count=_frozen(
                    window=(5, 5), weighting="linear", oov="close", subsample=1e-3, subsample_mode="before"
                ),
                ppmi=_frozen(shift=5.0, smoothing=0.75, subsample=None),
                svd=_frozen(rank=100),
            ),
            Preset(
                name="glove",
                encode=_frozen(tokenizer="whitespace", lowercase=False, boundary="line", min_count=1),
                count=_frozen(window=(15, 15), weighting="harmonic", oov="close", subsample=None),
            ),
            Preset(
                name="hyperwords",
                encode=_frozen(tokenizer="whitespace", lowercase=False, boundary="line", min_count=100),
                count=_frozen(
                    window=(2, 2), weighting="flat", oov="gap", subsample=None, subsample_mode="after"
                ),
                ppmi=_frozen(shift=1.0, smoothing=1.0, subsample=None),
                svd=_frozen(rank=500),
                vectors=_frozen(power=0.5),
            ),
            Preset(
                name="hyperhyper",
                encode=_frozen(
                    tokenizer="words",
                    lowercase=True,
                    normalize="nfc",
                    boundary="line",
                    min_count=1,
                    max_vocab=50_000,
                ),
                count=_frozen(window=(2, 2), weighting="linear", oov="close", subsample=None),
                ppmi=_frozen(shift=1.0, smoothing=0.75, subsample=1e-5),
                svd=_frozen(rank=500),
                vectors=_frozen(power=0.0),
            ),
        )
    }
)
