"""Orthonormal blocks and bases of long vectors; only matrix products touch the long side."""

from typing import Any

import numpy as np

from pmifact.device import Device, Floats

# Entries of each vector that are turned at a time when a basis is turned in place.
_PART = 1 << 14


def orthonormalize(device: Device, block: Any, floor: float = 0.0) -> tuple[Any, Floats]:
    """Return q, r with ``block = q @ r`` and orthonormal columns of q.

    The Gram matrix of a block squares its condition number, so what it says of short directions is rounding.
    Those are lengthened only as far as it can be trusted, and the next round sees them better.

    Parameters
    ----------
    device : Device
        Where the block lives.
    block : array, shape (n, b)
        Float32 or float64.
    floor : float
        Directions are dropped in which the block is shorter than this, or is nothing but the rounding errors
        of its longest direction.

    Returns
    -------
    q : array, shape (n, c)
        c <= b columns.
    r : ndarray of float64, shape (c, b)
        On the host.
    """
    r = np.eye(block.shape[1])
    eps = float(device.xp.finfo(block.dtype).eps)
    trusted = 8 * max(block.shape[1], 1) * eps
    while block.shape[1]:
        values, vectors = np.linalg.eigh(device.to_host(block.T @ block))
        values, vectors = values[::-1], vectors[:, ::-1]
        lengths = np.sqrt(np.maximum(values, trusted * values[0]))
        turned = (vectors * lengths).T @ r
        norms = np.linalg.norm(turned, axis=1)
        # What cannot be lengthened shrinks by sqrt(trusted) a round until it is dropped here.
        kept = norms > max(floor, 4 * eps * norms[0])
        block = block @ device.array(vectors[:, kept] / lengths[kept], block.dtype)
        r = turned[kept]
        if values[-1] > 0.5 * values[0]:
            break
    return block, r


class Basis:
    """Orthonormal vectors, kept as rows so that those in use lie together."""

    def __init__(self, device: Device, capacity: int, length: int, dtype: Any) -> None:
        self.device, self.dtype, self.length = device, dtype, length
        self.rows = device.xp.empty((capacity, length), dtype=dtype)
        self.size = 0

    @property
    def room(self) -> int:
        """How many vectors may still come."""
        return int(self.rows.shape[0]) - self.size

    def append(self, block: Any) -> None:
        """Add the columns of a block that is orthonormal and orthogonal to the basis."""
        self.rows[self.size : self.size + block.shape[1], :] = block.T
        self.size += int(block.shape[1])

    def last(self, count: int) -> Any:
        """Return the last `count` vectors as columns."""
        return self.rows[self.size - count : self.size, :].T

    def remove_from(self, block: Any) -> Any:
        """Return a block less its part in the basis."""
        used = self.rows[: self.size, :]
        return block - used.T @ (used @ block)

    def turn(self, coordinates: Floats) -> None:
        """Replace the vectors by the combinations in the columns of `coordinates`, in place."""
        combine = self.device.array(coordinates.T, self.dtype)
        count = coordinates.shape[1]
        for start in range(0, self.length, _PART):
            part = slice(start, min(start + _PART, self.length))
            self.rows[:count, part] = combine @ self.rows[: self.size, part]
        self.size = count

    def completed(self, block: Any, width: int, rng: np.random.Generator) -> Any:
        """Return the block with random columns up to `width`, orthonormal and orthogonal to the basis."""
        given = int(block.shape[1])
        if given >= width:
            return block
        random = self.device.array(rng.standard_normal((self.length, width - given)), self.dtype)
        for _ in range(2):  # the second time removes what the rounding of the first left
            random = self.remove_from(random)
            random = random - block @ (block.T @ random)
            random, _ = orthonormalize(self.device, random)
        both = self.device.xp.empty((self.length, given + int(random.shape[1])), dtype=self.dtype)
        both[:, :given] = block
        both[:, given:] = random
        return both
