"""Number Circle Duel: its rules, its text for the line mode, and its pages for people."""

from duelbox.core.game import checked
from duelbox.games.circle_duel import rules

GAME = checked(rules)
