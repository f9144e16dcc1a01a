"""`duelbox history`, `export` and `import`: lists saved games, writes them out, and reads them in."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from typing import Any

from duelbox.commands.shared import documents
from duelbox.core.errors import DuelboxError
from duelbox.core.match import points_text
from duelbox.core.names import printable
from duelbox.friends.waiting import waiting_elsewhere
from duelbox.registry import find_game, why_unplayable
from duelbox.store.progress import is_progress
from duelbox.store.store import EVERYTHING, Store
from duelbox.store.summary import Summary
from duelbox.store.unconfirmed import changed_results, unconfirmed

PROGRESS, ALL = "progress", "all"
"""Words in place of an id; ids never have an o or an l in them."""
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
    left_out = []
    for one in reversed(store.history(limit=EVERYTHING)):
        try:
            lines = store.codes(one.id) if codes else (_on_a_line(store.export(one.id)),)
            sys.stdout.write("".join(f"{line}\n" for line in lines))
        except DuelboxError as error:
            left_out.append(f"{one.id} is left out. {error.sentence}")
    if not codes:
        sys.stdout.write(f"{_on_a_line(store.progress.export())}\n")
    sys.stdout.flush()
    return _report(left_out)


def _on_a_line(document: str) -> str:
    """A JSON document on one line; strings in JSON hold no line breaks."""
    return re.sub(r"\n *", "", document)


def _report(faults: list[str]) -> int:
    """Print the first faults on standard error; returns 1 if there are any."""
    more = [f"And {len(faults) - SHOWN} more."] if len(faults) > SHOWN else []
    sys.stderr.write("".join(f"{printable(fault)}\n" for fault in (*faults[:SHOWN], *more)))
    return 1 if faults else 0


def import_(args: Namespace) -> int:
    """Add the JSON records, the position code or the exported progress of a file."""
    with Store.open() as store:
        before, said, faults = store.count(), list[str](), list[str]()
        for number, raw in enumerate(documents(args.file), 1):
            if number > 1 and not raw.strip():
                continue
            try:
                said.append(_import(store, raw))
            except DuelboxError as error:
                faults.append(error.sentence if number == 1 else f"Line {number}: {error.sentence}")
        if not said:
            raise DuelboxError(faults[0])
        added, saved = store.count() - before, store.kept
        _show_notice(store)
    lines = len(said) + len(faults)
    what = said[0] if lines == 1 else f"Of {lines} lines, {added} added a saved game."
    sys.stdout.write(f"{what}\n" if saved else "It can be read, but could not be kept.\n")
    sys.stdout.flush()
    return max(_report(faults), 0 if saved else 1)


def _import(store: Store, raw: bytes) -> str:
    """Add one document; returns a sentence about it."""
    if is_progress(raw):
        return f"{store.progress.import_text(raw)} entries of progress were added."
    return f"Saved as {store.import_text(raw)}."


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
