"""Counts whose columns are not the words, from the command line to their scores."""

import json

import numpy as np
import pytest
import scipy.sparse
from cli_samples import in_process, write_similarity, write_text

from pmifact.contexts import PositionalContexts
from pmifact.storage import read_counts, read_counts_npz, read_factors


@pytest.fixture
def text(tmp_path):
    return write_text(tmp_path / "small.txt")


def made(capsys, *args):
    done = in_process(capsys, *args)
    assert done.status == 0, done.err
    return done


def test_positional_counts_go_all_the_way(capsys, text, tmp_path):
    counts, factors, npz = (tmp_path / f"x.{kind}" for kind in ("counts", "factors", "npz"))
    said = made(capsys, "count", text, "-o", counts, "--positional", "--window", "1,2").err
    words = len(read_counts(counts).vocabulary)
    assert f"{words} words, {3 * words} contexts, " in said
    lines = (counts / "contexts.tsv").read_text().splitlines()
    vocabulary = (counts / "vocabulary.tsv").read_text().splitlines()
    assert lines == [f"{line}\t{offset}" for offset in (-1, 1, 2) for line in vocabulary]
    shown = made(capsys, "info", counts, "--verify").out
    assert f"{3 * words}: {words} words at the offsets -1 and 1 to 2" in shown
    assert "positional yes" in " ".join(shown.split())
    made(capsys, "factorize", counts, "-o", factors, "--rank", "8", "--subsample", "0.01")
    assert read_factors(factors).context_vocabulary == read_counts(counts).contexts
    gold = write_similarity(tmp_path / "pairs.tsv")
    for model in (counts, factors):
        made(capsys, "evaluate", model, "--similarity", gold)
    refused = in_process(capsys, "evaluate", factors, "--similarity", gold, "--contexts", "add")
    assert refused.status == 1
    assert "contexts: add needs the words as contexts" in refused.err
    made(capsys, "export", counts, "-o", npz)
    assert (tmp_path / "x.contexts.tsv").read_bytes() == (counts / "contexts.tsv").read_bytes()
    back = read_counts_npz(npz, tmp_path / "x.vocab.tsv", contexts=tmp_path / "x.contexts.tsv")
    assert back.contexts == read_counts(counts).contexts
    made(capsys, "merge", counts, counts, "-o", tmp_path / "twice.counts")
    twice = read_counts(tmp_path / "twice.counts")
    assert isinstance(twice.contexts, PositionalContexts)
    assert (twice.matrix != 2 * read_counts(counts).matrix).nnz == 0
    made(capsys, "skipgram", counts, "-o", tmp_path / "sgns.factors", "--rank", "4", "--epochs", "1")


@pytest.mark.parametrize(
    ("line", "new", "message"),
    [
        (2, "cat\t7\t-1", "contexts.tsv: "),
        (-1, "", "expected .*, got the end of the file"),
        (5, "cat\tmany\t-1", "line 6: expected a count"),
        (5, "cat\t7", "expected"),
    ],
)
def test_damaged_positional_contexts_are_told_by_line(text, tmp_path, capsys, line, new, message):
    from pmifact.errors import ArtifactError
    from pmifact.storage.contexts_file import parse_contexts

    made(capsys, "count", text, "-o", tmp_path / "x.counts", "--positional", "--window", "1")
    path = tmp_path / "x.counts" / "contexts.tsv"
    lines = path.read_text().splitlines()
    lines[line] = new
    damaged = "\n".join([each for each in lines if each]) + "\n"
    with pytest.raises(ArtifactError, match=message):
        parse_contexts(damaged.encode(), path)
    with pytest.raises(ArtifactError, match=r"line 70: expected an end of line, got the end of the file"):
        parse_contexts(path.read_bytes().rstrip(), path)


