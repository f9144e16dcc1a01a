"""Writing position codes, and reading the numbers that people type."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from duelbox.core.errors import BadNotation

if TYPE_CHECKING:
    from duelbox.core.game import AnyGame
    from duelbox.core.options import Options

# Not \d and int(): those take Arabic digits and 5,000-digit numbers.
_NUMBER = re.compile(r"\s*0{0,8}([1-9][0-9]{0,2})\s*")


def quoted(text: str) -> str:
    """What was typed, made safe to say back: escaped, and not too long."""
    short = text if len(text) <= 24 else text[:23] + "…"
    return ascii(short) if not short.isprintable() else f"'{short}'"


def number_in(text: str, numbers: range) -> int:
    """The number typed; raises BadNotation where it is none, or none of the game's."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise BadNotation(f"{quoted(text)} is not a move. Type one number from {numbers[0]} to {numbers[-1]}.")
    number = int(match[1])
    if number not in numbers:
        raise BadNotation(f"There is no {number} here: the numbers are {numbers[0]} to {numbers[-1]}.")
    return number


def format_code(game: AnyGame, options: Options, moves: Iterable[Any]) -> str:
    """The canonical code: options in their order, defaults left out."""
    settings = ",".join(f"{key}={text}" for key, text in options.texts().items())
    line = ".".join(game.format_move(move) for move in moves)
    return game.INFO.id + (f":{settings}" if settings else "") + (f"/{line}" if line else "")
