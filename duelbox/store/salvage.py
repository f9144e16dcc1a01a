"""What can be saved of a damaged file: every page is read by itself, and a match counts as far as its hashes hold.

Neither the header, nor the schema, nor the tree that leads to a page need be whole for this, and nothing that is
found can be wrong: an entry that the chain does not hold is left out.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from duelbox.core.errors import DuelboxError
from duelbox.store.log import Log, Step
from duelbox.store.rows import MOVE_COLUMNS, SUMMARY_COLUMNS, Columns, append, chain, seal, summary_of, verified
from duelbox.store.schema import PAGE_SIZE

# https://www.sqlite.org/fileformat2.html: pages of an index, which is what a table without rowids is.
_INTERIOR, _LEAF = 2, 10
_MOST = (PAGE_SIZE - 12) * 64 // 255 - 23
_LEAST = (PAGE_SIZE - 12) * 32 // 255 - 23


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many matches were found whole, cut short, and not at all."""

    whole: int
    cut: int
    lost: int


def salvage(raw: bytes, db: sqlite3.Connection) -> Salvaged:
    """Put all that is good of a file's bytes into an empty database."""
    moves: dict[str, dict[int, list[Columns]]] = defaultdict(lambda: defaultdict(list))
    summaries: dict[str, Columns] = {}
    for row in _rows(raw):
        match row:
            case (str(match_id), int(number), *rest) if len(row) == MOVE_COLUMNS:
                moves[match_id][number].append(tuple(rest))
            case (str(match_id), *_) if len(row) == SUMMARY_COLUMNS and seal(row[:-1]) == row[-1]:
                summaries[match_id] = row
    whole = cut = lost = 0
    for match_id in moves.keys() | summaries.keys():
        found = moves.get(match_id, {})
        steps = verified(match_id, found)
        told = summaries.get(match_id)
        expected = max(*found, told[-3] - 1 if told else 0, 0) + 1
        if not _put(db, match_id, steps, told):
            lost += told is not None or len(found) > 1  # a single entry may be another match's, its id damaged
        elif len(steps) < expected:
            cut += 1
        else:
            whole += 1
    return Salvaged(whole, cut, lost)


def _put(db: sqlite3.Connection, match_id: str, steps: list[Step], told: Columns | None) -> bool:
    """Write a match with its summary: the one there was, if it fits, else a new one."""
    if not steps:
        return False
    hashes = chain(match_id, steps)
    with suppress(DuelboxError):
        # Playing every match through would take minutes for a large history, so a good summary is kept.
        fits = told is not None and told[-3:-1] == (len(steps), hashes[-1])
        summary = summary_of(told) if told and fits else Log.replay(steps).summary(match_id)
        append(db, summary, steps, hashes, 0)
        return True
    return False


def _rows(raw: bytes) -> Iterator[Columns]:
    for start in range(0, len(raw), PAGE_SIZE):
        page = raw[start : start + PAGE_SIZE]
        if not page or page[0] not in (_INTERIOR, _LEAF):
            continue
        count = int.from_bytes(page[3:5], "big")
        head = 12 if page[0] == _INTERIOR else 8
        for at in range(head, min(head + 2 * count, PAGE_SIZE), 2):
            cell = int.from_bytes(page[at : at + 2], "big") + (4 if page[0] == _INTERIOR else 0)
            with suppress(IndexError, ValueError):
                yield _record(_payload(raw, page, cell))


def _payload(raw: bytes, page: bytes, at: int) -> bytes:
    """A cell's content, with what was too long for the page."""
    size, at = _varint(page, at)
    if size <= _MOST:
        return page[at : at + size]
    local = _LEAST + (size - _LEAST) % (PAGE_SIZE - 4)
    local = local if local <= _MOST else _LEAST
    content = page[at : at + local]
    following = page[at + local : at + local + 4]
    while len(content) < size:
        start = (int.from_bytes(following, "big") - 1) * PAGE_SIZE
        more = raw[start : start + PAGE_SIZE] if start >= 0 else b""
        if not more:
            raise ValueError("the rest is missing")
        following = more[:4]
        content += more[4 : 4 + size - len(content)]
    return content


def _record(payload: bytes) -> Columns:
    """The columns of a row in SQLite's record format."""
    head, at = _varint(payload, 0)
    body = head
    row: list[int | bytes | str | None] = []
    while at < head:
        kind, at = _varint(payload, at)
        size = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]
        value = payload[body : body + size]
        if len(value) < size:
            raise ValueError("a column is cut short")
        body += size
        row.append(_value(kind, value))
    return tuple(row)


def _value(kind: int, value: bytes) -> int | bytes | str | None:
    if kind == 0:
        return None
    if kind >= 12:
        return value.decode() if kind % 2 else value
    return kind - 8 if kind in (8, 9) else int.from_bytes(value, "big", signed=True)


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = raw[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at + count + 1
