"""The fact cards of the presets, kept as data beside each game's rules.

`python -m duelbox.solve.cards [GAME…]` writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from pydantic import RootModel

from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import BUILT_IN, find_game, package_of, text_beside
from duelbox.solve import can_solve
from duelbox.solve.facts import Facts, facts

FILE = "facts.json"


class Cards(RootModel[dict[str, Facts]]):
    """A card for each preset of a game, by its id."""


def kept(game: AnyGame) -> dict[str, Facts]:
    """The cards as they were written; none for a game that brings no file."""
    text = text_beside(game.INFO.id, FILE)
    return {} if text is None else Cards.model_validate_json(text).root


def card_of(game: AnyGame, options: Options) -> Facts | None:
    """The kept card of these house rules; None where they are no preset."""
    preset = next((preset for preset in game.PRESETS if preset.options == options), None)
    return kept(game).get(preset.id) if preset else None


def computed(game: AnyGame) -> dict[str, Facts]:
    """The cards, worked out anew."""
    return {preset.id: facts(game, preset.options) for preset in game.PRESETS}


def mismatches(game: AnyGame) -> tuple[str, ...]:
    """What the kept cards say otherwise than the computed ones, a sentence each."""
    old, new = kept(game), computed(game)
    return tuple(
        f"{game.INFO.id}, {preset}: kept {_shown(old.get(preset))}, computed {_shown(new.get(preset))}."
        for preset in sorted({*old, *new})
        if old.get(preset) != new.get(preset)
    )


def _shown(card: Facts | None) -> str:
    return "nothing" if card is None else card.model_dump_json()


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
