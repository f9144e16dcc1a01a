"""Matches: rounds of one game between two players, who take turns at moving first."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from duelbox.core.errors import DuelboxError, GameOver
from duelbox.core.game import AnyGame
from duelbox.core.model import Model, Outcome, Seat
from duelbox.core.options import MAX_SEED, Options
from duelbox.core.rng import Rng

MAX_ROUNDS = 99
Rounds = Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
"""The number of rounds of a match."""


def check_rounds(rounds: int | None) -> None:
    """Refuse a match of too few or too many rounds, where a number was named; raises DuelboxError."""
    if rounds is not None and not 1 <= rounds <= MAX_ROUNDS:
        raise DuelboxError(f"A match has 1 to {MAX_ROUNDS} rounds, not {rounds}.")


Player = Literal[0, 1]
"""A person or a computer, whatever seat they take this round (a seat changes hands, a player does not)."""


class Match(Model):
    """The rules of a match and the winners of its finished rounds (a player, or None for a draw)."""

    rounds: Rounds = 1
    first: Player = 0
    """Who moves first in the first round; the starter alternates after that."""
    winners: tuple[Player | None, ...] = ()

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if len(self.winners) > self.rounds:
            raise ValueError("a match has no more winners than rounds")
        return self

    def player_in(self, seat: Seat) -> Player:
        """Who sits in a seat this round."""
        return player_at(seat, self.first, len(self.winners))

    @property
    def over(self) -> bool:
        """Whether all rounds have been played."""
        return len(self.winners) >= self.rounds

    def points(self, player: Player) -> Fraction:
        """A point for each win and half a point for each draw."""
        return sum((Fraction(winner == player) + Fraction(winner is None, 2) for winner in self.winners), Fraction(0))

    @property
    def winner(self) -> Player | None:
        """Who has more points; None while they are level."""
        ahead = self.points(0) - self.points(1)
        return None if not ahead else 0 if ahead > 0 else 1

    def with_round(self, outcome: Outcome) -> Match:
        """The match after this round ended so."""
        if self.over:
            raise GameOver("The match is over.")
        winner = None if outcome.winner is None else self.player_in(outcome.winner)
        return self.changed(winners=(*self.winners, winner))


def player_at(seat: Seat, first: Player, number: int) -> Player:
    """Who sits in a seat in the round of this number, counted from 0."""
    return 1 if (seat + first + number) % 2 else 0


def coin_flip(seed: int) -> Player:
    """Who starts, by chance."""
    return 1 if Rng(seed).below(2) else 0


def repeats_draw(game: AnyGame, number: int) -> bool:
    """A round, counted from 0, has the draw of the one before, so that its luck falls on both alike; hands that were
    hidden would lie open to both in the other seats, so they are dealt afresh for every round."""
    return number % 2 == 1 and not game.INFO.hidden


def round_options(game: AnyGame, options: Options, number: int) -> Options:
    """The options of a round, counted from 0: each new draw comes from a seed that follows from the first."""
    draw = sum(not repeats_draw(game, earlier) for earlier in range(1, number + 1))
    if not options.draws or not draw:
        return options
    seed: int = getattr(options, "seed", 0)
    return options.changed(seed=(seed + draw) & MAX_SEED)


def points_text(points: Fraction) -> str:
    """Points as people write them: 0, ½, 1, 1½."""
    whole, half = divmod(points, 1)
    return (str(whole) if whole or not half else "") + ("½" if half else "")
