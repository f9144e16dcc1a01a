"""`duelbox show`: positions as text, or as a line of JSON each."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from duelbox.commands.answers import answer_all
from duelbox.core.code import Played
from duelbox.core.model import player
from duelbox.core.notation import format_code
from duelbox.core.talk import full_title, verdict
from duelbox.registry import talk_of


def run(args: Namespace) -> int:
    """Show every position; 2 if any code can't be read."""
    return answer_all(args.codes, as_json=args.json, facts=_facts, page=_page)


def _facts(played: Played) -> dict[str, Any]:
    game, state = played.game, played.states[-1]
    outcome = state.outcome
    legal = game.legal_moves(game.view(state, state.turn))
    return {
        "code": format_code(game, played.options, played.moves),
        "game": game.INFO.id,
        "turn": None if state.turn is None else state.turn + 1,
        "legal": [game.format_move(move) for move in legal],
        "outcome": None
        if outcome is None
        else {"winner": None if outcome.winner is None else outcome.winner + 1, "reason": outcome.reason},
    }


def _page(played: Played) -> str:
    game, state = played.game, played.states[-1]
    talk = talk_of(game)
    secret = game.INFO.hidden and state.outcome is None
    lines = [full_title(game, played.options, secret=secret), "", talk.board(game.view(state, None)), ""]
    if played.events:
        lines.append("Last turn: " + " ".join(event.sentence for event in played.events[-1]))
    if state.outcome is not None:
        lines += [state.outcome.reason, verdict(state.outcome)]
    elif state.turn is not None:
        lines.append(f"{player(state.turn)} is to move: {talk.choices(game.view(state, state.turn))}")
    if not secret:
        lines.append(f"Code: {format_code(game, played.options, played.moves)}")
    return "\n".join(lines)
