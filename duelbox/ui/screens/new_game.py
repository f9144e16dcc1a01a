"""The form for a new game: its house rules, players and rounds, and who wins by these rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from duelbox.bots import level_of, levels_of
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame, Preset
from duelbox.core.options import Options
from duelbox.core.record import PROGRAM
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import NoSolver
from duelbox.solve.api import Stop, Stopped
from duelbox.store.programs import known_programs
from duelbox.store.settings import ELSEWHERE, PERSON
from duelbox.table.local import LocalTable, new_table
from duelbox.table.new_game import last_choices, last_options
from duelbox.table.presets import known_preset, own_presets, presets_with
from duelbox.table.programs import Programs
from duelbox.ui import screens
from duelbox.ui.game_board import thumbnail_of
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.new_game_rows import (
    HOUSE,
    FilledForm,
    game_row,
    kept_of,
    option_rows,
    player_rows,
    preset_row,
    rounds_row,
)
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.form import Form, Row
from duelbox.ui.widgets.thumbnails import content_of

if TYPE_CHECKING:
    from duelbox.rules_lab.facts import Facts
    from duelbox.ui.app import DuelboxApp

SECONDS = 20.0
"""The time limit for working out who wins."""
RULES = 4
"""The rows of the card that are kept for the rules in words."""
RULES_TALL = 6
"""The same in a large window."""
BAR = 40
"""The width of a bar where there is room."""
FACT = 13
"""The width of the label of a fact."""
GAMES_BEFORE_MAP = 10
TURNS = 40
"""A bar of this many turns is full."""


class RulesPreview(Widget):
    """The board at the start of a game by these rules; chance draws an example."""

    app: DuelboxApp
    _begun: tuple[AnyGame, Any] | None = None

    def show(self, game: AnyGame, options: Options) -> None:
        """Draw the board of this game by these rules."""
        self._begun = game, game.view(game.start(options), None)
        self.refresh()

    def render(self) -> Content:
        """The picture."""
        if self._begun is None:
            return Content("")
        game, view = self._begun
        return Content("\n").join(content_of(thumbnail_of(game.INFO.id, view, self.app.glyphs, *self.content_size)))


class NewGameScreen(FormScreen):
    """A form for the next game; Enter starts it from any row."""

    HEADING = "New game"
    SPARE: ClassVar[tuple[str, ...]] = ("copy", "forget", "keep", "map")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Start", id="new.play"),
        *FormScreen.ROWS,
        Binding("c", "copy", "Copy code", id="new.copy", tooltip="Copy the code of these rules"),
        Binding(
            "f3", "map", "Map", id="new.map", key_display="F3", tooltip="A map of the house rules: who wins by which"
        ),
        Binding("k", "keep", "Keep", id="new.keep", tooltip="Keep these rules under a name"),
        Binding("delete", "forget", "Delete", id="new.forget", key_display="Del", tooltip="Delete your preset"),
        Binding("escape,q", "back", "Back", id="new.back"),
    ]
    DEFAULT_CSS = """
    NewGameScreen {
        & Form { min-height: 8; }
        & #about { height: auto; }
        & RulesPreview { display: none; height: 1fr; border: round $outline; }
        & #card { height: 10; padding: 0 1; border: round $outline; border-title-color: $foreground; }
        & #card.-refused { text-style: bold; }
        & #note, &.-low #note { height: 2; min-height: 2; padding: 0 2; border: none; color: $text-muted; }
        &.-low #card { height: 8; }
        &.-own.-narrow #card { height: 6; }
        &.-own.-narrow.-tall RulesPreview { height: 8; }
        &.-wide #about { width: 40; height: 1fr; }
        &.-wide RulesPreview { display: block; }
        &.-narrow.-tall RulesPreview { display: block; height: 11; }
        &.-wide #card { height: auto; }
        &.-wide #note { height: 6; width: 1fr; border: round $outline; padding: 0 1; }
        &.-wide.-tall #body { layout: vertical; }
        &.-wide.-tall #about { width: 100%; layout: grid; grid-size: 2 2; grid-columns: 1fr 58; grid-rows: 1fr 5; }
        &.-wide.-tall RulesPreview { row-span: 2; height: 100%; }
        &.-wide.-tall #card { height: 100%; }
    }
    """

    @dataclass(eq=False)
    class FactsKnown(Message):
        """A worker found out who wins by these rules, or a sentence says why it cannot."""

        search: Stop
        """The stop flag of the worker."""
        facts: Facts | str

    def __init__(self, game_id: str, table: LocalTable | None, row: str = "game") -> None:
        super().__init__()
        self.first_row = {"where": "opponent", "p1": "level", "p2": "level"}.get(row, row)
        self.game = find_game(game_id)
        self.before = table
        self._kept: dict[str, str] = {"opponent": ELSEWHERE} if row == "where" else {}
        """The last value of each row, also of rows that are not shown now."""
        self._rules: Options = self.game.Options()
        self._asking = Stop()
        """Stops the worker that finds out who wins."""
        self._before_map = ""
        """The preset that rules from the map took the place of."""
        self._knows_games = False

    def label(self, action: str) -> str | None:
        """The name of a key now; the key of the map works at once and has a name after ten games."""
        return "" if action == "map" and not self._knows_games else None

    def beside(self) -> ComposeResult:
        """The board, the facts about these rules, and the note on the row."""
        with Vertical(id="about"):
            yield RulesPreview()
            yield Static(id="card", markup=False)
            yield from super().beside()

    def on_mount(self) -> None:
        """Fill the form from the game on the table, or from the last one played."""
        self._knows_games = self.app.store.count() >= GAMES_BEFORE_MAP
        self._fill()
        keys = [row.key for row in self.form.rows]
        self.form.at = keys.index(self.first_row) if self.first_row in keys else 0

    def on_unmount(self) -> None:
        """Stop working out who wins."""
        self._asking.stop()

    @property
    def filled(self) -> FilledForm:
        """The game that the rows ask for."""
        return FilledForm(self.game, self.form.rows, self._kept, self._rules, self.app.settings.names)

    @property
    def options(self) -> Options:
        """The house rules of the form; while these have a fault, the last ones without."""
        with suppress(DuelboxError):
            return self.filled.options()
        return self._rules

    # -- rows

    def _fill(self) -> None:
        """Fill in the rows for this game, from the table or from the last game."""
        game_id = self.game.INFO.id
        table = self.before if self.before and self.before.game.INFO.id == game_id else None
        settings = self.app.settings
        last, names = last_choices(settings, self.game), settings.names
        if not last.chosen:  # start with the level and the seat that home offers
            homes = (screen.known for screen in self.app.screen_stack if isinstance(screen, HomeScreen))
            games = (one for facts in homes if facts is not None for one in facts.games if one.id == game_id)
            last = next((last.changed(players=one.players, first=one.first) for one in games), last)
        if table is not None:
            one, two = table.players
            first = last.first if last.first == "chance" else "player-2" if table.match.first else "player-1"
            seats = one.level or PERSON, two.level or PERSON
            last = last.changed(players=seats, rounds=table.match.rounds, first=first)
            names = (names[0] if one.level else one.name, names[1] if two.level else two.name)
        self._rules = (table.options if table else last_options(self.game, last)).rules_only()
        programs = known_programs(settings)
        chosen = [who.name for who in (table.players if table else ()) if who.level == PROGRAM]
        program = {"program": next((name for name in (*chosen, *programs) if name in programs), "")}
        if chosen and program["program"] == chosen[0]:
            program["opponent"] = PROGRAM
        reminders = {"coach": "on" if settings.coach else "off", "pace": settings.pace}
        self._kept = {**kept_of(last, names, self.game), **reminders, **program, **self._kept}
        self._show_rows()

    @property
    def _presets(self) -> tuple[Preset[Any], ...]:
        """The presets of the game, then the player's own."""
        return (*self.game.PRESETS, *own_presets(self.app.settings, self.game))

    def _show_rows(self, own: str = "") -> None:
        """Show the rows for this game, its rules and this opponent."""
        rules = preset_row(self._presets, self._rules, own, self._before_map)
        self.set_class(rules.value == HOUSE, "-own")
        options = option_rows(self._rules) if rules.value == HOUSE else ()
        players = player_rows(self.game, self._kept, known_programs(self.app.settings))
        self.form.rows = (game_row(self.game), rules, *options, *players, rounds_row(self._kept["rounds"]))
        self._validate()
        self.explain()

    # -- the card and the note

    def _validate(self) -> None:
        """Show a fault of the form as the card, or work out who wins by these rules."""
        card, filled = self.query_one("#card", Static), self.filled
        fault = filled.fault()
        card.remove_class("-refused")
        self._asking.stop()
        if fault is not None:
            card.update(fault[0])
            return
        game, options, self._asking = self.game, filled.options(), (stop := Stop(SECONDS))
        self._show_card("Who wins? Working it out …")
        self.query_one(RulesPreview).show(game, options)

        def answer() -> None:
            for facts in facts_of(game, options, stop):
                self.post_message(self.FactsKnown(stop, facts))

        self.run_worker(in_background(answer))

    @on(FactsKnown)
    def _facts_known(self, message: FactsKnown) -> None:
        if not message.search.asked and self.filled.fault() is None:  # else the rules have changed since
            self._show_card(message.facts)

    def _show_card(self, facts: Facts | str) -> None:
        """Show a card of these rules: their name, their text and who wins."""
        card, options = self.query_one("#card", Static), self.filled.options()
        preset = known_preset(self.app.settings, self.game, options)
        card.border_title = Content(f"{preset.name} · {preset.kind}" if preset else "Your own")
        rules = preset.about if preset else f"{options.in_words[:1].upper()}{options.in_words[1:]}."
        words = rules if self.has_class("-low") else f"{rules} {' '.join(options.sentences())}"
        text = Content(f"{words} {preset.card}" if preset and preset.key else words)
        if not self.has_class("-low") and card.content_size.width:  # keep the figures in their rows
            kept = RULES_TALL if self.has_class("-wide") and self.has_class("-tall") else RULES
            text += "\n" * (kept - len(text.wrap(card.content_size.width)))
        columns = self.app.size.width
        if self.has_class("-wide"):
            columns = 58 if self.has_class("-tall") else 36
        room = max(8, min(BAR, columns - 49))
        if not isinstance(facts, str) and self.game.INFO.hidden:
            facts = facts.changed(changes=None)  # among chances no win changes hands
        rows = [Content(facts)] if isinstance(facts, str) else fact_rows(facts, room, plain=self.app.settings.plain)
        card.update(Content("\n").join(rows if self.has_class("-own", "-narrow") else [text, *rows]))

    def note_on(self, row: Row) -> str:
        """The meaning of a row; for a level, a sentence about this computer."""
        level = level_of(self.game.INFO.id, row.value) if row.key in ("level", "other") else None
        return level.line if level else row.about

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        row = message.row
        if row not in self.form.rows:
            return  # after two quick keys the rows may be those of another game
        if row.key == "game":
            was, self.game, self._before_map = self.game, find_game(row.value), ""
            for key in ("level", "other"):
                self._kept[key] = _as_strong(self._kept[key], was, self.game)
            self._fill()
            return
        self._kept[row.key] = row.value
        if row.key == "opponent":
            self._show_rows(self.filled.value("preset"))
        elif row.key == "preset":
            self._rules = next((one.options for one in self._presets if one.id == row.value), self._rules)
            self._before_map = ""
            self._show_rows(row.value)
        else:
            self._validate()
            self.explain()

    # -- actions

    def action_play(self) -> None:
        """Start the game; or, if the form has a fault, point it out and go to its row."""
        filled = self.filled
        fault = filled.fault()
        if fault is not None:
            self.app.bell()
            self.query_one("#card", Static).add_class("-refused")
            self.form.at = next((at for at, row in enumerate(self.form.rows) if row.key == fault[1]), self.form.at)
            return
        players, options, last = filled.players(), filled.options(), filled.last()
        settings, game_id = self.app.settings, self.game.INFO.id
        kept = last
        if filled.elsewhere or filled.against_program:  # home goes on with the opponent of before
            kept = last_choices(settings, self.game).changed(options=last.options, rounds=last.rounds)
        names = filled.names if last.players != (PERSON, PERSON) or not filled.elsewhere else settings.names
        self.app.change_settings(game=game_id, names=names, last={**settings.last, game_id: kept})
        if filled.elsewhere:
            lesson, watch = filled.value("lesson") == "on", filled.value("watch") == "on"
            try:
                self.app.navigation.host(self.game, options, last.rounds, players[0].name, lesson=lesson, watch=watch)
            except DuelboxError as error:
                self.app.warn(error.sentence)
            return
        self.app.change_settings(coach=filled.value("coach") == "on", pace=filled.value("pace"))
        table = new_table(self.app.store, self.game, options, players, last, self.before)
        if filled.against_program:
            table.programs = Programs({1: known_programs(settings)[filled.value("program")]})
        self.app.pop_screen()
        (self.app.navigation.swap_table if self.before else self.app.navigation.open_table)(table)

    def action_copy(self) -> None:
        """Copy the code of a game by these rules."""
        if self.filled.fault() is None:
            code = Session(self.game, self.filled.options()).code()
            self.app.copy_to_clipboard(code)
            self.app.notify(f"Copied {code}", markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer keeping only for rules without a name, and deleting only on a row with a preset of the player's own."""
        if action in ("keep", "forget"):
            chosen = next((row for form in self.query(Form) for row in form.rows if row.key == "preset"), None)
            if chosen is None or action == "keep":
                return chosen is not None and chosen.value == HOUSE
            return self.form.row == chosen and self._own(chosen.value) is not None
        return super().check_action(action, parameters)

    def _own(self, chosen: str) -> Preset[Any] | None:
        return next((one for one in own_presets(self.app.settings, self.game) if one.id == chosen), None)

    def action_map(self) -> None:
        """Open the map of house rules; the rules chosen there come back into the form."""
        self.app.navigation.open_lab(self.game, self.options, self._take)

    def _take(self, options: Options, play: bool) -> None:
        """Fill in rules from the map, and start the game if `play` is true."""
        chosen = self.filled.value("preset")
        self._before_map = self._before_map if chosen == HOUSE else chosen
        self._rules = options
        self._show_rows()
        self.form.at = [row.key for row in self.form.rows].index("preset")
        self.explain()
        if play:
            self.action_play()

    def action_keep(self) -> None:
        """Ask for a name, and keep the house rules by that name."""
        if self.filled.fault() is None:
            self._rules = self.filled.options()
            self.app.push_screen(
                screens.keep_preset.KeepPresetScreen(self.game, self._rules, lambda name: self._show_rows())
            )

    def action_forget(self) -> None:
        """Delete the chosen preset of the player; its rules stay in the form."""
        if (own := self._own(self.filled.value("preset"))) is not None:
            settings = self.app.settings
            self.app.change_settings(presets=presets_with(settings, self.game, own.name, None))
            self._show_rows()
            self.say(f"{own.name} is deleted. Its rules stay here until you leave; k keeps them again.")


def _as_strong(level: str, was: AnyGame, now: AnyGame) -> str:
    """The level of the other game that is about as strong: the one with the same number, or the last."""
    before, after = ([one.id for one in levels_of(game.INFO.id)] for game in (was, now))
    return after[min(before.index(level), len(after) - 1)] if level in before and after else level


def facts_of(game: AnyGame, options: Options, stop: Stop) -> Iterator[Facts | str]:
    """Work out who wins by these rules, first roughly, then exactly; or yield a sentence that says why not."""
    from duelbox.rules_lab.facts import ALL_LAYERS, facts_so_far
    from duelbox.rules_lab.preset_facts import facts_of_preset

    worked_out = False
    try:
        known = facts_of_preset(game, options)
        for facts in [known] if known else facts_so_far(game, options, ALL_LAYERS, stop=stop, limit=None):
            if facts.first is not None:
                yield facts
                worked_out = True
    except NoSolver as error:
        yield error.sentence
        return
    except Stopped:
        pass
    if not (worked_out or stop.asked):
        yield "Who wins takes too long to work out."


def fact_rows(facts: Facts, room: int, *, plain: bool) -> list[Content]:
    """Facts as lines with bars: how often the first player wins, how often the win changes hands, the length."""
    from duelbox.rules_lab.facts import MANY_DEALS
    from duelbox.solve.sentences import changes_hands, percent, turns

    full, empty = "#." if plain else "■·"
    mine, theirs = "#." if plain else "█░"

    def row(label: str, said: str, *bar: tuple[str, str]) -> None:
        rows.append(Content.assemble((f"{label:<{FACT}}", "$text-muted"), *bar, f"  {said}"))

    def shares(first: float, draw: float) -> Iterator[tuple[str, str]]:
        one, between = round(first * room), round(draw * room)
        yield from ((mine * one, "$seat-0"), (" " * between, ""), (theirs * (room - one - between), "$seat-1"))

    def bar(count: int) -> tuple[str, str]:
        return full * count + empty * (room - count), ""

    rows: list[Content] = []
    first, draw = facts.first or 0.0, facts.draw or 0.0
    drawn = f", {percent(draw)} drawn" if draw else ""
    about = "about " if 1 < facts.deals < MANY_DEALS else ""
    always = "always"
    if facts.deals > 1:
        always = f"in all {facts.deals} deals"
    sure = {draw: f"{always} a draw", facts.second: f"second {always}", first: f"first {always}"}.get(1.0)
    row("Best play", sure or f"first {about}{percent(first)}{drawn}", *shares(first, draw))
    if facts.first_won is not None:
        row("Two players", f"first {percent(facts.first_won)}", *shares(facts.first_won, 0.0))
    if facts.one_rule == 1:
        row("One rule", "always wins" if facts.proved else "wins nearly always", bar(room))
    elif facts.changes is not None:
        row("The win", changes_hands(facts.changes), bar(min(round(facts.changes), room)))
    elif facts.choice is not None:
        row("Choices", f"{percent(facts.choice)} of positions", bar(round(facts.choice * room)))
    if facts.plies is not None:
        row("Length", f"at most {turns(facts.plies)}", bar(min(room, max(1, facts.plies * room // TURNS))))
    return rows
