"""Matches with a friend elsewhere, as many as were promised: `python -m tests.bench.elsewhere [PART …] [--games N]`.

Parts: lossy (matches over a link that loses, doubles and reorders, with sides that are killed), cheats (of each kind),
meetings (wrong codes, guesses, one in the middle), frames (random ones), names, answers (how long a move takes to the
other side: both validations, both disks and a relay, all in this process). Every part runs unless some are named.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import tempfile
import tracemalloc
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from duelbox.net.meeting import CodeUsedUp
from duelbox.net.words import fresh_code
from tests.bench.measure import report, yardstick
from tests.net import cheats, lossy
from tests.net.hostile import hostile_name, random_text
from tests.net.rooms import Chance, meet
from tests.net.test_hostile import message_in, rules, why_not
from tests.net.test_pairing import HELLO, SPOKEN, come_second, guess_again, pasted, stand_between
from tests.sitting.elsewhere import two, until

ATTEMPTS = {"a second guess": guess_again, "a second guest": come_second, "one in the middle": stand_between}
GAMES, CHEATS, MEETINGS, FRAMES, NAMES, ANSWERS = 25_000, 1_000, 1_000, 3_000_000, 5_000, 300


def simulate(games: int) -> list[str]:
    """Simulated matches, as many of each game."""
    tally, began = lossy.Tally(), process_time()
    for at in range(games):
        lossy.play(lossy.CODES[at % len(lossy.CODES)], ("bench", at), tally)
        if (at + 1) % 1_000 == 0:
            print(f"  {at + 1} matches, {process_time() - began:.0f} s", flush=True)
    print(
        f"lossy: {tally.games} matches, {tally.entries} entries, {tally.kills} kills, {tally.connections_lost} lost"
        f" connections: {tally.stuck} stuck, {tally.diverged} differ, {tally.watched_other} look other to a watcher,"
        f" {tally.stopped} stopped, {tally.lost} lost an entry, {tally.nonces_twice} nonces used twice;"
        f" rounds ended {dict(tally.ends)};"
        f" {process_time() - began:.0f} s"
    )
    return tally.faults


def cheat(times: int) -> list[str]:
    """Every kind of cheat so many times."""
    kinds: dict[str, tuple[Callable[[object], str | None], str]] = {
        "a chosen order": (cheats.chosen_order, "in the order that chance gave it|chosen that very order"),
        "a move out of turn": (cheats.out_of_turn, "out of turn"),
        "an old message again": (cheats.old_epoch, "before the last start was played again"),
    }
    for name, (_, told) in cheats.TWISTS.items():
        kinds[name] = (lambda seed, name=name: cheats.caught(name, seed)), told  # type: ignore[misc]
    faults = []
    for name, (find, told) in kinds.items():
        sentences = [find(("bench", seed)) or "" for seed in range(times)]
        found = sum(bool(re.search(told, sentence)) for sentence in sentences)
        fair = sum("chosen that very order" in sentence for sentence in sentences)
        print(f"{name:28} {found} of {times} found" + (f" ({fair} were fair by chance)" if fair else ""), flush=True)
        if found < times:
            faults.append(f"{name}: {Counter(sentences).most_common(9)}")
    return faults


def find_no_way_in(times: int) -> list[str]:
    """Wrong codes, spoken and pasted; a second guess, a second guest, one in the middle."""
    refused, began = Counter[str](), process_time()
    for seed in range(times):
        for kind, right, wrong in (
            ("spoken", SPOKEN, fresh_code("7843", Chance(("bench", seed)))),
            ("pasted", pasted(0), pasted(("bench", seed))),
        ):
            try:
                meet(right, wrong, HELLO, seed)
            except CodeUsedUp:
                refused[kind] += 1
        for kind, attempt in ATTEMPTS.items():
            attempt(("bench", seed))
            refused[kind] += 1
    print(f"meetings: {dict(refused)} of {times} each refused; {process_time() - began:.0f} s")
    return [] if set(refused.values()) == {times} else ["a wrong code got in"]


def read_frames(times: int) -> list[str]:
    """Random bytes, and messages with something changed."""
    rng, began, read = random.Random(5), process_time(), 0
    for _ in range(times // 10):
        message_in(random_text(rng))
    tracemalloc.start()
    for at in range(times):
        message = message_in(random_text(rng))
        read += not isinstance(message, str)
        if at == times // 10:
            held, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
    print(f"frames: {times}, of which {read} are messages; {process_time() - began:.0f} s")
    print(f"  a tenth of them left {held / 1e3:.0f} KB behind, and took {most / 1e3:.0f} KB at most")
    return []


def read_names(times: int) -> list[str]:
    """Names that somebody chose to do harm with."""
    from duelbox.net import messages as m
    from duelbox.net.ledger import Ledger

    rng, shown, faults = random.Random(6), 0, []
    for _ in range(times):
        name = hostile_name(rng)
        ledger = Ledger(0, Chance(1)(32), "place")
        ledger.fold(0, m.Hello(app="1", name="Ann", game="circle-duel", rules=rules()))
        if why := why_not(ledger, name):
            faults += [] if why.isprintable() else [repr(why)]
        else:
            shown += 1
            faults += [] if all(one.isprintable() for one in ledger.players) else [repr(name)]
    print(f"names: {times}, of which {shown} can be shown")
    return faults


async def answer(times: int) -> list[str]:
    """From Enter on one side to the move on the other."""
    yard, took, rng = yardstick(), list[float](), random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        while len(took) < times:
            async with two(Path(folder) / str(len(took)), "sequence-duel:size=30") as (ann, bob):
                while not ann.shown_end and not bob.shown_end:
                    mover, other = (ann, bob) if ann.my_turn else (bob, ann)
                    text = rng.choice(mover.session.legal_moves()).number
                    before, began = len(other.session.plies), perf_counter()
                    mover.play(str(text))
                    while len(other.session.plies) == before and not other.shown_end:
                        await asyncio.wait_for(other.news.get(), 30)
                    took.append(1000 * (perf_counter() - began))
                    await until(lambda: any(one.my_turn or one.shown_end for one in (ann, bob)), ann, bob)
    report("an answer on the other screen", took, yard)
    return []


def main() -> int:
    """Print the figures; 1 if anything is wrong."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--share", type=int, default=1, help="of all but the matches, only one in so many")
    args = parser.parse_args()
    parts: dict[str, Callable[[], list[str]]] = {
        "lossy": lambda: simulate(args.games),
        "cheats": lambda: cheat(CHEATS // args.share),
        "meetings": lambda: find_no_way_in(MEETINGS // args.share),
        "frames": lambda: read_frames(FRAMES // args.share),
        "names": lambda: read_names(NAMES // args.share),
        "answers": lambda: asyncio.run(answer(ANSWERS // args.share)),
    }
    faults = [fault for name in args.part or parts for fault in parts[name]()]
    for fault in faults[:10]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
