"""`duelbox puzzle` and `duelbox worksheet`: a day or seed always gives the same puzzle; bad input gets a sentence."""

from __future__ import annotations

import io
import json
import re
import shlex
import zlib
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from importlib.resources import files

import pytest

from duelbox.cli import main
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.session import Session
from duelbox.learn.daily import ALONE, FIRST, MIXED, THREES, daily
from duelbox.learn.lessons import lessons_of
from duelbox.learn.practice import practice
from duelbox.learn.puzzle_maker import fault_of
from duelbox.learn.puzzles import DAILY, PAPER, PRACTICE, Puzzle, Solving, puzzles_in, right_moves
from duelbox.learn.worksheet import (
    CHECKED,
    SMALL,
    Sheet,
    choose_puzzles,
    for_paper,
    markdown,
    pages,
    picture,
    rules_to_learn,
    sheets,
)
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import solver_of
from duelbox.store.store import Store
from tests.effort import sampled
from tests.golden.said import Said
from tests.guest_games import TOY
from tests.learn.more_puzzles import days, faults, misfits, spoiled

Capsys = pytest.CaptureFixture[str]


def told(capsys: Capsys, *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    out = capsys.readouterr()
    return out.err if status else out.out


WRITTEN_DOWN = {
    "2026-11-16": "sequence-duel/9.5.7.3.15.18.12.17.13.19",
    "2026-11-17": "circle-duel:size=15,reach=3,trails=own,gaps=4,seed=8802/6.14.9",
    "2026-11-18": "digit-chain:zero=no-tens,gaps=50,seed=6683/69.96.63.37.76.61.16.62.23.39",
    "2026-11-19": "number-circle:sharing=off,shared_total=on,floor=0/+2.+9.+3.-8.-4.+7.+5.-6.-4.+7.-3.-8.+2.+9.+1.-8",
    "2026-11-20": "circle-duel:size=21,reach=2,trails=own,gaps=2,seed=644/15.7.17",
    "2026-12-30": "digit-chain:zero=no-tens,gaps=20,seed=3704/98.85.57.77.75.5.54.44.41.19",
    "2027-02-09": "number-duel:hand=6,seed=89/5x2.1x3",
    "2027-06-12": "sequence-duel:size=49,ring=on/46.5.48.39.36.1.35.8.3.41.10.12.44.14.16.23.32.20.28.18.25",
    "2027-09-02": "circle-duel:size=21,reach=2,trails=own,gaps=2,seed=8657/8.2.10",
    "2028-02-28": "number-duel:hand=6,seed=5736/5x6.1x5",
}
"""The puzzles of these days, which must stay the same in all later versions."""


def test_the_puzzles_of_these_days_are_for_ever() -> None:
    assert {day: daily(date.fromisoformat(day))[-1].code for day in WRITTEN_DOWN} == WRITTEN_DOWN


def test_the_days_have_three_positions_of_three_games_and_no_idea_comes_again_soon() -> None:
    assert list(misfits(days())) == []
    assert len(days()) > 500
    mixed = days()[(MIXED - FIRST).days :]
    games = Counter(one.game_id for some in mixed for one in some)
    assert set(games) == set(BUILT_IN)
    assert min(games.values()) > len(mixed) / 3, "each game comes often"
    assert {len(one.line) for one in (*puzzles_in(DAILY), *puzzles_in(PRACTICE))} <= {1, 3, 5, 7, 9}
    packed = files("duelbox.learn").joinpath(DAILY).read_bytes()
    assert len(zlib.compress(packed, 9)) < 90_000


def test_a_day_that_breaks_a_rule_is_found_out() -> None:
    good = days()[: (MIXED - FIRST).days + 3]
    *before, last = good
    one, two, three = last
    for wrong in ((one, one, three), (three, two, one), before[-1]):
        assert list(misfits([*before, wrong])), wrong


def test_no_puzzle_shows_another_and_most_have_an_idea() -> None:
    everything = (*puzzles_in(DAILY), *puzzles_in(PRACTICE))
    assert list(spoiled(everything)) == []
    assert sum(bool(one.idea) for one in everything) >= 0.8 * len(everything)
    for game_id in BUILT_IN:
        some = practice(game_id)
        assert len(some) >= 60
        assert {one.grade for one in some} >= {2, 3, 4}


def test_a_code_that_plays_the_move_of_another_puzzle_is_found_out() -> None:
    one = next(one for one in puzzles_in(PRACTICE) if one.game_id == "sequence-duel" and len(one.line) > 1)
    own, theirs, *rest = one.line
    later = one.changed(code=f"{one.code}.{own}.{theirs}", line=tuple(rest))
    for pair, fault in (
        ((one, one), "comes twice"),
        ((one, later), "comes twice"),
        ((later, one), "goes with another"),
    ):
        assert [told.partition(":")[0] for _, told in spoiled(pair)] == [fault]
    at = parse_code(one.code, find_game)
    at.play(next(move for move in at.legal_moves() if at.game.format_move(move) != own))
    past = one.changed(code=at.code(), line=(at.game.format_move(at.legal_moves()[0]),))
    for pair in ((one, past), (past, one)):
        assert [told for _, told in spoiled(pair)] == ["goes with another: one shows the other"]


def test_a_sample_of_the_shelf_is_proved_anew() -> None:
    step = sampled(50, 1)
    sample = [*puzzles_in(DAILY)[ALONE::step], *puzzles_in(PRACTICE)[::step]]
    assert faults(sample) == [], "python -m tests.learn.more_puzzles --anew FILE DAY names the ideas of today"


def test_the_day_decides_and_the_answer_is_told_on_request(capsys: Capsys) -> None:
    day = FIRST + timedelta(days=40)
    first = json.loads(told(capsys, "puzzle", "--daily", day.isoformat(), "--json"))
    again = json.loads(told(capsys, "puzzle", "--daily", day.isoformat(), "--json", "--answer"))
    some = daily(day)
    assert first == {
        "date": day.isoformat(),
        "idea": None,
        "positions": [{"code": one.code, "grade": one.grade} for one in some],
    }
    lines = [list(one.line) for one in some]
    assert again["positions"] == [{**one, "line": line} for one, line in zip(first["positions"], lines, strict=True)]


def test_a_puzzle_of_an_idea_is_asked_for_by_its_name(capsys: Capsys) -> None:
    for seed in range(5):
        one = json.loads(told(capsys, "puzzle", "sequence-duel", "--idea", "Mirror", "--seed", str(seed), "--json"))
        assert one["code"] in {puzzle.code for puzzle in practice("sequence-duel", idea="mirror")}
    assert json.loads(told(capsys, "puzzle", "--idea", "room", "--json"))["code"].startswith("circle-duel")


@pytest.mark.parametrize(
    ("game_id", "old", "new"),
    [
        ("number-circle", "fork of signs", "fork"),
        ("number-circle", "Can they hit next", "no hit"),
        ("number-circle", "who is there first", "count the steps"),
        ("sequence-duel", "two from the end", "next to the end"),
        ("sequence-duel", "largest stake", "where most is at stake"),
        ("number-duel", "spend the least", "the cheapest that bites"),
        ("number-duel", "ahead: trade", "trade when ahead"),
        ("number-duel", "swap the kings", "top for top"),
        ("number-duel", "only what cannot lose", "sure attacks"),
    ],
)
def test_an_idea_is_asked_for_by_its_old_name_too(capsys: Capsys, game_id: str, old: str, new: str) -> None:
    codes = {puzzle.code for puzzle in practice(game_id, idea=new)}
    assert codes
    for asked in (["puzzle", game_id], ["puzzle"]):
        one = json.loads(told(capsys, *asked, "--idea", old, "--seed", "1", "--json"))
        assert one["code"] in codes


def test_a_day_on_lines_has_three_positions_and_one_result(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    day = THREES + timedelta(days=3)
    moves = [move for one in daily(day) for move in one.line[::2]]
    monkeypatch.setattr("duelbox.store.settings.needs_ascii", lambda *_: False)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(moves) + "\n"))
    out = told(capsys, "puzzle", "--daily", day.isoformat(), "--plain")
    assert re.search(rf"duelbox {day} · .*\n■■■  3 of 3 positions at once", out)
    for one in daily(day):
        assert f"The idea: {one.idea}." in out


