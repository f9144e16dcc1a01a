"""The listening socket of a relay counts connections before any handshake, and refuses those over the limit."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect as connect_socket

from duelbox.commands.relay import _tls
from duelbox.friends.client import connect, open_room
from duelbox.relay.limited_socket import LimitedSocket
from duelbox.relay.limits import Limits, OnceAMinute
from duelbox.relay.server import Relay, serving
from duelbox.relay.wire import PATH, RoomLost, frame
from tests.relay.clients import connected, paired, soon, until
from tests.relay.test_hostile import socket_to
from tests.relay.test_tls import certificate


async def test_connections_are_counted() -> None:
    async with serving(limits=Limits(connections_an_address=3)) as relay:
        tickets = await paired(relay.address)
        async with connected(*tickets), socket_to(relay):
            for _ in range(2):
                with pytest.raises(RoomLost, match="cannot be reached"):
                    await connect(tickets[0])
        await until(lambda: not gate_of(relay).count)
        await (await connect(tickets[0])).close()


def gate_of(relay: Relay) -> LimitedSocket:
    assert relay.listening
    return relay.listening


async def half_handshakes(relay: Relay, count: int, source: str = "127.0.0.1") -> list[asyncio.StreamWriter]:
    """Connections from this address that have sent half a request."""
    host, port = urlsplit(relay.address).hostname, urlsplit(relay.address).port
    crowd = [await asyncio.open_connection(host, port, local_addr=(source, 0)) for _ in range(count)]
    for _, writer in crowd:
        with suppress(ConnectionError):
            writer.write(b"GET /duelbox/1 HTTP/1.1\r\n")
    return [writer for _, writer in crowd]


@pytest.mark.parametrize("tls", [False, True])
async def test_half_handshakes_are_counted_by_address(
    tls: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = certificate(tmp_path, "relay")
    monkeypatch.setenv("SSL_CERT_FILE", files[0])
    limits = Limits(connections=40, connections_an_address=10, handshake=1)
    async with serving(limits=limits, tls=_tls(files) if tls else None) as relay:
        crowd = await half_handshakes(relay, 60, "127.0.0.2")
        await until(lambda: gate_of(relay).count["127.0.0.2"] == 10)
        await open_room(relay.address)  # from another address
        await until(lambda: not gate_of(relay).count)  # silent connections do not stay
        for writer in crowd:
            writer.close()


async def test_all_half_handshakes_together_have_a_limit() -> None:
    async with serving(limits=Limits(connections=20, connections_an_address=9, handshake=1)) as relay:
        crowd = [one for at in range(2, 6) for one in await half_handshakes(relay, 10, f"127.0.0.{at}")]
        await until(lambda: gate_of(relay).count.total() == 20)
        await until(lambda: not gate_of(relay).count)
        await open_room(relay.address)
        for writer in crowd:
            writer.close()


async def test_a_trusted_proxy_brings_many() -> None:
    async with serving(limits=Limits(connections=20, connections_an_address=3), proxies=["127.0.0.2"]) as relay:
        crowd = await half_handshakes(relay, 15, "127.0.0.2")
        await until(lambda: gate_of(relay).count["127.0.0.2"] == 15)
        for writer in crowd:
            writer.close()


async def test_a_system_without_files_refuses_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    """With no file left, new connections are refused and the log stays short."""
    resource = pytest.importorskip("resource")
    async with serving() as relay:
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        host, port = urlsplit(relay.address).hostname, urlsplit(relay.address).port
        crowd = [socket.socket() for _ in range(20)]
        used = max(map(int, os.listdir("/dev/fd"))) + 1  # noqa: PTH208
        resource.setrlimit(resource.RLIMIT_NOFILE, (used, before[1]))
        try:
            for one in crowd:
                one.setblocking(False)
                with suppress(BlockingIOError):
                    one.connect((host, port))
            for one in crowd:
                with suppress(ConnectionError):
                    assert await soon(asyncio.get_running_loop().sock_recv(one, 1)) == b""
                one.close()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        await open_room(relay.address)
    assert not [record for record in caplog.records if "accept" in record.getMessage()]


def test_a_repeated_fault_is_one_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("duelbox.relay.limits.monotonic", lambda: now)
    log, lines = logging.getLogger("duelbox.tried"), list[str]()
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    handler.addFilter(OnceAMinute())
    log.addHandler(handler)
    log.propagate = False
    log.setLevel(logging.INFO)
    for number in range(1000):
        log.warning("refused: %s", number)
        log.warning("broken: %s", number)
    log.info("joined")
    log.info("joined")
    now += 61
    log.warning("refused: %s", "again")
    assert lines == ["refused: 0", "broken: 0", "joined", "joined", "refused: again"]


async def test_only_a_trusted_proxy_says_for_whom_it_asks() -> None:
    async def ask(relay: Relay, address: str) -> Any:
        headers = {"X-Forwarded-For": f"10.9.9.9, {address}"}
        async with connect_socket(f"{relay.address}{PATH}", additional_headers=headers, proxy=None) as socket:
            await socket.send(frame("open", watch=""))
            return json.loads(await socket.recv())["t"]

    limits = Limits(waiting_an_address=1)
    async with serving(limits=limits, proxies=["127.0.0.0/8"]) as relay:
        statuses = [await ask(relay, address) for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2")]
        assert statuses == ["ticket", "no", "ticket"]
    for proxies in ([], ["10.0.0.0/8"]):
        async with serving(limits=limits, proxies=proxies) as relay:
            assert [await ask(relay, address) for address in ("192.0.2.1", "192.0.2.2")] == ["ticket", "no"]
