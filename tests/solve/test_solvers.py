"""Promises of every solver: first the verdict, then the moves, best first at the end; it stops when told."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.registry import find_game
from duelbox.solve import stream
from duelbox.solve.api import Rated, Stop, Stopped
from tests.effort import sampled
from tests.house_rules import SOLVED
from tests.solve.test_sentences import positions


def rank(move: Rated) -> tuple[Any, int]:
    """A rank by value: quick wins and long losses are better; an uncounted end is long."""
    turns = move.plies or 999
    return move.value, -turns if move.verdict == "win" else turns if move.verdict == "loss" else 0


@pytest.mark.parametrize("game_id", SOLVED)
def test_the_verdict_comes_first_and_nothing_said_is_taken_back(game_id: str) -> None:
    for session, last in positions(game_id)[: sampled(20, 150)]:
        analyses = list(stream(session.game, session.view(session.turn)))
        assert (analyses[-1], [one.complete for one in analyses]) == (last, [False] * (len(analyses) - 1) + [True])
        assert {(one.turn, one.verdict, one.win, one.draw) for one in analyses} == {
            (session.turn, last.verdict, last.win, last.draw)
        }
        assert analyses[0].plies in (None, last.plies)
        told: dict[str, str] = {}
        for one in analyses:
            now = {move.move: str(move.verdict) for move in one.moves}
            assert told.items() <= now.items()
            told = now
        assert sorted(told) == sorted(map(session.game.format_move, session.legal_moves()))
        assert last.moves[0].verdict == last.verdict
        assert [*map(rank, last.moves)] == sorted(map(rank, last.moves), reverse=True)


@pytest.mark.parametrize(
    "code",
    [
        *("circle-duel:size=30,reach=3", "number-circle", "number-circle:sharing=off", "number-circle:shared_total=on"),
        *("sequence-duel:size=60", "digit-chain:zero=no-tens"),
    ],
)
def test_a_search_that_is_told_to_stop_stops(code: str) -> None:
    session, stop = parse_code(code, find_game), Stop()
    analyses = stream(session.game, session.view(session.turn), stop)
    assert not next(analyses).complete
    stop.stop()
    with pytest.raises(Stopped):
        list(analyses)


@pytest.mark.parametrize("code", ["circle-duel:size=16,reach=3,trails=own", "number-duel:hand=6"])
def test_a_search_that_is_told_to_stop_before_it_knows_anything_stops(code: str) -> None:
    session, stop = parse_code(code, find_game), Stop()
    stop.stop()
    with pytest.raises(Stopped):
        next(stream(session.game, session.view(session.turn), stop))


def test_a_search_that_is_out_of_time_stops() -> None:
    game = find_game("number-circle")
    far = game.start(game.Options(sharing=False)).changed(totals=(-900, -900))
    with pytest.raises(Stopped):
        list(stream(game, far, Stop(seconds=0.05)))
