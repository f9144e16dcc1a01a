"""Finding a friend elsewhere: a table opened for them, their code typed, and matches to go on with."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from duelbox import __version__
from duelbox.core.errors import DuelboxError
from duelbox.core.names import clean_name
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.net.channel import Keys
from duelbox.net.courier import Courier
from duelbox.net.extra import need
from duelbox.net.invitation import Proposal
from duelbox.net.meeting import CodeUsedUp, Meeting, can_speak
from duelbox.net.messages import Hello
from duelbox.net.notes import Note
from duelbox.net.peer import Peer, Watcher
from duelbox.net.room import RoomGone, RoomLost, Ticket
from duelbox.net.words import Code, fresh_code, long_secret, read_code, read_watch_key, watch_key
from duelbox.registry import title_of
from duelbox.sitting.elsewhere import Elsewhere
from duelbox.sitting.opening import Opening
from duelbox.sitting.watching import Watching
from duelbox.store.elsewhere import Journal, Way, journals, look
from duelbox.store.store import Store

if TYPE_CHECKING:
    from duelbox.net.client import RelayRoom

PORT = 8765
"""Where a host that is the relay itself listens, if it can."""
_WHAT = "Playing with a friend elsewhere"
_LAST_WORD = 2.0
WHY = {
    "version": "The two of you have versions of duelbox that do not speak with each other: update the older one.",
    "game": "Your friend proposes a game that is not installed here, or that this duelbox cannot read.",
    "rules": "The rules of this game differ between the two of you: update the older duelbox.",
}


def check_installed() -> None:
    """Raise DuelboxError, which says what to install, where matches elsewhere cannot be played."""
    need(_WHAT, "net", "websockets", "cryptography")


@dataclass
class Waiting:
    """A table that waits for a friend: `code` is to be told, then `friend` waits for them."""

    code: Code
    hello: Hello
    way: Way
    store: Store
    resources: AsyncExitStack
    secret: str
    """That of watchers, if there may be any."""

    @property
    def address(self) -> str:
        """The address behind the @ in the code that the friend types."""
        return _address(self.way)

    @property
    def watch(self) -> str:
        """The key that others watch with; empty where nobody may."""
        return f"{watch_key(self.code.room, self.secret)}@{self.address}" if self.secret else ""

    async def friend(self) -> Elsewhere:
        """The match, once the friend has typed the code; raises DuelboxError."""
        notes = await _meet(Meeting("host", self.code, self.hello, watch=self.secret), self.way.ticket)
        journal = await asyncio.to_thread(Journal.begin, self.store.folders, self.way, notes)
        return await _seated(Peer(notes), journal, self.store, self.resources)

    async def close(self) -> None:
        """Wait no longer."""
        await self.resources.aclose()


async def host(
    store: Store,
    asked: Opening,
    name: str,
    rounds: int = 1,
    *,
    lesson: bool = False,
    relay: str = "",
    paste: bool = False,
    near: bool = False,
    watch: bool = False,
) -> Waiting:
    """Open a table for a friend elsewhere: at this relay, or else at one in this very process; raises DuelboxError.

    `paste` makes a long code; `near` tells this network that somebody waits here; `watch` lets others look on.
    """
    check_installed()
    from duelbox.net.client import open_room

    session = asked.session
    proposal = Proposal.of(Session(session.game, session.options.undealt()) if asked.fresh else session)
    code, rules = proposal.code, proposal.rules()
    hello = Hello(app=__version__, name=clean_name(name), game=code, rules=rules, rounds=rounds, lesson=lesson)
    secret = long_secret(os.urandom) if watch else ""
    resources = AsyncExitStack()
    try:
        listen = "" if relay else await _serve_somewhere(store, resources)
        relay = relay or f"ws://127.0.0.1:{listen.rpartition(':')[2]}"
        ticket = await open_room(relay, Keys.of_watchers(secret).entrance if watch else "")
        if near:
            await _announce(hello.name, ticket.room, listen, resources)
    except BaseException:
        await resources.aclose()
        raise
    told = fresh_code(ticket.room, os.urandom, spoken=can_speak() and not paste)
    return Waiting(told, hello, Way(ticket=ticket, listen=listen), store, resources, secret)


async def _announce(name: str, room: str, listen: str, resources: AsyncExitStack) -> None:
    """Tell this network who waits here, for as long as the resources are held."""
    need("Being found on this network", "nearby", "zeroconf")
    if not listen:
        raise DuelboxError("A host with --nearby is the relay itself: leave out --relay.")
    from duelbox.net.nearby import announced

    port = int(listen.rpartition(":")[2])
    await resources.enter_async_context(announced(name, room, [own_address()], port))


async def join(store: Store, text: str, relay: str = "", *, near: bool = False) -> Elsewhere:
    """The match that a code of a friend leads to: `invitation` says what they propose. Raises DuelboxError.

    They wait at the address behind the code, or are looked for on this network, or else wait at this relay.
    """
    check_installed()
    from duelbox.net.client import enter_room

    code = read_code(text.partition("@")[0])
    if code.spoken:
        need("A code of three words", "net", "spake2")
    ticket = await enter_room(await relay_of(text, code.room, relay, near=near), code.room)
    notes = await _meet(Meeting("guest", code), ticket)
    journal = await asyncio.to_thread(Journal.begin, store.folders, Way(ticket=ticket), notes)
    try:
        return await _seated(Peer(notes), journal, store, AsyncExitStack())
    except BaseException as error:
        await asyncio.to_thread(journal.wipe if isinstance(error, DuelboxError) else journal.close)
        raise


async def watch(text: str, relay: str = "", *, near: bool = False) -> Watching:
    """The match that a key for watchers leads to, once its host has named the game; raises DuelboxError."""
    check_installed()
    key = read_watch_key(text.partition("@")[0])
    entrance = Keys.of_watchers(key.secret).entrance
    relay = await relay_of(text, key.room, relay, near=near)
    connect = connecting(Ticket(relay=relay, room=key.room, who="watcher", key=entrance))
    watcher = Watcher(key)

    async def connected() -> RelayRoom:
        try:
            return await connect()
        except RoomLost as lost:
            if watcher.ledger.hello is None:  # it was never there
                raise DuelboxError(lost.sentence) from None
            raise

    courier = Courier(watcher, connected)
    try:
        await courier.reach(lambda: watcher.ledger.hello is not None or watcher.stopped is not None)
        if why := watcher.stopped or watcher.ledger.propose():
            raise DuelboxError(WHY.get(why, why))
    except BaseException:
        await courier.stop()
        raise
    return Watching(watcher, courier)


async def relay_of(text: str, room: str, relay: str, *, near: bool) -> str:
    """Where the room of a code that was typed is, by the address behind it or else as said; raises DuelboxError."""
    typed, _, address = text.partition("@")
    found = relay_at(address) if address else await _found(room) if near else relay
    if not found:
        raise DuelboxError(f"Where does your friend wait? Type their address behind the code: {typed.strip()}@ADDRESS")
    return found


async def _found(room: str) -> str:
    """The relay of the host on this network who waits in this room; raises DuelboxError."""
    need("Finding a friend on this network", "nearby", "zeroconf")
    from duelbox.net.nearby import nearby

    for one in await nearby():
        if one.room == room:
            return one.relay
    raise DuelboxError(f"Nobody on this network waits with the code {room}. They have to type: duelbox host --nearby")


async def go_on(store: Store, path: Path) -> Elsewhere:
    """A match that was begun before, without a new code; raises DuelboxError."""
    check_installed()
    journal = await asyncio.to_thread(Journal.open, path)
    resources = AsyncExitStack()
    try:
        if journal.way.listen:
            await _serve_again(store, resources, journal.way)
        return await _seated(_side(path, journal.notes), journal, store, resources)
    except BaseException as error:
        await resources.aclose()
        gone = isinstance(error, RoomGone) and journal.way.proven
        await asyncio.to_thread(journal.set_aside if gone else journal.close)
        raise


def _side(path: Path, notes: Sequence[Note]) -> Peer:
    """The side of a match that is remembered in a file; raises DuelboxError."""
    try:
        return Peer(notes)
    except Exception:  # whatever trips over notes that were changed
        raise DuelboxError(f"{path.name} is damaged, and its match cannot go on.") from None


async def _seated(peer: Peer, journal: Journal, store: Store, resources: AsyncExitStack) -> Elsewhere:
    """The match of a peer, once it is known what is played."""
    peer.start()
    way, ledger = journal.way, peer.ledger

    async def keep(notes: Sequence[Note]) -> None:
        await asyncio.to_thread(journal.add, notes)

    connect = connecting(way.ticket, (lambda: _serve(store, resources, way.listen)) if way.listen else None)
    courier = Courier(peer, connect, keep)
    try:
        if peer.hello is None and ledger.hello is None and peer.stopped is None:
            await courier.reach(lambda: ledger.hello is not None or peer.stopped is not None)
        if peer.hello is None and ledger.hello is None:
            raise DuelboxError(peer.stopped or "Your friend proposes nothing.")
        if ledger.stage in ("asked", "refused") and (why := ledger.propose() if peer.me else None):
            raise DuelboxError(WHY[why])
    except BaseException:
        await courier.stop()
        raise
    elsewhere = Elsewhere(peer, courier, journal, store, resources)
    elsewhere.watch = f"{peer.watch}@{_address(way)}" if peer.watch else ""
    return elsewhere


async def _meet(meeting: Meeting, ticket: Ticket) -> list[Note]:
    """How the match begins, once the two have found each other; raises DuelboxError."""
    connect = connecting(ticket)
    courier = Courier(meeting, connect)
    try:
        await courier.reach(lambda: bool(meeting.notes))
    except CodeUsedUp:
        with suppress(DuelboxError, TimeoutError):
            async with asyncio.timeout(_LAST_WORD):
                room = await connect()
                for n, body in meeting.outgoing():
                    await room.append(n, body)
                await room.close()
        raise
    finally:
        await courier.stop()
    return meeting.notes


def connecting(
    ticket: Ticket, serve: Callable[[], Awaitable[None]] | None = None
) -> Callable[[], Awaitable[RelayRoom]]:
    """How one connects to a room; `serve` makes this process its relay, where no other is any more."""

    async def connect_again() -> RelayRoom:
        from duelbox.net.client import connect

        try:
            return await connect(ticket)
        except RoomLost:
            if serve is None:
                raise
        try:
            await serve()
        except DuelboxError as error:
            raise RoomLost(error.sentence) from None
        return await connect(ticket)

    return connect_again


async def _serve(store: Store, resources: AsyncExitStack, listen: str) -> None:
    await resources.enter_async_context(_relaying(store, listen))


async def _serve_somewhere(store: Store, resources: AsyncExitStack) -> str:
    """Be the relay where one is looked for first, or at any port; returns where."""
    listen = f"0.0.0.0:{PORT}"
    try:
        await _serve(store, resources, listen)
    except DuelboxError:
        listen = f"0.0.0.0:{_free_port()}"
        await _serve(store, resources, listen)
    return listen


@asynccontextmanager
async def _relaying(store: Store, listen: str) -> AsyncIterator[None]:
    """A relay in this process, whose file goes when no match needs it any more."""
    from duelbox.relay.limits import Limits
    from duelbox.relay.server import serving

    forever = 10 * 365 * 86_400.0
    # A file for each port: whoever hosts two matches at once has two relays.
    path = store.folders.data / f"relay.{listen.rpartition(':')[2]}.db"

    def tidy() -> None:
        for journal in journals(store.folders):
            with suppress(DuelboxError):
                if look(journal)[0].listen == listen:
                    return
        for file in path.parent.glob(f"{path.name}*"):
            with suppress(OSError):
                file.unlink()

    in_use = path.exists()  # perhaps by a table of ours that nobody has come to yet
    try:
        async with serving(listen, path, limits=Limits(idle=forever, life=forever, rooms_an_address=10_000)):
            in_use = False
            yield
    finally:
        if not in_use:
            await asyncio.to_thread(tidy)


async def _serve_again(store: Store, resources: AsyncExitStack, way: Way) -> None:
    """Be the relay where one was before, unless another match that is played here is that relay by now."""
    try:
        await _serve(store, resources, way.listen)
    except DuelboxError as taken:
        try:
            room = await connecting(way.ticket)()
        except DuelboxError:
            raise taken from None
        await room.close()


def _free_port() -> int:
    from socket import socket

    with socket() as found:
        found.bind(("", 0))
        return int(found.getsockname()[1])


def guest_name(names: tuple[str, str]) -> str:
    """What a guest is called who says nothing: not as a host who says nothing."""
    return names[1] if names[0] == DEFAULT_NAMES[0] else names[0]


def relay_at(text: str) -> str:
    """The relay at HOST[:PORT], or as it is where it names its kind; raises DuelboxError."""
    if re.match("wss?://", text):
        return text
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?", text.strip())
    if match is None:
        raise DuelboxError(f"{text[:40]!a} is no address. Right would be 192.168.1.5, or host.example.org:8765.")
    return f"ws://{match[1]}:{match[2] or PORT}"


def _address(way: Way) -> str:
    """The address behind the @ in a code for the room at the end of this way."""
    port = way.listen.rpartition(":")[2]
    return f"{own_address()}:{port}".removesuffix(f":{PORT}") if port else way.ticket.relay


def own_address() -> str:
    """The address of this machine in its own network, as far as it can be told."""
    from socket import AF_INET, SOCK_DGRAM, socket

    with suppress(OSError), socket(AF_INET, SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing
        return str(probe.getsockname()[0])
    return "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Away:
    """A match elsewhere that is not over for both, as home lists it."""

    path: Path
    title: str
    rival: str
    my_move: bool
    over: bool

    @property
    def sentence(self) -> str:
        """Against whom it is, and who is to move, or has yet to see the end."""
        now = "they have not seen the end" if self.over else "your move" if self.my_move else "their move"
        return f"against {self.rival or 'a friend'}, {now}"

    @property
    def news(self) -> str:
        """The same, short enough for a line of home whatever the friend is called."""
        if self.my_move and not self.over:
            return f"Your move against {self.rival or 'a friend'}"
        return f"{self.rival or 'A friend'} {'has not seen the end' if self.over else 'is to move'}"


def away(store: Store) -> tuple[Away, ...]:
    """All matches elsewhere that can be gone on with, the one played last first."""
    found = []
    for path in journals(store.folders):
        with suppress(DuelboxError):
            ledger = _side(path, look(path)[1]).ledger
            hello = ledger.hello
            game = ledger.proposal.game.INFO.id if ledger.proposal else hello.game.partition(":")[0] if hello else ""
            title, rival = title_of(game) if game else "A match", ledger.players[1 - ledger.me]
            found.append(Away(path, title, rival, ledger.my_turn, ledger.stage == "over"))
    return tuple(found)
