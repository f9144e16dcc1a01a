"""Addresses of relays: parsing what people type, and what this process may reach."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from ipaddress import ip_address
from typing import NamedTuple

from duelbox.core.errors import DuelboxError

PORT = 8765
"""The default port of a relay."""
MAX_PORT = 65_535
_HOST = r"\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253}"
URL = rf"wss?://(?:{_HOST})(?::[0-9]{{1,5}})?/?"
"""Pattern of a full address: a host and perhaps a port, without path, query or user name."""
_TYPED = re.compile(rf"(?:(wss?)://)?({_HOST})(?::([0-9]{{1,5}}))?/?", re.IGNORECASE)


ONLY_RELAY = "DUELBOX_ONLY_RELAY"
"""Variable set for visitors' processes: they listen nowhere and reach only this relay (empty: none)."""


def only_relay() -> str | None:
    """The only relay that this process may reach, empty for none; None if it may reach every relay."""
    return os.environ.get(ONLY_RELAY)


def check_reach(relay: str = "") -> None:
    """Raise DuelboxError if this process may not reach this relay; without one, if it may not listen or search."""
    only = only_relay()
    if only is not None and (not only or relay != relay_at(only)):
        raise DuelboxError(f"From here, friends elsewhere are met by {only or 'no relay'} alone.")


class HostPort(NamedTuple):
    """A host and a port."""

    host: str
    """A name, or an IP address without brackets."""
    port: int

    def __str__(self) -> str:
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def relay_at(text: str) -> str:
    """The URL of the relay at HOST[:PORT], ws://HOST[:PORT] or wss://HOST[:PORT]; raises DuelboxError."""
    match = _TYPED.fullmatch(text.strip())
    if match is None or not _can_be(match[2]) or (match[3] and not 0 < int(match[3]) <= MAX_PORT):
        raise DuelboxError(
            f"{text[:60]!a} is no address of a relay: it is a host, and perhaps a port. "
            "Right would be 192.168.1.5, host.example.org:8765 or wss://relay.example.org."
        )
    scheme, host, port = match.groups()
    if scheme is None:
        return f"ws://{host}:{port or PORT}"
    return f"{scheme.lower()}://{host}{f':{port}' if port else ''}"


def _can_be(host: str) -> bool:
    """The text is a possible name or address of a machine."""
    try:
        ip_address(host[1:-1]) if host[0] == "[" else host.encode("idna")
    except ValueError:
        return False
    return True


def listening_at(text: str) -> HostPort:
    """Parse HOST:PORT or [HOST]:PORT; raises DuelboxError."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port[:6]) <= MAX_PORT) or not host:
        raise DuelboxError(f"{text[:60]!a} is no address to listen at. Right would be 127.0.0.1:8765 or 0.0.0.0:8765.")
    return HostPort(host.removeprefix("[").removesuffix("]"), int(port))


def own_address() -> str:
    """The address of this machine in its network, or 127.0.0.1 if it is unknown."""
    from socket import AF_INET, SOCK_DGRAM, socket

    with suppress(OSError), socket(AF_INET, SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # this sends nothing
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def is_free(port: int) -> bool:
    """Nothing listens at this port."""
    from socket import SO_REUSEADDR, SOL_SOCKET, socket

    with suppress(OSError), socket() as probe:
        if os.name != "nt":
            probe.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        probe.bind(("", port))
        return True
    return False


def free_port() -> int:
    """A port at which nothing listens now."""
    from socket import socket

    with socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])
