"""The files of matches elsewhere, on a disk that is full or was written over."""

from __future__ import annotations

import asyncio
import errno
import stat
from pathlib import Path
from typing import Any

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.friends.journal import MatchJournal, WayBack, journals, look
from duelbox.friends.journal_notes import Epoch, Note, Paired, Put
from duelbox.friends.unfinished import away, go_on
from duelbox.relay.wire import Ticket
from duelbox.store.store import Store

PAIRED = Paired(me=0, room="1000", key="ab" * 32, secret="cd" * 32, since=0, sent=0, heard=0)
WAY = WayBack(ticket=Ticket(relay="ws://127.0.0.1:1", room="1000", who="host", key="k"))


class TakesLittle:
    """A file on a disk that takes a few bytes at a time."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, content: bytes) -> int:
        return int(self._file.write(content[:7]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_what_is_written_in_parts_is_written_whole(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        journal = MatchJournal.begin(store.folders, WAY, [PAIRED])
        journal._lines._file = TakesLittle(journal._lines._file)
        notes: list[Note] = [Epoch(number=1, salt="00" * 16), Put(n=1, text="x" * 100)]
        journal.add(notes)
        journal.close()
        again = MatchJournal.open(journal.path)
        assert again.notes == (PAIRED, *notes)
        again.close()


def test_what_is_set_aside_keeps_what_was_said_and_no_key(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        said = Put(n=1, text="what was said")
        journal = MatchJournal.begin(store.folders, WAY, [PAIRED, said])
        aside = journal.set_aside()
        assert not journal.path.exists()
        text = aside.read_text()
        assert said.text in text
        assert not [secret for secret in (PAIRED.key, PAIRED.secret) if secret in text]
        assert stat.S_IMODE(aside.stat().st_mode) == 0o600


def test_a_file_without_checksums_is_taken_over(tmp_path: Path) -> None:
    notes: list[Note] = [PAIRED, Epoch(number=1, salt="00" * 16)]
    path = tmp_path / "elsewhere.before.jsonl"
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in (WAY, *notes)) + '{"t": "put", "n"')
    assert look(path) == (WAY, notes)
    for _ in range(2):
        journal = MatchJournal.open(path)
        assert (journal.way, journal.notes) == (WAY, tuple(notes))
        notes.append(Put(n=1, text="said"))
        journal.add(notes[-1:])
        journal.close()
    assert look(path) == (WAY, notes)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_taken_over_is_told_of_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, texts: object) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "elsewhere.before.jsonl"
    path.write_text(f"{WAY.model_dump_json()}\n{PAIRED.model_dump_json()}\n")
    with monkeypatch.context() as patch:
        patch.setattr("duelbox.store.journal.rewrite", full)
        with pytest.raises(DuelboxError, match=r"before\.jsonl cannot be opened: No space left"):
            MatchJournal.open(path)
    again = MatchJournal.open(path)
    assert again.notes == (PAIRED,)
    again.close()


async def test_a_match_whose_first_note_is_damaged_is_told_and_does_not_hide_the_others(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for _ in range(2):
            MatchJournal.begin(store.folders, WAY, [PAIRED, Epoch(number=1, salt="00" * 16)]).close()
        broken, intact = journals(store.folders)
        broken.write_text(broken.read_text().replace("ab" * 32, "zz" * 32))
        (store.folders.data / "elsewhere.gone.jsonl").symlink_to(tmp_path / "nowhere")
        with pytest.raises(DuelboxError, match="is damaged"):
            await asyncio.wait_for(go_on(store, broken), 60)
        assert [one.path for one in away(store)] == [intact]
        assert "A match elsewhere ended: a game with a friend." in str(store.notice)


def test_a_match_whose_other_notes_are_damaged_goes_on(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        MatchJournal.begin(store.folders, WAY, [PAIRED, Epoch(number=1, salt="00" * 16)]).close()
        (path,) = journals(store.folders)
        path.write_text(path.read_text().replace("00" * 16, "zz"))
        assert [one.path for one in away(store)] == [path]
        assert f"{path.name} is damaged. Its match goes on" in str(store.notice)
