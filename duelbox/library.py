"""duelbox as a library, for engines and notebooks; `import duelbox` has all of these names."""

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
    """A game on the table, at the position of a code: a session that solves, chooses and draws.

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
        """The exact verdict, with a reason and the worth of every move; raises Stopped after so many seconds.

        >>> found = Table("number-circle/+2.+9.+3").solve()
        >>> found.verdict, found.plies, [move.move for move in found.moves if move.verdict == "win"]
        ('loss', 8, [])
        """
        self._turn()
        return analyse(self.game, self.view(self.turn), Stop(seconds))

    def choose(self, level: str | int, seed: int = 0) -> Choice:
        """The move of a computer, and why it makes it; the levels are 1 to 5, or their names.

        >>> Table("sequence-duel/10.13.7").choose("dash").move
        '17'
        """
        self._turn()
        return choose(self.game, self.view(self.turn), find_level(self.game.INFO.id, str(level)).id, seed)

    def _position(self) -> tuple[object, ...]:
        return self.game.INFO.id, self.options.rules_only(), self.state.position_key, self.outcome

    def __eq__(self, other: object) -> bool:
        """The same position of the same game under the same house rules, whatever led there.

        >>> Table("sequence-duel/1.9.5") == Table("sequence-duel/5.9.1")
        True
        """
        return self._position() == other._position() if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        """Changes with every move: keep a copy in a set or as a key."""
        return hash(self._position())

    def __repr__(self) -> str:
        return f"Table({self.code()!r})"

    def __str__(self) -> str:
        """The board as text, as the player to move sees it."""
        return self.named(talk_of(self.game).board(self.view(self.turn)))

    def svg(self, theme: str = "dark", width: int = 72, height: int = 21) -> str:
        """The board as a picture, as the player to move sees it, in at most so many cells of text.

        >>> Table("circle-duel/4.5.6").svg("light")[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
        """
        from duelbox.ui.svg import board_svg

        return board_svg(self, width, height, theme)

    def _repr_html_(self) -> str:
        """The picture for a notebook, with the board as text for those who cannot see it."""
        return self.svg()
