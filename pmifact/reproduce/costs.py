"""What a stage will take, by simple models whose constants were measured once.

Each model is a number of steps over a rate. The rates are of one core of a small cloud machine, from the
``timings.csv`` of both papers on 33 million tokens; they are corrected by the stages that are finished
already (`Corrections`), so a plan is rough on another machine until some work is done there.

=============  ==========================================================================================
encode         tokens
count          tokens times the positions of a window
svd            d (6 + 3 nnz / 1e7) products with a matrix of nnz cells; V d^2 steps to orthogonalize
sgns           pairs times epochs times (1 + k) times d
exact          V^2 cells, each of d products and two logarithms, which take as long as 150
sampled        samples, each drawn in the time of 300 products, of two cells of d products
analogy        questions times V candidates; V d products a distinct word, 100 as long as a candidate
similarity     pairs times resamples, in one thread
claim          the same, times the models
=============  ==========================================================================================
"""

import csv
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pmifact.cooccurrence import count_cooccurrences
from pmifact.corpus import encode_corpus
from pmifact.errors import InputError
from pmifact.storage.replacement import replacing
from pmifact.text.cutting import split_items
from pmifact.text.readers import TextInput, stored_size
from pmifact.text.records import RecordOptions, input_format_of, open_records

# Steps a second of one core.
RATES = {
    "encode": 1.7e6,
    "count": 1.0e7,
    "svd": 3.4e9,
    "sgns": 6.0e8,
    "exact": 1.6e10,
    "sampled": 1.2e8,
    "analogy": 1.7e8,
    "similarity": 1.0e6,
    "claim": 1.4e6,
}
_ONE_THREAD = ("similarity", "claim")
TIMINGS = "timings.csv"
_SAMPLE = 1_500_000  # bytes as stored
_GROWTH = 0.7  # distinct pairs grow as the number of pairs to this power, from 1 to 33 million tokens
_QUESTION_WORDS = 1_000  # different words of Google's or MSR's questions, about
_TAIL = 0.75  # words of at least m occurrences grow as 1/m to this power


@dataclass(frozen=True)
class Cost:
    """What a stage takes.

    Parameters
    ----------
    model : str
        The model that it was estimated by.
    seconds : float
    disk : float
        Bytes of its result.
    """

    model: str
    seconds: float
    disk: float


@dataclass(frozen=True)
class Survey:
    """What is known, or estimated from the beginning of the text.

    Parameters
    ----------
    tokens : float
    words : float
        V.
    sampled_pairs, sampled_nonzeros : float
        Pairs, and distinct pairs, of the part of the text that was looked at.
    threads : int
    """

    tokens: float
    words: float
    sampled_pairs: float
    sampled_nonzeros: float
    threads: int

    def pairs(self, window: int, weighting: str, *, subsampled: bool = False) -> float:
        """Return the sum of the counts; subsampling leaves about half of the tokens, so half of the pairs."""
        weight = window if weighting == "flat" else (window + 1) / 2
        return 2 * weight * self.tokens * (0.5 if subsampled else 1.0)

    def nonzeros(self, window: int, *, subsampled: bool = False) -> float:
        """Return the number of distinct pairs."""
        positions = self.pairs(window, "flat", subsampled=subsampled)
        grown = self.sampled_nonzeros * (positions / max(self.sampled_pairs, 1)) ** _GROWTH
        return float(min(grown, positions, self.words**2))

    def seconds(self, model: str, steps: float) -> float:
        """Return the time of so many steps on these threads; 0.05 s is the least."""
        return 0.05 + steps / RATES[model] / (1 if model in _ONE_THREAD else self.threads)


