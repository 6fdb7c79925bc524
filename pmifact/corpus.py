"""Text to token ids: `EncodedCorpus` and the function that makes one."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_integer
from pmifact.vocabulary import Vocabulary

TOKENIZERS = ("whitespace", "words")
NORMALIZATIONS = ("none", "nfc", "nfkc")
BOUNDARIES = ("line", "blank", "none")
DECODING_ERRORS = ("strict", "replace")


@dataclass(frozen=True, kw_only=True)
class EncodeOptions:
    """How text becomes token ids (specification, section 1); saved with the corpus."""

    tokenizer: str = "whitespace"
    lowercase: bool = False
    normalize: str = "none"
    boundary: str = "line"
    min_count: int = 5
    max_vocab: int | None = None
    encoding: str = "utf-8"
    errors: str = "strict"
    given_vocabulary: bool = False


@dataclass(frozen=True)
class Source:
    """One input that was read: its name, size in bytes and SHA-256 (of the bytes as stored)."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A corpus as token ids.

    Parameters
    ----------
    vocabulary : Vocabulary
        V words.
    token_ids : ndarray of int32, shape (N,)
        Word ids in text order; -1 is an out-of-vocabulary token.
    sentence_starts : ndarray of int64, shape (S + 1,)
        Sentence s is ``token_ids[sentence_starts[s]:sentence_starts[s + 1]]``; strictly increasing,
        the first is 0, the last is N.
    """

    vocabulary: Vocabulary
    token_ids: NDArray[np.int32]
    sentence_starts: NDArray[np.int64]
    options: EncodeOptions = field(default_factory=EncodeOptions)
    sources: tuple[Source, ...] = ()
