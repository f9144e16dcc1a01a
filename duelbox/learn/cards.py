"""The cards of the presets as they are kept: what is solved, and how often the win changes hands between computers.

`python -m duelbox.learn.cards [GAME…]` writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

from duelbox.bots import choose, levels
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.session import Session
from duelbox.learn.turning import MUCH, turning_points
from duelbox.registry import BUILT_IN, find_game, package_of
from duelbox.solve import can_solve
from duelbox.solve.fact_cards import FILE, Cards, Facts, facts, kept

GAMES = 200
LONGEST = 60  # games that need not end are left after so many turns


def turns_in(game: AnyGame, options: Options, games: int = GAMES) -> tuple[Fraction, Fraction] | None:
    """The average number of moves that threw something away in a game between the second and third computer, and the
    share of such games that the first player won.

    They take turns at beginning, with each draw twice. None for a game that has no such computers.
    """
    players = levels(game.INFO.id)[1:3]
    if len(players) < 2:
        return None
    count = first_won = 0
    for seed in range(1, games + 1):
        session = Session(game, options.changed(seed=(seed + 1) // 2) if options.draws else options)
        while session.turn is not None and len(session.plies) < LONGEST:
            level = players[(session.turn + seed + 1) % 2].id
            chosen = choose(game, session.view(session.turn), level, seed * 1000 + len(session.plies))
            session.type(chosen.move)
        count += sum(one.turning and (one.luck is None or one.lost >= MUCH) for one in turning_points(session))
        first_won += session.outcome is not None and session.outcome.winner == 0
    return Fraction(count, games), Fraction(first_won, games)


def computed(game: AnyGame) -> dict[str, Facts]:
    """The cards, worked out anew."""
    what = "lost_chances" if game.INFO.hidden else "changes"
    cards = {}
    for one in game.PRESETS:
        turns, won = turns_in(game, one.options) or (None, None)
        cards[one.id] = facts(game, one.options).changed(**{what: turns, "first_won": won})
    return cards


def mismatches(game: AnyGame) -> tuple[str, ...]:
    """What the kept cards say otherwise than the computed ones, a sentence each."""
    old, new = kept(game), computed(game)
    return tuple(
        f"{game.INFO.id}, {preset}: kept {_shown(old.get(preset))}, computed {_shown(new.get(preset))}."
        for preset in sorted({*old, *new})
        if old.get(preset) != new.get(preset)
    )


def _shown(told: Facts | None) -> str:
    return "nothing" if told is None else told.model_dump_json()


def write(game_ids: Sequence[str] = ()) -> None:
    """Compute and write the cards of these games, or of all of ours (in a checkout of the source)."""
    for game_id in game_ids or BUILT_IN:
        folder = Path(str(files(package_of(game_id))))
        if not can_solve(game_id):
            sys.stdout.write(f"{game_id}: no solver, so no facts.\n")
            continue
        cards = Cards(computed(find_game(game_id)))
        (folder / FILE).write_text(cards.model_dump_json(indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"{game_id}\n")


if __name__ == "__main__":
    write(sys.argv[1:])
