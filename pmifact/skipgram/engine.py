"""The training loop: epochs of slices, taken by threads without locks, reported, stoppable."""

import math
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pmifact.errors import InputError
from pmifact.factors import Factors
from pmifact.resources.progress import Progress
from pmifact.skipgram.losses import Array, Loss
from pmifact.skipgram.options import SkipgramOptions
from pmifact.skipgram.report import Monitor, TrainingInterrupted, TrainingReport
from pmifact.skipgram.sources import ExampleSource
from pmifact.skipgram.start import Start

_FLOOR = 1e-4  # the learning rate falls to this share of its start
_DIVERGED = 10.0  # times the loss of a model that knows nothing
_SECONDS_BETWEEN_REPORTS = 0.2


@dataclass
class _Tally:
    """What the threads have done; every access holds the lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    units: int = 0
    pairs: int = 0
    loss: float = 0.0
    measured: int = 0

    def add(self, units: int, pairs: int, loss: float, measured: int) -> None:
        with self.lock:
            self.units += units
            self.pairs += pairs
            self.loss += loss
            self.measured += measured


@dataclass(frozen=True, kw_only=True)
class Training:
    """One run: what is learnt from, by which loss, from where, and who is told."""

    source: ExampleSource
    loss: Loss
    start: Start
    options: SkipgramOptions
    threads: int
    progress: Progress
    monitor: Monitor

    def run(self) -> Factors:
        """Train all epochs; on Ctrl-C raise `TrainingInterrupted` with the last finished one."""
        words, outputs = self.start.arrays()
        losses: list[float] = []
        finished: Factors | None = None
        began = time.perf_counter()
        try:
            with threadpool_limits(limits=self.threads, user_api="blas"):
                for epoch in range(self.options.epochs):
                    losses.append(self._run_epoch(epoch, words, outputs, began))
                    self._check_finite(words, outputs)
                    finished = self.start.finish(words, outputs, self._record(losses))
        except KeyboardInterrupt:
            raise TrainingInterrupted(finished) from None
        assert finished is not None
        return finished

    def _run_epoch(self, epoch: int, words: Array, outputs: Array, began: float) -> float:
        """Train one epoch and return its mean loss."""
        draw_key, step_key = np.random.SeedSequence((self.options.seed, epoch)).generate_state(2, np.uint64)
        slices = iter(range(0, self.source.size, self.source.step))
        tally, stop = _Tally(), threading.Event()

        def work() -> None:
            while not stop.is_set():
                with tally.lock:
                    first = next(slices, None)
                if first is None:
                    return
                last = min(first + self.source.step, self.source.size)
                examples = self.source.draw(first, last, draw_key)
                rates = self._rates(epoch, first, last)
                loss, measured = self.loss.step(words, outputs, examples, step_key, rates)
                self._check_loss(loss, measured)
                tally.add(last - first, len(examples.inputs), loss, measured)

        threads = self.threads if self.loss.parallel else 1
        with ThreadPoolExecutor(threads) as pool:
            try:
                self._watch([pool.submit(work) for _ in range(threads)], epoch, tally, began)
            finally:
                stop.set()
        if not tally.pairs:
            raise InputError(
                "skip-gram found no pair to train on: no two words that were kept stand in one window; "
                "give longer text, or a larger subsample threshold"
            )
        return tally.loss / tally.measured

    def _watch(self, workers: list[Future[None]], epoch: int, tally: _Tally, began: float) -> None:
        """Report until all threads are done; raise what one of them raised."""
        reported_loss, reported_measured = 0.0, 0
        running = set(workers)
        while running:
            done, running = wait(running, timeout=_SECONDS_BETWEEN_REPORTS)
            for worker in done:
                worker.result()
            with tally.lock:
                units, loss, measured = tally.units, tally.loss, tally.measured
            if not units:
                continue
            recent = measured - reported_measured
            before, total = epoch * self.source.size, self.options.epochs * self.source.size
            self.monitor(
                TrainingReport(
                    epoch=epoch + 1,
                    epochs=self.options.epochs,
                    done=before + units,
                    total=total,
                    per_second=(before + units) / (time.perf_counter() - began),
                    learning_rate=float(self._rates(epoch, units, units)[0]),
                    loss=(loss - reported_loss) / recent if recent else math.nan,
                )
            )
            self.progress(before + units, total)
            reported_loss, reported_measured = loss, measured

    def _rates(self, epoch: int, first: int, last: int) -> NDArray[np.float32]:
        """Return the learning rate at the two ends of a slice."""
        done = (epoch + np.array([first, last]) / self.source.size) / self.options.epochs
        return (self.options.learning_rate * (1 - (1 - _FLOOR) * done)).astype(np.float32)

    def _check_loss(self, loss: float, measured: int) -> None:
        if not loss <= _DIVERGED * max(1.0, self.loss.at_zero) * measured:
            raise self._divergence()

    def _check_finite(self, *arrays: Array) -> None:
        # Both extremes pass NaN on, and take no temporary of the array's size.
        for array in arrays:
            if not (np.isfinite(array.min()) and np.isfinite(array.max())):
                raise self._divergence()

    def _divergence(self) -> InputError:
        rate = self.options.learning_rate
        return InputError(
            f"learning_rate: training diverged at {rate:g}; try a smaller one, say {rate / 10:g}"
        )

    def _record(self, losses: list[float]) -> dict[str, Any]:
        """Return what the factors say about their training: options that apply, and how it went."""
        options = {name: value for name, value in asdict(self.options).items() if value is not None}
        return {
            "trainer": "skipgram",
            **options,
            "epochs_finished": len(losses),
            "epoch_losses": list(losses),
            "deterministic": self.threads == 1 or not self.loss.parallel,
        }
