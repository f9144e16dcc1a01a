"""The speed of the store: `python -m tests.bench.bench_store [HISTORY]`.

A move with autosave and without; a history of 100,000 matches opened, filtered and counted. Times are
medians and 99th percentiles; the yardstick tells how busy the machine was. A reach is held against
CPU time, the store's own thread counted in.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from time import perf_counter

from duelbox.core.record import PlayerInfo, Record
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.store import matches
from duelbox.store.journal import Journal
from duelbox.store.matches import Kept, Playing, written
from duelbox.store.records import HEADER
from duelbox.store.store import Store
from duelbox.store.times import moment
from tests.bench.measure import HEAD, Row, timed, yardstick
from tests.store.play import change

MOVES = 2000
PLAYERS = (PlayerInfo(name="Ann"), PlayerInfo(name="Computer", level="hard"))


async def moves(home: Path, yard: float) -> None:
    """Play games at random and wait for every move to be on disk, as the table does.

    Between the moves, a bare commit of one row is timed, since the disk may be busy with other things.
    """
    rng = Random(1)
    times: dict[str, list[float]] = {name: [] for name in ("bare", "move", "loop", "saved")}
    with Store.open(home) as store, closing(sqlite3.connect(home / "bare.db", isolation_level=None)) as bare:
        bare.execute("CREATE TABLE bare (x)")
        while len(times["move"]) < MOVES:
            game = find_game(rng.choice(game_ids()))
            session, saved = Session(game, game.Options()), store.begin(game.INFO.id, PLAYERS)
            while session.turn is not None:
                clock = [perf_counter()]
                session.play(rng.choice(session.legal_moves()))
                clock.append(perf_counter())
                future = saved.sync(session)
                clock.append(perf_counter())
                await asyncio.wrap_future(future)
                clock.append(perf_counter())
                bare.execute("INSERT INTO bare VALUES (1)")
                clock.append(perf_counter())
                played, called, done, committed = (1000 * (after - before) for before, after in pairwise(clock))
                times["move"].append(played)
                times["loop"].append(called)
                times["saved"].append(called + done)
                times["bare"].append(committed)
            saved.close()
    print(Row("one bare commit to this disk", wall=times["bare"]).line(yard))
    print(Row("a move without autosave", wall=times["move"]).line(yard))
    print(Row("what autosave adds, until it is on disk", wall=times["saved"]).line(yard))
    print(Row("what of that holds up the event loop", wall=times["loop"]).line(yard))


def build(home: Path, count: int) -> None:
    """Write many matches: copies of a few hundred played ones, each with its own id and time."""
    rng = Random(2)
    played = [_played(rng, at) for at in range(300)]
    with closing(Journal.open(home / "history.jsonl", new=True)) as history:
        history.add([HEADER])
        for done in range(0, count, 1000):
            lines = []
            for at in range(1000):
                summary, record, undone = played[at % 300]
                times = {"id": matches.new_id(), "last_played": moment(1_600_000_000_000 + rng.randrange(10**11))}
                lines.append(matches.line_of(Kept(summary.changed(**times), record, undone), done + at + 1))
            history.add(lines)


def _played(rng: Random, at: int) -> Kept:
    game = find_game(game_ids()[at % 5])
    one, two = PlayerInfo(name=rng.choice(("Ann", "Ben"))), rng.choice(("easy", "hard", "perfect"))
    session = Session(game, game.Options())
    while session.turn is not None and not (len(session.plies) > 8 and rng.random() < 0.01):
        change(session, rng)
    match = Record(game=game.INFO.id, players=(one, PlayerInfo(name="Computer", level=two)))
    ended = moment(at) if session.outcome else None
    return written(match, [Playing(session, moment(at), ended)], "", moment(at), imported=False)


def history(home: Path, count: int, yard: float) -> None:
    """Open a long history; filter, search and count it."""
    began = perf_counter()
    home.mkdir()
    build(home, count)
    size = (home / "history.jsonl").stat().st_size / 1e6
    print(f"built {count} matches, {size:.0f} MB, in {perf_counter() - began:.0f} s")

    def first_page() -> None:
        with Store.open(home) as store:
            assert len(store.history()) == 50

    began = perf_counter()
    first_page()
    print(f"made the index in {perf_counter() - began:.0f} s")
    print(HEAD)
    _timed("open, and the first page", first_page, yard, 20)
    with Store.open(home) as store:
        _timed("by game", lambda: store.history("circle-duel"), yard)
        _timed("by opponent", lambda: store.history(opponent="perfect"), yard)
        _timed("by game, opponent and result", lambda: store.history("number-duel", "Ann", "drawn"), yard)
        _timed("the page in the middle", lambda: store.history(offset=count // 2), yard)
        _timed("count by result", lambda: store.count(result="won"), yard)
        _timed("what home asks for: the latest unfinished", lambda: store.unfinished(1), yard, 5)
        _timed("one by the beginning of its id", lambda: store.find(store.history(limit=1)[0].id[:8]), yard)
        _timed("statistics of everything", store.statistics, yard, 100)


def _timed(name: str, work: Callable[[], object], yard: float, reach: float | None = None) -> None:
    row = timed(name, lambda _: work(), range(15), {"p50": reach} if reach else None)
    print(row.line(yard), flush=True)


def main() -> None:
    """Print all results."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    yard = yardstick()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(moves(Path(folder) / "moves", yard))
        history(Path(folder) / "history", count, yard)


if __name__ == "__main__":
    main()
