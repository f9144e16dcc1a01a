"""Work out what the solver keeps of long lines and rings: `python -m tests.games.sequence_duel.kept_claims STATE`.

It takes an hour or so and 1 GB. What is done is in the file STATE, a line for each length: start it again, and it goes
on from there. At the end it writes the file of the solver.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from zlib import compress

from duelbox.games.sequence_duel.solve import snort
from duelbox.games.sequence_duel.solve.kept import FILE, SIZES, place, shapes

MOST_KNOWN = 5_000_000


def won(size: int, ring: bool) -> set[int]:
    """The places of the positions after three claims that are won."""
    search, most = snort.Search(lambda: None), snort.MOST_KNOWN
    snort.MOST_KNOWN = MOST_KNOWN
    found = {place(runs, size, ring) for runs in shapes(size, ring) if search.wins(0, runs)}
    snort.MOST_KNOWN = most
    return found


def packed(places: Iterable[int]) -> bytes:
    """A file with these places."""
    bits = bytearray(-(-sum(size * size * (size + 1) for size in SIZES) // 8))
    for at in places:
        bits[at >> 3] |= 1 << (at & 7)
    return compress(bits, 9)


def main(state: Path) -> None:
    """Go on where the state says, and write the file."""
    done: dict[tuple[int, bool], list[int]] = {}
    for told in state.read_text().splitlines() if state.exists() else ():
        size, ring, *places = map(int, told.split())
        done[size, bool(ring)] = places
    for size, ring in product(SIZES, (False, True)):
        if (size, ring) not in done:
            done[size, ring] = sorted(won(size, ring))
            with state.open("a") as file:
                print(size, int(ring), *done[size, ring], file=file)
    FILE.write_bytes(packed(at for places in done.values() for at in places))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
