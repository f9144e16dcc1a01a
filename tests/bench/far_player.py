"""A player elsewhere as a process, for `tests.bench.far_kills`: continues its match and plays at random.

`python -m tests.bench.far_player HOME [DEED...]` prints "over ID" when the match is over. The deeds: `hours=3` takes 3
seconds for twelve hours; `claim` claims the game when possible; `idle` never moves; `offer` offers a rematch at the end
and dies; `accept` accepts one; `clock=46800` sets all clocks of this process ahead by so many seconds; `confirm` stays
until the room has the end.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from contextlib import suppress

from duelbox.core.errors import DuelboxError
from duelbox.friends import claims, connection, player_side, times
from duelbox.friends.messages import Claim
from duelbox.friends.unfinished import away, go_on
from duelbox.relay import rooms
from duelbox.store.store import Store
from duelbox.table.remote import RemoteTable


def prepare(deeds: dict[str, str]) -> None:
    """Change the clocks of this process."""
    if "hours" in deeds:
        claims.AFTER, claims.STANDS = int(deeds["hours"]), 2
        player_side._SLACK, connection._TICK, connection._LATEST = 1, 0.3, 0.5
        times._TOUCH = 0
    if "clock" in deeds:
        ahead, true = int(deeds["clock"]), time.time
        time.time = rooms.time = lambda: true() + ahead  # type: ignore[assignment]


def move(table: RemoteTable, rng: random.Random, deeds: dict[str, str]) -> None:
    """Move, claim or wait."""
    with suppress(DuelboxError):
        if table.shown_end:
            table.next_round()
        if table.my_turn and "idle" not in deeds:
            table.play(table.game.format_move(rng.choice(table.session.legal_moves())))
        elif (
            "clock" in deeds and rng.random() < 0.1 and not table.side.ledger.owes(table.me)
        ):  # a liar's program asks for no leave
            table._send(table.side._put_once, Claim())
            print("claimed", flush=True)
        elif "claim" in deeds and table.why_not("claim") is None:
            table.propose("claim")
            print("claimed", flush=True)


async def again(table: RemoteTable, deeds: dict[str, str]) -> None:
    """Offer a rematch and die; or accept one, and call it off where nobody is there."""
    if "offer" in deeds:
        table.propose("rematch")
        await asyncio.sleep(random.random() / 4)
        os._exit(9)
    for _ in range(100):
        await asyncio.sleep(0.05)
        if offer := table.offered:
            with suppress(DuelboxError):
                table.answer(offer.id, yes=True)
        if not table.over and not table.here and table.side.ledger.why_no_resignation() is None:
            with suppress(DuelboxError):
                table.propose("resign")


async def play(home: str, deeds: dict[str, str]) -> None:
    """Play until the match ends."""
    prepare(deeds)
    rng, store = random.Random(), Store.open(home)
    found = away(store)
    if not found:  # killed while it archived the match
        print("over", store.history()[0].id, flush=True)
        return
    table = RemoteTable(await go_on(store, found[0].path), store)
    print("ready", flush=True)
    while not table.over or ("confirm" in deeds and table.side.ledger.stage != "over"):
        move(table, rng, deeds)
        if table.side.stopped:
            print("stopped", table.side.stopped, flush=True)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(table.news.get(), 0.5)
        await asyncio.sleep(rng.random() / 20)
    if {"offer", "accept"} & deeds.keys():
        await again(table, deeds)
    print("over" if table.over else f"in {table.side.ledger.stage}", table.saved_as, flush=True)
    await asyncio.sleep(1)
    await table.leave()
    store.close()


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], dict((*one.split("="), "")[:2] for one in sys.argv[2:])))
