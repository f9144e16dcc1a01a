"""How computers with short sight choose: what they can see of the exact verdict they use, the rest is taste.

A level that sees so many turns ahead knows a move to win (or to lose) when the end is that near, just as if it had
searched that far: the solver's count of turns to the end says so. What lies beyond, it judges by its taste, which is a
number for each move. The last level sees everything; when it is lost, it makes the winner's way as narrow as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from duelbox.bots.api import Choice, Level
from duelbox.core.game import AnyGame
from duelbox.core.model import other
from duelbox.core.rng import Rng
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Rated, Stop

Taste = Callable[[Any, Any], float]
"""How much a move in a view is liked; more is better."""

# How many of a lost position's moves are looked at for the trickiest one.
TRICKS = 8


@dataclass(frozen=True, slots=True)
class Sight:
    """A level, how far it sees, and what it likes where it does not see."""

    level: Level
    turns: int | None
    """How many turns ahead it sees the end; None sees everything."""
    taste: Taste
    liking: str
    """Its taste in words: "it leaves the rival the fewest answers"."""


def choose_by_sight(game: AnyGame, sights: Sequence[Sight], view: Any, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level; where it likes several as much, the seed decides."""
    sight = next(one for one in sights if one.level.id == level)
    moves = {game.format_move(move): move for move in game.legal_moves(view)}
    rng = Rng(seed)
    if len(moves) == 1:
        return Choice(next(iter(moves)), "It was the only move.")
    if sight.turns == 0:
        return _by_taste(sight, view, moves, list(moves), rng)
    analysis = analyse(game, view, stop)
    if sight.turns is None:
        return _exact(game, sight, view, moves, analysis, rng, stop)
    return _seeing(sight, view, moves, analysis, rng)


def _seeing(sight: Sight, view: Any, moves: dict[str, Any], analysis: Analysis, rng: Rng) -> Choice:
    assert sight.turns is not None
    near = [one for one in analysis.moves if one.plies is not None and one.plies <= sight.turns]
    wins = [one for one in near if one.verdict == "win"]
    if wins:
        quickest = min(one.plies or 0 for one in wins)
        found = [one.move for one in wins if one.plies == quickest]
        return Choice(rng.choice(found), f"I saw that it wins in {_turns(quickest)}.")
    lost = {one.move for one in near if one.verdict == "loss"}
    open_moves = [one.move for one in analysis.moves if one.move not in lost]
    if open_moves:
        choice = _by_taste(sight, view, moves, open_moves, rng)
        return Choice(choice.move, f"{choice.why} {_avoided(lost)}".strip())
    longest = max(near, key=lambda one: one.plies or 0)
    held = [one.move for one in near if one.plies == longest.plies]
    return Choice(
        rng.choice(held), f"Every move loses, as far as I see; this one only in {_turns(longest.plies or 0)}."
    )


def _by_taste(sight: Sight, view: Any, moves: dict[str, Any], texts: list[str], rng: Rng) -> Choice:
    liked = {text: sight.taste(view, moves[text]) for text in texts}
    best = max(liked.values())
    return Choice(rng.choice([text for text in texts if liked[text] == best]), f"I like it: {sight.liking}.")


def _avoided(lost: set[str]) -> str:
    if not lost:
        return ""
    return f"I saw that {len(lost)} other{'s lose' if len(lost) > 1 else ' loses'}."


def _exact(
    game: AnyGame, sight: Sight, view: Any, moves: dict[str, Any], analysis: Analysis, rng: Rng, stop: Stop
) -> Choice:
    top = analysis.moves[0]
    best = [one for one in analysis.moves if (one.verdict, one.value, one.plies) == (top.verdict, top.value, top.plies)]
    if top.verdict == "loss":
        return _trickiest(game, view, moves, list(analysis.moves[:TRICKS]), rng, stop)
    choice = _by_taste(sight, view, moves, [one.move for one in best], rng)
    return Choice(choice.move, analysis.reason)


def _trickiest(game: AnyGame, view: Any, moves: dict[str, Any], best: list[Rated], rng: Rng, stop: Stop) -> Choice:
    """Of the moves that hold out longest, the one after which the smallest share of the rival's answers wins."""

    def answers(text: str) -> tuple[int, int]:
        after, _ = game.apply(view, view.turn, moves[text])
        if after.turn != other(view.turn):
            return 1, 1
        found = analyse(game, game.view(after, after.turn), stop).moves
        return sum(one.verdict == "win" for one in found), len(found)

    narrow = {one.move: answers(one.move) for one in best}
    share, length = min((Fraction(*narrow[one.move]), -(one.plies or 0)) for one in best)
    trickiest = [one for one in best if (Fraction(*narrow[one.move]), -(one.plies or 0)) == (share, length)]
    move = rng.choice(trickiest)
    plies = f" in {_turns(move.plies)}" if move.plies else ""
    winning, count = narrow[move.move]
    ways = f"only {winning} of {count} answers wins" if winning < count else "I hold out long"
    return Choice(move.move, f"Against best play I lose{plies}, but after this {ways}.")


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


DASH, PEEK, COUNTER, PLANNER, ORACLE = "dash", "peek", "counter", "planner", "oracle"


def cast(*lines: str) -> tuple[Level, ...]:
    """The five computers, each with its line of character in this game."""
    names = (DASH, PEEK, COUNTER, PLANNER, ORACLE)
    return tuple(Level(name, name.capitalize(), line) for name, line in zip(names, lines, strict=True))
