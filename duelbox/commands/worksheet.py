"""`duelbox worksheet`: puzzles on paper."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.core.errors import DuelboxError
from duelbox.learn.worksheet import chosen, sheet
from duelbox.registry import find_game


def run(args: Namespace) -> int:
    """Print the sheet, as HTML or Markdown."""
    if args.grade is not None and not 1 <= args.grade <= 5:
        raise DuelboxError(f"A puzzle is of grade 1 to 5, not {args.grade}.")
    game_id = find_game(args.game.lower()).INFO.id
    puzzles = chosen(game_id, args.puzzles, args.grade, args.seed)
    sys.stdout.write(sheet(game_id, puzzles, answers=args.answers, markdown=args.md))
    return 0
