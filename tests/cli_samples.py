"""A small text with known neighbours, its gold sets, and the command line called as a user calls it."""

import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from pmifact.cli import run_command

TOPICS = {
    "pets": ("cat", "dog", "hamster", "rabbit", "fur", "paw", "tail", "barks", "purrs", "Ears"),
    "food": ("bread", "cheese", "soup", "apple", "bakes", "eats", "cooks", "spoon", "salt", "taste"),
    "ships": ("boat", "sail", "harbour", "anchor", "captain", "wave", "deck", "crew", "storm", "mast"),
}
GLUE = ("the", "a", "of", "and", "with")


class Outcome(NamedTuple):
    """What a command left behind: its exit status and what it wrote."""

    status: int
    out: str
    err: str


def write_text(path: Path, sentences: int = 600, seed: int = 0) -> Path:
    """Write sentences whose words are of one topic each."""
    draw = random.Random(seed)
    lines = []
    for _ in range(sentences):
        topic = TOPICS[draw.choice(list(TOPICS))]
        words = [draw.choice(topic if draw.random() < 0.7 else GLUE) for _ in range(draw.randint(5, 12))]
        lines.append(" ".join(words))
    path.write_text("\n".join(lines) + "\n")
    return path


def write_similarity(path: Path) -> Path:
    path.write_text(
        "cat\tdog\t9.0\nbread\tcheese\t8.5\nboat\tsail\t8\ncat\tanchor\t1\nsoup\tmast\t0.5\ncat\tzebra\t3\n"
    )
    return path


def write_analogy(path: Path) -> Path:
    """Of the nine questions that ask for a ship, exactly one can be right."""
    ships = [f"cat dog boat {ship}" for ship in TOPICS["ships"][1:]]
    path.write_text(
        "\n".join([": ships", *ships, ": gram1-plural", "soup apple boat sail", "cat dog unicorn sail", ""])
    )
    return path


def make_all(folder: Path) -> Path:
    """Write the text, its gold sets and an artifact of each stage into `folder`."""
    text = write_text(folder / "small.txt")
    write_similarity(folder / "pairs.tsv")
    write_analogy(folder / "questions.txt")
    corpus, counts, factors = (folder / f"small.{stage}" for stage in ("corpus", "counts", "factors"))
    for step in (
        ["encode", text, "-o", corpus],
        ["count", corpus, "-o", counts, "--threads", "2"],
        ["factorize", counts, "-o", factors, "--rank", "8", "--threads", "1"],
    ):
        assert run_command([*map(str, step), "--quiet"]) == 0
    return folder


def in_process(capsys, *args) -> Outcome:
    """Run a command in this process."""
    capsys.readouterr()
    status = run_command([str(arg) for arg in args])
    return Outcome(status, *capsys.readouterr())


def in_subprocess(*args, **settings) -> Outcome:
    """Run a command as a shell would."""
    done = subprocess.run(
        [sys.executable, "-m", "pmifact", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        **settings,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
