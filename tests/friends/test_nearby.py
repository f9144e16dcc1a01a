"""Finding a host on the same network, which here is one machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from secrets import randbelow
from time import monotonic

import pytest
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from duelbox.friends import nearby as module
from duelbox.friends.nearby import SERVICE_TYPE, Nearby, announced, nearby

HERE = ("127.0.0.1",)
RUN = f"{randbelow(900_000) + 100_000}"
"""Part of all rooms and names of this run, since another run at the same time may be heard."""
PATIENCE = 60.0
"""Seconds after which a host that never appears or disappears fails its test."""
PROBED = 10.0
"""Seconds in which one socket must hear another of this machine; a loopback without multicast takes one to two."""


@cache
def why_deaf() -> str:
    """The reason why no announcement can be heard on this machine, found with zeroconf alone; empty if they can."""

    async def probe() -> str:
        one, other = AsyncZeroconf(interfaces=[*HERE]), AsyncZeroconf(interfaces=[*HERE])
        try:
            name = f"probe-{RUN}.{SERVICE_TYPE}"
            service = AsyncServiceInfo(
                SERVICE_TYPE, name, parsed_addresses=[*HERE], port=1, server=f"probe-{RUN}.local."
            )
            await (await one.async_register_service(service))
            heard = await AsyncServiceInfo(SERVICE_TYPE, name).async_request(other.zeroconf, 1000 * PROBED)
        finally:
            await asyncio.gather(one.async_close(), other.async_close())
        return "" if heard else f"what is announced on 127.0.0.1 is not heard there within {PROBED:.0f} s"

    try:
        return asyncio.run(probe())
    except OSError as error:
        return f"no socket for multicast on 127.0.0.1: {error}"


@pytest.fixture(autouse=True)
def _multicast() -> None:
    if why := why_deaf():
        pytest.skip(why)


async def looked(*rooms: str, until: Callable[[list[Nearby]], bool]) -> list[Nearby]:
    """The tables in these rooms once `until` holds; other tests may announce others. Each try listens for longer."""
    seconds, last = 0.5, monotonic() + PATIENCE
    while True:
        hosts = [host for host in await nearby(seconds, HERE) if host.room in rooms]
        if until(hosts) or monotonic() > last:
            return hosts
        seconds = min(4 * seconds, 5.0)


async def test_who_waits_is_found_until_they_go() -> None:
    rooms = (f"{RUN}01", f"{RUN}02")
    async with announced("Zoë", rooms[0], HERE, 8765), announced("Bob", rooms[1], HERE, 9000):
        assert await looked(*rooms, until=lambda found: len(found) == len(rooms)) == [
            Nearby("Bob", f"{RUN}02", "ws://127.0.0.1:9000"),
            Nearby("Zoë", f"{RUN}01", "ws://127.0.0.1:8765"),
        ]
    assert await looked(*rooms, until=lambda found: not found) == []


async def test_what_cannot_be_right_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    network = AsyncZeroconf(interfaces=[*HERE])
    wrong: list[dict[str, str]] = [
        {"name": "Eve\x1b[2J", "room": f"{RUN}03"},
        {"name": "", "room": f"{RUN}04"},
        {"name": "Eve", "room": f"{RUN}05; rm"},
        {"name": "Eve", "room": "٧٣٤١"},
        {"name": "Eve", "room": "7" * 200},
        {},
    ]
    names = [f"wrong{number}-{RUN}.{SERVICE_TYPE}" for number in range(len(wrong))]
    answered: set[str] = set()

    class Heard(AsyncServiceInfo):
        """Notes who answered; the code under test judges their announcement."""

        async def async_request(self, *args: object, **kwargs: object) -> bool:
            done: bool = await super().async_request(*args, **kwargs)  # type: ignore[arg-type]
            if done:
                answered.add(self.name)
            return done

    async def register(name: str, said: dict[str, str]) -> None:
        service = AsyncServiceInfo(
            SERVICE_TYPE, name, parsed_addresses=[*HERE], port=1, properties=said, server=f"eve-{RUN}.local."
        )
        await (await network.async_register_service(service))

    await asyncio.gather(*map(register, names, wrong))
    async with announced("Ann", f"{RUN}07", HERE, 8765):
        monkeypatch.setattr(module, "AsyncServiceInfo", Heard)
        rooms = (f"{RUN}07", *(said.get("room", "") for said in wrong))
        hosts = await looked(*rooms, until=lambda found: bool(found) and answered.issuperset(names))
    assert answered.issuperset(names)
    assert hosts == [Nearby("Ann", f"{RUN}07", "ws://127.0.0.1:8765")]
    await network.async_close()
