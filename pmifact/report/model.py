"""A model as a report sees it: vectors, the settings they were made with, and where they come from."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.storage import artifact_stage, file_source, read_factors, read_manifest, read_vectors
from pmifact.storage.settings import option_text, settings_of
from pmifact.vectors import WordVectors

Settings = Mapping[tuple[str, str], Any]


@dataclass(frozen=True, eq=False)
class ReportModel:
    """One model of a report.

    Parameters
    ----------
    name : str
        Shown wherever the model is meant.
    vectors : WordVectors
        Of which only the directions count.
    settings : mapping of (str, str) to value
        By stage and option.
    origin : tuple of (str, str)
        Names and values of what else is known: inputs, versions, times.
    strengths : ndarray of float32, shape (d,), optional
        The singular values of a truncated SVD.
    """

    name: str
    vectors: WordVectors
    settings: Settings = field(default_factory=dict)
    origin: tuple[tuple[str, str], ...] = ()
    strengths: NDArray[np.float32] | None = None


def read_report_model(path: str | os.PathLike[str], name: str, **reading: Any) -> ReportModel:
    """Read a model for a report.

    Parameters
    ----------
    path : path
        A `.factors`, a `.counts`, or a vectors file.
    name : str
        Its name.
    **reading
        The options of `read_vectors` that apply to it; they are shown among the settings.

    Raises
    ------
    InputError, ArtifactError
        As `read_vectors`.
    """
    stage = artifact_stage(path)
    read = {("reading", name.replace("_", "-")): value for name, value in reading.items()}
    if stage is None:
        source = file_source(path)
        origin = (("file", f"{source.name}, {source.size:,} bytes, sha256 {source.sha256}"),)
        return ReportModel(name, read_vectors(path, **reading), read, origin)
    manifest = read_manifest(path)
    settings: dict[tuple[str, str], Any] = {
        (stage, option): value
        for stage, options in settings_of(manifest)
        for option, value in options.items()
    }
    has_spectrum = stage == "factors" and manifest["options"].get("trainer") != "skipgram"
    strengths = read_factors(path).strengths if has_spectrum else None
    vectors = read_vectors(path, **reading)
    return ReportModel(name, vectors, settings | read, _origin(path, manifest), strengths)


def _origin(path: str | os.PathLike[str], manifest: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    facts = [("artifact", os.fspath(path))]
    facts += [
        ("input", f"{source['name']}, {source['size']:,} bytes, sha256 {source['sha256']}")
        for source in manifest["inputs"][:_SHOWN_INPUTS]
    ]
    more = len(manifest["inputs"]) - _SHOWN_INPUTS
    if more > 0:
        facts.append(("inputs", f"and {more:,} more"))
    if manifest.get("preset"):
        facts.append(("preset", f"like {manifest['preset']}, where no option was typed"))
    facts.append(("created", manifest["created"]))
    facts.append(("seconds", ", ".join(f"{step} {value:g}" for step, value in manifest["seconds"].items())))
    facts.append(("threads", option_text(manifest["threads"])))
    facts.append(("versions", ", ".join(f"{name} {number}" for name, number in manifest["versions"].items())))
    facts.append(("vocabulary", f"sha256 {manifest['vocabulary_sha256']}"))
    return tuple((name, value) for name, value in facts if value)


_SHOWN_INPUTS = 20
