"""`.counts` artifacts."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.counting.imported import ImportOptions
from pmifact.counting.options import CountOptions
from pmifact.counting.windows import window_weights
from pmifact.errors import ArtifactError, InputError
from pmifact.storage.arrays import blocks
from pmifact.storage.artifact import Contents, read_artifact, write_artifact
from pmifact.storage.manifest import RunRecord, integer, restore_options

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
    matrix, options = counts.matrix, counts.options

    def check() -> None:
        if fault := _fault(matrix.shape, matrix.indptr, matrix.indices, matrix.data):
            raise InputError(f"counts: {fault}")

    write_artifact(
        path,
        "counts",
        vocabulary=counts.vocabulary,
        arrays={"indptr.npy": matrix.indptr, "indices.npy": matrix.indices, "data.npy": matrix.data},
        contexts=counts.contexts,
        options=asdict(options),
        extras={
            "unit": counts.unit,
            "weights_rounded": options.rounded
            if isinstance(options, ImportOptions)
            else window_weights(options.window, options.weighting).rounded,
        },
        record=record or RunRecord(),
        check=check,
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
    contexts = contents.contexts
    shape = len(contents.vocabulary), len(contents.vocabulary if contexts is None else contexts)
    if fault := _fault(shape, indptr, indices, data):
        raise ArtifactError(f"{contents.directory}: {fault}; make the artifact again")
    if len(indices) <= np.iinfo(np.int32).max:
        # With a 64-bit indptr SciPy would copy the indices to 64 bits too.
        indptr = indptr.astype(np.int32)
    matrix = csr_array((data, indices, indptr), shape=shape, copy=False)
    # Known from the check; left unsaid, SciPy would look again or sort in place, which a map refuses.
    matrix.has_canonical_format = True
    return CooccurrenceCounts(
        vocabulary=contents.vocabulary,
        matrix=matrix,
        unit=integer(contents.manifest, "unit", contents.directory, least=1, most=_MOST),
        options=_options(contents),
        contexts=contexts,
    )


def _options(contents: Contents) -> CountOptions | ImportOptions:
    manifest, directory = contents.manifest, contents.directory
    if "imported" in manifest["options"]:
        return restore_options(ImportOptions, manifest, directory)
    return restore_options(CountOptions, manifest, directory)


def _fault(
    shape: tuple[int, int], indptr: NDArray[Any], indices: NDArray[Any], data: NDArray[Any]
) -> str | None:
    """Return what is wrong with the arrays of a CSR matrix of counts, or None."""
    words, contexts = shape
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
    with ThreadPoolExecutor(2) as pool:
        found = pool.submit(_index_fault, contexts, indptr, indices), pool.submit(_numerator_fault, data)
    return found[0].result() or found[1].result()


def _index_fault(contexts: int, indptr: NDArray[Any], indices: NDArray[Any]) -> str | None:
    for first, block in blocks(indices):
        wrong = np.flatnonzero((block < 0) | (block >= contexts))
        if len(wrong):
            where = int(wrong[0])
            return f"indices: expected columns in [0, {contexts}), got {block[where]} at {first + where}"
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
