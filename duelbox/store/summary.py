"""Summaries of saved matches for lists, which need no replay of the moves."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from duelbox.core.match import Match, Player
from duelbox.core.model import Model
from duelbox.core.record import PlayerInfo, Record, match_of

Ending = Literal["won", "lost", "drawn"]


class Finished(Model):
    """A round that has ended."""

    winner: Player | None
    """A player of the match, not a seat; None for a draw."""
    ended: AwareDatetime
    assisted: bool
    """True if hints were used."""


class Summary(Model):
    """The facts about a saved match that lists show."""

    id: str
    game: str
    players: tuple[PlayerInfo, PlayerInfo]
    rounds: int
    first: Player
    """The player who moved first in the first round."""
    started: AwareDatetime
    last_played: AwareDatetime
    moves: int
    """The number of moves in all rounds, without those taken back."""
    finished: tuple[Finished, ...] = ()
    deleted: bool = False
    imported: bool = False
    """True if the match was imported unfinished, from a text that reveals its hidden numbers."""
    open_elsewhere: bool = False
    """True if another terminal plays the match now."""

    @property
    def match(self) -> Match:
        """The match as far as its rounds have ended."""
        return Match(rounds=self.rounds, first=self.first, winners=tuple(one.winner for one in self.finished))

    @property
    def over(self) -> bool:
        """True if all rounds have ended."""
        return len(self.finished) >= self.rounds

    @property
    def listed(self) -> bool:
        """True if lists show the match: it has moves, and was not deleted."""
        return not self.deleted and bool(self.moves or self.finished)

    @property
    def me(self) -> Player:
        """The player whose result lists show: the only person, or else player 0."""
        return 1 if self.players[0].level is not None and self.players[1].level is None else 0

    @property
    def result(self) -> Ending | None:
        """The result for `me`; None while it goes on."""
        if not self.over:
            return None
        winner = self.match.winner
        if winner is None:
            return "drawn"
        if winner == self.me:
            return "won"
        return "lost"


def summary_of(record: Record, match_id: str, last_played: datetime, *, imported: bool = False) -> Summary:
    """Summarise a record."""
    over = [one for one in record.played if one.result is not None]
    finished = zip(match_of(record).winners, over, strict=True)
    return Summary(
        id=match_id,
        game=record.game,
        players=record.players,
        rounds=record.rounds,
        first=1 if record.first == 2 else 0,
        started=record.played[0].started,
        last_played=last_played,
        moves=sum(len(one.moves) for one in record.played),
        finished=tuple(
            Finished(winner=winner, ended=one.ended or one.started, assisted=one.assisted) for winner, one in finished
        ),
        imported=imported,
    )
