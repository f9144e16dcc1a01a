"""Power cuts, kills and damage: small runs of the benchmarks, and cases of their own."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from duelbox.store import schema
from duelbox.store.backup import carry_over
from duelbox.store.store import EVERYTHING, Store
from tests.effort import sampled
from tests.store import bit_flips, power_cuts
from tests.store.disk import LIBRARY
from tests.store.play import checksums, is_sentence, new_game, play_match

pytestmark = pytest.mark.usefixtures("quick")
needs_disk = pytest.mark.skipif(LIBRARY is None, reason="SQLite is built into Python, out of reach")


@needs_disk
def test_a_power_cut_loses_nothing_that_was_acknowledged() -> None:
    images = sampled(60, 2_000)
    losses = power_cuts.cut(images, seed=7, matches=sampled(2, 12))
    assert (losses.images, losses.lost, losses.damaged) == (images, 0, 0)


@needs_disk
@pytest.mark.parametrize("mode", [("DELETE", "FULL"), ("WAL", "NORMAL")])
def test_the_simulation_finds_what_the_defaults_lose(mode: tuple[str, str]) -> None:
    losses = power_cuts.cut(40, seed=7, mode=mode, matches=2)
    assert losses.lost + losses.damaged > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_loses_nothing_that_was_acknowledged() -> None:
    """In a process of its own: this one has threads, and must not fork."""
    command = [sys.executable, "-m", "tests.store.kills", str(sampled(8, 200))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[2]) > 8


def test_damage_is_never_silent() -> None:
    counts, lost = bit_flips.run(sampled(90, 6_000), seed=3, matches=sampled(12, 30))
    assert {verdict for _, verdict in counts} <= {"whole", "saved whole", "saved in part"}
    assert lost["one change behind"] == 0 < lost["one match behind"] < lost["none"]


def test_the_judge_of_damage_sees_what_is_wrong(home: Path, tmp_path: Path) -> None:
    file = bit_flips.written(home, 3, 4)
    one, two = list(file.truth)[:2]
    for name, truth, verdict in (
        ("a", file.truth, "whole"),
        ("b", {**file.truth, one: file.truth[two]}, "WRONG"),
        ("c", {**file.truth, "another": file.truth[one]}, "SILENTLY MISSING"),
        ("d", {one: file.truth[one]}, "INVENTED"),
    ):
        assert bit_flips.judged(tmp_path / name, file.raw, b"", truth)[0] == verdict


@pytest.fixture(scope="module")
def twelve(quick: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str | None]]:
    """A home with twelve matches, and their checksums."""
    folder = tmp_path_factory.mktemp("twelve")
    with Store.open(folder) as store:
        ids = [play_match(store, Random(seed), lambda *_: None).id for seed in range(12)]
        return folder, checksums(store, ids)


@pytest.fixture
def full(home: Path, twelve: tuple[Path, dict[str, str | None]]) -> dict[str, str | None]:
    """The same, to be damaged."""
    shutil.copytree(twelve[0], home)
    return dict(twelve[1])


def sums_now(store: Store, full: dict[str, str | None]) -> dict[str, str | None]:
    assert {one.id for one in store.history(limit=EVERYTHING)} <= full.keys()
    assert store.check() == ()
    return {match_id: check for match_id, check in checksums(store, list(full)).items() if check}


def test_a_damaged_match_is_set_aside_and_comes_back_from_the_backup(home: Path, full: dict[str, str | None]) -> None:
    victim = list(full)[5]
    raw = (home / "history.db").read_bytes()
    (home / "history.db").write_bytes(raw.replace(str(full[victim]).encode(), b"0" * 16))
    damaged = (home / "history.db").read_bytes()
    with Store.open(home) as store:
        assert "11 games could still be read and 1 game came back from history.backup.db." in str(store.notice)
        assert sums_now(store, full) == full
    (aside,) = home.glob("history.damaged-*")
    assert aside.read_bytes() == damaged
    assert aside.name in str(store.notice)


def test_without_a_backup_all_others_stay(home: Path, full: dict[str, str | None]) -> None:
    victim, raw = list(full)[5], (home / "history.db").read_bytes()
    (home / "history.backup.db").unlink()
    (home / "history.db").write_bytes(raw.replace(str(full[victim]).encode(), b"0" * 16))
    with Store.open(home) as store:
        assert "11 games could still be read. The damaged" in str(store.notice)
        assert sums_now(store, full) == {match_id: full[match_id] for match_id in full if match_id != victim}


def test_matches_beside_a_damaged_page_can_be_read(home: Path, full: dict[str, str | None]) -> None:
    """Where the way through a table ends at a page, what lies behind it is found by its place."""
    raw = bytearray((home / "history.db").read_bytes())
    (home / "history.backup.db").unlink()
    pages = range(0, len(raw), schema.PAGE_SIZE)
    leaves = [at for at in pages if raw[at] == 13 and b'"duelbox"' in raw[at : at + schema.PAGE_SIZE]]
    assert len(leaves) > 3
    raw[leaves[1] : leaves[1] + 100] = bytes(100)
    (home / "history.db").write_bytes(raw)
    with Store.open(home) as store:
        there = sums_now(store, full)
    assert len(full) - 6 < len(there) < len(full)
    assert all(full[match_id] == check for match_id, check in there.items())


@pytest.mark.parametrize("size", [16, 100, schema.PAGE_SIZE])
def test_a_broken_header_and_schema_cost_nothing(home: Path, full: dict[str, str | None], size: int) -> None:
    raw = (home / "history.db").read_bytes()
    (home / "history.db").write_bytes(b"\xff" * size + raw[size:])
    with Store.open(home) as store:
        assert "12 games came back" in str(store.notice)
        assert sums_now(store, full) == full


def gone(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def replaced_by_a_link(path: Path) -> None:
    path.rename(path.with_name("old"))
    path.symlink_to(path.with_name("other.db"))


def replaced_by_an_older_copy(path: Path) -> None:
    shutil.copy(path.with_name("older"), path.with_name("copy"))
    path.with_name("copy").replace(path)


def overwritten(path: Path) -> None:
    path.write_bytes(b"\xff" * path.stat().st_size)


@pytest.mark.parametrize("harm", [gone, emptied, replaced_by_a_link, replaced_by_an_older_copy, overwritten])
@pytest.mark.parametrize("playing", [True, False])
def test_whatever_becomes_of_the_file_saving_goes_on_and_nothing_is_lost(
    home: Path, full: dict[str, str | None], harm: object, playing: bool
) -> None:
    """Before the start or in the middle of a game; the journal stays where it is."""
    assert callable(harm)
    path = home / "history.db"
    shutil.copy(path, home / "older")
    with Store.open(home) as store:
        saved, session = new_game(store)
        session.type("4")
        assert saved.sync(session).result()
        if playing:
            store.count()  # comes after the backup
            harm(path)
        session.type("5")
        assert saved.sync(session).result()
        assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        assert is_sentence(store.repaired) is playing
    if not playing:
        harm(path)
    with Store.open(home) as store:
        assert is_sentence(store.notice) is not playing
        assert store.kept
        assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        assert sums_now(store, {**full, saved.id: None}).items() >= full.items()


def test_a_damaged_backup_is_written_anew(home: Path, full: dict[str, str | None]) -> None:
    (home / "history.backup.db").write_bytes(b"\xff" * 5000)
    with Store.open(home) as store:
        assert store.notice is None
        new_game(store)
        store.delete(next(iter(full)))
    with closing(sqlite3.connect(home / "history.backup.db")) as backup:
        assert backup.execute("SELECT count(*), sum(NOT listed) FROM match").fetchone() == (12, 1)


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_read_as_nothing(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    path, db = tmp_path / "noise.db", schema.memory()
    with closing(schema.connect(path, 1)) as source:
        schema.prepare(source, None)
    raw = bytearray(path.read_bytes() + rng.randbytes(20 * schema.PAGE_SIZE))
    for page in range(schema.PAGE_SIZE, len(raw), schema.PAGE_SIZE):
        raw[page : page + 8] = bytes((rng.choice((2, 5, 10, 13)), 0, 0, 0, 9, 0, 0, 0))
    path.write_bytes(raw)
    with closing(schema.connect_read_only(path, "immutable=1")) as source:
        assert carry_over(source, db) == 0
    db.close()
