"""Scanned text to a vocabulary and its token ids, whoever scanned what."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.lexicon import Lexicon
from pmifact.scanning import ScannedText
from pmifact.vocabulary import Vocabulary, most_frequent


def choose_words(
    text: ScannedText, *, lowercase: bool, min_count: int, max_vocab: int | None, threads: int
) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return the frequent words, and the token ids under them; -1 for a rarer word."""
    merged = Lexicon()
    mappings = [merged.absorb(lexicon, lower=lowercase) for lexicon in text.lexicons]
    words, types = most_frequent(merged.counts, merged.type, min_count=min_count, max_vocab=max_vocab)
    rank = np.full(merged.n_types, -1, np.int32)
    rank[types] = np.arange(len(types), dtype=np.int32)
    vocabulary = Vocabulary(tuple(words), merged.counts[types])
    return vocabulary, _renumbered(text, [rank[mapping] for mapping in mappings], threads)


def look_up_words(
    text: ScannedText, given: Vocabulary, *, lowercase: bool, threads: int
) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return the given words with their counts in this text, and the token ids under them."""
    merged = Lexicon()
    merged.add_words(given.words)
    mappings = [merged.absorb(lexicon, lower=lowercase) for lexicon in text.lexicons]
    if not merged.counts.any():
        raise InputError("no input holds any token")
    # The given words came first, so their ids are their ranks.
    ranks = [np.where(mapping < len(given), mapping, np.int32(-1)) for mapping in mappings]
    vocabulary = Vocabulary(given.words, merged.counts[: len(given)].copy())
    return vocabulary, _renumbered(text, ranks, threads)


def _renumbered(text: ScannedText, ranks: list[NDArray[np.int32]], threads: int) -> NDArray[np.int32]:
    """Put the rank of each type in its place."""
    token_ids = np.empty(text.n_tokens, np.int32)
    with ThreadPoolExecutor(threads) as pool:
        jobs, offset = [], 0
        for stretches in text.files:
            for stretch in stretches:
                ids = stretch.scanned.ids
                place = token_ids[offset : offset + len(ids)]
                jobs.append(
                    pool.submit(partial(np.take, ranks[stretch.lexicon], ids, out=place, mode="clip"))
                )
                offset += len(ids)
        for job in jobs:
            job.result()
    return token_ids
