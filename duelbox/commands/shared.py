"""Helpers that several commands share.

Most imports are inside the functions, because completion, which runs at every press of Tab, needs few of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from duelbox import __version__, startup
from duelbox.core.errors import CodeError, DuelboxError, EndedBySignal

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _SubParsersAction
    from pathlib import Path

    from duelbox.core.session import Session
    from duelbox.ui.app import DuelboxApp

FAILED, REFUSED = 1, 2

_NO_TERMINAL = "The full screen needs a terminal, and there is none here. For lines of text:"
_NO_CONTROL = "The full screen cannot control this terminal: this Python has no termios. For lines of text:"


# -- arguments


def check_alone(args: Namespace, option: str, why: str, others: Iterable[str]) -> None:
    """Refuse other options beside one that would ignore them; raises DuelboxError."""
    given = (one for one in others if getattr(args, one) is not None and getattr(args, one) is not False)
    ignored = [f"--{one}" if one != "game" else "GAME" for one in given]
    if ignored:
        from duelbox.core.model import listed

        raise DuelboxError(f"{option} {why}: leave out {listed(ignored)}.")


def content(name: str) -> bytes:
    """The content of a file, or of the standard input for `-`, without a byte order mark; cut a byte past MAX_TEXT."""
    return next(_read(name, lambda first: False), b"")


def documents(name: str) -> Iterator[bytes]:
    """The lines of a file whose first line is a whole JSON object, or else the file as `content` reads it."""
    return _read(name, lambda first: first.strip()[:1] == b"{" and first.strip()[-1:] == b"}")


def _read(name: str, in_lines: Callable[[bytes], bool]) -> Iterator[bytes]:
    from codecs import BOM_UTF8
    from contextlib import nullcontext
    from io import BytesIO
    from pathlib import Path

    from duelbox.core.record_reader import MAX_TEXT
    from duelbox.store.files import open_chosen, reason

    try:
        here = sys.stdin.buffer if name == "-" and sys.stdin else BytesIO()
        with nullcontext(here) if name == "-" else open_chosen(Path(name), "rb") as file:
            line = file.readline(MAX_TEXT + 1).removeprefix(BOM_UTF8)
            if not in_lines(line):
                yield line + file.read(MAX_TEXT + 1 - len(line))
                return
            while line:
                yield line
                while line and not line.endswith(b"\n"):  # skip the rest of a line that is too long
                    line = file.readline(MAX_TEXT)
                line = file.readline(MAX_TEXT + 1)
    except (OSError, ValueError) as error:
        raise DuelboxError(f"{name[:200]} cannot be read: {reason(error)}.") from None


def private_folder(name: str = "") -> Path:
    """A folder in the data folder, by default that folder itself, which only its owner can enter."""
    from duelbox.core.names import printable
    from duelbox.store.files import find_folders, make_private_folder, reason

    folder = find_folders().data / name
    try:
        make_private_folder(folder)
    except OSError as error:
        raise DuelboxError(f"{printable(folder)} cannot be used: {reason(error)}.") from error
    return folder


# -- secrets


def keep_secrets(*, lines: bool = False) -> None:
    """Leave no core dump, which would hold hidden hands; with `lines`, end at signals as at Ctrl+C, which clears hands.

    The full screen handles signals itself.
    """
    import signal

    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for name in ("SIGTERM", "SIGHUP") if lines else ():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            with suppress(ValueError):  # not in the main thread
                signal.signal(number, _end)


def _end(number: int, _: object) -> None:
    raise EndedBySignal(number)


# -- the full screen


def has_screen() -> bool:
    """A full screen can open: in a terminal, or through a server such as textual-serve."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def is_here(module: str) -> bool:
    """A module of this name is installed."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def above_home(then: Callable[[DuelboxApp], object], instead: str) -> int:
    """Run the full screen with another screen above home; raises DuelboxError without a terminal, naming `instead`."""
    return on_screen(lambda run_app: run_app(then=then), instead)


def on_screen(run: Callable[[Callable[..., int]], int], instead: str) -> int:
    """Run the full screen, and restore the terminal afterwards; `run` is called with `run_app`."""
    if not has_screen():
        raise DuelboxError(f"{_NO_TERMINAL} {instead}")
    if sys.platform != "win32" and not is_here("termios"):
        raise DuelboxError(f"{_NO_CONTROL} {instead}")
    keep_secrets()
    from duelbox.ui.terminal.supervisor import supervised

    def opened() -> int:
        startup.pause_garbage_collection()  # until the first paint
        startup.load_rare_modules_later()
        try:
            from duelbox.ui.app import run_app

            return run(run_app)
        finally:
            startup.resume_garbage_collection()

    return supervised(opened, "duelbox")


# -- answers


def answer_all(args: Namespace, facts: Callable[[Session], dict[str, Any]], page: Callable[[Session], str]) -> int:
    """Print an answer for every code, as JSON or text; returns 2 if a code cannot be read, 1 if one has no answer."""
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


def _codes(arguments: Iterable[str]) -> Iterator[str]:
    """The codes of the arguments; `-` stands for the lines of the standard input that are not blank."""
    for code in arguments:
        if code != "-":
            yield code
        elif sys.stdin is not None:
            yield from (line.rstrip("\r\n") for line in sys.stdin if line.strip())


# -- help pages and commands


def topics() -> dict[str, str]:
    """The pages of help by name: every Markdown file in `duelbox/help` is one."""
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
    """The commands with their short descriptions."""
    return {one.dest: one.help or "" for one in _subparsers(parser)._choices_actions}


def _subparsers(parser: ArgumentParser) -> _SubParsersAction[ArgumentParser]:
    from argparse import _SubParsersAction

    return next(one for one in parser._actions if isinstance(one, _SubParsersAction))


def version_in_full() -> str:
    """The version, and where it runs from a checkout the commit, with a plus sign if files of it were changed."""
    import subprocess
    from pathlib import Path

    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return __version__
    asked = "git", "-C", str(root), "describe", "--always", "--dirty=+", "--exclude=*"
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__} ({answer.stdout.strip()})"
