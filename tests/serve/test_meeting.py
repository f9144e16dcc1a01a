"""A visitor of a server and a friend at home sit down at one table, through a relay."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from duelbox.relay.server import serving as relaying
from duelbox.store.store import Store
from tests.effort import SHARE
from tests.serve.server import PATIENCE, Server, Visitor
from tests.table.elsewhere import friend_at, host

pytestmark = [
    pytest.mark.skipif(SHARE > 1, reason="tried by --long: each of the two is always tried with another"),
    pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc"),
]


async def test_a_visitor_and_a_friend_at_home_play_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with relaying("127.0.0.1:0", None) as relay:
        monkeypatch.setenv("DUELBOX_RELAY", relay.address)
        server = await asyncio.to_thread(Server, tmp_path, "--port", "0")
        try:
            with Store.open(tmp_path / "home") as store:
                waiting = await host(store, "sequence-duel", "Bo", relay=relay.address)
                coming = asyncio.create_task(friend_at(waiting))
                async with Visitor(server) as visitor, asyncio.timeout(3 * PATIENCE):
                    await visitor.see("New game")
                    await visitor.type("o")
                    await visitor.see("A friend elsewhere", "code")
                    await visitor.type(f"{waiting.code}\r")
                    await visitor.see("invites you")
                    friend = await coming
                    await visitor.type("\r")
                    while not friend.ready:
                        await asyncio.sleep(0.05)
                    if friend.my_turn:
                        friend.play("5")
                        await visitor.see("Bo claims 5.")
                    await visitor.type("10\r")
                    while friend.session.code()[-2:] != "10":
                        await asyncio.sleep(0.05)
                    await friend.leave()
        finally:
            await asyncio.to_thread(server.close)
