"""Pairing: host and guest, strangers to each other, prove that they know the same code and agree on a long key.

With a short code, SPAKE2 turns it into a key. A stranger, even the relay, can try one guess each time they come, and
learns nothing else; a host survives many guesses, so that no stranger can end the pairing. A pasted code is long enough
to be a key itself. Then both sides confirm that they have the same key.
"""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Callable
from typing import Any, Literal

from duelbox.core.errors import DuelboxError
from duelbox.friends.channel import PROTOCOL, USED_UP, Tampered, derive, digest, open_once, seal_once
from duelbox.friends.join_code import Entropy, JoinCode
from duelbox.friends.journal_notes import Note, Paired, Put
from duelbox.friends.messages import Hello
from duelbox.friends.side import PLAYERS, RoomMember
from duelbox.relay.wire import Entry

Role = Literal["host", "guest"]
MINUTES = 10
"""Minutes for which a code can be used."""
_FIRST, _CONFIRM = bytes([1]), bytes([2])
GUESSES = 60
"""Wrong guesses before a code is used up; so many find three words once in 17 million codes.

An honest relay does not even allow so many tries from one address while a code lives.
"""
_UNSEEN = 5
"""Seconds after which somebody who came and left again counts as a stranger."""
_CONFIRMATION = 32
"""Bytes of a confirmation."""
_NOT_THE_CODE = "That is not the code. Ask for it once more."
_STRANGER = "Somebody came to your table {}. It still waits for your friend."
_DEAD = f"{GUESSES} wrong codes were tried at your table, so this one is used up. Begin again for a new one."
_OLD = f"This code is older than {MINUTES} minutes. Begin again for a new one."


class CodeUsedUp(DuelboxError):
    """The code cannot be tried again."""


class _WrongCode(DuelboxError):
    """The two sides do not know the same secret."""


