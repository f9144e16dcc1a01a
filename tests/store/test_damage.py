"""Power cuts, kills and damage of every kind: nothing acknowledged is lost, and nothing lost unsaid."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.core.session import Session
from duelbox.store import schema
from duelbox.store.autosave import Saved
from duelbox.store.backup import carry_over
from duelbox.store.schema import PAGE_SIZE
from duelbox.store.store import EVERYTHING, Store
from tests.effort import sampled
from tests.store.disk import LIBRARY, Op, broken_disk, power_cuts
from tests.store.play import checksums, is_sentence, new_game, play_match

BACKUPS = ("one change behind", "one match behind", "none")


@dataclass
class Written:
    """A database file with the backups to go with it, and the checksums every match in it had, the last one last."""

    raw: bytes
    backups: dict[str, bytes]
    truth: dict[str, list[str | None]]


def written(home: Path, seed: int, matches: int) -> Written:
    """A database file, and what is in it."""
    rng = Random(seed)
    truth: dict[str, list[str | None]] = {}
    before, backup = b"", home / "history.backup.db"
    with Store.open(home) as store:
        for number in range(matches):
            if number == matches - 1:
                before = backup.read_bytes()
            saved = play_match(
                store,
                rng,
                lambda saved, *_: truth.setdefault(saved.id, []).append(checksums(store, [saved.id])[saved.id]),
            )
            saved.close()
    raw = (home / "history.db").read_bytes()
    return Written(raw, dict(zip(BACKUPS, (backup.read_bytes(), before, b""), strict=True)), truth)


def damaged(raw: bytes, rng: Random) -> tuple[str, bytes]:
    """A file with something wrong, and what."""
    kind = rng.choice(("bit", "bit", "bit", "bits", "cut", "blank", "swap", "noise"))
    content = bytearray(raw)
    at = rng.randrange(len(raw))
    if kind in ("bit", "bits"):
        for _ in range(1 if kind == "bit" else rng.randint(2, 20)):
            content[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del content[at:]
    elif kind == "swap":
        one, two = (rng.randrange(len(raw) // PAGE_SIZE) * PAGE_SIZE for _ in range(2))
        content[one : one + PAGE_SIZE], content[two : two + PAGE_SIZE] = (
            content[two : two + PAGE_SIZE],
            content[one : one + PAGE_SIZE],
        )
    else:
        size = min(rng.choice((16, 512, PAGE_SIZE)), len(raw) - at)
        content[at : at + size] = bytes(size) if kind == "blank" else rng.randbytes(size)
    return kind, bytes(content)


def judged(home: Path, raw: bytes, backup: bytes, truth: dict[str, list[str | None]]) -> tuple[str, int]:
    """What comes of a damaged file, in capitals where that is wrong, and how many matches are lost or cut short."""
    home.mkdir()
    (home / "history.db").write_bytes(raw)
    if backup:
        (home / "history.backup.db").write_bytes(backup)
    try:
        with Store.open(home) as store:
            verdict, missing = _compared(store, truth)
            told = store.notice is not None
    except DuelboxError:
        verdict, missing, told = "", len(truth), True
    kept = any(path.read_bytes() == raw for path in home.glob("history*.db"))
    shutil.rmtree(home)
    if told and not kept:
        verdict = "DAMAGED FILE NOT KEPT"
    elif missing and not told:
        verdict = "SILENTLY MISSING"
    return verdict or ("whole" if not told else "saved in part" if missing else "saved whole"), missing


def _compared(store: Store, truth: dict[str, list[str | None]]) -> tuple[str, int]:
    there = {summary.id: summary for summary in store.history(limit=EVERYTHING)}
    found = checksums(store, list(truth))
    if there.keys() - truth.keys():
        return "INVENTED", 0
    if any(found[match_id] not in (None, *versions) for match_id, versions in truth.items()):
        return "WRONG", 0
    return "", sum(found[match_id] != versions[-1] for match_id, versions in truth.items())


def run(images: int, seed: int, matches: int) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Damage so many copies, count what came of each kind, and how many matches were lost with each backup."""
    rng = Random(seed)
    counts, lost = Counter[tuple[str, str]](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder) / "written", seed, matches)
        for at in range(images):
            kind, content = damaged(file.raw, rng)
            name = BACKUPS[at % len(BACKUPS)]
            verdict, missing = judged(Path(folder) / "damaged", content, file.backups[name], file.truth)
            counts[kind, verdict] += 1
            lost[name] += missing
    return counts, lost


OURS = ("PERSIST", "FULL")
Told = tuple[str, str | None]
"""An acknowledgement: a match was saved with this checksum."""


@dataclass
class Losses:
    """What went wrong with so many images."""

    images: int = 0
    lost: int = 0
    damaged: int = 0


