"""Power cuts, simulated.

Matches are played on a recorded disk, the power is cut at random moments, and what is left is opened: no turn that was
acknowledged may be missing, and nothing may be unreadable. SQLite's other ways of keeping a journal can be tried,
too, to show that the simulation finds their losses.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from duelbox.core.session import Session
from duelbox.store import schema
from duelbox.store.autosave import Saved
from duelbox.store.store import Store
from tests.store.disk import Op, broken_disk, power_cuts
from tests.store.play import checksums, play_match

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
