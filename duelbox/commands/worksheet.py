"""`duelbox worksheet`: puzzles on paper."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.core.errors import DuelboxError
from duelbox.core.session import Session
from duelbox.learn.worksheet import chosen, sheet
from duelbox.registry import find_game

WIDE, HIGH = 60, 17
"""The cells of a board on paper, a quarter of a page."""


def run(args: Namespace) -> int:
    """Print the sheet, as HTML or Markdown."""
    if args.grade is not None and not 1 <= args.grade <= 5:
        raise DuelboxError(f"A puzzle is of grade 1 to 5, not {args.grade}.")
    game_id = find_game(args.game.lower()).INFO.id
    puzzles = chosen(game_id, args.puzzles, args.grade, args.seed)
    sys.stdout.write(sheet(game_id, puzzles, None if args.md else _drawn, answers=args.answers))
    return 0


def _drawn(session: Session) -> str:
    from duelbox.ui.svg import board_svg

    return board_svg(session, WIDE, HIGH, "paper")
