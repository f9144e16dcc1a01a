"""The presets of a game, and those that players kept of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from duelbox.core.code import read_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.game import AnyGame, Preset, preset_id, preset_of
from duelbox.core.model import listed
from duelbox.core.names import printable
from duelbox.core.options import Options
from duelbox.registry import find_game
from duelbox.store.settings import Settings


def find_preset(game: AnyGame, name: str, settings: Settings) -> Preset[Options]:
    """The preset of this name, however it is written; raises DuelboxError."""
    wanted, own = preset_id(name), own_presets(settings, game)
    for preset in (*game.PRESETS, *own):
        if preset.id == wanted:
            return preset
        for gone in preset.replaces:
            if preset_id(gone) == wanted:
                told = f"{gone} is gone from the presets of {game.INFO.title}. {preset.name} is there instead."
                raise DuelboxError(told)
    ids = listed([preset.id for preset in (*game.PRESETS, *own)])
    faults = " ".join(["", *preset_faults(settings)])
    raise DuelboxError(f"{game.INFO.title} has no preset {name[:24]!a}. Presets: {ids}.{faults}")


def own_presets(settings: Settings, game: AnyGame) -> tuple[Preset[Any], ...]:
    """The presets that the player kept, without those that cannot be used."""
    found = (_own_preset(game, name, settings) for name in settings.presets.get(game.INFO.id, ()))
    return tuple(one for one in found if isinstance(one, Preset))


def known_preset(settings: Settings, game: AnyGame, options: Options) -> Preset[Any] | None:
    """The preset these rules are, of the game's or of the player's own, whatever was drawn."""
    own = (one for one in own_presets(settings, game) if one.options == options.rules_only())
    return preset_of(game, options) or next(own, None)


def preset_faults(settings: Settings) -> Iterator[str]:
    """A sentence for each kept preset that cannot be used."""
    for game_id, lines in settings.presets.items():
        for name in lines:
            try:
                fault = _own_preset(find_game(game_id), name, settings)
            except DuelboxError as error:
                fault = error.sentence
            if isinstance(fault, str):
                yield f"presets.{printable(game_id)}.{name} is not used: {fault}"


def _own_preset(game: AnyGame, name: str, settings: Settings) -> Preset[Any] | str:
    """A kept preset, or a sentence about what is wrong with it."""
    lines = settings.presets[game.INFO.id]
    before = list(lines)[: list(lines).index(name)]
    if fault := name_fault(game, name, before):
        return fault
    try:
        code = read_code(f"{game.INFO.id}:{lines[name]}", find_game)
    except CodeError as error:
        return error.sentence
    if code.moves:
        return "It has moves in it, and a preset is house rules alone."
    options = code.options.rules_only()
    return Preset(name, f"{options.in_words[:1].upper()}{options.in_words[1:]}.", options, "your own")


def name_fault(game: AnyGame, name: str, own: Sequence[str]) -> str:
    """A sentence where a preset cannot have this name beside the game's and these; else nothing."""
    known = (*own, *(one for preset in game.PRESETS for one in (preset.name, *preset.replaces)))
    taken = next((one for one in known if preset_id(one) == preset_id(name)), "")
    return f"{game.INFO.title} has a preset {taken} already. Choose another name." if taken else ""


def presets_with(settings: Settings, game: AnyGame, name: str, options: Options | None) -> dict[str, dict[str, str]]:
    """The presets as the settings keep them, with these house rules under this name; without the name for None."""
    lines = {one: line for one, line in settings.presets.get(game.INFO.id, {}).items() if one != name}
    if options is not None:
        lines[name] = ",".join(f"{key}={text}" for key, text in options.rules_only().texts().items())
    return {**settings.presets, game.INFO.id: lines}
