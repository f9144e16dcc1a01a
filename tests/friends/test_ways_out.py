"""At every stage of a match, one side can finish it alone when the other is gone for good."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.core.record_reader import open_record
from duelbox.friends import claims
from duelbox.friends import messages as m
from duelbox.friends.effects import applied
from duelbox.friends.ledger import Ledger
from duelbox.friends.own_hand import OwnHand
from duelbox.friends.player_side import PlayerSide
from duelbox.registry import find_game
from tests.effort import sampled
from tests.friends.rooms import Machine, Pair, play_some_move
from tests.friends.test_lossy import CODES

STEPS = 200
ENDS = ("over", "refused")


def wait(pair: Pair, machine: Machine, seconds: int) -> None:
    """Let time pass for a side whose rival is gone."""
    pair.log.time += seconds
    machine.side.tick()
    machine.keep()
    while machine.exchange(pair.log):
        pass


def way_out(pair: Pair, machine: Machine, *, patient: bool) -> list[str]:
    """Do everything a lonely side can until the match is over; a patient one claims when it may."""
    done: list[str] = []
    wait(pair, machine, 1)
    while machine.side.ledger.stage not in ENDS and len(done) < STEPS:
        side = machine.side
        if patient or side.ledger.stage == "bye":
            wait(pair, machine, claims.AFTER + claims.STANDS)
        if side.ledger.stage in ENDS:
            break
        if patient and side.why_no_claim() is None:
            done.append("claim")
            side.propose("claim")
        elif side.ledger.why_no_resignation() is None:
            done.append("resign")
            side.propose("resign")
        else:
            done.append("wait")
        for _ in range(3):
            wait(pair, machine, claims.STANDS + 1)
    assert machine.side.stopped is None
    return done


def act_at_random(machine: Machine, pair: Pair, rng: random.Random) -> None:
    """Answer the invitation, make a move, or offer a rematch or take it up."""
    ledger = machine.side.ledger
    if ledger.stage == "asked":
        machine.side.answer_invitation("Bob", "1")
    elif machine.side.my_turn and not machine.side.moving and machine.side.since == len(pair.log.entries):
        play_some_move(machine.side, rng)
    elif ledger.stage == "over" and rng.random() < 0.3 and not machine.side._on_its_way(m.Propose, m.Reply):
        theirs = [one.id for one in ledger.offers if one.by != machine.side.me]
        if theirs:
            machine.side.answer(theirs[0], yes=True)
        elif not ledger.why_no_offer(machine.side.me, "rematch"):
            machine.side.propose("rematch")


def left_at(code: str, seed: int, step: int, here: int) -> tuple[Pair, Machine, Machine]:
    """A match stopped after so many steps, one entry for each side in turn, when one side disappears."""
    rng = random.Random(repr((code, seed)))
    pair = Pair(code, seed, rounds=1 + seed % 3, answer=False)
    for at in range(step):
        machine = pair.machines[at % 2]
        for entry in pair.log.entries[machine.side.since :][:1]:
            machine.side.receive(entry)
        act_at_random(machine, pair, rng)
        machine.put(pair.log)
    return pair, pair.machines[here], pair.machines[1 - here]


def states(code: str, seed: object) -> list[tuple[Ledger, OwnHand]]:
    """Every state of a random match with a rematch, as each player saw it."""
    rng = random.Random(repr((code, seed)))
    pair = Pair(code, seed, rounds=rng.choice((1, 2, 3)), answer=False)
    seen = [(machine.side.ledger, machine.side.hand) for machine in pair.machines]
    for _ in range(rng.randrange(20, 120)):
        for machine in pair.machines:
            act_at_random(machine, pair, rng)
            machine.put(pair.log)
            for entry in pair.log.entries[machine.side.since :]:
                machine.side.receive(entry)
                seen.append((machine.side.ledger, machine.side.hand))
    return seen


def step_alone(ledger: Ledger, hand: OwnHand, now: int, *, patient: bool) -> m.Body | None:
    """The message with which a player whose friend is gone goes on at this time; None if they have to wait."""
    owed = hand.owed_message(ledger)
    if owed is not None:
        return owed
    claims_now = patient or ledger.stage == "bye"
    if claims_now and ledger.why_no_claim(hand.me, now) is None:
        return m.Claim()
    if patient and ledger.begun and not ledger.owes(hand.me):
        return None  # the claim will come
    if ledger.why_no_resignation() is None:
        return m.Resign()
    return None


def ended_alone(ledger: Ledger, hand: OwnHand, *, patient: bool) -> Ledger:
    """The match after all that one player can do without the other; a patient one claims if they may."""
    now = ledger.clock.now
    for _ in range(STEPS):
        if ledger.stage in ENDS:
            break
        message = step_alone(ledger, hand, now, patient=patient)
        if message is None:
            now += claims.AFTER
            continue
        body = message.changed(at=ledger.count, chain=ledger.transcript.chains[-1].hex())
        ledger, _ = applied(ledger, hand.me, body, now)
        now += claims.STANDS
    return ledger


@pytest.mark.parametrize("patient", [True, False])
def test_every_state_has_a_way_out_that_needs_nobody(patient: bool) -> None:
    stages = Counter[str]()
    for code in CODES:
        for seed in range(sampled(2, 300)):
            for ledger, hand in states(code, seed):
                stages[ledger.stage] += 1
                end = ended_alone(ledger, hand, patient=patient)
                assert end.stage in ENDS, f"{code} seed {seed} message {ledger.count}: {ledger.stage}"
                if end.stage == "over":
                    assert open_record(end.record().to_json(), find_game).error is None
    assert {"asked", "commit", "reveal", "slots", "play", "open", "bye", "over"} <= stages.keys()


@pytest.mark.parametrize("patient", [True, False])
def test_a_friend_who_comes_back_agrees_with_what_happened_alone(patient: bool) -> None:
    rng, stages = random.Random(int(patient)), Counter[str]()
    for at in range(sampled(60, 5_000)):
        code, here = rng.choice(CODES), rng.randrange(2)
        step = rng.choice((rng.randrange(1, 30), rng.randrange(30, 60), rng.randrange(60, 200)))
        pair, machine, gone = left_at(code, at, step, here)
        if machine.side.ledger.stage == "hello":  # nothing has been proposed here yet, so there is no match to leave
            continue
        stages[machine.side.ledger.stage] += 1
        where = f"{code} seed {at} step {step}: {machine.side.ledger.stage}"
        done = way_out(pair, machine, patient=patient)
        assert machine.side.ledger.stage in ENDS, f"{where} {done[-5:]}"
        for _ in range(40):  # the other side comes back
            gone.exchange(pair.log)
            machine.exchange(pair.log)
        watcher = pair.watcher()
        for side in (watcher, gone.side, machine.side):
            assert side.stopped is None, f"{where} {side.stopped}"
            assert side.ledger == machine.side.ledger, where
    assert {"play", "open", "over"} <= stages.keys()


def ended(pair: Pair, machine: Machine) -> PlayerSide:
    wait(pair, machine, 1)
    return machine.side


def test_a_win_in_a_game_that_hides_nothing_counts_at_once_without_the_loser() -> None:
    pair = Pair("circle-duel:size=4", 1)
    pair.play_out(random.Random(1), most=3)
    mover = pair.mover()
    assert mover is not None
    machine = pair.machines[mover.me]
    play_some_move(mover, random.Random(1))
    assert ended(pair, machine).ledger.stage == "over"
    assert mover.ledger.record().played[0].result.by == "play"


def hidden_end(code: str = "number-duel:hand=3", seed: int = 1) -> tuple[Pair, Machine, Machine]:
    """A game of hidden hands at its last move, whose loser is gone."""
    pair, rng = Pair(code, seed), random.Random(seed)
    says = [side._put_once for side in (pair.host, pair.guest)]
    for side, say in zip((pair.host, pair.guest), says, strict=True):
        side._put_once = lambda message, say=say: None if isinstance(message, m.Bye) else say(message)
    pair.play_out(rng)
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "bye"
    seat = pair.host.ledger.round.session.outcome.winner
    if seat is None:  # a draw
        return hidden_end(code, seed + 1)
    winner = pair.host.ledger.match.player_in(seat)
    for side, say in zip((pair.host, pair.guest), says, strict=True):
        side._put_once = say
    pair.machines[winner].side._put_owed()
    return pair, pair.machines[winner], pair.machines[1 - winner]


def test_a_hidden_hand_that_is_never_shown_loses_after_half_a_day() -> None:
    pair, machine, gone = hidden_end()
    wait(pair, machine, 1)
    assert machine.side.ledger.stage == "bye"
    moves = len(machine.side.ledger.round.plies)
    wait(pair, machine, claims.AFTER - 60)
    assert machine.side.ledger.stage == "bye"
    wait(pair, machine, 120)
    assert machine.side.ledger.claim is not None  # the claim reminds a rival who is there to show the hand
    wait(pair, machine, claims.STANDS + 1)
    assert machine.side.ledger.stage == "over"
    (played,) = machine.side.ledger.record().played
    assert (played.result.by, played.result.winner) == ("unshown", machine.side.me + 1)
    assert len(played.moves) == moves  # the last attack counts, since its cards lay open
    fresh = machine.side.take_news()
    assert [one.ply.by for one in fresh if isinstance(one, news.Moved)][-2:] == ["play", "unshown"]
    pair.settle()
    assert gone.side.stopped is None
    assert gone.side.ledger.record() == machine.side.ledger.record()


@pytest.mark.parametrize(
    "code", ["sequence-duel", "number-duel", "digit-chain:zero=no-tens,gaps=40", "number-duel:arrange=chosen"]
)
@pytest.mark.parametrize("rounds", [3, 99])
def test_one_claim_ends_a_match_whose_other_player_was_away_all_the_time(code: str, rounds: int) -> None:
    pair = Pair(code, 1, rounds=rounds)
    pair.play_out(random.Random(1), most=2)
    mover = pair.mover()
    assert mover is not None
    machine, gone = pair.machines[1 - mover.me], pair.machines[mover.me]
    wait(pair, machine, claims.AFTER + 1)
    machine.side.propose("claim")
    wait(pair, machine, 0)
    wait(pair, machine, claims.STANDS + 1)
    assert machine.side.ledger.stage == "over"
    played = machine.side.ledger.record().played
    assert [(one.result.by, one.result.winner) for one in played] == [("claim", machine.side.me + 1)] * rounds
    assert open_record(machine.side.ledger.record().to_json(), find_game).error is None
    pair.settle()
    assert gone.side.stopped is None
    assert gone.side.ledger.record() == machine.side.ledger.record() == pair.watcher().ledger.record()


def test_a_friend_who_comes_back_after_a_claim_plays_the_rounds_that_are_left() -> None:
    pair = Pair("number-duel", 1, rounds=3)
    mover = pair.mover()
    assert mover is not None
    machine, gone = pair.machines[1 - mover.me], pair.machines[mover.me]
    place = machine.side.ledger.hands.place
    wait(pair, machine, claims.AFTER + 1)
    machine.side.propose("claim")
    put, machine.side._put_once = machine.side._put_once, lambda one: None if isinstance(one, m.Bye) else put(one)
    wait(pair, machine, 0)
    wait(pair, machine, claims.STANDS + 1)
    assert machine.side.ledger.stage == "bye"
    pair.settle()
    gone.side.say(0)
    pair.settle()
    machine.side._put_once = put
    machine.side._put_owed()
    pair.settle()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert [one.result.by for one in pair.host.ledger.record().played] == ["claim"]
    assert not pair.host.ledger.round.known  # a hand that was not shown cannot be replayed with the seats changed
    assert machine.side.ledger.hands.place != place


@pytest.mark.parametrize(
    "code", ["number-duel:hand=3", "number-duel:arrange=chosen,hand=3", "number-duel:victors_stay=on,hand=4"]
)
def test_a_record_says_which_numbers_were_never_shown(code: str) -> None:
    pair, machine, gone = hidden_end(code)
    for seconds in (1, claims.AFTER + 60, claims.STANDS + 1):
        wait(pair, machine, seconds)
    me, record = machine.side, machine.side.ledger.record()
    assert me.ledger.stage == "over"
    seat, struck = me.ledger.round.plies[-1].seat, me.ledger.hands.values_up(1 - me.seat)
    assert seat == me.seat
    mine, theirs = (record.played[0].options["deal"][at] for at in (seat, 1 - seat))
    assert 0 not in mine
    assert theirs == [struck.get(slot, 0) for slot in range(len(theirs))]
    assert 0 in theirs or len(struck) == len(theirs)
    opened = open_record(record.to_json(), find_game)
    assert opened.error is None
    assert opened.record == record
    pair.settle()
    assert gone.side.stopped is None
    assert gone.side.ledger.record() == record == pair.watcher().ledger.record()


def test_a_friend_who_is_reminded_in_time_shows_the_hand() -> None:
    pair, machine, _ = hidden_end()
    wait(pair, machine, 1)
    wait(pair, machine, claims.AFTER + 60)
    assert machine.side.ledger.claim is not None
    pair.settle()
    wait(pair, machine, claims.STANDS + 1)
    assert [one.result.by for one in machine.side.ledger.record().played] == ["play"]


def test_the_second_to_reveal_cannot_look_and_leave() -> None:
    pair = Pair("number-duel", 1, answer=False)
    pair.guest.answer_invitation("Bob", "1")
    first, second = pair.machines
    put, second.side._put_once = second.side._put_once, lambda one: None if isinstance(one, m.Reveal) else put(one)
    pair.settle()
    assert first.side.ledger.stage == "reveal"
    assert not first.side.ledger.owes(0)
    wait(pair, first, claims.AFTER + 1)
    first.side.propose("claim")
    wait(pair, first, 0)
    wait(pair, first, claims.STANDS + 1)
    assert [one.result.by for one in first.side.ledger.record().played] == ["claim"]
    pair.settle()
    assert second.side.stopped is None
    assert second.side.ledger.record() == first.side.ledger.record()


def over() -> Pair:
    pair = Pair("circle-duel:size=4", 1)
    pair.play_out(random.Random(1))
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "over"
    return pair


def test_a_rematch_offered_by_somebody_who_leaves_is_void() -> None:
    pair = over()
    pair.host.propose("rematch")
    pair.settle()
    (offer,) = pair.guest.ledger.offers
    pair.host.leave()
    pair.settle()
    assert not pair.guest.ledger.offers
    with pytest.raises(DuelboxError, match="no longer stands"):
        pair.guest.answer(offer.id, yes=True)


def test_a_rematch_offered_by_somebody_who_was_killed_is_void() -> None:
    pair = over()
    pair.host.propose("rematch")
    pair.settle()
    (offer,) = pair.guest.ledger.offers
    pair.guest.here = {"host": False}
    with pytest.raises(DuelboxError, match="has left"):
        pair.guest.answer(offer.id, yes=True)
    pair.machines[0].begin()
    pair.settle()
    assert not pair.guest.ledger.offers


def test_a_rematch_that_is_called_off_leaves_the_match_before_it_as_it_was() -> None:
    pair = over()
    before = pair.guest.ledger.record()
    pair.host.propose("rematch")
    pair.settle()
    pair.guest.answer(pair.guest.ledger.offers[0].id, yes=True)
    guest, host = pair.machines[1], pair.machines[0]
    while guest.exchange(pair.log):  # the host is gone
        pass
    assert pair.guest.ledger.stage == "commit"
    pair.guest.propose("resign")
    while guest.exchange(pair.log):
        pass
    assert pair.guest.ledger.stage == "over"
    assert pair.guest.ledger.record() == before
    host.begin()
    pair.settle()
    assert pair.host.stopped is None
    assert pair.host.ledger.record() == before
    pair.guest.propose("rematch")  # another rematch is possible
    pair.settle()
    pair.host.answer(pair.host.ledger.offers[0].id, yes=True)
    pair.settle()
    pair.play_out(random.Random(2))
    assert pair.host.ledger.record() == pair.guest.ledger.record() != before


def skewed(*, heard: bool) -> tuple[Pair, Machine, Machine]:
    """A hosting relay sets its clock 13 hours forward and claims at the turn of a connected guest."""
    pair = Pair("sequence-duel", 1)
    mover = pair.mover()
    assert mover is not None
    liar, other = pair.machines[1 - mover.me], pair.machines[mover.me]
    now = pair.log.time
    other.clock = lambda: now
    other.side.tick()
    pair.log.time += 13 * 3600
    liar.side.propose("claim")
    liar.put(pair.log)
    liar.exchange(pair.log)
    if heard:
        pair.settle()
    pair.log.time += claims.STANDS + 1
    liar.side.tick()
    liar.keep()
    return pair, liar, other


def test_a_claim_against_somebody_who_is_connected_is_void() -> None:
    pair, liar, other = skewed(heard=True)
    pair.settle()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert not pair.host.ledger.record().played
    assert pair.mover() is other.side
    assert any(isinstance(one, news.NotCounted) for one in liar.side.take_news())


@pytest.mark.parametrize("again", [False, True])
def test_a_relay_that_lies_about_the_time_and_keeps_messages_back_takes_no_game(again: bool) -> None:
    pair, liar, other = skewed(heard=False)
    while liar.exchange(pair.log):  # the guest's messages are held back meanwhile
        pass
    assert liar.side.ledger.stage == "over"  # the liar believes itself, which harms nobody
    if again:  # a restarted process has the clock of its machine
        other.begin()
    for entry in pair.log.entries[other.side.since :]:
        other.side.receive(entry)
    assert other.side.stopped == "The game was claimed after 0 minutes by the clock here: the relay's time is wrong."
    assert not other.side.ledger.record().played
