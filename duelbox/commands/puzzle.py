"""`duelbox puzzle` and `worksheet`: puzzles to solve, made for a pack, or printed on paper."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from duelbox.commands.shared import above_home, check_alone, content
from duelbox.core.errors import DuelboxError
from duelbox.core.names import chosen_name
from duelbox.core.record_reader import MAX_TEXT
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.learn.homework import EXAMPLE, is_set_name, read_set
from duelbox.learn.idea_names import idea_called, new_name
from duelbox.learn.puzzle_maker import fault_of, make
from duelbox.learn.puzzles import GRADES, Puzzle
from duelbox.registry import find_game

if TYPE_CHECKING:
    from duelbox.plain.console import Console

WIDE, WIDER, HIGH = 60, 84, 17
"""The width and height of a board on paper in cells of text; a game with hidden hands is wider."""


def run(args: Namespace) -> int:
    """Find the puzzles of the arguments, and print or open them."""
    if args.game is not None and is_set_name(args.game):
        return _homework(args)
    if args.name is not None:
        raise DuelboxError(f"--name goes with a set: duelbox puzzle {EXAMPLE} --name NAME")
    if args.daily is not None:
        check_alone(args, "--daily", "is the same for everybody", ("game", "grade", "idea", "seed", "pack", "make"))
    if args.missed:
        others = "game", "grade", "idea", "seed", "daily", "pack", "make", "answer", "json"
        check_alone(args, "--missed", "brings back what you missed", others)
        return _missed(plain=args.plain)
    if args.pack is not None:
        check_alone(args, "--pack", "has puzzles of its own", ("game", "grade", "idea", "seed", "make"))
    _check_grade(args.grade)
    if args.make is not None:
        check_alone(args, "--make", "finds puzzles of all ideas", ("idea",))
        return _make(args)
    day = None if args.daily is None else _day(args.daily)
    puzzles = _find_puzzles(args, day)
    if args.json:
        rows = [_facts(puzzle, answer=args.answer) for puzzle in puzzles]
        if day is not None:
            rows = [{"date": day.isoformat(), "idea": _idea_of(puzzles), "positions": rows}]
        sys.stdout.write("".join(f"{json.dumps(one)}\n" for one in rows))
        return 0
    if args.plain:
        return _plain(puzzles, day)
    if day is not None:
        return above_home(lambda app: app.navigation.open_daily(day), "duelbox puzzle --plain")
    return above_home(lambda app: app.navigation.open_puzzles(puzzles), "duelbox puzzle --plain")


def _homework(args: Namespace) -> int:
    """Let a pupil do a set of puzzles, and print the line to hand in."""
    others = "grade", "idea", "seed", "daily", "missed", "pack", "make"
    check_alone(args, "A set", "is the same for everybody", others)
    of = read_set(args.game)
    if args.json:
        sys.stdout.write("".join(f"{json.dumps(_facts(one, answer=args.answer))}\n" for one in of.puzzles))
        return 0
    if not args.plain:
        return above_home(lambda app: app.navigation.open_set(of.name), f"duelbox puzzle {of.name} --plain")
    from duelbox.learn.handed_in import handed_in
    from duelbox.learn.homework import HOMEWORK, Homework
    from duelbox.plain.console import Console
    from duelbox.plain.line_trial import LineTrial
    from duelbox.store.store import Store
    from duelbox.table.homework_table import HomeworkTable

    console = Console(sys.stdin, sys.stdout)
    pupil = _pupil(console, args.name)
    if pupil is None:
        return 0
    with Store.open() as store:

        def remember(kind: str, key: str, value: dict[str, Any]) -> None:
            try:
                store.progress.add(kind, key, value)
            except DuelboxError as error:
                console.say(error.sentence)

        work = Homework(of, pupil, store.progress.all(HOMEWORK))
        at = -1
        while not work.done:
            at = work.next_after(at)
            if not LineTrial(console, store, HomeworkTable(work, at, remember)).to_the_end():
                console.say(f"To go on: duelbox puzzle {of.name} --plain --name {shlex.quote(pupil)}")
                return 0
    console.say(f"Hand in this line:\n{handed_in(work).line}")
    return 0


def _pupil(console: Console, name: str | None) -> str | None:
    """The name for the line to hand in, from the arguments, the settings or the keyboard; None if none is typed."""
    from duelbox.store.settings import Config

    if name is not None:
        return chosen_name(name)
    usual = Config.load().settings.names[0]
    if usual not in DEFAULT_NAMES:
        return usual
    while True:
        console.write("Your name, for the line to hand in: ")
        typed = console.read()
        if typed is None:
            return None
        console.echo(typed)
        try:
            return chosen_name(typed)
        except DuelboxError as error:
            console.say(error.sentence)


def _missed(*, plain: bool) -> int:
    """Let the player mend the mistakes that come back today."""
    if not plain:
        return above_home(lambda app: app.call_later(app.navigation.open_mistakes), "duelbox puzzle --missed --plain")
    from duelbox.learn.ideas import MISTAKES, missed_ideas, resting, returning
    from duelbox.plain.console import Console
    from duelbox.plain.line_trial import LineTrial
    from duelbox.store.store import Store
    from duelbox.table.mistakes_table import MistakesTable

    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        missed = missed_ideas(store.progress.all(MISTAKES)).values()
        said = resting(missed, date.today()) or "No mistakes yet: they are kept as you play."
        for trial, kept in returning(missed, date.today()):
            if not LineTrial(console, store, MistakesTable(trial, kept=kept)).to_the_end():
                return 0
            said = "That was all for today."
    console.say(said)
    return 0


def _facts(puzzle: Puzzle, *, answer: bool) -> dict[str, object]:
    """A puzzle for JSON, with its line of moves if `answer` is wanted."""
    facts: dict[str, object] = {"code": puzzle.code, "grade": puzzle.grade}
    return facts | {"line": list(puzzle.line)} if answer else facts


def worksheet(args: Namespace) -> int:
    """Print puzzles or empty boards on paper, as HTML or Markdown."""
    from duelbox.learn import worksheet as paper

    written = _map(args) if args.table else _sheets(args)
    sys.stdout.write(paper.markdown(written) if args.md else paper.html(written, large=args.large))
    return 0


def _sheets(args: Namespace) -> Sequence[Sequence[str]]:
    from duelbox.learn import worksheet as paper

    check_alone(args, "Without --table, a worksheet", "has no axes", ("x", "y"))
    _check_grade(args.grade)
    game = find_game(args.game.lower())
    game_id = game.INFO.id
    idea = "" if args.idea is None else idea_called(args.idea, game_id)
    board, key = paper.picture(None if args.md else _drawn), "" if args.md else _key(game_id)
    if args.boards:
        return paper.boards(game_id, args.seed, idea, board, key)
    some = paper.sheets(game_id, args.seed, idea, args.grade, args.puzzles)
    return [page for one in some for page in paper.pages(one, board, key, answers=args.answers)]


def _map(args: Namespace) -> Sequence[Sequence[str]]:
    """A map of house rules to fill in, and a filled one for the teacher."""
    from contextlib import closing

    from duelbox.rules_lab.cache import Cache
    from duelbox.rules_lab.map_rows import read_map
    from duelbox.rules_lab.printed_map import sheet
    from duelbox.store.files import find_folders

    check_alone(args, "A map", "has no puzzles", ("grade", "idea", "boards"))
    map_ = read_map(args.game, args.x, args.y)
    if not args.answers:
        return sheet(map_)
    with closing(Cache(find_folders().cells)) as cache:
        return sheet(map_, lambda options: cache.work_out(map_.game, options, "first"))


def _drawn(session: Session) -> str:
    """A board as a picture in black on white."""
    from duelbox.ui.svg import board_svg

    return board_svg(session, WIDER if session.game.INFO.hidden else WIDE, HIGH, "paper")


def _key(game_id: str) -> str:
    """The meaning of the signs on a drawn board."""
    from duelbox.ui.game_board import board_of
    from duelbox.ui.glyphs import ON_PAPER
    from duelbox.ui.screens.help import key_of

    signs = key_of(board_of(game_id).signs, ON_PAPER, ("Player 1", "Player 2"))
    rows = [f"**{sign}** {words}" for sign, words in signs if not words.startswith("hints")]
    framed = ["a frame or brackets: may be played", "a double frame: played last"]
    return "; ".join(rows if find_game(game_id).INFO.hidden else [*rows, *framed])


def _check_grade(grade: int | None) -> None:
    if grade is not None and grade not in GRADES:
        raise DuelboxError(f"A puzzle is of grade 1 to 5, not {grade}.")


def _find_puzzles(args: Namespace, day: date | None) -> Sequence[Puzzle]:
    """The puzzles of a day or a pack, or one to practise: by its seed, or a new one near the player's strength."""
    from duelbox.learn.daily import daily
    from duelbox.learn.practice import next_puzzle, practice
    from duelbox.learn.puzzle_results import PUZZLES
    from duelbox.store.store import Store

    if day is not None:
        return daily(day)
    if args.pack is not None:
        return _packed(args.pack)
    game_id = None if args.game is None else find_game(args.game.lower()).INFO.id
    idea = "" if args.idea is None else idea_called(args.idea, game_id)
    if args.seed is not None and (puzzles := practice(game_id, args.grade, idea)):
        return [puzzles[args.seed % len(puzzles)]]
    with Store.open() as store:
        return [next_puzzle(store.progress.all(PUZZLES), game_id, args.grade, idea)]


