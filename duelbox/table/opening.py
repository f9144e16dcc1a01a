"""A game that is asked for: its house rules, the moves made so far, and its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.bots import Level, find_level, level_of
from duelbox.core.chance import freshly
from duelbox.core.code import read_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.game import AnyGame, Preset, first_preset
from duelbox.core.model import listed
from duelbox.core.names import check_name, clean_name
from duelbox.core.options import Options
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.registry import find_game
from duelbox.store.settings import LastUsed, Settings


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
        return Session(self.game, self.session.options.undealt()) if self.fresh else self.session


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
        options = find_preset(game, preset).options
    if seed is not None:
        if session is not None:
            raise DuelboxError("The code has moves in it, so its seed is settled: leave out --seed.")
        seeded = options.draws or "seed" in options.texts()
        return Opening(Session(game, type(options).from_values({**dict(options), "seed": seed}) if seeded else options))
    if session is None and options.draws and "seed=" not in text.lower():
        return Opening(Session(game, freshly(game, options)), fresh=True)
    return Opening(session or Session(game, options))


def find_preset(game: AnyGame, name: str) -> Preset[Options]:
    """The preset of this name, however it is written; raises DuelboxError."""
    wanted = name.lower().replace(" ", "-")
    for preset in game.PRESETS:
        if preset.id == wanted:
            return preset
        for gone in preset.replaces:
            if gone.lower().replace(" ", "-") == wanted:
                told = f"{gone} is gone from the presets of {game.INFO.title}. {preset.name} is there instead."
                raise DuelboxError(told)
    ids = listed([preset.id for preset in game.PRESETS])
    raise DuelboxError(f"{game.INFO.title} has no preset {name[:24]!a}. Presets: {ids}.")


def seated(game: AnyGame, asked: Sequence[str | None]) -> tuple[Who | None, Who | None]:
    """The players that were named, each by a name or bot:LEVEL; raises BadName or NoSuchLevel."""
    one, two = (None if text is None else _who(game, text) for text in asked)
    return apart(one, two) if one and two else (one, two)


def called(players: Sequence[Who | None]) -> tuple[Who, Who]:
    """The players, called Player 1 and Player 2 where nothing was said."""
    one, two = (player or Who(name=name) for player, name in zip(players, DEFAULT_NAMES, strict=True))
    return one, two


def _who(game: AnyGame, text: str) -> Who:
    if not text.startswith("bot:"):
        return Who(name=clean_name(text))
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


def players_of_last(game: AnyGame, last: LastUsed, names: Sequence[str]) -> tuple[Who, Who]:
    """Those who played the game last: people by their names of now, and the computers it still has."""
    one, two = (
        computer(level) if (level := level_of(game.INFO.id, who)) else Who(name=name)
        for who, name in zip(last.players, names, strict=True)
    )
    return apart(one, two)


def computer(level: Level) -> Who:
    """The computer as a player."""
    return Who(name=level.name, level=level.id)


def apart(one: Who, two: Who) -> tuple[Who, Who]:
    """The players under two names: a computer gives way; raises BadName where both are people."""
    same = one.name.casefold() == two.name.casefold()
    if same and two.level is not None:
        return one, two.changed(name=f"{two.name} 2")
    if same and one.level is not None:
        return one.changed(name=f"{one.name} 2"), two
    check_name(two.name, one.name)
    return one, two
