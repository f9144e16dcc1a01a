"""Number Circle, all of it: rules, words, solver, computers, board, and its pages for people."""

from duelbox.games.number_circle.rules import GAME

__all__ = ["GAME"]
