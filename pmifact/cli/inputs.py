"""What goes in and where it goes out, checked before any long work."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pmifact.cli.options import given, refuse_given
from pmifact.cli.run import Run
from pmifact.errors import ArtifactError, InputError

if TYPE_CHECKING:
    from pmifact.corpus import EncodedCorpus
    from pmifact.vectors import WordVectors
    from pmifact.vocabulary import Vocabulary

ENCODING = (
    *("tokenizer", "lowercase", "normalize", "boundary", "min_count", "max_vocab", "vocabulary"),
    "exclude",
    *("input_format", "field", "column", "encoding", "errors"),
)
_POSTPROCESSING = ("center", "remove_top")
# What each kind of MODEL takes; of a .corpus, which is none, `read_vectors` says so.
_APPLY = {
    "factors": ("power", "contexts", *_POSTPROCESSING),
    "counts": ("shift", "smoothing", "subsample"),
    "file": (*_POSTPROCESSING, "errors"),
    "corpus": (),
}
_NOUN = {"factors": "a .factors MODEL", "counts": "a .counts MODEL", "file": "a vectors file as MODEL"}


def check_output(output: str, stage: str, inputs: Sequence[str]) -> None:
    """Raise unless an artifact of this stage may be written to `output` without touching an input."""
    from pmifact.storage import check_target

    _refuse_input(output, inputs)
    if stage != "vectors":
        _check_ending(output, stage)
    check_target(output, stage)


def check_file(output: str, inputs: Sequence[str]) -> None:
    """Raise unless a new file may be written to `output`."""
    _refuse_input(output, inputs)
    path = Path(output)
    if os.path.lexists(path):
        raise ArtifactError(
            f"{output}: expected a new file, got an existing path; remove it or choose another name"
        )
    if not path.parent.is_dir():
        raise ArtifactError(f"{output}: there is no directory {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise ArtifactError(f"{output}: the directory {path.parent} cannot be written; choose another one")


def _check_ending(output: str, stage: str) -> None:
    """Raise when a new artifact would have the name of something else, such as ``x.txt``, a file's."""
    suffix = Path(output).suffix
    if suffix.lower() not in ("", f".{stage}") and not os.path.lexists(output):
        raise InputError(
            f"{output}: expected an artifact named .{stage}, which is a directory, got the suffix {suffix!r}"
        )


def _refuse_input(output: str, inputs: Sequence[str]) -> None:
    target = Path(os.path.realpath(output))
    for name in inputs:
        if name == "-":
            continue
        source = Path(os.path.realpath(name))
        if source == target:
            raise InputError(f"{output}: the output is also an input; choose another name")
        if source.is_dir() and source in target.parents:
            # The next run would read its own output as text.
            raise InputError(f"{output}: the output lies inside the input {name}; choose a place outside it")


def refuse_artifacts(inputs: Sequence[str]) -> None:
    """Raise when an input is an artifact, whose files would be read as text."""
    for name, stage in _stages(inputs).items():
        if stage:
            raise InputError(f"{name}: expected text, got a .{stage} artifact")


def corpus_artifact(inputs: Sequence[str]) -> str | None:
    """Return the ``.corpus`` when it is the input, None when the inputs are text."""
    return inputs[0] if source_stage(inputs, ("corpus",)) else None


def source_stage(inputs: Sequence[str], allowed: Sequence[str]) -> str | None:
    """Return the stage of the artifact, one of those `allowed`, that is the only input; None of text."""
    stages = _stages(inputs)
    for name, stage in stages.items():
        if stage and (len(inputs) > 1 or stage not in allowed):
            raise InputError(
                f"{name}: expected text, or one .{' or .'.join(allowed)} alone, "
                f"got a .{stage} artifact{f' among {len(inputs):,} inputs' if len(inputs) > 1 else ''}"
            )
    return next(filter(None, stages.values()), None)


def _stages(inputs: Sequence[str]) -> dict[str, str | None]:
    from pmifact.storage import artifact_stage

    return {name: artifact_stage(name) for name in inputs if name != "-"}


