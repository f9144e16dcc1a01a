"""What the two sides say to each other: strict models, written in one way only."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Rounds
from duelbox.core.model import Model
from duelbox.core.offer import Kind
from duelbox.friends.channel import OVERHEAD

VERSION = 3
MOST = 4096 - OVERHEAD
"""So many bytes a message has at most, to fit into an entry of a room."""
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
Fault = Literal["false", "changed", "time"]
"""The fault for which a side plays no further: the other's, the line's or the clock's."""
Why = Literal["declined", "version", "game", "rules"]
"""Why a guest does not sit down."""

Key = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z")]
_Count = Annotated[int, Field(ge=0, le=100_000)]
_Slot = Annotated[int, Field(ge=0, le=63)]


class Malformed(DuelboxError):
    """Bytes that are no message."""


class Body(Model):
    """A message, and where in the match its sender stood when it was sent."""

    at: _Count = 0
    """How many messages of both the sender had seen in the room."""
    chain: Annotated[str, Field(pattern=r"^[0-9a-f]{32}\z")] = "0" * 32
    """The fingerprint of all of them, in their order."""


class Hello(Body):
    """The host names the game."""

    t: Literal["hello"] = "hello"
    proto: tuple[_Count, _Count] = (VERSION, VERSION)
    """The oldest and the newest protocol that is spoken."""
    app: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+-]{1,40}\z")]
    name: Annotated[str, Field(max_length=48)]
    game: Annotated[str, Field(pattern=r"^[!-~]{1,3000}\z")]
    """Its code."""
    rules: Key
    """The fingerprint of the rules."""
    rounds: Rounds = 1
    lesson: bool = False
    """Whether hints and verdicts are asked to be allowed."""


class Join(Body):
    """The guest sits down."""

    t: Literal["join"] = "join"
    app: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+-]{1,40}\z")]
    name: Annotated[str, Field(max_length=48)]
    lesson: bool = False


class Refuse(Body):
    """The guest does not sit down."""

    t: Literal["refuse"] = "refuse"
    why: Why


class Commit(Body):
    """A number is chosen for the draw, and not yet told."""

    t: Literal["commit"] = "commit"
    sealed: Key


class Reveal(Body):
    """The number, and the fingerprint of the secret that shuffles the sender's hand."""

    t: Literal["reveal"] = "reveal"
    nonce: Key
    lock: Key


class Slots(Body):
    """A hand, face down: a commitment for each card."""

    t: Literal["slots"] = "slots"
    cards: Annotated[tuple[Key, ...], Field(min_length=1, max_length=20)]


class Card(Model):
    """A card turned up."""

    slot: _Slot
    value: Annotated[int, Field(ge=0, le=999)]
    salt: Key


class Move(Body):
    """A move as a code has it; where it shows a card of the mover, that card."""

    t: Literal["move"] = "move"
    text: Annotated[str, Field(pattern=r"^[!-~]{1,60}\z")]
    card: Card | None = None


class Open(Body):
    """The card that the other player's move struck."""

    t: Literal["open"] = "open"
    card: Card


class Propose(Body):
    """Something proposed to the other player; it lapses when the position moves on."""

    t: Literal["propose"] = "propose"
    kind: Kind


class Reply(Body):
    """An answer to the offer that stands at this place in the room."""

    t: Literal["reply"] = "reply"
    offer: _Count
    yes: bool


class Resign(Body):
    """The sender gives up this round."""

    t: Literal["resign"] = "resign"


class Claim(Body):
    """The sender takes the game, since the other has been away for too long; void where that is not so."""

    t: Literal["claim"] = "claim"


class Bye(Body):
    """The round is over for the sender, who shows the hand that was hidden."""

    t: Literal["bye"] = "bye"
    secret: Key
    order: Annotated[tuple[Annotated[int, Field(ge=0, le=999)], ...], Field(max_length=20)] = ()


class Help(Body):
    """The sender asked for a hint or a verdict in this round."""

    t: Literal["help"] = "help"


class Have(Body):
    """The sender is back, and stands here."""

    t: Literal["have"] = "have"


class Say(Body):
    """One of the fixed phrases."""

    t: Literal["say"] = "say"
    phrase: Annotated[int, Field(ge=0, lt=len(PHRASES))]


class Halt(Body):
    """The sender found a fault in what came, and plays no further."""

    t: Literal["halt"] = "halt"
    why: Fault = "false"


Message = (
    Hello
    | Join
    | Refuse
    | Commit
    | Reveal
    | Slots
    | Move
    | Open
    | Propose
    | Reply
    | Resign
    | Claim
    | Bye
    | Help
    | Have
    | Say
    | Halt
)
_ANY: TypeAdapter[Any] = TypeAdapter(Annotated[Message, Field(discriminator="t")])


def encode(message: Body) -> bytes:
    """The message as bytes, in the one way it is written."""
    return message.model_dump_json().encode()


def decode(text: bytes) -> Message:
    """The message that was sent; raises Malformed."""
    if len(text) > MOST:
        raise Malformed(f"A message has at most {MOST} bytes; one with {len(text)} came.")
    try:
        message: Message = _ANY.validate_json(text)
        plain = encode(message)
    except (ValidationError, ValueError):
        raise Malformed("Something came that is no message.") from None
    if plain != text:
        raise Malformed("A message came that is not written as messages are.")
    return message
