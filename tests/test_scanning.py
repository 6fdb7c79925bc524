"""The compiled scanner against the plain way of numbering lines, however the text is shared out."""

import gzip
import os
import random
import unicodedata
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.corpus import encode_corpus
from pmifact.errors import InputError
from pmifact.text import scanning
from pmifact.text.characters import SPACE, TOKEN, character_classes
from pmifact.text.lexicon import InvalidByteError, Lexicon
from pmifact.text.tokenizers import whitespace, words

PLAIN = {"whitespace": whitespace, "words": words}
HOSTILE = [
    *"aàßİΣςé1٣_-'’. \t\r\n\f\v\0",
    *"\x1c\x85\u00a0\u2028\u3000\u200b\ufeff\u0301\u0938\u093f中\U0001f600\U0001d7d8\U000e0101",
    "\n\n",
    "\r\n",
    "the ",
    "Ωσς ",
]
hostile_text = st.lists(st.sampled_from(HOSTILE) | st.characters(codec="utf-8"), max_size=60).map("".join)


def assert_same_corpus(ours, theirs):
    assert ours.vocabulary == theirs.vocabulary
    assert np.array_equal(ours.token_ids, theirs.token_ids)
    assert np.array_equal(ours.sentence_starts, theirs.sentence_starts)
    assert ours.token_ids.dtype == np.int32
    assert ours.sentence_starts.dtype == np.int64


def outcome(paths, **options):
    try:
        return encode_corpus(paths, **options)
    except InputError as error:
        return str(error)


def encode_both(paths, tokenizer, **options):
    """Encode with the scanner, and with the same tokenizer as a callable, which it never sees."""
    return [outcome(paths, tokenizer=way, **options) for way in (tokenizer, PLAIN[tokenizer])]


