"""The file: what is in its header, what it refuses, and how it grows up."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from duelbox.core.record import PlayerInfo
from duelbox.store import database, matches, schema
from duelbox.store.store import EVERYTHING, Store
from tests.store.play import new_game


def note(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE note (id TEXT, text TEXT)")


def broken(db: sqlite3.Connection) -> None:
    note(db)
    note(db)


@pytest.fixture
def played(home: Path) -> Path:
    with Store.open(home) as store:
        for code in ("circle-duel/4.5", "sequence-duel/1.10.3", "number-duel/3x2", "digit-chain/10"):
            store.import_text(code)
    return home / "history.db"


def migrate(path: Path, *steps: schema.Migration) -> sqlite3.Connection:
    db = schema.connect(path, 1)
    schema.prepare(db, path, (*schema.MIGRATIONS, *steps))
    return db


def rows_of(db: sqlite3.Connection) -> list[object]:
    return db.execute("SELECT * FROM match ORDER BY seq").fetchall()


def test_the_file_says_whose_it_is_and_survives_a_power_cut(played: Path) -> None:
    with closing(schema.connect(played, 1)) as db:
        for pragma, value in (
            ("application_id", 0x6475656C),
            ("user_version", len(schema.MIGRATIONS)),
            ("page_size", schema.PAGE_SIZE),
            ("journal_mode", "persist"),
            ("synchronous", 2),
        ):
            assert db.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_a_migration_keeps_everything_and_leaves_a_backup(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(schema.connect(played, 1)) as db:
        before = rows_of(db)
    with closing(migrate(played, note)) as db:
        assert rows_of(db) == before
        assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION + 1,)
        assert db.execute("SELECT count(*) FROM note").fetchone() == (0,)
    with closing(sqlite3.connect(played.with_name(f"history.v{schema.VERSION}.db"))) as backup:
        assert rows_of(backup) == before
        assert backup.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    with pytest.raises(schema.Newer):
        schema.connect(played, 1)
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    with closing(migrate(played, note)) as db:
        assert rows_of(db) == before


def test_a_migration_that_fails_changes_nothing(played: Path) -> None:
    with closing(schema.connect(played, 1)) as db:
        before = list(db.iterdump())
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(played, broken)
    with closing(schema.connect(played, 1)) as db:
        assert list(db.iterdump()) == before
        assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


def test_a_migration_is_done_once_when_two_start_at_the_same_time(home: Path) -> None:
    script = "from duelbox.store.store import Store; s = Store.open(); print(s.notice, s.kept); s.close()"
    command = [sys.executable, "-c", script]
    starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [start.communicate()[0] for start in starts] == ["None True\n"] * 3
    with Store.open(home) as store:
        assert store.check() == ()


def test_a_file_that_another_process_is_making_is_no_damage(home: Path) -> None:
    home.mkdir()
    path = home / "history.db"
    began: list[str] = []

    def make_it_now(statement: str) -> None:
        if "user_version" in statement and not began:
            began.append(statement)
            with closing(schema.connect(path, 0.1)) as other, suppress(sqlite3.OperationalError):  # it is locked
                schema.prepare(other, path)

    with closing(schema.connect(path, 1)) as db:
        db.set_trace_callback(make_it_now)
        schema.prepare(db, path)
        assert began
        assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER eat AFTER INSERT ON match BEGIN DELETE FROM match WHERE id = NEW.id; END",
        "CREATE VIEW all_of_it AS SELECT * FROM match",
        "CREATE TABLE mine (x)",
        "DROP INDEX match_short",
    ],
)
def test_a_schema_that_is_not_exactly_ours_is_damage(played: Path, change: str) -> None:
    with closing(sqlite3.connect(played)) as db:
        db.execute(change)
    with Store.open(played.parent) as store:
        assert "4 games could still be read" in str(store.notice)
        assert store.count() == 4
    with Store.open(played.parent) as store:
        assert store.notice is None


def test_what_a_trigger_eats_is_never_said_to_be_saved(home: Path, played: Path) -> None:
    """It came in after the file was opened: what was written is read back before it is acknowledged."""
    with Store.open(home) as store:
        with closing(sqlite3.connect(played)) as db:
            db.execute("CREATE TRIGGER eat AFTER INSERT ON match BEGIN DELETE FROM match WHERE id = NEW.id; END")
        match_id = store.import_text("circle-duel/1.2")
        assert "4 games could still be read" in str(store.notice)
        assert store.count() == 5
    with Store.open(home) as store:
        assert store.find(match_id).moves == 2


def test_a_match_that_was_tampered_with_comes_back(played: Path) -> None:
    with Store.open(played.parent) as store:
        before = store.history(limit=EVERYTHING)
    with closing(sqlite3.connect(played)) as db:
        db.execute("UPDATE match SET pair = lower(pair)")
        db.commit()
    with Store.open(played.parent) as store:
        assert "4 games came back" in str(store.notice)
        assert store.history(limit=EVERYTHING) == before


def test_a_file_that_was_repaired_meanwhile_is_not_repaired_again(played: Path) -> None:
    with Store.open(played.parent) as store:
        base = store._worker.database
        base._repair((0, 0))
        assert not list(played.parent.glob("history.damaged-*"))
        base._repair(base._identity())
        assert len(list(played.parent.glob("history.damaged-*"))) == 1
        assert store.count() == 4


def test_damage_is_reported_by_the_check_and_repaired_when_it_is_met(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file too large to be looked over at every start."""
    monkeypatch.setattr(database, "LOOKED_OVER", 0)
    with closing(sqlite3.connect(played)) as db:
        (match_id,) = db.execute("SELECT id FROM match WHERE game = 'circle-duel'").fetchone()
        db.execute("UPDATE match SET record = replace(record, '4', '5') WHERE id = ?", (match_id,))
        db.commit()
    with Store.open(played.parent) as store:
        assert store.notice is None
        assert any(match_id in fault for fault in store.check())
        assert store.load(match_id).sessions[0].code() == "circle-duel/4.5"
        assert "1 game came back" in str(store.notice)


