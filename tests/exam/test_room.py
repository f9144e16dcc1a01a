"""A room of players: nobody is asked twice, a program that was killed goes on, a person is asked in lines."""

from __future__ import annotations

import json
import os
import sys
from itertools import islice
from pathlib import Path

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.exam.kept import Kept
from duelbox.exam.marks import level
from duelbox.exam.paper import Paper
from duelbox.exam.results import mistakes, reason
from duelbox.exam.room import ANCHORS, Room
from duelbox.exam.sitting import Sitting
from tests.command_line import run

ASKED = """
import sys
for line in sys.stdin:
    word, *rest = line.split(maxsplit=3)
    if word == "hello":
        print("ready", sys.argv[1], flush=True)
    elif word == "turn":
        open(__file__ + ".asked", "a").write(rest[2])
        print("move", rest[1].split(".")[0], flush=True)
"""
"""A program that takes the first legal move, and notes each question in a file beside it."""


def program(folder: Path, name: str = "First") -> str:
    """The player on the command line."""
    file = folder / "program.py"
    if not file.exists():
        file.write_text(ASKED)
    return f"run:{sys.executable} {file} {name}"


def questions(folder: Path) -> int:
    """The number of questions that the program was asked."""
    return len((folder / "program.py.asked").read_text().splitlines())


def test_a_paper_grows_and_nobody_is_asked_twice(tmp_path: Path) -> None:
    room = Room(7, (program(tmp_path), "bot:3"))
    list(room.sit(10))
    assert room.whole(10)
    assert questions(tmp_path) == 10
    for _ in room.sit(20):
        assert room.results.positions == 10, "the table of the shorter paper stays until the longer one is done"
    room.close()
    assert room.whole(20)
    assert questions(tmp_path) == 20
    rows = room.results.rows
    assert [row.regret for row in rows] == sorted(row.regret for row in rows)
    assert len(rows) == len(ANCHORS) + 1, "a level that was asked for stands once"
    assert room.results.players[1].graded == level(3, Paper(7, 20).questions).graded


def test_a_program_goes_on_where_a_killed_exam_left_it(tmp_path: Path) -> None:
    player = program(tmp_path)
    left = Room(7, (player,), folder=tmp_path / "home")
    for at in left.sit(10):
        if at.name == "First" and at.done == 4:
            break
    left.close()
    asked = questions(tmp_path)
    assert asked in (4, 5)
    room = Room(7, (player,), folder=tmp_path / "home")
    list(room.sit(10))
    room.done()
    assert questions(tmp_path) == 10 + asked - 4
    assert room.results.players[0].name == "First"
    whole = Room(7, (player,))
    list(whole.sit(10))
    assert [row.graded for row in whole.results.players] == [row.graded for row in room.results.players]
    assert not list((tmp_path / "home").glob("exam.*"))
    for one in (room, whole):
        one.close()


def test_a_changed_program_begins_anew(tmp_path: Path) -> None:
    player = program(tmp_path)
    left = Room(7, (player,), folder=tmp_path / "home")
    list(islice((at for at in left.sit(10) if at.name == "First"), 4))
    left.close()
    os.utime(tmp_path / "program.py", (1, 1))
    (tmp_path / "program.py.asked").unlink()
    room = Room(7, (player,), folder=tmp_path / "home")
    list(room.sit(10))
    room.close()
    assert questions(tmp_path) == 10


def test_a_damaged_file_of_kept_answers_ends_at_the_damage(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "a")
    for number in range(3):
        kept.add({"id": number})
    assert Kept(tmp_path, "a").lines == (), "another process keeps nothing meanwhile"
    kept.close()
    (file,) = tmp_path.glob("exam.*")
    file.write_bytes(file.read_bytes() + b'{"id"')
    for facts, lines in (("a", [0, 1, 2]), ("b", [])):
        kept = Kept(tmp_path, facts)
        assert [line["id"] for line in kept.lines] == lines
        kept.close()


