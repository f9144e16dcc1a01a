"""The table of a match elsewhere, for a player or a watcher, and the panel of phrases to say."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from duelbox.core.errors import DuelboxError
from duelbox.friends.messages import PHRASES
from duelbox.table.remote import RemoteTable
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.screens.table import CALL, TableScreen
from duelbox.ui.widgets.board import Board

PRESENCE = 20.0
"""Seconds between two updates of the time that a friend has been away."""


class RemoteScreen(TableScreen[RemoteTable]):
    """A table that changes with the news of a match elsewhere; players can also talk with each other."""

    def on_mount(self) -> None:
        """Begin to listen for news."""
        self.run_worker(self._listen())
        self.set_interval(PRESENCE, self.sync)

    async def on_unmount(self) -> None:
        """Leave the match, which waits for both players."""
        await self.table.leave()

    async def _listen(self) -> None:
        while True:
            change = await self.table.news.get()
            if not self.query(Board):
                continue
            if change is None:
                self.state.heard()
            else:
                self.state.heard(change)

    def call_player(self) -> None:
        """Call the player, also where the terminal never said which window has the focus: a friend waits."""
        self.app.call_user(self.settings.notice, CALL, unasked=True)

    def open_speak(self) -> None:
        """Open the panel of phrases to say."""
        self.app.push_screen(PhrasesScreen(self))

    def speak(self, number: int) -> None:
        """Say the phrase of this number; the number after the last phrase asks for a pause."""
        try:
            if number < len(PHRASES):
                self.table.say(number)
                self.say(f"You: {PHRASES[number]}")
            else:
                self.table.propose("pause")
        except DuelboxError as error:
            self.say(error.sentence)


class PhrasesScreen(PanelScreen):
    """A panel of phrases to say, each by its number or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(at + 1), f"speak({at})", show=False) for at in range(len(PHRASES) + 1)),
        Binding("c", "copy", show=False),
        Binding("x", "mute", show=False),
    ]

    def __init__(self, screen: RemoteScreen) -> None:
        phrases = (*PHRASES, "Ask to go on another time.")
        lines = [
            Content.assemble((f" {at + 1} ", "bold"), " ", phrase).stylize(f"@click=screen.speak({at})")
            for at, phrase in enumerate(phrases)
        ]
        friend = screen.table
        lines += map(Content, ("", "x: show phrases of your friend, or not", "", *wrap(friend.verified, 44)))
        if friend.watch:
            lines += map(Content, ("", "Others watch with this key (c copies it):", friend.watch))
        super().__init__("Say", lines)
        self._screen_below = screen

    def action_mute(self) -> None:
        """Hide the phrases of the friend, or show them again."""
        self.app.notify(self._screen_below.table.mute(), markup=False)

    def action_copy(self) -> None:
        """Copy the key for watchers."""
        key = self._screen_below.table.watch
        if key:
            self.app.copy_to_clipboard(key)
            self.app.notify(f"Copied {key}", markup=False)

    def action_speak(self, number: int) -> None:
        """Say the phrase of this number, and close the panel."""
        self.dismiss(None)
        self._screen_below.speak(number)
