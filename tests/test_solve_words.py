"""The verdict in words: marks, sentences and hints say what the analysis says, in real positions of every game."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbox.core.model import player
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.solve import analyse, words
from duelbox.solve.api import Analysis, Rated, Verdict

POSITIONS = 12


@cache
def positions(game_id: str) -> tuple[tuple[Session, Analysis], ...]:
    """Positions from random games by each preset, with what the solver says of them."""
    game, found = find_game(game_id), []
    for seed in range(POSITIONS):
        options = game.PRESETS[seed % len(game.PRESETS)].options
        if options.draws:
            options = options.changed(seed=seed)
        session, rng = Session(game, options), Rng(seed)
        for _ in range(rng.below(12)):
            if session.turn is not None:
                session.play(rng.choice(session.legal_moves()))
        if session.turn is not None:
            found.append((session, analyse(game, session.view(session.turn))))
    return tuple(found)


every_game = pytest.mark.parametrize("game_id", game_ids())


def rated(move: str, verdict: Verdict, plies: int | None = None, win: object = 0, draw: object = 0) -> Rated:
    shares = {"win": (1, 0), "draw": (0, 1), "loss": (0, 0), "chance": (win, draw)}[verdict]
    one, two = (Fraction(str(share)) for share in shares)
    return Rated(move, verdict, plies, one, two)


def analysis(*moves: Rated, turn: int = 0) -> Analysis:
    top = moves[0]
    return Analysis(turn, top.verdict, top.plies, top.win, top.draw, moves, "Because.")


# -- marks


@pytest.mark.parametrize(
    ("move", "mark"),
    [
        (rated("7", "win", 3), "+3"),
        (rated("7", "win"), "+"),
        (rated("7", "loss", 4), "-4"),
        (rated("7", "loss"), "-"),
        (rated("7", "draw", 6), "="),
        (rated("7", "chance", None, "0.5", "0.24"), "62%"),
        (rated("7", "chance", None, "1/1000"), "1%"),
        (rated("7", "chance", None, "999/1000"), "99%"),
        (rated("7", "chance", None, 1), "100%"),
        (rated("7", "chance", None, 0), "0%"),
    ],
)
def test_a_mark_says_what_a_move_is_worth(move: Rated, mark: str) -> None:
    assert words.mark(move) == mark


@given(st.fractions(0, 1))
def test_a_per_cent_is_near_and_never_certain_without_being_so(share: Fraction) -> None:
    shown = int(words.percent(share).removesuffix("%"))
    assert abs(shown - share * 100) <= 1
    assert (shown == 0) == (share == 0)
    assert (shown == 100) == (share == 1)


@every_game
def test_every_legal_move_is_marked_and_no_other(game_id: str) -> None:
    for session, found in positions(game_id):
        legal = {session.game.format_move(move) for move in session.legal_moves()}
        assert words.marks(found).keys() == legal, session.code()


@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle", "sequence-duel", "digit-chain"])
def test_a_mark_is_what_the_rival_then_faces(game_id: str) -> None:
    """After a move marked +3 the rival loses in 2, after -4 they win in 3; where no turns are told, the sign holds."""
    for session, found in positions(game_id):
        for move, mark in list(words.marks(found).items())[:4]:
            after = Session(session.game, session.options)
            for ply in session.plies:
                after.play(ply.move)
            after.type(move)
            if after.turn is None or after.turn == found.turn:
                continue
            answer = analyse(after.game, after.view(after.turn))
            assert mark[0] == {"win": "-", "loss": "+"}.get(answer.verdict, "="), f"{session.code()} {move}"
            if mark[1:] and answer.plies is not None:
                assert int(mark[1:]) == answer.plies + 1, f"{session.code()} {move}"


# -- sentences


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (analysis(rated("7", "win", 3)), "With best play Player 1 wins in 3 turns."),
        (analysis(rated("7", "win", 1), turn=1), "With best play Player 2 wins in 1 turn."),
        (analysis(rated("7", "win")), "With best play Player 1 wins."),
        (analysis(rated("7", "loss", 2), turn=1), "With best play Player 2 loses in 2 turns."),
        (analysis(rated("7", "draw")), "With best play this is a draw."),
        (analysis(rated("7", "chance", None, "0.38")), "With best play Player 1 wins 38%."),
        (analysis(rated("7", "chance", None, "0.38", "0.02")), "With best play Player 1 wins 38%, draws 2%."),
    ],
)
def test_the_verdict_is_one_sentence(found: Analysis, sentence: str) -> None:
    assert words.verdict_sentence(found) == sentence


@every_game
def test_the_sentence_names_the_one_to_move(game_id: str) -> None:
    for session, found in positions(game_id):
        assert session.turn is not None
        assert found.verdict == "draw" or player(session.turn) in words.verdict_sentence(found)


# -- hints


def worth(move: Rated) -> tuple[Fraction, float]:
    """How good a move is: its value, then a quick win or a late loss; an end nobody has counted is far."""
    far = inf if move.plies is None else move.plies
    return move.value, {"win": -far, "loss": far}.get(move.verdict, 0)


def claim(found: Analysis, sentence: str) -> tuple[int, set[str]]:
    """How many moves a first hint speaks of, and which it names."""
    told = re.fullmatch(r"Hint 1 of 3\. (One|\d+) of (\d+) moves (?:would )?(.*)\. Look at (.*)\.", sentence)
    assert told, sentence
    count, total, deed, named = told.groups()
    assert int(total) == len(found.moves)
    moves = found.moves
    meant: dict[str, list[Rated]] = {
        "win": [move for move in moves if move.verdict == "win"],
        "win soonest": [move for move in moves if worth(move) == max(map(worth, moves))],
        "hold the draw": [move for move in moves if move.verdict == "draw"],
        "hold out longest": [move for move in moves if worth(move) == max(map(worth, moves))],
        "give the best chance": [move for move in moves if move.value == max(one.value for one in moves)],
    }
    assert len(meant[deed]) == (1 if count == "One" else int(count)), sentence
    return len(meant[deed]), set(re.split(", | or ", named))


@every_game
def test_the_first_hint_is_true_and_leaves_something_to_find(game_id: str) -> None:
    for session, found in positions(game_id):
        sentence = words.hint(found, 1)
        if "There is only one move" in sentence:
            assert len(found.moves) == 1
        elif "worth the same" in sentence:
            assert len(set(map(worth, found.moves))) == 1
            assert f" {len(found.moves)} " in sentence
        else:
            _, named = claim(found, sentence)
            assert named <= {move.move for move in found.moves}, session.code()
            assert len(named) == min(3, len(found.moves))
            assert any(move.move in named for move in words.best_moves(found)), session.code()


@every_game
def test_the_second_hint_is_the_reason_and_the_third_a_best_move(game_id: str) -> None:
    for session, found in positions(game_id):
        assert words.hint(found, 2) == f"Hint 2 of 3. {found.reason}"
        told = re.fullmatch(r"Hint 3 of 3\. Play (\S+)\.", words.hint(found, 3))
        assert told, session.code()
        best = next(move for move in found.moves if move.move == told[1])
        assert worth(best) == max(map(worth, found.moves)), session.code()


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ((rated("7", "win", 3),), "There is only one move."),
        ((rated("7", "loss", 2), rated("8", "loss", 2)), "All 2 moves are worth the same here."),
        ((rated("7", "win", 3), rated("8", "loss", 2)), "One of 2 moves would win. Look at 7 or 8."),
        (
            (rated("7", "win", 3), rated("8", "win", 5), rated("9", "loss", 2)),
            "One of 3 moves would win soonest. Look at 7, 8 or 9.",
        ),
        (
            (rated("7", "win", 3), rated("8", "win", 3), rated("9", "win")),
            "2 of 3 moves win soonest. Look at 7, 8 or 9.",
        ),
        (
            (rated("10", "draw"), rated("2", "draw"), rated("3", "loss", 2), rated("4", "loss", 2)),
            "2 of 4 moves hold the draw. Look at 3, 4 or 10.",
        ),
        ((rated("3", "loss", 4), rated("4", "loss", 2)), "One of 2 moves would hold out longest. Look at 3 or 4."),
    ],
)
def test_first_hints_in_words(moves: tuple[Rated, ...], sentence: str) -> None:
    assert words.hint(analysis(*moves), 1) == f"Hint 1 of 3. {sentence}"


def test_best_moves_of_nothing_are_none() -> None:
    nothing: Any = Analysis(0, "win", 3, Fraction(1), Fraction(0), (), "Not yet.", complete=False)
    assert words.best_moves(nothing) == ()
    assert words.marks(nothing) == {}
