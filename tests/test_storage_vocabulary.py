"""Vocabularies for `--vocabulary`: of an artifact, or a list of words in a text file."""

import numpy as np
import pytest
from storage_samples import STAGES, WRITE, sample, vocabulary

from pmifact.errors import ArtifactError, InputError
from pmifact.storage import read_vocabulary
from pmifact.vocabulary import Vocabulary


@pytest.mark.parametrize("stage", STAGES)
def test_the_vocabulary_of_an_artifact_and_of_its_file(stage, tmp_path):
    WRITE[stage](sample(stage), tmp_path / "x")
    assert read_vocabulary(tmp_path / "x") == vocabulary()
    assert read_vocabulary(tmp_path / "x" / "vocabulary.tsv") == vocabulary()


@pytest.mark.parametrize(
    "text",
    [
        *("the\ncafé\n", "the\ncafé", "\ufeffthe\r\ncafé\r\n", "the\t0\ncafé\n"),
        *("\nthe\n\n \t\ncafé\n\n", "the  \ncafé\t\n", "the\t0 \r\n\r\ncafé\u3000"),
    ],
)
def test_a_list_of_words(text, tmp_path):
    (tmp_path / "words.txt").write_bytes(text.encode())
    assert read_vocabulary(tmp_path / "words.txt") == Vocabulary(("the", "café"), np.zeros(2, np.int64))


def test_counts_are_read_when_they_are_there(tmp_path):
    (tmp_path / "words.txt").write_text("the\t12\ncat\t7\n")
    assert read_vocabulary(tmp_path / "words.txt").counts.tolist() == [12, 7]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "expected a word a line, got none"),
        (b"\n \t\r\n\n", "expected a word a line, got none"),
        (b"\n\nthe\n\nNew York\n", "line 5: expected one word"),
        (b"the\n\t12\n", "line 2: expected one word"),
        (b"the\nNew York\n", "line 2: expected one word.* got 'New York'"),
        (b"the 12\n", "line 1: expected one word"),
        (b"the\tmany\n", "line 1: expected a count from 0"),
        (b"the\t1\t2\n", "line 1: expected a count from 0"),
        (b"the\ncat\nthe\n", "line 3: the word 'the' stands there a second time"),
        (b"the\nc\xe2t\n", "line 2: expected UTF-8, got the byte 0xe2 at byte 1"),
    ],
)
def test_lists_that_are_wrong(text, fault, tmp_path):
    (tmp_path / "words.txt").write_bytes(text)
    with pytest.raises(InputError, match=fault):
        read_vocabulary(tmp_path / "words.txt")


def test_paths_that_hold_no_vocabulary(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_vocabulary(tmp_path / "missing")
    with pytest.raises(ArtifactError, match="expected an artifact"):
        read_vocabulary(tmp_path)
