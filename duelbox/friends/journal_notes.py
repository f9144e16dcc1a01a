"""What one side must remember, as a list that only grows: whoever reads it again stands where they stood."""

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
    """The key that only the two of them know."""
    secret: str
    """The secret that only this side knows."""
    watch: str = ""
    """The secret that watchers know, too; empty where nobody may watch."""
    since: int
    """How much of the room was read."""
    sent: int
    heard: int
    """How many entries each side had put by then."""
    hello: Hello | None = None
    """The host's proposal."""


class Epoch(Model):
    """A program started; it seals with keys of its own."""

    t: Literal["epoch"] = "epoch"
    number: int
    salt: str


class Put(Model):
    """Something of one's own, to be put into the room."""

    t: Literal["put"] = "put"
    n: int
    text: str
    raw: bool = False
    """Whether it goes as it is (in hexadecimal), and not sealed: the last step of pairing."""
    order: tuple[int, ...] = ()
    """The hand it lays, where it lays one that was chosen."""


class Heard(Model):
    """An entry of the room, in its order; of one's own, only that it is there."""

    t: Literal["heard"] = "heard"
    seq: int
    mine: bool
    text: str = ""
    epoch: int = 0
    salt: str = ""
    time: int = 0
    """When the relay took it."""
    seen: int = 0
    """The earliest that it can have come, by the clock of this machine."""


class Ended(Model):
    """The match cannot go on; the sentence says why."""

    t: Literal["ended"] = "ended"
    sentence: str


Note = Paired | Epoch | Put | Heard | Ended
_ANY: TypeAdapter[Any] = TypeAdapter(Annotated[Note, Field(discriminator="t")])


def read_note(line: str | bytes) -> Note:
    """The note of a line of JSON; raises ValueError."""
    note: Note = _ANY.validate_json(line)
    return note
