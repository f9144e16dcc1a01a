"""Review: a finished game again, move by move, from any seat, with its turning points; play on from any point."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from duelbox.bots import Level, level_of
from duelbox.core.game import AnyGame
from duelbox.core.match import player_at
from duelbox.learn.mistakes import Mistakes, mistakes_in, most_telling
from duelbox.learn.turning import NOT_OVER
from duelbox.solve import sentences
from duelbox.solve.api import Stop, Stopped
from duelbox.table.cues import WORKING
from duelbox.table.local import LocalTable
from duelbox.table.opening import Opening
from duelbox.table.workers import BETWEEN
from duelbox.ui.review_state import ReviewState
from duelbox.ui.screens.mistakes import MistakesScreen, against, level_after
from duelbox.ui.screens.table_layout import TableLayout
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import Went
from duelbox.ui.widgets.plot import Plot

AUTOPLAY_SECONDS = 1.0


class ReviewScreen(TableLayout):
    """One round of a record at a time."""

    SPARE = ("code", "level", "next_round", "autoplay", "eyes", "play_on", "forward", "back_one")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "to(-10000)", "First", id="review.first", show=False),
        Binding("left", "to(-1)", "Back", id="review.back_one", key_display="←"),
        Binding("right", "to(1)", "Forward", id="review.forward", key_display="→"),
        Binding("end", "to(10000)", "Last", id="review.last", show=False),
        Binding("m", "mistakes", "Mistakes", id="review.mistakes", tooltip="Find a better move where the game turned"),
        Binding("v", "verdict", "Verdict", id="review.verdict"),
        Binding("h", "hint", "Hint", id="review.hint"),
        Binding("w", "why", "Why", id="review.why", tooltip="Why the move was right or wrong"),
        Binding("space", "autoplay", "Autoplay", id="review.autoplay"),
        Binding("up", "round(-1)", "Round before", id="review.round_before", show=False),
        Binding("down", "round(1)", "Next round", id="review.next_round"),
        Binding(
            "o", "eyes", "Other eyes", id="review.eyes", tooltip="As one player saw it, as the other, or all revealed"
        ),
        Binding("c", "copy_code", "Copy code", id="review.code"),
        Binding("p", "play_on", "Play on", id="review.play_on", tooltip="Play on from here as a new game"),
        Binding("l", "level", "Level", id="review.level", tooltip="Another level of the computer to play on against"),
        Binding("escape", "back", "Leave", id="review.leave"),
    ]

    class Found(Message):
        """More moves are judged, or all."""

    def __init__(self, state: ReviewState) -> None:
        super().__init__(state.record.game)
        self.state = state
        self._wanted = False
        """Whether the mistakes are to be shown as soon as all moves are judged."""
        self._level: Level | None = None
        self._work = Stop()
        self._autoplay: Timer | None = None

    @property
    def game(self) -> AnyGame:
        """What was played."""
        return self.state.session.game

    def between(self) -> ComposeResult:
        """The plot, and no line, as no moves are made here."""
        yield Plot()

    def on_mount(self) -> None:
        """From the beginning, while the moves are being judged."""
        if not self.state.barred:
            self.run_worker(in_background(self._judge))

    def on_unmount(self) -> None:
        """Nobody waits for the rest."""
        self._work.stop()

    def _judge(self) -> None:
        told = monotonic()
        with suppress(Stopped):
            for _ in self.state.judge(self._work):
                if monotonic() - told >= BETWEEN:
                    self.post_message(self.Found())
                    told = monotonic()
            self.post_message(self.Found())

    @on(Found)
    def _found(self) -> None:
        if self.query(Plot):
            self.sync()
            if self._wanted and self.state.complete:
                self.action_mistakes()

    def sync(self) -> None:
        """Draw the position."""
        state, plot = self.state, self.query_one(Plot)
        self.board.scene = self.game_board.scene(state.view(), state.look(self.app.glyphs))
        plot.glyphs, plot.curve, plot.at = self.app.glyphs, state.curve(), min(state.at, len(state.session.moves))
        top = state.session.game.INFO.title, "Review", state.aside()
        self.show_around(top, state.plate(0), state.plate(1), state.log(), state.at)
        self.show_note(state.note(), ended=state.ended and not state.said)
        self.refresh_bindings()

    def _say(self, sentence: str) -> None:
        self.state.say(sentence)
        self.sync()

    # -- actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works here."""
        return self.state.works(action)

    def label(self, action: str) -> str | None:
        """Against whom one plays on."""
        return f"Play {self._level.name}" if action == "play_on" and self._level is not None else None

    def action_to(self, step: int) -> None:
        """So many moves on, or back."""
        self._stop()
        self._go(step)

    def _go(self, step: int) -> None:
        self.state.go(step)
        self.sync()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel walks."""
        event.stop()
        self.action_to(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel walks."""
        event.stop()
        self.action_to(-1)

    @on(Went)
    def _went(self, message: Went) -> None:
        self.action_to(message.ply - self.state.at)

    # -- the verdict, and the mistakes

    def action_verdict(self) -> None:
        """Show or hide what each move is worth, here and wherever one walks."""
        self.state.verdict_on = not self.state.verdict_on
        self._say("")

    def action_hint(self) -> None:
        """The next of three hints."""
        step = self.state.hint_step
        self.state.say("")
        self.state.hint_step = min(step + 1, sentences.HINTS)
        self.sync()

    def action_why(self) -> None:
        """Why the move that led here was right or wrong."""
        self._say(self.state.why())

    def action_mistakes(self) -> None:
        """Look for better moves where the game turned: the three most telling first."""
        self._stop()
        state = self.state
        self._wanted = not state.complete
        if self._wanted:
            self._say(NOT_OVER if state.barred else WORKING)
            return
        rounds = zip(state.sessions, state.judged, strict=True)
        games = [(session, [judged[ply] for ply in sorted(judged)]) for session, judged in rounds]
        found = mistakes_in([(*game, state.seat_in(count)) for count, game in enumerate(games)])
        if not found:
            name = None if state.who is None else state.record.players[state.who].name
            self._say(f"{name} threw nothing away here." if name else "Nobody threw anything away here.")
            return
        first = most_telling(found)
        trial = Mistakes(first, [one for one in found if one not in first])
        again = ReviewState(state.record, state.sessions, state.error)  # nothing of this one is left under the mistakes
        again.who, again.round, again.at = state.who, state.round, state.at
        self.app.switch_screen(MistakesScreen(trial, games, lambda: ReviewScreen(again)))

    def action_autoplay(self) -> None:
        """Go on by itself, until the end or the next step of one's own."""
        if self._autoplay is not None:
            self._stop()
            return
        if self.state.at == len(self.state.session.plies):
            self._go(-self.state.at)
        self._autoplay = self.set_interval(AUTOPLAY_SECONDS, self._next)

    def _next(self) -> None:
        self._go(1)
        if self.state.at == len(self.state.session.plies):
            self._stop()

    def _stop(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()
            self._autoplay = None

    def action_round(self, step: int) -> None:
        """Another round."""
        self._stop()
        self.state.go_round(step)
        self.sync()

    def action_eyes(self) -> None:
        """As one player saw it, as the other, then both with all revealed."""
        self.state.next_eyes()
        self.sync()

    async def action_play_on(self) -> None:
        """A new game from here."""
        state = self.state
        if self._level is not None:
            seat = state.position.turn if state.seat is None else state.seat
            self.app.ways.open_table(against(state.here(), seat, self._level, self.app.store))
            return
        first = player_at(0, state.first, state.round)
        players = state.record.players[first], state.record.players[1 - first]
        sitting = LocalTable.of(Opening(state.here(), fresh=True), players, store=self.app.store)
        await self.app.game_changed(sitting)
        self.app.ways.open_table(sitting)

    def action_level(self) -> None:
        """The next level of the computer to play on against."""
        record = self.state.record
        levels = (level_of(record.game, one.level) for one in record.players if one.level)
        self._level = level_after(record.game, self._level or next(levels, None))
        self._say(f"p plays on from here against {self._level.name}." if self._level else "No computer plays this.")

    def action_copy_code(self) -> None:
        """The code of the position looked at."""
        code = self.state.here().code()
        self.app.copy_to_clipboard(code)
        self.show_note(f"Copied {code}")
