"""Every state of a match has a way out that needs nobody: the other side is gone for good, at each stage in turn."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.core.record_reader import open_record
from duelbox.friends import messages as m
from duelbox.friends.ledger import CLAIM_STANDS, CLAIMED_AFTER
from duelbox.friends.peer import Peer
from duelbox.registry import find_game
from tests.effort import sampled
from tests.friends.rooms import Pair, Side, play_some_move
from tests.friends.test_lossy import CODES

STEPS = 200
ENDS = ("over", "refused")


def wait(pair: Pair, side: Side, seconds: int) -> None:
    """Let time pass for one who is here alone."""
    pair.log.time += seconds
    side.peer.tick()
    side.keep()
    while side.exchange(pair.log):
        pass


def way_out(pair: Pair, side: Side, *, patient: bool) -> list[str]:
    """All that one does who is here alone, until the match is over: claim where they may, if they are patient."""
    done: list[str] = []
    wait(pair, side, 1)
    while side.peer.ledger.stage not in ENDS and len(done) < STEPS:
        peer = side.peer
        if patient or peer.ledger.stage == "bye":
            wait(pair, side, CLAIMED_AFTER + CLAIM_STANDS)
        if peer.ledger.stage in ENDS:
            break
        if patient and peer.why_no_claim() is None:
            done.append("claim")
            peer.claim()
        elif peer.ledger.why_no_resignation() is None:
            done.append("resign")
            peer.resign()
        else:
            done.append("wait")
        for _ in range(3):
            wait(pair, side, CLAIM_STANDS + 1)
    assert side.peer.stopped is None
    return done


def left_at(code: str, seed: int, step: int, here: int) -> tuple[Pair, Side, Side]:
    """A match whose sides took so many steps, one entry each in turn, before one of them was gone."""
    rng = random.Random(repr((code, seed)))
    pair = Pair(code, seed, rounds=1 + seed % 3, answer=False)
    for at in range(step):
        side = pair.sides[at % 2]
        for entry in pair.log.entries[side.peer.since :][:1]:
            side.peer.receive(entry)
        ledger = side.peer.ledger
        if ledger.stage == "asked":
            side.peer.answer_invitation("Bob", "1")
        elif ledger.my_turn and not side.peer.moving and side.peer.since == len(pair.log.entries):
            play_some_move(side.peer, rng)
        elif ledger.stage == "over" and rng.random() < 0.3 and not side.peer._on_its_way(m.Propose, m.Reply):
            theirs = [one.id for one in ledger.offers.values() if one.by != side.peer.me]
            if theirs:
                side.peer.answer(theirs[0], yes=True)
            elif not ledger.why_not("rematch"):
                side.peer.offer("rematch")
        side.put(pair.log)
    return pair, pair.sides[here], pair.sides[1 - here]


@pytest.mark.parametrize("patient", [True, False])
def test_every_state_has_a_way_out_that_needs_nobody(patient: bool) -> None:
    rng, stages = random.Random(int(patient)), Counter[str]()
    for at in range(sampled(250, 10_000)):
        code, here = rng.choice(CODES), rng.randrange(2)
        step = rng.choice((rng.randrange(1, 30), rng.randrange(30, 60), rng.randrange(60, 200)))
        pair, side, gone = left_at(code, at, step, here)
        if side.peer.ledger.stage == "hello":  # nothing has been proposed here yet: there is nothing to leave
            continue
        stages[side.peer.ledger.stage] += 1
        where = f"{code} seed {at} step {step}: {side.peer.ledger.stage}"
        done = way_out(pair, side, patient=patient)
        assert side.peer.ledger.stage in ENDS, f"{where} {done[-5:]}"
        for _ in range(40):  # who was gone comes back
            gone.exchange(pair.log)
            side.exchange(pair.log)
        watcher, sides = pair.watcher(), (gone.peer, side.peer)
        assert not any(one.stopped for one in (watcher, *sides)), f"{where} {[one.stopped for one in sides]}"
        assert len({tuple(one.ledger.chains) for one in (watcher, *sides)}) == 1, where
        if side.peer.ledger.stage == "over":
            assert len({one.ledger.record().to_json() for one in (watcher, *sides)}) == 1, where
    assert {"asked", "commit", "reveal", "slots", "play", "open", "over"} <= stages.keys()


def ended(pair: Pair, side: Side) -> Peer:
    wait(pair, side, 1)
    return side.peer


def test_a_win_in_a_game_that_hides_nothing_counts_at_once_without_the_loser() -> None:
    pair = Pair("circle-duel:size=4", 1)
    pair.play_out(random.Random(1), most=3)
    mover = pair.mover()
    assert mover is not None
    side = pair.sides[mover.me]
    play_some_move(mover, random.Random(1))
    assert ended(pair, side).ledger.stage == "over"
    assert mover.ledger.record().played[0].result.by == "play"


def hidden_end(code: str = "number-duel:hand=3", seed: int = 1) -> tuple[Pair, Side, Side]:
    """A game of hidden hands at its last move, whose loser is gone by then."""
    pair, rng = Pair(code, seed), random.Random(seed)
    says = [peer._put_once for peer in (pair.host, pair.guest)]
    for peer, say in zip((pair.host, pair.guest), says, strict=True):
        peer._put_once = lambda message, say=say: None if isinstance(message, m.Bye) else say(message)
    pair.play_out(rng)
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "bye"
    seat = pair.host.ledger.table.played.outcome.winner
    if seat is None:  # a draw
        return hidden_end(code, seed + 1)
    winner = pair.host.ledger.match.player_in(seat)
    for peer, say in zip((pair.host, pair.guest), says, strict=True):
        peer._put_once = say
    pair.sides[winner].peer._say_what_is_due()
    return pair, pair.sides[winner], pair.sides[1 - winner]


def test_a_hidden_hand_that_is_never_shown_loses_after_half_a_day() -> None:
    pair, side, gone = hidden_end()
    wait(pair, side, 1)
    assert side.peer.ledger.stage == "bye"
    moves = len(side.peer.ledger.table.played.plies)
    wait(pair, side, CLAIMED_AFTER - 60)
    assert side.peer.ledger.stage == "bye"
    wait(pair, side, 120)
    assert side.peer.ledger.claim is not None  # the reminder: who is there shows the hand now
    wait(pair, side, CLAIM_STANDS + 1)
    assert side.peer.ledger.stage == "over"
    (played,) = side.peer.ledger.record().played
    assert (played.result.by, played.result.winner) == ("unshown", side.peer.me + 1)
    assert len(played.moves) == moves  # with the last attack, which lay open
    told = side.peer.take_news()
    assert [one.ply.by for one in told if isinstance(one, news.Moved)][-2:] == ["play", "unshown"]
    pair.settle()
    assert gone.peer.stopped is None
    assert gone.peer.ledger.record() == side.peer.ledger.record()


@pytest.mark.parametrize(
    "code", ["sequence-duel", "number-duel", "digit-chain:zero=no-tens,gaps=40", "number-duel:arrange=chosen"]
)
@pytest.mark.parametrize("rounds", [3, 99])
def test_one_claim_ends_a_match_whose_other_player_was_away_all_the_time(code: str, rounds: int) -> None:
    pair = Pair(code, 1, rounds=rounds)
    pair.play_out(random.Random(1), most=2)
    mover = pair.mover()
    assert mover is not None
    side, gone = pair.sides[1 - mover.me], pair.sides[mover.me]
    wait(pair, side, CLAIMED_AFTER + 1)
    side.peer.claim()
    wait(pair, side, 0)
    wait(pair, side, CLAIM_STANDS + 1)
    assert side.peer.ledger.stage == "over"
    played = side.peer.ledger.record().played
    assert [(one.result.by, one.result.winner) for one in played] == [("claim", side.peer.me + 1)] * rounds
    assert open_record(side.peer.ledger.record().to_json(), find_game).error is None
    pair.settle()
    assert gone.peer.stopped is None
    assert gone.peer.ledger.record() == side.peer.ledger.record() == pair.watcher().ledger.record()


def test_who_comes_back_before_a_claimed_hand_was_shown_plays_the_rounds_that_are_left() -> None:
    pair = Pair("number-duel", 1, rounds=3)
    mover = pair.mover()
    assert mover is not None
    side, gone = pair.sides[1 - mover.me], pair.sides[mover.me]
    place = side.peer.ledger.cards.place
    wait(pair, side, CLAIMED_AFTER + 1)
    side.peer.claim()
    put, side.peer._put_once = side.peer._put_once, lambda one: None if isinstance(one, m.Bye) else put(one)
    wait(pair, side, 0)
    wait(pair, side, CLAIM_STANDS + 1)
    assert side.peer.ledger.stage == "bye"
    pair.settle()
    gone.peer.say(0)
    pair.settle()
    side.peer._put_once = put
    side.peer._say_what_is_due()
    pair.settle()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert [one.result.by for one in pair.host.ledger.record().played] == ["claim"]
    assert not pair.host.ledger.table.known  # a hand that was not shown cannot be played again with the seats changed
    assert side.peer.ledger.cards.place != place


@pytest.mark.parametrize(
    "code", ["number-duel:hand=3", "number-duel:arrange=chosen,hand=3", "number-duel:victors_stay=on,hand=4"]
)
def test_a_record_says_which_numbers_were_never_shown(code: str) -> None:
    pair, side, gone = hidden_end(code)
    for seconds in (1, CLAIMED_AFTER + 60, CLAIM_STANDS + 1):
        wait(pair, side, seconds)
    me, record = side.peer, side.peer.ledger.record()
    assert me.ledger.stage == "over"
    seat, struck = me.ledger.table.played.plies[-1].seat, me.ledger.table.cards.up[1 - me.ledger.seat(me.me)]
    assert seat == me.ledger.seat(me.me)
    mine, theirs = (record.played[0].options["deal"][at] for at in (seat, 1 - seat))
    assert 0 not in mine
    assert theirs == [struck.get(slot, 0) for slot in range(len(theirs))]
    assert 0 in theirs or len(struck) == len(theirs)
    opened = open_record(record.to_json(), find_game)
    assert opened.error is None
    assert opened.record == record
    pair.settle()
    assert gone.peer.stopped is None
    assert gone.peer.ledger.record() == record == pair.watcher().ledger.record()


def test_who_is_reminded_in_time_shows_the_hand() -> None:
    pair, side, _ = hidden_end()
    wait(pair, side, 1)
    wait(pair, side, CLAIMED_AFTER + 60)
    assert side.peer.ledger.claim is not None
    pair.settle()
    wait(pair, side, CLAIM_STANDS + 1)
    assert [one.result.by for one in side.peer.ledger.record().played] == ["play"]


def test_the_second_to_reveal_cannot_look_and_leave() -> None:
    pair = Pair("number-duel", 1, answer=False)
    pair.guest.answer_invitation("Bob", "1")
    first, second = pair.sides
    put, second.peer._put_once = second.peer._put_once, lambda one: None if isinstance(one, m.Reveal) else put(one)
    pair.settle()
    assert first.peer.ledger.stage == "reveal"
    assert not first.peer.ledger.owes(0)
    wait(pair, first, CLAIMED_AFTER + 1)
    first.peer.claim()
    wait(pair, first, 0)
    wait(pair, first, CLAIM_STANDS + 1)
    assert [one.result.by for one in first.peer.ledger.record().played] == ["claim"]
    pair.settle()
    assert second.peer.stopped is None
    assert second.peer.ledger.record() == first.peer.ledger.record()


def over() -> Pair:
    pair = Pair("circle-duel:size=4", 1)
    pair.play_out(random.Random(1))
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "over"
    return pair


def test_a_rematch_offered_by_somebody_who_leaves_is_void() -> None:
    pair = over()
    pair.host.offer("rematch")
    pair.settle()
    (offer,) = pair.guest.ledger.offers
    pair.host.leave()
    pair.settle()
    assert not pair.guest.ledger.offers
    with pytest.raises(DuelboxError, match="no longer stands"):
        pair.guest.answer(offer, yes=True)


def test_a_rematch_offered_by_somebody_who_was_killed_is_void() -> None:
    pair = over()
    pair.host.offer("rematch")
    pair.settle()
    (offer,) = pair.guest.ledger.offers
    pair.guest.here = {"host": False}
    with pytest.raises(DuelboxError, match="has left"):
        pair.guest.answer(offer, yes=True)
    pair.sides[0].begin()
    pair.settle()
    assert not pair.guest.ledger.offers


def test_a_rematch_that_is_called_off_leaves_the_match_before_it_as_it_was() -> None:
    pair = over()
    before = pair.guest.ledger.record()
    pair.host.offer("rematch")
    pair.settle()
    pair.guest.answer(next(iter(pair.guest.ledger.offers)), yes=True)
    guest, host = pair.sides[1], pair.sides[0]
    while guest.exchange(pair.log):  # and the host is gone
        pass
    assert pair.guest.ledger.stage == "commit"
    pair.guest.resign()
    while guest.exchange(pair.log):
        pass
    assert pair.guest.ledger.stage == "over"
    assert pair.guest.ledger.record() == before
    host.begin()
    pair.settle()
    assert pair.host.stopped is None
    assert pair.host.ledger.record() == before
    pair.guest.offer("rematch")  # and another can be played
    pair.settle()
    pair.host.answer(next(iter(pair.host.ledger.offers)), yes=True)
    pair.settle()
    pair.play_out(random.Random(2))
    assert pair.host.ledger.record() == pair.guest.ledger.record() != before


def skewed(*, heard: bool) -> tuple[Pair, Side, Side]:
    """A host who is the relay sets its clock 13 hours forward, and claims at the turn of a guest who is connected."""
    pair = Pair("sequence-duel", 1)
    mover = pair.mover()
    assert mover is not None
    liar, other = pair.sides[1 - mover.me], pair.sides[mover.me]
    now = pair.log.time
    other.clock = lambda: now
    other.peer.tick()
    pair.log.time += 13 * 3600
    liar.peer.claim()
    liar.put(pair.log)
    liar.exchange(pair.log)
    if heard:
        pair.settle()
    pair.log.time += CLAIM_STANDS + 1
    liar.peer.tick()
    liar.keep()
    return pair, liar, other


def test_a_claim_against_somebody_who_is_connected_is_void() -> None:
    pair, liar, other = skewed(heard=True)
    pair.settle()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert not pair.host.ledger.record().played
    assert pair.mover() is other.peer
    assert any(isinstance(one, news.NotCounted) for one in liar.peer.take_news())


@pytest.mark.parametrize("again", [False, True])
def test_a_relay_that_lies_about_the_time_and_keeps_messages_back_takes_no_game(again: bool) -> None:
    pair, liar, other = skewed(heard=False)
    while liar.exchange(pair.log):  # the other's messages are kept back meanwhile
        pass
    assert liar.peer.ledger.stage == "over"  # what it tells itself is its own affair
    if again:  # a program that was started again has the clock of its machine
        other.begin()
    for entry in pair.log.entries[other.peer.since :]:
        other.peer.receive(entry)
    assert other.peer.stopped == "The game was claimed after 0 minutes by the clock here: the relay's time is wrong."
    assert not other.peer.ledger.record().played
