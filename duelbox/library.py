"""The names that `import duelbox` offers to engines and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from duelbox import registry
from duelbox.bots import choose, find_level
from duelbox.bots.api import Choice
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.takes import REAL, TEXT, TWO_NAMES, WHOLE, Kind, is_whole, takes, whole
from duelbox.learn import daily as days
from duelbox.learn.practice import practice
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.registry import talk_of
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


LEVEL = Kind("a level, 1 to 5 or its name", lambda value: isinstance(value, str) or is_whole(value))
DAY = Kind(
    "a date, such as date(2026, 12, 1)", lambda value: isinstance(value, date) and not isinstance(value, datetime)
)


@takes()
def game_ids() -> tuple[str, ...]:
    """The ids of all games, those of guests last."""
    return registry.game_ids()


@takes(game_id=TEXT)
def find_game(game_id: str) -> AnyGame:
    """The game of this id, such as "circle-duel"; raises DuelboxError, which names the games there are."""
    return registry.find_game(game_id)


@takes(day=DAY)
def daily(day: date) -> tuple[Puzzle, ...]:
    """The puzzles of a day, the easiest first; raises DuelboxError before the first day."""
    return days.daily(day)


@takes(game_id=TEXT.or_none(), grade=whole(1, 5).or_none(), idea=TEXT)
def puzzles(game_id: str | None = None, grade: int | None = None, idea: str = "") -> tuple[Puzzle, ...]:
    """The puzzles to practise of a game, a grade or an idea; raises DuelboxError where no puzzle has the idea."""
    found = practice(game_id, grade, idea)
    if idea and not practice(game_id, None, idea):
        known = {puzzle.idea for puzzle in practice(game_id)} - {""}
        raise DuelboxError(f"No puzzle has the idea {idea[:24]!a}. Ideas: {listed(sorted(known))}.")
    return found


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

    @takes(code=TEXT, names=TWO_NAMES)
    def __init__(self, code: str, names: Sequence[str] = DEFAULT_NAMES) -> None:
        played = parse_code(code, registry.find_game)
        if names[0] == names[1]:
            raise DuelboxError(f"Two players have two names, not twice {names[0]!r:.24}.")
        super().__init__(played.game, played.options, names)
        for ply in played.plies:
            self.play(ply.move)

    # A table counts the arguments of these as well; a session, which the whole program plays with, does not.
    view = takes()(Session.view)
    parse = takes()(Session.parse)
    play = takes()(Session.play)
    preview = takes()(Session.preview)
    type = takes()(Session.type)

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves, as `type` takes them."""
        return tuple(map(self.game.format_move, self.legal_moves()))

    @takes(seconds=REAL.or_none())
    def solve(self, seconds: float | None = None) -> Analysis:
        """The exact verdict, with a reason and the worth of every move; raises Stopped after this number of seconds.

        >>> found = Table("number-circle/+2.+9.+3").solve()
        >>> found.verdict, found.plies, [move.move for move in found.moves if move.verdict == "win"]
        ('loss', 8, [])
        """
        self._turn()
        return analyse(self.game, self.view(self.turn), Stop(seconds))

    @takes(level=LEVEL, seed=WHOLE)
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

    @takes(theme=TEXT, width=whole(1, 1000), height=whole(1, 1000))
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
