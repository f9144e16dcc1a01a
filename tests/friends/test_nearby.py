"""Finding a host on the same network: here a network of one machine."""

from __future__ import annotations

import asyncio

from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from duelbox.friends.nearby import KIND, Nearby, announced, nearby

HERE = ("127.0.0.1",)


async def found(*rooms: str) -> list[Nearby]:
    """Who waits in these rooms; other tests may be about."""
    return [host for host in await nearby(0.5, HERE) if host.room in rooms]


async def test_who_waits_is_found_until_they_go() -> None:
    async with announced("Zoë", "734101", HERE, 8765), announced("Bob", "734102", HERE, 9000):
        assert await found("734101", "734102") == [
            Nearby("Bob", "734102", "ws://127.0.0.1:9000"),
            Nearby("Zoë", "734101", "ws://127.0.0.1:8765"),
        ]
    assert await found("734101", "734102") == []


async def test_what_cannot_be_right_is_left_out() -> None:
    network = AsyncZeroconf(interfaces=[*HERE])
    wrong: list[dict[str, str]] = [
        {"name": "Eve\x1b[2J", "room": "734103"},
        {"name": "", "room": "734104"},
        {"name": "Eve", "room": "734105; rm"},
        {"name": "Eve", "room": "٧٣٤١"},
        {"name": "Eve", "room": "7" * 200},
        {},
    ]

    async def register(number: int, said: dict[str, str]) -> None:
        name = f"wrong{number}.{KIND}"
        service = AsyncServiceInfo(KIND, name, parsed_addresses=[*HERE], port=1, properties=said, server="eve.local.")
        await network.async_register_service(service)

    await asyncio.gather(*(register(number, said) for number, said in enumerate(wrong)))
    async with announced("Ann", "734107", HERE, 8765):
        hosts = await nearby(0.5, HERE)
    assert "Ann" in {host.name for host in hosts}
    assert not [host for host in hosts if host.name.startswith("Eve") or host.room in ("734103", "734104")]
    await network.async_close()
