"""Strangers at the relay: noise, too large frames, half handshakes, silence, and members who never read."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

from duelbox.core.errors import DuelboxError
from duelbox.friends.client import connect, open_room
from duelbox.relay.limits import Bucket, Limits, RecentlyUsed
from duelbox.relay.proxies import client_network
from duelbox.relay.server import Relay, serving
from duelbox.relay.wire import (
    _KINDS,
    MAX_FRAME,
    PATH,
    BadFrame,
    Entry,
    RoomGarbled,
    RoomLost,
    RoomRefused,
    Ticket,
    entry_frame,
    frame,
    read_frame,
)
from tests.effort import tries
from tests.relay.clients import GENEROUS, connected, entries, paired, soon, until, watching


@asynccontextmanager
async def socket_to(relay: Relay, first: str | None = None) -> AsyncIterator[ClientConnection]:
    async with connect_socket(f"{relay.address}{PATH}", compression=None, proxy=None) as socket:
        if first:
            await socket.send(first)
        yield socket


def back(ticket: Ticket) -> str:
    return frame("back", room=ticket.room, who=ticket.who, key=ticket.key)


async def answer(socket: ClientConnection) -> dict[str, Any]:
    """The relay's answer before it hangs up."""
    said = read_frame(await soon(socket.recv()))
    with pytest.raises(ConnectionClosed):
        await soon(socket.recv())
    assert isinstance(said, dict)
    return said


@pytest.fixture(autouse=True)
def _nothing_unforeseen(caplog: pytest.LogCaptureFixture) -> Any:
    """Check that no handler failed with anything but a refusal: websockets would log that."""
    log = logging.getLogger("duelbox.relay.websockets")
    log.setLevel(logging.ERROR)
    log.addHandler(caplog.handler)
    yield
    log.removeHandler(caplog.handler)
    log.setLevel(logging.CRITICAL + 1)
    failed = [
        record for record in caplog.records if "handler failed" in record.message or "process_re" in record.message
    ]
    assert not failed, failed[0].exc_text


def noise(rng: random.Random) -> str | bytes:
    """A frame of an attacker who has read the protocol."""
    kind = rng.choice([*_KINDS, "", "T", None])
    fields: dict[str, Any] = {"t": kind, **dict.fromkeys(_KINDS.get(kind or "", {}), None)}
    odd: list[Any] = [None, True, False, -1, 0, 1, 2, 10**30, 1.5, "", "guest", "host", "watcher", "1234", "é" * 9]
    odd += ["\x00\x1b[2J", "A" * 500, [], {}, [[]], {"t": "put"}, "====", "QUJD"]
    for name in fields:
        if name != "t" or rng.random() < 0.05:
            fields[name] = rng.choice(odd)
    if rng.random() < 0.1:
        fields[rng.choice(["room", "x", "t"])] = rng.choice(odd)
    text = json.dumps(fields)
    match rng.randrange(8):
        case 0:
            return text[: rng.randrange(len(text))]
        case 1:
            return rng.randbytes(rng.randrange(200))
        case 2:
            return "[" * rng.randrange(1, 8000)
        case 3:
            return text.replace("null", "NaN").replace("1", "9" * rng.randrange(1, 6000), 1)
        case _:
            return text


def test_random_frames_are_read_or_refused() -> None:
    rng = random.Random(14)
    sentences, read = set(), 0
    for _ in range(tries(20_000)):
        try:
            read_frame(noise(rng))
            read += 1
        except BadFrame as error:
            sentences.add(str(error))
    assert read, "some are right by chance"
    assert len(sentences) > 10
    assert all(sentence.isprintable() for sentence in sentences)


async def test_random_frames_end_a_connection_and_nothing_else() -> None:
    rng = random.Random(41)

    async def disturb(relay: Relay, first: str | None) -> None:
        with suppress(ConnectionClosed):
            async with socket_to(relay, first) as socket:
                for _ in range(5):
                    await socket.send(noise(rng))
                await soon(socket.recv())

    async with serving(limits=GENEROUS) as relay:
        tickets = await paired(relay.address)
        watcher = watching(tickets[0])
        async with connected(*tickets) as (host, guest):
            for _ in range(tries(8)):
                await asyncio.gather(*(disturb(relay, first) for first in (None, back(watcher)) * 20))
            assert await host.append(1, b"still here") == 1
            assert len(await entries(guest, 1)) == 1
        await until(lambda: not relay.connections.total())


