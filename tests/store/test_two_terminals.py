"""Two terminals in one home, and programs that lock its files: nothing is lost."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.store import records
from duelbox.store.journal import Journal
from duelbox.store.running import Running
from duelbox.store.store import Store
from tests.store.play import assert_playable, is_sentence, new_game

ROOT = Path(__file__).parents[2]


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "BUSY_SECONDS", 0.05)


def test_an_index_that_another_program_locks_is_read_all_the_same(home: Path, played: str) -> None:
    with closing(sqlite3.connect(home / "history.cache.db", isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        with Store.open(home) as store:
            assert_playable(store)
            assert store.kept
            assert store.notice is None
            assert store.find(played).result == "won"
    with Store.open(home) as store:
        assert store.check() == ()
        assert store.count() == 3


@pytest.mark.usefixtures("_impatient")
def test_a_history_that_is_held_is_written_later(home: Path, played: str) -> None:
    with Store.open(home) as store:
        with closing(Journal.open(home / "history.jsonl")):
            with pytest.raises(DuelboxError, match="locked"):
                store.delete(played)
            assert is_sentence(store.notice)
            assert store.find(played).result == "won"
        store.delete(played)
        assert store.notice is None
        with closing(Journal.open(home / "history.jsonl")), Store.open(home) as other:
            assert other.notice is None, "it can be read all the same"
            assert other.find(played).deleted


def test_two_terminals_with_games_of_their_own(home: Path) -> None:
    with Store.open(home) as one, Store.open(home) as two:
        games = [new_game(store) for store in (one, two)]
        futures = []
        for text in ("4", "5", "6", "7", "8"):
            for saved, session in games:
                session.type(text)
                futures.append(saved.sync(session))
        assert all(future.result() for future in futures)
        assert one.history() == tuple(x.changed(open_elsewhere=not x.open_elsewhere) for x in two.history())
        assert one.check() == ()
        assert (one.notice, two.notice) == (None, None)


def test_a_game_played_in_another_terminal_is_not_deleted(home: Path) -> None:
    with Store.open(home) as one, Store.open(home) as two:
        saved, session = new_game(one)
        session.type("4")
        saved.sync(session).result()
        with pytest.raises(DuelboxError, match="open in another terminal"):
            two.delete(saved.id)
        assert not two.find(saved.id).deleted
        saved.close()
        one.count()  # comes after it
        two.delete(saved.id)
        assert two.find(saved.id).deleted


def test_one_game_in_two_terminals_is_carried_on_as_a_copy(home: Path) -> None:
    with Store.open(home) as one, Store.open(home) as two:
        saved, session = new_game(one)
        session.type("4")
        saved.sync(session).result()
        assert not one.find(saved.id).open_elsewhere
        assert two.find(saved.id).open_elsewhere
        looked = two.resume(saved.id)
        assert "another terminal" in str(looked.saved.notice)
        assert two.count() == 1, "looking makes no copy"
        looked.sessions[0].type("3")
        assert looked.saved.sync(looked.sessions[0]).result()
        assert looked.saved.id != saved.id
        session.type("5")
        assert saved.sync(session).result()
        assert saved.notice is None
        assert two.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        assert two.load(looked.saved.id).sessions[0].code() == "circle-duel/4.3"
        assert one.check() == ()
        saved.close()
        one.count()  # waits for the close
        assert not two.resume(saved.id).saved.notice


def test_turns_that_meet_are_both_kept(home: Path) -> None:
    """Its journal was deleted, and two terminals went on with one game: the later one goes on as a copy."""
    with Store.open(home) as one, Store.open(home) as two:
        saved, session = new_game(one)
        session.type("4")
        saved.sync(session).result()
        saved.close()
        first = one.resume(saved.id)
        (home / f"match.{saved.id}.jsonl").unlink()
        second = two.resume(saved.id)
        for resumed, text in ((first, "5"), (second, "3")):
            resumed.sessions[0].type(text)
            assert resumed.saved.sync(resumed.sessions[0]).result()
        assert "another terminal" in str(first.saved.notice)
        assert second.saved.notice is None
        assert {one.load(match.id).sessions[0].code() for match in one.history()} == {
            "circle-duel/4.5",
            "circle-duel/4.3",
        }
        assert one.check() == ()


def killed(home: Path) -> str:
    """Play two turns in another process and kill it; returns the id of the match."""
    script = (
        "import os; from duelbox.store.store import Store; from tests.store.play import new_game\n"
        "saved, session = new_game(Store.open())\n"
        "for text in '45': session.type(text); saved.sync(session).result()\n"
        "print(saved.id, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    return done.stdout.strip()


def test_what_a_killed_process_played_is_taken_up(home: Path) -> None:
    with Store.open(home) as store:
        match_id = killed(home)
        assert (home / f"match.{match_id}.jsonl").exists()
        assert not store.find(match_id).open_elsewhere
        resumed = store.resume(match_id)
        assert resumed.saved.notice is None
        assert resumed.sessions[0].code() == "circle-duel/4.5"
    other = killed(home)
    with Store.open(home) as store:
        assert store.notice is None
        assert store.load(other).sessions[0].code() == "circle-duel/4.5"
    assert not list(home.glob("match.*"))


def test_a_match_that_is_left_elsewhere_during_a_start_is_no_damage(
    home: Path, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its journal is in the folder when it is listed, and gone when it is opened."""
    gone = {"2345678923": home / "match.2345678923.jsonl"}
    monkeypatch.setattr(Running, "not_held", lambda _: gone)
    with Store.open(home) as store:
        assert store.notice is None
        assert store.find(played)


def test_a_long_journal_is_begun_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "LONGEST", 1500)
    sizes, moves = [], "45678"
    with Store.open(home) as store:
        saved, session = new_game(store)
        for at, text in enumerate(moves, 1):
            session.type(text)
            assert saved.sync(session).result()
            sizes.append((home / f"match.{saved.id}.jsonl").stat().st_size)
            copy = home.with_name(f"killed-{at}")
            shutil.copytree(home, copy)
            with Store.open(copy) as other:
                assert other.notice is None
                assert other.load(saved.id).sessions[0].code() == session.code()
                assert other.check() == ()
    assert max(sizes) < 1500 + sizes[0]
    assert 0 in sizes


def test_a_match_that_is_put_away_leaves_no_journal(home: Path) -> None:
    with Store.open(home) as store:
        saved, session = new_game(store)
        session.type("4")
        saved.sync(session).result()
        (journal,) = home.glob("match.*")
        before = (home / "history.jsonl").read_bytes()
        saved.close()
        store.count()  # waits for the close
        assert not journal.exists()
        assert (home / "history.jsonl").read_bytes().startswith(before)
        store.resume(saved.id).saved.close()
        store.count()
    assert (home / "history.jsonl").read_bytes().count(saved.id.encode()) == 2, "looking adds no line"


def test_a_damaged_file_that_several_open_at_once_is_set_aside_once(home: Path, played: str) -> None:
    raw = b"\xff" * 5000
    (home / "history.jsonl").write_bytes(raw)
    script = "from duelbox.store.store import Store; s = Store.open(); print(s.kept, s.count()); s.close()"
    starts = [subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [start.communicate()[0] for start in starts] == ["True 0\n"] * 3
    (aside,) = home.glob("history.damaged-*.jsonl")
    assert aside.read_bytes() == raw
