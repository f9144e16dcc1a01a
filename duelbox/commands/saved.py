"""`duelbox history`, `export` and `import`: lists saved games, writes them out, and reads them in."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from typing import Any, Self

from duelbox.commands.shared import documents
from duelbox.core.errors import DuelboxError
from duelbox.core.match import points_text
from duelbox.core.names import printable
from duelbox.friends.waiting import waiting_elsewhere
from duelbox.registry import find_game, why_unplayable
from duelbox.store.archive import read_match
from duelbox.store.matches import Kept
from duelbox.store.progress import is_progress
from duelbox.store.store import Store
from duelbox.store.summary import Summary
from duelbox.store.unconfirmed import changed_results, unconfirmed

PROGRESS, ALL = "progress", "all"
"""Words in place of an id; ids never have an o or an l in them."""
BATCH = 200
"""Lines that are imported at once."""
SHOWN = 10
"""At most this many faults of a file are told one by one."""


def history(args: Namespace) -> int:
    """List the saved games, the latest first."""
    game = None if args.game is None else args.game.lower()
    with Store.open() as store:
        if game is not None and not store.count(game):
            find_game(game)  # raises for an unknown game without saved games
        waiting = [match for match in waiting_elsewhere(store) if game in (None, match.game)]
        if args.opponent or args.result:
            waiting = []
        summaries = store.history(game, args.opponent, args.result, limit=args.limit)
        count, all_there_are = store.count(game, args.opponent, args.result), store.count()
        doubtful, changed = unconfirmed(store), changed_results(store)
        _show_notice(store)
    if args.json:
        sys.stdout.write(json.dumps([_facts(summary) for summary in summaries], indent=1) + "\n")
        return 0
    for match in waiting:
        sys.stdout.write(f"elsewhere  {match.title} {match.sentence}\n")
    for summary in summaries:
        sys.stdout.write(f"{_line(summary, doubtful.get(summary.id, ''))}\n")
    sys.stdout.flush()
    # on standard error, as a program may read the output
    if count > len(summaries):
        sys.stderr.write(f"{len(summaries)} of {count}; for more: --limit {count}\n")
    elif not summaries and all_there_are:
        sys.stderr.write(f"No saved game is like that; without these options: {all_there_are}.\n")
    elif not summaries and not waiting:
        sys.stderr.write("No saved games.\n")
    for result in changed[:SHOWN]:
        sys.stderr.write(f"{result.at}  {result.note}\n")
    if waiting:
        sys.stderr.write("To go on with a match elsewhere: duelbox join\n")
    return 0


def export(args: Namespace) -> int:
    """Print a saved game as a JSON record or as position codes, or print the progress."""
    with Store.open() as store:
        _show_notice(store)
        if args.id == ALL:
            return _export_all(store, codes=args.code)
        if args.id == PROGRESS:
            text = store.progress.export()
        else:
            text = "\n".join(store.codes(args.id)) if args.code else store.export(args.id)
    sys.stdout.write(f"{text}\n")
    return 0


def _export_all(store: Store, *, codes: bool) -> int:
    """Print all saved games, oldest first, and the progress, a line each; returns 1 if a game was left out."""
    faults = _Faults()
    with _Count("games") as count:
        for match_id, record in store.each_record():
            count.add(1)
            try:
                if isinstance(record, DuelboxError):
                    raise record
                lines = store.codes(match_id) if codes else (record,)
                sys.stdout.write("".join(f"{line}\n" for line in lines))
            except DuelboxError as error:
                faults.add(f"{match_id} is left out. {error.sentence}")
    if not codes:
        sys.stdout.write(f"{_on_a_line(store.progress.export())}\n")
    sys.stdout.flush()
    return faults.report()


def _on_a_line(document: str) -> str:
    """A JSON document on one line; strings in JSON hold no line breaks."""
    return re.sub(r"\n *", "", document)


class _Faults:
    """Sentences about faults: the first ones, and the number of all."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.count = 0

    def add(self, fault: str) -> None:
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(fault)

    def report(self) -> int:
        """Print the first faults on standard error; returns 1 if there are any."""
        for fault in self.first:
            sys.stderr.write(f"{printable(fault)}\n")
        if self.count > SHOWN:
            sys.stderr.write(f"And {self.count - SHOWN} more.\n")
        return 1 if self.count else 0


