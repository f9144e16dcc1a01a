"""Runs the command line in this process with given input, and returns its output."""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from unittest.mock import patch

from duelbox.cli import main


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


class Terminal(TextIOWrapper):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def run(*args: str, typed: str | bytes = "", terminal: bool = False) -> Ran:
    """Run `duelbox ARGS` with this standard input."""
    stream = Terminal if terminal else TextIOWrapper
    source = stream(BytesIO(typed.encode() if isinstance(typed, str) else typed), encoding="utf-8")
    out, err = (stream(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with patch.object(sys, "stdin", source), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(args)
        except SystemExit as end:
            status = int(end.code or 0)
    return Ran(status, _said(out), _said(err))


def _said(stream: TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue().decode(stream.encoding)


def told_after(out: str, typed: str) -> str:
    """The line below the first question with this answer."""
    found = re.search(rf": {re.escape(typed)}\n(.*)\n", out)
    assert found, f"nothing is told after {typed!r} in:\n{out}"
    return found[1]


def play(code: str, *typed: str, options: tuple[str, ...] = ("--p1", "Ann", "--p2", "Ben")) -> Ran:
    """Run the line mode, with each text typed as a line."""
    return run("play", code, "--plain", *options, typed="".join(f"{line}\n" for line in typed))
