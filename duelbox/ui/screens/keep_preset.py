"""Keep house rules under a name, as a preset of the player's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from duelbox.core.errors import BadName
from duelbox.core.game import AnyGame
from duelbox.core.names import clean_name
from duelbox.core.options import Options
from duelbox.table.presets import known_preset, name_fault, presets_with
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.widgets.form import TYPE_A_NAME, Form, Row


class KeepPresetScreen(FormScreen):
    """A form with one name; Enter keeps the rules under it."""

    HEADING = "Keep"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Keep", id="keep.keep"),
        Binding("escape", "back", "Back", id="keep.back"),
    ]

    def __init__(self, game: AnyGame, options: Options, then: Callable[[str], object]) -> None:
        """`then` is called with the name."""
        super().__init__()
        self.game, self._options, self._then = game, options.rules_only(), then

    def on_mount(self) -> None:
        """Fill in the row for the name."""
        preset = known_preset(self.app.settings, self.game, self._options)
        self._known = f"These rules are a preset already: {preset.name}." if preset else ""
        about = self._known or f"{self.game.INFO.title}, {self._options.in_words}. {TYPE_A_NAME}"
        self.form.rows = (Row("name", "Name", "", typed=True, about=about),)

    @on(Form.Changed)
    def _changed(self) -> None:
        self.explain()

    def action_keep(self) -> None:
        """Keep the rules, or explain the fault in the name."""
        settings = self.app.settings
        try:
            name = clean_name(self.form.rows[0].value)
            fault = self._known or name_fault(self.game, name, [*settings.presets.get(self.game.INFO.id, ())])
        except BadName as error:
            fault = self._known or error.sentence
        if fault:
            self.app.bell()
            self.say(fault)
            return
        self.app.change_settings(presets=presets_with(settings, self.game, name, self._options))
        self.action_back()
        self._then(name)
