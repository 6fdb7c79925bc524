"""The command line as a whole: help, wrong usage, exit statuses, imports."""

import inspect
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from cli_samples import in_process, in_subprocess

from pmifact import cooccurrence, corpus, merging, objective, phrases, ppmi, storage
from pmifact.cli import root
from pmifact.cli.help import Command, in_options
from pmifact.collocates import shared_contexts, word_contexts
from pmifact.counting import options as counting_options
from pmifact.counting import windows
from pmifact.errors import InputError
from pmifact.evaluation import evaluate_bias, probe_analogy
from pmifact.spectrum import choose_rank
from pmifact.svd import truncated as svd
from pmifact.text import records
from pmifact.vectors import WordVectors

CONTEXT = click.Context(root.pmifact, info_name="pmifact")
TOP = {name: root.pmifact.get_command(CONTEXT, name) for name in root.pmifact.list_commands(CONTEXT)}
COMMANDS = {}  # with those of groups, such as "data list"
for _name, _command in TOP.items():
    if isinstance(_command, click.Group):
        COMMANDS |= {
            f"{_name} {sub}": _command.get_command(CONTEXT, sub) for sub in _command.sections["Commands"]
        }
    else:
        COMMANDS[_name] = _command
HEAVY = {"numba", "scipy", "pandas", "sklearn", "rich", "numpy"}


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


def options_of(command):
    return [parameter for parameter in command.params if isinstance(parameter, click.Option)]


def defaults(name):
    """Return the value that each option has when it is not typed."""
    command = COMMANDS[name]
    words = ["x" for parameter in command.params if isinstance(parameter, click.Argument)]
    words += ["-oy"] * any(option.required for option in options_of(command))
    with command.make_context(name, words) as context:
        return {option: context.params.get(option.name) for option in options_of(command)}


# --- help ---------------------------------------------------------------------------------------------


def test_the_commands_exist_in_the_order_of_use():
    assert list(TOP) == [
        *("encode", "phrases", "count", "convert", "merge", "spectrum", "factorize", "skipgram"),
        *("evaluate", "compare", "objective", "neighbors", "analogy", "contexts", "bias", "export"),
        *("plot", "report", "reproduce"),
        *("info", "data", "demo"),
    ]
    assert [name for name in COMMANDS if " " in name] == [
        *("reproduce levy2014", "reproduce levy2015"),
        *("data list", "data get", "data add", "data path"),
    ]


def test_help_lists_every_command_with_one_whole_sentence(cli):
    shown = cli("--help").out
    for name, command in TOP.items():
        sentence = command.help.split("\n\n")[0].replace("\n", " ")
        assert re.search(rf"^  {name} +{re.escape(sentence)}$", shown, re.MULTILINE), name


def test_help_shows_the_stages_as_they_are_drawn(cli):
    shown = cli("--help").out
    assert "\\b" not in shown
    assert "\n    text --encode--> .corpus --count--> .counts --factorize--> .factors\n" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_shows_every_option_and_fits_80_columns(cli, name):
    shown = cli(*name.split(), "--help")
    assert shown.status == 0
    assert max(map(len, shown.out.splitlines())) <= 80
    for option in options_of(COMMANDS[name]):
        assert option.help.endswith((".", "]")), option.name
        assert all(flag in shown.out for flag in option.opts), option.name


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_shows_every_default(cli, name):
    shown = " ".join(cli(*name.split(), "--help").out.split())
    for option, default in defaults(name).items():
        if isinstance(option.show_default, str):
            assert f"[default: {option.show_default}]" in shown, option.name
        elif not (option.required or option.is_flag or option.multiple):
            assert option.show_default, option.name
            assert default is not None, f"{name} --{option.name}: say in words what None means"
            assert f"[default: {option.default}]" in shown, option.name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_are_valid_commands(monkeypatch, name):
    command = COMMANDS[name]
    assert isinstance(command, Command)
    assert command.examples
    for example in command.examples:
        words = example.split("| ")[-1].split(" > ")[0].split()
        parts = len(name.split())
        assert words[: parts + 1] == ["pmifact", *name.split()]
        command.make_context(name, words[parts + 1 :])


