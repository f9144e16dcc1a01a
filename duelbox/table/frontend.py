"""The frontend of a table, a screen or lines: it shows the table, and does what only a frontend can."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from duelbox.core.news import News
from duelbox.store.settings import Settings

if TYPE_CHECKING:
    from duelbox.table.local import LocalTable
    from duelbox.table.prompts import Prompts


class Frontend:
    """Shows a table, and saves, opens and copies for it. This base does nothing; screens and lines override it."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return Settings()

    @property
    def target(self) -> str | None:
        """The target on the board under the cursor."""
        return None

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Show the table as it is now; `news` are the changes of the match, if any."""

    async def keep(self) -> None:
        """Save the match; changes are shown only afterwards."""

    def lay(self, table: LocalTable, said: str) -> None:
        """Show another table in place of this one, with a sentence about it."""

    def open(self, place: str) -> Awaitable[None] | None:
        """Open a place beside the table, such as its review, by the method `open_review`. Raises DuelboxError."""
        opens: Callable[[], Awaitable[None] | None] | None = getattr(self, f"open_{place}", None)
        return None if opens is None else opens()

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard."""

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save an entry of a player's progress: a lesson, a puzzle, a mistake, counted moves."""

    async def think(self) -> None:
        """Start the solver, and wait a moment for a quick answer."""

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this in the background."""
        work.close()
