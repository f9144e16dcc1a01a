"""Holds every `why` of every level to the slow judges: `python -m tests.bench.whys [positions [games]]`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from tests.bots.scenes import LEVELS, scene_of
from tests.bots.test_why import check_why
from tests.house_rules import WITH_COMPUTERS

POSITIONS = 1_000


def tried(game_id: str, level: str, count: int) -> tuple[int, list[str]]:
    """How many reasons hold, and the others with what is wrong with them."""
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    for seed in range(count):
        scene = scene_of(game_id, seed)
        chosen = scene.choice(level)
        try:
            kinds[check_why(game_id, level, scene, chosen)] += 1
        except (AssertionError, KeyError) as error:
            wrong.append(f"{seed}: {chosen.why} ({error!s:.200})")
    return sum(kinds.values()), wrong


def main(count: int = POSITIONS, games: Sequence[str] = WITH_COMPUTERS) -> int:
    """The table of all games and levels; status 1 where a reason is false."""
    failed = False
    for game_id in games:
        for level in LEVELS:
            held, wrong = tried(game_id, level, count)
            failed = failed or bool(wrong)
            print(f"{game_id:<14} {level:<8} {held} of {count} hold", *wrong[:5], sep="\n  ", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else POSITIONS, sys.argv[2:] or WITH_COMPUTERS))
