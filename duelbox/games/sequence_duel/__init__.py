"""Sequence Duel, all of it: rules, words, solver, computers, board, and its pages for people."""

from duelbox.games.sequence_duel.rules import GAME

__all__ = ["GAME"]
