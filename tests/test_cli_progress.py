"""Bars on a terminal and none in a pipe; how numbers are shown to people."""

import ast
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import numba
import pytest
from cli_samples import in_subprocess, write_text

from pmifact.cli import progress
from pmifact.cli.console import in_bytes, in_seconds, in_short, log_in_one_line, printable
from pmifact.cli.help import Command
from pmifact.kernels import first_compilation


def on_a_terminal(*args):
    """Run a command whose standard error is a terminal; return (standard output, what was shown)."""
    terminal, stderr = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pmifact", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, "COLUMNS": "80", "TERM": "xterm"},
    )
    os.close(stderr)
    shown = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the other end was closed
            break
        if not block:
            break
        shown += block
    os.close(terminal)
    out = process.communicate()[0].decode()
    assert process.returncode == 0, shown
    return out, shown.decode()


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write_text(tmp_path_factory.mktemp("text") / "small.txt")


def test_a_terminal_gets_a_bar_for_each_step_and_the_closing_line(text, tmp_path):
    out, shown = on_a_terminal("count", text, "-o", tmp_path / "x.counts")
    assert out == ""
    lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in re.split(r"[\r\n]+", shown)]
    for step in ("Encoding text", "Counting pairs"):
        (done, *_) = [line for line in lines if line.startswith(step) and "100%" in line]
        assert len(done) <= 80
        assert re.search(r"━+ 100% .* \d+\.\d s$", done.rstrip())
    assert any(line.startswith("Wrote ") for line in lines)


def test_what_is_told_while_a_bar_is_there_has_its_own_line(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_text("a 1 2\nb 1\nc 2 1\n")
    _, shown = on_a_terminal("neighbors", path, "a", "--errors", "replace")
    lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in re.split(r"[\r\n]+", shown)]
    assert any(line.startswith("Warning: ") for line in lines), lines


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_is_told_of_compiling_once(capsys, monkeypatch, terminal, quiet):
    @click.command(cls=Command)
    @click.option("--quiet", is_flag=True)
    def command(quiet):
        for kernel in (lambda: 1, lambda: 2):
            numba.njit(kernel)()

    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr(first_compilation, "told", False)
    with log_in_one_line():
        command.main(["--quiet"] * quiet, standalone_mode=False)
    assert first_compilation.told
    told = "Compiling for this machine, which takes some seconds; what is compiled is kept\n"
    assert capsys.readouterr().err == (told if terminal and not quiet else "")


def test_what_is_done_fits_its_column():
    calls = [
        node
        for path in Path(progress.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "step"
    ]
    said = [ast.literal_eval(call.args[1]) for call in calls if isinstance(call.args[1], ast.Constant)]
    assert said
    assert max(map(len, said)) <= 20


def test_a_terminal_gets_no_bar_with_quiet(text, tmp_path):
    assert on_a_terminal("count", text, "-o", tmp_path / "x.counts", "--quiet") == ("", "")


def test_a_pipe_gets_no_bar(text, tmp_path):
    outcome = in_subprocess(
        "count", text, "-o", tmp_path / "x.counts", env={**os.environ, "FORCE_COLOR": "1"}
    )
    assert [line.split()[0] for line in outcome.err.splitlines()] == ["Counting", "Wrote"]


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (99_949, "99.9 kB"),
        (99_950, "100 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (94_400_000, "94.4 MB"),
        (3e9, "3.0 GB"),
        (1.5e12, "1.5 TB"),
    ],
)
def test_bytes(size, shown):
    assert in_bytes(size) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (999.4, "999"), (999.6, "1.0 k"), (16_540_000, "16.5 M"), (2.5e9, "2.5 G"), (1e12, "1.0 T")],
)
def test_short_numbers(number, shown):
    assert in_short(number) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0.0 s"),
        (59.94, "59.9 s"),
        (59.95, "1 min 00 s"),
        (125, "2 min 05 s"),
        (3599.4, "59 min 59 s"),
        (3600, "1 h 00 min"),
        (7810, "2 h 10 min"),
    ],
)
def test_seconds(seconds, shown):
    assert in_seconds(seconds) == shown


def test_printable_escapes_control_characters_only():
    assert printable("naïve 猫 पानी a\u200cb") == "naïve 猫 पानी a\u200cb"
    assert printable("a\x1b[2J\tb\nc\x85d\udcff") == "a\\x1b[2J\\tb\\nc\\x85d\\udcff"
