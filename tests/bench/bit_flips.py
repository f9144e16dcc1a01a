"""Damage: `python -m tests.bench.bit_flips [IMAGES]` flips bits, cuts, blanks and mixes up pieces of a database.

Whatever is then read must be what was written, or a beginning of it, and anything missing must be announced; and the
damaged file must still be there, byte by byte.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from duelbox.core.errors import DuelboxError
from duelbox.store import rows
from duelbox.store.log import Step
from duelbox.store.schema import PAGE_SIZE
from duelbox.store.store import EVERYTHING, Store
from duelbox.store.summary import Summary
from tests.store.play import play_match

MATCHES = 30
Truth = dict[str, tuple[list[Step], Summary]]


def written(home: Path, seed: int, matches: int = MATCHES) -> tuple[bytes, Truth]:
    """A database file, and what is in it."""
    rng = Random(seed)
    with Store.open(home) as store:
        for _ in range(matches):
            play_match(store, rng, lambda *_: None).close()
        truth = {}
        for summary in store.history(limit=EVERYTHING):
            steps = store._read(lambda db, match_id=summary.id: rows.read_steps(db, match_id))  # type: ignore[misc]
            truth[summary.id] = (steps, summary)
    return (home / "history.db").read_bytes(), truth


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


def judged(home: Path, raw: bytes, truth: Truth) -> str:
    """What comes of a damaged file, in capitals where that is wrong."""
    home.mkdir()
    (home / "history.db").write_bytes(raw)
    try:
        with Store.open(home) as store:
            verdict = _compared(store, truth)
            told = store.notice is not None
    except DuelboxError:
        verdict, told = "missing", True
    kept = any(path.read_bytes() == raw for path in home.glob("history*.db"))
    shutil.rmtree(home)
    if told and not kept:
        return "DAMAGED FILE NOT KEPT"
    if verdict == "missing":
        return "salvaged in part" if told else "SILENTLY MISSING"
    return "salvaged whole" if told and verdict == "whole" else verdict


def _compared(store: Store, truth: Truth) -> str:
    verdict = "whole"
    there = {summary.id: summary for summary in store.history(limit=EVERYTHING)}
    for match_id in there.keys() | truth.keys():
        if match_id not in truth:
            return "INVENTED"
        if match_id not in there:
            verdict = "missing"
            continue
        steps, summary = truth[match_id]
        found = store._read(lambda db, match_id=match_id: rows.read_steps(db, match_id))  # type: ignore[misc]
        if found != steps[: len(found)]:
            return "WRONG MOVES"
        if len(found) < len(steps):
            verdict = "missing"
        elif there[match_id] != summary:
            return "WRONG SUMMARY"
    return verdict


def run(images: int, seed: int, matches: int = MATCHES) -> Counter[tuple[str, str]]:
    """Damage so many copies and count what came of each kind."""
    rng = Random(seed)
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        raw, truth = written(Path(folder) / "written", seed, matches)
        for _ in range(images):
            kind, content = damaged(raw, rng)
            counts[kind, judged(Path(folder) / "damaged", content, truth)] += 1
    return counts


def main() -> int:
    """Print a line for each kind and outcome; 1 if anything was silently wrong."""
    counts = run(int(sys.argv[1]) if len(sys.argv) > 1 else 5000, seed=1)
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind:6} {verdict:22} {count:6}")
    return 1 if any(verdict.isupper() for _, verdict in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
