"""Strangers without a code in the room of a host."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import time

import pytest

from duelbox.friends import connection, pairing
from duelbox.friends.client import connect, enter_room
from duelbox.relay.server import serving
from duelbox.relay.wire import Presence, RoomRefused
from tests.relay.clients import GENEROUS
from tests.table.elsewhere import Stores, friend_at, host, join, until, watch


async def test_a_stranger_without_the_code_holds_the_place_for_a_moment_and_the_host_is_told(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(path=None, limits=replace(GENEROUS, proof=60)) as relay:
        waiting = await host(stores[0], "sequence-duel", "Ann", relay=relay.address, watch=True)
        told: list[str] = []
        waiting.tell = told.append
        friend = asyncio.create_task(friend_at(waiting))
        stranger = await connect(await enter_room(relay.address, waiting.code.room))
        with pytest.raises(RoomRefused, match="somebody else at its door"):
            await join(stores[1], str(waiting.code), relay.address)
        await stranger.append(1, b"\x01 no greeting")
        monkeypatch.setattr("duelbox.relay.rooms.time", lambda: time() + 60)
        bob = await join(stores[1], str(waiting.code), relay.address)
        ann = await friend
        bob.accept("Bob")
        await until(lambda: ann.ready and bob.ready, ann, bob)
        watcher = await watch(waiting.watch)
        await until(lambda: watcher.ready, watcher)
        await watcher.leave()
        await stranger.close()
        await asyncio.gather(ann.leave(), bob.leave())
    assert [one.partition(". ")[0] for one in told] == [
        "Somebody came to your table with a wrong code, and was turned away"
    ]


async def test_the_host_is_told_of_a_stranger_who_leaves_or_never_comes(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_TICK", 0.1)
    monkeypatch.setattr(pairing, "_UNSEEN", 0.3)
    async with serving(path=None, limits=replace(GENEROUS, proof=0)) as relay:
        waiting = await host(stores[0], "sequence-duel", "Ann", relay=relay.address)
        told: list[str] = []
        waiting.tell = told.append
        friend = asyncio.create_task(friend_at(waiting))
        stranger = await connect(await enter_room(relay.address, waiting.code.room))
        events = stranger.events(0)
        async with asyncio.timeout(60):
            while not isinstance(await anext(events), Presence):  # until the host knows of this stranger
                pass
            await asyncio.sleep(0.2)
            await stranger.close()
            while not told:
                await asyncio.sleep(0.01)
        sentence = "Somebody came to your table without the code, and left. It still waits for your friend."
        assert told == [sentence]
        await enter_room(relay.address, waiting.code.room)  # a ticket alone
        async with asyncio.timeout(60):
            while len(told) < 2:
                await asyncio.sleep(0.01)
        assert told == [sentence] * 2
        friend.cancel()
        await asyncio.gather(friend, return_exceptions=True)
        await waiting.close()
