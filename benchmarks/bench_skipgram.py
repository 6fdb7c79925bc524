"""Skip-gram beside gensim (and fastText, where it is installed): words a second, and scores over seeds.

    python -m benchmarks.bench_skipgram [--shards 4] [--seeds 3] [--epochs 5] [--threads 2]

Every trainer gets the same words in the same order, with unknown words removed, and the same window,
negatives, subsampling, epochs and threads. Only training is timed; our kernels are compiled before. Each
seed runs the rivals one after the other, so that a busy machine slows both. The scores come first: when
ours do not reach gensim's, within the spread of the seeds, the run ends with an error and without a time.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import mean, median, stdev

import numpy as np

from pmifact import (
    EncodedCorpus,
    WordVectors,
    encode_corpus,
    evaluate_analogy,
    evaluate_similarity,
    train_skipgram,
)

DATA = Path(os.environ.get("PMIFACT_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
SIMILARITY = {"WS353": "EN-WS-353-ALL.txt", "MEN": "EN-MEN-TR-3k.txt", "SimLex": "EN-SIMLEX-999.txt"}
GOOGLE = "analogy/questions-words.txt"
SETTINGS = {"window": 5, "negatives": 5, "subsample": 1e-3, "learning_rate": 0.025}
SKIPPED = 77
SPREADS = 3.0  # how far below gensim's mean ours may lie, in standard deviations of the seeds

Run = tuple[float, WordVectors]


def ours(corpus, rank, epochs, threads, seed) -> Run:
    began = time.perf_counter()
    factors = train_skipgram(corpus, rank=rank, epochs=epochs, threads=threads, seed=seed, **SETTINGS)
    return time.perf_counter() - began, factors.vectors()


def gensim(corpus, sentences, rank, epochs, threads, seed) -> Run:
    from gensim.models import Word2Vec

    model = Word2Vec(
        vector_size=rank,
        sg=1,
        window=SETTINGS["window"],
        negative=SETTINGS["negatives"],
        sample=SETTINGS["subsample"],
        alpha=SETTINGS["learning_rate"],
        min_count=1,
        workers=threads,
        seed=seed + 1,
        sorted_vocab=1,
    )
    model.build_vocab(sentences)
    began = time.perf_counter()
    model.train(sentences, total_examples=len(sentences), epochs=epochs)
    seconds = time.perf_counter() - began
    matrix = np.zeros((len(corpus.vocabulary), rank), np.float32)
    for word, row in model.wv.key_to_index.items():
        matrix[corpus.vocabulary.index[word]] = model.wv.vectors[row]
    return seconds, WordVectors(corpus.vocabulary, matrix)


def fasttext(corpus, sentences, rank, epochs, threads) -> Run | None:
    try:
        import fasttext as rival
    except ImportError:
        return None
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.writelines(" ".join(sentence) + "\n" for sentence in sentences)
        file.flush()
        began = time.perf_counter()
        model = rival.train_unsupervised(
            file.name,
            model="skipgram",
            dim=rank,
            ws=SETTINGS["window"],
            neg=SETTINGS["negatives"],
            t=SETTINGS["subsample"],
            lr=SETTINGS["learning_rate"],
            epoch=epochs,
            minCount=1,
            minn=0,
            maxn=0,
            thread=threads,
            verbose=0,
        )
        seconds = time.perf_counter() - began
    matrix = np.stack([model.get_word_vector(word) for word in corpus.vocabulary.words])
    return seconds, WordVectors(corpus.vocabulary, matrix.astype(np.float32))


def scores_of(vectors: WordVectors) -> dict[str, float]:
    scores = {
        name: float(evaluate_similarity(vectors, DATA / "similarity" / file)["score"].iloc[0])
        for name, file in SIMILARITY.items()
    }
    return scores | {"Google": float(evaluate_analogy(vectors, DATA / GOOGLE)["score"].iloc[0])}


def without_unknown_words(corpus: EncodedCorpus) -> tuple[EncodedCorpus, list[list[str]]]:
    """Return the corpus without unknown tokens and its sentences as words; none longer than gensim takes."""
    words = np.array(corpus.vocabulary.words, object)
    sentences, ids = [], []
    for begin, end in pairwise(corpus.sentence_starts):
        known = corpus.token_ids[begin:end]
        known = known[known >= 0]
        for first in range(0, len(known), 10_000):
            ids.append(known[first : first + 10_000])
            sentences.append(words[ids[-1]].tolist())
    starts = np.cumsum([0] + [len(sentence) for sentence in sentences])
    return EncodedCorpus(corpus.vocabulary, np.concatenate(ids), starts), sentences


def check_scores(table: dict[str, dict[str, list[float]]]) -> None:
    """Stop unless our mean of each score reaches gensim's within the spread of the seeds."""
    for name, theirs in table["gensim"].items():
        found = table["pmifact"][name]
        spread = max(stdev(theirs), stdev(found)) if len(theirs) > 1 else 0.02
        if mean(found) < mean(theirs) - SPREADS * spread:
            sys.exit(
                f"bench_skipgram: {name} is {mean(found):.3f}, gensim's is {mean(theirs):.3f} +- {spread:.3f}"
            )


