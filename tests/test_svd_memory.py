"""A vocabulary of 100,000 words within the memory of a small machine."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from benchmarks.zipf_matrix import drawn
from pmifact.resources.memory import parse_memory
from pmifact.svd.truncated import BLOCK, CAPACITY_BLOCKS, CAPACITY_PER_RANK, FactorizeOptions, _capacity

RANK = 500
USUAL = CAPACITY_PER_RANK * RANK + CAPACITY_BLOCKS * BLOCK
# A process of its own, so that its peak is the solver's: arrays in, what was found out. Its ru_maxrss would
# hold the peak of the process that started it, too.
SOLVE = r"""
import json, re, sys
import numpy as np
from scipy.sparse import csr_array
from pmifact import factorize

folder, memory, rank = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
data, indices, indptr = (np.load(f"{folder}/{name}.npy") for name in ("data", "indices", "indptr"))
side = len(indptr) - 1
matrix = csr_array((data, indices, indptr), shape=(side, side))
del data, indices, indptr
factors = factorize(matrix, rank=rank, memory=memory)
print(json.dumps({
    "peak": int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read())[1]) * 1024,
    "strengths": factors.strengths.tolist(),
    "worst": float(factors.residuals.max()),
    **factors.options,
}))
"""


def test_drawn_matrices_are_like_a_languages():
    matrix = drawn(3_000, 200_000)
    assert matrix.shape == (3_000, 3_000)
    assert matrix.has_canonical_format
    assert matrix.dtype == np.float32
    assert matrix.data.min() > 0
    assert matrix.nnz == pytest.approx(200_000, rel=0.2)
    np.testing.assert_array_equal(drawn(3_000, 200_000).data, matrix.data)
    # The columns' frequencies fall as a power of their rank, once they are no longer in every row.
    frequencies = np.bincount(matrix.indices, minlength=3_000)
    early, late = frequencies[300:400].mean(), frequencies[2_400:2_500].mean()
    assert np.log(late / early) / np.log(7) == pytest.approx(-2 / 3, abs=0.1)


def test_the_basis_is_as_large_as_the_memory_allows():
    matrix = drawn(3_000, 200_000)

    def capacity(memory):
        return _capacity(matrix, FactorizeOptions(rank=RANK, memory=memory), 4)

    assert capacity(None) == capacity(2**34) == USUAL
    sizes = [capacity(2**28 + step * 2**20) for step in (0, 5, 10, 15)]
    assert sizes == sorted(sizes)
    for step in (0, 1):  # of two bounds, the larger basis takes no more than the difference
        assert (sizes[step + 1] - sizes[step]) * 3_000 * 4 <= 5 * 2**20 + 3_000 * 4


@pytest.mark.acceptance
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_a_hundred_thousand_words_at_rank_500(tmp_path):
    matrix = drawn(100_000, 50_000_000)
    assert 45_000_000 < matrix.nnz < 60_000_000
    limits = ["4GB", "3200MB"]
    capacities = [_capacity(matrix, FactorizeOptions(rank=RANK, memory=parse_memory(m)), 4) for m in limits]
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(matrix, name))
    del matrix

    def solved(memory):
        command = [sys.executable, "-c", SOLVE, str(tmp_path), json.dumps(memory), str(RANK)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ))
        return json.loads(done.stdout)

    free = solved(None)
    assert free["peak"] < 12e9
    assert (free["converged"], free["restarts"]) == (True, 0)
    assert free["worst"] < 0.031
    for memory, capacity in zip(limits, capacities, strict=True):
        bound = solved(memory)
        assert bound["peak"] < parse_memory(memory)
        assert bound["converged"]
        assert bound["worst"] < 0.031
        assert (bound["restarts"] > 0) == (free["iterations"] * BLOCK > capacity)
        np.testing.assert_allclose(bound["strengths"], free["strengths"], rtol=2e-3)
