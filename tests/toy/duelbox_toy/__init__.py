"""Toy Heap: a sixth duel that duelbox has never heard of."""

from duelbox.core.game import checked
from duelbox_toy import rules

GAME = checked(rules)
