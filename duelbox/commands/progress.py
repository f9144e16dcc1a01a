"""`duelbox progress`: shows how well each idea is known, the weakest first, or many pupils in one table."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Sequence
from csv import DictWriter
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from duelbox.commands.shared import content
from duelbox.core.errors import DuelboxError, RecordError
from duelbox.core.names import columns, printable
from duelbox.core.record_reader import MAX_TEXT
from duelbox.learn.handed_in import HandedIn, each_once, handed_in, has_lines, read_lines, tables
from duelbox.learn.homework import HOMEWORK, homework_in
from duelbox.learn.progress import ENOUGH, Known, known_ideas, next_idea, weakest
from duelbox.registry import title_of
from duelbox.store.progress import Mark, marks_in
from duelbox.store.store import Store

PUPILS = 1000
"""At most this many exports go into one table."""
NAME = 24
Row = tuple[str, ...]
HEAD: Row = "Idea", "Game", "Lesson", "Seen at once", "Missed", "Last", "Comes back"
OF_IDEAS = "game", "idea", "steps", "of_steps", "solved", "tried", "missed", "last", "due"
OF_HOMEWORK = "set", "positions", "at_once", "with_help", "seconds"
"""The columns of a row of CSV beside the pupil: those of an idea, and those of homework, which has an idea, too."""


def run(args: Namespace) -> int:
    """Print the player's progress, or a table of exports; returns 2 if one of them cannot be read."""
    if args.of:
        return _pupils(args.of, as_json=args.json, as_csv=args.csv)
    if args.csv:
        raise DuelboxError("--csv is a table of pupils: give their files to --of.")
    with Store.open() as store:
        known = known_ideas(store.progress.dated)
    if args.json:
        sys.stdout.write(json.dumps([one.as_json() for one in known], indent=1) + "\n")
        return 0
    begun = [one for one in known if one.begun or one.steps]
    if not begun:
        sys.stdout.write("Nothing yet: take a lesson, solve a puzzle, play. duelbox learn lists the lessons.\n")
        return 0
    _write([HEAD, *map(_row, begun)])
    following = next_idea(known)
    if following is not None:
        sys.stdout.write(f"\nNext: {following.next_command}\n")
    return 0


def _row(one: Known) -> Row:
    lesson = f"{one.unit}: {one.steps} of {one.of_steps}" if one.unit else ""
    seen = f"{one.solved} of {one.tried}" if one.tried else ""
    return one.idea, title_of(one.game), lesson, seen, str(one.missed or ""), str(one.last or ""), str(one.due or "")


def _write(rows: Sequence[Row]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in columns(rows)))


# -- many pupils


@dataclass
class Pupils:
    """All that was read of many pupils."""

    known: dict[str, list[Known]] = field(default_factory=dict)
    """The ideas of each export, by the name of its file."""
    homework: list[HandedIn] = field(default_factory=list)
    faults: int = 0
    _seen: dict[bytes, str] = field(default_factory=dict)
    """The files by their digests."""

    def read(self, name: str) -> None:
        """Read an export, or the lines of homework in a file; a fault is told."""
        shown = printable(name)[:200]
        try:
            text = content(name)
            if len(text) > MAX_TEXT:
                raise RecordError(f"It is longer than exported progress can be ({MAX_TEXT} characters).")
            if text.lstrip()[:1] in (b"{", b"["):
                self._read_export(text, shown)
            else:
                self._read_lines(text, shown)
        except DuelboxError as error:
            self._tell(shown, error.sentence)

    def _read_export(self, text: bytes, shown: str) -> None:
        marks = marks_in(text)
        digest = sha256(text).digest()
        if digest in self._seen and marks:  # without any, they are two who have not begun
            raise RecordError(f"It is the same as {self._seen[digest]}.")
        self._seen[digest] = shown
        self.known[shown] = known_ideas(partial(_dated, marks))
        self.homework += map(handed_in, homework_in(_of_kind(marks, HOMEWORK)))

    def _read_lines(self, text: bytes, shown: str) -> None:
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            raise RecordError("It is no text.") from None
        if not has_lines(decoded):
            raise RecordError("It is neither exported progress nor a line of homework.")
        lines, faults = read_lines(decoded)
        self.homework += lines
        for fault in faults:
            self._tell(shown, fault)

    def _tell(self, shown: str, sentence: str) -> None:
        self.faults += 1
        sentence = printable(sentence)
        sys.stderr.write(sentence + "\n" if shown in sentence else f"{shown}: {sentence}\n")


