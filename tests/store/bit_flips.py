"""Damage: flips bits, cuts, blanks and mixes up pieces of a database.

Whatever is then read must be what was written, last or before, and anything missing must be announced; and the damaged
file must still be there, byte by byte. It is tried with the backup that is there as a rule, one change behind; with one
that a whole match is missing in; and with none.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from duelbox.core.errors import DuelboxError
from duelbox.store.schema import PAGE_SIZE
from duelbox.store.store import EVERYTHING, Store
from tests.store.play import checksums, play_match

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
