"""Errors of duelbox; the text of each is a sentence that says what is wrong and what would be right."""

from __future__ import annotations

INTERRUPTED = 130
"""Exit status after Ctrl+C."""


class DuelboxError(Exception):
    """Base of all errors that duelbox raises on purpose; its text is a sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all attributes, also in subclasses whose constructor takes other arguments."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class EndedBySignal(KeyboardInterrupt):
    """A signal ends the program, as Ctrl+C does."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def exit_status(interrupt: KeyboardInterrupt) -> int:
    """The exit status of a program that a signal has ended; without a number it was Ctrl+C."""
    if isinstance(interrupt, EndedBySignal):
        return 128 + interrupt.number
    return INTERRUPTED


class MoveError(DuelboxError):
    """A move was refused and nothing changed. `blockers` are the numbers in the way; `shown` is the sentence for a
    board."""

    def __init__(self, sentence: str, blockers: tuple[int, ...] = (), shown: str = "") -> None:
        super().__init__(sentence)
        self.blockers, self.shown = blockers, shown or sentence


class BadNotation(MoveError):
    """The text is not a move of this game."""


class IllegalMove(MoveError):
    """A move of this game that is not allowed in this position."""


class NotYourTurn(MoveError):
    """A move of the player who is not to move."""


class GameOver(MoveError):
    """A move after the end of the game."""


class CannotUndo(DuelboxError):
    """Nothing can be undone or redone, or undoing would hide what has been revealed."""


class OptionError(DuelboxError):
    """House rules that do not go together; `key` names the option to change."""

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


class BadArgument(DuelboxError, TypeError):
    """A function of the library was given what it does not take."""


class BadName(DuelboxError, ValueError):
    """A name that can't be shown. It is a ValueError, too, so that pydantic refuses the field."""


class UnknownGame(DuelboxError):
    """No game has this name."""