def test_help_is_also_h(cli):
    assert cli("-h") == cli("--help")
    assert cli("count", "-h") == cli("count", "--help")


def test_version(cli):
    assert re.fullmatch(r"pmifact \d+\.\d+\.\d+\S*\n", cli("--version").out)


# --- options are those of the Python API --------------------------------------------------------------

API = {
    "encode": (corpus.encode_corpus,),
    "phrases": (corpus.encode_corpus, phrases.find_phrases),
    "count": (corpus.encode_corpus, cooccurrence.count_cooccurrences),
    "merge": (merging.merge_counts,),
    "spectrum": (choose_rank,),
    "factorize": (ppmi.sppmi, svd.factorize),
    "skipgram": (corpus.encode_corpus, import_module("pmifact.skipgram").train_skipgram),
    "objective": (objective.exact_objective, objective.sampled_objective),
    "export": (storage.read_vectors, storage.write_vectors),
    "neighbors": (storage.read_vectors,),
    "analogy": (storage.read_vectors, WordVectors.analogy),
    "contexts": (word_contexts, shared_contexts),
    "bias": (storage.read_vectors, evaluate_bias, probe_analogy),
    "evaluate": (
        storage.read_vectors,
        import_module("pmifact.evaluation").evaluate_similarity,
        import_module("pmifact.evaluation").evaluate_analogy,
    ),
    "compare": (storage.read_vectors, import_module("pmifact.evaluation").compare_models),
}
NOT_API = {
    *("output", "quiet", "style", "help", "number", "listed", "lists", "probe"),
    *("unit_rows", "sppmi", "similarity", "analogy", "items", "plot"),
}


