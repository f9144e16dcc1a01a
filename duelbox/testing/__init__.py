"""Laws for games: `broken_laws(GAME)` plays a game at random and reports every law that it breaks."""

from duelbox.testing.laws import LAWS, Law, RandomGame, random_game
from duelbox.testing.run import broken_laws, broken_part_laws, random_rules

__all__ = ["LAWS", "Law", "RandomGame", "broken_laws", "broken_part_laws", "random_game", "random_rules"]