def test_a_day_on_lines_goes_on_where_it_was_left(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    day, typed = THREES + timedelta(days=3), ["\n".join(one.line[::2]) for one in daily(THREES + timedelta(days=3))]
    for lines, first in ((typed[0], "Puzzle 1 of 3"), ("\n".join(typed[1:]), "Puzzle 2 of 3"), ("", "Puzzle 1 of 3")):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{lines}\n"))
        out = told(capsys, "puzzle", "--daily", day.isoformat(), "--plain")
        assert re.search("Puzzle . of 3", out)[0] == first


def test_puzzles_are_made_packed_and_solved(capsys: Capsys, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = tmp_path / "pack.jsonl"
    text = told(capsys, "puzzle", "sequence-duel", "--make", "2", "--seed", "3")
    assert told(capsys, "puzzle", "sequence-duel", "--make", "2", "--seed", "3") == text
    pack.write_text(text)
    puzzles = [json.loads(line) for line in text.splitlines()]
    moves = [move for one in puzzles for move in ("hint", *one["line"][::2])]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(moves) + "\n"))
    out = told(capsys, "puzzle", "--pack", str(pack), "--plain")
    assert out.count("1 hint") == 1
    assert out.count("2 hints") == 1
    with Store.open() as store:
        kept = store.progress.all("puzzle")
        assert [code for code, _ in kept] == [one["code"] for one in puzzles]
        assert not store.history(), "a puzzle is no game"
    one = told(capsys, "puzzle", "sequence-duel", "--grade", "3", "--seed", "5", "--json")
    assert one == told(capsys, "puzzle", "sequence-duel", "--grade", "3", "--seed", "5", "--json")
    assert json.loads(one)["grade"] == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["puzzle", "--grade", "6"], "A puzzle is of grade 1 to 5, not 6."),
        (["puzzle", "--daily", "tomorrow"], "'tomorrow' is not a day. "),
        (["puzzle", "--daily", "1999-01-01", "--json"], " 1999-01-01"),
        (["puzzle", "--make", "3"], "Say of which game"),
        (
            ["puzzle", "circle-duel", "--daily", "--grade", "2"],
            "leave out GAME and --grade",
        ),
        (["puzzle", "--pack", "x", "--seed", "2"], "leave out --seed"),
        (["puzzle", "--missed", "--daily", "--json"], "leave out --daily and --json"),
        (["worksheet", "circle-duel", "--table", "--boards"], "leave out --boards"),
        (["puzzle", "sequence-duel", "--make", "1", "--idea", "mirror"], "leave out --idea"),
        (["puzzle", "sequence-duel", "--idea", "partners"], "There is no idea 'partners'. There are: "),
        (["puzzle", "chess"], "There is no game"),
        (["puzzle", "--pack", "/nowhere/at/all"], "cannot be read"),
        (["puzzle", "--pack", "/dev/zero"], "4000000 characters"),
        (["worksheet", "chess"], "There is no game"),
        (["worksheet", "sequence-duel", "--puzzles", "0"], "1 to 50 puzzles to do, not 0"),
        (["worksheet", "sequence-duel", "--grade", "9"], "A puzzle is of grade 1 to 5, not 9."),
    ],
)
def test_bad_input_gets_a_sentence(capsys: Capsys, arguments: list[str], says: str, said: Said) -> None:
    refused = told(capsys, *arguments, status=2)
    assert says in refused
    said(refused)


