"""Reviews without a screen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from duelbox.core.code import parse_code
from duelbox.core.model import Voice, other
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.session import Session
from duelbox.learn.turning_points import NO_REVIEW_YET
from duelbox.registry import find_game
from duelbox.solve.api import Stop
from duelbox.solve.sentences import HINTS
from duelbox.table.base import BaseTable
from duelbox.table.frontend import Frontend
from duelbox.table.review_table import ReviewTable
from duelbox.table.state import TableState
from duelbox.ui.game_board import board_of
from duelbox.ui.glyphs import UNICODE
from duelbox.ui.screens.table import look_of

NOW = datetime(2026, 11, 19, tzinfo=UTC)


def reviewed(session: Session, *, over: bool = True) -> tuple[ReviewTable, TableState]:
    """A review of a game between Ann and Bo with all moves judged; unless `over`, their match goes on."""
    session.names = ("Ann", "Bo")
    record = Record(
        game=session.game.INFO.id,
        players=(PlayerInfo(name="Ann"), PlayerInfo(name="Bo")),
        rounds=1 if over else 2,
        played=(recorded_round(session, 1, 0, NOW, NOW),),
    )
    table = ReviewTable(record, (session,), None)
    for _ in table.judge(Stop()):
        pass
    return table, TableState(table, board_of(record.game))


def session_of(code: str) -> Session:
    return parse_code(code, find_game)


async def test_a_game_that_was_resigned_is_played_on_from_where_it_was_given_up() -> None:
    session = session_of("circle-duel/4.5")
    session.resign(0)
    table, state = reviewed(session)
    await state.do("last")
    await state.do("why")
    assert state.prompts.note == "Ann resigned: v shows what could be played."
    assert state.prompts.works("play_on")
    assert table.game_from_here().code() == "circle-duel/4.5"
    await state.do("verdict")
    assert state.prompts.note.startswith("Bo wins.")
    assert state.may_know
    assert state.analysis is not None, "for the board"


async def test_the_eyes_of_a_player_see_no_more_than_they_did() -> None:
    session = session_of("number-duel:deal=12345-54321/1x1")
    while session.turn is not None:
        session.play(session.legal_moves()[0])
    table, state = reviewed(session)
    seen = []
    for _ in range(3):
        seen.append((table.seat, [table.may_know(seat) for seat in (0, 1)], state.viewer, table.hands_open))
        await state.do("eyes")
    assert seen == [
        (0, [True, False], 0, False),
        (1, [False, True], 1, False),
        (None, [True, True], None, True),
    ]


async def test_a_hint_and_marks_are_drawn_for_eyes_that_may_know_them_alone() -> None:
    session = session_of("number-duel:deal=12345-54321/1x1")
    mover = session.turn
    while session.turn is not None:
        session.play(session.legal_moves()[0])
    table, state = reviewed(session)
    table.show(1)
    await state.do("verdict")
    for _ in range(HINTS):
        await state.do("hint")
    drawn = {}
    for _ in range(3):
        look = look_of(state, UNICODE)
        drawn[table.seat] = bool(look.hint), bool(look.worths)
        table.next_eyes()
    assert drawn == {mover: (True, True), other(mover): (False, False), None: (True, True)}


async def test_a_reason_names_the_player_who_would_have_had_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table, state = reviewed(session_of("digit-chain/26.61.19.90"))
    for you, told in ((0, ("Bo ", "In Bo's place, Ann ")), (1, ("In Ann's place, Bo ", "Ann "))):
        monkeypatch.setattr(ReviewTable, "voice", Voice(("Ann", "Bo"), you))
        for turn, answer, better in ((1, told[0], "Pick 10: "), (2, told[1], "Pick 60: ")):
            table.show(turn)
            table.take_news()
            await state.do("why")
            assert f"threw the win away. {answer}" in state.prompts.note
            assert f"Better: {better}" in state.prompts.note
        table.show(1)
        state.said, state.hint_step = "", HINTS
        assert state.prompts.note == ("Hint 3 of 3. In Bo's place, play 60.", "Hint 3 of 3. Play 60.")[you]
        state.hint_step, state.verdict_on = 0, True
        assert ("You can win" if you else "Bo can win") in state.prompts.note
        state.verdict_on = False


async def test_each_round_is_looked_at_with_its_own_seats() -> None:
    one, two = session_of("circle-duel:size=4/1.2.3.4"), session_of("circle-duel:size=4/1.2.3.4")
    one.names, two.names = ("Ann", "Bo"), ("Bo", "Ann")
    rounds = tuple(recorded_round(session, 1 + at, 0, NOW, NOW) for at, session in enumerate((one, two)))
    record = Record(
        game="circle-duel", players=(PlayerInfo(name="Ann"), PlayerInfo(name="Bo", level="1")), rounds=2, played=rounds
    )
    table = ReviewTable(record, (one, two), None)
    state = TableState(table, board_of(record.game))
    await state.do("last")
    assert (table.who(0).name, table.seat, state.prompts.aside) == ("Ann", 0, "round 1 of 2 · after turn 4 of 4")
    await state.do("next_round")
    assert (table.who(0).name, table.seat, state.prompts.aside) == ("Bo", 1, "round 2 of 2 · before turn 1 of 4")
    await state.do("round_before")
    assert (table.round, table.at) == (0, 0)


class Laying(Frontend):
    """A frontend that records the table that replaces the review."""

    laid: BaseTable

    def lay(self, table: BaseTable, said: str) -> None:
        self.laid = table


async def test_each_round_is_played_on_by_its_own_seats() -> None:
    one, two = session_of("circle-duel/4"), session_of("circle-duel/5")
    one.names, two.names = ("Ann", "Bo"), ("Bo", "Ann")
    for session in (one, two):
        session.resign()
    rounds = tuple(recorded_round(session, 1, at, NOW, NOW) for at, session in enumerate((one, two)))
    record = Record(
        game="circle-duel", players=(PlayerInfo(name="Ann"), PlayerInfo(name="Bo")), rounds=2, played=rounds
    )
    table, frontend = ReviewTable(record, (one, two), None), Laying()
    state = TableState(table, board_of(record.game), frontend)
    for verb, names in (("play_on", ("Ann", "Bo")), ("next_round", None), ("play_on", ("Bo", "Ann"))):
        await state.do(verb)
        if names:
            assert (frontend.laid.session.names, tuple(who.name for who in frontend.laid.players)) == (names, names)


async def test_while_a_match_goes_on_nothing_is_told_of_what_moves_are_worth() -> None:
    table, _ = reviewed(session_of("circle-duel:size=4/1.2.3.4"), over=False)
    assert not table.barred, "the round is over, and nothing is hidden in the game"
    table, state = reviewed(session_of("circle-duel/4.5"), over=False)
    assert table.barred
    for name in ("verdict", "hint", "last", "why"):
        await state.do(name)
        assert name == "last" or state.prompts.note == NO_REVIEW_YET
    table, state = reviewed(session_of("number-duel:deal=12345-54321/1x1"), over=False)
    assert (table.secret, table.barred, table.seat) == (True, True, None)
    assert not state.prompts.works("code")


async def test_nothing_is_played_or_worked_out_at_a_review() -> None:
    _, state = reviewed(session_of("circle-duel:size=4/1.2.3.4"))
    await state.do("verdict")
    await state.do("hint")
    assert not state.type("7", is_key=False)
    await state.do("last")
    assert not state.type("7", is_key=False)
    assert (state.may_move, state.wants_analysis, state.wants_judged) == (False, False, False)


async def test_the_board_marks_the_move_that_was_played_and_the_right_one() -> None:
    table, state = reviewed(session_of("digit-chain/26.61.19.90"))
    table.show(2)
    state.verdict_on = True
    assert table.analysis is not None
    marks = look_of(state, UNICODE).worths
    assert [move for move, worth in marks.items() if worth.played is not None] == ["19"]
    assert [move for move, worth in marks.items() if worth.best] == [table.analysis.advice] != ["19"]
    assert state.prompts.aside == "before turn 3 of 4"
    table.show(4)
    assert not any(worth.played is not None for worth in look_of(state, UNICODE).worths.values())
