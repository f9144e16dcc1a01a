"""Lessons at the line mode: taken to the end, with wrong tries, help, and words that lead about."""

from __future__ import annotations

import io

import pytest

from duelbox.cli import main
from duelbox.learn.lessons import lesson_of
from duelbox.registry import BUILT_IN


def taken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], game_id: str, *lines: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(["learn", game_id, "--plain"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_lesson_is_taken_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], game_id: str
) -> None:
    lesson = lesson_of(game_id)
    out = taken(monkeypatch, capsys, game_id, *(step.accept[0] for step in lesson.step))
    assert out.count("Right. ") == len(lesson.step)
    assert lesson.rule in out


def test_a_wrong_try_is_answered_and_taken_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("skip", "skip", "skip", "back", "skip", "10", "77", "hint", "help", "rules", "board", "1", "quit")
    out = taken(monkeypatch, capsys, "circle-duel", *words)
    assert "Teacher answers 1." in out
    assert "Play 1." in out
    assert out.count("Step 4 of 6") == 2
    assert out.partition("Your move: board\n")[2].startswith("    1   2       4   5")
    assert out.count("Right. ") == 1
    assert "Step 5 of 6" in out


def test_the_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(BUILT_IN)
    assert main(["learn", "chess"]) == 2
