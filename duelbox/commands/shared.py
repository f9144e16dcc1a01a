"""Helpers of several commands, none of which imports from another.

Most imports are inside the functions: completion, which is asked at every press of Tab, needs little of this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from duelbox import startup
from duelbox.core.errors import CodeError, DuelboxError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _SubParsersAction
    from fractions import Fraction

    from duelbox.core.session import Session
    from duelbox.ui.app import DuelboxApp

FAILED, REFUSED = 1, 2

_NO_TERMINAL = "The full screen needs a terminal, and there is none here. For lines of text:"
_NO_CONTROL = "The full screen cannot control this terminal: this Python has no termios. For lines of text:"


# -- arguments


def check_alone(args: Namespace, option: str, why: str, others: Iterable[str]) -> None:
    """Refuse what this option leaves no room for, rather than do without it and not say so."""
    given = [f"--{one}" if one != "game" else "GAME" for one in others if getattr(args, one) is not None]
    if given:
        from duelbox.core.model import listed

        raise DuelboxError(f"{option} {why}: leave out {listed(given)}.")


def content(name: str) -> bytes:
    """The file, or the standard input for `-`; no more of it than a record can have, without the mark that editors on
    Windows begin a file with."""
    return next(_read(name, lambda first: False), b"")


def documents(name: str) -> Iterator[bytes]:
    """The lines of a file that has a whole JSON object on its first line, or else the file as `content` reads it."""
    return _read(name, lambda first: first.strip()[:1] == b"{" and first.strip()[-1:] == b"}")


def _read(name: str, in_lines: Callable[[bytes], bool]) -> Iterator[bytes]:
    from codecs import BOM_UTF8
    from contextlib import nullcontext
    from io import BytesIO
    from pathlib import Path

    from duelbox.core.record_reader import MAX_TEXT
    from duelbox.store.files import reason

    try:
        here = sys.stdin.buffer if name == "-" and sys.stdin else BytesIO()
        with nullcontext(here) if name == "-" else Path(name).open("rb") as file:
            line = file.readline(MAX_TEXT + 1).removeprefix(BOM_UTF8)
            if not in_lines(line):
                yield line + file.read(MAX_TEXT + 1 - len(line))
                return
            while line:
                yield line
                while line and not line.endswith(b"\n"):  # what is left of a line that is too long
                    line = file.readline(MAX_TEXT)
                line = file.readline(MAX_TEXT + 1)
    except (OSError, ValueError) as error:
        raise DuelboxError(f"{name[:200]} cannot be read: {reason(error)}.") from None


# -- secrets


def keep_secrets(*, lines: bool = False) -> None:
    """Leave no core dump, which would hold hidden hands; in lines, let signals clear them away as Ctrl+C does.

    The full screen has its own way to end.
    """
    import signal

    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for name in ("SIGTERM", "SIGHUP") if lines else ():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            with suppress(ValueError):  # not in the main thread
                signal.signal(number, signal.default_int_handler)


# -- the full screen


def has_screen() -> bool:
    """There is a terminal that a full screen fits, or a server such as textual-serve that stands for one."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def is_here(module: str) -> bool:
    """This Python has the module."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def above_home(then: Callable[[DuelboxApp], None], instead: str) -> int:
    """Run the full screen with something above home; raises DuelboxError, with what to do instead, without a screen."""
    return on_screen(lambda run_app: run_app(None, then=then), instead)


def on_screen(run: Callable[[Callable[..., int]], int], instead: str) -> int:
    """Run the full screen, and keep the terminal whole; `run` is given `run_app`."""
    if not has_screen():
        raise DuelboxError(f"{_NO_TERMINAL} {instead}")
    if sys.platform != "win32" and not is_here("termios"):
        raise DuelboxError(f"{_NO_CONTROL} {instead}")
    keep_secrets()
    from duelbox.ui.terminal.supervisor import supervised

    def opened() -> int:
        startup.hurry()  # until the first paint
        startup.encrypt_later()
        try:
            from duelbox.ui.app import run_app

            return run(run_app)
        finally:
            startup.arrived()

    return supervised(opened, "duelbox")


# -- answers


def answer_all(args: Namespace, facts: Callable[[Session], dict[str, Any]], page: Callable[[Session], str]) -> int:
    """Answer for every code, as lines of JSON or as text; 2 if any can't be read, 1 if one can't be answered."""
    import json

    from duelbox.core.code import parse_code
    from duelbox.core.names import printable
    from duelbox.registry import find_game

    status = 0
    for code in _codes(args.codes):
        try:
            session = parse_code(code, find_game)
            answer = json.dumps(facts(session)) if args.json else f"{page(session)}\n"
            sys.stdout.write(f"{answer}\n")
        except DuelboxError as error:
            status = max(status, REFUSED if isinstance(error, CodeError) else FAILED)
            at = error.at if isinstance(error, CodeError) else None
            if args.json:
                sys.stdout.write(json.dumps({"code": code, "error": error.sentence, "at": at}) + "\n")
            else:
                where = f" (character {at})" if at is not None else ""
                sys.stdout.flush()
                sys.stderr.write(printable(f"{code[:60]}: {error.sentence}{where}") + "\n")
        sys.stdout.flush()
    return status


def _codes(given: Iterable[str]) -> Iterator[str]:
    """The codes named; `-` stands for the lines of the standard input that are not blank."""
    for code in given:
        if code != "-":
            yield code
        elif sys.stdin is not None:
            yield from (line.rstrip("\r\n") for line in sys.stdin if line.strip())


def json_number(share: Fraction) -> int | float:
    """A chance as JSON has it."""
    return int(share) if share.denominator == 1 else float(share)


# -- what there is to read and to call


def topics() -> dict[str, str]:
    """The pages of help by name: every Markdown file in `duelbox/help` is one, its heading says what it is about."""
    from importlib.resources import files

    pages = (page for page in files("duelbox").joinpath("help").iterdir() if page.name.endswith(".md"))
    return {page.name.removesuffix(".md"): page.read_text("utf-8") for page in sorted(pages, key=lambda it: it.name)}


def title_of(page: str) -> str:
    """The heading of a page."""
    return page.partition("\n")[0].removeprefix("# ")


def commands_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The parsers of the commands, by name."""
    return dict(_subparsers(parser).choices)


def what_commands_do(parser: ArgumentParser) -> dict[str, str]:
    """The commands, and what each does in a few words."""
    return {one.dest: one.help or "" for one in _subparsers(parser)._choices_actions}


def _subparsers(parser: ArgumentParser) -> _SubParsersAction[ArgumentParser]:
    from argparse import _SubParsersAction

    return next(one for one in parser._actions if isinstance(one, _SubParsersAction))
