"""Terminals and the widths in which they draw the signs of the boards, as they answered; kept for the next start."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from duelbox.store import files

NAME = "terminals.json"
SIGNS = "◆⠿"
"""A sign whose width differs between terminals, and one that no terminal without UTF-8 can draw."""
MOST = 100_000
"""The most bytes of the file."""
Widths = tuple[int, ...]
_answered: dict[tuple[Path, str], Widths] = {}
"""Answers to this process; they hold even if the disk refuses to keep them."""


def terminal_here(environ: Mapping[str, str] = os.environ) -> str:
    """The terminal by TERM, TERM_PROGRAM and ssh."""
    parts = [environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")]
    if "SSH_CONNECTION" in environ:
        parts.append("ssh")
    return " ".join(parts)


def known_widths(folder: Path, environ: Mapping[str, str] = os.environ) -> Widths | None:
    """The widths of `SIGNS` in this terminal; None if it never answered."""
    terminal = terminal_here(environ)
    answer = _answered.get((folder, terminal))
    return _kept(folder).get(terminal) if answer is None else answer


def keep_widths(folder: Path, widths: Widths, environ: Mapping[str, str] = os.environ) -> None:
    """Keep the answer of this terminal; waits for the disk."""
    terminal = terminal_here(environ)
    _answered[folder, terminal] = widths
    kept = _kept(folder)
    if kept.get(terminal) != widths:
        with suppress(OSError):
            files.make_private_folder(folder)
            files.replace(folder / NAME, json.dumps({**kept, terminal: widths}).encode())


def _kept(folder: Path) -> dict[str, Widths]:
    """The file, as far as it makes sense."""
    try:
        content = json.loads(files.read_regular(folder / NAME, MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {terminal: tuple(widths) for terminal, widths in content.items() if _is_answer(widths)}


def _is_answer(widths: object) -> bool:
    return isinstance(widths, list) and len(widths) == len(SIGNS) and all(type(width) is int for width in widths)
