"""Where duelbox keeps its files: DUELBOX_HOME, or else the platform's folders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_config_path, user_data_path

from duelbox.core.errors import DuelboxError

HOME = "DUELBOX_HOME"
NAME = "duelbox"


@dataclass(frozen=True, slots=True)
class Folders:
    """The two folders; neither need exist yet."""

    data: Path
    config: Path

    @property
    def history(self) -> Path:
        """The database of saved games."""
        return self.data / "history.db"

    @property
    def backup(self) -> Path:
        """What follows it, for the day it is damaged."""
        return self.data / "history.backup.db"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.toml"


def find_folders(home: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Folders:
    """The folders under this home, or under DUELBOX_HOME, or else where the platform has them; creates nothing.

    Raises DuelboxError where the home of somebody is meant who is not here.
    """
    chosen = home or environ.get(HOME)
    if chosen:
        try:
            folder = Path(chosen).expanduser().absolute()
        except RuntimeError:
            raise DuelboxError(f"{HOME} is {str(chosen)[:60]}, and there is no such home here.") from None
        return Folders(data=folder, config=folder)
    return Folders(data=user_data_path(NAME, appauthor=False), config=user_config_path(NAME, appauthor=False))
