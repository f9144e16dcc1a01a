"""Verdicts in words: sentences and hints agree with the analysis, in real positions of every game."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbox.core.model import Voice, other, player
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import analyse, sentences, solver_of, with_trap
from duelbox.solve.api import Analysis, Rated, Trap, Verdict
from duelbox.solve.rating import analysis_from, region
from tests.command_line import run
from tests.effort import sampled
from tests.games.reasons import RECOMMENDED, recommended
from tests.golden.said import Said
from tests.house_rules import SOLVED, house_rules

POSITIONS = sampled(10, 30)
"""The number of positions in which each move is solved, too."""


@cache
def positions(game_id: str) -> tuple[tuple[Session, Analysis], ...]:
    """Positions of random games under random house rules, small enough to be solved quickly."""
    game, rng, found = find_game(game_id), Random(7), []
    for seed in range(sampled(60, 150)):
        session, dice = Session(game, house_rules(game_id, rng)), Rng(seed)
        if getattr(session.options, "size", 0) > 24:
            continue
        for _ in range(dice.below(16)):
            if session.turn is not None:
                session.play(dice.choice(session.legal_moves()))
        if session.turn is not None:
            found.append((session, analyse(game, session.view(session.turn))))
    return tuple(found)


every_game = pytest.mark.parametrize("game_id", SOLVED)


def rated(move: str, verdict: Verdict, plies: int | None = None, win: object = 0, draw: object = 0) -> Rated:
    shares = {"win": (1, 0), "draw": (0, 1), "loss": (0, 0), "chance": (win, draw)}[verdict]
    one, two = (Fraction(str(share)) for share in shares)
    return Rated(move, verdict, plies, one, two)


def analysis(*moves: Rated, turn: int = 0) -> Analysis:
    top = moves[0]
    return Analysis(turn, top.verdict, top.plies, top.win, top.draw, moves, "Because.")


# -- values of moves


@given(st.fractions(0, 1))
def test_a_per_cent_is_near_and_never_certain_without_being_so(share: Fraction) -> None:
    shown = int(sentences.percent(share).removesuffix("%"))
    assert abs(shown - share * 100) <= 1
    assert (shown == 0) == (share == 0)
    assert (shown == 100) == (share == 1)


@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle", "sequence-duel", "digit-chain"])
def test_a_move_is_worth_what_the_opponent_then_faces(game_id: str) -> None:
    """After a win in 3 the opponent loses in 2, after a loss in 4 they win in 3; without turns, at any time."""
    for session, found in positions(game_id)[:POSITIONS]:
        for move in found.moves[:4]:
            after = Session(session.game, session.options)
            for ply in session.plies:
                after.play(ply.move)
            after.type(move.move)
            if after.turn is None or after.turn == found.turn:
                continue
            answer = analyse(after.game, after.view(after.turn))
            assert move.verdict == {"win": "loss", "loss": "win"}.get(answer.verdict, "draw"), (
                f"{session.code()} {move}"
            )
            if move.plies is not None and answer.plies is not None:
                assert move.plies == answer.plies + 1, f"{session.code()} {move}"


# -- sentences


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (analysis(rated("7", "win", 3)), "Player 1 can win, in 3 turns at most: the only move wins."),
        (analysis(rated("7", "win", 1), turn=1), r"Player 2 can win, in 1 turn at most\b"),
        (analysis(rated("7", "win")), r"Player 1 can win: the only move wins\.$"),
        (analysis(rated("7", "loss", 2), turn=1), "Player 2 loses against best play, in 2 turns at most"),
        (analysis(rated("7", "draw")), "Player 1 can hold a draw: the only move holds."),
        (analysis(rated("7", "chance", None, "0.38")), r"Player 1 wins 38% of games\.$"),
        (
            analysis(rated("7", "chance", None, "0.38", "0.02")),
            "Player 1 wins 38% .* 2% .* 39% ",
        ),
        (
            analysis(rated("7", "chance", None, 0, "0.5")),
            "Player 1 wins 0% .* 50% .* 25% ",
        ),
    ],
)
def test_the_verdict_is_one_sentence(found: Analysis, sentence: str, said: Said) -> None:
    told = sentences.outlook(found, Voice())
    assert re.search(sentence, told)
    said(told)


@every_game
def test_the_sentence_names_the_one_to_move(game_id: str) -> None:
    for session, found in positions(game_id)[:POSITIONS]:
        assert session.turn is not None
        assert player(session.turn) in sentences.outlook(found, Voice())


# -- hints


@cache
def explained_positions(game_id: str) -> tuple[tuple[Session, Analysis], ...]:
    """The same analyses, with the traps of lost positions."""
    every = positions(game_id)
    return tuple((one, with_trap(one.game, one.view(one.turn), found)) for one, found in every)


def right_answers(session: Session, move: str) -> tuple[int, int]:
    """The number of answers to a move that still win, and of all answers, by the solver's verdict after each."""
    after = session.copy()
    after.type(move)
    mover, right = after.turn, 0
    answers = [after.game.format_move(one) for one in after.legal_moves()]
    for answer in answers:
        then = after.copy()
        then.type(answer)
        if then.outcome is not None:
            right += then.outcome.winner == mover
        else:
            found = analyse(then.game, then.view(then.turn))
            right += found.verdict == ("win" if then.turn == mover else "loss")
    return right, len(answers)


