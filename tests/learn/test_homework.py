"""Homework: a name is the same set for everybody, work goes on where it stopped, and lines are read with care."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.learn.handed_in import MOST_LINES, HandedIn, handed_in, has_lines, read_lines, tables
from duelbox.learn.homework import HOMEWORK, Homework, is_set_name, read_set
from duelbox.learn.ideas import MISTAKES, missed_ideas
from duelbox.learn.practice import practice
from duelbox.learn.puzzles import Puzzle
from duelbox.registry import BUILT_IN
from duelbox.solve import solver_of
from duelbox.store.store import Store
from tests.command_line import Ran, run

SET = "room-7-2"
WRITTEN_DOWN = {
    "room-7-10": ("xcaf", "circle-duel:size=21,reach=2,trails=own,gaps=2,seed=2251/1.6.21.7.19.8"),
    "mirror-1-5": ("5ber", "sequence-duel:size=37,ring=on/4.23.5.37.6.19.33.1.26.16.27.31.9.30.21.18.25"),
    "the-cheapest-that-bites-9999-3": ("1wsj", "number-duel:hand=6,victors_stay=on,seed=1813/6x5.4x1.6x3.6x5.5x3"),
}
"""Three sets with their formats and their last puzzles: teachers gave them out, so they stay the same for ever."""


def work(name: str = SET, pupil: str = "Ann") -> HandedIn:
    of = read_set(name)
    return HandedIn(of, pupil, "rwh"[: len(of.puzzles)].ljust(len(of.puzzles), "r"), 245)


def moves(puzzle: Puzzle) -> list[str]:
    """The right moves, as the solver types them."""
    return list(puzzle.line[::2])


def do(*typed: str, name: str = "Ann", of: str = SET) -> Ran:
    return run("puzzle", of, "--plain", "--name", name, typed="".join(f"{line}\n" for line in typed))


# -- sets


def test_these_sets_are_for_ever() -> None:
    sets = {name: read_set(name) for name in WRITTEN_DOWN}
    assert {name: (of.format, of.puzzles[-1].code) for name, of in sets.items()} == WRITTEN_DOWN


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_idea_has_sets_of_ten_and_none_has_a_puzzle_twice(game_id: str) -> None:
    for idea in solver_of(game_id).ideas:
        name = f"{idea.name.replace(' ', '-')}-1-10"
        of = read_set(name)
        assert of.name == name
        assert {one.idea for one in of.puzzles} == {idea.name}
        assert len({one.code for one in of.puzzles}) == 10
        assert [one.grade for one in of.puzzles] == sorted(one.grade for one in of.puzzles)


def test_the_seed_decides_and_the_order_of_the_files_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_set("room-7-10")
    assert before.puzzles != read_set("room-8-10").puzzles
    from duelbox.learn import homework

    homework._pools.cache_clear()
    homework._drawn.cache_clear()
    turned = practice(idea="room")[::-1]
    monkeypatch.setattr(homework, "puzzles_in", lambda file: turned if file == "practice.txt" else ())
    assert read_set("room-7-10") == before
    homework._pools.cache_clear()
    homework._drawn.cache_clear()


@pytest.mark.parametrize(
    "typed", ["room-7-2", " Room-7-2 ", "room 7 2", "room-007-02", "ROOM 7-2"]
)  # fmt: skip
def test_a_name_is_read_as_people_type_it(typed: str) -> None:
    assert read_set(typed).name == SET


def test_a_set_under_the_old_name_of_an_idea_is_the_same() -> None:
    assert read_set("fork-of-signs-3-10") == read_set("fork-3-10")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("rom-7-10", "There is no idea 'rom'. There are: "),
        ("room-0-10", "The middle number of a set is 1 to 9999, not 0."),
        ("room-10000-10", "not 10000."),
        ("room-7-0", "A set has 1 to 20 puzzles, not 0."),
        ("room-7-21", "not 21."),
        ("partners-7-13", "The idea partners has only 12 puzzles: partners-7-12."),
        ("room-7", "'room-7' is no set. A set is named like this: room-7-10."),
        ("room--7", "is no set"),
        ("room-٧-10", "is no set"),
        ("room-7-10\x1b[2J", "is no set"),
        ("", "is no set"),
        ("a" * 10_000 + "-7-10", "is no set"),
        (f"room-7-{'9' * 5000}", "is no set"),
    ],
)
def test_a_wrong_name_gets_a_sentence(typed: str, says: str) -> None:
    with pytest.raises(DuelboxError) as refused:
        read_set(typed)
    assert says in refused.value.sentence
    assert refused.value.sentence.isprintable()
    assert is_set_name(typed) == ("is no set" not in says)


def test_an_idea_without_puzzles_has_no_set(monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbox.learn import homework

    monkeypatch.setattr(homework, "_pools", dict)
    with pytest.raises(DuelboxError, match="No puzzle has the idea mirror yet"):
        homework._drawn.__wrapped__("mirror", 1, 3)


# -- lines


def test_a_line_says_it_all_and_is_read_again() -> None:
    one = work("room-7-10")
    assert re.fullmatch(
        r"homework room-7-10 xcaf: rwhrrrrrrr, 8 of 10 at once, 1 with help, 4:05, Ann \([0-9a-z]{4}\)", one.line
    )
    assert read_lines(one.line) == ([one], [])


def test_the_line_on_the_page_of_help_is_a_whole_one() -> None:
    (found,), faults = read_lines(run("help", "learning").out)
    assert (found.pupil, found.set.name, faults) == ("Ann", "room-7-10", [])


@pytest.mark.parametrize(
    "pupil", ["Zoë (9b)", "王小明", "homework room-7-2", "a, b, 1 with help", "x" * 24, "(", "7:10"]
)
def test_any_name_of_a_pupil_is_read_again(pupil: str) -> None:
    assert read_lines(work(pupil=pupil).line)[0] == [work(pupil=pupil)]


def test_lines_are_found_in_a_mail_whatever_it_did_to_them() -> None:
    ann, ben = work(), work(pupil="Ben")
    mail = f"Hello!\n\n> {ann.line[:40]}\n> {ann.line[40:]}\nHere is mine:{ben.line}{ann.line.upper()}  Bye, Ben\n"
    assert read_lines(mail.replace(f"{ann.line[:40]}\n> {ann.line[40:]}", ann.line.replace(" ", "\n> ", 3))) == (
        [ann, ben],
        [],
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{line:.45}", "This line is not whole."),
        ("{line:.45}\n{other}", "This line is not whole."),
        ("h, 0 of 2 at once, 1 with help, 4:05, Ann (abcd)", "A line has lost its beginning"),
        ("{renamed}", "This line was changed on the way."),
        ("{better}", "This line was changed on the way."),
        ("{older}", "Another version of duelbox has other puzzles for room-7-2."),
        ("{longer}", "This line has a wrong number of positions."),
        ("{unknown}", "There is no idea 'rom'."),
        ("{hidden}", "A name is printable text"),
    ],
)
def test_a_line_that_is_not_whole_gets_a_sentence(text: str, says: str) -> None:
    line = work().line
    other = work(pupil="Ben")
    named = {
        "renamed": line.replace("Ann", "Bob"),
        "better": line.replace("rw, 1 of 2", "rr, 2 of 2"),
        "older": checked(line, " 4h91:", " 5h91:"),
        "longer": checked(line, ": rw,", ": rwr,"),
        "unknown": checked(line, "room-7", "rom-7"),
        "hidden": checked(line, "Ann", "A\u202enn"),
    }
    found, (fault, *more) = read_lines(text.format(line=line, other=other.line, **named))
    assert found == ([other] if "other" in text else [])
    assert says in fault
    assert not more


def checked(line: str, old: str, new: str) -> str:
    """A line with a change, and the check that goes with it."""
    from duelbox.learn.handed_in import _check

    body = line.rpartition(" (")[0].replace(old, new)
    assert old in line
    return f"{body} ({_check(body)})"


def test_ten_thousand_lines_are_read_up_to_a_limit() -> None:
    found, faults = read_lines("\n".join(work(pupil=f"Pupil {at}").line for at in range(10_000)))
    assert len(found) == MOST_LINES
    assert faults == ["Only the first 1000 lines were read."]
    assert read_lines("homework room-" * 10_000) == ([], [])


def test_a_teacher_sees_pupils_and_positions_and_the_hardest() -> None:
    ann, ben = work("room-7-10"), work("room-7-10", "Ben")._replace(signs="wwrrrrrrrr", seconds=3661)
    assert list(tables([ben, ann, ann])) == [
        "room-7-10: 2 pupils",
        "Pupil  1234567890  At once  Help  Time",
        "Ann    rwhrrrrrrr  8/10     1     4:05",
        "Ben    wwrrrrrrrr  8/10     0     61:01",
        "Hardest: position 2 (0 of 2 at once), position 1 (1 of 2 at once), position 3 (1 of 2 at once).",
        "r: right at once, w: wrong at first, h: with help.",
    ]


# -- the work


def test_a_set_is_done_in_lines_and_ends_with_the_line_to_hand_in() -> None:
    one, two = read_set(SET).puzzles
    ran = do(*moves(one), "hint", *moves(two))
    line = ran.out.splitlines()[-1]
    (found,), faults = read_lines(line)
    assert (found.pupil, found.signs, faults) == ("Ann", "rh", [])
    assert "room-7-2, position 2 of 2" in ran.out
    assert do().out.splitlines()[-1] == line, "the line can be had again"
    with Store.open() as store:
        assert [code for code, _ in store.progress.all("puzzle")] == [one.code, two.code]


@pytest.mark.parametrize(
    ("before", "sign"),
    [((), "r"), (("hint",), "h"), (("answer",), "h"), (("wrong",), "w"), (("first", "hint"), "h"), (("first",), "r")],
)
def test_work_goes_on_where_it_stopped_and_nothing_is_forgotten(before: tuple[str, ...], sign: str) -> None:
    one, two = read_set(SET).puzzles
    first, *rest = moves(one)
    typed = {"wrong": "3", "first": first}
    do(*(typed.get(word, word) for word in before))
    left = rest if "first" in before else [first, *rest]
    ran = do(*left, *moves(two))
    assert read_lines(ran.out)[0][0].signs == f"{sign}r"


def test_a_position_that_is_skipped_comes_again_and_leaving_tells_how_to_go_on() -> None:
    one, two = read_set(SET).puzzles
    ran = do("skip", *moves(two), "quit")
    assert ran.out.splitlines()[-1] == "To go on: duelbox puzzle room-7-2 --plain --name Ann"
    assert "position 1 of 2" in ran.out.partition("position 2 of 2")[2]
    assert read_lines(do(*moves(one)).out)[0][0].signs == "rr"


def test_two_pupils_at_one_machine_have_work_of_their_own() -> None:
    one, two = read_set(SET).puzzles
    do("hint", *moves(one), *moves(two))
    assert read_lines(do(*moves(one), *moves(two), name="Ben").out)[0][0].signs == "rr"
    assert read_lines(do(name="ANN").out)[0][0].signs == "hr"


def test_a_pupil_without_a_name_is_asked_for_one() -> None:
    asked = run("puzzle", SET, "--plain", typed="\nyou\nAnn\nquit\n").out
    assert "A name needs at least one character." in asked
    assert "Choose another name." in asked
    assert asked.endswith("--name Ann\n")
    assert run("puzzle", SET, "--plain").status == 0


@pytest.mark.parametrize(
    "mark",
    [
        None,
        1,
        {},
        {"grade": 2},
        {"grade": 2, "at_once": [True, True], "pupil": "A\x1bnn"},
        {"grade": 9, "at_once": [True], "pupil": "Ann"},
    ],
)
def test_work_that_cannot_be_read_is_left_out(mark: Any) -> None:
    empty = Homework(read_set(SET), "Ann")
    assert Homework(read_set(SET), "Ann", [(empty.key(0), mark), ("?", mark)]).signs == "--"


def test_a_set_is_printed_as_json_and_takes_no_other_choice() -> None:
    rows = [json.loads(line) for line in run("puzzle", SET, "--json").out.splitlines()]
    assert [row["code"] for row in rows] == [one.code for one in read_set(SET).puzzles]
    ran = run("puzzle", SET, "--grade", "2")
    assert (ran.status, "leave out --grade" in ran.err) == (2, True)
    assert "--name goes with a set" in run("puzzle", "--name", "Ann").err
    assert "There is no idea" in run("puzzle", "rom-7-2").err


# -- for the teacher


def test_lines_and_exports_go_into_one_table(tmp_path: Path) -> None:
    one, two = read_set(SET).puzzles
    handed = do(*moves(one), *moves(two)).out
    do("hint", *moves(one), name="Cem")
    (tmp_path / "class.json").write_text(run("export", "progress").out)
    (tmp_path / "lines.txt").write_text(f"{handed}\n{work(pupil='Ben').line}\n", encoding="utf-8")
    ran = run("progress", "--of", str(tmp_path / "class.json"), str(tmp_path / "lines.txt"))
    assert (ran.status, ran.err) == (0, "")
    table = ran.out.partition("room-7-2: 3 pupils\n")[2].splitlines()
    assert [row.split()[:2] for row in table[1:4]] == [["Ann", "rr"], ["Ben", "rw"], ["Cem", "h-"]]
    rows = json.loads(run("progress", "--json", "--of", str(tmp_path / "lines.txt")).out)
    assert [(row["pupil"], row["set"], row["positions"]) for row in rows] == [("Ann", SET, "rr"), ("Ben", SET, "rw")]


def test_lines_come_from_the_input_and_bad_files_get_a_sentence_each(tmp_path: Path) -> None:
    assert "Ann" in run("progress", "--of", "-", typed=work().line).out
    for name, content, says in (
        ("picture", b"\x89PNG\r\n\x1a\n\xff", "It is no text."),
        ("letter", b"Dear teacher, my dog ate it.", "It is neither exported progress nor a line of homework."),
        ("empty", b"", "It is neither"),
        ("escapes", work().line[:50].encode() + b"\x1b[2J", "This line is not whole."),
    ):
        (tmp_path / name).write_bytes(content)
        ran = run("progress", "--of", str(tmp_path / name))
        assert (ran.status, ran.out) == (2, "")
        assert says in ran.err
        assert ran.err.strip().isprintable()


def test_unfinished_work_is_in_an_export_and_in_no_line() -> None:
    begun = Homework(read_set(SET), "Ann")
    assert (begun.done, handed_in(begun).signs) == (False, "--")
    assert not has_lines("room-7-2")
    assert HOMEWORK == "homework"


def test_the_idea_comes_back_after_homework_with_help_and_not_after_a_good_one() -> None:
    one, two = read_set(SET).puzzles
    do("hint", *moves(one), *moves(two))
    with Store.open() as store:
        [again] = missed_ideas(store.progress.all(MISTAKES)).values()
    assert (again.key, again.missed, again.seen) == ("circle-duel/room", 0, {one.code})
