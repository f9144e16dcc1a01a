"""Toy Heap: a sixth duel that duelbox has never heard of."""

from duelbox_toy.rules import GAME

__all__ = ["GAME"]
