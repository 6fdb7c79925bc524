"""Evaluation beside gensim: the same answers first, then the time that they take.

    python -m benchmarks.bench_evaluation [--repeat 3] [--threads 2]

Vectors of 33,535 words in 300 dimensions hold most words of the gold sets, with offsets planted in the
sections of Google's questions so that a good part of the answers is right. gensim's similarity must equal
ours to 1e-6, and its answers must be ours, except where the best two candidates differ by less than 1e-6.
The gold sets come from the folder PMIFACT_TEST_DATA; without it those of the bundled world stand in.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pmifact.evaluation import (
    analogy_items,
    evaluate_analogy,
    evaluate_similarity,
    read_analogy,
    read_similarity,
)
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary
from pmifact.world import write_world

SKIPPED = 77
DATA = Path(os.environ.get("PMIFACT_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
WORDS, DIMENSIONS = 33_535, 300
KEPT = 0.88  # of the gold words, which leaves about 12,000 of Google's questions
NOISE = 3.0  # of the planted offsets, which leaves about half of the answers right
CLOSE = 1e-6


class NotEqualError(Exception):
    """Scores or answers that should be equal are not."""


def gold_files(folder: Path) -> tuple[str, Path, Path]:
    """Return where the sets are from, and the paths of the similarity and the analogy set."""
    pairs = DATA / "similarity" / "gensim" / "wordsim353.tsv"
    questions = DATA / "analogy" / "questions-words.txt"
    if pairs.is_file() and questions.is_file():
        return "WordSim-353 and Google's analogies", pairs, questions
    _, pairs, questions = write_world(folder / "world")
    return f"the bundled world's sets; there are no others at {DATA}", pairs, questions


def planted(pairs: Path, questions: Path) -> tuple[list[str], np.ndarray]:
    """Return words and vectors in which a pair's difference is shared within its section."""
    rng = np.random.default_rng(0)
    gold, scored = read_analogy(questions), read_similarity(pairs)
    names = dict.fromkeys(word.lower() for question in gold.questions for word in question)
    names |= dict.fromkeys(map(str.lower, (*scored.words1, *scored.words2)))
    rows = {name: rng.standard_normal(DIMENSIONS) for name in names}
    steps = {section: rng.standard_normal(DIMENSIONS) for section in gold.section_names}
    for (a, a_star, _, _), section in zip(gold.questions, gold.sections, strict=True):
        rows[a_star.lower()] = rows[a.lower()] + steps[section] + NOISE * rng.standard_normal(DIMENSIONS)
    kept = [name for name in rows if rng.random() < KEPT]
    others = [f"other{i}" for i in range(WORDS - len(kept))]
    matrix = np.vstack([[rows[name] for name in kept], rng.standard_normal((len(others), DIMENSIONS))])
    order = rng.permutation(WORDS)
    words = [*kept, *others]
    return [words[i] for i in order], matrix[order].astype(np.float32)


def timed(call: Callable[[], Any], repeat: int = 1) -> tuple[float, Any]:
    """Return the least time of some calls, and what the last returned."""
    seconds = []
    for _ in range(repeat):
        began = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - began)
    return min(seconds), result


def prove_equal_answers(
    vectors: WordVectors, questions: Path, sections: list[dict[str, Any]], threads: int
) -> str:
    """Raise unless gensim's right answers are ours, but for close calls; say how many there were."""
    items = analogy_items(vectors, questions, threads=threads)
    items = items[items.covered]
    close = (items.score1 - items.score2 < CLOSE).to_numpy()
    ours = items.correct.to_numpy()
    asked = [tuple(word.upper() for word in row) for row in items[["a", "a_star", "b", "b_star"]].to_numpy()]
    right = {(s["section"], question) for s in sections[:-1] for question in s["correct"]}
    wrong = {(s["section"], question) for s in sections[:-1] for question in s["incorrect"]}
    keys = list(zip(items.section, asked, strict=True))
    if set(keys) != right | wrong:
        raise NotEqualError(f"gensim asked {len(right | wrong):,} questions, we asked {len(set(keys)):,}")
    theirs = np.array([key in right for key in keys])
    if (different := (ours != theirs) & ~close).any():
        raise NotEqualError(f"{different.sum()} answers differ, such as {keys[int(np.argmax(different))]}")
    return f"{len(items):,} answers equal ({ours.mean():.1%} right), {int(close.sum())} close calls left out"


def main() -> int:
    """Print one table; return 77 without gensim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    try:
        from gensim.models import KeyedVectors
    except ImportError:
        print("evaluation: gensim is not installed; install the extra 'bench'", file=sys.stderr)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        name, pairs, questions = gold_files(Path(folder))
        words, matrix = planted(pairs, questions)
        vectors = WordVectors(Vocabulary(tuple(words), np.ones(WORDS, np.int64)), matrix)
        keyed = KeyedVectors(DIMENSIONS)
        keyed.add_vectors(words, matrix)
        print(f"{name}; {WORDS:,} words, {DIMENSIONS} dimensions, {options.threads} threads\n")

        def similarity(**more: Any) -> Any:
            return evaluate_similarity(vectors, pairs, **more)

        def analogy(method: str, **more: Any) -> Any:
            return evaluate_analogy(vectors, questions, method=method, threads=options.threads, **more)

        similarity(), analogy("add"), analogy("mul"), analogy("pairdirection")  # compile
        gensim_pairs, (_, rho, _) = timed(lambda: keyed.evaluate_word_pairs(str(pairs)), options.repeat)
        ours_pairs, table = timed(lambda: similarity(resamples=0), options.repeat)
        if abs(rho[0] - table.score[0]) > CLOSE:
            raise NotEqualError(f"gensim has rho = {rho[0]}, we have {table.score[0]}")
        gensim_questions, (_, sections) = timed(lambda: keyed.evaluate_word_analogies(str(questions)))
        proof = prove_equal_answers(vectors, questions, sections, options.threads)
        print(f"rho equal ({rho[0]:.4f}); {proof}\n")
        rows = [
            ("similarity", gensim_pairs, ours_pairs, None),
            ("  with an interval", gensim_pairs, timed(similarity, options.repeat)[0], None),
        ]
        for label, method, resamples, target in (
            ("3CosAdd", "add", 0, 8),
            ("  with intervals", "add", 999, 8),
            ("3CosMul", "mul", 0, 4),
            ("PairDirection", "pairdirection", 0, None),
        ):
            seconds, _ = timed(lambda m=method, r=resamples: analogy(m, resamples=r), options.repeat)
            rows.append((label, gensim_questions, seconds, target))
    print(f"{'':20}{'gensim':>10}{'pmifact':>10}{'faster':>10}   target")
    for label, theirs, seconds, target in rows:
        wanted = f"{target} x gensim's 3CosAdd" if target else ""
        print(f"{label:20}{theirs:9.3f}s{seconds:9.3f}s{theirs / seconds:9.1f}x   {wanted}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
