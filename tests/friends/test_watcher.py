"""Watchers see all public information and no more, and cannot forge a player's message."""

from __future__ import annotations

import random
import re

import pytest

from duelbox.friends import messages as m
from duelbox.friends.channel import Keys, Opener, Sealer, Tampered
from duelbox.friends.join_code import BadJoinCode, JoinCode, read_join_code
from duelbox.friends.pairing import CodeUsedUp
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.side import Gap, WatcherSide
from duelbox.friends.watch_key import read_watch_key, watch_key
from duelbox.relay.wire import Entry
from tests.effort import sampled
from tests.friends.rooms import WATCH, Chance, Pair, meet, play_some_move, read
from tests.friends.test_leaks import twins
from tests.friends.test_lossy import CODES
from tests.friends.test_pairing import HELLO, SPOKEN, pasted


@pytest.mark.parametrize("code", CODES)
def test_a_watcher_sees_the_match_that_was_played_whenever_they_come(code: str) -> None:
    pair, early = Pair(code, code, rounds=2), WatcherSide(WATCH)
    for entry in pair.log.entries:
        early.receive(entry)
    fresh = early.take_news()
    rng = random.Random(code)
    while (side := pair.mover()) is not None:
        play_some_move(side, rng)
        pair.settle()
        for entry in pair.log.entries[early.since :]:
            early.receive(entry)
        fresh += early.take_news()
    late = pair.watcher()
    assert early.stopped is late.stopped is None
    assert early.ledger.record() == late.ledger.record() == pair.host.ledger.record()
    assert [type(one) for one in fresh] == [type(one) for one in late.take_news()]


def sent(pair: Pair) -> list[tuple[str, int, str]]:
    """Everything a watcher received: sender, length, and the text without salts and random numbers."""
    openers = {who: Opener(Keys.of_watchers(WATCH.secret), "1", player) for player, who in enumerate(("host", "guest"))}
    return [
        (
            entry.who,
            len(entry.body),
            re.sub("[0-9a-f]{32,}", "*", openers[entry.who].open(entry.n, entry.body).decode()),
        )
        for entry in pair.log.entries
    ]


def test_two_worlds_that_look_alike_to_everybody_send_watchers_the_same() -> None:
    compared = 0
    for seed in range(sampled(6, 300)):
        for pair, twin in twins(seed, seed % 2):
            assert sent(twin) == sent(pair)
            assert seen(twin.watcher()) == seen(pair.watcher())
            compared += 1
    assert compared > 20


def seen(watcher: WatcherSide) -> object:
    session = watcher.session
    return session.view(None), session.log(), [ply.events for ply in session.plies], session.names


@pytest.mark.parametrize("code", ["number-duel", "number-duel:arrange=chosen,hand=3"])
def test_no_hand_lies_open_to_a_watcher_before_both_know_the_end(code: str) -> None:
    pair, rng = Pair(code, 3), random.Random(3)
    watcher = pair.watcher()
    pair.play_out(rng)
    assert pair.host.ledger.stage == "over"
    for entry in pair.log.entries[watcher.since :]:
        cards = watcher.ledger.dealt.hands if watcher.ledger.dealt else None
        byes = 2 - len(watcher.ledger.waiting) if watcher.ledger.stage in ("bye", "over") else 0
        if cards is not None and byes == 0:
            assert cards.whole == (None, None)
        if byes < 2 and watcher.session is not None:
            assert watcher.session.outcome is None
        watcher.receive(entry)
    assert watcher.ledger.record() == pair.host.ledger.record()


def test_a_watcher_cannot_speak_as_a_player() -> None:
    """Try forgeries sealed with all that a watcher has, under every name and number, and replayed frames."""
    keys, rng = Keys.of_watchers(WATCH.secret), random.Random(5)
    for seed in range(sampled(20, 1000)):
        pair = Pair("sequence-duel", seed)
        victim, name, player = (pair.host, "guest", 1) if seed % 2 else (pair.guest, "host", 0)
        since, n = victim.since + 1, pair.log.last[name] + 1
        chain = victim.ledger.transcript.chains[-1].hex()
        text = m.encode(m.Resign(at=victim.ledger.count, chain=chain))
        body = (
            Sealer(keys, "1", player, 1 + seed % 3, rng.randbytes(16)).seal(n, text),
            Sealer(keys, "1", player, 1, next(e.body for e in pair.log.entries if e.who == name)[5:21]).seal(n, text),
            next(entry.body for entry in pair.log.entries if entry.who == name),
            rng.randbytes(rng.randrange(4096)),
        )[seed % 4]
        read(victim, [Entry(since, name, n, body)])
        assert victim.stopped
        assert victim.ledger.stage == "play"
        sentence = victim.stopped
        assert re.search("changed on its way|played again|one voice|no message of this game", sentence), sentence


