"""Number Circle in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from duelbox.core.errors import BadNotation
from duelbox.core.model import SEATS, Event, Seat, Voice, listed, player
from duelbox.core.names import quoted
from duelbox.core.talk import MARKS, Answers, Tale, Talk, ring
from duelbox.games.number_circle.rules import Stepped, View, format_move, result

_STEP = re.compile(r"(?:move\s+)?(?:to\s+)?([0-9]{1,3})", re.IGNORECASE)
_SIGNS = {"+": "+", "add": "+", "plus": "+", "-": "-", "subtract": "-", "minus": "-"}


def _board(view: View) -> str:
    """The ring with both markers, and the totals."""
    drawn = ring([_mark(view, number) for number in view.numbers])
    key = "O Player 1's marker, X Player 2's, B both; * may be moved to now"
    facts = [f"{player(seat)} ({MARKS[seat]}): {_standing(view, seat)}" for seat in SEATS]
    shared = [f"Total of both: {view.totals[0]}"] if view.options.shared_total else []
    return "\n".join([drawn, key, "", f"Target: {view.target}", *shared, *facts])


def _mark(view: View, number: int) -> str:
    here = [MARKS[seat] for seat in SEATS if view.places[seat] == number]
    if here:
        return here[0] if len(here) == 1 else "B"
    return "*" if view.turn is not None and number in _steps(view) else "+"


def _standing(view: View, seat: Seat) -> str:
    total = "" if view.options.shared_total else f"total {view.totals[seat]}, "
    origin = view.came_from[seat]
    came = "" if origin is None or view.options.backtracking else f", came from {origin}"
    return f"{total}on number {view.places[seat]}{came}"


def _steps(view: View) -> tuple[int, ...]:
    """The numbers that the player to move can step to."""
    return tuple(sorted({move.number for move in view.open_to(view.mover)}))


def _turn(view: View) -> str:
    moves = ", ".join(f"{view.places[view.mover]} <-> {number}" for number in _steps(view))
    return (
        f"{player(view.mover)}'s Turn:\n"
        f"Target: {view.target}. {player(view.rival)}: {_standing(view, view.rival)}.\n"
        f"Current Total: {view.totals[view.mover]}\nAvailable Moves: {moves}"
    )


def _question(view: View, answers: Answers) -> str | None:
    """Ask for the number, then for the sign; a whole move such as +3 answers both."""
    if not answers:
        return "Choose your move: "
    if len(answers) == 1 and _step(answers[0]) in _steps(view):
        return "Choose operation (+/-): "
    return None


def _step(answer: str) -> int | None:
    match = _STEP.fullmatch(answer)
    return int(match[1]) if match else None


def _line(view: View, answers: Answers) -> str:
    last, step = answers[-1], _step(answers[0])
    if last[:1] in ("+", "-") and len(last) > 1:
        return last
    if len(answers) == 1:
        if step is None:
            steps = listed(_steps(view), "or")
            raise BadNotation(f"{quoted(last)} is not a number to move to. Type {steps}.")
        # This number is not allowed with either sign: the rules say why.
        return f"+{step}"
    sign = _SIGNS.get(last.lower())
    if sign is None:
        raise BadNotation(f"{quoted(last)} is not an operation. Type + or -.")
    return f"{sign}{step}"


def _report(event: Event) -> str:
    if not isinstance(event, Stepped):
        return event.sentence
    done = "added" if event.sign == "+" else "subtracted"
    return f"You {done} {event.number}. New Total: {result(event.before, event.sign, event.number)}"


def _tale(before: View, after: View, events: Sequence[Event], voice: Voice) -> Tale:
    """A step, its sum, and the distance to the target; then the players who pass."""
    stepped = events[0]
    assert isinstance(stepped, Stepped)
    number, seat = stepped.number, stepped.seat
    total = result(stepped.before, stepped.sign, number)
    effect = f": {stepped.before} {stepped.sign} {number} = {total}"
    effect += "" if after.outcome and after.outcome.winner == seat else f", {after.target - total} to go"
    if {passed.seat for passed in events[1:]} == set(SEATS) and after.turn is not None:
        turns = "may turn back"
        passing = f"Neither of you can move, so both pass; now {voice.does(after.turn, turns, turns)}"
        return Tale(seat, f"plays {stepped.sign}{number}", f"play {stepped.sign}{number}", more=passing)
    for passed in events[1:]:
        effect += f"; {voice.does(passed.seat, 'cannot move and passes', 'cannot move and pass')}"
    third, own = ("adds", "add") if stepped.sign == "+" else ("subtracts", "subtract")
    return Tale(
        seat, f"steps to {number} and {third} it", f"step to {number} and {own} it", effect, _over(after, voice)
    )


def _over(view: View, voice: Voice) -> str:
    if view.outcome is None:
        return ""
    if (winner := view.outcome.winner) is None:
        return "Neither player can move, even turning round"
    return f"{voice.does(winner, 'has', 'have')} hit {view.target}"


TALK: Talk[View] = Talk(
    welcome=lambda view: f"Welcome to Number Circle!\n\nTarget: {view.target}",
    board=_board,
    turn=_turn,
    question=_question,
    choices=lambda view: ", ".join(map(format_move, view.open_to(view.mover))),
    after=lambda view, events: "\n".join(map(_report, events)),
    tale=_tale,
    over=_over,
    line=_line,
    cheer="Congratulations! You reached the Target Number. You win!",
)
