"""What training says while it runs, and when it is stopped."""

from dataclasses import dataclass
from typing import Protocol

from pmifact.factors import Factors


@dataclass(frozen=True, kw_only=True)
class TrainingReport:
    """How far training has come.

    Parameters
    ----------
    epoch, epochs : int
        The epoch that runs, from 1, and how many there are.
    done, total : int
        Tokens (of a corpus) or pairs (of counts) over all epochs.
    per_second : float
        Tokens or pairs a second since the start.
    learning_rate : float
        As it stands now.
    loss : float
        Mean loss of a pair in nats, estimated since the last report; NaN when there is nothing to go by.
    """

    epoch: int
    epochs: int
    done: int
    total: int
    per_second: float
    learning_rate: float
    loss: float


class Monitor(Protocol):
    """Called a few times a second, from the thread that called `train_skipgram`."""

    def __call__(self, report: TrainingReport) -> None:
        """Take note of the report."""


def no_monitor(report: TrainingReport) -> None:
    """Ignore the report; the default."""


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C during training.

    Parameters
    ----------
    factors : Factors or None
        As they were after the last finished epoch, which ``options["epochs_finished"]`` counts; None when
        no epoch was finished.
    """

    def __init__(self, factors: Factors | None) -> None:
        finished = factors.options["epochs_finished"] if factors else 0
        super().__init__(f"training was interrupted after {finished} finished epochs")
        self.factors = factors
