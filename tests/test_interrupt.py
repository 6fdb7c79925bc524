"""Ctrl-C: one line, nothing half-written. SIGKILL: the old artifact or the new one, whole."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from cli_samples import write_text

from pmifact.cli import run_command
from pmifact.storage import verify_artifact
from pmifact.world import write_world

STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
WORD = {signal.SIGINT: "Interrupted", signal.SIGTERM: "Terminated"}
COMMANDS = ("count", "factorize", "count in bounded memory")
# Says when it listens for signals: before that, while Python starts, nobody could answer in words.
START = """
from pmifact import cli
invoke = cli._invoke
cli._invoke = lambda args: (print(flush=True), invoke(args))[1]
cli.main()
"""


def start(args, code=START, **settings):
    """Start a command in a process group of its own, and return when it listens for signals."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **settings,
    )
    process.stdout.readline()
    return process


def end(process, number):
    """Send a signal to the group and return (exit status, what was said)."""
    with suppress(ProcessLookupError):  # it was faster
        os.killpg(process.pid, number)
    _, said = process.communicate(timeout=600)
    return process.returncode, said


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write_text(folder / "small.txt", sentences=3000)
    assert (
        run_command(["count", str(folder / "small.txt"), "-o", str(folder / "small.counts"), "--quiet"]) == 0
    )
    return folder


def command(name, made, target):
    """Return the command that makes `target`; what it reads differs in nothing from run to run."""
    if name != "factorize":
        bound = ["--memory", "256MB"] * (name == "count in bounded memory")
        return ["count", made / "small.txt", "-o", target, "--quiet", *bound]
    return ["factorize", made / "small.counts", "-o", target, "--rank", "12", "--threads", "1", "--quiet"]


@pytest.fixture(scope="module")
def seconds(made, tmp_path_factory):
    """Return how long each command takes from start to end."""
    found = {}
    for name in COMMANDS:
        began = time.perf_counter()
        process = start(command(name, made, tmp_path_factory.mktemp("timed") / "x"))
        assert end(process, 0) == (0, "")
        found[name] = time.perf_counter() - began
    return found


def data_files(artifact):
    return {path.name: path.read_bytes() for path in Path(artifact).iterdir() if path.name != "manifest.json"}


def interrupt(args, seconds, number, moments):
    """Stop a command at fractions of its duration; each time all must be as before."""
    target = args[args.index("-o") + 1]
    assert run_command([*map(str, args)]) == 0
    before = data_files(target)
    stopped = 0
    for moment in moments:
        process = start(args)
        time.sleep(seconds * moment)
        status, said = end(process, number)
        if status in (0, -number) and said == "":  # it was done, or in its last breath
            seconds *= min(moment, 1)  # an upper bound of what it takes now: the first time may be slower
            continue
        stopped += 1
        assert (status, said) == (STATUS[number], f"{WORD[number]}; nothing half-written is left behind\n")
        assert os.listdir(target.parent) == [target.name]
        assert data_files(target) == before
    return stopped


@pytest.mark.parametrize("name", ["count", "factorize"])
def test_ctrl_c_is_one_line_and_leaves_nothing(name, made, seconds, tmp_path):
    args = command(name, made, tmp_path / "x")
    assert interrupt(args, seconds[name], signal.SIGINT, [0, 0.3, 0.6]) >= 1


def test_termination_is_one_line_too(made, seconds, tmp_path):
    args = command("count", made, tmp_path / "x")
    assert interrupt(args, seconds["count"], signal.SIGTERM, [0.1]) == 1


def test_ctrl_c_five_times_is_ctrl_c_once(made, tmp_path):
    process = start(command("count", made, tmp_path / "x.counts"))
    for _ in range(4):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.005)
    assert end(process, signal.SIGINT) == (130, "Interrupted; nothing half-written is left behind\n")
    assert os.listdir(tmp_path) == []


def test_ctrl_c_while_waiting_for_standard_input(tmp_path):
    process = start(["encode", "-", "-o", tmp_path / "x.corpus"], stdin=subprocess.PIPE)
    time.sleep(1)
    assert end(process, signal.SIGINT) == (130, "Interrupted; nothing half-written is left behind\n")
    assert os.listdir(tmp_path) == []


