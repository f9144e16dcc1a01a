"""A fault at every call to the disk: a move is kept, or refused with a sentence, and the next one is tried again."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.store import files
from duelbox.store.store import Store
from tests.effort import sampled
from tests.store.play import is_sentence, new_game

MOVES = ("4", "5", "6")
CODES = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
LOCKLESS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


class Faulty:
    """The calls of the door to the system; the one with this number fails, or all from it on."""

    def __init__(self, patch: pytest.MonkeyPatch, number: int, code: int, *, lasting: bool) -> None:
        self.calls: list[str] = []
        self._number = number
        self._code = code
        self._lasting = lasting
        self.on = True
        opening = files.raw_file

        def raw_file(path: Path, **how: bool) -> Any:
            return _File(self, opening(path, **how))

        patch.setattr(os, "open", self._counted("open", os.open))
        patch.setattr(os, "fsync", self._counted("fsync", os.fsync))
        patch.setattr(fcntl, "flock", self._counted("flock", fcntl.flock))
        patch.setattr(files, "rename", self._counted("rename", files.rename))
        patch.setattr(files, "raw_file", raw_file)

    def call(self, name: str) -> None:
        """Count a call, and let it fail if it is its turn."""
        if not self.on:
            return
        self.calls.append(name)
        at = len(self.calls) - 1
        if at == self._number or (self._lasting and at > self._number >= 0):
            raise OSError(self._code, os.strerror(self._code))

    def _counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **how: Any) -> Any:
            self.call(name)
            return function(*args, **how)

        return counted


class _File:
    """An open file whose writes are counted."""

    def __init__(self, faulty: Faulty, file: Any) -> None:
        self._faulty = faulty
        self._file = file

    def write(self, content: bytes) -> int:
        self._faulty.call("write")
        return int(self._file.write(content))

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def played(home: Path, faulty: Faulty) -> tuple[str, list[bool]]:
    """Open a home, play three moves, delete a match and leave; returns the id and what was acknowledged."""
    with Store.open(home) as store:
        assert store.notice is None or is_sentence(store.notice)
        saved, session = new_game(store)
        kept = []
        for move in MOVES:
            session.type(move)
            kept.append(saved.sync(session).result())
            assert kept[-1] or is_sentence(store.told.trouble), f"refused without a sentence at {faulty.calls[-1]}"
        refused = "Nothing."
        try:
            older = store.history()[-1]
            if older.id != saved.id:
                store.delete(older.id)
        except DuelboxError as error:
            refused = error.sentence
        assert is_sentence(refused)
        return saved.id, kept


@pytest.fixture
def calls(tmp_path: Path) -> int:
    """The number of calls where nothing fails."""
    with pytest.MonkeyPatch.context() as patch:
        faulty = Faulty(patch, -1, 0, lasting=False)
        prepared(tmp_path / "counted", faulty)
        played(tmp_path / "counted", faulty)
        assert set(faulty.calls) == {"open", "write", "fsync", "flock", "rename"}
        return len(faulty.calls)


def prepared(home: Path, faulty: Faulty) -> None:
    """A home with a match, and without its index, so that all calls are made."""
    faulty.on = False
    with Store.open(home) as store:
        store.import_text("circle-duel/7.8")
    (home / "history.cache.db").unlink()
    faulty.on = True


@pytest.mark.parametrize("lasting", [False, True])
def test_a_move_is_kept_or_refused_with_a_sentence(tmp_path: Path, calls: int, lasting: bool) -> None:
    refused = 0
    for number in range(0, calls, sampled(2, 1)):
        for code in CODES[: sampled(1, len(CODES))]:
            home = tmp_path / f"home-{number}-{code}"
            with pytest.MonkeyPatch.context() as patch:
                faulty = Faulty(patch, number, code, lasting=lasting)
                prepared(home, faulty)
                match_id, kept = played(home, faulty)
            with Store.open(home) as store:
                assert store.told.trouble is None
                refused += kept.count(False)
                acknowledged = len(kept) - kept[::-1].index(True) if True in kept else 0
                if acknowledged:
                    there = store.load(match_id).sessions[0].code().partition("/")[2].split(".")
                    assert there[:acknowledged] == list(MOVES[:acknowledged]), (number, faulty.calls[number])
                assert store.check() == ()
    assert refused > 0


@pytest.mark.parametrize("code", LOCKLESS)
def test_where_nothing_can_be_locked_one_plays_on_and_is_told_once(
    tmp_path: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with Store.open(tmp_path) as store:
        assert store.kept
        for _ in range(2):
            saved, session = new_game(store)
            for move in MOVES:
                session.type(move)
                assert saved.sync(session).result()
            saved.close()
            assert str(store.notice).count("cannot be locked. Play in one terminal only.") == 1
    with Store.open(tmp_path) as store:
        saved, session = new_game(store)
        session.type("4")
        assert saved.sync(session).result()
        assert "cannot be locked" in str(store.notice)
        with Store.open(tmp_path) as other:
            assert other.count() == 3
    monkeypatch.undo()
    with Store.open(tmp_path) as store:
        assert store.notice is None
        assert [one.moves for one in store.history()] == [1, 3, 3]
