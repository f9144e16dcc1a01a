"""The command line: runs a command, which loads only what it needs (no Textual and no pydantic in here)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO, TextIOWrapper
from types import SimpleNamespace
from typing import Any

from duelbox import __version__, startup
from duelbox.core.errors import DuelboxError, exit_status
from duelbox.core.names import printable

FAULT = 1
REFUSED = 2
BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    _make_streams_safe()
    words = sys.argv[1:] if argv is None else argv
    if words and words[0] == "proof":  # a proof, typed as it stands
        words = ["prove", *words]
    args: Any
    if words:  # without words the full screen opens without the parser, which saves a fortieth of the start
        from duelbox.arguments import parser_of_all

        args = parser_of_all().parse_args(words)
    else:
        from duelbox.commands.play import DEFAULTS

        args = SimpleNamespace(theme=None, **DEFAULTS)
    try:
        startup.pause_garbage_collection()
        startup.skip_plugin_search()
        module, function = args.command
        command = getattr(import_module(f"duelbox.commands.{module}"), function)
        startup.resume_garbage_collection()
        status: int = command(args)
        sys.stdout.flush()
    except DuelboxError as error:
        return _complain(error.sentence)
    except KeyboardInterrupt as interrupt:
        return exit_status(interrupt)
    except OSError as error:
        return _hang_up(error)
    except BaseException as error:
        return _report(error)
    return status


def _complain(sentence: str) -> int:
    sys.stderr.write(f"{printable(sentence)}\n")
    return REFUSED


def _report(error: BaseException) -> int:
    """Report a fault as the full screen does: a traceback of Python could quote hidden numbers."""
    from duelbox.registry import guest_fault
    from duelbox.store.files import find_folders
    from duelbox.ui.terminal.crash_report import CrashReports

    fault = guest_fault(error)
    if fault is None and isinstance(error, SystemExit):
        raise error
    sentence = CrashReports("duelbox", __version__, find_folders().data).file(error)
    if fault is not None:
        sentence = fault.sentence
    sys.stderr.write(f"{printable(sentence)}\n")
    return FAULT


def _make_streams_safe() -> None:
    """Make every text printable in any encoding, and replace closed streams, so that neither stops the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    sys.stdout, sys.stderr = sys.stdout or StringIO(), sys.stderr or StringIO()


def _hang_up(error: OSError) -> int:
    """Say why the output cannot be written, unless its reader has closed the pipe."""
    # the interpreter flushes stdout once more at exit
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    where = error.filename or "The output cannot be written"
    return _complain(f"{where}: {error.strerror or error}.")
