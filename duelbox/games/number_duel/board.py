"""Number Duel on the table: two hands, and the numbers to attack with."""

from __future__ import annotations

from dataclasses import replace

from textual.geometry import Region, Size

from duelbox.core.model import SEATS, Seat, other, put
from duelbox.games.number_duel.rules import Struck, View
from duelbox.ui.game_board import COMPARE, NOTE, GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, Line, Words
from duelbox.ui.widgets.hand import Card, HandBoard, HandScene


def asks(view: View) -> str:
    """What there is to type."""
    if view.arranging or view.turn is None:
        return "Type your order"
    number, place = view.left(view.turn)[-1], min(2, len(view.faces[view.rival]))
    return f"Type {number}x{place} ({number} at x{place})"


def typed(view: View, line: str, char: str) -> str:
    """A second digit is a position, x or no x; a number put in order once is not taken twice."""
    if view.arranging:
        new = char.isdigit() and 1 <= int(char) <= view.hand and char not in line
        return line + char if new else line
    return f"{line}x{char}" if char.isdigit() and len(line) == 1 and line.isdigit() else line + char


def pick(view: View, line: str, target: str) -> str:
    """Lay a number ("3") or a position ("x2") into the line; while arranging, see `_arranged`."""
    if view.arranging:
        return _arranged(line, target)
    number, _, position = line.strip().lower().partition("x")
    if target.startswith("x"):
        return number.strip() + target
    return f"{target}x{position.strip()}"


def _arranged(line: str, target: str) -> str:
    """An order with a number added or taken out ("3"), a place emptied ("@1"), or one put into a place ("3@2")."""
    order = _order(line)
    source, at, place = target.rpartition("@")
    number = int(place) if not at else 0
    for named in (source, target):
        if named.startswith("@") and not number:
            index = int(named[1:2]) - 1
            number = order[index] if index < len(order) else 0
        elif named.isdigit() and not number:
            number = int(named)
    placed = number in order
    order = [one for one in order if one != number]
    if number and source:
        order.insert(int(place) - 1, number)
    elif number and not placed:
        order.append(number)
    return "".join(map(str, order))


def _order(line: str) -> list[int]:
    """The numbers in the move line, while arranging."""
    return [int(char) for char in line if char in "123456789"]


def scene(view: View, look: Look) -> HandScene:
    """Both hands as the player who looks may see them."""
    me: Seat = view.seat or 0
    arranging = view.arranging and _to_move(view)
    playing = view.seat is not None and view.turn is not None
    return HandScene(
        theirs=_theirs(view, look, other(me)),
        mine=_placed(view, look, me) if arranging else _mine(view, look, me),
        numbers=tuple(_number(view, look, me, one) for one in range(1, view.hand + 1) if playing),
        above=_gone(view, look, other(me)),
        between=_compared(look) or Line((_met(look),)),
        below=_gone(view, look, me),
        asked="put in order" if arranging else "attack with",
        dragging=arranging,
        glyphs=look.glyphs,
    )


def stages(before: View, view: View, look: Look) -> tuple[HandScene, ...]:
    """An attack before its outcome: who attacks, then who is met; nothing but what everybody may see.

    Where in its hand a hidden attacker stood is nobody's business: it lies open beside the others.
    """
    struck = _struck(look)
    if struck is None:
        return ()
    attackers, covered = before.faces[struck.seat], before.faces[other(struck.seat)]
    if struck.attacker not in attackers:
        attackers = (*(face for face in view.faces[struck.seat] if face != struck.attacker), struck.attacker)
    met = tuple(struck.defender if at == struck.position else face for at, face in enumerate(covered, 1))
    attacks = _standing(look, struck.seat, struck.attacker)
    plain = replace(look, events=(), marks={}, line="", peek=False)
    return tuple(
        _stage(
            view.changed(gone=before.gone, faces=put((attackers, attackers), other(struck.seat), faces)),
            plain,
            struck,
            said,
        )
        for faces, said in (
            (covered, (attacks, (f" attacks x{struck.position}", "text"))),
            (met, (attacks, (" meets ", "text"), _standing(look, other(struck.seat), struck.defender))),
        )
    )


