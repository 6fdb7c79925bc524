"""The full check of an artifact, whatever its size."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from pmifact.storage.artifact import Contents, read_artifact, read_manifest
from pmifact.storage.corpus import build_corpus
from pmifact.storage.counts import build_counts
from pmifact.storage.factors import build_factors

_BUILDERS: Mapping[str, Callable[[Contents], Any]] = {
    "corpus": build_corpus,
    "counts": build_counts,
    "factors": build_factors,
}


def verify_artifact(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Check every digest, shape and value of an artifact and return its manifest.

    Raises
    ------
    ArtifactError
        For the first fault found: one sentence that names the file.
    """
    stage = read_manifest(path)["stage"]

    def build(contents: Contents) -> Mapping[str, Any]:
        _BUILDERS[stage](contents)
        return contents.manifest

    return read_artifact(path, stage, build, verify=True)
