"""Digit Chain Duel: its rules, its text for the line mode, and its pages for people."""

from duelbox.core.game import checked
from duelbox.games.digit_chain import rules

GAME = checked(rules)
