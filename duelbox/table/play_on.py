"""Playing on from a position of a review or a mistake, perhaps against a computer."""

from __future__ import annotations

from collections.abc import Mapping

from duelbox.bots import Level, levels_of
from duelbox.core.model import SEATS, Seat
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.table.local import LocalTable
from duelbox.table.new_game import NewGame
from duelbox.table.players import computer_player, differently_named


def level_after(game_id: str, level: Level | None) -> Level | None:
    """The next level of the computer, the weakest after the strongest; None if no computer plays the game."""
    known = levels_of(game_id)
    if not known:
        return None
    if level not in known:
        return known[len(known) // 2]
    return known[(known.index(level) + 1) % len(known)]


def play_on_label(level: Level | None) -> Mapping[str, str]:
    """The label of the key that plays on: it names the level."""
    return {} if level is None else {"play_on": f"Play {level.name}"}


def game_against(session: Session, seat: Seat, level: Level) -> LocalTable:
    """A new game from a position, in which the person of this seat plays the computer."""
    one, two = (PlayerInfo(name=session.names[at]) if at == seat else computer_player(level) for at in SEATS)
    return LocalTable(NewGame(session.copy(), fresh=True), differently_named(one, two))
