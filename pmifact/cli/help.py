"""Help that reads like a page: options under headings, examples, commands in the order of use."""

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import click

from pmifact.cli.console import with_notes
from pmifact.errors import PmifactError

GENERAL = "General"
_MOST_FLAGS = 28  # a longer list of flags stands on a line of its own


class Formatter(click.HelpFormatter):
    """Headings in bold, where the terminal can."""

    def write_heading(self, heading: str) -> None:
        """Write one heading."""
        self.write(f"{'':>{self.current_indent}}{click.style(f'{heading}:', bold=True)}\n")

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        super().write_usage(
            prog, args, prefix=click.style("Usage:", bold=True) + " " if prefix is None else prefix
        )


class Context(click.Context):
    """The context whose help is formatted by `Formatter`."""

    formatter_class = Formatter


class Option(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *args: Any, section: str = GENERAL, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help; a default in words stands without click's parentheses."""
        record = super().get_help_record(ctx)
        return record and (record[0], re.sub(r"\[default: \((.*)\)", r"[default: \1", record[1]))


class Command(click.Command):
    """A command whose options are shown by section and whose help ends with examples."""

    context_class = Context

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error that names keywords of Python names the options instead."""
        try:
            with with_notes(not ctx.params.get("quiet")):
                return super().invoke(ctx)
        except PmifactError as error:
            told = str(error)
            sentence = in_options(told, self.params)
            if sentence == told:
                raise
            raise PmifactError(sentence) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options section by section, the general ones last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = isinstance(parameter, click.Option) and parameter.get_help_record(ctx)
            if record:
                sections.setdefault(getattr(parameter, "section", GENERAL), []).append(record)
        sections[GENERAL] = sections.pop(GENERAL)
        # One column for all sections, so that the page is calm.
        widths = [len(flags) for records in sections.values() for flags, _ in records]
        width = max(width for width in widths if width <= _MOST_FLAGS)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl([(flags.ljust(width), text) for flags, text in records], col_max=width + 2)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are typed."""
        _write_examples(self.examples, formatter)


def in_options(sentence: str, parameters: Iterable[click.Parameter]) -> str:
    """Return what an error of the Python API says in terms of the options of a command.

    ``min_count: ...; give a smaller min_count`` becomes ``--min-count: ...; give a smaller --min-count``. A
    keyword that is also an English word is one only where it stands before a colon at the start, with or
    without its value, or before ``=``. What is quoted or part of a path is left alone.
    """
    for parameter in parameters:
        if isinstance(parameter, click.Option) and parameter.name:
            name, flag = re.escape(parameter.name), max(parameter.opts, key=len)
            sentence = re.sub(rf"(?<![\w'\"./=-]){name}=(['\"]?)([\w.+-]+)\1", rf"{flag} \2", sentence)
            sentence = re.sub(rf"^{name}(?=( \S+)?: )", flag, sentence)
            if "_" in name:
                sentence = re.sub(rf"(?<![\w'\"./-]){name}(?![\w'\"/-]|\.\w)", flag, sentence)
    return sentence


class Group(click.Group):
    """A group whose commands live in one module each, imported when asked for.

    Parameters
    ----------
    sections : dict of str to tuple of str
        The names of the commands under each heading; ``name`` is the attribute `command` of the module
        ``<package>.<name>``.
    package : str
        Where the modules are.
    examples : tuple of str
        Shown at the end of the help.
    """

    context_class = Context

    def __init__(
        self,
        *args: Any,
        sections: dict[str, tuple[str, ...]],
        package: str = "pmifact.cli",
        examples: tuple[str, ...] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.sections = sections
        self.package = package
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of use."""
        return [name for names in self.sections.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(f"{self.package}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one is nearest to what was typed."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=1)
            ctx.fail(f"there is no command {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command's one line under its heading."""
        width = max(map(len, self.list_commands(ctx)))
        for title, names in self.sections.items():
            with formatter.section(title):
                lines = []
                for name in names:
                    command = self.get_command(ctx, name)
                    assert command is not None
                    lines.append(
                        (name.ljust(width), command.get_short_help_str(limit=formatter.width - width - 6))
                    )
                formatter.write_dl(lines)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are typed."""
        _write_examples(self.examples, formatter)


def _write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples" if len(examples) > 1 else "Example"):
            for example in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
