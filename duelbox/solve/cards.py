"""The fact cards of the presets, kept as data beside each game's rules: `python -m duelbox.solve.cards` writes them."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from pydantic import RootModel

from duelbox.core.game import AnyGame
from duelbox.registry import BUILT_IN, find_game, package_of
from duelbox.solve.facts import Facts, facts

FILE = "facts.json"


class Cards(RootModel[dict[str, Facts]]):
    """A card for each preset of a game, by its id."""


def kept(game: AnyGame) -> dict[str, Facts]:
    """The cards as they were written; none for a game that brings no file."""
    file = files(package_of(game.INFO.id)).joinpath(FILE)
    return Cards.model_validate_json(file.read_text("utf-8")).root if file.is_file() else {}


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


def write() -> None:
    """Compute and write the cards of all our games (in a checkout of the source)."""
    for game_id, package in BUILT_IN.items():
        folder = Path(str(files(package)))
        cards = Cards(computed(find_game(game_id)))
        (folder / FILE).write_text(cards.model_dump_json(indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"{game_id}\n")


if __name__ == "__main__":
    write()