def _stage(view: View, look: Look, struck: Struck, words: Words) -> HandScene:
    """Both hands with the two that meet marked, and a word between them."""
    plain = scene(view, look)
    theirs, mine = (_marked(cards, struck) for cards in (plain.theirs, plain.mine))
    return replace(plain, theirs=theirs, mine=mine, between=Line((words,)))


def _marked(cards: tuple[Card, ...], struck: Struck) -> tuple[Card, ...]:
    """A hand with the card that attacks, or is attacked, marked."""
    if cards[0].seat == struck.seat:
        return tuple(replace(card, chosen=True, place="") if card.face == struck.attacker else card for card in cards)
    return tuple(replace(card, chosen=at == struck.position) for at, card in enumerate(cards, 1))


def _standing(look: Look, seat: Seat, number: int) -> tuple[str, str]:
    """A number with the sign of its player."""
    return f"{look.glyphs.seat(seat)} {number}", f"seat-{seat}"


def _to_move(view: View) -> bool:
    return view.seat is not None and view.turn == view.seat


def _chosen(view: View, look: Look) -> tuple[str, str]:
    """The number and the position in the move line."""
    if view.arranging:
        return "", ""
    number, _, position = look.line.strip().lower().partition("x")
    return number.strip(), position.strip()


def _undealt(view: View, seat: Seat) -> tuple[Card, ...]:
    """The places of a hand that is not in order yet."""
    return tuple(Card(seat=seat, place="", empty=True) for _ in range(view.hand))


def _theirs(view: View, look: Look, seat: Seat) -> tuple[Card, ...]:
    if view.unarranged(seat):
        return _undealt(view, seat)
    number, position = _chosen(view, look)
    said, hidden = _hints(look), view.hidden(seat)
    can_be = "".join(str(one) if one in hidden else look.glyphs.nobody for one in range(1, view.hand + 1))
    return tuple(
        Card(
            seat=seat,
            place=f"x{place}",
            face=face,
            public=face is not None,
            target=f"x{place}",
            legal=_to_move(view) and not view.arranging,
            chosen=position == str(place),
            last=face is not None and _last_defender(look, seat) == face,
            worth=look.marks.get(f"{number}x{place}"),
            hint=said.get(f"x{place}", ""),
            can_be=can_be if face is None else "",
        )
        for place, face in enumerate(view.faces[seat], 1)
    )


def _mine(view: View, look: Look, seat: Seat) -> tuple[Card, ...]:
    if view.unarranged(seat):
        return _undealt(view, seat)
    seen = view.mine if look.peek and view.mine else view.faces[seat]
    return tuple(
        Card(
            seat=seat,
            place=str(place),
            face=number or None,
            public=face is not None,
            last=face is not None and _last_defender(look, seat) == face,
        )
        for place, (face, number) in enumerate(zip(view.faces[seat], seen, strict=True), 1)
    )


def _placed(view: View, look: Look, seat: Seat) -> tuple[Card, ...]:
    """The order as far as the move line has it."""
    faces: list[int | None] = [*_order(look.line), *([None] * view.hand)]
    return tuple(
        Card(seat=seat, place=str(place), face=face, empty=face is None, target=f"@{place}")
        for place, face in enumerate(faces[: view.hand], 1)
    )


def _number(view: View, look: Look, seat: Seat, number: int) -> Cell:
    chosen, position = _chosen(view, look)
    left, attacks = number in view.left(seat), (one for one in look.marks if one.startswith(f"{number}x"))
    return Cell(
        number=number,
        open_to=(0, 1) if left else (),
        legal=left and _to_move(view) and not (view.arranging and number in _order(look.line)),
        gap=not left,
        chosen=chosen == str(number),
        flash=number in look.blockers,
        # At the position that is named, or else where it is best.
        worth=look.marks.get(f"{number}x{position}" if position else next(attacks, "")),
        hint=_hints(look).get(str(number), ""),
    )


def _hints(look: Look) -> dict[str, str]:
    """What a hint says of numbers and positions: those of the attacks to compare, or of the one it means."""
    said: dict[str, str] = {}
    for mark in look.shown:
        for text in mark.moves:
            number, _, position = text.partition("x")
            sign = COMPARE if mark.kind == "region" else NOTE
            said |= {number: sign, f"x{position}": sign}
    return said


