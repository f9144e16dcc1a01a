"""A relay in the host's own process, for a match that has no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from duelbox.core.errors import DuelboxError
from duelbox.friends.journal import journals, look
from duelbox.relay.address import PORT, free_port, is_free, listening_at
from duelbox.store.store import Store

_FOREVER = 10 * 365 * 86_400.0


async def be_relay(store: Store, resources: AsyncExitStack, listen: str) -> None:
    """Be the relay at this address until the resources are let go of; raises DuelboxError."""
    await resources.enter_async_context(relaying(store, listen))


async def be_relay_somewhere(store: Store, resources: AsyncExitStack) -> str:
    """Be the relay at the usual port, or at any port that is free; returns the address."""
    listen = f"0.0.0.0:{PORT}"
    try:
        await be_relay(store, resources, listen)
    except DuelboxError:
        listen = f"0.0.0.0:{free_port()}"
        await be_relay(store, resources, listen)
    return listen


@asynccontextmanager
async def relaying(store: Store, listen: str) -> AsyncIterator[None]:
    """A relay in this process, whose file goes when no match needs it any more."""
    from duelbox.relay.limits import Limits
    from duelbox.relay.server import serving

    # A file for each port: whoever hosts two matches at once has two relays.
    path = store.folders.data / f"relay.{listen.rpartition(':')[2]}.db"

    in_use = path.exists()  # perhaps by a table of ours that nobody has come to yet
    try:
        async with serving(listen, path, limits=Limits(idle=_FOREVER, life=_FOREVER, rooms_an_address=10_000)):
            in_use = False
            yield
    finally:
        if not in_use:
            await asyncio.to_thread(_remove, store, listen)


def remove_relays(store: Store) -> None:
    """Remove the files of relays of this program that was killed, where no match needs them any more."""
    for path in store.folders.data.glob("relay.*.db"):
        port = path.name.split(".")[1]
        if port.isdigit() and is_free(int(port)):
            _remove(store, f"0.0.0.0:{port}")


def _remove(store: Store, listen: str) -> None:
    """Remove the file of the relay that listened there, unless a match needs it."""
    for journal in journals(store.folders):
        with suppress(DuelboxError):
            if look(journal)[0].listen == listen:
                return
    for file in store.folders.data.glob(f"relay.{listening_at(listen).port}.db*"):
        with suppress(OSError):
            file.unlink()
