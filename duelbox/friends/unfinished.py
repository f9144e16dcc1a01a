"""Matches elsewhere that are not over for both sides: the list of them, and going on with one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from time import time

from duelbox.core.errors import DuelboxError
from duelbox.friends.embedded_relay import be_relay, remove_relays
from duelbox.friends.journal import MatchJournal, WayBack, journals, read, remains, set_ended_aside
from duelbox.friends.journal_notes import Note
from duelbox.friends.live_match import LiveMatch, live_match
from duelbox.friends.missing_library import check_friends_available
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.rereading import RereadingSide
from duelbox.friends.unconfirmed import settle
from duelbox.registry import title_of
from duelbox.store.store import Store

_WEEK = 7 * 86_400


@dataclass(frozen=True, slots=True)
class Away:
    """A match elsewhere that is not over for both, as home lists it."""

    path: Path
    game: str
    """The id of the game; empty if it is not known yet."""
    title: str
    rival: str
    my_move: bool
    over: bool
    kept: bool = False
    """A move of this side waits for the friend's room."""
    ended: bool = False
    """A round is over, which the friend has not confirmed yet."""

    @property
    def sentence(self) -> str:
        """The opponent, and the player who is to move or has not seen the end yet."""
        if self.ended:
            now = "the end is not confirmed by them yet"
        elif self.over:
            now = "they have not seen the end"
        elif self.kept:
            now = "your move is kept until they are back"
        else:
            now = "your move" if self.my_move else "their move"
        return f"against {self.rival or 'a friend'}, {now}"

    @property
    def news(self) -> str:
        """A shorter form that fits a line of home with any name."""
        if self.ended:
            return f"{self.rival or 'A friend'} has not confirmed the end"
        if self.over:
            return f"{self.rival or 'A friend'} has not seen the end"
        if self.kept:
            return f"Your move is kept for {self.rival or 'a friend'}"
        if self.my_move:
            return f"Your move against {self.rival or 'a friend'}"
        return f"{self.rival or 'A friend'} is to move"


def away(store: Store) -> tuple[Away, ...]:
    """The unfinished matches elsewhere, the latest first; saves the finished ones and removes their journals.

    Programs that were killed leave such files. A friend may come for a week to see the end of a match hosted here.
    """
    found = []
    for path in journals(store.folders):
        side = _readable(store, path)
        if side is None:
            continue
        way = read(path).way
        with suppress(DuelboxError):
            ledger, terms = side.ledger, side.ledger.terms
            unread = side.rival not in ledger.transcript.saw_end
            unseen = way.listen and unread and time() - max(ledger.clock.heard) < _WEEK
            if ledger.stage == "over" and not unseen:
                with suppress(DuelboxError):
                    forget(store, path)
                    continue
            ended = _foreseen_end(store, path, side)
            game = ""
            if terms.hello is not None:
                game = terms.hello.game.partition(":")[0]
            if terms.proposal is not None:
                game = terms.proposal.game.INFO.id
            title = title_of(game) if game else "A match"
            rival, over = terms.players[side.rival], ledger.stage == "over"
            found.append(Away(path, game, title, rival, side.my_turn, over, side.moving, ended))
    remove_relays(store)
    return tuple(found)


def _readable(store: Store, path: Path) -> PlayerSide | None:
    """The side of a match; None if its file is damaged so that it cannot go on, and the store tells so."""
    try:
        written = read(path)
        later = None
        if written.damaged:
            later = written.later
            store.told.tell(f"{path.name} is damaged. Its match goes on: it is read again from the room.")
        return _side(path, written.way, written.notes, later)
    except DuelboxError:
        pass
    with suppress(DuelboxError, OSError):
        game, rival = remains(path)
        aside = set_ended_aside(path)
        title = title_of(game.partition(":")[0]) if game else "a game"
        who = rival or "a friend"
        store.told.tell(f"A match elsewhere ended: {title} with {who}. Its damaged file is {aside.name}.")
    return None


def _foreseen_end(store: Store, path: Path, side: PlayerSide) -> bool:
    """A round is over for this side alone; it is in the history then, even if a killed program did not save it."""
    foreseen = side.foreseen()
    ended = foreseen is not None and foreseen.ends_round
    if ended:
        with suppress(DuelboxError):
            settle(store, path.name, side)
    return ended


def forget(store: Store, path: Path) -> None:
    """Give up a match for good without the friend, who may have gone for ever; its rounds that are over are saved.

    Raises DuelboxError where another program plays it, or the rounds cannot be saved.
    """
    journal = MatchJournal.open(path)  # refused where another program plays it
    try:
        side = _side(path, journal.way, journal.notes, journal.later)
        foreseen = side.foreseen()
        if side.ledger.stage == "over" or (foreseen is not None and foreseen.ends_round):
            settle(store, path.name, side)
        elif (record := side.ledger.record()).played:
            store.import_text(record.to_json())
    except BaseException:
        journal.close()
        raise
    journal.wipe()
    remove_relays(store)


async def go_on(store: Store, path: Path) -> LiveMatch:
    """Continue a match without a new code; raises DuelboxError."""
    check_friends_available()
    journal = await asyncio.to_thread(MatchJournal.open, path)
    resources = AsyncExitStack()
    try:
        if journal.way.listen:
            with suppress(DuelboxError):  # another match played here runs it already, or its port is taken for now
                await be_relay(store, resources, journal.way.listen)
        return await live_match(_side(path, journal.way, journal.notes, journal.later), journal, store, resources)
    except BaseException:
        await resources.aclose()
        await asyncio.to_thread(journal.close)
        raise


def _side(path: Path, way: WayBack, notes: Sequence[Note], later: Sequence[Note] | None = None) -> PlayerSide:
    """The side of a match from its notes; with those behind damage, it reads the room again. Raises DuelboxError."""
    try:
        if later is not None:
            return RereadingSide(notes, later, hosts_room=bool(way.listen))
        return PlayerSide(notes, hosts_room=bool(way.listen))
    except Exception:  # damaged notes can raise anything
        raise DuelboxError(f"{path.name} is damaged, and its match cannot go on.") from None
