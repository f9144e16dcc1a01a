"""New game: who plays, who starts, how many rounds, by which rules; and how fair that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from duelbox.bots import levels
from duelbox.core.errors import DuelboxError, OptionError
from duelbox.core.game import AnyGame, Preset
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.options import Options
from duelbox.core.record import Who
from duelbox.registry import find_game, game_ids
from duelbox.solve import NoSolver
from duelbox.solve.api import Stop, Stopped
from duelbox.store.settings import ELSEWHERE, PERSON, LastUsed
from duelbox.table.local import LocalTable, new_table
from duelbox.table.opening import last_of, options_of_last, players_of_last
from duelbox.ui.game_board import small_picture
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.screens.new_game_rows import HOUSE, Asked, level_told, option_rows, player_rows, preset_row
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.form import Form, Row
from duelbox.ui.widgets.minis import content

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

SECONDS = 20.0
"""So long it may take to work out how fair rules are."""
STARTS = (("player-1", "Player 1"), ("player-2", "Player 2"), ("chance", "a coin flip"))


class Preview(Widget):
    """The board by the rules that are being chosen; what is drawn by chance is drawn for instance."""

    app: DuelboxApp
    _begun: tuple[AnyGame, Any] | None = None

    def show(self, game: AnyGame, options: Options) -> None:
        """Draw this game."""
        self._begun = game, game.view(game.start(options), None)
        self.refresh()

    def render(self) -> Content:
        """The picture."""
        if self._begun is None:
            return Content("")
        game, view = self._begun
        return Content("\n").join(content(small_picture(game.INFO.id, view, self.app.glyphs, *self.content_size)))


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

    @dataclass(eq=False)
    class FairnessKnown(Message):
        """How fair the rules are, in a sentence or two."""

        question: Stop
        sentence: str

    def __init__(self, game_id: str, sitting: LocalTable | None, row: str = "game") -> None:
        super().__init__()
        self.first_row = row
        self._kept = {"where": ELSEWHERE} if row == "where" else {}
        """What was chosen or typed last, by the key of its row: rows come and go."""
        self.game = find_game(game_id)
        self.before = sitting
        self._asking = Stop()
        """The flag of the last question how fair the rules are."""

    def beside(self) -> ComposeResult:
        """The board, how fair it is, and what the row means."""
        with Vertical(id="about"):
            yield Preview()
            yield Static(id="card", markup=False)
            yield from super().beside()

    def on_mount(self) -> None:
        """Fill the form with what is on the table, or what was used last."""
        self._fill()
        self.form.at = next(at for at, row in enumerate(self.form.rows) if row.key == self.first_row)
        self.form.focus()

    def on_unmount(self) -> None:
        """Nobody waits for the card any more."""
        self._asking.stop()

    @property
    def asked(self) -> Asked:
        """What the rows say."""
        return Asked(self.game, self.form.rows)

    # -- rows

    def _fill(self) -> None:
        info = self.game.INFO
        sitting = self.before if self.before and self.before.game.INFO.id == info.id else None
        last = last_of(self.app.settings, self.game)
        players = sitting.players if sitting else players_of_last(self.game, last, self.app.settings.names)
        if self._kept.get("where") == ELSEWHERE and players[1].level is not None:
            players = players[0], Who(name=self.app.settings.names[1])
        first = STARTS[sitting.match.first][0] if sitting and last.first != "chance" else last.first
        rounds = sitting.match.rounds if sitting else last.rounds
        options = (sitting.options if sitting else options_of_last(self.game, last)).undealt()
        titles = tuple((one_id, find_game(one_id).INFO.title) for one_id in game_ids())
        numbers = range(1, MAX_ROUNDS + 1)
        self.form.rows = (
            Row("game", "Game", info.id, titles, f"Good for {info.good_for}."),
            *player_rows(self.game, 1, players[0].level, players[0].name, self._kept),
            *player_rows(self.game, 2, players[1].level, players[1].name, self._kept),
            Row("first", "Who starts", first, STARTS, "The starter changes from round to round."),
            Row("rounds", "Rounds", str(rounds), numbers=numbers, about=f"Type a number from 1 to {MAX_ROUNDS}."),
            preset_row(self.game, options),
            *option_rows(options),
        )
        self._validate()
        self._tell()

    def _levels(self) -> tuple[str, str]:
        """Who takes the two seats: a computer's level, or a person."""
        return self.asked.value("p1"), self.asked.value("p2")

    def _seat(self, number: int) -> None:
        who = self.asked.value(f"p{number}")
        name = self._kept.get(f"name{number}", self.app.settings.names[number - 1])
        whose = (f"name{number}", *(("where", "lesson", "watch") if number == 2 else ()))
        rows = tuple(row for row in self.form.rows if row.key not in whose)
        at = next(at for at, row in enumerate(rows) if row.key == f"p{number}")
        sitting = player_rows(self.game, number, None if who == PERSON else who, name, self._kept)
        self.form.rows = (*rows[:at], *sitting, *rows[at + 1 :])

    def _keep(self, number: int, player: str, was: AnyGame) -> None:
        """Whoever sat there before the game changed sits there still: a person, or the computer as strong as that."""
        strength = [PERSON, *(level.id for level in levels(was.INFO.id))]
        now = [PERSON, *(level.id for level in levels(self.game.INFO.id))]
        kept = now[min(strength.index(player), len(now) - 1)] if player in strength else PERSON
        row = next(row for row in self.form.rows if row.key == f"p{number}")
        if row.value != kept:
            self.form.rows = tuple(replace(row, value=kept) if one is row else one for one in self.form.rows)
            self._seat(number)

    # -- what the form says

    def _validate(self) -> None:
        card, asked = self.query_one("#card", Static), self.asked
        fault = asked.fault()
        card.remove_class("-refused")
        self._asking.stop()
        if fault is not None:
            card.update(fault[0])
            return
        game, options, self._asking = self.game, asked.options(), (stop := Stop(SECONDS))
        card.update("How fair is it? Working it out …")
        self.query_one(Preview).show(game, options)
        bindings = (active.binding for active in self.active_bindings.values() if active.enabled)
        keys = [self.app.get_key_display(binding) for binding in bindings if binding.id == "new.fairer"]
        offer = f" For rules that leave more to decide, press {keys[0]}." if keys else ""

        def answer() -> None:
            for sentence in fairness_told(game, options, stop, offer):
                self.post_message(self.FairnessKnown(stop, sentence))

        self.run_worker(in_background(answer))

    @on(FairnessKnown)
    def _fairness_known(self, message: FairnessKnown) -> None:
        if not message.question.asked:  # else something else is asked by now
            self.query_one("#card", Static).update(message.sentence)

    @on(Form.Moved)
    def _tell(self) -> None:
        row = self.form.row
        if row is not None:
            self.say(level_told(self.game, row.value) if row.key in ("p1", "p2") else row.about)

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        row = message.row
        if row not in self.form.rows:
            return  # two keys at once: the rows are another game's by now
        if row.key == "game":
            players = self._levels()
            was, self.game = self.game, find_game(row.value)
            self._fill()
            for number, player in enumerate(players, 1):
                self._keep(number, player, was)
            self._validate()
            return
        self._kept[row.key] = row.value
        if row.key == "where":
            self._seat(2)
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
        self.form.rows = (*kept, preset_row(self.game, options), *option_rows(options))

    def _mixed(self) -> None:
        """Name the preset that the options make up, if any."""
        try:
            row = preset_row(self.game, self.asked.options())
        except OptionError:
            return
        self.form.rows = tuple(row if one.key == "preset" else one for one in self.form.rows)

    # -- actions

    def action_play(self) -> None:
        """Deal; or say what is wrong, and go there."""
        asked = self.asked
        fault = asked.fault()
        if fault is not None:
            self.app.bell()
            self.query_one("#card", Static).add_class("-refused")
            self.form.at = next((at for at, row in enumerate(self.form.rows) if row.key == fault[1]), self.form.at)
            return
        players, rounds, options = asked.players(), asked.rounds(), asked.options()
        settings, game_id = self.app.settings, self.game.INFO.id
        if asked.elsewhere:
            last = last_of(settings, self.game).changed(options=options.texts(), rounds=rounds)
            self.app.change_settings(game=game_id, last={**settings.last, game_id: last})
            lesson, watch = asked.value("lesson") == "on", asked.value("watch") == "on"
            try:
                self.app.ways.host(self.game, options, rounds, players[0].name, lesson=lesson, watch=watch)
            except DuelboxError as error:
                self.app.warn(error.sentence)
            return
        last = LastUsed(
            players=self._levels(),
            options=options.texts(),
            rounds=rounds,
            first=asked.value("first"),  # type: ignore[arg-type]
        )
        names = _names(players, settings.names)
        self.app.change_settings(game=game_id, names=names, last={**settings.last, game_id: last})
        sitting = new_table(self.app.store, self.game, options, players, last, self.before)
        self.app.pop_screen()
        if self.before is not None:
            self.app.ways.swap_table(sitting)
        else:
            self.app.ways.open_table(sitting)

    def action_fairer(self) -> None:
        """The next preset, which leaves more to decide."""
        better, now = self._to_play, self.asked.value("preset")
        at = next((number for number, preset in enumerate(better) if preset.id == now), -1)
        self._rules(better[(at + 1) % len(better)].options)
        self._validate()
        self._tell()

    @property
    def _to_play(self) -> tuple[Preset[Any], ...]:
        """The presets with something to decide, the classic game aside."""
        return tuple(preset for preset in self.game.PRESETS[1:] if preset.kind == "to play")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There may be one set of rules only."""
        if action == "fairer":
            return bool(self._to_play)
        return super().check_action(action, parameters)


def fairness_told(game: AnyGame, options: Options, stop: Stop, offer: str) -> Iterator[str]:
    """How fair these rules are, at first roughly; with what to do about rules that leave little to decide."""
    from duelbox.solve.fact_cards import card_of, fairness

    told = False
    try:
        kept = card_of(game, options)
        for card in [kept] if kept else fairness(game, options, stop):
            yield card.sentence + (offer if card.decides_little else "")
            told = True
    except NoSolver as error:
        yield error.sentence
    except Stopped:
        if not (told or stop.asked):
            yield "How fair it is takes too long to work out."


def _names(players: tuple[Who, Who], before: tuple[str, str]) -> tuple[str, str]:
    """The names to keep: people's new ones; the old one of a computer's seat, or one it swaps with the person."""
    one, two = (who.name if who.level is None else old for who, old in zip(players, before, strict=True))
    if one.casefold() == two.casefold():  # then only one of them is a person, who had another name before
        return (one, before[0]) if players[1].level else (before[1], two)
    return one, two