def test_few_contexts_by_number_and_by_file(capsys, text, tmp_path):
    made(capsys, "count", text, "-o", tmp_path / "n.counts", "--context-vocabulary", "7")
    few = read_counts(tmp_path / "n.counts")
    assert few.contexts.words == few.vocabulary.words[:7]
    assert few.options.context_vocabulary == 7
    (tmp_path / "words").write_text("zebra\n" + "\n".join(few.contexts.words) + "\n")
    made(capsys, "count", text, "-o", tmp_path / "f.counts", "--context-vocabulary", tmp_path / "words")
    assert (read_counts(tmp_path / "f.counts").matrix != few.matrix).nnz == 0
    manifest = json.loads((tmp_path / "f.counts" / "manifest.json").read_text())
    assert manifest["options"]["context_vocabulary"] == "given"
    assert "7, which are not the words" in made(capsys, "info", tmp_path / "f.counts").out
    made(capsys, "factorize", tmp_path / "f.counts", "-o", tmp_path / "x.factors", "--rank", "3")
    for bad in ("0", "-3"):
        refused = in_process(
            capsys, "count", text, "-o", tmp_path / "x.counts", f"--context-vocabulary={bad}"
        )
        assert refused.status == 2
        assert "expected an integer from 1" in refused.err


def test_words_that_are_not_there_are_told_unless_quiet(capsys, text, tmp_path):
    (tmp_path / "words").write_text("cat\nzebra\n")
    call = ["count", text, "-o", tmp_path / "x.counts", "--exclude", tmp_path / "words"]
    call += ["--context-vocabulary", "9999"]
    said = made(capsys, *call).err
    words = len(read_counts(tmp_path / "x.counts").vocabulary)
    assert said.splitlines()[0] == (
        "1 of 2 excluded words would not be in the vocabulary anyway, such as 'zebra'"
    )
    assert f"\n9999 context words were asked for, and the vocabulary has {words}: all are contexts\n" in said
    assert made(capsys, *call, "--quiet").err == ""
    listed = ["count", text, "-o", tmp_path / "x.counts", "--context-vocabulary", tmp_path / "words", "-q"]
    # What is left out is told in any case.
    assert made(capsys, *listed).err == (
        "Out of vocabulary, and so without a column: 1 of 2 context words, 'zebra' first\n"
    )


def test_rare_pairs_are_left_out_and_cannot_be_merged(capsys, text, tmp_path):
    made(capsys, "count", text, "-o", tmp_path / "all.counts")
    said = made(capsys, "count", text, "-o", tmp_path / "x.counts", "--min-pair-count", "20").err
    assert "Counting writes at most about" in said
    whole, pruned = (read_counts(tmp_path / f"{name}.counts") for name in ("all", "x"))
    kept = scipy.sparse.csr_array(whole.matrix.multiply(whole.matrix >= 20 * whole.unit))
    kept.eliminate_zeros()
    assert (kept != pruned.matrix).nnz == 0
    assert np.diff(kept.indptr).sum() == pruned.matrix.nnz < whole.matrix.nnz
    refused = in_process(
        capsys, "merge", tmp_path / "x.counts", tmp_path / "x.counts", "-o", tmp_path / "y.counts"
    )
    assert refused.status == 1
    assert f"{tmp_path / 'x.counts'} was counted with --min-pair-count 20, and the pairs" in refused.err


def test_counts_of_different_words_merge_to_their_union(capsys, tmp_path):
    parts = [write_text(tmp_path / f"{seed}.txt", sentences=40, seed=seed) for seed in (1, 2)]
    for part in parts:
        made(capsys, "count", part, "-o", part.with_suffix(".counts"), "--min-count", "1")
    made(capsys, "count", *parts, "-o", tmp_path / "both.counts", "--min-count", "1")
    inputs = [part.with_suffix(".counts") for part in parts]
    refused = in_process(capsys, "merge", *inputs, "-o", tmp_path / "x.counts")
    assert refused.status == 1
    assert "or merge with --vocabulary union" in refused.err
    made(capsys, "merge", *inputs, "-o", tmp_path / "x.counts", "--vocabulary", "union")
    for name in ("vocabulary.tsv", "indptr.npy", "indices.npy", "data.npy"):
        assert (tmp_path / "x.counts" / name).read_bytes() == (tmp_path / "both.counts" / name).read_bytes()
