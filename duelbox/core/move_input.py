"""Typing and pointing at the moves of a game: functions of a view, as a game's board module gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class MoveInput:
    """The effect of characters and clicks on the move line of a game."""

    pick: Callable[[Any, str, str], str] = lambda view, line, target: target
    """The move line after a click on a target, given the line before."""
    keys: str = "0123456789+-*/=.,:"
    """The characters that can be typed into the move line."""
    begins: Callable[[Any, str], bool] = lambda view, line: False
    """True if this line begins a move: its last letter is then typed, even if it is a key of the table."""
    changing: str = ""
    """Characters that change the line; other characters begin a new one."""
    typed: Callable[[Any, str, str], str] = lambda view, line, char: line + char
    """The move line after a typed character, given the line before."""
    asks: Callable[[Any], str] = lambda view: "Type it"
    """The prompt for the move."""
    has_secret: Callable[[Any], bool] = lambda view: True
    """In a game with hidden numbers: True if the player has some to look at."""
    open_up: Callable[[Any], Any] = lambda state: state
    """The state with nothing hidden."""
