"""The base of tasks beside play, whose verbs are their methods; and what they share to play on from a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar

from duelbox.bots import Level, levels_of
from duelbox.core.model import Seat
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.table.local import LocalTable
from duelbox.table.new_game import NewGame
from duelbox.table.players import computer_player, differently_named
from duelbox.table.prompts import Task
from duelbox.table.state import TableState
from duelbox.table.verbs import Verb

K = TypeVar("K")
R = TypeVar("R")


def people_in(session: Session) -> tuple[PlayerInfo, PlayerInfo]:
    """Two people with the names in a session."""
    one, two = session.names
    return PlayerInfo(name=one), PlayerInfo(name=two)


_VERBS: dict[object, Verb] = {}
"""The verb that each decorated method makes."""


def verb(
    key: str, label: str, *, when: Callable[[Any], bool] = lambda task: True, **more: Any
) -> Callable[[Callable[[K, TableState], R]], Callable[[K, TableState], R]]:
    """Make a verb of a method, with the method's name; it can be taken while `when` is true."""

    def made(method: Callable[[K, TableState], R]) -> Callable[[K, TableState], R]:
        name = method.__name__
        _VERBS[method] = Verb(
            id=name,
            key=key,
            label=label,
            do=lambda state: getattr(state.task, name)(state),
            refuse=lambda state: None if when(state.task) else "",
            **more,
        )
        return method

    return made


class VerbTask(Task):
    """A task whose verbs are its methods; inherited ones come first."""

    verbs: Mapping[str, Verb] = {}

    def __init_subclass__(cls) -> None:
        """Collect the verbs of a subclass."""
        super().__init_subclass__()
        own = (one for one in vars(cls).values() if isinstance(one, FunctionType) and one in _VERBS)
        cls.verbs = {**cls.verbs, **{one.__name__: _VERBS[one] for one in own}}


def level_after(game_id: str, level: Level | None) -> Level | None:
    """The next level of the computer, the weakest after the strongest; None if no computer plays the game."""
    known = levels_of(game_id)
    return known[(known.index(level) + 1) % len(known)] if level in known else known[len(known) // 2] if known else None


def play_on_label(level: Level | None) -> Mapping[str, str]:
    """The label of the key that plays on: it names the level."""
    return {"play_on": f"Play {level.name}"} if level is not None else {}


def game_against(session: Session, seat: Seat, level: Level) -> LocalTable:
    """A new game from a position, in which the person of this seat plays the computer."""
    one, two = (PlayerInfo(name=session.names[at]) if at == seat else computer_player(level) for at in (0, 1))
    return LocalTable(NewGame(session.copy(), fresh=True), differently_named(one, two))
