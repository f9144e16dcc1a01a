"""Home as it was last drawn, kept for the next start: it is painted before games, models and the store are loaded.

It is believed only while all that it was made from is as it was: the archive and the journals of running matches, which
grow with every change, so that their sizes number the changes; the settings; the environment. What depends on the day
was worked out by the same functions as home itself, for each of the days to come.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any
from zlib import crc32

from duelbox import __version__, startup
from duelbox.store import files, terminals
from duelbox.ui.home_facts import GameFacts, HomeFacts, MatchFacts, TodayFacts
from duelbox.ui.terminal.window import has_small_cells

DAYS = 30
NAME = "home.json"
MOST = 1_000_000
"""The most bytes of a kept home."""
GUESTS = "duelbox.games"
"""The entry point by which other packages bring games."""
ASKED = ("NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG")
"""Environment variables, besides those of duelbox, that change the look of home."""

ThumbnailKey = tuple[str, str, int, int, str]
"""A small picture: its game, its code, its columns and rows, and the name of its signs."""
Rows = Sequence[Sequence[tuple[str, str]]]
"""A small picture in rows of (text, style) pieces."""


@dataclass(frozen=True, slots=True)
class KeptHome:
    """All that home shows today, and the settings that the app needs to show it."""

    facts: HomeFacts
    theme: str
    animation: str
    plain: bool
    thumbnails: Mapping[ThumbnailKey, Rows]


def stamp(folders: files.Folders, flags: Mapping[str, str | None]) -> str | None:
    """A text that changes with everything home depends on; None if another package brings games."""
    try:
        if startup.may_have_entry_points(GUESTS):
            return None
        journals = sorted(path for kind in ("match.*", "elsewhere.*") for path in folders.data.glob(kind))
        seen = [[path.name, *_seen(path)] for path in (folders.history, folders.settings, *journals)]
    except OSError:
        return None
    ours = sorted((name, value) for name, value in os.environ.items() if name in ASKED or name.startswith("DUELBOX_"))
    known = terminals.known_terminal(folders.data)
    terminal = [terminals.terminal_here(), known.widths if known else (), has_small_cells()]
    return json.dumps([__version__, seen, ours, terminal, sorted(flags.items()), time.strftime("%z")])


def _seen(path: Path) -> list[int]:
    with suppress(FileNotFoundError):
        found = path.stat()
        return [found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns]
    return []


def keep(folders: files.Folders, known: str, days: Sequence[tuple[date, HomeFacts]], home: KeptHome) -> None:
    """Keep home for these days under a stamp; if the disk refuses, only time is lost."""
    told = {
        "stamp": known,
        "look": [home.theme, home.animation, home.plain],
        "games": [asdict(game) for game in home.facts.games],
        "days": {f"{day}": asdict(replace(facts, games=())) for day, facts in days},
        "minis": [[key, rows] for key, rows in home.thumbnails.items()],
    }
    body = json.dumps(told, ensure_ascii=False).encode()
    path = folders.data / NAME
    with suppress(OSError):
        files.replace(path, b"%08x%b" % (crc32(body), body), lasting=False)


def kept_home(folders: files.Folders, flags: Mapping[str, str | None], today: date) -> KeptHome | None:
    """The kept home if it is still true today; None also for a damaged file."""
    try:
        content = files.read_regular(folders.data / NAME, MOST)
        body = content[8:]
        if int(content[:8], 16) != crc32(body):
            return None
        told = json.loads(body)
        if told["stamp"] != stamp(folders, flags) or f"{today}" not in told["days"]:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    theme, animation, plain = told["look"]
    thumbnails = {tuple(key): rows for key, rows in told["minis"]}
    return KeptHome(_facts(told["days"][f"{today}"], told["games"]), theme, animation, plain, thumbnails)


def _facts(told: dict[str, Any], games: list[dict[str, Any]]) -> HomeFacts:
    match, today = told.pop("match"), told.pop("today")
    return replace(
        HomeFacts(**told),
        games=tuple(GameFacts(**{name: _frozen(value) for name, value in game.items()}) for game in games),
        match=match and MatchFacts(**match),
        today=today and TodayFacts(**{name: _frozen(value) for name, value in today.items()}),
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
