"""The journals of running matches in the data folder: those played here, and those of other terminals."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from duelbox.store.index import match_in
from duelbox.store.journal import Journal, is_held, look

NAME = re.compile(r"match\.([0-9a-z]{10})\.jsonl", re.ASCII)
"""The name of a journal."""


class Running:
    """The matches that are being played, by their journals."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._others: dict[str, tuple[tuple[int, int], str | None]] = {}
        """The last lines of the journals of other terminals, each with the size and time of its file then."""
        self.held: dict[str, Journal] = {}
        """The journals that are locked here."""
        self.last: dict[str, str] = {}
        """The last lines of matches played here that are not in the history yet."""

    def path(self, match_id: str) -> Path:
        """The path of the journal of a match."""
        return self._folder / f"match.{match_id}.jsonl"

    def hold(self, match_id: str, *, new: bool) -> bool:
        """Lock a journal and read its last line; False if something in it is damaged.

        With `new`, a missing one is created. Raises BlockingIOError if another terminal plays the match, or OSError.
        """
        self.let_go(match_id)  # perhaps its file was taken away
        journal = Journal.open(self.path(match_id), new=new)
        self.held[match_id] = journal
        size = journal.size
        content = journal.read()
        lines = map(match_in, content.lines)
        texts = [text for text, line in zip(content.lines, lines, strict=True) if line and line.id == match_id]
        if texts:
            self.last[match_id] = texts[-1]
        return content.whole and bool(texts or not size)

    def let_go(self, match_id: str) -> None:
        """Close and unlock the journal of a match, if it is held."""
        journal = self.held.pop(match_id, None)
        if journal is not None:
            journal.close()

    def not_held(self) -> dict[str, Path]:
        """The journals in the folder that are not locked here, by their matches."""
        found: dict[str, Path] = {}
        with suppress(OSError):
            for path in self._folder.iterdir():
                match = NAME.fullmatch(path.name)
                if match and match[1] not in self.held:
                    found[match[1]] = path
        return found

    def elsewhere(self) -> set[str]:
        """The matches open in other terminals."""
        return {match_id for match_id, path in self.not_held().items() if is_held(path)}

    def texts(self) -> list[str]:
        """The last lines of all running matches."""
        there = self.not_held()
        for match_id in self._others.keys() - there.keys():
            del self._others[match_id]
        for match_id, path in there.items():
            with suppress(OSError):  # it may be gone by now
                found = path.lstat()
                stamp = found.st_size, found.st_mtime_ns
                if match_id not in self._others or self._others[match_id][0] != stamp:
                    self._others[match_id] = stamp, _last_of(path)
        others = [text for _, text in self._others.values() if text is not None]
        return [*self.last.values(), *others]


def _last_of(path: Path) -> str | None:
    """The last whole line of the journal of another terminal."""
    with suppress(OSError):
        texts = look(path).lines
        if texts:
            return texts[-1]
    return None
