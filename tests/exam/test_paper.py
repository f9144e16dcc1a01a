"""Papers: the same bytes for a seed, positions that matter, and values that a solver gives too."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import Any

import pytest

import duelbox
from duelbox.core.session import Session
from duelbox.exam.paper import GAMES, MATTERS, Paper, PaperQuestion
from duelbox.registry import find_game

SUMS = {
    (1, 100): "9589d4160afc9003394dbde546f4cfe93fbe53c79f4ff5586f456103182ac06d",
    (7, 100): "9ce5e60bbf70d76b39a2ab1efcde7bd884a1e445ddd9cd753b165e3dfd3be9aa",
    (2026, 100): "29a7246eff3e74e7829b2127f1e6a56a220c87ccffc7eb6c64b0784b39afde19",
}
"""SHA-256 of papers with legal moves and of their keys. Format 1 never changes: no sum here ever does."""


@pytest.mark.parametrize("which", SUMS)
def test_a_paper_of_format_1_is_the_same_for_ever(which: tuple[int, int]) -> None:
    paper = Paper(*which)
    lines = [*paper.lines(legal=True), *paper.key()]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == SUMS[which]


PAPER = Paper(5, 200)


def test_the_games_take_turns_and_no_two_positions_are_alike() -> None:
    games = [question.game.INFO.id for question in PAPER.questions]
    assert games == [*GAMES] * 40
    seen = {json.dumps([line["game"], line["rules"], line["seen"]]) for line in map(asked, PAPER.questions)}
    assert len(seen) == 200


def asked(question: PaperQuestion) -> dict[str, Any]:
    """A question as a line of the paper."""
    return question.line(legal=False)


def test_the_choice_matters_in_each_position_and_the_solver_says_the_same() -> None:
    for question in PAPER.questions:
        assert question.worst >= MATTERS
        assert min(question.regrets.values()) == 0
        assert 0 < question.mean < 1
        session = question.session
        assert set(question.values) == {question.game.format_move(move) for move in session.legal_moves()}


@pytest.mark.parametrize("game_id", GAMES)
def test_the_values_are_those_of_the_position_after_each_move(game_id: str) -> None:
    found = [question for question in PAPER.questions if question.game.INFO.id == game_id]
    for question in found[:12]:
        if question.game.INFO.hidden:
            continue
        for move, value in question.values.items():
            session = question.session.copy()
            session.type(move)
            assert value == worth_to(session, question.session.turn), (session.code(), move)


def worth_to(session: Session, seat: int | None) -> Fraction:
    """The value of a position to a seat, by the solver's verdict on it."""
    if session.outcome is not None:
        if session.outcome.winner is None:
            return Fraction(1, 2)
        return Fraction(session.outcome.winner == seat)
    found = duelbox.Table(session.code()).solve()
    if session.turn == seat:
        return found.value
    return 1 - found.value


def test_a_question_hides_what_the_player_cannot_see() -> None:
    for question in PAPER.questions:
        line = question.line(legal=True)
        if line["game"] != "number-duel":
            code = str(line["seen"])
            assert duelbox.Table(code).moves == question.session.moves
            continue
        session = question.session
        for seed in range(3):
            world = duelbox.Table(session.code()).seen().table(seed)
            twin = question._replace(session=world).line(legal=True)
            for key in ("rules", "seen", "to_move", "legal", "ask"):
                assert twin[key] == line[key]
        assert session.code() not in json.dumps(line)


def test_the_words_of_a_paper_are_plain_ascii_and_say_how_to_answer() -> None:
    for text in PAPER.lines():
        assert text.isascii()
    for question in PAPER.questions:
        line = question.line(legal=False)
        assert all(sentence.endswith(".") for sentence in line["rules"])
        example = str(line["ask"]).rpartition("such as ")[2].rstrip(".")
        assert find_game(line["game"]).parse_move(question.session.view(question.session.turn), example)
