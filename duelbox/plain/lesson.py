"""A lesson at the line mode."""

from __future__ import annotations

from duelbox.core.errors import MoveError
from duelbox.learn.lessons import Course
from duelbox.plain.console import Console, InputEnded
from duelbox.registry import rules_text, talk_of

HELP = """Type your move, or one of these words:
  help    this list
  rules   the rules of the game
  hint    show me the move
  back    the step before
  skip    the next step
  quit    leave"""


def take(console: Console, course: Course) -> int:
    """Take a lesson, step by step; the exit status."""
    game, count = course.session.game, len(course.lesson.step)
    console.say(f"{game.INFO.title}: {course.lesson.title}, in {count} steps. Type help at any question.")
    try:
        while not course.done:
            if not _step(console, course):
                return 0
    except InputEnded:
        return 0
    console.say(f"\nThat was the lesson. Take this along: {course.lesson.rule}")
    console.say(f"Now play: duelbox play {game.INFO.id} --p2 bot:1 --plain")
    return 0


def _step(console: Console, course: Course) -> bool:
    """One step, until it is done, skipped or left; False where somebody leaves."""
    session = course.session
    console.say(f"\nStep {course.at + 1} of {len(course.lesson.step)}")
    console.say(session.named(talk_of(session.game).board(session.view(session.turn))))
    console.say(f"\n{course.step.say}")
    while True:
        answer = console.ask("Your move: ")
        word = answer.lower()
        if word in ("quit", "q"):
            return False
        if word == "back":
            course.go_back()
            return True
        if word == "skip":
            course.go_on()
            return True
        if word in _TOLD:
            console.say(_TOLD[word](course))
        elif answer:
            try:
                tried = course.attempt(answer)
            except MoveError as error:
                console.say(session.named(error.sentence))
                continue
            for ply in tried.played.plies[len(session.plies) :]:
                console.say(session.named(" ".join(event.sentence for event in ply.events)))
            console.say(f"Right. {tried.sentence}" if tried.right else tried.sentence)
            if tried.right:
                course.go_on()
                return True


_TOLD = {
    "help": lambda course: HELP,
    "hint": lambda course: f"Play {course.step.accept[0]}.",
    "rules": lambda course: rules_text(course.session.game.INFO.id).rstrip(),
}
