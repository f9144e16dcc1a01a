"""The contract of a game: a module of pydantic models and pure functions, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from duelbox.core.errors import GameOver, NotYourTurn
from duelbox.core.model import Event, Model, Position, Seat, player
from duelbox.core.options import Options
from duelbox.core.rng import Rng


class GameInfo(Model):
    """What a game is called and what it is about."""

    id: str
    title: str
    goal: str
    """The aim in one line, in words a twelve-year-old knows."""
    good_for: str
    hidden: bool = False
    """Whether players hold secrets, so that a curtain, and limits to undo, are needed."""


class Move(Model):
    """Something a player does; each game has its own."""

    secret: ClassVar[bool] = False
    """True where the other player must not learn what was chosen."""


O = TypeVar("O", bound=Options)  # noqa: E741 - the four letters of the contract
S = TypeVar("S", bound=Position)
V = TypeVar("V", bound=Position)
M = TypeVar("M", bound=Move)


@dataclass(frozen=True, slots=True)
class Preset(Generic[O]):
    """House rules with a name."""

    name: str
    about: str
    options: O

    @property
    def id(self) -> str:
        """The name as typed on the command line."""
        return self.name.lower().replace(" ", "-")


class Game(Protocol[O, S, V, M]):
    """One game. Perfect-information games have `View = State`; no function keeps or changes anything.

    `INFO`, `PRESETS`, `EVENTS` (every kind of event), `Options`, `State` and `View` are the module's data and models.
    """

    # Properties, since a module's names are read-only to those who use it; named as they are in the module.
    # ruff: noqa: N802, D102
    @property
    def INFO(self) -> GameInfo: ...
    @property
    def PRESETS(self) -> tuple[Preset[O], ...]: ...
    @property
    def EVENTS(self) -> tuple[type[Event], ...]: ...
    @property
    def Options(self) -> type[O]: ...
    @property
    def State(self) -> type[S]: ...
    @property
    def View(self) -> type[V]: ...

    def start(self, options: O) -> S:
        """The first state; all chance is drawn here, from the seed in the options."""

    def view(self, state: S, seat: Seat | None) -> V:
        """What this seat may know (None: a spectator)."""

    def legal_moves(self, view: V) -> Sequence[M]:
        """Every move of the player to move, in a fixed order; empty when the game is over."""

    def apply(self, state: S, seat: Seat, move: M) -> tuple[S, tuple[Event, ...]]:
        """The state after the move, and what there was to see; raises MoveError."""

    def format_move(self, move: M) -> str:
        """The move as a code has it."""

    def parse_move(self, view: V, text: str) -> M:
        """The move a text stands for; raises BadNotation where it is none of this game's."""

    def worlds(self, view: V, rng: Rng) -> S:
        """A full state that a player with this view cannot rule out, drawn at random.

        Only the laws ask for it: two such states must look alike to that player in everything duelbox shows.
        """


AnyGame = Game[Any, Any, Any, Any]


def preset_of(game: AnyGame, options: Options) -> Preset[Any] | None:
    """The preset these rules are, if any, whatever was drawn."""
    rules = options.undealt()
    return next((one for one in game.PRESETS if one.options.undealt() == rules), None)


def checked(game: Game[O, S, V, M]) -> Game[O, S, V, M]:
    """The game itself; a type checker holds the module to the contract here."""
    return game


_KINDS: dict[str, type] = {"INFO": GameInfo, "PRESETS": tuple, "EVENTS": tuple}
_MODELS: dict[str, type] = {"Options": Options, "State": Position, "View": Position}


def missing_parts(game: object) -> list[str]:
    """What a module lacks, or has of another kind, to be a game, such as `legal_moves(view)`; empty if it is whole."""
    missing: list[str] = []
    for name, part in vars(Game).items():
        found = getattr(game, name, None)
        if name in _KINDS:
            whole = isinstance(found, _KINDS[name]) and bool(found)
        elif name in _MODELS:
            whole = isinstance(found, type) and issubclass(found, _MODELS[name])
        elif name.startswith("_"):
            continue
        else:
            takes = _takes(part)[1:]
            whole = callable(found) and len(_takes(found)) == len(takes)
            name = f"{name}({', '.join(takes)})"
        if not whole:
            missing.append(name)
    return missing


def _takes(function: Callable[..., object]) -> list[str]:
    return list(signature(function).parameters)


def guard(position: Position, seat: Seat) -> None:
    """Refuse a move after the end, or out of turn."""
    if position.turn is None:
        raise GameOver("The game is over.")
    if seat != position.turn:
        raise NotYourTurn(f"It is {player(position.turn)}'s turn, not {player(seat)}'s.")