def test_a_seed_of_nought_is_a_seed(capsys: Capsys) -> None:
    assert "leave out --seed." in told(capsys, "puzzle", "--daily", "--seed", "0", status=2)


@pytest.mark.parametrize("command", [("puzzle", "toy-heap", "--make", "1"), ("worksheet", "toy-heap")])
def test_a_guest_without_computers_has_no_puzzles(
    capsys: Capsys, installed: Callable[..., None], command: tuple[str, ...]
) -> None:
    installed(TOY)
    assert "Toy Heap does not bring both." in told(capsys, *command, status=2)


@pytest.mark.parametrize("line", ["no json", '{"code": "sequence-duel", "grade": 1, "line": ["1"]}'])
def test_a_bad_pack_is_refused_before_anybody_solves_it(capsys: Capsys, tmp_path: object, line: str) -> None:
    pack = tmp_path / "pack.jsonl"
    pack.write_text(line)
    assert "line 1: " in told(capsys, "puzzle", "--pack", str(pack), "--plain", status=2)


@pytest.mark.parametrize("form", [(), ("--md",), ("--large",)])
def test_a_worksheet_has_rules_puzzles_and_a_page_for_the_teacher(capsys: Capsys, form: tuple[str, ...]) -> None:
    asked = "worksheet", "sequence-duel", "--idea", "count the end", "--puzzles", "4", "--seed", "3"
    plain, full = told(capsys, *asked, *form), told(capsys, *asked, "--answers", *form)
    assert plain.count("to move and") == 6
    assert plain.count("you then have") == 2, "of those that are done"
    assert full.count("you then have") == 2 + 6
    for part in ("Name", "Rules", "The idea", "Two that are done", "Now you", "Make one yourself"):
        assert part in plain
    for part in ("For the teacher", "Aims", "Questions to ask", "What pupils may think", "Answers"):
        assert part in full
        assert part not in plain
    if "--md" not in form:
        assert plain.count("<section>") == 2
        assert plain.count("<svg ") == 7
        assert not re.search("_{4}|language-svg", plain)
        colours = set(re.findall("#[0-9a-fA-F]{6}", plain))
        assert all(len({one[1:3], one[3:5], one[5:]}) == 1 for one in colours), "black, white and grey"


