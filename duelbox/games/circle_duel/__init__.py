"""Number Circle Duel, all of it: rules, words, solver, computers, board, and its pages for people."""

from duelbox.games.circle_duel.rules import GAME

__all__ = ["GAME"]
