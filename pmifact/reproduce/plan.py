"""What there is to do: stages, what each depends on, and the digest by which a finished one is known."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pmifact.errors import ArtifactError
from pmifact.reproduce.costs import Cost, Survey
from pmifact.storage.files import as_path
from pmifact.storage.replacement import locate, resolve
from pmifact.text.readers import Source

if TYPE_CHECKING:
    from pmifact.reproduce.running import Workshop
    from pmifact.resources.progress import Progress

FORMAT = 1  # goes up when a stage comes to do something else with the same options
KINDS = {"corpus": ".corpus", "counts": ".counts", "factors": ".factors", "scores": ".csv"}
STAGES = "stages"

Work = Callable[["Workshop", "Progress"], Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """One piece of work whose result is kept as one artifact or table.

    Parameters
    ----------
    name : str
        Short and unique in its plan; the artifact is named by it, and by the digest.
    kind : {"corpus", "counts", "factors", "scores"}
        What the result is; scores are tables in CSV.
    title : str
        What a person reads.
    options : mapping
        All that the result depends on, beside its sources and what it needs.
    work : callable
        Called with the workshop and a progress; returns the result.
    cost : callable
        Called with the survey of the text; returns what the work will take.
    needs : tuple of Stage
        Whose results the work reads.
    sources : tuple of Source
        Files from outside that the result depends on.
    labels : mapping
        What the tables say of scores, such as the settings of the model. The result does not depend on them.
    """

    name: str
    kind: str
    title: str
    options: Mapping[str, Any]
    work: Work
    cost: Callable[[Survey], Cost]
    needs: "tuple[Stage, ...]" = ()
    sources: tuple[Source, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of everything that the result depends on; of files their bytes, not their names."""
        content = {
            "format": FORMAT,
            "kind": self.kind,
            "options": self.options,
            "sources": [source.sha256 for source in self.sources],
            "needs": [stage.digest for stage in self.needs],
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @property
    def file_name(self) -> str:
        """The name of the artifact."""
        return f"{self.name}.{self.digest[:12]}{KINDS[self.kind]}"


@dataclass(frozen=True, eq=False)
class Plan:
    """The stages of one reproduction, in an order in which they can be done.

    Parameters
    ----------
    folder : Path
        Where results are kept.
    stages : tuple of Stage
        Each after those that it needs; the scores are what all others are for.
    look : callable
        Surveys the text; called once, when costs are asked for.
    shared : tuple of str
        Sentences on which work serves several results.
    notes : tuple of str
        Sentences on what differs from the paper in this run.
    """

    folder: Path
    stages: tuple[Stage, ...]
    look: Callable[[], Survey]
    shared: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def path(self, stage: Stage) -> Path:
        """Return where the result of a stage is kept."""
        return self.folder / STAGES / stage.file_name

    def finished(self, stage: Stage) -> bool:
        """Return whether the result of a stage is there; results are put there whole."""
        return locate(resolve(self.path(stage))) is not None

    @property
    def pending(self) -> tuple[Stage, ...]:
        """The stages to be done, in order: scores that are missing, and what is missing for them."""
        wanted: set[str] = set()
        todo = []
        for stage in reversed(self.stages):
            if (stage.kind == "scores" or stage.digest in wanted) and not self.finished(stage):
                todo.append(stage)
                wanted |= {needed.digest for needed in stage.needs}
        return tuple(reversed(todo))

    @cached_property
    def survey(self) -> Survey:
        """What is known of the text, without encoding it all."""
        return self.look()

    def cost(self, stage: Stage) -> Cost:
        """Return what a stage will take."""
        return stage.cost(self.survey)


def check_folder(folder: str | os.PathLike[str]) -> Path:
    """Return the folder of a reproduction, which need not exist; raise `ArtifactError` for others."""
    path = as_path(folder)
    if os.path.lexists(path):
        if not path.is_dir():
            raise ArtifactError(f"{path}: expected a directory, got a file; choose another name")
        if not (path / STAGES).is_dir() and any(path.iterdir()):
            raise ArtifactError(
                f"{path}: is there already and holds something else than a reproduction; choose a new name"
            )
        if not os.access(path, os.W_OK | os.X_OK):
            raise ArtifactError(f"{path}: this directory may not be written; choose another one")
    elif not resolve(path).parent.is_dir():
        raise ArtifactError(f"{path}: there is no directory {resolve(path).parent}; make it first")
    return path


def in_order(goals: Iterable[Stage]) -> tuple[Stage, ...]:
    """Return the goals and all that they need, each once, depth first."""
    found: dict[str, Stage] = {}

    def add(stage: Stage) -> None:
        if stage.digest not in found:
            for needed in stage.needs:
                add(needed)
            found[stage.digest] = stage

    for goal in goals:
        add(goal)
    return tuple(found.values())
