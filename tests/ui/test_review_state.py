"""What a review knows, without a screen."""

from __future__ import annotations

from datetime import UTC, datetime

from duelbox.core.code import parse_code
from duelbox.core.record import Record, Who, round_record
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve.api import Stop
from duelbox.ui.review_state import ReviewState

NOW = datetime(2026, 11, 19, tzinfo=UTC)


def reviewed(session: Session, *, over: bool = True) -> ReviewState:
    """A review of a game of Ann's and Bo's, of which all moves are judged; of a match that goes on unless `over`."""
    session.names = ("Ann", "Bo")
    record = Record(
        game=session.game.INFO.id,
        players=(Who(name="Ann"), Who(name="Bo")),
        rounds=1 if over else 2,
        played=(round_record(session, 1, 0, NOW, NOW),),
    )
    state = ReviewState(record, (session,), None)
    for _ in state.judge(Stop()):
        pass
    return state


def session_of(code: str) -> Session:
    return parse_code(code, find_game)


def test_a_game_that_was_resigned_is_played_on_from_where_it_was_given_up() -> None:
    session = session_of("circle-duel/4.5")
    session.resign(0)
    state = reviewed(session)
    state.go(10)
    assert session.named(state.why()).startswith("Ann resigned: v ")
    assert state.works("play_on")
    assert state.here().code() == "circle-duel/4.5"
    state.verdict_on = True
    assert state.note().startswith("Bo wins.")


def test_the_eyes_of_a_player_see_no_more_than_they_did() -> None:
    session = session_of("number-duel:deal=12345-54321/1x1")
    while session.turn is not None:
        session.play(session.legal_moves()[0])
    state = reviewed(session)
    seen = []
    for _ in range(3):
        seen.append((state.who, [state.may_know(seat) for seat in (0, 1)]))
        state.next_eyes()
    assert seen == [(0, [True, False]), (1, [False, True]), (None, [True, True])]


def test_while_a_match_goes_on_nothing_is_told_of_what_moves_are_worth() -> None:
    state = reviewed(session_of("circle-duel:size=4/1.2.3.4"), over=False)
    assert not state.barred, "the round is over, and nothing is hidden in the game"
    assert reviewed(session_of("circle-duel/4.5"), over=False).barred
    state = reviewed(session_of("number-duel:deal=12345-54321/1x1"), over=False)
    assert (state.secret, state.barred, state.who) == (True, True, None)
    assert not state.works("copy_code")