def compare_scores(corpus, sentences, options) -> dict[str, list[float]]:
    """Train every seed at rank 100, show the scores, and return the speeds."""
    scores = defaultdict(lambda: defaultdict(list))
    speeds = defaultdict(list)
    for seed in range(options.seeds):
        for name, (seconds, vectors) in (
            ("gensim", gensim(corpus, sentences, 100, options.epochs, options.threads, seed)),
            ("pmifact", ours(corpus, 100, options.epochs, options.threads, seed)),
        ):
            speeds[name].append(options.epochs * len(corpus.token_ids) / seconds)
            for test, score in scores_of(vectors).items():
                scores[name][test].append(score)
            print(f"  seed {seed}: {name} done in {seconds:.0f} s", file=sys.stderr)
    print(f"rank 100, {options.epochs} epochs, {options.seeds} seeds: mean (standard deviation)")
    for name, tests in scores.items():
        cells = (
            f"{test} {mean(values):.3f} ({stdev(values) if len(values) > 1 else 0:.3f})"
            for test, values in tests.items()
        )
        print(f"  {name:8}", "  ".join(cells))
    check_scores(scores)
    return speeds


def show_speeds(rank: int, epochs: int, speeds: dict[str, list[float]]) -> None:
    print(f"rank {rank}, {epochs} epochs: words a second")
    for name, values in speeds.items():
        ratio = median(value / base for value, base in zip(values, speeds["gensim"], strict=False))
        print(f"  {name:8} {median(values):12,.0f}   {ratio:.2f} times gensim")


def main() -> int:
    """Print scores, then speeds; return 77 where there is no real text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    shards = sorted((DATA / "corpus").glob("enwiki2015_*.txt.gz"))[: options.shards]
    if not shards:
        print(f"no corpus at {DATA}; set PMIFACT_TEST_DATA to the folder that holds it", file=sys.stderr)
        return SKIPPED
    corpus, sentences = without_unknown_words(
        encode_corpus(shards, tokenizer="words", lowercase=True, min_count=20)
    )
    print(f"{len(corpus.token_ids):,} tokens, {len(corpus.vocabulary):,} words, {options.threads} threads")
    few = corpus.sentence_starts[1_000]
    warm = EncodedCorpus(corpus.vocabulary, corpus.token_ids[:few], corpus.sentence_starts[:1_001])
    ours(warm, 100, 1, options.threads, 0)

    show_speeds(100, options.epochs, compare_scores(corpus, sentences, options))
    speeds = defaultdict(list)
    for name, (seconds, _) in (
        ("gensim", gensim(corpus, sentences, 300, 1, options.threads, 0)),
        ("pmifact", ours(corpus, 300, 1, options.threads, 0)),
    ):
        speeds[name].append(len(corpus.token_ids) / seconds)
    show_speeds(300, 1, speeds)
    rival = fasttext(corpus, sentences, 100, 1, options.threads)
    if rival is None:
        print("fastText is not installed: not compared")
    else:
        seconds, vectors = rival
        cells = "  ".join(f"{test} {score:.3f}" for test, score in scores_of(vectors).items())
        print(f"fastText, rank 100, 1 epoch, file reading included: {len(corpus.token_ids) / seconds:,.0f}")
        print(f"  {cells}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
