"""The panel with the whole argument for a verdict or a last hint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from duelbox.solve.api import Analysis, Stop
from duelbox.solve.argument import Part, argument
from duelbox.ui.terminal.background import in_background

if TYPE_CHECKING:
    from duelbox.table.prompts import Prompts
    from duelbox.ui.screens.table import TableScreen

SECONDS = 1.0
"""So long the argument is worked out; what is missing then is left out."""


def open_argument(screen: TableScreen[Any], prompts: Prompts) -> bool:
    """Begin to work the argument out, to be shown when it is; False if there is none."""
    if prompts.argued is None:
        return False
    screen.run_worker(_open(screen, prompts, prompts.argued))
    return True


async def _open(screen: TableScreen[Any], prompts: Prompts, analysis: Analysis) -> None:
    """Work the argument out, and show it unless the player has gone on meanwhile."""
    session = screen.session
    game, view, stamp = session.game, screen.state.view(), session.stamp

    def parts() -> tuple[Part, ...]:
        return argument(game, view, analysis, Stop(SECONDS))

    worked_out = await in_background(parts)
    if screen.is_current and session is screen.session and session.stamp == stamp:
        named = [
            replace(part, heading=session.named(part.heading), rows=tuple(map(session.named, part.rows)))
            for part in worked_out
        ]
        screen.open_whole(prompts, named)
