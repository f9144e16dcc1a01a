"""The table of a match with a friend elsewhere: what they do comes by itself, and what they ask can be answered."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from duelbox.core.errors import DuelboxError
from duelbox.friends import news
from duelbox.friends.messages import PHRASES
from duelbox.sitting.elsewhere import Elsewhere
from duelbox.sitting.watching import Remote
from duelbox.ui import motion
from duelbox.ui.screens.panel import PanelScreen
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.board import Board


class WatchTable(TableScreen):
    """The table, moved by news: from nobody's seat."""

    def __init__(self, sitting: Remote) -> None:
        super().__init__(sitting)
        self.friend = sitting
        self._seen: Any = None
        """The position that was drawn last, as everybody sees it: news of a move come when it is made."""
        self._seen_at = (0, 0)

    def on_mount(self) -> None:
        """Listen."""
        self.run_worker(self._listen())

    async def on_unmount(self) -> None:
        """The table is left: the match waits, for both."""
        await self.friend.leave()

    def _draw(self, before: motion.Before | None) -> None:
        super()._draw(before)
        self._seen, self._seen_at = self.session.view(None), self._at()

    def _at(self) -> tuple[int, int]:
        """Which round is on the table, and how many turns of it."""
        return len(self.sitting.match.winners), len(self.session.plies)

    async def _listen(self) -> None:
        while True:
            self._hear(await self.friend.news.get())

    def _hear(self, one: news.News | None) -> None:
        if not self.query(Board):
            return
        before = None
        if isinstance(one, news.Moved):
            number, turns = self._seen_at
            if self._at() == (number, turns + 1):  # else more has happened than a move that could be shown
                before = motion.Before(self._seen, self.board.drawing().canvas)
            self.state.move_made()
        elif isinstance(one, news.Began) and not self.friend.shown_end:
            self.state.round_dealt()
        elif isinstance(one, news.Answered) and one.offer.kind == "undo" and one.yes:
            self.state.move_made()
        self.sync(before)
        if one is not None:
            self._tell_news(one)

    def _tell_news(self, one: news.News) -> None:
        """Say what the board does not tell."""
        told = self.friend.told(one)
        if isinstance(one, news.Moved) and self.session.outcome is None:
            told = " ".join(event.sentence for event in one.ply.events)
        if told:
            self.say(told)


class ElsewhereTable(WatchTable):
    """The table of one of the two, who can talk with the other."""

    friend: Elsewhere

    def __init__(self, sitting: Elsewhere) -> None:
        super().__init__(sitting)
        self.commands.actions["speak"] = self._speak

    async def take(self, move: str) -> None:
        """Make a move; it shows when both sides have it."""
        self.board.still()
        self.friend.play(move)
        self.state.move_made()
        self.board.target = None
        self.sync()

    def _tell_news(self, one: news.News) -> None:
        rings = isinstance(one, news.Moved) and one.by != self.friend.me
        if rings or (isinstance(one, news.Offered) and one.offer.by != self.friend.me):
            self.app.bell()
        if rings:
            super()._tell_news(one)
        elif not isinstance(one, news.Offered) and (told := self.friend.told(one)):  # an offer stands in the line
            self.say(told)

    def _speak(self) -> None:
        self.app.push_screen(PhrasesScreen(self))

    def speak(self, number: int) -> None:
        """Say a phrase, or ask for a pause with the number after them."""
        try:
            if number < len(PHRASES):
                self.friend.say(number)
                self.say(f"You: {PHRASES[number]}")
            else:
                self.friend.offer("pause")
        except DuelboxError as error:
            self.say(error.sentence)


class PhrasesScreen(PanelScreen):
    """The phrases that can be said, each by its number or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(at + 1), f"speak({at})", show=False) for at in range(len(PHRASES) + 1)),
        Binding("c", "copy", show=False),
    ]

    def __init__(self, table: ElsewhereTable) -> None:
        phrases = (*PHRASES, "Ask to go on another time.")
        lines = [
            Content.assemble((f" {at + 1} ", "bold"), " ", phrase).stylize(f"@click=screen.speak({at})")
            for at, phrase in enumerate(phrases)
        ]
        if table.friend.watch:
            lines += [Content(""), Content("Others watch with this key (c copies it):"), Content(table.friend.watch)]
        super().__init__("Say", [Content(""), *lines])
        self._table = table

    def action_copy(self) -> None:
        """Put the key for watchers on the clipboard."""
        if key := self._table.friend.watch:
            self.app.copy_to_clipboard(key)
            self.app.notify(f"Copied {key}", markup=False)

    def action_speak(self, number: int) -> None:
        """Say it."""
        self.dismiss(None)
        self._table.speak(number)
