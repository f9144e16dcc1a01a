"""What the command line asks to be played: a game with its house rules, the moves made so far, and who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.bots import Level, find_level
from duelbox.core.chance import freshly
from duelbox.core.code import Played, format_code, parse_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.game import AnyGame, Preset
from duelbox.core.match import round_options
from duelbox.core.model import listed
from duelbox.core.names import check_name, clean_name
from duelbox.core.options import Options
from duelbox.core.record import Who
from duelbox.core.session import Session
from duelbox.registry import find_game


@dataclass(frozen=True, slots=True)
class Opening:
    """A game to be played, from its start or from a position."""

    game: AnyGame
    options: Options
    moves: tuple[object, ...] = ()
    fresh: bool = False
    """Whether the seed was drawn here, so that every round draws one of its own."""

    @property
    def code(self) -> str:
        """The code of the position."""
        return format_code(self.game, self.options, self.moves)

    def session(self, number: int) -> Session:
        """The game of a round, counted from 0: the first goes on from the position, the others start anew."""
        if number:
            # A seed that follows from the last one would give away the next secret deal.
            options = freshly(self.game, self.options) if self.fresh else round_options(self.options, number)
            return Session(self.game, options)
        session = Session(self.game, self.options)
        for move in self.moves:
            session.play(move)
        return session


def opening(text: str, preset: str | None = None, seed: int | None = None) -> Opening:
    """The game or position of this name or code; raises DuelboxError."""
    played = _parsed(text)
    game, options, bare = played.game, played.options, not set(":/") & set(text)
    if preset is not None:
        if not bare:
            raise DuelboxError("A code has its own house rules: give either a code or --preset.")
        options = find_preset(game, preset).options
    if seed is not None:
        if played.moves:
            raise DuelboxError("The code has moves in it, so its seed is settled: leave out --seed.")
        seeded = options.draws or "seed" in options.texts()
        return Opening(game, _with_seed(options, seed) if seeded else options)
    if options.draws and not played.moves and "seed=" not in text.lower():
        return Opening(game, freshly(game, options), fresh=True)
    return Opening(game, options, played.moves)


def _parsed(text: str) -> Played:
    try:
        return parse_code(text, find_game)
    except CodeError as error:
        place = f" (character {error.at})" if set(":/") & set(text) else ""
        raise DuelboxError(f"{error.sentence}{place}") from None


def find_preset(game: AnyGame, name: str) -> Preset[Options]:
    """The preset of this name, however it is written; raises DuelboxError."""
    wanted = name.lower().replace(" ", "-")
    for preset in game.PRESETS:
        if preset.id == wanted:
            return preset
    ids = listed([preset.id for preset in game.PRESETS])
    raise DuelboxError(f"{game.INFO.title} has no preset {name[:24]!a}. Presets: {ids}.")


def seated(game: AnyGame, asked: Sequence[str | None]) -> tuple[Who | None, Who | None]:
    """Who plays, where it was said: a name, or bot:LEVEL; raises BadName or NoSuchLevel."""
    one, two = (None if text is None else _who(game, text) for text in asked)
    return apart(one, two) if one and two else (one, two)


def _who(game: AnyGame, text: str) -> Who:
    if not text.startswith("bot:"):
        return Who(name=clean_name(text))
    return computer(find_level(game.INFO.id, text.removeprefix("bot:")))


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


def _with_seed(options: Options, seed: int) -> Options:
    return type(options).from_values({**dict(options), "seed": seed})
