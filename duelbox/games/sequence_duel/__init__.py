"""Sequence Duel: rules, words, solver, computer players, board, and pages for people."""

from duelbox.games.sequence_duel.rules import GAME

__all__ = ["GAME"]
