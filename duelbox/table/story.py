"""The turns of a game in sentences, addressed to the viewer of a table."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.errors import UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import Event, Position, Seat, Voice
from duelbox.core.session import Session
from duelbox.core.talk import AnyTalk, Tale, default_talk
from duelbox.registry import talk_of

Line = tuple[Seat | None, str]
"""A seat, and a sentence about it."""


def words_of(game: AnyGame) -> AnyTalk:
    """The words of a game; if they cannot be loaded, words that fit any game."""
    try:
        return talk_of(game)
    except UnknownGame:
        return default_talk(game)


def turn_line(session: Session, at: int, voice: Voice) -> Line:
    """The sentence of a turn, by its number from 0."""
    game, ply = session.game, session.plies[at]
    if ply.move is None:
        return ply.seat, voice.sentence(ply.ending(voice))
    state = session.plies[at - 1].state if at else session.start
    before = game.view(state, None)
    after = game.view(ply.state, None)
    return ply.seat, words_of(game).tale(before, after, ply.events, voice).sentence(voice)


def first_line(session: Session, voice: Voice) -> Line:
    """The sentence before the first turn: it names the player who goes first."""
    turn = session.turn
    if turn is None:
        return None, ""
    return turn, voice.sentence(f"{voice.does(turn, 'goes', 'go')} first")


def latest_line(session: Session, voice: Voice) -> Line:
    """The sentence of the last turn; before the first turn, `first_line`."""
    if not session.plies:
        return first_line(session, voice)
    return turn_line(session, len(session.plies) - 1, voice)


def preview(session: Session, after: Position, events: Sequence[Event], names: tuple[str, str]) -> str:
    """The effect of a move before it is made, for the player to move: " claims 6: 7 is safe"."""
    assert session.turn is not None
    voice = Voice(names, session.turn)
    tale: Tale = words_of(session.game).tale(session.view(None), session.game.view(after, None), events, voice)
    if not tale.third:
        return f": {tale.effect}."
    if not tale.more:
        return f" {tale.third}{tale.effect}"
    joint = ":"
    if tale.effect:
        joint = "," if after.outcome else ";"
    return f" {tale.third}{tale.effect}{joint} {tale.more}"


def ending(session: Session, voice: Voice) -> str:
    """The sentence that says why the game is over."""
    if session.plies and session.plies[-1].move is None:
        return voice.sentence(session.plies[-1].ending(voice))
    return voice.sentence(words_of(session.game).over(session.view(None), voice))


def winner_text(winner: Seat | None, voice: Voice) -> str:
    """The winner in words, without a full stop: "You win"."""
    if winner is None:
        return "A draw"
    return voice.sentence(voice.does(winner, "wins", "win"))[:-1]
