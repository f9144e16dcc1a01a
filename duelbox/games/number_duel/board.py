"""The board of Number Duel: two hands; the player's own cards are the buttons to attack with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual.geometry import Region, Size

from duelbox.core.model import SEATS, Seat, Voice, other, ranges, with_seat
from duelbox.games.number_duel.rules import Faces, OpenView, Struck, View
from duelbox.ui import motion
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.hint_marks import COMPARE, NOTE
from duelbox.ui.motion import Stage
from duelbox.ui.widgets.canvas import Canvas, FittingLine
from duelbox.ui.widgets.hand_board import NOTHING, HandBoard, HandCard, HandScene


def asks(view: View) -> str:
    """The prompt of the move line."""
    if view.arranging or view.turn is None:
        return "Type your order"
    number, place = view.left(view.turn)[-1], min(2, len(view.faces[view.rival]))
    return f"Type {number}x{place} ({number} at x{place})"


def typed(view: View, line: str, char: str) -> str:
    """Add a typed character: a second digit gets an x before it, and an order takes each number once."""
    if view.arranging:
        new = char.isdigit() and 1 <= int(char) <= view.hand and char not in line
        return line + char if new else line
    return f"{line}x{char}" if char.isdigit() and len(line) == 1 and line.isdigit() else line + char


def pick(view: View, line: str, target: str) -> str:
    """Put a number ("3") or a position ("x2") into the line; for an order see `_arranged`."""
    if view.arranging:
        return _arranged(line, target)
    number, _, position = line.strip().lower().partition("x")
    if target.startswith("x"):
        return number.strip() + target
    return f"{target}x{position.strip()}"


def _arranged(line: str, target: str) -> str:
    """The order after a target was pressed: "3" adds or removes a number, "@1" empties a place, "3@2" moves a card."""
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
    """The order in the move line."""
    return [int(char) for char in line if char in "123456789"]


def scene(view: View, look: Look) -> HandScene:
    """Both hands as the player who looks sees them."""
    me: Seat = view.seat or 0
    rival = other(me)
    if view.turn is None and isinstance(view, OpenView) and all(view.dealt):
        hands = _dealt(view, rival), _dealt(view, me)
        names = _facts(view, look, rival)[:1], _facts(view, look, me)[:1]
        return HandScene(view.hand, *hands, *names, dealt=True, glyphs=look.glyphs)
    if view.arranging and _to_move(view):
        return _order_scene(view, look, me)
    attacker = _attacker(look) if _to_move(view) else 0
    in_order = view.seat is None or look.peek or bool(_opened(view, me))
    return HandScene(
        slots=view.hand,
        theirs=_theirs(view, look, rival, attacker),
        mine=_mine(view, look, me),
        above=_facts(view, look, rival),
        below=_facts(view, look, me) + (() if in_order else (FittingLine(((("  order hidden", "free"),), ())),)),
        attacker=(("with your ", "free"), _standing(look, me, attacker)) if attacker else (),
        sentence=_sentence(_standing(look, me, attacker), attacker, view.hidden(rival)) if attacker else NOTHING,
        glyphs=look.glyphs,
    )


def _order_scene(view: View, look: Look, me: Seat) -> HandScene:
    """The scene of choosing an order: the numbers above, their places below."""
    order, said = _order(look.line), _hints(look)
    numbers = (
        HandCard(
            me, face=one, target=str(one), legal=one not in order, beaten=one in order, hint=said.get(str(one), "")
        )
        for one in range(1, view.hand + 1)
    )
    faces = (*order, *([None] * view.hand))[: view.hand]
    places = (
        HandCard(me, f"x{place}", face, target=f"@{place}", empty=face is None) for place, face in enumerate(faces, 1)
    )
    above, below = (FittingLine((((text, "free"),),)) for text in ("your numbers", "your order"))
    return HandScene(
        slots=view.hand,
        theirs=tuple(numbers),
        mine=tuple(places),
        above=(above,),
        below=(below,),
        dragging=True,
        glyphs=look.glyphs,
    )


def stages(before: View, view: View, look: Look) -> tuple[Stage, ...]:
    """The steps of an attack before its result: the attacker, the number it meets, and the winner.

    Everything is drawn from what this player knew before. The place of a hidden attacker in its hand stays secret: for
    others its card lies open beside the rest.
    """
    struck = next((event for event in look.events if isinstance(event, Struck)), None)
    if struck is None:
        return ()
    rival, faces = other(struck.seat), before.faces[struck.seat]
    if struck.attacker not in faces and struck.seat != before.seat:
        rest = (face for face in view.faces[struck.seat] if face != struck.attacker)
        faces = (*(face if face in faces else None for face in rest), struck.attacker)
    shown = before.changed(turn=other(before.seat or 0), faces=with_seat(before.faces, struck.seat, faces))
    still = scene(shown, replace(look, seat=before.seat, events=(), worths={}, hint=(), line=""))
    at = struck.position - 1
    met = (*shown.faces[rival][:at], struck.defender, *shown.faces[rival][at + 1 :])
    facts = _facts(shown.changed(faces=with_seat(shown.faces, rival, met)), look, other(before.seat or 0))
    voice = Voice(look.names, look.you)
    attacks = f"{voice.does(struck.seat, 'attacks', 'attack')} x{struck.position} with {struck.attacker}"
    meets = f"{voice.whose(struck.seat)} {struck.attacker} meets {voice.whose(rival)} {struck.defender}"
    sentences = [(struck.seat, voice.sentence(text)) for text in (attacks, meets)]
    steps = zip((motion.TURN, motion.MEET, motion.RESULT), (*sentences, None), strict=True)
    in_order = rival != before.seat or look.peek
    made = []
    for step, (seconds, said) in enumerate(steps):
        theirs, mine = (_met(cards, struck, step, in_order=in_order) for cards in (still.theirs, still.mine))
        above = facts if step else still.above
        made.append(Stage(replace(still, theirs=theirs, mine=mine, above=above), seconds, said))
    return tuple(made)


def _met(cards: tuple[HandCard, ...], struck: Struck, step: int, *, in_order: bool) -> tuple[HandCard, ...]:
    """A hand during an attack: its card covered (step 0), open (step 1) and judged (step 2)."""
    tie, judged = struck.attacker == struck.defender, step == 2
    if cards[0].seat == struck.seat:
        lost = judged and struck.attacker <= struck.defender
        fate = "tie" if tie else "gone" if lost else "stays" if struck.stays else "spent"
        feet = (fate,) if judged else ()
        lifted = HandCard(struck.seat, face=struck.attacker, lifted=not lost, beaten=lost, feet=feet)
        return tuple(lifted if card.face == struck.attacker else card for card in cards)
    at = struck.position - 1
    if not in_order:
        at = next((at for at, card in enumerate(cards) if step and card.face == struck.defender), -1)
    lost = judged and struck.attacker >= struck.defender
    feet = ("tie" if tie else "gone" if lost else "stays",) if judged else ()
    face = struck.defender if step else cards[at].face
    hit = replace(cards[at], face=face, aimed=not judged, last=judged, beaten=lost, feet=feet)
    return cards if at < 0 else (*cards[:at], hit, *cards[at + 1 :])


def _standing(look: Look, seat: Seat, number: int) -> tuple[str, str]:
    """A number with the sign of its player."""
    return f"{look.glyphs.seat(seat)} {number}", f"seat-{seat}"


def _to_move(view: View) -> bool:
    return view.seat is not None and view.turn == view.seat


def _opened(view: View, seat: Seat) -> Faces:
    """A hand shown after the game; None stands for a number that was never shown."""
    return tuple(number or None for number in view.opened[seat]) if isinstance(view, OpenView) else ()


def _chosen(look: Look) -> tuple[str, str]:
    """The number and the position in the move line."""
    number, _, position = look.line.strip().lower().partition("x")
    return number.strip(), position.strip()


def _attacker(look: Look) -> int:
    """The number in the move line, or that of the attack in a hint; 0 if there is none."""
    beats = (mark.pairs[0][0] for mark in look.hint if mark.kind == "beats" and mark.pairs)
    number = _chosen(look)[0] or next(beats, "")
    return int(number) if number.isdecimal() else 0


def _undealt(view: View, seat: Seat) -> tuple[HandCard, ...]:
    """The empty places of a hand that is not in order yet."""
    return (HandCard(seat, empty=True),) * view.hand


def _theirs(view: View, look: Look, seat: Seat, attacker: int) -> tuple[HandCard, ...]:
    if view.unarranged(seat):
        return _undealt(view, seat)
    (number, position), said = _chosen(look), _hints(look)
    made = []
    for place, face in enumerate(_opened(view, seat) or view.faces[seat], 1):
        notes, brief = _notes(attacker, view.hidden(seat) if face is None else (face,)) if attacker else ((), "")
        made.append(
            HandCard(
                seat,
                f"x{place}",
                face,
                target=f"x{place}",
                legal=_to_move(view) and not view.arranging,
                aimed=position == str(place),
                last=face is not None and _last_defender(look, seat) == face,
                worth=look.worths.get(f"{number}x{place}"),
                hint=said.get(f"x{place}", ""),
                notes=notes,
                brief=brief,
            )
        )
    return tuple(made)


def _mine(view: View, look: Look, seat: Seat) -> tuple[HandCard, ...]:
    """The player's own hand: in its order if that may be seen, else its numbers, ascending."""
    if view.unarranged(seat):
        return _undealt(view, seat)
    faces, (number, position), said = view.faces[seat], _chosen(look), _hints(look)
    shown = (
        _opened(view, seat)
        or (view.mine if look.peek and all(view.mine) else ())
        or (faces if view.seat is None else view.left(seat))
    )
    rival = look.sign(other(seat))
    made = []
    for face in shown:
        attacks = (one for one in look.worths if one.startswith(f"{face}x"))
        seen = face in faces and view.seat is not None and face is not None
        made.append(
            HandCard(
                seat,
                face=face,
                target="" if face is None else str(face),
                legal=_to_move(view),
                lifted=_to_move(view) and number == str(face),
                last=face is not None and _last_defender(look, seat) == face,
                # at the typed position, or at the best one
                worth=look.worths.get(f"{face}x{position}" if position else next(attacks, "")),
                hint=said.get(str(face), ""),
                notes=(FittingLine(((("seen by ", "free"), rival),)),) if seen else (),
                brief=f"seen {rival[0]}" if seen else "",
            )
        )
    return tuple(made)


