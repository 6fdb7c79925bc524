"""The settings that a manifest tells of, as people read them: one value a stage and option."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

# What was found on the way, which decides about no number.
MEASURED = frozenset(
    {
        *("precision", "converged", "iterations", "restarts", "products", "energy", "seconds"),
        *("epochs_finished", "epoch_losses", "deterministic"),
    }
)


def settings_of(manifest: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each stage that led to an artifact, the oldest first, with its options by their flags."""
    before = None
    for stage in (*manifest["history"], manifest):
        options = {
            name.replace("_", "-"): value for name, value in stage["options"].items() if name not in MEASURED
        }
        if (step := (stage["stage"], options)) != before:  # as of counts that were merged
            yield step
        before = step


def option_text(value: Any) -> str:
    """Return the value of an option in words."""
    if value is None or isinstance(value, bool):
        return {None: "off", True: "yes", False: "no"}[value]
    if isinstance(value, list | tuple):
        return ",".join(map(option_text, value))
    if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value):
        return f"sha256 {value[:12]}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
