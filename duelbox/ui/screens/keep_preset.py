"""Keep house rules under a name: from then on they are a preset."""

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
    """One name; Enter keeps the rules under it."""

    HEADING = "Keep"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Keep", id="keep.keep"),
        Binding("escape", "back", "Back", id="keep.back"),
    ]

    def __init__(self, game: AnyGame, options: Options, then: Callable[[str], object]) -> None:
        """`then` is told the name."""
        super().__init__()
        self.game, self._options, self._then = game, options.rules_only(), then

    def on_mount(self) -> None:
        """Ask for the name; or say which preset these rules are."""
        self.form.rows = (Row("name", "Name", "", typed=True),)
        self.form.focus()
        preset = known_preset(self.app.settings, self.game, self._options)
        self.say(f"These rules are a preset already: {preset.name}." if preset else self._asked)

    @property
    def _asked(self) -> str:
        return f"{self.game.INFO.title}, {self._options.in_words}. {TYPE_A_NAME}"

    @on(Form.Changed)
    def _tell(self) -> None:
        self.say(self._asked)

    def action_keep(self) -> None:
        """Keep them; or say what is wrong with the name."""
        settings = self.app.settings
        try:
            name = clean_name(self.form.rows[0].value)
        except BadName as error:
            fault = error.sentence
        else:
            fault = name_fault(self.game, name, [*settings.presets.get(self.game.INFO.id, ())])
        if preset := known_preset(settings, self.game, self._options):
            fault = f"These rules are a preset already: {preset.name}."
        if fault:
            self.app.bell()
            self.say(fault)
            return
        self.app.change_settings(presets=presets_with(settings, self.game, name, self._options))
        self.action_back()
        self._then(name)
