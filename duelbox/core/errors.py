"""Refusals: each is a sentence that says what is wrong and what would be right."""

from __future__ import annotations


class DuelboxError(Exception):
    """Anything duelbox refuses; its text is a sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with everything it holds, whatever its class takes to be made."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class MoveError(DuelboxError):
    """A move was refused; nothing changed. `blockers` are the numbers in the way; `shown` says it beside a board."""

    def __init__(self, sentence: str, blockers: tuple[int, ...] = (), shown: str = "") -> None:
        super().__init__(sentence)
        self.blockers, self.shown = blockers, shown or sentence


class BadNotation(MoveError):
    """The text is not a move of this game."""


class IllegalMove(MoveError):
    """A move of this game, but not allowed here."""


class NotYourTurn(MoveError):
    """The other player is to move."""


class GameOver(MoveError):
    """The game has ended."""


class CannotUndo(DuelboxError):
    """There is nothing to take back or to play again, or secrecy forbids it."""


class OptionError(DuelboxError):
    """House rules that do not fit; `key` names the option to change."""

    def __init__(self, sentence: str, key: str) -> None:
        super().__init__(sentence)
        self.key = key


class CodeError(DuelboxError):
    """A position code that can't be read; `at` is the character, counted from 1, where it goes wrong."""

    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.at = at


class RecordError(DuelboxError):
    """A saved game that can't be read, or only in part."""


class BadName(DuelboxError, ValueError):
    """A name that can't be shown; to pydantic, as any ValueError, a field that is refused."""


class UnknownGame(DuelboxError):
    """There is no game of that name."""
