"""The small dense problems of the solver, where its device solves them best."""

import numpy as np

from pmifact.device import Device, Floats

# Below this part of the largest value the two halves of an eigenvector are no longer told apart.
_TOLD_APART = 1e-8


def small_svd(device: Device, matrix: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the thin SVD (u, s, v^T) of a float64 matrix of the host with no more rows than columns.

    A GPU is quick at symmetric eigenproblems, not at SVDs. The eigenpairs of

        [ 0    B ]
        [ B^T  0 ]

    with the largest eigenvalues are s and (u; v) / sqrt 2.
    """
    rows, columns = matrix.shape
    if device.name != "cpu" and rows:
        both = np.zeros((rows + columns, rows + columns))
        both[:rows, rows:] = matrix
        both[rows:, :rows] = matrix.T
        values, vectors = small_eigh(device, both)
        s, largest = values[: -rows - 1 : -1], vectors[:, : -rows - 1 : -1]
        if s[-1] > _TOLD_APART * s[0]:
            left, right = largest[:rows], largest[rows:]
            return left / np.linalg.norm(left, axis=0), s, (right / np.linalg.norm(right, axis=0)).T
    left, s, right = np.linalg.svd(matrix, full_matrices=False)
    return left, s, right


def small_eigh(device: Device, matrix: Floats) -> tuple[Floats, Floats]:
    """Return the eigenvalues of a symmetric float64 matrix of the host, ascending, and vectors in columns."""
    if device.name == "cpu":
        values, vectors = np.linalg.eigh(matrix)
        return values, vectors
    values, vectors = device.xp.linalg.eigh(device.array(matrix, device.xp.float64))
    return device.to_host(values), device.to_host(vectors)
