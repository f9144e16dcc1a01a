"""One side of a match: bytes come in, bytes to put go out, and notes of all that must outlive the process.

It waits for nothing and opens no connection. Notes must be on disk before what `outgoing` gives is put into the room.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import Seat
from duelbox.core.offer import VOID, Kind
from duelbox.net import messages as m
from duelbox.net import news
from duelbox.net.channel import SALT, Keys, Opener, Sealer, Tampered
from duelbox.net.hands import Cheat
from duelbox.net.ledger import Ledger
from duelbox.net.messages import Malformed
from duelbox.net.notes import Ended, Epoch, Heard, Helped, Note, Paired, Put
from duelbox.net.room import Entry
from duelbox.net.standing import GUEST, HOST
from duelbox.net.words import Entropy, watch_key

NAMES: tuple[str, str] = ("host", "guest")
"""The players as members of the room."""
STOPPED = "The other side stopped the match: it found a fault in what came from here."


class Gap(Exception):
    """Entries of the room are missing: read it again from `since`."""


class Peer:
    """One side of a match, made of its notes; `start` begins a new process of it."""

    def __init__(
        self,
        notes: Sequence[Note],
        entropy: Entropy = os.urandom,
        clock: Callable[[], float] = time.time,
    ) -> None:
        first, *rest = notes
        assert isinstance(first, Paired)
        self._entropy, self._clock = entropy, clock
        self._paired = first
        self._keys = Keys.of_players(bytes.fromhex(first.key), first.watch)
        self.me: Player = first.me
        self.rival: Player = GUEST if first.me == HOST else HOST
        self.since = first.since
        """How much of the room was read."""
        self.stopped: str | None = None
        """Why the match cannot go on, in a sentence."""
        self.ledger = Ledger(first.me, bytes.fromhex(first.secret), self._keys.place)
        self._opener = Opener(self._keys, first.room, self.rival)
        self._sealer: Sealer | None = None
        self._epoch = 0
        self._outbox: dict[int, Put] = {}
        self._waiting: dict[int, m.Message] = {}
        self._sent, self._echoed, self._heard = first.sent, first.sent, first.heard
        self._new: list[Note] = []
        self._news: list[news.News] = []
        for note in rest:
            with suppress(Cheat):  # the note after it says so
                self._remember(note)
        self.ledger.take_news()

    def start(self) -> None:
        """Begin a process: with keys of its own, and telling the other side where one stands."""
        self._note(Epoch(number=self._epoch + 1, salt=self._entropy(SALT).hex()))
        if self.stopped is None:
            if self._paired.hello is not None and self.ledger.stage == "hello":
                self._put_once(self._paired.hello)
            elif self.ledger.stage not in ("hello", "asked", "refused"):
                self._put(m.Have())
            self._say_what_is_due()

    @property
    def hello(self) -> m.Hello | None:
        """What this side proposes, if it is the host."""
        return self._paired.hello

    @property
    def watch(self) -> str:
        """The key that others may watch with; empty where nobody may."""
        return watch_key(self._paired.room, self._paired.watch) if self._paired.watch else ""

    # -- notes

    def take_notes(self) -> list[Note]:
        """What is to be written down now."""
        notes, self._new = self._new, []
        return notes

    def _note(self, note: Note) -> None:
        self._new.append(note)
        self._remember(note)

    def _remember(self, note: Note) -> None:
        if isinstance(note, Epoch):
            self._epoch = note.number
            self._sealer = Sealer(self._keys, self._paired.room, self.me, note.number, bytes.fromhex(note.salt))
        elif isinstance(note, Put):
            self._sent, self._outbox[note.n] = note.n, note
            if not note.raw:
                self._waiting[note.n] = m.decode(note.text.encode())
            if note.order:
                self.ledger.choose(note.order)
        elif isinstance(note, Heard):
            self._take(note)
        elif isinstance(note, Helped):
            self.ledger.helped = True
        elif isinstance(note, Ended):
            self.stopped = note.sentence

    def _take(self, note: Heard) -> None:
        self.since = note.seq
        if note.mine:
            self._echoed += 1
            self._outbox.pop(self._echoed, None)
            message = self._waiting.pop(self._echoed, None)
            if message is not None:
                self._fold(self.me, message, note.time)
        elif note.text:
            self._heard += 1
            self._opener.epoch, self._opener.salt = note.epoch, bytes.fromhex(note.salt)
            self._fold(self.rival, m.decode(note.text.encode()), note.time)

    def _fold(self, who: Player, message: m.Message, taken: int) -> None:
        if isinstance(message, m.Halt):
            raise Cheat(STOPPED)
        self.ledger.fold(who, message, taken)

    # -- the room

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put, in their order; those that are in the room already do no harm there."""
        assert self._sealer is not None
        return [
            (n, bytes.fromhex(put.text) if put.raw else self._sealer.seal(n, put.text.encode()))
            for n, put in self._outbox.items()
        ]

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        if self.stopped is not None and entry.who == NAMES[self.me]:
            self._outbox.pop(entry.n, None)
        if entry.seq <= self.since or self.stopped is not None:
            return
        if entry.seq > self.since + 1:
            raise Gap
        try:
            note = self._read(entry)
            self._new.append(note)
            self._take(note)
        except (Tampered, Malformed, Cheat) as error:
            self._stop(error.sentence)
        self._news += self.ledger.take_news()
        self._say_what_is_due()

    def _read(self, entry: Entry) -> Heard:
        if entry.who == NAMES[self.me]:
            if entry.n != self._echoed + 1 or entry.n > self._sent:
                raise Tampered("The relay tells other messages than were sent.")
            return Heard(seq=entry.seq, mine=True, time=entry.time)
        if entry.who != NAMES[self.rival] or entry.n <= self._heard:
            return Heard(seq=entry.seq, mine=False)
        if entry.n > self._heard + 1:
            raise Tampered("A message of the other side is missing.")
        text = self._opener.open(entry.n, entry.body)
        m.decode(text)
        opener = self._opener
        return Heard(
            seq=entry.seq,
            mine=False,
            text=text.decode(),
            epoch=opener.epoch,
            salt=opener.salt.hex(),
            time=entry.time,
        )

    def _stop(self, sentence: str) -> None:
        self._note(Ended(sentence=sentence))
        self._news.append(news.Stopped(sentence))
        if sentence != STOPPED:
            self._put(m.Halt())

    def take_news(self) -> list[news.News]:
        """What there is to tell since it was last asked."""
        told, self._news = self._news, []
        return told

    # -- saying

    def _put(self, message: m.Body, order: tuple[int, ...] = ()) -> None:
        chain = self.ledger.chains[-1].hex()
        body = message.changed(at=self.ledger.count, chain=chain)
        self._note(Put(n=self._sent + 1, text=m.encode(body).decode(), order=order))

    def _put_once(self, message: m.Body) -> None:
        if not self._on_its_way(type(message)):
            self._put(message)

    def _on_its_way(self, *kinds: type[m.Body]) -> bool:
        return any(isinstance(message, kinds) for message in self._waiting.values())

    def _say_what_is_due(self) -> None:
        if self.stopped is not None:
            return None
        if self.ledger.stage == "asked" and self.me == GUEST and (why := self.ledger.propose()):
            return self._put_once(m.Refuse(why=why))
        due = self.ledger.due()
        if due is not None:
            self._put_once(due)
        return None

    def _check_going(self) -> None:
        if self.stopped is not None:
            raise DuelboxError(self.stopped)

    # -- what the player does

    def answer_invitation(self, name: str, app: str, *, yes: bool = True, lesson: bool = False) -> None:
        """Sit down, or do not."""
        self._check_going()
        if self.ledger.stage == "asked" and self.me == GUEST and not self._on_its_way(m.Join, m.Refuse):
            self._put(m.Join(name=name, app=app, lesson=lesson) if yes else m.Refuse(why="declined"))

    @property
    def moving(self) -> bool:
        """Whether a move of mine is on its way into the room."""
        return self._on_its_way(m.Move, m.Slots, m.Resign, m.Claim)

    @property
    def seat(self) -> Seat:
        """My seat in this round."""
        return self.ledger.seat(self.me)

    def play(self, text: str) -> None:
        """Make a move; raises MoveError and changes nothing then."""
        self._check_going()
        ledger, match_round = self.ledger, self.ledger.round
        if self.moving or ledger.stage == "open":
            raise NotYourTurn("Your move is on its way.")
        if not ledger.my_turn or match_round is None:
            raise NotYourTurn("It is not your turn.")
        move = match_round.read(text, self.seat)
        order = match_round.order_of(move)
        if order is not None:
            self._put(ledger.slots(order), order)
        else:
            card = match_round.card_for(move, self.seat, ledger.my_secret().told)
            self._put(m.Move(text=match_round.game.format_move(move), card=card))

    def resign(self) -> None:
        """Give up this round."""
        self._check_going()
        if self.ledger.stage not in ("play", "open"):
            raise DuelboxError("Nothing is being played just now.")
        self._put_once(m.Resign())

    def claim(self) -> None:
        """Take the game, if the other has been away for too long; raises DuelboxError where nothing can be claimed.

        By the relay's clock it may be too early: then it is void, whatever this machine's clock says.
        """
        self._check_going()
        if why := self.why_no_claim():
            raise DuelboxError(why)
        self._put_once(m.Claim())

    def why_no_claim(self) -> str | None:
        """Why the game cannot be claimed now, as far as this machine's clock can tell."""
        return self.ledger.why_no_claim(self.me, int(self._clock()))

    def offer(self, kind: Kind) -> None:
        """Propose something; raises DuelboxError where it cannot be."""
        self._check_going()
        why = self.ledger.why_not(kind)
        if why is None and self._on_its_way(m.Propose):
            why = "Your offer is on its way."
        if why is not None:
            raise DuelboxError(why)
        self._put(m.Propose(kind=kind))

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError where it no longer stands."""
        self._check_going()
        standing = self.ledger.offers.get(offer)
        if standing is None or standing.by == self.me or self._on_its_way(m.Reply):
            raise DuelboxError(VOID)
        self._put(m.Reply(offer=offer, yes=yes))

    def say(self, phrase: int) -> None:
        """Say one of the fixed phrases."""
        self._check_going()
        if not 0 <= phrase < len(m.PHRASES):
            raise DuelboxError(f"The phrases are 1 to {len(m.PHRASES)}.")
        self._put(m.Say(phrase=phrase))

    def use_help(self) -> None:
        """Note that help is asked for; raises DuelboxError where the two have not agreed to a lesson."""
        if not self.ledger.lesson:
            raise DuelboxError("Hints and verdicts are off in this match: you did not agree to a lesson.")
        if not self.ledger.helped:
            self._note(Helped())
