"""The rows of the form for a new game, and the game they ask for: players, rounds and rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from duelbox.bots import SPARRING, level_of, levels
from duelbox.core.errors import BadName, OptionError
from duelbox.core.game import AnyGame
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.names import clean_name
from duelbox.core.options import Options, written
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES
from duelbox.store.settings import ELSEWHERE, PERSON
from duelbox.table.opening import apart, computer
from duelbox.ui.widgets.form import SWITCH, TYPE_A_NAME, Row

HOUSE = "house rules"
WATCH = "You get a key for watchers, too. They see what both of you see, and your friend is told of it."
LESSON = "Hints and verdicts for both of you, if your friend agrees to that."
AWAY = "Elsewhere: on another machine; you get a code to read to them, and chance says who starts."
WHERE = (("here", "at this screen"), (ELSEWHERE, "elsewhere"))
Fault = tuple[str, str]
"""A sentence, and the key of the row to mend."""


def player_rows(game: AnyGame, number: int, level: str | None, name: str, kept: Mapping[str, str]) -> tuple[Row, ...]:
    """The rows of a player; people have a name, and the second one a place to sit. `kept` has the other values."""
    bots = tuple((one.id, f"{one.name}, level {at} of the computer") for at, one in enumerate(levels(game.INFO.id), 1))
    bots += ((SPARRING.id, SPARRING.name),) if len(bots) > 1 else ()
    player = Row(f"p{number}", f"Player {number}", level or PERSON, ((PERSON, "a person"), *bots))
    if level is not None:
        return (player,)
    called = Row(f"name{number}", "  called", name, typed=True, about=TYPE_A_NAME)
    if number == 1:
        return player, called
    sits = Row("where", "  sits", kept.get("where", "here"), WHERE, AWAY)
    if sits.value != ELSEWHERE:
        return player, sits, called
    taught = Row("lesson", "  lesson", kept.get("lesson", "off"), SWITCH, LESSON)
    return player, sits, taught, Row("watch", "  watched", kept.get("watch", "off"), SWITCH, WATCH)


def preset_row(game: AnyGame, options: Options) -> Row:
    """The preset that these options make up, if any."""
    presets = tuple((preset.id, preset.name) for preset in game.PRESETS)
    now = next((preset for preset in game.PRESETS if preset.options == options), None)
    if now is None:
        return Row("preset", "Rules", HOUSE, (*presets, (HOUSE, "House rules")), "Your own mixture.")
    return Row("preset", "Rules", now.id, presets, f"{now.about} {now.card}")


def option_rows(options: Options) -> tuple[Row, ...]:
    """A row for each house rule that can be chosen."""
    return tuple(
        Row(
            f"option {info.name}",
            f"  {info.title}",
            written(getattr(options, info.name)),
            tuple((word, word.replace("-", " ")) for word in info.choices),
            f"{info.label}." if info.choices else f"{info.label}: type {info.takes}.",
            numbers=info.numbers if not info.choices else None,
        )
        for info in type(options).described()
        if info.name not in options.dealing()
    )


def level_told(game: AnyGame, level_id: str) -> str:
    """A level of the computer in a sentence; empty for a person."""
    known = levels(game.INFO.id)
    at = next((at for at, one in enumerate(known) if one.id == level_id), None)
    if level_id == SPARRING.id:
        return f"{SPARRING.name}: {SPARRING.line}"
    return "" if at is None else f"{known[at].name}, level {at + 1} of {len(known)}: {known[at].line}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A new game as the rows ask for it."""

    game: AnyGame
    rows: tuple[Row, ...]

    def value(self, key: str) -> str:
        """The value of a row; empty where there is no such row."""
        return next((row.value for row in self.rows if row.key == key), "")

    def options(self) -> Options:
        """The house rules; raises OptionError."""
        texts = {row.key.removeprefix("option "): row.value for row in self.rows if row.key.startswith("option ")}
        options: Options = self.game.Options.from_texts(texts)
        return options

    def rounds(self) -> int:
        """The number of rounds; raises OptionError."""
        text = self.value("rounds")
        if not re.fullmatch("[0-9]{1,2}", text) or not int(text):
            raise OptionError(f"A match has 1 to {MAX_ROUNDS} rounds.", "rounds")
        return int(text)

    def players(self) -> tuple[Who, Who]:
        """The players; raises BadName."""
        return apart(self._who(1), self._who(2))

    def _who(self, number: int) -> Who:
        if number == 2 and self.elsewhere:
            return Who(name=DEFAULT_NAMES[number - 1], level=ELSEWHERE)
        level = level_of(self.game.INFO.id, self.value(f"p{number}"))
        return computer(level) if level else Who(name=clean_name(self.value(f"name{number}")))

    @property
    def elsewhere(self) -> bool:
        """Whether the second player is a friend on another machine."""
        return self.value("where") == ELSEWHERE

    def fault(self) -> Fault | None:
        """The first fault of the form, if it has any."""
        at = "rounds"
        try:
            self.rounds()
            for row in self.rows:
                if row.key.startswith("name"):
                    at = row.key
                    clean_name(row.value)
            self.players()
            self.options()
        except OptionError as error:
            return self._in_words(error) if error.key != at else (error.sentence, at)
        except BadName as error:
            return error.sentence, at
        return None

    def _in_words(self, error: OptionError) -> Fault:
        """A refusal of options, by the name the form has for them."""
        titles = {info.name: info.title for info in self.game.Options.described()}
        sentence = error.sentence.removesuffix(", not ''.").removesuffix(".") + "."
        if error.key in titles and sentence.startswith(f"{error.key} "):
            sentence = titles[error.key] + sentence.removeprefix(error.key)
        return sentence, f"option {error.key}"
