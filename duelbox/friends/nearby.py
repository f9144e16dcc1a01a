"""Tables announced on the local network, found without an address (extra `nearby`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from secrets import token_hex

from zeroconf import InterfaceChoice, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.names import clean_name
from duelbox.relay.address import HostPort, check_reach

SERVICE_TYPE = "_duelbox._tcp.local."
_HOST_ANSWERS_WITHIN = 1.5
"""Seconds in which a host must answer."""
_MOST_HOSTS = 50
"""At most this many announced hosts are asked; more would be an attack."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """A table that waits on this network; the words of its code are never announced."""

    name: str
    room: str
    relay: str


@asynccontextmanager
async def announced(name: str, room: str, addresses: Sequence[str], port: int) -> AsyncIterator[None]:
    """Announce that somebody of this name waits in a room of the relay here; raises DuelboxError.

    `addresses` are those at which this machine can be reached.
    """
    async with _network(addresses) as network:
        service = AsyncServiceInfo(
            SERVICE_TYPE,
            f"{token_hex(6)}.{SERVICE_TYPE}",
            parsed_addresses=[*addresses],
            port=port,
            properties={"name": name, "room": room},
            server=f"duelbox-{token_hex(6)}.local.",
        )
        await (await network.async_register_service(service))
        try:
            yield
        finally:
            await (await network.async_unregister_service(service))


async def nearby(seconds: float = 2.0, interfaces: Sequence[str] = ()) -> list[Nearby]:
    """The tables on this network, sorted by name, after so many seconds; raises DuelboxError."""
    services: set[str] = set()

    def note(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is not ServiceStateChange.Removed and len(services) < _MOST_HOSTS:
            services.add(name)
        elif state_change is ServiceStateChange.Removed:
            services.discard(name)

    async with _network(interfaces) as network:
        browser = AsyncServiceBrowser(network.zeroconf, [SERVICE_TYPE], handlers=[note])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        hosts = await asyncio.gather(*(_ask(network, name) for name in services))
    return sorted((host for host in hosts if host), key=lambda host: (host.name, host.room))


async def _ask(network: AsyncZeroconf, service: str) -> Nearby | None:
    """The table that a host announces, or None if the announcement cannot be right: anybody can send one."""
    info = AsyncServiceInfo(SERVICE_TYPE, service)
    if not await info.async_request(network.zeroconf, 1000 * _HOST_ANSWERS_WITHIN):
        return None
    properties = info.decoded_properties
    room, addresses = properties.get("room") or "", info.parsed_addresses()
    if not (room.isascii() and room.isdigit() and len(room) < 10 and addresses and info.port):
        return None
    try:
        name = clean_name(properties.get("name") or "")
    except BadName:
        return None
    return Nearby(name, room, f"ws://{HostPort(addresses[0], info.port)}")


@asynccontextmanager
async def _network(interfaces: Sequence[str]) -> AsyncIterator[AsyncZeroconf]:
    check_reach()
    try:
        network = AsyncZeroconf(interfaces=[*interfaces] or InterfaceChoice.Default)
    except OSError as error:
        raise DuelboxError(f"This network cannot be asked who is near: {error.strerror or error}.") from error
    try:
        yield network
    finally:
        await network.async_close()
