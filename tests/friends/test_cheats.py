"""Every cheat is found, and a sentence names it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from duelbox.core.match import Player
from duelbox.friends import messages as m
from duelbox.friends.channel import Keys, Opener, Sealer, Tampered, digest
from duelbox.friends.hidden_hands import commitment, salt_of
from duelbox.friends.player_side import PlayerSide
from duelbox.relay.wire import Entry
from tests.effort import sampled
from tests.friends.rooms import Chance, LikedHand, Pair, play_some_move, read

Twist = Callable[[PlayerSide, random.Random, m.Body], m.Body]


class Cheater:
    """Changes the messages of a side, which itself believes that it sent the honest ones."""

    def __init__(self, side: PlayerSide, twist: Twist, rng: random.Random) -> None:
        self.side, self.twist, self.rng = side, twist, rng
        self.twisted = 0
        self.lied = False
        """A card was shown that is not in the hand."""
        self.said: dict[bytes, m.Body] = {}
        self._put, self._apply = side._put, side.apply
        side._put = self.put
        side.apply = self.apply

    def put(self, message: m.Body, order: tuple[int, ...] = ()) -> None:
        false = self.twist(self.side, self.rng, message)
        self._put(false, order)
        if false != message:
            self.twisted += 1
            self.lied |= isinstance(message, m.Open | m.Move)
            n = self.side._sent
            note, sent = self.side._outbox.entries[n]
            honest = message.changed(at=sent.at, chain=sent.chain)
            self.side._outbox.entries[n] = note, honest
            self.said[m.encode(honest)] = sent

    def apply(self, who: Player, message: m.Body, time: int) -> None:
        sent = self.said.get(m.encode(message), message)
        *_, before = self.side.ledger.transcript.chains
        self._apply(who, message, time)
        ledger = self.side.ledger
        chain = digest("chain", before.hex(), who, time, m.encode(sent).decode())[:16]
        chains = (*ledger.transcript.chains[:-1], chain)
        self.side.ledger = ledger.changed(transcript=ledger.transcript.changed(chains=chains))


def hand_of(side: PlayerSide) -> tuple[int, ...]:
    return side.hand.shuffled(side.ledger)


def duplicated(side: PlayerSide, rng: random.Random, message: m.Body) -> m.Body:
    """Lay a strong card twice and leave out the weakest."""
    ledger = side.ledger
    if isinstance(message, m.Slots):
        weak = hand_of(side).index(1)
        secret = side.hand.secrets(ledger).hand_secret
        card = m.Card(slot=weak, value=len(message.cards), salt=salt_of(secret, weak))
        seal = commitment(ledger.hands.place, side.seat, card)
        return message.changed(cards=(*message.cards[:weak], seal, *message.cards[weak + 1 :]))
    if isinstance(message, m.Open | m.Move) and message.card is not None and message.card.value == 1:
        return message.changed(card=message.card.changed(value=len(hand_of(side))))
    return message


def with_card(change: Callable[[PlayerSide, random.Random, m.Card], m.Card]) -> Twist:
    def twist(side: PlayerSide, rng: random.Random, message: m.Body) -> m.Body:
        if isinstance(message, m.Open | m.Move) and message.card is not None:
            return message.changed(card=change(side, rng, message.card))
        return message

    return twist


def _swapped(side: PlayerSide, rng: random.Random, card: m.Card) -> m.Card:
    return card.changed(value=rng.choice([value for value in hand_of(side) if value != card.value]))


def _reused(side: PlayerSide, rng: random.Random, card: m.Card) -> m.Card:
    hand = hand_of(side)
    slot = rng.choice([slot for slot in range(len(hand)) if slot != card.slot])
    return m.Card(slot=slot, value=hand[slot], salt=salt_of(side.hand.secrets(side.ledger).hand_secret, slot))


def _salted(side: PlayerSide, rng: random.Random, card: m.Card) -> m.Card:
    return card.changed(salt=rng.randbytes(32).hex())


def swapped_nonce(side: PlayerSide, rng: random.Random, message: m.Body) -> m.Body:
    return message.changed(nonce=rng.randbytes(32).hex()) if isinstance(message, m.Reveal) else message


def other_secret(side: PlayerSide, rng: random.Random, message: m.Body) -> m.Body:
    return message.changed(secret=rng.randbytes(32).hex()) if isinstance(message, m.Bye) else message


def illegal(side: PlayerSide, rng: random.Random, message: m.Body) -> m.Body:
    if isinstance(message, m.Move) and side.session is not None and side.session.plies:
        return message.changed(text=rng.choice(("9x9", "0x1", "7x1", "1x8")), card=None)
    return message


TWISTS: dict[str, tuple[Twist, str]] = {
    "a card laid twice": (duplicated, r"A second \d|not the one that was laid|turned up another card"),
    "a value swapped": (with_card(_swapped), "is not the one that was laid there"),
    "another slot": (with_card(_reused), "was turned up|turned up another card|did not turn up|not allowed there"),
    "a wrong salt": (with_card(_salted), "is not the one that was laid there"),
    "another share of the draw": (swapped_nonce, "not the one that was sealed"),
    "another secret at the end": (other_secret, "not the one that was sealed"),
    "an illegal move": (illegal, "is not allowed there"),
}


def caught(name: str, seed: object) -> str | None:
    """The honest side's sentence about this cheat; None if it found nothing."""
    rng = random.Random(repr((name, seed)))
    pair = Pair("number-duel", seed, answer=False)
    cheater = Cheater(pair.guest, TWISTS[name][0], rng)
    pair.sit_down()
    while not pair.host.stopped and (mover := pair.mover()) is not None:
        play_some_move(mover, rng)
        pair.settle()
        if cheater.lied and not pair.host.stopped:  # the cheat is played on until the hands are checked
            pair.guest.propose("resign")
            pair.settle()
            break
    assert cheater.twisted, "nothing was twisted"
    return pair.host.stopped


