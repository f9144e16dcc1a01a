"""Number Circle Duel on the table: a ring, and the last number in the middle."""

from __future__ import annotations

from dataclasses import replace

from duelbox.core.model import Seat, other
from duelbox.games.circle_duel.rules import View
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import minis
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, Line
from duelbox.ui.widgets.ring import RingBoard, RingScene


def scene(view: View, look: Look) -> RingScene:
    """The ring as it stands."""
    choices = () if view.turn is None else view.choices
    return RingScene(
        cells=tuple(_cell(view, look, number, choices) for number in view.numbers),
        pairs=look.pairs,
        source=view.last,
        reached=choices if view.last and not look.pairs else (),
        trails=(view.picked(0), view.picked(1)) if view.own else ((), ()),
        mover=view.turn,
        figure=(str(view.picks[-1]), f"seat-{1 - len(view.picks) % 2}") if view.picks else ("", ""),
        story=_story(view, look, choices),
        glyphs=look.glyphs,
    )


def _cell(view: View, look: Look, number: int, choices: tuple[int, ...]) -> Cell:
    owner, gap = view.owner(number), number in view.gaps
    return look.cell(
        number,
        legal=number in choices,
        owner=owner,
        open_to=(0, 1) if owner is None and not gap else (),
        gap=gap,
        last=number in (view.picks[-2:] if view.own else view.picks[-1:]),
    )


def _story(view: View, look: Look, choices: tuple[int, ...]) -> tuple[Line, ...]:
    if not view.picks:
        if view.turn is None:
            return ()
        return (Line(((("Any number", "text"),), (("any", "text"),))), Line(((("may be first", "text"),),)))
    owner: Seat = 0 if len(view.picks) % 2 else 1
    above, mine = Line(((look.sign(owner), (" picked", "free")), (look.sign(owner),))), look.sign(other(owner))
    if view.turn is None and view.choices:  # somebody resigned
        return (above,)
    if view.last is None:
        return above, Line(((mine, (" may begin anywhere", "text")), (mine, (" anywhere", "text")), (mine,)))
    if not choices:
        near = f"nothing left next to {view.last if view.own else 'it'}"
        return above, Line((((near, "text"),), (("nothing left", "text"),), (("none left", "text"),)))
    numbers = (", ".join(map(str, choices)), "legal")
    if view.own:
        return above, Line(((mine, (f" from {view.last}: ", "free"), numbers), (mine, (" ", "text"), numbers)))
    near = "next to it: " if view.options.reach == 1 else "within reach: "
    return above, Line((((near, "free"), numbers), (("next: ", "free"), numbers), (numbers,)))


def mini(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The ring, with nothing but the last number in the middle; in rows, where it is too many for a small one."""
    whole = scene(view, Look(seat=None, glyphs=glyphs))
    bare = replace(whole, story=whole.story[:1] if height >= 9 else ())
    drawing = RingBoard.paint(bare, width, height, None)
    return drawing.canvas if drawing.targets else minis.rows(whole.cells, width, height, glyphs)


BOARD = GameBoard(
    RingBoard,
    scene,
    score=lambda view, seat: f"{len(view.picked(seat))} picked",
    keys="0123456789",
    asks=lambda view: "Type a number",
    mini=mini,
    signs=(
        ("━", "the numbers that are near enough"),
        ("·", "a gap, removed before turn 1"),
    ),
)
