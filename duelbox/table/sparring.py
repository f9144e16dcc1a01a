"""Sparring: the computer of the level that fits a person's results in earlier games by the same rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from duelbox.bots import SPARRING, levels_of
from duelbox.core.errors import DuelboxError
from duelbox.core.record import PlayerInfo
from duelbox.core.seeds import random_seed
from duelbox.core.session import Session
from duelbox.learn.strength import Strength, level_near
from duelbox.store.statistics import LOST_DEAL
from duelbox.store.store import Store
from duelbox.table.players import computer_player, differently_named

GAMES = 200
"""At most this many earlier matches are counted."""


def with_sparring_level(
    store: Store | None, session: Session, players: tuple[PlayerInfo, PlayerInfo]
) -> tuple[PlayerInfo, PlayerInfo]:
    """The players, with `sparring` replaced by a level of the computer."""
    if all(who.level != SPARRING.id for who in players):
        return players
    strength = Strength()
    if store is not None:
        person = next((who.name for who in players if who.level is None), "")
        for level, score in scores(store, session, person):
            strength = strength.after(level, score)
    seed = getattr(session.options, "seed", 0) or random_seed()
    known = levels_of(session.game.INFO.id)
    opponent = computer_player(known[level_near(strength, len(known), seed) - 1])
    one, two = (opponent if who.level == SPARRING.id else who for who in players)
    return differently_named(one, two)


def scores(store: Store, session: Session, person: str) -> Iterator[tuple[int, float]]:
    """The levels that this person played by these rules without help, oldest first, and the points scored."""
    game, rules = session.game, session.options.rules_only()
    known = [level.id for level in levels_of(game.INFO.id)]
    lost_deals: dict[str, Any] = {}
    with suppress(DuelboxError):
        lost_deals = store.progress.newest(LOST_DEAL)
    for summary in reversed(store.history(game.INFO.id, limit=GAMES)):
        one, two = summary.players
        me = 0 if one.level is None else 1
        rival = two if me == 0 else one
        if rival.level not in known or summary.players[me].level or summary.players[me].name != person:
            continue
        try:
            record = store.load(summary.id).record
            rounds = record.played if record else ()
            same = [game.Options.from_json(played.options).rules_only() == rules for played in rounds]
        except DuelboxError:  # it cannot be read any more
            continue
        for played, alike in zip(summary.finished, same, strict=False):
            left_out = summary.id in lost_deals and played.winner == 1 - me
            if alike and not played.assisted and not left_out:
                yield known.index(rival.level) + 1, 0.5 if played.winner is None else float(played.winner == me)
