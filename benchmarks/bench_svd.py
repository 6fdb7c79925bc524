"""Truncated SVD of real SPPMI matrices: ours beside SciPy's and scikit-learn's, one factor varied at a time.

    python -m benchmarks.bench_svd [--quick]

The matrices come from the first four Wikipedia shards of the folder PMIFACT_TEST_DATA, and without them from
the bundled world. ARPACK to machine precision says what the singular values are; a solver's energy is its sum
of s^2 over the exact one, its error the worst relative error of a singular value, its residual the worst
max(||A v - s u||, ||A^T u - s v||) / s. Each is timed in a process of its own.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, load_npz, save_npz
from scipy.sparse.linalg import svds
from sklearn.utils.extmath import randomized_svd

from benchmarks.processes import Outcome, run_task
from pmifact.cooccurrence import CooccurrenceCounts, count_cooccurrences
from pmifact.corpus import encode_corpus
from pmifact.ppmi import sppmi
from pmifact.svd import factorize
from pmifact.world import write_world

DATA = Path(os.environ.get("PMIFACT_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
REFERENCE = "scipy svds, ARPACK"
WORST = 0.2  # the largest error of a singular value that is still an answer
Solved = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def by_ours(matrix: csr_array, rank: int) -> Solved:
    factors = factorize(matrix, rank=rank)
    return factors.words, factors.strengths, factors.contexts


def by_arpack(matrix: csr_array, rank: int) -> Solved:
    left, values, right = svds(matrix.astype(np.float64), k=rank, rng=np.random.default_rng(0))
    order = np.argsort(-values)
    return left[:, order], values[order], right[order].T


def by_sklearn(n_iter: int) -> Callable[[csr_array, int], Solved]:
    def solve(matrix: csr_array, rank: int) -> Solved:
        left, values, right = randomized_svd(matrix, rank, n_iter=n_iter, random_state=0)
        return left, values, right.T

    return solve


SOLVERS = {
    "pmifact": by_ours,
    "sklearn randomized_svd, 4 iterations": by_sklearn(4),
    "sklearn randomized_svd, 7 iterations": by_sklearn(7),
    REFERENCE: by_arpack,
}


def task(settings: dict[str, Any]) -> dict[str, Any]:
    """Solve once, in the process of this task, after what is compiled has been."""
    matrix = csr_array(load_npz(settings["matrix"]))
    solve = SOLVERS[settings["solver"]]
    solve(matrix[:2_000, :2_000], 20)
    began = time.perf_counter()
    left, values, right = solve(matrix, settings["rank"])
    seconds = time.perf_counter() - began
    forward = np.linalg.norm(matrix @ right - left * values, axis=0)
    backward = np.linalg.norm(matrix.T @ left - right * values, axis=0)
    residual = float((np.maximum(forward, backward) / values).max())
    return {"seconds": seconds, "values": values.astype(float).tolist(), "residual": residual}


def read_counts_of_text(folder: Path, most: int | None) -> tuple[str, CooccurrenceCounts]:
    shards = sorted((DATA / "corpus").glob("enwiki2015_0[0-3].txt.gz"))
    name = "four shards of Wikipedia" if shards else "the bundled world"
    corpus = encode_corpus(
        shards or [write_world(folder)[0]],
        tokenizer="words",
        lowercase=True,
        min_count=20 if shards else 5,
        max_vocab=most,
    )
    return name, count_cooccurrences(corpus, window=5)


def show(title: str, path: Path, rank: int) -> None:
    """Print the table of one matrix and rank."""
    exact = np.array(solved(path, rank, REFERENCE).report["values"])
    print(f"\n{title}\n")
    print("| solver | seconds | peak memory | energy | worst error of s | worst residual |")
    print("|-|-:|-:|-:|-:|-:|", flush=True)
    for solver in SOLVERS:
        outcome = solved(path, rank, solver)
        values = np.array(outcome.report["values"])
        energy, error = (values**2).sum() / (exact**2).sum(), np.abs(values / exact - 1).max()
        if error > WORST:
            print(f"| {solver} | not timed: an error of {error:.0%} is no answer | | | | |", flush=True)
            continue
        print(
            f"| {solver} | {outcome.report['seconds']:.1f} | {outcome.peak / 1e9:.2f} GB | {energy:.5f} "
            f"| {error:.5f} | {outcome.report['residual']:.4f} |",
            flush=True,
        )


@cache
def solved(path: Path, rank: int, solver: str) -> Outcome:
    """Solve in a process of its own; the reference once for its answer and its time."""
    return run_task(Path(__file__), "solve", matrix=str(path), rank=rank, solver=solver)


def main() -> None:
    parser = argparse.ArgumentParser(description="Truncated SVD beside other libraries")
    parser.add_argument("--quick", action="store_true", help="one matrix only")
    quick = parser.parse_args().quick
    settings = [(None, 5.0, 0.75, 300)]
    if not quick:
        settings += [(None, 1.0, 0.75, 300), (None, 5.0, 1.0, 300), (10_000, 5.0, 0.75, 300)]
        settings += [(None, 5.0, 0.75, 100)]
    with tempfile.TemporaryDirectory() as folder:
        for number, (most, shift, smoothing, rank) in enumerate(settings):
            path = Path(folder, f"{number}.npz")
            name, counts = read_counts_of_text(Path(folder), most)
            matrix = sppmi(counts, shift=shift, smoothing=smoothing)
            rank = min(rank, matrix.shape[0] // 4)
            save_npz(path, matrix, compressed=False)
            show(
                f"SPPMI of {name}: {matrix.shape[0]:,} words, {matrix.nnz / 1e6:.2f} million nonzeros, "
                f"shift {shift:g}, smoothing {smoothing:g}, rank {rank}",
                path,
                rank,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["solve"]:
        print(json.dumps(task(json.loads(sys.argv[2]))))
    else:
        main()
