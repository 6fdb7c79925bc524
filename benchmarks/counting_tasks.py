"""What the programs compared in bench_counting do, each in a process of its own.

Run as ``python counting_tasks.py TASK JSON``; the rivals need not be installed beside pmifact. What a rival
is given in memory is read before its clock starts; ours starts from the file.
"""

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory


def pmifact(paths, threads, window=5, weighting="linear", words=None, keep=None, **encoding):
    """Text files to a .counts artifact; the compiled code is brought into memory by a small run before."""
    from pmifact import count_cooccurrences, encode_corpus
    from pmifact.storage import write_counts

    def run(paths, target, given, encoding):
        began = time.perf_counter()
        corpus = encode_corpus(paths, vocabulary=given, threads=threads, **encoding)
        encoded = time.perf_counter()
        counts = count_cooccurrences(corpus, window=window, weighting=weighting, threads=threads)
        counted = time.perf_counter()
        write_counts(counts, target)
        return corpus, counts, (began, encoded, counted, time.perf_counter())

    given = None if words is None else Path(words).read_text(encoding="utf-8").split()
    with TemporaryDirectory(dir=Path(paths[0]).parent) as folder:
        small = Path(folder) / "small.txt"
        small.write_text("a b c é\n" * 100, encoding="utf-8")
        few = None if given is None else ["a", "b", "é"]
        run([str(small)], Path(folder) / "small.counts", few, {**encoding, "min_count": 1})
        corpus, counts, times = run(paths, Path(keep or Path(folder) / "x.counts"), given, encoding)
    return {
        "seconds": times[3] - times[0],
        "encode": times[1] - times[0],
        "count": times[2] - times[1],
        "write": times[3] - times[2],
        "tokens": len(corpus.token_ids),
        "words": len(corpus.vocabulary),
        "pairs": counts.matrix.nnz,
    }


def hyperhyper_cut(path, window, min_count, keep):
    """Sentences that are cut into tokens already, to counts."""
    from hyperhyper.corpus import Corpus, Vocab

    sentences = [line.split() for line in Path(path).read_text(encoding="utf-8").split("\n")]
    began = time.perf_counter()
    vocabulary = Vocab(sentences, keep_n=None)
    frequent = [word_id for word_id, count in vocabulary.cfs.items() if count >= min_count]
    vocabulary.filter_tokens(good_ids=frequent)
    corpus = Corpus.from_sents(sentences, vocab=vocabulary, preproc_func=_as_it_is)
    matrix = _hyperhyper_pairs(corpus, window)
    seconds = time.perf_counter() - began
    _keep(keep, corpus.vocab.tokens, matrix[:-1, :-1])
    return {"seconds": seconds, "tokens": sum(map(len, sentences))}


def hyperhyper_text(path, window, min_count):
    """Lines of text to counts, as its documentation does it; there `no_below` is in documents, here lines."""
    from hyperhyper.corpus import Corpus

    lines = Path(path).read_text(encoding="utf-8").split("\n")
    began = time.perf_counter()
    corpus = Corpus.from_sents(lines, no_below=min_count, keep_n=None)
    _hyperhyper_pairs(corpus, window)
    return {"seconds": time.perf_counter() - began, "tokens": sum(corpus.counts.values())}


def _as_it_is(sentences):
    return sentences


def _hyperhyper_pairs(corpus, window):
    from hyperhyper import Bunch

    with TemporaryDirectory() as folder:
        bunch = Bunch(Path(folder) / "bunch", corpus)
        return bunch.pair_counts(window=window, dynamic_window="deter", subsample="off", delete_oov=True)


def vectorizers_cut(path, window, min_count, keep, threads):
    """Sentences that are cut into tokens already, to counts with harmonic weights; compiled before."""
    from vectorizers import TokenCooccurrenceVectorizer

    def vectorizer(least):
        return TokenCooccurrenceVectorizer(
            min_occurrences=least,
            window_radii=window,
            kernel_functions="harmonic",
            window_orientations="directional",
            normalize_windows=False,
            n_threads=threads,
        )

    sentences = [line.split() for line in Path(path).read_text(encoding="utf-8").split("\n")]
    vectorizer(1).fit_transform([["a", "b", "c"], ["b", "c", "a"]] * 4)
    began = time.perf_counter()
    fitted = vectorizer(min_count)
    matrix = fitted.fit_transform(sentences)
    seconds = time.perf_counter() - began
    n_words = matrix.shape[0]
    words = [fitted.token_index_dictionary_[word_id] for word_id in range(n_words)]
    _keep(keep, words, matrix[:, :n_words] + matrix[:, n_words:])
    return {"seconds": seconds, "tokens": sum(map(len, sentences))}


def sklearn_vocabulary(path, keep):
    """Take lines to the counts of the words in each: the vocabulary part alone."""
    from sklearn.feature_extraction.text import CountVectorizer

    lines = Path(path).read_text(encoding="utf-8").split("\n")
    began = time.perf_counter()
    fitted = CountVectorizer(tokenizer=str.split, token_pattern=None, lowercase=False)
    totals = fitted.fit_transform(lines).sum(axis=0).A1
    seconds = time.perf_counter() - began
    counts = {word: int(totals[word_id]) for word, word_id in fitted.vocabulary_.items()}
    Path(keep).write_text(json.dumps(counts))
    return {"seconds": seconds, "tokens": int(totals.sum())}


def pmifact_vocabulary(path, threads):
    """Take the same text from its file to words, their counts and token ids."""
    from pmifact import encode_corpus

    encode_corpus(iter(["a b"]), min_count=1)
    encode_corpus(path, min_count=1, threads=threads)
    began = time.perf_counter()
    corpus = encode_corpus(path, min_count=1, threads=threads)
    return {"seconds": time.perf_counter() - began, "tokens": len(corpus.token_ids)}


def _keep(path, words, matrix):
    from scipy.sparse import csr_matrix, save_npz

    save_npz(path, csr_matrix(matrix))
    Path(path).with_suffix(".json").write_text(json.dumps(list(words)))


TASKS = {
    task.__name__: task
    for task in (
        *(pmifact, hyperhyper_cut, hyperhyper_text, vectorizers_cut, sklearn_vocabulary, pmifact_vocabulary),
    )
}

if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](**json.loads(sys.argv[2]))))
