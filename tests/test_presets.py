"""Each preset counts as its tool does, by slow restatements of the tools' own rules."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from cli_samples import in_process, write_text
from hypothesis import assume, given
from hypothesis import strategies as st

from pmifact import count_cooccurrences, encode_corpus, sppmi
from pmifact.cooccurrence import CountOptions
from pmifact.corpus import EncodeOptions
from pmifact.errors import InputError
from pmifact.kernels.cooccurrence import uniform
from pmifact.ppmi import PPMIOptions
from pmifact.presets import PRESETS
from pmifact.storage import read_counts, read_manifest
from pmifact.svd.truncated import FactorizeOptions

# Lines of few words, some of them rare; repeated so often that the rarest falls below each tool's minimum.
texts = st.lists(st.text("abcdeF ", min_size=1, max_size=30).map(" ".join), min_size=1, max_size=8).map(
    lambda lines: [" ".join(line.split()) for line in lines]
)


def counted(preset, lines, **more):
    """Count lines by a preset; return {(word, context): count} and the corpus."""
    try:
        corpus = encode_corpus(iter(lines), **preset.encode)
    except InputError:  # no word is frequent enough
        assume(False)
    counts = count_cooccurrences(corpus, **{**preset.count, **more})
    cells = counts.matrix.tocoo()
    words = corpus.vocabulary.words
    pairs = {
        (words[row], words[column]): Fraction(int(numerator), counts.unit)
        for row, column, numerator in zip(*cells.coords, cells.data, strict=True)
    }
    return pairs, corpus, counts


def frequent(lines, least):
    return {
        word: n for word, n in Counter(word for line in lines for word in line.split()).items() if n >= least
    }


def word2vec_expectation(sentences, window):
    """Sum over every reach that a position may draw, each with probability 1 / window."""
    pairs = defaultdict(Fraction)
    for sentence in sentences:
        for position, word in enumerate(sentence):
            for b in range(window):
                for a in range(b, window * 2 + 1 - b):
                    c = position - window + a
                    if a != window and 0 <= c < len(sentence):
                        pairs[word, sentence[c]] += Fraction(1, window)
    return pairs


@given(texts)
def test_word2vec_without_its_subsampling(lines):
    pairs, *_ = counted(PRESETS["word2vec"], lines, subsample=None)
    known = frequent(lines, 5)
    sentences = [[word for word in line.split() if word in known] for line in lines]
    assert pairs == word2vec_expectation(sentences, 5)


@given(texts, st.integers(0, 2**63 - 1))
def test_word2vec_closes_the_window_over_what_it_drops(lines, seed):
    """The draws are ours; the chance of each is sqrt(t / f), not word2vec.c's sqrt(t / f) + t / f."""
    pairs, *_ = counted(PRESETS["word2vec"], lines, seed=seed)
    known = frequent(lines, 5)
    total = sum(known.values())
    sentences, position = [], 0
    for line in lines:
        sentences.append([])
        for word in line.split():
            if word in known and uniform(seed, position) < sqrt(1e-3 * (total / known[word])):
                sentences[-1].append(word)
            position += 1
    assert pairs == word2vec_expectation(sentences, 5)


@given(texts)
def test_glove(lines):
    pairs, *_ = counted(PRESETS["glove"], lines)
    expected = defaultdict(Fraction)
    history = [""] * 15
    for line in lines:
        for j, word in enumerate(line.split()):  # a newline ends the window
            for k in range(j - 1, max(0, j - 15) - 1, -1):
                other = history[k % 15]
                expected[other, word] += Fraction(1, j - k)
                expected[word, other] += Fraction(1, j - k)
            history[j % 15] = word
    assert pairs == expected


@given(texts)
def test_glove_passes_over_unknown_words(lines):
    """With a larger minimum, unknown words take no place in the history."""
    preset = PRESETS["glove"]
    try:
        corpus = encode_corpus(iter(lines), **{**preset.encode, "min_count": 4})
    except InputError:
        assume(False)
    known = frequent(lines, 4)
    closed = [" ".join(word for word in line.split() if word in known) for line in lines]
    pairs, whole, counts = counted(preset, closed)
    ours = count_cooccurrences(corpus, **preset.count)
    assert whole.vocabulary.words == corpus.vocabulary.words
    assert (ours.matrix != counts.matrix).nnz == 0
    assert len(pairs) == ours.matrix.nnz


