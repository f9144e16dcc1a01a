"""New game: who plays, who starts, how many rounds, by which rules; and how fair that is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Static

from duelbox.bots import level_of, levels
from duelbox.core.errors import BadName, OptionError
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.names import clean_name
from duelbox.core.options import Options, written
from duelbox.core.record import Who
from duelbox.plain.opening import apart, computer
from duelbox.registry import find_game, game_ids
from duelbox.store.settings import PERSON, LastUsed
from duelbox.ui.fairness import Fairness, FairnessKnown
from duelbox.ui.play import Play
from duelbox.ui.screens.roomy import RoomyScreen, TooSmall
from duelbox.ui.widgets.form import Form, Row
from duelbox.ui.widgets.keys import KeyBar
from duelbox.ui.widgets.lines import TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

HOUSE = "house rules"
DRAWN = ("seed", "without", "deal")
STARTS = (("player-1", "Player 1"), ("player-2", "Player 2"), ("chance", "a coin flip"))


class NewGameScreen(RoomyScreen):
    """One form; Enter plays from anywhere in it."""

    app: DuelboxApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play", id="new.play"),
        Binding("f2", "fairer", "More to decide", id="new.fairer", tooltip="Rules that leave more to decide"),
        Binding("escape", "back", "Back", id="new.back"),
    ]
    DEFAULT_CSS = """
    NewGameScreen {
        & #body { height: 1fr; layout: vertical; }
        & Form { margin: 1 0 0 0; }
        & #about { height: auto; }
        & #card { height: 4; padding: 0 2; }
        & #note { height: 3; padding: 0 2; color: $text-muted; }
        &.-low Form { margin: 0; }
        &.-wide #body { layout: horizontal; }
        &.-wide #about { width: 40; height: 1fr; padding: 1 0; background: $panel; }
        &.-wide #card { height: auto; margin: 0 0 1 0; }
        &.-wide #note { height: auto; }
    }
    """

    def __init__(self, game_id: str, play: Play | None, row: str = "game") -> None:
        super().__init__()
        self.first_row = row
        self.game = find_game(game_id)
        self.before = play
        self._fairness = Fairness(self)
        self._called: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """Title; form; the fairness card and what the row means, below or beside it; keys."""
        yield TooSmall()
        with Vertical(classes="main"):
            yield TopLine()
            with Container(id="body"):
                yield Form()
                with Vertical(id="about"):
                    yield Static(id="card", markup=False)
                    yield Static(id="note", markup=False)
            yield KeyBar()

    def on_mount(self) -> None:
        """Fill the form with what is on the table, or what was used last."""
        self.query_one(TopLine).title = "New game"
        self._fill()
        keys = [row.key for row in self.form.rows]
        self.form.at = keys.index(self.first_row)
        self.form.focus()

    def on_unmount(self) -> None:
        """Nobody waits for the card any more."""
        self._fairness.stop()

    @property
    def form(self) -> Form:
        """The form."""
        return self.query_one(Form)

    def value(self, key: str) -> str:
        """What a row says."""
        return next(row.value for row in self.form.rows if row.key == key)

    # -- rows

    def _fill(self) -> None:
        info = self.game.INFO
        play = self.before if self.before and self.before.game.INFO.id == info.id else None
        last = self.app.settings.last.get(info.id, LastUsed())
        players = play.players if play else self.app.players_for(self.game, last)
        first = STARTS[play.match.first][0] if play and last.first != "chance" else last.first
        rounds = play.match.rounds if play else last.rounds
        options = self._undrawn(play.options.texts() if play else last.options)
        titles = tuple((one_id, find_game(one_id).INFO.title) for one_id in game_ids())
        numbers = range(1, MAX_ROUNDS + 1)
        self.form.rows = (
            Row("game", "Game", info.id, titles, f"Good for {info.good_for}."),
            *(row for number, who in enumerate(players, 1) for row in self._player(number, who.level, who.name)),
            Row("first", "Who starts", first, STARTS, "The starter changes from round to round."),
            Row("rounds", "Rounds", str(rounds), numbers=numbers, about="A win is 1 point, a draw a half."),
            self._preset_row(options),
            *self._option_rows(options),
        )
        self._validate()
        self._tell()

    def _undrawn(self, texts: Mapping[str, str]) -> Options:
        """The options of these texts, to be drawn afresh; the classic ones where they do not fit any more."""
        try:
            options: Options = self.game.Options.from_texts({k: v for k, v in texts.items() if k not in DRAWN})
        except OptionError:
            options = self.game.Options()
        return options

    def _player(self, number: int, level: str | None, name: str) -> tuple[Row, ...]:
        """Who sits there; only people's names can be chosen."""
        bots = tuple((one.id, f"{one.name}, the computer") for one in levels(self.game.INFO.id))
        player = Row(f"p{number}", f"Player {number}", level or PERSON, ((PERSON, "a person"), *bots))
        if level is not None:
            return (player,)
        return player, Row(f"name{number}", "  called", name, typed=True, about="A name of at most 24 letters.")

    def _seat(self, number: int) -> None:
        """Another player sits down."""
        who, name = self.value(f"p{number}"), self._called.get(f"name{number}", self.app.settings.names[number - 1])
        rows = tuple(row for row in self.form.rows if row.key != f"name{number}")
        at = next(at for at, row in enumerate(rows) if row.key == f"p{number}")
        self.form.rows = (*rows[:at], *self._player(number, None if who == PERSON else who, name), *rows[at + 1 :])

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
            if info.name in DRAWN:
                continue
            value = written(getattr(options, info.name))
            label = info.name.replace("_", " ").capitalize()
            rows.append(
                Row(
                    f"option {info.name}",
                    f"  {label}",
                    value,
                    choices=tuple((word, word) for word in info.choices),
                    numbers=info.numbers if not info.choices else None,
                    about=info.label + ".",
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

    def _who(self, number: int) -> Who:
        level = level_of(self.game.INFO.id, self.value(f"p{number}"))
        return computer(level) if level else Who(name=clean_name(self.value(f"name{number}")))

    def _validate(self) -> None:
        card = self.query_one("#card", Static)
        try:
            self.players()
            self.rounds()
            options = self.options()
        except (OptionError, BadName) as error:
            card.update(error.sentence)
            self._fairness.stop()
            return
        card.update("How fair is it? Working it out …")
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
            level = level_of(self.game.INFO.id, row.value)
            line = f"{level.name}, the computer: {level.line}" if level else ""
            self.query_one("#note", Static).update(line if row.key in ("p1", "p2") else row.about)

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        row = message.row
        if row not in self.form.rows:
            return  # two keys at once: the rows are another game's by now
        if row.key == "game":
            self.game = find_game(row.value)
            self._fill()
            return
        if row.typed:
            self._called[row.key] = row.value
        if row.key in ("p1", "p2"):
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
        """Deal."""
        try:
            players, rounds, options = self.players(), self.rounds(), self.options()
        except (OptionError, BadName):
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
        play = self.app.new_play(self.game, options, players, last, self.before)
        self.app.pop_screen()
        if self.before is not None:
            self.app.swap_table(play)
        else:
            self.app.open_table(play)

    def action_fairer(self) -> None:
        """The next preset, which leaves more to decide."""
        better, now = self.game.PRESETS[1:], self.value("preset")
        at = next((number for number, preset in enumerate(better) if preset.id == now), -1)
        self._rules(better[(at + 1) % len(better)].options)
        self._validate()
        self._tell()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There may be one set of rules only."""
        return action != "fairer" or len(self.game.PRESETS) > 1

    def action_back(self) -> None:
        """Leave everything as it was."""
        self.dismiss(None)


def _names(players: tuple[Who, Who], before: tuple[str, str]) -> tuple[str, str]:
    """The names to keep: people's new ones; the old one of a computer's seat, or one it swaps with the person."""
    one, two = (who.name if who.level is None else old for who, old in zip(players, before, strict=True))
    if one.casefold() == two.casefold():  # then only one of them is a person, who had another name before
        return (one, before[0]) if players[1].level else (before[1], two)
    return one, two
