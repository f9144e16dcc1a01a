"""Matches: several rounds of one game between two players, who take turns at moving first."""

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


def check_rounds(rounds: int | None) -> None:
    """Refuse a number of rounds outside 1 to 99; raises DuelboxError. None stands for a number that was not given."""
    if rounds is not None and not 1 <= rounds <= MAX_ROUNDS:
        raise DuelboxError(f"A match has 1 to {MAX_ROUNDS} rounds, not {rounds}.")


Player = Literal[0, 1]
"""A person or a computer, in whichever seat: players change seats between rounds."""


class Match(Model):
    """The length of a match and the winners of its finished rounds: a player, or None for a draw."""

    rounds: Rounds = 1
    first: Player = 0
    """The player who moves first in the first round; the players then alternate."""
    winners: tuple[Player | None, ...] = ()

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if len(self.winners) > self.rounds:
            raise ValueError("a match has no more winners than rounds")
        return self

    def player_in(self, seat: Seat) -> Player:
        """The player in a seat this round."""
        return player_at(seat, self.first, len(self.winners))

    @property
    def over(self) -> bool:
        """True if all rounds have been played."""
        return len(self.winners) >= self.rounds

    def points(self, player: Player) -> Fraction:
        """A point for each win and half a point for each draw."""
        return sum((Fraction(winner == player) + Fraction(winner is None, 2) for winner in self.winners), Fraction(0))

    @property
    def winner(self) -> Player | None:
        """The player with more points; None if both have the same."""
        ahead = self.points(0) - self.points(1)
        return None if not ahead else 0 if ahead > 0 else 1

    def with_round(self, outcome: Outcome) -> Match:
        """The match after a round with this outcome."""
        if self.over:
            raise GameOver("The match is over.")
        winner = None if outcome.winner is None else self.player_in(outcome.winner)
        return self.changed(winners=(*self.winners, winner))


def player_at(seat: Seat, first: Player, number: int) -> Player:
    """The player in a seat in this round, counted from 0."""
    return 1 if (seat + first + number) % 2 else 0


def coin_flip(seed: int) -> Player:
    """Choose the player who starts, by chance."""
    return 1 if Rng(seed).below(2) else 0


def repeats_draw(game: AnyGame, number: int) -> bool:
    """True if a round, counted from 0, repeats the draw of the round before, so that both players get the same luck.
    Hidden hands are dealt afresh for every round: a repeated hand would be known to both players."""
    return number % 2 == 1 and not game.INFO.hidden


def round_options(game: AnyGame, options: Options, number: int) -> Options:
    """The options of a round, counted from 0; the seed of each new draw follows from the first seed."""
    draw = sum(not repeats_draw(game, earlier) for earlier in range(1, number + 1))
    if not options.draws or not draw:
        return options
    seed: int = getattr(options, "seed", 0)
    return options.changed(seed=(seed + draw) & MAX_SEED)


def points_text(points: Fraction) -> str:
    """Points as people write them: 0, ½, 1, 1½."""
    whole, half = divmod(points, 1)
    return (str(whole) if whole or not half else "") + ("½" if half else "")
