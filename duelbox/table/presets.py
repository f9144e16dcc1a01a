"""The presets of a game, and the player's own presets from the settings."""

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
    """The preset of this name, in any spelling; raises DuelboxError."""
    wanted, own = preset_id(name), own_presets(settings, game)
    for preset in (*game.PRESETS, *own):
        if preset.id == wanted:
            return preset
        for gone in preset.replaces:
            if preset_id(gone) == wanted:
                sentence = f"{gone} is gone from the presets of {game.INFO.title}. {preset.name} is there instead."
                raise DuelboxError(sentence)
    ids = listed([preset.id for preset in (*game.PRESETS, *own)])
    faults = " ".join(["", *preset_faults(settings)])
    raise DuelboxError(f"{game.INFO.title} has no preset {name[:24]!a}. Presets: {ids}.{faults}")


def own_presets(settings: Settings, game: AnyGame) -> tuple[Preset[Any], ...]:
    """The player's own presets, without those that cannot be used."""
    presets = (_own_preset(game, name, settings) for name in settings.presets.get(game.INFO.id, ()))
    return tuple(preset for preset in presets if isinstance(preset, Preset))


def known_preset(settings: Settings, game: AnyGame, options: Options) -> Preset[Any] | None:
    """The preset with these house rules, the game's or the player's own; boards drawn by lot are ignored."""
    own = (preset for preset in own_presets(settings, game) if preset.options == options.rules_only())
    return preset_of(game, options) or next(own, None)


def preset_faults(settings: Settings) -> Iterator[str]:
    """A sentence for each of the player's own presets that cannot be used."""
    for game_id, lines in settings.presets.items():
        for name in lines:
            try:
                fault = _own_preset(find_game(game_id), name, settings)
            except DuelboxError as error:
                fault = error.sentence
            if isinstance(fault, str):
                yield f"presets.{printable(game_id)}.{name} is not used: {fault}"


def _own_preset(game: AnyGame, name: str, settings: Settings) -> Preset[Any] | str:
    """One of the player's own presets, or a sentence about its fault."""
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
    """The sentence that refuses a name for a preset; empty if the name is free."""
    known = [*own]
    for preset in game.PRESETS:
        known += [preset.name, *preset.replaces]
    for taken in known:
        if preset_id(taken) == preset_id(name):
            return f"{game.INFO.title} has a preset {taken} already. Choose another name."
    return ""


def presets_with(settings: Settings, game: AnyGame, name: str, options: Options | None) -> dict[str, dict[str, str]]:
    """The presets for the settings, with these house rules added under a name, or with the name removed for None."""
    lines = {kept: line for kept, line in settings.presets.get(game.INFO.id, {}).items() if kept != name}
    if options is not None:
        lines[name] = ",".join(f"{key}={text}" for key, text in options.rules_only().texts().items())
    return {**settings.presets, game.INFO.id: lines}
