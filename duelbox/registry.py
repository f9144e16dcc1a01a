"""The one file that names all games. It loads a game when it is first needed, and knows which faults are a guest's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from traceback import walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

from duelbox import startup
from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame, Game
from duelbox.core.model import listed
from duelbox.core.talk import AnyTalk, Talk, default_talk

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BUILT_IN = {
    "circle-duel": "duelbox.games.circle_duel",
    "number-circle": "duelbox.games.number_circle",
    "sequence-duel": "duelbox.games.sequence_duel",
    "digit-chain": "duelbox.games.digit_chain",
    "number-duel": "duelbox.games.number_duel",
}
ENTRY_POINTS = "duelbox.games"

P = TypeVar("P")

_ABSENT = object()
"""The value of an attribute that a module lacks."""
_PATIENCE = 10.0
"""Seconds that a guest may take to load, or to begin a game."""


class GuestFault(Exception):
    """A guest's code has failed; the sentence names the module and the line."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class _Failed(Exception):
    """A call of a guest raised an exception or took too long; the text says which, and stands behind a name."""

    def __init__(self, text: str, error: BaseException | None = None) -> None:
        super().__init__(text)
        self.error = error


@cache
def _packages() -> dict[str, str]:
    """The package of every game by id; guests are found by their entry points."""
    if not startup.may_have_entry_points(ENTRY_POINTS):
        return BUILT_IN
    from importlib.metadata import entry_points

    guests = {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}
    return {**guests, **BUILT_IN}


def game_ids() -> tuple[str, ...]:
    """The ids of all games that can be played, the built-in ones first."""
    return (*BUILT_IN, *(game_id for game_id in guests() if why_unplayable(game_id) is None))


def why_unplayable(game_id: str) -> str | None:
    """The sentence that says why a game cannot be played here; None if it can."""
    if game_id in BUILT_IN:
        return None
    if game_id not in _packages():
        return f"{game_id} is not installed here."
    found = _load(game_id)
    return found if isinstance(found, str) else None


def title_of(game_id: str) -> str:
    """The title of a game, which may not be installed any more."""
    title: str = f"{game_id} (not installed)" if why_unplayable(game_id) else find_game(game_id).INFO.title
    return title


def find_game(game_id: str) -> AnyGame:
    """The game of this id; raises UnknownGame, which names the games there are, or the fault of a guest."""
    package_of(game_id)
    found = _load(game_id)
    if isinstance(found, str):
        raise UnknownGame(found)
    return found


def package_of(game_id: str) -> str:
    """The package of a game; raises UnknownGame."""
    package = BUILT_IN.get(game_id) or _packages().get(game_id)
    if package is None:
        near = get_close_matches(game_id, game_ids(), n=1)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"There is no game {game_id[:24]!a}.{guess} Games: {listed(game_ids())}.")
    return package


def games() -> Iterator[AnyGame]:
    """All games that can be played, loaded."""
    return map(find_game, game_ids())


def part(game_id: str, name: str, kind: type[P]) -> P | None:
    """A part of a game beside its rules, from the module of this name: `solve.SOLVE`, `board.BOARD`.

    None if the game has no such part; raises UnknownGame if the part cannot be loaded, or is of another kind.
    """
    path = f"{package_of(game_id)}.{name}"
    found, fault = _loaded(game_id, path, name.upper())
    if found is None and not fault:
        return None
    if not fault:
        if isinstance(found, kind):
            return found
        fault = f"{path} lacks {name.upper()}, which is a {kind.__module__}.{kind.__name__}"
    raise UnknownGame(f"The game {game_id} is not whole: {fault}.")


def guest_line(frames: Iterable[tuple[FrameType, int]]) -> tuple[str, str] | None:
    """The module of the innermost frame that belongs to a guest, and its line in words; None if no frame does."""
    packages = {_packages()[game_id].partition(".")[0] for game_id in guests()} - {"duelbox"}
    innermost = None
    for frame, line in frames:
        module = str(frame.f_globals.get("__name__"))
        if module.partition(".")[0] in packages:
            innermost = module, f"line {line} of {Path(frame.f_code.co_filename).name}"
    return innermost


def guest_fault(error: BaseException) -> GuestFault | None:
    """The fault of the guest whose code raised this error; None if no guest's code did.

    The sentence leaves out the text of the error, which may quote hidden numbers.
    """
    if isinstance(error, GuestFault):
        return error
    place = guest_line(_frames_of(error))
    if place is None:
        return None
    module, line = place
    if isinstance(error, KeyboardInterrupt):
        return GuestFault(f"The game's {module} was stopped at {line}.")
    return GuestFault(f"The game's {module} has a fault: {type(error).__name__} at {line}.")


