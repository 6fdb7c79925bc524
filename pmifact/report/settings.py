"""What models share, and in what they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pmifact.report.model import Settings
from pmifact.storage.settings import option_text

_ABSENT = object()


@dataclass(frozen=True)
class SettingRow:
    """One option of one stage, and its value in each model.

    Parameters
    ----------
    stage, option : str
        Its name.
    values : tuple of str
        In the order of the models, empty where a model has no such option.
    differs : bool
        Whether not all are the same.
    """

    stage: str
    option: str
    values: tuple[str, ...]
    differs: bool


def compare_settings(models: Sequence[Settings]) -> list[SettingRow]:
    """Return all options of all models, stage by stage in the order in which they first appear."""
    keys = dict.fromkeys(key for settings in models for key in settings)
    stages = list(dict.fromkeys(stage for stage, _ in keys))
    rows = []
    for stage, option in sorted(keys, key=lambda key: stages.index(key[0])):
        values = [settings.get((stage, option), _ABSENT) for settings in models]
        texts = tuple("" if value is _ABSENT else option_text(value) for value in values)
        rows.append(SettingRow(stage, option, texts, len(set(texts)) > 1))
    return rows


def varied_option(models: Mapping[str, Settings]) -> tuple[str, dict[str, float]] | None:
    """Return the one option in which the models differ and its value in each; None unless it is a number.

    Parameters
    ----------
    models : mapping of str to mapping
        The settings of each model, by its name.
    """
    differing = [row for row in compare_settings(list(models.values())) if row.differs]
    if len(differing) != 1:
        return None
    key = (differing[0].stage, differing[0].option)
    values = {name: settings.get(key) for name, settings in models.items()}
    if not all(_is_number(value) for value in values.values()):
        return None
    return key[1], {name: float(value) for name, value in values.items() if value is not None}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
