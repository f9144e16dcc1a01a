"""`duelbox puzzle`: a puzzle to solve, the puzzle of the day, or puzzles made for a pack."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from duelbox.learn.puzzles import Puzzle


def run(args: Namespace) -> int:
    """Find the puzzle that is asked for, and print or open it."""
    if args.grade is not None and not 1 <= args.grade <= 5:
        raise DuelboxError(f"A puzzle is of grade 1 to 5, not {args.grade}.")
    if args.make is not None:
        return _make(args)
    day = _day(args.daily) if args.daily is not None else None
    puzzles = _asked(args, day)
    if args.json:
        for puzzle in puzzles:
            sys.stdout.write(json.dumps(_told(puzzle, day, answer=args.answer)) + "\n")
        return 0
    if args.plain:
        return _plain(puzzles, day)
    from duelbox.commands.play import above_home

    return above_home(lambda app: app.ways.open_puzzles(puzzles, day), "duelbox puzzle --plain")


def _asked(args: Namespace, day: date | None) -> list[Puzzle]:
    from duelbox.learn.shelf import daily

    if day is not None:
        return [daily(day)]
    if args.pack is not None:
        return _packed(args.pack)
    return [_next(args)]


def _next(args: Namespace) -> Puzzle:
    """A puzzle to practise: by its seed, or one near the player's strength that was not tried yet."""
    from duelbox.learn.shelf import offered, practice
    from duelbox.learn.strength import KIND
    from duelbox.registry import find_game
    from duelbox.store.store import Store

    game_id: str | None = None if args.game is None else find_game(args.game.lower()).INFO.id
    puzzles: tuple[Puzzle, ...] = practice(game_id, args.grade) if args.seed is not None else ()
    if puzzles:
        seed: int = args.seed
        return puzzles[seed % len(puzzles)]
    with Store.open() as store:
        tried = [(one.key, one.value) for one in store.progress.all(KIND)]
    return offered(tried, game_id, args.grade)


def _day(text: str) -> date:
    if not text:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DuelboxError(f"{text[:24]!a} is not a day. Write it as 2027-01-06.") from None


def _told(puzzle: Puzzle, day: date | None, *, answer: bool) -> dict[str, object]:
    told: dict[str, object] = {"date": day.isoformat()} if day is not None else {}
    told |= {"code": puzzle.code, "grade": puzzle.grade}
    return told | {"line": list(puzzle.line)} if answer else told


def _packed(name: str) -> list[Puzzle]:
    """The puzzles of a pack, each proved before anybody is asked to solve it."""
    from duelbox.learn.puzzles import Puzzle, fault_of

    try:
        lines = (sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DuelboxError(f"{name} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}.") from None
    puzzles = []
    for number, line in enumerate(lines, 1):
        try:
            puzzles.append(Puzzle.model_validate_json(line))
        except ValidationError:
            raise DuelboxError(
                f"{name}, line {number}: this is no puzzle. A pack has one a line, as --make writes them."
            ) from None
        if fault := fault_of(puzzles[-1], graded=False):
            raise DuelboxError(f"{name}, line {number}: {fault}")
    if not puzzles:
        raise DuelboxError(f"{name} has no puzzle in it.")
    return puzzles


def _make(args: Namespace) -> int:
    from duelbox.learn.puzzles import make
    from duelbox.registry import find_game

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


def _plain(puzzles: Iterable[Puzzle], day: date | None) -> int:
    from duelbox.learn.strength import KIND, shared
    from duelbox.plain.console import Console
    from duelbox.plain.tries import solve
    from duelbox.registry import find_game
    from duelbox.store.store import Store

    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        for puzzle in puzzles:
            attempt = solve(console, puzzle, day.isoformat() if day else "")
            if attempt is None:
                return 0
            store.progress.add(KIND, puzzle.code, attempt.model_dump(mode="json"))
            console.say(f"\n{shared(find_game(puzzle.game_id).INFO.title, attempt)}")
    return 0
