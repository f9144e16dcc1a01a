"""What a match with a friend elsewhere has to tell whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass

from duelbox.core.match import Match, Player
from duelbox.core.offer import Offer
from duelbox.core.session import Ply, Session
from duelbox.net.messages import Why


@dataclass(frozen=True, slots=True)
class Invited:
    """The host has named the game: sit down, or refuse."""

    name: str
    code: str
    rounds: int
    lesson: bool


@dataclass(frozen=True, slots=True)
class Declined:
    """The guest does not sit down."""

    why: Why


@dataclass(frozen=True, slots=True)
class Began:
    """A round begins; `number` counts from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A turn was taken, and is to be seen."""

    by: Player
    ply: Ply


@dataclass(frozen=True, slots=True)
class Striking:
    """A move is made that waits for the other side to turn a card up."""

    by: Player
    text: str


@dataclass(frozen=True, slots=True)
class Offered:
    """Somebody proposes something."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class Answered:
    """An offer was answered, and if it was taken up, it is done by now."""

    offer: Offer
    yes: bool


@dataclass(frozen=True, slots=True)
class Lapsed:
    """An offer is void, since the position has moved on."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class Missed:
    """A move or a claim does not count: something else had happened first, or it was too early for a claim."""

    by: Player


@dataclass(frozen=True, slots=True)
class Said:
    """One of the fixed phrases."""

    by: Player
    text: str


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round is over, and both sides agree on how; `number` counts from 0."""

    number: int
    session: Session
    match: Match
    """As it stood when this round began."""


@dataclass(frozen=True, slots=True)
class MatchOver:
    """All rounds are over."""


@dataclass(frozen=True, slots=True)
class Returned:
    """Somebody's program has started again."""

    by: Player


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match cannot go on; the sentence says why."""

    sentence: str


News = (
    Invited
    | Declined
    | Began
    | Moved
    | Striking
    | Offered
    | Answered
    | Lapsed
    | Missed
    | Said
    | RoundOver
    | MatchOver
    | Returned
    | Stopped
)