def test_programs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    room = Room(7, (program(tmp_path), f"{program(tmp_path)} ", program(tmp_path, "Dash")))
    list(room.sit(5))
    room.close()
    assert [player.name for player in room.results.players] == ["First", "First 2", "Dash 2"]


def test_the_dearest_mistake_has_its_reason() -> None:
    room = Room(7, ("bot:1",))
    list(room.sit(20))
    (dash,) = room.results.players
    found = mistakes(dash)
    assert [graded.regret for _, graded in found] == sorted((graded.regret for _, graded in found), reverse=True)
    assert reason(*found[0])
    assert mistakes(room.results.anchors[0]) == [], "chance has no answers"


def test_a_player_that_cannot_sit_is_refused() -> None:
    for wrong in ("bot:6", "greedy", "You"):
        with pytest.raises(DuelboxError, match="A player is run:COMMAND"):
            Room(7, (wrong,))


def typed(move: str) -> list[str]:
    """The lines that a person types for a move: two where it has two parts."""
    if move[0] in "+-":
        return [move[1:], move[0]]
    return move.split("x")


def test_a_person_answers_in_lines_leaves_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path))
    sitting = Sitting(7, 5, {})
    moves = []
    while not sitting.done:
        values = sitting.question.values
        best = max(values, key=values.__getitem__)
        sitting.answer(best)
        moves.append("\n".join(typed(best)))
    asked = ("exam", "me", "--plain", "--seed", "7", "--positions", "5")
    first = run(*asked, typed=f"{moves[0]}\n999\n{moves[1]}\nhint\nquit\n").out
    assert "seed 7, question 3 of 5" in first
    assert "Your answers are kept." in first
    assert "in 100" not in first, "nothing is told before the end"
    assert "right" not in first
    second = run(*asked, typed="".join(f"{move}\n" for move in moves[2:])).out
    assert "question 3 of 5" in second
    assert "question 2 of 5" not in second
    assert "You          0.0 +-  0.0   100 %" in second
    third = json.loads(run(*asked, "--json").out)
    assert third["players"][0]["name"] == "You"
    assert [row["player"] for row in third["dearest"]] == ["You", "Dash", "Peek", "Counter", "Planner", "Oracle"]


def test_a_fault_of_a_program_is_explained_and_its_errors_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path))
    file = tmp_path / "wrong.py"
    file.write_text(
        "import sys\n" + ASKED.replace('rest[1].split(".")[0]', '999, file=sys.stderr) or print("move 999"')
    )
    asked = ("exam", f"run:{sys.executable} {file} Wrong", "--seed", "4", "--positions", "2")
    told = run(*asked).out
    sentence = "The program 'Wrong' played '999', which is not legal here."
    assert f"First fault: 4-001, Number Circle Duel. {sentence}" in told
    assert "999" in (tmp_path / "program.wrong.txt").read_text()
    fault = {"player": "Wrong", "id": "4-001", "game": "circle-duel", "sentence": sentence}
    assert json.loads(run(*asked, "--json").out)["faults"] == [fault]
    assert json.loads(run("exam", "bot:1", "--positions", "2", "--json").out)["faults"] == []
    (tmp_path / "program.wrong.txt").unlink()
    run("exam", "--league", asked[1], "bot:1", "--games", "1", "--rules", "sequence-duel")
    assert "999" in (tmp_path / "program.wrong.txt").read_text(), "of a league, too"


def test_players_of_an_exam_stand_after_options_too() -> None:
    told = run("exam", "bot:1", "--positions", "2", "bot:2", "--json", "--seed", "4", "bot:3").out
    assert [row["name"] for row in json.loads(told)["players"]] == ["Dash", "Peek", "Counter"]
    assert "does not know --sed." in run("exam", "bot:1", "--sed", "4", "bot:2").err


def test_a_person_needs_a_terminal_or_plain_lines() -> None:
    refused = run("exam", "me")
    assert refused.status == 2
    assert "exam me --plain" in refused.err
