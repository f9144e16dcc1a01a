"""The winner in each setting of the maps that presets open, stored in `maps.json` beside the rules of a game.

`python -m duelbox.rules_lab.preset_maps [GAME…]` writes the files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import BUILT_IN, find_game, package_of, text_beside
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.facts import Facts, work_out
from duelbox.rules_lab.house_rules import house_rules
from duelbox.rules_lab.map import Map
from duelbox.rules_lab.preset_facts import FactsFile
from duelbox.solve import can_solve

FILE = "maps.json"


def facts_on_maps(game: AnyGame) -> dict[str, Facts]:
    """The stored facts about who wins, by the code of the house rules; empty without a file that can be read."""
    try:
        text = text_beside(game.INFO.id, FILE)
        return FactsFile.model_validate_json(text).root if text else {}
    except (DuelboxError, ValueError):  # a guest's file
        return {}


def settings_on_maps(game: AnyGame) -> Iterator[Options]:
    """The settings of the maps that the presets of a game open, each once."""
    seen: set[Options] = set()
    for preset in game.PRESETS:
        map_ = Map.of(game, preset.options)
        wide, high = map_.size
        for row in range(high):
            for column in range(wide):
                options = map_.setting(column, row)
                if options is not None and options not in seen:
                    seen.add(options)
                    yield options


def write(game_ids: Sequence[str] = ()) -> None:
    """Compute and write the maps of these games, or of all built-in ones, in a checkout of the source."""
    for game_id in game_ids or BUILT_IN:
        game = find_game(game_id)
        if not can_solve(game_id) or not house_rules(game):
            continue
        lines = list[str]()
        for options in settings_on_maps(game):
            facts = work_out(game, options, "first")
            if not facts.late:
                lines.append(f'"{code_of(game, options)}": {facts.model_dump_json(exclude_defaults=True)}')
        path = Path(str(files(package_of(game_id)))) / FILE
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        sys.stdout.write(f"{game_id}: {len(lines)} settings\n")


if __name__ == "__main__":
    write(sys.argv[1:])
