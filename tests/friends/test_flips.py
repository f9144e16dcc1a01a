"""A line that changes bytes: changed entries are read again, and the match goes on unharmed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from duelbox.friends import connection
from duelbox.friends.side import Gap
from duelbox.relay.server import serving
from duelbox.relay.wire import BadFrame, frame, read_frame
from tests.effort import sampled
from tests.friends.rooms import Pair, read
from tests.relay.clients import GENEROUS
from tests.table.elsewhere import pair_up, play_out, two_stores

PIECE = 3_000
"""Bytes between two changed ones, on average."""


class Line:
    """Passes bytes between members and a relay; once it is bad, it flips a bit now and then."""

    def __init__(self, to: int, rng: random.Random) -> None:
        self.to, self.rng = to, rng
        self.bad = False
        self.flips = 0

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := bytearray(await reader.read(4096)):
                if self.bad and self.rng.random() < len(data) / PIECE:
                    data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
                    self.flips += 1
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:  # the relay is away
            return writer.close()
        await asyncio.gather(self.pass_on(reader, back), self.pass_on(there, writer))
        return None


@asynccontextmanager
async def over(line: Line) -> AsyncIterator[str]:
    server = await asyncio.start_server(line.connect, "127.0.0.1", 0)
    async with server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_changed_byte_ends_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_LATEST", 0.2)
    flips = 0
    for seed in range(sampled(3, 20)):
        rng = random.Random(seed)
        async with serving(limits=replace(GENEROUS, puts_a_second=1e6)) as relay:
            line = Line(int(relay.address.rpartition(":")[2]), rng)
            async with over(line) as address:
                with two_stores(tmp_path / str(seed)) as stores:
                    ann, bob = await pair_up(stores, "number-duel:hand=4", 2, relay=address)
                    line.bad = True
                    await play_out(ann, bob, rng)
                    line.bad = False
                    assert (ann.side.stopped, bob.side.stopped) == (None, None)
                    assert ann.side.ledger.record() == bob.side.ledger.record()
                    await asyncio.gather(ann.leave(), bob.leave())
        flips += line.flips
    assert flips > sampled(5, 48)


def test_each_changed_byte_of_a_frame_is_noticed() -> None:
    said = frame("put", n=7, body="c2VhbGVkIHRleHQ=").encode()
    for at in range(len(said)):
        for bit in range(8):
            wrong = bytearray(said)
            wrong[at] ^= 1 << bit
            with pytest.raises(BadFrame):
                read_frame(bytes(wrong))
    assert read_frame(said)["n"] == 7


def test_what_is_wrong_in_the_log_twice_is_a_fault_and_both_are_told_what_is_true() -> None:
    pair = Pair("sequence-duel", 1)
    pair.host.say(1)
    pair.machines[0].put(pair.log)
    said = pair.log.entries[-1]
    wrong = replace(said, body=said.body[:-20] + b"x" + said.body[-19:])
    with pytest.raises(Gap):
        pair.guest.receive(wrong)
    assert pair.guest.stopped is None
    pair.guest.receive(said)  # the second reading is right
    assert pair.guest.stopped is None
    pair.host.say(2)
    pair.machines[0].put(pair.log)
    said = pair.log.entries[-1]
    wrong = pair.log.entries[-1] = replace(said, body=said.body[:-20] + b"x" + said.body[-19:])
    read(pair.guest, [wrong])
    assert pair.guest.stopped == "A message was changed on its way, or is out of its place."
    pair.settle()
    assert pair.host.stopped == "The other side stopped the match: a message was changed on its way, or at the relay."
