"""Settings: each takes effect at once and is saved in a file."""

from __future__ import annotations

import re
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.keys import key_to_character

from duelbox import themes
from duelbox.core.errors import BadName
from duelbox.core.names import check_name
from duelbox.store.settings import RELAY, Settings
from duelbox.table.base import PACES
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.screens.new_game_rows import ASK, COACH, PACE, TURN_PACES
from duelbox.ui.table_keys import as_key, key_fault, settable_verbs
from duelbox.ui.widgets.form import SWITCH, TYPE_A_NAME, Form, Row

AUTO = "Auto: dark, or no colour where NO_COLOR is set. Signs tell players apart in every theme."
PLAIN = "Auto: on the Linux console, and where the terminal draws wide signs."
MORE = "Signs, motion, clicks, hands, a clock, the relay, and the keys at the table."
RELAY_ABOUT = "Where to meet friends elsewhere, such as wss://relay.example.org. Empty: on this machine."
LARGE = (*SWITCH, ("teams", "with teams"))
LARGE_ABOUT = "For a projector: board, story and prompt alone. Teams: after a game, Enter calls the next two."
NOTICES = (("bell", "bell"), ("desktop", "notice"), ("off", "off"))
DELAYS = tuple((str(pace), f"{pace / 1000:g} s" if pace else "none") for pace in PACES)


class SettingsScreen(FormScreen):
    """A form with a row for each setting; every change is saved at once."""

    HEADING = "Settings"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Done", id="settings.done"),
        *FormScreen.ROWS,
        Binding("escape,s,q", "back", "Back", id="settings.back"),
    ]

    _more = False
    """All rows are shown."""

    def _fill(self) -> None:
        self.form.rows = _rows(self.app.settings, more=self._more)

    def explain(self) -> None:
        """Show the note on the row just reached; a refused text in the row left gives way to the setting."""
        self._fill()
        self._names = self.app.settings.names  # they come back when a name is refused
        super().explain()

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        row = message.row
        if row.key.startswith("key "):
            self._change_key(row)
        elif row.key == "more":
            self._more = row.value == "on"
            self._fill()
        elif row.key.startswith("name"):
            self._change_name(row)
        elif row.key == "relay":
            self._change_relay(row)
        elif row.key == "delay":
            self.app.change_settings(delay=int(row.value))
        else:
            self.app.change_settings(**{row.key: {"on": True, "off": False}.get(row.value, row.value)})

    def _change_name(self, row: Row) -> None:
        one, two = self.app.settings.names
        try:
            name = check_name(row.value, two if row.key == "name1" else one)
        except BadName as error:
            # A shorter name typed on the way may have been taken.
            self.app.change_settings(names=self._names)
            self.say(f"{error.sentence} The old name stays.")
            return
        self.app.change_settings(names=(name, two) if row.key == "name1" else (one, name))
        self.say(row.about)

    def _change_relay(self, row: Row) -> None:
        if re.match(RELAY, row.value):
            self.app.change_settings(relay=row.value)
            self.say(row.about)
        else:
            self.say("That is not the address of a relay, such as wss://relay.example.org. It may be empty, too.")

    def _change_key(self, row: Row) -> None:
        name, keymap = row.key.removeprefix("key "), self.app.settings.keymap
        built_in, key = settable_verbs()[name].key, as_key(row.value)
        own = {} if key in ("", built_in) else {name: key}
        fault = key_fault(name, key, keymap) if own else None
        if fault is None:
            others = {verb: its_key for verb, its_key in keymap.items() if verb != name}
            self.app.change_settings(keymap=others | own)
        self._fill()
        if fault is None:
            self.say(f"The key is {_written(key or built_in)} now.")
        else:
            self.say(f"{fault[0].upper()}{fault[1:]}. The old key stays.")

    def action_done(self) -> None:
        """Leave, as Escape does: every change is saved already."""
        self.action_back()


def _rows(settings: Settings, *, more: bool) -> tuple[Row, ...]:
    """The rows of most use, and all others if `more` is on."""

    def switch(key: str, label: str, about: str) -> Row:
        return Row(key, label, "on" if getattr(settings, key) else "off", SWITCH, about)

    named = tuple((name, name.replace("-", " ")) for name in themes.NAMES)
    plain = {True: "on", False: "off", "auto": "auto"}[settings.ascii]
    motions = (("none", "none"), ("basic", "a little"), ("full", "all"))
    delay = min(DELAYS, key=lambda one: abs(int(one[0]) - settings.delay))[0]
    large = {True: "on", False: "off", "teams": "teams"}[settings.large]
    one, two = settings.names
    rows = (
        Row("theme", "Theme", settings.theme, named, AUTO),
        Row("delay", "Computer waits", delay, DELAYS, "The computer takes at least this long for a move."),
        Row("coach", "Ask", "on" if settings.coach else "off", ASK, COACH),
        Row("notice", "Your turn", settings.notice, NOTICES, "How you are called while you look at another window."),
        Row("name1", "Player 1's name", one, typed=True, about=TYPE_A_NAME),
        Row("name2", "Player 2's name", two, typed=True, about=TYPE_A_NAME),
        Row("large", "Large", large, LARGE, LARGE_ABOUT),
        Row("more", "More", "on" if more else "off", SWITCH, MORE),
    )
    if not more:
        return rows
    return (
        *rows,
        Row("ascii", "Plain ASCII", plain, (("auto", "auto"), *SWITCH[::-1]), PLAIN),
        Row("animation", "Motion", settings.animation, motions, "It shows what changed, and never keeps you waiting."),
        switch("confirm", "Confirm moves", "Every move takes one more Enter."),
        switch("one_click", "One click plays", "Off: the second click plays."),
        switch("open_hand", "Own hand open", "Against a computer, you see your own hidden numbers."),
        switch("voice", "Computers talk", "Now and then they say why they like their own move."),
        Row("pace", "Pace for two", settings.pace, TURN_PACES, PACE),
        Row("relay", "Relay", settings.relay, typed=True, longest=80, about=RELAY_ABOUT),
        *_key_rows(settings),
    )


def _key_rows(settings: Settings) -> tuple[Row, ...]:
    about = "Press the key it is to have; Backspace for the built-in one."
    return tuple(
        Row(
            f"key {name}",
            f"  {verb.label}",
            _written(settings.keymap.get(name, verb.key)),
            pressed=True,
            about=about,
            heading="Keys at the table" if number == 0 else "",
        )
        for number, (name, verb) in enumerate(settable_verbs().items())
    )


def _written(key: str) -> str:
    """A key as people write it: "?" for question_mark."""
    sign = key_to_character(key) or ""
    return sign if sign.strip() else key
