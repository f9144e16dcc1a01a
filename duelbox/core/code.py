"""The position code: one line that names any position, `GAME[:key=value[,key=value…]][/move[.move…]]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from duelbox.core.errors import CodeError, GameOver, MoveError, OptionError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import Event, Position
from duelbox.core.options import Options

MAX_LENGTH = 40_000
"""Room for the longest game a session plays."""

FindGame = Callable[[str], AnyGame]


@dataclass(frozen=True, slots=True)
class Played:
    """A game as a code tells it: the moves, and the state and the events after each."""

    game: AnyGame
    options: Options
    moves: tuple[Any, ...]
    states: tuple[Position, ...]
    events: tuple[tuple[Event, ...], ...]


def format_code(game: AnyGame, options: Options, moves: Iterable[Any]) -> str:
    """The canonical code: options in their order, defaults left out."""
    settings = ",".join(f"{key}={text}" for key, text in options.texts().items())
    line = ".".join(game.format_move(move) for move in moves)
    return game.INFO.id + (f":{settings}" if settings else "") + (f"/{line}" if line else "")


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
    return _replay(game, options, line.split(".") if slash else [], start + len(head) + 2)


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


def _replay(game: AnyGame, options: Options, line: list[str], at: int) -> Played:
    state = game.start(options)
    states, moves, events = [state], [], []
    for count, text in enumerate(line, 1):
        if not text:
            raise CodeError(f"Move {count} is missing.", at)
        try:
            seat = state.turn
            if seat is None:
                raise GameOver(f"The game is over. {state.outcome.reason}")
            move = game.parse_move(game.view(state, seat), text)
            state, seen = game.apply(state, seat, move)
        except MoveError as error:
            raise CodeError(f"Move {count}, {text[:24]!r}: {error.sentence}", at) from None
        states.append(state)
        moves.append(move)
        events.append(seen)
        at += len(text) + 1
    return Played(game, options, tuple(moves), tuple(states), tuple(events))