def _day(text: str) -> date:
    if not text:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DuelboxError(f"{text[:24]!a} is not a day. Write it as 2027-01-06.") from None


def _packed(name: str) -> list[Puzzle]:
    """The puzzles of a pack; each is proved first. Raises DuelboxError."""
    text = content(name)
    if len(text) > MAX_TEXT:
        raise DuelboxError(f"{name} is longer than a pack can be ({MAX_TEXT} characters).")
    puzzles = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            puzzle = Puzzle.model_validate_json(line)
        except ValidationError:
            raise DuelboxError(
                f"{name}, line {number}: this is no puzzle. A pack has one a line, as --make writes them."
            ) from None
        puzzles.append(puzzle.changed(idea=new_name(puzzle.game_id, puzzle.idea)))
        if fault := fault_of(puzzles[-1], graded=False):
            raise DuelboxError(f"{name}, line {number}: {fault}")
    if not puzzles:
        raise DuelboxError(f"{name} has no puzzle in it.")
    return puzzles


def _idea_of(puzzles: Sequence[Puzzle]) -> str | None:
    """The idea of all of these puzzles; None if they have several or none."""
    ideas = {one.idea for one in puzzles}
    return None if len(ideas) > 1 else ideas.pop() or None


def _make(args: Namespace) -> int:
    if args.game is None:
        raise DuelboxError("Say of which game: duelbox puzzle GAME --make N")
    made = 0

    def tell(played: int) -> None:
        if sys.stderr.isatty() and played % 10 == 0:
            sys.stderr.write(f"\r{made} of {args.make} puzzles, {played} games played ")

    for puzzle in make(find_game(args.game.lower()), args.grade, args.make, args.seed or 0, tell):
        made += 1
        sys.stdout.write(puzzle.model_dump_json() + "\n")
        sys.stdout.flush()
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    if made < args.make:
        sys.stderr.write(f"Only {made} of {args.make} puzzles were found.\n")
    return 0 if made else 1


def _plain(puzzles: Sequence[Puzzle], day: date | None) -> int:
    """Solve the puzzles in lines; those of a day that were not done yet, or all of them again."""
    from duelbox.learn.daily import to_do
    from duelbox.learn.puzzle_results import PUZZLES, results_of
    from duelbox.plain.console import Console
    from duelbox.plain.line_trial import LineTrial
    from duelbox.store.store import Store
    from duelbox.table.puzzle_table import PuzzleTable

    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        left, done = to_do(day, results_of(store.progress.all(PUZZLES))) if day else (puzzles, ())
        table = PuzzleTable(left, day, done) if left else PuzzleTable(puzzles, day)
        while LineTrial(console, store, table).to_the_end() and table.rest:
            table = PuzzleTable(table.rest, table.day, table.done)
    return 0
