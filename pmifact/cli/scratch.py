"""Unfinished work beside the output: kept by a kill alone, taken up by the next run, gone when it is done."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pmifact.cli.console import say
from pmifact.cli.inputs import encode, given_words
from pmifact.cli.run import Run
from pmifact.cli.signals import Stopped
from pmifact.errors import ArtifactError
from pmifact.resources.locks import try_lock
from pmifact.resources.removal import remove_tree

if TYPE_CHECKING:
    from pmifact.corpus import EncodedCorpus


@contextmanager
def scratch_beside(output: str) -> Iterator[Path]:
    """Yield the folder for unfinished work on `output`, which no other run may use meanwhile.

    Raises
    ------
    ArtifactError
        If another run works on the same output, or the folder cannot be made.
    """
    target = Path(os.path.realpath(output))
    scratch = target.with_name(f".{target.name}.unfinished")
    lock, ours = -1, False
    try:
        try:
            scratch.mkdir(exist_ok=True)
            lock = os.open(scratch, os.O_RDONLY)
        except OSError as error:
            raise ArtifactError(f"{scratch}: cannot be used for unfinished work: {error.strerror}") from error
        ours = try_lock(lock) is not False
        if not ours:
            raise ArtifactError(
                f"{output}: another run is making it; wait for its end or choose another name"
            )
        yield scratch
    except Stopped:
        if not ours:  # before the lock was there the folder holds nothing of this run
            with suppress(OSError):
                scratch.rmdir()
        raise
    finally:
        if ours:
            remove_tree(scratch)
        if lock >= 0:
            os.close(lock)


def encode_once(
    inputs: Sequence[str],
    run: Run,
    encoding: Mapping[str, Any],
    threads: int | None,
    scratch: Path,
    memory: int,
) -> "EncodedCorpus":
    """Encode text within `memory`, or take the corpus that a killed run made of the same text and options."""
    from pmifact.storage import artifact_stage, read_corpus, write_corpus

    kept, working, note = scratch / "text.corpus", scratch / "encoding", scratch / "text.json"
    key = _key(inputs, encoding)
    if artifact_stage(kept) == "corpus":
        if key is not None and note.exists() and note.read_text(encoding="utf-8") == key:
            if not run.quiet:
                say("Taking up the encoded text of an unfinished run")
            with run.step("encode", "Reading the corpus"):
                return read_corpus(kept)
        if not run.quiet:
            say("The encoded text of an unfinished run is not taken up: inputs or options differ")
    corpus = encode(inputs, run, encoding, threads, scratch=working, memory=memory)
    with run.step("keep", "Keeping token ids"):
        note.unlink(missing_ok=True)
        write_corpus(corpus, kept)
        shutil.rmtree(working, ignore_errors=True)
        if key is not None:
            note.write_text(key, encoding="utf-8")
        return read_corpus(kept)


def _key(inputs: Sequence[str], encoding: Mapping[str, Any]) -> str | None:
    """Return all that an encoded text depends on; None when it cannot be known, as of standard input."""
    from pmifact.text.readers import expand_inputs

    paths = expand_inputs(inputs)
    if not all(map(os.path.isfile, paths)):
        return None
    return json.dumps(
        {
            **encoding,
            **{option: words and words.fingerprint for option, words in given_words(encoding).items()},
            "inputs": [(path, _digest(path)) for path in paths],
        }
    )


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ArtifactError(f"{path}: cannot be read: {error.strerror}") from error
