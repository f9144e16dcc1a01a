"""The folders and names of our files, and how they are kept private and read safely."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_config_path, user_data_path

from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable

HOME = "DUELBOX_HOME"
NAME = "duelbox"
OURS = ("history.", "match.", "elsewhere.", "home.", "relay.", "visitors", "settings.", ".settings.", "crash.", "lab.")
"""The beginnings of the names of all our files."""
LEFT = 60.0
"""Seconds after which a file half written is one that was left."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The two folders; neither need exist yet."""

    data: Path
    config: Path

    @property
    def history(self) -> Path:
        """The archive of saved games and progress."""
        return self.data / "history.jsonl"

    @property
    def index(self) -> Path:
        """The index of it, which has all of its rows as well."""
        return self.data / "history.index.db"

    @property
    def cells(self) -> Path:
        """Facts that the Lab worked out."""
        return self.data / "lab.db"

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


def reason(error: Exception) -> str:
    """The message of an error, in printable characters."""
    return printable((error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__)


def check_regular(path: Path) -> None:
    """Raise OSError for a pipe, a device or a folder, or a link to one: to open it could take for ever."""
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"{printable(path.name)} is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}")


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file of at most so many bytes; raises OSError for any other."""
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(f"it is larger than {most:,} bytes")
    return content


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter; close what stands open to others in one that is there."""
    for parent in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        with suppress(FileExistsError):
            parent.mkdir(0o700)
            parent.chmod(0o700)  # the umask may have taken rights away
    close_to_others(folder)


def close_to_others(folder: Path) -> None:
    """Take away what others may do with our files here, and with the folder, unless it holds more than our files."""
    for path in open_to_others(folder):
        with suppress(OSError):
            path.chmod(0o700 if path.is_dir() else 0o600)


def make_private(path: Path) -> None:
    """Let a file be there that only its owner can read."""
    path = path.resolve()  # a link, perhaps to where nothing is yet
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) != 0o600:
        path.chmod(0o600)


def open_to_others(folder: Path) -> list[Path]:
    """Our files here that others could read, and the folder, unless it holds more than our files."""
    found, strangers = [], False
    with suppress(OSError):
        for entry in os.scandir(folder):
            ours = entry.name.startswith(OURS)
            strangers |= not ours
            if ours and entry.is_file(follow_symlinks=False) and entry.stat().st_mode & 0o077:
                found.append(Path(entry.path))
        if not strangers and folder.stat().st_mode & 0o077:
            found.append(folder)
    return found if os.name != "nt" else []


def free_path(path: Path, why: str) -> Path:
    """A free name for a file that can't be used: its own, the reason, and the first number that is free."""
    names = (f"{path.stem}.{why}-{count}{path.suffix}" for count in range(1, 10_000))
    return next(one for one in map(path.with_name, names) if not one.exists())


def remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove what was left of files whose writing was cut off."""
    with suppress(OSError):
        for path in folder.glob(f"{beginning}*"):
            with suppress(OSError):
                if abs(time.time() - path.lstat().st_mtime) > LEFT:
                    path.unlink()
