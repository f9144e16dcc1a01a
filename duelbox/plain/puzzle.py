"""A puzzle at the line mode."""

from __future__ import annotations

from time import monotonic

from duelbox.core.errors import MoveError
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.learn.strength import Attempt, attempt_of
from duelbox.plain.console import Console, InputEnded
from duelbox.registry import rules_text, talk_of
from duelbox.solve import analyse, sentences

HELP = """Type your move, or one of these words:
  help    this list
  rules   the rules of the game
  hint    where to look; then which idea; then the move
  answer  the move
  quit    leave"""


def solve(console: Console, puzzle: Puzzle, day: str = "") -> Attempt | None:
    """Solve a puzzle, move by move; None where somebody leaves before its end."""
    solving, began = Solving(puzzle), monotonic()
    session = solving.session
    console.say(session.named(talk_of(session.game).board(session.view(session.turn))))
    console.say(f"\n{solving.asked} Grade {puzzle.grade} of 5. Type help at any question.")
    step = 0
    while not solving.done:
        try:
            answer = console.ask("Your move: ")
        except InputEnded:
            return None
        word = answer.lower()
        if word in ("quit", "q"):
            return None
        if word == "help":
            console.say(HELP)
        elif word == "rules":
            console.say(rules_text(session.game.INFO.id).rstrip())
        elif word == "answer":
            solving.answered()
            console.say(f"Play {solving.right[0]}.")
        elif word == "hint":
            step = min(step + 1, sentences.HINTS)
            solving.hinted()
            console.say(session.named(sentences.hint(analyse(session.game, session.view(session.turn)), step)))
        elif answer:
            step = _tried(console, solving, answer, step)
    return attempt_of(solving, monotonic() - began, day)


def _tried(console: Console, solving: Solving, text: str, step: int) -> int:
    """Try a move, and tell what comes of it; how many hints there were for the move to find next."""
    session, count = solving.session, len(solving.session.plies)
    try:
        tried = solving.attempt(text)
    except MoveError as error:
        console.say(session.named(error.sentence))
        return step
    for ply in tried.played.plies[count:]:
        console.say(session.named(" ".join(event.sentence for event in ply.events)))
    if not tried.right:
        console.say(f"{tried.sentence} Try again.")
        return step
    console.say(f"{tried.move} is right. {tried.sentence}")
    if not solving.done:
        console.say("Go on.")
    return 0
