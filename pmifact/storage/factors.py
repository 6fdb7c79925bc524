"""`.factors` artifacts."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import ArtifactError, InputError
from pmifact.factors import Factors
from pmifact.storage.arrays import blocks
from pmifact.storage.artifact import Contents, read_artifact, write_artifact
from pmifact.storage.manifest import RunRecord


def write_factors(factors: Factors, path: str | os.PathLike[str], *, record: RunRecord | None = None) -> None:
    """Write factors as the directory `path`, in place of older ones.

    Parameters
    ----------
    factors : Factors
        With a vocabulary.
    path : path
        By custom ``NAME.factors``.
    record : RunRecord, optional
        What the manifest says about the run.

    Raises
    ------
    InputError
        If there is no vocabulary, a word holds white space, shapes disagree, a value is not finite, or
        the strengths are not descending.
    ArtifactError
        If `path` cannot be written; what stood there is then untouched.
    """
    if factors.vocabulary is None:
        raise InputError("factors: expected a vocabulary, got none; give `vocabulary=` to `factorize`")
    arrays = {
        "words.npy": factors.words,
        "strengths.npy": factors.strengths,
        "contexts.npy": factors.contexts,
        "residuals.npy": factors.residuals,
    }
    if fault := _fault(len(factors.vocabulary), *arrays.values()):
        raise InputError(f"factors: {fault}")
    write_artifact(
        path,
        "factors",
        vocabulary=factors.vocabulary,
        contexts=factors.context_vocabulary,
        arrays=arrays,
        options=factors.options,
        record=record or RunRecord(),
    )


def read_factors(path: str | os.PathLike[str]) -> Factors:
    """Read a `.factors` artifact; the arrays are read-only memory maps.

    Raises
    ------
    ArtifactError
        If there is none, or anything in it is damaged: one sentence that names the file and the fault.
    """
    return read_artifact(path, "factors", build_factors)


def build_factors(contents: Contents) -> Factors:
    """Return the factors of checked files, after checking their values."""
    words, strengths, contexts, residuals = (
        contents.arrays[f"{name}.npy"] for name in ("words", "strengths", "contexts", "residuals")
    )
    if fault := _fault(len(contents.vocabulary), words, strengths, contexts, residuals):
        raise ArtifactError(f"{contents.directory}: {fault}; make the artifact again")
    # Columns without names are those of a bare matrix, or the nodes of the tree of hierarchical softmax.
    nodes = contents.manifest["options"].get("loss") == "hs"
    words_too = contents.manifest["history"] and contents.contexts is None and not nodes
    if words_too and len(contexts) != len(words):
        raise ArtifactError(
            f"{contents.directory}: contexts: expected a row for each of the {len(words):,} words, which are "
            f"the contexts, got {len(contexts):,}; make the artifact again"
        )
    return Factors(
        vocabulary=contents.vocabulary,
        words=words,
        strengths=strengths,
        contexts=contexts,
        residuals=residuals,
        options=contents.manifest["options"],
        context_vocabulary=contents.contexts,
    )


def _fault(
    size: int,
    words: NDArray[Any],
    strengths: NDArray[Any],
    contexts: NDArray[Any],
    residuals: NDArray[Any],
) -> str | None:
    """Return what is wrong with the arrays, or None."""
    rank = len(strengths)
    shapes: dict[str, tuple[NDArray[Any], list[tuple[int, ...]]]] = {
        "strengths": (strengths, [(rank,)]),
        "words": (words, [(size, rank)]),
        "contexts": (contexts, [(len(contexts), rank)]),
        "residuals": (residuals, [(rank,), (0,)]),
    }
    for name, (array, expected) in shapes.items():
        if array.shape not in expected or array.dtype != np.float32:
            return (
                f"{name}: expected float32 of shape {expected[0]}, got {array.dtype} of shape {array.shape}"
            )
        for first, block in blocks(array):
            if not np.isfinite(block).all():
                row = first + int(np.flatnonzero(~np.isfinite(block.reshape(len(block), -1)).all(axis=1))[0])
                return f"{name}: expected finite numbers, got others in row {row}"
    if (strengths < 0).any() or (strengths[1:] > strengths[:-1]).any():
        return "strengths: expected singular values from the largest down to 0, got others"
    if (residuals < 0).any():
        return "residuals: expected numbers of at least 0, got a negative one"
    return None
