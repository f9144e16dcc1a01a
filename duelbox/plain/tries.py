"""Right moves to find at the line mode: the steps of a lesson, or a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic

from duelbox.core.errors import MoveError
from duelbox.core.model import Voice
from duelbox.core.session import Session
from duelbox.learn.lessons import Course
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.learn.strength import Attempt, attempt_of
from duelbox.learn.tries import Tried
from duelbox.plain.console import Console, InputEnded
from duelbox.registry import rules_text, talk_of
from duelbox.solve import sentences
from duelbox.table.story import turn_told

Words = Mapping[str, Callable[[], object]]
"""The acts of words that are no moves; a text that one returns is told."""

HELP = """Type your move, or one of these words:
  help    this list
  rules   the rules of the game
  board   the position
"""
LESSON_HELP = f"""{HELP}  hint    a question; then an idea; then the move
  answer  the move
  back    the step before
  skip    the next step
  quit    leave"""
PUZZLE_HELP = f"""{HELP}  hint    a question; then an idea; then the move
  answer  the move
  quit    leave"""


def take(console: Console, course: Course) -> int:
    """Take the lessons of a game, step by step, from the one at hand; the exit status."""
    console.say(f"{course.session.game.INFO.title}, {len(course.lessons)} lessons. Type help at any question.")
    words: Words = {
        "help": lambda: LESSON_HELP,
        "hint": lambda: _hint(course),
        "answer": lambda: f"Play {course.right[0]}.",
        "back": course.go_back,
        "skip": course.skip,
    }
    try:
        while True:
            _lesson(console, course, words)
            if course.following is None:
                return 0
            course.open(course.number + 1)
    except InputEnded:
        return 0


def _lesson(console: Console, course: Course, words: Words) -> None:
    """Take one lesson; raises InputEnded."""
    lesson, game_id = course.lesson, course.session.game.INFO.id
    console.say(f"\nLesson {course.number + 1}: {lesson.title}")
    while not course.done:
        session = course.session
        if course.asked == course.step.say:
            console.say(f"\nStep {course.at + 1} of {len(lesson.step)}")
        _show(console, session)
        console.say(f"\n{course.asked}")
        while course.session is session and not course.done:
            tried = _asked(console, session, course.attempt, words)
            if tried is not None:
                console.say(f"Right. {tried.sentence}".strip() if tried.right else tried.sentence)
                if tried.right:
                    course.go_on()
    console.say(f"\n{lesson.end}")
    console.say(f"Then play: duelbox play {game_id} --preset {lesson.preset} --p2 bot:1 --plain")
    console.say(f"Puzzles:   duelbox puzzle {game_id} --plain")


def solve(console: Console, puzzle: Puzzle, day: str = "") -> Attempt | None:
    """Solve a puzzle, move by move; None where somebody leaves before its end."""
    solving, began = Solving(puzzle), monotonic()
    session = solving.session

    def answer() -> str:
        solving.answered()
        return f"Play {solving.right[0]}."

    words: Words = {"help": lambda: PUZZLE_HELP, "hint": lambda: _hint(solving), "answer": answer}
    _show(console, session)
    console.say(f"\n{solving.asked} Grade {puzzle.grade} of 5. Type help at any question.")
    while not solving.done:
        try:
            tried = _asked(console, session, solving.attempt, words)
        except InputEnded:
            return None
        if tried is not None and tried.right:
            console.say(f"{tried.move} is right. {tried.sentence}")
            if not solving.done:
                console.say("Go on.")
            elif puzzle.idea:
                console.say(f"The idea: {puzzle.idea}.")
        elif tried is not None:
            console.say(f"{tried.sentence} Try again.")
    return attempt_of(solving, monotonic() - began, day)


def _hint(trial: Course | Solving) -> str:
    """The next hint."""
    trial.hinted()
    assert trial.analysis is not None
    return sentences.hint(trial.analysis, trial.hint_step)


def _show(console: Console, session: Session) -> None:
    console.say(session.named(talk_of(session.game).board(session.view(session.turn))))


def _asked(console: Console, session: Session, attempt: Callable[[str], Tried], words: Words) -> Tried | None:
    """Ask once; what came of the move that was tried, or None. Raises InputEnded where somebody leaves."""
    count, answer = len(session.plies), console.ask("Your move: ")
    if (word := answer.lower()) in ("quit", "q"):
        raise InputEnded
    if word == "rules":
        console.say(rules_text(session.game.INFO.id).rstrip())
    elif word == "board":
        _show(console, session)
    elif word in words:
        if isinstance(told := words[word](), str):
            console.say(session.named(told))
    elif answer:
        try:
            tried = attempt(answer)
        except MoveError as error:
            console.say(session.named(error.sentence))
            return None
        for at in range(count, len(tried.played.plies)):
            console.say(turn_told(tried.played, at, Voice(session.names))[1])
        return tried
    return None
