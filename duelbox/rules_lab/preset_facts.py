"""The facts about presets, worked out over many deals and stored in `facts.json` beside the rules of a game.

`python -m duelbox.rules_lab.preset_facts [GAME…]` writes the files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import RootModel

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame, Preset, first_preset
from duelbox.core.options import Options
from duelbox.registry import BUILT_IN, find_game, package_of, text_beside
from duelbox.rules_lab.facts import ALL_LAYERS, MANY_DEALS, Facts, facts_so_far
from duelbox.solve import can_solve

FILE = "facts.json"


class FactsFile(RootModel[dict[str, Facts]]):
    """The facts about each preset of a game, by its id."""


def facts_on_file(game: AnyGame) -> dict[str, Facts]:
    """The stored facts about the presets of a game; empty if it has no file."""
    text = text_beside(game.INFO.id, FILE)
    if text is None:
        return {}
    return FactsFile.model_validate_json(text).root


def facts_of_preset(game: AnyGame, options: Options) -> Facts | None:
    """The stored facts about these house rules; None if they are no preset or the file cannot be read."""
    preset = next((preset for preset in game.PRESETS if preset.options == options), None)
    if preset is None:
        return None
    try:
        return facts_on_file(game).get(preset.id)
    except (DuelboxError, ValueError):  # a guest's file
        return None


def settled(game: AnyGame, options: Options) -> tuple[str, Preset[Any]] | None:
    """For house rules that decide the game from the start: a sentence, and the preset to play instead."""
    facts, best = facts_of_preset(game, options), first_preset(game)
    if facts is None or not facts.settled or best.options == options:
        return None
    who = "first" if facts.first == 1 else "second"
    how = "with the right first move" if facts.plies == 1 else "whatever you both play"
    return f"The {who} player always wins here, {how}. In {best.name} your choices decide.", best


# -- writing


def computed(game: AnyGame, preset: Preset[Any]) -> Facts:
    """The facts about a preset, worked out anew."""
    from duelbox.rules_lab.people import for_people  # with all computers

    *_, facts = facts_so_far(game, preset.options, ALL_LAYERS, deals=MANY_DEALS, limit=None)
    return facts.joined(for_people(game, preset.options, deals=MANY_DEALS))


def mismatches(game: AnyGame) -> tuple[str, ...]:
    """A sentence for each preset whose stored facts differ from the computed ones."""
    old, new = facts_on_file(game), {preset.id: computed(game, preset) for preset in game.PRESETS}
    return tuple(
        f"{game.INFO.id}, {preset}: kept {_shown(old.get(preset))}, computed {_shown(new.get(preset))}."
        for preset in sorted({*old, *new})
        if old.get(preset) != new.get(preset)
    )


def _shown(facts: Facts | None) -> str:
    return "nothing" if facts is None else facts.model_dump_json(exclude_defaults=True)


def write(game_ids: Sequence[str] = ()) -> None:
    """Compute and write the facts of these games, or of all built-in ones, in a checkout of the source."""
    for game_id in game_ids or BUILT_IN:
        folder = Path(str(files(package_of(game_id))))
        if not can_solve(game_id):
            sys.stdout.write(f"{game_id}: no solver, so no facts.\n")
            continue
        game = find_game(game_id)
        facts = FactsFile({preset.id: computed(game, preset) for preset in game.PRESETS})
        text = facts.model_dump_json(indent=1, exclude_defaults=True)
        (folder / FILE).write_text(f"{text}\n", encoding="utf-8")
        sys.stdout.write(f"{game_id}\n")


if __name__ == "__main__":
    write(sys.argv[1:])
