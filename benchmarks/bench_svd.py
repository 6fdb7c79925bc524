"""Truncated SVD of real SPPMI matrices: ours beside SciPy's and scikit-learn's, one factor varied at a time.

    python -m benchmarks.bench_svd [--quick] [--plot FILE]

The matrices come from the first four Wikipedia shards of the folder PMIFACT_TEST_DATA (all shards for the
100,000 words), and without them from the bundled world. The last solver of each table, exact to machine
precision, says what the singular values are: ARPACK for the first matrix, where it proves PROPACK too, and
PROPACK, the faster of the two, for the others. A solver's energy is its sum of s^2 over the exact one, its
error the worst relative error of a singular value, its residual the worst
max(||A v - s u||, ||A^T u - s v||) / s. Each is timed in a process of its own, and all in the environment
that `pmifact` works in. The last table sets the matrices beside each other.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, load_npz, save_npz

from benchmarks.processes import Outcome, TaskError, run_task
from benchmarks.svd_solvers import KINDS, THREADS, TITLES
from pmifact.cooccurrence import CooccurrenceCounts, count_cooccurrences
from pmifact.corpus import encode_corpus
from pmifact.ppmi import sppmi
from pmifact.svd.operators import PANEL, sparse_operator
from pmifact.world import write_world

DATA = Path(os.environ.get("PMIFACT_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
DEFAULT = ("pmifact", 0.03)
WORST = 0.2  # the largest error of a singular value that is still an answer
# What every matrix is factorized with, and what the first is besides: the points of the plot. The last of
# each is the reference.
USUAL = (DEFAULT, ("sklearn", 7), ("propack", 0))
LARGE = (DEFAULT, ("propack", 0))  # so that all is done in half an hour
ALL = (
    *(("pmifact", tol) for tol in (0.15, 0.03, 0.003)),
    *(("dashsvd", iterations) for iterations in (4, 8, 16)),
    *(("sklearn", iterations) for iterations in (4, 7)),
    *(("lobpcg", 20), ("propack", 0), ("arpack", 0)),
)
Solver = tuple[str, float]


class Setting(NamedTuple):
    """One matrix, one rank, and who factorizes it."""

    shards: int
    most: int | None  # words
    shift: float
    smoothing: float
    rank: int
    solvers: tuple[Solver, ...]


FIRST = Setting(4, None, 5, 0.75, 300, ALL)
QUICK = FIRST._replace(solvers=(DEFAULT, ("pmifact", 0.15), ("sklearn", 4), ("sklearn", 7), ("arpack", 0)))
VARIED = (
    FIRST._replace(shift=1, solvers=USUAL),
    FIRST._replace(smoothing=1, solvers=USUAL),
    FIRST._replace(most=10_000, solvers=USUAL),
    FIRST._replace(shards=8, most=100_000, solvers=LARGE),
    FIRST._replace(rank=100, solvers=USUAL),
    FIRST._replace(rank=500, solvers=LARGE),
)


def task(settings: dict[str, Any]) -> dict[str, Any]:
    """Solve once, in the process of this task, after what is compiled has been."""
    matrix = csr_array(load_npz(settings["matrix"]))
    kind, parameter = settings["solver"]
    solve = KINDS[kind]
    solve(matrix[:2_000, :2_000], 20, parameter)
    began = time.perf_counter()
    left, values, right = solve(matrix, settings["rank"], parameter)
    seconds = time.perf_counter() - began
    forward = np.linalg.norm(matrix @ right - left * values, axis=0)
    backward = np.linalg.norm(matrix.T @ left - right * values, axis=0)
    residual = float((np.maximum(forward, backward) / values).max())
    return {"seconds": seconds, "values": values.astype(float).tolist(), "residual": residual}


@cache
def counts_of_text(folder: Path, shards: int, most: int | None) -> tuple[str, CooccurrenceCounts]:
    files = sorted((DATA / "corpus").glob("enwiki2015_*.txt.gz"))[:shards]
    name = f"{len(files)} shards of Wikipedia" if files else "the bundled world"
    corpus = encode_corpus(
        files or [write_world(folder)[0]],
        tokenizer="words",
        lowercase=True,
        min_count=(20 if shards <= 4 else 5) if files else 5,
        max_vocab=most,
    )
    return name, count_cooccurrences(corpus, window=5)


@cache
def solved(path: Path, rank: int, solver: Solver) -> Outcome:
    """Solve in a process of its own; once, for its answer and for its time."""
    return run_task(Path(__file__), "solve", matrix=str(path), rank=rank, solver=solver)


def show(path: Path, rank: int, solvers: tuple[Solver, ...]) -> dict[Solver, tuple[float, float]]:
    """Print the table of one matrix and rank; return the seconds and the error of each."""
    exact = np.array(solved(path, rank, solvers[-1]).report["values"])
    our_seconds = solved(path, rank, DEFAULT).report["seconds"]
    points = {}
    print("| solver | seconds | beside ours | peak memory | energy | worst error of s | worst residual |")
    print("|-|-:|-:|-:|-:|-:|-:|", flush=True)
    for solver in solvers:
        title = TITLES[solver[0]].format(solver[1])
        try:
            outcome = solved(path, rank, solver)
        except TaskError as error:
            print(f"| {title} | failed: {error} | | | | | |", flush=True)
            continue
        values, seconds = np.array(outcome.report["values"]), outcome.report["seconds"]
        energy, error = (values**2).sum() / (exact**2).sum(), float(np.abs(values / exact - 1).max())
        if error > WORST:
            print(f"| {title} | not timed: an error of {error:.0%} is no answer | | | | | |", flush=True)
            continue
        points[solver] = seconds, error
        print(
            f"| {title} | {seconds:.1f} | {seconds / our_seconds:.1f} x | {outcome.peak / 1e9:.2f} GB "
            f"| {energy:.5f} | {error:.5f} | {outcome.report['residual']:.4f} |",
            flush=True,
        )
    return points


def show_product(matrix: csr_array) -> None:
    """Print the time of a product with 64 columns beside SciPy's, the best of nine, after comparing both."""
    block = np.random.default_rng(0).standard_normal((matrix.shape[1], PANEL)).astype(np.float32)
    with sparse_operator(matrix, threads=THREADS) as operator:
        assert np.allclose(operator.times(block), matrix @ block, rtol=1e-4, atol=1e-3)
        ours, theirs = [], []
        for _ in range(9):
            for times, multiply in ((ours, operator.times), (theirs, matrix.__matmul__)):
                began = time.perf_counter()
                multiply(block)
                times.append(time.perf_counter() - began)
    print(
        f"\nA product with {PANEL} columns: {1000 * min(ours):.0f} ms, SciPy's {1000 * min(theirs):.0f} ms, "
        f"{min(theirs) / min(ours):.1f} times as long",
        flush=True,
    )


