"""Number Duel on the table: two hands, and the numbers to attack with."""

from __future__ import annotations

from duelbox.core.model import Seat, other
from duelbox.games.number_duel.rules import View
from duelbox.ui.tables.base import Look
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Line, Words
from duelbox.ui.widgets.hand import Card, HandBoard, HandScene

TYPED = "0123456789xX"


def board() -> HandBoard:
    """The hands."""
    return HandBoard()


def pick(view: View, line: str, target: str) -> str:
    """Lay a number or a position into the line; while arranging, a number goes to the end, or out again."""
    if view.arranging:
        return _arranged(line, target)
    number, _, position = line.strip().lower().partition("x")
    if target.startswith("x"):
        return number.strip() + target
    return f"{target}x{position.strip()}"


def _arranged(line: str, target: str) -> str:
    order = [digit for digit in line if digit.isascii() and digit.isdigit()]
    number, _, place = target.partition(">")
    taken_out = number in order
    if taken_out:
        order.remove(number)
    if place:
        order.insert(int(place) - 1, number)
    elif not taken_out:
        order.append(number)
    return "".join(order)


def score(view: View, seat: Seat) -> str:
    """How many numbers a player has left."""
    return f"{len(view.left(seat)) if view.faces[seat] or view.gone[seat] else view.hand} left"


def scene(view: View, look: Look) -> HandScene:
    """Both hands as the player who looks may see them."""
    me: Seat = view.seat or 0
    mine = _order(view, look, me) if view.arranging and view.turn == view.seat else _mine(view, look, me)
    return HandScene(
        theirs=_theirs(view, look, other(me)),
        mine=mine,
        numbers=tuple(_number(view, look, me, number) for number in range(1, view.hand + 1)),
        above=Line((_gone(view, look, other(me)),)),
        between=Line(((),)),
        below=Line((_gone(view, look, me),)),
        asked="in order:" if view.arranging else "attack with",
        glyphs=look.glyphs,
    )


def _to_move(view: View) -> bool:
    return view.seat is not None and view.turn == view.seat


def _chosen(view: View, look: Look) -> tuple[str, str]:
    """The number and the position in the move line."""
    if view.arranging:
        return "", ""
    number, _, position = look.line.strip().lower().partition("x")
    return number.strip(), position.strip()


def _theirs(view: View, look: Look, seat: Seat) -> tuple[Card, ...]:
    number, position = _chosen(view, look)
    legal = _to_move(view) and not view.arranging
    hidden = view.hidden(seat)
    return tuple(
        Card(
            seat=seat,
            place=f"x{place}",
            face=face,
            public=face is not None,
            target=f"x{place}",
            legal=legal,
            chosen=position == str(place),
            mark=look.marks.get(f"{number}x{place}", ""),
            can_be=hidden if face is None else (),
        )
        for place, face in enumerate(view.faces[seat], 1)
    )


def _mine(view: View, look: Look, seat: Seat) -> tuple[Card, ...]:
    seen = view.mine if look.peek and view.mine else view.faces[seat]
    return tuple(
        Card(seat=seat, place=str(place), face=number, public=face is not None)
        for place, (face, number) in enumerate(zip(view.faces[seat], seen, strict=True), 1)
    )


def _order(view: View, look: Look, seat: Seat) -> tuple[Card, ...]:
    """The order as far as the move line has it."""
    order = [int(digit) for digit in look.line if digit.isascii() and digit.isdigit()][: view.hand]
    return tuple(
        Card(
            seat=seat,
            place=str(place),
            face=order[place - 1] if place <= len(order) else None,
            empty=place > len(order),
        )
        for place in range(1, view.hand + 1)
    )


def _number(view: View, look: Look, seat: Seat, number: int) -> Cell:
    chosen, _ = _chosen(view, look)
    left = number in view.left(seat)
    return Cell(
        number=number,
        open_to=(0, 1) if left else (),
        legal=left and _to_move(view),
        gap=not left,
        chosen=chosen == str(number),
        flash=number in look.blockers,
    )


def _gone(view: View, look: Look, seat: Seat) -> Words:
    """A player's sign and name, and what they have spent and lost."""
    words = [(look.glyphs.seat(seat), f"seat-{seat}"), (f" {look.names[seat]}", "text")]
    for how, said in (("spent", "spent"), ("removed", "lost")):
        numbers = [str(one.number) for one in view.gone[seat] if one.how == how]
        if numbers:
            words.append((f"   {said} {' '.join(numbers)}", "free"))
    return tuple(words)
