"""Kills and damage of every kind: nothing acknowledged is lost, and every loss is reported."""

from __future__ import annotations

import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from duelbox.store import index
from duelbox.store.autosave import Saved
from duelbox.store.index import PAGE_SIZE
from duelbox.store.journal import Content, Journal, content_of, lines_in, look
from duelbox.store.records import TOLD
from duelbox.store.store import EVERYTHING, NoSuchGame, Notices, Store
from tests.effort import sampled
from tests.store.play import checksums, is_sentence, new_game, play_match

COPIES = ("as it was left", "one match behind", "none")
"""The index that lies beside a damaged file."""
INDEX = "history.cache.db"


@dataclass
class Written:
    """The files of a home in which a match was being played, and all checksums of every match, oldest first."""

    files: dict[str, bytes]
    behind: bytes
    """The index before the last match that was left."""
    truth: dict[str, list[str | None]]


def written(home: Path, seed: int, matches: int) -> Written:
    """Make a home as a kill in the middle of a match would leave it, each match played in a process of its own."""
    rng = Random(seed)
    truth: dict[str, list[str | None]] = {}
    behind = b""
    for number in range(matches):
        with Store.open(home) as store:

            def told(saved: Saved, *_: object, store: Store = store) -> None:
                truth.setdefault(saved.id, []).append(checksums(store, [saved.id])[saved.id])

            if number < matches - 1:
                behind = (home / INDEX).read_bytes()
                play_match(store, rng, told).close()
                continue
            saved, session = new_game(store)
            for text in ("4", "5", "6"):
                session.type(text)
                saved.sync(session).result()
                told(saved)
            files = {path.name: path.read_bytes() for path in home.iterdir()}
    assert len(files) == 3
    assert files[INDEX] != behind
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
    home: Path, files: dict[str, bytes], truth: dict[str, list[str | None]], harmed: bytes = b"", *, clean: bool = False
) -> tuple[str, int]:
    """Judge a home with a damaged file: a verdict, in capitals for a fault, and the number of matches lost or cut.

    A file that ends at the end of a line is `clean`: nothing in it tells that there was more.
    """
    home.mkdir()
    for name, content in files.items():
        (home / name).write_bytes(content)
    with Store.open(home) as store:
        verdict, missing = _compared(store, truth)
        told = store.notice is not None
    kept = any(path.read_bytes().startswith(harmed) for path in home.iterdir())
    shutil.rmtree(home)
    if missing and clean and not told:
        verdict = "cut between lines"
    elif missing and not told:
        verdict = "SILENTLY MISSING"
    elif missing and not kept:
        verdict = "DAMAGED FILE NOT KEPT"
    return verdict or ("whole" if not told else "saved in part" if missing else "saved whole"), missing


