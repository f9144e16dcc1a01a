"""The next game of a person against the computer: its level, and one thing to try after losses.

A person who has chosen neither level nor seat begins at the first level. Two wins in a row without help lead to the
next level; after two losses in a row something is offered, and the level stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

from duelbox.bots import Level
from duelbox.core.code import format_code
from duelbox.core.game import AnyGame, Preset
from duelbox.core.options import Options
from duelbox.store.statistics import Played

if TYPE_CHECKING:
    from duelbox.table.state import TableState

IN_A_ROW = 2
"""The wins in a row that lead to the next level, and the losses in a row after which something is offered."""
WINS_ENOUGH = 5
"""The wins without help in a preset after which the rules that follow it are offered."""
WON_KIND = "won-alone"
"""The kind of the progress entries that note a saved match as won without help, with its house rules."""
LESSON_UNTIL = 3
"""With more losses in a row, something other than the lesson is offered."""

Offer = Literal["", "lesson", "level", "seat"]
"""The thing offered after losses: the lesson, the lower level, or the other seat."""


def level_to_play(latest: Sequence[Played], levels: Sequence[str]) -> int:
    """The index of the level to play next; `latest` are the games of one kind, the latest first."""
    ranked = [one for one in latest if one.level in levels]
    if not ranked:
        return 0
    at = levels.index(ranked[0].level)
    row = ranked[:IN_A_ROW]
    if len(row) == IN_A_ROW and all(one.won_alone and one.level == levels[at] for one in row):
        return min(at + 1, len(levels) - 1)
    return at


def losses_in_a_row(latest: Sequence[Played]) -> int:
    """The number of losses in a row up to the last game; `latest` has the latest first."""
    return sum(1 for _ in takewhile(lambda one: one.points == 0, latest))


def offer_after_losses(latest: Sequence[Played], level: int, *, lesson_left: bool) -> Offer:
    """The thing to try after losses; empty after fewer than two in a row."""
    losses = losses_in_a_row(latest)
    if losses < IN_A_ROW:
        return ""
    if lesson_left and losses <= LESSON_UNTIL:
        return "lesson"
    return "level" if level > 0 else "seat"


def keep_win(state: TableState) -> None:
    """Save a win without help in a preset that other rules follow, or by those rules."""
    table, session = state.table, state.session
    you = table.voice.you
    outcome = session.outcome
    game = session.game
    if outcome is None or you is None or outcome.winner != you or table.saved_as is None:
        return
    if table.assisted or table.programs or not table.against_computer:
        return
    rules = session.options.rules_only()
    for preset in game.PRESETS:
        if preset.then is not None and rules in (preset.options, preset.then[1]):
            state.frontend.remember(WON_KIND, table.saved_as, {"rules": format_code(game, rules, ())})


def rules_to_try(game: AnyGame, preset: Preset[Any], won: Mapping[str, Any]) -> tuple[str, Options] | None:
    """The rules that follow a preset that was won often enough, with their name, until they are won themselves.

    `won` are the marks that `keep_win` saved. None if no rules follow.
    """
    if preset.then is None:
        return None
    codes = [mark.get("rules") for mark in won.values() if isinstance(mark, dict)]
    _, rules = preset.then
    often = codes.count(format_code(game, preset.options, ()))
    if often < WINS_ENOUGH or format_code(game, rules, ()) in codes:
        return None
    return preset.then


def goal_at(latest: Sequence[Played], level: Level) -> str:
    """The next step at a level, from the games played last."""
    if latest and latest[0].level == level.id:
        if latest[0].won_alone:
            return f"beat {level.name} once more"
        if latest[0].points == 1:
            return f"beat {level.name} alone"
    return f"beat {level.name} next"
