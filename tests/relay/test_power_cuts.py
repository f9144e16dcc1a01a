"""The relay's file after power cuts at random moments: every acknowledged entry is there, in its place."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from duelbox.relay.room_log import RoomRecord
from duelbox.relay.sqlite import SqliteRoomLog
from tests.effort import tries
from tests.store.disk import LIBRARY, Op, broken_disk, power_cuts

ROOMS, RECORDS = 6, 40


def record(room: str, place: int) -> RoomRecord:
    return RoomRecord("host", place, f"{room} {place} ".encode() * random.Random(f"{room} {place}").randrange(90), 1.0)


async def played(path: Path) -> tuple[list[Op], list[tuple[str, int]]]:
    """The writes to the disk while several rooms filled at once, and the acknowledged entries."""
    acknowledged: list[tuple[str, int]] = []
    with broken_disk() as disk:
        log = SqliteRoomLog(path)

        async def fill(room: str) -> None:
            for place in range(1, RECORDS + 1):
                assert await log.append(room, place - 1, record(room, place), 9.0 if place % 7 == 1 else None) == place
                acknowledged.append((room, place))
                disk.ack(len(acknowledged))

        await asyncio.gather(*(fill(f"room {number}") for number in range(ROOMS)))
        await log.forget("room 0")
        await log.close()
    return disk.ops, acknowledged


@pytest.mark.skipif(LIBRARY is None, reason="this Python's SQLite cannot be reached from outside")
async def test_power_cuts_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    ops, acknowledged = await played(tmp_path / "relay.db")
    for number, (count, files) in enumerate(power_cuts(ops, tries(400), seed=5)):
        folder = tmp_path / f"after-{number}"
        folder.mkdir()
        for name, content in files.items():
            (folder / Path(name).name).write_bytes(content)
        log = SqliteRoomLog(folder / "relay.db")
        for room in sorted({room for room, _ in acknowledged}):
            places = []
            while records := await log.read(room, len(places)):
                for place, found in records:
                    places.append(place)
                    assert found == record(room, place)
            assert places == list(range(1, len(places) + 1))
            last = max((place for other, place in acknowledged[:count] if other == room), default=0)
            assert len(places) >= last or (room == "room 0" and count == len(acknowledged) and not places)
        await log.close()
