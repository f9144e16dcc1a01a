"""The five computers, Dash to Oracle, and how those with short sight choose a move.

A short-sighted level knows every win and loss within its number of turns, except those that it overlooks as people do
(`oversights`). Of the other moves it takes the one it likes best; the seed decides between equals. The last level knows
everything, and sets traps when it is lost (`perfect_play`). How many turns each sees in a game, and how much it
overlooks, stands in `games/<game>/bot.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from duelbox.bots.api import Choice, Level, drawn
from duelbox.bots.oversights import Missable, Seen, overlooking
from duelbox.bots.perfect_play import Foresight, PerfectPlayer
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.rng import Rng
from duelbox.solve import analyse
from duelbox.solve.api import Stop

DASH, PEEK, COUNTER, PLANNER, ORACLE = "dash", "peek", "counter", "planner", "oracle"

Taste = Callable[[Any, Any], Any]
"""Rates a move in a view by liking; more is better."""

_NAMED = 3
"""The most losing moves that are named; more are counted."""


def five_levels(*lines: str) -> tuple[Level, ...]:
    """The five computers, each with its line of character in a game."""
    names = (DASH, PEEK, COUNTER, PLANNER, ORACLE)
    return tuple(Level(name, name.capitalize(), line) for name, line in zip(names, lines, strict=True))


@dataclass(frozen=True, slots=True)
class ShortSighted:
    """A level that sees some turns ahead, and goes by taste beyond that."""

    level: Level
    turns: int
    taste: Taste
    liking: str | Callable[[Any, Any], str]
    """The reason for liking a move, such as "it is the longest leap"; a function if it differs by move."""
    misses: int = 0
    """Overlooked moves of a hundred that are easily missed."""


@dataclass(frozen=True, slots=True)
class Computers:
    """All levels of a game: the short-sighted ones, and the last, which sees everything."""

    game: AnyGame
    sights: tuple[ShortSighted, ...]
    perfect: PerfectPlayer
    missable: Missable = lambda view, move: False

    def choose(self, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        """The move of a level."""
        moves = {self.game.format_move(move): move for move in self.game.legal_moves(view)}
        if len(moves) == 1:
            return Choice(next(iter(moves)), "It was the only move.")
        sight = next((one for one in self.sights if one.level.id == level), None)
        if sight is None:
            return self.perfect.choose(view, moves, Rng(seed), stop)
        seen = Seen(moves, {})
        with stop.in_time():
            seen = Seen(moves, self.perfect.foresee(view, sight.turns, stop) if sight.turns else {})
            if sight.misses:
                seen = overlooking(self.perfect, self.missable, sight.turns, sight.misses, view, seen, seed, stop)
        choice = _by_sight(sight, view, seen, Rng(seed))
        return replace(choice, why=f"{choice.why}{seen.oversights_told(choice.move)}".strip())


def anything(view: Any, move: Any) -> int:
    """The taste of a level that takes what comes."""
    return 0


def solved(game: AnyGame) -> Foresight:
    """Foresight from a solver that counts the turns to every near end."""

    def foresee(view: Any, turns: int, stop: Stop) -> dict[str, int]:
        ends = {one.move: (one.plies, one.verdict) for one in analyse(game, view, stop).moves}
        return {
            move: plies if verdict == "win" else -plies
            for move, (plies, verdict) in ends.items()
            if plies is not None and plies <= turns
        }

    return foresee


def _by_sight(sight: ShortSighted, view: Any, seen: Seen, rng: Rng) -> Choice:
    ends = seen.ends
    if wins := [turns for turns in ends.values() if turns > 0]:
        soonest = min(wins)
        why = "It wins at once." if soonest == 1 else f"I saw that it wins within {soonest} turns."
        return drawn(rng, [move for move in seen.moves if ends.get(move) == soonest], why)
    if unseen := {text: move for text, move in seen.moves.items() if text not in ends}:
        return _by_taste(sight, view, unseen, list(ends), rng)
    longest = min(ends.values())
    why = f"I saw that every move loses; this one holds out for {-longest} turns."
    return drawn(rng, [move for move in seen.moves if ends[move] == longest], why)


def _by_taste(sight: ShortSighted, view: Any, moves: Mapping[str, Any], lost: Sequence[str], rng: Rng) -> Choice:
    liked = {text: sight.taste(view, move) for text, move in moves.items()}
    best = max(liked.values())
    saw = f" I saw that {losing(lost)}." if lost else ""
    choice = drawn(rng, [text for text in moves if liked[text] == best], saw.strip())
    if len(moves) == 1:
        return choice
    if min(liked.values()) == best:
        return replace(choice, why=f"{choice.move} looked as good to me as any other.{saw}")
    liking = sight.liking if isinstance(sight.liking, str) else sight.liking(view, moves[choice.move])
    return replace(choice, why=f"I like it: {liking}.{saw}", remark=f"{liking[0].upper()}{liking[1:]}.")


def losing(lost: Sequence[str]) -> str:
    """A clause: these moves lose, by name or by number."""
    if len(lost) > _NAMED:
        return f"{len(lost)} others lose"
    return f"{listed(lost)} {'loses' if len(lost) == 1 else 'lose'}"
