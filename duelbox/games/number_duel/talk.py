"""Number Duel in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from duelbox.core.errors import BadNotation
from duelbox.core.model import SEATS, Event, Seat, Voice, listed, other, player
from duelbox.core.names import quoted
from duelbox.core.talk import MARKS, Answers, Tale, Talk, winner_sentence
from duelbox.games.number_duel.rules import Struck, View

_NUMBER = re.compile(r"[0-9]{1,3}")
_WHOLE = re.compile(r"[0-9]+\s*[xX]\s*[0-9]+")


def _hand(view: View, seat: Seat) -> str:
    """A hand with its positions; the reader's own with its numbers."""
    title, faces = f"{player(seat)} ({MARKS[seat]})", view.faces[seat]
    if view.unarranged(seat):
        return f"{title}\n  has not put the numbers 1 to {view.hand} in order yet"
    known = view.mine if seat == view.seat else faces
    gone = ", ".join(f"{one.number} ({one.how})" for one in view.gone[seat]) or "none"
    return "\n".join(
        [
            title,
            "  Position " + "".join(f"{place:>3}" for place in range(1, len(faces) + 1)),
            "  Number   " + "".join(f"{face or '?':>3}" for face in known),
            f"  Remaining Numbers: {_numbers(view, seat)}; gone: {gone}",
        ]
    )


def _numbers(view: View, seat: Seat) -> str:
    return ", ".join(map(str, view.left(seat))) or "none"


def _turn(view: View) -> str:
    """The mover's numbers and positions, and the known numbers of the other hand."""
    if view.arranging:
        return f"{player(view.mover)}'s Turn\nYour numbers are 1 to {view.hand}. Put them in order, in secret."
    theirs = ("hidden" if face is None else str(face) for face in view.faces[view.rival])
    pairs = zip(view.mine, view.faces[view.mover], strict=True)
    mine = (str(number or "?") if face is None else f"{number} (revealed)" for number, face in pairs)
    return (
        f"{player(view.mover)}'s Turn\n"
        f"Opponent's numbers by position: {', '.join(theirs)}\n"
        f"Opponent's Remaining Numbers: {_numbers(view, view.rival)}\n"
        f"Your numbers by position: {', '.join(mine)}\n"
        f"Your Remaining Numbers: {_numbers(view, view.mover)}"
    )


def _question(view: View, answers: Answers) -> str | None:
    """Ask for the number, then for the position; a whole move such as 3x2 answers both."""
    if view.arranging:
        return None if answers else f"Type the numbers 1 to {view.hand} in your order: "
    if not answers:
        return "Select a number to attack with: "
    if len(answers) == 1 and _number(answers[0]) in view.left(view.mover):
        return f"Select the position of the opponent's number to attack ({_positions(view)}): "
    return None


def _positions(view: View) -> str:
    count = len(view.faces[view.rival])
    return f"positions 1-{count}" if count > 1 else "position 1"


def _number(answer: str) -> int | None:
    return int(answer) if _NUMBER.fullmatch(answer) else None


def _line(view: View, answers: Answers) -> str:
    """The order, or the attack from its two answers."""
    last = answers[-1]
    if view.arranging or _WHOLE.fullmatch(last):
        return last
    if _number(last) is None:
        if len(answers) == 1:
            raise BadNotation(f"{quoted(last)} is not one of your numbers. Type {listed(view.left(view.mover), 'or')}.")
        raise BadNotation(f"{quoted(last)} is not one of the {_positions(view)}.")
    # A number that is not in the hand gets no question about its position: the rules refuse it.
    return f"{int(answers[0])}x{int(last) if len(answers) > 1 else 1}"


def _report(view: View, event: Event) -> str:
    """The attack step by step, and the remaining numbers."""
    if not isinstance(event, Struck):
        return event.sentence
    attacker, defender = player(event.seat), player(other(event.seat))
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
            *(f"{player(seat)}'s Remaining Numbers: {_numbers(view, seat)}" for seat in SEATS),
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


def _ending(view: View) -> str:
    """The players without numbers, and the winner."""
    assert view.outcome is not None
    empty = [player(seat) for seat in SEATS if not view.left(seat)]
    if len(empty) == 1:
        return f"{empty[0]} has no numbers remaining.\n{winner_sentence(view.outcome)}"
    return f"{listed(empty)} have no numbers remaining.\n{view.outcome.reason}\n{winner_sentence(view.outcome)}"


def _choices(view: View) -> str:
    if view.arranging:
        return f"the numbers 1 to {view.hand} in any order"
    return f"{listed(view.left(view.mover), 'or')}, at {_positions(view)}"


def _tale(before: View, after: View, events: Sequence[Event], voice: Voice) -> Tale:
    """An attack and its result; after a lost one, the number that is known now."""
    struck, seat = events[0], events[0].seat
    if not isinstance(struck, Struck):
        return Tale(seat, "has put their numbers in order", "have put your numbers in order")
    rival = other(seat)
    mine, theirs = f"{voice.whose(seat)} {struck.attacker}", f"{voice.whose(rival)} {struck.defender}"
    more = _over(after, voice)
    if struck.attacker == struck.defender:
        sentence = f"{mine} meets {theirs}, and both are gone"
    elif struck.attacker < struck.defender:
        sentence = f"{mine} runs into {theirs} and is gone"
        more = more or f"{voice.does(seat, 'knows', 'know')} the {struck.defender} now"
    else:
        sentence = f"{mine} beats {theirs} and {'stays, seen' if struck.stays else 'is spent'}"
    return Tale(seat, "", "", sentence, more)


def _over(view: View, voice: Voice) -> str:
    """The reason for the end; empty while the game is on."""
    if view.outcome is None:
        return ""
    empty = [seat for seat in SEATS if not view.left(seat)]
    if len(empty) == len(SEATS):
        winner = view.outcome.winner
        if winner is None:
            return "Both last numbers are gone"
        beaten = "yours" if other(winner) == voice.you else voice.whose(other(winner))
        return f"{voice.whose(winner)} last number beat {beaten}"
    return f"{voice.does(empty[0], 'has', 'have')} no numbers left"


TALK: Talk[View] = Talk(
    welcome=lambda view: (
        f"Welcome to Number Duel!\n\nEach player has the numbers 1 to {view.hand}, hidden from the other."
    ),
    board=lambda view: "\n\n".join(_hand(view, seat) for seat in SEATS),
    turn=_turn,
    question=_question,
    choices=_choices,
    after=lambda view, events: "\n".join(_report(view, event) for event in events),
    ending=_ending,
    tale=_tale,
    over=_over,
    line=_line,
)
