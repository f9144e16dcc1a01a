"""A relay in the host's own process, for a match without another relay."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.friends.journal import journals, read
from duelbox.relay.address import PORT, check_reach, free_port, is_free, listening_at
from duelbox.store import files
from duelbox.store.store import Store

if TYPE_CHECKING:
    from duelbox.relay.server import Relay

_FOREVER = 10 * 365 * 86_400.0


async def be_relay(store: Store, resources: AsyncExitStack, listen: str) -> Relay:
    """Run a relay at this address until the resources are closed; raises DuelboxError."""
    check_reach()
    return await resources.enter_async_context(relaying(store, listen))


async def be_relay_somewhere(store: Store, resources: AsyncExitStack) -> tuple[str, Relay]:
    """Run a relay at the usual port, or else at any free one; returns its address, too."""
    listen = f"0.0.0.0:{PORT}"
    try:
        return listen, await be_relay(store, resources, listen)
    except DuelboxError:
        listen = f"0.0.0.0:{free_port()}"
        return listen, await be_relay(store, resources, listen)


@asynccontextmanager
async def relaying(store: Store, listen: str) -> AsyncIterator[Relay]:
    """Run a relay on which only this process opens rooms; its file goes when no match needs it any more."""
    from duelbox.relay.limits import Limits
    from duelbox.relay.server import serving

    # Each port has a file, since somebody who hosts two matches has two relays.
    path = store.folders.data / f"relay.{listen.rpartition(':')[2]}.db"

    try:
        files.check_database(path)
    except OSError as error:
        raise DuelboxError(f"This computer cannot host: {files.reason(error)}.") from None
    in_use = path.exists()  # perhaps by a match that was not continued yet
    try:
        limits = Limits(idle=_FOREVER, life=_FOREVER, open_to_all=False, connections=200, connections_an_address=50)
        async with serving(listen, path, limits=limits) as relay:
            in_use = False
            relay.address = f"ws://127.0.0.1:{listening_at(listen).port}"
            yield relay
    finally:
        if not in_use:
            await asyncio.to_thread(_remove, store, listen)


def remove_relays(store: Store) -> None:
    """Remove files of killed relays that no match needs any more."""
    for path in store.folders.data.glob("relay.*.db"):
        port = path.name.split(".")[1]
        if port.isdigit() and is_free(int(port)):
            _remove(store, f"0.0.0.0:{port}")


def _remove(store: Store, listen: str) -> None:
    """Remove the file of the relay at this address, unless a match needs it."""
    for journal in journals(store.folders):
        with suppress(DuelboxError):
            if read(journal).way.listen == listen:
                return
    for file in store.folders.data.glob(f"relay.{listening_at(listen).port}.db*"):
        with suppress(OSError):
            files.remove(file)
