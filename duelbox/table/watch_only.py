"""A table where a game is only looked at: a review, a game of a league."""

from __future__ import annotations

from duelbox.table.base import BaseTable


class WatchOnlyTable(BaseTable):
    """A table at which nobody moves, and no game that ends is judged."""

    @property
    def my_turn(self) -> bool:
        """False: nobody moves here."""
        return False

    @property
    def computer_to_move(self) -> bool:
        """False: no computer is asked here."""
        return False

    @property
    def forced(self) -> str:
        """Empty: nobody moves here."""
        return ""

    @property
    def to_be_judged(self) -> bool:
        """False: nothing was played here."""
        return False