@pytest.mark.parametrize("name", API)
def test_options_are_keywords_of_the_api_with_the_same_defaults(name):
    keywords = {}
    for function in API[name]:
        keywords |= {
            parameter.name: parameter.default
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
    for option, default in defaults(name).items():
        presets = option.name == "like" and name != "evaluate"  # which set other options
        if option.name in NOT_API or presets:
            continue
        assert option.name in keywords, f"{name} --{option.name} is no keyword of the API"
        expected = keywords.pop(option.name)
        if (name, option.name) == ("objective", "samples"):
            expected = None  # sampling is off until it is asked for
        both_sides = (name, option.name) == ("count", "window")
        assert default == ((expected, expected) if both_sides else expected), option.name
    left = keywords.keys() - {"progress", "model", "normalize", "scratch", "vocabulary", "context_vocabulary"}
    left -= {"similarity", "analogy"} if name == "compare" else set()
    if name == "skipgram":
        left -= {"memory", "monitor"}  # text is encoded in memory: more of it goes through 'encode' first
    left -= {"names"} if name == "merge" else set()  # which are the inputs
    assert not left, f"{name} lacks options for {left}"


@pytest.mark.parametrize(
    ("name", "option", "choices"),
    [
        ("encode", "tokenizer", corpus.TOKENIZERS),
        ("encode", "normalize", corpus.NORMALIZATIONS),
        ("encode", "boundary", corpus.BOUNDARIES),
        ("encode", "errors", corpus.DECODING_ERRORS),
        ("encode", "input_format", records.INPUT_FORMATS),
        ("encode", "column", records.COLUMNS),
        ("phrases", "scorer", phrases.SCORERS),
        ("count", "weighting", windows.WEIGHTINGS),
        ("count", "oov", counting_options.OOV_POLICIES),
        ("count", "subsample_mode", counting_options.SUBSAMPLE_MODES),
        ("factorize", "solver", svd.SOLVERS),
        ("skipgram", "loss", import_module("pmifact.skipgram").LOSSES),
        ("skipgram", "negative_rule", import_module("pmifact.skipgram").NEGATIVE_RULES),
        ("export", "contexts", import_module("pmifact.factors").CONTEXTS),
        ("evaluate", "oov", import_module("pmifact.evaluation.lookup").OOV_POLICIES),
        ("evaluate", "case", import_module("pmifact.evaluation.lookup").CASES),
        ("evaluate", "method", import_module("pmifact.evaluation.ways").METHODS),
    ],
)
def test_choices_are_those_of_the_stage(name, option, choices):
    (found,) = (parameter for parameter in COMMANDS[name].params if parameter.name == option)
    assert set(found.type.choices) == set(choices)


# --- wrong usage is 2, an error 1, a bug a traceback --------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ["coutn", "x"],
        ["count"],
        ["count", "x"],
        ["count", "x", "-o", "y", "--rank", "3"],
        ["count", "x", "-o", "y", "--window", "0"],
        ["count", "x", "-o", "y", "--window", "1,2,3"],
        ["count", "x", "-o", "y", "--window=-1,2"],
        ["count", "x", "-o", "y", "--window", "wide"],
        ["count", "x", "-o", "y", "--window", "1000000"],
        ["count", "x", "-o", "y", "--window", "9" * 5000],
        ["count", "x", "-o", "y", "--seed", "9" * 30],
        ["count", "x", "-o", "y", "--seed", "9" * 5000],
        ["count", "x", "-o", "y", "--min-pair-count", "0"],
        ["count", "x", "-o", "y", "--context-vocabulary", "0"],
        ["count", "x", "-o", "y", "--encoding", "klingon"],
        ["count", "x", "-o", "y", "--subsample", "nan"],
        ["count", "x", "-o", "y", "--subsample", "0"],
        ["count", "x", "-o", "y", "--subsample-mode", "after"],
        ["count", "x", "-o", "y", "--memory", "much"],
        ["count", "x", "-o", "y", "--memory", "1MB"],
        ["encode", "x", "-o", "y", "--min-count", "0"],
        ["encode", "x", "-o", "y", "--min-count", "many"],
        ["merge", "x", "-o", "y"],
        ["factorize", "x", "-o", "y", "--rank", "0"],
        ["factorize", "x", "-o", "y", "--rank", "2.5"],
        ["factorize", "x", "-o", "y", "--shift", "-1"],
        ["factorize", "x", "-o", "y", "--smoothing", "1.5"],
        ["skipgram", "x", "-o", "y", "--epochs", "0"],
        ["skipgram", "x", "-o", "y", "--rank", "0"],
        ["skipgram", "x", "-o", "y", "--loss", "cbow"],
        ["objective", "x"],
        ["objective", "x", "y", "--samples", "1"],
        ["objective", "x", "y", "--seed", "1"],
        ["objective", "x", "y", "y"],
        ["evaluate", "x"],
        ["evaluate", "x", "x", "--similarity", "y"],
        ["evaluate", "x", "--similarity", "y", "--method", "mul"],
        ["evaluate", "x", "--similarity", "y", "--restrict-vocab", "9"],
        ["compare", "x", "z", "--similarity", "y", "--resamples", "0"],
        ["neighbors", "x"],
        ["neighbors", "x", "y", "--power", "-1"],
        ["export", "x", "-o", "y.bin", "--no-header"],
        ["data", "get"],
        ["data", "add", "ws353"],
        ["data", "fetch"],
        ["info"],
        ["--threads", "2", "info"],
    ],
)
def test_wrong_usage_is_exit_status_2_and_says_how_to_get_help(cli, args):
    outcome = cli(*args)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.splitlines()[0].startswith("Usage: pmifact")
    assert "for help." in outcome.err
    assert outcome.err.splitlines()[-1].startswith("Error: ")


def test_no_command_shows_the_help(cli):
    outcome = cli()
    assert "From text to word vectors:" in outcome.out + outcome.err


def test_a_mistyped_command_gets_a_suggestion(cli):
    assert "did you mean 'factorize'?" in cli("factorise", "x").err


