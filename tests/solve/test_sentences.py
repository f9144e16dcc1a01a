"""The verdict in words: sentences and hints say what the analysis says, in real positions of every game."""

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

from duelbox.core.code import parse_code
from duelbox.core.model import player
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import analyse, sentences
from duelbox.solve.api import Analysis, Mark, Rated, Verdict
from duelbox.solve.rating import region, summed
from tests.command_line import run
from tests.effort import sampled
from tests.games.reasons import RECOMMENDED, recommended
from tests.golden.said import Said
from tests.house_rules import SOLVED, house_rules

POSITIONS = sampled(10, 30)
"""Where each move is solved, too, so many are tried."""


@cache
def positions(game_id: str) -> tuple[tuple[Session, Analysis], ...]:
    """Positions of random games by random house rules, small enough to be solved at once."""
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


# -- what moves are worth


@given(st.fractions(0, 1))
def test_a_per_cent_is_near_and_never_certain_without_being_so(share: Fraction) -> None:
    shown = int(sentences.percent(share).removesuffix("%"))
    assert abs(shown - share * 100) <= 1
    assert (shown == 0) == (share == 0)
    assert (shown == 100) == (share == 1)


@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle", "sequence-duel", "digit-chain"])
def test_a_move_is_worth_what_the_opponent_then_faces(game_id: str) -> None:
    """After a win in 3 the opponent loses in 2, after a loss in 4 they win in 3; or, with no turns told, some time."""
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
        (analysis(rated("7", "win", 3)), "Player 1 wins in 3 turns"),
        (analysis(rated("7", "win", 1), turn=1), r"Player 2 wins in 1 turn\b"),
        (analysis(rated("7", "win")), r"Player 1 wins\.$"),
        (analysis(rated("7", "loss", 2), turn=1), "Player 2 loses in 2 turns"),
        (analysis(rated("7", "draw")), "draw"),
        (analysis(rated("7", "chance", None, "0.38")), r"Player 1 wins 38% of games\.$"),
        (
            analysis(rated("7", "chance", None, "0.38", "0.02")),
            "Player 1 wins 38% .* 2% .* 39% ",
        ),
        (
            analysis(rated("7", "chance", None, 0, "0.5")),
            "Player 1 never wins .* 50% .* 25% ",
        ),
    ],
)
def test_the_verdict_is_one_sentence(found: Analysis, sentence: str, said: Said) -> None:
    told = sentences.verdict_sentence(found)
    assert re.search(sentence, told)
    said(told)


@every_game
def test_the_sentence_names_the_one_to_move(game_id: str) -> None:
    for session, found in positions(game_id)[:POSITIONS]:
        assert session.turn is not None
        assert found.verdict == "draw" or player(session.turn) in sentences.verdict_sentence(found)


# -- hints


def best_known(found: Analysis) -> set[str]:
    """The moves that are as good as any, as far as anybody has counted."""
    top = max((move.value, -move.draw) for move in found.moves)
    alike = [move for move in found.moves if (move.value, -move.draw) == top]
    if found.verdict == "win" and any(move.plies == 1 for move in alike):
        return {move.move for move in alike if move.plies == 1}
    ends = [move.plies for move in alike if move.plies is not None]
    if len(ends) < len(alike):
        return {move.move for move in alike}
    end = min(ends) if found.verdict == "win" else max(ends)
    return {move.move for move in alike if move.plies == end}


def check_first_hint(found: Analysis, sentence: str) -> None:
    """Hold a first hint to what is known: it compares the best move with worse ones, or gives something to try."""
    best, total, first = best_known(found), len(found.moves), found.moves[0]
    told = sentence.removeprefix("Hint 1 of 3. ")
    if total == 1:
        assert told == f"You have only one move: {first.move}."
    elif found.verdict == "loss":
        tried = re.fullmatch(r"Every move loses against best play\. Try ([-+x0-9]+)(.*)\.", told)
        assert tried
        assert tried[1] == first.move
        if "lasts longer" in tried[2]:
            assert all(move.plies is not None and move.plies <= (first.plies or 0) for move in found.moves)
    elif compared := re.fullmatch(r"Compare (.*)\. Only one of them (.*)\.", told):
        named = re.findall(r"[-+]?\d+(?:x\d+)?", compared[1])
        rest = [move for move in found.moves if move.move in named and move != first]
        assert 1 <= len(rest) == len(named) - 1 <= 2
        assert first.move in named
        assert all(worse_known(move, first) for move in rest)
        meant = {"draw": "keeps the draw", "chance": "gives the best chance"}
        soonest = " soonest" if any(move.verdict == "win" for move in rest) else ""
        assert compared[2] == meant.get(found.verdict, f"wins{soonest}")
    else:
        every = "Both" if total == 2 else f"All {total}"
        uncounted = any(move.plies is None for move in found.moves) and found.verdict == "win"
        assert told == f"{every} moves {'win' if uncounted else 'are worth the same here'}."
        assert len(best) == total


def worse_known(one: Rated, best: Rated) -> bool:
    """Whether a move wins less, or later than the best by all that was counted."""
    if one.value == best.value and one.draw == best.draw:
        return best.plies == 1 or (None not in (one.plies, best.plies) and one.plies != best.plies)
    return one.value < best.value or one.draw > best.draw


