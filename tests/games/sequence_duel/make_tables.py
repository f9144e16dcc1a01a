"""Compute the files of the solver: `python -m tests.games.sequence_duel.make_tables STATE`.

It takes ten minutes of an idle core and some 1.5 GB: claims first, then parts. The file STATE holds what is done, a
line for each line, ring or shortest run: after an interruption, start it again and it continues. At the end it writes
the files of the solver.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from zlib import compress

from duelbox.games.sequence_duel.solve import ceiling_table, claim_table, snort
from duelbox.games.sequence_duel.solve.snort import FRONT, HALF, HOME, Run, Search, run

MOST_KNOWN = 5_000_000
RANKS = ((HOME, -1), (HALF, -1), (FRONT, 1), (HALF, 1), (HOME, 1))
LENGTHS = ceiling_table.lengths()
SHORTEST = sorted({short for short, _, _ in LENGTHS})


def patient() -> Search:
    """A search that uses no file and never clears its memory."""
    snort.MOST_KNOWN = MOST_KNOWN
    return Search(lambda: None, use_table=False)


def won(search: Search, size: int, ring: bool) -> set[int]:
    """The indices of the won positions after three claims."""
    return {claim_table.place(runs, size, ring) for runs in claim_table.shapes(size, ring) if search.searched(0, runs)}


def packed(places: Iterable[int]) -> bytes:
    """The file with these indices."""
    bits = bytearray(-(-sum(size * size * (size + 1) for size in claim_table.SIZES) // 8))
    for at in places:
        bits[at >> 3] |= 1 << (at & 7)
    return compress(bits, 9)


def ceiling(search: Search, runs: list[Run]) -> int:
    """The byte of a part; 0 if it equals a simpler sum, which is looked up in its place."""
    if len(snort.reduced(runs)[1]) != len(runs):
        return 0
    least = snort.mean(runs) >> 20  # for the player to move, no part is worth less than its mean
    while search.searched(-least, runs):
        least += 1
    return ceiling_table.ZERO + least


def runs_of(lengths: tuple[int, int, int], ranks: tuple[int, int, int]) -> list[Run] | None:
    """The runs of a part; None if a run's ends fit no kind."""
    if any(not length and rank != 2 for length, rank in zip(lengths, ranks, strict=True)):
        return None
    kinds = [RANKS[rank] for rank in ranks]
    return [run(kind, length, owner) for length, (kind, owner) in zip(lengths, kinds, strict=True) if length]


def ceilings(search: Search, short: int) -> Iterator[int]:
    """The bytes of all parts with a shortest run of this length, by their ends, then by lengths."""
    found: dict[tuple[Run, ...], int] = {}
    for ranks in product(range(5), repeat=3):
        for lengths in LENGTHS:
            if lengths[0] == short:
                runs = runs_of(lengths, ranks)
                key = tuple(sorted(runs or ()))
                if runs and key not in found:
                    found[key] = ceiling(search, runs)
                yield found.get(key, 0)


def laid(by_short: dict[int, bytes]) -> bytes:
    """The file with these bytes."""
    ways = {short: iter(told) for short, told in by_short.items()}
    return compress(bytes(next(ways[lengths[0]]) for _ in range(125) for lengths in LENGTHS), 9)


def main(state: Path) -> None:
    """Continue the computation saved in this file, and write the tables."""
    done = {}
    for line in state.read_text().splitlines() if state.exists() else ():
        name, told = line.split(":")
        done[name] = told
    search = patient()
    for size, ring in product(claim_table.SIZES, (False, True)):
        if (name := f"{'ring' if ring else 'line'} {size}") not in done:
            done[name] = " ".join(map(str, sorted(won(search, size, ring))))
            with state.open("a") as file:
                print(name, done[name], sep=":", file=file)
    for short in SHORTEST:
        if (name := f"parts {short}") not in done:
            done[name] = bytes(ceilings(search, short)).hex()
            with state.open("a") as file:
                print(name, done[name], sep=":", file=file)
    places = [int(at) for name, told in done.items() if "parts" not in name for at in told.split()]
    claim_table.FILE.write_bytes(packed(places))
    ceiling_table.FILE.write_bytes(laid({short: bytes.fromhex(done[f"parts {short}"]) for short in SHORTEST}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
