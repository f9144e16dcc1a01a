"""kill -9 while games are imported, finished, deleted, marked, or the index is made anew:
`python -m tests.store.change_kills KILLS [SEED]`.

After each kill, all that was acknowledged must be there, and no deleted game may be back.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from duelbox.store.archive import read_match
from duelbox.store.store import EVERYTHING, Store
from tests.store.kills import told_until_killed
from tests.store.play import new_game

CODE = "sequence-duel/{}.{}.{}"
KINDS = ("import", "anew", "delete", "mark", "finish")


@dataclass
class Truth:
    """Everything that was acknowledged."""

    alive: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    count: int = 0

    def note(self, word: str, name: str) -> None:
        self.count += 1
        if word == "in":
            self.alive.add(name)
        elif word == "out":
            self.alive.discard(name)
            self.dead.add(name)
        else:
            self.marks.add(name)


def change(store: Store, kind: str, rng: Random) -> list[tuple[str, str]]:
    """Make a change; returns what it put in or out."""
    code = CODE.format(rng.randint(1, 3), rng.randint(10, 12), rng.randint(15, 17))
    if kind == "import":
        return [("in", match_id) for match_id in store.import_all([read_match(code) for _ in range(5)])]
    if kind == "mark":
        name = f"{rng.random()}"
        store.progress.add("lesson", name, 1)
        return [("mark", name)]
    if kind == "finish":
        saved, session = new_game(store)
        for text in ("4", "5", "6"):
            session.type(text)
            saved.sync(session).result()
        saved.close()
        store.count()  # waits for the close
        return [("in", saved.id)]
    match_id = store.import_text(code)
    if kind == "anew":
        (store.folders.index).unlink()
        return [("in", match_id), *(("in", one.id) for one in store.history(limit=1))]
    store.delete(match_id)
    return [("out", match_id)]


def change_until_killed(home: Path, writer: int, kind: str, seed: float) -> None:
    rng = Random(seed)
    with Store.open(home) as store:
        while True:
            for word, name in change(store, kind, rng):
                os.write(writer, f"{word} {name}\n".encode())


def kill_once(home: Path, kind: str, rng: Random, truth: Truth) -> None:
    """Kill a child that makes changes, and note what was acknowledged to it."""
    for line in told_until_killed(lambda writer: change_until_killed(home, writer, kind, rng.random()), rng):
        if line.endswith("\n"):
            truth.note(*line.split())


def faults(home: Path, truth: Truth) -> list[str]:
    """Compare a home with what was acknowledged."""
    with Store.open(home) as store:
        there = {one.id for one in store.history(limit=EVERYTHING)}
        found = [store.told.trouble] if store.told.trouble else []
        found += [f"{match_id} is lost" for match_id in truth.alive - there]
        found += [f"{match_id} is back" for match_id in truth.dead & there]
        found += [f"mark {name} is lost" for name in truth.marks - store.progress.newest("lesson").keys()]
        return found


def main() -> int:
    """Print the figures; returns 1 if there were faults."""
    kills, *seeds = map(int, sys.argv[1:])
    rng = Random(*seeds or [1])
    truth = Truth()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(kills):
            kill_once(Path(folder), KINDS[number % len(KINDS)], rng, truth)
            found += faults(Path(folder), truth)
    sys.stdout.write(f"{kills} kills, {truth.count} changes acknowledged, {len(found)} faults\n")
    for fault in found[:10]:
        sys.stdout.write(f"{fault}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
