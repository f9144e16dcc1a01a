"""Position codes, read and written: `GAME[:key=value[,key=value…]][/move[.move…]]` names any position in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbox.core.errors import CodeError, OptionError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.options import Options

if TYPE_CHECKING:
    from duelbox.core.session import Session

MAX_LENGTH = 40_000  # enough for the longest game of a session

FindGame = Callable[[str], AnyGame]


class Code(NamedTuple):
    """A code that has been read; its moves are not played yet."""

    game: AnyGame
    options: Options
    moves: tuple[str, ...]
    at: int
    """The character where the moves begin, counted from 1."""

    def played(self) -> Session:
        """The game with its moves played; raises CodeError."""
        from duelbox.core.session import BrokenGame, replayed  # session.py imports this module

        try:
            return replayed(self.game, self.options, self.moves)
        except BrokenGame as error:
            text, before = self.moves[error.count - 1], self.moves[: error.count - 1]
            move = f"Move {error.count}"
            sentence = f"{move}, {text[:24]!r}: {error.reason}" if text else f"{move} is missing."
            raise CodeError(sentence, self.at + sum(len(one) + 1 for one in before)) from None


def format_code(game: AnyGame, options: Options, moves: Iterable[Any]) -> str:
    """The canonical code: options in their order, defaults left out."""
    settings = ",".join(f"{key}={text}" for key, text in options.texts().items())
    line = ".".join(game.format_move(move) for move in moves)
    return game.INFO.id + (f":{settings}" if settings else "") + (f"/{line}" if line else "")


def parse_code(text: str, find_game: FindGame) -> Session:
    """Read a code and play its moves; raises CodeError with the character, counted from 1, where it goes wrong."""
    return read_code(text, find_game).played()


def read_code(text: str, find_game: FindGame) -> Code:
    """Read the game, house rules and moves of a code without playing them; raises CodeError."""
    start = len(text) - len(text.lstrip())
    code = text.strip()
    if len(code) > MAX_LENGTH:
        raise CodeError(f"A code has at most {MAX_LENGTH} characters.", start + MAX_LENGTH + 1)
    for at, char in enumerate(code, start + 1):
        if not "!" <= char <= "~":
            raise CodeError(f"A code is printable ASCII without spaces, and {char!a} is not.", at)
    head, slash, line = code.partition("/")
    name, colon, settings = head.partition(":")
    if not name:
        raise CodeError("A code begins with the name of a game, such as circle-duel/4.5.6.", start + 1)
    try:
        game = find_game(name.lower())
    except UnknownGame as error:
        raise CodeError(error.sentence, start + 1) from None
    options = _options(game, settings, start + len(name) + 2) if colon else game.Options()
    return Code(game, options, tuple(line.split(".")) if slash else (), start + len(head) + 2)


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
