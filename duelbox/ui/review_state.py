"""The state of a review: which turn of a record one looks at, with whose eyes, and the moves judged by now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbox.core.match import Player, player_at
from duelbox.core.model import SEATS, Seat
from duelbox.core.record import Record, match_of
from duelbox.core.session import Ply, Session, replayed
from duelbox.core.talk import ended
from duelbox.learn.turning import NOT_OVER, Judged, stream, why
from duelbox.solve import analyse, sentences
from duelbox.solve.api import Analysis, Stop
from duelbox.table.cues import WORKING
from duelbox.ui.game_board import Look, board_of, drawn, worths
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.lines import Plate
from duelbox.ui.widgets.plot import Curve, curve_of


class ReviewState:
    """A record as it is looked at."""

    def __init__(self, record: Record, sessions: tuple[Session, ...], error: str | None) -> None:
        self.record, self.sessions, self.error = record, sessions, error
        self.round = 0
        self.at = 0
        """How many turns of the round were taken where one looks."""
        self.hidden = sessions[0].game.INFO.hidden
        # Until the match is over, nobody's secrets are told: a round that has ended may tell of the next.
        self.secret = self.hidden and not match_of(record).over
        people = [at for at, one in enumerate(record.players) if one.level is None]
        only: Player = 1 if people == [1] else 0
        self.who: Player | None = only if not self.secret and (self.hidden or len(people) == 1) else None
        """The player whose eyes look and whose mistakes are asked for; None for both, with all revealed that may be."""
        going_on = any(session.outcome is None for session in sessions) and len(people) == len(record.players)
        self.barred = self.secret or going_on
        """Whether people still play it, so that nothing is told of what moves are worth."""
        self.judged: list[dict[int, Judged]] = [{} for _ in sessions]
        """Of each round, its moves that are judged by now, by their turn."""
        self.ends: dict[int, Analysis] = {}
        """The analysis of the last position of each round that breaks off."""
        self.complete = False
        """Whether all that can be judged is."""
        self.verdict_on, self.hint_step, self.said = False, 0, ""

    @property
    def session(self) -> Session:
        """The round looked at."""
        return self.sessions[self.round]

    @property
    def first(self) -> Player:
        """The player who began the first round."""
        return 1 if self.record.first == 2 else 0

    def seat_in(self, count: int) -> Seat | None:
        """The seat, in a round, of the player whose eyes look; None for both."""
        return next((seat for seat in SEATS if player_at(seat, self.first, count) == self.who), None)

    @property
    def seat(self) -> Seat | None:
        """That seat in the round looked at."""
        return self.seat_in(self.round)

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The turns up to where one looks."""
        return tuple(self.session.plies[: self.at])

    @property
    def position(self) -> Any:
        """The position looked at."""
        return self.plies[-1].state if self.at else self.session.start

    @property
    def ended(self) -> bool:
        """Whether the end of a round is looked at."""
        return self.at == len(self.session.plies) and self.session.outcome is not None

    def may_know(self, seat: Seat | None) -> bool:
        """Whether what this one could know may be told to the eyes that look."""
        return not self.hidden or self.seat in (None, seat)

    # -- judging

    def judge(self, stop: Stop) -> Iterator[None]:
        """Judge all rounds, a move at a time; raises Stopped."""
        for count, session in enumerate(self.sessions):
            for one in stream(session, stop):
                self.judged[count][one.ply] = one
                yield
            if session.state.turn is not None:
                view = session.game.view(session.state, session.state.turn)
                self.ends[count] = analyse(session.game, view, stop)
        self.complete = True

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, if it is worked out."""
        last = len(self.session.moves)
        judged = self.judged[self.round].get(self.at + 1)
        return judged.analysis if judged else self.ends.get(self.round) if self.at >= last else None

    # -- what is to be seen

    def view(self) -> Any:
        """The position as the eyes that look may know it."""
        opened = self.hidden and self.seat is None and not self.secret
        shown = board_of(self.record.game).open_up(self.position) if opened else self.position
        return self.session.game.view(shown, self.seat)

    def look(self, glyphs: Glyphs) -> Look:
        """All that the board is told beside the view."""
        known = self.analysis if self.may_know(self.position.turn) else None
        return Look(
            seat=self.seat,
            names=self.session.names,
            last=self.log()[self.at - 1][1] if self.at else "",
            events=self.plies[-1].events if self.at else (),
            marks=worths(known) if known and self.verdict_on else {},
            shown=drawn(known, self.hint_step) if known else (),
            peek=True,
            glyphs=glyphs,
        )

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """The moves as the eyes that look may know them."""
        return tuple(
            (seat, "•••" if ply.move is not None and ply.move.secret and not self.may_know(seat) else text)
            for ply, (seat, text) in zip(self.session.plies, self.session.log(), strict=True)
        )

    def curve(self) -> Curve:
        """The curve of the round, for the plot."""
        return curve_of(self.judged[self.round].values(), len(self.session.moves), self.hidden, self.seat)

    def plate(self, seat: Seat) -> Plate:
        """What is shown of a player."""
        session, view, score = self.session, self.view(), board_of(self.record.game).score
        won, turn = (session.outcome.winner, None) if self.ended and session.outcome else (None, view.turn)
        return Plate(session.names[seat], score(view, seat), to_move=turn == seat, won=won == seat)

    def aside(self) -> str:
        """The round and the move that is looked at."""
        rounds = f"Round {self.round + 1} of {len(self.sessions)}   " if len(self.sessions) > 1 else ""
        return f"{rounds}Move {self.at} of {len(self.session.plies)}"

    def note(self) -> str:
        """The sentence below the board."""
        session, outcome = self.session, self.session.outcome
        if self.said:
            return session.named(self.said)
        if self.ended and outcome is not None:
            return session.named(ended(outcome))
        if self.verdict_on or self.hint_step:
            return session.named(self._assessed())
        if self.at == len(session.plies) and self.error:
            return f"Only this much could be read. {self.error}"
        if not self.at:
            return session.named(session.game.goal(session.game.view(self.position, self.seat)))
        return session.named(" ".join(event.sentence for event in self.plies[-1].events))

    def _assessed(self) -> str:
        analysis, turn = self.analysis, self.position.turn
        if self.barred:
            return NOT_OVER
        if not self.may_know(turn):
            return self._others_eyes(turn)
        if analysis is None:
            return self._not_yet()
        if self.hint_step:
            return sentences.hint(analysis, self.hint_step)
        return f"{sentences.verdict_sentence(analysis)} {analysis.reason}"

    def why(self) -> str:
        """Why the move that led here was right or wrong."""
        last, judged = self.plies[-1], self.judged[self.round].get(self.at)
        if self.barred:
            return NOT_OVER
        if not self.may_know(last.seat):
            return self._others_eyes(last.seat)
        if judged is not None:
            return why(judged)
        if last.move is None:
            return f"{last.outcome.reason.removesuffix('.')}: v shows what could be played."
        return self._not_yet()

    def _not_yet(self) -> str:
        return sentences.TOO_LONG if self.complete else WORKING

    def _others_eyes(self, seat: Seat | None) -> str:
        return f"{self.session.names[seat or 0]} moves here: o shows what {self.session.names[seat or 0]} could know."

    # -- going about

    def go(self, step: int) -> None:
        """Go so many turns on, or back, and forget what was said."""
        self.at = max(0, min(len(self.session.plies), self.at + step))
        self.say("")

    def go_round(self, step: int) -> None:
        """Go so many rounds on, or back, to the beginning of one."""
        self.round = max(0, min(len(self.sessions) - 1, self.round + step))
        self.go(-self.at)

    def say(self, sentence: str) -> None:
        """Say something for now, in place of a hint."""
        self.hint_step, self.said = 0, sentence

    def next_eyes(self) -> None:
        """Look as the other player, then with all revealed, then as the first; and so at their mistakes."""
        order: tuple[Player | None, ...] = (0, 1, None)
        self.who = order[(order.index(self.who) + 1) % len(order)]
        whose = "both players" if self.who is None else self.record.players[self.who].name
        shown = "All hands are shown" if self.who is None else f"As {whose} saw it"
        self.say(f"{f'{shown}; m' if self.hidden else 'm'} looks at the mistakes of {whose}.")

    def works(self, action: str) -> bool:
        """Whether this action can be taken now."""
        if action == "round":
            return len(self.sessions) > 1
        if action in ("play_on", "level", "copy_code", "eyes") and self.secret:
            return False
        if action in ("play_on", "level", "verdict", "hint"):
            return self.position.turn is not None
        return bool(self.at) if action == "why" else True

    def here(self) -> Session:
        """The round as far as one looks, to be played on."""
        session, moves = self.session, [ply.move for ply in self.plies if ply.move is not None]
        return replayed(session.game, session.options, moves, session.names)
