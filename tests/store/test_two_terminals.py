"""Two terminals in one home, and programs that hold its files: no harm, and nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.store import leases
from duelbox.store.store import Store
from tests.busy_database import Holder
from tests.store.play import assert_playable, is_sentence, new_game


def test_a_database_locked_at_the_start(home: Path, played: str, holder: Holder) -> None:
    holder.hold("EXCLUSIVE")
    store = Store.open(home)
    assert "locked" in str(store.notice)
    assert is_sentence(store.notice)
    assert_playable(store)
    assert store.find(played).result == "won", "it can be read all the same"
    holder.let_go()
    saved, session = new_game(store)
    session.type("4")
    assert saved.sync(session).result(), "the lock has gone"
    assert store.notice is None
    store.close()
    with Store.open(home) as store:
        assert store.check() == ()
        assert store.count() == 4
        assert store.find(played).result == "won"


def test_a_database_locked_in_the_middle_of_a_game(home: Path, played: str, holder: Holder) -> None:
    with Store.open(home) as store:
        saved, session = new_game(store)
        session.type("4")
        assert saved.sync(session).result()
        holder.hold("EXCLUSIVE")
        session.type("5")
        assert not saved.sync(session).result()
        assert "locked" in str(store.notice)
        assert store.history() == ()
        with pytest.raises(DuelboxError, match="locked"):
            store.load(saved.id)
        holder.let_go()
        session.type("6")
        assert saved.sync(session).result()
        assert store.notice is None
        assert store.load(saved.id).sessions[0].code() == session.code()


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
        one.count()  # comes after it
        assert not two.resume(saved.id).saved.notice


def test_turns_that_meet_are_both_kept(home: Path) -> None:
    """A lease ran out, and two terminals went on with one game: the later finds its log has grown without it."""
    with Store.open(home) as one, Store.open(home) as two:
        saved, session = new_game(one)
        session.type("4")
        saved.sync(session).result()
        saved.close()
        first = one.resume(saved.id)
        one._worker.write(lambda db: db.execute("DELETE FROM lease"))
        second = two.resume(saved.id)
        for resumed, text in ((first, "5"), (second, "3")):
            resumed.sessions[0].type(text)
            assert resumed.saved.sync(resumed.sessions[0]).result()
        assert first.saved.notice is None
        assert "another terminal" in str(second.saved.notice)
        assert {one.load(match.id).sessions[0].code() for match in one.history()} == {
            "circle-duel/4.5",
            "circle-duel/4.3",
        }
        assert one.check() == ()


def test_the_lease_of_a_process_that_is_gone_does_not_count(home: Path) -> None:
    with Store.open(home) as store:
        saved, session = new_game(store)
        session.type("4")
        saved.sync(session).result()
        ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
        store._worker.write(
            lambda db: db.execute("UPDATE lease SET instance = 'gone', process = ?", (int(ended.stdout),))
        )
        assert not store.find(saved.id).open_elsewhere
        assert store.resume(saved.id).saved.notice is None


@pytest.mark.parametrize("beat", [f"beat - {leases.LEASE + 1}", "beat + 1000"])
def test_a_lease_from_long_ago_or_before_a_restart_does_not_count(home: Path, beat: str) -> None:
    with Store.open(home) as one, Store.open(home) as two:
        saved, session = new_game(one)
        session.type("4")
        saved.sync(session).result()
        assert two.find(saved.id).open_elsewhere
        one._worker.write(lambda db: db.execute(f"UPDATE lease SET beat = {beat}"))
        assert not two.find(saved.id).open_elsewhere


def test_leases_do_not_pile_up(home: Path) -> None:
    with Store.open(home) as store:
        store._worker.write(lambda db: db.execute("INSERT INTO lease VALUES ('left', 'gone', ?, 1e9)", (os.getpid(),)))
        saved, session = new_game(store)
        session.type("4")
        saved.sync(session).result()
        assert store._worker.read(lambda db: db.execute("SELECT id FROM lease").fetchall()) == [(saved.id,)]
    with Store.open(home) as store:
        assert store._worker.read(lambda db: db.execute("SELECT id FROM lease").fetchall()) == []


def test_a_damaged_file_that_several_open_at_once_is_repaired_once(home: Path, played: str) -> None:
    raw = (home / "history.db").read_bytes()
    (home / "history.db").write_bytes(b"\xff" * 100 + raw[100:])
    script = "from duelbox.store.store import Store; s = Store.open(); print(s.kept, s.count()); s.close()"
    starts = [subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [start.communicate()[0] for start in starts] == ["True 2\n"] * 3
    (aside,) = home.glob("history.damaged-*.db")
    assert aside.read_bytes()[100:] == raw[100:]
    assert not list(home.glob("*.rescued*"))
