"""Skip-gram training: an encoded corpus, or counts, to `Factors`."""

from pmifact.skipgram.options import LOSSES, NEGATIVE_RULES, SkipgramOptions
from pmifact.skipgram.report import TrainingInterrupted, TrainingReport
from pmifact.skipgram.train import train_skipgram

__all__ = [
    "LOSSES",
    "NEGATIVE_RULES",
    "SkipgramOptions",
    "TrainingInterrupted",
    "TrainingReport",
    "train_skipgram",
]
