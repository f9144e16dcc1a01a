"""A game that is asked for: its house rules, the moves made so far, and its players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from duelbox.bots import Level, find_level, level_of
from duelbox.core.code import read_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.game import AnyGame, Preset, first_preset, preset_id, preset_of
from duelbox.core.model import listed
from duelbox.core.names import check_name, clean_name, printable
from duelbox.core.options import Options
from duelbox.core.record import PlayerInfo
from duelbox.core.seeds import with_fresh_seed
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.registry import find_game
from duelbox.store.settings import Config, LastUsed, Settings


@dataclass(frozen=True, slots=True)
class Opening:
    """A game to be played, from its start or from a position."""

    session: Session
    fresh: bool = False
    """The seed was drawn here, so later rounds draw seeds of their own."""

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.session.game

    @property
    def proposed(self) -> Session:
        """The same for a friend elsewhere: a draw that was made here is left open, as both sides make it together."""
        return Session(self.game, self.session.options.rules_only()) if self.fresh else self.session


def opening(text: str, preset: str | None = None, seed: int | None = None) -> Opening:
    """The game or position of this name or code; raises DuelboxError."""
    bare = not set(":/") & set(text)
    try:
        code = read_code(text, find_game)
        session = code.played() if code.moves else None
    except CodeError as error:
        place = "" if bare else f" (character {error.at})"
        raise DuelboxError(f"{error.sentence}{place}") from None
    game, options = code.game, code.options
    if preset is not None:
        if not bare:
            raise DuelboxError("A code has its own house rules: give either a code or --preset.")
        options = find_preset(game, preset, Config.load().settings).options
    if seed is not None:
        if session is not None:
            raise DuelboxError("The code has moves in it, so its seed is settled: leave out --seed.")
        seeded = options.draws or "seed" in options.texts()
        return Opening(Session(game, type(options).from_values({**dict(options), "seed": seed}) if seeded else options))
    if session is None and options.draws and "seed=" not in text.lower():
        return Opening(Session(game, with_fresh_seed(game, options)), fresh=True)
    return Opening(session or Session(game, options))


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


def kept_presets(settings: Settings, game: AnyGame, name: str, options: Options | None) -> dict[str, dict[str, str]]:
    """The presets as the settings keep them, with these house rules under this name; without the name for None."""
    lines = {one: line for one, line in settings.presets.get(game.INFO.id, {}).items() if one != name}
    if options is not None:
        lines[name] = ",".join(f"{key}={text}" for key, text in options.rules_only().texts().items())
    return {**settings.presets, game.INFO.id: lines}


def seated(game: AnyGame, asked: Sequence[str | None]) -> tuple[PlayerInfo | None, PlayerInfo | None]:
    """The players that were named, each by a name or bot:LEVEL; raises BadName or NoSuchLevel."""
    one, two = (None if text is None else _who(game, text) for text in asked)
    return apart(one, two) if one and two else (one, two)


def called(players: Sequence[PlayerInfo | None]) -> tuple[PlayerInfo, PlayerInfo]:
    """The players, called Player 1 and Player 2 where nothing was said."""
    one, two = (player or PlayerInfo(name=name) for player, name in zip(players, DEFAULT_NAMES, strict=True))
    return one, two


def _who(game: AnyGame, text: str) -> PlayerInfo:
    if not text.startswith("bot:"):
        return PlayerInfo(name=clean_name(text))
    asked = text.removeprefix("bot:")
    return computer(level_of(game.INFO.id, asked.lower()) or find_level(game.INFO.id, asked))


def last_of(settings: Settings, game: AnyGame) -> LastUsed:
    """The choices that a game was started with last; for somebody who has chosen nothing, those to begin with."""
    first = LastUsed(options=first_preset(game).options.texts())
    return settings.last.get(game.INFO.id, first)


def options_of_last(game: AnyGame, last: LastUsed) -> Options:
    """The house rules it was played by last; the classic ones where those do not fit any more."""
    try:
        options: Options = game.Options.from_texts(dict(last.options))
    except DuelboxError:
        options = game.Options()
    return options


def players_of_last(game: AnyGame, last: LastUsed, names: Sequence[str]) -> tuple[PlayerInfo, PlayerInfo]:
    """Those who played the game last: people by their names of now, and the computers it still has."""
    one, two = (
        computer(level) if (level := level_of(game.INFO.id, who)) else PlayerInfo(name=name)
        for who, name in zip(last.players, names, strict=True)
    )
    return apart(one, two)


def computer(level: Level) -> PlayerInfo:
    """The computer as a player."""
    return PlayerInfo(name=level.name, level=level.id)


def apart(one: PlayerInfo, two: PlayerInfo) -> tuple[PlayerInfo, PlayerInfo]:
    """The players under two names: a computer gives way; raises BadName where both are people."""
    same = one.name.casefold() == two.name.casefold()
    if same and two.level is not None:
        return one, two.changed(name=f"{two.name} 2")
    if same and one.level is not None:
        return one.changed(name=f"{one.name} 2"), two
    check_name(two.name, one.name)
    return one, two
