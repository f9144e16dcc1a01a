"""A player elsewhere as a process of its own, for `tests.bench.far_kills`: goes on with its match and plays at random.

`python -m tests.bench.far_player HOME`: it prints "over ID" when the match is over, and waits for nothing else.
"""

from __future__ import annotations

import asyncio
import random
import sys

from duelbox.core.errors import DuelboxError
from duelbox.friends.unfinished import away, go_on
from duelbox.store.store import Store
from duelbox.table.remote import RemoteTable


async def play(home: str) -> None:
    """Play until the match is over."""
    rng, store = random.Random(), Store.open(home)
    found = away(store)
    if not found:  # killed while it put the match away
        print("over", store.history()[0].id, flush=True)
        return
    sitting = RemoteTable(await go_on(store, found[0].path), store)
    print("ready", flush=True)
    while not sitting.over:
        if sitting.shown_end:
            sitting.next_round()
        elif sitting.my_turn:
            try:
                sitting.play(sitting.game.format_move(rng.choice(sitting.session.legal_moves())))
            except DuelboxError as error:
                print(error.sentence, flush=True)
        if sitting.peer.stopped:
            print("stopped", sitting.peer.stopped, flush=True)
            return
        await asyncio.wait_for(sitting.news.get(), 60)
        await asyncio.sleep(rng.random() / 20)
    print("over", sitting.saved_as, flush=True)
    await asyncio.sleep(1)
    await sitting.leave()
    store.close()


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1]))
