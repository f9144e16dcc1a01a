"""Ways into a match elsewhere: host one, join one by its code, or watch one by its key."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from duelbox import __version__
from duelbox.core.errors import DuelboxError
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.friends.channel import Keys
from duelbox.friends.connection import Connection
from duelbox.friends.embedded_relay import be_relay_somewhere
from duelbox.friends.join_code import JoinCode, long_secret, new_join_code, read_join_code
from duelbox.friends.journal import MatchJournal, WayBack
from duelbox.friends.live_match import REFUSALS, LiveMatch, WatchedMatch, address, connecting, live_match
from duelbox.friends.messages import Hello
from duelbox.friends.missing_library import check_friends_available, require
from duelbox.friends.pairing import CodeUsedUp, Pairing
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.proposal import Proposal, sent_name
from duelbox.friends.side import WatcherSide
from duelbox.friends.watch_key import read_watch_key, watch_key
from duelbox.relay.address import listening_at, only_relay, own_address, relay_at
from duelbox.relay.wire import RoomLost, Ticket
from duelbox.store.store import Store

if TYPE_CHECKING:
    from duelbox.friends.client import RelayRoom

_LAST_WORD = 2.0
"""Seconds for telling the relay that a code is used up."""


@dataclass
class WaitingTable:
    """A host's table that waits for a friend; `friend` returns when one has joined with the code."""

    code: JoinCode
    hello: Hello
    way: WayBack
    store: Store
    resources: AsyncExitStack
    secret: str
    """The secret for watchers; empty if nobody may watch."""
    command: str = ""
    """The command of the program that plays for the host, if one does."""
    tell: Callable[[str], None] = lambda _: None
    """Called with a sentence about everybody who comes without knowing the code."""

    @property
    def address(self) -> str:
        """The address that stands behind the @ in the code."""
        return address(self.way)

    @property
    def watch(self) -> str:
        """The key that others watch with; empty if nobody may."""
        return f"{watch_key(self.code.room, self.secret)}@{self.address}" if self.secret else ""

    async def friend(self) -> LiveMatch:
        """Wait until a friend has joined; raises DuelboxError."""
        pairing = Pairing("host", self.code, self.hello, watch=self.secret, tell=self.tell)
        live = await _meet(pairing, self.way, self.store, self.resources)
        return replace(live, command=self.command)

    async def close(self) -> None:
        """Stop waiting."""
        await self.resources.aclose()


async def host(
    store: Store,
    session: Session,
    name: str,
    rounds: int = 1,
    *,
    lesson: bool = False,
    relay: str = "",
    paste: bool = False,
    near: bool = False,
    watch: bool = False,
    command: str = "",
) -> WaitingTable:
    """Open a table for a friend elsewhere, at this relay or else at one in this process; raises DuelboxError.

    `session` is the proposed game or position; both sides together draw what it leaves open. `paste` makes a long code,
    `near` announces the table on this network, `watch` lets others watch. `command` is that of a program that plays.
    """
    check_friends_available()
    proposal = Proposal.of(session)
    code, rules = proposal.code, proposal.rules()
    hello = Hello(app=__version__, name=sent_name(name), game=code, rules=rules, rounds=rounds, lesson=lesson)
    hello = hello.changed(program=bool(command))
    secret = long_secret(os.urandom) if watch else ""
    resources = AsyncExitStack()
    try:
        entrance = Keys.of_watchers(secret).entrance if watch else ""
        way = await _open_room(relay or only_relay(), entrance, store, resources)
        if near:
            await _announce(hello.name, way, resources)
    except BaseException:
        await resources.aclose()
        raise
    join_code = new_join_code(way.ticket.room, os.urandom, spoken=not paste and find_spec("spake2") is not None)
    return WaitingTable(join_code, hello, way, store, resources, secret, command)


async def _open_room(relay: str | None, entrance: str, store: Store, resources: AsyncExitStack) -> WayBack:
    """Open a room at this relay, or else at one in this process; raises DuelboxError."""
    from duelbox.friends.client import open_room

    if relay:
        return WayBack(ticket=await open_room(relay_at(relay), entrance))
    listen, embedded = await be_relay_somewhere(store, resources)
    return WayBack(ticket=await embedded.open(entrance), listen=listen)


