"""What the computer players of all games share, and where to ask one; levels differ in what they look at."""

from __future__ import annotations

from typing import Any

from duelbox.bots.api import Bot, Choice, Level, NoSuchLevel, told_why
from duelbox.core.errors import UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import Seat, listed
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN, GuestFault, fence_of, fenced, part
from duelbox.solve import analyse, can_solve
from duelbox.solve.api import HALF, ONE, Stop, Stopped

SECONDS = 1.0  # so long a computer may think; hardly a position needs a tenth of it

SPARRING = Level(
    "sparring", "Sparring", "As strong as you are: one of two levels, drawn for every match, by your games."
)
"""Stands for a level until a match begins; no game is played by it."""

__all__ = ["SPARRING", "Level", "agrees", "bot_of", "choose", "find_level", "level_of", "levels_of", "told_why"]


def bot_of(game_id: str) -> Bot | None:
    """The computers of a game; None if it has none. Raises UnknownGame where a guest's can't be loaded."""
    bot = part(game_id, "bot", Bot)
    return bot and fenced(game_id, "bot", bot, Stopped)


def levels_of(game_id: str) -> tuple[Level, ...]:
    """The computer players there are, the easiest first; none where a guest's can't be loaded."""
    try:
        bot = bot_of(game_id)
    except UnknownGame:
        return ()
    return () if bot is None else bot.levels


def level_of(game_id: str, level_id: str) -> Level | None:
    """The level of exactly this id, or sparring; none where it means a person, or a level there is no more."""
    known = levels_of(game_id)
    return next((level for level in (*known, *([SPARRING] if known else [])) if level.id == level_id), None)


def find_level(game_id: str, level_id: str) -> Level:
    """The level of this id, name or number from 1; raises NoSuchLevel with what there is."""
    known = levels_of(game_id)
    for number, level in enumerate(known, 1):
        if level_id.lower() in (level.id, level.name.lower(), str(number)):
            return level
    if not known:
        bot_of(game_id)  # a guest's that can't be loaded says so
    names = listed([level.id for level in known], "or")
    what = f"Levels: 1 to {len(known)}, or {names}." if known else "This game has none."
    raise NoSuchLevel(f"There is no computer player {level_id[:24]!a}. {what}")


def choose(game: AnyGame, view: Any, level: str, seed: int, stop: Stop | None = None) -> Choice:
    """The move that a level makes in this view, in good time; raises Stopped when the flag is up."""
    stop = stop or Stop()
    stop.check()
    bot = bot_of(game.INFO.id)
    if bot is None:
        raise NoSuchLevel(f"{game.INFO.title} has no computer players.")
    legal = game.legal_moves(view)
    try:
        choice = bot.choose(view, level, seed, _limit(game, stop))
        if game.INFO.id in BUILT_IN or getattr(choice, "move", None) in [*map(game.format_move, legal)]:
            return choice
        raise fence_of(game.INFO.id, "bot").fault(ValueError())
    except Stopped:
        stop.check()  # it was told to stop; or else the solver has given up, and still there has to be a move
        why = "The end is too far away for me to see, so I took what came."
    except GuestFault as fault:
        why = f"{fault.sentence} I took what came."
    return Choice(game.format_move(Rng(seed).choice(legal)), why)


def _limit(game: AnyGame, stop: Stop) -> Stop:
    """So much time for a computer: of this thread, but for a guest by the clock, as it runs in one of its own."""
    return stop.within(SECONDS) if game.INFO.id in BUILT_IN else Stop(SECONDS, outer=stop)


def agrees(game: AnyGame, view: Any, level: str, seat: Seat, stop: Stop | None = None) -> bool:
    """Whether a level in this seat agrees on a draw: unless it does better than that, as far as it can see.

    `view` is of the one to move; what a verdict follows from is public, so nothing is told of their secrets.
    """
    bot = bot_of(game.INFO.id)
    if bot is None or not can_solve(game.INFO.id):
        return False
    stop = stop or Stop()
    try:
        found = analyse(game, view, _limit(game, stop))
    except (Stopped, GuestFault):
        stop.check()
        return True
    sight = bot.sight.get(level)
    seen = sight is None or (found.plies is not None and found.plies <= sight)
    return not seen or (found.value if view.turn == seat else ONE - found.value) <= HALF
