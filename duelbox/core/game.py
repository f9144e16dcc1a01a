"""The contract of a game: a module of pydantic models and pure functions, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

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
    picture: str = ""
    """The code of a position that shows what the game is about."""
    hidden: bool = False
    """Whether players hold secrets, so that a handover screen and limits to undo are needed."""
    may_be_drawn: bool = False
    """Whether it can end without a winner, or go on for ever: then players may agree on a draw."""


class Move(Model):
    """Something a player does; each game has its own."""

    secret: ClassVar[bool] = False
    """True where the other player must not learn what was chosen."""


# What a game is made of: its options, its full states, what players see of them, and its moves.
O = TypeVar("O", bound=Options)  # noqa: E741
S = TypeVar("S", bound=Position)
V = TypeVar("V", bound=Position)
M = TypeVar("M", bound=Move)


@dataclass(frozen=True, slots=True)
class Preset(Generic[O]):
    """House rules with a name."""

    name: str
    about: str
    options: O
    kind: Literal["to play", "to learn", "to know", "your own"] = "to play"
    """To play; to learn, where one idea wins; to know, where the game is settled from the start."""
    key: str = ""
    """The idea that wins, or the player who does: a clause for the card."""
    first: bool = False
    """Offered before the others to somebody who has chosen nothing."""
    replaces: tuple[str, ...] = ()
    """Names of presets that are gone; this one is there instead."""

    @property
    def id(self) -> str:
        """The name as typed on the command line."""
        return preset_id(self.name)

    @property
    def card(self) -> str:
        """Its purpose, in a sentence or two: "To learn: partners. Begin with the lesson of this game."."""
        lesson = " Begin with the lesson of this game." if self.kind == "to learn" else ""
        return f"{self.kind.capitalize()}{f': {self.key}' if self.key else ''}.{lesson}"


def preset_id(name: str) -> str:
    """The name of a preset as typed on the command line."""
    return name.lower().replace(" ", "-")


def _seen_by_all(state: Any, seat: Seat | None) -> Any:
    """The view in a game that hides nothing: the state."""
    return state


def _only_one(view: Any, rng: Rng) -> Any:
    """The state in a game that hides nothing: the view."""
    return view


@dataclass(frozen=True)
class Game(Generic[O, S, V, M]):
    """One game: its models and its pure functions, as a value; no function keeps or changes anything.

    A game in which nothing is hidden has `View = State`, and needs no `view` and no `worlds`.
    """

    INFO: GameInfo
    PRESETS: tuple[Preset[O], ...]
    EVENTS: tuple[type[Event], ...]
    """Every kind of event."""
    Options: type[O]
    State: type[S]
    View: type[V]

    start: Callable[[O], S]
    """The first state of these options; all chance is drawn here, from their seed."""
    legal_moves: Callable[[V], Sequence[M]]
    """Every move of the player to move, in a fixed order; empty when the game is over."""
    apply: Callable[[S, Seat, M], tuple[S, tuple[Event, ...]]]
    """The state after a move of a seat, and what there was to see; raises MoveError."""
    format_move: Callable[[M], str]
    """The move as a code has it."""
    parse_move: Callable[[V, str], M]
    """The move a text stands for; raises BadNotation where it is none of this game's."""
    view: Callable[[S, Seat | None], V] = _seen_by_all
    """What a seat may know of a state (None: a spectator)."""
    worlds: Callable[[V, Rng], S] = _only_one
    """A full state that a player with this view cannot rule out, drawn at random.

    Only the laws ask for it: two such states must look alike to that player in everything duelbox shows.
    """
    goal: Callable[[V], str] | None = None
    """The aim as it is now, where house rules or the turn change it."""

    def aim(self, view: V) -> str:
        """The aim as it is now."""
        return self.goal(view) if self.goal else self.INFO.goal


AnyGame = Game[Any, Any, Any, Any]


def preset_of(game: AnyGame, options: Options) -> Preset[Any] | None:
    """The preset these rules are, if any, whatever was drawn."""
    rules = options.rules_only()
    return next((one for one in game.PRESETS if one.options.rules_only() == rules), None)


def first_preset(game: AnyGame) -> Preset[Any]:
    """The preset for somebody who has chosen nothing."""
    return next((one for one in game.PRESETS if one.first), game.PRESETS[0])


def guard(position: Position, seat: Seat) -> None:
    """Refuse a move after the end, or out of turn."""
    if position.turn is None:
        raise GameOver("The game is over.")
    if seat != position.turn:
        raise NotYourTurn(f"It is {player(position.turn)}'s turn, not {player(seat)}'s.")
