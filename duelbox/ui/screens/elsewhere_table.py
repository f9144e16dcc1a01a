"""The table of a match with a friend elsewhere: what they do comes by itself, and what they ask can be answered."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from duelbox.core.errors import DuelboxError
from duelbox.friends.messages import PHRASES
from duelbox.table.elsewhere import MatchElsewhere
from duelbox.table.remote import RemoteTable
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.board import Board

PRESENCE = 20.0
"""So often the time is shown anew for which a friend has been away, in seconds."""


class WatchScreen(TableScreen):
    """The table, moved by news: from nobody's seat."""

    def __init__(self, table: MatchElsewhere) -> None:
        super().__init__(table)
        self.friend = table

    def on_mount(self) -> None:
        """Listen."""
        self.run_worker(self._listen())
        self.set_interval(PRESENCE, self.sync)

    async def on_unmount(self) -> None:
        """The table is left: the match waits, for both."""
        await self.friend.leave()

    async def _listen(self) -> None:
        while True:
            one = await self.friend.news.get()
            if self.query(Board):
                self.state.heard(*([one] if one is not None else ()))


class FriendScreen(WatchScreen):
    """The table of one of the two, who can talk with the other."""

    friend: RemoteTable

    def __init__(self, table: RemoteTable) -> None:
        super().__init__(table)
        self._places["speak"] = self._speak

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
        Binding("x", "mute", show=False),
    ]

    def __init__(self, table: FriendScreen) -> None:
        phrases = (*PHRASES, "Ask to go on another time.")
        lines = [
            Content.assemble((f" {at + 1} ", "bold"), " ", phrase).stylize(f"@click=screen.speak({at})")
            for at, phrase in enumerate(phrases)
        ]
        lines += [Content(""), Content("x: show phrases of your friend, or not")]
        lines += [Content(""), *map(Content, wrap(table.friend.verified, 44))]
        if table.friend.watch:
            lines += [Content(""), Content("Others watch with this key (c copies it):"), Content(table.friend.watch)]
        super().__init__("Say", lines)
        self._table = table

    def action_mute(self) -> None:
        """Show no more phrases of the friend, or show them again."""
        self.app.notify(self._table.friend.mute(), markup=False)

    def action_copy(self) -> None:
        """Put the key for watchers on the clipboard."""
        if key := self._table.friend.watch:
            self.app.copy_to_clipboard(key)
            self.app.notify(f"Copied {key}", markup=False)

    def action_speak(self, number: int) -> None:
        """Say it."""
        self.dismiss(None)
        self._table.speak(number)
