"""A match whose room is gone, or is another's: its ends, and what both sides agree on when the room is back."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from duelbox.core import news
from duelbox.friends import claims
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.unconfirmed import settle
from duelbox.store.store import Store
from duelbox.store.unconfirmed import results as results_kept
from tests.effort import sampled
from tests.friends.rooms import Chance, Machine, Pair, play_some_move
from tests.friends.test_lossy import CODES
from tests.friends.test_ways_out import ENDS, STEPS, left_at

PATIENT = 6
"""Quarters of the time for a claim after which a patient side calls off what never began."""
HOSTS_TURN, GUESTS_TURN = 0, 1
NEW_FIELDS = ("time", "alone")
"""Fields that notes did not have at first."""


def way_out_without_room(pair: Pair, machine: Machine, rng: random.Random, *, patient: bool) -> list[str]:
    """Do everything a side can that reaches neither the other nor the room, until the match is over for it."""
    done: list[str] = []
    machine.reach(room=False)
    while stage_for(machine) not in ENDS and len(done) < STEPS:
        side = machine.side
        if rng.random() < 0.1:
            machine.begin()
            side = machine.side
        pair.log.time += claims.AFTER // 4
        side.tick()
        if patient and side.my_turn and not side.moving:
            done.append(play_some_move(side, rng))
        elif (not patient or done[-PATIENT:] == ["wait"] * PATIENT) and side.why_not("resign") is None:
            done.append("resign")
            side.propose("resign")
        elif side.why_no_claim() is None:
            done.append("claim")
            side.propose("claim")
        else:
            done.append("wait")
        machine.keep()
    return done


def stage_for(machine: Machine) -> str:
    """The stage of the match as this side sees it, whether the room has it so or not."""
    foreseen = machine.side.foreseen()
    if foreseen is None:
        return machine.side.ledger.stage
    return foreseen.ledger.stage


@pytest.mark.parametrize("patient", [True, False])
def test_every_state_has_a_way_out_that_needs_neither_the_other_nor_the_room(patient: bool) -> None:
    rng, stages = random.Random(int(patient)), Counter[str]()
    for at in range(sampled(100, 10_000)):
        code, here = rng.choice(CODES), rng.randrange(2)
        step = rng.choice((rng.randrange(1, 30), rng.randrange(30, 60), rng.randrange(60, 200)))
        pair, machine, gone = left_at(code, at, step, here)
        if machine.side.ledger.stage == "hello":
            continue
        stages[machine.side.ledger.stage] += 1
        where = f"{code} seed {at} step {step}: {machine.side.ledger.stage}"
        done = way_out_without_room(pair, machine, rng, patient=patient)
        assert stage_for(machine) in ENDS, f"{where} {done[-5:]}"
        machine.begin()
        assert stage_for(machine) in ENDS, f"{where} is forgotten by a new process"
        gone.begin()  # the room is back
        machine.reach(room=True)
        for _ in range(40):
            gone.exchange(pair.log)
            machine.exchange(pair.log)
        watcher, machines = pair.watcher(), (gone.side, machine.side)
        assert not any(one.stopped for one in (watcher, *machines)), f"{where} {[one.stopped for one in machines]}"
        assert len({one.ledger.transcript.chains for one in (watcher, *machines)}) == 1, where
        assert len({one.ledger.record().to_json() for one in (watcher, *machines) if one.ledger.stage == "over"}) < 2
    assert {"asked", "commit", "reveal", "slots", "play", "open", "over"} <= stages.keys()


def playing(turn: int, code: str = "sequence-duel", rounds: int = 1) -> tuple[Pair, Machine, Machine]:
    """A match in which the host or the guest is to move: the pair, the host and the guest."""
    for seed in range(99):
        pair = Pair(code, seed, rounds=rounds)
        mover = pair.mover()
        if mover is not None and mover.me == turn:
            return pair, *pair.machines
    raise AssertionError("it is never their turn")


def claim_alone(pair: Pair, machine: Machine) -> None:
    """Claim the game after half a day without the room."""
    machine.reach(room=False)
    pair.log.time += claims.AFTER + 1
    machine.side.propose("claim")
    machine.keep()


def back(pair: Pair, host: Machine, guest: Machine) -> None:
    """Let the room come back with its host, and then the guest."""
    pair.log.time += 60
    host.begin()
    host.exchange(pair.log)
    guest.reach(room=True)
    pair.settle()


def results(*sides: PlayerSide) -> list[tuple[str, int | None]]:
    """The results of the rounds that are over, on which these sides agree."""
    assert [side.stopped for side in sides] == [None] * len(sides)
    records = [side.ledger.standing.recorded for side in sides]
    assert records[0] == records[-1]
    return [(one.result.by, one.result.winner) for one in records[0] if one.result]


@pytest.mark.parametrize("code", ["sequence-duel", "number-duel", "number-duel:arrange=chosen"])
def test_a_host_who_was_away_with_the_room_concedes_what_was_claimed(code: str) -> None:
    pair, host, guest = playing(HOSTS_TURN, code)
    claim_alone(pair, guest)
    assert stage_for(guest) == "over"
    foreseen = guest.side.foreseen()
    assert [(one.result.by, one.result.winner) for one in foreseen.ledger.record().played] == [("claim", 2)]
    back(pair, host, guest)
    assert results(host.side, guest.side, pair.watcher()) == [("resignation", 2)]
    assert any(isinstance(one, news.Conceded) for one in host.side.take_news())
    assert guest.side.foreseen() is None


def test_a_move_that_was_kept_and_a_claim_count_together() -> None:
    pair, host, guest = playing(GUESTS_TURN)
    guest.reach(room=False)
    moved = play_some_move(guest.side, random.Random(1))
    guest.keep()
    assert guest.side.why_no_claim() == "A game can be claimed after 12 hours without your friend or the room."
    claim_alone(pair, guest)
    back(pair, host, guest)
    assert results(host.side, guest.side, pair.watcher()) == [("resignation", 2)]
    assert host.side.ledger.record().played[0].moves[-1] == moved


@pytest.mark.parametrize("first", ["moves", "is there"])
def test_a_claim_does_not_count_if_the_host_was_in_the_room(first: str) -> None:
    pair, host, guest = playing(HOSTS_TURN)
    guest.reach(room=False)
    for _ in range(13):  # the host's process runs, and is connected
        pair.log.time += 3600
        host.side.tick()
        host.side.tick()
        host.keep()
    guest.side.propose("claim")
    guest.keep()
    assert stage_for(guest) == "over"
    if first == "moves":
        play_some_move(host.side, random.Random(1))
    else:
        host.side.say(0)
    host.exchange(pair.log)
    back(pair, host, guest)
    assert results(host.side, guest.side, pair.watcher()) == []
    assert guest.side.foreseen() is None
    assert host.side.ledger.stage == "play", "the room's order decides, and the game is open in it"
    assert not host.side.ledger.both_claimed


def test_a_claim_of_one_round_does_not_count_in_the_next_which_began_before_the_host_went_away() -> None:
    pair, host, guest = playing(GUESTS_TURN, rounds=2)
    guest.reach(room=False)
    play_some_move(guest.side, random.Random(1))
    guest.keep()
    host.side.propose("resign")
    while host.exchange(pair.log):
        pass
    claim_alone(pair, guest)
    back(pair, host, guest)
    assert results(host.side, guest.side, pair.watcher()) == [("resignation", 2)]
    assert host.side.ledger.stage == "play"
    assert host.side.my_turn


def test_a_game_that_both_claimed_counts_for_nobody() -> None:
    pair, host, guest = playing(GUESTS_TURN)
    guest.reach(room=False)
    play_some_move(guest.side, random.Random(1))
    claim_alone(pair, guest)
    host.side.propose("claim")  # in its room the guest never moved
    while host.exchange(pair.log):
        pass
    pair.log.time += claims.STANDS + 1
    host.side.tick()
    while host.exchange(pair.log):
        pass
    assert host.side.ledger.stage == "over"
    guest.reach(room=True)
    pair.settle()
    watcher = pair.watcher()
    for side in (host.side, guest.side, watcher):
        assert side.stopped is None
        assert side.ledger.both_claimed
        assert any(isinstance(one, news.Voided) for one in side.take_news())
    host.begin()
    assert host.side.ledger.both_claimed, "a new process knows it, too"


def test_what_the_room_took_before_a_kept_move_stands() -> None:
    pair, host, guest = playing(GUESTS_TURN)
    guest.reach(room=False)
    play_some_move(guest.side, random.Random(1))
    host.side.propose("resign")
    host.exchange(pair.log)
    host.exchange(pair.log)
    guest.reach(room=True)
    pair.settle()
    assert results(host.side, guest.side, pair.watcher()) == [("resignation", 2)]


@pytest.mark.parametrize("rounds", [2, 3])
def test_a_round_won_without_the_room_is_a_round(rounds: int) -> None:
    pair, host, guest = playing(GUESTS_TURN, "sequence-duel:size=5/1.5", rounds)
    guest.reach(room=False)
    guest.side.play("3")
    foreseen = guest.side.foreseen()
    assert [one.result.winner for one in foreseen.ledger.standing.recorded] == [2]
    assert foreseen.ledger.stage != "over"
    claim_alone(pair, guest)
    assert stage_for(guest) == "over"
    assert [one.result.winner for one in guest.side.foreseen().ledger.standing.recorded] == [2] * rounds
    back(pair, host, guest)
    assert results(host.side, guest.side, pair.watcher())[0] == ("play", 2)


def test_a_round_won_without_the_room_is_not_said_to_have_gone_otherwise_when_the_next_is_over(tmp_path: Path) -> None:
    pair, host, guest = playing(GUESTS_TURN, "sequence-duel:size=5/1.5", 2)
    guest.reach(room=False)
    guest.side.play("3")
    with Store.open(tmp_path) as store:
        early = settle(store, "match", guest.side)
        assert results_kept(store)["match"].id == early
        back(pair, host, guest)
        host.side.propose("resign")
        pair.settle()
        assert guest.side.ledger.stage == "over"
        saved = settle(store, "match", guest.side)
        assert [one.id for one in store.history()] == [saved]
        assert results_kept(store)["match"].note == ""


def test_nobody_claims_without_the_room_at_their_own_turn_or_too_early() -> None:
    pair, _, guest = playing(GUESTS_TURN)
    guest.reach(room=False)
    pair.log.time += claims.AFTER + 1
    assert guest.side.why_no_claim() == "It is your turn."
    pair, _, guest = playing(HOSTS_TURN)
    guest.reach(room=False)
    pair.log.time += claims.AFTER - 60
    assert guest.side.why_no_claim() == "A game can be claimed after 12 hours without your friend or the room."


def test_hours_count_by_the_steady_clock_in_a_run_and_by_the_wall_clock_between_runs() -> None:
    pair, _, guest = playing(HOSTS_TURN)
    wall, steady = pair.log.time, 0.0

    def restored() -> PlayerSide:
        side = PlayerSide(tuple(guest.disk), Chance(1), lambda: wall, lambda: steady)
        side.start()
        side.in_room = True
        for _ in range(2):
            side.tick()
        guest.disk += side.take_notes()
        side.in_room = False
        return side

    side = restored()
    wall += 2 * claims.AFTER  # somebody sets the clock
    assert side.why_no_claim() is not None
    steady += claims.AFTER + 1
    assert side.why_no_claim() is None
    wall = pair.log.time
    restored()
    steady = 5.0  # the machine was started again
    wall += claims.AFTER + 1
    side = PlayerSide(tuple(guest.disk), Chance(1), lambda: wall, lambda: steady)
    side.in_room = False
    assert side.why_no_claim() is None
    wall -= 7200
    side = PlayerSide(tuple(guest.disk), Chance(1), lambda: wall, lambda: steady)
    side.in_room = False
    assert side.why_no_claim() is not None


def test_notes_of_a_match_that_was_begun_before_go_on() -> None:
    pair, host, guest = playing(HOSTS_TURN)
    old = [
        {name: value for name, value in note if name not in ("time", "alone") or note.t == "heard"}
        for note in guest.disk
    ]
    guest.disk = [type(note)(**fields) for note, fields in zip(guest.disk, old, strict=True) if note.t != "touch"]
    guest.begin()
    claim_alone(pair, guest)
    back(pair, host, guest)
    assert results(host.side, guest.side, pair.watcher()) == [("resignation", 2)]
