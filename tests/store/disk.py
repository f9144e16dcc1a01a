"""A simulated disk: writes, syncs, truncations and deletions of journals and SQLite are recorded, refused or lost.

SQLite's default VFS is registered a second time under another name, with four of its functions going through Python;
the files of journals are wrapped. The recorded operations give the files that a power cut could leave.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import errno
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from duelbox.store import files

FULL, READ_ONLY, IO_ERROR, CANT_OPEN = 13, 8, 10, 14
SECTOR = 512
_ERRNO = {FULL: errno.ENOSPC, READ_ONLY: errno.EROFS, IO_ERROR: errno.EIO, CANT_OPEN: errno.EACCES}

_OPEN_READ_ONLY, _OPEN_READ_WRITE, _OPEN_CREATE, _OPEN_MAIN = 0x1, 0x2, 0x4, 0x100

# SQLite keeps the address of a name, so names are passed as addresses.
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)
_WRITE, _TRUNCATE, _SYNC = 2, 3, 4  # places among the functions of sqlite3_io_methods


class _Vfs(Structure):
    _fields_ = [
        ("version", c_int),
        ("file_size", c_int),
        ("path_size", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        ("others", c_void_p * 14),
    ]


class _Methods(Structure):
    _fields_ = [("version", c_int), ("functions", c_void_p * 18)]


class _File(Structure):
    _fields_ = [("methods", POINTER(_Methods))]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation on a file."""

    kind: str  # open, write, truncate, sync, rename (its content is the new name), delete, folder (a sync of it), ack
    path: str = ""
    at: int = 0
    """Offset of a write, size of a truncation, whether a deletion was synced, number of an acknowledgement."""
    content: bytes = b""


@dataclass
class Disk:
    """The recorded operations; `fault` returns the error code of an operation that fails, else 0."""

    ops: list[Op] = field(default_factory=list)
    fault: Callable[[Op], int] = lambda op: 0

    def ack(self, number: int) -> None:
        """Record that the writer has been told that its change with this number is safe."""
        self.ops.append(Op("ack", at=number))

    def did(self, op: Op) -> int:
        """Record an operation, unless it fails; returns its error code or 0."""
        code = self.fault(op)
        if not code:
            self.ops.append(op)
        return code


def _library() -> ctypes.CDLL | None:
    """Load the SQLite library that Python uses; None if it is built into Python."""
    try:
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    except (AttributeError, OSError):
        return None
    return library


LIBRARY = _library()


@contextmanager
def broken_disk() -> Iterator[Disk]:
    """Put all databases and journals of this process on a simulated disk."""
    disk = Disk()
    original = LIBRARY.sqlite3_vfs_find(None)
    shim = _Shim(disk, original)
    LIBRARY.sqlite3_vfs_register(byref(shim.vfs), 1)
    try:
        with pytest.MonkeyPatch.context() as patch:
            opened = files.raw_file

            def open_raw(path: Path, *, write: bool = False, new: bool = False, link: bool = False) -> Any:
                return (
                    _Raw(disk, path, lambda: opened(path, write=write, new=new, link=link))
                    if write
                    else opened(path, link=link)
                )

            patch.setattr(files, "raw_file", open_raw)
            renaming = files.rename

            def rename(path: Path, new: Path) -> None:
                op = Op("rename", str(path), content=str(new).encode())
                if code := disk.fault(op):
                    raise OSError(_ERRNO[code], os.strerror(_ERRNO[code]))
                renaming(path, new)
                disk.ops.append(op)

            patch.setattr(files, "rename", rename)
            patch.setattr(files, "sync", lambda file: file.sync())
            patch.setattr(files, "sync_folder", lambda folder: disk.ops.append(Op("folder")))
            yield disk
    finally:
        LIBRARY.sqlite3_vfs_unregister(byref(shim.vfs))
        LIBRARY.sqlite3_vfs_register(original, 1)


