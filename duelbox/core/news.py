"""News of a table: small values that say what happened, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.core.match import Match, Player
from duelbox.core.offer import Offer
from duelbox.core.session import Ply, Session


class News:
    """Base of all news."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Declined(News):
    """The invited player does not sit down."""

    why: str


@dataclass(frozen=True, slots=True)
class Began(News):
    """A round begins."""


@dataclass(frozen=True, slots=True)
class Moved(News):
    """A player made a move, or ended the game without one."""

    by: Player
    ply: Ply


@dataclass(frozen=True, slots=True)
class PositionChanged(News):
    """Another position is on the table."""


@dataclass(frozen=True, slots=True)
class Undone(News):
    """Moves were undone, or made again."""

    plies: Sequence[Ply]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Offered(News):
    """A player made an offer."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class Answered(News):
    """An offer was answered; if it was accepted, its effect has happened."""

    offer: Offer
    yes: bool


@dataclass(frozen=True, slots=True)
class Lapsed(News):
    """An offer is void because the position has changed."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class NotCounted(News):
    """A move or a claim does not count: something else happened first, or the claim came too early."""

    by: Player


@dataclass(frozen=True, slots=True)
class Claimed(News):
    """A player claims the game; it counts in a minute, unless the other player comes back."""

    by: Player


@dataclass(frozen=True, slots=True)
class Conceded(News):
    """A claim made without the room counts: the program of the player who was away resigned for them."""

    by: Player
    """The player who claimed the game."""


@dataclass(frozen=True, slots=True)
class Confirmed(News):
    """The room has the end that was shown before it had it."""


@dataclass(frozen=True, slots=True)
class Withdrawn(News):
    """An end that was shown before the room had it does not count: the room has something else in its place."""


@dataclass(frozen=True, slots=True)
class Voided(News):
    """Each player claimed the match while they could not reach the other, so it counts for nobody."""


@dataclass(frozen=True, slots=True)
class CalledOff(News):
    """A match is void before anything was dealt; after a rematch that is called off, the match before is over."""

    by: Player


@dataclass(frozen=True, slots=True)
class Said(News):
    """A player said one of the fixed phrases."""

    by: Player
    text: str


@dataclass(frozen=True, slots=True)
class RoundOver(News):
    """A round is over and both sides agree on its result."""

    session: Session
    match: Match
    """The match at the beginning of this round."""


@dataclass(frozen=True, slots=True)
class Halted(News):
    """The match cannot go on; `sentence` says why."""

    sentence: str
