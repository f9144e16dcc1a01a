"""The start of a new game: from a name, a position code or a preset, or by the last choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.bots import level_of, levels_of
from duelbox.core.code import read_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.game import AnyGame, first_preset
from duelbox.core.options import Options
from duelbox.core.record import PlayerInfo
from duelbox.core.seeds import with_fresh_seed
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.store.settings import PERSON, Config, First, LastUsed, Settings
from duelbox.table.players import computer_player, differently_named
from duelbox.table.presets import find_preset


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be played, from the start or from a position."""

    session: Session
    fresh: bool = False
    """The seed was drawn at random, so later rounds draw new seeds."""

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.session.game

    @property
    def for_friend(self) -> Session:
        """The game to propose to a friend elsewhere: a board drawn here is dropped, as both sides draw one together."""
        if self.fresh:
            return Session(self.game, self.session.options.rules_only())
        return self.session


def read_new_game(text: str, preset: str | None = None, seed: int | None = None) -> NewGame:
    """The game of a name, or the position of a code; raises DuelboxError."""
    bare = not set(":/") & set(text)
    try:
        code = read_code(text, find_game)
        session = code.played() if code.moves else None
    except CodeError as error:
        if bare:
            raise DuelboxError(error.sentence) from None
        raise DuelboxError(f"{error.sentence} (character {error.at})") from None
    game, options = code.game, code.options
    if preset is not None:
        if not bare:
            raise DuelboxError("A code has its own house rules: give either a code or --preset.")
        options = find_preset(game, preset, Config.load().settings).options
    if seed is not None:
        if session is not None:
            raise DuelboxError("The code has moves in it, so its seed is settled: leave out --seed.")
        if options.draws or "seed" in options.texts():
            options = type(options).from_values({**dict(options), "seed": seed})
        return NewGame(Session(game, options))
    if session is None and options.draws and "seed=" not in text.lower():
        return NewGame(Session(game, with_fresh_seed(game, options)), fresh=True)
    return NewGame(session or Session(game, options))


def moves_beyond(session: Session, wanted: Session) -> tuple[str, ...] | None:
    """The moves of `wanted` beyond `session`; None if it begins otherwise, or if the game hides something."""
    game, count = session.game, len(session.moves)
    same = game is wanted.game and session.options == wanted.options and session.outcome is None
    if not same or game.INFO.hidden or wanted.moves[:count] != session.moves:
        return None
    return tuple(map(game.format_move, wanted.moves[count:]))


def last_choices(settings: Settings, game: AnyGame) -> LastUsed:
    """The choices with which a game was last started, or those for a first game."""
    if game.INFO.id in settings.last:
        return settings.last[game.INFO.id]
    first = LastUsed(options=first_preset(game).options.texts(), chosen=False)
    levels = levels_of(game.INFO.id)
    return first.changed(players=(PERSON, levels[0].id)) if levels else first


def choices_with(
    settings: Settings, game: AnyGame, players: tuple[str, str] | None, first: First | None, rules: str
) -> LastUsed:
    """The choices of the last game, but with these players, this beginner, and the rules of this code, if named."""
    last = last_choices(settings, game)
    if players is not None:
        last = last.changed(players=players)
    if first is not None:
        last = last.changed(first=first)
    if rules:
        last = last.changed(options=read_code(rules, find_game).options.texts())
    return last


def last_options(game: AnyGame, last: LastUsed) -> Options:
    """The house rules of the last game; the classic ones if those are no longer valid."""
    try:
        options: Options = game.Options.from_texts(dict(last.options))
    except DuelboxError:
        options = game.Options()
    return options


def last_players(game: AnyGame, last: LastUsed, names: Sequence[str]) -> tuple[PlayerInfo, PlayerInfo]:
    """The players of the last game: people under their present names, and computers that the game still has."""
    one, two = (_last_player(game, who, name) for who, name in zip(last.players, names, strict=True))
    return differently_named(one, two)


def _last_player(game: AnyGame, who: str, name: str) -> PlayerInfo:
    """The computer of a level, or a person of this name if the game has no such level."""
    level = level_of(game.INFO.id, who)
    return PlayerInfo(name=name) if level is None else computer_player(level)
