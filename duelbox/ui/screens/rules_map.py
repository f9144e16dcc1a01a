"""The map of house rules: facts about each setting, worked out from the cursor outwards while it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import product
from textwrap import wrap
from threading import Event as Flag
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import Worker

from duelbox.core.game import AnyGame
from duelbox.core.options import Options, written
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.cache import Cache
from duelbox.rules_lab.facts import DEALS, LAYERS, LIMIT, MANY_DEALS, Facts, Layer
from duelbox.rules_lab.house_rules import spiral
from duelbox.rules_lab.laws import laws_on
from duelbox.rules_lab.map import Map, figure, is_fair
from duelbox.rules_lab.preset_facts import facts_of_preset
from duelbox.rules_lab.preset_maps import facts_on_maps
from duelbox.rules_lab.sentences import sentences
from duelbox.solve.api import Stop, Stopped
from duelbox.table.presets import known_preset
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.find_rules import FindRulesScreen
from duelbox.ui.screens.investigate import InvestigateScreen
from duelbox.ui.screens.investigate_parts import PANEL
from duelbox.ui.screens.keep_preset import KeepPresetScreen
from duelbox.ui.screens.new_game import RulesPreview
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import FOUR_COLOURS, TopLine
from duelbox.ui.widgets.map import MapPicture
from duelbox.ui.yielding_stop import YieldingStop

Job = tuple[Options, Layer, int]
"""A fact to work out: the setting, the kind of fact, and the number of deals to play."""
TITLES: dict[Layer, str] = {
    "first": "who wins",
    "length": "how long",
    "depth": "questions to prove it",
    "changes": "the win changes",
    "one_rule": "one rule",
}
BETWEEN = 0.1
"""Seconds between two updates of the map."""
ABOVE, BELOW = 4, 7
"""The rows above a map, for title, rules and signs, and below it, for facts and keys."""
NARROW, WIDE_ENOUGH = 2, 80
"""The extra rows for the facts in a window with fewer columns."""
ROOMY, WIDE = 12, 100
"""The rows below the map from which the rules are written out, and the columns from which the board is drawn."""


class _JobStop(Stop):
    """A stop flag that also goes up when the work is not wanted any more."""

    def __init__(self, outer: Stop, unwanted: Callable[[], bool]) -> None:
        super().__init__(outer=outer)
        self._unwanted = unwanted

    @property
    def asked(self) -> bool:
        """The work is to end."""
        return super().asked or self._unwanted()


class RulesMapScreen(BaseScreen):
    """A map with two house rules as axes; Enter plays the setting under the cursor, Escape returns it to the form."""

    SPARE: ClassVar[tuple[str, ...]] = ("copy", "keep", "more", "find", "across", "laws")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play", id="lab.play", tooltip="Play by these rules"),
        Binding("shift+tab", "layer(-1)", "Layer", id="lab.layer-before", show=False, tooltip="Show the fact before"),
        Binding("tab", "layer(1)", "Layer", id="lab.layer", tooltip="Show another fact"),
        Binding("1", "turn(True)", "Axes", id="lab.across", key_display="1 2", tooltip="Another rule across"),
        Binding("2", "turn(False)", "Axes", id="lab.downwards", show=False, tooltip="Another rule downwards"),
        Binding("minus", "knob(-1)", "Rule", id="lab.less", show=False, tooltip="Turn the other rules back"),
        Binding("plus", "knob(1)", "Rule", id="lab.more", key_display="+-", tooltip="Turn the other rules"),
        Binding("slash", "find", "Find", id="lab.find", key_display="/", tooltip="Find the best house rules"),
        Binding("k", "keep", "Keep", id="lab.keep", tooltip="Keep these rules under a name"),
        Binding("c", "copy", "Copy", id="lab.copy", tooltip="Copy the code of these rules"),
        Binding("w", "laws", "Laws", id="lab.laws", tooltip="The laws of the rows and columns"),
        Binding(
            "g", "investigate", "Investigate", id="lab.investigate", tooltip="Find out who wins, and why, yourself"
        ),
        Binding("left", "move(-1, 0)", "Choose", id="lab.left", show=False),
        Binding("right", "move(1, 0)", "Choose", id="lab.right", show=False),
        Binding("up", "move(0, -1)", "Choose", id="lab.up", show=False),
        Binding("down", "move(0, 1)", "Choose", id="lab.down", show=False),
        Binding("escape,q", "back", "Form", id="lab.back"),
    ]
    SIGNS = (
        ("{0}", "the first player wins in all deals tried"),
        ("{1}", "the second player wins in all deals tried"),
        ("75", "the first player wins 75%"),
        ("blank", "not allowed"),
        ("…", "not worked out yet"),
    )
    DEFAULT_CSS = """
    RulesMapScreen {
        & #rules, & #legend { height: auto; max-height: 2; padding: 0 1; color: $text-muted; }
        & #rules { link-style: none; link-style-hover: underline; link-background-hover: $background; }
        & #below { height: 1fr; }
        & #facts { width: 1fr; height: 100%; border: round $outline; border-title-color: $foreground; padding: 0 1; }
        & RulesPreview { display: none; width: 40%; height: 100%; }
    }
    """

    class Worked(Message):
        """A worker knows more facts."""

    def __init__(self, game: AnyGame, options: Options, then: Callable[[Options, bool], object]) -> None:
        """`then` takes the rules under the cursor at the end, and True to play them."""
        super().__init__()
        self.game, self._then = game, then
        self.map = Map.of(game, options)
        self.looked_at: Layer = "first"
        self.facts: dict[Job, Facts] = {
            (preset.options, layer, deals): card
            for preset in game.PRESETS
            if (card := facts_of_preset(game, preset.options)) is not None
            for layer in LAYERS
            if getattr(card, layer) is not None
            for deals in (DEALS, MANY_DEALS)
        }
        """The known facts, at first those of the presets' cards."""
        self._stored = facts_on_maps(game)
        """The facts about who wins that came with the game, by code."""
        self._patient: set[Job] = set()
        """The facts to work out without a time limit."""
        self._roomy = False
        """The rows below the map have room for the rules in words."""
        self._gone = YieldingStop(None, Flag())
        """Stops the worker when the map is left."""
        self._filling: Worker[None] | None = None
        """The worker that fills the map."""
        self._changed = Flag()
        """Set when the worker has to begin again with other facts."""

    def body(self) -> ComposeResult:
        """Lay out the rules, the map, its signs, the facts about one setting, and its board."""
        yield Static(id="rules", markup=False)
        yield MapPicture(self.drawn)
        yield Static(id="legend", markup=False)
        with Horizontal(id="below"):
            yield Static(id="facts", markup=False)
            yield RulesPreview()

    # -- showing

    @property
    def chosen(self) -> Options | None:
        """The house rules under the cursor, or None if they do not go together."""
        return self.map.setting(*self.map.at)

    options = chosen
    """The house rules that help explains."""

    def drawn(self, column: int, row: int) -> tuple[str, str]:
        """The text of a cell, and its style."""
        options = self.map.setting(column, row)
        text, style = ("" if options is None else "…", "$text-disabled")
        if options is not None and (fact := self.facts.get((options, self.looked_at, DEALS))):
            text, style = self._text_of(fact)
        if (column, row) == self.map.at:
            return f"[{text}]" if len(text) < 3 else text, "$background on $foreground bold"
        return text, style

    def _text_of(self, fact: Facts) -> tuple[str, str]:
        glyphs = self.app.glyphs
        text = figure(fact, self.looked_at, (*glyphs.seats, glyphs.draw))
        if text in glyphs.seats:
            return text, f"$background on $seat-{glyphs.seats.index(text)} bold"
        if fact.first is None or not text.isdigit() or is_fair(fact, self.looked_at):
            return text, "$win bold" if is_fair(fact, self.looked_at) else ""
        seat = int(fact.first + (fact.draw or 0) / 2 < 1 / 2)
        return text, f"$seat-{seat}" if self.app.theme.endswith(FOUR_COLOURS) else f"$foreground on $seat-{seat} 40%"

    def show(self) -> None:
        """Draw the screen again."""
        map_, top = self.map, self.query_one(TopLine)
        top.title, top.place = self.game.INFO.title, "Map"
        axes = (
            (f"{sign} {knob.label}", f"bold @click=screen.turn({knob is map_.x})")
            for sign, knob in (("↔", map_.x), ("↕", map_.y))
            if knob.key
        )
        fixed = (
            (f"{knob.label} {written(map_.values[knob.key])}", f"@click=screen.knob(1,'{knob.key}')")
            for knob in map_.fixed
        )
        self.query_one("#rules", Static).update(Content("   ").join(Content.styled(*one) for one in (*axes, *fixed)))
        glyphs = self.app.glyphs
        signs = f"{map_.legend(self.looked_at, (*glyphs.seats, glyphs.draw))}   … not worked out yet"
        whole = "   ".join(sign.replace(" ", "\xa0") for sign in signs.split("   "))  # no line break within a sign
        self.query_one("#legend", Static).update(
            "\n".join(wrap(whole, max(1, self.size.width - 2))).replace("\xa0", " ")
        )
        self._show_cursor()
        self.refresh_bindings()

    def _show_cursor(self) -> None:
        """Scroll the map to its cursor, and show the facts there."""
        picture, (width, height) = self.query_one(MapPicture), self.size
        picture.lay(self.map, width, height - ABOVE - BELOW - NARROW * (width < WIDE_ENOUGH))
        self._roomy = height - ABOVE - picture.height > ROOMY
        preview, options = self.query_one(RulesPreview), self.chosen
        preview.display = self._roomy and width >= WIDE
        if preview.display and options is not None:
            preview.show(self.game, options)
        self._show_facts()

    @on(Worked)
    def _show_facts(self) -> None:
        """Draw the facts known by now, and write out those of the setting under the cursor."""
        self.query_one(MapPicture).refresh()
        self.query_one(TopLine).aside = self._progress()
        options, facts = self.chosen, self.query_one("#facts", Static)
        if options is None:
            facts.border_title, facts.border_subtitle = "Not allowed", ""
            facts.update(self.map.why_not)
            return
        preset, words = known_preset(self.app.settings, self.game, options), options.in_words or "the classic rules"
        own = f"{preset.name}: " if preset and preset.kind == "your own" else ""
        facts.border_title = Content(f"{own}{words}")
        facts.border_subtitle = Content(code_of(self.game, options))
        facts.update(self._in_words(options))

    def _progress(self) -> str:
        wide, high = self.map.size
        places = ((column, row) for column in range(wide) for row in range(high))
        allowed = [one for at in places if (one := self.map.setting(*at)) is not None]
        known = sum((one, self.looked_at, DEALS) in self.facts for one in allowed)
        far = "" if known == len(allowed) else f"{known} of {len(allowed)} · "
        return f"{far}{TITLES[self.looked_at]}"

    def _in_words(self, options: Options) -> str:
        """The facts about these rules in words."""
        fact = Facts()
        for layer, deals in (*((layer, DEALS) for layer in LAYERS), ("first", MANY_DEALS)):
            more = self.facts.get((options, layer, deals), Facts())
            if (layer, deals) == (self.looked_at, DEALS) or not more.late:
                fact = fact.joined(more)
        facts = " ".join(sentences(self.game, options, fact)) or "Working it out …"
        return "\n\n".join([facts, *([" ".join(options.sentences())] if self._roomy else [])])

    def on_resize(self) -> None:
        """Draw the screen in its new size."""
        if self.query(MapPicture):
            self.show()

    # -- working out

    def on_screen_resume(self) -> None:
        """Go on filling the map."""
        self._gone = YieldingStop(None, self.app.at_rest)
        self._show_others()

    @on(events.ScreenSuspend)
    @on(events.Unmount)
    def _leave(self) -> None:
        """Stop filling the map."""
        self._gone.stop()
        self._changed.set()

    def _fill(self) -> None:
        """Let the worker fill the map with the facts that are shown now."""
        self._changed.set()
        if self._filling is None or self._filling.is_finished:
            self._filling = self.run_worker(self._work_on)

    async def _work_on(self) -> None:
        """Fill the map until all facts are known or the map is left."""
        cache = await in_background(lambda: Cache(self.app.store.folders.cells))
        with closing(cache):
            while self._changed.is_set() and not self._gone.asked:
                self._changed.clear()
                await in_background(lambda: self._work(cache))

    def _work(self, cache: Cache) -> None:
        """Work out cell by cell, in a thread, until other facts are wanted."""
        with suppress(Stopped):
            self._gone.check()  # first let pressed keys be drawn
        updated = 0.0
        for job in self._jobs():
            if self._changed.is_set():
                return
            if job not in self.facts:
                self._find_out(job, cache)
                if job[0] == self.chosen or monotonic() - updated > BETWEEN:
                    updated = monotonic()
                    self.post_message(self.Worked())
        self.post_message(self.Worked())

    def _find_out(self, job: Job, cache: Cache) -> None:
        """Work out one fact, unless other facts are wanted meanwhile."""

        with suppress(Stopped):
            options, layer, deals = job
            limit = None if job in self._patient else LIMIT
            stop = _JobStop(self._gone, lambda: self._changed.is_set() and options != self.chosen)
            self.facts[job] = cache.work_out(self.game, options, layer, deals=deals, stop=stop, limit=limit)

    def _jobs(self) -> Iterator[Job]:
        """The cells from the cursor outwards, then other facts about the setting under the cursor."""
        map_, layer = self.map, self.looked_at
        for at in spiral(*map_.size, *map_.at):
            if (options := map_.setting(*at)) is not None:
                yield options, layer, DEALS
        if (options := map_.setting(*map_.at)) is not None:
            yield options, "first", MANY_DEALS
            for one in LAYERS:
                yield options, one, DEALS

    # -- actions

    def _go(self, map_: Map) -> None:
        """Show another map, or move the cursor of this one."""
        moved, self.map = map_.cells is self.map.cells, map_
        if moved:
            self._fill()
            self._show_cursor()
        else:
            self._show_others()

    def _show_others(self) -> None:
        """Show other facts."""
        self._take_stored()
        self._fill()
        self.show()

    def _take_stored(self) -> None:
        """Take the facts that came with the game, so that the map of a preset opens drawn."""
        if self.looked_at != "first" or not self._stored:
            return
        wide, high = self.map.size
        for at in product(range(wide), range(high)):
            options = self.map.setting(*at)
            if options is not None and (facts := self._stored.get(code_of(self.game, options))) is not None:
                self.facts.setdefault((options, "first", DEALS), facts)

    def action_move(self, across: int, down: int) -> None:
        """Move the cursor by one cell."""
        column, row = self.map.at
        self._go(self.map.put(column + across, row + down))

    def action_pick(self, column: int, row: int) -> None:
        """Move the cursor to the clicked cell, or play its rules if it is there already."""
        if (column, row) == self.map.at:
            self.action_play()
        else:
            self._go(self.map.put(column, row))

    @on(events.MouseScrollUp)
    @on(events.MouseScrollDown)
    def _roll(self, event: events.MouseEvent) -> None:
        self.action_move(0, -1 if isinstance(event, events.MouseScrollUp) else 1)

    def action_turn(self, across: bool) -> None:
        """Take another rule as an axis."""
        self._go(self.map.turned(across))

    def action_knob(self, by: int, key: str = "") -> None:
        """Step through the values of the rules that are not axes, or of one of them."""
        self._go(self.map.stepped(by, key))

    def action_layer(self, by: int) -> None:
        """Show another kind of fact."""
        self.looked_at = LAYERS[(LAYERS.index(self.looked_at) + by) % len(LAYERS)]
        self._show_others()

    def action_laws(self) -> None:
        """Show the laws of the rows and columns, as far as their cells are known."""
        laws = list(laws_on(self.map, lambda options: self.facts.get((options, "first", DEALS))))
        texts = [text for law in laws for text in (law.place(self.map), f"  {law.sentences()}")]
        if not texts:
            texts = ["No row has a law: six cells and three periods are needed."]
        lines = [
            Content(line) for text in texts for line in wrap(text, self.size.width - PANEL, subsequent_indent="  ")
        ]
        self.app.push_screen(PanelScreen("Laws", lines, closes="w"))

    def action_investigate(self) -> None:
        """Close the cells, and find out who wins and why."""
        map_ = self.map
        if not any(type(value) is int for value in map_.x.values):
            map_ = replace(map_, x=map_.y, y=map_.x, cells={})
        if any(type(value) is int for value in map_.x.values):
            self.app.push_screen(InvestigateScreen(map_))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what needs a rule that is no axis, where there is none."""
        return bool(self.map.fixed) if action == "knob" else True

    def action_play(self) -> None:
        """Play by the rules under the cursor; facts that ran out of time are worked out first."""
        options = self.chosen
        if options is None:
            self.app.bell()
            return
        job = options, self.looked_at, DEALS
        if job in self.facts and self.facts[job].late and job not in self._patient:
            self._patient.add(job)
            del self.facts[job]
            self._show_others()
        else:
            self.dismiss(None)
            self._then(options, True)

    def action_back(self) -> None:
        """Return to the form with the rules under the cursor."""
        self.dismiss(None)
        if self.chosen is not None:
            self._then(self.chosen, False)

    def action_find(self) -> None:
        """Open the search for house rules; the ones taken there come under the cursor."""
        self.app.push_screen(FindRulesScreen(self.game, lambda options: self._go(self.map.by(options))))

    def action_keep(self) -> None:
        """Ask for a name, and keep the rules under the cursor by that name."""
        if self.chosen is not None:
            self.app.push_screen(
                KeepPresetScreen(self.game, self.chosen, lambda name: self.notify(f"Kept as {name}.", markup=False))
            )

    def action_copy(self) -> None:
        """Copy the code of the rules under the cursor."""
        if self.chosen is not None:
            code = code_of(self.game, self.chosen)
            self.app.copy_to_clipboard(code)
            self.notify(f"Copied {code}", markup=False)
