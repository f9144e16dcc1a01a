"""Marks: the regret of answers to a paper, and how sure it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from duelbox.bots import choose, levels_of
from duelbox.bots.program import Program, ProgramFault
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.model import listed
from duelbox.exam.paper import FORMAT, GAMES, MOST_QUESTIONS, MOST_SEED, Paper, PaperQuestion

ZERO = Fraction(0)
SURE = 1.96
"""The half width of a 95 % interval in standard errors."""
NO_ANSWER = "No answer."
MOST_FAULTS = 3
"""A program that failed so often in a row is asked no more."""


class Graded(NamedTuple):
    """An answer with its regret: the best value less that of the move."""

    regret: Fraction
    legal: bool
    sentence: str
    """The best move, or why the answer is no legal move."""
    move: str = ""
    """The answer as the game writes it; empty if it is no legal move."""


class Difference(NamedTuple):
    """One player's regret less another's, question by question."""

    name: str
    mean: float
    interval: float
    """Half the width of the 95 % interval of the mean."""

    @property
    def verdict(self) -> str:
        """ "better", "worse" or "cannot be told"."""
        if self.mean + self.interval < 0:
            return "better"
        if self.mean - self.interval > 0:
            return "worse"
        return "cannot be told"


class Marks(NamedTuple):
    """All answers of a player to a paper, in its order."""

    name: str
    questions: tuple[PaperQuestion, ...]
    graded: tuple[Graded, ...]

    @property
    def regrets(self) -> tuple[Fraction, ...]:
        """The regret of each answer."""
        return tuple(grade.regret for grade in self.graded)

    @property
    def regret(self) -> float:
        """The mean regret."""
        return _mean(self.regrets)

    @property
    def interval(self) -> float:
        """Half the width of the 95 % interval of the mean regret."""
        return _interval(self.regrets)

    @property
    def illegal(self) -> int:
        """The number of answers that were no legal moves, or not there."""
        return sum(not grade.legal for grade in self.graded)

    @property
    def first_fault(self) -> tuple[PaperQuestion, Graded] | None:
        """The first question whose answer was no legal move, or was not there, and its grade; None if all are legal."""
        for question, graded in zip(self.questions, self.graded, strict=True):
            if not graded.legal:
                return question, graded
        return None

    @property
    def none(self) -> float:
        """The share of answers without regret."""
        return _mean([Fraction(regret == 0) for regret in self.regrets])

    @property
    def dearest(self) -> tuple[PaperQuestion, Graded]:
        """The question at which most was given away, the first of several, and its grade."""
        pairs = zip(self.questions, self.graded, strict=True)
        return max(pairs, key=lambda pair: pair[1].regret)

    def by_game(self) -> dict[str, float]:
        """The mean regret in each game of the paper."""
        found: dict[str, float] = {}
        for game_id in GAMES:
            pairs = zip(self.questions, self.regrets, strict=True)
            regrets = [regret for question, regret in pairs if question.game.INFO.id == game_id]
            if regrets:
                found[game_id] = _mean(regrets)
        return found

    def against(self, other: Marks) -> Difference:
        """The difference to another player's marks for the same paper."""
        pairs = zip(self.regrets, other.regrets, strict=True)
        differences = [mine - theirs for mine, theirs in pairs]
        return Difference(other.name, _mean(differences), _interval(differences))

    def to_json(self) -> dict[str, Any]:
        """The marks as JSON has them; regrets are rounded to four places."""
        return {
            "name": self.name,
            "regret": round(self.regret, 4),
            "interval": round(self.interval, 4),
            "none": round(self.none, 4),
            "illegal": self.illegal,
            "by_game": {game_id: round(regret, 4) for game_id, regret in self.by_game().items()},
        }


def _mean(values: Sequence[Fraction]) -> float:
    return float(sum(values, ZERO) / len(values))


def _interval(values: Sequence[Fraction]) -> float:
    if len(values) < 2:
        return 0.0
    mean = sum(values, ZERO) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), ZERO) / (len(values) - 1)
    return SURE * sqrt(variance / len(values))


# ---------------------------------------------------------------- grading


def grade(question: PaperQuestion, answer: str | None) -> Graded:
    """Grade an answer; one that is no legal move costs as much as the worst move."""
    if answer is None:
        return Graded(question.worst, False, NO_ANSWER)
    session = question.session.copy()
    try:
        move = session.parse(answer)
        session.play(move)
    except MoveError as refusal:
        return Graded(question.worst, False, refusal.sentence)
    text = question.game.format_move(move)
    regret = question.regrets[text]
    if regret:
        best = [move for move, lost in question.regrets.items() if not lost]
        sentence = f"{text} gives away {in_100(regret)}. Best: {listed(best[:6], 'or')}."
        return Graded(regret, True, sentence, text)
    return Graded(regret, True, f"{text} gives nothing away.", text)


