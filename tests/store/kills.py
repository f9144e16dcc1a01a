"""kill -9 at random moments: `python -m tests.store.kills KILLS [SEED]`, while computers play against each other.

After each kill, the store must open without a notice, pass its check, and hold every acknowledged turn. The child
is forked, so that a kill costs no start of Python, and reports acknowledged turns through a pipe.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from duelbox.core.session import Session
from duelbox.store.autosave import Saved
from duelbox.store.store import Store
from tests.store.play import kept, play_match

LONGEST = 0.12


def told_until_killed(work: Callable[[int], None], rng: Random) -> list[str]:
    """Kill a child at its work; returns the lines it wrote to the pipe that it was given."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            work(writer)
        finally:
            os._exit(1)  # the folder is not the child's to remove
    os.close(writer)
    with open(reader, encoding="ascii") as reports:  # noqa: PTH123 - a descriptor, not a path
        told = [reports.readline()]
        time.sleep(rng.uniform(0, LONGEST))
        os.kill(child, signal.SIGKILL)
        told += reports.readlines()
    os.waitpid(child, 0)
    return told


def kill_once(home: Path, rng: Random) -> tuple[int, list[str]]:
    """Kill a child that plays; returns the number of turns acknowledged to it, and the faults found afterwards."""
    told = told_until_killed(lambda writer: _play(home, writer, rng.random()), rng)
    acknowledged = {line.split()[0]: line.split()[1:] for line in told if line.endswith("\n")}
    return len(told), _faults(home, acknowledged)


def _play(home: Path, writer: int, seed: float) -> None:
    rng = Random(seed)

    def told(saved: Saved, session: Session, number: int) -> None:
        os.write(writer, f"{saved.id} {kept(store, saved.id)[0]} {number} {session.code()}\n".encode())

    with Store.open(home) as store:
        while True:
            play_match(store, rng, told)


def _faults(home: Path, acknowledged: dict[str, list[str]]) -> list[str]:
    with Store.open(home) as store:
        faults = [store.notice] if store.notice else []
        faults += store.check()
        last = max((int(seq) for seq, _, _ in acknowledged.values()), default=0)
        for match_id, (seq, number, code) in acknowledged.items():
            there, _ = kept(store, match_id)
            if not int(seq) <= there <= last + 1:  # one more change was being written
                faults.append(f"{match_id}: at {there}, and {seq} was acknowledged")
            elif int(seq) == there and store.load(match_id).sessions[int(number)].code() != code:
                faults.append(f"{match_id}: not the position that was acknowledged")
        return faults


def main() -> int:
    """Print the figures; returns 1 if there were faults."""
    kills, *seeds = map(int, sys.argv[1:])
    rng, turns, faults = Random(*seeds or [1]), 0, []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for _ in range(kills):
            count, found = kill_once(home, rng)
            turns += count
            faults += found
    print(f"{kills} kills, {turns} turns acknowledged, {len(faults)} faults")
    for fault in faults[:10]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
