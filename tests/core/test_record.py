"""Records: a whole match as one document."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from duelbox.core.code import parse_code
from duelbox.core.errors import IllegalMove
from duelbox.core.match import Match
from duelbox.core.record import (
    PROGRAM,
    PlayerInfo,
    Record,
    RecordedRound,
    Result,
    match_of,
    player_number,
    recorded_round,
)
from duelbox.core.record_reader import MAX_TEXT, open_record
from duelbox.core.session import MAX_MOVES, Session
from duelbox.registry import find_game
from tests.core.fuzz import assert_record_is_told, random_record
from tests.effort import sampled
from tests.positions import NOON, SAMPLE

CIRCLE = find_game("circle-duel")


def sample_record() -> Record:
    small = CIRCLE.Options(size=4, without=(2,))
    one, two, three = Session(CIRCLE, small), Session(CIRCLE, small), Session(CIRCLE, CIRCLE.Options())
    for session, texts in ((one, "3 4 1"), (two, "4"), (three, "10 1")):
        for text in texts.split():
            session.type(text)
    two.resign()
    east = NOON.astimezone(timezone(timedelta(hours=2)))
    played = (
        recorded_round(one, 2, 0, NOON, NOON + timedelta(seconds=90)),
        recorded_round(two, 2, 1, east, None).changed(assisted=True),
        recorded_round(three, 2, 2, NOON + timedelta(minutes=10, microseconds=123456), NOON),
    )
    players = (PlayerInfo(name="Ann"), PlayerInfo(name="李小龙", level="expert"))
    return Record(game="circle-duel", players=players, rounds=3, first=2, played=played)


def test_the_document_looks_like_this() -> None:
    assert sample_record().to_json() == SAMPLE
    opened = open_record(SAMPLE, find_game)
    assert (opened.record, opened.error) == (sample_record(), None)
    assert open_record(SAMPLE.encode(), find_game).record == sample_record()
    assert open_record("\ufeff" + SAMPLE, find_game).error is None
    assert open_record(SAMPLE + " " * (MAX_TEXT - len(SAMPLE)), find_game).error is None
    assert open_record(b"\xef\xbb\xbf" + SAMPLE.encode(), find_game).error is None


def test_who_starts_alternates_and_names_sit_in_their_seats() -> None:
    opened = open_record(SAMPLE, find_game)
    assert [session.names for session in opened.sessions] == [("李小龙", "Ann"), ("Ann", "李小龙"), ("李小龙", "Ann")]
    assert [player_number(0, 2, number) for number in range(3)] == [2, 1, 2]
    one, two, three = opened.sessions
    assert (one.outcome.winner, one.by) == (0, "play")
    assert (two.outcome.winner, two.by, two.outcome.reason) == (0, "resignation", "Player 2 resigned.")
    assert three.outcome is None
    match = match_of(opened.record)
    assert (match, match.over) == (Match(rounds=3, first=1, winners=(1, 0)), False)


def test_random_records_round_trip() -> None:
    kinds = set()
    for seed in range(sampled(100, 300)):
        record = random_record(Random(seed), most=40)
        opened = assert_record_is_told(record.to_json())
        assert (opened.record, opened.error) == (record, None)
        assert Record.model_validate_json(record.to_json()) == record
        kinds |= {(record.game, one.result and (one.result.winner, one.result.by)) for one in record.played}
    assert len(kinds) >= 5 * 4, "wins, draws, resignations and unfinished games of all five"
    assert {game for game, result in kinds if result == (None, "agreement")} == {"number-circle", "number-duel"}
    assert len({game for game, result in kinds if result and result[1] == "claim"}) == 5


def test_a_record_does_not_hold_what_can_not_be() -> None:
    record = sample_record()
    one, two, three = record.played
    for played in ((one, two, three, three), (three, one), (one, three, three)):
        with pytest.raises(ValidationError):
            record.changed(played=played)
    for wrong in ({"rounds": 0}, {"rounds": 100}, {"first": 0}, {"duelbox": 2}, {"players": (PlayerInfo(name="Ann"),)}):
        with pytest.raises(ValidationError):
            record.changed(**wrong)
    with pytest.raises(ValidationError, match="ended before"):
        one.changed(ended=NOON - timedelta(seconds=1))
    with pytest.raises(ValidationError, match="without a result"):
        three.changed(ended=NOON + timedelta(days=1))
    with pytest.raises(ValidationError):
        three.changed(started=datetime(2024, 5, 4, 12, 0))
    with pytest.raises(ValidationError):
        PlayerInfo(name=" ")


def test_a_reason_put_better_is_still_the_same_result() -> None:
    text = SAMPLE.replace("Player 2 cannot move: nothing next to 1 is left.", "Player 2 is stuck.")
    opened = open_record(text, find_game)
    assert opened.error is None
    assert opened.record == sample_record(), "what is kept is the reason as it is put now"


def test_a_record_from_before_there_was_a_choice_of_trails_is_opened() -> None:
    older = SAMPLE.replace('    "trails": "shared",\n', "")
    assert len(older) < len(SAMPLE)
    opened = open_record(older, find_game)
    assert opened.error is None
    assert [one.code() for one in opened.sessions] == [one.code() for one in open_record(SAMPLE, find_game).sessions]


def test_a_resignation_out_of_turn_is_kept() -> None:
    session = Session(CIRCLE, CIRCLE.Options())
    session.type("4")
    session.resign(0)
    one = recorded_round(session, 1, 0, NOON, NOON)
    assert one.result == Result(winner=2, by="resignation", reason="Player 1 resigned.")
    record = Record(game="circle-duel", players=(PlayerInfo(name="Ann"), PlayerInfo(name="Bob")), played=(one,))
    opened = open_record(record.to_json(), find_game)
    assert (opened.record, opened.error) == (record, None)
    assert opened.sessions[0].plies[-1].seat == 0


@pytest.mark.parametrize(
    ("game", "result", "fault"),
    [
        ("circle-duel", (None, "agreement"), "Number Circle Duel always has a winner."),
        ("number-circle", (1, "agreement"), "an agreement has no winner."),
        ("number-circle", (None, "claim"), "a claim needs a winner."),
        ("number-circle", (None, "resignation"), "a resignation needs a winner."),
    ],
)
def test_an_end_that_cannot_be_is_refused(game: str, result: tuple[Any, Any], fault: str) -> None:
    session = Session(find_game(game), find_game(game).Options())
    told = Result(winner=result[0], by=result[1], reason="So they said.")
    one = recorded_round(session, 1, 0, NOON, NOON).changed(result=told)
    opened = open_record(
        Record(game=game, players=(PlayerInfo(name="Ann"), PlayerInfo(name="Bob")), played=(one,)).to_json(), find_game
    )
    assert opened.error == f"Round 1: {fault}"
    assert opened.sessions[0].outcome is None


def test_a_game_without_end_is_refused_before_it_grows_past_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    most = sampled(300, MAX_MOVES)
    monkeypatch.setattr("duelbox.core.session.Session.max_moves", most)
    game = find_game("number-circle")
    session = Session(game, game.Options())
    # Round the ring, adding 45 and subtracting it again: classic play need not end.
    line = [f"{sign}{number % 9 + 1}" for sign in "-+" for number in range(1, 10)]
    while len(session.plies) < most:
        session.type(line[len(session.plies) // 2 % 18])
    with pytest.raises(IllegalMove, match=r"at most 10,000 moves.* [Rr]esign.* undo"):
        session.type("-2")
    with pytest.raises(IllegalMove, match="at most 10,000 moves"):
        session.preview("-2")
    assert len(session.plies) == most
    assert parse_code(session.code(), find_game).state == session.state
    session.resign()
    one = recorded_round(session, 1, 0, NOON, NOON)
    record = Record(game="number-circle", players=(PlayerInfo(name="Ann"), PlayerInfo(name="Bob")), played=(one,))
    assert open_record(record.to_json(), find_game).record == record


def test_a_round_tells_its_own_options_and_moves() -> None:
    session = Session(CIRCLE, CIRCLE.Options(gaps=3, seed=5))
    session.play(session.legal_moves()[0])
    one = recorded_round(session, 1, 0, NOON, NOON)
    assert one == RecordedRound(
        options={"size": 10, "reach": 1, "trails": "shared", "gaps": 3, "seed": 5, "without": []},
        moves=(CIRCLE.format_move(session.plies[0].move),),
        started=NOON,
    )


def test_a_fault_is_a_resignation_to_older_versions_and_stays_a_fault_here() -> None:
    session = Session(CIRCLE, CIRCLE.Options())
    session.type("4")
    session.cut("fault", fault="did not say a move in time")
    played = recorded_round(session, 1, 0, NOON, NOON)
    assert played.result is not None
    assert (played.result.winner, played.result.by) == (1, "resignation")
    players = (PlayerInfo(name="Ann"), PlayerInfo(name="greedy", level=PROGRAM))
    opened = open_record(Record(game="circle-duel", players=players, played=(played,)).to_json(), find_game)
    assert opened.error is None
    (again,) = opened.sessions
    assert again.outcome is not None
    assert (again.by, again.outcome.reason) == ("fault", "Player 2 did not say a move in time.")


@pytest.mark.parametrize("told", ["\x1b[31m", "x" * 200, "\u202e"])
def test_a_fault_in_a_record_prints_nothing_odd(told: str) -> None:
    assert Result(winner=1, by="resignation", reason=f"Fault: {told}.").fault == "made a fault"
