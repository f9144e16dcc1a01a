"""`duelbox exam`: writes a paper of positions nobody has seen, marks answers to it, and lets levels sit it."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from duelbox.bots.program import RUN
from duelbox.commands.shared import check_alone, documents
from duelbox.core.errors import DuelboxError
from duelbox.exam.marks import Marks, chance, check_key, level, marks, program, read_answers, read_paper
from duelbox.exam.paper import GAMES, MOST_QUESTIONS, MOST_SEED, Paper, PaperQuestion
from duelbox.store.files import open_chosen, reason

ANCHORS = range(1, 6)
"""The levels that every table holds, beside chance."""
SHORT = dict(zip(GAMES, ("ring", "race", "line", "chain", "hands"), strict=True))
"""The heads of the columns."""


def run(args: Namespace) -> int:
    """Write a paper, mark answers, or print the table of the levels."""
    if args.players and (args.write is not None or args.mark is not None):
        raise DuelboxError("Programs sit an exam at once: leave out --write and --mark.")
    if args.write is not None:
        check_alone(args, "--write", "makes a paper", ("mark", "paper", "json"))
        return _write(args)
    if args.mark is not None:
        check_alone(args, "--mark", "takes all from the paper", ("seed", "positions", "legal"))
        return _mark(args)
    check_alone(args, "A table", "needs no paper", ("paper", "key", "legal"))
    questions = _paper(args).questions
    return _tell([_sat(player, questions) for player in args.players], questions, as_json=args.json)


def _sat(player: str, questions: tuple[PaperQuestion, ...]) -> Marks:
    """The marks of a player on the command line."""
    if not player.startswith(RUN):
        raise DuelboxError(f"A player is run:COMMAND, not {player[:24]!a}. Chance and the levels sit every exam.")

    def told(number: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{player[:40]}: {number + 1} of {len(questions)}")
            sys.stderr.flush()

    found = program(player.removeprefix(RUN), questions, told)
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    return found


def _paper(args: Namespace) -> Paper:
    seed = 1 if args.seed is None else args.seed
    positions = 400 if args.positions is None else args.positions
    if seed > MOST_SEED:
        raise DuelboxError(f"--seed takes a number from 0 to {MOST_SEED}, not {seed}.")
    if not 1 <= positions <= MOST_QUESTIONS:
        raise DuelboxError(f"--positions takes a number from 1 to {MOST_QUESTIONS}, not {positions}.")
    return Paper(seed, positions)


def _write(args: Namespace) -> int:
    paper = _paper(args)
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
    return _tell((marks(name[:24], paper.questions, answers),), paper.questions, as_json=args.json)


def _lines(name: str) -> Iterator[str]:
    for line in documents(name):
        yield from line.decode("utf-8", "replace").splitlines()


def _tell(players: Sequence[Marks], questions: tuple[PaperQuestion, ...], *, as_json: bool) -> int:
    anchors = [chance(questions), *(level(number, questions) for number in ANCHORS)]
    if as_json:
        facts = {
            "players": [player.to_json() for player in players],
            "anchors": [anchor.to_json() for anchor in anchors],
            "dearest": [_dearest(player) for player in players],
        }
        sys.stdout.write(f"{json.dumps(facts, indent=1)}\n")
        return 0
    rows = sorted((*players, *anchors), key=lambda row: row.regret)
    sys.stdout.write("\n".join([*_table(rows, len(questions)), *_findings(players, anchors), ""]))
    return 0


def _dearest(player: Marks) -> dict[str, Any]:
    question, graded = player.dearest
    return {
        "player": player.name,
        "id": question.id,
        "game": question.game.INFO.id,
        "regret": str(graded.regret),
        "sentence": graded.sentence,
    }


def _table(rows: Sequence[Marks], positions: int) -> Iterator[str]:
    wide = max(8, *(len(row.name) for row in rows))
    titles = " ".join(f"{SHORT[game_id]:>9}" for game_id in rows[0].by_game())
    yield f"Given away in 100, in {positions} positions"
    yield f"{'':{wide}}  in 100          right  illegal  {titles}"
    for row in rows:
        games = " ".join(f"{100 * regret:9.1f}" for regret in row.by_game().values())
        sure = f"{100 * row.regret:6.1f} +- {100 * row.interval:4.1f}"
        yield f"{row.name:{wide}}  {sure}  {100 * row.none:4.0f} %  {row.illegal:7}  {games}"


def _findings(players: Sequence[Marks], anchors: Sequence[Marks]) -> Iterator[str]:
    for player in players:
        yield ""
        for verdict in ("better", "worse", "cannot be told"):
            names = [found.name for found in map(player.against, anchors) if found.verdict == verdict]
            if names and verdict == "cannot be told":
                yield f"{player.name} cannot be told from {', '.join(names)} by {len(player.graded)} positions."
            elif names:
                yield f"{player.name} is {verdict} than {', '.join(names)}."
        question, graded = player.dearest
        if graded.regret:
            yield f"The dearest answer: {question.id}, {question.game.INFO.title}. {graded.sentence}"