async def test_a_member_who_sends_noise_is_told_so() -> None:
    async with serving(limits=GENEROUS) as relay:
        tickets = await paired(relay.address)
        for wrong, sentence in (
            ("hello", "This is not duelbox/1: a frame is a JSON object."),
            (b"\xff\xfe", "This is not duelbox/1: a frame is a JSON object."),
            (frame("open", watch=""), "This is not duelbox/1: open does not belong here."),
            (frame("put", n=1, body="?"), "This is not duelbox/1: the body is not base64."),
            (frame("put", n=1, body="\ud800"), "This is not duelbox/1: body of put is not right."),
            (frame("put", n=True, body=""), "This is not duelbox/1: n of put is not right."),
            (frame("put", n=1, body="", more=1), "This is not duelbox/1: put has the fields n, body."),
        ):
            async with socket_to(relay, back(tickets[0])) as socket:
                assert read_frame(await socket.recv()) == {"t": "welcome"}
                await socket.send(wrong)
                assert await answer(socket) == {"t": "no", "say": sentence, "final": False}


@pytest.mark.parametrize("size", [MAX_FRAME + 1, 100_000])
async def test_a_frame_that_is_too_large_is_not_read(size: int) -> None:
    async with serving() as relay, socket_to(relay) as socket:
        with suppress(ConnectionClosed):
            await socket.send("x" * size)
        with pytest.raises(ConnectionClosed) as closed:
            await soon(socket.recv())
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009


@pytest.mark.parametrize("field", ["open", "back", "enter"])
async def test_half_a_letter_is_no_text(field: str) -> None:
    first = {"open": {"watch": "\ud800"}, "enter": {"room": "\ud800"}}
    async with serving() as relay:
        ticket = await open_room(relay.address)
        fields = first.get(field, {"room": ticket.room, "who": "host", "key": "\ud800"})
        async with socket_to(relay, frame(field, **fields)) as socket:
            assert "is not right" in (await answer(socket))["say"]


async def test_who_says_nothing_is_sent_away() -> None:
    async with serving(limits=Limits(handshake=0.2)) as relay:
        async with socket_to(relay) as socket:
            assert (await answer(socket))["say"] == "Nothing was said within 0.2 seconds."
        host, port = urlsplit(relay.address).hostname, urlsplit(relay.address).port
        for begun in (b"", b"GET /duelbox/1 HTTP/1.1\r\nHost: x\r\n", b"GET /", bytes(200), b"\x16\x03\x01\x02\x00"):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(begun)
            await soon(reader.read())  # until the relay hangs up
            writer.close()
        await open_room(relay.address)


async def test_who_never_listens_costs_no_memory() -> None:
    """A thousand entries of 4 KiB for a member who reads none of them wait on disk."""
    count = tries(1000)
    async with serving(limits=GENEROUS) as relay:
        tickets = await paired(relay.address)
        async with socket_to(relay, back(tickets[1])) as deaf, connected(tickets[0]) as (host,):
            deaf.transport.pause_reading()
            await deaf.send(frame("read", since=0))
            await host.append(1, bytes(4096))
            tracemalloc.start()
            for n in range(2, count + 1):
                await host.append(n, bytes(4096))
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most < 1_000_000
            assert await host.append(count, b"") == count
            deaf.transport.abort()


async def test_a_page_in_a_browser_is_not_let_in() -> None:
    async with serving() as relay:
        with pytest.raises(InvalidStatus):
            await connect_socket(f"{relay.address}{PATH}", origin="https://example.org", proxy=None)
        with pytest.raises(InvalidStatus):
            await connect_socket(f"{relay.address}/elsewhere", proxy=None)


def test_an_address_is_a_network_in_ipv6() -> None:
    assert (
        client_network("2001:db8:1:2:3:4:5:6") == client_network("2001:db8:1:2::9") != client_network("2001:db8:1:3::9")
    )
    assert client_network("::ffff:192.0.2.1") == "192.0.2.1" == client_network("192.0.2.1")
    assert client_network("fe80::1%eth0") == client_network("fe80::2")
    assert client_network("x" * 1000) == "x" * 64


