"""`duelbox help`: prints topics, commands, rules, or everything as a man page."""

from __future__ import annotations

import json
import re
import sys
from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable, Iterator
from textwrap import wrap

from duelbox import __version__
from duelbox.bots.seen import rules_of
from duelbox.commands.shared import commands_of, title_of, topics, what_commands_do
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.model import listed
from duelbox.core.session import Session
from duelbox.plain.rules_page import BLOCKS, rules_page
from duelbox.registry import find_game, game_ids, rules_text


def run(args: Namespace) -> int:
    """Print a page of help."""
    if args.json:
        if not args.topic:
            raise DuelboxError("--json takes a game or a code: duelbox help GAME --json")
        sys.stdout.write(_rules_as_json(args.topic))
    elif args.man:
        sys.stdout.write(_manual(args.parser))
    elif args.topic:
        sys.stdout.write(_page(args.parser, args.topic.lower()))
    else:
        sys.stdout.write(_contents(args.parser))
    return 0


def rules(args: Namespace) -> int:
    """Print the rules of a game, or of a code, under the older name of the command."""
    if args.json:
        sys.stdout.write(_rules_as_json(args.game))
    elif is_code(args.game):
        sys.stdout.write(_rules_as_played(parse_code(args.game, find_game)))
    else:
        sys.stdout.write(rules_page(find_game(args.game.lower()).INFO.id))
    return 0


def _rules_as_json(text: str) -> str:
    """The rules of a game in full, or of a code as they are played, as JSON."""
    if is_code(text):
        session = parse_code(text, find_game)
        info = session.game.INFO
        rules: str | tuple[str, ...] = rules_of(session.game, session.options)
    else:
        info = find_game(text.lower()).INFO
        rules = rules_text(info.id)
    told = {"game": info.id, "title": info.title, "goal": info.goal, "rules": rules}
    return json.dumps(told, indent=1) + "\n"


def is_code(text: str) -> bool:
    """True for a code with house rules or moves, not the name of a game alone."""
    return ":" in text or "/" in text


def _rules_as_played(session: Session) -> str:
    """The rules of a game as it is played, a sentence each."""
    house = session.options.in_words
    head = session.game.INFO.title
    if house:
        head = f"{head}: {house}"
    return "\n".join([head, "", *rules_of(session.game, session.options), ""])


def _page(parser: ArgumentParser, topic: str) -> str:
    commands, pages = commands_of(parser), topics()
    if topic in pages:
        return pages[topic]
    if topic in commands:
        return commands[topic].format_help()
    if is_code(topic):
        return _rules_as_played(parse_code(topic, find_game))
    try:
        return rules_page(topic)
    except UnknownGame:
        there = (
            f"Topics: {listed([*pages])}. Commands: {listed([*what_commands_do(parser)])}. Games: {listed(game_ids())}."
        )
        raise DuelboxError(f"There is no help on {topic[:24]!a}. {there}") from None


def _contents(parser: ArgumentParser) -> str:
    titles = {name: title_of(page) for name, page in topics().items()}
    width = max(map(len, titles))
    lines = [
        "duelbox help TOPIC",
        *(f"  {name:<{width}}  {title}" for name, title in titles.items()),
        "",
        "duelbox help COMMAND",
        *_filled(what_commands_do(parser)),
        "",
        "duelbox help GAME, or a code: its rules",
        *_filled(game_ids()),
    ]
    return "\n".join(lines) + "\n"


def _filled(words: Iterable[str]) -> list[str]:
    return wrap(", ".join(words), 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


# -- the man page


def _manual(parser: ArgumentParser) -> str:
    """The man page as source for `man`."""
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
        lines += _section(page)
    return "\n".join(lines) + "\n"


def _commands(parser: ArgumentParser) -> Iterator[str]:
    commands = commands_of(parser)
    for name, about in what_commands_do(parser).items():
        command = commands[name]
        yield from (f".SS {_text(name)}", *_usage(command), ".PP", _sentence(about), *_options(command))


def _usage(parser: ArgumentParser) -> Iterator[str]:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    yield from (".nh", _text(usage), ".hy")


def _options(parser: ArgumentParser) -> Iterator[str]:
    """Every option and argument except `--help` and the commands."""
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


def _section(page: str) -> Iterator[str]:
    """A page of help as source: headings, paragraphs, lists, and literal text."""
    for block in re.split(BLOCKS, page.strip("\n")):
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
    """A line with the special characters of the formatter escaped."""
    line = line.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{line}" if line.startswith((".", "'")) else line
