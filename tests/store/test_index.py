"""The index: a cache made of the history alone; and the takeover of files of the format before."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbox.store import files, index, records, takeover
from duelbox.store.store import EVERYTHING, Store
from tests.store.play import new_game, play_match


@pytest.fixture
def played(home: Path) -> Path:
    with Store.open(home) as store:
        for code in ("circle-duel/4.5", "sequence-duel/1.10.3", "number-duel/3x2", "digit-chain/10"):
            store.import_text(code)
    return home / "history.cache.db"


def test_the_file_says_whose_it_is(played: Path) -> None:
    with closing(index.connect(played)) as db:
        for pragma, value in (("application_id", 0x6475656C), ("page_size", index.PAGE_SIZE)):
            assert db.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_several_that_start_at_the_same_time_make_one_home(home: Path) -> None:
    script = "from duelbox.store.store import Store; s = Store.open(); print(s.notice, s.kept); s.close()"
    command = [sys.executable, "-c", script]
    starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [start.communicate()[0] for start in starts] == ["None True\n"] * 3
    with Store.open(home) as store:
        assert store.check() == ()


def test_what_has_only_grown_is_not_read_again(home: Path, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process has added to the archive and left the journal of a match."""
    copy = home.with_name("grown")
    shutil.copytree(home, copy)
    with Store.open(copy) as store:
        store.import_text("circle-duel/7.8")
        saved, session = new_game(store)
        session.type("4")
        saved.sync(session).result()
        for path in (*copy.glob("match.*"), copy / "history.jsonl"):
            shutil.copy(path, home)
    added: list[int] = []
    putting = index._put

    def put(db: sqlite3.Connection, at: int, size: int, columns: list[Any]) -> object:
        if at >= 0 and columns[1] not in added:  # else it is only laid over for a query
            added.append(columns[1])
        return putting(db, at, size, columns)

    monkeypatch.setattr(index, "_put", put)
    monkeypatch.setattr(index, "make", lambda *_: pytest.fail("all was read"))
    for more in (2, 0):
        added.clear()
        with Store.open(home) as store:
            assert store.notice is None
            assert (store.count(), len(added)) == (6, more), "the second time, nothing is added"
            assert store.load(saved.id).sessions[0].code() == "circle-duel/4"
    monkeypatch.undo()
    with Store.open(home) as store:
        assert store.check() == ()


def test_where_nothing_is_missing_the_history_is_not_opened(
    home: Path, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    opening = files.raw_file
    monkeypatch.setattr(files, "raw_file", lambda path, **how: (opened.append(path.name), opening(path, **how))[1])
    with Store.open(home) as store:
        assert store.count() == 4
    assert set(opened) == {played.name}


def test_an_index_is_made_of_the_history_alone(home: Path, played: Path) -> None:
    def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
        tables = ("match", "progress", "round")
        return store._worker.read(
            lambda db: {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}
        )

    with Store.open(home) as store:
        rng = Random(3)
        for _ in range(6):
            play_match(store, rng, lambda *_: None).close()
        store.progress.add("lesson", "circle-duel/1", 5)
        store.delete(store.history()[2].id)
        before = rows(store)
    with Store.open(home) as store:
        assert rows(store) == before, "it was read on"
    played.unlink()
    with Store.open(home) as store:
        assert store.notice is None
        assert rows(store) == before, "it was made anew"


def test_a_file_in_use_is_never_changed_only_replaced(
    home: Path, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "GROWN_MUCH", 2_000)
    with Store.open(home) as one, Store.open(home) as two:
        before = played.read_bytes()
        with played.open("rb") as file:
            ids = {two.import_text(f"sequence-duel/1.10.{number}") for number in range(12, 21)}
            assert file.read() == before
        assert played.read_bytes() != before, "it has grown enough to be replaced"
        assert {match.id for match in one.history()} >= ids
        saved, session = new_game(one)
        session.type("4")
        assert saved.sync(session).result()
        saved.close()
        assert one.count() == two.count() == 14
    with Store.open(home) as store:
        assert store.notice is None
        assert store.count() == 14


def test_an_index_that_is_not_as_it_was_left_is_made_anew(played: Path) -> None:
    """Changed by SQL of another program, the file is sound for SQLite and still damaged."""
    with closing(sqlite3.connect(played)) as db, db:
        db.execute("UPDATE round SET points = 1")
        db.execute("DELETE FROM round")
        db.execute("UPDATE match SET listed = 0 WHERE game = 'circle-duel'")
    with Store.open(played.parent) as store:
        assert store.count() == 4


def test_what_the_version_before_left_is_removed(home: Path, played: Path) -> None:
    played.unlink()
    with closing(sqlite3.connect(home / takeover.INDEX)) as db:
        db.execute(f"PRAGMA application_id={index.APPLICATION_ID}")
        db.execute("CREATE TABLE match (x)")
    (home / f"{takeover.INDEX}-journal").write_bytes(bytes(512))
    (home / takeover.SEAL).write_text("0123abcd")
    with Store.open(home) as store:
        assert store.notice is None
        assert store.count() == 4
    assert sorted(path.name for path in home.iterdir()) == [played.name, "history.jsonl"]


def test_writing_nothing_changes_no_file(home: Path, played: Path) -> None:
    with Store.open(home) as store:
        before = {path.name: path.read_bytes() for path in home.iterdir()}
        match_id = store.history()[0].id
        store.restore(match_id)
        assert store.import_text(store.export(store.history(game="circle-duel")[0].id))
        assert store.progress.import_text(store.progress.export().encode()) == 0
        assert {path.name: path.read_bytes() for path in home.iterdir()} == before
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER eat AFTER INSERT ON match BEGIN DELETE FROM match WHERE id = NEW.id; END",
        "CREATE VIEW all_of_it AS SELECT * FROM match",
        "CREATE TABLE mine (x)",
        "DROP INDEX match_short",
    ],
)
def test_an_index_of_another_version_is_made_anew(played: Path, change: str) -> None:
    with closing(sqlite3.connect(played)) as db:
        db.execute(change)
    for _ in range(2):
        with Store.open(played.parent) as store:
            assert store.notice is None
            assert store.count() == 4


