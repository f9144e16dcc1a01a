"""Matches elsewhere between processes, under attack: `python -m tests.bench.far_kills [MATCHES]`.

Two players and a relay are processes. In turn, players are killed at random moments and restarted; the relay is, too; a
line changes bytes; one player never comes back; a player dies right after offering a rematch; a host who is the relay
sets its clock 13 hours ahead and claims the game; a host who is the relay is killed, and comes back when the guest has
ended the match alone. Every match must end with the same record on both sides.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from duelbox.relay.address import free_port
from duelbox.store.store import Store
from duelbox.store.unconfirmed import unconfirmed
from tests.friends.test_flips import Line, over
from tests.table.elsewhere import pair_up

CODES = ("number-duel", "sequence-duel", "digit-chain:zero=no-tens,gaps=40", "number-duel:victors_stay=on")
KINDS = ("kills", "relay", "flips", "gone", "rematch", "host", "clock")
OWN_RELAY = ("host", "clock")
"""Kinds of matches in which the host's process is the relay."""
PATIENCE = 120.0
HOURS = "hours=3"


@dataclass
class Tally:
    """Counts of attacks, and the faults found."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class RelayProcess:
    """A relay with a file, killed and restarted at the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._arguments = ["--listen", f"127.0.0.1:{self.port}", "--file", str(folder / "relay.db")]
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "duelbox", "relay", *self._arguments]
        quiet = asyncio.subprocess.DEVNULL
        self.process = await asyncio.create_subprocess_exec(*command, stdout=quiet, stderr=quiet)
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                return writer.close()

    async def kill(self) -> None:
        assert self.process
        self.process.kill()
        await self.process.wait()


