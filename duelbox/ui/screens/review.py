"""Review: a finished game again, move by move, from any seat; play on from any point."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.timer import Timer

from duelbox.core.match import player_at
from duelbox.core.model import SEATS, Seat
from duelbox.core.notation import format_code
from duelbox.core.record import Record, match_of
from duelbox.core.session import Session, replayed
from duelbox.sitting.opening import Opening
from duelbox.sitting.sitting import Sitting
from duelbox.ui.game_board import Look
from duelbox.ui.screens.table_layout import Shown, TableLayout
from duelbox.ui.widgets.lines import Plate

AUTOPLAY_SECONDS = 1.0


class ReviewScreen(TableLayout):
    """One round of a record at a time."""

    SPARE: ClassVar[tuple[str, ...]] = ("code", "next_round", "autoplay")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "to(-10000)", "First", id="review.first", show=False),
        Binding("left", "to(-1)", "Back", id="review.back_one", key_display="←"),
        Binding("right", "to(1)", "Forward", id="review.forward", key_display="→"),
        Binding("end", "to(10000)", "Last", id="review.last", show=False),
        Binding("space", "autoplay", "Autoplay", id="review.autoplay"),
        Binding("up", "round(-1)", "Round before", id="review.round_before", show=False),
        Binding("down", "round(1)", "Next round", id="review.next_round"),
        Binding(
            "o", "eyes", "Other eyes", id="review.eyes", tooltip="As one player saw it, as the other, or all revealed"
        ),
        Binding("c", "copy_code", "Copy code", id="review.code"),
        Binding("p", "play_on", "Play on", id="review.play_on", tooltip="Play on from here as a new game"),
        Binding("escape", "leave", "Leave", id="review.leave"),
    ]
    HAS_LINE = False

    def __init__(self, record: Record, sessions: tuple[Session, ...], error: str | None) -> None:
        super().__init__(record.game)
        self.record = record
        self.sessions = sessions
        self.error = error
        self.round = 0
        self.at = 0
        self.seat: Seat | None = None
        # Until the match is over, nobody's secrets are told: a round that has ended may tell of the next.
        self.secret = sessions[0].game.INFO.hidden and not match_of(record).over
        self.revealed = sessions[0].game.INFO.hidden and not self.secret
        self._autoplay: Timer | None = None

    @property
    def session(self) -> Session:
        """The round looked at."""
        return self.sessions[self.round]

    def state(self) -> Any:
        """The position looked at."""
        return self.session.plies[self.at - 1].state if self.at else self.session.start

    def sync(self) -> None:
        """Draw the position."""
        session, state = self.session, self.state()
        shown = self.game_board.open_up(state) if self.revealed else state
        view = session.game.view(shown, self.seat)
        log = session.log()[: self.at]
        look = Look(
            seat=self.seat,
            names=session.names,
            last=log[-1][1] if log else "",
            events=session.plies[self.at - 1].events if self.at else (),
            peek=True,
            glyphs=self.app.glyphs,
        )
        self.board.scene = self.game_board.scene(view, look)
        self._show_round(view, log)
        self.refresh_bindings()

    def _show_round(self, view: Any, log: tuple[tuple[Seat, str], ...]) -> None:
        session = self.session
        rounds = f"Round {self.round + 1} of {len(self.sessions)}   " if len(self.sessions) > 1 else ""
        aside = f"{rounds}Move {self.at} of {len(session.plies)}"
        over = self.at == len(session.plies) and session.outcome is not None
        one, two = (
            Plate(
                session.names[seat],
                self.game_board.score(view, seat),
                to_move=not over and view.turn == seat,
                won=over and session.outcome is not None and session.outcome.winner == seat,
            )
            for seat in SEATS
        )
        self.show(Shown(session.game.INFO.title, "Review", aside, (one, two), log))
        self.show_note(self._note(over), ended=over)

    def _note(self, over: bool) -> str:
        session = self.session
        if over and session.outcome is not None:
            winner = session.outcome.winner
            head = "A draw." if winner is None else f"Player {winner + 1} wins."
            return session.named(f"{head} {session.outcome.reason}")
        if self.at == len(session.plies) and self.error:
            return f"Only this much could be read. {self.error}"
        if not self.at:
            return session.named(session.game.goal(session.game.view(self.state(), self.seat)))
        return session.named(" ".join(event.sentence for event in session.plies[self.at - 1].events))

    # -- actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works here."""
        if action == "round":
            return len(self.sessions) > 1
        if action in ("play_on", "copy_code", "eyes") and self.secret:
            return False
        if action == "play_on":
            return self.state().turn is not None
        return self.session.game.INFO.hidden if action == "eyes" else True

    def action_to(self, step: int) -> None:
        """So many moves on, or back."""
        self._stop()
        self._go(step)

    def _go(self, step: int) -> None:
        self.at = max(0, min(len(self.session.plies), self.at + step))
        self.sync()

    def action_autoplay(self) -> None:
        """Go on by itself, until the end or the next step of one's own."""
        if self._autoplay is not None:
            self._stop()
            return
        if self.at == len(self.session.plies):
            self._go(-self.at)
        self._autoplay = self.set_interval(AUTOPLAY_SECONDS, self._next)

    def _next(self) -> None:
        self._go(1)
        if self.at == len(self.session.plies):
            self._stop()

    def _stop(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()
            self._autoplay = None

    def action_round(self, step: int) -> None:
        """Another round."""
        self._stop()
        self.round = max(0, min(len(self.sessions) - 1, self.round + step))
        self.at = 0
        self.sync()

    def action_eyes(self) -> None:
        """All revealed, then as one player saw it, then as the other."""
        order: list[tuple[Seat | None, bool]] = [(None, True), (0, False), (1, False)]
        at = order.index((self.seat, self.revealed))
        self.seat, self.revealed = order[(at + 1) % len(order)]
        self.sync()

    async def action_play_on(self) -> None:
        """A new game from here."""
        session = self.session
        first = player_at(0, 1 if self.record.first == 2 else 0, self.round)
        players = (self.record.players[first], self.record.players[1 - first])
        moves = [ply.move for ply in session.plies[: self.at]]
        again = Opening(replayed(session.game, session.options, moves), fresh=True)
        sitting = Sitting.of(again, players, store=self.app.store)
        await self.app.game_changed(sitting)
        self.app.ways.open_table(sitting)

    def action_copy_code(self) -> None:
        """The code of the position looked at."""
        session = self.session
        moves = (ply.move for ply in session.plies[: self.at] if ply.move is not None)
        code = format_code(session.game, session.options, moves)
        self.app.copy_to_clipboard(code)
        self.show_note(f"Copied {code}")

    def action_leave(self) -> None:
        """Back to the list."""
        self.dismiss(None)
