"""Text to token ids: `EncodedCorpus` and the function that makes one."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError
from pmifact.notebook import count_of, html_table
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.text.cutting import chained, number_files, number_lines, split_items
from pmifact.text.files import encode_files
from pmifact.text.numbering import Numbering
from pmifact.text.readers import Source, check_encoding, expand_inputs
from pmifact.text.records import COLUMNS, INPUT_FORMATS, NORMALIZERS, RecordOptions, input_format_of
from pmifact.text.scanning import ScanOptions
from pmifact.text.tokenizers import TOKENIZERS, Tokenizer, named_tokenizer
from pmifact.text.words import WordOptions, check_tokens, excluded_words, fingerprint_of, given_words
from pmifact.vocabulary import Vocabulary

NORMALIZATIONS = ("none", *NORMALIZERS)
BOUNDARIES = ("line", "blank", "none")
DECODING_ERRORS = ("strict", "replace")
CUT = "cut"  # the tokenizer of a corpus whose tokens came cut already

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True, kw_only=True)
class EncodeOptions:
    """How text becomes token ids (specification, section 1); saved with the corpus.

    `tokenizer` is ``whitespace``, ``words``, ``cut`` for text that came as lists of tokens or as CoNLL-U, or
    ``python:module.name`` for a function of the caller's. `exclude` is the SHA-256 (hex) of the words that
    were excluded, sorted and joined by newlines.
    """

    tokenizer: str = "whitespace"
    lowercase: bool = False
    normalize: str = "none"
    boundary: str = "line"
    min_count: int = 5
    max_vocab: int | None = None
    exclude: str | None = None
    encoding: str = "utf-8"
    errors: str = "strict"
    input_format: str = "auto"
    field: str = "text"
    column: str = "form"
    given_vocabulary: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.tokenizer, str) and self.tokenizer.startswith("python:")):
            check_choice("tokenizer", self.tokenizer, (*TOKENIZERS, CUT))
        for name in ("lowercase", "given_vocabulary"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name}: expected True or False, got {getattr(self, name)!r}")
        check_choice("normalize", self.normalize, NORMALIZATIONS)
        check_choice("boundary", self.boundary, BOUNDARIES)
        check_integer("min_count", self.min_count, least=1)
        object.__setattr__(self, "min_count", int(self.min_count))
        if self.max_vocab is not None:
            check_integer("max_vocab", self.max_vocab, least=1)
            object.__setattr__(self, "max_vocab", int(self.max_vocab))
            if self.given_vocabulary:
                raise InputError(
                    "max_vocab: has no effect on a given vocabulary, which keeps its words; leave one out"
                )
        if self.exclude is not None and not re.fullmatch("[0-9a-f]{64}", self.exclude):
            raise InputError(f"exclude: expected the SHA-256 of words, got {self.exclude!r:.80}")
        check_encoding(self.encoding)
        check_choice("errors", self.errors, DECODING_ERRORS)
        check_choice("input_format", self.input_format, INPUT_FORMATS)
        if not isinstance(self.field, str) or not self.field:
            raise InputError(f"field: expected the name of a field, got {self.field!r}")
        check_choice("column", self.column, COLUMNS)


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A corpus as token ids.

    Parameters
    ----------
    vocabulary : Vocabulary
        V words.
    token_ids : ndarray of int32, shape (N,)
        Word ids in text order; -1 is an out-of-vocabulary token.
    sentence_starts : ndarray of int64, shape (S + 1,)
        Sentence s is ``token_ids[sentence_starts[s]:sentence_starts[s + 1]]``; strictly increasing,
        the first is 0, the last is N.
    options : EncodeOptions
        How the text was encoded.
    sources : tuple of Source
        The inputs that were read, in order; empty when the text did not come from files.

    Raises
    ------
    InputError
        If an array has another dtype or shape, or the sentences do not span the tokens.
    """

    vocabulary: Vocabulary
    token_ids: NDArray[np.int32]
    sentence_starts: NDArray[np.int64]
    options: EncodeOptions = field(default_factory=EncodeOptions)
    sources: tuple[Source, ...] = ()

    def __post_init__(self) -> None:
        for name, dtype in (("token_ids", np.int32), ("sentence_starts", np.int64)):
            values = getattr(self, name)
            if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
                got = (
                    f"{values.dtype} of shape {values.shape}"
                    if isinstance(values, np.ndarray)
                    else type(values)
                )
                raise InputError(f"{name}: expected a one-dimensional array of {np.dtype(dtype)}, got {got}")
        starts = self.sentence_starts
        if not len(starts) or starts[0] != 0 or starts[-1] != len(self.token_ids):
            raise InputError(
                f"sentence_starts: expected to begin with 0 and to end with {len(self.token_ids)} tokens, "
                f"got {starts[[0, -1]].tolist() if len(starts) else 'no entry'}"
            )

    def __repr__(self) -> str:
        return (
            f"EncodedCorpus({count_of(len(self.vocabulary), 'word')}, "
            f"{count_of(len(self.token_ids), 'token')}, "
            f"{count_of(len(self.sentence_starts) - 1, 'sentence')})"
        )

    def _repr_html_(self) -> str:
        facts = [(name.replace("_", " "), value) for name, value in vars(self.options).items()]
        return html_table(repr(self), facts)


