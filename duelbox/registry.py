"""The one file that names all games. It loads a game when it is first needed, and guests behind a fence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, TypeVar

from duelbox import startup
from duelbox.core.errors import BadNotation, DuelboxError, UnknownGame
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
_GRACE, _LOOK = 2.0, 0.05
"""Seconds in which a stopped search has to end, and between two looks at its stop flag."""


class GuestFault(DuelboxError):
    """A part of a guest beside its rules has failed; the sentence names the package."""


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


class Fence:
    """Guards a part of a guest: after its first fault the part is not called any more."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sentence = ""
        """The sentence about the fault; empty before the first one."""

    def call(self, passes: tuple[type[BaseException], ...], work: Callable[..., P], *args: Any) -> P:
        """Call a guest's function; any exception but those in `passes` raises a GuestFault, now and from then on."""
        if self.sentence:
            raise GuestFault(self.sentence)
        stop = next((one for one in args if hasattr(one, "late")), None)  # the stop flag that a search is given
        result = self._guarded(passes, stop, work, *args)
        return self._each(passes, result, stop) if isinstance(result, Iterator) else result  # type: ignore[return-value]

    def _each(self, passes: tuple[type[BaseException], ...], results: Iterator[Any], stop: Any) -> Iterator[Any]:
        while (result := self._guarded(passes, stop, next, results, _ABSENT)) is not _ABSENT:
            yield result

    def _guarded(self, passes: tuple[type[BaseException], ...], stop: Any, work: Callable[..., P], *args: Any) -> P:
        try:
            return _call_search(stop, work, *args)
        except passes:
            raise
        except BaseException as error:
            raise self.fault(error) from error

    def fault(self, error: BaseException) -> GuestFault:
        """Note a fault; the sentence leaves out the text of the error, which may quote hidden numbers."""
        if isinstance(error, KeyboardInterrupt) and current_thread() is main_thread():
            raise error  # the user's Ctrl+C
        frame, where = error.__traceback__, ""
        while frame is not None:
            if str(frame.tb_frame.f_globals.get("__name__")).startswith(self.path.partition(".")[0]):
                where = f" at line {frame.tb_lineno} of {Path(frame.tb_frame.f_code.co_filename).name}"
            frame = frame.tb_next
        self.sentence = f"The game's {self.path} has a fault, and is left out: {type(error).__name__}{where}."
        return GuestFault(self.sentence)


class DoesNotStop(Exception):
    """A guest's search did not end when it was stopped."""


def _call_search(stop: Any, work: Callable[..., P], *args: Any) -> P:
    """Call a guest's search in a thread, which is abandoned if it ignores its stop flag; raises DoesNotStop."""
    if stop is None:
        return work(*args)
    thread, given, failed = _thread(lambda: work(*args))
    patience = _GRACE
    while thread.is_alive():
        thread.join(_LOOK)
        patience -= _LOOK * (stop.asked or stop.late)
        if patience < 0 and thread.is_alive():
            raise DoesNotStop
    for fault in failed:  # a guest's own Ctrl+C is not the user's
        raise SystemExit if isinstance(fault, KeyboardInterrupt) else fault
    return given[0]


@cache
def fence_of(game_id: str, name: str) -> Fence:
    """The fence of a guest's module or file of this name."""
    return Fence(f"{package_of(game_id)}.{name}")


def fenced(game_id: str, name: str, found: P, *passes: type[BaseException], instead: P | None = None) -> P:
    """A part of a game; a guest's functions are guarded by its fence, and replaced by those of `instead` after a fault.

    The exceptions in `passes` are allowed. Without `instead`, a fault raises GuestFault.
    """
    if game_id in BUILT_IN:
        return found
    fence = fence_of(game_id, name)

    def guarded(field: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            try:
                return fence.call(passes, work, *args)
            except GuestFault:
                if instead is None:
                    raise
                return getattr(instead, field)(*args)

        return call

    values = {field.name: getattr(found, field.name) for field in fields(found)}  # type: ignore[arg-type]
    return replace(found, **{name: guarded(name, value) for name, value in values.items() if callable(value)})  # type: ignore[type-var]


def talk_of(game: AnyGame) -> AnyTalk:
    """The words of a game, or words that fit any game; raises UnknownGame if its own cannot be loaded."""
    game_id, general = game.INFO.id, default_talk(game)
    found = part(game_id, "talk", Talk)
    if found is None:
        return general
    fence = fence_of(game_id, "talk")
    told = replace(general, turn=lambda view: f"{fence.sentence}\n{general.turn(view)}")
    return fenced(game_id, "talk", found, BadNotation, instead=told)


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
    return file.read_text("utf-8") if file is not None and file.is_file() else None


def texts_beside(game_id: str, folder: str, ending: str) -> dict[str, str]:
    """The text files of a folder beside a game's rules, sorted, by their names without the ending."""
    beside = _folder(game_id)
    inside = beside.joinpath(folder) if beside else None
    if inside is None or not inside.is_dir():
        return {}
    files = sorted((file for file in inside.iterdir() if file.name.endswith(ending)), key=lambda file: file.name)
    return {file.name.removesuffix(ending): file.read_text("utf-8") for file in files}


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
    """Run code of a game; raises _Failed.

    A guest's code runs in a thread. Exceptions there, even SystemExit and KeyboardInterrupt, are caught; Ctrl+C still
    reaches the main thread. A thread that hangs is abandoned, and ends with duelbox.
    """
    if game_id in BUILT_IN:
        try:
            return work()
        except Exception as error:
            raise _Failed(f"raises {error!r}", error) from error

    thread, given, failed = _thread(work)
    thread.join(_PATIENCE)
    for fault in failed:
        raise _Failed(f"raises {_written(fault)}", fault)
    for result in given:
        return result
    raise _Failed(f"takes more than {_PATIENCE:g} seconds")


def _thread(work: Callable[[], P]) -> tuple[Thread, list[P], list[BaseException]]:
    """Start a thread for a guest's work; returns it with the lists that will hold its result or its exception."""
    given: list[P] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, name="a guest", daemon=True)
    thread.start()
    return thread, given, failed


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
