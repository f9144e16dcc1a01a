"""Rooms: one order for everybody, nothing twice, nothing lost over a restart, and a sentence for each limit."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from time import time
from unittest.mock import ANY
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.friends.client import RelayRoom, connect, enter_room, open_room
from duelbox.relay import rooms
from duelbox.relay.connected_member import ConnectedMember
from duelbox.relay.limits import Bucket, Limits
from duelbox.relay.room_log import Unavailable
from duelbox.relay.rooms import LiveRoom
from duelbox.relay.server import Relay, serving
from duelbox.relay.sqlite import SqliteRoomLog
from duelbox.relay.wire import MAX_BODY, Entry, Presence, RoomLost, RoomRefused, Ticket
from tests.relay.clients import GENEROUS, connected, entries, paired, presences, soon, watching
from tests.relay.conftest import Serving


async def test_everybody_reads_the_same_in_the_same_order(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = await paired(relay.address)
        watcher = watching(tickets[0])
        async with connected(*tickets, watcher) as (host, guest, third):
            seqs = await asyncio.gather(*(room.append(n, b"%d" % n) for n in range(1, 11) for room in (host, guest)))
            read = [await entries(room, 20) for room in (host, guest, third)]
    assert sorted(seqs) == list(range(1, 21))
    assert read[0] == read[1] == read[2]
    assert [entry.seq for entry in read[0]] == list(range(1, 21))
    for who in ("host", "guest"):
        assert [(entry.n, entry.body) for entry in read[0] if entry.who == who] == [
            (n, b"%d" % n) for n in range(1, 11)
        ]


async def test_an_entry_put_twice_is_one_entry(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = await paired(relay.address)
        async with connected(tickets[0]) as (host,):
            assert [await host.append(1, b"first"), await host.append(2, b"second")] == [1, 2]
            assert await host.append(1, b"other") == 1
        async with connected(tickets[0]) as (host,):
            assert await host.append(2, b"second") == 2
            assert await host.append(3, b"third") == 3
            assert [entry.body for entry in await entries(host, 3)] == [b"first", b"second", b"third"]


async def test_who_comes_back_is_told_what_came_since(any_relay: Serving) -> None:
    async with any_relay(limits=GENEROUS) as relay:
        tickets = await paired(relay.address)
        async with connected(tickets[0]) as (host,):
            for n in range(1, 201):
                await host.append(n, b"%d" % n)
            for since in (0, 1, 63, 64, 65, 150, 183, 184, 185, 199):
                async with connected(tickets[1]) as (guest,):
                    read = await entries(guest, 200 - since, since)
                    assert [entry.seq for entry in read] == list(range(since + 1, 201))
                    assert [int(entry.body) for entry in read] == list(range(since + 1, 201))


async def test_a_restart_loses_no_room(tmp_path: Path) -> None:
    path = tmp_path / "relay.sqlite"
    async with serving(path=path) as relay:
        tickets = await paired(relay.address)
        async with connected(*tickets) as (host, guest):
            await host.append(1, b"one")
            await guest.append(1, b"two")
    async with serving(path=path) as relay:
        tickets = tuple(ticket.changed(relay=relay.address) for ticket in tickets)
        async with connected(*tickets) as (host, guest):
            assert await guest.append(1, b"two") == 2
            assert await guest.append(2, b"three") == 3
            assert [entry.body for entry in await entries(host, 3)] == [b"one", b"two", b"three"]


async def test_who_is_here_is_told(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = await paired(relay.address)
        async with connected(tickets[0]) as (host,):
            coming = asyncio.create_task(presences(host, 3))
            async with connected(tickets[1]) as (guest,):
                assert await presences(guest, 1) == [Presence("host", True)]
                async with connected(watching(tickets[0])):
                    pass
            result = await coming
    assert result[0] == Presence("guest", True)
    assert {(one.who.partition("-")[0], one.here) for one in result[1:]} <= {
        ("watcher", True),
        ("watcher", False),
        ("guest", False),
    }


async def test_a_new_connection_ends_the_old_one_of_the_same_member(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = await paired(relay.address)
        async with connected(tickets[0], tickets[0]) as (old, new):
            with pytest.raises(RoomRefused, match="once more"):
                await entries(old, 1)
            assert await new.append(1, b"") == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"room": "9"}, "four digits or a few more"),
        ({"room": "1000000000"}, "four digits or a few more"),
        ({"room": "١٢٣٤"}, "four digits or a few more"),
        ({"room": "123456789"}, "There is no room 123456789."),
        ({"who": "guest"}, "not a key"),
        ({"who": "watcher-1"}, "not a key"),
        ({"who": "nobody"}, "not a key"),
        ({"key": ""}, "not a key"),
        ({"key": "é" * 22}, "not a key"),
        ({"relay": "http://127.0.0.1"}, "no address of a relay"),
    ],
)
async def test_a_ticket_that_is_not_right_is_refused(any_relay: Serving, wrong: dict[str, str], sentence: str) -> None:
    async with any_relay() as relay:
        host, _ = await paired(relay.address)
        with pytest.raises(DuelboxError, match=sentence):
            await connect(host.changed(**wrong))


async def test_only_players_put_and_only_in_turn(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = await paired(relay.address)
        watcher = watching(tickets[0])
        for ticket, n, body, sentence in (
            (watcher, 1, b"", "Watchers only watch"),
            (tickets[0], 2, b"", "The next entry of host is number 1, not 2"),
            (tickets[0], 0, b"", "The next entry of host is number 1, not 0"),
            (tickets[0], 1, bytes(MAX_BODY + 1), "at most 4096 bytes; this one has 4097"),
        ):
            async with connected(ticket) as (room,):
                with pytest.raises(RoomRefused, match=sentence):
                    await soon(room.append(n, body))
        async with connected(tickets[0]) as (room,):
            assert await room.append(1, bytes(MAX_BODY)) == 1


async def test_a_room_has_two_players_and_a_number_of_watchers(any_relay: Serving) -> None:
    async with any_relay(limits=Limits(watchers=2, joins_a_room=100)) as relay:
        host, _ = await paired(relay.address)
        with pytest.raises(RoomRefused, match="has somebody else at its door"):
            await enter_room(relay.address, host.room)
        watcher = watching(host)
        async with connected(watcher):
            for _ in range(3):  # a watcher who leaves makes room for another
                async with connected(watcher):
                    with pytest.raises(RoomRefused, match="has 2 watchers; it takes no more"):
                        await connect(watcher)


async def test_who_does_not_know_the_code_is_turned_away_and_the_place_is_free_at_once(any_relay: Serving) -> None:
    async with any_relay() as relay:
        host, stranger = await paired(relay.address)
        async with connected(host, stranger) as (ann, eve):
            await ann.append(1, b"greeting")
            await ann.turn_away()
            with pytest.raises(RoomRefused, match="That is not the code"):
                await soon(entries(eve, 9))
            with pytest.raises(RoomRefused, match="This is not a key to room"):
                await connect(stranger)
            friend = await enter_room(relay.address, host.room)
            async with connected(friend) as (bob,):
                await bob.append(1, b"greeting")
                await bob.turn_away()
                with pytest.raises(RoomRefused, match="Only the host"):
                    await soon(entries(bob, 9))
            await ann.append(2, b"the code is proven")
            await ann.turn_away()  # too late
            async with connected(friend) as (bob,):
                assert len(await entries(bob, 3)) == 3


async def test_two_strangers_are_turned_away_one_after_the_other(any_relay: Serving) -> None:
    async with any_relay(limits=GENEROUS) as relay:
        host = await open_room(relay.address)
        async with connected(host) as (ann,):
            await ann.append(1, b"greeting")
            for _ in range(3):
                async with connected(await enter_room(relay.address, host.room)) as (eve,):
                    await ann.turn_away()
                    with pytest.raises(RoomRefused, match="That is not the code"):
                        await soon(entries(eve, 9))


async def test_nobody_watches_without_the_key_for_it(any_relay: Serving) -> None:
    async with any_relay() as relay:
        host, guest = await paired(relay.address)
        for ticket in (
            watching(host).changed(key="another"),
            guest.changed(who="watcher"),
            watching(host).changed(key=""),
        ):
            with pytest.raises(RoomRefused, match="This is not a key to room"):
                await connect(ticket.changed(who="watcher"))
        unwatched = await open_room(relay.address)
        with pytest.raises(RoomRefused, match=r"Nobody can watch in room \d+"):
            await connect(watching(unwatched))


async def test_an_address_has_so_many_rooms_open_at_once(any_relay: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time()
    monkeypatch.setattr(rooms, "time", lambda: now)
    async with any_relay(limits=replace(GENEROUS, rooms_an_address=3)) as relay:
        await paired(relay.address)
        for _ in range(2):
            await open_room(relay.address)
        with pytest.raises(RoomRefused, match="3 rooms are open already"):
            await open_room(relay.address)
        now += GENEROUS.unpaired + 1  # rooms that nobody joined close
        for _ in range(2):
            await open_room(relay.address)
        with pytest.raises(RoomRefused, match="3 rooms are open already"):
            await open_room(relay.address)


async def test_joins_are_counted_by_room_and_misses_by_address(
    any_relay: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.relay.limits.monotonic", lambda: 0.0)  # all of it happens within one minute
    async with any_relay() as relay:
        host = await open_room(relay.address)
        guest = await enter_room(relay.address, host.room)
        for _ in range(2):
            with pytest.raises(RoomRefused, match=r"somebody else at its door\. Try again in \d+ seconds"):
                await enter_room(relay.address, host.room)
        with pytest.raises(RoomRefused, match="Too many came to room"):
            await enter_room(relay.address, host.room)
        for number in range(17):
            with pytest.raises(RoomRefused, match="There is no room"):
                await enter_room(relay.address, f"{100_000 + number}")
        waits = await open_room(relay.address)
        for number in ("100000", host.room, waits.room):  # neither a miss nor a hit can be told apart now
            with pytest.raises(RoomRefused, match=r"20 wrong codes came"):
                await enter_room(relay.address, number)
        for ticket in (host, host.changed(room="100000")):
            with pytest.raises(RoomRefused, match="20 wrong codes came"):
                await connect(ticket.changed(key="wrong"))
        async with connected(host, guest):  # members with a key are still let in
            pass


async def test_a_school_behind_one_address_opens_and_joins_its_rooms_at_once(
    any_relay: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.relay.limits.monotonic", lambda: 0.0)
    async with any_relay() as relay:
        tickets = await asyncio.gather(*(open_room(relay.address) for _ in range(30)))
        await asyncio.gather(*(enter_room(relay.address, ticket.room) for ticket in tickets))


async def test_an_address_has_so_many_rooms_waiting(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = [await open_room(relay.address) for _ in range(40)]
        with pytest.raises(RoomRefused, match="40 rooms wait for a guest"):
            await open_room(relay.address)
        await enter_room(relay.address, tickets[3].room)
        await open_room(relay.address)
        with pytest.raises(RoomRefused, match="40 rooms wait for a guest already"):
            await open_room(relay.address)


async def test_numbers_are_short_again_after_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time()
    monkeypatch.setattr(rooms, "time", lambda: now)
    few = iter([0] * 6)  # the first random numbers are all the same
    monkeypatch.setattr(rooms, "randbelow", lambda below: next(few, 1) if below == 9000 else 0)
    async with serving(limits=GENEROUS) as relay:
        assert (await open_room(relay.address)).room == "1000"
        assert (await open_room(relay.address)).room == "10000"  # 1000 was taken three times
        now += GENEROUS.unpaired + 1
        assert (await open_room(relay.address)).room == "1000"


async def test_a_relay_of_one_host_opens_no_rooms_for_strangers(tmp_path: Path) -> None:
    path = tmp_path / "relay.db"
    async with serving(path=path, limits=Limits(open_to_all=False)) as relay:
        for _ in range(100):
            with pytest.raises(RoomRefused, match="relay is that of one host"):
                await open_room(relay.address)
        ticket = await relay.open()
        await enter_room(relay.address, ticket.room)
        async with connected(ticket) as (host,):
            assert await host.append(1, b"") == 1
        assert relay.status["rooms"] == 1


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [(Limits(entries=3), "is full: it holds 3 entries"), (Limits(size=1500), "is full: it holds 1,500 bytes")],
)
async def test_a_room_holds_so_much(any_relay: Serving, limits: Limits, sentence: str) -> None:
    async with any_relay(limits=limits) as relay:
        tickets = await paired(relay.address)
        async with connected(*tickets) as (host, guest):
            for n in (1, 2, 3):
                await host.append(n, bytes(500))
            with pytest.raises(RoomRefused, match=sentence):
                await guest.append(1, b"1")
            assert await host.append(3, b"") == 3


async def test_who_puts_too_fast_waits(any_relay: Serving) -> None:
    async with any_relay(limits=Limits(puts_a_second=50, burst=5)) as relay:
        tickets = await paired(relay.address)
        async with connected(tickets[0]) as (host,):
            loop = asyncio.get_running_loop()
            began = loop.time()
            for n in range(1, 26):
                await host.append(n, b"")
            assert loop.time() - began > 19 / 50


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(unpaired=0), "Nobody joined .* closed"),
        (Limits(idle=-1), "Nothing happened in room"),
        (Limits(life=-1), "days? old|seconds? old"),
    ],
)
async def test_a_room_closes_when_its_time_has_come(limits: Limits, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "relay.sqlite"
    async with serving(path=path) as relay:
        tickets: tuple[Ticket, ...] = await paired(relay.address)
        if limits.unpaired == 0:
            tickets = (await open_room(relay.address),)
    async with serving(path=path, limits=limits) as relay:
        ticket = tickets[0].changed(relay=relay.address)
        with pytest.raises(RoomRefused, match=sentence):
            await connect(ticket)
        with pytest.raises(RoomRefused, match="There is no room"):
            await connect(ticket)


async def test_a_relay_that_is_gone_is_lost_not_refused(any_relay: Serving) -> None:
    async with any_relay() as relay:
        tickets = await paired(relay.address)
        async with connected(tickets[0]) as (host,):
            reading = asyncio.create_task(entries(host, 1))
            await host.append(1, b"")
            assert await reading == [Entry(1, "host", 1, b"", ANY)]
            listening = asyncio.create_task(entries(host, 2, since=1))
            await asyncio.sleep(0)
            address = relay.address
            break_off = host
    with pytest.raises(RoomLost, match=r"ws://127\.0\.0\.1:\d+ is gone"):
        await listening
    with pytest.raises(RoomLost):
        await break_off.append(2, b"")
    with pytest.raises(RoomLost, match="cannot be reached"):
        await open_room(address)


async def test_a_full_disk_costs_a_connection_and_no_entry(tmp_path: Path) -> None:
    log = SqliteRoomLog(tmp_path / "relay.db")
    async with serving(log=log, limits=GENEROUS) as relay:
        tickets = await paired(relay.address)
        (pages,) = log._db.execute("PRAGMA page_count").fetchone()
        log._db.execute(f"PRAGMA max_page_count = {pages + 5}")
        answers: list[int] = []

        async def fill(room: RelayRoom) -> None:
            while True:
                answers.append(await room.append(len(answers) + 1, bytes(4000)))

        async with connected(tickets[0]) as (host,):
            with pytest.raises(RoomLost, match=r"its file \(.* disk is full\)"):
                await fill(host)
        status, text = await health(relay)
        assert status == 503
        assert "disk is full" in str(text)
        before = len(answers)
        assert before
        log._db.execute(f"PRAGMA max_page_count = {pages + 100}")
        async with connected(tickets[0]) as (host,):
            assert await host.append(before + 1, b"at last") == before + 1
            assert [entry.n for entry in await entries(host, before + 1)] == list(range(1, before + 2))
        await asyncio.sleep(1)  # health is checked at most once a second
        assert (await health(relay))[0] == 200


async def health(relay: Relay) -> tuple[int, str]:
    def ask() -> tuple[int, str]:
        try:
            with urlopen(f"{relay.address.replace('ws', 'http', 1)}/health") as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(ask)


async def test_health_leaves_nothing_behind(any_relay: Serving) -> None:
    async with any_relay() as relay:
        for _ in range(3):
            assert (await health(relay))[0] == 200
            await relay._log.check()
        assert await relay._log.read("0", 0) == []


async def test_who_comes_second_hears_of_other_relays_where_following_failed_for_the_first() -> None:
    class Unsure(SqliteRoomLog):
        """A log that fails to follow a room the first time."""

        followed = 0

        async def follow(self, room: LiveRoom) -> None:
            self.followed += 1
            await asyncio.sleep(0.05)
            if self.followed == 1:
                raise Unavailable("Not now.")

    log = Unsure(None)
    room = LiveRoom("1234", log, GENEROUS)
    await room.join("host")
    await room.join("guest")
    one, two = (ConnectedMember(who, Bucket(1, 1)) for who in ("host", "guest"))

    async def first() -> None:
        try:
            await room.connect(one)
        finally:
            await room.disconnect(one)

    results = await asyncio.gather(first(), room.connect(two), return_exceptions=True)
    assert [type(one) for one in results] == [Unavailable, type(None)]
    assert log.followed == 2
    await room.disconnect(two)
    await log.close()
