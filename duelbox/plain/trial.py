"""Lessons, puzzles and mistakes in lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic

from duelbox.core.errors import MoveError
from duelbox.core.model import Voice
from duelbox.core.session import Session
from duelbox.learn.lessons import Course
from duelbox.learn.mistakes import Mistake, Mistakes
from duelbox.learn.puzzle_results import PuzzleResult, result_of
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.learn.trial import Attempt
from duelbox.plain.console import Console, InputEnded
from duelbox.plain.rules_page import rules_page
from duelbox.registry import talk_of
from duelbox.solve import sentences
from duelbox.table.story import turn_line

Finding = Course | Solving | Mistakes
Words = Mapping[str, Callable[[], object]]
"""The actions of words; a text that one returns is printed."""

HELP = """Type your move, or one of these words:
  help    this list
  rules   the rules of the game
  board   the position
  hint    a question; then an idea; then the move
  answer  the move
"""
LEAVE = "  quit    leave"
COURSE = f"{HELP}  back    the step before\n  skip    the next step\n{LEAVE}"


def take_lessons(console: Console, course: Course) -> int:
    """Take the lessons of a game from the present one on; returns the exit status."""
    console.say(f"{course.session.game.INFO.title}, {len(course.lessons)} lessons. Type help at any question.")
    try:
        while True:
            _lesson(console, course)
            if course.following is None:
                return 0
            course.open(course.number + 1)
    except InputEnded:
        return 0


def _lesson(console: Console, course: Course) -> None:
    """Take one lesson; raises InputEnded."""
    lesson, game_id = course.lesson, course.session.game.INFO.id
    words = {"help": lambda: COURSE, "back": course.go_back, "skip": course.skip}
    console.say(f"\nLesson {course.number + 1}: {lesson.title}")
    while not course.done:
        session = course.session
        if course.asked == course.step.say:
            console.say(f"\nStep {course.at + 1} of {len(lesson.step)}")
        _show(console, session)
        console.say(f"\n{course.asked}")
        while course.session is session and not course.done:
            attempt = _ask(console, course, words)
            if attempt is not None:
                console.say(f"Right. {attempt.sentence}".strip() if attempt.right else attempt.sentence)
                if attempt.right:
                    course.go_on()
    console.say(f"\n{lesson.end}")
    console.say(f'Ten puzzles: duelbox puzzle {game_id} --idea "{lesson.idea}" --plain')
    console.say(f"Then play:   duelbox play {game_id} --preset {lesson.preset} --p2 bot:1 --plain")


def solve_puzzle(console: Console, puzzle: Puzzle, day: str = "") -> PuzzleResult | None:
    """Solve a puzzle, move by move; None if the player leaves before its end."""
    solving, began = Solving(puzzle), monotonic()
    _show(console, solving.session)
    console.say(f"\n{solving.asked} Grade {puzzle.grade} of 5. Type help at any question.")
    while not solving.done:
        if not _find_right_move(console, solving):
            return None
        if not solving.done:
            console.say("Go on.")
        elif puzzle.idea:
            console.say(f"The idea: {puzzle.idea}.")
    return result_of(solving, monotonic() - began, day)


def mend_mistake(console: Console, mistake: Mistake) -> bool | None:
    """Find the right move in place of a mistake: True if found at once, None if the player leaves."""
    trial = Mistakes([mistake])
    _show(console, trial.session)
    console.say(f"\n{trial.session.named(trial.asked)} Type help at any question.")
    return trial.results[0] == "found" if _find_right_move(console, trial) else None


def _find_right_move(console: Console, trial: Solving | Mistakes) -> bool:
    """Ask until the right move is found; False if the player leaves before."""
    while True:
        try:
            attempt = _ask(console, trial, {"help": lambda: f"{HELP}{LEAVE}"})
        except InputEnded:
            return False
        if attempt is not None:
            console.say(
                f"{attempt.move} is right. {attempt.sentence}" if attempt.right else f"{attempt.sentence} Try again."
            )
            if attempt.right:
                return True


def _show(console: Console, session: Session) -> None:
    console.say(session.named(talk_of(session.game).board(session.view(session.turn))))


def _ask(console: Console, trial: Finding, words: Words) -> Attempt | None:
    """Ask for a line; returns the result of a tried move, None for words. Raises InputEnded if the player leaves."""
    session, count, answer = trial.session, len(trial.session.plies), console.ask("Your move: ")
    if (word := answer.lower()) in ("quit", "q"):
        raise InputEnded
    if word == "rules":
        console.say(rules_page(session.game.INFO.id).rstrip())
    elif word == "board":
        _show(console, session)
    elif word == "hint":
        trial.hinted()
        assert trial.analysis is not None
        console.say(session.named(sentences.hint(trial.analysis, trial.hint_step)))
    elif word == "answer":
        trial.answered()
        console.say(f"Play {trial.right[0]}.")
    elif word in words:
        if isinstance(text := words[word](), str):
            console.say(text)
    elif answer:
        try:
            attempt = trial.attempt(answer)
        except MoveError as error:
            console.say(session.named(error.sentence))
            return None
        for at in range(count, len(attempt.played.plies)):
            console.say(turn_line(attempt.played, at, Voice(session.names))[1])
        return attempt
    return None
