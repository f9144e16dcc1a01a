"""With a faulty disk or file, play goes on, a sentence says so, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.store import index, matches
from duelbox.store.journal import checksum
from duelbox.store.matches import Kept
from duelbox.store.store import Store
from duelbox.store.summary import Summary
from tests.store.disk import CANT_OPEN, FULL, IO_ERROR, LIBRARY, READ_ONLY, Op, broken_disk
from tests.store.play import assert_playable, is_sentence, kept, new_game

needs_disk = pytest.mark.skipif(LIBRARY is None, reason="SQLite is built into Python, out of reach")


# -- no home


def test_a_home_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with Store.open(tmp_path / "file" / "home") as store:
        assert is_sentence(store.notice)
        assert not store.kept
        assert_playable(store)
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_folder_where_the_database_should_be(home: Path) -> None:
    (home / "history.jsonl").mkdir(parents=True)
    with Store.open(home) as store:
        assert is_sentence(store.notice)
        assert_playable(store)
    assert (home / "history.jsonl").is_dir()


def test_a_folder_that_can_not_be_written(home: Path, played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests may run as root, who may write everywhere, so the system's answer is replaced."""
    before = (home / "history.jsonl").read_bytes()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != home)
    with Store.open(home) as store:
        assert is_sentence(store.notice)
        assert store.find(played).result == "won"
        assert_playable(store)
    assert (home / "history.jsonl").read_bytes() == before


@needs_disk
def test_a_file_that_can_not_be_written(home: Path, played: str) -> None:
    before = (home / "history.jsonl").read_bytes()
    with broken_disk() as disk:
        disk.fault = lambda op: READ_ONLY if op.kind == "open" else 0
        with Store.open(home) as store:
            assert store.find(played).result == "won"
            saved, session = new_game(store)
            session.type("4")
            assert not saved.sync(session).result()
            assert is_sentence(store.notice)
            assert "cannot be written" in str(store.notice)
    assert (home / "history.jsonl").read_bytes() == before


@needs_disk
def test_a_folder_in_which_no_journal_can_be_made(home: Path, played: str) -> None:
    """The fault shows at the first move; play goes on, and the game is saved as soon as possible."""
    with broken_disk() as disk, Store.open(home) as store:
        assert store.notice is None
        disk.fault = lambda op: CANT_OPEN if op.kind == "open" and "match." in op.path else 0
        saved, session = new_game(store)
        session.type("4")
        assert saved.sync(session).result() is False
        assert is_sentence(store.notice)
        assert store.find(played).result == "won"
        disk.fault = lambda op: 0
        session.type("5")
        assert saved.sync(session).result()
        assert store.notice is None
        assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"


# -- a disk that fails


@needs_disk
@pytest.mark.parametrize("code", [FULL, IO_ERROR])
@pytest.mark.parametrize("kind", ["write", "sync"])
@pytest.mark.parametrize("after", range(0, 8, 2))
@pytest.mark.parametrize("name", ["match.", "history.cache."])
def test_a_disk_that_fails_and_recovers(home: Path, played: str, code: int, kind: str, after: int, name: str) -> None:
    """The disk fails after some writes of a journal or of the index; no move is lost or saved in part."""
    with broken_disk() as disk, Store.open(home) as store:
        saved, session = new_game(store)
        left = after

        def fault(op: Op) -> int:
            nonlocal left
            fails = op.kind == kind and name in op.path
            left -= fails
            return code if fails and left < 0 else 0

        disk.fault = fault
        acknowledged = []
        for text in ("4", "5", "6", "7"):
            session.type(text)
            if saved.sync(session).result():
                acknowledged.append(session.code())
        assert is_sentence(store.notice) is (len(acknowledged) < 4)
        assert name == "match." or len(acknowledged) == 4, "the index is not needed"
        disk.fault = lambda op: 0
        assert store.load(saved.id).sessions[0].code().startswith(acknowledged[-1]) if acknowledged else True
        session.type("8")
        assert saved.sync(session).result()
        assert store.notice is None
    with Store.open(home) as store:
        assert store.notice is None
        assert store.check() == ()
        assert store.load(saved.id).sessions[0].code() == session.code()
        assert store.find(played)


@needs_disk
def test_what_a_full_disk_kept_out_is_written_at_the_end(home: Path, played: str) -> None:
    with broken_disk() as disk:
        with Store.open(home) as store:
            disk.fault = lambda op: FULL if op.kind == "write" else 0
            for text in ("1", "2", "3"):
                saved, session = new_game(store)
                session.type(text)
                assert not saved.sync(session).result()
            told = store.notice
            assert "disk is full" in str(told)
            with pytest.raises(DuelboxError, match="disk is full"):
                store.delete(played)
            assert store.notice == told, "another file is not another warning"
            disk.fault = lambda op: 0
        with Store.open(home) as store:
            assert len(store.unfinished()) >= 3
            assert store.find(played).result == "won"