@pytest.mark.parametrize("harm", ["pair = lower(pair)", "summary = CAST(summary AS BLOB)", "number = 'x'"])
def test_a_row_that_was_tampered_with_is_read_anew(played: Path, harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One flipped bit can turn text into bytes, which JSON does not know."""
    for limit in (index.VERIFIED, 0):
        monkeypatch.setattr(index, "VERIFIED", limit)
        with Store.open(played.parent) as store:
            before = store.history(limit=EVERYTHING)
        with closing(sqlite3.connect(played)) as db, db:
            db.execute(f"UPDATE match SET {harm}")
        with Store.open(played.parent) as store:
            assert store.history(limit=EVERYTHING) == before


# A database of the version before journals: 4 and 5, with 6 taken back; a match of two rounds, both resigned; a deleted
# match; a mark of progress.
BEFORE = Path(__file__).with_name("version_3.sql")


@pytest.fixture
def old(home: Path) -> Path:
    home.mkdir()
    for name in takeover.NAMES:
        with closing(sqlite3.connect(home / name)) as db:
            db.executescript(BEFORE.read_text())
    return home / "history.db"


def assert_taken_over(store: Store) -> None:
    two_rounds, one = store.history()
    assert (one.game, one.moves, one.result) == ("circle-duel", 2, None)
    assert (two_rounds.moves, two_rounds.result, two_rounds.players[1].name) == (2, "drawn", "Zoë 漢")
    assert [tally.shares for tally in store.statistics()] == [(0.0, 1.0), (1.0, 0.0)]
    assert store.find("nevmfpjmb3").deleted
    session = store.load(one.id).sessions[0]
    session.redo()
    assert session.code() == "circle-duel/4.5.6"
    assert store.import_text(store.export(two_rounds.id)) == two_rounds.id
    assert store.progress.newest("lesson")["circle-duel/1"] == {"done": [1, 2]}
    assert store.check() == ()


def test_files_of_the_form_before_are_taken_over_once_and_kept_beside(old: Path) -> None:
    content = old.read_bytes()
    for _ in range(2):
        with Store.open(old.parent) as store:
            assert store.notice is None
            assert_taken_over(store)
    assert old.with_name("history.v3.db").read_bytes() == content
    assert not old.exists()


def test_a_takeover_that_was_cut_off_is_done_again(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(takeover, "put_away", lambda folder: None)
        with Store.open(old.parent):
            pass
    assert old.exists()
    lines = (old.parent / "history.jsonl").read_bytes().count(b"\n")
    with Store.open(old.parent) as store:
        assert store.notice is None
        assert_taken_over(store)
    assert (old.parent / "history.jsonl").read_bytes().count(b"\n") == lines


def test_what_is_damaged_in_the_old_file_comes_from_its_backup(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db, db:
        db.execute("UPDATE match SET record = replace(record, '4', '5')")
    with Store.open(old.parent) as store:
        assert "history.db was damaged" in str(store.notice)
        assert_taken_over(store)


def test_an_old_file_is_read_where_nothing_can_be_written(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records.os, "access", lambda *_: False)
    with Store.open(old.parent) as store:
        assert not store.kept
        assert_taken_over(store)
    assert old.exists()
