"""Inputs to lines, against Python's own decoding of the whole file at once."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import re
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xopen import xopen

from pmifact.errors import InputError
from pmifact.text import readers
from pmifact.text.readers import Source, TextInput, check_encoding

HOSTILE = "ab é\n\n\r\r\0\t\f\v\x1c\x85\xa0\u2028\u2029\u200b\ufeff\u0301ßİЖカ語कि\U0001f600\U0001d400"
ENCODINGS = [
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "latin-1",
    "cp1252",
    "shift_jis",
]
ENCODINGS += ["gb18030", "iso2022_jp", "euc_kr"]
WRITERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

pieces = st.sampled_from([*HOSTILE, "\r\n", "\n\r\n"]) | st.characters(exclude_categories=["Cs"])
hostile_text = st.lists(pieces, max_size=60).map("".join)
not_compressed = st.binary(max_size=60).filter(lambda data: not data.startswith(tuple(readers._MAGIC)))
block_sizes = st.sampled_from([1, 2, 3, 7, 1 << 20])


def lines_of(path, **options):
    with TextInput(str(path), **options) as text:
        return [line for block in text for line in block], text.source


def expected_lines(text):
    """The rule of the specification, on the whole text at once."""
    *lines, rest = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return [*lines, rest] if rest else lines


def compressed(path, data):
    with xopen(path, "wb", threads=0) as file:
        file.write(data)
    return path.read_bytes()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("readers") / "text.txt"


# Lines


@given(hostile_text, block_sizes, st.sampled_from(ENCODINGS))
def test_lines_are_those_of_the_whole_text(file, text, block, encoding):
    data = text.encode(encoding, "replace")
    file.write_bytes(data)
    with patch.object(readers, "_BLOCK", block):
        lines, source = lines_of(file, encoding=encoding)
    assert lines == expected_lines(data.decode(encoding))
    assert source == Source(str(file), len(data), hashlib.sha256(data).hexdigest())


@given(not_compressed, block_sizes, st.sampled_from(["utf-8", "utf-16-be", "shift_jis", "cp1252"]))
def test_errors_replace_decodes_as_python_does(file, data, block, encoding):
    file.write_bytes(data)
    with patch.object(readers, "_BLOCK", block):
        lines, _ = lines_of(file, encoding=encoding, errors="replace")
    assert lines == expected_lines(data.decode(encoding, "replace"))


def test_only_a_newline_ends_a_line_and_takes_one_carriage_return(tmp_path):
    path = tmp_path / "x"
    path.write_bytes("a\r\r\nb\rc\n\r\nd\x0b\x0c\x1c\x85\u2028e\r".encode())
    assert lines_of(path)[0] == ["a\r", "b\rc", "", "d\x0b\x0c\x1c\x85\u2028e\r"]


def test_an_empty_file_has_no_lines(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"")
    assert lines_of(path) == ([], Source(str(path), 0, hashlib.sha256(b"").hexdigest()))


def test_byte_order_mark_is_dropped_only_at_the_start(tmp_path):
    path = tmp_path / "x"
    path.write_bytes("\ufeffa\n\ufeffb".encode())
    assert lines_of(path)[0] == ["a", "\ufeffb"]


def test_a_line_longer_than_many_blocks_is_whole(tmp_path):
    path = tmp_path / "x"
    path.write_text("é" * 50_000 + "\nb\n", encoding="utf-8")
    with patch.object(readers, "_BLOCK", 11):
        assert lines_of(path)[0] == ["é" * 50_000, "b"]


def test_blocks_arrive_while_the_file_is_read(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"ab\n" * 100)
    with patch.object(readers, "_BLOCK", 30), TextInput(str(path)) as text:
        read = [text.bytes_read for _ in text]
    assert read == sorted(read)
    assert len(set(read)) > 5
    assert read[-1] == 300


# Invalid bytes


@given(not_compressed, block_sizes, st.sampled_from(["utf-8", "utf-16-be", "utf-16-le", "cp1252"]))
def test_invalid_byte_is_placed_where_python_places_it(file, data, block, encoding):
    check_place(file, data, block, encoding)


@given(hostile_text, hostile_text, st.sampled_from([b"\xff", b"\xfd\x20", b"\x80", b"\xe9"]), block_sizes)
def test_invalid_byte_inside_text_is_placed(file, before, after, bad, block):
    for encoding in ("utf-8", "shift_jis", "euc_kr"):
        check_place(
            file,
            before.encode(encoding, "replace") + bad + after.encode(encoding, "replace"),
            block,
            encoding,
        )


def check_place(file, data, block, encoding):
    file.write_bytes(data)
    with patch.object(readers, "_BLOCK", block):
        try:
            data.decode(encoding)
        except UnicodeDecodeError as error:
            before = data[: error.start].decode(encoding)
            with pytest.raises(InputError) as caught:
                lines_of(file, encoding=encoding)
            said = re.search(
                r"line (\d+): the byte 0x(..) at offset (\d+) is not valid (\S+) \(", str(caught.value)
            )
            assert said is not None, caught.value
            line, byte, offset, name = said.groups()
            expected = (before.count("\n") + 1, error.object[error.start], error.start, encoding)
            assert (int(line), int(byte, 16), int(offset), name) == expected
        else:
            assert lines_of(file, encoding=encoding)[0] == expected_lines(data.decode(encoding))


@given(not_compressed, block_sizes)
def test_invalid_byte_after_a_byte_order_mark_is_placed(file, data, block):
    check_place(file, b"\xff\xfe" + data, block, "utf-16")
    check_place(file, b"\xfe\xff" + data, block, "utf-16")


def test_utf_16_needs_its_mark(tmp_path):
    path = tmp_path / "x"
    path.write_bytes("ab".encode("utf-16-le"))
    with pytest.raises(InputError, match="x: not valid utf-16: UTF-16 stream does not start with BOM"):
        lines_of(path, encoding="utf-16")


def test_invalid_byte_message_names_file_line_offset_and_remedy(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\ntwo\nca\xe9\n")
    with pytest.raises(InputError) as caught:
        lines_of(path)
    assert str(caught.value) == (
        f"{path}, line 3: the byte 0xe9 at offset 10 is not valid utf-8 (invalid continuation byte); name "
        "the file's encoding with --encoding, or put U+FFFD in the place of such bytes with --errors replace"
    )


def test_offset_of_a_compressed_file_is_that_of_its_text(tmp_path):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"word\n" * 500_000 + b"\xff"))
    with pytest.raises(InputError, match=r"line 500001: the byte 0xff at offset 2500000 "):
        lines_of(path)


@pytest.mark.parametrize("encoding", ["rot13", "hex", "zip", "nonsense", "undefined", "a\0b", "", None, 8])
def test_what_is_no_text_encoding_is_refused(encoding):
    with pytest.raises(InputError, match=r"^encoding: expected the name of a text encoding"):
        check_encoding(encoding)
    with pytest.raises(InputError, match=r"^encoding"):
        TextInput("anything", encoding=encoding)


def test_an_error_without_a_place_still_names_the_file(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"xn--\xff.com")
    with pytest.raises(InputError, match=r"x: not valid idna|x, line 1"):
        lines_of(path, encoding="idna")


# Compression


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
class TestCompression:
    text = b"the cat sat\nand the dog\n" * 2_000 + bytes(range(33, 127))

    def test_reads_by_name_and_by_content(self, tmp_path, ending):
        data = compressed(tmp_path / f"x{ending}", self.text)
        for name in (f"x{ending}", f"x{ending.upper()}", "x.txt", "x"):
            path = tmp_path / name
            path.write_bytes(data)
            lines, source = lines_of(path)
            assert lines == expected_lines(self.text.decode())
            assert source == Source(str(path), len(data), hashlib.sha256(data).hexdigest())

    def test_streams_one_after_another_are_one_text(self, tmp_path, ending):
        path = tmp_path / f"x{ending}"
        path.write_bytes(compressed(path, self.text) * 3)
        assert lines_of(path)[0] == expected_lines((self.text * 3).decode())

    @pytest.mark.parametrize("kept", [0, 1, 3, 20, -1])
    def test_truncated(self, tmp_path, ending, kept):
        path = tmp_path / f"x{ending}"
        path.write_bytes(compressed(path, self.text)[:kept])
        with pytest.raises(InputError, match=rf"x\{ending}: not a whole \{ending} file: "):
            lines_of(path)

    def test_second_stream_truncated(self, tmp_path, ending):
        path = tmp_path / f"x{ending}"
        data = compressed(path, self.text)
        path.write_bytes(data + data[:10])
        with pytest.raises(InputError, match="not a whole"):
            lines_of(path)

    def test_second_stream_with_a_damaged_head_is_not_left_out(self, tmp_path, ending):
        path = tmp_path / f"x{ending}"
        data = compressed(path, self.text)
        path.write_bytes(data + b"\0\1" + data[2:])
        with pytest.raises(InputError, match="not a whole"):
            lines_of(path)

    def test_what_is_not_compressed_is_refused(self, tmp_path, ending):
        path = tmp_path / f"x{ending}"
        path.write_bytes(self.text)
        with pytest.raises(InputError, match="not a whole"):
            lines_of(path)

    def test_a_flipped_bit_is_never_a_traceback(self, tmp_path, ending):
        path = tmp_path / f"x{ending}"
        data = compressed(path, self.text)
        for place in range(0, len(data), 1 + len(data) // 60):
            damaged = bytearray(data)
            damaged[place] ^= 0x10
            path.write_bytes(damaged)
            try:
                lines, _ = lines_of(path)
            except InputError:
                continue
            # A .zst file as written here carries no checksum; the others find every change of the text.
            assert ending == ".zst" or lines == expected_lines(self.text.decode())


def test_a_text_that_begins_like_bzip2_is_text(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"BZh9 is no magic\n")
    assert lines_of(path)[0] == ["BZh9 is no magic"]


# Standard input and what cannot be opened


def test_standard_input_is_read_as_bytes(monkeypatch):
    data = "é\r\nb".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    lines, source = lines_of("-")
    assert lines == ["é", "b"]
    assert source == Source("standard input", len(data), hashlib.sha256(data).hexdigest())
    assert not sys.stdin.buffer.closed


def test_compressed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a\nb"))))
    assert lines_of("-")[0] == ["a", "b"]


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is not open"):
        lines_of("-")


def test_standard_input_errors_name_it(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n\xff")))
    with pytest.raises(InputError, match=r"^standard input, line 2: the byte 0xff at offset 2 "):
        lines_of("-")


def test_a_directory_cannot_be_opened(tmp_path):
    with pytest.raises(InputError, match="cannot be opened: "):
        TextInput(str(tmp_path))


def test_a_file_that_went_away_cannot_be_opened(tmp_path):
    with pytest.raises(InputError, match=r"x: cannot be opened: No such file"):
        TextInput(str(tmp_path / "x"))


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_a_file_that_cannot_be_read():
    with pytest.raises(InputError, match=r"/proc/self/mem: cannot be opened: "):
        lines_of("/proc/self/mem")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"a")
    path.chmod(0)
    with pytest.raises(InputError, match="cannot be opened: Permission denied"):
        TextInput(str(path))


def test_the_file_is_closed_after_an_error(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\xff")
    with pytest.raises(InputError), TextInput(str(path)) as text:
        list(text)
    with pytest.raises(ValueError, match="closed"):
        text._stored.read(1)


def test_a_name_that_is_not_utf8_can_be_shown(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(path)).write_bytes(b"a")
    lines, source = lines_of(os.fsdecode(path))
    assert lines == ["a"]
    assert source.name == f"{tmp_path}/\\xff"


# Odd files


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("German_Deutsch-Latin1", "latin-1"),
        ("Hungarian_Magyar-Unicode", "utf-16"),
        ("Japanese_Nihongo-SJIS", "shift_jis"),
        ("de_pud_sentences.txt", "utf-8"),
        ("hi_pud_sentences.txt", "utf-8"),
        ("lee_background.cor", "utf-8"),
        ("head500.noblanks.cor.bz2", "utf-8"),
        ("vecto_sense_small.txt.gz", "utf-8"),
        ("vecto_sense_small.txt.xz", "utf-8"),
    ],
)
def test_odd_files(shared_data, name, encoding):
    path = shared_data / "odd" / "text" / name
    openers = {".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}
    with openers.get(path.suffix, open)(path, "rb") as file:
        text = file.read().decode(encoding, "replace")
    with patch.object(readers, "_BLOCK", 4_099):
        assert lines_of(path, encoding=encoding, errors="replace")[0] == expected_lines(text)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("German_Deutsch-Latin1", "line 1: the byte 0xe4 at offset 19 "),
        ("Hungarian_Magyar-Unicode", "line 1: the byte 0xff at offset 0 "),
        ("Japanese_Nihongo-SJIS", "line 1: the byte 0x81 at offset 0 "),
    ],
)
def test_odd_files_in_the_wrong_encoding(shared_data, name, place):
    with pytest.raises(InputError, match=f"{name}, {place}is not valid utf-8"):
        lines_of(shared_data / "odd" / "text" / name)


def test_an_odd_file_that_ends_in_the_middle_of_a_character(shared_data):
    with pytest.raises(InputError, match="the byte 0x65 at offset 9998 is not valid utf-16"):
        lines_of(shared_data / "odd" / "text" / "Hungarian_Magyar-Unicode", encoding="utf-16")