class _Count:
    """A number that grows on the line of a terminal while a command works."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def add(self, more: int) -> None:
        """Count some more, and show the number now and then."""
        before = self._count // BATCH
        self._count += more
        if self._shown and self._count // BATCH > before:
            sys.stderr.write(f"\r{self._count:,} {self._name}")
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._shown and self._count >= BATCH:
            sys.stderr.write("\r\x1b[K")


def import_(args: Namespace) -> int:
    """Add the JSON records, the position code or the exported progress of a file."""
    faults = _Faults()
    with Store.open() as store:
        lines = 0
        added = 0
        answer = ""
        batch: list[Kept] = []
        with _Count("lines") as count:
            for number, raw in enumerate(documents(args.file), 1):
                count.add(1)
                if number > 1 and not raw.strip():
                    continue
                lines += 1
                try:
                    if is_progress(raw):
                        answer = f"{store.progress.import_text(raw)} entries of progress were added."
                    else:
                        batch.append(read_match(raw))
                except DuelboxError as error:
                    faults.add(error.sentence if number == 1 else f"Line {number}: {error.sentence}")
                if len(batch) >= BATCH:
                    added += _save(store, batch)[0]
                    batch.clear()
        if faults.count == lines:
            raise DuelboxError(faults.first[0])
        if batch:
            more, match_id = _save(store, batch)
            added += more
            answer = f"Saved as {match_id}."
        saved = store.kept
        _show_notice(store)
    if lines > 1:
        answer = f"Of {lines} lines, {added} added a saved game."
    if not saved:
        answer = "It can be read, but could not be kept."
    sys.stdout.write(f"{answer}\n")
    sys.stdout.flush()
    return max(faults.report(), 0 if saved else 1)


def _save(store: Store, batch: list[Kept]) -> tuple[int, str]:
    """Save these matches; returns the number of those that were not there before, and the id of the last one."""
    ids = store.import_all(batch)
    added = sum(one.summary.id == match_id for one, match_id in zip(batch, ids, strict=True))
    return added, ids[-1]


def _show_notice(store: Store) -> None:
    if store.notice:
        sys.stderr.write(f"{store.notice}\n")


def _facts(summary: Summary) -> dict[str, Any]:
    facts = summary.model_dump(mode="json", exclude={"deleted", "finished", "first"})
    finished = [
        {"winner": None if one.winner is None else one.winner + 1, **one.model_dump(mode="json", exclude={"winner"})}
        for one in summary.finished
    ]
    return {**facts, "first": summary.first + 1, "finished": finished, "result": summary.result}


def _line(summary: Summary, unconfirmed_by: str) -> str:
    """A line of the history; it names the friend who has not confirmed the result yet."""
    when = f"{summary.last_played.astimezone():%Y-%m-%d %H:%M}"
    match = summary.match
    score = f" {points_text(match.points(0))}:{points_text(match.points(1))}" if summary.finished else ""
    round_number = min(len(summary.finished) + 1, summary.rounds)
    rounds = f", round {round_number} of {summary.rounds}" if summary.rounds > 1 else ""
    moves = "1 move" if summary.moves == 1 else f"{summary.moves} moves"
    winner = match.winner if summary.over else None
    ending = "unfinished" if not summary.over else "a draw" if winner is None else f"{summary.players[winner].name} won"
    if unconfirmed_by:
        ending += f", not confirmed by {unconfirmed_by} yet"
    away = " (not installed)" if why_unplayable(summary.game) else ""
    one, two = (who.name if who.level is None else f"{who.name} ({who.level})" for who in summary.players)
    return f"{summary.id}  {when}  {summary.game}{away}  {one} - {two}{score}  {ending}, {moves}{rounds}"
