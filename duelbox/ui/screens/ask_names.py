"""Ask for names, once: of two people before their first rematch, of one before the first friend elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from duelbox.core.errors import DuelboxError
from duelbox.core.names import check_name, chosen_name
from duelbox.core.session import DEFAULT_NAMES
from duelbox.table.local import LocalTable
from duelbox.table.players import NAME_ASKED
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.widgets.form import TYPE_A_NAME, Form, Row

ASKED = "start", "names"
"""The kind and the key of the note in the store: the names were asked for."""


class AskNamesScreen(FormScreen):
    """A form with two names; Enter takes them, Escape plays on without names."""

    HEADING = "Who plays?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Play", id="names.go"),
        *FormScreen.ROWS,
        Binding("escape", "back", "Without names", id="names.back"),
    ]

    def __init__(self, table: LocalTable, then: Callable[[], None]) -> None:
        """`then` goes on with the match, with names or without."""
        super().__init__()
        self._table, self._then = table, then

    def on_mount(self) -> None:
        """Fill in a row for each player, with the sign they had in the match before."""
        before = self._table.previous or self._table
        signs = (self.app.glyphs.seat(0 if before.match.player_in(0) == player else 1) for player in (0, 1))
        about = f"{TYPE_A_NAME} You are asked only once; in settings you can change it."
        self.form.rows = tuple(
            Row(f"name{at}", sign, name, typed=True, about=about)
            for at, (sign, name) in enumerate(zip(signs, DEFAULT_NAMES, strict=True))
        )

    @on(Form.Changed)
    def _changed(self) -> None:
        self.explain()

    def action_go(self) -> None:
        """Take the names, or explain the fault in them."""
        try:
            one = chosen_name(self.form.rows[0].value)
            two = check_name(self.form.rows[1].value, one)
        except DuelboxError as error:
            self.app.bell()
            self.say(error.sentence)
            return
        self.app.change_settings(names=(one, two))
        players = self._table.players
        self._table.sit_down((players[0].changed(name=one), players[1].changed(name=two)))
        self.action_back()

    def action_back(self) -> None:
        """Go on with the match, and note that the names were asked for."""
        self.app.note_progress(*ASKED, True)
        self.app.pop_screen()
        self._then()


class AskNameScreen(FormScreen):
    """A form with the name that a friend elsewhere reads; Enter takes it, Escape goes on with the usual one."""

    HEADING = "Your name"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go on", id="name.go"),
        Binding("escape", "back", "Without a name", id="name.back"),
    ]

    def __init__(self, name: str, then: Callable[[str], None]) -> None:
        """`then` goes on under the name that was typed, or under this one."""
        super().__init__()
        self._usual, self._then = name, then

    def on_mount(self) -> None:
        """Fill in the usual name."""
        about = "Your friend reads this name. You are asked only once; in settings you can change it."
        self.form.rows = (Row("name", "Name", self._usual, typed=True, about=about),)

    @on(Form.Changed)
    def _changed(self) -> None:
        self.explain()

    def action_go(self) -> None:
        """Take the name, or explain the fault in it."""
        name = self.form.rows[0].value
        if name == self._usual:
            return self.action_back()
        try:
            name = chosen_name(name)
        except DuelboxError as error:
            self.app.bell()
            return self.say(error.sentence)
        return self._go_on(name)

    def action_back(self) -> None:
        """Go on under the usual name."""
        self._go_on(self._usual)

    def _go_on(self, name: str) -> None:
        self.app.note_progress(*NAME_ASKED, True)
        self.app.pop_screen()
        self._then(name)


def names_missing(table: LocalTable) -> bool:
    """True if two people without names have played a match here and are about to play another."""
    before = table.previous
    if before is None or before.session.outcome is None or table.session.plies or table.store is None:
        return False
    if any(who.level for who in table.players) or {who.name for who in table.players} != {*DEFAULT_NAMES}:
        return False
    kind, key = ASKED
    try:
        return key not in table.store.progress.newest(kind)
    except DuelboxError:
        return False
