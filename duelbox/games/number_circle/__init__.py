"""Number Circle: its rules, its text for the line mode, and its pages for people."""

from duelbox.core.game import checked
from duelbox.games.number_circle import rules

GAME = checked(rules)
