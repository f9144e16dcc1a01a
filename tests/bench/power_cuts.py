"""Power cuts, simulated: `python -m tests.bench.power_cuts [IMAGES]`.

Matches are played on a recorded disk, the power is cut at random moments, and what is left is opened: no turn that was
acknowledged may be missing, and nothing may be unreadable. SQLite's other ways of keeping a journal are measured beside
ours, to show that the simulation finds their losses.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from duelbox.core.session import Session
from duelbox.store import rows, schema
from duelbox.store.saved import Saved
from duelbox.store.store import Store
from tests.store.disk import Op, broken_disk, power_cuts
from tests.store.play import play_match

OURS = ("PERSIST", "FULL")
MODES = (OURS, ("TRUNCATE", "FULL"), ("DELETE", "EXTRA"), ("DELETE", "FULL"), ("WAL", "FULL"), ("WAL", "NORMAL"))
MATCHES = 12


class Told(NamedTuple):
    """An acknowledgement: this match has at least so many entries, the last with this hash."""

    match_id: str
    steps: int
    last: bytes


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
            steps = saved._log.steps
            acknowledged.append(Told(saved.id, len(steps), rows.chain(saved.id, steps)[-1]))
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


def cut(images: int, seed: int, mode: tuple[str, str] = OURS, matches: int = MATCHES) -> Losses:
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
                _judge(after, acknowledged[:count], losses)
            shutil.rmtree(after)
    return losses


def _judge(home: Path, acknowledged: list[Told], losses: Losses) -> None:
    losses.images += 1
    with Store.open(home) as store:
        faults = store.check()
        damaged = bool(faults or store.notice)
        missing = False if damaged else any(not _kept(store, told) for told in acknowledged[-40:])
    losses.damaged += damaged
    losses.lost += missing


def _kept(store: Store, told: Told) -> bool:
    def query(db: sqlite3.Connection) -> bool:
        steps = rows.read_steps(db, told.match_id)[: told.steps]
        return len(steps) == told.steps and rows.chain(told.match_id, steps)[-1] == told.last

    return store._read(query)


def main() -> None:
    """Print a line for each mode."""
    images = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for mode in MODES:
        losses = cut(images if mode == OURS else images // 4, seed=1, mode=mode)
        ours = " (ours)" if mode == OURS else ""
        print(f"{' + '.join(mode):18} {losses.images:5} images {losses.lost:5} lost {losses.damaged:5} damaged{ours}")


if __name__ == "__main__":
    main()
