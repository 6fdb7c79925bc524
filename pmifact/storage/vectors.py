"""Word vectors of any model: factors, counts, or a vectors file."""

import os
from pathlib import Path
from typing import Any

from pmifact.errors import ArtifactError, InputError
from pmifact.postprocessing import check_postprocessing, postprocessed
from pmifact.ppmi import sppmi
from pmifact.storage.artifact import artifact_stage, read_artifact_vocabulary
from pmifact.storage.counts import read_counts
from pmifact.storage.factors import read_factors
from pmifact.storage.files import as_path
from pmifact.storage.formats.table import format_of
from pmifact.storage.replacement import recover, resolve
from pmifact.storage.vocabulary_file import read_word_list
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

_FACTORS_ONLY = {"power": 0.5, "contexts": "ignore"}
_COUNTS_ONLY = {"shift": 1.0, "smoothing": 0.75, "subsample": None}
_FILES_ONLY = {"errors": "strict"}


def write_vectors(vectors: WordVectors, path: str | os.PathLike[str], *, header: bool = True) -> None:
    """Write word vectors to a file whose suffix names the format, in place of an older one.

    Parameters
    ----------
    vectors : WordVectors
        Dense and finite; the lengths are kept.
    path : path
        ``.txt`` or ``.vec``, word2vec's text; ``.bin``, its binary format; ``.npz`` of NumPy;
        ``.safetensors``; ``.parquet``; or ``.tsv``, a pair of files for TensorBoard's projector.
    header : bool, default True
        Without it, ``.txt`` and ``.vec`` are written as GloVe does, without the first line.

    Raises
    ------
    InputError
        If the suffix is unknown, the vectors cannot be written (see `write_word2vec`), or the format has no
        header to leave out.
    ArtifactError
        If the file cannot be written; what stood there is then untouched.
    """
    target = as_path(path)
    form = format_of(target)
    if header:
        form.write(vectors, target)
    elif form.headerless is None:
        raise InputError(f"{target}: header=False applies to .txt and .vec only; leave it out")
    else:
        form.headerless(vectors, target)


def read_vectors(
    path: str | os.PathLike[str],
    *,
    power: float = 0.5,
    contexts: str = "ignore",
    center: bool = False,
    remove_top: int | None = None,
    shift: float = 1.0,
    smoothing: float = 0.75,
    subsample: float | None = None,
    normalize: bool = True,
    errors: str = "strict",
) -> WordVectors:
    """Read the word vectors of a model.

    Parameters
    ----------
    path : path
        A `.factors` artifact, a `.counts` artifact (the rows of its SPPMI matrix, sparse), or a vectors
        file in one of the formats of `write_vectors`; text is read with a header and without.
    power, contexts
        Of a `.factors`: see `Factors.vectors`.
    center, remove_top
        Of a `.factors` or a file: subtract the mean, and remove the top principal components, before rows
        are scaled; see `pmifact.postprocessing.postprocessed`.
    shift, smoothing, subsample
        Of a `.counts`: see `sppmi`.
    normalize : bool
        Rows of length 1, from whatever they are read; False keeps the lengths.
    errors : {"strict", "replace"}
        Of a file: refuse what is odd; or read what is wrong in a word as U+FFFD, leave out repeated words
        and broken rows, and warn of how many there were.

    Returns
    -------
    WordVectors
        float32, dense or, for a `.counts`, sparse.

    Raises
    ------
    InputError
        If the file is damaged or its suffix unknown, or an option is given that does not apply to it.
    ArtifactError
        If the artifact is damaged, or holds no vectors.
    """
    source = as_path(path)
    check_postprocessing(center=center, remove_top=remove_top)
    given = {
        "power": power,
        "contexts": contexts,
        "shift": shift,
        "smoothing": smoothing,
        "subsample": subsample,
        "errors": errors,
    }
    stage = artifact_stage(source)
    if stage == "factors":
        _refuse_others(source, "a .factors artifact", given, _COUNTS_ONLY | _FILES_ONLY)
        return read_factors(source).vectors(
            power=power, contexts=contexts, center=center, remove_top=remove_top, normalize=normalize
        )
    if stage == "counts":
        _refuse_others(source, "a .counts artifact", given, _FACTORS_ONLY | _FILES_ONLY)
        _refuse_postprocessing(source, center or remove_top is not None)
        counts = read_counts(source)
        matrix = sppmi(counts, shift=shift, smoothing=smoothing, subsample=subsample)
        return _normalized(WordVectors(counts.vocabulary, matrix), normalize)
    if stage is not None:
        raise ArtifactError(
            f"{source}: expected word vectors, got a .{stage} artifact; count and factorize it first"
        )
    if resolve(source).is_dir():
        raise ArtifactError(
            f"{source}: expected a .factors or .counts artifact or a vectors file, got a directory"
        )
    form = format_of(source)
    _refuse_others(source, "a vectors file", given, _FACTORS_ONLY | _COUNTS_ONLY)
    vectors = form.read(source, errors=errors)
    return _normalized(postprocessed(vectors, center=center, remove_top=remove_top), normalize)


def read_vocabulary(path: str | os.PathLike[str]) -> Vocabulary:
    """Read the vocabulary of an artifact, or of a text file with a word a line (count optional).

    Raises
    ------
    ArtifactError
        If the artifact is damaged.
    InputError
        If the file cannot be read as a list of words; the message names the line.
    """
    source = as_path(path)
    if recover(resolve(source)).is_dir():
        return read_artifact_vocabulary(source)
    return read_word_list(source)


def _normalized(vectors: WordVectors, normalize: bool) -> WordVectors:
    return WordVectors(vectors.vocabulary, vectors.unit) if normalize else vectors


def _refuse_postprocessing(path: Path, asked: bool) -> None:
    if asked:
        raise InputError(
            f"{path}: the vectors of a .counts artifact are sparse, and without their mean no cell "
            "would be zero; factorize it, and give center and remove_top for the .factors"
        )


def _refuse_others(path: Path, kind: str, given: dict[str, Any], defaults: dict[str, Any]) -> None:
    """Refuse an option that would have no effect, instead of ignoring it."""
    for name, default in defaults.items():
        if given[name] != default:
            raise InputError(f"{path}: {name}={given[name]!r} does not apply to {kind}; leave it out")
