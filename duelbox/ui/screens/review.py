"""Review on the full screen: a match again, move by move, with a plot of how it stood."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from duelbox.core.model import SEATS, Voice
from duelbox.core.news import News
from duelbox.solve.api import Stop, Stopped
from duelbox.table.base import BaseTable
from duelbox.table.prompts import Prompts
from duelbox.table.review import ReviewTable, ReviewTask
from duelbox.table.story import ending, latest, winner_told
from duelbox.table.workers import BETWEEN
from duelbox.ui.screens.mistakes import MistakesScreen
from duelbox.ui.screens.table import TableScreen, look_of
from duelbox.ui.table_keys import bindings_of
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TurnClicked
from duelbox.ui.widgets.plot import SIGNS, Plot, curve_of

TURN_SECONDS, LAST_SECONDS = 1.5, 5.0
"""How long an exported picture shows a turn, and the last one."""


class ReviewScreen(TableScreen, inherit_bindings=False):
    """One round of a record at a time."""

    SPARE = ("export", "code", "level", "next_round", "autoplay", "eyes", "play_on", "why", "hint", "verdict")
    SIGNS: ClassVar[tuple[tuple[str, str], ...]] = SIGNS
    WHOLE: ClassVar[str] = "semicolon"
    DEFAULT_CSS = "ReviewScreen.-wide Plot { height: 4; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(ReviewTask.verbs.values(), "review"),
        Binding(WHOLE, "whole", "More", tooltip="The whole text", key_display=";", id="review.whole"),
    ]

    def __init__(self, table: ReviewTable) -> None:
        self.review = ReviewTask(table)
        super().__init__(table, task=self.review)
        self.add_class("-plot")
        self._text.more = self._help.more = ";"
        self._places |= {"leave": self.action_back, "mistakes": self._mistakes, "export": self._export}
        self._work = Stop()

    def between(self) -> ComposeResult:
        """The plot, and no line, as no moves are made here."""
        yield Plot()

    def on_mount(self) -> None:
        """Judge the moves while one looks."""
        if not (self.review.table.barred or self.review.table.complete):
            self.run_worker(in_background(self._judge))

    def label(self, action: str) -> str | None:
        """The name of a key now: that for the whole text stands there where the text is cut."""
        if action == "whole" and not (self._text.cut or self._help.cut):
            return ""
        return super().label(action)

    async def on_unmount(self) -> None:
        """Nobody waits for the rest."""
        self._work.stop()
        self.review.stop()

    def _judge(self) -> None:
        told = monotonic()
        with suppress(Stopped):
            for _ in self.review.table.judge(self._work):
                if monotonic() - told >= BETWEEN:
                    self.call_later(self._judged)
                    told = monotonic()
            self.call_later(self._judged)

    async def _judged(self) -> None:
        """More moves are judged, or all."""
        if self.review.wanted and self.review.table.complete:
            await self.state.do("mistakes")
        elif self.review.table.complete and (told := self.review.to_turning_point(self.state)):
            await self.state.settle()
            self.say(told)
        else:
            self.sync()

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Draw the plot, too."""
        super().show(prompts, news)
        table = self.review.table
        judged, last = table.judged[table.round].values(), len(table.played[table.round].moves)
        for plot in self.query(Plot):
            curve = curve_of(judged, last, table.hidden, table.seat)
            plot.glyphs, plot.curve, plot.at = self.app.glyphs, curve, min(table.at, last)

    def lay(self, table: BaseTable, said: str) -> None:
        """Play on from here; from that game the way leads back."""
        table.store = self.app.store
        self.app.navigation.open_table(table, said)
        self.app.call_later(self.app.game_changed, table)

    def _mistakes(self) -> None:
        """No screen is left under the mistakes that would tell of them."""
        table = self.review.table
        trial = table.mistakes()
        assert trial is not None
        self.app.switch_screen(MistakesScreen(trial, table.games(), lambda: ReviewScreen(table)))

    def _export(self) -> None:
        """Write the round as a picture that moves, a frame a turn, as those who look see it."""
        from duelbox.ui.svg import animated, save_picture

        session, game = self.session, self.table.game.INFO
        at, names = len(session.plies), session.names
        seconds = [TURN_SECONDS] * self.review.table.last + [LAST_SECONDS]
        try:
            frames = [self._frame(ply, Voice(names)) for ply in range(len(seconds))]
        finally:
            session.go(at)
        known = self.app.get_css_variables()
        drawn = animated(
            frames, seconds, known["foreground"], known["background"], f"{game.title}: {' : '.join(names)}"
        )
        self.state.say(save_picture(drawn, (Path(),), f"duelbox-{game.id}"))

    def _frame(self, ply: int, voice: Voice) -> list[Strip]:
        """The players, the board after so many turns, and the last of them in words; nobody is "you"."""
        self.session.go(ply)
        look = replace(look_of(self.state, self.app.glyphs), you=None, names=voice.names, worths={}, hint=())
        board = self.board.strips(self.game_board.scene(self.state.view(), look))
        one, two = (f"{self.app.glyphs.seats[seat]} {voice.names[seat]}" for seat in SEATS)
        told = latest(self.session, voice)[1]
        if (outcome := self.session.outcome) is not None:
            told = f"{winner_told(outcome.winner, voice)}. {ending(self.session, voice)}"
        return [_line(f"{one} : {two}"), *board, _line(told)]

    async def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel walks."""
        event.stop()
        await self.state.do("forward")

    async def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel walks."""
        event.stop()
        await self.state.do("back_one")

    @on(TurnClicked)
    async def _went(self, message: TurnClicked) -> None:
        self.review.go(message.ply - self.review.table.at)
        await self.state.settle()


def _line(text: str) -> Strip:
    return Strip([Segment(f" {text}")])
