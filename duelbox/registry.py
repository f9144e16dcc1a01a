"""The one file that names all games; it loads a game only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from duelbox.core.errors import UnknownGame
from duelbox.core.game import AnyGame, missing_parts
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

    guests = {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}
    return {**guests, **BUILT_IN}


def game_ids() -> tuple[str, ...]:
    """All games that can be played, our own first."""
    return (*BUILT_IN, *filter(_whole, sorted(_packages().keys() - BUILT_IN.keys())))


def find_game(game_id: str) -> AnyGame:
    """The game of this name; raises UnknownGame with what there is, or with what a guest lacks."""
    return _load(game_id)


def package_of(game_id: str) -> str:
    """The package a game lives in."""
    package = BUILT_IN.get(game_id) or _packages().get(game_id)
    if package is None:
        near = get_close_matches(game_id, game_ids(), n=1)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"There is no game {game_id[:24]!a}.{guess} Games: {listed(game_ids())}.")
    return package


def games() -> Iterator[AnyGame]:
    """All games that can be played, loaded."""
    return map(find_game, game_ids())


def companion(game_id: str, name: str) -> ModuleType:
    """A module of a game's package beside its rules, such as `talk`."""
    return import_module(f"{package_of(game_id)}.{name}")


@cache
def _load(game_id: str) -> AnyGame:
    package = package_of(game_id)
    game: AnyGame = import_module(package).GAME if game_id in BUILT_IN else _guest(game_id, package)
    return game


def _guest(game_id: str, package: str) -> Any:
    try:
        game = getattr(import_module(package), "GAME", None)
    except Exception as error:  # whatever a stranger's package does, the other games go on
        raise UnknownGame(f"The game {game_id} can't be loaded: {error!r}.") from error
    missing = ["GAME"] if game is None else missing_parts(game)
    if missing:
        raise UnknownGame(f"The game {game_id} can't be played: {package} lacks {listed(missing)}.")
    return game


def _whole(game_id: str) -> bool:
    try:
        _load(game_id)
    except UnknownGame:
        return False
    return True
