"""Games as a relay sees them: two players who take turns, come back when the connection dies, and note every answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from duelbox.net.client import RelayRoom, connect, enter_room, open_room
from duelbox.net.room import Entry, RoomLost, Ticket

PATIENT = 120.0


@dataclass
class Game:
    """One game; `kept` are the answers the players got: who, their number, its place in the room."""

    tickets: tuple[Ticket, Ticket]
    moves: int
    kept: list[tuple[str, int, int]] = field(default_factory=list)
    lost: int = 0
    """How often a connection died."""


def body(who: str, n: int) -> bytes:
    """What a player puts there; different each time, about as long as a sealed move."""
    return f"{who} {n} ".encode().ljust(300, b".")


async def opened(relays: list[str], moves: int) -> Game:
    """A game whose players are at different relays, where there are several."""
    host = await again(lambda: open_room(relays[0]))
    return Game((host, await again(lambda: enter_room(relays[-1], host.room))), moves)


async def again(work, tries: int = 100):
    """Do it until the relay answers."""
    for _ in range(tries):
        try:
            return await work()
        except RoomLost:
            await asyncio.sleep(0.1)
    return await work()


async def play(game: Game, on_kept: Callable[[], None] = lambda: None) -> None:
    """Play it to its end."""
    async with asyncio.timeout(PATIENT):
        await asyncio.gather(*(_play(game, ticket, on_kept) for ticket in game.tickets))


async def _play(game: Game, ticket: Ticket, on_kept: Callable[[], None]) -> None:
    mine = 0 if ticket.who == "host" else 1
    seen = 0

    async def move(room: RelayRoom) -> None:
        if seen % 2 == mine and seen < game.moves:
            n = seen // 2 + 1
            game.kept.append((ticket.who, n, await room.append(n, body(ticket.who, n))))
            on_kept()

    while seen < game.moves:
        try:
            room = await connect(ticket)
        except RoomLost:
            game.lost += 1
            await asyncio.sleep(0.1)
            continue
        try:
            await move(room)
            async for event in room.events(seen):
                if isinstance(event, Entry):
                    seen += 1
                    assert event.seq == seen
                    assert (event.who, event.n) == (("host", "guest")[(seen - 1) % 2], (seen + 1) // 2)
                    assert event.body == body(event.who, event.n)
                    if seen == game.moves:
                        break
                    await move(room)
        except RoomLost:
            game.lost += 1
        finally:
            await room.close()


async def check(game: Game) -> None:
    """Hold a finished game to it: whatever was acknowledged is there, in its place, once."""
    room = await again(lambda: connect(game.tickets[0]))
    found: dict[int, Entry] = {}
    async for event in room.events(0):
        if isinstance(event, Entry):
            found[event.seq] = event
            if len(found) == game.moves:
                break
    await room.close()
    assert [*found] == list(range(1, game.moves + 1))
    for who, n, seq in game.kept:
        assert (found[seq].who, found[seq].n, found[seq].body) == (who, n, body(who, n))
    assert {(who, n) for who, n, _ in game.kept} == {(entry.who, entry.n) for entry in found.values()}
