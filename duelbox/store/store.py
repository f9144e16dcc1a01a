"""The history of all games on this machine: autosave, history, statistics, import and export."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from duelbox.core.match import Player
from duelbox.core.reader import Opened
from duelbox.core.record import Record, Who
from duelbox.core.session import Session
from duelbox.store.saved import Saved
from duelbox.store.statistics import Tally
from duelbox.store.summary import Ending, Summary


@dataclass(frozen=True, slots=True)
class Resumed:
    """A match to go on with: where to save it, and its rounds so far with their undo history."""

    saved: Saved
    record: Record
    sessions: tuple[Session, ...]
    error: str | None
    """What could not be replayed of it, as a sentence; the sessions are what is good."""


class Store:
    """Saved games. Thread-safe; every method but `Saved.sync` and `Saved.close` waits for the disk, so call them
    off an event loop (`asyncio.to_thread`) where a few milliseconds matter."""

    @classmethod
    def open(cls, home: str | Path | None = None) -> Self:
        """The store in this home (or DUELBOX_HOME, or the platform's folder); never raises for what it finds there.

        Where it can't be used, `notice` says why and everything works in memory.
        """
        raise NotImplementedError

    @property
    def notice(self) -> str | None:
        """One sentence to show once: why games are not kept, or what was repaired. It can come up later, too."""
        raise NotImplementedError

    def begin(self, game: str, players: tuple[Who, Who], rounds: int = 1, first: Player = 0) -> Saved:
        """A new match; returns at once, and writes nothing before the first `sync` with a turn in it."""
        raise NotImplementedError

    def resume(self, match_id: str) -> Resumed:
        """Go on with an unfinished match; raises NoSuchGame. One open in another terminal is carried on as a copy."""
        raise NotImplementedError

    def load(self, match_id: str) -> Opened:
        """A match to look at: record, sessions with undo history, first error; raises NoSuchGame.

        An id may be shortened as long as it names one match.
        """
        raise NotImplementedError

    def find(self, match_id: str) -> Summary:
        """The match with this id, or a beginning of it that fits no other; raises NoSuchGame."""
        raise NotImplementedError

    def unfinished(self) -> tuple[Summary, ...]:
        """What can be gone on with, the latest first."""
        raise NotImplementedError

    def history(
        self,
        game: str | None = None,
        opponent: str | None = None,
        result: Ending | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Summary, ...]:
        """Saved matches, finished or not, the latest first; `opponent` is a player's name or a computer's level."""
        raise NotImplementedError

    def count(self, game: str | None = None, opponent: str | None = None, result: Ending | None = None) -> int:
        """How many matches `history` has with these filters."""
        raise NotImplementedError

    def opponents(self) -> tuple[str, ...]:
        """Names and levels there are to filter by."""
        raise NotImplementedError

    def delete(self, match_id: str) -> None:
        """Take a match out of history and statistics; `restore` brings it back."""
        raise NotImplementedError

    def restore(self, match_id: str) -> None:
        """Undo `delete`."""
        raise NotImplementedError

    def export(self, match_id: str) -> str:
        """The JSON record; raises DuelboxError while it would tell what is hidden."""
        raise NotImplementedError

    def import_text(self, text: str | bytes) -> str:
        """Add a JSON record or a position code and return its id; raises RecordError or CodeError and adds nothing.

        A record that is there already is not added again.
        """
        raise NotImplementedError

    def statistics(
        self, game: str | None = None, opponent: str | None = None, assisted: bool | None = None
    ) -> tuple[Tally, ...]:
        """Every person's games by game, opponent and level."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what is left and let go of the file."""
        raise NotImplementedError
