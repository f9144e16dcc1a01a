"""Whoever cheats is found, and a sentence names what they did."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from duelbox.net.channel import Keys, Opener, Sealer, Tampered
from duelbox.net.peer import Peer
from duelbox.net.room import Entry
from tests.effort import sampled
from tests.net import cheats
from tests.net.rooms import Chance, Pair, play_some_move


def check(found: str | None, told: str) -> None:
    assert found is not None
    assert re.search(told, found), found
    assert found.isprintable()
    assert found.endswith(".")


@pytest.mark.parametrize("name", cheats.TWISTS)
def test_a_twisted_message_is_found(name: str) -> None:
    for seed in range(sampled(4, 1000)):
        check(cheats.caught(name, seed), cheats.TWISTS[name][1])


def test_an_order_that_was_chosen_is_found_at_the_end() -> None:
    for seed in range(sampled(4, 1000)):
        check(
            f"{cheats.chosen_order(seed)}".removesuffix(".") + ".", "in the order that chance gave it|that very order"
        )


def test_a_move_out_of_turn_is_found() -> None:
    for seed in range(sampled(4, 1000)):
        check(cheats.out_of_turn(seed), "out of turn")


def test_an_old_message_played_again_is_found() -> None:
    for seed in range(sampled(4, 1000)):
        check(cheats.old_epoch(seed), "from before the last start was played again")


def test_both_sides_learn_that_the_match_stopped_and_say_nothing_more() -> None:
    pair = Pair("sequence-duel", 1)
    cheats.Cheater(pair.guest, lambda peer, rng, message: message, None)
    pair.guest._put(cheats.m.Move(text="99"))
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
    for side in pair.sides:
        side.keep()
    entries = [
        Entry(0, "host", pair.log.last["host"] + 1, pair.host.outgoing()[-1][1]),
        Entry(0, "guest", pair.log.last["guest"] + 1, pair.guest.outgoing()[-1][1]),
    ]
    seq = len(pair.log.entries)
    for peer, order in ((pair.host, entries), (pair.guest, entries[::-1])):
        for at, entry in enumerate(order, 1):
            peer.receive(Entry(seq + at, entry.who, entry.n, entry.body))
    assert pair.host.ledger.chains[-1] != pair.guest.ledger.chains[-1]
    pair.host.say(2)
    body = pair.host.outgoing()[-1][1]
    pair.guest.receive(Entry(seq + 3, "host", pair.log.last["host"] + 2, body))
    assert pair.guest.stopped == "The two sides have not seen the same messages: their records differ."


def test_a_message_left_out_is_found() -> None:
    pair = Pair("sequence-duel", 1)
    peer: Peer = pair.host
    peer.receive(Entry(len(pair.log.entries) + 1, "guest", pair.log.last["guest"] + 2, b"x" * 60))
    assert peer.stopped == "A message of the other side is missing."


def test_a_relay_that_tells_each_side_another_time_is_found_out() -> None:
    pair = Pair("sequence-duel", 1)
    play_some_move(pair.host, random.Random(1))
    pair.sides[0].exchange(pair.log)
    *_, moved = pair.log.entries
    pair.guest.receive(replace(moved, time=moved.time + 86_400))
    pair.settle()
    play_some_move(pair.guest, random.Random(1))
    pair.settle()
    assert pair.host.stopped == "The two sides have not seen the same messages: their records differ."
