"""The GPU's tests, then its SVD beside that of all CPU cores: ``python -m benchmarks.gpu``, within 5 minutes.

It needs nothing but the package, pytest, Hypothesis and CuPy, and draws its matrices itself. Both devices
solve each to the same tolerance, and singular values must agree to 1e-3. Smaller matrices come first and each
row is printed as it is found, so that a run which is cut short has told what it could. The CPU is left out
where it would take longer than is left.

Exit status: 0 when all that was run agrees, 77 when there is no device, 1 when something is wrong.
"""

import argparse
import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__" and str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # also as `python benchmarks/gpu.py`

from benchmarks.zipf_matrix import drawn  # noqa: E402
from pmifact.device import Device, resolve_device  # noqa: E402
from pmifact.errors import DeviceError  # noqa: E402
from pmifact.factors import Factors  # noqa: E402
from pmifact.resources.threads import resolve_threads  # noqa: E402
from pmifact.svd import factorize  # noqa: E402

SKIPPED = 77
LIMIT, FOR_TESTS = 290.0, 120.0
TOLERANCE, AGREE = 0.03, 1e-3
# Words, nonzeros (about), rank.
SIZES = [(20_000, 1_000_000, 50), (60_000, 10_000_000, 200), (150_000, 100_000_000, 500)]
HEAD = (
    "| device | seconds | products + orthogonalising + projected | columns multiplied "
    "| energy | residual | beside |\n"
    "|-|-:|-:|-:|-:|-:|-|"
)


def tests_pass() -> bool:
    """Run every test that is marked for the GPU."""
    modules = sorted((ROOT / "tests").glob("test_*.py"))
    there = [path for path in modules if "from devices import" in path.read_text(encoding="utf-8")]
    options = ["-q", "-m", "gpu", "-p", "no:cacheprovider"]
    print("\n# Tests\n", flush=True)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *map(str, there)],
            cwd=ROOT,
            timeout=FOR_TESTS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"WRONG: the tests took more than {FOR_TESTS:.0f} s", flush=True)
        return False
    if done.returncode:
        print(f"WRONG: pytest left with status {done.returncode}", flush=True)
    return done.returncode == 0


def show_versions(device: Device) -> None:
    """Print what the figures depend on."""
    runtime = device.xp.cuda.runtime
    print(f"device: {device.title}, {(device.free_memory() or 0) / 1e9:.0f} GB free")
    print(f"CUDA: runtime {runtime.runtimeGetVersion()}, driver {runtime.driverGetVersion()}")
    versions = [f"CuPy {device.xp.__version__}", f"Python {platform.python_version()}"]
    versions += [f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "numba")]
    print(f"versions: {', '.join(versions)}")
    print(f"CPU: {resolve_threads(None)} of {os.cpu_count()} cores", flush=True)


def solved(matrix: csr_array, rank: int, device: str) -> tuple[Factors, float]:
    began = time.perf_counter()
    factors = factorize(matrix, rank=rank, tol=TOLERANCE, device=device)
    return factors, time.perf_counter() - began


def show(device: str, factors: Factors, seconds: float, beside: str) -> None:
    """Print one row of the table."""
    facts = factors.options
    phases = " + ".join(f"{taken:.1f}" for taken in facts["seconds"].values())
    print(
        f"| {device} | {seconds:.1f} | {phases} | {facts['products']:,} | {facts['energy']:.4f} "
        f"| {factors.residuals.max():.3f}{'' if facts['converged'] else ' (not converged)'} | {beside} |",
        flush=True,
    )


def compare(words: int, nonzeros: int, rank: int, left: float, pace: float) -> tuple[bool, float]:
    """Solve one matrix on both devices; return whether they agree, and the CPU's seconds a unit of work."""
    matrix = drawn(words, nonzeros)
    work = matrix.nnz * rank + 20.0 * words * rank**2
    print(f"\n{words:,} words, {matrix.nnz:,} nonzeros, rank {rank}, tolerance {TOLERANCE}\n")
    print(HEAD, flush=True)
    ours, on_gpu = solved(matrix, rank, "gpu")
    show("GPU", ours, on_gpu, "")
    converged = bool(ours.options["converged"])
    if on_gpu + pace * work > left:
        print(f"\nThe CPU is left out: it would take about {pace * work:.0f} s, too long", flush=True)
        return converged, pace
    theirs, on_cpu = solved(matrix, rank, "cpu")
    error = float(np.abs(ours.strengths / theirs.strengths - 1).max())
    show("CPU", theirs, on_cpu, f"{on_cpu / on_gpu:.1f} times as long; singular values equal to {error:.1e}")
    if error > AGREE:
        print(f"\nWRONG: singular values differ by {error:.1e}, more than {AGREE:g}", flush=True)
    return converged and error <= AGREE, on_cpu / work


def main() -> int:
    began = time.perf_counter()
    parser = argparse.ArgumentParser(description="The GPU's tests and its SVD beside the CPU's")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for everything")
    limit = parser.parse_args().limit
    try:
        device = resolve_device("gpu")
    except DeviceError as error:
        print(f"no device: {error}", file=sys.stderr)
        return SKIPPED
    show_versions(device)
    right = tests_pass()
    print("\n# SVD")
    solved(drawn(2_000, 50_000), 20, "gpu")  # libraries are loaded and kernels compiled
    solved(drawn(2_000, 50_000), 20, "cpu")
    pace = 0.0
    for words, nonzeros, rank in SIZES:
        left = limit - (time.perf_counter() - began)
        agree, pace = compare(words, nonzeros, rank, left, pace)
        right = right and agree
    print(
        f"\n{'Everything agrees' if right else 'FAILED'} after {time.perf_counter() - began:.0f} s",
        flush=True,
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
