"""Records: a match as one JSON document, written and read through pydantic."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, JsonValue, model_validator

from duelbox.core.match import Match, Player, Rounds, player_at
from duelbox.core.model import Model, Seat
from duelbox.core.names import clean_name
from duelbox.core.session import MAX_MOVES, Session

VERSION: Final = 1

Name = Annotated[str, AfterValidator(clean_name)]
PlayerNumber = Literal[1, 2]  # a player as people count them; in records only
RUN: Final = "run:"
"""The name of a player that begins so is the command of a program."""
PROGRAM: Final = "program"
"""The level of a program: a record names it, and never has its command."""
FAULT: Final = "Fault: "
"""A game lost by a program's fault is recorded as resigned, with a reason that begins so: older versions read it."""
MOST_OF_FAULT: Final = 120
"""The most characters of a fault in a record."""


class PlayerInfo(Model):
    """A player's name, and for a computer its level."""

    name: Name
    level: str | None = None


class Result(Model):
    """The end of a round; the winner is a player of the record, None for a draw."""

    winner: PlayerNumber | None
    by: Literal["play", "resignation", "agreement", "claim", "unshown"]
    reason: str

    @property
    def fault(self) -> str:
        """The fault of a program that ended the round, as a clause after its name; empty for other ends."""
        told = self.reason.removeprefix(FAULT).removesuffix(".")
        if self.by != "resignation" or not self.reason.startswith(FAULT):
            return ""
        if not told.isascii() or not told.isprintable() or len(told) > MOST_OF_FAULT:
            return "made a fault"
        return told


class RecordedRound(Model):
    """A game: all its options, its moves as text, and its result if it is over."""

    options: dict[str, JsonValue]
    moves: tuple[str, ...] = Field(max_length=MAX_MOVES)
    result: Result | None = None
    started: AwareDatetime
    ended: AwareDatetime | None = None
    assisted: bool = False

    @model_validator(mode="after")
    def _in_time(self) -> Self:
        if self.ended is not None and self.ended < self.started:
            raise ValueError("it ended before it started")
        if self.ended is not None and self.result is None:
            raise ValueError("it ended without a result")
        return self


class Record(Model):
    """A match of one or more rounds, as it is saved."""

    duelbox: Literal[1] = VERSION
    game: str
    players: tuple[PlayerInfo, PlayerInfo]
    rounds: Rounds = 1
    first: PlayerNumber = 1
    """The player who moves first in the first round; the players then alternate."""
    played: tuple[RecordedRound, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if len(self.played) > self.rounds:
            raise ValueError("more rounds were played than the match has")
        if any(one.result is None for one in self.played[:-1]):
            raise ValueError("a round begins before the one before it is over")
        return self

    def to_json(self) -> str:
        """Write the record as JSON."""
        return self.model_dump_json(indent=1)


def recorded_round(
    session: Session, first: PlayerNumber, number: int, started: datetime, ended: datetime | None
) -> RecordedRound:
    """Make a round of a record from a session; `number` counts rounds from 0."""
    result = None
    if (outcome := session.outcome) is not None:
        winner = None if outcome.winner is None else player_number(outcome.winner, first, number)
        if session.by == "fault":
            reason = f"{FAULT}{session.plies[-1].fault}."
            result = Result(winner=winner, by="resignation", reason=reason)
        else:
            result = Result(winner=winner, by=session.by, reason=outcome.reason)
    moves = tuple(map(session.game.format_move, session.moves))
    options = session.options.model_dump(mode="json")
    return RecordedRound(options=options, moves=moves, result=result, started=started, ended=ended if result else None)


def player_number(seat: Seat, first: PlayerNumber, number: int) -> PlayerNumber:
    """The player who had a seat in a round, counted from 0."""
    return 2 if player_at(seat, _player(first), number) else 1


def _player(number: PlayerNumber) -> Player:
    return 1 if number == 2 else 0


def match_of(record: Record) -> Match:
    """The match of a record, with the winners of its finished rounds."""
    results = [one.result for one in record.played if one.result is not None]
    winners = tuple(None if result.winner is None else _player(result.winner) for result in results)
    return Match(rounds=record.rounds, first=_player(record.first), winners=winners)