def survey_text(
    paths: Sequence[str],
    encode: Mapping[str, Any],
    min_count_for: Callable[[float], int],
    *,
    threads: int,
) -> Survey:
    """Encode and count the first part of a text, and extrapolate.

    Parameters
    ----------
    paths : sequence of str
        Files.
    encode : mapping
        Options of `encode_corpus`.
    min_count_for : callable
        Returns the least count for a number of tokens.
    threads : int
        That the work will have.
    """
    lines, share = _first_lines(paths, encode)
    taken = {name: encode[name] for name in ("tokenizer", "lowercase", "normalize") if name in encode}
    sample = encode_corpus(iter(lines), **taken, min_count=1)
    found = len(sample.token_ids)
    tokens = found / share
    least = min_count_for(tokens)
    # As rare in the sample as the rarest words in the whole, but not so rare that chance decides.
    threshold = max(math.ceil(least * share), 1 if share == 1 else 3)
    words = int((sample.vocabulary.counts >= threshold).sum()) * (threshold / share / least) ** _TAIL
    words = min(max(words, 2), encode.get("max_vocab") or math.inf)
    counts = count_cooccurrences(
        sample, window=2, weighting="flat", context_vocabulary=min(int(words) + 1, len(sample.vocabulary))
    )
    return Survey(tokens, words, max(counts.total / counts.unit, 1), counts.matrix.nnz, threads)


def _first_lines(paths: Sequence[str], encode: Mapping[str, Any]) -> tuple[list[str], float]:
    """Return the first lines, and which share of all text they are by their bytes as stored."""
    decoding = {"encoding": encode.get("encoding", "utf-8"), "errors": encode.get("errors", "strict")}
    taken = RecordOptions(
        field=encode.get("field", "text"),
        column=encode.get("column", "form"),
        normalize="none",
        **decoding,
    )
    lines: list[str] = []
    done = 0
    for path in paths:
        form = input_format_of(path, encode.get("input_format", "auto"))
        if form == "text":
            with TextInput(path, **decoding) as text:
                for block in text:
                    lines += block
                    if done + text.bytes_read > _SAMPLE:
                        break
                done += text.bytes_read
        else:
            with open_records(path, form, taken) as records:
                for some in records:
                    lines += split_items([held for _, held in some])
                    if done + records.bytes_read > _SAMPLE:
                        break
                done += records.bytes_read
        if done > _SAMPLE:
            break
    if not any(line.strip() for line in lines):
        raise InputError(f"{paths[0]}: expected text, got none in its first lines")
    return lines, min(1.0, done / max(stored_size(paths), 1))


def svd_steps(words: float, nonzeros: float, rank: int) -> float:
    """Return the steps of a truncated SVD."""
    return rank * (6 + 3 * nonzeros / 1e7) * nonzeros + 36 * words * rank**2


def analogy_steps(questions: int, words: float, rank: float) -> float:
    """Return the steps of solving analogies; `rank` is the mean number of nonzeros of sparse vectors."""
    return words * (questions + 0.01 * min(questions, _QUESTION_WORDS) * rank)


class Corrections:
    """How much longer finished stages took than was estimated, by model.

    Parameters
    ----------
    folder : Path
        Of the reproduction; a folder without timings corrects nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / TIMINGS
        self._rows: list[tuple[str, str, float, float]] = []
        with suppress(OSError, ValueError), open(self._path, newline="", encoding="utf-8") as file:
            self._rows = [
                (name, model, float(estimated), float(measured))
                for name, model, estimated, measured in list(csv.reader(file))[1:]
            ]

    def corrected(self, cost: Cost) -> float:
        """Return the seconds of a cost, as finished stages of the same model suggest."""
        rows = [row for row in self._rows if row[1] == cost.model]
        estimated, measured = sum(row[2] for row in rows), sum(row[3] for row in rows)
        return cost.seconds * (measured / estimated if estimated and measured else 1.0)

    def add(self, name: str, cost: Cost, measured: float) -> None:
        """Take note of a finished stage, and write all notes."""
        self._rows = [row for row in self._rows if row[0] != name]
        self._rows.append((name, cost.model, round(cost.seconds, 3), round(measured, 3)))
        with (
            replacing(self._path, directory=False) as partial,
            open(partial, "w", newline="", encoding="utf-8") as file,
        ):
            writer = csv.writer(file, lineterminator=os.linesep)
            writer.writerow(("stage", "model", "estimated", "measured"))
            writer.writerows(self._rows)
