"""Work out what Number Duel's solver keeps in a file, and write it: `python -m tests.games.number_duel.kept_odds`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from duelbox.games.number_duel.solve.odds import FILE, MANY, Odds

HANDS = 16383
"""The bits of a position that say which numbers are left."""


def worked_out(victors_stay: bool) -> dict[str, int]:
    """The value of every position with many numbers left that any attacks lead to."""
    table = Odds(victors_stay)
    found = dict.fromkeys(start for start in _starts(table) if _is_large(start))
    todo = list(found)
    while todo:
        after = dict.fromkeys(one for one in _after(table, todo.pop()) if _is_large(one) and one not in found)
        found |= after
        todo += after
    return {str(position): table[position] for position in sorted(found)}


def _starts(table: Odds) -> Iterator[int]:
    for hand in range(1, 8):
        numbers = (1 << hand) - 1
        form, mine, theirs = table._hands[numbers << 7 | numbers]
        yield form | mine[numbers] | theirs[numbers]


def _is_large(position: int) -> bool:
    return position >= 0 and (position & HANDS).bit_count() >= MANY


def _after(table: Odds, position: int) -> Iterator[int]:
    """What every attack leads to, whatever it meets."""
    my_hidden, hands, their_hidden = position >> 14 & 127, position & HANDS, position >> 21
    duel = table._duels[hands]
    known, unknown = table._targets(duel, hands, their_hidden)
    targets = [(target, their_hidden) for target in known] + [(target, still) for target, _, still in unknown]
    for _, after, still_mine in table._attackers(duel, hands, my_hidden):
        for target, still_theirs in targets:
            form, their_forms, my_forms = after[target]
            yield form | their_forms[still_theirs] | my_forms[still_mine]


if __name__ == "__main__":
    kept = {"go": worked_out(False), "stay": worked_out(True)}
    FILE.write_text(f"{json.dumps(kept, indent=0)}\n", "ascii")
