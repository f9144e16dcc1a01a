"""Running what a stranger's package brings, so that whatever it raises and however long it takes costs it alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that a guest may take to load, or to begin."""


class Failed(Exception):
    """It raised something, or took too long; the text says which, to stand behind a name."""

    def __init__(self, text: str, error: BaseException | None = None) -> None:
        super().__init__(text)
        self.error = error


def guarded(work: Callable[[], T]) -> T:
    """What the work gives; raises Failed.

    It runs in a thread of its own: what is raised there, an exit or an interrupt included, is the work's own, and
    Ctrl+C stays the user's. A thread can't be ended: one that hangs is left behind, and ends with duelbox.
    """
    from threading import Thread

    given: list[T] = []
    failed: list[Failed] = []

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:
            failed.append(Failed(f"raises {_written(error)}", error))

    thread = Thread(target=run, name="a guest", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    for failure in failed:
        raise failure
    for result in given:
        return result
    raise Failed(f"takes more than {PATIENCE:g} seconds")


def _written(error: BaseException) -> str:
    try:
        return repr(error)
    except BaseException:
        return type(error).__name__
