"""Number Circle: rules, words, solver, computer players, board, and pages for people."""

from duelbox.games.number_circle.rules import GAME

__all__ = ["GAME"]
