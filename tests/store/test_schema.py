"""The file: what is in its header, what it refuses, and how it grows up."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from duelbox.core.model import Model
from duelbox.store import database, rows, schema
from duelbox.store.store import EVERYTHING, Store

NEXT = (*schema.MIGRATIONS, ("ALTER TABLE lease ADD COLUMN host TEXT", "CREATE TABLE note (id TEXT, text TEXT)"))
BROKEN = (*schema.MIGRATIONS, ("CREATE TABLE note (id TEXT)", "CREATE TABLE note (id TEXT)"))


@pytest.fixture
def played(home: Path) -> Path:
    with Store.open(home) as store:
        for code in ("circle-duel/4.5", "sequence-duel/1.10.3", "number-duel/3x2", "digit-chain/10"):
            store.import_text(code)
    return home / "history.db"


def migrate(path: Path, migrations: tuple[tuple[str, ...], ...]) -> sqlite3.Connection:
    db = schema.connect(path, 1)
    schema.prepare(db, path, migrations)
    return db


def log_of(db: sqlite3.Connection) -> list[object]:
    return db.execute("SELECT * FROM move ORDER BY id, number").fetchall()


def test_the_file_says_whose_it_is(played: Path) -> None:
    with closing(sqlite3.connect(played)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (0x6475656C,)
        assert db.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
        assert db.execute("PRAGMA page_size").fetchone() == (schema.PAGE_SIZE,)


def test_the_connection_is_one_that_survives_a_power_cut(played: Path) -> None:
    with closing(schema.connect(played, 1)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("persist",)
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE move SET what = 'move 1'",
        "DELETE FROM move",
        "REPLACE INTO move SELECT * FROM move",
        "UPDATE move SET at = 0",
    ],
)
def test_moves_are_only_ever_added(played: Path, statement: str) -> None:
    with closing(schema.connect(played, 1)) as db:
        before = log_of(db)
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            db.execute(statement)
        assert log_of(db) == before


def test_a_migration_keeps_everything_and_leaves_a_backup(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(schema.connect(played, 1)) as db:
        before = log_of(db)
    with closing(migrate(played, NEXT)) as db:
        assert log_of(db) == before
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        assert db.execute("SELECT count(*) FROM note").fetchone() == (0,)
    with closing(sqlite3.connect(played.with_name("history.v1.db"))) as backup:
        assert log_of(backup) == before
        assert backup.execute("PRAGMA user_version").fetchone() == (1,)
    monkeypatch.setattr(schema, "VERSION", 2)
    with closing(migrate(played, NEXT)) as db:
        assert log_of(db) == before


def test_a_migration_that_fails_changes_nothing(played: Path) -> None:
    with closing(schema.connect(played, 1)) as db:
        before = log_of(db), list(db.iterdump())
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(played, BROKEN)
    with closing(schema.connect(played, 1)) as db:
        assert (log_of(db), list(db.iterdump())) == before
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_migrated_file_is_newer_for_the_old_duelbox(played: Path) -> None:
    migrate(played, NEXT).close()
    with pytest.raises(schema.Newer):
        schema.connect(played, 1)


def test_a_migration_is_done_once_when_two_start_at_the_same_time(home: Path) -> None:
    script = "from duelbox.store.store import Store; s = Store.open(); print(s.notice, s.kept); s.close()"
    command = [sys.executable, "-c", script]
    starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [start.communicate()[0] for start in starts] == ["None True\n"] * 4
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


def test_a_schema_without_its_triggers_is_damage(played: Path) -> None:
    with closing(sqlite3.connect(played)) as db:
        db.execute("DROP TRIGGER move_is_never_deleted")
    with Store.open(played.parent) as store:
        assert "4 rescued whole" in str(store.notice)
    with closing(sqlite3.connect(played)) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'").fetchone() == (2,)


def test_a_summary_that_was_tampered_with_is_built_anew(played: Path) -> None:
    with Store.open(played.parent) as store:
        before = store.history(limit=EVERYTHING)
    with closing(sqlite3.connect(played)) as db:
        db.execute("UPDATE summary SET result = 'won', moves = 99")
        db.commit()
    with Store.open(played.parent) as store:
        assert "4 rescued whole" in str(store.notice)
        assert store.history(limit=EVERYTHING) == before


def test_a_move_that_was_put_in_is_found(played: Path) -> None:
    with closing(sqlite3.connect(played)) as db:
        (match_id, steps) = db.execute("SELECT id, steps FROM summary").fetchone()
        db.execute("INSERT INTO move VALUES (?, ?, 0, 'resign 0', 0, x'00')", (match_id, steps))
        db.commit()
    with Store.open(played.parent) as store:
        assert [match_id in fault for fault in store._read(rows.faults)] == [True]
        store.load(match_id)
        assert "1 cut short" in str(store.notice)
        assert store.check() == ()


def test_a_log_that_ends_otherwise_than_its_summary_says_is_found(played: Path) -> None:
    with Store.open(played.parent) as store:
        match_id = store.history()[0].id

        def tamper(db: sqlite3.Connection) -> None:
            summary = rows.read_summary(db, match_id, store.instance)
            assert summary is not None
            rows.put_summary(db, rows.columns(summary, rows.tail(db, match_id)[0], bytes(16)))

        store._write(tamper)
        assert any(match_id in fault for fault in store.check())


def test_a_file_that_was_repaired_meanwhile_is_not_repaired_again(played: Path) -> None:
    with Store.open(played.parent) as store:
        store._database._repair((0, 0))
        assert not list(played.parent.glob("history.damaged-*"))
        store._database._repair(store._database._identity())
        assert len(list(played.parent.glob("history.damaged-*"))) == 1
        assert store.count() == 4


def test_damage_is_reported_by_the_check_and_repaired_when_it_is_met(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOOKED_OVER", 0)
    with closing(sqlite3.connect(played)) as db:
        (match_id,) = db.execute("SELECT id FROM summary").fetchone()
        db.execute("UPDATE summary SET moves = 99 WHERE id = ?", (match_id,))
        db.commit()
    with Store.open(played.parent) as store:
        assert store.notice is None
        assert any(match_id in fault for fault in store.check())
        assert store.find(match_id).moves < 99
        assert "4 rescued whole" in str(store.notice)


def test_all_models_of_a_summary_are_in_its_row() -> None:
    """A field that is added to the models must be added to the row, or it would be lost silently."""
    from duelbox.core.record import Who
    from duelbox.store.log import moment
    from duelbox.store.summary import Finished, Summary

    def filled(model: type[Model], **values: object) -> Model:
        assert set(values) == set(model.model_fields), model
        return model(**values)

    players = filled(Who, name="Ann", level=None), filled(Who, name="Bot", level="easy")
    finished = (
        filled(Finished, winner=None, ended=moment(5), assisted=True),
        filled(Finished, winner=1, ended=moment(6), assisted=False),
    )
    told = filled(
        Summary,
        id="abc",
        game="circle-duel",
        players=players,
        rounds=3,
        first=1,
        started=moment(1),
        last_played=moment(7),
        moves=9,
        finished=finished,
        deleted=True,
        open_elsewhere=False,
    )
    assert isinstance(told, Summary)
    assert rows.summary_of(rows.columns(told, 4, b"hash")) == told
