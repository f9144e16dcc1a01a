"""The messages of the two sides, as strict models; each has exactly one encoding."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Player, Rounds
from duelbox.core.model import Model
from duelbox.core.offer import Kind
from duelbox.friends.channel import OVERHEAD

HOST: Player = 0
GUEST: Player = 1
PROTOCOL_VERSION = 3
MAX_BYTES = 4096 - OVERHEAD
"""Bytes of the longest message, which must fit into an entry of a room."""
PHRASES = (
    "Hello!",
    "Good luck!",
    "Nice move!",
    "Oops!",
    "Give me a moment.",
    "Good game!",
    "Thank you!",
    "I have to go.",
)
MOST_PHRASES = 20
"""Phrases of one player that are shown between two moves."""
Fault = Literal["false", "changed", "time"]
"""The reason why a side stops: the other side, the line or the clock is at fault."""
Why = Literal["declined", "version", "game", "rules"]
"""The reason why a guest does not join."""

_Fingerprint = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z")]
_Count = Annotated[int, Field(ge=0, le=100_000)]
_Slot = Annotated[int, Field(ge=0, le=63)]


class Malformed(DuelboxError):
    """The bytes are not a message."""


class Body(Model):
    """A message, with the position of its sender in the match."""

    at: _Count = 0
    """The number of messages that the sender had read in the room, of both players."""
    chain: Annotated[str, Field(pattern=r"^[0-9a-f]{32}\z")] = "0" * 32
    """The fingerprint of those messages in their order."""


class Hello(Body):
    """The host proposes a game."""

    t: Literal["hello"] = "hello"
    proto: tuple[_Count, _Count] = (PROTOCOL_VERSION, PROTOCOL_VERSION)
    """The oldest and the newest protocol version that the host speaks."""
    app: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+-]{1,40}\z")]
    name: Annotated[str, Field(max_length=48)]
    game: Annotated[str, Field(pattern=r"^[!-~]{1,3000}\z")]
    """The code of the game."""
    rules: _Fingerprint
    rounds: Rounds = 1
    lesson: bool = False
    """The host wants to allow hints and verdicts."""
    program: bool = False
    """A program plays for the host. Left out if false: versions before this field read no other."""


class Join(Body):
    """The guest accepts."""

    t: Literal["join"] = "join"
    app: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+-]{1,40}\z")]
    name: Annotated[str, Field(max_length=48)]
    lesson: bool = False


class Refuse(Body):
    """The guest does not accept."""

    t: Literal["refuse"] = "refuse"
    why: Why


class Commit(Body):
    """The fingerprint of the sender's share of the draw, which comes later in `Reveal`."""

    t: Literal["commit"] = "commit"
    sealed: _Fingerprint


class Reveal(Body):
    """The sender's share of the draw, and the fingerprint of the secret that shuffles their hand."""

    t: Literal["reveal"] = "reveal"
    nonce: _Fingerprint
    lock: _Fingerprint


class Slots(Body):
    """A hand face down: a commitment to each card."""

    t: Literal["slots"] = "slots"
    cards: Annotated[tuple[_Fingerprint, ...], Field(min_length=1, max_length=20)]


class Card(Model):
    """A card that is turned up."""

    slot: _Slot
    value: Annotated[int, Field(ge=0, le=999)]
    salt: _Fingerprint


class Move(Body):
    """A move in the notation of codes, with the mover's own card if the move turns one up."""

    t: Literal["move"] = "move"
    text: Annotated[str, Field(pattern=r"^[!-~]{1,60}\z")]
    card: Card | None = None


class Open(Body):
    """The card that the other player's move struck."""

    t: Literal["open"] = "open"
    card: Card


class Propose(Body):
    """An offer, such as a draw; it lapses when the position changes."""

    t: Literal["propose"] = "propose"
    kind: Kind


class Reply(Body):
    """The answer to the offer with this id."""

    t: Literal["reply"] = "reply"
    offer: _Count
    yes: bool


class Resign(Body):
    """The sender resigns the round."""

    t: Literal["resign"] = "resign"


class Claim(Body):
    """The sender claims the game because the other player has been away too long; void if that is not true."""

    t: Literal["claim"] = "claim"


class Bye(Body):
    """The sender shows their hidden hand, for the other side to check."""

    t: Literal["bye"] = "bye"
    secret: _Fingerprint
    order: Annotated[tuple[Annotated[int, Field(ge=0, le=999)], ...], Field(max_length=20)] = ()


class Help(Body):
    """The sender asked for a hint or a verdict in this round."""

    t: Literal["help"] = "help"


class Have(Body):
    """The sender is back, or has seen the end of the match."""

    t: Literal["have"] = "have"


class Say(Body):
    """The sender says one of the fixed phrases."""

    t: Literal["say"] = "say"
    phrase: Annotated[int, Field(ge=0, lt=len(PHRASES))]


class Halt(Body):
    """The sender found a fault and stops the match."""

    t: Literal["halt"] = "halt"
    why: Fault = "false"


_ANY_BODY: Any = Annotated[reduce(or_, Body.__subclasses__()), Field(discriminator="t")]
_BODIES: TypeAdapter[Any] = TypeAdapter(_ANY_BODY)


def encode(message: Body) -> bytes:
    """The bytes of a message."""
    left_out = None
    if isinstance(message, Hello) and not message.program:
        left_out = {"program"}
    return message.model_dump_json(exclude=left_out).encode()


def decode(text: bytes) -> Body:
    """Parse a message; raises Malformed, even for another spelling of the same message."""
    if len(text) > MAX_BYTES:
        raise Malformed(f"A message has at most {MAX_BYTES} bytes; one with {len(text)} came.")
    try:
        message: Body = _BODIES.validate_json(text)
        plain = encode(message)
    except (ValidationError, ValueError):
        raise Malformed("Something came that is no message.") from None
    if plain != text:
        raise Malformed("A message came that is not written as messages are.")
    return message
