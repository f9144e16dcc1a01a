"""Attacks on `duelbox serve`: half requests, many visits, floods, guessed passwords."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from duelbox.relay.limited_socket import LimitedSocket
from duelbox.relay.proxies import Proxies
from duelbox.serve import web
from duelbox.serve.access import Access
from duelbox.serve.visitors import Visit, Visitors
from tests.serve.server import PATIENCE, Server, Visitor, serving
from tests.serve.test_visitors import STAYS, Small

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--port", "0") as one:
        yield one


def half_requests(server: Server, count: int, address: str = "127.0.0.2") -> list[socket.socket]:
    """Connections from this address that have sent half a request."""
    crowd = []
    for _ in range(count):
        one = socket.socket()
        one.bind((address, 0))
        one.settimeout(10)
        with suppress(OSError):
            one.connect(("127.0.0.1", server.port))
            one.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        crowd.append(one)
    return crowd


async def test_a_crowd_of_half_requests_keeps_nobody_out(server: Server) -> None:
    crowd = await asyncio.to_thread(half_requests, server, 1100)
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
    for one in crowd:
        one.close()
    assert server.log.stat().st_size < 1000


async def test_a_request_has_a_time_to_arrive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "_REQUEST", 0.3)
    listening = LimitedSocket("127.0.0.1", 0, 10, 10, Proxies())
    visitors = Visitors(tmp_path, None, 1, 0, 512)  # type: ignore[arg-type]
    async with web.serve_browsers(visitors, listening, (), Access(Proxies())) as port, asyncio.timeout(PATIENCE):
        for begun in (b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 9\r\n\r\npass"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            await reader.read()  # until the end
            writer.close()
        while listening.count:
            await asyncio.sleep(0.01)


async def test_nothing_stays_of_visits_that_both_sides_end_at_once(tmp_path: Path) -> None:
    """The connection is cut while the visit is being ended, which takes as long as its process."""
    prefork, proxies = Small(STAYS), Proxies()
    visitors = Visitors(tmp_path, prefork, 9, 0, 512)
    address = "http://127.0.0.1:{}"
    try:
        listening = LimitedSocket("127.0.0.1", 0, 10, 10, proxies)
        async with web.serve_browsers(visitors, listening, (), Access(proxies)) as port, asyncio.timeout(PATIENCE):
            for _ in range(2):
                async with aiohttp.ClientSession(cookies={"duelbox": "a" * 43}) as session:
                    line = await session.ws_connect(f"{address.format(port)}/line", origin=address.format(port))
                    await line.receive()
                    await line.close()
            while visitors._here:
                await asyncio.sleep(0.05)
            assert [process.wait() for process in prefork.started] == [-9, -9]
    finally:
        prefork.close()


async def test_visits_leave_nothing_in_the_memory_of_the_server(tmp_path: Path) -> None:
    prefork, proxies = Small("print('here')"), Proxies()
    visitors = Visitors(tmp_path, prefork, 9, 30, 512)
    try:
        listening = LimitedSocket("127.0.0.1", 0, 10, 10, proxies)
        async with (
            web.serve_browsers(visitors, listening, (), Access(proxies)) as port,
            aiohttp.ClientSession(cookies={"duelbox": "a" * 43}) as session,
            asyncio.timeout(PATIENCE),
        ):
            address = f"http://127.0.0.1:{port}"
            for _ in range(10):
                line = await session.ws_connect(f"{address}/line", origin=address)
                async for _ in line:
                    pass
            while visitors._here:
                await asyncio.sleep(0.05)
            gc.collect()
            assert not [one for one in gc.get_objects() if type(one) is Visit]
            assert len(asyncio.all_tasks()) <= 2
    finally:
        prefork.close()


async def test_a_cookie_has_two_places_and_an_address_half_of_all(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--visitors", "6") as server:
        async with Visitor(server) as first, Visitor(server, first.jar) as second, Visitor(server) as other:
            await first.see("Puzzles")
            await second.see("Puzzles")
            async with Visitor(server, first.jar, address="127.0.0.3") as third:
                assert re.match("2 visitors .* cookie or key.*no more", await third.end())
            async with Visitor(server) as fourth:
                assert re.match("3 visitor.* your address.*no more", await fourth.end())
            headers = {"X-Forwarded-For": "192.0.2.7"}  # a sender the server does not trust as a proxy
            async with Visitor(server, headers=headers) as fourth:
                assert re.match("3 visitor.* your address.*no more", await fourth.end())
            async with Visitor(server, address="127.0.0.3") as fourth:
                await fourth.see("Puzzles")
            await other.see("Puzzles")


async def test_a_proxy_that_was_named_says_for_whom_it_asks(tmp_path: Path) -> None:
    options = ("--visitors", "6", "--per-address", "1", "--proxy", "127.0.0.1")
    with serving(tmp_path, "--port", "0", *options) as server:
        async with (
            Visitor(server, headers={"X-Forwarded-For": "192.0.2.7"}) as first,
            Visitor(server, headers={"X-Forwarded-For": "192.0.2.7, 192.0.2.8"}) as second,
            Visitor(server, headers={"X-Forwarded-For": "192.0.2.8, 192.0.2.7"}) as third,
        ):
            await first.see("Puzzles")
            await second.see("Puzzles")
            assert re.match("1 visitor.* your address.*no more", await third.end())


async def test_a_flood_fills_no_memory_and_ends_with_whoever_hangs_up(server: Server) -> None:
    await server.alone()
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
        for _ in range(80):
            await visitor.type("x" * (64 << 10))
        ((process, _),) = server.processes().items()
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
        assert peak
        assert int(peak[1]) < 200_000
        await visitor.type("x" * 5_000_000)  # longer than the server accepts: it hangs up
    await server.alone()
