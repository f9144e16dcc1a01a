"""The one file that names all games; it loads a game only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import ModuleType

from duelbox.core.errors import UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import listed

BUILT_IN = {
    "circle-duel": "duelbox.games.circle_duel",
    "number-circle": "duelbox.games.number_circle",
    "sequence-duel": "duelbox.games.sequence_duel",
    "digit-chain": "duelbox.games.digit_chain",
    "number-duel": "duelbox.games.number_duel",
}
ENTRY_POINTS = "duelbox.games"


@cache
def _packages() -> dict[str, str]:
    """Every game's package by id; games of other distributions come in through entry points."""
    # Imported here: reading what is installed costs more than everything else before the first game.
    from importlib.metadata import entry_points

    guests = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**guests, **BUILT_IN}


def game_ids() -> tuple[str, ...]:
    """All games, our own first."""
    return (*BUILT_IN, *sorted(_packages().keys() - BUILT_IN.keys()))


def find_game(game_id: str) -> AnyGame:
    """The game of this name; raises UnknownGame with what there is."""
    return _load(package_of(game_id))


def package_of(game_id: str) -> str:
    """The package a game lives in."""
    package = BUILT_IN.get(game_id) or _packages().get(game_id)
    if package is None:
        near = get_close_matches(game_id, game_ids(), n=1)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"There is no game {game_id[:24]!a}.{guess} Games: {listed(game_ids())}.")
    return package


def games() -> Iterator[AnyGame]:
    """All games, loaded."""
    return (find_game(game_id) for game_id in game_ids())


def companion(game_id: str, name: str) -> ModuleType:
    """A module of a game's package beside its rules, such as `talk`."""
    return import_module(f"{package_of(game_id)}.{name}")


@cache
def _load(package: str) -> AnyGame:
    game: AnyGame = import_module(package).GAME
    return game
