"""One line of the history: what can be told of a saved match without playing it through."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from duelbox.core.match import Match, Player
from duelbox.core.model import Model
from duelbox.core.record import Who

Ending = Literal["won", "lost", "drawn"]


class Finished(Model):
    """A round that has ended."""

    winner: Player | None
    """A player of the match, not a seat; None for a draw."""
    ended: AwareDatetime
    assisted: bool
    """Whether hints were asked for."""


class Summary(Model):
    """A saved match in short."""

    id: str
    game: str
    players: tuple[Who, Who]
    rounds: int
    first: Player
    """Who moved first in the first round."""
    started: datetime
    last_played: datetime
    moves: int
    """Moves played in all rounds, those taken back left out."""
    finished: tuple[Finished, ...] = ()
    deleted: bool = False
    open_elsewhere: bool = False
    """Whether another duelbox that is running plays it now."""

    @property
    def match(self) -> Match:
        """The match as far as its rounds have ended."""
        return Match(rounds=self.rounds, first=self.first, winners=tuple(one.winner for one in self.finished))

    @property
    def over(self) -> bool:
        """Whether all rounds have ended."""
        return len(self.finished) >= self.rounds

    @property
    def me(self) -> Player:
        """Whose eyes the result is seen with: the only person's, or else player 0's."""
        return 1 if self.players[0].level is not None and self.players[1].level is None else 0

    @property
    def result(self) -> Ending | None:
        """How it ended for `me`; None while it goes on."""
        if not self.over:
            return None
        winner = self.match.winner
        return "drawn" if winner is None else "won" if winner == self.me else "lost"