def encode_corpus(
    source: Paths | Iterable[str] | Iterable[Iterable[str]],
    *,
    tokenizer: str | Tokenizer = "whitespace",
    lowercase: bool = False,
    normalize: str = "none",
    boundary: str = "line",
    min_count: int = 5,
    max_vocab: int | None = None,
    vocabulary: Vocabulary | Sequence[str] | None = None,
    exclude: Vocabulary | Iterable[str] | None = None,
    encoding: str = "utf-8",
    errors: str = "strict",
    input_format: str = "auto",
    field: str = "text",
    column: str = "form",
    memory: int | str | None = None,
    scratch: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> EncodedCorpus:
    r"""Cut text into tokens and number them, in one pass.

    Parameters
    ----------
    source : path, list or tuple of paths, iterable of lines, or iterable of token lists
        A str or PathLike, or a *list or tuple* of these, names files, directories, globs or ``-``
        (standard input), as `pmifact.text.readers.expand_inputs` describes. Strings from any *other* iterable
        (an open text file, a generator, ``iter(lines)``) are lines; inside one, ``\n`` ends a line as in
        a file. Iterables of tokens (a list of lists, say) are sentences that are cut already, so
        `tokenizer` and `boundary` must be left alone; `encoding`, `errors`, `input_format`, `field` and
        `column` are for files only.
    tokenizer : {"whitespace", "words"} or callable
        See `pmifact.text.tokenizers`. A callable takes a line and gives its tokens.
    lowercase : bool
        Lower-case each token (`str.lower`) after the line is cut.
    normalize : {"none", "nfc", "nfkc"}
        Unicode normalisation of each line before it is cut.
    boundary : {"line", "blank", "none"}
        A sentence is a line; or the lines up to one that holds nothing but white space; or a whole input.
        No sentence goes on from one file to the next, nor from one record to the next in a file of records,
        and one without tokens is dropped.
    min_count : int
        Rarer words are out of vocabulary.
    max_vocab : int, optional
        Keep at most so many words, the most frequent.
    vocabulary : Vocabulary or sequence of str, optional
        Take these words in this order, whatever their counts; `min_count` does not apply. The counts of
        the result are those of this text, and may be 0.
    exclude : Vocabulary or iterable of str, optional
        Words that are out of vocabulary whatever their counts, of a given vocabulary too; as they stand
        after lower-casing. Stop words, say.
    encoding, errors : str
        How files are decoded: any text encoding of Python; ``strict`` or ``replace``. Parquet is UTF-8.
    input_format : {"auto", "text", "jsonl", "conllu", "parquet"}
        What files hold; ``auto`` goes by how their names end (.jsonl, .ndjson, .json; .conllu; .parquet; else
        text), before the ending of a compressed one. JSON Lines and Parquet hold a document a record. The
        sentences and tokens of CoNLL-U are as annotated, so `tokenizer` and `boundary` must be left alone and
        no other files come with it; multiword tokens (1-2) and empty nodes (1.1) are left out in favour of
        the syntactic words, and white space inside a word becomes ``_``.
    field : str
        The field of JSON objects, or the column of Parquet files, that holds the text.
    column : {"form", "lemma", "upos"}
        The column of CoNLL-U that holds the tokens.
    memory : int or str, optional
        Bound on the anonymous memory of the whole process, in bytes or as in ``4GB``; at least 256MB. The
        arrays of the result are then mapped from files. For files and a built-in tokenizer only.
    scratch : path, optional
        Folder for these files, which the caller removes when the result is no longer needed; left out, it
        is a temporary one that takes no care.
    threads : int, optional
        Threads to use for files and a built-in tokenizer, all cores when not given; the result does not
        depend on it. Anything else is cut by one thread.
    progress : Progress
        Told the bytes of input read, as stored, and their total (0 when unknown); for files only.

    Returns
    -------
    EncodedCorpus
        Words in descending order of count, ties in code-point order; out-of-vocabulary tokens are -1.

    Raises
    ------
    InputError
        If an option cannot be used or does not apply to this source, an input cannot be read, a token is
        not a str, is empty or holds white space or a lone surrogate, there is no token, or no word that is
        not excluded reaches `min_count`.
    """
    kind, items = _kind(source)
    excluded = excluded_words(exclude)
    options = EncodeOptions(
        tokenizer=_tokenizer_name(tokenizer, kind),
        lowercase=lowercase,
        normalize=normalize,
        boundary=boundary,
        min_count=min_count,
        max_vocab=max_vocab,
        exclude=None if exclude is None else fingerprint_of(excluded),
        encoding=encoding,
        errors=errors,
        input_format=input_format,
        field=field,
        column=column,
        given_vocabulary=vocabulary is not None,
    )
    if kind == "path":
        hint = "; to encode lines of text, give an iterator of them, as iter(lines)"
        items = expand_inputs(items, hint=hint)
        options = _fitting(options, {input_format_of(path, input_format) for path in items})
    _refuse_unused(kind, options)
    limit = parse_memory(memory)
    words = WordOptions(
        lowercase=lowercase,
        min_count=min_count,
        max_vocab=max_vocab,
        exclude=excluded,
        given=None if vocabulary is None else given_words(vocabulary, excluded),
    )
    if kind == "path" and isinstance(tokenizer, str):
        how = ScanOptions(**{name: getattr(options, name) for name in ScanOptions.__dataclass_fields__})
        files = encode_files(
            list(items),
            how,
            words,
            limit=limit,
            scratch=scratch,
            threads=resolve_threads(threads),
            progress=progress,
        )
        return EncodedCorpus(files.vocabulary, files.token_ids, files.sentence_starts, options, files.sources)
    if limit is not None:
        raise InputError("memory: bounds the reading of files with a built-in tokenizer only; leave it out")
    cut = named_tokenizer(tokenizer) if isinstance(tokenizer, str) else tokenizer
    numbering, sources = _number(kind, items, cut, options, progress)
    return _corpus_of(numbering, words, options, sources)


def _number(
    kind: str,
    items: Iterable[Any],
    cut: Callable[[str], Iterable[str]],
    options: EncodeOptions,
    progress: Progress,
) -> tuple[Numbering, Sequence[Source]]:
    """Give numbers to the tokens that Python cuts, or has cut; return them and the files that were read."""
    normal = NORMALIZERS.get(options.normalize)
    lower = str.lower if options.lowercase else None
    if kind == "token list":
        numbering = Numbering(chained(normal, lower), trusted=False)
        for number, tokens in enumerate(items, 1):
            numbering.add(tokens, "token list ", number)
            numbering.end_sentence()
        return numbering, ()
    numbering = Numbering(lower, trusted=options.tokenizer in TOKENIZERS)
    number_text = partial(number_lines, numbering, chained(normal, cut) or cut, options.boundary)
    if kind == "line":
        number_text("line ", split_items(items))
        return numbering, ()
    # The text is normalized with its lines.
    taken = RecordOptions(
        field=options.field,
        column=options.column,
        normalize="none",
        encoding=options.encoding,
        errors=options.errors,
    )
    return numbering, number_files(list(items), number_text, options.input_format, taken, progress)


def _corpus_of(
    numbering: Numbering, words: WordOptions, options: EncodeOptions, sources: Sequence[Source]
) -> EncodedCorpus:
    check_tokens(numbering.n_tokens, [source.name for source in sources])
    if words.given is not None:
        chosen, token_ids = numbering.look_up(words.given)
    else:
        chosen, token_ids = numbering.choose(
            min_count=words.min_count, max_vocab=words.max_vocab, exclude=words.exclude
        )
    return EncodedCorpus(chosen, token_ids, numbering.sentence_starts(), options, tuple(sources))


def _kind(source: object) -> tuple[str, Iterable[Any]]:
    """Tell what the items of a source are: each a "path", a "line" or a "token list"."""
    if isinstance(source, str | os.PathLike):
        return "path", [source]
    if isinstance(source, bytes | bytearray | memoryview) or not isinstance(source, Iterable):
        raise InputError(
            f"source: expected paths, an iterable of lines or one of token lists, got {source!r:.80}"
        )
    items = iter(source)
    nothing = object()
    first = next(items, nothing)
    if first is nothing:
        raise InputError("source: there is nothing in it; expected paths, lines or token lists")
    if isinstance(source, list | tuple) and isinstance(first, str | os.PathLike):
        return "path", source
    if isinstance(first, os.PathLike):
        raise InputError("source: to read files give their paths in a list, not in another iterable")
    return "line" if isinstance(first, str) else "token list", chain([first], items)


def _tokenizer_name(tokenizer: object, kind: str) -> str:
    """Return what the options remember of a tokenizer."""
    if isinstance(tokenizer, str):
        check_choice("tokenizer", tokenizer, TOKENIZERS)
        return CUT if kind == "token list" and tokenizer == "whitespace" else tokenizer
    if not callable(tokenizer):
        raise InputError(
            f"tokenizer: expected one of {', '.join(TOKENIZERS)} or a callable, got {tokenizer!r:.80}"
        )
    home = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    # A method of a built-in type names no module.
    return "python:" + ".".join(filter(None, (getattr(home, "__module__", None), home.__qualname__)))


def _fitting(options: EncodeOptions, formats: set[str]) -> EncodeOptions:
    """Return the options for files of these formats; raise when one would have no effect on any of them."""
    default = EncodeOptions()
    unused = [] if formats & {"jsonl", "parquet"} else ["field"]
    if "conllu" not in formats:
        unused.append("column")
    elif formats != {"conllu"}:
        raise InputError(
            "source: CoNLL-U is cut into tokens already and other text is not; encode them apart"
        )
    else:
        unused += ["tokenizer", "boundary"]
    for name in unused:
        if getattr(options, name) != getattr(default, name):
            raise InputError(f"{name}: has no effect on {' and '.join(sorted(formats))} files; leave it out")
    return replace(options, tokenizer=CUT) if "conllu" in formats else options


def _refuse_unused(kind: str, options: EncodeOptions) -> None:
    default = EncodeOptions()
    unused: tuple[str, ...] = ()
    if kind != "path":
        unused += ("encoding", "errors", "input_format", "field", "column")
    if kind == "token list":
        if options.tokenizer != CUT:
            raise InputError("tokenizer: has no effect on token lists, which are cut already; leave it out")
        unused += ("boundary",)
    for name in unused:
        if getattr(options, name) != getattr(default, name):
            raise InputError(f"{name}: has no effect on {kind}s; leave it out")
