"""Lessons, puzzles and mistakes at a table without a screen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from duelbox.core.news import Moved, News
from duelbox.learn.ideas import Again, Missed
from duelbox.learn.lessons import Course, lessons_of
from duelbox.learn.mistakes import Mistakes, mistakes_in
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.learn.puzzles import PRACTICE, Puzzle, puzzles_in
from duelbox.learn.turning_points import turning_points
from duelbox.registry import BUILT_IN
from duelbox.table.lesson_table import LessonTable
from duelbox.table.mistakes_table import MistakesTable
from duelbox.table.new_game import read_new_game
from duelbox.table.prompts import Prompts
from duelbox.table.puzzle_table import PuzzleTable
from duelbox.table.state import Frontend, TableState
from duelbox.table.trial_table import TrialTable
from duelbox.ui.game_board import board_of
from tests.effort import sampled

PUZZLE = Puzzle(code="sequence-duel/5.8.19.17.12.2.4", grade=3, line=("14", "10", "7"))


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for every attempt to be judged, even on a busy machine."""
    monkeypatch.setattr("duelbox.table.trial_table.JUDGING", 60)


class Noting(Frontend):
    """A frontend that records what is shown, opened, copied and kept."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.copied = ""
        self.kept: list[tuple[str, str, Mapping[str, Any]]] = []
        self.moves: list[str] = []

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        self.moves += [str(one.ply.move.number) for one in news if isinstance(one, Moved)]

    def open(self, place: str) -> None:
        self.opened.append(place)

    def copy(self, text: str) -> None:
        self.copied = text

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        self.kept.append((kind, key, value))


async def test_an_answer_rings_no_bell_as_it_follows_at_once() -> None:
    table = PuzzleTable([PUZZLE])
    await table.play("14")
    assert [one.ply.move.number for one in table.take_news() if isinstance(one, Moved)] == [14]
    table.lay()
    (answer,) = table.take_news()
    assert isinstance(answer, Moved)
    assert not table.rings(answer)


def laid(table: TrialTable[Any]) -> tuple[TableState, Noting]:
    frontend = Noting()
    return TableState(table, board_of(table.game.INFO.id), frontend), frontend


async def tried(state: TableState, move: str) -> None:
    """Type a move, and try it."""
    for char in move:
        assert state.type(char, is_key=False)
    await state.do("play")


async def test_a_puzzle_is_solved_without_a_screen() -> None:
    solve = PuzzleTable([PUZZLE])
    state, frontend = laid(solve)
    assert state.prompts.note == "Your move: win."
    await tried(state, "16")
    assert (state.prompts.prompt, state.prompts.tone, state.prompts.line) == ("Not yet", "refused", "16")
    assert state.prompts.any_key == "play"
    assert not any((state.may_move, state.prompts.works("hint"), state.prompts.works("answer")))
    for move in PUZZLE.line[::2]:
        await state.do("play")
        await tried(state, move)
        assert state.prompts.note.startswith(f"{move} is right. ")
    await state.do("play")
    assert (state.prompts.prompt, state.prompts.tone) == ("Solved", "ended")
    await state.do("share")
    assert frontend.copied == state.prompts.note
    assert frontend.moves == ["16", "10", "14", "10", "7"], "each try, with its answer"
    [(kind, key, value)] = frontend.kept
    assert (kind, key, value["tries"]) == ("puzzle", PUZZLE.code, [False, True, True])
    await state.do("play")
    assert frontend.opened == ["next"]


@pytest.mark.parametrize("puzzle", [*puzzles_in(PRACTICE)[:: sampled(12, 2)]], ids=lambda one: one.code[:30])
async def test_in_a_puzzle_nobody_is_called_player_1_or_2(puzzle: Puzzle) -> None:
    """The solver is You, and the other one Opponent, in every sentence of a wrong try, a hint and a right try."""
    solve = PuzzleTable([puzzle])
    state, _ = laid(solve)
    assert {who.name for who in solve.players} == {"You", "Opponent"}
    assert solve.voice.whom(solve.session.turn) == "you"

    def read() -> None:
        told = state.prompts
        assert "Player " not in f"{told.note} {told.prompt} {told.story} {told.parts}"

    read()
    moves = map(solve.game.format_move, solve.session.legal_moves())
    wrong = next((move for move in moves if move not in solve.trial.right), None)
    if wrong is not None:
        await state.take(wrong)
        read()
        assert not re.search(r"\bYou (has|is|loses|wins|cannot be)\b", state.prompts.note)
        await state.do("play")
    await state.do("hint")
    read()
    await state.take(puzzle.line[0])
    read()


async def test_a_right_try_is_explained_before_it_is_answered() -> None:
    state, frontend = laid(PuzzleTable([PUZZLE]))
    await tried(state, "14")
    assert frontend.moves == ["14"]
    assert (state.prompts.prompt, state.prompts.parts) == ("Right", (("Enter: go on", "play"),))
    await state.do("play")
    assert frontend.moves == ["14", "10"]


@pytest.mark.parametrize("game_id", BUILT_IN)
async def test_a_lesson_explains_a_right_move_before_the_board_goes_on(game_id: str) -> None:
    lessons = lessons_of(game_id)
    for number, at in ((number, at) for number, lesson in enumerate(lessons) for at in range(len(lesson.step))):
        table = LessonTable(Course(lessons, number, at))
        if not table.trial.step.play:
            continue
        state, frontend = laid(table)
        played = table.session.copy()
        played.type(table.trial.right[0])
        await state.take(table.trial.right[0])
        if table.trial.goes_on:
            assert table.session.code() == played.code()
            await state.do("play")
            assert table.session.code().startswith(f"{played.code()}.")
            assert len(frontend.moves) >= 2, "the answer is told"


@pytest.mark.parametrize("game_id", BUILT_IN)
async def test_a_wrong_try_is_told_with_the_right_names(game_id: str) -> None:
    """The learner is called Player 1 in either seat, so names must not be filled in twice."""
    lessons = lessons_of(game_id)
    for number, at in ((number, at) for number, lesson in enumerate(lessons) for at in range(len(lesson.step))):
        table = LessonTable(Course(lessons, number, at))
        state, _ = laid(table)
        moves = map(table.game.format_move, table.session.legal_moves())
        wrong = next((move for move in moves if move not in table.trial.right), None)
        assert state.prompts.note == table.session.named(table.trial.asked)
        if wrong is not None:
            await state.take(wrong)
            assert table.attempt is not None
            assert state.prompts.note == f"{table.attempt.sentence} {table.session.named(table.trial.asked)}"


async def test_hints_go_on_where_they_were_left_by_a_wrong_try() -> None:
    session = read_new_game("sequence-duel:size=11/3.5.7.1.11.9").session
    mend = MistakesTable(Mistakes(mistakes_in([(session, turning_points(session), None)])))
    state, _ = laid(mend)
    for step in (1, 2):
        await state.do("hint")
        assert f"Hint {step} of 3" in state.prompts.note
    legal = map(mend.game.format_move, mend.session.legal_moves())
    await state.take(next(move for move in legal if move not in mend.trial.right))
    await state.do("play")
    assert state.prompts.note == "You played 7 here, and the win was gone. What keeps the win?"
    await state.do("hint")
    assert "Hint 3 of 3" in state.prompts.note
    assert state.line in mend.trial.right
    await state.do("play")
    await state.do("play")
    assert mend.trial.results == {0: "helped"}


async def test_a_kept_mistake_that_is_left_out_stays_due() -> None:
    session = read_new_game("sequence-duel:size=11/3.5.7.1.11.9").session
    found = mistakes_in([(session, turning_points(session), None)])[:2]
    missed = Missed(played=found[0].played, names=session.names, day=date(2026, 1, 1))
    mend = MistakesTable(Mistakes(found), kept=[Again(f"idea {at}", "", missed) for at in range(2)])
    state, frontend = laid(mend)
    await state.do("skip")
    assert frontend.kept == []
    await tried(state, mend.trial.right[0])
    await state.do("play")
    [(kind, key, value)] = frontend.kept
    assert (kind, key, value["found"], value["code"]) == ("mistake", "idea 1", True, found[1].session.code())


@pytest.mark.parametrize("plays_it", [False, True])
async def test_a_kept_mistake_whose_answer_was_shown_stays_due(plays_it: bool) -> None:
    session = read_new_game("sequence-duel:size=11/3.5.7.1.11.9").session
    found = mistakes_in([(session, turning_points(session), None)])[:1]
    missed = Missed(played=found[0].played, names=session.names, day=date(2026, 1, 1))
    state, frontend = laid(MistakesTable(Mistakes(found), kept=[Again("idea", "", missed)]))
    await state.do("answer")
    if plays_it:
        await state.do("play")
        await state.do("play")
    else:
        await state.do("skip")
    assert frontend.kept == []


async def test_a_position_of_the_day_whose_answer_was_shown_says_that_it_stays() -> None:
    day = date(2027, 1, 6)
    puzzle = Puzzle(code=PUZZLE.code, grade=3, line=PUZZLE.line[:1])
    table = PuzzleTable([puzzle, PUZZLE], day)
    state, frontend = laid(table)
    await state.do("answer")
    await state.do("play")
    await state.do("play")
    assert "The answer was shown: this position stays to do." in state.prompts.note
    assert table.place.startswith("Wed 6 Jan · 1 of 2 ··")
    assert frontend.kept, "it counts as tried"


@pytest.mark.parametrize(("missed", "first"), [(True, True), (False, True), (True, False)])
async def test_a_miss_in_the_first_position_of_a_day_offers_its_lesson(missed: bool, first: bool) -> None:
    puzzle = Puzzle(code="sequence-duel/9.5.7.3.15.18.12.17.13.19", grade=1, line=("1",), idea="count the end")
    done = () if first else (PuzzleResult(grade=1, at_once=(True,), day="2027-01-06"),)
    state, frontend = laid(PuzzleTable([puzzle], date(2027, 1, 6), done))
    if missed:
        await state.do("hint")
    await tried(state, "1")
    await state.do("play")
    assert (("t: its lesson", "lesson") in state.prompts.parts) == (missed and first)
    await state.do("lesson")
    assert frontend.opened == ["lesson"] * (missed and first)


async def test_a_wrong_try_is_taken_back_by_itself_but_not_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = PuzzleTable([PUZZLE])
    state, _ = laid(solve)
    await tried(state, "16")
    first = solve.attempt
    assert first is not None
    await state.do("play")
    await tried(state, "16")
    solve._take_back(state, first)
    assert solve.attempt is not None, "the first try's time is over, not this one's"
    monkeypatch.setattr("duelbox.table.trial_table.TAKEN_BACK", 0)
    await state.do("play")
    await tried(state, "16")
    while solve.attempt is not None:
        await asyncio.sleep(0)
    assert state.prompts.note == "Your move: win."
