"""The protocol between a member and a relay: frames of one JSON object each, with their kind under "t"."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model

MAX_BODY = 4096
"""Bytes in the body of one entry, at most."""
PATH = "/duelbox/1"
"""The path that a relay answers: the protocol and its version."""
MAX_FRAME = 2 * MAX_BODY
"""Longer than any correct frame, so that a frame a little too long still gets a sentence."""
MAX_NUMBER = 4_000_000_000
"""Enough for seconds since 1970."""

_KINDS: dict[str, dict[str, type]] = {
    # from a member
    "open": {"watch": str},
    "enter": {"room": str},
    "back": {"room": str, "who": str, "key": str},
    "read": {"since": int},
    "put": {"n": int, "body": str},
    "away": {},
    "leave": {},
    # from a relay
    "ticket": {"room": str, "who": str, "key": str},
    "welcome": {},
    "kept": {"n": int, "seq": int},
    "entry": {"seq": int, "who": str, "n": int, "body": str, "time": int},
    "here": {"who": str, "here": bool},
    "no": {"say": str, "final": bool},
    "gone": {"say": str},
}


SUM = "sum"
_SUM_AT = -len(',"sum":"01234567"}')
MEMBER = re.compile("host|guest|watcher-[1-9][0-9]?")
_encode = json.JSONEncoder(separators=(",", ":")).encode


class RoomLost(DuelboxError):
    """The connection is gone; try again later."""


class RoomGarbled(RoomLost):
    """The relay's bytes break the protocol; the line may have changed them."""


class RoomRefused(DuelboxError):
    """The relay refuses for good; the sentence says why."""


class RoomGone(RoomRefused):
    """The room does not exist, or not any more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry that a player put into the room for good. A relay cannot read its body, which is sealed."""

    seq: int
    """1, 2, 3 … in the room, which puts all entries in order."""
    who: str
    """The member that put it: "host" or "guest"."""
    n: int
    """1, 2, 3 … of that member; the same n put twice is one entry, the first."""
    body: bytes
    time: int = 0
    """Seconds since 1970 by the relay's clock."""


@dataclass(frozen=True, slots=True)
class Presence:
    """A member came or left; this is sent, but not stored."""

    who: str
    here: bool


class Ticket(Model):
    """Everything a member needs to come back to a room."""

    relay: str
    """ws://HOST:PORT or wss://HOST[:PORT]."""
    room: str
    """Digits, without the words of a code."""
    who: str
    """"host", "guest", or "watcher", whose ticket all watchers share."""
    key: str
    """Proves to the relay that this is the member; a secret."""


def no_such_room(number: str) -> RoomGone:
    """The refusal of a number that no room has."""
    return RoomGone(f"There is no room {number}. Ask for the code once more: it may have closed.")


class BadFrame(Exception):
    """The data is not a frame of this protocol; the text says why."""


def frame(kind: str, **fields: Any) -> str:
    """Encode a frame, with a checksum that shows a byte changed on its way."""
    text = _encode({"t": kind, **fields})
    return f"{text[:-1]}{_sum(text)}"


def _sum(text: str) -> str:
    """The end of a frame: its last field, a checksum of the frame without it."""
    return f',"{SUM}":"{crc32(text.encode("utf-8", "surrogatepass")):08x}"}}'


def entry_frame(entry: Entry) -> str:
    """The frame of an entry."""
    return frame("entry", seq=entry.seq, who=entry.who, n=entry.n, body=packed(entry.body), time=entry.time)


def packed(body: bytes) -> str:
    """Encode a body as text."""
    return b64encode(body).decode("ascii")


def unpacked(text: str) -> bytes:
    """Decode a body; raises BadFrame."""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise BadFrame("the body is not base64") from None


def read_frame(data: str | bytes) -> dict[str, Any]:
    """Decode a frame and check that it has exactly its fields, each of its type; raises BadFrame."""
    if len(data) > MAX_FRAME:
        raise BadFrame(f"a frame has at most {MAX_FRAME} bytes")
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):  # ValueError also covers bytes that are not UTF-8, and numbers of 5,000 digits
        raise BadFrame("a frame is a JSON object") from None
    if not isinstance(fields, dict) or not isinstance(kind := fields.get("t"), str) or kind not in _KINDS:
        raise BadFrame(f'a frame has a "t" that is one of {", ".join(_KINDS)}')
    if SUM in fields:
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        end = _sum(f"{text[:_SUM_AT]}}}")
        if text[_SUM_AT:] != end:
            raise BadFrame("it was changed on its way")
        del fields[SUM]
    types = _KINDS[kind]
    if fields.keys() != {"t", *types}:
        raise BadFrame(f"{kind} has the fields {', '.join(types) or 'none'}")
    for name, wanted in types.items():
        # `type`, since True is an int for isinstance. A lone surrogate, which cannot be hashed, is not printable.
        fits = type(fields[name]) is wanted and (wanted is not str or fields[name].isprintable())
        if not fits or (wanted is int and not 0 <= fields[name] <= MAX_NUMBER):
            raise BadFrame(f"{name} of {kind} is not right")
    return fields


def event_of(fields: dict[str, Any]) -> Entry | Presence:
    """The entry or presence in a frame of that kind; raises BadFrame."""
    if not MEMBER.fullmatch(fields["who"]):
        raise BadFrame("nobody in a room is called so")
    if fields["t"] == "here":
        return Presence(fields["who"], fields["here"])
    return Entry(fields["seq"], fields["who"], fields["n"], unpacked(fields["body"]), fields["time"])
