"""`duelbox history`: the saved games, the latest first."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from duelbox.core.match import points_text
from duelbox.core.record import Who
from duelbox.registry import find_game, why_not
from duelbox.store.store import Store
from duelbox.store.summary import Summary


def run(args: Namespace) -> int:
    """List them."""
    game = None if args.game is None else args.game.lower()
    with Store.open() as store:
        if game is not None and not store.count(game):
            find_game(game)  # refuses what is no game, here or on the disk
        found = store.history(game, args.opponent, args.result, limit=args.limit)
        count, all_there_are = store.count(game, args.opponent, args.result), store.count()
        tell(store)
    if args.json:
        sys.stdout.write(json.dumps([_facts(summary) for summary in found], indent=1) + "\n")
        return 0
    for summary in found:
        sys.stdout.write(f"{_line(summary)}\n")
    sys.stdout.flush()
    # Beside the output, which may be read by a program.
    if count > len(found):
        sys.stderr.write(f"{len(found)} of {count}; for more: --limit {count}\n")
    elif not found and all_there_are:
        sys.stderr.write(f"No saved game is like that; without these options: {all_there_are}.\n")
    elif not found:
        sys.stderr.write("No saved games.\n")
    return 0


def tell(store: Store) -> None:
    """Say what the store has to say, beside the output."""
    if store.notice:
        sys.stderr.write(f"{store.notice}\n")


def _facts(summary: Summary) -> dict[str, Any]:
    facts = summary.model_dump(mode="json", exclude={"deleted", "finished", "first"})
    finished = [
        {"winner": None if one.winner is None else one.winner + 1, **one.model_dump(mode="json", exclude={"winner"})}
        for one in summary.finished
    ]
    return {**facts, "first": summary.first + 1, "finished": finished, "result": summary.result}


def _line(summary: Summary) -> str:
    when = f"{summary.last_played.astimezone():%Y-%m-%d %H:%M}"
    one, two = summary.players
    match = summary.match
    score = f" {points_text(match.points(0))}:{points_text(match.points(1))}" if summary.finished else ""
    rounds = (
        f", round {min(len(summary.finished) + 1, summary.rounds)} of {summary.rounds}" if summary.rounds > 1 else ""
    )
    moves = "1 move" if summary.moves == 1 else f"{summary.moves} moves"
    winner = summary.match.winner if summary.over else None
    ending = "unfinished" if not summary.over else "a draw" if winner is None else f"{summary.players[winner].name} won"
    away = " (not installed)" if why_not(summary.game) else ""
    return f"{summary.id}  {when}  {summary.game}{away}  {_who(one)} - {_who(two)}{score}  {ending}, {moves}{rounds}"


def _who(who: Who) -> str:
    return who.name if who.level is None else f"{who.name} ({who.level})"
