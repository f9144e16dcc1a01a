"""The line that a pupil hands in after homework, and the table that a teacher gets of many lines.

A line ends in a check, which finds slips of copying; it is no proof against lies.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from duelbox.core.errors import DuelboxError
from duelbox.core.names import clean_name, columns
from duelbox.learn.homework import LEGEND, Helped, Homework, HomeworkSet, Right, fingerprint, read_set

MOST_LINES = 1000
"""At most this many lines are read at once."""
HARDEST = 3
"""So many positions are named as the hardest."""
_BEGINS = re.compile(r"homework (?=[a-z][a-z-]*-[0-9]+-[0-9]+ [0-9a-z]{4}:)", re.IGNORECASE)
_LINE = re.compile(
    r"(?P<body>homework (?P<name>[a-z-]+-[0-9]{1,4}-[0-9]{1,2}) (?P<format>[0-9a-z]{4}): (?P<signs>[rwh]{1,20}), "
    r"[0-9]+ of [0-9]+ at once, [0-9]+ with help, (?P<minutes>[0-9]{1,6}):(?P<seconds>[0-9]{2}), "
    r"(?P<pupil>.{1,48}?)) \((?P<check>[0-9a-z]{4})\)",
    re.IGNORECASE,
)
_PART = re.compile("[0-9] at once|[0-9] with help", re.IGNORECASE)


class HandedIn(NamedTuple):
    """The homework of one pupil."""

    set: HomeworkSet
    pupil: str
    signs: str
    seconds: int

    @property
    def at_once(self) -> int:
        """The number of positions that were right at once."""
        return self.signs.count(Right)

    @property
    def helped(self) -> int:
        """The number of positions with help."""
        return self.signs.count(Helped)

    @property
    def time(self) -> str:
        """The time taken, in minutes and seconds."""
        return f"{self.seconds // 60}:{self.seconds % 60:02}"

    @property
    def line(self) -> str:
        """The line to hand in."""
        counts = f"{self.at_once} of {len(self.signs)} at once, {self.helped} with help"
        body = f"homework {self.set.id}: {self.signs}, {counts}, {self.time}, {self.pupil}"
        return f"{body} ({_check(body)})"

    def as_json(self) -> dict[str, Any]:
        """All there is to know of it, for JSON."""
        return {
            "pupil": self.pupil,
            "set": self.set.name,
            "idea": self.set.idea,
            "positions": self.signs,
            "at_once": self.at_once,
            "with_help": self.helped,
            "seconds": self.seconds,
        }


def handed_in(work: Homework) -> HandedIn:
    """The work of a pupil, to be handed in once it is done."""
    return HandedIn(work.set, work.pupil, work.signs, work.seconds)


def _check(body: str) -> str:
    """The check of a line, which does not depend on its capitals and blanks."""
    return fingerprint(" ".join(unicodedata.normalize("NFC", body).casefold().split()))


# -- reading


def has_lines(text: str) -> bool:
    """True if somebody's line stands in a text, whole or not."""
    return _BEGINS.search(_joined(text)) is not None


def _joined(text: str) -> str:
    """A text on one line, without the marks of quoted mails; mails break lines where they like."""
    return " ".join(re.sub(r"^[> \t]+", "", text, flags=re.MULTILINE).split())


def read_lines(text: str) -> tuple[list[HandedIn], list[str]]:
    """The lines in a text, each once, and a sentence on each that is not whole; other text is left out."""
    joined = _joined(text)
    starts = [match.start() for match in _BEGINS.finditer(joined)]
    found: dict[str, HandedIn] = {}
    faults = []
    if _PART.search(joined[: starts[0] if starts else None]):
        faults.append(f"A line has lost its beginning: {_seen(joined)}. Copy it whole.")
    for start, end in zip(starts[:MOST_LINES], [*starts[1:], len(joined)], strict=False):
        part = joined[start:end]
        try:
            one = _read(part)
        except DuelboxError as error:
            faults.append(f"{_seen(part)}: {error.sentence}")
        else:
            found.setdefault(one.line.casefold(), one)
    if len(starts) > MOST_LINES:
        faults.append(f"Only the first {MOST_LINES} lines were read.")
    return list(found.values()), faults


def _seen(part: str) -> str:
    """The beginning of a line, to find it again."""
    return part if len(part) <= 40 else f"{part[:39]}…"


def _read(part: str) -> HandedIn:
    """Read a text that begins with a line; raises DuelboxError."""
    match = _LINE.match(part)
    if match is None:
        raise DuelboxError("This line is not whole. Copy it up to its last bracket.")
    if _check(match["body"]) != match["check"].lower():
        raise DuelboxError("This line was changed on the way. Ask for it again.")
    of = read_set(match["name"])
    if match["format"].lower() != of.format:
        raise DuelboxError(
            f"Another version of duelbox has other puzzles for {of.name}. "
            "Use the same version on all machines, and do the set again."
        )
    if len(match["signs"]) != len(of.puzzles):
        raise DuelboxError("This line has a wrong number of positions. Ask for it again.")
    seconds = 60 * int(match["minutes"]) + int(match["seconds"])
    return HandedIn(of, clean_name(match["pupil"]), match["signs"].lower(), seconds)


# -- the table


def each_once(rows: Iterable[HandedIn]) -> list[HandedIn]:
    """The homework without what comes twice: a line may be in an export, too."""
    return list({row.line.casefold(): row for row in rows}.values())


def tables(rows: Iterable[HandedIn]) -> Iterator[str]:
    """The lines of a table of pupils and positions for each set."""
    by_set: dict[HomeworkSet, list[HandedIn]] = defaultdict(list)
    for one in each_once(rows):
        by_set[one.set].append(one)
    for number, (of, some) in enumerate(by_set.items()):
        if number:
            yield ""
        count = len(of.puzzles)
        numbers = "".join(str(at % 10) for at in range(1, count + 1))
        yield f"{of.name}: {len(some)} pupil{'' if len(some) == 1 else 's'}"
        ordered = sorted(some, key=lambda one: one.pupil.casefold())
        rows_of_set = [(one.pupil, one.signs, f"{one.at_once}/{count}", str(one.helped), one.time) for one in ordered]
        yield from columns([("Pupil", numbers, "At once", "Help", "Time"), *rows_of_set])
        if len(some) > 1:
            yield _hardest(some)
    if by_set:
        yield f"{LEGEND}."


def _hardest(some: Sequence[HandedIn]) -> str:
    """A sentence on the positions that the fewest found at once."""
    found = [sum(one.signs[at] == Right for one in some) for at in range(len(some[0].signs))]
    hard = [at for at in sorted(range(len(found)), key=found.__getitem__) if found[at] < len(some)][:HARDEST]
    if not hard:
        return "All positions were right at once."
    return f"Hardest: {', '.join(f'position {at + 1} ({found[at]} of {len(some)} at once)' for at in hard)}."
