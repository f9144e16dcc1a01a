"""A packaged bot as a program: reads the protocol of `duelbox help programs`, and asks the bot's function for moves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import entry_points

from duelbox.bots.packaged import GROUP
from duelbox.library import Seen, Table

Bot = Callable[[Seen], object]


def main(name: str) -> int:
    """Play as the bot of this name until it is told to quit."""
    (point,) = entry_points(group=GROUP, name=name)
    bot: Bot = point.load()
    answers, sys.stdout = sys.stdout, sys.stderr  # texts that the bot prints are no answers
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "hello":
            print("ready", name, file=answers, flush=True)
        elif word == "turn":
            print("move", answer(bot, rest), file=answers, flush=True)
        elif word == "quit":
            break
    return 0


def answer(bot: Bot, turn: str) -> str:
    """The bot's move, as text; `turn` has the seconds, the legal moves, and the code or the JSON of what is seen."""
    _, _, told = turn.split(" ", 2)
    seen = read_seen(told)
    move = bot(seen)
    if isinstance(move, str):
        return move
    return str(seen.table().game.format_move(move))


def read_seen(told: str) -> Seen:
    """Read what the player sees, from a code or from JSON."""
    if told.startswith("{"):
        return Seen.model_validate_json(told)
    return Table(told).seen()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
