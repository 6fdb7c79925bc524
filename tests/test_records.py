"""Files of records against the plainest way: each record as a text of its own, encoded with the others."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import sys
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from pmifact.corpus import encode_corpus
from pmifact.errors import InputError
from pmifact.text.records import input_format_of
from pmifact.text.tokenizers import whitespace, words

PIECES = ["a", "B", "é", "don't", "'", " ", "\n", "\n\n", "\r\n", "\t", "\u2028", "\0", "ﬁ", "\u0301", "´"]
documents = st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=1, max_size=5)


def write_jsonl(path, texts, field="text", **settings):
    lines = (json.dumps({"id": n, field: text, "url": None}, **settings) for n, text in enumerate(texts))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def write_parquet(path, texts, field="text", kind=None):
    table = pa.table({"id": list(range(len(texts))), field: pa.array(texts, kind or pa.string())})
    parquet.write_table(table, path, row_group_size=2)
    return path


def outcome(source, **options):
    """Return the corpus as lists of words a sentence, or the error."""
    try:
        corpus = encode_corpus(source, min_count=1, **options)
    except InputError as error:
        return str(error).partition(": ")[2]  # without the names of the files
    words = np.append(np.array(corpus.vocabulary.words, object), None)[corpus.token_ids]
    bounds = corpus.sentence_starts
    return [words[a:b].tolist() for a, b in pairwise(bounds)]


@given(
    texts=documents,
    tokenizer=st.sampled_from(["whitespace", "words"]),
    normalize=st.sampled_from(["none", "nfc", "nfkc"]),
    boundary=st.sampled_from(["line", "blank", "none"]),
    ascii_only=st.booleans(),
)
def test_each_record_is_encoded_as_a_file_of_its_own(
    tmp_path_factory, texts, tokenizer, normalize, boundary, ascii_only
):
    folder = tmp_path_factory.mktemp("records")
    options = {"normalize": normalize, "boundary": boundary, "lowercase": True}
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"{number}.txt")
        files[-1].write_bytes(text.encode())
    expected = outcome(files, tokenizer=tokenizer, **options)
    lines = write_jsonl(folder / "x.jsonl", texts, ensure_ascii=ascii_only)
    columns = write_parquet(folder / "x.parquet", texts)
    for path in (lines, columns):
        with patch("pmifact.text.readers._BLOCK", 7), patch("pmifact.text.parquet._ROWS", 1):
            assert outcome(path, tokenizer=tokenizer, **options) == expected
            plain = {"whitespace": whitespace, "words": words}[tokenizer]
            assert outcome(path, tokenizer=plain, **options) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x.jsonl", "jsonl"),
        ("x.JSONL.gz", "jsonl"),
        ("x.ndjson.zst", "jsonl"),
        ("dir.conllu/x.json", "jsonl"),
        ("x.conllu.xz", "conllu"),
        ("x.parquet", "parquet"),
        ("x.conllu/wiki_00", "text"),
        ("x.jsonl.txt", "text"),
        ("x.gz", "text"),
        (".jsonl", "text"),
        ("-", "text"),
    ],
)
def test_the_name_tells_the_format_and_the_option_overrides_it(name, expected):
    assert input_format_of(name, "auto") == expected
    assert input_format_of(name, "conllu") == "conllu"


@pytest.mark.parametrize(
    ("ending", "compress"),
    [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress), ("", lambda data: data)],
)
def test_compressed_records_and_other_fields(tmp_path, ending, compress):
    plain = write_jsonl(tmp_path / "plain", ["a b", "c"], field="body").read_bytes()
    path = tmp_path / f"x.jsonl.{ending}".rstrip(".")
    path.write_bytes(b"\xef\xbb\xbf" + compress(plain) if not ending else compress(plain))
    assert outcome(path, field="body") == [["a", "b"], ["c"]]


def test_formats_of_text_may_stand_together_and_all_are_named_as_sources(tmp_path):
    write_jsonl(tmp_path / "a.jsonl", ["x y"])
    write_parquet(tmp_path / "b.parquet", ["y z"])
    (tmp_path / "c.txt").write_text("z x\n", encoding="utf-8")
    corpus = encode_corpus(tmp_path, min_count=1)
    assert corpus.vocabulary.words == ("x", "y", "z")
    assert corpus.sentence_starts.tolist() == [0, 2, 4, 6]
    assert corpus.options.input_format == "auto"
    for source in corpus.sources:
        with open(source.name, "rb") as file:
            data = file.read()
        assert (source.size, source.sha256) == (len(data), hashlib.sha256(data).hexdigest())


def test_records_are_read_from_standard_input(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(b'{"text": "a b"}\n\n  \n{"text": "c"}'))
    monkeypatch.setattr(sys, "stdin", stream)
    assert outcome("-", input_format="jsonl") == [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "x.jsonl, line 2: expected a JSON object, got '{': .* at character 2"),
        ("[1]", "x.jsonl, line 2: expected a JSON object with the field 'text', got '\\[1\\]'"),
        ('{"title": "a"}', "line 2: expected the field 'text', got 'title'; name another with --field"),
        ("{}", "line 2: expected the field 'text', got no field"),
        ('{"text": null}', "line 2: expected text in the field 'text', got null"),
        ('{"text": ["a"]}', r'line 2: expected text in the field \'text\', got \["a"\]'),
        ('{"text": "\\ud800"}', r"line 2: the field 'text' holds the lone surrogate '\\ud800'"),
        ("[" * 100_000, "line 2: expected a JSON object, got"),
        ("1" * 5_000, "line 2: expected a JSON object, got"),
    ],
)
@pytest.mark.parametrize("tokenizer", ["words", words])
def test_a_malformed_line_is_named(tmp_path, line, message, tokenizer):
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "a b"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        encode_corpus(path, tokenizer=tokenizer, min_count=1)


def test_lone_surrogates_can_be_replaced_and_pairs_are_characters(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "a\\ud800 \\ud83d\\ude00"}\n', encoding="utf-8")
    assert outcome(path, errors="replace") == [["a\ufffd", "\U0001f600"]]


def test_an_invalid_byte_is_named_by_its_line(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"text": "a"}\n{"text": "\xff"}\n')
    with pytest.raises(InputError, match=r"x.jsonl, line 2: the byte 0xff at offset 24"):
        encode_corpus(path, min_count=1)


def test_a_token_that_a_tokenizer_gives_wrongly_is_named_by_record_and_line(tmp_path):
    path = write_jsonl(tmp_path / "x.jsonl", ["a", "b\nc,d e"])
    with pytest.raises(InputError, match=r"x.jsonl, line 2, line of its text 2: the token 'd e' holds white"):
        encode_corpus(path, tokenizer=lambda line: line.split(","), min_count=1)


# CoNLL-U

SENTENCES = """# sent_id = 1
# text = Vámonos al mar
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
2.1\tx\tx\tX\t_\t_\t_\t_\t_\t_
3\t10 000\t10\u00a0000\tNUM\t_\t_\t1\tobl\t_\tSpaceAfter=No

