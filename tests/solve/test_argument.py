"""The whole argument for a verdict: every row of it is so."""

from __future__ import annotations

import re

import pytest

from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import ZERO, Stop
from duelbox.solve.argument import LONGEST, argument
from tests.bench.follower import positions
from tests.effort import sampled

COUNT = sampled(3, 60)
GAMES = ["circle-duel", "digit-chain", "number-circle", "sequence-duel"]
ROW = re.compile(r"(\S+): (\S+), (\d+) of (\d+) (?:wins?|holds?|loses?)")


def some(game_id: str) -> list[Session]:
    """Positions of a game in its first preset for newcomers."""
    options = next(one.options for one in find_game(game_id).PRESETS if one.first)
    return [session for session, _ in positions(game_id, options, COUNT, 11)]


def value_of(session: Session, *moves: str) -> object:
    """The value to the player to move, after some moves."""
    played = session.copy()
    for move in moves:
        played.type(move)
    if played.turn is None:
        return ZERO
    return analyse(played.game, played.view(played.turn)).value


@pytest.mark.parametrize("game_id", GAMES)
def test_every_answer_in_an_argument_is_as_good_as_told(game_id: str) -> None:
    rows = 0
    for session in some(game_id):
        found = analyse(session.game, session.view(session.turn))
        parts = argument(session.game, session.view(session.turn), found, Stop())
        assert parts[0].heading.startswith(f"Best play: {found.advice}")
        answered = parts[1]
        before = () if found.verdict == "loss" else (found.advice,)
        for told in filter(None, map(ROW.fullmatch, answered.rows)):
            after = session.copy()
            for move in (*before, told[1]):
                after.type(move)
            rated = analyse(after.game, after.view(after.turn)).moves
            right = [one.move for one in rated if one.value == rated[0].value]
            assert told[2] in right
            assert (int(told[3]), int(told[4])) == (len(right), len(rated))
            rows += 1
    assert rows >= COUNT


@pytest.mark.parametrize("game_id", GAMES)
def test_best_play_keeps_the_verdict_to_the_end(game_id: str) -> None:
    for session in some(game_id):
        found = analyse(session.game, session.view(session.turn))
        told = argument(session.game, session.view(session.turn), found, Stop())[0].heading
        moves = told.removeprefix("Best play: ").split()
        played, mover = session.copy(), session.turn
        for move in moves[:LONGEST]:
            if move != "…":
                played.type(move)
        if played.outcome is None:
            assert moves[-1] == "…"
            continue
        assert (played.outcome.winner == mover) == (found.verdict == "win")


def test_the_chances_of_an_attack_stand_once_for_all_hidden_positions() -> None:
    session = some("number-duel")[0]
    found = analyse(session.game, session.view(session.turn))
    (part,) = argument(session.game, session.view(session.turn), found, Stop())
    told = dict(row.split(": ") for row in part.rows)
    assert set(told) <= {one.move for one in found.moves}
    assert len(set(told)) == len(part.rows)
