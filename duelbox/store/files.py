"""Files that are ours: private, regular, and named in sentences so that they can't act on a terminal."""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from duelbox.core.names import printable

OURS = ("history.", "elsewhere.", "relay.", "visitors", "settings.", ".settings.", "crash.")
"""How the names of all our files begin."""
LEFT = 60.0
"""Seconds after which a file half written is one that was left."""


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
            parent.chmod(0o700)  # whatever the umask took away
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


def remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove what was left of files whose writing was cut off."""
    with suppress(OSError):
        for path in folder.glob(f"{beginning}*"):
            with suppress(OSError):
                if abs(time.time() - path.lstat().st_mtime) > LEFT:
                    path.unlink()