@needs_disk
def test_a_line_that_a_full_disk_took_in_part_is_no_other_history(
    home: Path, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the index would be made anew after each try."""
    with broken_disk() as disk, Store.open(home) as store:
        monkeypatch.setattr(index, "make", lambda *_: pytest.fail("all was read again"))
        disk.fault = lambda op: FULL if op.kind == "sync" else 0
        for _ in range(2):
            with pytest.raises(DuelboxError, match="disk is full"):
                store.delete(played)
            assert not store.find(played).deleted
        disk.fault = lambda op: 0
        store.delete(played)
        assert store.find(played).deleted


@needs_disk
def test_a_new_home_on_a_full_disk(home: Path) -> None:
    with broken_disk() as disk:
        disk.fault = lambda op: FULL if op.kind == "write" else 0
        with Store.open(home) as store:
            assert is_sentence(store.notice)
            assert_playable(store)
            disk.fault = lambda op: 0
            saved, session = new_game(store)
            session.type("4")
            assert saved.sync(session).result(), "there is room again"
            assert store.kept
            assert store.notice is None
    with Store.open(home) as store:
        assert store.count() == 2, "and what was played before there was is saved, too"


@needs_disk
def test_a_disk_that_stays_full_keeps_what_was_saved_before(home: Path) -> None:
    """The archive cannot grow at the end, so the journal stays and is put away at the next start."""
    with broken_disk() as disk:
        with Store.open(home) as store:
            saved, session = new_game(store)
            session.type("4")
            assert saved.sync(session).result()
            disk.fault = lambda op: FULL if op.kind == "write" else 0
            session.type("5")
            assert not saved.sync(session).result()
            store.let_go()
            assert store.lost
        disk.fault = lambda op: 0
        with Store.open(home) as store:
            assert store.notice is None
            assert store.load(saved.id).sessions[0].code() == "circle-duel/4"


# -- a file that goes away


def test_a_database_deleted_while_playing_is_written_anew(home: Path) -> None:
    with Store.open(home) as store:
        saved, session = new_game(store)
        session.type("4")
        saved.sync(session).result()
        shutil.rmtree(home)
        session.type("5")
        assert saved.sync(session).result()
        assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        assert store.notice is None
    with Store.open(home) as store:
        assert store.check() == ()


# -- a file of another kind


def test_an_empty_file_is_a_new_database(home: Path) -> None:
    home.mkdir()
    (home / "history.jsonl").touch()
    with Store.open(home) as store:
        assert store.notice is None
        assert_playable(store)
    with Store.open(home) as store:
        assert store.count() == 1


@pytest.mark.parametrize("content", [b"hello", b"\0" * 10_000, b"SQLite format 3\0", Random(1).randbytes(100_000)])
def test_a_file_that_is_no_database_is_set_aside(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "history.jsonl").write_bytes(content)
    with Store.open(home) as store:
        assert is_sentence(store.notice)
        assert "Nothing in it could be read" in str(store.notice)
        assert store.kept
        assert_playable(store)
    (aside,) = home.glob("history.damaged-*.jsonl")
    assert aside.read_bytes() == content
    with Store.open(home) as store:
        assert store.notice is None
        assert store.count() == 1


def test_files_of_other_programs_are_set_aside(home: Path) -> None:
    home.mkdir()
    with closing(sqlite3.connect(home / "history.cache.db")) as db, db:
        db.execute("CREATE TABLE precious (x)")
        db.execute("INSERT INTO precious VALUES (42)")
    (home / "history.jsonl").write_text('{"precious": 42}\n')
    with Store.open(home) as store:
        assert str(store.notice).count("kept as") == 2
        assert_playable(store)
    (aside,) = home.glob("history.cache.damaged-*.db")
    with closing(sqlite3.connect(aside)) as db:
        assert db.execute("SELECT x FROM precious").fetchone() == (42,)
    (aside,) = home.glob("history.damaged-*.jsonl")
    assert aside.read_text() == '{"precious": 42}\n'


def test_a_newer_archive_is_read_and_left_as_it_is(home: Path, played: str) -> None:
    newer = json.dumps(["archive", 99])
    lines = (home / "history.jsonl").read_text().splitlines(keepends=True)
    (home / "history.jsonl").write_text("".join([f"{checksum(newer)} {newer}\n", *lines[1:]]))
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    with Store.open(home) as store:
        assert "newer duelbox (version 99)" in str(store.notice)
        assert is_sentence(store.notice)
        assert not store.kept
        assert store.find(played).result == "won"
        assert_playable(store)
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


def rewritten(store: Store, match_id: str, old: str, new: str) -> None:
    """Replace a text in the row of a match, under a right checksum."""
    _, (summary, record, undone) = kept(store, match_id)
    told = Summary.model_validate_json(summary.model_dump_json().replace(old, new))
    changed = Kept(told, record.replace(old, new), undone)
    store._worker.write(lambda db, number: ([matches.line_of(changed, number)], None))


def test_a_game_that_is_not_installed_is_listed_and_refused_with_a_sentence(home: Path) -> None:
    with Store.open(home) as store:
        match_id = store.import_text("circle-duel/4")
        rewritten(store, match_id, "circle-duel", "chess")
        assert [one.game for one in store.history()] == ["chess"]
        for ask in (store.load, store.resume, store.export):
            with pytest.raises(DuelboxError, match="chess is not installed here"):
                ask(match_id)


def test_moves_that_the_rules_refuse_are_good_up_to_there(home: Path) -> None:
    """Rules may have changed since: the moves up to there are shown, and play goes on in a copy."""
    with Store.open(home) as store:
        match_id = store.import_text("circle-duel/4.5.6")
        rewritten(store, match_id, '"6"', '"9"')
        opened = store.load(match_id)
        assert "Move 3: 9 is not next to" in str(opened.error)
        assert opened.sessions[0].code() == "circle-duel/4.5"
        with pytest.raises(DuelboxError, match="Move 3"):
            store.export(match_id)
        resumed = store.resume(match_id)
        resumed.sessions[0].type("6")
        assert resumed.saved.sync(resumed.sessions[0]).result()
        assert resumed.saved.id != match_id
        assert store.load(resumed.saved.id).sessions[0].code() == "circle-duel/4.5.6"
        assert store.load(match_id).error
