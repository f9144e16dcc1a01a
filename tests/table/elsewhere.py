"""Helpers for matches elsewhere: the tables of two players in this process, with a relay between them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from duelbox.core.news import News
from duelbox.friends import lobby, unfinished
from duelbox.relay.server import serving
from duelbox.store.store import Store
from duelbox.table.new_game import read_new_game
from duelbox.table.remote import RemoteTable
from duelbox.table.watched import WatchedTable, table_of
from tests.relay.clients import GENEROUS

PATIENCE = 60.0
T = TypeVar("T", bound=News)
Stores = tuple[Store, Store]


async def host(store: Store, code: str, name: str, rounds: int = 1, **more: Any) -> lobby.WaitingTable:
    """Host a match, which waits for a friend."""
    return await lobby.host(store, read_new_game(code).for_friend, name, rounds, **more)


async def friend_at(waiting: lobby.WaitingTable) -> RemoteTable:
    """Wait for the friend; returns the host's table."""
    return table_of(await waiting.friend(), waiting.store)


async def join(store: Store, code: str, relay: str = "") -> RemoteTable:
    """Join a match; returns the guest's table."""
    return RemoteTable(await lobby.join(store, code, relay), store)


async def watch(key: str) -> RemoteTable:
    """Watch a match; returns the watcher's table."""
    return WatchedTable(await lobby.watch(key))


async def go_on(store: Store, path: Path) -> RemoteTable:
    """Go on with an unfinished match; returns the player's table."""
    return RemoteTable(await unfinished.go_on(store, path), store)


@contextmanager
def two_stores(folder: Path) -> Iterator[Stores]:
    """The stores of Ann and Bob."""
    with Store.open(folder / "ann") as ann, Store.open(folder / "bob") as bob:
        yield ann, bob


async def until(true: Callable[[], bool], *sittings: RemoteTable) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for one in sittings:
                while not one.news.empty():
                    one.news.get_nowait()
            await asyncio.sleep(0.005)
            if true():
                return


async def heard(one: RemoteTable, kind: type[T]) -> T:
    """Wait for the next news of this kind."""
    async with asyncio.timeout(PATIENCE):
        while not isinstance(told := await one.news.get(), kind):
            pass
        return told


@asynccontextmanager
async def two(
    folder: Path, code: str, rounds: int = 1, *, lesson: bool = False, relay: str = "", watched: bool = False
) -> AsyncIterator[tuple[RemoteTable, RemoteTable]]:
    """The tables of the host Ann and her friend Bob; both are left at the end."""
    async with serving(path=None, limits=GENEROUS) as own:
        with two_stores(folder) as stores:
            ann, bob = await pair_up(stores, code, rounds, lesson=lesson, relay=relay or own.address, watched=watched)
            try:
                yield ann, bob
            finally:
                await asyncio.gather(ann.leave(), bob.leave())


async def pair_up(
    stores: Stores,
    code: str,
    rounds: int = 1,
    *,
    lesson: bool = False,
    relay: str = "",
    guests_relay: str = "",
    watched: bool = False,
    command: str = "",
) -> tuple[RemoteTable, RemoteTable]:
    """Let two players meet, and wait for the first round; with a command, a program plays for the host."""
    more = {"lesson": lesson, "relay": relay, "watch": watched, "command": command}
    waiting = await host(stores[0], code, "Ann", rounds, **more)
    friend = asyncio.create_task(friend_at(waiting))
    at = "" if relay else f"@127.0.0.1:{waiting.way.listen.rpartition(':')[2]}"
    bob = await join(stores[1], f"{waiting.code}{at}", guests_relay or relay)
    ann = await friend
    bob.accept("Bob", lesson=lesson)
    await until(lambda: ann.ready and bob.ready, ann, bob)
    return ann, bob


async def play_out(ann: RemoteTable, bob: RemoteTable, rng: random.Random, most: int = 60) -> None:
    """Play random moves until the match is over; a long game is resigned."""
    while not (ann.over and bob.over):
        for one in (ann, bob):
            if one.shown_end and not one.over:
                one.next_round()
            elif one.my_turn:
                if len(one.session.plies) >= most:
                    one.propose("resign")
                else:
                    one.play(one.game.format_move(rng.choice(one.session.legal_moves())))
        await until(lambda: any(one.my_turn or one.shown_end for one in (ann, bob)), ann, bob)
