"""Files to a vocabulary and its token ids, in memory or, under a limit, in files of their own."""

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from pmifact.resources.memory import working_memory
from pmifact.resources.progress import Progress
from pmifact.resources.spool import ScatteredFile, Spool, on_disk, refusals_explained
from pmifact.text.lexicon import Lexicon
from pmifact.text.readers import Source
from pmifact.text.scanning import Limits, ScannedText, ScanOptions, scan_files
from pmifact.text.unifying import choose_words, count_words, number_tokens, table_of
from pmifact.text.words import WordOptions, check_tokens
from pmifact.vocabulary import Vocabulary


@dataclass(frozen=True)
class EncodedFiles:
    """What `pmifact.corpus.EncodedCorpus` is made of."""

    vocabulary: Vocabulary
    token_ids: NDArray[np.int32]
    sentence_starts: NDArray[np.int64]
    sources: tuple[Source, ...]


def encode_files(
    paths: Sequence[str],
    how: ScanOptions,
    words: WordOptions,
    *,
    limit: int | None,
    scratch: str | os.PathLike[str] | None,
    threads: int,
    progress: Progress,
) -> EncodedFiles:
    """Encode files with a built-in tokenizer, in compiled code on every core.

    Under a `limit` on memory, in bytes, the arrays are mapped from files in `scratch`, or from files that are
    removed already.
    """
    lowercase = words.lowercase
    if limit is None:
        text = scan_files(paths, how, lowercase=lowercase, threads=threads, progress=progress)
        return _in_memory(text, words, threads)

    def encode(folder: Path) -> EncodedFiles:
        working = working_memory(limit)
        with closing(Spool(folder / "scanned")) as spool:
            limits = Limits.of(working, threads, spool)
            text = scan_files(
                paths, how, lowercase=lowercase, limits=limits, threads=threads, progress=progress
            )
        return _on_disk(text, words, threads, working // 4, folder)

    if scratch is not None:
        folder = Path(scratch)
        with refusals_explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        return encode(folder)
    with TemporaryDirectory(prefix="pmifact-") as temporary:  # mapped files stay readable when removed
        return encode(Path(temporary))


def _in_memory(text: ScannedText, words: WordOptions, threads: int) -> EncodedFiles:
    vocabulary, table = _vocabulary(text, words, None)
    token_ids = np.empty(text.n_tokens, np.int32)

    def place(offset: int, ids: NDArray[np.int32]) -> None:
        token_ids[offset : offset + len(ids)] = ids

    number_tokens(text, table, place, threads)
    return EncodedFiles(vocabulary, token_ids, np.concatenate(list(text.sentence_starts())), text.sources)


def _on_disk(text: ScannedText, words: WordOptions, threads: int, room: int, folder: Path) -> EncodedFiles:
    vocabulary, table = _vocabulary(text, words, room)
    with ScatteredFile(folder / "token_ids", np.int32) as file:
        number_tokens(text, table, file.place, threads)
    starts = on_disk(text.sentence_starts(), folder / "sentence_starts", np.int64)
    return EncodedFiles(vocabulary, file.mapped(), starts, text.sources)


def _vocabulary(text: ScannedText, words: WordOptions, room: int | None) -> tuple[Vocabulary, Lexicon]:
    """Return the words, and a table of their ids."""
    check_tokens(text.n_tokens, [source.name for source in text.sources])
    if words.given is not None:
        table = table_of(words.given.words)
        return count_words(text, words.given, table), table
    chosen = choose_words(
        text, min_count=words.min_count, max_vocab=words.max_vocab, exclude=words.exclude, room=room
    )
    return chosen, table_of(chosen.words)
