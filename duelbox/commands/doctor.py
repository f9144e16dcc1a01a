"""`duelbox doctor`: reports on versions, the terminal, guests, settings and saved games."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sqlite3
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

from duelbox import registry
from duelbox.bots.api import Bot
from duelbox.commands.shared import version_in_full
from duelbox.core.errors import DuelboxError
from duelbox.core.model import listed
from duelbox.core.names import printable
from duelbox.core.talk import Talk
from duelbox.friends.waiting import waiting_elsewhere
from duelbox.solve.api import Solver
from duelbox.store.files import find_folders, open_to_others, read_regular
from duelbox.store.settings import Config, Settings
from duelbox.store.store import Store
from duelbox.store.terminals import FEW_COLOURS, FINE_COLOURS, Terminal, known_terminal
from duelbox.table.presets import preset_faults
from duelbox.ui.game_board import GameBoard

FAULTS = 1
PARTS = {"talk": Talk, "solve": Solver, "bot": Bot, "board": GameBoard}
PAGES = ("rules.md", "facts.json")
SHOWN = 10
WITHOUT_MOUSE = ("dumb", "linux", "vt100", "vt220")
"""Terminals without a mouse and a clipboard, by their TERM."""
PLACE = re.compile(r'[/\\]((?:duelbox|textual|rich|pydantic)[/\\](?:\w+[/\\])*\w+\.py)", line ([0-9]+)')
"""A place in a traceback, in a package that is known."""
KIND = re.compile(r"\w+(\.\w+)+(?=:|$)")
"""The kind of an error at the end of a traceback."""
MOST = 1_000_000
"""Bytes of a crash report that is read."""


def run(args: Namespace) -> int:
    """Print the report; returns 1 if something is wrong."""
    if args.laws is not None:
        return _laws(args.laws.lower(), as_json=args.json)
    if args.report:
        sys.stdout.writelines(f"{name + ':':<10} {printable(value)}\n" for name, value in _report())
        return 0
    faults: list[str] = []
    report = [*_versions(), *_terminal(), *_games(faults), *_files(faults)]
    if args.json:
        return _tell({"found": dict(report), "wrong": faults}, faults)
    for name, value in report:
        sys.stdout.write(f"{name + ':':<10} {printable(value)}\n")
    more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    for fault in (*faults[:SHOWN], *more):
        sys.stdout.write(f"{'wrong:':<11}{printable(fault)}\n")
    return FAULTS if faults else 0


def _tell(facts: dict[str, Any], faults: list[str]) -> int:
    sys.stdout.write(json.dumps(facts, indent=1) + "\n")
    return FAULTS if faults else 0


def _laws(game_id: str, *, as_json: bool) -> int:
    from duelbox.testing import LAWS, broken_laws, broken_part_laws
    from duelbox.testing.part_laws import PART_LAWS

    game = registry.find_game(game_id)
    broken = [*broken_laws(game), *broken_part_laws(game)]
    if as_json:
        return _tell({"game": game_id, "laws": len(LAWS) + len(PART_LAWS), "broken": broken}, broken)
    for sentence in broken:
        sys.stdout.write(f"{'broken:':<11}{sentence}\n")
    if not broken:
        sys.stdout.write(f"{game_id} holds all {len(LAWS) + len(PART_LAWS)} laws.\n")
    return FAULTS if broken else 0


def _versions() -> Iterator[tuple[str, str]]:
    yield "duelbox", version_in_full()
    yield "Python", f"{platform.python_version()} on {platform.system() or 'an unknown system'}"
    yield "libraries", ", ".join(f"{name} {version(name)}" for name in ("textual", "rich", "pydantic", "platformdirs"))
    yield "SQLite", sqlite3.sqlite_version


def _terminal() -> Iterator[tuple[str, str]]:
    on_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    term = os.environ.get("TERM", "")
    size = shutil.get_terminal_size()
    named = f" (TERM={term})" if term else " (TERM is not set)" if os.name == "posix" else ""
    answer = known_terminal(find_folders().data)
    yield "terminal", f"{size.columns} x {size.lines}{named}" if on_terminal else "none; the full screen needs one"
    yield "text", sys.stdout.encoding
    yield "colours", _colours(term, answer)
    yield "signs", _signs(answer)
    yield "mouse", _mouse(term, on_terminal)
    yield "clipboard", _clipboard(term, on_terminal)


def _colours(term: str, answer: Terminal | None) -> str:
    if os.environ.get("NO_COLOR"):
        return "none, as NO_COLOR asks"
    if term == "dumb":
        return "none"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or os.name == "nt":
        return "16 million"
    if answer is not None and answer.colours > FEW_COLOURS:
        return "16 million, as the terminal answered" if answer.colours == FINE_COLOURS else "256, as it answered"
    return "256" if "256" in term else "16"


def _signs(answer: Terminal | None) -> str:
    """The widths of the signs that the terminal was asked for, and what is drawn here."""
    plain = Config.load().settings.plain
    drawn = "boards are drawn in ASCII" if plain else "boards are drawn with lines and Braille"
    if answer is None:
        return f"not asked yet (the full screen asks); {drawn}"
    if not answer.widths:
        return f"the terminal did not say how wide they are; {drawn}"
    diamond, braille = answer.widths
    return f"a diamond is {_cells(diamond)} wide, Braille {_cells(braille)}; {drawn}"


def _cells(width: int) -> str:
    return "1 cell" if width == 1 else f"{width} cells"


def _mouse(term: str, on_terminal: bool) -> str:
    if not on_terminal or term in WITHOUT_MOUSE:
        return "none here; everything can be done by keys"
    if "TMUX" in os.environ:
        return "if tmux passes it on (set -g mouse on)"
    return "most terminals of this kind have it; everything can be done by keys"


def _clipboard(term: str, on_terminal: bool) -> str:
    if not on_terminal or term in WITHOUT_MOUSE or os.environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return "none here"
    if "TMUX" in os.environ:
        return "if tmux passes it on (set -g set-clipboard on)"
    return "copies go through the terminal, if it takes them (OSC 52)"


def _games(faults: list[str]) -> Iterator[tuple[str, str]]:
    yield "games", ", ".join(registry.game_ids())
    for game_id in registry.guests():
        if fault := registry.why_unplayable(game_id):
            faults.append(fault)
            continue
        lacks: list[str] = []
        for name, kind in PARTS.items():
            try:
                if registry.part(game_id, name, kind) is None:
                    lacks.append(f"{name}.py")
            except DuelboxError as error:
                faults.append(error.sentence)
        lacks += [page for page in PAGES if registry.text_beside(game_id, page) is None]
        brings = f"lacks {listed(lacks)}" if lacks else "brings everything"
        yield game_id, f"runs the package {registry.package_of(game_id)}; {brings}"


def _files(faults: list[str]) -> Iterator[tuple[str, str]]:
    config = Config.load()
    faults += (*config.notices, *preset_faults(config.settings))
    yield "settings", f"{config.path}{'' if config.path.exists() else ' (not there yet; the defaults hold)'}"
    with Store.open() as store:
        history = store.folders.history
        yield "history", str(history)
        waiting_elsewhere(store)  # tells of damaged ones
        if store.notice:
            faults.append(store.notice)
        try:
            damage = store.check()
            faults += damage
            folders = sorted({store.folders.data, config.path.parent})
            faults += (f"{path} can be read by others." for folder in folders for path in open_to_others(folder))
            games = store.games()
        except DuelboxError as error:
            faults.append(error.sentence)
            return
        size = f", {history.stat().st_size / 1e6:.1f} MB" if history.exists() else ""
        yield "archive", f"{_saved(games)}{size}, {'damaged' if damage or store.told.damage else 'whole'}"
        yield "index", str(store.folders.index)
        if missing := {game_id: count for game_id, count in games.items() if registry.why_unplayable(game_id)}:
            yield "elsewhere", f"{_saved(missing)} of duels not installed here: {listed(list(missing))}"


def _report() -> Iterator[tuple[str, str]]:
    """The lines that a bug report needs; none has a path, or the name of a person or of a guest."""
    yield from _versions()
    yield from _terminal()
    faults: list[str] = []
    for _ in _games(faults):
        pass
    yield "guests", str(len(registry.guests()))
    settings = Config.load().settings
    usual = Settings()
    changed = [name for name in Settings.model_fields if getattr(settings, name) != getattr(usual, name)]
    yield "settings", f"not as they come: {', '.join(changed)}" if changed else "as they come"
    yield from ((name, value) for name, value in _files(faults) if name == "archive")
    yield "wrong", f"{len(faults)}; `duelbox doctor` names them" if faults else "nothing"
    yield "crash", " < ".join(_last_crash()) or "none"


def _last_crash() -> list[str]:
    """The kind of the last crash and the places in the code that led to it, the nearest first."""
    try:
        text = read_regular(find_folders().data / "crash.log", MOST).decode("utf-8", "replace")
    except OSError:
        return []
    places: list[str] = []
    kind = ""
    for line in text.splitlines():
        if place := PLACE.search(line):
            places.insert(0, f"{place[1]}:{place[2]}")
        elif error := KIND.match(line):
            kind = error[0]
    return [kind, *places[:SHOWN]] if kind else []


def _saved(games: Mapping[str, int]) -> str:
    count = sum(games.values())
    return f"{count} saved game{'' if count == 1 else 's'}"
