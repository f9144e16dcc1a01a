"""Settings: each takes effect at once, and is kept in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, get_args

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.keys import _character_to_key, key_to_character
from textual.widgets import Static

from duelbox.core.errors import BadName
from duelbox.core.names import check_name
from duelbox.store.settings import Settings, Theme
from duelbox.ui.keymap import key_fault, settable
from duelbox.ui.screens.roomy import RoomyScreen, TooSmall
from duelbox.ui.widgets.form import Form, Row
from duelbox.ui.widgets.keys import KeyBar
from duelbox.ui.widgets.lines import TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

SWITCH = (("off", "off"), ("on", "on"))
DELAYS = (("0", "none"), ("200", "0.2 s"), ("400", "0.4 s"), ("800", "0.8 s"), ("1500", "1.5 s"), ("3000", "3 s"))


class SettingsScreen(RoomyScreen):
    """A form of everything that can be set."""

    app: DuelboxApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,s", "back", "Back", id="settings.back"),
    ]
    DEFAULT_CSS = """
    SettingsScreen {
        & #body { height: 1fr; layout: vertical; }
        & Form { margin: 1 0; }
        & #note { height: 2; padding: 0 2; color: $text-muted; }
        &.-wide #body { layout: horizontal; }
        &.-wide #note { width: 40; height: 1fr; padding: 1 2; background: $panel; }
    }
    """

    def compose(self) -> ComposeResult:
        """Title, form, what the row means."""
        yield TooSmall()
        with Vertical(classes="main"):
            top = TopLine()
            top.title = "Settings"
            yield top
            with Container(id="body"):
                yield Form()
                yield Static(id="note", markup=False)
            yield KeyBar()

    def on_mount(self) -> None:
        """Fill the form."""
        form = self.query_one(Form)
        form.rows = (*_rows(self.app.settings), *_key_rows(self.app.settings))
        form.focus()
        self._say(form.rows[0].about)

    def _say(self, text: str) -> None:
        self.query_one("#note", Static).update(text)

    @on(Form.Moved)
    def _moved(self, message: Form.Moved) -> None:
        self._say(message.row.about)

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        row, settings = message.row, self.app.settings
        if row.key.startswith("key "):
            self._change_key(row)
        elif row.key.startswith("name"):
            self._change_name(row)
        elif row.key == "delay":
            self.app.change_settings(delay=int(row.value))
        elif row.choices == SWITCH:
            self.app.change_settings(**{row.key: row.value == "on"})
        else:
            assert row.key in type(settings).model_fields
            self.app.change_settings(**{row.key: row.value})

    def _change_name(self, row: Row) -> None:
        one, two = self.app.settings.names
        try:
            name = check_name(row.value, two if row.key == "name1" else one)
        except BadName as error:
            self._say(f"{error.sentence} The old name stays.")
            return
        self.app.change_settings(names=(name, two) if row.key == "name1" else (one, name))
        self._say(row.about)

    def _change_key(self, row: Row) -> None:
        name, keymap = row.key.removeprefix("key "), dict(self.app.settings.keymap)
        built_in, key = settable()[name].key, _meant(row.value)
        if key in ("", built_in):
            keymap.pop(name, None)
        else:
            fault = key_fault(name, key, keymap)
            if fault is not None:
                self._say(f"{fault[0].upper()}{fault[1:]}. The old key stays.")
                return
            keymap[name] = key
        self.app.change_settings(keymap=keymap)
        self._say(f"{row.value or _written(built_in)} it is.")

    def action_back(self) -> None:
        """Back to where you were."""
        self.dismiss(None)


def _rows(settings: Settings) -> tuple[Row, ...]:
    def switch(value: bool) -> str:
        return "on" if value else "off"

    themes = tuple((name, name.replace("-", " ")) for name in get_args(Theme))
    motions = (("none", "none"), ("basic", "a little"), ("full", "all"))
    delay = min(DELAYS, key=lambda one: abs(int(one[0]) - settings.delay))[0]
    one, two = settings.names
    return (
        Row("theme", "Theme", settings.theme, themes, "In every theme players are told apart by their signs, too."),
        Row("ascii", "Plain ASCII", switch(settings.ascii), SWITCH, "For terminals without the finer signs."),
        Row("animation", "Motion", settings.animation, motions, "It shows what changed, and never keeps you waiting."),
        Row("delay", "Computer waits", delay, DELAYS, "The computer takes at least so long for a move."),
        Row("confirm", "Confirm moves", switch(settings.confirm), SWITCH, "Every move takes one more Enter."),
        Row(
            "one_click",
            "One click plays",
            switch(settings.one_click),
            SWITCH,
            "Off: the second click plays.",
        ),
        Row("name1", "Player 1's name", one, typed=True, about="A name of at most 24 letters."),
        Row("name2", "Player 2's name", two, typed=True, about="A name of at most 24 letters."),
    )


def _key_rows(settings: Settings) -> tuple[Row, ...]:
    about = "Write a key like u, f5 or ctrl+r; empty for the built-in one."
    return tuple(
        Row(
            f"key {name}",
            f"  {binding.description}",
            _written(settings.keymap.get(name, binding.key)),
            typed=True,
            about=about,
            heading="Keys at the table" if number == 0 else "",
        )
        for number, (name, binding) in enumerate(settable().items())
    )


def _written(key: str) -> str:
    """A key as people write it: question_mark is ?."""
    sign = key_to_character(key) or ""
    return sign if sign.strip() else key


def _meant(text: str) -> str:
    """A key as Textual calls it."""
    return _character_to_key(text) if len(text) == 1 else text
