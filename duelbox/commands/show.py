"""`duelbox show`: prints positions as text or as lines of JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from duelbox.commands.shared import answer_all
from duelbox.core.model import player
from duelbox.core.session import Session
from duelbox.core.talk import full_title, winner_sentence
from duelbox.registry import talk_of


def run(args: Namespace) -> int:
    """Show every position; returns 2 if a code cannot be read."""
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
    lines = [full_title(game, session.options), "", talk.board(session.view(None)), ""]
    if session.plies:
        lines.append("Last turn: " + " ".join(event.sentence for event in session.plies[-1].events))
    if outcome is not None:
        lines += [outcome.reason, winner_sentence(outcome)]
    elif turn is not None:
        lines.append(f"{player(turn)} is to move: {talk.choices(session.view(turn))}")
    if not secret:
        lines.append(f"Code: {session.code()}")
    return "\n".join(lines)
