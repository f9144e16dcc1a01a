"""The interface of a game's board: drawing a position, and typing and clicking moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import wrap
from typing import Any

from duelbox.core.errors import UnknownGame
from duelbox.core.model import Event, Seat
from duelbox.core.move_input import MoveInput
from duelbox.registry import find_game, guest_fault, part
from duelbox.solve.api import Analysis, Mark
from duelbox.solve.sentences import best_moves, percent
from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.hint_marks import partners, signs_of_hint
from duelbox.ui.motion import Stage
from duelbox.ui.widgets.board import Board, Cell, Scene, Worth
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.thumbnails import centred_text

UNRATED = Worth("")


def worths_of(analysis: Analysis, played: str = "") -> dict[str, Worth]:
    """The worth of each move rated so far; the best move is marked if other moves are worse.

    `played` is the move that was made at this point of a game in review.
    """
    alike = len(analysis.moves) == len(best_moves(analysis)) and not analysis.advised
    best = analysis.advice if analysis.complete and not alike and len(analysis.moves) > 1 else ""
    return {
        one.move: Worth(
            one.verdict,
            percent(one.value) if one.verdict == "chance" else str(one.plies or ""),
            best=one.move == best,
            played=analysis.turn if one.move == played else None,
        )
        for one in analysis.moves
    }


@dataclass(frozen=True)
class Look:
    """The state of the screen that a board draws besides the view of the game."""

    seat: Seat | None
    """The seat whose view is shown; None for a spectator."""
    names: tuple[str, str] = ("Player 1", "Player 2")
    you: Seat | None = None
    """The seat of the only person at the screen, if there is one person."""
    line: str = ""
    """The text of the move line."""
    last: str = ""
    """The last move as text, marked on the board."""
    events: tuple[Event, ...] = ()
    """The events of the last move."""
    worths: Mapping[str, Worth] = field(default_factory=dict)
    """The worth of each move, when verdicts are on."""
    hint: tuple[Mark, ...] = ()
    """The marks of the hint."""
    blockers: tuple[int, ...] = ()
    """The numbers in the way of a refused move."""
    peek: bool = False
    """The player's own hidden numbers are shown."""
    waits: bool = False
    """An opponent is to move, so that no move can be made here."""
    legend: bool = False
    """The board explains its signs."""
    glyphs: Glyphs = UNICODE

    def worth(self, move: str) -> Worth | None:
        """The worth of a move when verdicts are on, UNRATED if not known yet; None when verdicts are off."""
        return self.worths.get(move, UNRATED if self.worths else None)

    def sign(self, seat: Seat) -> tuple[str, str]:
        """The sign of a player with its style."""
        return self.glyphs.seat(seat), f"seat-{seat}"

    def cell(self, number: int, *, legal: bool, move: str = "", **more: Any) -> Cell:
        """The cell of a number that is a move, with its marks from move line, refusal, verdict and hint.

        `move` is the text of the move, if that is more than the number.
        """
        text = move or str(number)
        return Cell(
            number=number,
            legal=legal and not self.waits,
            chosen=self.line.strip() == text,
            flash=number in self.blockers,
            worth=self.worth(text) if legal else None,
            hint=self.hint_signs.get(text, ""),
            **more,
        )

    @cached_property
    def hint_signs(self) -> Mapping[str, str]:
        """The signs of the hint at each number or move."""
        return signs_of_hint(self.hint)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of numbers that a hint joins."""
        joined = (pair for mark in self.hint if mark.kind in ("pairs", "mirror") for pair in partners(mark))
        return tuple((int(one), int(two)) for one, two in joined if one.isdigit() and two.isdigit())


@dataclass(frozen=True)
class GameBoard(MoveInput):
    """A game's `BOARD`, from its `board` module: functions of a view, without state."""

    widget: Callable[[], Board[Any]]
    """A new board widget."""
    scene: Callable[[Any, Look], Scene]
    """The scene that the widget draws for a view."""
    score: Callable[[Any, Seat], str]
    """The score beside a player's name: "3 claimed", "total 9"."""
    arrows_pick: Callable[[Any], bool] = lambda view: True
    """True if moving the cursor with arrow keys changes the move line."""
    stages: Callable[[Any, Any, Look], tuple[Stage, ...]] | None = None
    """The stages of motion from the view before a move to the view after it."""
    signs: Sequence[tuple[str, str]] = ()
    """Signs with their meanings, for help; {0} to {3} stand for the players' signs and their hollow signs."""
    thumbnail: Callable[[Any, Glyphs, int, int], Canvas] | None = None
    """A picture of the position in a small width and height."""

    def picture(self, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
        """A position drawn small, by `thumbnail` or else by the board."""
        if self.thumbnail is not None:
            return self.thumbnail(view, glyphs, width, height)
        scene = self.scene(view, Look(seat=None, glyphs=glyphs))
        return self.widget().paint(scene, width, height, None).canvas


def thumbnail_of(game_id: str, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """A position drawn small; if a guest's board fails, its fault in words, so that other games are still shown."""
    try:
        return board_of(game_id).picture(view, glyphs, width, height)
    except UnknownGame as error:
        sentence = error.sentence
    except BaseException as error:
        fault = guest_fault(error)
        if fault is None:
            raise
        sentence = fault.sentence
    words = [((line, "text"),) for line in wrap(sentence, max(1, width))]
    return centred_text(words[:height], width, height, glyphs)


def board_of(game_id: str) -> GameBoard:
    """The board of a game, or the general board. Raises UnknownGame if a guest's board cannot be loaded."""
    board = part(game_id, "board", GameBoard)
    if board is not None:
        return board
    from duelbox.ui.general_board import general_board

    return general_board(find_game(game_id))