def chosen_order(seed: object) -> str | None:
    """Run a side that orders its hand freely where chance should decide, and plays honestly otherwise."""
    rng = random.Random(repr(seed))
    pair = Pair("number-duel", seed, answer=False)
    fair = pair.guest.hand
    liked = tuple(rng.sample(range(1, 6), 5))
    pair.guest.hand = LikedHand(fair.me, fair.secret, liked=liked)
    pair.sit_down()
    same = fair.shuffled(pair.guest.ledger) == liked
    pair.play_out(rng)
    return "Chance had chosen that very order." if same else pair.host.stopped


def out_of_turn(seed: object) -> str | None:
    rng = random.Random(repr(seed))
    pair = Pair("sequence-duel", seed)
    for _ in range(rng.randrange(4) * 2 + (pair.mover() is pair.guest)):
        play_some_move(pair.mover(), rng)
        pair.settle()
    session = pair.guest.session
    pair.guest._put(m.Move(text=session.game.format_move(rng.choice(session.legal_moves()))))
    pair.settle()
    return pair.host.stopped


def old_epoch(seed: object) -> str | None:
    """Run a relay that replays an old message after the sender has restarted."""
    rng = random.Random(repr(seed))
    pair = Pair("sequence-duel", seed)
    for _ in range(4):
        play_some_move(pair.mover(), rng)
        pair.settle()
    old = rng.choice([entry for entry in pair.log.entries if entry.who == "guest"])
    pair.machines[1].begin()
    pair.settle()
    read(pair.host, [Entry(len(pair.log.entries) + 1, "guest", pair.log.last["guest"] + 1, old.body)])
    return pair.host.stopped


def check(found: str | None, told: str) -> None:
    assert re.search(told, found), found
    assert found.isprintable()
    assert found.endswith(".")


@pytest.mark.parametrize("name", TWISTS)
def test_a_twisted_message_is_found(name: str) -> None:
    for seed in range(sampled(4, 1000)):
        check(caught(name, seed), TWISTS[name][1])


def test_an_order_that_was_chosen_is_found_at_the_end() -> None:
    for seed in range(sampled(4, 1000)):
        check(f"{chosen_order(seed)}".removesuffix(".") + ".", "in the order that chance gave it|that very order")


