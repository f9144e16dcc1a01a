"""Pairing: from a short code that both know to a long key that nobody else knows.

SPAKE2 lets a stranger, the relay included, try one guess and tells them nothing else; both then confirm the key.
A pasted code is long enough to be a key itself.
"""

from __future__ import annotations

import hmac
from typing import Any, Literal

from duelbox.core.errors import DuelboxError
from duelbox.net.channel import PROTOCOL, Tampered, derive, digest, open_once, seal_once
from duelbox.net.words import Code, Entropy

Role = Literal["host", "guest"]
MINUTES = 10
"""So long a code can be used."""
PROOF = 32
"""Bytes in a confirmation."""
_WRONG = "That is not the code, so it is used up now. Ask for a new one."


class WrongCode(DuelboxError):
    """The two sides do not know the same secret."""


def can_speak() -> bool:
    """Whether codes of three words can be used here: the library for them is installed."""
    from importlib.util import find_spec

    return find_spec("spake2") is not None


class Pairing:
    """One try to agree on a key: `first` and then `confirm` are sent, and the other side's are handed in."""

    def __init__(self, role: Role, code: Code, entropy: Entropy) -> None:
        self._role: Role = role
        self._room = code.room
        self._exchange = _Words(role, code, entropy) if code.spoken else _Pasted(code, entropy)
        self.first = self._exchange.first
        """What to send before anything else."""
        self._key = self._transcript = b""

    def confirm(self, theirs: bytes) -> bytes:
        """What to send next, once the other side's first has come; raises WrongCode."""
        host, guest = (self.first, theirs) if self._role == "host" else (theirs, self.first)
        self._transcript = digest("paired", self._room, host.hex(), guest.hex())
        self._key = derive(self._exchange.finish(theirs), "pair", self._transcript.hex())
        return self._proof(self._role)

    def finish(self, theirs: bytes) -> bytes:
        """The key, once the other side's confirmation has come; raises WrongCode."""
        if not self._key or not hmac.compare_digest(theirs, self._proof("guest" if self._role == "host" else "host")):
            raise WrongCode(_WRONG)
        return derive(self._key, "session")

    def _proof(self, role: Role) -> bytes:
        return derive(self._key, "confirm", role, self._transcript.hex())


def tell_watch(key: bytes, watch: str) -> bytes:
    """What the host sends with the confirmation: the secret for watchers, so that the guest knows of them."""
    return seal_once(derive(key, "terms"), watch.encode()) if watch else b""


def told_watch(key: bytes, sealed: bytes) -> str:
    """The secret for watchers that the host sent; raises WrongCode."""
    try:
        return open_once(derive(key, "terms"), sealed).decode("ascii") if sealed else ""
    except (Tampered, ValueError):
        raise WrongCode(_WRONG) from None


class _Words:
    """SPAKE2, bound to the version, the roles and the room."""

    def __init__(self, role: Role, code: Code, entropy: Entropy) -> None:
        from spake2 import SPAKE2_A, SPAKE2_B  # type: ignore[import-untyped]

        kind = SPAKE2_A if role == "host" else SPAKE2_B
        names = (f"{PROTOCOL} {one} {code.room}".encode() for one in ("host", "guest"))
        self._spake: Any = kind(code.secret.encode(), *names, entropy_f=entropy)
        self.first: bytes = self._spake.start()

    def finish(self, theirs: bytes) -> bytes:
        try:
            key: bytes = self._spake.finish(theirs)
        except Exception:  # whatever the library says of a message that is none, or no point of its curve
            raise WrongCode(_WRONG) from None
        return key


class _Pasted:
    """128 bits that both know, made fresh by a number of each."""

    def __init__(self, code: Code, entropy: Entropy) -> None:
        self._secret = code.secret.encode()
        self.first = entropy(32)

    def finish(self, theirs: bytes) -> bytes:
        if len(theirs) != len(self.first) or theirs == self.first:
            raise WrongCode(_WRONG)
        return derive(self._secret, "pasted")
