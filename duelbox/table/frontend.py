"""The border between a table and whoever shows it: what a screen or lines do for a table, and how moves are typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from duelbox.core.news import News
from duelbox.store.settings import Settings
from duelbox.table.base import BaseTable

if TYPE_CHECKING:
    from duelbox.table.prompts import Prompts


class MoveInput(Protocol):
    """Typing and pointing at the moves of a game; `GameBoard` has all of it."""

    @property
    def keys(self) -> str: ...  # noqa: D102
    @property
    def changing(self) -> str: ...  # noqa: D102
    @property
    def begins(self) -> Callable[[Any, str], bool]: ...  # noqa: D102
    @property
    def typed(self) -> Callable[[Any, str, str], str]: ...  # noqa: D102
    @property
    def pick(self) -> Callable[[Any, str, str], str]: ...  # noqa: D102
    @property
    def asks(self) -> Callable[[Any], str]: ...  # noqa: D102
    @property
    def has_secret(self) -> Callable[[Any], bool]: ...  # noqa: D102
    @property
    def open_up(self) -> Callable[[Any], Any]: ...  # noqa: D102


class NoInput:
    """Types and points at nothing: where whole lines are read, the move line stays empty."""

    keys = changing = ""

    def begins(self, view: Any, line: str) -> bool:
        """No line begins a move."""
        return False

    def typed(self, view: Any, line: str, char: str) -> str:
        """Nothing is typed."""
        return line

    pick = typed

    def asks(self, view: Any) -> str:
        """Nothing is asked for."""
        return ""

    def has_secret(self, view: Any) -> bool:
        """Nothing is looked at for a moment."""
        return False

    def open_up(self, state: Any) -> Any:
        """The position, with what is hidden in it."""
        return state


class Frontend:
    """Shows a table to somebody, and does what only a screen or lines can do; this one shows it to nobody."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return Settings()

    @property
    def target(self) -> str | None:
        """The part of the board that the cursor stands on."""
        return None

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Show all of it as it is now; `news` are what has changed it, if anything of the match has."""

    async def keep(self) -> None:
        """Put the match on disk, before what changed is shown."""

    def lay(self, table: BaseTable, said: str) -> None:
        """Lay another match on the table, with a word about it."""

    def open(self, place: str) -> Awaitable[None] | None:
        """Open what lies beside the table: its review, its rounds, help, home …; raises DuelboxError."""

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Keep how far somebody has come in a lesson, with a puzzle or with a mistake."""

    async def think(self) -> None:
        """Set the solver to work, and wait a moment for an answer that comes at once."""

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside everything else."""
        work.close()
