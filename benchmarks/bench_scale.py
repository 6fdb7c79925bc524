"""What PPMI and SVD would take on 10.5 billion words, from measurements on growing corpora.

    python -m benchmarks.bench_scale [--rank N]

Levy, Goldberg & Dagan (2015) ran skip-gram alone on a corpus of 10.5 billion words, since PPMI and SVD did
not fit their memory. Here 1, 2, 4 and 8 shards of Wikipedia (4 to 33 million tokens; the folder
PMIFACT_TEST_DATA) are counted with the paper's window of 2 and least count of 100, and factorized at its
rank of 500 and shift of 1, the densest. Each step runs in a process of its own. Words, pairs, nonzeros and
products are taken to grow as powers of the tokens, with the exponents found between the smaller two and
between the larger two corpora, which say more. Seconds are taken to grow as tokens for counting, and as
nonzeros times products and as words for the two parts of the SVD; memory as nonzeros and words.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.processes import run_task
from pmifact.counting.shards import tokens_per_shard
from pmifact.resources.memory import parse_memory

DATA = Path(os.environ.get("PMIFACT_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
SKIPPED = 77  # nothing to measure here
TOKENS = 10.5e9
SHARDS = (1, 2, 4, 8)
MIN_COUNT, WINDOW, SHIFT = 100, 2, 1
THREADS = 2
MEMORY = "2GB"
# Bytes in memory of a nonzero of SPPMI while it is factorized: float32 and int32 as SPPMI has them, and
# float32 and uint16 of the two cuts into tiles, of the matrix and of its transpose.
NONZERO = 8 + 2 * 6
BASIS = 2.5  # vectors of each side, in ranks: the basis and its workspace


def task_count(settings: dict[str, Any]) -> dict[str, Any]:
    """Text to a .counts artifact within a bound on memory."""
    from pmifact.cli import run_command

    began = time.perf_counter()
    status = run_command(
        [
            *("count", *settings["texts"], "-o", settings["counts"], "--tokenizer", "words", "--lowercase"),
            *("--min-count", str(MIN_COUNT), "--window", str(WINDOW), "--weighting", "flat", "--quiet"),
            *("--threads", str(THREADS), "--memory", MEMORY),
        ]
    )
    assert status == 0
    return {"seconds": time.perf_counter() - began}


def task_factorize(settings: dict[str, Any]) -> dict[str, Any]:
    """SPPMI and its SVD."""
    from pmifact import factorize, sppmi
    from pmifact.storage import read_counts

    counts = read_counts(settings["counts"])
    began = time.perf_counter()
    matrix = sppmi(counts, shift=SHIFT, smoothing=1.0)
    made = time.perf_counter()
    factors = factorize(matrix, rank=settings["rank"], threads=THREADS)
    report = factors.options
    return {
        "tokens": int(counts.vocabulary.counts.sum()),  # of the words kept
        "words": matrix.shape[0],
        "pairs": counts.matrix.nnz,
        "nonzeros": matrix.nnz,
        "sppmi": made - began,
        "svd": time.perf_counter() - made,
        "products": report["products"],
        "phases": report["seconds"],
    }


def measure(folder: Path, shards: int, rank: int) -> dict[str, float]:
    """Count and factorize the first shards."""
    texts = sorted((DATA / "corpus").glob("enwiki2015_*.txt.gz"))[:shards]
    counts = folder / f"{shards}.counts"
    counted = run_task(Path(__file__), "count", texts=[str(text) for text in texts], counts=str(counts))
    solved = run_task(Path(__file__), "factorize", counts=str(counts), rank=rank)
    manifest = json.loads((counts / "manifest.json").read_text())
    return {
        "count": counted.report["seconds"],
        "count_peak": counted.peak,
        "disk": sum(file["bytes"] for file in manifest["files"].values()),
        "svd_peak": solved.peak,
        **{name: value for name, value in solved.report.items() if name != "phases"},
        "multiplying": solved.report["phases"]["products"],
    }


def power(x: np.ndarray, y: np.ndarray) -> float:
    """Return the exponent b of y ~ x^b by least squares of the logarithms."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def extrapolate(rows: list[dict[str, float]], rank: int, ends: tuple[int, int]) -> dict[str, float]:
    """Return what `TOKENS` would take if all grew as between two of the corpora."""
    last, tokens = rows[-1], np.array([row["tokens"] for row in rows])
    factor = TOKENS / last["tokens"]

    def grown(name: str, to: float = TOKENS) -> float:
        pair = slice(ends[0], ends[1] + 1, ends[1] - ends[0])
        b = power(tokens[pair], np.array([row[name] for row in rows])[pair])
        return float(last[name] * (to / last["tokens"]) ** b)

    words, nonzeros = grown("words"), grown("nonzeros")
    shard = min(tokens_per_shard(parse_memory(MEMORY)), TOKENS)
    pair_bytes = last["disk"] / last["pairs"]
    artifact = pair_bytes * grown("pairs")
    unfinished = 4 * TOKENS + TOKENS / shard * pair_bytes * grown("pairs", shard)
    products = grown("products") / last["products"]
    multiplying = last["multiplying"] * products * nonzeros / last["nonzeros"]
    others = (last["svd"] - last["multiplying"]) * words / last["words"]
    return {
        "words": words,
        "pairs": grown("pairs"),
        "nonzeros": nonzeros,
        "count": last["count"] * factor,
        "disk": 4 * TOKENS + artifact + unfinished,
        "sppmi": last["sppmi"] * nonzeros / last["nonzeros"],
        "svd": multiplying + others,
        "memory": NONZERO * nonzeros + 4 * 2 * BASIS * rank * words,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="What PPMI and SVD would take on 10.5 billion words")
    parser.add_argument("--rank", type=int, default=500)
    rank = parser.parse_args().rank
    if not (DATA / "corpus").is_dir():
        parser.exit(SKIPPED, f"{DATA / 'corpus'}: expected the shards of Wikipedia; set PMIFACT_TEST_DATA\n")
    print(
        f"Counts within {MEMORY}, window {WINDOW}, least count {MIN_COUNT}; SVD of SPPMI at shift {SHIFT}, "
        f"rank {rank}; {THREADS} threads\n"
    )
    print(
        "| million tokens | words | million pairs | million nonzeros | count | peak | SVD | products | peak |"
    )
    print("|-:|-:|-:|-:|-:|-:|-:|-:|-:|", flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for shards in SHARDS:
            row = measure(Path(folder), shards, rank)
            rows.append(row)
            print(
                f"| {row['tokens'] / 1e6:.1f} | {row['words']:,} | {row['pairs'] / 1e6:.2f} "
                f"| {row['nonzeros'] / 1e6:.2f} | {row['count']:.1f} s | {row['count_peak'] / 1e9:.2f} GB "
                f"| {row['svd']:.1f} s | {row['products']:,} | {row['svd_peak'] / 1e9:.2f} GB |",
                flush=True,
            )
    tokens = np.array([row["tokens"] for row in rows])
    names = ("words", "pairs", "nonzeros", "products")
    print("\nexponents:", end="")
    for name in names:
        of = np.array([row[name] for row in rows])
        print(f" {name} {power(tokens[:2], of[:2]):.2f} to {power(tokens[-2:], of[-2:]):.2f};", end="")
    print(
        f"\n\nExtrapolated to {TOKENS:.3g} tokens, as the smaller two and as the larger two corpora grow:\n"
    )
    print("| | as the smaller two | as the larger two |\n|-|-:|-:|")
    small, large = (extrapolate(rows, rank, ends) for ends in ((0, 1), (len(rows) - 2, len(rows) - 1)))
    for name, title, unit, scale in (
        ("words", "words", "thousand", 1e3),
        ("pairs", "distinct pairs", "billion", 1e9),
        ("nonzeros", "nonzeros of SPPMI", "billion", 1e9),
        ("count", "encoding and counting", "hours", 3600),
        ("disk", "disk, at the most", "GB", 1e9),
        ("sppmi", "SPPMI", "minutes", 60),
        ("svd", "SVD", "hours", 3600),
        ("memory", "memory of the SVD", "GB", 1e9),
    ):
        print(f"| {title} | {small[name] / scale:.2g} {unit} | {large[name] / scale:.2g} {unit} |")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in ("count", "factorize"):
        tasks = {"count": task_count, "factorize": task_factorize}
        print(json.dumps(tasks[sys.argv[1]](json.loads(sys.argv[2]))))
    else:
        main()