class Match:
    """One match of one kind."""

    def __init__(self, kind: str, code: str, folder: Path, rng: random.Random, tally: Tally) -> None:
        self.kind, self.code, self.rng, self.tally = kind, code, rng, tally
        self.homes = folder / "ann", folder / "bob"
        self.told = dict.fromkeys(self.homes, "")

    async def player(self, home: Path, *deeds: str, kills: bool = False) -> None:
        """Run a player, restarted after each death, until its match is over."""
        while not self.told[home].startswith(("over", "stopped")):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.bench.far_player", str(home), *deeds, stdout=asyncio.subprocess.PIPE
            )
            assert process.stdout
            try:
                async with asyncio.timeout(self.rng.expovariate(1 / 2) + 1 if kills else None):
                    async for line in process.stdout:
                        self.told[home] = line.decode().strip() or self.told[home]
            except TimeoutError:  # kill it at any point
                self.tally.counts["kills of a player"] += process.returncode is None
            finally:
                if process.returncode is None:
                    process.kill()
                await process.wait()

    async def play(self, relay: RelayProcess) -> None:
        """Play the match according to its kind."""
        ann, bob = self.homes
        if self.kind == "kills":
            await asyncio.gather(self.player(ann, kills=True), self.player(bob, kills=True))
        elif self.kind == "relay":
            killing = asyncio.create_task(self.kill_relay(relay))
            await asyncio.gather(self.player(ann, kills=True), self.player(bob))
            killing.cancel()
        elif self.kind == "gone":
            gone, here = self.rng.sample(self.homes, 2)
            leaves = asyncio.create_task(self.player(gone, HOURS))
            stays = asyncio.create_task(self.player(here, HOURS, "claim"))
            while not self.told[gone] and not leaves.done():
                await asyncio.sleep(0.02)
            await asyncio.sleep(self.rng.uniform(0, 1))
            leaves.cancel()
            await asyncio.gather(leaves, return_exceptions=True)
            self.tally.counts["gone for good"] += not self.told[gone].startswith("over")
            await stays
            await self.player(gone, HOURS)
        elif self.kind == "host":
            await self.lose_host()
        elif self.kind == "rematch":
            first = asyncio.create_task(self.player(ann, "offer"))
            await self.player(bob, "accept")
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            await self.player(ann)
        else:
            await asyncio.gather(self.player(ann), self.player(bob))

    async def lose_host(self) -> None:
        """Kill the host with the room at any moment; the guest ends the match alone, and then the host comes back."""
        ann, bob = self.homes
        leaves = asyncio.create_task(self.player(ann, HOURS))
        stays = asyncio.create_task(self.player(bob, HOURS, "claim"))
        while not (self.told[ann] and self.told[bob]) and not leaves.done():
            await asyncio.sleep(0.02)
        await asyncio.sleep(self.rng.uniform(0, 1.5))
        leaves.cancel()
        await asyncio.gather(leaves, return_exceptions=True)
        self.tally.counts["hosts lost with the room"] += not self.told[ann].startswith("over")
        await stays
        with Store.open(bob) as store:
            early = unconfirmed(store)
            self.tally.counts["ends without the room"] += len(early)
            self.tally.counts["of them won by a move"] += sum('"by": "play"' in store.export(one) for one in early)
        self.told[bob] = ""
        await asyncio.gather(self.player(ann, HOURS), self.player(bob, HOURS, "confirm"))

    async def kill_relay(self, relay: RelayProcess) -> None:
        while True:
            await asyncio.sleep(self.rng.uniform(0.5, 3))
            await relay.kill()
            self.tally.counts["kills of the relay"] += 1
            await relay.start()

    async def lie(self) -> None:
        """The host is the relay, 13 hours ahead, and claims; the guest is there and does not move."""
        ann, bob = self.homes
        liar = asyncio.create_task(self.player(ann, "clock=46800"))
        honest = asyncio.create_task(self.player(bob, "idle"))
        await asyncio.sleep(75 if self.tally.counts["clock"] < 1 else 12)
        for one in (liar, honest):
            one.cancel()
        await asyncio.gather(liar, honest, return_exceptions=True)
        self.tally.counts["claims with a false clock"] += self.told[ann] != "ready"
        if self.told[bob].startswith("over"):
            self.tally.faults.append(f"the clock took a game: {self.told}")

    def judge(self) -> None:
        """Compare the records of both sides."""
        records: list[set[str]] = []
        for home in self.homes:
            with Store.open(home) as store:
                records.append({store.export(one.id) for one in store.history()})
                if unconfirmed(store):
                    self.tally.faults.append(f"{self.kind} {self.code}: not confirmed")
        if not records[0] or records[0] != records[1]:
            counts = [*map(len, records)]
            self.tally.faults.append(f"{self.kind} {self.code}: {counts} records, {[*self.told.values()]}")


async def one_match(at: int, rng: random.Random, tally: Tally) -> None:
    """Pair two players and let them play."""
    kind, code = KINDS[at % len(KINDS)], rng.choice(CODES)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        match = Match(kind, code, Path(name), rng, tally)
        stores = Store.open(match.homes[0]), Store.open(match.homes[1])
        relay = RelayProcess(Path(name))
        await relay.start()
        line = Line(relay.port, rng)
        try:
            async with over(line) as address, asyncio.timeout(PATIENCE):
                at_relay = "" if kind in OWN_RELAY else address
                for one in await pair_up(stores, code, rng.choice((1, 2, 3)), relay=at_relay):
                    await one.leave()
                for store in stores:
                    store.close()
                line.bad = kind == "flips"
                await (match.lie() if kind == "clock" else match.play(relay))
            if kind != "clock":
                match.judge()
        except TimeoutError:
            tally.faults.append(f"{kind} {code}: stuck at {[*match.told.values()]}")
        finally:
            await relay.kill()
        tally.counts["flipped bytes"] += line.flips
        tally.counts[kind] += 1


async def main(matches: int) -> int:
    """Print the counts; return 1 if a fault was found."""
    rng, tally, began = random.Random(1), Tally(), time.monotonic()
    for at in range(matches):
        await one_match(at, rng, tally)
        print(f"{at + 1} matches, {time.monotonic() - began:.0f} s: {dict(tally.counts)}, {tally.faults}", flush=True)
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 150)))
