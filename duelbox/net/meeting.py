"""The first minute in a room: two strangers to the relay find out that they know the same code."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from duelbox.core.errors import DuelboxError
from duelbox.net.messages import Hello
from duelbox.net.notes import Note, Paired, Put
from duelbox.net.pairing import MINUTES, PROOF, Pairing, Role, WrongCode, tell_watch, told_watch
from duelbox.net.peer import NAMES
from duelbox.net.room import Entry
from duelbox.net.words import Code, Entropy

_FIRST, _CONFIRM = 1, 2
USED_UP = bytes([3])
"""The host takes nobody any more."""
_DEAD = "Somebody tried this code and got it wrong, so it is used up. Begin again for a new one."
_OLD = f"This code is older than {MINUTES} minutes. Begin again for a new one."


class CodeUsedUp(DuelboxError):
    """No further try is possible with this code."""


class Meeting:
    """Pairing over the entries of a room: put what is `outgoing`, `receive` what comes; `notes` then begin a match."""

    def __init__(
        self,
        role: Role,
        code: Code,
        hello: Hello | None = None,
        entropy: Entropy = os.urandom,
        clock: Callable[[], float] = time.time,
        watch: str = "",
    ) -> None:
        """A host brings what they propose to play, and the secret of watchers if there may be any."""
        self._role: Role = role
        self._code, self._hello, self._entropy, self._clock = code, hello, entropy, clock
        self._pairing = Pairing(role, code, entropy)
        self._watch = watch
        self._dies = clock() + MINUTES * 60
        self._heard = 0
        self.since = 0
        self._confirm = b""
        self._outgoing = [(1, bytes([_FIRST]) + self._pairing.first)]
        self.notes: list[Note] = []
        """How the match begins, once the two have found each other."""

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put, in their order; those that are in the room already do no harm there."""
        return list(self._outgoing)

    def take_notes(self) -> list[Note]:
        """Nothing of a meeting outlives the process."""
        return []

    def receive(self, entry: Entry) -> None:
        """Take an entry; raises CodeUsedUp, after which only what is outgoing may still be put."""
        self.since = entry.seq
        mine, theirs = NAMES if self._role == "host" else NAMES[::-1]
        if self.notes or entry.who not in (mine, theirs):
            return
        if entry.who == mine:
            if entry.n > len(self._outgoing):
                self._give_up("Somebody else is in this room under your name. Begin again for a new code.")
            return
        if self._role == "host" and self._clock() > self._dies:
            self._give_up(_OLD)
        self._heard += 1
        if entry.n != self._heard:
            self._give_up("This code is used up. Begin again for a new one.")
        try:
            self._step(entry.body[:1], entry.body[1:])
        except WrongCode as error:
            self._give_up(_DEAD if self._role == "host" else error.sentence)

    def _step(self, kind: bytes, body: bytes) -> None:
        if kind == bytes([_FIRST]) and self._heard == 1:
            self._confirm = bytes([_CONFIRM]) + self._pairing.confirm(body)
            if self._role == "guest":
                self._outgoing.append((2, self._confirm))
        elif kind == bytes([_CONFIRM]) and self._heard == 2:
            key = self._pairing.finish(body[:PROOF])
            if self._role == "guest":
                self._watch = told_watch(key, body[PROOF:])
            self._pair(key)
        else:
            raise WrongCode("That is not the code, or it is used up. Ask for a new one.")

    def _give_up(self, sentence: str) -> None:
        if self._role == "host":
            self._outgoing.append((2, USED_UP))
        raise CodeUsedUp(sentence)

    def _pair(self, key: bytes) -> None:
        host = self._role == "host"
        self.notes = [
            Paired(
                me=0 if host else 1,
                room=self._code.room,
                key=key.hex(),
                secret=self._entropy(32).hex(),
                since=self.since,
                watch=self._watch,
                sent=1 if host else 2,
                heard=2,
                hello=self._hello,
            )
        ]
        if host:  # the guest waits for this, so it must outlive the process
            told = self._confirm + tell_watch(key, self._watch)
            self.notes.append(Put(n=2, text=told.hex(), raw=True))
