"""Players who leave for good: their rooms close and no longer count, and no stranger can close one."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest

from duelbox.friends.client import connect, enter_room, open_room
from duelbox.relay.server import Relay
from duelbox.relay.wire import RoomGone, RoomRefused, Ticket
from tests.relay.clients import GENEROUS, connected, entries, paired, soon, until, watching
from tests.relay.conftest import Serving, serving_nats
from tests.table.elsewhere import pair_up, play_out, two_stores

FEW = replace(GENEROUS, rooms_an_address=3)


async def proven(relay: Relay) -> tuple[Ticket, Ticket]:
    """The tickets of two players whose host has confirmed that the guest knows the code."""
    tickets = await paired(relay.address)
    async with connected(tickets[0]) as (host,):
        await host.append(1, b"greeting")
        await host.append(2, b"the code is proven")
    return tickets


async def leave(relay: Relay, *tickets: Ticket) -> None:
    """Leave for good; returns when the relay knows it."""
    for ticket in tickets:
        async with connected(ticket) as (room,):
            await room.leave()
            left = relay._rooms.live[ticket.room].left
            await until(lambda: ticket.who in left)  # noqa: B023


async def test_matches_that_both_left_count_no_more_and_their_rooms_are_gone(any_relay: Serving) -> None:
    async with any_relay(limits=FEW) as relay:
        for _ in range(7):
            tickets = await proven(relay)
            await leave(relay, *tickets)
        for sentence in (r"Both players of room \d+ have left", "There is no room"):
            with pytest.raises(RoomGone, match=sentence):
                await connect(tickets[0])


async def test_whoever_stays_reads_the_last_entries_also_after_a_restart(any_relay: Serving, tmp_path: Path) -> None:
    async with any_relay(limits=FEW) as relay:
        host, guest = await proven(relay)
        await leave(relay, host)
        relay._rooms.live.clear()
        for _ in range(2):
            async with connected(guest) as (room,):
                assert [entry.body for entry in await entries(room, 2)] == [b"greeting", b"the code is proven"]
        with pytest.raises(RoomRefused, match="has both its players"):
            await enter_room(relay.address, host.room)
        await leave(relay, host, guest)
        with pytest.raises(RoomGone, match="Both players"):
            await connect(guest)


async def test_an_address_with_too_many_rooms_gives_up_the_oldest_that_somebody_left(any_relay: Serving) -> None:
    async with any_relay(limits=FEW) as relay:
        begun, first, second = [await proven(relay) for _ in range(3)]
        await leave(relay, first[1], second[0])
        async with connected(first[0]) as (reading,):  # a connected member may read on
            await open_room(relay.address)
            assert len(await entries(reading, 2)) == 2
        for gone in second:
            with pytest.raises(RoomGone, match="There is no room"):
                await connect(gone)
        await open_room(relay.address)
        with pytest.raises(RoomGone, match="There is no room"):
            await connect(first[0])
        with pytest.raises(RoomRefused, match="3 rooms are open already"):
            await open_room(relay.address)
        async with connected(*begun):
            pass


async def test_a_stranger_closes_no_room_by_leaving_it(any_relay: Serving) -> None:
    async with any_relay(limits=replace(FEW, proof=0)) as relay:
        host, stranger = await paired(relay.address)
        async with connected(host, stranger) as (ann, eve):
            await ann.append(1, b"greeting")
            await eve.leave()
            assert await soon(eve.append(1, b"heard after it")) == 2
        friend = await enter_room(relay.address, host.room)
        async with connected(host) as (ann,):
            await ann.append(2, b"the code is proven")
        assert not relay._rooms.live[host.room].left
        await leave(relay, host)
        async with connected(friend) as (bob,):
            assert len(await entries(bob, 3)) == 3


async def test_watchers_cannot_leave_for_a_player(any_relay: Serving) -> None:
    async with any_relay(limits=FEW) as relay:
        host, guest = await proven(relay)
        async with connected(watching(host)) as (room,):
            await room.leave()
            assert len(await entries(room, 2)) == 2
        assert not relay._rooms.live[host.room].left
        async with connected(host, guest):
            pass


async def test_matches_that_are_played_out_and_left_do_not_count(any_relay: Serving, tmp_path: Path) -> None:
    async with any_relay(limits=replace(GENEROUS, rooms_an_address=2)) as relay:
        for at in range(4):
            with two_stores(tmp_path / str(at)) as stores:
                pair = await pair_up(stores, "sequence-duel", relay=relay.address)
                await play_out(*pair, random.Random(at), most=2)
                for one in pair if at % 2 else pair[::-1]:
                    await asyncio.wait_for(one.leave(), 30)
                assert not [*(tmp_path / str(at)).rglob("elsewhere.*")]


async def test_a_watcher_is_told_that_both_have_left(any_relay: Serving) -> None:
    async with any_relay(limits=FEW) as relay:
        host, guest = await proven(relay)
        async with connected(watching(host)) as (third,):
            assert len(await entries(third, 2)) == 2
            await leave(relay, host, guest)
            sweeping = asyncio.create_task(relay._rooms.sweep())
            with pytest.raises(RoomGone, match=r"^Both players of room \d+ have left, so it has closed\.$"):
                await soon(entries(third, 3))
            await sweeping


async def test_players_leave_at_different_relays(nats_url: str) -> None:
    async with serving_nats(nats_url, FEW) as one, serving_nats(nats_url, FEW) as two:
        for _ in range(5):
            host, guest = await proven(one)
            await leave(two, guest.changed(relay=two.address))
            await leave(one, host)
        for relay in (two, one):
            with pytest.raises(RoomGone):
                await connect(host.changed(relay=relay.address))