@every_game
def test_hints_ask_then_compare_then_tell_a_best_move(game_id: str) -> None:
    asked = 0
    for session, found in explained_positions(game_id):
        told, legal = sentences.hints(found), {one.move for one in found.moves}
        best = next(one for one in found.moves if one.move == found.advice)
        assert (best.value, best.draw) == (found.value, found.draw), session.code()
        if len(legal) == 1:
            assert told == (f"You have only one move: {found.advice}.",)
            continue
        assert found.advice in told[-1]
        assert 2 <= len(told) <= sentences.HINTS
        if told[0].endswith("?"):
            asked += 1
            assert not legal & set(re.findall(r"[-+]?[0-9]+(?:x[0-9]+)?", told[0].replace("Player 2", "")))
        if compared := re.search(r"Compare (\S+) and (\S+): only one", told[-2]):
            named = [one for one in found.moves if one.move in compared.groups()]
            assert len(named) == 2
            assert found.advice in compared.groups()
            assert sum((one.value, one.draw) == (found.value, found.draw) for one in named) == 1
    assert asked > 5


@every_game
def test_the_first_hint_in_a_lost_position_tells_why_and_no_move(game_id: str) -> None:
    lost = [one for _, one in explained_positions(game_id) if one.verdict == "loss" and len(one.moves) > 1]
    for found in lost:
        why = sentences.hints(found)[0]
        assert (found.thought or found.reason) in why
        assert why.startswith("Every ")
        assert not re.search(rf"(?:Play|Pick|Claim|Try) {re.escape(found.advice)}", why)
    assert lost


@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle", "sequence-duel", "digit-chain"])
def test_nothing_is_hoped_for_in_a_lost_position_that_is_not_there(game_id: str) -> None:
    traps = 0
    for session, found in explained_positions(game_id):
        if found.trap is None:
            assert "trap" not in found.reason
            continue
        assert (found.trap.right, found.trap.answers) == right_answers(session, found.trap.move), session.code()
        assert sentences.reason(found).endswith(sentences.trap_sentence(found.trap, other(found.turn)))
        if found.trap.right == found.trap.answers:
            assert all(len(set(right_answers(session, one.move))) == 1 for one in found.moves[:3])
        else:
            traps += 1
    assert traps > 2


@every_game
def test_an_idea_names_no_move_and_a_reason_that_argues_is_of_a_best_one(game_id: str) -> None:
    count = 0
    for session, found in positions(game_id):
        if found.idea is not None:
            assert found.idea in solver_of(game_id).ideas
        assert not found.thought or found.thought[-1] in ".?"
        assert not re.search(RECOMMENDED, found.thought), f"{session.code()}: {found.thought}"
        count += recommended(found) is not None
    assert count > 5


@pytest.mark.parametrize(
    ("moves", "step", "sentence"),
    [
        ([rated("7", "win", 3)], 1, r"^You have only one move: 7\.$"),
        ([rated("7", "loss"), rated("8", "loss")], 1, "^Hint 1 of 2. Every move loses"),
        ([rated("7", "loss", 4), rated("8", "loss", 2)], 2, "^Hint 2 of 2. Play 7: .*longer"),
        ([rated("7", "win", 3), rated("8", "win")], 1, "^Hint 1 of 3. Both moves win"),
        ([rated("7", "win", 3), rated("8", "win", 3), rated("9", "win", 3)], 1, "All 3 moves win"),
        ([rated("7", "win", 3), rated("8", "loss", 2)], 1, r"Player 2 .*\?$"),
        ([rated("7", "win", 3), rated("8", "loss", 2)], 2, r"Compare 7 and 8: only one wins\.$"),
        ([rated("+10", "draw"), rated("+2", "draw"), rated("-10", "loss", 2)], 2, r"\+10 and -10: .* draw\.$"),
        ([rated("2x1", "chance", None, "0.5"), rated("3x1", "chance", None, "0.4")], 2, r"2x1 and 3x1: .* best chance"),
        ([rated("7", "win", 3), rated("8", "loss", 2)], 4, r"^Hint 3 of 3. Play 7\.$"),
    ],
)
def test_hints_in_words(moves: list[Rated], step: int, sentence: str, said: Said) -> None:
    found = analysis(*moves)
    told = sentences.hint(replace(found, shown=region(found.moves)), step)
    assert re.search(sentence, told)
    said(told)