def test_no_stranger_fills_the_memory_with_addresses() -> None:
    buckets = RecentlyUsed(lambda: Bucket(1 / 60, 1), most=100)
    assert buckets.of("first").take()
    assert not buckets.of("first").take()
    for number in range(100):
        assert buckets.of(str(number)).take()
    assert len(buckets) == 100
    assert buckets.of("first").take()


@asynccontextmanager
async def impostor(*said: str | bytes) -> AsyncIterator[str]:
    """The address of a server that answers every client with these frames."""

    async def answer_so(socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await socket.recv()
            for one in said:
                await socket.send(one)
            await socket.wait_closed()

    async with serve(answer_so, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    "said",
    [
        "hello",
        frame("welcome"),
        frame("kept", n=1, seq=1),
        '{"t":"ticket","room":1,"who":"host","key":""}',
        frame("ticket", room="1\x1b[2J", who="host", key=""),
        frame("ticket", room="1000", who="\x1b[2J", key=""),
        b"\xff",
        "[" * 8000,
        "x" * 100_000,
    ],
)
async def test_what_only_looks_like_a_relay_is_named(said: str | bytes) -> None:
    async with impostor(said) as address:
        with pytest.raises((RoomRefused, RoomLost), match=r"does not speak duelbox/1|connection to .* is gone"):
            await soon(open_room(address))


async def test_an_impostors_sentence_cannot_act_on_a_terminal() -> None:
    async with impostor(frame("no", say="\x1b[2J\u202e" + "x" * 1000, final=True)) as address:
        with pytest.raises((RoomRefused, RoomLost)) as refused:
            await soon(open_room(address))
    assert refused.value.sentence.isprintable()
    assert len(refused.value.sentence) < 600


@pytest.mark.parametrize(
    "address",
    ["ws://a..b", f"ws://{'a' * 70}.org", "ws://localhost:99999", "ws://localhost:x", "ws://[::zz", "ws://[::zz]:8"],
)
async def test_an_address_that_no_machine_can_have_is_refused(address: str) -> None:
    with pytest.raises(DuelboxError, match="is no address of a relay"):
        await soon(open_room(address))


@pytest.mark.parametrize("proxy", ["nonsense", "socks5://127.0.0.1:1"])
async def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.setenv(name, proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(RoomRefused, match="proxy of this machine cannot be used"):
        await soon(open_room("ws://relay.invalid:1"))


async def test_a_member_survives_a_relay_that_raves() -> None:
    rng = random.Random(7)
    ticket = Ticket(relay="", room="1234", who="host", key="")
    for _ in range(tries(60)):
        async with impostor(frame("welcome"), *(noise(rng) for _ in range(5))) as address:
            with pytest.raises((RoomRefused, RoomLost)):
                async with connected(ticket.changed(relay=address)) as (room,):
                    await soon(asyncio.gather(room.append(1, b""), entries(room, 20)))


async def test_who_gives_up_while_nothing_answers_stays_connected_nowhere() -> None:
    here, gone = asyncio.Event(), asyncio.Event()

    async def silent(socket: ServerConnection) -> None:
        await socket.recv()
        here.set()
        await socket.wait_closed()
        gone.set()

    async with serve(silent, "127.0.0.1", 0) as server:
        address = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for work in (open_room(address), connect(Ticket(relay=address, room="1234", who="host", key=""))):
            trying = asyncio.create_task(work)
            await soon(here.wait())
            trying.cancel()
            await soon(gone.wait())
            here.clear()
            gone.clear()


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([1, 3], "entry 3 came in place of 2"),
        ([1, 1], "entry 1 came in place of 2"),
        ([2], "entry 2 came in place of 1"),
    ],
)
async def test_a_relay_cannot_drop_or_repeat_unnoticed(told: list[int], why: str) -> None:
    said = [entry_frame(Entry(seq, "guest", 1, b"")) for seq in told]
    ticket = Ticket(relay="", room="1234", who="host", key="")
    async with (
        impostor(frame("welcome"), *said) as address,
        connected(ticket.changed(relay=address)) as (room,),
    ):
        with pytest.raises(RoomGarbled, match=why):
            await entries(room, 3)
