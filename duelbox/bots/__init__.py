"""Asking the computer players of any game; their levels differ in how much they see."""

from __future__ import annotations

from typing import Any

from duelbox.bots.api import Bot, Choice, Level, NoSuchLevel, told_why
from duelbox.core.errors import UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import Seat, listed
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN, GuestFault, package_of, part
from duelbox.solve import analyse, can_solve
from duelbox.solve.api import HALF, ONE, Stop, Stopped

SECONDS = 1.0
"""The longest a computer thinks; few positions need a tenth of it."""

SPARRING = Level(
    "sparring", "Sparring", "As strong as you are: one of two levels, drawn for every match, by your games."
)
"""A placeholder for the level that is drawn when a match begins."""

__all__ = ["SPARRING", "Level", "agrees", "bot_of", "choose", "find_level", "level_of", "levels_of", "told_why"]


def bot_of(game_id: str) -> Bot | None:
    """The computers of a game; None if it has none. Raises UnknownGame if a guest's cannot be loaded."""
    return part(game_id, "bot", Bot)


def levels_of(game_id: str) -> tuple[Level, ...]:
    """The levels of a game, the easiest first; none if a guest's cannot be loaded."""
    try:
        bot = bot_of(game_id)
    except UnknownGame:
        return ()
    return () if bot is None else bot.levels


def level_of(game_id: str, level_id: str) -> Level | None:
    """The level with exactly this id, or sparring; None if the id is a person's or of a level that was removed."""
    known = levels_of(game_id)
    return next((level for level in (*known, *([SPARRING] if known else [])) if level.id == level_id), None)


def find_level(game_id: str, level_id: str) -> Level:
    """The level with this id, name or number (from 1); raises NoSuchLevel, which lists the levels."""
    known = levels_of(game_id)
    for number, level in enumerate(known, 1):
        if level_id.lower() in (level.id, level.name.lower(), str(number)):
            return level
    if not known:
        bot_of(game_id)  # raises if a guest's cannot be loaded
    names = listed([level.id for level in known], "or")
    what = f"Levels: 1 to {len(known)}, or {names}." if known else "This game has none."
    raise NoSuchLevel(f"There is no computer player {level_id[:24]!a}. {what}")


def choose(game: AnyGame, view: Any, level: str, seed: int, stop: Stop | None = None) -> Choice:
    """The move of a level in this view, within `SECONDS`; raises Stopped if `stop()` was called.

    A level needs no `Seen`: a law (`duelbox/testing/laws.py`) says that views of all worlds that fit are equal.
    """
    stop = stop or Stop()
    stop.check()
    bot = bot_of(game.INFO.id)
    if bot is None:
        raise NoSuchLevel(f"{game.INFO.title} has no computer players.")
    legal = game.legal_moves(view)
    try:
        choice = bot.choose(view, level, seed, stop.within(SECONDS))
    except Stopped:
        stop.check()  # raises if stop() was called; otherwise the solver gave up, and a move is still needed
        why = "The end is too far away for me: I took what came."
        return Choice(game.format_move(Rng(seed).choice(legal)), why)
    if game.INFO.id not in BUILT_IN and getattr(choice, "move", None) not in [*map(game.format_move, legal)]:
        raise GuestFault(f"The game's {package_of(game.INFO.id)}.bot has a fault: it chose no legal move.")
    return choice


def agrees(game: AnyGame, view: Any, level: str, seat: Seat, stop: Stop | None = None) -> bool:
    """A level in this seat agrees on a draw, unless it sees that it does better than a draw.

    `view` is that of the player to move; verdicts depend on public facts alone, so the answer betrays no secret.
    """
    bot = bot_of(game.INFO.id)
    if bot is None or not can_solve(game.INFO.id):
        return False
    stop = stop or Stop()
    try:
        analysis = analyse(game, view, stop.within(SECONDS))
    except Stopped:
        stop.check()
        return True
    sight = bot.sight.get(level)
    seen = sight is None or (analysis.plies is not None and analysis.plies <= sight)
    return not seen or (analysis.value if view.turn == seat else ONE - analysis.value) <= HALF