def _dealt(view: OpenView, seat: Seat) -> tuple[HandCard, ...]:
    """A hand as it was dealt, with the fate of each number."""
    gone = {one.number: one for one in view.gone[seat]}
    made = []
    for number in view.dealt[seat]:
        feet: tuple[str, ...] = ("stands", "stays") if number else ()
        if number in gone:
            met = gone[number].met
            if met > number:
                feet = (f"lost to {met}", f"lost: {met}", "lost")
            elif met == number:
                feet = (f"tied {met}", "tie")
            else:
                feet = (f"beat {met}", "won")
        made.append(HandCard(seat, face=number or None, lifted=number > 0 and number not in gone, feet=feet))
    return tuple(made)


def _hints(look: Look) -> dict[str, str]:
    """The signs of a hint on numbers and positions: compare these, or look here."""
    said: dict[str, str] = {}
    for mark in look.hint:
        for text in mark.moves:
            number, _, position = text.partition("x")
            sign = COMPARE if mark.kind == "region" else NOTE
            said |= {number: sign, f"x{position}": sign}
    return said


def _met_by(attacker: int, others: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """The numbers that an attacker beats, ties with and loses to."""
    lower, higher = ([one for one in others if sign * one > sign * attacker] for sign in (-1, 1))
    return lower, [one for one in others if one == attacker], higher


def _notes(attacker: int, others: Sequence[int]) -> tuple[tuple[FittingLine, FittingLine], str]:
    """The effect of an attack on a place that holds one of these numbers: in two lines, and in a few signs."""
    beats, ties, loses = _met_by(attacker, others)
    if len(others) == 1:
        one, two = ("tie", "both go") if ties else (f"beats {beats[0]}", "") if beats else ("loses", f"to {loses[0]}")
        return (_line(one), _line(two, style="free")), one.partition(" ")[0]
    count = f"{len(beats)} of {len(others)}"
    first = [f"beats {numbers}" for numbers in _spelled(beats)] if beats else ["beats none"]
    tied = [f"ties {ties[0]}"] if ties else []
    second = [", ".join([*tied, f"not {numbers}"]) for numbers in _spelled(loses)] if loses else []
    return (_line(*first, count), _line(*second, *tied, "", style="free")), count


def _spelled(numbers: Sequence[int]) -> tuple[str, str]:
    """The numbers one by one, and with runs shortened."""
    return " ".join(map(str, numbers)), ranges(numbers).replace(",", "")


def _line(*texts: str, style: str = "text") -> FittingLine:
    return FittingLine(tuple(((text, style),) for text in texts))


def _sentence(standing: tuple[str, str], attacker: int, hidden: Sequence[int]) -> FittingLine:
    """The effect of an attack on any hidden place, in a sentence."""
    results = zip(("beats", "ties with", "runs into"), _met_by(attacker, hidden), strict=True)
    parts = [f"{verb} {_spelled(numbers)[0]}" for verb, numbers in results if numbers]
    return FittingLine(((("your ", "free"), standing, (f" {', '.join(parts)}", "text")),)) if parts else NOTHING


def _facts(view: View, look: Look, seat: Seat) -> tuple[FittingLine, ...]:
    """The player, their hidden numbers, and the lost and spent ones."""
    hides = seat != view.seat and not view.unarranged(seat)
    facts = {"hides": view.hidden(seat) if hides else ()}
    for word, how in (("lost", "removed"), ("spent", "spent")):
        facts[word] = tuple(sorted(one.number for one in view.gone[seat] if one.how == how))
    name = "You" if seat == look.you else look.names[seat]
    return FittingLine(((look.sign(seat), (f" {name}", "text")), (look.sign(seat),))), *(
        FittingLine(tuple(((f"  {word} ", "free"), (text, f"seat-{seat}")) for text in _spelled(numbers)))
        for word, numbers in facts.items()
        if numbers
    )


def _last_defender(look: Look, seat: Seat) -> int | None:
    """The number of this seat that was just attacked, if any."""
    struck = next((event for event in look.events if isinstance(event, Struck)), None)
    return None if struck is None or struck.seat == seat else struck.defender


def thumbnail(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """Both hands as small cards, or as bare backs and faces if there is little room."""
    drawing = HandBoard.paint(scene(view, Look(seat=None, glyphs=glyphs)), width, height, None)
    if drawing.targets:
        return drawing.canvas
    canvas = Canvas(width, height)
    count = max(1, *(len(view.left(seat)) for seat in SEATS))
    framed = height >= 6 and 4 * count <= width
    size = Size(4, 3) if framed else Size(2, 1)
    gap = 1 if count * (size.width + 1) - 1 <= width else 0
    for seat, y in ((1, height // 2 - size.height), (0, height // 2 + (not framed))):
        faces = view.left(seat) if seat == view.seat else view.faces[seat]
        faces = faces or (None,) * (0 if view.gone[seat] else view.hand)
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
    thumbnail=thumbnail,
    arrows_pick=lambda view: not view.arranging,  # while arranging, arrows would move a number that was put down
    open_up=lambda state: state.changed(lies_open=True),
    has_secret=lambda view: bool(view.mine),
    stages=stages,
    typed=typed,
    signs=(("x2", "position 2; where it shows no number, a hidden one"),),
)
