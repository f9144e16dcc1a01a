"""Power cuts, kills and damage of every kind: nothing acknowledged is lost, and every loss is reported."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from duelbox.core.session import Session
from duelbox.store import index, records
from duelbox.store.autosave import Saved
from duelbox.store.index import PAGE_SIZE
from duelbox.store.journal import Journal, content_of, look
from duelbox.store.store import EVERYTHING, Store
from tests.effort import sampled
from tests.store.disk import LIBRARY, Op, broken_disk, power_cuts
from tests.store.play import checksums, is_sentence, new_game, play_match

COPIES = ("as it was left", "one change behind", "none")
"""The index that lies beside a damaged file."""


@dataclass
class Written:
    """The files of a home in which a match was being played, and all checksums of every match, oldest first."""

    files: dict[str, bytes]
    behind: bytes
    """The index before the last change."""
    truth: dict[str, list[str | None]]


def written(home: Path, seed: int, matches: int) -> Written:
    """Make a home as a kill in the middle of a match would leave it."""
    rng = Random(seed)
    truth: dict[str, list[str | None]] = {}
    with Store.open(home) as store:

        def told(saved: Saved, *_: object) -> None:
            nonlocal behind, now
            truth.setdefault(saved.id, []).append(checksums(store, [saved.id])[saved.id])
            behind, now = now, index.read_bytes()

        index = home / "history.index.db"
        behind = now = index.read_bytes()
        for _ in range(matches - 1):
            play_match(store, rng, told).close()
        store.count()  # waits for the close
        saved, session = new_game(store)
        for text in ("4", "5", "6"):
            session.type(text)
            saved.sync(session).result()
            told(saved)
        with Store.open(home):  # another terminal seals the index
            pass
        files = {path.name: path.read_bytes() for path in home.iterdir() if not path.name.endswith("-journal")}
    assert len(files) == 4
    return Written(files, behind, truth)


def damaged(raw: bytes, rng: Random) -> tuple[str, bytes]:
    """Damage the bytes of a file at random; returns the kind of damage and the bytes."""
    kind = rng.choice(("bit", "bit", "bit", "bits", "cut", "blank", "swap", "noise"))
    content = bytearray(raw)
    at = rng.randrange(len(raw))
    if kind in ("bit", "bits"):
        for _ in range(1 if kind == "bit" else rng.randint(2, 20)):
            content[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del content[at:]
    elif kind == "swap" and len(raw) > PAGE_SIZE:
        one, two = (rng.randrange(len(raw) // PAGE_SIZE) * PAGE_SIZE for _ in range(2))
        content[one : one + PAGE_SIZE], content[two : two + PAGE_SIZE] = (
            content[two : two + PAGE_SIZE],
            content[one : one + PAGE_SIZE],
        )
    else:
        size = min(rng.choice((16, 512, PAGE_SIZE)), len(raw) - at)
        content[at : at + size] = bytes(size) if kind == "blank" else rng.randbytes(size)
    return kind, bytes(content)


def judged(
    home: Path, files: dict[str, bytes], truth: dict[str, list[str | None]], harmed: bytes = b"", under_way: str = ""
) -> tuple[str, int]:
    """Judge a home with a damaged file: a verdict, in capitals for a fault, and the number of matches lost or cut.

    The last change of the match `under_way` was not acknowledged yet.
    """
    home.mkdir()
    for name, content in files.items():
        (home / name).write_bytes(content)
    with Store.open(home) as store:
        verdict, missing = _compared(store, truth, under_way)
        told = store.notice is not None
    kept = any(path.read_bytes().startswith(harmed) for path in home.iterdir())
    shutil.rmtree(home)
    if missing and not told:
        verdict = "SILENTLY MISSING"
    elif missing and not kept:
        verdict = "DAMAGED FILE NOT KEPT"
    return verdict or ("whole" if not told else "saved in part" if missing else "saved whole"), missing


def _compared(store: Store, truth: dict[str, list[str | None]], under_way: str) -> tuple[str, int]:
    there = {summary.id: summary for summary in store.history(limit=EVERYTHING)}
    found = checksums(store, list(truth))
    if there.keys() - truth.keys():
        return "INVENTED", 0
    if any(found[match_id] not in (None, *versions) for match_id, versions in truth.items()):
        return "WRONG", 0
    if faults := store.check():
        return f"LEFT {faults[0].upper()}", 0
    last = {match_id: versions[-2 if match_id == under_way else -1 :] for match_id, versions in truth.items()}
    return "", sum(found[match_id] not in versions for match_id, versions in last.items())


def run(images: int, seed: int, matches: int) -> tuple[Counter[tuple[str, str, str]], Counter[str]]:
    """Damage this many homes; counts verdicts by file and kind of damage, and lost matches by the copy of the index.

    Every sixth has a damaged index, every sixth a damaged journal of the running match, the others a damaged archive.
    """
    rng = Random(seed)
    counts, lost = Counter[tuple[str, str, str]](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        home = written(Path(folder) / "written", seed, matches)
        (running,) = (name for name in home.files if name.startswith("match."))
        for at in range(images):
            name = (running, "history.index.db", *["history.jsonl"] * 4)[at // len(COPIES) % 6]
            copy = COPIES[at % len(COPIES)] if name != "history.index.db" else COPIES[0]
            files = dict(home.files)
            if copy == "none":
                del files["history.index.db"]
            elif copy == "one change behind":
                files["history.index.db"] = home.behind
            kind, files[name] = damaged(home.files[name], rng)
            under_way = running.split(".")[1] if copy == "one change behind" else ""
            verdict, missing = judged(Path(folder) / "damaged", files, home.truth, files[name], under_way)
            counts[name.partition(".")[0] + name[-3:], kind, verdict] += 1
            lost[copy] += missing
    return counts, lost


Told = tuple[str, str | None]
"""An acknowledgement: the id of a match, and the checksum it was saved with."""


@dataclass
class Losses:
    """The number of images, and of those that lost something or were damaged."""

    images: int = 0
    lost: int = 0
    damaged: int = 0


def recorded(home: Path, seed: int, matches: int, careless: str) -> tuple[list[Op], list[Told]]:
    """Play matches; returns the operations of the disk and the acknowledgements."""
    acknowledged: list[Told] = []
    rng = Random(seed)
    with pytest.MonkeyPatch.context() as patch, broken_disk() as disk:
        patch.setattr(index, "PRAGMAS", tuple(one for one in index.PRAGMAS if one != "synchronous=OFF"))
        store = Store.open(home)

        def told(saved: Saved, _: Session, __: int) -> None:
            acknowledged.append((saved.id, checksums(store, [saved.id])[saved.id]))
            disk.ack(len(acknowledged))

        for _ in range(matches):
            play_match(store, rng, told)
        store.close()
    return [op for op in disk.ops if op.kind != careless], acknowledged


def cut(images: int, seed: int, matches: int = 12, careless: str = "") -> Losses:
    """Cut the power this many times and count losses; operations of the kind `careless` are left out."""
    losses = Losses()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        ops, acknowledged = recorded(home, seed, matches, careless)
        for number, (count, files) in enumerate(power_cuts(ops, images, seed)):
            after = Path(folder) / f"after-{number}"
            after.mkdir()
            for path, content in files.items():
                (after / Path(path).name).write_bytes(content)
            _judge(after, acknowledged, count, losses)
            shutil.rmtree(after)
    return losses


def _judge(home: Path, told: list[Told], count: int, losses: Losses) -> None:
    """Count a loss unless every match is as acknowledged last, or as saved after that."""
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
@pytest.mark.parametrize("careless", ["sync", "folder"])
def test_the_simulation_finds_what_is_lost_without(careless: str) -> None:
    losses = cut(40, seed=7, matches=2, careless=careless)
    assert losses.lost + losses.damaged > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_loses_nothing_that_was_acknowledged() -> None:
    """Runs in another process, since this one has threads and must not fork."""
    command = [sys.executable, "-m", "tests.store.kills", str(sampled(8, 200))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[2]) > 8


def test_damage_is_never_silent() -> None:
    counts, lost = run(sampled(90, 6_000), seed=3, matches=sampled(12, 30))
    assert {verdict for *_, verdict in counts} <= {"whole", "saved whole", "saved in part"}
    assert lost["as it was left"] == 0 < lost["none"]


def test_the_judge_of_damage_sees_what_is_wrong(home: Path, tmp_path: Path) -> None:
    file = written(home, 3, 4)
    one, two = list(file.truth)[:2]
    for name, truth, verdict in (
        ("a", file.truth, "whole"),
        ("b", {**file.truth, one: file.truth[two]}, "WRONG"),
        ("c", {**file.truth, "another": file.truth[one]}, "SILENTLY MISSING"),
        ("d", {one: file.truth[one]}, "INVENTED"),
    ):
        assert judged(tmp_path / name, file.files, truth)[0] == verdict


@pytest.fixture(scope="module")
def twelve(quick: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str | None]]:
    """A home with twelve matches, and their checksums."""
    folder = tmp_path_factory.mktemp("twelve")
    with Store.open(folder) as store:
        ids = [play_match(store, Random(seed), lambda *_: None).id for seed in range(12)]
        return folder, checksums(store, ids)


@pytest.fixture
def full(home: Path, twelve: tuple[Path, dict[str, str | None]]) -> dict[str, str | None]:
    """Copy the home with twelve matches, to be damaged; returns their checksums."""
    shutil.copytree(twelve[0], home)
    return dict(twelve[1])


def sums_now(store: Store, full: dict[str, str | None]) -> dict[str, str | None]:
    assert {one.id for one in store.history(limit=EVERYTHING)} <= full.keys()
    assert store.check() == ()
    return {match_id: check for match_id, check in checksums(store, list(full)).items() if check}


def test_a_damaged_match_is_set_aside_and_comes_back_from_the_index(home: Path, full: dict[str, str | None]) -> None:
    raw = (home / "history.jsonl").read_bytes()
    (home / "history.jsonl").write_bytes(raw.replace(str(full[list(full)[5]]).encode(), b"0" * 16))
    damaged = (home / "history.jsonl").read_bytes()
    with Store.open(home) as store:
        assert re.search(r"\b11 games .*read and 1 game .* history\.index\.db\.", str(store.notice))
        assert sums_now(store, full) == full
    (aside,) = home.glob("history.damaged-*")
    assert aside.read_bytes() == damaged
    assert aside.name in str(store.notice)


def test_without_an_index_all_others_stay(home: Path, full: dict[str, str | None]) -> None:
    victim, raw = list(full)[5], (home / "history.jsonl").read_bytes()
    (home / "history.index.db").unlink()
    (home / "history.jsonl").write_bytes(raw.replace(str(full[victim]).encode(), b"0" * 16))
    with Store.open(home) as store:
        assert re.search(r"\b11 games [^.]*read\. .*damaged", str(store.notice))
        assert sums_now(store, full) == {match_id: full[match_id] for match_id in full if match_id != victim}


def test_without_an_index_a_whole_archive_is_enough(home: Path, full: dict[str, str | None]) -> None:
    (home / "history.index.db").unlink()
    with Store.open(home) as store:
        assert "has been made anew" in str(store.notice)
        assert sums_now(store, full) == full
    with Store.open(home) as store:
        assert store.notice is None


@pytest.mark.parametrize("size", [16, 100, PAGE_SIZE])
@pytest.mark.parametrize("name", ["history.jsonl", "history.index.db"])
def test_a_broken_beginning_costs_nothing(home: Path, full: dict[str, str | None], name: str, size: int) -> None:
    raw = (home / name).read_bytes()
    (home / name).write_bytes(b"\xff" * size + raw[size:])
    with Store.open(home) as store:
        assert is_sentence(store.notice)
        assert sums_now(store, full) == full
    with Store.open(home) as store:
        assert store.notice is None
        assert sums_now(store, full) == full


def test_in_a_large_home_damage_is_mended_when_it_is_met_and_by_a_doctor(
    home: Path, full: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large home is not looked over at every start."""
    monkeypatch.setattr(records, "LOOKED_OVER", 0)
    victim = list(full)[5]
    for mend in (lambda store: store.load(victim), Store.check):
        with closing(sqlite3.connect(home / "history.index.db")) as db, db:
            db.execute("UPDATE match SET record = replace(record, '4', '5') WHERE id = ?", (victim,))
        with Store.open(home) as store:
            assert store.notice is None
            assert mend(store)
            assert "history.index.db was damaged" in str(store.notice)
            assert sums_now(store, full) == full
    raw = (home / "history.jsonl").read_bytes()
    (home / "history.jsonl").write_bytes(raw.replace(str(full[victim]).encode(), b"0" * 16))
    with Store.open(home) as store:
        assert store.notice is None
        (fault,) = store.check()
        assert re.search(r"history\.jsonl was damaged: 11 games .*read and 1 game .* history\.index\.db\.", fault)
        assert store.notice == fault
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
@pytest.mark.parametrize("name", ["history.jsonl", "history.index.db"])
def test_whatever_becomes_of_the_file_saving_goes_on_and_nothing_is_lost(
    home: Path, full: dict[str, str | None], harm: object, name: str, playing: bool
) -> None:
    """The harm comes before the start or in the middle of a game; SQLite's own journal stays."""
    assert callable(harm)
    path = home / name
    shutil.copy(path, home / "older")
    with Store.open(home) as store:
        saved, session = new_game(store)
        session.type("4")
        assert saved.sync(session).result()
        if playing:
            harm(path)
        session.type("5")
        assert saved.sync(session).result()
        assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        saved.close()
        store.count()  # waits for the close
    if not playing:
        harm(path)
    with Store.open(home) as store:
        assert playing or name == "history.index.db" or is_sentence(store.notice)
        assert store.kept
        assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        assert sums_now(store, {**full, saved.id: None}).items() >= full.items()


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_read_as_nothing(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    path = tmp_path / "noise.db"
    index.connect(path, 1).close()
    raw = bytearray(path.read_bytes() + rng.randbytes(20 * PAGE_SIZE))
    for page in range(PAGE_SIZE, len(raw), PAGE_SIZE):
        raw[page : page + 8] = bytes((rng.choice((2, 5, 10, 13)), 0, 0, 0, 9, 0, 0, 0))
    path.write_bytes(raw)
    with closing(index.connect_read_only(path, "immutable=1")) as source:
        assert index.rows(source) == []
    assert content_of(rng.randbytes(50_000)).lines == ()


@pytest.mark.parametrize("seed", range(5))
def test_a_line_counts_if_it_is_whole(tmp_path: Path, seed: int) -> None:
    """Cut at any byte, or with any bit flipped: earlier lines stay, none changes, and every loss is seen."""
    rng, texts = Random(seed), [f'["Zoë 漢 {number}"]' for number in range(6)]
    path = tmp_path / "lines.jsonl"
    with closing(Journal.open(path, new=True)) as journal:
        journal.add(texts)
    raw = path.read_bytes()
    for end in range(len(raw) + 1):
        content = content_of(raw[:end])
        assert list(content.lines) == texts[: len(content.lines)]
        assert len(content.lines) == raw[:end].count(b"\n") + (raw[end : end + 1] == b"\n")
        assert content.damaged == 0
        path.write_bytes(raw[:end])
        with closing(Journal.open(path)) as journal:
            journal.read()
            journal.add(["after"])
        assert look(path).lines == (*content.lines, "after")
    for _ in range(200):
        at = rng.randrange(len(raw) - 1)
        content = content_of(raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :])
        assert set(content.lines) < set(texts)
        assert content.damaged or content.tail