def recorded(home: Path, seed: int, matches: int, mode: tuple[str, str]) -> tuple[list[Op], list[Told]]:
    """Play matches and keep what was done to the disk, and what was acknowledged."""
    acknowledged: list[Told] = []
    rng = Random(seed)
    with _in_mode(mode), broken_disk() as disk, Store.open(home) as store:

        def told(saved: Saved, _: Session, __: int) -> None:
            acknowledged.append((saved.id, checksums(store, [saved.id])[saved.id]))
            disk.ack(len(acknowledged))

        for _ in range(matches):
            play_match(store, rng, told)
    return disk.ops, acknowledged


@contextmanager
def _in_mode(mode: tuple[str, str]) -> Iterator[None]:
    ours = schema.PRAGMAS
    journal, synchronous = mode
    others = (one for one in ours if not one.startswith(("journal_mode", "synchronous")))
    schema.PRAGMAS = (*others, f"journal_mode={journal}", f"synchronous={synchronous}")
    try:
        yield
    finally:
        schema.PRAGMAS = ours


def cut(images: int, seed: int, mode: tuple[str, str] = OURS, matches: int = 12) -> Losses:
    """Cut the power so often, and count the images that lost something."""
    losses = Losses()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        ops, acknowledged = recorded(home, seed, matches, mode)
        for number, (count, files) in enumerate(power_cuts(ops, images, seed)):
            after = Path(folder) / f"after-{number}"
            after.mkdir()
            for path, content in files.items():
                if not path.endswith("-shm"):  # WAL's shared memory does not outlive the machine
                    (after / Path(path).name).write_bytes(content)
            with _in_mode(mode):
                _judge(after, acknowledged, count, losses)
            shutil.rmtree(after)
    return losses


def _judge(home: Path, told: list[Told], count: int, losses: Losses) -> None:
    """A match must be as it was acknowledged last, or as it was saved after that."""
    losses.images += 1
    with Store.open(home) as store:
        damaged = bool(store.notice or store.check())
        there = checksums(store, list(dict(told)))
    last = {match_id: at for at, (match_id, _) in enumerate(told[:count])}
    losses.damaged += damaged
    losses.lost += not damaged and any((match_id, there[match_id]) not in told[at:] for match_id, at in last.items())


pytestmark = pytest.mark.usefixtures("quick")
needs_disk = pytest.mark.skipif(LIBRARY is None, reason="SQLite is built into Python, out of reach")


@needs_disk
def test_a_power_cut_loses_nothing_that_was_acknowledged() -> None:
    images = sampled(60, 2_000)
    losses = cut(images, seed=7, matches=sampled(2, 12))
    assert (losses.images, losses.lost, losses.damaged) == (images, 0, 0)


@needs_disk
@pytest.mark.parametrize("mode", [("DELETE", "FULL"), ("WAL", "NORMAL")])
def test_the_simulation_finds_what_the_defaults_lose(mode: tuple[str, str]) -> None:
    losses = cut(40, seed=7, mode=mode, matches=2)
    assert losses.lost + losses.damaged > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_loses_nothing_that_was_acknowledged() -> None:
    """In a process of its own: this one has threads, and must not fork."""
    command = [sys.executable, "-m", "tests.store.kills", str(sampled(8, 200))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[2]) > 8


def test_damage_is_never_silent() -> None:
    counts, lost = run(sampled(90, 6_000), seed=3, matches=sampled(12, 30))
    assert {verdict for _, verdict in counts} <= {"whole", "saved whole", "saved in part"}
    assert lost["one change behind"] == 0 < lost["one match behind"] < lost["none"]


def test_the_judge_of_damage_sees_what_is_wrong(home: Path, tmp_path: Path) -> None:
    file = written(home, 3, 4)
    one, two = list(file.truth)[:2]
    for name, truth, verdict in (
        ("a", file.truth, "whole"),
        ("b", {**file.truth, one: file.truth[two]}, "WRONG"),
        ("c", {**file.truth, "another": file.truth[one]}, "SILENTLY MISSING"),
        ("d", {one: file.truth[one]}, "INVENTED"),
    ):
        assert judged(tmp_path / name, file.raw, b"", truth)[0] == verdict


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
        assert re.search(r"\b11 games .*read and 1 game .* history\.backup\.db\.", str(store.notice))
        assert sums_now(store, full) == full
    (aside,) = home.glob("history.damaged-*")
    assert aside.read_bytes() == damaged
    assert aside.name in str(store.notice)


def test_without_a_backup_all_others_stay(home: Path, full: dict[str, str | None]) -> None:
    victim, raw = list(full)[5], (home / "history.db").read_bytes()
    (home / "history.backup.db").unlink()
    (home / "history.db").write_bytes(raw.replace(str(full[victim]).encode(), b"0" * 16))
    with Store.open(home) as store:
        assert re.search(r"\b11 games [^.]*read\. .*damaged", str(store.notice))
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
