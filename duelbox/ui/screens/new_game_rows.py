"""The rows of the form for a new game, and the game that their values ask for."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duelbox.bots import SPARRING, level_of, levels_of
from duelbox.core.errors import BadName, OptionError
from duelbox.core.game import AnyGame, Preset
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.names import alike, check_name, chosen_name, clean_name
from duelbox.core.options import Options, written
from duelbox.core.record import PROGRAM, PlayerInfo
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import find_game, game_ids
from duelbox.store.settings import ELSEWHERE, PERSON, LastUsed
from duelbox.table.new_game import last_players
from duelbox.table.players import differently_named
from duelbox.ui.widgets.form import SWITCH, TYPE_A_NAME, Row

HOUSE = "house rules"
COMPUTER, HERE, WATCH = "computer", "here", "watch"
"""Opponents: the computer, a friend at this screen, and, to watch, two computers; `PROGRAM` is one, too."""
OPPONENTS = ((COMPUTER, "computer"), (HERE, "friend here"), (ELSEWHERE, "friend elsewhere"), (WATCH, "two computers"))
WITH_PROGRAMS = (
    (COMPUTER, "computer"),
    (PROGRAM, "program"),
    (HERE, "friend here"),
    (ELSEWHERE, "elsewhere"),
    (WATCH, "watch"),
)
"""The opponents where there are programs, in fewer words: all of them stand in one row of 80 columns."""
STARTS = (("player-1", "first"), ("player-2", "second"), ("chance", "by lot"))
ROUNDS = tuple((str(number), str(number)) for number in (1, 3, 5, 7, 9))
WATCHERS = "You get a key for watchers, too. They see what both of you see, and your friend is told of it."
TURN_PACES = ("none", "none"), ("30", "30 s"), ("60", "60 s")
PACE = "A clock shows how long a turn takes; it only reminds."
ASK = ("off", "off"), ("on", "before I give it away")
COACH = "Against a computer: asks before a move gives the win away. Counts as help."
LESSON = "Hints and verdicts for both of you, if your friend agrees to that."
ABOUT = {
    COMPUTER: "",
    HERE: "Your friend sits at this screen; you pass it on where something is hidden.",
    ELSEWHERE: "Your friend sits at another machine. You get a code to read to them, and chance decides who starts.",
    WATCH: "Two computers play, and you watch.",
    PROGRAM: "A program of your settings. Games with one count for no level.",
}
ROWS = {
    COMPUTER: ("level", "coach"),
    HERE: ("name1", "name2", "pace"),
    ELSEWHERE: ("name1", "lesson", "watch"),
    WATCH: ("level", "other"),
    PROGRAM: ("program",),
}
"""The keys of the rows that each opponent needs."""
Fault = tuple[str, str]
"""A sentence about a fault, and the key of the row that has it."""


def game_row(game: AnyGame) -> Row:
    """The row for the game, by short titles."""
    games = tuple((one, _called(find_game(one).INFO.title)) for one in game_ids())
    return Row("game", "Game", game.INFO.id, games, f"Good for {game.INFO.good_for}.")


def _called(title: str) -> str:
    """A title without the words that most titles share."""
    short = title.removeprefix("Number ")
    return title if short == "Duel" else short if short.startswith("Circle") else short.removesuffix(" Duel")


def preset_row(presets: Sequence[Preset[Any]], options: Options, chosen: str = "", before: str = "") -> Row:
    """The row for presets and "your own" rules, which stand beside the preset `before` that they took the place of."""
    named = [(preset.id, preset.name) for preset in presets]
    now = chosen or next((preset.id for preset in presets if preset.options == options), HOUSE)
    at = next((at for at, preset in enumerate(presets) if preset.id == before and now == HOUSE), None)
    named.insert(len(named) if at is None else at + 1, (HOUSE, "your own"))
    about = {HOUSE: "House rules of your own: k keeps them under a name."}.get(now, "")
    if at is not None:
        about = f"Your own, from the map. ← takes {presets[at].name} again."
    if any(preset.id == now and preset.kind == "your own" for preset in presets):
        about = "Kept by you: Del deletes the name."
    return Row("preset", "House rules", now, tuple(named), about)


def option_rows(options: Options) -> tuple[Row, ...]:
    """A row for each house rule that the player can choose."""
    return tuple(
        Row(
            f"option {info.name}",
            f"  {info.title}",
            written(getattr(options, info.name)),
            tuple((word, word.replace("-", " ")) for word in info.choices),
            f"{info.label}." if info.choices else f"{info.label}: type {info.takes}.",
            numbers=info.numbers if not info.choices else None,
        )
        for info in type(options).infos()
        if info.name not in options.drawn_names()
    )


def player_rows(game: AnyGame, kept: Mapping[str, str], programs: Collection[str]) -> tuple[Row, ...]:
    """The rows for the players; the opponent decides which ones. `kept` holds the last value of each row."""
    known = levels_of(game.INFO.id)
    opponents: tuple[tuple[str, str], ...] = OPPONENTS
    if programs:
        opponents = WITH_PROGRAMS
    if not known:
        opponents = tuple(one for one in opponents if one[0] not in (COMPUTER, WATCH))
    opponent = kept["opponent"] if kept["opponent"] in dict(opponents) else HERE
    choices = tuple((one.id, f"{at} {one.name}") for at, one in enumerate(known, 1))
    choices += ((SPARRING.id, SPARRING.name),) if len(known) > 1 else ()
    rows = (
        Row("level", "Level", kept["level"], choices),
        Row("other", "Other level", kept["other"], choices),
        Row("program", "Program", kept["program"], tuple((name, name) for name in programs)),
        Row("coach", "Ask", kept.get("coach", "off"), ASK, COACH),
        Row("name1", "Your name", kept["name1"], typed=True, about=TYPE_A_NAME),
        Row("name2", "Your friend", kept["name2"], typed=True, about=TYPE_A_NAME),
        Row("pace", "Pace", kept.get("pace", "none"), TURN_PACES, PACE),
        Row("lesson", "Lesson", kept.get("lesson", "off"), SWITCH, LESSON),
        Row("watch", "Watched", kept.get("watch", "off"), SWITCH, WATCHERS),
    )
    return (
        Row("first", "You", kept["first"], STARTS, "Who starts changes from round to round.", heading="Players"),
        Row("opponent", "Opponent", opponent, opponents, ABOUT[opponent]),
        *(row for row in rows if row.key in ROWS[opponent]),
    )


def rounds_row(rounds: str) -> Row:
    """The row for the rounds, with the usual numbers; any other can be typed."""
    about = f"Type any number from 1 to {MAX_ROUNDS}."
    return Row("rounds", "Rounds", rounds, ROUNDS, about, numbers=range(1, MAX_ROUNDS + 1))


@dataclass(frozen=True, slots=True)
class FilledForm:
    """The form as it is filled in: the game that its rows ask for, and their faults."""

    game: AnyGame
    rows: tuple[Row, ...]
    kept: Mapping[str, str]
    """The last values of rows that are not shown."""
    rules: Options
    """The house rules if no rows ask for each of them."""
    saved: tuple[str, str]
    """The names in the settings, which stay even if they could not be chosen now."""

    def value(self, key: str) -> str:
        """The value of a row, or its last value if it is not shown."""
        return next((row.value for row in self.rows if row.key == key), self.kept.get(key, ""))

    def options(self) -> Options:
        """The house rules; raises OptionError."""
        texts = {row.key.removeprefix("option "): row.value for row in self.rows if row.key.startswith("option ")}
        options: Options = self.game.Options.from_texts(texts) if texts else self.rules
        return options

    def last(self) -> LastUsed:
        """The choices as the settings save them for the next time; raises OptionError."""
        text = self.value("rounds")
        if not re.fullmatch("[0-9]{1,2}", text) or not int(text):
            raise OptionError(f"A match has 1 to {MAX_ROUNDS} rounds.", "rounds")
        seats = {COMPUTER: (PERSON, "level"), WATCH: ("level", "other")}.get(self.value("opponent"), (PERSON, PERSON))
        one, two = (seat if seat == PERSON else self.value(seat) for seat in seats)
        first = self.value("first") if one == PERSON else "player-1"
        return LastUsed(players=(one, two), options=self.options().texts(), rounds=int(text), first=first)  # type: ignore[arg-type]

    @property
    def names(self) -> tuple[str, str]:
        """The names of the people; raises BadName."""
        one = self._name("name1")
        two = self._name("name2")
        if (one, two) == self.saved or not alike(one, two):
            return one, two
        if self.value("opponent") == HERE:
            check_name(two, one)
        return one, next(name for name in DEFAULT_NAMES[::-1] if not alike(one, name))

    def _name(self, key: str) -> str:
        """The name in this row; raises BadName."""
        text = self.value(key)
        return clean_name(text) if text in self.saved else chosen_name(text)

    def players(self) -> tuple[PlayerInfo, PlayerInfo]:
        """The players; raises BadName or OptionError."""
        if self.against_program:
            program = PlayerInfo(name=self.value("program"), level=PROGRAM)
            return differently_named(PlayerInfo(name=self.names[0]), program)
        return last_players(self.game, self.last(), self.names)

    @property
    def against_program(self) -> bool:
        """True if the second player is a program."""
        return self.value("opponent") == PROGRAM

    @property
    def elsewhere(self) -> bool:
        """True if the second player is a friend on another machine."""
        return self.value("opponent") == ELSEWHERE

    def fault(self) -> Fault | None:
        """The first fault of the form, or None."""
        at = "rounds"
        try:
            self.last()
            for at in [row.key for row in self.rows if row.typed]:
                self._name(at)
            self.players()
        except OptionError as error:
            return (error.sentence, at) if error.key == at else self._in_words(error)
        except BadName as error:
            return error.sentence, at
        return None

    def _in_words(self, error: OptionError) -> Fault:
        """A refused house rule as a fault, with the title that the form gives the rule."""
        titles = {info.name: info.title for info in self.game.Options.infos()}
        sentence = error.sentence.removesuffix(", not ''.").removesuffix(".") + "."
        if error.key in titles and sentence.startswith(f"{error.key} "):
            sentence = titles[error.key] + sentence.removeprefix(error.key)
        return sentence, f"option {error.key}"


def kept_of(last: LastUsed, names: tuple[str, str], game: AnyGame) -> dict[str, str]:
    """The values of the rows for players and rounds in the last game; a person among computers comes first."""
    (one, two), first = last.players, last.first
    if one != PERSON and two == PERSON:
        one, two, names = two, one, (names[1], names[0])
        first = {"player-1": "player-2", "player-2": "player-1"}.get(first, first)  # type: ignore[assignment]
    opponent = COMPUTER if one == PERSON != two else HERE if two == PERSON else WATCH
    ids = [level.id for level in levels_of(game.INFO.id)] or [""]
    computers = [who for who in (one, two) if level_of(game.INFO.id, who)] or ids[:2][-1:]
    values = {"opponent": opponent, "first": first, "level": computers[0], "other": computers[-1]}
    return values | {"name1": names[0], "name2": names[1], "rounds": str(last.rounds)}
