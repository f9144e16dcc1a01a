"""Toy Heap: a sixth duel, from another package."""

from duelbox_toy.rules import GAME

__all__ = ["GAME"]
