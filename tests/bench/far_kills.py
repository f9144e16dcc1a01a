"""Matches elsewhere between processes that are killed: `python -m tests.bench.far_kills [KILLS]`.

Two players, each a process, in a room of a relay here; at any moment one of them is killed outright and started again.
Every match has to end, in the same record on both sides.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from pathlib import Path

from duelbox.relay.server import serving
from duelbox.store.store import Store
from tests.table.elsewhere import GENEROUS, pair_up

CODES = ("number-duel", "sequence-duel", "digit-chain:zero=no-tens,gaps=40", "number-duel:victors_stay=on")
PATIENCE = 400.0


async def player(home: Path) -> asyncio.subprocess.Process:
    """A player at work, once it has taken up its match."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.far_player", str(home), stdout=asyncio.subprocess.PIPE
    )


async def match(folder: Path, code: str, rng: random.Random, relay: str) -> tuple[int, list[str]]:
    """One match to its end; how many were killed, and what is wrong."""
    homes = folder / "ann", folder / "bob"
    stores = Store.open(homes[0]), Store.open(homes[1])
    for one in await pair_up(stores, code, 2, relay=relay):
        await one.leave()
    for store in stores:
        store.close()
    kills, told = 0, dict.fromkeys(homes, "")

    async def run(home: Path) -> None:
        nonlocal kills
        while not told[home].startswith(("over", "stopped")):
            process = await player(home)
            assert process.stdout
            told[home] = (await process.stdout.readline()).decode().strip()
            try:
                async with asyncio.timeout(rng.expovariate(1 / 3)):
                    async for line in process.stdout:
                        told[home] = line.decode().strip() or told[home]
            except TimeoutError:  # kill it, wherever it is
                kills += process.returncode is None
                process.kill()
            await process.wait()

    try:
        await asyncio.wait_for(asyncio.gather(*map(run, homes)), PATIENCE)
    except TimeoutError:
        return kills, [f"{code}: stuck at {[*told.values()]}"]
    records = []
    for home in homes:
        with Store.open(home) as store:
            records += [store.export(one.id) for one in store.history()]
    if len(records) != 2 or records[0] != records[1]:
        return kills, [f"{code}: {len(records)} records, not the same; {[*told.values()]}"]
    return kills, []


async def kill(kills: int) -> list[str]:
    """So many kills, and all that is wrong."""
    rng, done, matches, faults = random.Random(1), 0, 0, list[str]()
    async with serving(limits=GENEROUS) as relay:
        while done < kills:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                killed, found = await match(Path(folder), CODES[matches % len(CODES)], rng, relay.address)
            done, matches, faults = done + killed, matches + 1, faults + found
            print(f"{done} kills in {matches} matches, {len(faults)} faults", flush=True)
    return faults


def main() -> int:
    """Print the figures; 1 if anything is wrong."""
    faults = asyncio.run(kill(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
    for fault in faults[:10]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