def show_growth(growth: list[tuple[str, dict[Solver, tuple[float, float]]]]) -> None:
    """Print the seconds of the usual solvers on all matrices; the first row is what the others vary."""
    names = " | ".join(TITLES[solver[0]].format(solver[1]) for solver in USUAL)
    print(f"\n| shift | smoothing | words | million nonzeros | rank | {names} |")
    print("|" + "-:|" * (5 + len(USUAL)))
    for sizes, points in growth:
        seconds = (f"{points[solver][0]:.1f} s" if solver in points else "" for solver in USUAL)
        print(f"| {sizes} | {' | '.join(seconds)} |")


def draw(points: dict[Solver, tuple[float, float]], path: Path, title: str) -> None:
    """Plot time against error, a line for each kind of solver."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for kind, marker in zip(KINDS, "os^vDP", strict=True):
        found = [(max(error, 1e-7), seconds) for (k, _), (seconds, error) in points.items() if k == kind]
        if found:
            axes.plot(
                *zip(*sorted(found), strict=True),
                marker=marker,
                label=TITLES[kind].partition(", tol")[0].partition(", {}")[0],
            )
    axes.set(xscale="log", yscale="log", title=title)
    axes.set(xlabel="worst relative error of a singular value", ylabel="seconds")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=200)
    print(f"\nWrote {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Truncated SVD beside other libraries")
    parser.add_argument("--quick", action="store_true", help="one matrix only, and fewer solvers")
    parser.add_argument("--plot", type=Path, help="draw time against error of the first matrix to this file")
    options = parser.parse_args()
    growth = []
    with tempfile.TemporaryDirectory() as folder:
        for number, setting in enumerate((QUICK,) if options.quick else (FIRST, *VARIED)):
            path = Path(folder, f"{number}.npz")
            name, counts = counts_of_text(Path(folder), setting.shards, setting.most)
            matrix = sppmi(counts, shift=setting.shift, smoothing=setting.smoothing)
            rank = min(setting.rank, matrix.shape[0] // 4)
            save_npz(path, matrix, compressed=False)
            title = f"{matrix.shape[0]:,} words, {matrix.nnz / 1e6:.2f} million nonzeros"
            print(
                f"\nSPPMI of {name}: {title}, shift {setting.shift:g}, smoothing {setting.smoothing:g}, "
                f"rank {rank}\n"
            )
            points = show(path, rank, setting.solvers)
            if number == 0:
                show_product(matrix)
                if options.plot:
                    draw(points, options.plot, f"SPPMI of {title}, rank {rank}")
            sizes = (
                f"{setting.shift:g} | {setting.smoothing:g} | {matrix.shape[0]:,} | {matrix.nnz / 1e6:.2f}"
            )
            growth.append((f"{sizes} | {rank}", points))
    if not options.quick:
        show_growth(growth)


if __name__ == "__main__":
    if sys.argv[1:2] == ["solve"]:
        print(json.dumps(task(json.loads(sys.argv[2]))))
    else:
        main()
