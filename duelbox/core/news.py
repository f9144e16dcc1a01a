"""News: what happened at a table, told to whoever shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.core.match import Match, Player
from duelbox.core.offer import Offer
from duelbox.core.session import Ply, Session


class News:
    """Something that happened."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Declined(News):
    """The guest does not sit down."""

    why: str


@dataclass(frozen=True, slots=True)
class Began(News):
    """A round begins."""


@dataclass(frozen=True, slots=True)
class Moved(News):
    """A turn was taken, and is to be seen."""

    by: Player
    ply: Ply


@dataclass(frozen=True, slots=True)
class PositionChanged(News):
    """Another position lies on the table."""


@dataclass(frozen=True, slots=True)
class Undone(News):
    """Turns were undone, or done again."""

    plies: Sequence[Ply]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Offered(News):
    """Somebody proposes something."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class Answered(News):
    """An offer was answered, and if it was taken up, it is done by now."""

    offer: Offer
    yes: bool


@dataclass(frozen=True, slots=True)
class Lapsed(News):
    """An offer is void, since the position has moved on."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class NotCounted(News):
    """A move or a claim does not count: something else had happened first, or it was too early for a claim."""

    by: Player


@dataclass(frozen=True, slots=True)
class Claimed(News):
    """The game was claimed; it counts in a minute, unless the other player is heard of."""

    by: Player


@dataclass(frozen=True, slots=True)
class CalledOff(News):
    """A match of which nothing was dealt is void; after a rematch that is called off, the match before is over."""

    by: Player


@dataclass(frozen=True, slots=True)
class Said(News):
    """One of the fixed phrases."""

    by: Player
    text: str


@dataclass(frozen=True, slots=True)
class RoundOver(News):
    """A round is over, perhaps the last, and both sides agree on how."""

    session: Session
    match: Match
    """As it stood when this round began."""


@dataclass(frozen=True, slots=True)
class Stopped(News):
    """The match cannot go on; the sentence says why."""

    sentence: str
