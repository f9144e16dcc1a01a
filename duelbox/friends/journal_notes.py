"""The notes in the journal of a match elsewhere: replaying them restores a player's side."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from duelbox.core.model import Model
from duelbox.friends.messages import Hello


class Paired(Model):
    """The first note: two players have found each other."""

    t: Literal["paired"] = "paired"
    me: Literal[0, 1]
    room: str
    key: str
    """The key that only the two players know."""
    secret: str
    """The secret of this side alone."""
    watch: str = ""
    """The secret for watchers; empty if nobody may watch."""
    since: int
    """The number of room entries read by then."""
    sent: int
    heard: int
    """Entries that this side has sent, and heard of the other, by then."""
    hello: Hello | None = None
    """The host's proposal."""


class Epoch(Model):
    """A process has started, with a seal key of its own."""

    t: Literal["epoch"] = "epoch"
    number: int
    salt: str
    time: int = 0
    """The time of the start by this machine's clock; 0 in old notes."""


class Touch(Model):
    """This side was connected to the room, and had read everything, at this time by this machine's clock."""

    t: Literal["touch"] = "touch"
    time: int


class Put(Model):
    """An entry of this side, to be put into the room."""

    t: Literal["put"] = "put"
    n: int
    text: str
    raw: bool = False
    """The text is hexadecimal and goes unsealed: the last step of pairing."""
    order: tuple[int, ...] = ()
    """The hand that is laid, if the player chose its order."""
    time: int = 0
    """The time by this machine's clock; 0 in old notes."""
    alone: bool = False
    """A claim made without the room."""


class Heard(Model):
    """The next entry of the room; one's own is noted without its text."""

    t: Literal["heard"] = "heard"
    seq: int
    mine: bool
    text: str = ""
    epoch: int = 0
    salt: str = ""
    time: int = 0
    """The relay's time."""
    seen: int = 0
    """The earliest time, by this machine's clock, at which it can have come."""


class Ended(Model):
    """The match cannot go on; the sentence says why."""

    t: Literal["ended"] = "ended"
    sentence: str


Note = Paired | Epoch | Touch | Put | Heard | Ended
_NOTES: TypeAdapter[Any] = TypeAdapter(Annotated[Note, Field(discriminator="t")])


def read_note(line: str | bytes) -> Note:
    """Parse a note from a line of JSON; raises ValueError."""
    note: Note = _NOTES.validate_json(line)
    return note