class _Raw:
    """A journal's file whose operations are recorded or refused."""

    def __init__(self, disk: Disk, path: Path, opened: Callable[[], Any]) -> None:
        self._disk, self._path = disk, str(path)
        if code := disk.fault(Op("open", self._path)):
            raise OSError(_ERRNO[code], os.strerror(_ERRNO[code]))
        self._file = opened()
        disk.ops.append(Op("open", self._path))

    def _did(self, op: Op) -> None:
        if code := self._disk.did(op):
            raise OSError(_ERRNO[code], os.strerror(_ERRNO[code]))

    def write(self, content: bytes) -> int:
        self._did(Op("write", self._path, self._file.tell(), bytes(content)))
        return self._file.write(content)

    def truncate(self, size: int | None = None) -> int:
        size = self._file.tell() if size is None else size
        self._did(Op("truncate", self._path, size))
        return self._file.truncate(size)

    def sync(self) -> None:
        self._did(Op("sync", self._path))

    def __enter__(self) -> _Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if not self._file.closed and not Path(self._path).exists():
            self._disk.ops.append(Op("delete", self._path))
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _Shim:
    """A VFS of SQLite that records or refuses operations and passes them on to the original."""

    def __init__(self, disk: Disk, original: ctypes._Pointer[_Vfs]) -> None:
        self._disk = disk
        self._original = original
        self._paths: dict[int, str] = {}
        self._patched: dict[int, _Methods] = {}
        self._kept: list[object] = []  # ctypes does not keep callbacks alive
        self.vfs = _Vfs.from_buffer_copy(original.contents)
        self.vfs.name = b"broken"
        self.vfs.open = self._address(_Open(self._open))
        self.vfs.delete = self._address(_Delete(self._delete))

    def _address(self, callback: object) -> int | None:
        self._kept.append(callback)
        return ctypes.cast(callback, c_void_p).value

    def _open(self, _: int, name: int | None, file: int, flags: int, out: object) -> int:
        path = ctypes.string_at(name).decode() if name else ""
        code = self._disk.fault(Op("open", path, flags))
        if code == READ_ONLY and flags & _OPEN_MAIN:
            flags = flags & ~(_OPEN_READ_WRITE | _OPEN_CREATE) | _OPEN_READ_ONLY
        elif code:
            # SQLite closes the file if this pointer is set.
            ctypes.cast(file, POINTER(c_void_p))[0] = None
            return code
        done: int = _Open(self._original.contents.open)(
            ctypes.cast(self._original, c_void_p).value, name, file, flags, out
        )
        if not done and path:
            self._disk.ops.append(Op("open", path, flags))
            self._paths[file] = path
            self._patch(ctypes.cast(file, POINTER(_File)).contents)
        return done

    def _patch(self, file: _File) -> None:
        address = ctypes.cast(file.methods, c_void_p).value
        assert address is not None
        if address not in self._patched:
            self._patched[address] = self._between(_Methods.from_buffer_copy(file.methods.contents))
        file.methods = ctypes.pointer(self._patched[address])

    def _between(self, methods: _Methods) -> _Methods:
        write = _Write(methods.functions[_WRITE])
        truncate = _Truncate(methods.functions[_TRUNCATE])

        def on_write(file: int, content: int, size: int, at: int) -> int:
            op = Op("write", self._paths[file], at, ctypes.string_at(content, size))
            return self._disk.did(op) or write(file, content, size, at)

        def on_truncate(file: int, size: int) -> int:
            return self._disk.did(Op("truncate", self._paths[file], size)) or truncate(file, size)

        def on_sync(file: int, flags: int) -> int:
            return self._disk.did(Op("sync", self._paths[file]))  # only recorded, so no wait

        methods.functions[_WRITE] = self._address(_Write(on_write))
        methods.functions[_TRUNCATE] = self._address(_Truncate(on_truncate))
        methods.functions[_SYNC] = self._address(_Sync(on_sync))
        return methods

    def _delete(self, _: int, name: int, synced: int) -> int:
        done: int = self._disk.did(Op("delete", ctypes.string_at(name).decode(), synced))
        own = ctypes.cast(self._original, c_void_p).value
        return done or _Delete(self._original.contents.delete)(own, name, synced)


# -- power cuts


class _Inode:
    """The content of a file: the bytes safely on disk, and the operations since the last sync."""

    def __init__(self) -> None:
        self.safe = b""
        self.pending: list[Op] = []

    def sync(self) -> None:
        self.safe = _played(self.safe, self.pending, lambda: True)
        self.pending = []


def _played(content: bytes, ops: list[Op], kept: Callable[[], bool]) -> bytes:
    """Apply operations to a content; `kept` decides for each sector of each if it reached the disk."""
    after = bytearray(content)
    for op in ops:
        if op.kind == "truncate":
            if kept():
                del after[op.at :]
            continue
        at, end = op.at, op.at + len(op.content)
        while at < end:
            stop = min(end, at - at % SECTOR + SECTOR)
            if kept():
                after.extend(bytes(max(0, at - len(after))))
                after[at:stop] = op.content[at - op.at : stop - op.at]
            at = stop
    return bytes(after)


def power_cuts(ops: list[Op], count: int, seed: int) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Make the files that power cuts at random moments could leave, each with the last acknowledgement before the cut.

    Each sector that was not synced may be on disk or not; so may a name that was made or deleted since the last sync
    of its folder. SQLite syncs the folder with the first sync of a new journal or WAL, and with a
    deletion if asked to.
    """
    rng = random.Random(seed)
    cuts = sorted(rng.randrange(len(ops) + 1) for _ in range(count))
    live: dict[str, _Inode] = {}
    names: dict[str, _Inode] = {}
    renamed: list[tuple[str, _Inode | None]] = []
    acknowledged = 0
    for at in range(len(ops) + 1):
        while cuts and cuts[0] == at:
            cuts.pop(0)
            yield acknowledged, _after_cut(names, renamed, rng)
        if at == len(ops):
            break
        op = ops[at]
        if op.kind == "ack":
            acknowledged = op.at
        elif op.kind == "open" and op.path not in live:
            live[op.path] = _Inode()
            renamed.append((op.path, live[op.path]))
        elif op.kind in ("write", "truncate"):
            live[op.path].pending.append(op)
        elif op.kind == "rename" and op.path in live:
            live[op.content.decode()] = live.pop(op.path)
            renamed += [(op.content.decode(), live[op.content.decode()]), (op.path, None)]
        elif op.kind == "delete":
            live.pop(op.path, None)
            renamed.append((op.path, None))
        if op.kind == "sync":
            live[op.path].sync()
        new_journal = (
            op.kind == "sync" and op.path.endswith(("-journal", "-wal")) and names.get(op.path) is not live[op.path]
        )
        if new_journal or op.kind == "folder" or (op.kind == "delete" and op.at):
            _rename(names, renamed)
            renamed = []


def _rename(names: dict[str, _Inode], renamed: list[tuple[str, _Inode | None]]) -> None:
    for path, inode in renamed:
        if inode is None:
            names.pop(path, None)
        else:
            names[path] = inode


def _after_cut(
    names: dict[str, _Inode], renamed: list[tuple[str, _Inode | None]], rng: random.Random
) -> dict[str, bytes]:
    found = dict(names)
    _rename(found, renamed[: rng.randint(0, len(renamed))])
    files: dict[str, bytes] = {}
    for path, inode in found.items():
        likely = rng.choice((0.0, 1.0, rng.random()))
        files[path] = _played(inode.safe, inode.pending, lambda likely=likely: rng.random() < likely)
    return files
