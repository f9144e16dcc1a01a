"""A match that was played, as a table: the turn that is shown, for whose eyes, and the moves judged so far."""

from __future__ import annotations

from collections.abc import Iterator

from duelbox.core.match import Player, player_at
from duelbox.core.model import SEATS, Seat, Voice
from duelbox.core.news import PositionChanged
from duelbox.core.record import Record, match_of
from duelbox.core.session import Session, replayed
from duelbox.learn.mistakes import Mistakes, mistakes_in, worst_mistakes
from duelbox.learn.turning_points import JudgedMove, stream
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop
from duelbox.table.base import BaseTable


class ReviewTable(BaseTable):
    """A match that was played, at one turn of one round; nobody moves here."""

    def __init__(self, record: Record, played: tuple[Session, ...], error: str | None) -> None:
        """`played` are the rounds as far as they could be read; `error` says what could not."""
        self.record, self.played, self.error = record, played, error
        self._whole_match = match_of(record)
        super().__init__(played[0], record.players, self._whole_match, played[0].options)
        self._sessions = tuple(session.copy() for session in played)
        """Copies of the rounds, each at the turn last looked at."""
        self.round = 0
        self.hidden = self.game.INFO.hidden
        # Secrets stay hidden until the match is over: a finished round may reveal the next one.
        self.secret = self.hidden and not self._whole_match.over
        self._persons = persons = self.sitters
        shown = not self.secret and (self.hidden or len(persons) == 1)
        self.sitters = (1 if persons == (1,) else 0,) if shown else ()
        """The player whose knowledge and mistakes are shown; nobody for both, with all that may be revealed."""
        going_on = any(session.outcome is None for session in played) and len(persons) == len(SEATS)
        self.barred = self.secret or going_on
        """People still play this match, so the worth of moves is not shown."""
        self.judged: list[dict[int, JudgedMove]] = [{} for _ in played]
        """For each round, the moves judged so far, by the number of their turn."""
        self.ends: dict[int, Analysis] = {}
        """The analysis of the last position of each unfinished round."""
        self.complete = False
        """All moves are judged."""
        self.go(0, 0)

    # -- the players, and the viewer

    def _seat_in(self, count: int) -> Seat | None:
        """The seat, in this round, of the player whose mistakes are looked at; None for both."""
        return next((seat for seat in SEATS if player_at(seat, self.match.first, count) in self.sitters), None)

    @property
    def voice(self) -> Voice:
        """The players in sentences; the only person of the match is "you"."""
        persons = [seat for seat in SEATS if self.match.player_in(seat) in self._persons]
        return Voice(self.session.names, persons[0] if len(persons) == 1 else None)

    @property
    def mover(self) -> Seat | None:
        """The seat to move, also in a game that was cut short."""
        return self.session.state.turn

    @property
    def hands_open(self) -> bool:
        """Hidden numbers are shown, as no single player's eyes are used."""
        return self.seat is None and not self.secret

    def may_know(self, seat: Seat | None) -> bool:
        """The knowledge of this seat may be shown."""
        return not self.hidden or self.seat in (None, seat)

    @property
    def at(self) -> int:
        """The number of turns taken before the position shown."""
        return len(self.session.plies)

    @property
    def last(self) -> int:
        """The number of turns of the round."""
        return len(self.played[self.round].plies)

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """All moves of the round, as far as they may be shown."""
        played = self.played[self.round]
        return tuple(
            (seat, "•••" if ply.move is not None and ply.move.secret and not self.may_know(seat) else text)
            for ply, (seat, text) in zip(played.plies, played.log(), strict=True)
        )

    # -- moving about

    def go(self, at: int, count: int | None = None) -> None:
        """Show the position after this number of turns, of another round if one is named."""
        self.round = max(0, min(len(self.played) - 1, self.round if count is None else count))
        self.session = self._sessions[self.round]
        self.match = self._whole_match.changed(winners=self._whole_match.winners[: self.round])
        self.session.go(at)
        self.happened.append(PositionChanged())

    def next_eyes(self) -> str:
        """Change the eyes: to one player, the other, then both; returns a sentence about it."""
        order: tuple[tuple[Player, ...], ...] = ((0,), (1,), ())
        self.sitters = order[(order.index(self.sitters) + 1) % len(order)]
        seat, voice = self.seat, self.voice
        whom, whose = ("both players",) * 2 if seat is None else (voice.whom(seat), voice.whose(seat))
        shown = "All hands are shown" if seat is None else f"As {whom} saw it"
        mistakes = f"the mistakes of {whose}" if seat is None else f"{whose} mistakes"
        return f"{f'{shown}; m' if self.hidden else 'm'} looks at {mistakes}."

    def game_from_here(self) -> Session:
        """A game that begins with the turns up to the position shown."""
        session = self.session
        return replayed(session.game, session.options, session.moves, session.names)

    # -- judging

    def judge(self, stop: Stop) -> Iterator[None]:
        """Judge the moves of all rounds, pausing after each; raises Stopped."""
        for count, session in enumerate(self.played):
            for one in stream(session, stop):
                self.judged[count][one.ply] = one
                yield
            if session.state.turn is not None:
                view = session.game.view(session.state, session.state.turn)
                self.ends[count] = analyse(session.game, view, stop)
        self.complete = True

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, if it is known."""
        judged = self.judged[self.round].get(self.at + 1)
        ends = self.at >= len(self.played[self.round].moves)
        return judged.analysis if judged else self.ends.get(self.round) if ends else None

    def games(self) -> list[tuple[Session, list[JudgedMove]]]:
        """The rounds with their judged moves."""
        rounds = zip(self.played, self.judged, strict=True)
        return [(session, [judged[ply] for ply in sorted(judged)]) for session, judged in rounds]

    def mistakes(self) -> Mistakes | None:
        """The mistakes of the player whose eyes are used, or of both, the three most telling first; None if none."""
        found = mistakes_in([(*game, self._seat_in(count)) for count, game in enumerate(self.games())])
        first = worst_mistakes(found)
        return Mistakes(first, [one for one in found if one not in first]) if found else None
