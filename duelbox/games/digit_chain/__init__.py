"""Digit Chain Duel, all of it: rules, words, solver, computers, board, and its pages for people."""

from duelbox.games.digit_chain.rules import GAME

__all__ = ["GAME"]
