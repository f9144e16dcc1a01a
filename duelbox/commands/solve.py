"""`duelbox solve`: prints the exact verdict of positions, as text or as lines of JSON."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from duelbox.commands.shared import answer_all
from duelbox.core.errors import DuelboxError
from duelbox.core.model import player
from duelbox.core.session import Session
from duelbox.core.talk import full_title, winner_sentence
from duelbox.solve import explained
from duelbox.solve.api import Analysis, Stop, Stopped, json_number
from duelbox.solve.sentences import best_moves, hints, reason_and_trap, worth


def run(args: Namespace) -> int:
    """Solve every position; returns 2 if a code cannot be read, 1 if a position cannot be solved."""
    seconds = args.seconds or None
    return answer_all(args, partial(_facts, seconds), partial(_page, seconds))


def _analysis(seconds: int | None, session: Session) -> Analysis | None:
    if session.turn is None:
        return None
    stop = Stop(seconds)
    try:
        *_, last = explained(session.game, session.view(session.turn), stop)
        return last
    except Stopped:
        raise DuelboxError(
            f"This position was not worked out in {seconds} s. --seconds 0 takes all the time it needs."
            if stop.late
            else "This position goes on for longer than can be worked out."
        ) from None


def _facts(seconds: int | None, session: Session) -> dict[str, Any]:
    analysis, outcome = _analysis(seconds, session), session.outcome
    facts: dict[str, Any] = {"code": session.code()}
    if analysis is None:
        facts |= {"turn": None, "verdict": None, "plies": 0, "win": None, "draw": None, "value": None, "moves": []}
        facts |= {"idea": None, "hints": [], "instead": None}
        return facts | {"reason": f"{winner_sentence(outcome)} {outcome.reason}" if outcome else ""}
    instead = None
    if analysis.instead is not None:
        instead = {"move": analysis.instead.move, "reply": analysis.instead.reply or None}
    return facts | {
        "turn": analysis.turn + 1,
        "verdict": analysis.verdict,
        "plies": analysis.plies,
        "win": json_number(analysis.win),
        "draw": json_number(analysis.draw),
        "value": json_number(analysis.value),
        "moves": [
            {"move": move.move, "verdict": move.verdict, "plies": move.plies, "value": json_number(move.value)}
            for move in analysis.moves
        ],
        "idea": analysis.idea.name if analysis.idea else None,
        "hints": hints(analysis),
        "reason": reason_and_trap(analysis),
        "instead": instead,
    }


def _page(seconds: int | None, session: Session) -> str:
    analysis, outcome = _analysis(seconds, session), session.outcome
    lines = [full_title(session.game, session.options)]
    if analysis is None:
        assert outcome is not None
        return "\n".join([*lines, f"The game is over. {winner_sentence(outcome)}", outcome.reason])
    lines += [f"{player(analysis.turn)} is to move: {worth(analysis)}.", reason_and_trap(analysis)]
    width = max((len(move.move) for move in analysis.moves), default=0)
    advised = sorted(analysis.moves, key=lambda move: move.move != analysis.advice)
    later = analysis.verdict == "win" and advised[0] not in best_moves(analysis)
    quickest = {best_moves(analysis)[0].move: ", the quickest"} if later else {}
    moves = (f"  {one.move:<{width}}  {worth(one)}{quickest.get(one.move, '')}" for one in advised)
    return "\n".join([*lines, *moves])
