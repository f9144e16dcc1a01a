"""`duelbox exam`: writes a paper of positions nobody has seen, marks answers to it, and lets levels sit it."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duelbox.bots.program import RUN
from duelbox.commands.shared import above_home, check_alone, documents, has_screen
from duelbox.core.errors import DuelboxError
from duelbox.exam.league import GAMES_OF_A_PAIR, UNSEEN, League
from duelbox.exam.marks import chance, check_key, level, marks, read_answers, read_paper
from duelbox.exam.paper import MOST_QUESTIONS, MOST_SEED, Paper
from duelbox.exam.results import Results, table_of
from duelbox.exam.room import BOT, ME, Room, checked
from duelbox.exam.sitting import POSITIONS, SITTING, Sitting
from duelbox.store.files import find_folders, open_chosen, reason
from duelbox.store.store import Store
from duelbox.table.programs import with_commands

PRINTED = "-"
"""The name of a file that stands for the output."""

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


def run(args: Namespace) -> int:
    """Write a paper, mark answers, or print the table of the levels."""
    if args.json is not None and (args.json == ME or args.json.startswith((RUN, BOT))):
        args.players.append(args.json)  # `--json run:./mine` means a player, not a file
        args.json = PRINTED
    if args.json not in (None, PRINTED) and os.path.lexists(args.json):
        raise DuelboxError(f"{args.json[:200]} is there already. Name a file that is not there yet.")
    if args.league:
        others = ("write", "mark", "paper", "key", "legal", "positions")
        check_alone(args, "--league", "plays games", others)
        return _league(args)
    check_alone(args, "An exam", "plays no games", ("games", "rules"))
    if args.players and (args.write is not None or args.mark is not None):
        raise DuelboxError("Programs sit an exam at once: leave out --write and --mark.")
    if args.write is not None:
        check_alone(args, "--write", "makes a paper", ("mark", "paper", "json"))
        return _write(args)
    if args.mark is not None:
        check_alone(args, "--mark", "takes all from the paper", ("seed", "positions", "legal"))
        return _mark(args)
    check_alone(args, "A table", "needs no paper", ("paper", "key", "legal"))
    return _sit(args)


def _sit(args: Namespace) -> int:
    """Let the players sit the exam, on the screen or in lines."""
    players = checked(with_commands(args.players))
    seed = _seed(args)
    positions = POSITIONS if ME in players and args.positions is None else _positions(args)
    in_lines = args.plain or args.json == PRINTED
    if not in_lines and (ME in players or has_screen()):
        export = _file(args)
        return above_home(lambda app: screen_of(app, seed, positions, players, export), "duelbox exam me --plain")
    if ME not in players:
        return _tell(_results(Room(seed, players, folder=find_folders().data), positions), args)
    with Store.open() as store:
        sitting = Sitting(seed, positions, store.progress.newest(SITTING))
        if not sitting.done and not _answer(sitting, store):
            return 0
    room = Room(seed, players, answers=sitting.answers, folder=find_folders().data)
    return _tell(_results(room, positions), args)


def _file(args: Namespace) -> Path | None:
    """The file for the JSON of a table, if one was named."""
    if args.json in (None, PRINTED):
        return None
    return Path(args.json)


def screen_of(app: DuelboxApp, seed: int, positions: int, players: tuple[str, ...], export: Path | None = None) -> None:
    """Open the exam above home: the questions of a person, or the table."""
    from duelbox.ui.screens.marks_screen import MarksScreen
    from duelbox.ui.screens.sitting_screen import sit_on

    room = Room(seed, players, folder=app.store.folders.data)
    room.export = export
    if ME in players:
        sit_on(app, room, positions)
    else:
        app.push_screen(MarksScreen(room, positions))


def _league(args: Namespace) -> int:
    """Let the players play each other, on the screen or in lines."""
    games = GAMES_OF_A_PAIR
    if args.games is not None:
        games = args.games
    league = League(with_commands(args.players), games, args.rules or UNSEEN, _seed(args), folder=find_folders().data)
    league.export = _file(args)
    if has_screen() and not args.plain and args.json != PRINTED:
        return above_home(lambda app: _open_league(app, league), "duelbox exam --league --plain")
    shows = sys.stderr.isatty()
    try:
        for ended in league.play():
            if shows and ended:
                done, of = league.done_games
                sys.stderr.write(f"\r\x1b[K{done} of {of} games")
                sys.stderr.flush()
        league.done()
    finally:
        league.close()
        if shows:
            sys.stderr.write("\r\x1b[K")
    _put_table(league.to_json(), league.lines(), args)
    return 0


def _open_league(app: DuelboxApp, league: League) -> None:
    from duelbox.ui.screens.league_screen import LeagueScreen

    app.push_screen(LeagueScreen(league))


def _answer(sitting: Sitting, store: Store) -> bool:
    """Let a person answer in lines; False if they leave before the end."""
    from duelbox.plain.console import Console
    from duelbox.plain.line_trial import LineTrial
    from duelbox.table.sitting_table import SittingTable

    console = Console(sys.stdin, sys.stdout)

    def keep(question: str, move: str) -> None:
        try:
            store.progress.add(SITTING, question, move)
        except DuelboxError as error:
            console.say(error.sentence)

    while not sitting.done:
        if not LineTrial(console, store, SittingTable(sitting, keep)).to_the_end():
            console.say("Your answers are kept. To go on, give the same command again.")
            return False
    return True


def _results(room: Room, positions: int) -> Results:
    """The results of a room; progress is told at a terminal."""
    shows = sys.stderr.isatty()
    try:
        for at in room.sit(positions):
            if shows:
                sys.stderr.write(f"\r\x1b[K{at.name}: {at.done} of {at.of}")
                sys.stderr.flush()
        room.done()
        return room.results
    finally:
        room.close()
        if shows:
            sys.stderr.write("\r\x1b[K")


def _seed(args: Namespace) -> int:
    if args.seed is None:
        return 1
    if args.seed > MOST_SEED:
        raise DuelboxError(f"--seed takes a number from 0 to {MOST_SEED}, not {args.seed}.")
    return int(args.seed)


def _positions(args: Namespace) -> int:
    if args.positions is None:
        return 400
    if not 1 <= args.positions <= MOST_QUESTIONS:
        raise DuelboxError(f"--positions takes a number from 1 to {MOST_QUESTIONS}, not {args.positions}.")
    return int(args.positions)


def _write(args: Namespace) -> int:
    paper = Paper(_seed(args), _positions(args))
    if args.key is not None and args.key == args.write:
        raise DuelboxError("The paper and its key are two files: name two.")
    _put(args.write, paper.lines(legal=args.legal))
    if args.key is not None:
        _put(args.key, paper.key())
    return 0


def _put(name: str, lines: Iterator[str]) -> None:
    """Write lines into a new file, or to the output for `-`; a file that is there stays as it is."""
    if name == "-":
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    text = "".join(f"{line}\n" for line in lines)
    try:
        with open_chosen(Path(name), "xb") as file:
            file.write(text.encode("ascii"))
    except FileExistsError:
        raise DuelboxError(f"{name[:200]} is there already. Name a file that is not there yet.") from None
    except (OSError, ValueError) as error:
        raise DuelboxError(f"{name[:200]} cannot be written: {reason(error)}.") from None


def _mark(args: Namespace) -> int:
    if args.paper is None:
        raise DuelboxError("--mark needs the paper that was answered: add --paper PAPER.")
    paper = read_paper(_lines(args.paper))
    if args.key is not None:
        check_key(_lines(args.key), paper)
    answers = read_answers(_lines(args.mark), paper)
    name = Path(args.mark).stem if args.mark != "-" else "answers"
    graded = marks(name[:24], paper.questions, answers)
    anchors = (chance(paper.questions), *(level(number, paper.questions) for number in range(1, 6)))
    return _tell(Results(paper.seed, (graded,), anchors), args)


def _lines(name: str) -> Iterator[str]:
    for line in documents(name):
        yield from line.decode("utf-8", "replace").splitlines()


def _tell(results: Results, args: Namespace) -> int:
    _put_table(results.to_json(), table_of(results), args)
    return 0


def _put_table(facts: Mapping[str, Any], lines: Iterator[str], args: Namespace) -> None:
    """Print a table as text or as JSON; a file that was named has it as JSON."""
    if args.json is not None:
        _put(args.json, iter([json.dumps(facts, indent=1)]))
    if args.json != PRINTED:
        sys.stdout.write("\n".join([*lines, ""]))
