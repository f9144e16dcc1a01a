"""Simulated power cuts: nothing acknowledged is lost."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from duelbox.core.session import Session
from duelbox.store.autosave import Saved
from duelbox.store.store import Store
from tests.effort import sampled
from tests.store.disk import LIBRARY, Op, broken_disk, power_cuts
from tests.store.play import checksums, play_match

BROKEN_OFF = re.compile(r"^(\S+match\.\w+\.jsonl was damaged\.|1 line of \S+history\.jsonl cannot be read)")
"""The sentence about a line that was being written."""
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
    with broken_disk() as disk:
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
        faults = [store.told.trouble, *store.check()]
        damaged = any(fault for fault in faults if fault and not BROKEN_OFF.search(fault))
        there = checksums(store, list(dict(told)))
    last = {match_id: at for at, (match_id, _) in enumerate(told[:count])}
    losses.damaged += damaged
    losses.lost += any((match_id, there[match_id]) not in told[at:] for match_id, at in last.items())


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
