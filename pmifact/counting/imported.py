"""What is known of counts that another program took."""

from dataclasses import dataclass

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError

KINDS = ("pairs", "npz", "glove")


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """Where counts come from that another program took; saved with them in the place of `CountOptions`.

    Parameters
    ----------
    imported : {"pairs", "npz", "glove"}
        A pair file, a sparse matrix of SciPy, or the co-occurrence file of GloVe.
    window : int, optional
        GloVe's window size: its counts are sums of 1 / distance up to there.
    rounded : bool
        Whether a count could not be told exactly from the floating-point number that the file holds.

    Raises
    ------
    InputError
        If a value is none of these.
    """

    imported: str
    window: int | None = None
    rounded: bool = False

    def __post_init__(self) -> None:
        check_choice("imported", self.imported, KINDS)
        if (self.window is not None) != (self.imported == "glove"):
            raise InputError(f"window: belongs to counts of glove alone, got {self.window!r}")
        if self.window is not None:
            check_integer("window", self.window, least=1)
        if not isinstance(self.rounded, bool):
            raise InputError(f"rounded: expected True or False, got {self.rounded!r}")
