"""`duelbox help`: what there is to read, and each of it: a topic, a command, the rules of a game."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable
from importlib.resources import files
from textwrap import wrap

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.model import listed

__all__ = ["commands_of", "run", "title_of", "topics", "what_commands_do"]


def run(args: Namespace) -> int:
    """Print the page."""
    if args.man:
        from duelbox.commands.manual import manual

        sys.stdout.write(manual(args.parser))
        return 0
    sys.stdout.write(_page(args.parser, args.topic.lower()) if args.topic else _contents(args.parser))
    return 0


def topics() -> dict[str, str]:
    """The pages of help by name: every Markdown file in `duelbox/help` is one, its heading says what it is about."""
    pages = (page for page in files("duelbox").joinpath("help").iterdir() if page.name.endswith(".md"))
    return {page.name.removesuffix(".md"): page.read_text("utf-8") for page in sorted(pages, key=lambda it: it.name)}


def title_of(page: str) -> str:
    """What a page is about."""
    return page.partition("\n")[0].removeprefix("# ")


def commands_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The parsers of the commands, by name."""
    return dict(_subparsers(parser).choices)


def what_commands_do(parser: ArgumentParser) -> dict[str, str]:
    """The commands, and what each does in a few words."""
    return {one.dest: one.help or "" for one in _subparsers(parser)._choices_actions}


def _subparsers(parser: ArgumentParser) -> _SubParsersAction[ArgumentParser]:
    return next(one for one in parser._actions if isinstance(one, _SubParsersAction))


def _page(parser: ArgumentParser, topic: str) -> str:
    from duelbox.registry import game_ids, rules_text

    commands, pages = commands_of(parser), topics()
    if topic in pages:
        return pages[topic]
    if topic in commands:
        return commands[topic].format_help()
    try:
        return rules_text(topic)
    except UnknownGame:
        there = f"Topics: {listed([*pages])}. Commands: {listed([*commands])}. Games: {listed(game_ids())}."
        raise DuelboxError(f"There is no help on {topic[:24]!a}. {there}") from None


def _contents(parser: ArgumentParser) -> str:
    from duelbox.registry import game_ids

    titles = {name: title_of(page) for name, page in topics().items()}
    width = max(map(len, titles))
    lines = [
        "duelbox help TOPIC",
        *(f"  {name:<{width}}  {title}" for name, title in titles.items()),
        "",
        "duelbox help COMMAND",
        *_filled(commands_of(parser)),
        "",
        "duelbox help GAME: its rules",
        *_filled(game_ids()),
    ]
    return "\n".join(lines) + "\n"


def _filled(words: Iterable[str]) -> list[str]:
    return wrap(", ".join(words), 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
