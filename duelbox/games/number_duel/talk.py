"""Number Duel in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from duelbox.core.errors import BadNotation
from duelbox.core.model import SEATS, Event, Seat, listed, other, player
from duelbox.core.notation import quoted
from duelbox.core.talk import MARKS, Answers, Talk, verdict
from duelbox.games.number_duel.rules import Struck, View

_NUMBER = re.compile(r"[0-9]{1,3}")
_WHOLE = re.compile(r"[0-9]+\s*[xX]\s*[0-9]+")


def welcome(view: View) -> str:
    """The name of the game, and what everybody holds."""
    return f"Welcome to Number Duel!\n\nEach player has the numbers 1 to {view.hand}, hidden from the other."


def board(view: View) -> str:
    """Both hands as everybody sees them."""
    return "\n\n".join(_hand(view, seat) for seat in SEATS)


def _hand(view: View, seat: Seat) -> str:
    title = f"{player(seat)} ({MARKS[seat]})"
    if _unarranged(view, seat):
        return f"{title}\n  has not put the numbers 1 to {view.hand} in order yet"
    faces = view.faces[seat]
    return "\n".join(
        [
            title,
            "  Position " + "".join(f"{place:>3}" for place in range(1, len(faces) + 1)),
            "  Number   " + "".join(f"{'?' if face is None else face:>3}" for face in faces),
            f"  Remaining Numbers: {_numbers(view, seat)}; gone: {_gone(view, seat)}",
        ]
    )


def _unarranged(view: View, seat: Seat) -> bool:
    return not view.faces[seat] and not view.gone[seat]


def _numbers(view: View, seat: Seat) -> str:
    return ", ".join(map(str, view.left(seat))) or "none"


def _gone(view: View, seat: Seat) -> str:
    return ", ".join(f"{one.number} ({one.how})" for one in view.gone[seat]) or "none"


def turn(view: View) -> str:
    """One's own numbers and where they lie, and what is known of the other's."""
    assert view.turn is not None
    if view.arranging:
        return f"{player(view.turn)}'s Turn\nYour numbers are 1 to {view.hand}. Put them in order, in secret."
    rival = other(view.turn)
    shown = ", ".join("hidden" if face is None else str(face) for face in view.faces[rival])
    return (
        f"{player(view.turn)}'s Turn\n"
        f"Opponent's numbers by position: {shown}\n"
        f"Opponent's Remaining Numbers: {_numbers(view, rival)}\n"
        f"Your numbers by position: {', '.join(_own(view, view.turn))}\n"
        f"Your Remaining Numbers: {_numbers(view, view.turn)}"
    )


def _own(view: View, seat: Seat) -> list[str]:
    pairs = zip(view.mine, view.faces[seat], strict=True)
    return [f"{number} (revealed)" if face is not None else str(number) for number, face in pairs]


def question(view: View, answers: Answers) -> str | None:
    """The number, then the position; a whole move such as 3x2 answers both."""
    assert view.turn is not None
    if view.arranging:
        return None if answers else f"Type the numbers 1 to {view.hand} in your order: "
    if not answers:
        return "Select a number to attack with: "
    if len(answers) == 1 and _number(answers[0]) in view.left(view.turn):
        return f"Select the position of the opponent's number to attack ({_positions(view)}): "
    return None


def _positions(view: View) -> str:
    assert view.turn is not None
    count = len(view.faces[other(view.turn)])
    return f"positions 1-{count}" if count > 1 else "position 1"


def _number(answer: str) -> int | None:
    return int(answer) if _NUMBER.fullmatch(answer) else None


def line(view: View, answers: Answers) -> str:
    """The order; or the number, x and the position."""
    assert view.turn is not None
    last = answers[-1]
    if view.arranging or _WHOLE.fullmatch(last):
        return last
    if _number(last) is None:
        if len(answers) == 1:
            raise BadNotation(f"{quoted(last)} is not one of your numbers. Type {listed(view.left(view.turn), 'or')}.")
        raise BadNotation(f"{quoted(last)} is not one of the {_positions(view)}.")
    # A number that is not in the hand is never asked for its position: the game says what is.
    return f"{int(answers[0])}x{int(last) if len(answers) > 1 else 1}"


def choices(view: View) -> str:
    """Any own number at any position."""
    assert view.turn is not None
    if view.arranging:
        return f"the numbers 1 to {view.hand} in any order"
    return f"{listed(view.left(view.turn), 'or')}, at {_positions(view)}"


def after(view: View, events: Sequence[Event]) -> str:
    """The attack, number against number, and what remains."""
    return "\n".join(_struck(view, event) if isinstance(event, Struck) else event.sentence for event in events)


def _struck(view: View, event: Struck) -> str:
    attacker, defender = player(event.seat), player(other(event.seat))
    remaining = (f"{player(seat)}'s Remaining Numbers: {_numbers(view, seat)}" for seat in SEATS)
    return "\n".join(
        [
            f"{defender}'s Response",
            f"Opponent has attacked your position {event.position}.",
            f"Reveal your number at position {event.position}: {event.defender}",
            "",
            f"{attacker} attacks with {event.attacker}.",
            f"{defender} defends with {event.defender}.",
            *_resolution(event, attacker, defender),
            "",
            *remaining,
        ]
    )


def _resolution(event: Struck, attacker: str, defender: str) -> list[str]:
    removed = [
        f"{attacker} removes {event.attacker} from the game.",
        f"{defender} removes {event.defender} from the game.",
    ]
    if event.attacker == event.defender:
        return ["The two numbers are equal.", *removed]
    if event.attacker < event.defender:
        return [f"{defender}'s {event.defender} defeats {attacker}'s {event.attacker}.", removed[0]]
    spent = "goes back to its position, revealed" if event.stays else "is spent"
    won = f"{attacker}'s {event.attacker} defeats {defender}'s {event.defender}."
    return [won, removed[1], f"{attacker}'s {event.attacker} {spent}."]


def ending(view: View) -> str:
    """Who has nothing left."""
    assert view.outcome is not None
    empty = [player(seat) for seat in SEATS if not view.left(seat)]
    have = "has" if len(empty) == 1 else "have"
    tie = "" if len(empty) == 1 else f"{view.outcome.reason}\n"
    return f"{listed(empty)} {have} no numbers remaining.\n{tie}{verdict(view.outcome)}"


TALK = Talk(welcome, board, turn, question, choices, after, ending, line)