@pytest.mark.parametrize(
    "code", ["circle-duel:size=30,reach=3/1.2", "digit-chain:zero=wild/12", "sequence-duel:size=44"]
)
def test_the_first_hint_does_not_say_soonest_or_longest_where_nobody_counted(code: str) -> None:
    played = parse_code(code, find_game)
    found = analyse(played.game, played.state)
    assert None in {move.plies for move in found.moves}
    assert not re.search("soonest|longe|same", sentences.hint(found, 1))
    check_first_hint(found, sentences.hint(found, 1))


@every_game
def test_the_move_a_reason_recommends_is_the_first_of_the_best_and_the_hints_agree(game_id: str) -> None:
    count = 0
    for session, found in positions(game_id):
        check_first_hint(found, sentences.hint(found, 1))
        first = found.moves[0]
        assert sentences.hint(found, 3) == f"Hint 3 of 3. Play {first.move}."
        assert first.move in best_known(found), session.code()
        assert (first.value, first.draw) == (found.value, found.draw), session.code()
        assert found.plies in (None, first.plies), session.code()
        count += recommended(found) is not None
    assert count > 5


@every_game
def test_the_second_hint_is_an_idea_without_the_move(game_id: str) -> None:
    ideas = 0
    for session, found in positions(game_id):
        hint = sentences.hint(found, 2)
        same = (
            len(found.moves) > 1 and all(move.verdict == "win" for move in found.moves) and "Look for a" in found.idea
        )
        if same:
            quickest = {move.plies for move in found.moves} != {found.plies}
            assert "very move wins" in hint
            assert quickest or "quickest" not in hint
        else:
            assert hint == f"Hint 2 of 3. {found.idea or found.reason}"
        ideas += bool(found.idea)
        if found.idea:
            assert found.idea.endswith(".")
            assert not re.search(RECOMMENDED, found.idea), f"{session.code()}: {found.idea}"
        else:
            assert len(found.moves) == 1 or found.verdict != "win" or not re.match(RECOMMENDED, found.reason)
    assert ideas > 5


LOST = "very move loses .*"


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ([rated("7", "win", 3)], r"only one move: 7\."),
        ([rated("7", "loss", 2), rated("8", "loss", 2)], f"{LOST} 7, .* Player 2 "),
        ([rated("7", "loss"), rated("8", "loss", 4)], f"{LOST} 7, .* Player 2 "),
        ([rated("8", "loss", 4), rated("7", "loss", 2)], f"{LOST} 8: .* longer"),
        ([rated("7", "win", 3), rated("8", "win")], "Both moves win"),
        ([rated("7", "win", 3), rated("8", "loss", 2)], r"7 and 8\. .* wins\.$"),
        ([rated("7", "win", 3), rated("8", "win", 5)], r"7 and 8\. .* soonest"),
        ([rated("7", "win", 3), rated("8", "win", 3), rated("9", "win", 3)], "All 3 moves .* the same"),
        (
            [rated("7", "win", 1), rated("8", "win"), rated("9", "loss")],
            r"7, 8 and 9\. .* soonest",
        ),
        (
            [rated("8", "win", 3), rated("7", "win"), rated("9", "loss"), rated("1", "loss"), rated("2", "loss")],
            r"2, 8 and 9\. .* wins\.$",
        ),
        (
            [rated("+10", "draw"), rated("+2", "draw"), rated("-10", "loss", 2)],
            r"\+10 and -10\. .* draw",
        ),
        (
            [
                rated("2x1", "chance", None, "0.5"),
                rated("3x1", "chance", None, "0.4"),
                rated("2x2", "chance", None, "0.3"),
            ],
            r"2x1, 2x2 and 3x1\. .* best chance",
        ),
    ],
)
def test_first_hints_in_words(moves: list[Rated], sentence: str, said: Said) -> None:
    found = analysis(*moves)
    told = sentences.hint(replace(found, shown=region(found.moves)), 1)
    assert told.startswith("Hint 1 of 3.")
    assert re.search(sentence, told)
    said(told)


def test_a_lost_position_says_what_the_opponent_may_miss() -> None:
    found = analysis(rated("7", "loss", 2), rated("8", "loss", 2))
    shown = Mark("pairs", pairs=(("7", "12"), ("8", "9")))
    assert sentences.hint(replace(found, shown=(shown,)), 1).endswith("Try 7: Player 2 may miss 12.")


def test_best_moves_of_nothing_are_none() -> None:
    nothing: Any = Analysis(0, "win", 3, Fraction(1), Fraction(0), (), "Not yet.", complete=False)
    assert sentences.best_moves(nothing) == ()


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
        said = f"{found.reason} {found.idea}"
        assert "%" not in said
        assert not re.search("win [0-9]+ times|draw [0-9]+ times", said)
        if told := re.search("([0-9]+) turns", said):
            assert int(told[1]) == found.plies
        assert " %" not in sentences.verdict_sentence(found)


def test_moves_may_hold_different_counts_of_numbers() -> None:
    """A region to compare is found among 3, 3-4 and a move without any number."""
    moves = [rated("3", "win", 1, 1), rated("3-4", "loss", 2), rated("pass", "loss"), rated("12-1-2", "loss", 2)]
    found = summed(0, 1, 1, moves, "It wins.")
    (region,) = found.shown
    assert (found.moves[0].move, region.kind, len(region.moves)) == ("3", "region", 3)
    assert "3" in region.moves
    assert summed(0, -1, 0, (), "Nothing can be done.").shown == ()
