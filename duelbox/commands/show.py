"""`duelbox show`: positions as text, or as a line of JSON each; and how many codes are answered, as by `solve`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.model import player
from duelbox.core.names import printable
from duelbox.core.session import Session
from duelbox.core.talk import full_title, verdict
from duelbox.registry import find_game, talk_of

FAILED, REFUSED = 1, 2


def run(args: Namespace) -> int:
    """Show every position; 2 if any code can't be read."""
    return answer_all(args, _facts, _page)


def _facts(session: Session) -> dict[str, Any]:
    game, outcome = session.game, session.outcome
    return {
        "code": session.code(),
        "game": game.INFO.id,
        "turn": None if session.turn is None else session.turn + 1,
        "legal": [game.format_move(move) for move in session.legal_moves()],
        "outcome": outcome
        and {"winner": None if outcome.winner is None else outcome.winner + 1, "reason": outcome.reason},
    }


def _page(session: Session) -> str:
    game, outcome, turn = session.game, session.outcome, session.turn
    talk = talk_of(game)
    secret = game.INFO.hidden and outcome is None
    lines = [full_title(game, session.options, secret=secret), "", talk.board(session.view(None)), ""]
    if session.plies:
        lines.append("Last turn: " + " ".join(event.sentence for event in session.plies[-1].events))
    if outcome is not None:
        lines += [outcome.reason, verdict(outcome)]
    elif turn is not None:
        lines.append(f"{player(turn)} is to move: {talk.choices(session.view(turn))}")
    if not secret:
        lines.append(f"Code: {session.code()}")
    return "\n".join(lines)


def answer_all(args: Namespace, facts: Callable[[Session], dict[str, Any]], page: Callable[[Session], str]) -> int:
    """Answer for every code, as lines of JSON or as text; 2 if any can't be read, 1 if one can't be answered."""
    status = 0
    for code in _codes(args.codes):
        try:
            session = parse_code(code, find_game)
            answer = json.dumps(facts(session)) if args.json else f"{page(session)}\n"
            sys.stdout.write(f"{answer}\n")
        except DuelboxError as error:
            status = max(status, REFUSED if isinstance(error, CodeError) else FAILED)
            at = error.at if isinstance(error, CodeError) else None
            if args.json:
                sys.stdout.write(json.dumps({"code": code, "error": error.sentence, "at": at}) + "\n")
            else:
                where = f" (character {at})" if at is not None else ""
                sys.stdout.flush()
                sys.stderr.write(printable(f"{code[:60]}: {error.sentence}{where}") + "\n")
        sys.stdout.flush()
    return status


def _codes(given: Iterable[str]) -> Iterator[str]:
    """The codes named; `-` stands for the lines of the standard input that are not blank."""
    for code in given:
        if code != "-":
            yield code
        elif sys.stdin is not None:
            yield from (line.rstrip("\r\n") for line in sys.stdin if line.strip())
