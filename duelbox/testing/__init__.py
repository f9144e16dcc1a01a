"""The laws for whoever writes a game: `broken_laws(GAME)` plays it at random, and says what it does not hold."""

from duelbox.testing.laws import LAWS, Law, Trail, trail_of
from duelbox.testing.run import broken_laws, broken_part_laws, house_rules

__all__ = ["LAWS", "Law", "Trail", "broken_laws", "broken_part_laws", "house_rules", "trail_of"]
