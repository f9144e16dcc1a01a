"""The store: the archive of all matches on this machine, and those being played, saved after every move."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self
from weakref import WeakKeyDictionary

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Player
from duelbox.core.record import PlayerInfo, Record
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.store.archive import Archive
from duelbox.store.autosave import TAKEN, Saved
from duelbox.store.files import Folders, find_folders
from duelbox.store.matches import EVERYTHING, NoSuchGame, kept_of, opened, playable, playing
from duelbox.store.progress import Progress
from duelbox.store.records import Records
from duelbox.store.trouble import Told, Unavailable
from duelbox.store.worker import Worker

_SECRET_ELSEWHERE = "This game is open in another terminal. Something is hidden in it, so it can be played only there."
_SECRET_UNKEPT = "Your moves cannot be saved now. A game with hidden numbers waits."
AGAIN = "What you play is saved again."
__all__ = ["AGAIN", "EVERYTHING", "NoSuchGame", "Notices", "Resumed", "Store"]


@dataclass(frozen=True, slots=True)
class Resumed:
    """A match to go on with: the place to save it, and its rounds so far with their undo history."""

    saved: Saved
    record: Record
    sessions: tuple[Session, ...]
    error: str | None
    """The first move that could not be replayed, as a sentence; the sessions hold what came before it."""


class Store(Archive):
    """Saved games. Thread-safe; every method but `begin`, `Saved.sync` and `Saved.close` waits for the disk."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        super().__init__(Worker(folders))
        self.progress = Progress(self._worker)
        self._begun: set[str] = set()

    @classmethod
    def open(cls, home: str | Path | None = None) -> Self:
        """The store in this home (or DUELBOX_HOME, or the platform's folder); never raises for what it finds there.

        Where it can't be used, `notice` says why and everything works in memory.
        """
        return cls(find_folders(home))

    @property
    def notice(self) -> str | None:
        """The reason why games are not kept, else all that is damaged; it can come up later, too."""
        return self.told.trouble or self.told.damage

    @property
    def told(self) -> Told:
        """The sentences about the disk and about damage."""
        return self._worker.records.told

    def keep_told(self) -> None:
        """Note that a player has read of the damaged lines there are; returns at once."""
        self._worker.later(Records.keep_told)

    @property
    def kept(self) -> bool:
        """True if saved games outlive this process."""
        return self._worker.records.kept

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each match whose last moves are not on disk; read it after the store is closed."""
        return self._worker.lost

    def let_go(self) -> None:
        """Close all matches that are open here, so that other terminals can open them."""
        self._worker.let_go()

    def close(self) -> None:
        """Write all pending changes and close the files; `lost` names the matches that could not be written."""
        self._worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, game: str, players: tuple[PlayerInfo, PlayerInfo], rounds: int = 1, first: Player = 0) -> Saved:
        """A new match; returns at once, and writes nothing before the first `sync` with a turn in it."""
        match = Record(game=find_game(game).INFO.id, players=players, rounds=rounds, first=2 if first else 1)
        saved = Saved(self._worker, match)
        self._begun.add(saved.id)
        return saved

    def resume(self, match_id: str) -> Resumed:
        """Go on with a match; raises NoSuchGame, or DuelboxError where nothing of it can be read.

        One that is open in another terminal, or can't be read to its end, is carried on as a copy; where something is
        hidden in it, it is not: what a copy reveals could be used in the other.
        """
        whole_id = self._whole_id(match_id)
        taken = False
        unkept = None
        query = "SELECT game FROM match WHERE id = ?"
        playable(self._worker.read(lambda db: db.execute(query, (whole_id,)).fetchone()[0]))  # else nothing is held
        try:
            self._worker.do(lambda records: records.hold(whole_id))
        except BlockingIOError:
            taken = True
        except Unavailable as error:
            unkept = error
        line = self._line(whole_id)
        self._worker.records.known[whole_id] = line.number
        kept = kept_of(line)
        secret = playable(kept.summary.game).INFO.hidden and not kept.summary.over
        if secret and unkept:
            raise unkept
        if secret and taken:
            raise DuelboxError(_SECRET_ELSEWHERE)
        if secret and not self.kept and whole_id not in self._begun:
            raise DuelboxError(_SECRET_UNKEPT)
        found = opened(kept)
        assert found.record is not None
        saved = Saved(self._worker, found.record.changed(played=()))
        saved.go_on(kept, playing(found), TAKEN if taken else found.error)
        return Resumed(saved, found.record, found.sessions, found.error)


class Notices:
    """Sentences of the store and of its matches, each shown once; any write can bring a new one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told: dict[str, str | None] = {}
        self._of_matches: WeakKeyDictionary[Saved, str | None] = WeakKeyDictionary()  # there can be many

    def take(self, saved: Saved | None = None) -> list[str]:
        """The sentences that were not shown yet, of the store and of the match being played."""
        now = {"trouble": self._store.told.trouble, "damage": self._store.told.news}
        news = [notice for source, notice in now.items() if notice and notice != self._told.get(source)]
        if now["damage"] in news:
            self._store.keep_told()
        if saved is not None and (notice := saved.notice) != self._of_matches.get(saved):
            self._of_matches[saved] = notice
            news += [notice] if notice else []
        if self._told.get("trouble") and not now["trouble"]:
            news.append(AGAIN)
        self._told |= now
        return news
