"""History and statistics, compared with slow code that replays every match."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.core.record import PlayerInfo, Record, match_of
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.store import index
from duelbox.store.index import MatchLine
from duelbox.store.records import Records
from duelbox.store.statistics import tallies
from duelbox.store.store import EVERYTHING, NoSuchGame, Store
from tests.effort import sampled
from tests.store.play import new_game, play_match

pytestmark = pytest.mark.usefixtures("quick")
MATCHES = sampled(35, 60)


@pytest.fixture(scope="module")
def full(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[str]]]:
    """A store with many matches, and their ids in the order they were played."""
    rng = Random(5)
    with Store.open(tmp_path_factory.mktemp("full")) as store:
        yield store, [play_match(store, rng, lambda *_: None).id for _ in range(MATCHES)]


def records(store: Store, ids: list[str]) -> dict[str, Record]:
    found = {}
    for match_id in ids:
        record = store.load(match_id).record
        assert record is not None
        found[match_id] = record
    return found


def ending(record: Record) -> str:
    """The result of a match, found by replaying it."""
    match = match_of(record)
    if not match.over:
        return "unfinished"
    me = 1 if record.players[0].level is not None and record.players[1].level is None else 0
    return "drawn" if match.winner is None else "won" if match.winner == me else "lost"


def test_the_history_is_in_order_and_whole(full: tuple[Store, list[str]]) -> None:
    store, ids = full
    listed = store.history(limit=EVERYTHING)
    assert Counter(one.id for one in listed) == Counter(ids)
    times = [one.last_played for one in listed]
    assert times == sorted(times, reverse=True)
    for one in listed:
        record = records(store, [one.id])[one.id]
        assert (one.game, one.players, one.rounds) == (record.game, record.players, record.rounds)
        assert one.match == match_of(record)
        assert one.moves == sum(len(each.moves) for each in record.played)
        assert one.started <= record.played[0].started <= one.last_played
        assert (one.result or "unfinished") == ending(record)


def test_filters_find_what_a_search_finds(full: tuple[Store, list[str]]) -> None:
    store, ids = full
    known = records(store, ids)
    for game, opponent, result in product(
        (None, "circle-duel", "number-duel"),
        (None, "Ann", "Zoë 漢", "perfect", "nobody"),
        (None, "won", "lost", "drawn", "unfinished"),
    ):
        expected = {
            match_id
            for match_id, record in known.items()
            if game in (None, record.game)
            and (opponent is None or opponent in [text for who in record.players for text in (who.name, who.level)])
            and result in (None, ending(record))
        }
        found = store.history(game, opponent, result, limit=EVERYTHING)
        assert {one.id for one in found} == expected, (game, opponent, result)
        assert store.count(game, opponent, result) == len(expected)


def test_pages_follow_each_other(full: tuple[Store, list[str]]) -> None:
    store, _ = full
    pages = [store.history(limit=7, offset=offset) for offset in range(0, MATCHES + 7, 7)]
    assert tuple(one for page in pages for one in page) == store.history(limit=EVERYTHING)
    assert pages[-1] == ()


def test_all_opponents_can_be_filtered_by(full: tuple[Store, list[str]]) -> None:
    store, ids = full
    texts = {
        text for record in records(store, ids).values() for who in record.players for text in (who.name, who.level)
    }
    assert store.opponents() == tuple(sorted(text for text in texts if text))


def slow_statistics(found: list[Record]) -> dict[tuple[object, ...], list[tuple[float, bool]]]:
    """(Points, assisted) by player, game, opponent and level, oldest first, found by replaying all matches."""
    games = []
    for record in found:
        for one in record.played:
            if one.result is not None and one.ended is not None:
                games.append((one.ended, record, one.result.winner, one.assisted))
    points: dict[tuple[object, ...], list[tuple[float, bool]]] = {}
    for _, record, winner, assisted in sorted(games, key=lambda game: game[0]):
        for number in (1, 2):
            person, opponent = record.players[number - 1], record.players[2 - number]
            if person.level is None:
                pairing = (person.name, record.game, opponent.name, opponent.level)
                score = 0.5 if winner is None else 1.0 if winner == number else 0.0
                points.setdefault(pairing, []).append((score, assisted))
    return points


def test_who_beat_which_computer_and_how_follows_from_the_records(full: tuple[Store, list[str]]) -> None:
    store, ids = full
    slow: dict[tuple[str, str], dict[str, set[tuple[bool, bool]]]] = {}
    for record in records(store, ids).values():
        for at, one in enumerate(record.played):
            for number in (1, 2):
                person, computer = record.players[number - 1], record.players[2 - number]
                if one.result and one.result.winner == number and person.level is None and computer.level is not None:
                    starts = record.first if at % 2 == 0 else 3 - record.first
                    rungs = slow.setdefault((person.name, record.game), {})
                    rungs.setdefault(computer.level, set()).add((one.assisted, starts != number))
    assert slow
    tallied = store.statistics()
    assert {who: slow.get(who, {}) for who in {(one.player, one.game) for one in tallied}} == {
        (one.player, one.game): {level: set(ways) for level, ways in one.beaten.items()} for one in tallied
    }


def test_statistics_follow_from_the_moves_alone(full: tuple[Store, list[str]]) -> None:
    store, ids = full
    slow = slow_statistics(list(records(store, sorted(ids)).values()))
    fast = store.statistics()
    assert {(one.player, one.game, one.opponent, one.level) for one in fast} == slow.keys()
    for one in fast:
        points, hints = zip(*slow[one.player, one.game, one.opponent, one.level], strict=True)
        assert (one.played, one.won, one.drawn, one.lost) == (len(points), *map(points.count, (1.0, 0.5, 0.0)))
        assert one.assisted == sum(hints)
        assert one.best == max(map(len, "".join("W" if p == 1 else " " for p in points).split()), default=0)
        assert one.streak == slow_streak(points)
        if len(points) <= 20:
            assert one.shares == points


def slow_streak(points: tuple[float, ...]) -> int:
    count = 0
    while count < len(points) and points[-1] != 0.5 and points[-1 - count] == points[-1]:
        count += 1
    return count if points[-1] == 1.0 else -count


def finished(points: list[float], levels: tuple[str | None, str | None]) -> sqlite3.Connection:
    """Make an index with games of Ann and Ben, or of computers of these levels."""
    db = index.memory()
    for place, won in enumerate(points):
        for seat, (player, opponent) in enumerate((("Ann", "Ben"), ("Ben", "Ann"))):
            own, level = levels if seat == 0 else levels[::-1]
            row = ("m", place, seat, place, "circle-duel", player, own, opponent, level, abs(seat - won), 0, 0)
            db.execute(f"INSERT INTO round VALUES ({', '.join('?' * 12)})", row)
    return db


@pytest.mark.parametrize(("count", "slices"), [(1, 1), (20, 20), (21, 20), (1000, 20)])
def test_the_win_share_over_time_is_cut_into_equal_slices(count: int, slices: int) -> None:
    rng = Random(count)
    points = [rng.choice((1.0, 0.5, 0.0)) for _ in range(count)]
    (tally,) = tallies(finished(points, (None, "easy")))
    assert len(tally.shares) == slices
    assert tally.shares[0] == pytest.approx(sum(points[: count // slices]) / (count // slices))
    assert tally.shares[-1] == pytest.approx(sum(points[count - -(-count // slices) :]) / -(-count // slices))


def test_a_person_against_a_person_counts_for_both() -> None:
    one, two = tallies(finished([0.0], (None, None)))
    assert (one.player, one.opponent, one.lost) == ("Ann", "Ben", 1)
    assert (two.player, two.opponent, two.won) == ("Ben", "Ann", 1)


def test_computers_have_no_statistics() -> None:
    db = finished([0.0, 0.5, 1.0], ("easy", "hard"))
    assert tallies(db) == ()


def test_deleting_takes_out_and_restoring_brings_back(store: Store) -> None:
    ids = [play_match(store, Random(seed), lambda *_: None).id for seed in range(4)]
    before = store.history(), store.statistics(), store.count(), store.unfinished()
    for match_id in ids[:2]:
        store.delete(match_id)
        store.delete(match_id)
    assert {one.id for one in store.history()} == set(ids[2:])
    assert store.count() == 2
    assert store.find(ids[0]).deleted
    assert store.load(ids[0]).record
    for match_id in ids[:2]:
        store.restore(match_id)
    assert (store.history(), store.statistics(), store.count(), store.unfinished()) == before
    assert store.check() == ()


def test_a_deleted_match_stays_deleted(home: Path) -> None:
    with Store.open(home) as store:
        match_id = play_match(store, Random(1), lambda *_: None).id
        store.delete(match_id)
    with Store.open(home) as store:
        assert store.history() == ()
        store.restore(match_id)
        assert [one.id for one in store.history()] == [match_id]


def test_an_exported_record_is_the_same_after_importing_it_elsewhere(full: tuple[Store, list[str]], home: Path) -> None:
    store, ids = full
    with Store.open(home) as other:
        for match_id in ids:
            try:
                text = store.export(match_id)
            except DuelboxError:
                assert find_game(store.find(match_id).game).INFO.hidden
                continue
            imported = other.import_text(text)
            assert other.export(imported) == text
            assert other.import_text(text.encode()) == imported
            assert other.find(imported).match == store.find(match_id).match
        assert other.check() == ()


def test_hidden_hands_are_not_exported_before_the_match_is_over(store: Store) -> None:
    """A finished round is not exported either: the next round is dealt from the following seed."""
    game = find_game("number-duel")
    saved = store.begin("number-duel", (PlayerInfo(name="Ann"), PlayerInfo(name="Ben")), rounds=2)
    for number in range(2):
        session = Session(game, game.Options(seed=7 + number))
        for change in (lambda session=session: session.play(session.legal_moves()[0]), session.resign):
            for tell in (store.export, store.codes) if saved.begun else ():
                with pytest.raises(DuelboxError, match="both hands"):
                    tell(saved.id)
            change()
            saved.sync(session, number).result()
    assert '"seed": 8' in store.export(saved.id)
    assert store.codes(saved.id)[1].startswith("number-duel:seed=8/")


@pytest.mark.parametrize("code", ["circle-duel/4.5.6", " sequence-duel:size=30,ring=on/10.13.7\n", "number-duel/3x2"])
def test_a_position_code_can_be_imported(store: Store, code: str) -> None:
    for text in (code, code.encode()):
        match_id = store.import_text(text)
        session = store.load(match_id).sessions[0]
        assert session.code() == code.strip()
        assert store.find(match_id).result is None


def test_only_one_match_is_meant(store: Store) -> None:
    with pytest.raises(NoSuchGame):
        store.delete("")


def test_the_line_of_a_match_is_read_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, session = new_game(store)
    session.type("4")
    saved.sync(session).result()
    saved.close()
    reading = Records.line_in
    ids: list[str] = []

    def counted(records: Records, db: sqlite3.Connection, match_id: str) -> MatchLine:
        ids.append(match_id)
        return reading(records, db, match_id)

    monkeypatch.setattr(Records, "line_in", counted)
    for ask in (store.load, store.export, store.codes, store.resume):
        ask(saved.id[:6])
        assert ids == [saved.id], ask.__name__
        ids.clear()