def test_the_command_on_a_worksheet_prints_it_again(capsys: Capsys) -> None:
    for options in ((), ("--grade", "2"), ("--boards",)):
        sheet = told(capsys, "worksheet", "circle-duel", "--idea", "room", "--seed", "7", "--md", *options)
        again = re.search("`duelbox (.*)`", sheet)
        assert again
        assert told(capsys, *shlex.split(again[1]), "--md") == sheet


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_sheet_has_one_idea_and_no_two_puzzles_with_one_answer(game_id: str) -> None:
    found = sheets(game_id, 1)
    assert len(found) > 1
    for sheet in found:
        puzzles = [one.puzzle for one in sheet.puzzles]
        assert {one.idea for one in puzzles} == {sheet.idea and sheet.idea.name}
        assert len({one.line[0] for one in puzzles}) == len(puzzles) == 5
        assert [one.grade for one in puzzles] == sorted(one.grade for one in puzzles)
        assert sheet.lesson
        assert sheet.lesson.mistaken
    with pytest.raises(DuelboxError, match="A sheet needs 52 such puzzles with different answers; there are "):
        sheets(game_id, 1, found[0].idea.name if found[0].idea else "", count=50)


def test_puzzles_that_can_be_checked_by_hand_and_of_the_same_rules_come_first() -> None:
    far, near, other = (
        "sequence-duel:size=49,ring=on/21",
        "sequence-duel/9.5.7.3.15.18.12.17.13.19",
        "sequence-duel:size=9/1.6",
    )
    puzzles = [
        Solving(Puzzle(code=code, grade=grade, line=(move,)))
        for code, grade, move in ((far, 1, "4"), (other, 4, "3"), (near, 2, "1"), (near, 3, "2"), (near, 3, "1"))
    ]
    assert [(one.puzzle.code, one.puzzle.grade) for one in choose_puzzles(puzzles, 2, 1)] == [(near, 2), (near, 3)]
    assert {one.puzzle.code for one in choose_puzzles(puzzles, 3, 1)} == {near, other}
    assert {one.puzzle.code for one in choose_puzzles(puzzles, 4, 1)} == {near, other, far}


