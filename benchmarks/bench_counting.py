"""Counting beside hyperhyper, vectorizers and scikit-learn, and its growth over tokens and threads.

    python -m benchmarks.bench_counting [--without-rivals] [--repeat 2]

Every run is a process of its own, so that its peak memory is its own. Rivals are compared on 8 MB of text
that is cut into tokens beforehand, since vectorizers takes many gigabytes for that much; their counts must
equal ours, to the precision of float32, before a time is shown. Real text comes from the folder
PMIFACT_TEST_DATA; without it the bundled world stands in. The rivals may be installed elsewhere:
PMIFACT_BENCH_RIVALS names their interpreter.
"""

import argparse
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares
from scipy.sparse import csr_array, load_npz

from benchmarks.processes import Outcome, TaskError, run_task
from pmifact.storage import read_counts
from pmifact.text.tokenizers import named_tokenizer
from pmifact.world import write_world

DATA = Path(os.environ.get("PMIFACT_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
RIVALS = os.environ.get("PMIFACT_BENCH_RIVALS", sys.executable)
TASKS = Path(__file__).with_name("counting_tasks.py")
WINDOW, MIN_COUNT, THREADS = 5, 20, 2
SMALL = 8_000_000  # bytes of the text that rivals get
FLOAT32 = 1e-5  # relative error of sums that were kept in float32


class NotEqualError(Exception):
    """Counts that should be equal are not."""


def read_lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        yield from file


def write_texts(folder: Path) -> tuple[str, dict[int, Path], Path]:
    """Write lower-cased texts of growing size, and the small one cut into tokens; say where they are from."""
    shards = sorted((DATA / "corpus").glob("enwiki2015_*.txt.gz"))
    if shards:
        name = "English Wikipedia, lower-cased"
        lines = (line.rstrip("\n").lower() for shard in shards for line in read_lines(shard))
        ends = {1: 6_000_000, 4: 24_700_000, 16: 99_000_000, 33: 10**12}
    else:
        name = f"the bundled world; no real text at {DATA}, set PMIFACT_TEST_DATA to the folder that holds it"
        world, *_ = write_world(folder / "world")
        lines = iter(world.read_text(encoding="utf-8").lower().splitlines())
        ends = {0: 10**12}
    cut, small = named_tokenizer("words"), folder / "cut.txt"
    texts = {size: folder / f"{size}.txt" for size in ends}
    files = {size: path.open("w", encoding="utf-8", newline="\n") for size, path in texts.items()}
    written = 0
    with small.open("w", encoding="utf-8", newline="\n") as tokens:
        for line in lines:
            for size, end in ends.items():
                if written < end:
                    files[size].write(line + "\n")
            if written < SMALL and (words := cut(line)):
                tokens.write(" ".join(words) + "\n")
            written += len(line.encode()) + 1
    for file in files.values():
        file.close()
    return name, texts, small


def ours(repeat: int, **settings) -> Outcome:
    """Run our task a few times; return the fastest, with the largest peak."""
    outcomes = [run_task(TASKS, "pmifact", **settings) for _ in range(repeat)]
    fastest = min(outcomes, key=lambda outcome: outcome.report["seconds"])
    return Outcome(fastest.report, max(outcome.peak for outcome in outcomes))


def check_counts(counts: Path, theirs: Path, rtol: float) -> str:
    """Raise unless a rival's counts are ours; say how near they are."""
    own = read_counts(counts)
    words = json.loads(theirs.with_suffix(".json").read_text())
    if sorted(words) != sorted(own.vocabulary.words):
        raise NotEqualError(
            f"{theirs.stem}: {len(words):,} words, ours are {len(own.vocabulary):,}, or others"
        )
    order = np.array([own.vocabulary.index[word] for word in words])
    expected = csr_array(own.matrix / own.unit)[order][:, order]
    found = csr_array(load_npz(theirs)).astype(np.float64)
    expected.sort_indices()
    found.sum_duplicates()
    same_cells = np.array_equal(found.indptr, expected.indptr) and np.array_equal(
        found.indices, expected.indices
    )
    if not same_cells:
        raise NotEqualError(f"{theirs.stem}: {found.nnz:,} cells, ours are {expected.nnz:,}, or others")
    error = float(np.abs(found.data / expected.data - 1).max())
    if error > rtol:
        raise NotEqualError(f"{theirs.stem}: a count differs by {error:.2g} of it")
    return f"equal in {expected.nnz:,} cells, to {error:.0e}"


def table(heads: list[str], rows: list[list[str]]) -> None:
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def megabytes(outcome: Outcome) -> str:
    return f"{outcome.peak / 1e6:,.0f} MB"


def rate(outcome: Outcome) -> float:
    """Return millions of tokens a second."""
    return float(outcome.report["tokens"] / outcome.report["seconds"] / 1e6)


def compare_counts(folder: Path, small: Path, repeat: int) -> dict[str, float]:
    """Show ours beside each rival, with its weighting, on the small text; return the rates of the rivals."""
    rows: list[list[str]] = []
    rates: dict[str, float] = {}
    own: dict[str, Outcome] = {}
    for weighting in ("linear", "harmonic"):
        own[weighting] = ours(
            repeat,
            paths=[str(small)],
            threads=THREADS,
            window=WINDOW,
            weighting=weighting,
            min_count=MIN_COUNT,
            keep=str(folder / f"{weighting}.counts"),
        )
        row = ["pmifact", weighting, "text file to artifact", f"{own[weighting].report['seconds']:.2f}"]
        rows.append([*row, f"{rate(own[weighting]):.2f}", megabytes(own[weighting]), "1", ""])

    def beside(name: str, task: str, weighting: str, what: str, rtol: float | None, **more) -> None:
        settings = {"path": str(small), "window": WINDOW, "min_count": MIN_COUNT, **more}
        kept = folder / f"{name}.npz"
        if rtol is not None:
            settings["keep"] = str(kept)
        try:
            found = run_task(TASKS, task, python=RIVALS, **settings)
        except TaskError as error:
            print(f"{name}: skipped: {error}", file=sys.stderr)
            return
        equal = "" if rtol is None else check_counts(folder / f"{weighting}.counts", kept, rtol)
        ratio = found.report["seconds"] / own[weighting].report["seconds"]
        row = [
            name,
            weighting,
            what,
            f"{found.report['seconds']:.1f}",
            f"{rate(found):.3f}",
            megabytes(found),
        ]
        rates[f"{name}, {what}"] = rate(found)
        rows.append([*row, f"{ratio:.0f} times as long", equal])

    beside("hyperhyper", "hyperhyper_cut", "linear", "tokens in memory to counts", FLOAT32)
    beside("hyperhyper", "hyperhyper_text", "linear", "lines in memory to counts", None)
    beside("vectorizers", "vectorizers_cut", "harmonic", "tokens in memory to counts", 1e-3, threads=THREADS)
    print(f"Window {WINDOW}, min count {MIN_COUNT}, {THREADS} threads\n")
    table(["program", "weights", "from, to", "seconds", "M tokens/s", "peak", "beside ours", "counts"], rows)
    return rates


def compare_vocabulary(folder: Path, small: Path) -> None:
    """Show the vocabulary part of scikit-learn's CountVectorizer beside ours."""
    kept = folder / "vocabulary.json"
    theirs = run_task(TASKS, "sklearn_vocabulary", path=str(small), keep=str(kept))
    own = run_task(TASKS, "pmifact_vocabulary", path=str(small), threads=THREADS)
    counts = read_counts(folder / "linear.counts").vocabulary
    frequent = {word: count for word, count in json.loads(kept.read_text()).items() if count >= MIN_COUNT}
    if frequent != dict(zip(counts.words, counts.counts.tolist(), strict=True)):
        raise NotEqualError("scikit-learn counts other words")
    ratio = theirs.report["seconds"] / own.report["seconds"]
    print("The vocabulary alone; scikit-learn starts from lines in memory, ours from the file\n")
    table(
        ["program", "seconds", "M tokens/s", "peak", "beside ours"],
        [
            ["pmifact encode", f"{own.report['seconds']:.2f}", f"{rate(own):.2f}", megabytes(own), "1"],
            [
                *("scikit-learn CountVectorizer", f"{theirs.report['seconds']:.2f}"),
                *(f"{rate(theirs):.2f}", megabytes(theirs), f"{ratio:.0f} times as long"),
            ],
        ],
    )


def show_growth(folder: Path, texts: dict[int, Path], repeat: int, rivals: dict[str, float]) -> None:
    """Show phase times over tokens at one vocabulary, and over threads, and our rate beside the rivals'."""
    common = {"tokenizer": "words", "window": WINDOW, "repeat": repeat}
    chosen = folder / "chosen.counts"
    middle = texts[sorted(texts)[len(texts) // 2]]
    whole = ours(
        **{**common, "repeat": 1},
        paths=[str(middle)],
        threads=THREADS,
        min_count=MIN_COUNT,
        keep=str(chosen),
    )
    words = folder / "words.txt"
    words.write_text("\n".join(read_counts(chosen).vocabulary.words), encoding="utf-8")
    runs = [(path, THREADS) for path in texts.values()] + [(middle, 1)]
    rows, sizes, times, distinct = [], [], [], []
    middle_rate = 0.0
    for path, threads in runs:
        found = ours(**common, paths=[str(path)], threads=threads, words=str(words))
        report = found.report
        rows.append(
            [
                *(f"{report['tokens'] / 1e6:.1f} M", str(threads), f"{report['encode']:.2f}"),
                *(f"{report['count']:.2f}", f"{report['write']:.2f}", f"{report['seconds']:.2f}"),
                *(f"{report['pairs'] / 1e6:.1f} M", megabytes(found)),
            ]
        )
        if threads == THREADS:
            sizes.append(report["tokens"])
            times.append((report["encode"], report["count"]))
            distinct.append(report["pairs"])
            middle_rate = rate(found) if path == middle else middle_rate
    print(f"Text to artifact, window {WINDOW}, linear, the same {whole.report['words']:,} words; seconds\n")
    table(["tokens", "threads", "encode", "count", "write", "in all", "pairs", "peak"], rows)
    for what, theirs in rivals.items():
        print(
            f"{middle_rate:.2f} M tokens a second at {sizes[len(sizes) // 2] / 1e6:.1f} M tokens are "
            f"{middle_rate / theirs:.0f} times the rate of {what}\n"
        )
    if len(sizes) > 2:
        logs = np.log(sizes[1:]), np.log(np.array(times[1:]))
        encode, count = np.polyfit(*logs, 1)[0]
        both = np.array(times).sum(axis=1)
        together = np.polyfit(logs[0], np.log(both[1:]), 1)[0]
        pairs = np.polyfit(logs[0], np.log(distinct[1:]), 1)[0]
        print(
            f"Time grows as tokens to the power {encode:.2f} (encode), {count:.2f} (count), "
            f"{together:.2f} (both), and the distinct pairs to {pairs:.2f}; fitted from "
            f"{sizes[1] / 1e6:.0f} M on\n"
        )
        start, slope, exponent = with_start(np.array(sizes) / 1e6, both)
        print(
            f"With a start that any text takes: {start:.2f} s + {slope:.3f} s x million tokens to the power "
            f"{exponent:.2f} (both)"
        )


def with_start(tokens: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return a >= 0, b and c of seconds = a + b tokens^c, by least squares of relative errors."""
    found = least_squares(
        lambda fit: (fit[0] + fit[1] * tokens ** fit[2]) / seconds - 1,
        (seconds[0] / 2, seconds[-1] / tokens[-1], 1.0),
        bounds=([0, 0, 0.1], [seconds[0], np.inf, 3]),
    )
    solution: np.ndarray = found.x
    return solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--without-rivals", action="store_true")
    parser.add_argument(
        "--repeat", type=int, default=2, metavar="N", help="take the fastest of N of our runs"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pmifact-bench-") as name:
        folder = Path(name)
        source, texts, small = write_texts(folder)
        print(f"Text: {source}\n", flush=True)
        try:
            rates: dict[str, float] = {}
            if not options.without_rivals:
                rates = compare_counts(folder, small, options.repeat)
                compare_vocabulary(folder, small)
            show_growth(folder, texts, options.repeat, rates)
        except NotEqualError as fault:
            sys.exit(f"bench_counting: {fault}")


if __name__ == "__main__":
    main()