def test_where_no_answer_can_go_wrong_nothing_is_promised() -> None:
    found = replace(analysis(rated("7", "loss", 2), rated("8", "loss", 2)), trap=Trap("7", 3, 3))
    assert "no trap" in sentences.hint(found, 2)
    tricky = replace(found, trap=Trap("8", 1, 3))
    assert "only 1 of 3 answers wins" in sentences.hint(tricky, 2)
    assert sentences.hint(tricky, 3) == "Hint 3 of 3. Play 8."


@pytest.mark.parametrize(
    ("told", "said_as"),
    [
        ("Teacher picks 16 and wins.", "I pick 16 and win."),
        ("Teacher picks 10, and you cannot move.", "I pick 10, and you cannot move."),
        ("Teacher plays +3 and can fork next, whatever you play.", "I play +3 and can fork next, whatever you play."),
        ("You have 4 picks, Teacher has 3. Play 9.", "You have 4 picks, I have 3. Play 9."),
        ("What can Teacher answer to each of your moves?", "What can I answer to each of your moves?"),
        ("Teacher then has only 4 numbers.", "I then have only 4 numbers."),
        ("Whatever Teacher picks, 9 takes 7 from Teacher.", "Whatever I pick, 9 takes 7 from me."),
        ("7 of Teacher's numbers have their reverse.", "7 of my numbers have their reverse."),
    ],
)
def test_a_teacher_says_i(told: str, said_as: str) -> None:
    assert sentences.in_first_person(told, "Teacher") == said_as


def test_best_moves_of_nothing_are_none() -> None:
    nothing: Any = Analysis(0, "win", 3, Fraction(1), Fraction(0), (), "Not yet.", complete=False)
    assert sentences.best_moves(nothing) == ()
    assert sentences.reason(nothing) == "Not yet."


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("number-duel", r"Player 1 .* wins 61/160 \(38%\), draws 3/160 "),
        ("number-duel:hand=3,deal=231-132/3x2", r"Player 2 .* never wins, draws 1/2 \(50%\)"),
        ("number-circle", "Player 1 .* wins in 11 turns"),
    ],
)
def test_solve_says_the_same_in_text(code: str, line: str) -> None:
    assert re.search(line, run("solve", code).out)


@every_game
def test_chances_are_told_by_the_verdict_alone_and_a_turn_is_one_of_both_players(game_id: str) -> None:
    for _, found in positions(game_id):
        said = f"{found.reason} {found.thought}"
        assert "%" not in said
        assert not re.search("win [0-9]+ times|draw [0-9]+ times", said)
        if told := re.search("([0-9]+) turns", said):
            assert int(told[1]) == found.plies
        assert " %" not in sentences.outlook(found, Voice())


def test_moves_may_hold_different_counts_of_numbers() -> None:
    """A region to compare is found among 3, 3-4 and a move without any number."""
    moves = [rated("3", "win", 1, 1), rated("3-4", "loss", 2), rated("pass", "loss"), rated("12-1-2", "loss", 2)]
    found = analysis_from(0, 1, 1, moves, "It wins.")
    (region,) = found.shown
    assert (found.moves[0].move, region.kind, len(region.moves)) == ("3", "region", 2)
    assert "3" in region.moves
    assert analysis_from(0, -1, 0, (), "Nothing can be done.").shown == ()


@pytest.mark.parametrize(
    ("reason", "after"),
    [
        ("Pick 60: it ends in 0.", "It ends in 0."),
        ("Play +3. 2+3+4+5+6 = 20: 4 steps.", "2+3+4+5+6 = 20: 4 steps."),
        ("Pick 8, then answer 6 with its partner 5.", "Then answer 6 with its partner 5."),
        ("Claim 15 and copy: answer every number.", "Copy: answer every number."),
        ("Attack with 2 at position 2: it beats the 1 there.", "It beats the 1 there."),
        ("Pick 9, which stays single, then answer 1 with 3.", "Pick 9, which stays single, then answer 1 with 3."),
        ("You have room for 2 picks.", "You have room for 2 picks."),
    ],
)
def test_after_the_move_a_reason_does_not_ask_for_it(reason: str, after: str) -> None:
    assert sentences.after_move(reason) == after