def read_text(
    inputs: Sequence[str],
    run: Run,
    encoding: Mapping[str, Any],
    threads: int | None,
    scratch: Path | None = None,
    memory: int | None = None,
) -> tuple["EncodedCorpus", dict[str, Any]]:
    """Encode text files, or read the one ``.corpus``.

    Under a limit on memory the text is encoded in `scratch`, where a run that follows a killed one finds it.

    Returns
    -------
    EncodedCorpus
        The corpus.
    dict
        What a manifest says of where it came from: `inputs` and `history`.
    """
    artifact = corpus_artifact(inputs)
    if artifact is None:
        if memory is None or scratch is None:
            corpus = encode(inputs, run, encoding, threads)
        else:
            from pmifact.cli.scratch import encode_once

            corpus = encode_once(inputs, run, encoding, threads, scratch, memory)
        return corpus, {
            "inputs": corpus.sources,
            "history": ({"stage": "corpus", "options": vars(corpus.options)},),
        }
    from pmifact.storage import read_corpus

    refuse_given(ENCODING, f"has no effect on {artifact}, which is encoded already; leave it out")
    with run.step("read", "Reading the corpus"):
        return read_corpus(artifact), origin([artifact])


def encode(
    inputs: Sequence[str],
    run: Run,
    encoding: Mapping[str, Any],
    threads: int | None,
    *,
    scratch: Path | None = None,
    memory: int | None = None,
) -> "EncodedCorpus":
    """Encode text files with the encode options."""
    from pmifact.corpus import encode_corpus
    from pmifact.text.readers import expand_inputs

    expand_inputs(inputs)  # a path that is not there is told of here, without a hint for Python
    settings = {**encoding, **given_words(encoding), "threads": threads}
    if settings["vocabulary"] is not None and not given(["max_vocab"]):
        settings["max_vocab"] = None  # a preset's
    with run.step("encode", "Encoding text", "B") as progress:
        return encode_corpus(list(inputs), **settings, scratch=scratch, memory=memory, progress=progress)


def given_words(encoding: Mapping[str, Any]) -> dict[str, "Vocabulary | None"]:
    """Read the words that ``--vocabulary`` and ``--exclude`` name."""
    from pmifact.storage import read_vocabulary

    names = {option: encoding[option] for option in ("vocabulary", "exclude")}
    return {option: read_vocabulary(name) if name else None for option, name in names.items()}


def origin(artifacts: Sequence[str]) -> dict[str, Any]:
    """Return what a manifest says of the artifacts that its own was made from: `inputs` and `history`."""
    from pmifact.storage import artifact_source, history_of

    return {"inputs": tuple(map(artifact_source, artifacts)), "history": history_of(artifacts[0])}


def read_model(path: str, run: Run, reading: Mapping[str, Any], *, normalize: bool = True) -> "WordVectors":
    """Read a MODEL with the model options."""
    from pmifact.storage import read_vectors

    with run.step("read", "Reading vectors"):
        return read_vectors(path, **applying(path, reading), normalize=normalize)


def applying(path: str, reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the model options that apply to a MODEL."""
    from pmifact.storage import artifact_stage

    return {name: reading[name] for name in _APPLY[artifact_stage(path) or "file"]}


def check_reading(models: Sequence[str]) -> None:
    """Raise a usage error when a typed model option applies to none of the models."""
    from pmifact.storage import artifact_stage

    kinds = {artifact_stage(path) or "file" for path in models}
    for path in models:
        if artifact_stage(path) is None and not os.path.exists(path):
            raise InputError(f"{path}: there is no such file or directory")
    for name in sorted({name for names in _APPLY.values() for name in names}):
        if not any(name in _APPLY[kind] for kind in kinds):
            takers = " or ".join(noun for kind, noun in _NOUN.items() if name in _APPLY[kind])
            refuse_given([name], f"applies to {takers} only, and none is given")
