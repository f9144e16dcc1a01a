"""New game: who plays, who starts, how many rounds, by which rules; and how fair that is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Static

from duelbox.bots import level_of, levels
from duelbox.core.errors import BadName, DuelboxError, OptionError
from duelbox.core.game import AnyGame
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.names import clean_name
from duelbox.core.options import Options, written
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import find_game, game_ids
from duelbox.sitting.opening import apart, computer, players_of_last
from duelbox.sitting.sitting import Sitting, sitting_anew
from duelbox.store.settings import ELSEWHERE, PERSON, LastUsed
from duelbox.ui.fairness import Fairness, FairnessKnown
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.screens.preview import Preview
from duelbox.ui.widgets.form import SWITCH, TYPE_A_NAME, Form, Row

Fault = tuple[str, str]
HOUSE = "house rules"
WATCH = "You get a key for watchers, too. They see what both of you see, and your friend is told of it."
LESSON = "Hints and verdicts for both of you, if your friend agrees to that."
AWAY = "Elsewhere: on another machine; you get a code to read to them, and chance says who starts."
WHERE = (("here", "at this screen"), (ELSEWHERE, "elsewhere"))
STARTS = (("player-1", "Player 1"), ("player-2", "Player 2"), ("chance", "a coin flip"))


class NewGameScreen(FormScreen):
    """One form; Enter plays from anywhere in it."""

    HEADING = "New game"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play", id="new.play"),
        *FormScreen.ROWS,
        Binding("f2", "fairer", "More to decide", id="new.fairer", tooltip="Rules that leave more to decide"),
        Binding("escape", "back", "Back", id="new.back"),
    ]
    DEFAULT_CSS = """
    NewGameScreen {
        & Form { margin: 1 0 0 0; }
        & #about { height: auto; }
        & Preview { display: none; height: 1fr; margin: 0 2 1 2; }
        & #card { height: 4; padding: 0 2; }
        & #card.-refused { text-style: bold; }
        & #note { height: 3; padding: 0 2; color: $text-muted; }
        &.-low Form { margin: 0; }
        &.-wide #about { width: 40; height: 1fr; padding: 1 0; background: $panel; }
        &.-wide Preview { display: block; }
        &.-narrow.-tall Preview { display: block; height: 9; }
        &.-wide #card { height: auto; margin: 0 0 1 0; }
        &.-wide #note { height: auto; }
    }
    """

    def __init__(self, game_id: str, sitting: Sitting | None, row: str = "game") -> None:
        super().__init__()
        self.first_row = row
        self._where = ELSEWHERE if row == "where" else "here"
        self._lesson = self._watch = "off"
        self.game = find_game(game_id)
        self.before = sitting
        self._fairness = Fairness(self)
        self._called: dict[str, str] = {}

    def body(self) -> ComposeResult:
        """Form; below or beside it the board, how fair it is, and what the row means."""
        with Container(id="middle"), Container(id="body"):
            yield Form()
            with Vertical(id="about"):
                yield Preview()
                yield Static(id="card", markup=False)
                yield Static(id="note", markup=False)

    def on_mount(self) -> None:
        """Fill the form with what is on the table, or what was used last."""
        self._fill()
        keys = [row.key for row in self.form.rows]
        self.form.at = keys.index(self.first_row)
        self.form.focus()

    def on_unmount(self) -> None:
        """Nobody waits for the card any more."""
        self._fairness.stop()

    def value(self, key: str) -> str:
        """What a row says."""
        return next(row.value for row in self.form.rows if row.key == key)

    # -- rows

    def _fill(self) -> None:
        info = self.game.INFO
        sitting = self.before if self.before and self.before.game.INFO.id == info.id else None
        last = self.app.settings.last_of(info.id)
        players = sitting.players if sitting else players_of_last(self.game, last, self.app.settings.names)
        if self._where == ELSEWHERE and players[1].level is not None:
            players = players[0], Who(name=self.app.settings.names[1])
        first = STARTS[sitting.match.first][0] if sitting and last.first != "chance" else last.first
        rounds = sitting.match.rounds if sitting else last.rounds
        options = self._undrawn(sitting.options.texts() if sitting else last.options)
        titles = tuple((one_id, find_game(one_id).INFO.title) for one_id in game_ids())
        numbers = range(1, MAX_ROUNDS + 1)
        self.form.rows = (
            Row("game", "Game", info.id, titles, f"Good for {info.good_for}."),
            *(row for number, who in enumerate(players, 1) for row in self._player(number, who.level, who.name)),
            Row("first", "Who starts", first, STARTS, "The starter changes from round to round."),
            Row("rounds", "Rounds", str(rounds), numbers=numbers, about=f"Type a number from 1 to {MAX_ROUNDS}."),
            self._preset_row(options),
            *self._option_rows(options),
        )
        self._validate()
        self._tell()

    def _undrawn(self, texts: Mapping[str, str]) -> Options:
        """The options of these texts, to be drawn afresh; the classic ones where they do not fit any more."""
        try:
            options: Options = self.game.Options.from_texts(dict(texts))
        except OptionError:
            options = self.game.Options()
        return options.undealt()

    def _player(self, number: int, level: str | None, name: str) -> tuple[Row, ...]:
        """Who sits there; only people's names can be chosen."""
        bots = tuple((one.id, f"{at} {one.name}, the computer") for at, one in enumerate(levels(self.game.INFO.id), 1))
        player = Row(f"p{number}", f"Player {number}", level or PERSON, ((PERSON, "a person"), *bots))
        if level is not None:
            return (player,)
        called = Row(f"name{number}", "  called", name, typed=True, about=TYPE_A_NAME)
        if number == 1:
            return player, called
        where = Row("where", "  sits", self._where, WHERE, AWAY)
        if self._where != ELSEWHERE:
            return player, where, called
        lesson = Row("lesson", "  lesson", self._lesson, SWITCH, LESSON)
        return player, where, lesson, Row("watch", "  watched", self._watch, SWITCH, WATCH)

    def _seat(self, number: int) -> None:
        """Another player sits down."""
        who, name = self.value(f"p{number}"), self._called.get(f"name{number}", self.app.settings.names[number - 1])
        whose = (f"name{number}", *(("where", "lesson", "watch") if number == 2 else ()))
        rows = tuple(row for row in self.form.rows if row.key not in whose)
        at = next(at for at, row in enumerate(rows) if row.key == f"p{number}")
        self.form.rows = (*rows[:at], *self._player(number, None if who == PERSON else who, name), *rows[at + 1 :])

    def _keep(self, number: int, player: str, was: AnyGame) -> None:
        """Whoever sat there before the game changed sits there still: a person, or the computer as strong as that."""
        strength = [PERSON, *(level.id for level in levels(was.INFO.id))]
        now = [PERSON, *(level.id for level in levels(self.game.INFO.id))]
        kept = now[min(strength.index(player), len(now) - 1)] if player in strength else PERSON
        row = next(row for row in self.form.rows if row.key == f"p{number}")
        if row.value != kept:
            self.form.rows = tuple(replace(row, value=kept) if one is row else one for one in self.form.rows)
            self._seat(number)

    def _preset_row(self, options: Options) -> Row:
        presets = tuple((preset.id, preset.name) for preset in self.game.PRESETS)
        now = next((preset for preset in self.game.PRESETS if preset.options == options), None)
        return Row(
            "preset",
            "Rules",
            now.id if now else HOUSE,
            presets if now else (*presets, (HOUSE, "House rules")),
            about=now.about if now else "Your own mixture.",
        )

    def _option_rows(self, options: Options) -> tuple[Row, ...]:
        rows = []
        for info in type(options).described():
            if info.name in options.dealing():
                continue
            value = written(getattr(options, info.name))
            about = info.label if info.choices else f"{info.label}: type {info.takes}"
            rows.append(
                Row(
                    f"option {info.name}",
                    f"  {info.title}",
                    value,
                    choices=tuple((word, word.replace("-", " ")) for word in info.choices),
                    numbers=info.numbers if not info.choices else None,
                    about=f"{about}.",
                )
            )
        return tuple(rows)

    # -- what the form says

    def options(self) -> Options:
        """The options as the rows have them; raises OptionError."""
        texts = {row.key.removeprefix("option "): row.value for row in self.form.rows if row.key.startswith("option ")}
        options: Options = self.game.Options.from_texts(texts)
        return options

    def rounds(self) -> int:
        """The number of rounds as the row has it; raises OptionError."""
        text = self.value("rounds")
        if not re.fullmatch("[0-9]{1,2}", text) or not int(text):
            raise OptionError(f"A match has 1 to {MAX_ROUNDS} rounds.", "rounds")
        return int(text)

    def players(self) -> tuple[Who, Who]:
        """The players as the rows have them; raises BadName."""
        return apart(self._who(1), self._who(2))

    @property
    def elsewhere(self) -> bool:
        """Whether the second player is a friend on another machine."""
        return self._where == ELSEWHERE and self.value("p2") == PERSON

    def _who(self, number: int) -> Who:
        if number == 2 and self.elsewhere:
            return Who(name=DEFAULT_NAMES[number - 1], level=ELSEWHERE)
        level = level_of(self.game.INFO.id, self.value(f"p{number}"))
        return computer(level) if level else Who(name=clean_name(self.value(f"name{number}")))

    def fault(self) -> Fault | None:
        """What is wrong with the form, if anything: a sentence, and the row to mend."""
        names = [row for row in self.form.rows if row.key.startswith("name")]
        try:
            at = "rounds"
            self.rounds()
            for row in names:
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
        """What a refusal of options says, by the name the form has for them."""
        titles = {info.name: info.title for info in self.game.Options.described()}
        sentence = error.sentence.removesuffix(", not ''.").removesuffix(".") + "."
        if error.key in titles and sentence.startswith(f"{error.key} "):
            sentence = titles[error.key] + sentence.removeprefix(error.key)
        return sentence, f"option {error.key}"

    def _validate(self) -> None:
        card, fault = self.query_one("#card", Static), self.fault()
        card.remove_class("-refused")
        if fault is not None:
            card.update(fault[0])
            self._fairness.stop()
            return
        options = self.options()
        card.update("How fair is it? Working it out …")
        self.query_one(Preview).show(self.game, options)
        self._fairness.ask(self.game, options)

    @on(FairnessKnown)
    def _fairness_known(self, message: FairnessKnown) -> None:
        if message.game is self.game and self._fairness.is_current(message):
            self.query_one("#card", Static).update(message.sentence)

    @on(Form.Moved)
    def _tell(self) -> None:
        """What the chosen row means."""
        row = self.form.row
        if row is not None:
            told = self._level(row.value) if row.key in ("p1", "p2") else row.about
            self.query_one("#note", Static).update(told)

    def _level(self, level_id: str) -> str:
        known = levels(self.game.INFO.id)
        named = (
            f"{one.name}, level {at} of {len(known)}: {one.line}"
            for at, one in enumerate(known, 1)
            if one.id == level_id
        )
        return next(named, "")

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        row = message.row
        if row not in self.form.rows:
            return  # two keys at once: the rows are another game's by now
        if row.key == "game":
            players = [self.value("p1"), self.value("p2")]
            was, self.game = self.game, find_game(row.value)
            self._fill()
            for number, player in enumerate(players, 1):
                self._keep(number, player, was)
            self._validate()
            return
        if row.typed:
            self._called[row.key] = row.value
        if row.key == "where":
            self._where = row.value
            self._seat(2)
        elif row.key == "lesson":
            self._lesson = row.value
        elif row.key == "watch":
            self._watch = row.value
        elif row.key in ("p1", "p2"):
            self._seat(int(row.key[1]))
        elif row.key == "preset" and row.value != HOUSE:
            preset = next(preset for preset in self.game.PRESETS if preset.id == row.value)
            self._rules(preset.options)
        elif row.key.startswith("option "):
            self._mixed()
        self._validate()
        self._tell()

    def _rules(self, options: Options) -> None:
        kept = tuple(row for row in self.form.rows if row.key != "preset" and not row.key.startswith("option "))
        self.form.rows = (*kept, self._preset_row(options), *self._option_rows(options))

    def _mixed(self) -> None:
        """Name the preset that the options make up, if any."""
        try:
            row = self._preset_row(self.options())
        except OptionError:
            return
        self.form.rows = tuple(row if one.key == "preset" else one for one in self.form.rows)

    # -- actions

    def action_play(self) -> None:
        """Deal; or say what is wrong, and go there."""
        fault = self.fault()
        if fault is not None:
            self._refuse(fault[1])
            return
        players, rounds, options = self.players(), self.rounds(), self.options()
        if self.elsewhere:
            self._host(players[0].name, rounds, options)
            return
        last = LastUsed(
            players=(self.value("p1"), self.value("p2")),
            options=options.texts(),
            rounds=rounds,
            first=self.value("first"),  # type: ignore[arg-type]
        )
        settings = self.app.settings
        names = _names(players, settings.names)
        self.app.change_settings(game=self.game.INFO.id, names=names, last={**settings.last, self.game.INFO.id: last})
        sitting = sitting_anew(self.app.store, self.game, options, players, last, self.before)
        self.app.pop_screen()
        if self.before is not None:
            self.app.ways.swap_table(sitting)
        else:
            self.app.ways.open_table(sitting)

    def _host(self, name: str, rounds: int, options: Options) -> None:
        """Open a table for a friend elsewhere."""
        lesson, settings, game_id = self._lesson == "on", self.app.settings, self.game.INFO.id
        last = settings.last_of(game_id).changed(options=options.texts(), rounds=rounds)
        self.app.change_settings(game=game_id, last={**settings.last, game_id: last})
        try:
            self.app.ways.host(self.game, options, rounds, name, lesson=lesson, watch=self._watch == "on")
        except DuelboxError as error:
            self.app.warn(error.sentence)

    def _refuse(self, key: str) -> None:
        self.app.bell()
        self.query_one("#card", Static).add_class("-refused")
        self.form.at = next((at for at, row in enumerate(self.form.rows) if row.key == key), self.form.at)

    def action_fairer(self) -> None:
        """The next preset, which leaves more to decide."""
        better, now = self.game.PRESETS[1:], self.value("preset")
        at = next((number for number, preset in enumerate(better) if preset.id == now), -1)
        self._rules(better[(at + 1) % len(better)].options)
        self._validate()
        self._tell()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There may be one set of rules only."""
        if action == "fairer":
            return len(self.game.PRESETS) > 1
        return super().check_action(action, parameters)


def _names(players: tuple[Who, Who], before: tuple[str, str]) -> tuple[str, str]:
    """The names to keep: people's new ones; the old one of a computer's seat, or one it swaps with the person."""
    one, two = (who.name if who.level is None else old for who, old in zip(players, before, strict=True))
    if one.casefold() == two.casefold():  # then only one of them is a person, who had another name before
        return (one, before[0]) if players[1].level else (before[1], two)
    return one, two