class Pairing(RoomMember):
    """Pairing over the entries of a room; `notes` then begin the match."""

    _key = b""
    _transcript = b""
    _heard = 0
    _guesses = 0
    _ended = ""
    """The sentence that says why the code is used up; empty before."""
    _lost = False
    """The last guest had a wrong code."""
    _told = False
    """The host was told so."""
    _spoke = False
    """This side's first entry is in the room."""
    _left: float | None = None
    """The time at which a guest left of whom the host was not told yet."""

    def __init__(
        self,
        role: Role,
        code: JoinCode,
        hello: Hello | None = None,
        entropy: Entropy = os.urandom,
        clock: Callable[[], float] = time.time,
        watch: str = "",
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """A host brings the proposal, and the secret for watchers if there may be any.

        `tell` is called with a sentence about each stranger.
        """
        self._host = role == "host"
        self._mine, self._theirs = PLAYERS if self._host else PLAYERS[::-1]
        self._code = code
        self._hello = hello
        self._entropy = entropy
        self._clock = clock
        self._watch = watch
        self._tell = tell
        self._dies = clock() + MINUTES * 60
        self._exchange = _Words(role, code, entropy) if code.spoken else _Pasted(code, entropy)
        self._outgoing = [(1, _FIRST + self._exchange.first)]
        self.notes: list[Note] = []
        """The first notes of the match; empty until the two are paired."""

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put, in order; putting one again does no harm."""
        return list(self._outgoing)

    def receive(self, entry: Entry) -> None:
        """Take an entry; raises CodeUsedUp, after which only `outgoing` may still be put."""
        self.since = entry.seq
        if self.notes or entry.who not in PLAYERS:
            return
        if self._ended:
            raise CodeUsedUp(self._ended)
        if entry.who == self._mine:
            n, body = self._outgoing[0]
            self._spoke |= entry == Entry(entry.seq, self._mine, n, body, entry.time)
            if self._spoke and entry.n > len(self._outgoing):  # earlier entries are those of guests before this one
                self._give_up("Somebody else is in this room under your name. Begin again for a new code.")
            return
        if self._host and self._clock() > self._dies:
            self._give_up(_OLD)
        if self._host and entry.n == 1:  # another guest, so the one before never proved the code
            self._heard = 0
            self._key = b""
            self._lost = False
        if self._lost:
            return
        self._heard += 1
        if entry.n != self._heard:
            self._give_up("This code is used up. Begin again for a new one.")
        try:
            self._step(entry.body[:1], entry.body[1:])
        except _WrongCode as error:
            if not self._host:
                self._give_up(error.sentence)
            self._turn_away(guessed=self._key != b"")

    def _turn_away(self, *, guessed: bool) -> None:
        self._lost = True
        self._told = True
        self.turns_away = True
        self._guesses += guessed
        if self._guesses == GUESSES:
            self._give_up(_DEAD)
        self._tell(_STRANGER.format("with a wrong code, and was turned away"))

    def see(self, who: str, here: bool) -> None:
        """Note that a member has come or left; somebody who only takes a ticket counts as leaving."""
        if self._host and who == self._theirs:
            self._left = None if here or self._told else self._clock()
            self._told = False

    def tick(self) -> bool:
        """Tell the host of a stranger who left, unless somebody has come since."""
        if self._left is not None and self._clock() - self._left >= _UNSEEN:
            self._left = None
            self._tell(_STRANGER.format("without the code, and left"))
        return False

    def _step(self, kind: bytes, body: bytes) -> None:
        if (kind, self._heard) == (_FIRST, 1):
            first = self._exchange.first
            host, guest = (first, body) if self._host else (body, first)
            self._transcript = digest("paired", self._code.room, host.hex(), guest.hex())
            self._key = derive(self._exchange.finish(body), "pair", self._transcript.hex())
            if not self._host:
                self._outgoing.append((2, _CONFIRM + self._proof(self._mine)))
        elif (kind, self._heard) == (_CONFIRM, 2):
            if not self._key or not hmac.compare_digest(body[:_CONFIRMATION], self._proof(self._theirs)):
                raise _WrongCode(_NOT_THE_CODE)
            self._pair(derive(self._key, "session"), body[_CONFIRMATION:])
        else:
            raise _WrongCode(f"{_NOT_THE_CODE[:-1]}: it may be used up.")

    def _proof(self, role: str) -> bytes:
        return derive(self._key, "confirm", role, self._transcript.hex())

    def _give_up(self, sentence: str) -> None:
        self._ended = sentence
        if self._host:
            self._outgoing.append((2, USED_UP))
        raise CodeUsedUp(sentence)

    def _pair(self, key: bytes, sealed_watch: bytes) -> None:
        """Finish the pairing; `told` is the secret for watchers, sealed, behind the host's confirmation."""
        terms = derive(key, "terms")
        if not self._host:
            self._watch = _opened(terms, sealed_watch)
        self.notes = [
            Paired(
                me=0 if self._host else 1,
                room=self._code.room,
                key=key.hex(),
                secret=self._entropy(32).hex(),
                since=self.since,
                watch=self._watch,
                sent=1 if self._host else 2,
                heard=2,
                hello=self._hello,
            )
        ]
        if self._host:  # the guest waits for this entry, so it must survive a restart
            watch = seal_once(terms, self._watch.encode()) if self._watch else b""
            self.notes.append(Put(n=2, text=(_CONFIRM + self._proof(self._mine) + watch).hex(), raw=True))


def _opened(key: bytes, sealed: bytes) -> str:
    try:
        return open_once(key, sealed).decode("ascii") if sealed else ""
    except (Tampered, ValueError):
        raise _WrongCode(_NOT_THE_CODE) from None


class _Words:
    """SPAKE2 bound to the version, the roles and the room, for codes of three words."""

    def __init__(self, role: Role, code: JoinCode, entropy: Entropy) -> None:
        from spake2 import SPAKE2_A, SPAKE2_B  # type: ignore[import-untyped]

        kind = SPAKE2_A if role == "host" else SPAKE2_B
        names = (f"{PROTOCOL} {player} {code.room}".encode() for player in PLAYERS)
        self._spake: Any = kind(code.secret.encode(), *names, entropy_f=entropy)
        self.first: bytes = self._spake.start()
        self._saved = self._spake.serialize()

    def finish(self, theirs: bytes) -> bytes:
        try:
            key: bytes = type(self._spake).from_serialized(self._saved).finish(theirs)
        except Exception:  # the library raises many kinds of errors for bytes that are no point of its curve
            raise _WrongCode(_NOT_THE_CODE) from None
        return key


class _Pasted:
    """The key of a pasted code; each side adds a random number, so that every pairing differs."""

    def __init__(self, code: JoinCode, entropy: Entropy) -> None:
        self._secret = code.secret.encode()
        self.first = entropy(32)

    def finish(self, theirs: bytes) -> bytes:
        if len(theirs) != len(self.first) or theirs == self.first:
            raise _WrongCode(_NOT_THE_CODE)
        return derive(self._secret, "pasted")
