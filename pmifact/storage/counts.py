"""`.counts` artifacts."""

import os
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.cooccurrence import CooccurrenceCounts, CountOptions
from pmifact.errors import ArtifactError, InputError
from pmifact.storage.arrays import blocks
from pmifact.storage.artifact import Contents, read_artifact, write_artifact
from pmifact.storage.manifest import RunRecord, integer, restore_options
from pmifact.windows import window_weights

_MOST = np.iinfo(np.int64).max


def write_counts(
    counts: CooccurrenceCounts, path: str | os.PathLike[str], *, record: RunRecord | None = None
) -> None:
    """Write co-occurrence counts as the directory `path`, in place of older ones.

    The files are CSR: ``count[w, indices[j]] = data[j] / unit`` for j in ``[indptr[w], indptr[w + 1])``,
    with `unit` from the manifest.

    Parameters
    ----------
    counts : CooccurrenceCounts
        What to write.
    path : path
        By custom ``NAME.counts``.
    record : RunRecord, optional
        What the manifest says about the run.

    Raises
    ------
    InputError
        If a word holds white space, or the matrix is not canonical or holds numerators below 1.
    ArtifactError
        If `path` cannot be written; what stood there is then untouched.
    """
    matrix, words = counts.matrix, len(counts.vocabulary)
    if matrix.shape != (words, words):
        raise InputError(
            f"counts: expected a matrix of {words} x {words}, got {matrix.shape[0]} x {matrix.shape[1]}"
        )
    if fault := _fault(words, matrix.indptr, matrix.indices, matrix.data):
        raise InputError(f"counts: {fault}")
    write_artifact(
        path,
        "counts",
        vocabulary=counts.vocabulary,
        arrays={"indptr.npy": matrix.indptr, "indices.npy": matrix.indices, "data.npy": matrix.data},
        options=asdict(counts.options),
        extras={
            "unit": counts.unit,
            "weights_rounded": window_weights(counts.options.window, counts.options.weighting).rounded,
        },
        record=record or RunRecord(),
    )


def read_counts(path: str | os.PathLike[str]) -> CooccurrenceCounts:
    """Read a `.counts` artifact; the arrays of the matrix are read-only memory maps.

    Raises
    ------
    ArtifactError
        If there is none, or anything in it is damaged: one sentence that names the file and the fault.
    """
    return read_artifact(path, "counts", build_counts)


def build_counts(contents: Contents) -> CooccurrenceCounts:
    """Return the counts of checked files, after checking the ranges of their values."""
    indptr, indices, data = (contents.arrays[name] for name in ("indptr.npy", "indices.npy", "data.npy"))
    words = len(contents.vocabulary)
    if fault := _fault(words, indptr, indices, data):
        raise ArtifactError(f"{contents.directory}: {fault}; make the artifact again")
    if len(indices) <= np.iinfo(np.int32).max:
        # With a 64-bit indptr SciPy would copy the indices to 64 bits too.
        indptr = indptr.astype(np.int32)
    matrix = csr_array((data, indices, indptr), shape=(words, words), copy=False)
    # Known from the check; left unsaid, SciPy would look again or sort in place, which a map refuses.
    matrix.has_canonical_format = True
    return CooccurrenceCounts(
        vocabulary=contents.vocabulary,
        matrix=matrix,
        unit=integer(contents.manifest, "unit", contents.directory, least=1, most=_MOST),
        options=restore_options(CountOptions, contents.manifest, contents.directory),
    )


def _fault(words: int, indptr: NDArray[Any], indices: NDArray[Any], data: NDArray[Any]) -> str | None:
    """Return what is wrong with the arrays of a CSR matrix of counts, or None."""
    for name, array in (("indptr", indptr), ("indices", indices), ("data", data)):
        if array.ndim != 1 or array.dtype.kind not in "iu":
            return f"{name}: expected integers in one dimension, got {array.dtype} of shape {array.shape}"
    nonzeros = len(indices)
    if len(data) != nonzeros:
        return f"data: expected a numerator for each of {nonzeros} indices, got {len(data)}"
    if len(indptr) != words + 1 or indptr[0] != 0 or indptr[-1] != nonzeros:
        return f"indptr: expected {words + 1} offsets from 0 to {nonzeros}, got {len(indptr)} that do not fit"
    if (indptr[1:] < indptr[:-1]).any():
        return "indptr: expected offsets that never fall, got a row that ends before it begins"
    return _index_fault(words, indptr, indices) or _numerator_fault(data)


def _index_fault(words: int, indptr: NDArray[Any], indices: NDArray[Any]) -> str | None:
    for first, block in blocks(indices):
        wrong = np.flatnonzero((block < 0) | (block >= words))
        if len(wrong):
            return (
                f"indices: expected columns in [0, {words}), got {block[wrong[0]]} at {first + int(wrong[0])}"
            )
        before = max(0, first - 1)
        overlapped = indices[before : first + len(block)]
        # Columns may fall only where a row begins.
        falls = np.flatnonzero(overlapped[1:] <= overlapped[:-1]) + before + 1
        inside = falls[indptr[np.searchsorted(indptr, falls)] != falls]
        if len(inside):
            return (
                f"indices: expected columns that rise within each row, got one that does not at {inside[0]}"
            )
    return None


def _numerator_fault(data: NDArray[Any]) -> str | None:
    total = 0.0
    for first, block in blocks(data):
        wrong = np.flatnonzero(block < 1)
        if len(wrong):
            return (
                f"data: expected numerators of at least 1, got {block[wrong[0]]} at {first + int(wrong[0])}"
            )
        total += float(block.sum(dtype=np.float64))
    if total >= float(_MOST):
        return "data: expected numerators whose sum stays below 2^63, got more"
    return None
