"""The programs that settings and packages name, and the files for what they wrote to their error output."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path, PurePath

from duelbox.bots.packaged import packaged_bots
from duelbox.core.errors import BadName
from duelbox.core.names import chosen_name
from duelbox.relay.address import only_relay
from duelbox.store import files
from duelbox.store.settings import Config, Settings

NAMELESS = "Program"
"""The name of a program whose command has no word that could be one."""


def known_programs(settings: Settings) -> dict[str, str]:
    """The commands of programs by their names: of packages, and of the settings; none for visitors of a server."""
    if only_relay() is not None:
        return {}
    return {**packaged_bots(), **settings.programs}


def name_in(command: str) -> str:
    """The name of a program by its command: that of its file, such as "greedy" for `python3 greedy.py --fast`."""
    import shlex

    try:
        first, *others = shlex.split(command)
    except ValueError:
        return NAMELESS
    scripts = [word for word in others if re.fullmatch(r"[^-].*\.[A-Za-z]{1,5}", word)]
    stem = PurePath([*scripts, first][0]).stem
    try:
        return chosen_name(stem[:24])
    except BadName:
        return NAMELESS


def path_of_errors(command: str) -> Path:
    """The file for the end of a program's error output: of its name in the settings, or that of its command."""
    known = known_programs(Config.load().settings)
    name = next((name for name, own in known.items() if own == command), name_in(command))
    safe = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-") or "program"
    return files.find_folders().data / f"program.{safe}.txt"


def keep_errors(errors: str, path: Path) -> None:
    """Keep the end of a program's error output in this file, if it wrote any."""
    if errors:
        with suppress(OSError):
            files.make_private_folder(path.parent)
            files.replace(path, errors.encode())
