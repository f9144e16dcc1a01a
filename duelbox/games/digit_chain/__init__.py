"""Digit Chain Duel: rules, words, solver, computer players, board, and pages for people."""

from duelbox.games.digit_chain.rules import GAME

__all__ = ["GAME"]
