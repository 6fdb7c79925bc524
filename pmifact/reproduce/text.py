"""The text of a reproduction: which files, how they are encoded, and the least count of a word."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pmifact.checks import check_integer
from pmifact.corpus import EncodedCorpus, EncodeOptions, encode_corpus
from pmifact.errors import InputError
from pmifact.reproduce.costs import Cost, Survey, survey_text
from pmifact.reproduce.plan import Stage
from pmifact.resources.progress import Progress
from pmifact.resources.spool import on_disk
from pmifact.storage.files import file_source
from pmifact.text.readers import STANDARD_INPUT, Source, expand_inputs
from pmifact.vocabulary import Vocabulary

PAPER_TOKENS = 1.5e9
PAPER_MIN_COUNT = 100
LEAST_MIN_COUNT = 5
_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class Text:
    """Files of text, with their digests, and how they become token ids.

    Parameters
    ----------
    paths : tuple of str
    sources : tuple of Source
    encode : mapping
        Options of `encode_corpus`, beside the least count.
    min_count : int or None
        None for `scaled_min_count` of the number of tokens.
    """

    paths: tuple[str, ...]
    sources: tuple[Source, ...]
    encode: Mapping[str, Any] = field(default_factory=dict)
    min_count: int | None = None

    def least(self, tokens: float) -> int:
        """Return the least count for so many tokens."""
        return scaled_min_count(tokens) if self.min_count is None else self.min_count

    def survey(self, threads: int) -> Survey:
        """Look at the first part of the text."""
        return survey_text(self.paths, self.encode, self.least, threads=threads)


def read_text(
    corpus: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    encode: Mapping[str, Any],
    min_count: int | None,
) -> Text:
    """Find the files of a corpus and take their digests; raise `InputError` without any."""
    given = [corpus] if isinstance(corpus, str | os.PathLike) else list(corpus)
    paths = expand_inputs(given)
    if STANDARD_INPUT in paths:
        raise InputError(
            "standard input can be read only once, so that a run could not go on; write the text to a file"
        )
    if min_count is not None:
        check_integer("min_count", min_count, least=1)
    unknown = encode.keys() - EncodeOptions.__dataclass_fields__.keys()
    if unknown:
        raise InputError(f"encode: {', '.join(sorted(unknown))} is no option of encoding")
    return Text(tuple(paths), tuple(map(file_source, paths)), {**encode}, min_count)


def scaled_min_count(tokens: float) -> int:
    """Return the paper's least count of 100, scaled down by the root of the size of the text.

    The root keeps both the share of rare words and the evidence for each from falling alone; 5 is the least.
    """
    scaled = round(PAPER_MIN_COUNT * math.sqrt(tokens / PAPER_TOKENS))
    return min(max(scaled, LEAST_MIN_COUNT), PAPER_MIN_COUNT)


def corpus_stage(text: Text) -> Stage:
    """Return the stage that encodes a text, once for all others."""
    options = {
        "step": "encode",
        **asdict(EncodeOptions(**{**text.encode, "min_count": text.min_count or LEAST_MIN_COUNT})),
        "scaled": text.min_count is None,
    }

    def work(bench: Any, progress: Progress) -> EncodedCorpus:
        corpus = encode_corpus(
            list(text.paths),
            **text.encode,
            min_count=text.min_count or LEAST_MIN_COUNT,
            memory=bench.memory,
            scratch=bench.scratch / "text",
            threads=bench.threads,
            progress=progress,
        )
        if text.min_count is not None:
            return corpus
        return with_min_count(corpus, scaled_min_count(len(corpus.token_ids)), bench.scratch / "token_ids")

    return Stage(
        name="text",
        kind="corpus",
        title="Encode the text",
        options=options,
        work=work,
        cost=lambda survey: Cost("encode", survey.seconds("encode", survey.tokens), 4.4 * survey.tokens),
        sources=text.sources,
    )


def with_min_count(corpus: EncodedCorpus, min_count: int, file: Path) -> EncodedCorpus:
    """Return a corpus as it would have been encoded with a larger least count.

    Ids are ranks by frequency, so rarer words are those from some id on.

    Parameters
    ----------
    corpus : EncodedCorpus
        Of a vocabulary that was built from the text.
    min_count : int
    file : Path
        For the new token ids, which are mapped from there.

    Raises
    ------
    InputError
        If no word is so frequent.
    """
    words = int(np.count_nonzero(corpus.vocabulary.counts >= min_count))
    if not words:
        raise InputError(f"min_count: no word occurs {min_count} times in this text; give a smaller one")
    blocks = (corpus.token_ids[at : at + _BLOCK] for at in range(0, len(corpus.token_ids), _BLOCK))
    vocabulary = Vocabulary(corpus.vocabulary.words[:words], corpus.vocabulary.counts[:words])
    token_ids = on_disk((np.where(block < words, block, np.int32(-1)) for block in blocks), file, np.int32)
    return EncodedCorpus(
        vocabulary,
        token_ids,
        corpus.sentence_starts,
        replace(corpus.options, min_count=min_count),
        corpus.sources,
    )
