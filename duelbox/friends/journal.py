"""The journals of matches with friends elsewhere: a private file each, removed when the match is over.

A line is a note of one side; the first tells how to come back. It is on disk before anything is sent. The match itself
joins the saved games when it is over: before that, half of what is hidden in it is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, Self

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.core.names import printable
from duelbox.friends.journal_notes import Heard, Note, Paired, Put, read_note
from duelbox.relay.wire import Ticket
from duelbox.store import journal
from duelbox.store.files import Folders, make_private_folder, raw_file, read_regular, reason, remove, rename, shown
from duelbox.store.matches import new_id

BEGINNING = "elsewhere."
ENDING = ".jsonl"
FAULTY = ".stopped.jsonl"
MOST = 16_000_000
"""The most bytes of a file without checksums."""


class WayBack(Model):
    """The way back to the room of a match."""

    ticket: Ticket
    listen: str = ""
    """The address at which this program is the relay itself; empty where it is not."""


class MatchJournal:
    """The journal of one match, held by one program at a time."""

    def __init__(
        self, lines: journal.Journal, way: WayBack, notes: Sequence[Note], later: Sequence[Note] | None = None
    ) -> None:
        self.path = lines.path
        self.way = way
        self.notes = tuple(notes)
        """The notes that were in it when it was opened, up to the first damaged one."""
        self.later = later
        """The notes behind damage; None if nothing is damaged."""
        self._lines = lines

    @classmethod
    def begin(cls, folders: Folders, way: WayBack, notes: Sequence[Note]) -> Self:
        """Begin the journal of a new match; raises DuelboxError if it cannot be written."""
        try:
            make_private_folder(folders.data)
            lines = journal.Journal.open(folders.data / f"{BEGINNING}{new_id()}{ENDING}", new=True)
            lines.add(map(_text, [way, *notes]))
        except OSError as error:
            raise DuelboxError(f"The match cannot be kept in {shown(folders.data)}: {reason(error)}.") from None
        return cls(lines, way, ())

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the journal of a match that goes on; raises DuelboxError."""
        try:
            lines = journal.Journal.open(path)
        except BlockingIOError:
            raise DuelboxError("This match is open in another terminal.") from None
        except OSError as error:
            raise DuelboxError(f"{path.name} cannot be opened: {reason(error)}.") from None
        try:
            written = read(path)
            if written.damaged:  # it stays as it is, and grows
                return cls(lines, written.way, written.notes, written.later)
            way, notes = written.way, written.notes
            if not lines.read().lines:  # written before lines had checksums
                journal.rewrite(path, map(_text, [way, *notes]))
                lines.close()
                lines = journal.Journal.open(path)
        except BaseException as error:
            lines.close()
            if isinstance(error, OSError):
                raise DuelboxError(f"{path.name} cannot be opened: {reason(error)}.") from None
            raise
        return cls(lines, way, notes)

    def add(self, notes: Sequence[Note]) -> None:
        """Write notes down; when it returns, they are on disk. Raises DuelboxError."""
        try:
            self._lines.add(map(_text, notes))
        except (OSError, ValueError) as error:
            raise DuelboxError(f"The match cannot be kept: {reason(error)}. Nothing more is sent.") from None

    def close(self) -> None:
        """Close the file, so that another program may go on with the match."""
        self._lines.close()

    def wipe(self) -> None:
        """Remove the journal of a finished match, with its keys."""
        self._lines.wipe()

    def set_aside(self) -> Path:
        """Set aside the notes of a match that cannot go on, without the keys if possible; returns their file."""
        aside = self.path.with_name(f"{self.path.name.removesuffix(ENDING)}{FAULTY}")
        try:
            written = read(self.path)
            notes = [_without_keys(note) for note in (*written.notes, *written.later)]
            with closing(journal.Journal.open(aside, new=True)) as lines:
                lines.add(map(_text, notes))
        except (OSError, DuelboxError):
            with suppress(OSError):
                remove(aside)
            self.close()
            return self.path
        self.wipe()
        return aside


def journals(folders: Folders) -> list[Path]:
    """The files of the matches that are not over, the one played last first."""
    found = [path for path in folders.data.glob(f"{BEGINNING}*{ENDING}") if not path.name.endswith(FAULTY)]
    return sorted(found, key=_last_played, reverse=True)


def _last_played(path: Path) -> float:
    with suppress(OSError):  # another program may have ended the match just now
        return path.stat().st_mtime
    return 0.0


class Written(NamedTuple):
    """The content of a journal, as far as it can be read."""

    way: WayBack
    notes: list[Note]
    """The notes before the first damaged one."""
    later: list[Note]
    """The whole notes behind it."""
    damaged: bool


def look(path: Path) -> tuple[WayBack, list[Note]]:
    """The content of a whole file, without a lock; raises DuelboxError."""
    written = read(path)
    if written.damaged:
        raise DuelboxError(f"{path.name} is damaged, and its match cannot go on.")
    return written.way, written.notes


def read(path: Path) -> Written:
    """The content of a file, without a lock; raises DuelboxError where the match cannot go on."""
    before, later, damaged = _texts(path)
    try:
        way = WayBack.model_validate_json(before[0])
        notes = [read_note(text) for text in before[1:]]
        if not notes or not isinstance(notes[0], Paired):
            raise ValueError
        return Written(way, notes, [read_note(text) for text in later], damaged)
    except (ValueError, LookupError):
        raise DuelboxError(f"{path.name} is damaged, and its match cannot go on.") from None


def _texts(path: Path) -> tuple[list[str], list[str], bool]:
    """The whole lines before the first damaged one, those behind it, and True if there is a damaged one."""
    before: list[str] = []
    later: list[str] = []
    damaged = False
    try:
        with raw_file(path) as file:
            for line in journal.lines_in(file):
                if line.text is None:
                    damaged = damaged or line.ended  # a line without an end was never acknowledged
                elif damaged:
                    later.append(line.text)
                else:
                    before.append(line.text)
        if not before and not later:  # perhaps written before lines had checksums
            before = read_regular(path, MOST).decode("utf-8", "replace").split("\n")[:-1]
            damaged = False
    except OSError as error:
        raise DuelboxError(f"{path.name} cannot be opened: {reason(error)}.") from None
    return before, later, damaged


def remains(path: Path) -> tuple[str, str]:
    """The code of the game and the name of the friend, as far as whole lines of a damaged file tell them."""
    game = ""
    rival = ""
    before, later, _ = _texts(path)
    for text in (*before, *later):
        try:
            note = read_note(text)
            if isinstance(note, Paired) and note.hello is not None:
                game = note.hello.game
            if isinstance(note, Put | Heard) and note.text.startswith("{"):
                said = json.loads(note.text)
                game = said.get("game", game)
                if isinstance(note, Heard) and said.get("t") in ("hello", "join"):
                    rival = said.get("name", rival)
        except (ValueError, AttributeError):
            continue
    return str(game), printable(rival)


def set_ended_aside(path: Path) -> Path:
    """Set aside the file of a match that cannot go on; returns its new path. Raises OSError."""
    aside = path.with_name(f"{path.name.removesuffix(ENDING)}{FAULTY}")
    rename(path, aside)
    return aside


def _without_keys(note: Note) -> Note:
    if isinstance(note, Paired):
        return note.changed(key="", secret="")
    return note


def _text(line: Model) -> str:
    return line.model_dump_json()
