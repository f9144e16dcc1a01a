"""The contract of a game: pydantic models and pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from duelbox.core.errors import GameOver, NotYourTurn
from duelbox.core.model import Event, Model, Position, Seat, player
from duelbox.core.options import Options
from duelbox.core.rng import Rng


class GameInfo(Model):
    """The name of a game and the facts about it that never change."""

    id: str
    title: str
    goal: str
    """The aim in one line, in words a twelve-year-old knows."""
    good_for: str
    picture: str = ""
    """The code of a position that shows the idea of the game, for presets that name none."""
    hidden: bool = False
    """True if players hold secrets: then there is a handover screen, and undo is limited."""
    may_be_drawn: bool = False
    """True if a game can end without a winner or go on for ever: then players may agree on a draw."""


class Move(Model):
    """A move; each game has its own type."""

    secret: ClassVar[bool] = False
    """True if the other player must not see the chosen move."""


# The types of a game: its options, full states, views and moves.
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
    """To play; to learn, if one idea wins; to know, if the winner is settled from the start."""
    key: str = ""
    """A clause that names the idea or the player that wins."""
    first: bool = False
    """True for the preset that is offered to a new player."""
    replaces: tuple[str, ...] = ()
    """Former names of this preset."""
    then: tuple[str, O] | None = None
    """House rules to try after five wins without help, in the second seat, and a short name for them."""
    seat: Literal[1, 2] = 1
    """The seat of a person who has not chosen one: the second where it wins at least 10 games of 100 more."""
    picture: str = ""
    """The code of a position by these rules; home shows it."""

    @property
    def id(self) -> str:
        """The name as typed on the command line."""
        return preset_id(self.name)

    @property
    def card(self) -> str:
        """The purpose in a sentence or two: "To learn: partners. Begin with the lesson of this game."."""
        lesson = " Begin with the lesson of this game." if self.kind == "to learn" else ""
        return f"{self.kind.capitalize()}{f': {self.key}' if self.key else ''}.{lesson}"


def preset_id(name: str) -> str:
    """The name of a preset as typed on the command line."""
    return name.lower().replace(" ", "-")


def _seen_by_all(state: Any, seat: Seat | None) -> Any:
    """Default `view` of a game that hides nothing: the state itself."""
    return state


def _only_one(view: Any, rng: Rng) -> Any:
    """Default `worlds` of a game that hides nothing: the view is the only possible state."""
    return view


@dataclass(frozen=True)
class Game(Generic[O, S, V, M]):
    """A game as a value: its models and its pure functions.

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
    """Make the first state; everything random is drawn here, from the seed of the options."""
    legal_moves: Callable[[V], Sequence[M]]
    """List every move of the player to move, in a fixed order; empty when the game is over."""
    apply: Callable[[S, Seat, M], tuple[S, tuple[Event, ...]]]
    """Return the state after a move, and its events; raises MoveError."""
    format_move: Callable[[M], str]
    """Write a move as in a code."""
    parse_move: Callable[[V, str], M]
    """Parse a move as text (typed, clicked or read). Raises BadNotation if the text is no move of this game."""
    view: Callable[[S, Seat | None], V] = _seen_by_all
    """Return what a seat may know of a state; the seat of a spectator is None."""
    worlds: Callable[[V, Rng], S] = _only_one
    """Draw a full state at random from those that a player with this view cannot rule out.

    Only the laws ask for it: two such states must look alike to that player in everything duelbox shows.
    """
    goal: Callable[[V], str] | None = None
    """The present aim, for games in which it depends on house rules or on the turn."""

    every_move: Callable[[O], Sequence[M]] | None = None
    """List every move that can come up under these house rules, in a fixed order, whatever is drawn.

    The place of a move in the list is its number for programs that learn.
    """

    def aim(self, view: V) -> str:
        """The present aim: that of the game, unless house rules or the turn change it."""
        return self.goal(view) if self.goal else self.INFO.goal


AnyGame = Game[Any, Any, Any, Any]


def preset_of(game: AnyGame, options: Options) -> Preset[Any] | None:
    """The preset with these house rules, whatever was drawn; None if there is none."""
    rules = options.rules_only()
    return next((one for one in game.PRESETS if one.options.rules_only() == rules), None)


def first_preset(game: AnyGame) -> Preset[Any]:
    """The preset for a new player."""
    return next((one for one in game.PRESETS if one.first), game.PRESETS[0])


def guard(position: Position, seat: Seat) -> None:
    """Refuse a move after the end or out of turn."""
    if position.turn is None:
        raise GameOver("The game is over.")
    if seat != position.turn:
        raise NotYourTurn(f"It is {player(position.turn)}'s turn, not {player(seat)}'s.")
