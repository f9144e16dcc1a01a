"""Power cuts, kills and damage: small runs of the benchmarks, and cases of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from duelbox.core.record import Who
from duelbox.store import rows, schema
from duelbox.store.log import Header, Log, Step
from duelbox.store.salvage import Salvaged, salvage
from duelbox.store.store import EVERYTHING, Store
from tests.bench import bit_flips, power_cuts
from tests.store.disk import LIBRARY

pytestmark = pytest.mark.usefixtures("quick")
needs_disk = pytest.mark.skipif(LIBRARY is None, reason="SQLite is built into Python, out of reach")


@needs_disk
def test_a_power_cut_loses_nothing_that_was_acknowledged() -> None:
    losses = power_cuts.cut(80, seed=7, matches=2)
    assert (losses.images, losses.lost, losses.damaged) == (80, 0, 0)


@needs_disk
@pytest.mark.parametrize("mode", [("DELETE", "FULL"), ("WAL", "NORMAL")])
def test_the_simulation_finds_what_the_defaults_lose(mode: tuple[str, str]) -> None:
    assert power_cuts.cut(80, seed=7, mode=mode, matches=2).lost > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_loses_nothing_that_was_acknowledged() -> None:
    """In a process of its own: this one has threads, and must not fork."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.kills", "20"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("20 kills")
    assert int(done.stdout.split()[2]) > 20


def test_damage_is_never_silent() -> None:
    counts = bit_flips.run(120, seed=3, matches=12)
    assert sum(counts.values()) == 120
    assert {verdict for _, verdict in counts} <= {"whole", "salvaged whole", "salvaged in part"}
    assert any(verdict == "salvaged in part" for _, verdict in counts)


def test_the_judge_of_damage_sees_what_is_wrong(home: Path, tmp_path: Path) -> None:
    raw, truth = bit_flips.written(home, 3, 4)
    one, two = list(truth)[:2]
    assert bit_flips.judged(tmp_path / "a", raw, truth) == "whole"
    swapped = {**truth, one: (truth[two][0], truth[one][1])}
    assert bit_flips.judged(tmp_path / "b", raw, swapped) == "WRONG MOVES"
    assert bit_flips.judged(tmp_path / "c", raw, {**truth, "another": truth[one]}) == "SILENTLY MISSING"
    assert bit_flips.judged(tmp_path / "d", raw, {one: truth[one]}) == "INVENTED"


def salvaged(raw: bytes) -> Salvaged:
    db = schema.memory()
    try:
        return salvage(raw, db)
    finally:
        db.close()


def test_a_match_is_salvaged_up_to_the_damage_and_the_others_whole(home: Path) -> None:
    raw, truth = bit_flips.written(home, 4, 12)
    victim = max(truth, key=lambda match_id: len(truth[match_id][0]))
    steps, _ = truth.pop(victim)
    hashes = rows.chain(victim, steps)
    (home / "history.db").write_bytes(raw.replace(hashes[5], bytes(16), 1))
    with Store.open(home) as store:
        assert store.notice is None, "nothing but the hashes can tell"
        opened = store.load(victim)
        assert opened.error is None
        assert rows.chain(victim, store._read(lambda db: rows.read_steps(db, victim))) == hashes[:5]
        assert f"{len(truth)} rescued whole, 1 cut short" in str(store.notice)
        assert store.check() == ()
        there = {one.id: one for one in store.history(limit=EVERYTHING) if one.id != victim}
        assert there == {match_id: summary for match_id, (_, summary) in truth.items()}
    (aside,) = home.glob("history.damaged-*")
    assert aside.name in str(store.notice)


@pytest.mark.parametrize("size", [0, 16, 100, schema.PAGE_SIZE])
def test_a_broken_header_and_schema_cost_nothing(home: Path, size: int) -> None:
    raw, truth = bit_flips.written(home, 5, 12)
    (home / "history.db").write_bytes(b"\xff" * size + raw[size:])
    with Store.open(home) as store:
        assert {one.id: one for one in store.history(limit=EVERYTHING)} == {
            match_id: summary for match_id, (_, summary) in truth.items()
        }
        assert (store.notice is None) == (size == 0)


@pytest.mark.parametrize("length", [900, 950, 980, 1000, 1100, 5000, 20_000])
def test_rows_that_do_not_fit_a_page_are_salvaged_too(home: Path, length: int) -> None:
    home.mkdir()
    log = Log(Header(game="circle-duel", players=(Who(name="Ann"), Who(name="Ben")), rounds=1, first=0), 0)
    log.steps += [Step(0, "x" * length, 1), Step(0, "undo", 2)]
    db = schema.connect(home / "history.db", 1)
    schema.prepare(db, home / "history.db")
    with schema.transaction(db):
        rows.append(db, log.summary("one"), log.steps, rows.chain("one", log.steps), 0)
    db.close()
    raw = (home / "history.db").read_bytes()
    assert salvaged(raw) == Salvaged(1, 0, 0)
    assert salvaged(raw.replace(b"x" * 100, b"x" * 99 + b"y", 1)) == Salvaged(0, 1, 0)


def test_matches_of_every_length_are_salvaged(home: Path) -> None:
    """Rows in inner pages of the tree, too."""
    raw, truth = bit_flips.written(home, 6, 60)
    assert salvaged(raw) == Salvaged(len(truth), 0, 0)
    assert salvaged(raw[::-1]) == Salvaged(0, 0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_read_as_nothing(seed: int) -> None:
    rng = Random(seed)
    noise = bytearray(rng.randbytes(50 * schema.PAGE_SIZE))
    for page in range(0, len(noise), schema.PAGE_SIZE):
        noise[page] = rng.choice((2, 10))
    assert salvaged(bytes(noise)).whole == 0