# sent_id = 2
1\t_\t_\tPUNCT\t_\t_\t0\troot\t_\t_

"""


def conllu(tmp_path, text=SENTENCES):
    path = tmp_path / "x.conllu"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("form", [["Vamos", "nos", "10_000"], ["_"]]),
        ("lemma", [["ir", "nosotros", "10_000"], ["_"]]),
        ("upos", [["VERB", "PRON", "NUM"], ["PUNCT"]]),
    ],
)
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_syntactic_words_of_annotated_sentences(tmp_path, column, expected, block):
    for text in (SENTENCES, SENTENCES.rstrip("\n"), SENTENCES.replace("\n", "\r\n")):
        path = conllu(tmp_path, text)
        with patch("pmifact.text.readers._BLOCK", block):
            assert outcome(path, column=column) == expected
    corpus = encode_corpus(path, column=column, min_count=1)
    assert (corpus.options.tokenizer, corpus.options.column) == ("cut", column)


def test_normalization_neither_cuts_nor_joins_annotated_words(tmp_path):
    path = conllu(tmp_path, "".join(f"{n}\t{form}" + "\t_" * 8 + "\n" for n, form in enumerate("´ﬁ ", 1)))
    assert outcome(path, normalize="nfkc") == [["_\u0301", "fi", "_"]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 a", "x.conllu, line 14: expected 10 columns with tabs between them, got 1"),
        ("2\ta" + "\t_" * 8, "line 14: expected word 1 of the sentence, got '2'"),
        ("x\ta" + "\t_" * 8, "line 14: expected the id of a word, as 1, 1-2 or 1.1, got 'x'"),
        ("1\t" + "\t_" * 8, "line 14: the word '' has no form; name another with --column"),
    ],
)
def test_a_malformed_annotation_is_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        encode_corpus(conllu(tmp_path, SENTENCES + "\n\n" + line + "\n"), min_count=1)


def test_a_missing_annotation_is_named(tmp_path):
    path = conllu(tmp_path, "1\ta" + "\t_" * 8 + "\n")
    for column in ("lemma", "upos"):
        with pytest.raises(InputError, match=f"line 1: the word 'a' has no {column}; name another"):
            encode_corpus(path, column=column, min_count=1)


def test_a_treebank(shared_data):
    path = shared_data / "odd/conllu/de_pud-ud-test.conllu"
    plain = [
        [line.split("\t")[1] for line in block.split("\n") if line.split("\t")[0].isdigit()]
        for block in path.read_text(encoding="utf-8").strip().split("\n\n")
    ]
    assert len(plain) == 1_000
    assert outcome(path) == [[word.replace(" ", "_") for word in sentence] for sentence in plain]


# Parquet


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())], ids=str
)
def test_columns_of_text(tmp_path, kind):
    seen = []
    path = write_parquet(tmp_path / "x.parquet", ["a b", "c", "a b"], field="body", kind=kind)
    corpus = encode_corpus(path, field="body", min_count=1, progress=lambda *amounts: seen.append(amounts))
    assert corpus.token_ids.tolist() == [0, 1, 2, 0, 1]
    assert all(done <= total == path.stat().st_size for done, total in seen)


def test_what_is_not_text_is_refused(tmp_path):
    path = write_parquet(tmp_path / "x.parquet", ["a", None])
    with pytest.raises(InputError, match=r"x.parquet, row 2: expected text in the column 'text', got null"):
        encode_corpus(path, min_count=1)
    with pytest.raises(InputError, match="expected one column 'body', got 'id', 'text'; name one with --fie"):
        encode_corpus(path, field="body", min_count=1)
    with pytest.raises(InputError, match="expected text in the column 'id', got int64"):
        encode_corpus(path, field="id", min_count=1)


def test_damaged_and_missing_files_are_refused(tmp_path):
    path = write_parquet(tmp_path / "x.parquet", ["a b c"] * 100)
    data = path.read_bytes()
    for damaged in (b"", b"text", data[: len(data) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"x.parquet: not a whole Parquet file"):
            encode_corpus(path, min_count=1)
    with pytest.raises(InputError, match="standard input: Parquet is read from its end"):
        encode_corpus("-", input_format="parquet")


def test_a_missing_pyarrow_is_named_with_its_remedy(tmp_path, monkeypatch):
    path = write_parquet(tmp_path / "x.parquet", ["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"needs pyarrow; install it with: pip install 'pmifact\[parquet\]'"):
        encode_corpus(path, min_count=1)


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"field": "body"}, "field: has no effect on text files"),
        ({"column": "lemma"}, "column: has no effect on text files"),
        ({"input_format": "jsonl", "column": "upos"}, "column: has no effect on jsonl files"),
        ({"input_format": "conllu", "field": "body"}, "field: has no effect on conllu files"),
        ({"input_format": "conllu", "tokenizer": "words"}, "tokenizer: has no effect on conllu files"),
        ({"input_format": "conllu", "tokenizer": whitespace}, "tokenizer: has no effect on conllu files"),
        ({"input_format": "conllu", "boundary": "none"}, "boundary: has no effect on conllu files"),
        ({"input_format": "csv"}, "input_format: expected one of auto, text, jsonl, conllu, parquet"),
        ({"column": "xpos"}, "column: expected one of form, lemma, upos"),
        ({"field": ""}, "field: expected the name of a field, got ''"),
    ],
)
def test_options_without_effect_are_refused(tmp_path, options, message):
    path = tmp_path / "x.txt"
    path.write_text("a b\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        encode_corpus(path, min_count=1, **options)


def test_records_are_for_files_and_annotated_text_stands_alone(tmp_path):
    for option in ({"input_format": "jsonl"}, {"field": "body"}, {"column": "upos"}):
        with pytest.raises(InputError, match="has no effect on lines"):
            encode_corpus(iter(["a"]), **option)
    (tmp_path / "y.txt").write_text("a\n", encoding="utf-8")
    with pytest.raises(InputError, match="CoNLL-U is cut into tokens already and other text is not"):
        encode_corpus([conllu(tmp_path), tmp_path / "y.txt"])
