"""The cards of the presets: every fact about their rules, worked out over many deals and kept as data beside the game.

`python -m duelbox.lab.preset_facts [GAME…]` writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import RootModel

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame, Preset, first_preset
from duelbox.core.options import Options
from duelbox.lab.facts import ALL_LAYERS, DEALS, LIMIT, MANY_DEALS, Facts, work_out
from duelbox.registry import BUILT_IN, find_game, package_of, text_beside
from duelbox.solve import can_solve

FILE = "facts.json"


class FactsFile(RootModel[dict[str, Facts]]):
    """A card for each preset of a game, by its id."""


def facts_so_far(
    game: AnyGame,
    options: Options,
    *,
    deals: int = DEALS,
    stop: Callable[[], bool] = lambda: False,
    limit: float | None = LIMIT,
) -> Iterator[Facts]:
    """All facts about one setting, with one layer more each time."""
    fact = Facts()
    for layer in ALL_LAYERS:
        fact = fact.joined(work_out(game, options, layer, deals=deals, stop=stop, limit=limit))
        yield fact


def facts_on_file(game: AnyGame) -> dict[str, Facts]:
    """The cards as they were written; none for a game that brings no file."""
    text = text_beside(game.INFO.id, FILE)
    return {} if text is None else FactsFile.model_validate_json(text).root


def facts_of_preset(game: AnyGame, options: Options) -> Facts | None:
    """The kept card of these house rules; None where they are no preset, or it cannot be read."""
    preset = next((preset for preset in game.PRESETS if preset.options == options), None)
    try:
        return facts_on_file(game).get(preset.id) if preset else None
    except (DuelboxError, ValueError):  # a guest's file
        return None


def settled(game: AnyGame, options: Options) -> tuple[str, Preset[Any]] | None:
    """A line about a game that is decided before it begins, and the preset to open instead."""
    fact, best = facts_of_preset(game, options), first_preset(game)
    if fact is None or not fact.settled or best.options == options:
        return None
    who = "first" if fact.first == 1 else "second"
    how = "with the right first move" if fact.plies == 1 else "whatever you both play"
    return f"The {who} player always wins here, {how}. In {best.name} your choices decide.", best


# -- written


def computed(game: AnyGame, preset: Preset[Any]) -> Facts:
    """The card of a preset, worked out anew."""
    *_, whole = facts_so_far(game, preset.options, deals=MANY_DEALS, limit=None)
    return whole


def mismatches(game: AnyGame) -> tuple[str, ...]:
    """The kept cards that are not as computed, a sentence each."""
    old, new = facts_on_file(game), {preset.id: computed(game, preset) for preset in game.PRESETS}
    return tuple(
        f"{game.INFO.id}, {preset}: kept {_shown(old.get(preset))}, computed {_shown(new.get(preset))}."
        for preset in sorted({*old, *new})
        if old.get(preset) != new.get(preset)
    )


def _shown(fact: Facts | None) -> str:
    return "nothing" if fact is None else fact.model_dump_json(exclude_defaults=True)


def write(game_ids: Sequence[str] = ()) -> None:
    """Compute and write the cards of these games, or of all of ours (in a checkout of the source)."""
    for game_id in game_ids or BUILT_IN:
        folder = Path(str(files(package_of(game_id))))
        if not can_solve(game_id):
            sys.stdout.write(f"{game_id}: no solver, so no facts.\n")
            continue
        game = find_game(game_id)
        cards = FactsFile({preset.id: computed(game, preset) for preset in game.PRESETS})
        text = cards.model_dump_json(indent=1, exclude_defaults=True)
        (folder / FILE).write_text(f"{text}\n", encoding="utf-8")
        sys.stdout.write(f"{game_id}\n")


if __name__ == "__main__":
    write(sys.argv[1:])
