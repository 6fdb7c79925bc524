"""`.corpus` artifacts."""

import os
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.corpus import EncodedCorpus, EncodeOptions
from pmifact.errors import ArtifactError, InputError
from pmifact.storage.arrays import blocks
from pmifact.storage.artifact import Contents, read_artifact, write_artifact
from pmifact.storage.manifest import RunRecord, restore_options, sources


def write_corpus(
    corpus: EncodedCorpus, path: str | os.PathLike[str], *, record: RunRecord | None = None
) -> None:
    """Write a corpus as the directory `path`, in place of an older one.

    Parameters
    ----------
    corpus : EncodedCorpus
        Its `sources` become the manifest's inputs unless `record` names others.
    path : path
        By custom ``NAME.corpus``.
    record : RunRecord, optional
        What the manifest says about the run.

    Raises
    ------
    InputError
        If a word holds white space, or the ids or sentence starts are out of range.
    ArtifactError
        If `path` cannot be written; what stood there is then untouched.
    """
    if fault := _fault(len(corpus.vocabulary), corpus.token_ids, corpus.sentence_starts):
        raise InputError(f"corpus: {fault}")
    record = record or RunRecord()
    write_artifact(
        path,
        "corpus",
        vocabulary=corpus.vocabulary,
        arrays={"token_ids.npy": corpus.token_ids, "sentence_starts.npy": corpus.sentence_starts},
        options=asdict(corpus.options),
        record=record if record.inputs else replace(record, inputs=corpus.sources),
    )


def read_corpus(path: str | os.PathLike[str]) -> EncodedCorpus:
    """Read a `.corpus` artifact; the arrays are read-only memory maps.

    Raises
    ------
    ArtifactError
        If there is none, or anything in it is damaged: one sentence that names the file and the fault.
    """
    return read_artifact(path, "corpus", build_corpus)


def build_corpus(contents: Contents) -> EncodedCorpus:
    """Return the corpus of checked files, after checking the ranges of their values."""
    token_ids, starts = contents.arrays["token_ids.npy"], contents.arrays["sentence_starts.npy"]
    if fault := _fault(len(contents.vocabulary), token_ids, starts):
        raise ArtifactError(f"{contents.directory}: {fault}; make the artifact again")
    return EncodedCorpus(
        vocabulary=contents.vocabulary,
        token_ids=token_ids,
        sentence_starts=starts,
        options=restore_options(EncodeOptions, contents.manifest, contents.directory),
        sources=sources(contents.manifest, contents.directory),
    )


def _fault(words: int, token_ids: NDArray[Any], starts: NDArray[Any]) -> str | None:
    """Return what is wrong with the arrays, or None."""
    for name, array in (("token_ids", token_ids), ("sentence_starts", starts)):
        if array.ndim != 1 or array.dtype.kind not in "iu":
            return f"{name}: expected integers in one dimension, got {array.dtype} of shape {array.shape}"
    for first, block in blocks(token_ids):
        wrong = np.flatnonzero((block < -1) | (block >= words))
        if len(wrong):
            where = int(wrong[0])
            return f"token_ids: expected ids in [-1, {words}), got {block[where]} at {first + where}"
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(token_ids):
        ends = f"{starts[0]} and {starts[-1]}" if len(starts) else "nothing"
        return f"sentence_starts: expected 0 first and {len(token_ids)} last, got {ends}"
    for first, block in blocks(starts):
        # One entry of overlap, so that no step between two blocks is missed.
        overlapped = starts[max(0, first - 1) : first + len(block)]
        if (overlapped[1:] <= overlapped[:-1]).any():
            return "sentence_starts: expected offsets that rise, got a sentence that ends before it begins"
    return None