@given(texts, st.none() | st.floats(1e-3, 0.5), st.integers(0, 1_000))
def test_hyperwords(lines, subsample, seed):
    lines = lines * 12
    pairs, *_ = counted(PRESETS["hyperwords"], lines, subsample=subsample, seed=seed)
    vocabulary = frequent(lines, 100)
    threshold = None if subsample is None else subsample * sum(vocabulary.values())
    expected = defaultdict(Fraction)
    position = 0
    for line in lines:
        tokens = []
        for word in line.split():
            keep = word in vocabulary
            if keep and threshold is not None and vocabulary[word] > threshold:
                keep = uniform(seed, position) < sqrt(threshold / vocabulary[word])
            tokens.append(word if keep else None)
            position += 1
        for i, token in enumerate(tokens):
            for j in range(max(i - 2, 0), min(i + 3, len(tokens))):
                if token is not None and j != i and tokens[j] is not None:
                    expected[token, tokens[j]] += 1
    assert pairs == expected


@given(texts)
def test_hyperhyper(lines):
    preset = PRESETS["hyperhyper"]
    pairs, corpus, counts = counted(preset, lines)
    expected = defaultdict(Fraction)
    for line in lines:
        tokens = line.lower().split()
        for i, token in enumerate(tokens):
            for j in range(max(i - 2, 0), min(i + 3, len(tokens))):
                if j != i:
                    expected[token, tokens[j]] += Fraction(2 + 1 - abs(i - j), 2)
    assert pairs == expected
    if not pairs:
        return
    # Its default subsampling scales the finished matrix; then comes its PMI.
    words = corpus.vocabulary.words
    matrix = np.zeros((len(words), len(words)))
    for (word, context), count in expected.items():
        matrix[words.index(word), words.index(context)] = count
    occurrences = Counter(" ".join(lines).lower().split())
    threshold = 1e-5 * sum(occurrences.values())
    factor = np.array(
        [sqrt(threshold / occurrences[w]) if occurrences[w] > threshold else 1.0 for w in words]
    )
    matrix = factor[:, None] * matrix * factor
    contexts = matrix.sum(axis=0) ** 0.75
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = np.log(matrix * contexts.sum() / (matrix.sum(axis=1)[:, None] * contexts))
    positive = np.where(matrix > 0, np.maximum(pmi, 0), 0)
    assume(positive.max() > 1e-6)
    np.testing.assert_allclose(sppmi(counts, **preset.ppmi).toarray(), positive, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_setting_is_an_option_of_its_stage(preset):
    EncodeOptions(**preset.encode)
    CountOptions(**preset.count)
    PPMIOptions(**preset.ppmi)
    FactorizeOptions(**preset.svd)
    assert preset.vectors.keys() <= {"power", "contexts", "normalize"}
    with pytest.raises(TypeError):
        preset.count["window"] = 1


def test_settings_that_small_corpora_cannot_tell():
    word2vec, glove, hyperwords, hyperhyper = (
        PRESETS[name] for name in ("word2vec", "glove", "hyperwords", "hyperhyper")
    )
    assert word2vec.ppmi == {"shift": 5, "smoothing": 0.75, "subsample": None}
    assert (word2vec.svd["rank"], hyperwords.svd["rank"], hyperhyper.svd["rank"]) == (100, 500, 500)
    assert glove.ppmi == glove.svd == {}
    assert hyperwords.ppmi == {"shift": 1, "smoothing": 1, "subsample": None}
    assert hyperhyper.ppmi["subsample"] == 1e-5
    assert hyperhyper.encode["max_vocab"] == 50_000
    assert (hyperwords.vectors["power"], hyperhyper.vectors["power"]) == (0.5, 0)


# --- the command line ---------------------------------------------------------------------------------


@pytest.fixture
def text(tmp_path):
    return write_text(tmp_path / "small.txt")


@pytest.mark.parametrize("name", PRESETS)
def test_like_is_the_preset_and_the_manifest_says_so(name, text, tmp_path, capsys):
    done = in_process(capsys, "count", text, "-o", tmp_path / "x.counts", "--like", name)
    assert done.status == 0, done.err
    preset = PRESETS[name]
    theirs = count_cooccurrences(encode_corpus(str(text), **preset.encode), **preset.count)
    ours = read_counts(tmp_path / "x.counts")
    assert ours.options == theirs.options
    assert (ours.matrix != theirs.matrix).nnz == 0
    manifest = read_manifest(tmp_path / "x.counts")
    assert manifest["preset"] == name
    assert {key: manifest["history"][0]["options"][key] for key in preset.encode} == preset.encode
    assert f"like {name}" in " ".join(in_process(capsys, "info", tmp_path / "x.counts").out.split())


def test_a_typed_option_wins(text, tmp_path, capsys):
    args = ["--like", "glove", "--window", "3", "--min-count", "7", "--oov", "gap"]
    assert in_process(capsys, "count", text, "-o", tmp_path / "x.counts", *args).status == 0
    options = read_counts(tmp_path / "x.counts").options
    assert options == CountOptions(window=(3, 3), weighting="harmonic", oov="gap")
    assert read_manifest(tmp_path / "x.counts")["history"][0]["options"]["min_count"] == 7


def test_the_place_of_like_does_not_matter(text, tmp_path, capsys):
    for number, args in enumerate(
        (["--window", "3", "--like", "glove"], ["--like", "glove", "--window", "3"])
    ):
        assert in_process(capsys, "count", text, "-o", tmp_path / f"{number}.counts", *args).status == 0
    assert read_counts(tmp_path / "0.counts").options == read_counts(tmp_path / "1.counts").options


def test_a_corpus_is_counted_like_a_tool_however_it_was_encoded(text, tmp_path, capsys):
    assert in_process(capsys, "encode", text, "-o", tmp_path / "x.corpus", "--like", "hyperhyper").status == 0
    manifest = read_manifest(tmp_path / "x.corpus")
    assert (manifest["preset"], manifest["options"]["max_vocab"]) == ("hyperhyper", 50_000)
    done = in_process(capsys, "count", tmp_path / "x.corpus", "-o", tmp_path / "x.counts", "--like", "glove")
    assert done.status == 0, done.err
    assert read_counts(tmp_path / "x.counts").options == CountOptions(**PRESETS["glove"].count)


def test_a_given_vocabulary_has_no_limit_from_a_preset(text, tmp_path, capsys):
    (tmp_path / "words").write_text("cat\ndog\n")
    args = ["-o", tmp_path / "x.corpus", "--like", "hyperhyper", "--vocabulary", tmp_path / "words"]
    done = in_process(capsys, "encode", text, *args)
    assert done.status == 0, done.err
    assert read_manifest(tmp_path / "x.corpus")["options"]["max_vocab"] is None
    assert in_process(capsys, "encode", text, *args, "--max-vocab", "5").status == 1


def test_factorize_takes_the_tools_that_factorize_pmi(text, tmp_path, capsys):
    assert in_process(capsys, "count", text, "-o", tmp_path / "x.counts").status == 0
    args = ["factorize", tmp_path / "x.counts", "-o", tmp_path / "x.factors", "--rank", "5"]
    assert in_process(capsys, *args, "--like", "hyperhyper").status == 0
    manifest = read_manifest(tmp_path / "x.factors")
    assert manifest["preset"] == "hyperhyper"
    assert manifest["history"][-1]["options"] == dict(PRESETS["hyperhyper"].ppmi)
    assert manifest["options"]["rank"] == 5
    refused = in_process(capsys, *args, "--like", "glove")
    assert refused.status == 2
    assert "'word2vec', 'hyperwords', 'hyperhyper'" in refused.err
