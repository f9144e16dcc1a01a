"""The one file that names all games; it loads a game only when it is asked for."""

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
"""Stands for what a module lacks."""
_PATIENCE = 10.0
_GRACE, _LOOK = 2.0, 0.05
"""Seconds in which a search has to end once it was told to, and between two looks at its flag."""
"""Seconds that a guest may take to load, or to begin."""


class GuestFault(DuelboxError):
    """Something that a guest brings beside its rules has failed; the sentence names the package."""


class _Failed(Exception):
    """It raised something, or took too long; the text says which, to stand behind a name."""

    def __init__(self, text: str, error: BaseException | None = None) -> None:
        super().__init__(text)
        self.error = error


@cache
def _packages() -> dict[str, str]:
    """Every game's package by id; games of other distributions come in through entry points."""
    if not startup.names_entry_points(ENTRY_POINTS):
        return BUILT_IN
    from importlib.metadata import entry_points

    guests = {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}
    return {**guests, **BUILT_IN}


def game_ids() -> tuple[str, ...]:
    """All games that can be played, our own first."""
    return (*BUILT_IN, *(game_id for game_id in guests() if why_not(game_id) is None))


@cache
def why_not(game_id: str) -> str | None:
    """Why a game can't be played here, as a sentence; None if it can."""
    if game_id in BUILT_IN:
        return None
    if game_id not in _packages():
        return f"{game_id} is not installed here."
    found = _load(game_id)
    return found if isinstance(found, str) else None


def title_of(game_id: str) -> str:
    """The title of a saved game, whether its duel is still installed or not."""
    title: str = f"{game_id} (not installed)" if why_not(game_id) else find_game(game_id).INFO.title
    return title


def find_game(game_id: str) -> AnyGame:
    """The game of this name; raises UnknownGame with what there is, or with what a guest lacks."""
    package_of(game_id)
    found = _load(game_id)
    if isinstance(found, str):
        raise UnknownGame(found)
    return found


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


def part(game_id: str, name: str, kind: type[P]) -> P | None:
    """What a game brings in its module of this name, beside its rules: `solve.SOLVE`, `board.BOARD`.

    None if the game brings none; raises UnknownGame where it is there and can't be loaded, or is of another kind.
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
    """Stands round what a guest brings beside its rules: its first fault is its last."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sentence = ""
        """The fault; empty before there is one."""

    def call(self, passes: tuple[type[BaseException], ...], work: Callable[..., P], *args: Any) -> P:
        """Call a guest's function; raises GuestFault, now and from then on, for all but the exceptions that pass."""
        if self.sentence:
            raise GuestFault(self.sentence)
        stop = next((one for one in args if hasattr(one, "late")), None)  # a search is given its flag
        try:
            result = _heeding(stop, work, *args)
        except passes:
            raise
        except BaseException as error:
            raise self.fault(error) from error
        return self._each(passes, result, stop) if isinstance(result, Iterator) else result  # type: ignore[return-value]

    def _each(self, passes: tuple[type[BaseException], ...], results: Iterator[Any], stop: Any) -> Iterator[Any]:
        try:
            while (result := _heeding(stop, next, results, _ABSENT)) is not _ABSENT:
                yield result
        except GeneratorExit:
            raise
        except passes:
            raise
        except BaseException as error:
            raise self.fault(error) from error

    def fault(self, error: BaseException) -> GuestFault:
        """Note a fault; the text of an error may quote hidden numbers, so it is not told."""
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
    """A guest's search went on after it was told to end."""


def _heeding(stop: Any, work: Callable[..., P], *args: Any) -> P:
    """Call a guest's search in a thread, which is left behind where it does not heed its flag; raises DoesNotStop."""
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
    """The fence round a guest's module or file of this name."""
    return Fence(f"{package_of(game_id)}.{name}")


def fenced(game_id: str, name: str, found: P, *passes: type[BaseException], instead: P | None = None) -> P:
    """A part of a game, with a guest's functions behind its fence; after a fault those of `instead` are called.

    The exceptions in `passes` are the guest's to raise. Without `instead`, GuestFault is raised.
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
    """The game's own words, or else words that fit any game; raises UnknownGame where its own cannot be loaded."""
    game_id, general = game.INFO.id, default_talk(game)
    found = part(game_id, "talk", Talk)
    if found is None:
        return general
    fence = fence_of(game_id, "talk")
    told = replace(general, turn=lambda view: f"{fence.sentence}\n{general.turn(view)}")
    return fenced(game_id, "talk", found, BadNotation, instead=told)


def rules_text(game_id: str) -> str:
    """The rules of a game for people, with its presets; raises DuelboxError where a guest brings none."""
    text = text_beside(game_id, "rules.md")
    if text is None:
        raise DuelboxError(f"{game_id} has no page of rules.")
    return "\n".join([text, "Presets:\n", *(f"- {one.name}: {one.about}" for one in find_game(game_id).PRESETS), ""])


def text_beside(game_id: str, name: str) -> str | None:
    """A text that lies beside a game's rules, such as `rules.md`; None if it brings none."""
    folder = _folder(game_id)
    file = folder.joinpath(name) if folder else None
    return file.read_text("utf-8") if file is not None and file.is_file() else None


def texts_beside(game_id: str, folder: str, ending: str) -> dict[str, str]:
    """The texts of a folder beside a game's rules, by their names without the ending, sorted; empty without one."""
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
    """The games of other distributions, whether they can be played or not."""
    return sorted(_packages().keys() - BUILT_IN.keys())


def _run(game_id: str, work: Callable[[], P]) -> P:
    """Do what runs code of a game; raises _Failed.

    A stranger's runs in a thread of its own: what is raised there, an exit or an interrupt included, is the work's own,
    and Ctrl+C stays the user's. A thread can't be ended: one that hangs is left behind, and ends with duelbox.
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
    """A thread that does a guest's work, and where its result or its fault comes to be."""
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
    """What stands under a name in a module of a game, and why it can't be had; neither where there is no module."""
    try:
        return _run(game_id, lambda: getattr(import_module(path), name, _ABSENT)), ""
    except _Failed as failed:
        if isinstance(failed.error, ModuleNotFoundError) and failed.error.name == path:
            return None, ""
        return None, f"{path} cannot be loaded: it {failed}"


@cache
def _load(game_id: str) -> AnyGame | str:
    """A game, once it has shown that it can begin; or else a sentence. Whatever a stranger's does, the others go on."""
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
