"""Progress: how well each idea is known, which one is weak, and where to go on; of one pupil and of many."""

from __future__ import annotations

import json
from csv import DictReader
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

from duelbox.learn.lessons import course_of, key_of, lessons_of
from duelbox.learn.progress import Known, known_ideas, next_idea, weakest
from duelbox.learn.puzzles import PRACTICE, puzzles_in
from duelbox.registry import BUILT_IN
from duelbox.solve import solver_of
from duelbox.store.store import Store
from duelbox.table.lesson_table import LessonTable
from tests.command_line import run
from tests.learn.test_homework import work
from tests.learn.test_ideas import CODE, FIRST, IDEA, Marks, missed, of_kinds, returned


def test_the_weakest_idea_comes_first_and_each_leads_to_its_lesson() -> None:
    puzzle = next(one for one in puzzles_in(PRACTICE) if one.idea == "room")
    attempt = {"grade": 2, "at_once": [True]}
    lesson = lessons_of("circle-duel")[0]
    known = known_ideas(
        of_kinds(
            mistake=[(CODE, missed()), returned(False, FIRST)],
            puzzle=[(puzzle.code, attempt), (puzzle.code, {**attempt, "shown": True}), ("?", attempt)],
            lesson=[(key_of("circle-duel", lesson), {"step": 2, "done": False})],
        )
    )
    one, two, *rest = known
    assert (one.idea, one.solved, one.tried, one.missed, one.due) == (IDEA, 0, 1, 1, FIRST + timedelta(3))
    assert (one.last, two.last, rest[0].last) == (FIRST, FIRST, None)
    assert (two.idea, two.solved, two.tried, two.steps, two.of_steps) == ("room", 1, 1, 2, 6)
    assert not any(other.begun for other in rest)
    assert len(known) == sum(len(solver_of(game_id).ideas) for game_id in BUILT_IN)
    for other in known:
        assert other.unit is not None
        assert lessons_of(other.game)[other.unit - 1].idea == other.idea


def known(idea: str, solved: int, tried: int, steps: int = 0, of_steps: int = 5) -> Known:
    return Known("sequence-duel", idea, 1, steps, of_steps, solved, tried, 0, None, None)


def attempts(idea: str, right: str) -> Marks:
    """Puzzles of an idea; each letter is one that was solved (r) or not (w)."""
    some = [one for one in puzzles_in(PRACTICE) if one.idea == idea]
    results = [{"grade": 2, "at_once": [letter == "r"]} for letter in right]
    return [(one.code, result) for one, result in zip(some, results, strict=False)]


def test_an_idea_is_weak_from_four_answers_on_and_never_if_all_were_right() -> None:
    for right in ("rrrr", "rrrrrr", "w", "wrw"):
        assert weakest(known_ideas(of_kinds(puzzle=attempts("room", right)))) is None, right
    both = [*attempts("room", "rrrw"), *attempts("broken pair", "rwwr"), *attempts("one door", "www")]
    weak = weakest(known_ideas(of_kinds(puzzle=both)))
    assert weak is not None
    assert (weak.idea, weak.solved, weak.tried) == ("broken pair", 2, 4)


def test_next_is_the_weakest_idea_else_the_least_tried_and_never_a_lesson_that_is_done() -> None:
    strong, weak, new = known("strong", 6, 6, 5), known("weak", 1, 4, 5), known("new", 0, 0)
    begun = known("begun", 1, 1, 2)
    just_done = known("just done", 0, 0, 5)
    assert next_idea([weak, strong, begun, new]) == weak
    assert next_idea([strong, begun, just_done, new]) == just_done
    assert next_idea([strong, new]) == new
    assert next_idea([strong]) is None
    puzzles = 'duelbox puzzle sequence-duel --idea "just done"'
    assert just_done.next_command == puzzles
    assert begun.next_command == 'duelbox learn sequence-duel 1, then duelbox puzzle sequence-duel --idea "begun"'


# -- the command


def export(path: Path, name: str, puzzles: int) -> str:
    with Store.open(path / name) as store:
        of_room = [one for one in puzzles_in(PRACTICE) if one.idea == "room"]
        for one in of_room[:puzzles]:
            store.progress.add("puzzle", one.code, {"grade": one.grade, "at_once": [True]})
        for day in (FIRST, FIRST + timedelta(1)):
            store.progress.add("mistake", CODE, missed(day))
        (path / f"{name}.json").write_text(store.progress.export(), encoding="utf-8")
    return str(path / f"{name}.json")


def test_progress_is_told_in_lines_and_as_json() -> None:
    assert "Nothing yet" in run("progress").out
    with Store.open() as store:
        store.progress.add("mistake", CODE, missed())
    told = run("progress").out
    assert told.splitlines()[1].split("  ")[0] == IDEA
    assert 'duelbox learn sequence-duel 1, then duelbox puzzle sequence-duel --idea "mirror"' in told
    first = json.loads(run("progress", "--json").out)[0]
    assert (first["game"], first["idea"], first["unit"], first["missed"], first["due"]) == (
        "sequence-duel", IDEA, 1, 1, "2026-01-02",
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
    head, ann, ben, _, together, _, *by_idea = ran.out.splitlines()
    assert head.split() == ["Pupil", "Learned", "Seen", "at", "once", "Missed", "Weakest"]
    assert ann.split()[:8] == ["Ann", "0", "of", str(len(lessons())), "ideas", "3", "of", "3"]
    assert ben.split()[0] == "Ben"
    assert "mirror (Sequence Duel, 2 pupils)" in together
    assert [line.split()[:2] for line in by_idea[:3]] == [["Pupil", "Idea"], ["Ann", "mirror"], ["Ann", "room"]]
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


def test_the_idea_of_a_lesson_with_a_step_that_was_only_seen_comes_back() -> None:
    kept: Marks = []
    frontend = SimpleNamespace(remember=lambda kind, key, value: kept.append((kind, value)))
    for shown in (False, True):
        kept.clear()
        table = LessonTable(course_of("sequence-duel", {}, 1))
        for _ in table.trial.lesson.step:
            table.trial.shown = shown
            table.advance(SimpleNamespace(frontend=frontend))
        missed_of = [value["idea"] for kind, value in kept if kind == "mistake"]
        assert missed_of == [table.trial.lesson.idea] * shown


def test_a_table_for_a_spreadsheet_has_a_row_for_each_pupil_and_idea_with_its_dates(tmp_path: Path) -> None:
    ann = export(tmp_path, "=Ann", 3)
    lines = tmp_path / "lines.txt"
    lines.write_text(work(pupil="@Ben").line, encoding="utf-8")
    again = tmp_path / "again.txt"
    again.write_text(f"{work(pupil='@Ben').line} Bye", encoding="utf-8")
    ran = run("progress", "--csv", "--of", ann, str(lines), str(again))
    rows = [*DictReader(StringIO(ran.out))]
    mirror = next(row for row in rows if row["idea"] == IDEA)
    assert (mirror["pupil"], mirror["game"], mirror["missed"]) == ("'=Ann", "sequence-duel", "2")
    assert (mirror["last"], mirror["due"]) == ("2026-01-02", "2026-01-03")
    assert len(rows) == len(lessons()) + 1
    assert {name: rows[-1][name] for name in ("pupil", "idea", "set", "positions", "at_once", "seconds")} == {
        "pupil": "'@Ben", "idea": "room", "set": "room-7-2", "positions": "rw", "at_once": "1", "seconds": "245",
    }  # fmt: skip
    assert "--csv is a table of pupils" in run("progress", "--csv").err
