"""Review: a match move by move, with a plot of who was ahead."""

from __future__ import annotations

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
from duelbox.solve.api import Stop, Stopped
from duelbox.table.local import LocalTable
from duelbox.table.review_table import ReviewTable
from duelbox.table.story import ending, latest_line, winner_text
from duelbox.table.thinking import ANSWERS_APART
from duelbox.ui.screens.mistakes_screen import MistakesScreen
from duelbox.ui.screens.table import look_of
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TurnClicked
from duelbox.ui.widgets.plot import SIGNS, Curve, Plot, curve_of

TURN_SECONDS, LAST_SECONDS = 1.5, 5.0
"""Seconds that an exported picture shows each turn, and the last one."""


class ReviewScreen(TaskScreen[ReviewTable], inherit_bindings=False):
    """A round of a record at one of its turns."""

    SPARE = ("export", "code", "level", "next_round", "autoplay", "eyes", "play_on", "why", "hint", "verdict")
    SIGNS: ClassVar[tuple[tuple[str, str], ...]] = SIGNS
    WHOLE: ClassVar[str] = "semicolon"
    DEFAULT_CSS = "ReviewScreen.-wide Plot { height: 4; }"
    KEYS: ClassVar[tuple[BindingType, ...]] = (
        Binding(WHOLE, "whole", "More", tooltip="The whole text", key_display=";", id="review.whole"),
    )

    def __init__(self, table: ReviewTable) -> None:
        super().__init__(table)
        self.add_class("-plot")
        self._text.more = ";"
        self._help.more = ";"
        self._work = Stop()
        """Stops judging the moves."""

    def between(self) -> ComposeResult:
        """The plot; a move line is not needed here."""
        yield Plot()

    def on_mount(self) -> None:
        """Begin to judge the moves."""
        if not (self.table.barred or self.table.complete):
            self.run_worker(in_background(self._judge))

    def label(self, action: str) -> str | None:
        """The name of a key now; the key for the whole text is hidden unless a text is cut."""
        if action == "whole" and not (self._text.cut or self._help.cut or self._text.argued):
            return ""
        return super().label(action)

    async def on_unmount(self) -> None:
        """Stop judging and playing."""
        self._work.stop()
        self.table.stop_autoplay()

    def _judge(self) -> None:
        updated = monotonic()
        with suppress(Stopped):
            for _ in self.table.judge(self._work):
                if monotonic() - updated >= ANSWERS_APART:
                    self.call_later(self._judged)
                    updated = monotonic()
            self.call_later(self._judged)

    async def _judged(self) -> None:
        """Show the moves judged by now; once all are, open the mistakes or go to the turning point."""
        if self.table.wanted and self.table.complete:
            await self.state.do("mistakes")
        elif self.table.complete and (sentence := self.table.to_turning_point(self.state)):
            await self.state.settle()
            self.say(sentence)
        else:
            self.sync()

    def plotted(self) -> tuple[Curve, int]:
        """The round, as far as it is judged."""
        table = self.table
        judged = table.judged[table.round].copy().values()  # a thread adds to them
        last = len(table.played[table.round].moves)
        return curve_of(judged, last, table.hidden, table.seat), min(table.at, last)

    def lay(self, table: LocalTable, said: str) -> None:
        """Open a game that goes on from here, and save it at once."""
        super().lay(table, said)
        self.app.call_later(self.app.game_changed, table)

    def open_mistakes(self) -> None:
        """Open the mistakes in place of this screen, which would give them away."""
        table = self.table
        trial = table.mistakes()
        assert trial is not None
        self.app.switch_screen(MistakesScreen(trial, table.games(), lambda: ReviewScreen(table)))

    def open_prove(self) -> None:
        """Open the proof of the position shown; leaving it leads back here."""
        from duelbox.ui.proofs import open_proof

        open_proof(self.app, self.table.game_from_here())

    def open_export(self) -> None:
        """Write the round as an animated picture, a frame for each turn, as this viewer sees it."""
        from duelbox.ui.svg import animated, save_picture

        session, game = self.session, self.table.game.INFO
        at, names = len(session.plies), session.names
        seconds = [TURN_SECONDS] * self.table.last + [LAST_SECONDS]
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
        """The players by name, the board after this turn, and the turn in words."""
        self.session.go(ply)
        look = replace(look_of(self.state, self.app.glyphs), you=None, names=voice.names, worths={}, hint=())
        board = self.board.strips(self.game_board.scene(self.state.view(), look))
        one, two = (f"{self.app.glyphs.seats[seat]} {voice.names[seat]}" for seat in SEATS)
        story = latest_line(self.session, voice)[1]
        if (outcome := self.session.outcome) is not None:
            story = f"{winner_text(outcome.winner, voice)}. {ending(self.session, voice)}"
        return [_line(f"{one} : {two}"), *board, _line(story)]

    async def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Go to the next turn."""
        event.stop()
        await self.state.do("forward")

    async def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Go to the turn before."""
        event.stop()
        await self.state.do("back_one")

    @on(TurnClicked)
    async def _turn_clicked(self, message: TurnClicked) -> None:
        self.table.go(message.ply - self.table.at)
        await self.state.settle()


def _line(text: str) -> Strip:
    return Strip([Segment(f" {text}")])
