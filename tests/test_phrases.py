"""Phrases against gensim's, on the same tokens, and against the formulas."""

import logging
import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from gensim.models.phrases import Phrases
from hypothesis import given
from hypothesis import strategies as st

from pmifact.corpus import EncodedCorpus, encode_corpus
from pmifact.errors import InputError
from pmifact.phrases import PhraseOptions, find_phrases
from pmifact.vocabulary import Vocabulary

GENSIM = {"npmi": "npmi", "word2phrase": "default"}
logging.getLogger("gensim").setLevel(logging.ERROR)

# Few words, so that pairs repeat, overlap (a a a) and score alike.
texts = st.lists(st.text("abcde", min_size=1, max_size=25).map(list), min_size=1, max_size=8)
options = st.one_of(
    st.tuples(st.just("npmi"), st.sampled_from([-1.0, -0.2, 0.0, 0.1, 0.3, 0.5, 1.0])),
    st.tuples(st.just("word2phrase"), st.sampled_from([0.01, 0.1, 0.25, 0.5, 1.0, 3.0])),
)


def sentences_of(corpus):
    words = np.append(np.array(corpus.vocabulary.words, object), None)[corpus.token_ids]
    return [words[a:b].tolist() for a, b in pairwise(corpus.sentence_starts)]


def gensim_phrases(sentences, scorer, threshold, min_pair_count, passes=1):
    for _ in range(passes):
        model = Phrases(
            sentences, min_count=min_pair_count, threshold=threshold, scoring=GENSIM[scorer], delimiter="_"
        )
        sentences = [model[sentence] for sentence in sentences]
    return sentences


def assert_same_corpus(ours, theirs):
    assert ours.vocabulary == theirs.vocabulary
    assert np.array_equal(ours.token_ids, theirs.token_ids)
    assert np.array_equal(ours.sentence_starts, theirs.sentence_starts)
    assert ours.token_ids.dtype == np.int32


@given(texts, options, st.integers(1, 3), st.integers(1, 3))
def test_the_phrases_of_gensim(sentences, scoring, least, passes):
    scorer, threshold = scoring
    corpus = encode_corpus(sentences, min_count=1)
    ours = find_phrases(
        corpus, scorer=scorer, threshold=threshold, min_pair_count=least, passes=passes, threads=1
    )
    expected = gensim_phrases(sentences, scorer, threshold, least, passes)
    assert sentences_of(ours) == expected
    assert_same_corpus(ours, encode_corpus(expected, min_count=1))


