"""Finds duelbox's folders and names its files, keeps them private, and reads them safely."""

from __future__ import annotations

import os
import stat
import tempfile
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
OURS = ("history.", "match.", "elsewhere.", "home.", "relay.", "visitors", "settings.", "crash.", "lab.", "terminals.")
"""All of duelbox's file names begin with one of these, temporary ones with a dot before it."""
LEFT = 60.0
"""A temporary file older than this many seconds was left by a process that was killed."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders for data and for settings; they may not exist yet."""

    data: Path
    config: Path

    @property
    def history(self) -> Path:
        """The path of the archive of saved games and progress."""
        return self.data / "history.jsonl"

    @property
    def index(self) -> Path:
        """The path of the archive's index, an SQLite file with a copy of every row."""
        return self.data / "history.index.db"

    @property
    def cells(self) -> Path:
        """The path of the Lab's cache of computed facts."""
        return self.data / "lab.db"

    @property
    def settings(self) -> Path:
        """The path of the settings file."""
        return self.config / "settings.toml"


def find_folders(home: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Folders:
    """Return the folders in `home`, else in DUELBOX_HOME, else the platform's own; creates nothing.

    Raises DuelboxError for a path such as `~ann` if this machine has no such user.
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
    """Return the message of an error, in printable characters."""
    return printable((error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__)


def shown(path: Path) -> str:
    """A path in printable characters, with ~ for home: visitors of a server read nothing of its own folders."""
    with suppress(RuntimeError, ValueError):  # no home, or elsewhere
        path = Path("~", path.relative_to(Path.home()))
    return printable(path)


def check_regular(path: Path) -> None:
    """Raise OSError for a pipe, a device, a folder, or a link to one: opening it could block for ever."""
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"{printable(path.name)} is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}")


def read_regular(path: Path, most: int) -> bytes:
    """Read a regular file of at most `most` bytes; raises OSError for any other."""
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(f"it is larger than {most:,} bytes")
    return content


def make_private_folder(folder: Path) -> None:
    """Create a folder that only its owner can enter; in an existing one, take away the access of others."""
    for parent in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        with suppress(FileExistsError):
            parent.mkdir(0o700)
            parent.chmod(0o700)  # the umask may have removed some of the owner's rights
    close_to_others(folder)


def close_to_others(folder: Path) -> None:
    """Take away other users' access to our files here, and to the folder if it holds nothing but our files."""
    for path in open_to_others(folder):
        with suppress(OSError):
            path.chmod(0o700 if path.is_dir() else 0o600)


def make_private(path: Path) -> None:
    """Create the file if it is missing, and let only its owner read and write it."""
    path = path.resolve()  # a link may point to a file that does not exist yet
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) != 0o600:
        path.chmod(0o600)


def open_to_others(folder: Path) -> list[Path]:
    """List our files here that other users can access, and the folder if it holds nothing but our files."""
    found, strangers = [], False
    with suppress(OSError):
        for entry in os.scandir(folder):
            ours = entry.name.removeprefix(".").startswith(OURS)
            strangers |= not ours
            if ours and entry.is_file(follow_symlinks=False) and entry.stat().st_mode & 0o077:
                found.append(Path(entry.path))
        if not strangers and folder.stat().st_mode & 0o077:
            found.append(folder)
    return found if os.name != "nt" else []


def free_path(path: Path, why: str) -> Path:
    """Return an unused path for putting a file aside: its name, the reason, and the first free number."""
    names = (f"{path.stem}.{why}-{count}{path.suffix}" for count in range(1, 10_000))
    return next(one for one in map(path.with_name, names) if not one.exists())


def replace(path: Path, content: bytes) -> None:
    """Replace a file atomically, by a private one if it is new: at any moment the old or the new content is there."""
    remove_leftovers(path.parent, f".{path.name}.")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove old temporary files, left by processes that were killed while writing."""
    with suppress(OSError):
        for path in folder.glob(f"{beginning}*"):
            with suppress(OSError):
                if abs(time.time() - path.lstat().st_mtime) > LEFT:
                    path.unlink()
