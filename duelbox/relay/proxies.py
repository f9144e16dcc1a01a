"""Client addresses that limits count, and proxies that are trusted to name them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from duelbox.core.errors import DuelboxError


def client_network(address: str) -> str:
    """The address that limits count; for IPv6 its /64 network, since anybody has 2^64 addresses of one."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)


class Proxies:
    """The addresses and networks whose X-Forwarded-For and X-Forwarded-Proto are trusted."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks = [_network(text) for text in networks]

    def trust(self, address: str) -> bool:
        """The address is a trusted proxy's."""
        with suppress(ValueError):
            parsed = ip_address(address.partition("%")[0])
            return any(parsed in network for network in self._networks)
        return False

    def client(self, address: str, forwarded: str) -> str:
        """The address that limits count, from the connection's address and its X-Forwarded-For."""
        return client_network(forwarded.rpartition(",")[2].strip() if forwarded and self.trust(address) else address)


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise DuelboxError(f"{text[:60]!a} is no address or network. Right would be 10.0.0.7 or 10.0.0.0/8.") from error