def explode(monkeypatch, error):
    """Let `pmifact info` raise `error`."""

    def fail(path):
        raise error

    monkeypatch.setattr(storage, "read_manifest", fail)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("where: expected this, got that"), "Error: where: expected this, got that"),
        (InputError("a word \x1b[2J\n of a hostile file"), "Error: a word \\x1b[2J\\n of a hostile file"),
        (OSError(28, "No space left on device", "some/file"), "Error: some/file: No space left on device"),
        (OSError(5, "Input/output error"), "Error: Input/output error"),
        (MemoryError(), "Error: not enough memory for this"),
    ],
)
def test_an_error_is_one_sentence_and_exit_status_1(cli, monkeypatch, error, line):
    explode(monkeypatch, error)
    outcome = cli("info", "x")
    assert outcome.status == 1
    assert outcome.out == ""
    assert outcome.err.startswith(line)
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("min_count: no word; give a smaller min_count", "--min-count: no word; give a smaller --min-count"),
        ("rank 300: the largest rank is 3", "--rank 300: the largest rank is 3"),
        ("window: expected a width", "--window: expected a width"),
        ("x: decode it with errors='replace'", "x: decode it with --errors replace"),
        ("x: power=0.5 does not apply; leave it out", "x: --power 0.5 does not apply; leave it out"),
        ("the rank of the window", "the rank of the window"),
        ("rank and file: is no option", "rank and file: is no option"),
        ("a/min_count.txt: the word 'min_count' stands twice", None),
        ("min_count/x: absent", None),
        ("use --min-count or --window", None),
    ],
)
def test_an_error_names_options_and_not_keywords(told, shown):
    flags = ("--min-count", "--rank", "--window", "--errors", "--power")
    assert in_options(told, [click.Option([flag]) for flag in flags]) == (shown or told)


def test_an_error_of_the_api_is_told_in_options(cli, tmp_path):
    (tmp_path / "few.txt").write_text("a few words\n")
    outcome = cli("encode", tmp_path / "few.txt", "-o", tmp_path / "few.corpus")
    assert outcome.status == 1
    assert outcome.err.startswith("Error: --min-count: no word occurs 5 times; ")
    assert outcome.err.endswith("give a smaller --min-count\n")


def test_a_bug_is_a_traceback(cli, monkeypatch):
    explode(monkeypatch, ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError):
        cli("info", "x")


def test_an_interrupt_that_python_raised_itself_is_130_and_one_line(cli, monkeypatch):
    explode(monkeypatch, KeyboardInterrupt())
    outcome = cli("info", "x")
    assert outcome.status == 130
    assert outcome.err.strip() == "Interrupted; nothing half-written is left behind"


def test_a_warning_is_one_line(cli, monkeypatch):
    import warnings

    def warn(path):
        warnings.warn("the weights were rounded", UserWarning, stacklevel=1)
        raise InputError("and that was that")

    monkeypatch.setattr(storage, "read_manifest", warn)
    assert cli("info", "x").err == "Warning: the weights were rounded\nError: and that was that\n"


def test_an_unwritable_standard_output_is_one_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pmifact", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == (
        "Error: standard output: cannot be written: No space left on device; "
        "free space there, or write elsewhere\n"
    )


def test_results_are_not_lost_on_a_closed_standard_output():
    command = f"{sys.executable} -m pmifact --version >&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        "Error: standard output: is closed, and results have no place; redirect it to a file\n"
    )


@pytest.mark.parametrize("place", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(("args", "status"), [("--version", 0), ("coutn", 2), ("info absent", 1)])
def test_a_message_that_cannot_be_written_changes_nothing(place, args, status):
    command = f"{sys.executable} -m pmifact {args} {place}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stdout.startswith("pmifact ") == (status == 0)
    assert done.stderr == ""


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_closed_stream_is_no_bug(closed):
    command = f"{sys.executable} -m pmifact count absent -o absent.counts {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_quiet():
    done = subprocess.run(
        f"{sys.executable} -m pmifact count --help | head -c 1 >{os.devnull}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


# --- what is loaded -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement", ["import pmifact", "from pmifact.cli import run_command; run_command(['--help'])"]
)
def test_a_start_loads_no_heavy_library(statement):
    code = f"{statement}\nimport sys, json; print('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert HEAVY.isdisjoint(loaded), HEAVY.intersection(loaded)


def test_python_m_pmifact_is_the_command():
    outcome = in_subprocess("--version")
    assert outcome.status == 0
    assert outcome.out.startswith("pmifact ")


def test_every_module_of_the_command_line_is_small():
    for path in Path(root.__file__).parent.rglob("*.py"):
        assert len(path.read_text().splitlines()) <= 400, path