def in_100(regret: Fraction) -> str:
    """A regret as people read it: "50 in 100"."""
    return f"{float(100 * regret):.0f} in 100"


def marks(name: str, questions: tuple[PaperQuestion, ...], answers: Mapping[str, str]) -> Marks:
    """The marks of answers by the ids of their questions."""
    return Marks(name, questions, tuple(grade(question, answers.get(question.id)) for question in questions))


class Chance(Marks):
    """Somebody who draws each move at random, worked out exactly."""

    @property
    def none(self) -> float:
        """The chance of an answer without regret."""
        shares = []
        for question in self.questions:
            regrets = question.regrets.values()
            shares.append(Fraction(sum(not regret for regret in regrets), len(regrets)))
        return _mean(shares)


def chance(questions: tuple[PaperQuestion, ...]) -> Marks:
    """The marks of somebody who draws each move at random."""
    return Chance("chance", questions, tuple(Graded(question.mean, True, "") for question in questions))


def level(number: int, questions: tuple[PaperQuestion, ...]) -> Marks:
    """The marks of a level of the computer, 1 to 5."""
    name = levels_of(questions[0].game.INFO.id)[number - 1].name
    return Marks(name, questions, tuple(graded_level(number, question) for question in questions))


def graded_level(number: int, question: PaperQuestion) -> Graded:
    """The answer of a level, 1 to 5, whose seed is the number of the question."""
    found = levels_of(question.game.INFO.id)[number - 1]
    seed = int(question.id.partition("-")[2])
    session = question.session
    return grade(question, choose(question.game, session.view(session.turn), found.id, seed).move)


def graded_program(
    player: Program, questions: Iterable[PaperQuestion], check: Callable[[], object] | None = None
) -> Iterator[tuple[str | None, Graded]]:
    """The answers of a program; at a fault it is started anew, and after three in a row it is asked no more.

    `check` may raise to end it.
    """
    faults = 0
    for question in questions:
        if faults >= MOST_FAULTS:
            yield None, grade(question, None)
            continue
        try:
            answer = player.ask(question.session, check)
        except ProgramFault as fault:
            faults += 1
            yield None, Graded(question.worst, False, fault.sentence)
            continue
        faults = 0
        yield answer, grade(question, answer)


# ---------------------------------------------------------------- reading


def read_paper(lines: Iterable[str]) -> Paper:
    """The paper that a file begins; raises DuelboxError if it is of another format, or was changed."""
    rows = _objects(lines, "paper")
    first = next(iter(rows.values()), {})
    if first.get("format") != FORMAT:
        raise DuelboxError(f"Line 1 of the paper is not of format {FORMAT}, which this duelbox reads.")
    seed = _whole(first.get("seed"), 0, MOST_SEED)
    positions = _whole(first.get("positions"), 1, MOST_QUESTIONS)
    paper = Paper(seed, positions)
    ids = [row.get("id") for number, row in rows.items() if number > 1]
    if ids != [question.id for question in paper.questions]:
        raise DuelboxError(f"The paper does not hold the questions 1 to {positions} of seed {seed}.")
    return paper


def _whole(value: object, least: int, most: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise DuelboxError("Line 1 of the paper lacks a seed or a number of positions.")


def read_answers(lines: Iterable[str], paper: Paper) -> dict[str, str]:
    """The answers of a file by the ids of their questions; raises DuelboxError, which names the line."""
    known = {question.id for question in paper.questions}
    answers: dict[str, str] = {}
    for number, row in _objects(lines, "answers").items():
        where = f"Line {number} of the answers"
        found, move = row.get("id"), row.get("move")
        if not isinstance(found, str) or not isinstance(move, (str, int)):
            raise DuelboxError(f'{where} has no id and move, such as {{"id": "{paper.seed}-001", "move": "5"}}.')
        if found not in known:
            raise DuelboxError(f"{where} answers {found[:24]!a}, which is no question of this paper.")
        if found in answers:
            raise DuelboxError(f"{where} answers {found} a second time.")
        answers[found] = str(move)
    return answers


def check_key(lines: Iterable[str], paper: Paper) -> None:
    """Compare a key with the paper; raises DuelboxError where it says something else."""
    rows = _objects(lines, "key")
    for row, line in zip(rows.values(), paper.key(), strict=False):
        if row != json.loads(line):
            raise DuelboxError(f"The key has other regrets for question {row.get('id')!r:.24}.")
    if len(rows) != paper.positions:
        raise DuelboxError(f"The key has {len(rows)} questions, and the paper {paper.positions}.")


def _objects(lines: Iterable[str], kind: str) -> dict[int, dict[str, Any]]:
    """The JSON objects of a file by the numbers of their lines; empty lines are skipped."""
    found: dict[int, dict[str, Any]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise DuelboxError(f"Line {number} of the {kind} is no JSON object: {line.strip()[:24]!a}.")
        found[number] = row
    return found
