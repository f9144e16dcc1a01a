"""The man page, made of the parser and the pages of help: `duelbox help --man`."""

from __future__ import annotations

import re
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Iterator

from duelbox import __version__
from duelbox.commands.help import commands_of, topics, what_commands_do

__all__ = ["manual"]


def manual(parser: ArgumentParser) -> str:
    """The page, as `man` reads it."""
    lines = [
        f'.TH DUELBOX 1 "" "duelbox {__version__}" "User Commands"',
        ".SH NAME",
        r"duelbox \- five small number duels for two",
        ".SH SYNOPSIS",
        *_usage(parser),
        ".SH DESCRIPTION",
        _text(parser.description or ""),
        *_options(parser),
        ".SH COMMANDS",
        *_commands(parser),
        ".SH EXAMPLES",
        *_as_it_is((parser.epilog or "").splitlines()[1:]),
    ]
    for page in topics().values():
        lines += _page(page)
    return "\n".join(lines) + "\n"


def _commands(parser: ArgumentParser) -> Iterator[str]:
    about = what_commands_do(parser)
    for name, command in commands_of(parser).items():
        yield from (f".SS {_text(name)}", *_usage(command), ".PP", _sentence(about[name]), *_options(command))


def _usage(parser: ArgumentParser) -> Iterator[str]:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    yield from (".nh", _text(usage), ".hy")


def _options(parser: ArgumentParser) -> Iterator[str]:
    """Every option and argument, but for `--help` and the commands themselves."""
    for action in parser._actions:
        if not isinstance(action, _SubParsersAction) and action.dest != "help":
            yield from (".TP", _called(action), _sentence(action.help or ""))


def _called(action: Action) -> str:
    names = [rf"\fB{_text(name)}\fR" for name in action.option_strings]
    if action.nargs == 0:
        return ", ".join(names)
    value = action.metavar or "|".join(map(str, action.choices or (action.dest,)))
    value = rf"\fI{_text(str(value))}\fR"
    return " ".join([*names, f"[{value}]" if names and action.nargs == "?" else value])


def _sentence(text: str) -> str:
    return f"{_text(text[:1].upper() + text[1:])}."


def _page(page: str) -> Iterator[str]:
    """A page of help: headings, paragraphs, lists, and what is to be shown as it is."""
    for block in re.split(r"\n\n(?!    )|(?<=\n)\n(?=    )", page.strip("\n")):
        lines = block.strip("\n").splitlines()
        heading = re.match("(##?) (.*)", lines[0])
        if heading:
            yield f".SH {_text(heading[2].upper())}" if heading[1] == "#" else f".SS {_text(heading[2])}"
        elif lines[0].startswith(("    ", "|")):
            yield from _as_it_is(re.sub("^    ", "", line) for line in lines)
        else:
            for item in re.split(r"\n(?=- )", block):
                yield from ([r".IP \(bu 2"] if item.startswith("- ") else [".PP"])
                yield from (_marked(line) for line in item.removeprefix("- ").splitlines())


def _as_it_is(lines: Iterable[str]) -> Iterator[str]:
    yield from (".PP", ".RS 2", ".nf", *map(_text, lines), ".fi", ".RE")


def _marked(line: str) -> str:
    return re.sub("`(.+?)`", r"\\fB\1\\fR", _text(line.strip()))


def _text(line: str) -> str:
    """A line that asks nothing of the formatter."""
    line = line.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{line}" if line.startswith((".", "'")) else line