async def _announce(name: str, way: WayBack, resources: AsyncExitStack) -> None:
    """Announce a table on this network until the resources are closed."""
    require("Being found on this network", "nearby", "zeroconf")
    if not way.listen:
        raise DuelboxError("A host with --nearby is the relay itself: leave out --relay.")
    from duelbox.friends.nearby import announced

    port = listening_at(way.listen).port
    await resources.enter_async_context(announced(name, way.ticket.room, [own_address()], port))


async def join(store: Store, text: str, relay: str = "", *, near: bool = False) -> LiveMatch:
    """Join the match of a friend's code as its guest; raises DuelboxError.

    The relay is the address behind the code, or is searched on this network, or else is this one.
    """
    check_friends_available()
    from duelbox.friends.client import enter_room

    code = read_join_code(text.partition("@")[0])
    if code.spoken:
        require("A code of three words", "net", "spake2")
    ticket = await enter_room(await relay_of(text, code.room, relay, near=near), code.room)
    return await _meet(Pairing("guest", code), WayBack(ticket=ticket), store, AsyncExitStack())


async def watch(text: str, relay: str = "", *, near: bool = False) -> WatchedMatch:
    """Watch the match of a key, once its host has proposed the game; raises DuelboxError."""
    check_friends_available()
    key = read_watch_key(text.partition("@")[0])
    entrance = Keys.of_watchers(key.secret).entrance
    relay = await relay_of(text, key.room, relay, near=near)
    connect = connecting(Ticket(relay=relay, room=key.room, who="watcher", key=entrance))
    watcher = WatcherSide(key)

    async def connected() -> RelayRoom:
        try:
            return await connect()
        except RoomLost as lost:
            if watcher.ledger.terms.hello is None:  # the relay was never reached
                raise DuelboxError(lost.sentence) from None
            raise

    connection = Connection(watcher, connected)
    try:
        await connection.reach(lambda: watcher.ledger.terms.hello is not None or watcher.stopped is not None)
        if why := watcher.stopped or watcher.ledger.why_unplayable():
            raise DuelboxError(REFUSALS.get(why, why))
    except BaseException:
        await connection.stop()
        raise
    return WatchedMatch(watcher, connection)


async def relay_of(text: str, room: str, relay: str, *, near: bool) -> str:
    """The relay of a typed code: the address behind it, or found nearby, or else `relay`; raises DuelboxError."""
    typed, _, behind = text.partition("@")
    if behind:
        return relay_at(behind)
    if near:
        return relay_at(await _found(room))
    address = relay or only_relay()
    if not address:
        raise DuelboxError(f"Where does your friend wait? Type their address behind the code: {typed.strip()}@ADDRESS")
    return relay_at(address)


async def _found(room: str) -> str:
    """The relay of the host on this network who waits in this room; raises DuelboxError."""
    require("Finding a friend on this network", "nearby", "zeroconf")
    from duelbox.friends.nearby import nearby

    for table in await nearby():
        if table.room == room:
            return table.relay
    raise DuelboxError(f"Nobody on this network waits with the code {room}. They have to type: duelbox host --nearby")


async def _meet(pairing: Pairing, way: WayBack, store: Store, resources: AsyncExitStack) -> LiveMatch:
    """Pair two players, and begin their match; raises DuelboxError."""
    connect = connecting(way.ticket)
    connection = Connection(pairing, connect)
    try:
        await connection.reach(lambda: bool(pairing.notes))
    except CodeUsedUp:
        with suppress(DuelboxError, TimeoutError):
            async with asyncio.timeout(_LAST_WORD):
                room = await connect()
                for n, body in pairing.outgoing():
                    await room.append(n, body)
                await room.close()
        raise
    finally:
        await connection.stop()
    journal = await asyncio.to_thread(MatchJournal.begin, store.folders, way, pairing.notes)
    try:
        side = PlayerSide(pairing.notes, hosts_room=bool(way.listen))
        return await live_match(side, journal, store, resources)
    except BaseException as error:
        await asyncio.to_thread(journal.wipe if isinstance(error, DuelboxError) else journal.close)
        raise


def guest_name(names: tuple[str, str]) -> str:
    """The default name of a guest, different from a host's default name."""
    return names[1] if names[0] == DEFAULT_NAMES[0] else names[0]
