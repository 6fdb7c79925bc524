"""Doing a plan: each missing stage once, its result put into place whole, so that any run can go on."""

import hashlib
import io
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pandas as pd
from scipy.sparse import csr_array

from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.corpus import EncodedCorpus
from pmifact.errors import ArtifactError
from pmifact.factors import Factors
from pmifact.reproduce.costs import Corrections
from pmifact.reproduce.plan import STAGES, Plan, Stage
from pmifact.resources.locks import try_lock
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.removal import remove_tree
from pmifact.resources.threads import resolve_threads
from pmifact.storage import (
    RunRecord,
    artifact_source,
    history_of,
    read_corpus,
    read_counts,
    read_factors,
    write_corpus,
    write_counts,
    write_factors,
)
from pmifact.storage.replacement import replacing
from pmifact.vectors import WordVectors

_KEPT = 1 << 30
_SEAL = b"# sha256 of the lines above: "
_READ: Mapping[str, Callable[[Path], Any]] = {
    "corpus": read_corpus,
    "counts": read_counts,
    "factors": read_factors,
}
_WRITE: Mapping[str, Callable[..., None]] = {
    "corpus": write_corpus,
    "counts": write_counts,
    "factors": write_factors,
}

Watch = Callable[[Stage, int, int], AbstractContextManager[Progress]]


def unwatched(stage: Stage, number: int, total: int) -> AbstractContextManager[Progress]:
    """Show nothing; the default."""
    return nullcontext(no_progress)


class Workshop:
    """What the work of a stage may use.

    Parameters
    ----------
    plan : Plan
        Whose finished stages can be read.
    threads : int
    memory : int or None
        Bound on memory, in bytes.
    scratch : Path
        A folder for unfinished work.
    """

    def __init__(self, plan: Plan, threads: int, memory: int | None, scratch: Path) -> None:
        self.threads, self.memory, self.scratch = threads, memory, scratch
        self._plan = plan
        self._model = ""
        self._vectors: dict[Any, WordVectors] = {}
        self._size = 0

    def read(self, stage: Stage) -> Any:
        """Return the result of a finished stage."""
        return read_stage(self._plan, stage)

    def corpus(self, stage: Stage) -> EncodedCorpus:
        """Return the corpus of a finished stage."""
        corpus: EncodedCorpus = self.read(stage)
        return corpus

    def counts(self, stage: Stage) -> CooccurrenceCounts:
        """Return the counts of a finished stage."""
        counts: CooccurrenceCounts = self.read(stage)
        return counts

    def factors(self, stage: Stage) -> Factors:
        """Return the factors of a finished stage."""
        factors: Factors = self.read(stage)
        return factors

    def vectors(self, stage: Stage, way: Any, make: Callable[[], WordVectors]) -> WordVectors:
        """Return the vectors that `make` makes, or made when they were last asked for.

        Scores of one model follow each other: its vectors, read in some ways, are kept until another model
        is asked for, as far as they take less than `_KEPT` bytes.
        """
        if self._model != (model := stage.digest):
            self._model, self._vectors, self._size = model, {}, 0
        if way not in self._vectors:
            made = make()
            if self._size + (size := _bytes_of(made)) > _KEPT:
                self._vectors, self._size = {}, 0
            self._vectors[way] = made
            self._size += size
        return self._vectors[way]


def _bytes_of(vectors: WordVectors) -> int:
    matrix = vectors.matrix
    arrays = (matrix.data, matrix.indices) if isinstance(matrix, csr_array) else (matrix,)
    return sum(array.nbytes for array in arrays)


def read_stage(plan: Plan, stage: Stage) -> Any:
    """Return the result of a finished stage."""
    path = plan.path(stage)
    if stage.kind != "scores":
        return _READ[stage.kind](path)
    return _read_scores(path)


def run_plan(
    plan: Plan, *, threads: int | None = None, memory: int | None = None, watch: Watch = unwatched
) -> None:
    """Do the stages that are not finished.

    Parameters
    ----------
    plan : Plan
    threads : int, optional
        All cores when not given. Results that are kept are taken whatever threads they were made with.
    memory : int, optional
        Bound on the memory of encoding, counting and factorizing, in bytes.
    watch : callable
        Called with each stage, its number and how many there are; gives a context that yields a progress.

    Raises
    ------
    PmifactError
        As the stages do. What is finished by then is kept, and the next run goes on from there.
    """
    if not plan.pending:
        return
    with _at_work(plan.folder) as scratch:
        workshop = Workshop(plan, resolve_threads(threads), memory, scratch)
        corrections = Corrections(plan.folder)
        pending = plan.pending
        for number, stage in enumerate(pending, start=1):
            cost = plan.cost(stage)
            with watch(stage, number, len(pending)) as progress:
                start = time.perf_counter()
                result = stage.work(workshop, progress)
                _keep(plan, stage, result, workshop.threads, time.perf_counter() - start)
            corrections.add(stage.file_name, cost, time.perf_counter() - start)


def _keep(plan: Plan, stage: Stage, result: Any, threads: int, seconds: float) -> None:
    """Put a result into place, whole."""
    path = plan.path(stage)
    if stage.kind == "scores":
        with replacing(path, directory=False) as partial:
            partial.write_bytes(_sealed(result))
        return
    made_from = [plan.path(needed) for needed in stage.needs]
    record = RunRecord(
        inputs=tuple(map(artifact_source, made_from)) or result.sources,
        history=history_of(made_from[0]) if made_from else (),
        threads=threads,
        seconds={stage.options["step"]: round(seconds, 3)},
    )
    _WRITE[stage.kind](result, path, record=record)


def _sealed(scores: pd.DataFrame) -> bytes:
    """Return a table of scores as CSV, with a last line that holds its digest."""
    table: bytes = scores.to_csv(index=False, lineterminator="\n").encode()
    return table + _SEAL + hashlib.sha256(table).hexdigest().encode() + b"\n"


def _read_scores(path: Path) -> pd.DataFrame:
    try:
        table, _, digest = path.read_bytes().rpartition(_SEAL)
    except OSError as error:
        raise ArtifactError(f"{path}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(table).hexdigest().encode() != digest.rstrip():
        raise ArtifactError(
            f"{path}: expected a table of scores that matches its digest in the last line, got one that was "
            "changed or cut short; remove it and run again"
        )
    return pd.read_csv(io.BytesIO(table), keep_default_na=False, na_values=[""])


@contextmanager
def _at_work(folder: Path) -> Iterator[Path]:
    """Make the folders, keep other runs out, and yield the one for unfinished work."""
    stages = folder / STAGES
    try:
        stages.mkdir(parents=True, exist_ok=True)
        lock = open(folder / ".lock", "w")  # noqa: SIM115  # closed below
    except OSError as error:
        raise ArtifactError(f"{folder}: cannot be used: {error.strerror}; choose another place") from error
    scratch = folder / ".unfinished"
    with lock:
        if try_lock(lock.fileno()) is False:
            raise ArtifactError(
                f"{folder}: another run is working there; wait for its end or choose another name"
            )
        remove_tree(scratch)
        scratch.mkdir()
        try:
            yield scratch
        finally:
            remove_tree(scratch)
