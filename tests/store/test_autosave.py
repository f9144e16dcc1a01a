"""A saved match comes back as it was: every turn, and everything that can be undone and done again."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random
from threading import Event

import pytest

from duelbox.cli import main
from duelbox.core.match import round_options
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.store.store import NoSuchGame, Store
from tests.effort import sampled
from tests.store.play import MOST, change, new_game, play_match

pytestmark = pytest.mark.usefixtures("quick")
PLAYERS = (PlayerInfo(name="Ann"), PlayerInfo(name="Computer", level="hard"))


def fingerprint(session: Session) -> list[object]:
    """All positions that a player can reach in a session by undo and redo."""
    seen: list[object] = [session.names, session.options]
    undone = 0
    while session.why_no_undo() is None:
        seen.append((session.code(), session.outcome, session.turn))
        session.undo()
        undone += 1
    for _ in range(undone):
        session.redo()
    redone = 0
    while session.can_redo:
        session.redo()
        redone += 1
        seen.append((session.code(), session.outcome, session.turn))
    for _ in range(redone):
        session.undo()
    return [*seen, undone, redone, session.code(), session.outcome]


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("seed", range(sampled(1, 3)))
def test_a_match_comes_back_after_every_change(home: Path, game_id: str, seed: int) -> None:
    rng, game = Random(seed), find_game(game_id)
    with Store.open(home) as store:
        saved = store.begin(game_id, PLAYERS, rounds=2, first=1)
        for number in range(2):
            names = ("Ann", "Computer") if number else ("Computer", "Ann")
            session = Session(game, round_options(game, game.Options(), number), names)
            while session.turn is not None:
                change(session, rng)
                assert saved.sync(session, number).result()
                if rng.random() < 0.3:
                    loaded = store.load(saved.id)
                    assert loaded.error is None
                    assert fingerprint(loaded.sessions[number]) == fingerprint(session)
    with Store.open(home) as again:
        assert again.check() == ()
        assert again.find(saved.id).over
        assert fingerprint(again.load(saved.id).sessions[1]) == fingerprint(session)


@pytest.mark.parametrize("seed", range(5))
def test_a_match_goes_on_as_if_it_had_never_been_left(home: Path, seed: int) -> None:
    """One session stays in memory; the other is closed and resumed before every change."""
    rng = Random(seed)
    game = find_game(game_ids()[seed % 5])
    session = Session(game, game.Options(), ("Ann", "Computer"))
    with Store.open(home) as store:
        saved = store.begin(game.INFO.id, PLAYERS)
        change(session, rng)
        saved.sync(session).result()
        match_id = saved.id
        saved.close()
    while session.turn is not None:
        with Store.open(home) as store:
            resumed = store.resume(match_id)
            assert resumed.saved.id == match_id
            assert resumed.saved.notice is None
            assert fingerprint(resumed.sessions[0]) == fingerprint(session)
            state = rng.getstate()
            change(session, rng)
            rng.setstate(state)
            change(resumed.sessions[0], rng)
            before = store.find(match_id).last_played
            assert resumed.saved.sync(resumed.sessions[0]).result()
            assert store.find(match_id).last_played > before
            resumed.saved.close()
    with Store.open(home) as store:
        opened = store.load(match_id)
        assert opened.record.played[0].ended == store.find(match_id).last_played
        assert fingerprint(store.load(match_id).sessions[0]) == fingerprint(session)
        assert store.count() == 1


def test_nothing_is_written_before_the_first_turn(store: Store) -> None:
    saved, session = new_game(store)
    assert saved.sync(session).result()
    assert store.count() == 0
    session.type("4")
    saved.sync(session).result()
    assert [one.id for one in store.unfinished()] == [saved.id]


def test_many_changes_at_once_are_saved_as_one_by_one(store: Store) -> None:
    """A position to play on from has moves at once, and several changes may lie between two calls."""
    session = Session(find_game("circle-duel"), find_game("circle-duel").Options())
    for text in ("4", "5", "6"):
        session.type(text)
    saved = store.begin("circle-duel", PLAYERS)
    saved.sync(session).result()
    session.undo()
    session.undo()
    session.type("3")
    session.type("2")
    session.undo()
    saved.sync(session).result()
    assert store.load(saved.id).sessions[0].code() == "circle-duel/4.3"


def test_the_same_move_after_an_undo_forgets_what_could_be_done_again(store: Store) -> None:
    saved, session = new_game(store)
    for text in ("4", "5"):
        session.type(text)
        saved.sync(session)
    session.undo()
    session.undo()
    saved.sync(session)
    session.type("4")
    saved.sync(session).result()
    assert not session.can_redo
    assert not store.load(saved.id).sessions[0].can_redo


def test_a_round_out_of_order_is_refused(store: Store) -> None:
    session = Session(find_game("circle-duel"), find_game("circle-duel").Options())
    session.type("4")
    with pytest.raises(ValueError, match="round 1"):
        store.begin("circle-duel", PLAYERS, rounds=2).sync(session, 1)


def test_hints_once_asked_for_stay(store: Store) -> None:
    saved, session = new_game(store)
    session.type("4")
    saved.sync(session, assisted=True)
    session.type("5")
    saved.sync(session, assisted=True)
    session.resign()
    saved.sync(session).result()
    assert store.find(saved.id).finished[0].assisted
    record = store.load(saved.id).record
    assert record.played[0].assisted


def test_a_game_taken_up_again_after_its_end_is_unfinished(store: Store) -> None:
    saved, session = new_game(store)
    session.type("4")
    session.resign()
    saved.sync(session).result()
    assert store.find(saved.id).result == "won"
    session.undo()
    saved.sync(session).result()
    assert store.find(saved.id).result is None


async def test_saving_does_not_hold_up_an_event_loop(store: Store) -> None:
    rng = Random(1)
    game = find_game("sequence-duel")
    session = Session(game, game.Options())
    saved = store.begin("sequence-duel", PLAYERS)
    futures = []
    while session.turn is not None and len(session.plies) < MOST:
        session.play(rng.choice(session.legal_moves()))
        futures.append(asyncio.wrap_future(saved.sync(session)))
    assert await asyncio.gather(*futures) == [True] * len(futures)
    assert len((await asyncio.to_thread(store.load, saved.id)).sessions[0].plies) == len(futures)


async def test_a_change_is_saved_though_nobody_waits_for_it_any_more(store: Store) -> None:
    saved, session = new_game(store)
    go = Event()
    store._worker._thread.submit(go.wait)
    session.type("4")
    waiting = asyncio.wrap_future(saved.sync(session))
    waiting.cancel()
    go.set()
    assert store.load(saved.id).sessions[0].code() == "circle-duel/4"


def test_a_clock_set_back_does_not_end_a_game_before_it_began(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, session = new_game(store)
    session.type("4")
    saved.sync(session)
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    session.resign()
    saved.sync(session).result()
    summary = store.find(saved.id)
    assert summary.finished[0].ended >= summary.started
    assert store.import_text(store.export(saved.id)) == saved.id


def test_the_game_just_played_is_the_latest_whatever_the_clock_says(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = []
    for at in (2_000_000_000, 1_000_000_000, 1_500_000_000):
        monkeypatch.setattr(time, "time_ns", lambda at=at: at * 10**9)
        saved, session = new_game(store)
        session.type("4")
        assert saved.sync(session).result()
        ids.insert(0, saved.id)
    assert [one.id for one in store.unfinished()] == [one.id for one in store.history()] == ids
    assert store.to_go_on("").id == ids[0]
    resumed = store.resume(ids[2])
    resumed.sessions[0].type("5")
    assert resumed.saved.sync(resumed.sessions[0]).result()
    assert [one.id for one in store.unfinished(1)] == ids[2:]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("clock", [-(10**21), 253_402_300_799 * 10**9, 10**21])
def test_a_clock_outside_the_calendar(
    store: Store, monkeypatch: pytest.MonkeyPatch, clock: int, zone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    monkeypatch.setattr(time, "time_ns", lambda: clock)
    saved, session = new_game(store)
    session.type("4")
    assert saved.sync(session).result()
    session.resign()
    assert saved.sync(session).result()
    assert store.import_text(store.export(saved.id)) == saved.id
    store.import_text("circle-duel/4")
    assert main(["history"]) == 0
    assert capsys.readouterr().out.count("circle-duel") == 2
    monkeypatch.undo()
    time.tzset()


def test_a_game_without_a_move_is_no_game_to_be_seen(store: Store) -> None:
    saved, session = new_game(store)
    session.type("4")
    saved.sync(session).result()
    session.undo()
    assert saved.sync(session).result()
    assert (store.history(), store.unfinished(), store.count(), store.games()) == ((), (), 0, {})
    assert store.check() == ()
    session.redo()
    assert saved.sync(session).result()
    assert [one.id for one in store.unfinished()] == [saved.id]
    other, session = new_game(store)
    session.resign()
    assert other.sync(session).result()
    assert store.history()[0].result == "lost", "a game given up at once has an end to be seen"


@pytest.mark.parametrize("thought", [0, 1, 90_000])
def test_a_match_is_known_again_however_long_its_first_turn_was_thought_about(
    store: Store, monkeypatch: pytest.MonkeyPatch, thought: int
) -> None:
    clock = iter(range(1_700_000_000_000, 1_800_000_000_000, thought or 1))
    frozen = next(clock)
    monkeypatch.setattr(time, "time_ns", lambda: (next(clock) if thought else frozen) * 1_000_000)
    saved = store.begin("circle-duel", PLAYERS, rounds=2)
    for number in range(2):
        session = Session(find_game("circle-duel"), find_game("circle-duel").Options())
        session.type("4")
        saved.sync(session, number, assisted=True).result()
        session.resign()
        saved.sync(session, number).result()
    assert store.import_text(store.export(saved.id)) == saved.id
    record = store.load(saved.id).record
    one, two = record.played
    assert one.started == store.find(saved.id).started
    assert (two.started > one.started) is bool(thought)


def test_after_closing_a_change_is_not_acknowledged(home: Path) -> None:
    store = Store.open(home)
    saved = store.begin("circle-duel", PLAYERS)
    store.close()
    session = Session(find_game("circle-duel"), find_game("circle-duel").Options())
    session.type("4")
    assert saved.sync(session).result() is False
    saved.close()
    store.close()


def test_closing_writes_what_is_left(home: Path) -> None:
    with Store.open(home) as store:
        saved = play_match(store, Random(3), lambda *_: None, "circle-duel")
    with Store.open(home) as store:
        assert len(store.load(saved.id).sessions) == len(saved._rounds)


@pytest.mark.parametrize("match_id", ["", "zzzzzzzzzz", "Ω", "%", "' OR 1 --"])
def test_an_unknown_id_is_a_sentence(store: Store, match_id: str) -> None:
    play_match(store, Random(3), lambda *_: None)
    with pytest.raises(NoSuchGame, match="There is no saved game"):
        store.load(match_id)


def test_an_id_may_be_shortened(store: Store) -> None:
    ids = [store.import_text(f"sequence-duel/{first}.{second}") for first in (1, 3, 5) for second in range(10, 20)]
    for match_id in ids:
        assert store.find(f" {match_id.upper()} ").id == match_id
        for length in range(1, 10):
            same = [one for one in ids if one.startswith(match_id[:length])]
            if len(same) == 1:
                assert store.find(match_id[:length]).id == match_id
            else:
                with pytest.raises(NoSuchGame, match="More than one"):
                    store.find(match_id[:length])
