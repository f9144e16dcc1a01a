"""Missed ideas come back, each time later and in another position; and the knowledge of each idea."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.learn.ideas import DAYS, Again, Known, Missed, Returned, known_ideas, lost_lately, missed_ideas
from duelbox.learn.lessons import key_of, lesson_on, lessons_of
from duelbox.learn.practice import of_idea
from duelbox.learn.puzzle_maker import guess_chance
from duelbox.learn.puzzles import DAILY, EXERCISES, PRACTICE, puzzles_in, right_moves
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import analyse, solver_of
from duelbox.store.store import Store
from tests.command_line import run

CODE, IDEA = "sequence-duel:size=19/1.3.5.7.9", "mirror"
KEY = f"sequence-duel/{IDEA}"
FIRST = date(2026, 1, 1)
Marks = list[tuple[str, Any]]


def missed(day: date = FIRST, idea: str = IDEA) -> dict[str, Any]:
    return Missed(played="11", names=("Ann", "Bo"), idea=idea, day=day).model_dump(mode="json")


def returned(found: bool, day: date, code: str = "") -> tuple[str, Any]:
    return KEY, Returned(code=code, found=found, day=day).model_dump(mode="json")


def again(marks: Marks) -> Again:
    [one] = missed_ideas(marks).values()
    return one


def of_kinds(**kinds: Marks) -> Callable[[str], Iterable[tuple[str, Any]]]:
    return lambda kind: kinds.get(kind, [])


def test_an_idea_comes_back_later_each_time_until_it_is_found_twice_in_a_row() -> None:
    marks: Marks = [(CODE, missed())]
    day = FIRST + timedelta(DAYS[0])
    for at, days in enumerate((3, 7, 21, 21)):
        assert again(marks).due == day
        marks.append(returned(bool(at % 2), day))
        day += timedelta(days)
    assert (
        again(
            [
                *marks,
                returned(True, day),
            ]
        ).due
        is None
    )
    assert again([*marks, returned(True, day), (CODE, missed(day))]).due == day + timedelta(DAYS[0]), "missed once more"
    assert again([*marks, (CODE, missed())]).missed == 1, "the same game, ended a second time"
    assert again([*reversed(marks)]).due == again(marks).due, "however they came in"


def test_it_comes_back_in_other_positions_of_the_idea() -> None:
    one, seen = again([(CODE, missed())]), set[str]()
    for _ in range(5):
        position = one.position()
        assert position is not None
        code = position.session.code()
        assert code not in {*seen, CODE}
        assert position.analysis.idea is not None
        assert position.analysis.idea.name == IDEA
        assert position.attempt(position.right[0]).right
        assert "another position" in position.asked
        seen.add(code)
        one.come_back(Returned(code=code, found=False, day=FIRST))


def test_a_mistake_without_an_idea_comes_back_itself() -> None:
    one = again([("sequence-duel:size=11/3.5", missed(idea="").copy() | {"played": "7"})])
    position = one.position()
    assert position is not None
    assert (position.session.code(), position.played) == ("sequence-duel:size=11/3.5", "7")
    assert again([("sequence-duel:size=11/3.5", missed(idea=""))]).key == "sequence-duel:size=11/3.5"


def test_results_under_an_old_name_of_an_idea_count_for_the_new_one() -> None:
    code = "sequence-duel:size=19/1.3"
    old_return = returned(found=True, day=FIRST + timedelta(1))[1]
    marks = [(code, missed(idea="largest stake")), ("sequence-duel/largest stake", old_return)]
    kept = again(marks)
    assert kept.key == "sequence-duel/where most is at stake"
    assert (kept.missed, kept.found) == (1, [True])
    position = kept.position()
    assert position is not None
    assert position.analysis.idea is not None
    assert position.analysis.idea.name == "where most is at stake"
    assert [last.idea for _, last in lost_lately(marks, "sequence-duel")] == ["where most is at stake"]


def test_the_idea_of_every_stored_puzzle_is_an_idea_of_its_game() -> None:
    known = {game_id: {idea.name for idea in solver_of(game_id).ideas} | {""} for game_id in BUILT_IN}
    for file in (DAILY, PRACTICE, EXERCISES):
        assert [one for one in puzzles_in(file) if one.idea not in known[one.game_id]] == []


def test_what_cannot_be_read_is_left_out() -> None:
    strange = [
        None,
        1,
        [],
        {},
        {"due": 1},
        {"due": "never"},
        {"day": "x"},
        {**missed(), "names": ["\x1b[2J", "Bo"]},
        {"played": 1},
        {**missed(), "day": "9999-12-32"},
        {**missed(), "day": "9999-12-31"},
        {**missed(), "day": "2023-02-29"},
    ]
    marks: Marks = [("?", one) for one in strange]
    assert missed_ideas(marks) == {}
    assert again([*marks, (CODE, missed())]).missed == 1
    assert again([(CODE, {**missed(), "day": "2024-02-29"})]).due == date(2024, 3, 1)


def test_the_weakest_idea_comes_first_and_each_leads_to_its_lesson() -> None:
    puzzle = next(one for one in puzzles_in(PRACTICE) if one.idea == "room")
    attempt = {"grade": 2, "at_once": [True]}
    lesson = lessons_of("circle-duel")[2]
    known = known_ideas(
        of_kinds(
            mistake=[(CODE, missed()), returned(False, FIRST)],
            puzzle=[(puzzle.code, attempt), (puzzle.code, {**attempt, "shown": True}), ("?", attempt)],
            lesson=[(key_of("circle-duel", lesson), {"step": 2, "done": False})],
        )
    )
    one, two, *rest = known
    assert (one.idea, one.solved, one.tried, one.missed, one.due) == (IDEA, 0, 1, 1, FIRST + timedelta(3))
    assert (two.idea, two.solved, two.tried, two.steps, two.of_steps) == ("room", 1, 1, 2, 5)
    assert not any(other.begun for other in rest)
    assert len(known) == sum(len(solver_of(game_id).ideas) for game_id in BUILT_IN)
    for other in known:
        assert other.unit is not None
        assert lessons_of(other.game)[other.unit - 1].idea == other.idea


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_lesson_has_ten_puzzles_of_its_idea(game_id: str) -> None:
    for idea in solver_of(game_id).ideas:
        puzzles = of_idea(game_id, idea.name)
        assert len({one.code for one in puzzles}) >= 10
        assert {one.idea for one in puzzles} == {idea.name}
        assert lesson_on(lessons_of(game_id), idea) is not None


def test_exercises_have_one_right_move_and_the_idea_they_name() -> None:
    for one in puzzles_in(EXERCISES):
        session = parse_code(one.code, find_game)
        found = analyse(session.game, session.view(session.turn))
        lone = right_moves(session, found)
        assert lone is not None
        assert one.line[0] in lone.moves
        assert guess_chance([session]) <= (1 if len(one.line) > 1 else 0.5)
        assert found.idea is not None
        # partners decide after the odd one out was picked, so these lines go on until a partner answers
        assert one.idea == found.idea.name or (one.idea == "partners" and len(one.line) > 2)


# -- the command


def export(path: Path, name: str, puzzles: int) -> str:
    with Store.open(path / name) as store:
        for one in puzzles_in(PRACTICE)[:puzzles]:
            store.progress.add("puzzle", one.code, {"grade": one.grade, "at_once": [True]})
        store.progress.add("mistake", CODE, missed())
        (path / f"{name}.json").write_text(store.progress.export(), encoding="utf-8")
    return str(path / f"{name}.json")


def test_progress_is_told_in_lines_and_as_json() -> None:
    assert "Nothing yet" in run("progress").out
    with Store.open() as store:
        store.progress.add("mistake", CODE, missed())
    told = run("progress").out
    assert told.splitlines()[1].split("  ")[0] == IDEA
    assert 'duelbox learn sequence-duel 2, then duelbox puzzle sequence-duel --idea "mirror"' in told
    first = json.loads(run("progress", "--json").out)[0]
    assert (first["game"], first["idea"], first["unit"], first["missed"], first["due"]) == (
        "sequence-duel", IDEA, 2, 1, "2026-01-02",
    )  # fmt: skip
    assert set(first) == set(Known.__dataclass_fields__)


def test_many_pupils_are_told_in_one_table_and_bad_files_in_a_sentence_each(tmp_path: Path) -> None:
    good = [export(tmp_path, "Ann", 3), export(tmp_path, "Ben", 0)]
    bad = {
        "twice": Path(good[0]).read_bytes(),
        "none": b"",
        "latin": b'{"duelbox": 1, "progress": [{"kind": "\xe9"}]}',
        "deep": b'{"duelbox": 1, "progress": [{"kind": "a", "key": "", "at": 1, "value": ' + b"[" * 100_000,
        "huge": b" " * 4_000_001,
        "other": b"[]",
        "late": b'{"progress":[{"kind":"a","key":"b","at":"0001-01-01T00:00:00+23:00","value":1}]}',
    }
    for name, text in bad.items():
        (tmp_path / name).write_bytes(text)
    ran = run("progress", "--of", *good, *(str(tmp_path / name) for name in bad), str(tmp_path / "\x1b[2J"))
    assert ran.status == 2
    head, ann, ben, _, together = ran.out.splitlines()
    assert head.split() == ["Pupil", "Learned", "Seen", "at", "once", "Missed", "Weakest"]
    assert ann.split()[:8] == ["Ann", "0", "of", str(len(lessons())), "ideas", "3", "of", "3"]
    assert ben.split()[0] == "Ben"
    assert "mirror (Sequence Duel, 2 pupils)" in together
    faults = ran.err.splitlines()
    assert len(faults) == len(bad) + 1
    assert all(name in fault for name, fault in zip(bad, faults, strict=False))
    assert "the same as" in faults[0]
    assert "\x1b" not in ran.err
    assert [one["file"] for one in json.loads(run("progress", "--json", "--of", *good).out)] == good


def test_two_pupils_who_have_not_begun_are_two_pupils(tmp_path: Path) -> None:
    for name in ("Ann", "Ben"):
        (tmp_path / name).write_text(run("export", "progress").out, encoding="utf-8")
    ran = run("progress", "--of", str(tmp_path / "Ann"), str(tmp_path / "Ben"))
    assert (ran.status, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == ["Pupil", "Ann", "Ben"]


def lessons() -> set[tuple[str, str]]:
    return {(game_id, lesson.idea) for game_id in BUILT_IN for lesson in lessons_of(game_id)}