def _frames_of(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """The frames that an error and its causes came through, each with its line."""
    cause: BaseException | None = error
    while cause is not None:
        yield from walk_tb(cause.__traceback__)
        cause = cause.__cause__


def talk_of(game: AnyGame) -> AnyTalk:
    """The words of a game, or words that fit any game; raises UnknownGame if its own cannot be loaded."""
    return part(game.INFO.id, "talk", Talk) or default_talk(game)


def rules_text(game_id: str) -> str:
    """The page of rules of a game, with its presets; raises DuelboxError if a guest has none."""
    text = text_beside(game_id, "rules.md")
    if text is None:
        raise DuelboxError(f"{game_id} has no page of rules.")
    return "\n".join([text, "Presets:\n", *(f"- {one.name}: {one.about}" for one in find_game(game_id).PRESETS), ""])


def text_beside(game_id: str, name: str) -> str | None:
    """A text file beside a game's rules, such as `rules.md`; None if there is none."""
    folder = _folder(game_id)
    file = folder.joinpath(name) if folder else None
    if file is None or not file.is_file():
        return None
    return _text_of(game_id, file)


def texts_beside(game_id: str, folder: str, ending: str) -> dict[str, str]:
    """The text files of a folder beside a game's rules, sorted, by their names without the ending."""
    beside = _folder(game_id)
    inside = beside.joinpath(folder) if beside else None
    if inside is None or not inside.is_dir():
        return {}
    files = sorted((file for file in inside.iterdir() if file.name.endswith(ending)), key=lambda file: file.name)
    return {file.name.removesuffix(ending): _text_of(game_id, file) for file in files}


def _text_of(game_id: str, file: Traversable) -> str:
    """The text of a file beside a game's rules; raises DuelboxError if it is not UTF-8."""
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DuelboxError(f"{file.name} of the package {package_of(game_id)} is not UTF-8.") from error


def _folder(game_id: str) -> Traversable | None:
    """The folder of a game's package; None for a lone module, which has nothing beside it."""
    from importlib.resources import files

    find_game(game_id)
    package = package_of(game_id)
    return files(package) if hasattr(import_module(package), "__path__") else None


def guests() -> list[str]:
    """The ids of all guests, including those that cannot be played."""
    return sorted(_packages().keys() - BUILT_IN.keys())


def _run(game_id: str, work: Callable[[], P]) -> P:
    """Load or begin a game; raises _Failed.

    A guest loads in a thread, so that one that hangs costs only its own line on home. Exceptions there, even SystemExit
    and KeyboardInterrupt, are caught. A thread that hangs is abandoned, and ends with duelbox.
    """
    if game_id in BUILT_IN:
        try:
            return work()
        except Exception as error:
            raise _Failed(f"raises {error!r}", error) from error

    given: list[P] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, name="a guest", daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    for fault in failed:
        raise _Failed(f"raises {_written(fault)}", fault)
    for result in given:
        return result
    raise _Failed(f"takes more than {_PATIENCE:g} seconds")


def _written(error: BaseException) -> str:
    try:
        return repr(error)
    except BaseException:
        return type(error).__name__


@cache
def _loaded(game_id: str, path: str, name: str) -> tuple[Any, str]:
    """An attribute of a game's module, and the fault of loading it; None and no fault if there is no such module."""
    try:
        return _run(game_id, lambda: getattr(import_module(path), name, _ABSENT)), ""
    except _Failed as failed:
        if isinstance(failed.error, ModuleNotFoundError) and failed.error.name == path:
            return None, ""
        return None, f"{path} cannot be loaded: it {failed}"


@cache
def _load(game_id: str) -> AnyGame | str:
    """A game that can begin, or the sentence about its fault; a guest's fault does not affect other games."""
    package = package_of(game_id)
    game, fault = _loaded(game_id, package, "GAME")
    if not isinstance(game, Game):
        lacks = f"{package} lacks GAME, which is a {Game.__module__}.Game"
        return f"The game {game_id} cannot be played: {fault or lacks}."
    if game.INFO.id != game_id:
        return f"The game {game_id} cannot be played: its entry point must be called {game.INFO.id!a}."
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", game_id):
        return f"The game {game_id!a} cannot be played: an id is small letters, digits and hyphens."

    def begin() -> None:
        state = game.start(game.Options())
        for seat in (None, state.turn):
            game.legal_moves(game.view(state, seat))

    try:
        _run(game_id, begin)
    except _Failed as failed:
        return f"The game {game_id} cannot begin: {package} {failed}."
    return game
