"""The slow judge of reasons: every premise is evaluated for every losing move, by code straight from the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, Literal

from duelbox.core.game import AnyGame
from duelbox.core.model import player
from duelbox.solve import analyse
from duelbox.solve.api import ZERO, Analysis

Separates = Literal["own", "reply", ""]
"""A reason holds of no losing move; or it names one with the answer to it; or it does neither."""

MOST_WORDS = 14
THEM = "Player [12]"
SMALLEST = Fraction(1, 2)
MATTERS = Fraction(1, 20)
"""In a game of chance, a move that gives up so much is a wrong one."""


@dataclass(frozen=True)
class Sides:
    """A position before and after a move, for the player whose reason is judged."""

    game: AnyGame
    before: Any
    move: str
    after: Any
    told: bool
    """The sentence tells this of the move, so that its figures must be exact."""

    @property
    def me(self) -> int:
        return int(self.before.turn)

    @property
    def them(self) -> int:
        return 1 - self.me

    def moves(self, view: Any) -> list[str]:
        if view.turn is None:
            return []
        return [self.game.format_move(move) for move in self.game.legal_moves(view)]

    def applied(self, view: Any, text: str) -> Any:
        return self.game.apply(view, view.turn, self.game.parse_move(view, text))[0]

    def replies(self) -> Iterator[tuple[str, Any]]:
        """Every answer of the opponent, with the position after it."""
        for text in self.moves(self.after):
            yield text, self.applied(self.after, text)

    def loses(self, view: Any) -> bool:
        """True if the player to move loses, by the solver's verdict, which has tests of its own."""
        if view.turn is None:
            return True  # the player who would be to move has lost
        return analyse(self.game, view).value == ZERO


Claim = tuple[str, Callable[[re.Match[str], Sides], bool]]


@dataclass(frozen=True)
class Judged:
    """A reason as a strict teacher marks it."""

    follows: bool
    """Every sentence is short and has a claim that can be checked on the board."""
    idea: bool
    separates: Separates
    unread: str = ""
    """A sentence in which no claim was found."""


def sides(game: AnyGame, view: Any, move: str, told: bool) -> Sides:
    if game.INFO.hidden:  # nobody knows what an attack will meet
        return Sides(game, view, move, None, told)
    after = game.apply(view, view.turn, game.parse_move(view, move))[0]
    return Sides(game, view, move, after, told)


def judge(game: AnyGame, view: Any, analysis: Analysis) -> Judged:
    """Mark the reason of a position where a choice matters; raises AssertionError if a claim is false."""
    module = import_module(f"tests.games.{game.INFO.id.replace('-', '_')}.claims")
    text, them = analysis.reason, player(view.rival)
    assert "they" not in re.findall("[a-z]+", text.lower()), text
    least = MATTERS if game.INFO.hidden else SMALLEST
    wrong = [one.move for one in analysis.moves if analysis.value - one.value >= least]
    premise, _, refutation = text.partition(" After ")
    right = sides(game, view, analysis.advice, told=True)
    claimed = [(check, match) for pattern, check in module.CLAIMS for match in re.finditer(pattern, premise)]
    for check, match in claimed:
        assert check(match, right), f"{match[0]!r} is false: {text}"
    named = False
    if refutation:
        named = refuted_as_told(game, view, refutation, module.REPLIES, analysis, them)
    lone = not claimed or any(
        all(check(match, sides(game, view, move, told=False)) for check, match in claimed) for move in wrong
    )
    separates: Separates = "" if lone else "own"
    if lone and named:
        separates = "reply"
    words = [len(re.sub(r"Player \d", "Dash", one).split()) for one in re.split(r"(?<=[.:]) ", text)]
    follows = bool(claimed or named) and max(words) <= MOST_WORDS
    return Judged(follows, analysis.idea is not None, separates, "" if claimed or named else text)


def refuted_as_told(
    game: AnyGame, view: Any, told: str, replies: tuple[Claim, ...], analysis: Analysis, them: str
) -> bool:
    """True if the answer to a wrong move keeps the win and takes what is told."""
    instead = analysis.instead
    assert instead is not None
    assert told.startswith(f"{instead.move} {them} "), told
    assert instead.reply in told
    assert next(one for one in analysis.moves if one.move == instead.move).value < analysis.value, told
    wrong = sides(game, view, instead.move, told=True)
    then = Sides(game, view, instead.move, wrong.applied(wrong.after, instead.reply), told=True)
    claims = [(check, match) for pattern, check in replies for match in re.finditer(pattern, told)]
    for check, match in claims:
        assert check(match, then), f"{match[0]!r} is false: {told}"
    return bool(claims)
