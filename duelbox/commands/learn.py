"""`duelbox learn`: a lesson, on the full screen or in lines of text."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.commands.shared import above_home
from duelbox.core.errors import DuelboxError


def run(args: Namespace) -> int:
    """Take the lesson of a game, or say which there are."""
    from duelbox.learn.lessons import Course, lesson_of
    from duelbox.registry import find_game, game_ids

    if args.game is None:
        for game_id in game_ids():
            lesson = lesson_of(game_id)
            if lesson is not None:
                sys.stdout.write(f"{game_id:<15}{lesson.title}, {len(lesson.step)} steps\n")
        return 0
    game = find_game(args.game.lower())
    lesson = lesson_of(game.INFO.id)
    if lesson is None:
        raise DuelboxError(f"{game.INFO.title} has no lesson.")
    if not args.plain:
        return above_home(lambda app: app.ways.open_lesson(game.INFO.id), f"duelbox learn {game.INFO.id} --plain")
    from duelbox.plain.console import Console
    from duelbox.plain.tries import take

    return take(Console(sys.stdin, sys.stdout), Course(lesson))
