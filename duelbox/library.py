"""The names that `import duelbox` offers to engines and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duelbox.bots import choose, find_level
from duelbox.bots.api import Choice
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.learn.daily import daily
from duelbox.learn.practice import practice as puzzles
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.registry import find_game, game_ids, talk_of
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop, Stopped

if TYPE_CHECKING:
    from duelbox.lab.map_rows import lab
else:
    import duelbox.lab as lab  # the package, which can be called

__all__ = [
    "Analysis",
    "DuelboxError",
    "MoveError",
    "Puzzle",
    "Session",
    "Solving",
    "Stopped",
    "Table",
    "daily",
    "find_game",
    "game_ids",
    "lab",
    "puzzles",
]


class Table(Session):
    """A game at the position of a code: a session that can also solve, choose moves and draw pictures.

    >>> table = Table("circle-duel/4.5")
    >>> table.legal
    ('6',)
    >>> while table.turn is not None:
    ...     events = table.type(table.choose("oracle").move)
    >>> print(table.outcome.reason, table.code())
    Player 1 cannot move: nothing next to 3 is left. circle-duel/4.5.6.7.8.9.10.1.2.3
    """

    def __init__(self, code: str, names: Sequence[str] = DEFAULT_NAMES) -> None:
        played = parse_code(code, find_game)
        super().__init__(played.game, played.options, names)
        for ply in played.plies:
            self.play(ply.move)

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves, as `type` takes them."""
        return tuple(map(self.game.format_move, self.legal_moves()))

    def solve(self, seconds: float | None = None) -> Analysis:
        """The exact verdict, with a reason and the worth of every move; raises Stopped after this number of seconds.

        >>> found = Table("number-circle/+2.+9.+3").solve()
        >>> found.verdict, found.plies, [move.move for move in found.moves if move.verdict == "win"]
        ('loss', 8, [])
        """
        self._turn()
        return analyse(self.game, self.view(self.turn), Stop(seconds))

    def choose(self, level: str | int, seed: int = 0) -> Choice:
        """The move that a level of the computer chooses, with its reason; levels are 1 to 5, or names.

        >>> Table("sequence-duel/10.13.7").choose("dash").move
        '17'
        """
        self._turn()
        return choose(self.game, self.view(self.turn), find_level(self.game.INFO.id, str(level)).id, seed)

    def _position(self) -> tuple[object, ...]:
        return self.game.INFO.id, self.options.rules_only(), self.state.position_key, self.outcome

    def __eq__(self, other: object) -> bool:
        """Compare positions: equal by game, house rules and state, whatever moves led there.

        >>> Table("sequence-duel/1.9.5") == Table("sequence-duel/5.9.1")
        True
        """
        return self._position() == other._position() if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        """A hash that changes with every move: put a copy into a set, or use one as a key."""
        return hash(self._position())

    def __repr__(self) -> str:
        return f"Table({self.code()!r})"

    def __str__(self) -> str:
        """Draw the board as text, as the player to move sees it."""
        return self.named(talk_of(self.game).board(self.view(self.turn)))

    def svg(self, theme: str = "dark", width: int = 72, height: int = 21) -> str:
        """Draw the board as an SVG picture, as the player to move sees it; `width` and `height` are in cells of text.

        >>> Table("circle-duel/4.5.6").svg("light")[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
        """
        from duelbox.ui.svg import board_svg

        return board_svg(self, width, height, theme)

    def _repr_html_(self) -> str:
        """The picture for a notebook; it holds the board as text for screen readers."""
        return self.svg()