def _pupils(names: Sequence[str], *, as_json: bool, as_csv: bool) -> int:
    """Print a row for each export, the common weaknesses, the homework, and a sentence for each fault."""
    if len(names) > PUPILS:
        raise DuelboxError(f"So many exports do not go into one table: {PUPILS} at most.")
    pupils = Pupils()
    for name in names:
        pupils.read(name)
    pupils.homework = each_once(pupils.homework)
    known = pupils.known
    if as_json:
        rows: list[dict[str, Any]] = [
            {"file": name, "ideas": [one.as_json() for one in ideas]} for name, ideas in known.items()
        ]
        homework = [one.as_json() for one in pupils.homework]
        sys.stdout.write(json.dumps([*rows, *homework], indent=1) + "\n")
        return 2 if pupils.faults else 0
    if as_csv:
        _write_csv(pupils)
        return 2 if pupils.faults else 0
    if known:
        _write([("Pupil", "Learned", "Seen at once", "Missed", "Weakest"), *map(_pupil_row, known, known.values())])
        sys.stdout.write(_together([one for ideas in known.values() for one in ideas]))
        begun = [(_pupil(name), *_row(one)) for name, ideas in known.items() for one in ideas if one.last]
        if begun:
            sys.stdout.write("\n")
            _write([("Pupil", *HEAD), *begun])
    if known and pupils.homework:
        sys.stdout.write("\n")
    sys.stdout.write("".join(f"{line}\n" for line in tables(pupils.homework)))
    return 2 if pupils.faults else 0


def _dated(marks: Sequence[Mark], kind: str) -> list[tuple[str, Any, datetime]]:
    return [(one.key, one.value, one.at) for one in marks if one.kind == kind]


def _of_kind(marks: Sequence[Mark], kind: str) -> list[tuple[str, Any]]:
    return [(one.key, one.value) for one in marks if one.kind == kind]


def _pupil_row(name: str, known: Sequence[Known]) -> Row:
    lessons = [one for one in known if one.unit]
    done = sum(one.lesson_done for one in lessons)
    weak = weakest(known)
    seen = f"{sum(one.solved for one in known)} of {sum(one.tried for one in known)}"
    weak_idea = "" if weak is None else f"{weak.idea}, {title_of(weak.game)}"
    missed = str(sum(one.missed for one in known))
    return _pupil(name), f"{done} of {len(lessons)} ideas", seen, missed, weak_idea


def _pupil(name: str) -> str:
    """The name of a pupil, from that of a file."""
    return Path(name).stem[:NAME]


def _write_csv(pupils: Pupils) -> None:
    """Print a row for each pupil and idea, and one for each pupil and homework."""
    table = DictWriter(sys.stdout, ("pupil", *OF_IDEAS, *OF_HOMEWORK), extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    for name, ideas in pupils.known.items():
        table.writerows({"pupil": _harmless(_pupil(name)), **one.as_json()} for one in ideas)
    for one in pupils.homework:
        table.writerow({**one.as_json(), "pupil": _harmless(one.pupil), "game": one.set.game_id})


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name


def _together(known: Iterable[Known]) -> str:
    """A sentence about the ideas that all pupils together know least."""
    ideas: dict[tuple[str, str], list[Known]] = defaultdict(list)
    for one in known:
        if one.begun:
            ideas[one.game, one.idea].append(one)
    shares = {key: Fraction(sum(one.solved for one in some), _answers(some)) for key, some in ideas.items()}
    weak = [key for key in sorted(shares, key=shares.__getitem__) if _answers(ideas[key]) >= ENOUGH and shares[key] < 1]
    weakest_ideas = [f"{key[1]} ({title_of(key[0])}, {_pupils_count(len(ideas[key]))})" for key in weak[:3]]
    return f"\nWeakest together: {'; '.join(weakest_ideas)}.\n" if weakest_ideas else ""


def _answers(known: Iterable[Known]) -> int:
    return sum(one.answers for one in known)


def _pupils_count(count: int) -> str:
    return "1 pupil" if count == 1 else f"{count} pupils"
