"""A player's side of a match: it takes entries of the room, gives entries to put, and notes what a restart must know.

It opens no connection and never waits. Its notes must be on disk before the entries from `outgoing` are put.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import get_args

from duelbox.core import news
from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import Seat, other
from duelbox.core.offer import NO_LESSON, VOID, Deed, Kind
from duelbox.friends import claims
from duelbox.friends import messages as m
from duelbox.friends.channel import SALT, Keys, Opener, Sealer, Tampered, derive
from duelbox.friends.claims import Moment, steady
from duelbox.friends.foresight import Foresight
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.join_code import Entropy, words_of
from duelbox.friends.journal_notes import Ended, Epoch, Heard, Note, Paired, Put, Touch
from duelbox.friends.ledger import Ledger
from duelbox.friends.outbox import Outbox
from duelbox.friends.own_hand import OwnHand
from duelbox.friends.side import PLAYERS, STOPPED, Side, WrongTime
from duelbox.friends.times import Times
from duelbox.friends.watch_key import watch_key
from duelbox.relay.wire import Entry

_SLACK = 60
"""Seconds by which two honest clocks may differ."""
_ALONE = f"A game can be claimed after {claims.AFTER // 3600} hours without your friend or the room."
_MESSAGES: dict[Deed, m.Body] = {
    "resign": m.Resign(),
    "claim": m.Claim(),
    "help": m.Help(),
    **{kind: m.Propose(kind=kind) for kind in get_args(Kind)},
}


class PlayerSide(Side):
    """A player's side, restored from its notes; `start` begins a new process of it."""

    def __init__(
        self,
        notes: Sequence[Note],
        entropy: Entropy = os.urandom,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = steady,
        *,
        hosts_room: bool = False,
    ) -> None:
        """`hosts_room` means that this side's process is the relay, so that the room was away whenever it was."""
        first, *rest = notes
        assert isinstance(first, Paired)
        self._entropy = entropy
        self._times = Times(wall, steady)
        self._hosts_room = hosts_room
        self._changed_by = [0, 0]
        """The number of messages at each player's last change of the position."""
        self._concedes_at: int | None = None
        """The number of messages at a claim that was made without the room, and is right; None if there is none."""
        self._paired = first
        self.since = first.since
        self.hello = first.hello
        keys = Keys.of_players(bytes.fromhex(first.key), first.watch)
        super().__init__(OwnHand(first.me, bytes.fromhex(first.secret)), keys, first.room)
        self._opener = Opener(keys, first.room, self.rival)
        self._sealer: Sealer | None = None
        self._epoch = 0
        self._outbox = Outbox()
        self._sent = first.sent
        self._echoed = first.sent
        self._heard = first.heard
        self._new: list[Note] = []
        for note in rest:
            with suppress(Cheat):  # the note `Ended` follows it
                self._remember(note)
        self.news.clear()

    def start(self) -> None:
        """Begin a process: choose a new seal key and tell the other side that this one is back."""
        now = self._times.now().wall
        self._note(Epoch(number=self._epoch + 1, salt=self._entropy(SALT).hex(), time=now))
        if self.stopped is None:
            if self.hello is not None and self.ledger.stage == "hello":
                self._put_once(self.hello)
            elif self.ledger.stage not in ("hello", "asked", "refused"):
                self._put_once(m.Have())  # one that waits for the room says the same
            self._put_owed()

    @property
    def watch(self) -> str:
        """The key that others watch with; empty if nobody may."""
        return watch_key(self._paired.room, self._paired.watch) if self._paired.watch else ""

    @property
    def verifier(self) -> str:
        """Four short words made from the key; if both sides show the same ones, nobody sits between them."""
        return " ".join(words_of(derive(bytes.fromhex(self._paired.key), "verifier"), 4))

    # -- notes

    def take_notes(self) -> list[Note]:
        """Notes that must be on disk before anything more is put."""
        notes, self._new = self._new, []
        return notes

    def _note(self, note: Note) -> None:
        self._new.append(note)
        self._remember(note)

    def _remember(self, note: Note) -> None:
        match note:
            case Epoch():
                self._epoch = note.number
                self._sealer = Sealer(self._keys, self._paired.room, self.me, note.number, bytes.fromhex(note.salt))
                self._times.note_start(note.time, self.ledger.count)
            case Touch():
                self._times.in_touch = Moment(note.time)
                self._times.note_running(note.time)
            case Put():
                self._send(note, None if note.raw else m.decode(note.text.encode()), Moment(note.time))
            case Heard():
                self._hear(note, m.decode(note.text.encode()) if note.text else None)
            case Ended():
                self.stopped = note.sentence

    def _send(self, note: Put, message: m.Body | None, now: Moment) -> None:
        self._sent = note.n
        self._outbox.add(note, message, now)
        self._times.note_running(note.time)
        if note.order:
            self.hand = replace(self.hand, order=note.order)

    def _hear(self, note: Heard, message: m.Body | None, *, live: bool = False) -> None:
        """Take the next entry of the room; `message` is given for the other side's entries. Raises Cheat."""
        self.since = note.seq
        self._times.note_running(note.seen)
        who = self.me if note.mine else self.rival
        if note.mine:
            self._echoed += 1
            message = self._outbox.take(self._echoed)
        elif message is not None:
            self._heard += 1
            self._outbox.hear_of_friend()
            self._opener.epoch, self._opener.salt = note.epoch, bytes.fromhex(note.salt)
        if isinstance(message, m.Halt):
            raise Cheat(STOPPED[message.why])
        if message is None:
            return
        if live and isinstance(message, m.Claim) and self.ledger.claim_counts(who, message, note.time):
            self._check_claim(who)
        self.apply(who, message, note.time)
        self.known = note.seq
        if isinstance(message, m.Claim) and not note.mine:
            self._look_at_claim_of_friend(message, live=live)
        if not live:
            self._times.in_touch = Moment(note.seen or note.time)
        self._times.note_message(who, moved=self.ledger.just_moved)
        if self.ledger.just_moved:
            self._changed_by[who] = self.ledger.count
        if note.mine and isinstance(message, m.Claim):
            self._times.claimed = self._times.now()
            if self._changed_by[self.rival] > message.at:
                self._outbox.hear_of_friend()  # they moved before

    def _look_at_claim_of_friend(self, claim: m.Claim, *, live: bool) -> None:
        """Give up the round if the friend claimed it while this side was away with the room; or say that it is here."""
        ledger = self.ledger
        if self._was_away(claim.at) and ledger.begun and not ledger.owes(self.rival):
            if ledger.why_no_resignation() is None:
                self._concedes_at = ledger.count
                self.news.append(news.Conceded(self.rival))
        elif live and ledger.claim is None and ledger.stage != "over":
            self._put_once(m.Have())

    def _was_away(self, since: int) -> bool:
        """The room was away with this side for as long as a claim takes, after the first `since` messages."""
        away = self._times.longest_absence(since) >= claims.AFTER - _SLACK
        return self._hosts_room and self._changed_by[self.me] <= since and away

    def _waited_for(self, who: Player) -> float:
        """The longest time that this player can have been waited for, by this machine's clocks."""
        if self.ledger.stage == "play":
            return self._times.elapsed(self._times.last[who])
        return self._times.elapsed(self._times.moved)

    def _check_claim(self, who: Player) -> None:
        """Refuse a claim that is too early by this machine's clocks, whatever the relay's says; raises Cheat."""
        waited = self._waited_for(other(who))
        if who != self.me and waited < claims.AFTER - _SLACK:
            minutes = max(0, int(waited // 60))
            raise WrongTime(
                f"The game was claimed after {minutes} minutes by the clock here: the relay's time is wrong."
            )

    # -- the room

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put, in order; putting one again does no harm."""
        assert self._sealer is not None
        entries = []
        for put in self._outbox.puts():
            if put.raw:
                entries.append((put.n, bytes.fromhex(put.text)))
            else:
                entries.append((put.n, self._sealer.seal(put.n, put.text.encode())))
        return entries

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        if self.stopped is not None and entry.who == PLAYERS[self.me]:
            self._outbox.take(entry.n)
        super().receive(entry)
        self._put_owed()

    def _take(self, entry: Entry) -> None:
        message: m.Body | None = None
        seen = self._times.in_touch.wall
        if entry.who == PLAYERS[self.me]:
            if entry.n != self._echoed + 1 or entry.n > self._sent:
                raise Tampered("The relay tells other messages than were sent.")
            note = Heard(seq=entry.seq, mine=True, time=entry.time, seen=seen)
        elif entry.who == PLAYERS[self.rival] and entry.n > self._heard:
            if entry.n > self._heard + 1:
                raise Tampered("A message of the other side is missing.")
            text = self._opener.open(entry.n, entry.body)
            message = m.decode(text)
            epoch, salt = self._opener.epoch, self._opener.salt.hex()
            note = Heard(
                seq=entry.seq, mine=False, text=text.decode(), epoch=epoch, salt=salt, time=entry.time, seen=seen
            )
        else:  # a repeated entry, or one of nobody, needs no note
            self.since = entry.seq
            return
        self._new.append(note)
        self._hear(note, message, live=True)

    def _stop(self, sentence: str, why: m.Fault = "false") -> None:
        self._note(Ended(sentence=sentence))
        super()._stop(sentence)
        if sentence not in STOPPED.values():
            self._put(m.Halt(why=why))

    def _put(self, message: m.Body, order: tuple[int, ...] = (), *, alone: bool = False) -> None:
        body = message.changed(at=self.ledger.count, chain=self.ledger.transcript.chains[-1].hex())
        now = self._times.now()
        note = Put(n=self._sent + 1, text=m.encode(body).decode(), order=order, time=now.wall, alone=alone)
        self._new.append(note)
        self._send(note, body, now)

    def _put_once(self, message: m.Body) -> None:
        if not self._on_its_way(type(message)):
            self._put(message)

    def _on_its_way(self, *kinds: type[m.Body]) -> bool:
        return self._outbox.count(*kinds) > 0

    def _put_owed(self) -> None:
        if self.stopped is not None:
            return
        owed = self.hand.owed_message(self.ledger)
        if owed is not None:
            self._put_once(owed)
        at = self._concedes_at
        if at is None:
            return
        if self.ledger.moved_since(at) or self.ledger.why_no_resignation() is not None:
            self._concedes_at = None
        else:
            self._put_once(m.Resign())

    def _check(self, refusal: str | None = None) -> None:
        """Raise DuelboxError if the match was stopped, or else for this reason."""
        if sentence := self.stopped or refusal:
            raise DuelboxError(sentence)

    # -- the player's actions

    def answer_invitation(self, name: str, app: str, *, yes: bool = True, lesson: bool = False) -> None:
        """Accept the invitation or decline it."""
        self._check()
        if self.ledger.stage == "asked" and self.me == m.GUEST and not self._on_its_way(m.Join, m.Refuse):
            answer: m.Body = m.Refuse(why="declined")
            if yes:
                answer = m.Join(name=name, app=app, lesson=lesson)
            self._put(answer)

    @property
    def moving(self) -> bool:
        """A move of this side is on its way into the room."""
        return self._on_its_way(m.Move, m.Slots, m.Resign, m.Claim)

    @property
    def seat(self) -> Seat:
        """This side's seat in the round."""
        return self.ledger.seat(self.me)

    def play(self, text: str) -> None:
        """Make a move; if it is not allowed, raises MoveError and changes nothing."""
        self._check()
        ledger = self.ledger
        if self.moving or ledger.stage == "open":
            raise NotYourTurn("Your move is on its way.")
        if not self.my_turn:
            raise NotYourTurn("It is not your turn.")
        assert self.round is not None
        move = self.round.read(text, self.seat)
        order = self.round.order_of(move)
        if order is not None:
            self._put(self.hand.slots(ledger, order), order)
        else:
            card = self.round.card_for(move, self.seat, self.hand.secrets(ledger).hand_secret)
            self._put(m.Move(text=self.round.game.format_move(move), card=card))

    def why_not(self, deed: Deed) -> str | None:
        """The sentence that refuses this now; None if it is possible."""
        match deed:
            case "resign":
                return (
                    "Your resignation is on its way."
                    if self._on_its_way(m.Resign)
                    else self._expected.why_no_resignation()
                )
            case "claim":
                return "Your claim is on its way." if self._on_its_way(m.Claim) else self.why_no_claim()
            case "help":
                return None if self.ledger.terms.lesson else NO_LESSON
            case "undo" | "draw" | "pause" | "rematch":
                if self._on_its_way(m.Propose):
                    return "Your offer is on its way."
                return self.ledger.why_no_offer(self.me, deed)
        return "Nothing has been undone."

    def propose(self, deed: Deed) -> None:
        """Tell the other player, or ask them; raises DuelboxError if that is refused.

        To resign a match that has not begun calls it off. A claim counts a minute later, unless the other player is
        heard of before; the relay's clock may still find it too early.
        """
        self._check(self.why_not(deed))
        if deed == "claim" and not self.in_room:
            self._put(m.Claim(), alone=True)
        elif deed != "help" or self.me not in self.ledger.course.helped:
            self._put_once(_MESSAGES[deed])

    def why_no_claim(self) -> str | None:
        """The sentence that refuses a claim now, by this machine's clocks; None if it is allowed."""
        if not self.in_room:
            return self._why_no_claim_alone()
        if self.ledger.claim is not None and self.ledger.claim.by == self.me:
            return "You have claimed the game. It is yours in a minute, unless your friend is heard of."
        now = self._times.now().wall
        if self._waited_for(self.rival) < claims.AFTER:
            now = 0  # too early for any claim
        return self.ledger.why_no_claim(self.me, now)

    def _why_no_claim_alone(self) -> str | None:
        """The sentence that refuses a claim without the room, by this machine's clocks; None if it is allowed."""
        if self._outbox.claims_alone:
            return "You have claimed the game already."
        waited = map(self._times.elapsed, (self._times.in_touch, self._outbox.changed))
        if min(waited) < claims.AFTER:
            return _ALONE
        if not self._expected.begun:
            return "Nothing is being played just now."
        if self.my_turn and not self.moving:
            return "It is your turn."
        return None

    @property
    def _expected(self) -> Ledger:
        """The match with what waits here; the match as agreed if nothing does."""
        foreseen = self.foreseen()
        return self.ledger if foreseen is None else foreseen.ledger

    @property
    def reaches_room(self) -> bool:
        """The room takes what waits here in a moment, so that nothing has to be foreseen."""
        return self.in_room and not self._outbox.claims_alone

    def foreseen(self) -> Foresight | None:
        """The match as it will be if the room takes what waits here; None if nothing does that may change it."""
        if self.stopped is not None:
            return None
        return self._outbox.foreseen(self.ledger, self.hand)

    def tick(self) -> bool:
        """Repeat a claim that is old enough to count, or claim a round whose end the other side never confirms.

        Called every few seconds while connected, the first time a few seconds after connecting; and after each try
        without a connection.
        """
        if not self.in_room:
            return self._tick_alone()
        touch = self._times.note_connected(self.since)
        if touch is not None:
            self._new.append(touch)
        if self.stopped is not None or self._on_its_way(m.Claim):
            return False
        claim = self.ledger.claim
        stands = claim is not None and claim.by == self.me and self._times.elapsed(self._times.claimed) > claims.STANDS
        if stands or (self.ledger.stage == "bye" and self.why_no_claim() is None):
            self._put(m.Claim())
            return True
        return False

    def _tick_alone(self) -> bool:
        """Claim a round whose end the other side cannot confirm, as their room is gone."""
        if self.stopped is None and self._expected.stage == "bye" and self.why_no_claim() is None:
            self._put(m.Claim(), alone=True)
            return True
        return False

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer with this id; raises DuelboxError if it has lapsed."""
        self._check()
        standing = self.ledger.offer(offer)
        if standing is None or standing.by == self.me or self._on_its_way(m.Reply):
            raise DuelboxError(VOID)
        if yes and standing.kind == "rematch" and self.here.get(PLAYERS[self.rival]) is False:
            raise DuelboxError("Your friend has left, so their offer of a rematch is void.")
        self._put(m.Reply(offer=offer, yes=yes))

    def leave(self) -> None:
        """Withdraw an offered rematch, so that the friend cannot begin it alone."""
        if self.stopped is not None:
            return
        for offer in self.ledger.offers:
            if (offer.by, offer.kind) == (self.me, "rematch") and not self._on_its_way(m.Reply):
                self._put(m.Reply(offer=offer.id, yes=False))

    def say(self, phrase: int) -> None:
        """Say one of the fixed phrases; raises DuelboxError after too many."""
        self._check()
        if not 0 <= phrase < len(m.PHRASES):
            raise DuelboxError(f"The phrases are 1 to {len(m.PHRASES)}.")
        unsaid = self._outbox.count(m.Say)
        if self.ledger.transcript.said[self.me] + unsaid >= m.MOST_PHRASES:
            raise DuelboxError(f"You have said {m.MOST_PHRASES} phrases since the last move. Wait for the next one.")
        self._put(m.Say(phrase=phrase))
