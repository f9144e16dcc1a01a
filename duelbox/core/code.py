"""The position code: one line that names any position, `GAME[:key=value[,key=value…]][/move[.move…]]`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from duelbox.core.errors import CodeError, OptionError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import Event, Position
from duelbox.core.options import Options
from duelbox.core.session import BrokenGame, Session, replayed

MAX_LENGTH = 40_000
"""Room for the longest game a session plays."""

FindGame = Callable[[str], AnyGame]


@dataclass(frozen=True, slots=True)
class Played:
    """A game as a code tells it."""

    session: Session

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.session.game

    @property
    def options(self) -> Options:
        """Its house rules."""
        return self.session.options

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves."""
        return tuple(ply.move for ply in self.session.plies)

    @property
    def states(self) -> tuple[Position, ...]:
        """The state before the first move, and after each."""
        return (self.session.start, *(ply.state for ply in self.session.plies))

    @property
    def events(self) -> tuple[tuple[Event, ...], ...]:
        """What there was to see of each move."""
        return tuple(ply.events for ply in self.session.plies)


def parse_code(text: str, find_game: FindGame) -> Played:
    """The game a code tells; raises CodeError with the character, counted from 1, where it goes wrong."""
    start = len(text) - len(text.lstrip())
    code = text.strip()
    if len(code) > MAX_LENGTH:
        raise CodeError(f"A code has at most {MAX_LENGTH} characters.", start + MAX_LENGTH + 1)
    for at, char in enumerate(code, start + 1):
        if not "!" <= char <= "~":
            raise CodeError(f"A code is printable ASCII without spaces; character {at} is not.", at)
    head, slash, line = code.partition("/")
    name, colon, settings = head.partition(":")
    game = _game(name, find_game, start + 1)
    options = _options(game, settings, start + len(name) + 2) if colon else game.Options()
    return Played(_replay(game, options, line.split(".") if slash else [], start + len(head) + 2))


def _game(name: str, find_game: FindGame, at: int) -> AnyGame:
    if not name:
        raise CodeError("A code begins with the name of a game, such as circle-duel/4.5.6.", at)
    try:
        return find_game(name.lower())
    except UnknownGame as error:
        raise CodeError(error.sentence, at) from None


def _options(game: AnyGame, settings: str, at: int) -> Options:
    texts: dict[str, str] = {}
    places: dict[str, int] = {}
    for setting in settings.split(","):
        key, equals, value = setting.partition("=")
        key = key.lower()
        if not key or not equals or not value:
            raise CodeError(f"An option is written key=value, not {setting[:24]!r}.", at)
        if key in texts:
            raise CodeError(f"The option {key!r} stands here twice.", at)
        texts[key], places[key] = value.lower(), at
        at += len(setting) + 1
    try:
        options: Options = game.Options.from_texts(texts)
    except OptionError as error:
        raise CodeError(error.sentence, places.get(error.key, at)) from None
    return options


def _replay(game: AnyGame, options: Options, line: list[str], at: int) -> Session:
    try:
        return replayed(game, options, line)
    except BrokenGame as error:
        text, place = line[error.count - 1], at + sum(len(text) + 1 for text in line[: error.count - 1])
        told = f"Move {error.count}, {text[:24]!r}: {error.reason}" if text else f"Move {error.count} is missing."
        raise CodeError(told, place) from None
