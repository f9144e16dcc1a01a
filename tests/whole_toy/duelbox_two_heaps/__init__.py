"""Two Heaps: a sixth duel with a solver, computers and a board of its own."""

from duelbox_two_heaps.rules import GAME

__all__ = ["GAME"]