# What version 1 wrote: 4, 5 and 6 (taken back) with a hint; a match of two rounds, both given up; one deleted.
VERSION_1 = Path(__file__).with_name("version_1.sql")


def test_a_file_of_version_1_is_read_and_kept_beside(home: Path) -> None:
    home.mkdir()
    with closing(sqlite3.connect(home / "history.db")) as db:
        db.executescript(VERSION_1.read_text())
    with Store.open(home) as store:
        assert store.notice is None
        two_rounds, one = store.history()
        assert (one.game, one.moves, one.result) == ("circle-duel", 2, None)
        assert (two_rounds.moves, two_rounds.result) == (2, "lost")
        assert store.find("v1match444").deleted
        session = store.load(one.id).sessions[0]
        assert session.code() == "circle-duel/4.5"
        session.redo()
        assert session.code() == "circle-duel/4.5.6"
        assert store.import_text(store.export(two_rounds.id)) == two_rounds.id
        assert store.check() == ()
    assert (home / "history.v1.db").exists()


@pytest.mark.parametrize("damaged", [False, True])
def test_a_file_of_version_2_learns_who_began(home: Path, played: Path, damaged: bool) -> None:
    with Store.open(home) as store:
        saved = store.begin("circle-duel", (PlayerInfo(name="Ann"), PlayerInfo(name="Computer", level="easy")), first=1)
        _, session = new_game(store)
        session.resign()
        assert saved.sync(session).result()
        assert store.statistics()[0].beaten == {"easy": ((False, True),)}
        before = store.history(), store.statistics()
    (home / "history.backup.db").unlink()
    with closing(sqlite3.connect(played)) as db:
        for seq, *row in db.execute(f"SELECT seq, {matches.COLUMNS} FROM match").fetchall():
            old = row[5][1:]
            check = matches.checksum((*row[1:5], old, *row[6:]))
            db.execute("UPDATE match SET results = ?, sum = ? WHERE seq = ?", (old, check, seq))
        db.execute("PRAGMA user_version = 2")
        if damaged:
            db.execute("CREATE TABLE mine (x)")
        db.commit()
    with Store.open(home) as store:
        assert (store.history(), store.statistics()) == before
        assert bool(store.notice) == damaged
        assert store.check() == ()
