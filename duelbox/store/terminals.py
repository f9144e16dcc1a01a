"""Terminals and what they can draw, as they answered; kept for the next start."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from duelbox.store import files

NAME = "terminals.json"
SIGNS = "◆⠿"
"""A sign whose width differs between terminals, and one that no terminal without UTF-8 can draw."""
FEW_COLOURS: Final = 16
MANY_COLOURS: Final = 256
FINE_COLOURS: Final = 1 << 24
MOST = 100_000
"""The most bytes of the file."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal as it answered."""

    widths: tuple[int, ...] = ()
    """The cells in which it draws each of `SIGNS`; empty if it did not say."""
    colours: int = FEW_COLOURS
    """The colours that it has for certain."""


_answered: dict[tuple[Path, str], Terminal] = {}
"""Answers to this process; they hold even if the disk refuses to keep them."""


def terminal_here(environ: Mapping[str, str] = os.environ) -> str:
    """The name of the terminal: TERM, TERM_PROGRAM and ssh."""
    parts = [environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")]
    if "SSH_CONNECTION" in environ:
        parts.append("ssh")
    return " ".join(parts)


def known_terminal(folder: Path, environ: Mapping[str, str] = os.environ) -> Terminal | None:
    """This terminal as it answered last; None if it never did."""
    name = terminal_here(environ)
    answer = _answered.get((folder, name))
    return _kept(folder).get(name) if answer is None else answer


def keep_terminal(folder: Path, terminal: Terminal, environ: Mapping[str, str] = os.environ) -> None:
    """Keep the answer of this terminal; waits for the disk."""
    name = terminal_here(environ)
    _answered[folder, name] = terminal
    kept = _kept(folder)
    if kept.get(name) == terminal:
        return
    content = {it: [*known.widths, known.colours] for it, known in {**kept, name: terminal}.items()}
    with suppress(OSError):
        files.make_private_folder(folder)
        files.replace(folder / NAME, json.dumps(content).encode())


def _kept(folder: Path) -> dict[str, Terminal]:
    """The file, as far as it makes sense."""
    try:
        content = json.loads(files.read_regular(folder / NAME, MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {name: Terminal(tuple(told[:-1]), told[-1]) for name, told in content.items() if _is_answer(told)}


def _is_answer(told: object) -> bool:
    """True for a list with the widths, or with none of them, and the number of colours."""
    if not isinstance(told, list) or len(told) not in (1, len(SIGNS) + 1):
        return False
    return all(type(number) is int for number in told) and told[-1] in (FEW_COLOURS, MANY_COLOURS, FINE_COLOURS)