@pytest.mark.parametrize("game_id", BUILT_IN)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_easiest_sheet_of_a_game_has_small_boards_and_at_most_one_rule_to_learn(game_id: str, seed: int) -> None:
    classic = Session(find_game(game_id), type(find_game(game_id).PRESETS[0].options)())
    usual = len(printed(classic))

    def hardest(sheet: Sheet) -> tuple[int, int, int]:
        rules = {rule for one in sheet.puzzles for rule in rules_to_learn(one.session.options)}
        ends = [one.analysis.plies or 0 for one in sheet.puzzles]
        return (
            sum(plies > CHECKED for plies in ends),
            len(rules),
            max(len(printed(one.session)) for one in sheet.puzzles),
        )

    far, rules, size = min(map(hardest, sheets(game_id, seed)))
    assert (far, rules) <= (0, 1)
    assert size <= SMALL * usual + 10


def printed(session: Session) -> str:
    return picture(None)(session)


def test_puzzles_for_paper_have_one_right_move_and_the_idea_they_name() -> None:
    some = puzzles_in(PAPER)
    for one in some:
        session = parse_code(one.code, find_game)
        lone = right_moves(session)
        assert lone is not None
        assert one.line[0] in lone.moves
        assert lone.analysis.plies is None or lone.analysis.plies <= CHECKED
        assert len(rules_to_learn(session.options)) <= 2
    games = {one.game_id for one in some}
    usable = [one for game_id in games for idea in solver_of(game_id).ideas for one in small(game_id, idea.name)]
    assert len(usable) == len(some), "python -m tests.learn.paper_puzzles"


def small(game_id: str, idea: str) -> list[Solving]:
    """The puzzles for paper that are still of their idea."""
    paper = set(puzzles_in(PAPER))
    return [one for one in for_paper(game_id, None, idea) if one.puzzle in paper]


def test_the_page_for_the_teacher_has_the_word_of_the_curriculum_and_questions_of_the_idea(capsys: Capsys) -> None:
    for game_id in BUILT_IN:
        for lesson in lessons_of(game_id):
            assert lesson.curriculum, lesson.name
    page = told(capsys, "worksheet", "sequence-duel", "--idea", "mirror", "--md", "--answers")
    assert "In the curriculum: **symmetry: reflection**." in page
    assert "On a ring there is no end." not in page, "a question of the game"
    assert "On a ring there is no end." in told(capsys, "worksheet", "sequence-duel", "--boards", "--md")


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_task_tells_only_rules_that_its_board_does_not_show(game_id: str) -> None:
    for sheet in sheets(game_id, 1):
        usual = rules_to_learn(sheet.options)
        written = markdown(pages(sheet, picture(None), "", answers=False))
        others = [one for one in sheet.puzzles if rules_to_learn(one.session.options) != usual]
        assert written.count("House rules here: ") == len(others)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_boards_for_two_are_empty_and_tell_how_to_play_on_paper(capsys: Capsys, game_id: str) -> None:
    page = told(capsys, "worksheet", game_id, "--boards")
    assert "On paper" in page
    assert page.count("Winner") == 3
    assert page.count("<svg ") == (0 if find_game(game_id).INFO.hidden else 3)


def test_a_seed_and_a_grade_choose_from_what_there_is() -> None:
    for game_id in BUILT_IN:
        some = practice(game_id)
        assert some
        assert fault_of(some[0], graded=False) is None


def test_an_answer_of_several_moves_says_which_is_whose() -> None:
    sheet = sheets("circle-duel", 1, "room")[0]
    written = markdown(pages(sheet, picture(None), "", answers=True))
    runs = [one.puzzle.line for one in sheet.puzzles if len(one.puzzle.line) > 2]
    assert runs
    for own, theirs, then, *_ in runs:
        assert re.search(f"Pick {own}[.:].* After {theirs} play {then}[.]", written)
