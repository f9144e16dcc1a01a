"""What a game brings for the table screen: its board, and how moves are typed and pointed at there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import cycle
from typing import Any

from duelbox.core.model import Event, Seat
from duelbox.registry import BUILT_IN, find_game, part
from duelbox.solve.api import Analysis, Mark
from duelbox.solve.sentences import best_moves, percent
from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.motion import Stage
from duelbox.ui.widgets.board import Board, Cell, Scene, Worth
from duelbox.ui.widgets.canvas import Canvas

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COMPARE, NOTE, AXIS = "?", "!", "|"
UNRATED = Worth("")


def worths_of(analysis: Analysis, played: str = "") -> dict[str, Worth]:
    """The worth of each move rated so far, as a board shows it; the one to play stands out where there are others.

    `played` is the move that was made, in a game that is over.
    """
    alike = len(analysis.moves) == len(best_moves(analysis)) and not analysis.advised
    best = analysis.advice if analysis.complete and not alike and len(analysis.moves) > 1 else ""
    figures = {
        one.move: percent(one.value) if one.verdict == "chance" else str(one.plies or "") for one in analysis.moves
    }
    return {
        one.move: Worth(
            one.verdict,
            figures[one.move],
            best=one.move == best,
            played=analysis.turn if one.move == played else None,
        )
        for one in analysis.moves
    }


def signs_of_hint(shown: Iterable[Mark]) -> dict[str, str]:
    """What a hint says of each number, or move, in a few signs: partners share a letter, a route has its totals."""
    said: dict[str, str] = {}
    shown = tuple(shown)

    def add(move: str, sign: str) -> None:
        number = move.lstrip("+-")
        said[number] = f"{said[number]} {sign}" if number in said else sign

    for mark in shown:
        if mark.kind == "region":
            said |= dict.fromkeys(mark.moves, COMPARE)
        elif mark.kind in ("border", "beats"):
            said |= {str(number): NOTE for number in mark.numbers}
        elif mark.kind == "route":
            for move, total in zip(mark.moves, mark.numbers, strict=True):
                add(move, str(total))
        else:
            if mark.kind == "mirror":
                said |= {str(number): AXIS for number in mark.numbers}
            if not _partners(mark) and len(shown) == 1:  # letters would heap up on what answers many
                said |= {answer.lstrip("+-"): NOTE for answer, count in _answers(mark).items() if count > 1}
            pairs = dict.fromkeys(tuple(sorted(pair)) for pair in _partners(mark))  # each once, whichever is first
            for letter, pair in zip(cycle(_LETTERS), pairs, strict=False):
                for move in pair:
                    add(move, letter + move[: not move[0].isdigit()])
    return said


def _answers(mark: Mark) -> Counter[str]:
    """How many moves each answer answers."""
    return Counter(answer for _, answer in mark.pairs)


def _partners(mark: Mark) -> tuple[tuple[str, str], ...]:
    """The pairs, where nothing answers several moves: else there is no pairing to be seen."""
    return mark.pairs if mark.pairs and max(_answers(mark).values()) == 1 else ()


def hint_marks(analysis: Analysis, step: int) -> tuple[Mark, ...]:
    """The drawing of a hint: the first one asks, the second compares and draws the idea, the third draws the idea."""
    return tuple(mark for mark in analysis.shown if step > 1 and (mark.kind != "region" or step == 2))


@dataclass(frozen=True)
class Look:
    """What the screen knows beside the view: nothing here is part of the game."""

    seat: Seat | None
    """Who looks; None for a spectator."""
    names: tuple[str, str] = ("Player 1", "Player 2")
    you: Seat | None = None
    """The only person who looks, and plays."""
    line: str = ""
    """The move line as it stands."""
    last: str = ""
    """The last move as text, to be marked on the board."""
    events: tuple[Event, ...] = ()
    """What there was to see when it was made."""
    worths: Mapping[str, Worth] = field(default_factory=dict)
    """The verdict layer: what each move is worth."""
    hint: tuple[Mark, ...] = ()
    """What a hint draws."""
    blockers: tuple[int, ...] = ()
    """The numbers in the way of what was tried."""
    peek: bool = False
    """Whether the player's own hidden numbers are to be seen."""
    waits: bool = False
    """An opponent is to move, so that nothing can be pressed."""
    legend: bool = False
    """The board explains its signs."""
    glyphs: Glyphs = UNICODE

    def worth(self, move: str) -> Worth | None:
        """What the verdict layer says of a move; nothing in particular, where it is there but does not know yet."""
        return self.worths.get(move, UNRATED if self.worths else None)

    def sign(self, seat: Seat) -> tuple[str, str]:
        """The sign of a player, and its style."""
        return self.glyphs.seat(seat), f"seat-{seat}"

    def cell(self, number: int, *, legal: bool, **more: Any) -> Cell:
        """A number that is a move, with what the move line, a refusal, the verdict layer and a hint say of it."""
        text = str(number)
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
        """What the hint says of each number, or move."""
        return signs_of_hint(self.hint)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The numbers that a hint joins."""
        joined = (pair for mark in self.hint if mark.kind in ("pairs", "mirror") for pair in _partners(mark))
        return tuple((int(one), int(two)) for one, two in joined if one.isdigit() and two.isdigit())


@dataclass(frozen=True)
class GameBoard:
    """What a game's `board` module offers as `BOARD`: functions of a view, no state."""

    widget: Callable[[], Board[Any]]
    """A new board widget."""
    scene: Callable[[Any, Look], Scene]
    """What the board draws for a view."""
    score: Callable[[Any, Seat], str]
    """What stands beside a player's name: "3 claimed", "total 9"."""
    pick: Callable[[Any, str, str], str] = lambda view, line, target: target
    """The move line, given the line so far, after pointing at a target."""
    keys: str = "0123456789+-*/=.,:"
    """The characters that go into the move line when typed."""
    begins: Callable[[Any, str], bool] = lambda view, line: False
    """Whether this line begins a move, so that its last letter is typed, though it is a key of the table else."""
    changing: str = ""
    """Those of the keys that change a line where others begin a new one."""
    typed: Callable[[Any, str, str], str] = lambda view, line, char: line + char
    """The line after one of these keys."""
    asks: Callable[[Any], str] = lambda view: "Type it"
    """What there is to type."""
    arrows_pick: Callable[[Any], bool] = lambda view: True
    """Whether the arrows lay what they reach into the line."""
    has_secret: Callable[[Any], bool] = lambda view: True
    """Whether there is something to look at, in a game that hides something."""
    open_up: Callable[[Any], Any] = lambda state: state
    """The state with nothing hidden."""
    stages: Callable[[Any, Any, Look], tuple[Stage, ...]] | None = None
    """From the view before and the view now: the stages on the way to this one."""
    signs: Sequence[tuple[str, str]] = ()
    """Its signs and what each means, for help; {0} to {3} stand for the players' signs and the hollow ones."""
    thumbnail: Callable[[Any, Glyphs, int, int], Canvas] | None = None
    """The position drawn small, in this width and height."""

    def picture(self, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
        """A position drawn small: in the game's own way, or as its board draws it."""
        if self.thumbnail is not None:
            return self.thumbnail(view, glyphs, width, height)
        scene = self.scene(view, Look(seat=None, glyphs=glyphs))
        return self.widget().paint(scene, width, height, None).canvas


def thumbnail_of(game_id: str, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """A position drawn small; nothing where a guest's table fails, which must not stop the others."""
    try:
        return board_of(game_id).picture(view, glyphs, width, height)
    except Exception:
        if game_id in BUILT_IN:
            raise
        return Canvas(width, height)


def board_of(game_id: str) -> GameBoard:
    """The board of a game, or one that fits any game; raises UnknownGame where a guest's can't be loaded."""
    board = part(game_id, "board", GameBoard)
    if board is not None and game_id in BUILT_IN:
        return board
    from duelbox.ui.general_board import fenced_board, general_board

    general = general_board(find_game(game_id))
    return general if board is None else fenced_board(game_id, board, general)