def test_a_move_out_of_turn_is_found() -> None:
    for seed in range(sampled(4, 1000)):
        check(out_of_turn(seed), "out of turn")


def test_an_old_message_played_again_is_found() -> None:
    for seed in range(sampled(4, 1000)):
        check(old_epoch(seed), "from before the last start was played again")


def test_both_sides_learn_that_the_match_stopped_and_say_nothing_more() -> None:
    pair = Pair("sequence-duel", 1)
    Cheater(pair.guest, lambda side, rng, message: message, None)
    pair.guest._put(m.Move(text="99"))
    pair.settle()
    assert pair.host.stopped
    assert pair.guest.stopped
    assert pair.host.outgoing() == []


def test_a_frame_that_was_changed_or_moved_is_refused() -> None:
    key = Keys.of_players(Chance(1)(32), "")
    sealer, opener = Sealer(key, "7", 0, 1, b"s" * 16), Opener(key, "7", 0)
    frame = sealer.seal(3, b"text")
    assert Opener(key, "7", 0).open(3, frame) == b"text"
    for n, changed in (
        (4, frame),
        *((3, frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]) for at in range(len(frame))),
    ):
        with pytest.raises(Tampered):
            opener.open(n, changed)
    for key_, room, player in ((Keys.of_players(Chance(2)(32), ""), "7", 0), (key, "8", 0), (key, "7", 1)):
        with pytest.raises(Tampered):
            Opener(key_, room, player).open(3, frame)


def test_a_copy_that_speaks_with_one_voice_is_refused() -> None:
    key = Keys.of_players(Chance(1)(32), "")
    opener = Opener(key, "7", 0)
    opener.open(1, Sealer(key, "7", 0, 5, b"s" * 16).seal(1, b"one"))
    with pytest.raises(Tampered, match="one voice"):
        opener.open(2, Sealer(key, "7", 0, 5, b"t" * 16).seal(2, b"two"))
    with pytest.raises(Tampered, match="played again"):
        opener.open(2, Sealer(key, "7", 0, 4, b"t" * 16).seal(2, b"two"))


def test_a_relay_that_tells_each_side_another_order_is_found() -> None:
    pair = Pair("sequence-duel", 1)
    pair.host.say(0)
    pair.guest.say(1)
    for machine in pair.machines:
        machine.keep()
    entries = [
        Entry(0, "host", pair.log.last["host"] + 1, pair.host.outgoing()[-1][1]),
        Entry(0, "guest", pair.log.last["guest"] + 1, pair.guest.outgoing()[-1][1]),
    ]
    seq = len(pair.log.entries)
    for side, order in ((pair.host, entries), (pair.guest, entries[::-1])):
        for at, entry in enumerate(order, 1):
            read(side, [Entry(seq + at, entry.who, entry.n, entry.body)])
    assert pair.host.ledger.transcript.chains[-1] != pair.guest.ledger.transcript.chains[-1]
    pair.host.say(2)
    body = pair.host.outgoing()[-1][1]
    read(pair.guest, [Entry(seq + 3, "host", pair.log.last["host"] + 2, body)])
    assert pair.guest.stopped.endswith("their records differ.")


def test_a_message_left_out_is_found() -> None:
    pair = Pair("sequence-duel", 1)
    side: PlayerSide = pair.host
    read(side, [Entry(len(pair.log.entries) + 1, "guest", pair.log.last["guest"] + 2, b"x" * 60)])
    assert side.stopped == "A message of the other side is missing."


def test_a_relay_that_tells_each_side_another_time_is_found_out() -> None:
    pair = Pair("sequence-duel", 1)
    play_some_move(pair.host, random.Random(1))
    pair.machines[0].exchange(pair.log)
    *_, moved = pair.log.entries
    read(pair.guest, [replace(moved, time=moved.time + 86_400)])
    pair.settle()
    play_some_move(pair.guest, random.Random(1))
    pair.settle()
    assert pair.host.stopped.endswith("their records differ.")
