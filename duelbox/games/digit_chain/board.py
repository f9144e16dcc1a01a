"""The board of Digit Chain Duel: the chain, the row of the next number, and the pool."""

from __future__ import annotations

from duelbox.core.model import other
from duelbox.games.digit_chain.rules import NUMBERS, View
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, StyledText
from duelbox.ui.widgets.chain_board import ChainBoard, ChainScene, chain_thumbnail


def scene(view: View, look: Look) -> ChainScene:
    """The chain and the pool as the player who looks sees them."""
    pool = frozenset(view.pool)
    choices = frozenset(() if view.turn is None else view.choices)
    cells = {number: _cell(view, look, number, pool, choices) for number in NUMBERS}
    return ChainScene(
        cells=tuple(cells.values()),
        chain=tuple(cells[number] for number in view.picks),
        zeros=view.options.zero != "no-tens",
        digit=view.digit,
        draft=None if view.turn is None else _draft(view, look),
        heading=_heading(view),
        note=_note(view, look),
        glyphs=look.glyphs,
    )


def _cell(view: View, look: Look, number: int, pool: frozenset[int], choices: frozenset[int]) -> Cell:
    owner, free = view.owner(number), number in pool
    return look.cell(
        number,
        legal=number in choices,
        owner=owner,
        open_to=(0, 1) if free else (),
        gap=not free and owner is None,
        last=number == view.current,
    )


def _draft(view: View, look: Look) -> str:
    """The text in the open domino: the typed digits if they begin a legal number, else the digit to begin with; and a
    cursor."""
    typed = look.line.strip()
    begins = any(str(number).startswith(typed) for number in view.choices)
    shared = "" if view.digit is None else str(view.digit)
    return (typed if typed and begins else shared) + ("▏" if look.glyphs.unicode else "_")


def _heading(view: View) -> StyledText:
    free = (f"{len(view.choices) or 'none'} free", "free")
    if view.digit is None:
        return ((f"any number may be {'next' if view.picks else 'first'}", "legal"), (f"  {free[0]}", "free"))
    return ((f"{view.digit}_", "legal"), ("  ", "text"), free)


def _note(view: View, look: Look) -> StyledText:
    """The rule beside the row, in words for the player who looks."""
    if view.turn is None:
        return ()
    mine, theirs = ("you" if seat == look.seat else look.names[seat] for seat in (view.turn, other(view.turn)))
    end, answer = ("end" if mine == "you" else "ends"), ("answer" if theirs == "you" else "must answer")
    return ((f"the digit {mine} {end} on is the row {theirs} {answer} in", "free"),)


def thumbnail(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The end of the chain and the row of the next number, small."""
    return chain_thumbnail(scene(view, Look(seat=None, glyphs=glyphs)), width, height)


BOARD = GameBoard(
    ChainBoard,
    scene,
    score=lambda view, seat: f"{len(view.picked(seat))} picked",
    keys="0123456789",
    asks=lambda view: "Type a number",
    thumbnail=thumbnail,
    signs=(("·", "picked, or a gap"), ("! ?", "hints: look here, compare these")),
)
