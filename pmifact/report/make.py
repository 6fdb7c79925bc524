"""A report in one call."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from pmifact.evaluation import AnalogySet, PairSet, SimilaritySet, read_similarity
from pmifact.evaluation.pairs import read_analogy_gold
from pmifact.report.build import Report
from pmifact.report.model import ReportModel, read_report_model
from pmifact.report.options import ReportOptions
from pmifact.report.page import TITLE, check_report_target, write_report
from pmifact.vectors import WordVectors

Path = str | os.PathLike[str]


def make_report(
    models: Mapping[str, WordVectors | Path],
    path: Path,
    *,
    similarity: Iterable[SimilaritySet | Path] = (),
    analogy: Iterable[AnalogySet | PairSet | Path] = (),
    title: str = TITLE,
    **options: Any,
) -> None:
    """Write one HTML page about models: settings, scores, verdicts, maps, neighbours and errors.

    Parameters
    ----------
    models : mapping of str to WordVectors or path
        By the names under which they are shown; a path is a `.factors`, a `.counts` or a vectors file, whose
        settings are shown as well.
    path : path
        Named `.html`; an older report there is replaced, anything else is refused.
    similarity, analogy : iterable of sets or paths
        Without any the page has no scores, verdicts and errors.
    title : str
        Of the page.
    **options
        Those of `pmifact.report.ReportOptions`.

    Raises
    ------
    InputError
        If there is no model, or a model, a set or an option cannot be used.
    ArtifactError
        If an artifact is damaged, or the page cannot be written.
    PmifactError
        If matplotlib or jinja2 is not installed.
    """
    check_report_target(path)
    pairs = (gold if isinstance(gold, SimilaritySet) else read_similarity(gold) for gold in similarity)
    asked = (read_analogy_gold(gold) if isinstance(gold, str | os.PathLike) else gold for gold in analogy)
    report = Report(ReportOptions(similarity=tuple(pairs), analogy=tuple(asked), **options))
    for name, model in models.items():
        if isinstance(model, WordVectors):
            report.add(ReportModel(name, model))
        else:
            report.add(read_report_model(model, name))
    write_report(report, path, title=title)
