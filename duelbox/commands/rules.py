"""`duelbox rules`: the rules of a game."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.registry import rules_text


def run(args: Namespace) -> int:
    """Print the page."""
    sys.stdout.write(rules_text(args.game.lower()))
    return 0