def _compared(store: Store, truth: dict[str, list[str | None]]) -> tuple[str, int]:
    there = {summary.id: summary for summary in store.history(limit=EVERYTHING)}
    found = checksums(store, list(truth))
    if there.keys() - truth.keys():
        return "INVENTED", 0
    if any(found[match_id] not in (None, *versions) for match_id, versions in truth.items()):
        return "WRONG", 0
    if faults := [fault for fault in store.check() if fault != store.notice]:
        return f"LEFT {faults[0].upper()}", 0
    return "", sum(found[match_id] != versions[-1] for match_id, versions in truth.items())


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
            name = (running, INDEX, *["history.jsonl"] * 4)[at // len(COPIES) % 6]
            copy = COPIES[at % len(COPIES)] if name != INDEX else COPIES[0]
            files = dict(home.files)
            if copy == "none":
                del files[INDEX]
            elif copy == "one match behind":
                files[INDEX] = home.behind
            kind, files[name] = damaged(home.files[name], rng)
            clean = kind == "cut" and files[name][-1:] in (b"", b"\n") and (name == running or copy != COPIES[0])
            verdict, missing = judged(Path(folder) / "damaged", files, home.truth, files[name], clean=clean)
            counts[name.partition(".")[0] + name[-3:], kind, verdict] += 1
            lost[copy] += missing
    return counts, lost


pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("script", ["kills", "change_kills"])
def test_kill_9_loses_nothing_that_was_acknowledged(script: str) -> None:
    """Runs in another process, since this one has threads and must not fork."""
    command = [sys.executable, "-m", f"tests.store.{script}", str(sampled(10, 200))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[2]) > 8


def test_damage_is_never_silent() -> None:
    counts, lost = run(sampled(90, 6_000), seed=3, matches=sampled(12, 30))
    assert {verdict for *_, verdict in counts} <= {"whole", "saved whole", "saved in part", "cut between lines"}
    of_index = {verdict for (name, *_, verdict) in counts if name == "history.db"}
    assert of_index <= {"whole", "saved whole"}, "the index is a cache"
    assert lost["none"] > 0


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
    assert [fault for fault in store.check() if fault != store.notice] == []
    return {match_id: check for match_id, check in checksums(store, list(full)).items() if check}


def without(home: Path, checksum: str | None) -> None:
    """Damage the line with this checksum."""
    raw = (home / "history.jsonl").read_bytes()
    (home / "history.jsonl").write_bytes(raw.replace(str(checksum).encode(), b"0" * 16))


@pytest.mark.parametrize("kept_index", [True, False])
def test_a_damaged_line_stays_is_left_out_and_is_told_by_every_command(
    home: Path, full: dict[str, str | None], kept_index: bool
) -> None:
    victim = list(full)[5]
    without(home, full[victim])
    damaged = (home / "history.jsonl").read_bytes()
    if not kept_index:
        (home / INDEX).unlink()
    for start in range(2):
        with Store.open(home) as store:
            assert re.search(r"1 line of \S+ cannot be read, of about 20\d\d-\d\d-\d\d\.", str(store.notice))
            assert ("lacks 1 game" in str(store.notice)) == (kept_index and not start)
            assert sums_now(store, full) == {match_id: full[match_id] for match_id in full if match_id != victim}
            store.import_text(f"circle-duel/{start + 4}")
            full |= checksums(store, [store.history()[0].id])
    assert (home / "history.jsonl").read_bytes().startswith(damaged)


def test_a_damaged_line_is_told_once_while_one_plays(home: Path, full: dict[str, str | None]) -> None:
    """Home and a table in lines say it at one start; more damage is told again."""
    told = []
    for victim in list(full)[4:6]:
        without(home, full[victim])
        (home / INDEX).unlink()
        for _ in range(2):
            with Store.open(home) as store:
                notices = Notices(store)
                told.append(" ".join(notices.take()))
                assert not notices.take()
                assert "cannot be read" in str(store.notice)
    assert ["1 line" in text for text in told] == [True, False, False, False]
    assert ["2 lines" in text for text in told] == [False, False, True, False]


def test_of_damage_that_is_told_only_once_anyway_no_note_is_kept(home: Path, played: str) -> None:
    (home / "match.2345678923.jsonl").write_bytes(b"damaged\n")
    with Store.open(home) as store:
        assert "was damaged" in " ".join(Notices(store).take())
        assert store.progress.newest(TOLD) == {}


def test_damage_that_changes_no_time_is_told_when_the_match_is_opened(home: Path, full: dict[str, str | None]) -> None:
    victim = list(full)[5]
    before = (home / "history.jsonl").stat()
    without(home, full[victim])
    os.utime(home / "history.jsonl", ns=(before.st_atime_ns, before.st_mtime_ns))
    with Store.open(home) as store:
        assert store.notice is None
        with pytest.raises(NoSuchGame):
            store.load(victim)
        assert "1 line" in str(store.notice)
        assert "lacks 1 game" in str(store.notice)


def test_without_an_index_the_history_is_enough(home: Path, full: dict[str, str | None]) -> None:
    (home / INDEX).unlink()
    for _ in range(2):
        with Store.open(home) as store:
            assert store.notice is None
            assert sums_now(store, full) == full


def test_a_damaged_break_between_two_lines_costs_neither(home: Path, full: dict[str, str | None]) -> None:
    raw = (home / "history.jsonl").read_bytes()
    ends = [at for at, byte in enumerate(raw) if byte == 10]
    for end in ends[1:-1:3]:
        (home / "history.jsonl").write_bytes(raw[:end] + b"\x0b" + raw[end + 1 :])
        with Store.open(home) as store:
            assert sums_now(store, full) == full


def test_a_history_of_which_nothing_is_left_is_set_aside(home: Path, full: dict[str, str | None]) -> None:
    size = (home / "history.jsonl").stat().st_size
    (home / "history.jsonl").write_bytes(b"\xff" * size)
    with Store.open(home) as store:
        assert "Nothing in it could be read" in str(store.notice)
        assert "lacks 12 games" in str(store.notice)
        assert store.count() == 0
    (aside,) = home.glob("history.damaged-*")
    assert aside.read_bytes() == b"\xff" * size
    with Store.open(home) as store:
        assert store.notice is None


@pytest.mark.parametrize("size", [16, 100, PAGE_SIZE])
def test_a_damaged_index_is_made_anew_without_a_word(home: Path, full: dict[str, str | None], size: int) -> None:
    raw = (home / INDEX).read_bytes()
    for at in (size * 2, PAGE_SIZE * 3, len(raw) - size):
        (home / INDEX).write_bytes(raw[:at] + b"\xff" * size + raw[at + size :])
        with Store.open(home) as store:
            assert store.notice is None
            assert sums_now(store, full) == full


def test_a_large_index_is_made_anew_when_damage_is_met(
    home: Path, full: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not verified at every start."""
    monkeypatch.setattr(index, "VERIFIED", 0)
    victim = list(full)[5]
    with Store.open(home) as store:  # made anew, as a large one
        before = store.history(limit=EVERYTHING)
    with closing(sqlite3.connect(home / INDEX)) as db, db:
        db.execute("UPDATE match SET summary = replace(summary, '4', '5') WHERE id = ?", (victim,))
    with Store.open(home) as store:
        assert store.history(limit=EVERYTHING) == before
        assert store.notice is None


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
@pytest.mark.parametrize("name", ["history.jsonl", INDEX])
def test_whatever_becomes_of_a_file_the_game_goes_on_and_a_loss_is_told(
    home: Path, full: dict[str, str | None], harm: Callable[[Path], None], name: str, playing: bool
) -> None:
    """The harm comes before the start or in the middle of a game, whose moves are in a journal of their own."""
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
        if not playing:
            saved.close()
            store.count()  # waits for the close
        notices = [store.notice]
    if not playing:
        harm(path)
    with Store.open(home) as store:
        notices.append(store.notice)
        if playing and not path.is_symlink():
            assert store.load(saved.id).sessions[0].code() == "circle-duel/4.5"
        if name == INDEX:
            assert harm is overwritten or notices == [None, None]
            assert sums_now(store, {**full, saved.id: None}).items() >= full.items()
        elif store.count() < 13:
            assert any(map(is_sentence, notices))
    assert not (home / "other.db").exists(), "what a link leads to is not made"


def test_what_is_written_first_after_a_history_was_replaced_is_kept(home: Path, played: str) -> None:
    shutil.copy(home / "history.jsonl", home / "older")
    with Store.open(home) as store:
        store.import_text("circle-duel/4")
        replaced_by_an_older_copy(home / "history.jsonl")
        store.progress.add("lesson", "circle-duel/1", 5)
        assert store.told.trouble is None
        assert "lacks 1 game" in str(store.told.damage)
        assert store.find(played)
    with Store.open(home) as store:
        assert store.progress.newest("lesson") == {"circle-duel/1": 5}


def read_lines(raw: bytes) -> Content:
    return content_of(lines_in(io.BytesIO(raw)))


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_read_as_nothing(seed: int) -> None:
    assert read_lines(Random(seed).randbytes(50_000)).lines == ()


def test_a_line_without_an_end_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "zeros"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    tracemalloc.start()
    try:
        assert look(path).lines == ()
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("seed", range(5))
def test_a_line_counts_if_it_is_whole(tmp_path: Path, seed: int) -> None:
    """Cut at any byte, or with any bit flipped: earlier lines stay, none changes, and every loss is seen."""
    rng, texts = Random(seed), [f'["Zoë 漢 {number}"]' for number in range(6)]
    path = tmp_path / "lines.jsonl"
    with closing(Journal.open(path, new=True)) as journal:
        journal.add(texts)
    raw = path.read_bytes()
    for end in range(len(raw) + 1):
        content = read_lines(raw[:end])
        assert list(content.lines) == texts[: len(content.lines)]
        assert len(content.lines) == raw[:end].count(b"\n") + (raw[end : end + 1] == b"\n")
        assert content.whole is (content.end == end)
        path.write_bytes(raw[:end])
        with closing(Journal.open(path)) as journal:
            journal.read()
            journal.add(["after"])
        assert look(path).lines == (*content.lines, "after")
    for _ in range(200):
        at = rng.randrange(len(raw) - 1)
        content = read_lines(raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :])
        assert set(content.lines) <= set(texts)
        assert not content.whole or content.lines == tuple(texts)