@given(
    text=st.lists(hostile_text, min_size=1, max_size=4),
    tokenizer=st.sampled_from(["whitespace", "words"]),
    lowercase=st.booleans(),
    normalize=st.sampled_from(["none", "nfc", "nfkc"]),
    boundary=st.sampled_from(["line", "blank", "none"]),
    threads=st.integers(1, 3),
    stretch=st.integers(1, 40),
    memory=st.sampled_from([None, "1GB"]),
)
def test_hostile_text_is_cut_as_the_plain_way_cuts_it(
    tmp_path_factory, text, tokenizer, lowercase, normalize, boundary, threads, stretch, memory
):
    folder = tmp_path_factory.mktemp("text")
    paths = []
    for number, part in enumerate(text):
        paths.append(folder / f"{number}.txt")
        paths[-1].write_bytes(part.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "_STRETCH", stretch)
        patch.setattr("pmifact.text.readers._BLOCK", max(stretch // 2, 1))
        patch.setattr("pmifact.text.files.working_memory", lambda limit: 16 * stretch)  # nothing fits
        options = {"lowercase": lowercase, "normalize": normalize, "boundary": boundary, "min_count": 1}
        theirs = outcome(paths, tokenizer=PLAIN[tokenizer], **options)
        ours = outcome(paths, tokenizer=tokenizer, threads=threads, memory=memory, **options)
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert_same_corpus(ours, theirs)


@pytest.fixture
def many_types(tmp_path):
    """Some files of 100,000 types in all, enough for every array of the table to grow."""
    draw = random.Random(0)
    paths = []
    for number in range(3):
        lines = (
            " ".join(f"Wört{int(draw.random() * 14_000)}{number}" for _ in range(20)) for _ in range(5_000)
        )
        paths.append(tmp_path / f"{number}.txt.gz")
        paths[-1].write_bytes(gzip.compress("\n".join(lines).encode()))
    return paths


def test_threads_and_stretches_do_not_matter(many_types, monkeypatch):
    expected = encode_corpus(many_types, tokenizer=words, lowercase=True, min_count=2)
    assert len(expected.vocabulary) > 30_000
    for threads, stretch in product((1, 2, 4), (1 << 16, 1 << 22)):
        monkeypatch.setattr(scanning, "_STRETCH", stretch)
        ours = encode_corpus(many_types, tokenizer="words", lowercase=True, min_count=2, threads=threads)
        assert_same_corpus(ours, expected)


def test_memory_does_not_matter(many_types, monkeypatch, tmp_path):
    options = {"tokenizer": "words", "lowercase": True}
    expected = encode_corpus(many_types, **options, min_count=2)
    given = ["wört10", "never", "wört20"]
    looked_up = encode_corpus(many_types, **options, vocabulary=given)
    for working in (1 << 16, 1 << 22, 1 << 28):
        monkeypatch.setattr("pmifact.text.files.working_memory", lambda limit, working=working: working)
        assert_same_corpus(encode_corpus(many_types, **options, min_count=2, memory="1GB"), expected)
        scratch = tmp_path / str(working)
        ours = encode_corpus(many_types, **options, vocabulary=given, memory="1GB", scratch=scratch)
        assert_same_corpus(ours, looked_up)
        assert (scratch / "token_ids").stat().st_size == 4 * len(ours.token_ids)


def test_memory_bounds_nothing_but_files():
    with pytest.raises(InputError, match="memory: bounds the reading of files"):
        encode_corpus(iter(["a line"]), memory="1GB")


def test_a_given_vocabulary_is_counted_alike(many_types):
    chosen = ["wört10", "never", "wört20", "wört11"]
    ours, theirs = encode_both(many_types, "words", lowercase=True, vocabulary=chosen)
    assert ours.vocabulary.words == tuple(chosen)
    assert ours.vocabulary.counts[1] == 0 < ours.vocabulary.counts[0]
    assert_same_corpus(ours, theirs)


def test_a_token_of_a_million_bytes(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("a " + "long" * 250_000 + " b", encoding="utf-8")
    ours, theirs = encode_both([path], "whitespace", min_count=1)
    assert len(ours.vocabulary) == 3
    assert_same_corpus(ours, theirs)


@pytest.mark.parametrize("normalize", ["none", "nfc"])
@pytest.mark.parametrize("invalid", [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"])
def test_the_first_invalid_byte_is_named_as_the_plain_way_names_it(tmp_path, monkeypatch, invalid, normalize):
    monkeypatch.setattr(scanning, "_STRETCH", 1_000)
    monkeypatch.setattr("pmifact.text.readers._BLOCK", 100)
    fine = "\ufeff" + "A fine líne.\n" * 500
    path, later = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_bytes(fine.encode() + b"one b" + invalid + b"d\n" + fine.encode() + invalid)
    later.write_bytes(invalid)
    for threads in (1, 3):
        ours, theirs = encode_both([path, later], "words", threads=threads, normalize=normalize)
        assert ours == theirs
        assert f"a.txt, line 501: the byte 0x{invalid[0]:02x} at offset" in ours


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "shift_jis"])
def test_other_encodings(tmp_path, encoding):
    path = tmp_path / "text.txt"
    path.write_bytes(("Grüße aus Köln\r\n" if encoding != "shift_jis" else "日本 の 本\r\n").encode(encoding))
    ours, theirs = encode_both([path], "whitespace", encoding=encoding, min_count=1)
    assert len(ours.vocabulary) == 3
    assert_same_corpus(ours, theirs)


def test_invalid_bytes_can_be_replaced(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"caf\xe9 caf\xe9 \xe2\x82 ok\n")
    ours, theirs = encode_both([path], "whitespace", errors="replace", min_count=1)
    assert "caf\ufffd" in ours.vocabulary
    assert_same_corpus(ours, theirs)


def test_character_classes_leave_nothing_out():
    spaces, letters = character_classes("whitespace"), character_classes("words")
    for code in (*range(0x40000, 0xE0000), *range(0xE1000, 0x110000)):
        character = chr(code)
        assert not character.isspace()
        assert unicodedata.category(character) in ("Cn", "Co"), f"U+{code:X} is not looked at"
    for code in (ord("a"), ord("٣"), 0x301, 0xE0100):
        assert letters[code] == TOKEN
    assert all((spaces[code] == SPACE) == chr(code).isspace() for code in range(0x40000))


def test_a_lexicon_names_what_python_says_of_an_invalid_byte():
    with pytest.raises(InvalidByteError) as caught:
        Lexicon().scan(b"one\ntwo \xe2\x28", character_classes("words"), 0)
    assert caught.value.lines == 1
    assert caught.value.decoding.start == 8


def test_an_interrupt_does_not_wait_for_a_pipe_that_nobody_opens(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode_corpus(pipe, progress=interrupt)
    with pipe.open("wb"):  # so that the thread that waits for it ends
        pass
