"""Run the benchmarks in turn: ``python -m benchmarks [NAME...]``, all or some, such as ``counting``.

All of them together are kept within half an hour by the settings of `BRIEF`; those that are named run whole.

A benchmark leaves with status 0 when it is done and 77 when there is nothing that it could measure here, and
says why on standard error; with any other status something is wrong.
"""

import subprocess
import sys
import time
from pathlib import Path

SKIPPED = 77
BRIEF = {
    "skipgram": ["--shards", "1", "--seeds", "2", "--epochs", "3"],
    "svd": ["--quick"],
    "scale": ["--rank", "100"],
}


def main(names: list[str]) -> int:
    there = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    if unknown := [name for name in names if name not in there]:
        sys.exit(f"benchmarks: there is no {', '.join(unknown)}; there are {', '.join(there)}")
    outcomes = {}
    for name in names or there:
        print(f"# {name}", flush=True)
        began = time.perf_counter()
        settings = [] if names else BRIEF.get(name, [])
        command = [sys.executable, "-m", f"benchmarks.bench_{name}", *settings]
        status = subprocess.run(command, check=False).returncode
        said = {0: "done", SKIPPED: "skipped"}.get(status, f"failed with status {status}")
        outcomes[name] = status
        print(f"\n{name}: {said} after {time.perf_counter() - began:.0f} s\n", flush=True)
    return int(any(status not in (0, SKIPPED) for status in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