def test_hostile_bytes_stop_a_watcher_in_a_sentence() -> None:
    rng = random.Random(6)
    for seed in range(sampled(30, 1000)):
        watcher = Pair("number-duel", seed).watcher()
        read(watcher, [Entry(watcher.since + 1, rng.choice(("host", "guest")), rng.randrange(20), rng.randbytes(99))])
        assert watcher.stopped
        assert watcher.stopped.isprintable()
        assert watcher.outgoing() == watcher.take_notes() == []


def test_a_watcher_who_missed_something_reads_it_again() -> None:
    pair, watcher = Pair("sequence-duel"), WatcherSide(WATCH)
    with pytest.raises(Gap):
        read(watcher, [pair.log.entries[1]])
    assert watcher.since == 0


def test_a_side_that_stops_tells_watchers() -> None:
    pair = Pair("sequence-duel", 1)
    mover, other = (pair.host, pair.guest) if pair.host.my_turn else (pair.guest, pair.host)
    other._put(m.Move(text="5"))
    pair.settle()
    assert mover.stopped
    assert pair.watcher().stopped


def test_the_guest_is_told_of_watchers_while_the_two_pair() -> None:
    host, guest, _ = meet(SPOKEN, SPOKEN, HELLO, watch=WATCH.secret)
    assert host.notes[0].watch == guest.notes[0].watch == WATCH.secret
    host, guest, _ = meet(pasted(0), pasted(0), HELLO)
    assert host.notes[0].watch == guest.notes[0].watch == ""


def test_a_relay_that_hides_or_forges_that_others_watch_is_found() -> None:
    with pytest.raises(CodeUsedUp):
        meet(SPOKEN, SPOKEN, HELLO, watch=WATCH.secret, on_the_way=lambda body: body[:-1] + bytes([body[-1] ^ 1]))
    host, guest, log = meet(SPOKEN, SPOKEN, HELLO, watch=WATCH.secret, on_the_way=lambda body: body[:33])
    sides = PlayerSide(host.notes, Chance(1)), PlayerSide(guest.notes, Chance(2))
    sides[0].start()
    for entry in log.entries[sides[0].since :]:
        sides[0].receive(entry)
    read(sides[1], [Entry(sides[1].since + 1, "host", 3, dict(sides[0].outgoing())[3])])
    assert "changed on its way" in sides[1].stopped


def test_the_key_of_one_match_opens_no_other() -> None:
    pair = Pair("sequence-duel")
    for key in (JoinCode("1", "0" * 26), JoinCode("2", WATCH.secret)):
        watcher = WatcherSide(key)
        read(watcher, [pair.log.entries[0]])
        assert watcher.stopped
    with pytest.raises(Tampered):
        Opener(Keys.of_watchers(WATCH.secret), "1", 0).open(2, Chance(1)(100))


def test_keys_for_watchers_and_codes_of_players_are_not_taken_for_each_other() -> None:
    key = watch_key("7843", WATCH.secret)
    assert read_watch_key(f" {key.upper()} ") == JoinCode("7843", WATCH.secret)
    with pytest.raises(BadJoinCode, match=r"a key for watchers.* duelbox join --watch"):
        read_join_code(key)
    for code in (SPOKEN, pasted(0)):
        with pytest.raises(BadJoinCode, match="the code of a player"):
            read_watch_key(str(code))
    for text in ("", "w", "w7843", f"{key}0", "w7843-lagoon-honey-berry", "x" * 40):
        with pytest.raises(BadJoinCode, match="A key for watchers looks like w7843-"):
            read_watch_key(text)
