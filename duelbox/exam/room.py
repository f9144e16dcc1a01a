"""The room in which all players sit a paper, one after the other: chance, the levels, programs, and a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from duelbox.bots import levels_of
from duelbox.bots.program import RUN, Program
from duelbox.core.errors import DuelboxError
from duelbox.exam.kept import Kept, as_it_is
from duelbox.exam.marks import Chance, Graded, Marks, grade, graded_level, graded_program
from duelbox.exam.paper import GAMES, MOST_QUESTIONS, PaperQuestion, questions
from duelbox.exam.results import YOU, Results, table_of
from duelbox.store.programs import keep_errors, path_of_errors

CHANCE = "chance"
ME = "me"
BOT = "bot:"
LEVELS = tuple(f"{BOT}{number}" for number in range(1, 6))
ANCHORS = (CHANCE, *LEVELS)
"""The players of every table."""
PAPER = "paper"
LONGEST_NAME = 24


class AtWork(NamedTuple):
    """The player who sits the paper now, and the number of positions done."""

    name: str
    done: int
    of: int


def checked(players: Sequence[str]) -> tuple[str, ...]:
    """The players of a command line; raises DuelboxError for one that cannot sit an exam."""
    return tuple(
        dict.fromkeys(checked_player(player, "run:COMMAND, bot:1 to bot:5, or me", (ME,)) for player in players)
    )


def checked_player(player: str, known: str, others: Sequence[str] = ()) -> str:
    """A program, one of `others`, or a level by its number, such as bot:2 for bot:peek; raises DuelboxError."""
    if player.startswith(RUN) or player in others:
        return player
    asked = player.removeprefix(BOT).lower()
    for number, level in enumerate(levels_of(GAMES[0]), 1):
        if player.startswith(BOT) and asked in (str(number), level.id):
            return f"{BOT}{number}"
    raise DuelboxError(f"A player is {known}, not {player[:24]!a}.")


class Room:
    """The players of an exam with their answers so far; the paper may grow, and nobody is asked twice."""

    def __init__(
        self,
        seed: int,
        players: Sequence[str],
        *,
        answers: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """`answers` are those of the person by the ids of the questions; `folder` keeps answers of programs."""
        self.export: Path | None = None
        """The file into which the table is written once it is whole, if one was asked for."""
        self.check: Callable[[], object] | None = None
        """Called again and again while a program thinks; it may raise to end the exam."""
        self.seed = seed
        self.players = checked(players)
        self.answers: Mapping[str, str] = answers or {}
        self._folder = folder
        self._stream = questions(seed, MOST_QUESTIONS)
        self._questions: list[PaperQuestion] = []
        self._graded: dict[str, list[Graded]] = {player: [] for player in (*ANCHORS, *self.players)}
        self._names: dict[str, str] = {}
        self._marks: dict[str, Marks] = {}
        self._kept: list[Kept] = []
        self._programs: dict[str, Program] = {}

    @property
    def results(self) -> Results:
        """The marks of all players who are done."""
        players = [self._marks[player] for player in self.players if player in self._marks]
        anchors = [self._marks[anchor] for anchor in ANCHORS if anchor in self._marks]
        return Results(self.seed, tuple(players), tuple(anchors))

    def to_json(self) -> dict[str, Any]:
        """The table as JSON has it."""
        return self.results.to_json()

    def lines(self) -> Iterator[str]:
        """The table in lines."""
        return table_of(self.results)

    def whole(self, positions: int) -> bool:
        """All players are done with so many positions."""
        done = [marks for marks in self._marks.values() if len(marks.graded) == positions]
        return len(done) == len(self._graded)

    def sit(self, positions: int) -> Iterator[AtWork]:
        """Let all players sit the paper up to this many positions; marks of a shorter paper stay until all are done."""
        for question in islice(self._stream, max(0, positions - len(self._questions))):
            self._questions.append(question)
            yield AtWork(PAPER, len(self._questions), positions)
        paper = tuple(self._questions[:positions])
        grown = dict[str, Marks]()
        shown = self._marks
        if shown:
            shown = grown
        for player, graded in self._graded.items():
            yield AtWork(self._name(player), len(graded), positions)
            for found in self._sits(player, paper[len(graded) :]):
                graded.append(found)
                yield AtWork(self._name(player), len(graded), positions)
            kind = Chance if player == CHANCE else Marks
            shown[player] = kind(self._name(player), paper, tuple(graded[:positions]))
        if grown:
            self._marks = grown

    def done(self) -> None:
        """Forget what was kept in case of a kill: the table was shown."""
        for kept in self._kept:
            kept.done()
        self._kept.clear()

    def close(self) -> None:
        """End the programs; what they answered stays kept."""
        for program in self._programs.values():
            program.end()
            if self._folder is not None:
                keep_errors(program.errors, path_of_errors(program.command))
        self._programs.clear()
        for kept in self._kept:
            kept.close()
        self._kept.clear()

    def _name(self, player: str) -> str:
        return self._names.get(player, player)

    def _sits(self, player: str, paper: Sequence[PaperQuestion]) -> Iterator[Graded]:
        if player == CHANCE:
            for question in paper:
                yield Graded(question.mean, True, "")
        elif player in LEVELS:
            number = LEVELS.index(player) + 1
            self._names[player] = levels_of(GAMES[0])[number - 1].name
            for question in paper:
                yield graded_level(number, question)
        elif player == ME:
            self._names[player] = YOU
            for question in paper:
                yield grade(question, self.answers.get(question.id))
        else:
            yield from self._program_sits(player, paper)

    def _program_sits(self, player: str, paper: Sequence[PaperQuestion]) -> Iterator[Graded]:
        """The answers that were kept, then those of the program itself."""
        command = player.removeprefix(RUN)
        program = self._programs.setdefault(player, Program(command))
        kept = None
        before: dict[str, Graded] = {}
        if self._folder is not None:
            kept = Kept(self._folder, player, str(self.seed), as_it_is(command))
            self._kept.append(kept)
            before = _before(kept, paper)
            for line in kept.lines:
                name = line.get("name")
                if isinstance(name, str) and name.isprintable():
                    self._names[player] = self._free_name(name, player)
        yield from before.values()
        rest = paper[len(before) :]
        for question, (answer, graded) in zip(rest, graded_program(program, rest, self.check), strict=True):
            if kept is not None:
                fault = ""
                if answer is None:
                    fault = graded.sentence
                kept.add({"id": question.id, "move": answer, "fault": fault, "name": program.name})
            self._names[player] = self._free_name(program.name or command, player)
            yield graded

    def _free_name(self, name: str, player: str) -> str:
        """A short name that nobody else in the room has."""
        taken = {other for by, other in self._names.items() if by != player}
        return free_name(name, taken | {CHANCE})


def free_name(name: str, taken: Collection[str]) -> str:
    """A short name that is not taken yet, if need be with a number."""
    short = name[:LONGEST_NAME]
    number = 2
    while short in taken:
        short = f"{name[: LONGEST_NAME - 3]} {number}"
        number += 1
    return short


def _before(kept: Kept, paper: Sequence[PaperQuestion]) -> dict[str, Graded]:
    """The kept answers to the first questions of a paper, as far as there are any."""
    lines = {line.get("id"): line for line in kept.lines}
    found: dict[str, Graded] = {}
    for question in paper:
        line = lines.get(question.id)
        if line is None:
            break
        move, fault = line.get("move"), line.get("fault")
        if isinstance(move, str):
            found[question.id] = grade(question, move)
        elif isinstance(fault, str):
            found[question.id] = Graded(question.worst, False, fault)
        else:
            break
    return found