@given(texts, options, st.integers(1, 3), st.integers(1, 7), st.booleans())
def test_pieces_and_a_bound_on_memory_do_not_matter(sentences, scoring, passes, size, bounded):
    scorer, threshold = scoring
    corpus = encode_corpus(sentences, min_count=1)
    how = {"scorer": scorer, "threshold": threshold, "min_pair_count": 2, "passes": passes, "threads": 1}
    expected = find_phrases(corpus, **how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pmifact.phrases._PIECE", size)
        patch.setattr("pmifact.phrases._PAIRS", size)
        assert_same_corpus(find_phrases(corpus, **how, memory="256MB" if bounded else None), expected)


def test_a_scratch_folder_holds_what_goes_to_disk(tmp_path):
    corpus = encode_corpus([list("abcab")] * 5, min_count=1)
    ours = find_phrases(corpus, threshold=0.0, passes=2, memory="1GB", scratch=tmp_path / "x")
    assert_same_corpus(ours, find_phrases(corpus, threshold=0.0, passes=2))
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == [
        *("sentences 0", "sentences 1", "token_ids", "tokens 0", "tokens 1")
    ]
    with pytest.raises(InputError, match="memory: expected at least 256MB"):
        find_phrases(corpus, memory="1MB")


@given(texts, st.sampled_from([-0.2, 0.0, 0.3]), st.integers(1, 4), st.integers(0, 2))
def test_rare_words_make_no_difference_to_npmi(sentences, threshold, min_count, more):
    sentences = [*sentences, list("a" * 4)]
    corpus = encode_corpus(sentences, min_count=min_count)
    expected = gensim_phrases(sentences, "npmi", threshold, min_count + more)
    try:
        theirs = encode_corpus(expected, min_count=min_count)
    except InputError:  # joined, nothing is frequent enough
        with pytest.raises(InputError, match="no word occurs"):
            find_phrases(corpus, threshold=threshold, min_pair_count=min_count + more)
        return
    assert_same_corpus(
        find_phrases(corpus, threshold=threshold, min_pair_count=min_count + more, threads=1), theirs
    )


def test_a_large_text_with_ties_at_the_threshold():
    draw = np.random.default_rng(0)
    sentences = [[f"w{n}" for n in draw.zipf(1.3, 30) if n < 500] for _ in range(3_000)]
    corpus = encode_corpus(sentences, min_count=1)
    counts, pairs = Counter(), Counter()
    for sentence in sentences:
        counts.update(sentence)
        pairs.update(pairwise(sentence))
    total = counts.total()
    (a, b), together = pairs.most_common(40)[-1]
    tie = math.log(together / total / (counts[a] / total * (counts[b] / total))) / -math.log(together / total)
    for threshold in (tie, np.nextafter(tie, -1)):
        ours = find_phrases(corpus, threshold=float(threshold))
        assert sentences_of(ours) == gensim_phrases(sentences, "npmi", float(threshold), 5)
        assert (f"{a}_{b}" in ours.vocabulary) == (threshold < tie)


def test_phrases_grow_with_each_pass_and_stop_at_sentences_and_unknown_words():
    lines = ["new york city", "the end"] * 5 + ["new", "york", "new x york city"]
    corpus = encode_corpus(iter(lines), vocabulary=["new", "york", "city", "the", "end"])
    once = sentences_of(find_phrases(corpus, threshold=0.2))
    assert once[0] == ["new_york", "city"]
    assert once[-3:] == [["new"], ["york"], ["new", None, "york_city"]]
    twice = sentences_of(find_phrases(corpus, threshold=0.2, passes=2))
    assert twice[0] == ["new_york_city"]
    assert twice[-3:] == once[-3:]


def test_the_options_of_the_corpus_choose_the_words_again():
    corpus = encode_corpus(iter(["a b c"] * 4 + ["a", "b b", "d d"]), min_count=2)
    ours = find_phrases(corpus, scorer="word2phrase", threshold=0.1, min_pair_count=1)
    assert ours.vocabulary.words == ("a_b", "c", "b", "d")
    assert ours.vocabulary.counts.tolist() == [4, 4, 2, 2]
    assert sentences_of(ours)[4:] == [[None], ["b", "b"], ["d", "d"]]
    assert ours.options == corpus.options
    given = encode_corpus(iter(["a b c"] * 4 + ["a"]), vocabulary=["c", "b", "a", "z"])
    ours = find_phrases(given, scorer="word2phrase", threshold=0.1, min_pair_count=1)
    assert ours.vocabulary.words == ("a_b", "c", "a")
    assert (ours.options.min_count, ours.options.given_vocabulary) == (1, False)


def test_what_reads_alike_becomes_one_word():
    corpus = encode_corpus([["a", "b", "x"]] * 6 + [["a_b", "y"]], min_count=1)
    ours = find_phrases(corpus, threshold=0.5)
    assert ours.vocabulary.counts[ours.vocabulary.word_id("a_b")] == 7


def test_a_text_without_phrases_is_as_it_was():
    corpus = encode_corpus(iter(["a b", "c d"]), min_count=1)
    assert_same_corpus(find_phrases(corpus), corpus)
    words = Vocabulary(("a",), np.array([1]))
    single = EncodedCorpus(words, np.zeros(1, np.int32), np.array([0, 1]), corpus.options)
    assert_same_corpus(find_phrases(single), single)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scorer": "pmi"}, "scorer: expected one of npmi, word2phrase"),
        ({"threshold": 1.5}, "threshold: expected a number at most 1"),
        ({"threshold": -1.5}, "threshold: expected a number from -1 to 1, got -1.5"),
        ({"scorer": "word2phrase", "threshold": 0}, "threshold: expected a number above 0"),
        ({"min_pair_count": 0}, "min_pair_count: expected an integer of at least 1"),
        ({"passes": 0}, "passes: expected an integer of at least 1"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(InputError, match=message):
        find_phrases(encode_corpus(iter(["a"]), min_count=1), **options)


def test_each_scorer_has_its_threshold():
    assert PhraseOptions().threshold == 0.5
    assert PhraseOptions(scorer="word2phrase").threshold == 10


@pytest.mark.acceptance
@pytest.mark.parametrize("scorer", ["npmi", "word2phrase"])
def test_the_phrases_of_gensim_in_a_real_corpus(shared_data, scorer):
    corpus = encode_corpus(
        shared_data / "corpus" / "enwiki2015_00.txt.gz", tokenizer="words", lowercase=True, min_count=1
    )
    ours = find_phrases(corpus, scorer=scorer)
    threshold = PhraseOptions(scorer=scorer).threshold
    assert sentences_of(ours) == gensim_phrases(sentences_of(corpus), scorer, threshold, 5)
