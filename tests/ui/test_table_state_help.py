"""Hints and verdicts at a table without a screen: only players who may know get them, and they vanish when hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duelbox.core.news import Began
from duelbox.games.number_duel.rules import OpenView
from duelbox.solve import explained
from duelbox.table.hints import analysed, next_hint
from duelbox.ui.glyphs import UNICODE
from duelbox.ui.screens.table import look_of
from tests.ui.test_table_state import DEAL, OVER, Set, make, solved, state


def test_hints_wait_for_the_whole_answer_and_go_on_in_three_steps() -> None:
    at = state("sequence-duel/10.13.7.16")
    assert not at.wants_analysis
    found = solved(at)
    for _ in range(2):  # asking again does not skip a hint that is still to come
        next_hint(at)
        assert at.wants_analysis
        assert at.prompts.note == "Working it out. The hint comes by itself."
        assert look_of(at, UNICODE).hint == ()
        analysed(at, replace(found, complete=False, shown=(), moves=(), advised=""))
    analysed(at, found)
    assert not at.wants_analysis
    for step in (1, 2, 3):
        assert at.prompts.note.startswith(f"Hint {step} of 3.")
        assert ("region" in {mark.kind for mark in look_of(at, UNICODE).hint}) == (step == 2)
        assert bool(look_of(at, UNICODE).hint) == (step > 1)
        assert at.line == (found.advice if step == 3 else "")
        next_hint(at)
    assert at.prompts.note == "There are no more hints: the last one was the move."
    next_hint(at)
    assert at.prompts.note == "There are no more hints: the last one was the move."
    assert at.parsed.fault is None
    at.type("5", is_key=False)
    assert at.line == "5"
    make(at, "4")
    assert (at.hint_step, at.analysis, at.said) == (0, None, "")
    assert not at.wants_analysis


def test_a_late_hint_leaves_what_is_typed() -> None:
    at = state("sequence-duel:size=9/2.8")
    next_hint(at)
    at.hint_step = 3
    at.set_line("5")
    analysed(at, solved(at))
    assert at.line == "5"
    assert at.prompts.note.startswith("Hint 3 of 3.")


@pytest.mark.parametrize(
    ("code", "rounds", "over", "shown"),
    [(DEAL, 1, 0, False), (DEAL, 1, 1, True), (DEAL, 2, 1, False), (DEAL, 2, 2, True), ("number-duel", 2, 1, True)],
)
def test_all_cards_are_shown_after_the_game_unless_the_next_round_has_the_same(
    code: str, rounds: int, over: int, shown: bool
) -> None:
    at = state(code, "Ann", "Dash", rounds=rounds)
    for number in range(over):
        if number:
            at.table.next_round()
            at.heard(Began())
        at.table.session.resign()
    assert isinstance(at.view(), OpenView) == shown


def test_a_hand_lies_open_only_where_nobody_else_looks() -> None:
    for players, peek in ((("Ann", "Dash"), True), (("Ann", "Bo"), False), (("Dash", "Peek"), False)):
        at = state(DEAL, *players)
        assert not look_of(at, UNICODE).peek
        at.frontend = Set(open_hand=True)
        assert look_of(at, UNICODE).peek == peek
        assert at.prompts.works("peek") == (players == ("Ann", "Bo"))


def test_marks_are_on_the_board_only_while_the_verdict_is_shown() -> None:
    at = state("sequence-duel:size=9/2.8")
    analysed(at, solved(at))
    assert look_of(at, UNICODE).worths == {}
    at.verdict_on = True
    assert look_of(at, UNICODE).worths
    make(at, "4")
    assert look_of(at, UNICODE).worths == {}
    assert at.wants_analysis


def test_nothing_is_worked_out_where_no_person_is_to_move() -> None:
    at = state("circle-duel/4", "Ann", "Dash")
    at.verdict_on = True
    assert at.prompts.note == at.table.game.INFO.goal
    over = state(OVER)
    over.verdict_on = True
    assert not over.wants_analysis
    assert over.prompts.card.title == "Bo wins"


def test_a_verdict_of_a_hidden_hand_is_for_the_one_whose_move_it_is() -> None:
    at = state(DEAL, "Dash", "Bo")
    at.verdict_on = True
    assert not at.wants_analysis
    at = state(DEAL)
    at.verdict_on = True
    analysed(at, solved(at))
    at.hand_shown = True
    make(at, "3x2")
    assert not at.wants_analysis
    assert look_of(at, UNICODE).worths == {}
    at.seat_front()
    assert at.wants_analysis


async def test_the_verdict_puts_the_marks_of_a_hint_away() -> None:
    at = state("sequence-duel")
    analysed(at, solved(at))
    await at.do("hint")
    await at.do("hint")
    assert look_of(at, UNICODE).hint
    await at.do("verdict")
    assert look_of(at, UNICODE).worths
    assert look_of(at, UNICODE).hint == ()


def test_a_lost_position_says_once_that_every_move_loses_and_names_the_opponent() -> None:
    at = state("number-circle:target=13,sharing=off,shared_total=on,floor=0/+9.-2.+3.-1.-4.+2.-5", "Ann", "Dash")
    at.verdict_on = True
    analysed(at, next(found for found in explained(at.table.game, at.view()) if found.trap))
    assert at.prompts.verdict.startswith("You lose against best play")
    assert (
        at.prompts.note == "Your only move loses: Dash answers +3 with +6. There is no trap to set: every answer wins."
    )


async def test_enter_with_nothing_typed_says_nothing_twice() -> None:
    at = state("number-duel:deal=31524-42513", "Ann", "Dash")
    await at.do("play")
    asked = at.input.asks(at.view())
    assert asked in at.prompts.parts[0][0]
    assert asked not in at.prompts.note
    assert at.prompts.note.startswith("There is no move yet")
