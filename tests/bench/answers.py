"""`duelbox solve - --json` on 2,000 random positions of all games and house rules: `python -m tests.bench.answers`.

The same positions are solved in this process as well, where every answer has to be the same; and where a position is
small enough, it is played out to every end by the slow judges of the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from time import perf_counter, process_time
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import analyse
from tests.bench.child import Ran, run
from tests.bench.measure import Row
from tests.games.slow_rules import Judge, judge_of
from tests.house_rules import GAME_IDS, house_rules

COUNT = 2_000
LONGEST = 60
SECONDS = 40.0
ENDLESS = "number-circle"
"""Games that need not end cannot be played out, nor those of chance."""
JUDGED = set(GAME_IDS) - {ENDLESS, "number-duel"}
NODES = 300
"""Positions that a slow judge looks at before it gives up."""


def codes(count: int = COUNT) -> list[str]:
    """Random games, each broken off at any of its positions, the last one included; always the same ones."""
    rng = Random(2_024)
    return [_code(GAME_IDS[number % len(GAME_IDS)], rng) for number in range(count)]


def _code(game_id: str, rng: Random) -> str:
    session = Session(find_game(game_id), house_rules(game_id, rng))
    found = [session.code()]
    while session.turn is not None and len(found) <= LONGEST:
        session.play(rng.choice(session.legal_moves()))
        found.append(session.code())
    return rng.choice(found)


def rows(count: int = COUNT) -> Iterator[Row]:
    """The time of all positions together, by the command and in this process; the answers are checked."""
    asked = codes(count)
    # First, while this process is small: a child's greatest memory counts what it had before it became a Python.
    ran = solve(asked)
    assert ran.status == 0, ran.errors
    name = f"duelbox solve - --json, {count:,} positions of all games"
    yield Row(name, [1_000 * ran.cpu], [1_000 * ran.wall], {"max": 1_000 * SECONDS}, by_wall=True)
    print(f"  memory of the command at its greatest: {ran.peak / 1e6:.0f} MB, with all that it found out kept")
    read = [parse_code(code, find_game) for code in asked]
    began, began_wall = process_time(), perf_counter()
    told = [_told(played) for played in read]
    cpu, wall = process_time() - began, perf_counter() - began_wall
    yield Row(f"{count:,} positions of all games, in this process", [1_000 * cpu], [1_000 * wall])
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [{key: answer[key] for key in one} for answer, one in zip(answers, told, strict=True)] == told
    over = sum(answer["turn"] is None for answer in answers)
    judged = judge(zip(read, told, strict=True))
    print(f"  the command said the same; {over} of them are over, and {judged} are small enough for the slow judges,")
    print("  who say the same of each")


def solve(asked: Iterable[str]) -> Ran:
    """The command with these codes on its standard input."""
    return run("-m", "duelbox", "solve", "-", "--json", typed="".join(f"{code}\n" for code in asked))


def _told(played: Session) -> dict[str, Any]:
    """What the answer has to be."""
    state = played.state
    if state.turn is None:
        return {"turn": None, "verdict": None, "moves": []}
    analysis = analyse(played.game, played.game.view(state, state.turn))
    moves = [
        {"move": move.move, "verdict": move.verdict, "plies": move.plies, "value": float(move.value)}
        for move in analysis.moves
    ]
    return {
        "turn": analysis.turn + 1,
        "verdict": analysis.verdict,
        "plies": analysis.plies,
        "win": float(analysis.win),
        "draw": float(analysis.draw),
        "value": float(analysis.value),
        "moves": moves,
        "reason": analysis.reason,
    }


class _TooLong(Exception):
    """There is more to play out than a slow judge is given time for."""


def judge(solved: Iterable[tuple[Session, dict[str, Any]]]) -> int:
    """How many of these the slow judges could play out; every one of them has to agree."""
    judged = 0
    for played, told in solved:
        game_id = played.game.INFO.id
        if told["turn"] is None or game_id not in JUDGED:
            continue
        slow = judge_of(game_id, played.options, played.start)
        for move in played.moves:
            slow = slow.after(played.game.format_move(move))
        try:
            wins = _wins(slow, iter(range(NODES)))
        except _TooLong:
            continue
        assert told["verdict"] == ("win" if wins else "loss"), played
        judged += 1
    return judged


def _wins(slow: Judge, nodes: Iterator[int]) -> bool:
    """Whether the player to move wins, by trying everything."""
    if next(nodes, None) is None:
        raise _TooLong
    for move in slow.moves():
        after = slow.after(move)
        if after.result == slow.turn or (after.result == "on" and not _wins(after, nodes)):
            return True
    return False


if __name__ == "__main__":
    from tests.bench.measure import show

    show(rows())
