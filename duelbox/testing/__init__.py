"""The laws for whoever writes a game: `broken_laws(GAME)` plays it at random, and says what it does not hold."""

from duelbox.testing.laws import LAWS, Law, RandomGame, random_game
from duelbox.testing.run import broken_laws, broken_part_laws, random_rules

__all__ = ["LAWS", "Law", "RandomGame", "broken_laws", "broken_part_laws", "random_game", "random_rules"]
