"""The one file that names all games; it loads a game only when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame, missing_parts
from duelbox.core.model import listed
from duelbox.core.talk import AnyTalk, GeneralTalk

BUILT_IN = {
    "circle-duel": "duelbox.games.circle_duel",
    "number-circle": "duelbox.games.number_circle",
    "sequence-duel": "duelbox.games.sequence_duel",
    "digit-chain": "duelbox.games.digit_chain",
    "number-duel": "duelbox.games.number_duel",
}
ENTRY_POINTS = "duelbox.games"
COMPANIONS = {
    "talk": ("welcome", "board", "turn", "question", "line", "choices", "after", "ending"),
    "solve": ("stream",),
    "bot": ("LEVELS", "choose"),
    "table": ("TYPED", "board", "scene", "pick", "score"),
}
"""What a guest may bring beside its rules, and what each must have."""


@cache
def _packages() -> dict[str, str]:
    """Every game's package by id; games of other distributions come in through entry points."""
    # Imported here: reading what is installed costs more than everything else before the first game.
    from importlib.metadata import entry_points

    guests = {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}
    return {**guests, **BUILT_IN}


def game_ids() -> tuple[str, ...]:
    """All games that can be played, our own first."""
    return (*BUILT_IN, *(game_id for game_id in _guests() if why_not(game_id) is None))


def faults() -> Iterator[str]:
    """What is wrong with the games of other distributions, a sentence each; loads all they bring."""
    for game_id in _guests():
        if fault := why_not(game_id):
            yield fault
            continue
        for name in COMPANIONS:
            try:
                companion(game_id, name)
            except UnknownGame as error:
                yield error.sentence


@cache
def why_not(game_id: str) -> str | None:
    """Why a game can't be played here, as a sentence; None if it can."""
    if game_id in BUILT_IN:
        return None
    if game_id not in _packages():
        return f"{game_id} is not installed here."
    try:
        find_game(game_id)
    except UnknownGame as error:
        return error.sentence
    return None


def title_of(game_id: str) -> str:
    """What a saved game is called, whether its duel is still installed or not."""
    title: str = f"{game_id} (not installed)" if why_not(game_id) else find_game(game_id).INFO.title
    return title


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


def companion(game_id: str, name: str, ours: str | None = None) -> ModuleType | None:
    """The module of this name beside a game's rules, or for our own games the game's module in the package `ours`.

    None if the game brings none; raises UnknownGame where a guest's is there and can't be loaded, or lacks something.
    """
    package = package_of(game_id)
    path = f"{ours}.{package.rpartition('.')[2]}" if ours and game_id in BUILT_IN else f"{package}.{name}"
    try:
        module = import_module(path)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == path:
            return None
        if game_id in BUILT_IN:
            raise
        raise UnknownGame(f"The game {game_id} is not whole: {path} can't be loaded: {error!r}.") from error
    if missing := [part for part in COMPANIONS[name] if not hasattr(module, part)]:
        raise UnknownGame(f"The game {game_id} is not whole: {path} lacks {listed(missing)}.")
    return module


def talk_of(game: AnyGame) -> AnyTalk:
    """How this game talks: its own module, or else words that fit any game; raises UnknownGame for a broken one."""
    module: Any = companion(game.INFO.id, "talk")
    return module or GeneralTalk(game)


def rules_text(game_id: str) -> str:
    """The rules of a game for people; raises DuelboxError where a guest brings none."""
    text = text_beside(game_id, "rules.md")
    if text is None:
        raise DuelboxError(f"{game_id} has no page of rules.")
    return text


def text_beside(game_id: str, name: str) -> str | None:
    """A text that lies beside a game's rules, such as `rules.md`; None if it brings none."""
    from importlib.resources import files

    find_game(game_id)
    package = package_of(game_id)
    if not hasattr(import_module(package), "__path__"):  # a lone module has nothing beside it
        return None
    file = files(package).joinpath(name)
    return file.read_text("utf-8") if file.is_file() else None


def _guests() -> list[str]:
    return sorted(_packages().keys() - BUILT_IN.keys())


@cache
def _load(game_id: str) -> AnyGame:
    package = package_of(game_id)
    game: AnyGame = import_module(package).GAME if game_id in BUILT_IN else _guest(game_id, package)
    return game


def _guest(game_id: str, package: str) -> Any:
    """A stranger's game, once it has shown that it can begin; whatever it does, the other games go on."""
    try:
        game = getattr(import_module(package), "GAME", None)
    except Exception as error:
        raise UnknownGame(f"The game {game_id} can't be loaded: {error!r}.") from error
    missing = ["GAME"] if game is None else missing_parts(game)
    if game is None or missing:
        raise UnknownGame(f"The game {game_id} can't be played: {package} lacks {listed(missing)}.")
    if game.INFO.id != game_id:
        raise UnknownGame(f"The game {game_id} can't be played: its entry point must be called {game.INFO.id!a}.")
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", game_id):
        raise UnknownGame(f"The game {game_id!a} can't be played: an id is small letters, digits and hyphens.")
    try:
        state = game.start(game.Options())
        for seat in (None, state.turn):
            game.legal_moves(game.view(state, seat))
    except Exception as error:
        raise UnknownGame(f"The game {game_id} can't begin: {error!r}.") from error
    return game