def _compared(look: Look) -> Line | None:
    """What an attack beats, ties with and loses to, of all that it may meet."""
    mark = next((mark for mark in look.shown if mark.kind == "beats" and mark.pairs), None)
    if mark is None:
        return None
    attacker = int(mark.pairs[0][0])
    words: Words = ((str(attacker), "best"),)
    for verb in ("beats", "ties with", "loses to"):
        if numbers := [number for _, number in mark.pairs if _deed(attacker, int(number)) == verb]:
            words += ((f"  {verb} ", "free"), (" ".join(numbers), "best"))
    return Line((words,))


def _deed(attacker: int, defender: int) -> str:
    return "beats" if attacker > defender else "loses to" if attacker < defender else "ties with"


def _gone(view: View, look: Look, seat: Seat) -> Line:
    """A player's sign and name, and what they have spent and lost."""
    sign, name = look.sign(seat), (f" {look.names[seat]}", "text")
    words: Words = ()
    for how, said in (("spent", "spent"), ("removed", "lost")):
        numbers = [str(one.number) for one in view.gone[seat] if one.how == how]
        if numbers:
            words += ((f"   {said} ", "free"), (" ".join(numbers), f"seat-{seat}"))
    return Line(((sign, name, *words), (sign, *words), words))


def _struck(look: Look) -> Struck | None:
    return next((event for event in look.events if isinstance(event, Struck)), None)


def _last_defender(look: Look, seat: Seat) -> int | None:
    """The number of this seat that was attacked last."""
    struck = _struck(look)
    return None if struck is None or struck.seat == seat else struck.defender


def _met(look: Look) -> Words:
    """The last attack: who met whom, and how it went."""
    struck = _struck(look)
    if struck is None:
        return ()
    mine, theirs = _standing(look, struck.seat, struck.attacker), _standing(look, other(struck.seat), struck.defender)
    return (mine, (f" {_deed(struck.attacker, struck.defender)} ", "text"), theirs)


def mini(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """Both hands as small cards; where they are many, as backs and faces alone."""
    drawing = HandBoard.paint(scene(view, Look(seat=None, glyphs=glyphs)), width, height, None)
    if any(region.height > 1 for region in drawing.targets.values()):
        return drawing.canvas
    canvas = Canvas(width, height, braille=glyphs.braille)
    count = max(1, *(len(view.left(seat)) for seat in SEATS))
    framed = height >= 6 and 4 * count <= width
    size = Size(4, 3) if framed else Size(2, 1)
    gap = 1 if count * (size.width + 1) - 1 <= width else 0
    for seat, y in ((1, height // 2 - size.height), (0, height // 2 + (not framed))):
        faces = view.faces[seat] or (None,) * (0 if view.gone[seat] else view.hand)
        left = (width - len(faces) * (size.width + gap) + gap) // 2
        for at, face in enumerate(faces):
            _small_card(canvas, Region(left + at * (size.width + gap), y, *size), seat, face, glyphs)
    return canvas


def _small_card(canvas: Canvas, region: Region, seat: int, face: int | None, glyphs: Glyphs) -> None:
    if region.height > 1:
        canvas.box(region, glyphs.box, "edge")
    text = glyphs.hidden * 2 if face is None else f"{glyphs.seats[seat]}{face}"
    style = f"{'faint' if face is None else 'seat'}-{seat}"
    canvas.put(region.x + region.width // 2 - 1, region.y + region.height // 2, text, style)


BOARD = GameBoard(
    HandBoard,
    scene,
    score=lambda view, seat: f"{len(view.left(seat))} left",
    pick=pick,
    keys="0123456789xX",
    asks=asks,
    mini=mini,
    arrows_pick=lambda view: not view.arranging,  # in an order, a number would not stay put
    open_up=lambda state: state.changed(known=tuple(tuple(filter(None, hand)) for hand in state.hands)),
    has_secret=lambda view: bool(view.mine),
    stages=stages,
    typed=typed,
)
