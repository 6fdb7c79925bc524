"""Counts on disk: shards that a killed run leaves to the next, and their sum."""

import json
import logging
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.counting.rows import RowBlock, Rule, count_shard, cut_rows
from pmifact.counting.stream import in_folder
from pmifact.notebook import count_of
from pmifact.resources.memory import working_memory
from pmifact.resources.progress import Progress
from pmifact.resources.spool import map_file, refusals_explained, write_all

TOKENS_PER_SHARD = 1 << 26  # without a limit on memory; their places then take 256 MB
_ROOM = 1 << 25  # entries in memory when shards are added
_JOURNAL = "journal.json"
_log = logging.getLogger(__name__)


def tokens_per_shard(limit: int | None) -> int:
    """Return the positions of a stream that are counted at a time, for a limit on memory in bytes."""
    # Under a limit, their places take a quarter of what is left for data.
    return TOKENS_PER_SHARD if limit is None else working_memory(limit) // 16


def count_in_shards(
    pieces: Iterator[NDArray[np.int32]],
    folder: Path,
    plan: Mapping[str, Any],
    rule: Rule,
    limit: int | None,
    threads: int,
    progress: Progress,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Count a stream shard by shard in a folder, leaving out the shards that are there already.

    Parameters
    ----------
    pieces : iterator of ndarray of int32
        The stream.
    plan : mapping
        What the counts depend on.
    rule : Rule
    limit : int or None
        Bound on the memory of the process, in bytes.

    Returns
    -------
    lengths, indices, data
        The matrix row by row; the last two are mapped from the folder.
    """
    size, pairs_per_block, room = tokens_per_shard(limit), None, _ROOM
    if limit is not None:
        working = working_memory(limit)
        pairs_per_block = working // (2 * 60 * threads)  # finished blocks a half
        room = working // 24
    shards = Shards(folder, {**plan, "tokens per shard": size})
    stream = in_folder(pieces, rule.columns, folder)
    length = len(stream.words)
    spans = [(first, min(first + size, length)) for first in range(0, max(length, 1), size)]
    whole = length * 5 // 4  # adding the shards takes about a quarter of the time
    for number, span in enumerate(spans):
        if number not in shards:
            report = partial(_report, progress, whole, *span)
            shards.write(number, count_shard(stream, span, rule, threads, report, pairs_per_block))
    report = partial(_report, progress, whole, length, whole)
    return shards.sum(
        range(len(spans)), len(rule.columns), least=rule.least, room=room, threads=threads, progress=report
    )


def _report(progress: Progress, whole: int, first: int, last: int, done: int, total: int) -> None:
    """Report a part of the work, which takes the whole from `first` to `last`."""
    progress(first + (last - first) * done // max(total, 1), whole)


class Shards:
    """Numbered pieces of one count matrix in a folder, and a journal that says what they are pieces of.

    A piece is there, whole, once its file of row lengths is, which is renamed into place last. No file stays
    open, however many pieces there are.

    Parameters
    ----------
    folder : Path
        Made if it does not exist. Pieces found there are kept when the journal is equal to `plan`; else they
        are removed, and the log says what differs.
    plan : mapping
        Everything that the pieces depend on, as plain JSON values.
    """

    def __init__(self, folder: Path, plan: Mapping[str, Any]) -> None:
        self._folder = folder
        before = _read_journal(folder)
        if before is not None and before != plan:
            different = [name for name in sorted({*plan, *before}) if plan.get(name) != before.get(name)]
            _log.warning("unfinished counts are not taken up: they differ in %s", ", ".join(different))
        if before != plan:
            shutil.rmtree(folder, ignore_errors=True)
            with refusals_explained(folder):
                folder.mkdir(parents=True)
                _write_whole(folder / _JOURNAL, json.dumps(plan).encode())
        found = sum(1 for _ in folder.glob("*.lengths"))
        if found:
            _log.warning("taking up unfinished counts: found %s", count_of(found, "shard"))

    def __contains__(self, number: int) -> bool:
        return self._path(number, "lengths").exists()

    def write(self, number: int, blocks: Iterable[RowBlock]) -> None:
        """Write one piece, row block by row block."""
        lengths = self._write_blocks(number, blocks)
        with refusals_explained(self._folder):
            _write_whole(self._path(number, "lengths"), lengths.tobytes())

    def sum(
        self,
        numbers: range,
        n_columns: int,
        *,
        least: int = 0,
        room: int,
        threads: int,
        progress: Progress,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Add pieces; return (row lengths, indices, data), the last two mapped from files in the folder.

        What is below `least` in the end is left out. `room` is the number of entries that may be in
        memory at a time.
        """
        ends = np.stack([np.cumsum(self._read(number, "lengths", np.int64)) for number in numbers])
        starts = np.concatenate([np.zeros((len(ends), 1), np.int64), ends], axis=1)
        rows = cut_rows(np.diff(starts, axis=1).sum(axis=0), max(room // (2 * threads), 1))
        total = int(ends[:, -1].sum())

        def blocks() -> Iterator[RowBlock]:
            done = 0
            progress(done, total)
            with ThreadPoolExecutor(threads) as pool:
                for some in range(0, len(rows), threads):
                    asked = rows[some : some + threads]
                    for block in pool.map(lambda span: self._add(numbers, starts, span, n_columns), asked):
                        yield block.at_least(least)
                    done += int((starts[:, asked[-1][1]] - starts[:, asked[0][0]]).sum())
                    progress(done, total)

        return self.mapped(len(numbers), blocks())

    def mapped(
        self, number: int, blocks: Iterable[RowBlock]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Write what will not be taken up; return (row lengths, indices, data), the last two mapped."""
        lengths = self._write_blocks(number, blocks)
        indices = map_file(self._path(number, "indices"), np.dtype(np.int32))
        return lengths, indices, map_file(self._path(number, "data"), np.dtype(np.int64))

    def _add(
        self, numbers: range, starts: NDArray[np.int64], rows: tuple[int, int], n_columns: int
    ) -> RowBlock:
        from pmifact.kernels.cooccurrence import add_rows

        first, last = starts[:, rows[0]], starts[:, rows[1]]
        parts = list(zip(numbers, first.tolist(), last.tolist(), strict=True))
        indices = np.concatenate([self._read(number, "indices", np.int32, *span) for number, *span in parts])
        data = np.concatenate([self._read(number, "data", np.int64, *span) for number, *span in parts])
        offsets = np.cumsum([0, *(last - first)])[:-1]
        own = starts[:, rows[0] : rows[1] + 1] - first[:, None] + offsets[:, None]
        summed = RowBlock(np.empty_like(indices), np.empty_like(data), np.empty(rows[1] - rows[0], np.int64))
        used = add_rows(indices, data, own, n_columns, summed.indices, summed.data, summed.lengths)
        return RowBlock(summed.indices[:used], summed.data[:used], summed.lengths)

    def _write_blocks(self, number: int, blocks: Iterable[RowBlock]) -> NDArray[np.int64]:
        lengths = [np.empty(0, np.int64)]
        with (
            refusals_explained(self._folder),
            open(self._path(number, "indices"), "wb") as indices,
            open(self._path(number, "data"), "wb") as data,
        ):
            for block in blocks:
                write_all(indices, block.indices)
                write_all(data, block.data)
                lengths.append(block.lengths)
        return np.concatenate(lengths)

    def _read(
        self, number: int, name: str, dtype: type[np.generic], first: int = 0, last: int | None = None
    ) -> NDArray[Any]:
        count = -1 if last is None else last - first
        offset = first * np.dtype(dtype).itemsize
        return np.fromfile(self._path(number, name), dtype, count=count, offset=offset)

    def _path(self, number: int, name: str) -> Path:
        return self._folder / f"{number:06d}.{name}"


def _read_journal(folder: Path) -> dict[str, Any] | None:
    try:
        journal = json.loads((folder / _JOURNAL).read_bytes())
    except (OSError, ValueError):
        return None
    return journal if isinstance(journal, dict) else None


def _write_whole(path: Path, content: bytes) -> None:
    beside = path.with_suffix(path.suffix + ".part")
    beside.write_bytes(content)
    os.replace(beside, path)
