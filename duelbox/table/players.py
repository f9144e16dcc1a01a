"""The players of a match: people by name, computers by level (`bot:3`), and never two of one name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from duelbox.bots import Level, find_level, level_of, levels_of
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.model import Seat
from duelbox.core.names import alike, check_name, chosen_name, is_word_of_the_table, told_apart
from duelbox.core.record import RUN, PlayerInfo
from duelbox.core.session import DEFAULT_NAMES
from duelbox.store.store import Store
from duelbox.table.programs import program_player

YOU = "You"
"""A person without a name who reads alone."""
OPPONENT = "Opponent"
"""The other player in a puzzle or a lesson."""


def named_players(
    game: AnyGame, asked: Sequence[str | None], programs: Mapping[str, str] | None = None
) -> tuple[PlayerInfo | None, PlayerInfo | None]:
    """The players named by texts, each a name, bot:LEVEL or run:COMMAND; raises BadName or NoSuchLevel.

    `programs` are the commands of the settings by their names. Without it run: is refused, as a name.
    """
    one, two = (None if text is None else _who(game, text, programs) for text in asked)
    if one is None or two is None:
        return one, two
    if one.level is None and two.level is None:
        check_name(two.name, one.name)
    return differently_named(one, two)


def with_default_names(players: Sequence[PlayerInfo | None]) -> tuple[PlayerInfo, PlayerInfo]:
    """The players; missing ones are called Player 1 and Player 2."""
    one, two = (player or PlayerInfo(name=name) for player, name in zip(players, DEFAULT_NAMES, strict=True))
    return one, two


def names_for_reader(names: tuple[str, str], reader: Seat) -> tuple[str, str]:
    """The names as the only reader sees them: You and Opponent in place of Player 1 and Player 2."""
    usual = [OPPONENT, OPPONENT]
    usual[reader] = YOU
    one, two = (stand_in if name in DEFAULT_NAMES else name for name, stand_in in zip(names, usual, strict=True))
    return one, two


def as_teams(players: tuple[PlayerInfo, PlayerInfo]) -> tuple[PlayerInfo, PlayerInfo]:
    """Two people as Team 1 and Team 2, unless they are teams; a person against a computer stays."""
    if any(player.level for player in players) or _team_numbers(players) is not None:
        return players
    return _teams(1)


def next_teams(players: tuple[PlayerInfo, PlayerInfo]) -> tuple[PlayerInfo, PlayerInfo] | None:
    """The two teams after these; None if these are no teams."""
    numbers = _team_numbers(players)
    return None if numbers is None else _teams(max(numbers) + 1)


def _teams(first: int) -> tuple[PlayerInfo, PlayerInfo]:
    return PlayerInfo(name=f"Team {first}"), PlayerInfo(name=f"Team {first + 1}")


def _team_numbers(players: tuple[PlayerInfo, PlayerInfo]) -> tuple[int, int] | None:
    """The numbers of two teams; None if one of these is no team."""
    one, two = (re.fullmatch("Team ([0-9]{1,3})", player.name) for player in players)
    if one is None or two is None:
        return None
    return int(one[1]), int(two[1])


def _who(game: AnyGame, text: str, programs: Mapping[str, str] | None) -> PlayerInfo:
    if programs is not None and text.startswith(RUN):
        return program_player(text, programs)
    if not text.startswith("bot:"):
        return PlayerInfo(name=chosen_name(text))
    level = text.removeprefix("bot:")
    return computer_player(level_of(game.INFO.id, level.lower()) or find_level(game.INFO.id, level))


def computer_player(level: Level) -> PlayerInfo:
    """The computer of this level as a player."""
    return PlayerInfo(name=level.name, level=level.id)


def level_above(game_id: str, level_id: str | None) -> Level | None:
    """The level of the computer above this one; None above the highest, and where the game has no such level."""
    for below, above in pairwise(levels_of(game_id)):
        if below.id == level_id:
            return above
    return None


def differently_named(one: PlayerInfo, two: PlayerInfo) -> tuple[PlayerInfo, PlayerInfo]:
    """The players with names that can be told apart: of two that look alike, one gets a 2, rather a computer's."""
    if not alike(one.name, two.name):
        return one, two
    if one.level is not None and two.level is None:
        return one.changed(name=told_apart(two.name, one.name)), two
    return one, two.changed(name=told_apart(one.name, two.name))


NAME_ASKED = "start", "name"
"""The kind and the key of the note in the store: a name for friends elsewhere was asked for."""


def lacks_name(store: Store, name: str) -> bool:
    """True if this is no name that the player chose, and they were not asked for one before."""
    if name not in DEFAULT_NAMES and not is_word_of_the_table(name):
        return False
    kind, key = NAME_ASKED
    try:
        return key not in store.progress.newest(kind)
    except DuelboxError:
        return False


def names_with(name: str, names: tuple[str, str]) -> tuple[str, str]:
    """The names for the settings once a friend has read this one; a usual name is not kept, nor the second player's."""
    one, two = names
    if name in ("", one, *DEFAULT_NAMES) or name.casefold() == two.casefold():
        return names
    return name, two
