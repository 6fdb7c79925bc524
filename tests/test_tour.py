"""The tour's commands, run in a new folder, print what the tour shows."""

import inspect
import os
import re
import shlex
import subprocess
import sys

import pytest
from conftest import REPO

TOUR = (REPO / "docs" / "tour.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"[-+]?\d[\d,]*\.?\d*")
BLOCKS = re.findall(r"```\n(\$ .*?)```", TOUR, re.DOTALL)


def commands(block):
    """Yield each command of a block and what stands under it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        last = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
        yield "\n".join(lines[: last + 1]), [line for line in lines[last + 1 :] if line]


def assert_same(shown, printed):
    """Compare lines word for word, and numbers to what another machine's rounding may change."""
    assert [NUMBER.sub("#", line) for line in printed] == [NUMBER.sub("#", line) for line in shown]
    for ours, theirs in zip(shown, printed, strict=True):
        for one, two in zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True):
            assert float(one.replace(",", "")) == pytest.approx(
                float(two.replace(",", "")), rel=0.02, abs=0.003
            )


def test_its_word_lists_are_those_of_the_world():
    """What the tour says of the made-up world is so in the tables it comes from."""
    from pmifact.world import people, work

    source = "".join(inspect.getsource(module) for module in (people, work))
    for word in ("tie", "earrings"):
        assert word in source


@pytest.mark.acceptance
def test_the_commands_print_what_is_shown(tmp_path):
    (tmp_path / "data").symlink_to(REPO / "data")
    (tmp_path / "dress.json").write_text(
        re.search(r"```json\n(.*?)```", TOUR, re.DOTALL)[1], encoding="utf-8"
    )
    program = f"{shlex.quote(sys.executable)} -m pmifact"
    env = {**os.environ, "COLUMNS": "80", "PYTHONPATH": str(REPO)}
    for block in BLOCKS:
        for command, shown in commands(block):
            run = re.sub(r"^pmifact\b", program, command)
            done = subprocess.run(
                run, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            # How long it took and what the files weigh is said on standard error.
            results = [line for line in shown if not line.startswith(("Wrote ", "Counting writes "))]
            assert_same(results, [line for line in done.stdout.splitlines() if line])
    assert (tmp_path / "dress.png").stat().st_size > 10_000
