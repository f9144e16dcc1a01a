"""The one door to files: finds duelbox's folders, opens, reads, locks, replaces and removes what is in them.

Only a regular file of this user is touched; pipes, devices, folders and links are refused with a sentence. A folder may
be a link, and where a function has `link`, so may the file. A file that the player names goes through `open_chosen`.
"""

from __future__ import annotations

import errno
import glob
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from platformdirs import user_config_path, user_data_path

from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable

HOME = "DUELBOX_HOME"
NAME = "duelbox"
OURS = (
    "history.",
    "match.",
    "elsewhere.",
    "home.",
    "relay.",
    "visitors",
    "settings.",
    "crash.",
    "lab.",
    "exam.",
    "terminals.",
    "program.",
)
"""All of duelbox's file names begin with one of these, temporary ones with a dot before it."""
_QUICK = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening: never wait for the other end of a pipe, and never take a terminal."""
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP)
"""Errors of a file system that cannot lock, such as some network ones."""
BESIDE = ("-journal", "-wal", "-shm")
"""Endings of the files that SQLite makes beside a database."""
BUFFER = 1 << 16
LEFT = 60.0
"""A temporary file older than this many seconds was left by a process that was killed."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders for data and for settings; they may not exist yet."""

    data: Path
    config: Path

    @property
    def history(self) -> Path:
        """The path of the history of saved games and progress."""
        return self.data / "history.jsonl"

    @property
    def index(self) -> Path:
        """The path of the history's index, an SQLite file that can be made anew."""
        return self.data / "history.cache.db"

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


# -- opening


def kind_of(mode: int) -> str:
    """The kind of a file that is not regular, in words."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def check_regular(path: Path, *, link: bool = False) -> None:
    """Raise OSError for anything but a regular file of this user, or no file; with `link`, for what a link leads to."""
    with suppress(FileNotFoundError):
        _check(path, path.stat() if link else path.lstat())


def _check(path: Path, found: os.stat_result) -> None:
    name = printable(path.name)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, f"{name} is {kind_of(found.st_mode)}, not a file")
    if os.name != "nt" and os.geteuid() not in (0, found.st_uid):
        raise OSError(errno.EPERM, f"{name} belongs to another user")


def raw_file(path: Path, *, write: bool = False, new: bool = False, link: bool = False) -> IO[bytes]:
    """Open a regular file of this user, to read it or to `write` without a buffer; with `new`, create a missing one.

    Never waits. With `link`, a link to such a file is followed. Raises OSError for anything else.
    """
    check_regular(path, link=link)  # a device may act when it is opened
    flags = _QUICK if link else _QUICK | _NO_LINK
    flags |= os.O_RDWR if write else os.O_RDONLY
    if new:
        flags |= os.O_CREAT
    handle = os.open(path, flags, 0o600)
    try:
        found = os.fstat(handle)
        _check(path, found)  # another one may have come since
        if new and os.name != "nt" and stat.S_IMODE(found.st_mode) != 0o600:
            os.fchmod(handle, 0o600)
        if write:
            return os.fdopen(handle, "r+b", buffering=0)
        return os.fdopen(handle, "rb", buffering=BUFFER)
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, most: int, *, link: bool = False) -> bytes:
    """Read a regular file of at most `most` bytes; raises OSError for any other."""
    with raw_file(path, link=link) as file:
        if os.fstat(file.fileno()).st_size <= most:
            content = b""
            while part := file.read(most + 1 - len(content)):
                content += part
            if len(content) <= most:
                return content
    raise OSError(f"it is larger than {most:,} bytes")


def check_database(path: Path) -> None:
    """Raise OSError if SQLite would meet anything but regular files: the database and its side files."""
    for ending in ("", *BESIDE):
        check_regular(path.with_name(path.name + ending))


def open_chosen(path: Path, mode: Literal["rb", "xb", "wb"]) -> IO[bytes]:
    """Open a file that the player named, which may be a pipe or a device; raises OSError."""
    return path.open(mode)


# -- writing, waiting for the disk, locking


def write(file: IO[bytes], content: bytes) -> None:
    """Write all of this to a file without a buffer; a disk that is nearly full takes only a part at once."""
    while content:
        content = content[file.write(content) :]


def sync(file: IO[bytes]) -> None:
    """Wait until a file's content is on the disk itself, not only in its cache."""
    if sys.platform == "darwin":  # fsync alone stops at the drive's cache
        from fcntl import F_FULLFSYNC, fcntl

        with suppress(OSError):
            fcntl(file.fileno(), F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk itself: only then is a new file safe."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; False where no file can be locked. Raises BlockingIOError if it is locked."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # a byte that nobody reads: on Windows, locked bytes cannot be read
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(*error.args) from None
        else:
            from fcntl import LOCK_EX, LOCK_NB, flock

            flock(file.fileno(), LOCK_EX | LOCK_NB)
    except ImportError:  # a system without such calls, where nobody expects a lock
        return True
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        return False
    return True


# -- folders and rights


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
    """Create the file if it is missing, and let only its owner read and write it; raises OSError."""
    raw_file(path, write=True, new=True).close()


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


# -- replacing, renaming, removing


def replace(path: Path, content: bytes, *, link: bool = False, lasting: bool = True) -> None:
    """Replace a file atomically, by a private one if it is new: at any moment the old or the new content is there.

    With `link`, a link to a regular file stays, and that file is replaced; not `lasting`, a power cut may empty it.
    Raises OSError.
    """
    if link and path.is_symlink():
        check_regular(path, link=True)
        path = path.resolve(strict=True)
    with new_beside(path, lasting=lasting) as temporary:
        temporary.write_bytes(content)
        with suppress(FileNotFoundError):
            temporary.chmod(path.stat().st_mode & 0o777)


@contextmanager
def new_beside(path: Path, *, lasting: bool = True) -> Iterator[Path]:
    """A new, private, empty file beside a path, for another library to fill; it takes that path when the block ends."""
    check_regular(path)
    remove_leftovers(path.parent, f".{path.name}.")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        if lasting:
            with raw_file(temporary, write=True) as file:
                sync(file)
        rename(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def copy(path: Path, new: Path) -> None:
    """Write what is in a file into another one that is there; raises OSError."""
    with raw_file(path) as source, raw_file(new, write=True) as target:
        while part := source.read(1 << 20):
            write(target, part)


def rename(path: Path, new: Path) -> None:
    """Give a regular file another name, in place of a regular file that has it; raises OSError."""
    check_regular(path)
    check_regular(new)
    path.replace(new)


def rename_folder(folder: Path, new: Path) -> None:
    """Give a folder another name; raises OSError."""
    folder.rename(new)


def remove(path: Path) -> None:
    """Remove a regular file of this user, if it is there; raises OSError."""
    check_regular(path)
    path.unlink(missing_ok=True)


def free_path(path: Path, why: str) -> Path:
    """Return an unused path for putting a file aside: its name, the reason, and the first free number."""
    names = (f"{path.stem}.{why}-{count}{path.suffix}" for count in range(1, 10_000))
    return next(one for one in map(path.with_name, names) if not os.path.lexists(one))


def remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove old temporary files, left by processes that were killed while writing."""
    with suppress(OSError):
        for path in folder.glob(f"{glob.escape(beginning)}*"):
            with suppress(OSError):
                if abs(time.time() - path.lstat().st_mtime) > LEFT:
                    remove(path)