def test_a_background_job_that_ignores_ctrl_c_goes_on_ignoring_it(made, tmp_path):
    process = start(
        command("count", made, tmp_path / "x.counts"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert end(process, signal.SIGINT) == (0, "")


def test_a_signal_lost_in_a_destructor_is_sent_again():
    code = """
import os, signal, time
from pmifact.cli.signals import Stopped, stoppable

class Stopping:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

with stoppable() as stop:
    try:
        Stopping()
        time.sleep(60)
    except Stopped:
        print("stopped", stop.status)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.stdout, done.stderr) == ("stopped 130\n", "")


def kill(args, seconds, moments):
    """Kill a command at fractions of its duration; each time a whole artifact is there."""
    target = args[args.index("-o") + 1]
    assert run_command([*map(str, args)]) == 0
    expected = data_files(target)
    for moment in moments:
        process = start(args)
        time.sleep(seconds * moment)
        assert end(process, signal.SIGKILL)[0] in (0, -signal.SIGKILL)
        verify_artifact(target)
        assert data_files(target) == expected
    assert run_command([*map(str, args)]) == 0
    assert data_files(target) == expected
    assert os.listdir(target.parent) == [target.name], "what the killed runs left is cleared away"


@pytest.mark.parametrize("name", ["count", "factorize"])
def test_a_killed_run_leaves_a_whole_artifact_and_the_next_one_the_same_bytes(name, made, seconds, tmp_path):
    draw = random.Random(name)
    kill(command(name, made, tmp_path / "x"), seconds[name], [draw.random() for _ in range(5)])


@pytest.mark.acceptance
@pytest.mark.parametrize("name", COMMANDS)
def test_many_killed_runs(name, made, seconds, tmp_path):
    kill(command(name, made, tmp_path / "x"), seconds[name], [moment / 60 for moment in range(62)])


# Lets a bounded count have a dozen shards, although the text is small.
SHARDS = """
from pmifact.counting import shards
shards.working_memory = lambda limit: 16 * 50_000
"""


@pytest.mark.acceptance
@pytest.mark.parametrize(
    "args",
    [
        ["count", "world.txt", "--min-count", "2"],
        ["count", "world.txt", "--min-count", "2", "--memory", "256MB"],
        ["count", "world.txt", "--positional", "--memory", "256MB", "--threads", "1"],
        ["factorize", "world.counts", "--rank", "50", "--threads", "1"],
    ],
    ids=" ".join,
)
def test_a_result_comes_after_20_kills_whatever_they_left(args, world, tmp_path, monkeypatch):
    monkeypatch.chdir(world)
    began = time.perf_counter()
    process = start([*args, "-o", tmp_path / "expected"], code=SHARDS + START)
    status, said = end(process, 0)
    assert status == 0, said
    seconds = time.perf_counter() - began
    expected = data_files(tmp_path / "expected")
    target = tmp_path / "folder" / "x"
    target.parent.mkdir()
    draw = random.Random(" ".join(args))
    heard = ""
    for _ in range(20):
        process = start([*args, "-o", target], code=SHARDS + START)
        time.sleep(seconds * draw.random())
        status, said = end(process, signal.SIGKILL)
        assert status in (0, -signal.SIGKILL), said
        heard += said
        if target.exists():
            verify_artifact(target)
            assert data_files(target) == expected
    status, said = end(start([*args, "-o", target], code=SHARDS + START), 0)
    assert status == 0, said
    assert data_files(target) == expected
    assert os.listdir(target.parent) == [target.name], "what the killed runs left is cleared away"
    if "--memory" in args:
        assert "Taking up unfinished counts: " in heard + said
        assert "Taking up the encoded text" in heard + said


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    write_world(folder)
    assert run_command(["count", str(folder / "world.txt"), "-o", str(folder / "world.counts"), "-q"]) == 0
    return folder


@pytest.mark.acceptance
@pytest.mark.parametrize("name", COMMANDS)
def test_many_interrupts(name, made, seconds, tmp_path):
    args = command(name, made, tmp_path / "x")
    assert interrupt(args, seconds[name], signal.SIGINT, [moment / 60 for moment in range(62)]) > 30
