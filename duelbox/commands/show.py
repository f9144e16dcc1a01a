"""`duelbox show`: positions as text, or as a line of JSON each."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

from duelbox.core.code import Played, format_code, parse_code
from duelbox.core.errors import CodeError
from duelbox.core.model import player
from duelbox.core.talk import verdict
from duelbox.plain.console import visible
from duelbox.plain.talk import talk_of, title_of
from duelbox.registry import find_game

FAILED = 1


def run(args: Namespace) -> int:
    """Show every position; 1 if any code could not be read."""
    show = _as_json if args.json else _as_text
    failed = sum(not show(code) for code in codes_in(args.codes))
    return FAILED if failed else 0


def codes_in(given: Iterable[str]) -> Iterator[str]:
    """The codes named; `-` stands for the lines of the standard input that are not blank."""
    for code in given:
        if code != "-":
            yield code
        elif sys.stdin is not None:
            yield from (line.rstrip("\r\n") for line in sys.stdin if line.strip())


def _as_json(code: str) -> bool:
    try:
        answer, good = _facts(parse_code(code, find_game)), True
    except CodeError as error:
        answer, good = {"code": code, "error": error.sentence, "at": error.at}, False
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
    return good


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


def _as_text(code: str) -> bool:
    try:
        text = _page(parse_code(code, find_game))
    except CodeError as error:
        sys.stdout.flush()
        sys.stderr.write(visible(f"{code[:60]}: {error.sentence} (character {error.at})") + "\n")
        return False
    sys.stdout.write(f"{text}\n\n")
    sys.stdout.flush()
    return True


def _page(played: Played) -> str:
    game, state = played.game, played.states[-1]
    talk = talk_of(game)
    secret = game.INFO.hidden and state.outcome is None
    lines = [title_of(game, played.options, secret=secret), "", talk.board(game.view(state, None)), ""]
    if played.events:
        lines.append("Last turn: " + " ".join(event.sentence for event in played.events[-1]))
    if state.outcome is not None:
        lines += [state.outcome.reason, verdict(state.outcome)]
    elif state.turn is not None:
        lines.append(f"{player(state.turn)} is to move: {talk.choices(game.view(state, state.turn))}")
    if not secret:
        lines.append(f"Code: {format_code(game, played.options, played.moves)}")
    return "\n".join(lines)
