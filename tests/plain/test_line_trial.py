"""Lessons in lines: taken to the end, with wrong moves, help, and words."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from duelbox.cli import main
from duelbox.learn.course_test import course_test
from duelbox.learn.ideas import Missed, missed_ideas, returning
from duelbox.learn.lessons import Course, course_in, lessons_of
from duelbox.registry import BUILT_IN, find_game
from duelbox.store.store import Store
from tests.command_line import run
from tests.guest_games import toy_with
from tests.learn.test_lessons import HEAD, STEP, put


def taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: str | list[str], *lines: str
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(["learn", *([asked] if isinstance(asked, str) else asked), "--plain"]) == 0
    return capsys.readouterr().out


COURSES = [(game_id, preset.id) for game_id in BUILT_IN for preset in find_game(game_id).PRESETS]


@pytest.mark.parametrize(("game_id", "preset"), COURSES)
def test_a_course_is_taken_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], game_id: str, preset: str
) -> None:
    lessons = course_in(lessons_of(game_id), preset)
    moves = []
    taken_by = Course(lessons)
    for number in range(len(lessons)):
        taken_by.open(number)
        goes_on = True
        while goes_on:
            moves.append(taken_by.right[0])
            taken_by.attempt(moves[-1])
            goes_on = taken_by.go_on()
    out = taken(monkeypatch, capsys, [game_id, "--preset", preset], *moves)
    assert out.count(" is right.") == len(moves)
    steps = set(re.findall(r"^Lesson \d .*, step \d of \d$", out, re.MULTILINE))
    assert len(steps) == sum(len(lesson.step) for lesson in lessons)
    assert [lesson.rule in out for lesson in lessons] == [True] * len(lessons)


def test_a_wrong_try_is_answered_and_taken_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "skip",
        "skip",
        "skip",
        "back",
        "skip",
        "10",
        "77",
        "hint",
        "answer",
        "help",
        "rules",
        "board",
        "1",
        "8",
        "5",
        "quit",
    )
    out = taken(monkeypatch, capsys, ["circle-duel", "partners"], *words)
    assert "Teacher picks 1" in out
    assert "Play 1." in out
    assert out.count("step 4 of 5") == 2
    assert out.partition("Select a number: board\n\n")[2].startswith("    1   2       4   5")
    assert out.count(" is right.") == 3
    assert "step 5 of 5" in out


def test_a_test_is_taken_in_lines_and_ends_in_a_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = course_test("circle-duel", "two-trails", {}).questions
    words = ["hint", *[one.right[0] for one in questions[:6]], "skip", "skip"]
    out = taken(monkeypatch, capsys, ["circle-duel", "test"], *words)
    assert "5 of 8 right at once, 1 with help, 2 wrong, in 0:00." in out
    assert "6 are needed" in out
    rows = out.rpartition("Question")[2].splitlines()[1:]
    assert [row.split("  ")[0].strip() for row in rows if row.strip()][:8] == [str(number) for number in range(1, 9)]


def test_a_lesson_is_chosen_by_its_name_and_its_end_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("skip\n" * 6))
    assert main(["learn", "circle-duel", "room", "--plain"]) == 0
    out = capsys.readouterr().out
    assert "Lesson 1 Room" in out
    assert "duelbox play circle-duel --preset two-trails" in out
    assert "Lesson 2 The number both need" in out
    assert main(["learn", "circle-duel", "moon", "--plain"]) == 2


def test_a_course_goes_on_where_it_was_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = lessons_of("circle-duel")[0].step[0].accept[0]
    assert "step 2 of 6" in taken(monkeypatch, capsys, "circle-duel", right, "quit")
    out = taken(monkeypatch, capsys, "circle-duel")
    assert "step 2 of 6" in out
    assert "step 1 of 6" not in out


def test_a_slow_attempt_is_waited_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("duelbox.table.trial_table.JUDGING", 0)
    out = taken(monkeypatch, capsys, ["circle-duel", "partners"], "77", "10", "5")
    assert "There is no 77 here" in out
    assert "10 is not next to the last number" in out
    assert "5 is right." in out
    assert "step 2 of 5" in out


def test_a_guest_without_a_solver_has_lessons_without_hints(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    installed: Callable[[Path], None],
    tmp_path: Path,
) -> None:
    guest = toy_with(tmp_path)
    put(guest, "1-fours", HEAD + "[[step]]\n" + STEP)
    installed(guest)
    out = taken(monkeypatch, capsys, "toy-heap", "hint", "2", "1")
    assert "hint\nThere is no solver for toy-heap.\n" in out
    assert "2 is not the move." in out
    assert "1 is right. Yes." in out


def test_the_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn"]) == 0
    listed = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
    known = [[game_id, str(at), one.name] for game_id in BUILT_IN for at, one in enumerate(lessons_of(game_id), 1)]
    assert listed == known
    assert main(["learn", "digit-chain", "--list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["name"], len(row["steps"])) for row in rows] == [
        (one.name, len(one.step)) for one in lessons_of("digit-chain")
    ]
    assert main(["learn", "chess"]) == 2


def test_a_missed_move_comes_back_in_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code = "sequence-duel:size=19/1.3.5.7.9"
    missed = Missed(played="11", names=("Ann", "Bo"), idea="mirror", day=date(2020, 1, 1))
    with Store.open() as store:
        store.progress.add("mistake", code, missed.model_dump(mode="json"))
        [again] = missed_ideas([(code, missed.model_dump(mode="json"))]).values()
    position = again.position()
    assert position is not None
    monkeypatch.setattr("sys.stdin", io.StringIO(f"hint\n{position.right[0]}\n"))
    assert main(["puzzle", "--missed", "--plain"]) == 0
    out = capsys.readouterr().out
    assert "An idea that you missed, in another position. You" in out or "in another position. Your" in out
    assert "Hint 1 of 3." in out
    assert "That was all for today." in out
    with Store.open() as store:
        marks = store.progress.all("mistake")
    [again] = missed_ideas(marks).values()
    assert again.found == [False], "it took a hint"
    assert main(["puzzle", "--missed", "--plain"]) == 0
    assert "1 mistake rests until " in capsys.readouterr().out
    assert main(["puzzle", "--missed", "--daily"]) == 2


def test_missed_moves_of_two_games_come_back_game_by_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = []
    with Store.open() as store:
        for code, idea in (("circle-duel", "room"), ("sequence-duel", "mirror"), ("circle-duel/4", "partners")):
            missed = Missed(played="5", names=("Ann", "Bo"), idea=idea, day=date(2020, 1, 1))
            store.progress.add("mistake", code, missed.model_dump(mode="json"))
        ideas = missed_ideas(store.progress.all("mistake")).values()
    for trial, _ in returning(ideas, date.today()):
        moves += [position.right[0] for position in trial.todo]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in moves)))
    assert main(["puzzle", "--missed", "--plain"]) == 0
    out = capsys.readouterr().out
    assert [out.count(text) for text in ("Number Circle Duel", "Sequence Duel")] == [1, 1]
    assert out.index("Number Circle Duel") < out.index("Sequence Duel"), "first the game that has most"
    assert "2 mistakes: 2 found at once." in out


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_in_lines_the_solver_of_a_puzzle_is_you(game_id: str) -> None:
    ran = run("puzzle", game_id, "--seed", "3", "--plain", typed="board\nhint\nanswer\nmoves\nquit\n")
    assert ran.status == 0
    assert "Player " not in ran.out
    assert "You (" in ran.out or "your marker" in ran.out
