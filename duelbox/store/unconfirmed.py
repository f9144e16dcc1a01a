"""Results of matches elsewhere that the friend has not confirmed yet, kept among the marks of progress."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from operator import attrgetter

from pydantic import ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.store.store import Store

KIND = "elsewhere"
"""The kind of these marks; their keys name matches."""


class Result(Model):
    """The result of a match elsewhere in the history of one side."""

    id: str = ""
    """The match in the history; empty if nothing there waits for the friend."""
    rival: str = ""
    """The friend who has not confirmed it."""
    winners: str = ""
    """The winners of its rounds: "1", "2", or "-" for a draw."""
    note: str = ""
    """A sentence about a result that does not count after all."""
    at: str = ""
    """The day of that."""


def results(store: Store) -> Mapping[str, Result]:
    """The result of each match elsewhere that was not confirmed at once; raises Unavailable."""
    known = {}
    for key, value in store.progress.newest(KIND).items():
        with suppress(ValidationError):  # of a newer version
            known[key] = Result.model_validate(value)
    return known


def unconfirmed(store: Store) -> Mapping[str, str]:
    """The friends who have not confirmed a result yet, by the ids of the matches; none if the disk refuses."""
    return {result.id: result.rival for result in _readable(store).values() if result.id}


def changed_results(store: Store) -> list[Result]:
    """The results that do not count after all, the latest first; none if the disk refuses."""
    changed = [result for result in _readable(store).values() if result.note]
    return sorted(changed, key=attrgetter("at"), reverse=True)


def _readable(store: Store) -> Mapping[str, Result]:
    with suppress(DuelboxError):
        return results(store)
    return {}
