"""Several relays on NATS: players at different ones, and servers that die."""

from __future__ import annotations

import asyncio
from pathlib import Path

import nats
import pytest

from duelbox.core.errors import DuelboxError
from duelbox.friends.client import enter_room, open_room
from duelbox.relay import jetstream
from duelbox.relay.jetstream import STREAM, JetStreamRoomLog
from duelbox.relay.limits import Limits
from duelbox.relay.room_log import RoomRecord
from duelbox.relay.server import serving
from duelbox.relay.wire import Presence, RoomRefused
from tests.relay.clients import GENEROUS, connected, entries, paired, presences, until
from tests.relay.conftest import serving_nats
from tests.relay.nats_server import NatsServer, free_ports


async def test_a_player_at_one_relay_and_the_rival_at_another(nats_url: str) -> None:
    async with serving_nats(nats_url, GENEROUS) as one, serving_nats(nats_url, GENEROUS) as two:
        tickets = await paired(one.address, two.address)
        async with connected(*tickets) as (host, guest):
            reading = [asyncio.create_task(entries(room, 60)) for room in (host, guest)]
            # Both at once, so that the relays collide.
            for n in range(1, 31):
                await asyncio.gather(host.append(n, b"h%d" % n), guest.append(n, b"g%d" % n))
            read = await asyncio.gather(*reading)
    assert read[0] == read[1]
    assert [entry.seq for entry in read[0]] == list(range(1, 61))
    assert [entry.body for entry in read[0] if entry.who == "guest"] == [b"g%d" % n for n in range(1, 31)]


async def test_who_is_at_another_relay_is_here(nats_url: str) -> None:
    async with serving_nats(nats_url) as one, serving_nats(nats_url) as two:
        tickets = await paired(one.address, two.address)
        async with connected(tickets[0]) as (host,):
            coming = asyncio.create_task(presences(host, 2))
            async with connected(tickets[1]) as (guest,):
                assert await presences(guest, 1) == [Presence("host", True)]
            assert await coming == [Presence("guest", True), Presence("guest", False)]


async def test_a_relay_that_dies_takes_its_members_along(nats_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jetstream, "HEARTBEAT", 0.05)
    monkeypatch.setattr(jetstream, "SILENCE", 0.5)
    log = await JetStreamRoomLog.open(nats_url)
    async with serving_nats(nats_url) as one:
        host = await open_room(one.address)
        async with connected(host) as (room,):
            coming = asyncio.create_task(presences(room, 2))
            await asyncio.sleep(0)
            ghost = jetstream.json.dumps(["a relay", "guest", True, True]).encode()
            await log._client.publish(f"duelbox.here.{host.room}", ghost)
            assert await coming == [Presence("guest", True), Presence("guest", False)]
    await log.close()


async def test_who_connects_at_another_relay_is_there_alone(nats_url: str) -> None:
    log = await JetStreamRoomLog.open(nats_url)
    async with serving(log=log) as one, serving_nats(nats_url) as two:
        host = await open_room(one.address)
        async with connected(host, host.changed(relay=two.address)) as (old, new):
            with pytest.raises(RoomRefused, match="once more"):
                await entries(old, 1)
            assert await new.append(1, b"") == 1
            await until(lambda: not one.connections.total())
            await until(lambda: not (log._followers or log._subscriptions))


async def test_of_two_guests_at_once_one_gets_in(nats_url: str) -> None:
    async with serving_nats(nats_url, GENEROUS) as one, serving_nats(nats_url, GENEROUS) as two:
        for _ in range(10):
            host = await open_room(one.address)
            both = (enter_room(relay.address, host.room) for relay in (one, two))
            results = await asyncio.gather(*both, return_exceptions=True)
            assert sorted(type(one).__name__ for one in results) == ["RoomRefused", "Ticket"]


async def test_the_number_of_a_room_that_was_dropped_can_be_used_at_once(nats_url: str) -> None:
    log = await JetStreamRoomLog.open(nats_url)
    for key in (b"one", b"two"):
        assert await log.append("123456", 0, RoomRecord("host", 0, key, 1.0), None)
        assert [record.body for _, record in await log.read("123456", 0)] == [key]
        await log.forget("123456")
    await log.close()


async def test_a_room_outlives_its_relays(nats_url: str) -> None:
    async with serving_nats(nats_url) as relay:
        tickets = await paired(relay.address)
        async with connected(*tickets) as (host, guest):
            assert [await host.append(1, b"one"), await guest.append(1, b"two")] == [1, 2]
    async with serving_nats(nats_url) as relay, connected(tickets[1].changed(relay=relay.address)) as (guest,):
        assert await guest.append(1, b"two") == 2
        assert await guest.append(2, b"three") == 3
        assert [entry.body for entry in await entries(guest, 3)] == [b"one", b"two", b"three"]


async def test_a_word_that_was_lost_is_missed_soon(nats_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deaf(self: JetStreamRoomLog, message: object) -> None: ...

    monkeypatch.setattr(jetstream, "CHECK_EVERY", 0.2)
    monkeypatch.setattr(JetStreamRoomLog, "_on_told", deaf)
    async with serving_nats(nats_url) as one, serving_nats(nats_url) as two:
        tickets = await paired(one.address, two.address)
        async with connected(*tickets) as (host, guest):
            reading = asyncio.create_task(entries(guest, 2))
            await host.append(1, b"one")
            await host.append(2, b"two")
            assert [entry.body for entry in await reading] == [b"one", b"two"]


async def test_a_room_that_is_over_is_dropped(nats_url: str) -> None:
    async with serving_nats(nats_url) as relay:
        tickets = await paired(relay.address)
    async with serving_nats(nats_url, Limits(life=-1)) as relay:
        for sentence in ("old, so it has closed", "There is no room"):
            with pytest.raises(RoomRefused, match=sentence):
                await enter_room(relay.address, tickets[0].room)


async def test_without_nats_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jetstream, "RETRY_FOR", 0.5)
    (port,) = free_ports(1)
    with pytest.raises(DuelboxError, match="NATS cannot be reached"):
        await JetStreamRoomLog.open(f"nats://127.0.0.1:{port}")
    with pytest.raises(DuelboxError, match="NATS cannot be reached"):
        await JetStreamRoomLog.open("nats://[")


async def test_a_stream_of_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    server = NatsServer(tmp_path, *free_ports(1))
    server.start()
    try:
        client = await nats.connect(server.url)
        await client.jetstream().add_stream(name=STREAM, subjects=["theirs.*"])
        with pytest.raises(DuelboxError, match="stream DUELBOX in NATS is not"):
            await JetStreamRoomLog.open(server.url)
        await client.close()
    finally:
        server.kill()


async def test_a_server_that_is_too_old_is_named(nats_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jetstream, "_OLDEST", (99, 0))
    with pytest.raises(DuelboxError, match=r"version 2\.\d+ there; .* 2\.11 "):
        await JetStreamRoomLog.open(nats_url)
