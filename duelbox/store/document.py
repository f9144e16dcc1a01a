"""A match as it is kept: its record, and with it what was taken back and can be played again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.reader import Opened, open_record
from duelbox.core.record import Record, Round, round_record
from duelbox.core.session import By, Ply, Session
from duelbox.registry import find_game, why_not
from duelbox.store.matches import Kept
from duelbox.store.summary import summary_of

_WORDS: dict[By, str] = {"resignation": "resign", "agreement": "draw", "claim": "claim"}
_ENDINGS = {word: by for by, word in _WORDS.items()}


@dataclass(frozen=True, slots=True)
class Playing:
    """One round as it stands: its session, when it began and ended, and whether hints were asked for."""

    session: Session
    started: datetime
    ended: datetime | None = None
    assisted: bool = False


def playable(game_id: str) -> AnyGame:
    """The game of a match; raises UnknownGame where its duel is no longer installed, or not whole."""
    if fault := why_not(game_id):
        raise UnknownGame(f"This game is kept, but cannot be opened. {fault}")
    return find_game(game_id)


def written(match: Record, rounds: Iterable[Playing], match_id: str, last_played: datetime, *, imported: bool) -> Kept:
    """What to keep of a match: `match` says who plays what, `rounds` how it stands."""
    played: list[Round] = []
    undone: list[list[str]] = []
    for number, one in enumerate(rounds):
        told = round_record(one.session, match.first, number, one.started, one.ended)
        played.append(told.changed(assisted=one.assisted))
        undone.append([_text(one.session, ply) for ply in one.session.undone])
    record = match.changed(played=tuple(played))
    summary = summary_of(record, match_id, last_played, imported=imported)
    return Kept(summary, record.to_json(), json.dumps(undone))


def _text(session: Session, ply: Ply) -> str:
    return f"{_WORDS[ply.by]} {ply.seat}" if ply.move is None else session.game.format_move(ply.move)


def opened(kept: Kept) -> Opened:
    """The sessions of a match, with their undo history; raises UnknownGame."""
    playable(kept.summary.game)
    found = open_record(kept.record, find_game)
    if found.record is None:
        raise DuelboxError(f"This game cannot be read: {found.error}")
    if not found.error:
        for session, texts in zip(found.sessions, json.loads(kept.undone), strict=True):
            _take_back(session, texts)
    return found


def _take_back(session: Session, texts: list[str]) -> None:
    """Play these turns and take them back, so that they can be played again."""
    for text in texts:
        kind, _, seat = text.partition(" ")
        if kind in _ENDINGS:
            session.cut(_ENDINGS[kind], 1 if seat == "1" else 0)
        else:
            session.type(text)
    for _ in texts:
        session.undo()
