"""Investigate: a map whose cells are closed; open some, write a conjecture, and test it on cells not opened."""

from __future__ import annotations

from contextlib import closing
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from duelbox.core.options import Options
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.cache import Cache
from duelbox.rules_lab.facts import Facts, dealt
from duelbox.rules_lab.investigation import (
    KIND,
    TESTS,
    Conjecture,
    Investigation,
    Notes,
    pick_in_words,
    read_notes,
)
from duelbox.rules_lab.laws import who_wins
from duelbox.rules_lab.map import Map
from duelbox.rules_lab.preset_maps import facts_on_maps
from duelbox.rules_lab.sentences import who_wins as who_wins_in_words
from duelbox.solve import rate_moves
from duelbox.solve.api import Rated
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.investigate_parts import KNOBS, PANEL, Linked, Picture, proof_in_pictures
from duelbox.ui.screens.new_game import RulesPreview
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.yielding_stop import YieldingStop

ENOUGH, ROOMY = (78, 22), (100, 32)
"""The columns and rows of a window with room for a board where a first pick is looked for, and with room always."""
LONGEST = 12
"""The most characters of a typed pick."""


class InvestigateScreen(BaseScreen):
    """A row of a map whose winners are closed; Enter opens one, + tests the conjecture, w asks why."""

    SPARE: ClassVar[tuple[str, ...]] = ("next", "why")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", id="investigate.open", tooltip="Open this cell, or find its first pick"),
        Binding("enter", "done", "Done", id="investigate.done", tooltip="The conjecture is written"),
        Binding("enter", "check", "Check", id="investigate.check", tooltip="Check this first pick"),
        Binding("k", "claim", "Conjecture", id="investigate.claim", tooltip="Write a conjecture: who wins when"),
        Binding("plus", "test", "Test 5", id="investigate.test", key_display="+", tooltip="Test it on 5 closed cells"),
        Binding("w", "why", "Why?", id="investigate.why", tooltip="Why nobody has broken it"),
        Binding("n", "down(1)", "Next row", id="investigate.next", tooltip="Investigate the next row"),
        Binding("left", "across(-1)", "Choose", id="investigate.left", show=False),
        Binding("right", "across(1)", "Choose", id="investigate.right", show=False),
        Binding("up", "down(-1)", "Choose", id="investigate.up", show=False),
        Binding("down", "down(1)", "Choose", id="investigate.down", show=False),
        Binding("escape,q", "put_away", "Done", id="investigate.away"),
        Binding("escape,q", "back", "Map", id="investigate.back"),
    ]
    DEFAULT_CSS = """
    InvestigateScreen {
        & Static { height: auto; padding: 0 1; }
        & Static { link-style-hover: underline; link-background-hover: $background; }
        &.-normal #row, &.-tall #row { margin-top: 1; }
        & #rules, & #legend { color: $text-muted; max-height: 2; }
        & #claim { height: 6; border: round $outline; border-title-color: $foreground; }
        & #below { height: 1fr; }
        & #said { width: 1fr; height: 100%; }
        & RulesPreview { display: none; width: 36; height: 100%; }
        &.-wide RulesPreview { width: 65%; }
    }
    """

    def __init__(self, map_: Map) -> None:
        """`map_` has numbers across, and its cursor in the row to begin with."""
        super().__init__()
        self.game = map_.game
        self.found = Investigation(map_)
        self.facts: dict[Options, Facts] = {}
        """The facts about open cells."""
        self.mode = ""
        """The use of arrows and Enter: "claim" writes the conjecture, "pick" finds a first pick, "" opens cells."""
        self.knob = 0
        """The chosen line of the conjecture."""
        self.typed = ""
        self.told = ""
        """The text below the conjecture."""
        self.moves: tuple[str, ...] = ()
        """The first picks to choose from."""
        self.wins: list[str] = []
        """Those of them that win."""
        self._stored = facts_on_maps(self.game)

    def body(self) -> ComposeResult:
        """Lay out the rules, the row, its signs, the conjecture, and what was said last."""
        yield Static(id="rules", markup=False)
        yield Linked(id="row", markup=False)
        yield Static(id="legend", markup=False)
        claim = Linked(id="claim", markup=False)
        claim.border_title = "Your conjecture"
        yield claim
        with Horizontal(id="below"):
            yield Linked(id="said", markup=False)
            yield RulesPreview()

    def on_mount(self) -> None:
        """Take up the notes that were kept."""
        self.show()
        self.run_worker(self._take_up())

    async def _take_up(self) -> None:
        def kept() -> Notes:
            return read_notes(self.app.store.progress.newest(KIND).get(self.found.key, {}))

        notes = await in_background(kept)
        self.found = Investigation(self.found.map, notes)
        for cell in filter(self.found.is_open, self.found.everything()):
            await self._look(cell)
        self.show()

    async def _look(self, cell: Options) -> bool:
        """Find out who wins in a cell; False if that takes too long."""
        facts = self._known(cell)
        if facts is None:
            facts = await in_background(lambda: self._worked_out(cell))
        if not facts.late:
            self.facts[cell] = facts
        return not facts.late

    def _known(self, cell: Options) -> Facts | None:
        """The facts about a cell, if it is open or they came with the game."""
        return self.facts.get(cell) or self._stored.get(code_of(self.game, cell))

    def _worked_out(self, cell: Options) -> Facts:
        with closing(Cache(self.app.store.folders.cells)) as cache:
            return cache.work_out(self.game, cell, "first")

    def _note(self, found: Investigation, said: str = "") -> None:
        """Take and keep other notes."""
        self.found = found
        self.app.note_progress(KIND, found.key, found.notes.model_dump(mode="json"))
        self._say(said)

    def _say(self, said: str) -> None:
        self.told = said
        self.show()

    # -- showing

    @property
    def options(self) -> Options | None:
        """The house rules under the cursor, which help explains."""
        return self.found.here

    def show(self) -> None:
        """Draw the screen again."""
        found, top, row = self.found, self.query_one(TopLine), self.found.row()
        picture = Picture(found, self.facts, self.app.glyphs)
        top.title, top.place = self.game.INFO.title, "Investigate"
        top.aside = f"opened {sum(map(found.is_open, row))} of {len(row)}"
        self.query_one("#rules", Static).update(picture.rules())
        self.query_one("#row", Static).update(picture.row(self.size.width - 2))
        self.query_one("#legend", Static).update(picture.signs())
        self._show_conjecture(picture)
        self.query_one("#said", Static).update(self._said())
        preview = self.query_one(RulesPreview)
        least = ROOMY
        if self.mode == "pick":
            least = ENOUGH
        width, height = self.size
        preview.display = found.here is not None and width >= least[0] and height >= least[1]
        if preview.display:
            preview.show(self.game, self._start().options)
        self.refresh_bindings()

    def _show_conjecture(self, picture: Picture) -> None:
        claim = self.query_one("#claim", Static)
        claim.border_subtitle = ""
        if self.found.conjecture is None:
            claim.update(Content.styled("Nothing yet. k: who wins, and when?", "@click=screen.claim"))
            return
        spoken_of = [cell for cell in self.facts if self.found.says(cell)]
        claim.border_subtitle = f"stands on {len(spoken_of) - len(self._broken())} of {len(spoken_of)} open"
        chosen: int | None = None
        if self.mode == "claim":
            chosen = self.knob
        claim.update(picture.conjecture(chosen))

    def _broken(self) -> list[Options]:
        """The open cells that the conjecture is wrong about."""
        return [cell for cell, facts in self.facts.items() if self.found.breaks(cell, who_wins(facts))]

    def on_resize(self) -> None:
        """Draw the screen in its new size."""
        if self.query("#row"):
            self.show()

    def _said(self) -> Content:
        if self.mode != "pick":
            return Content(self.told)
        parts = [Content(f"{self.told}\n")]
        for at, move in enumerate(self.moves):
            parts += [Content.styled(move, f"@click=screen.try({at})"), Content(" ")]
        return Content("").join([*parts, Content.styled(f"\n{self.app.glyphs.left} {self.typed}", "bold")])

    # -- opening and testing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let Enter and Escape do what they mean now."""
        modes = {"open": "", "back": "", "done": "claim", "check": "pick"}
        if action in modes:
            return self.mode == modes[action]
        if action == "put_away":
            return self.mode != ""
        if action in ("claim", "test", "why", "across", "down"):
            return self.mode != "pick"
        return True

    def _move(self, found: Investigation) -> None:
        self.found = found
        self.mode = ""
        self._say("")

    def action_across(self, by: int) -> None:
        """Choose the next cell, or the next value of a line of the conjecture."""
        if self.mode == "claim":
            self.action_turn(by, self.knob)
        else:
            self._move(self.found.moved(by, 0))

    def action_down(self, by: int) -> None:
        """Choose the next row, or the next line of the conjecture."""
        if self.mode == "claim":
            self.knob = (self.knob + by) % len(KNOBS)
            self.show()
        else:
            self._move(self.found.moved(0, by))

    def action_choose(self, at: int) -> None:
        """Choose a clicked cell of the row, or open it if it is chosen."""
        cell = self.found.row()[at]
        if cell == self.found.here:
            self.action_open()
        else:
            self._move(self.found.at(cell))

    def action_open(self) -> None:
        """Open the chosen cell; an open one asks for its first pick."""
        cell = self.found.here
        if cell not in self.found.row():
            self.app.bell()
        elif cell in self.facts:
            self.run_worker(self._ask_for_pick(cell))
        elif cell is not None:
            self.run_worker(self._open(cell))

    async def _open(self, cell: Options) -> None:
        name = self.found.shown(cell)
        if not await self._look(cell):
            self._say(f"{name} takes too long to work out.")
            return
        said = f"{name}: {who_wins_in_words(self.facts[cell])}"
        if self.found.breaks(cell, who_wins(self.facts[cell])):
            said += f" {name} breaks your conjecture: change it with k."
        elif self.found.conjecture is None:
            said += " Open some more. Then k: write a conjecture."
        self._note(self.found.opening(cell), said)

    def action_test(self) -> None:
        """Test the conjecture on closed cells."""
        self.mode = ""
        fault = self._fault()
        if not fault and not self.found.to_test():
            fault = "All its cells are open. w asks why it holds."
        if fault:
            self._say(fault)
        else:
            self.run_worker(self._test(self.found))

    def _fault(self) -> str:
        """A sentence on why there is nothing to test or to ask; empty if there is."""
        broken = self._broken()
        if self.found.conjecture is None:
            return "Write a conjecture first: k."
        if broken:
            return f"{self.found.in_words(broken[:1])} breaks it. Change your conjecture with k."
        return ""

    async def _test(self, found: Investigation) -> None:
        """Test the conjecture on closed cells, up to the first that breaks it."""
        passed = list[Options]()
        for cell in found.to_test():
            if not await self._look(cell):
                continue
            if found.breaks(cell, who_wins(self.facts[cell])):
                said = f"{found.in_words([cell])} breaks it. {who_wins_in_words(self.facts[cell])}"
                self._note(self.found.opening(*passed, tested=True).opening(cell).at(cell), said)
                return
            passed.append(cell)
        said = f"Tested on {len(passed)} you had not opened: {found.in_words(passed)}. None broke it. Why? w."
        self._note(self.found.opening(*passed, tested=True), said)

    # -- the conjecture

    def action_claim(self) -> None:
        """Write a conjecture, or put the pen down."""
        if self.mode == "claim":
            self.action_put_away()
            return
        self.mode = "claim"
        found = self.found
        if found.conjecture is None:
            found = found.claiming(Conjecture())
        self._note(found)

    def action_set(self, knob: int, at: int) -> None:
        """Take a clicked value of the conjecture."""
        self.mode, self.knob = "claim", knob
        self._note(self.found.choosing(knob, at))

    def action_turn(self, by: int, knob: int) -> None:
        """Take the next value of a line of the conjecture."""
        self.mode, self.knob = "claim", knob
        self._note(self.found.turning(knob, by))

    def action_put_away(self) -> None:
        """Stop writing the conjecture, or looking for a first pick."""
        said = ""
        if self.mode == "claim":
            said = "+ tests it on five cells that you have not opened."
        self.mode = ""
        self._say(said)

    action_done = action_put_away

    # -- why

    def action_why(self) -> None:
        """Show the proof of the conjecture, or say how far it was checked."""
        fault, proof = self._fault(), self.found.proof()
        if not fault and self.found.tested() < TESTS and self.found.to_test():
            fault = "Test it first: +."
        if fault:
            self._say(fault)
        elif proof is not None:
            lines = proof_in_pictures(proof, self.size.width - PANEL)
            self.app.push_screen(PanelScreen("Why it always holds", lines, closes="w"))
        else:
            self._say(self._checked())

    def _checked(self) -> str:
        """The last value to which duelbox has checked the conjecture, which has no proof."""
        spoken_of = [cell for cell in self.found.cells() if self.found.says(cell)]
        for cell in spoken_of:
            facts = self._known(cell)
            if facts is None or self.found.breaks(cell, who_wins(facts)):
                return "It has stood so far. Test it on more: +."
        last = max(map(self.found.value, spoken_of))
        said = f"Checked by duelbox to {last}. No proof is known here."
        if any(who_wins(facts) == "first" for facts in self.facts.values()):
            said += " Now find the first pick: Enter on an open cell where the first player wins."
        return said

    # -- the first pick

    def _start(self) -> Any:
        """The first draw of the cell under the cursor."""
        assert self.found.here is not None
        return next(dealt(self.game, self.found.here, 1))

    async def _ask_for_pick(self, cell: Options) -> None:
        """Ask for a first pick that wins, where some do and others do not."""
        winner, deals = who_wins(self.facts[cell]), self.facts[cell].deals
        if winner == "second" and deals > 1:
            self._say(f"It is open: no first pick wins in the {deals} deals tried.")
            return
        if winner == "second":
            self._say("It is open: here no first pick wins.")
            return
        if winner != "first":
            self._say("It is open: here nobody always wins.")
            return
        self._say("Working it out …")
        start = self._start()
        view = self.game.view(start, start.turn)

        def rated() -> tuple[Rated, ...]:
            return tuple(rate_moves(self.game, view, YieldingStop(None, self.app.at_rest)).moves)

        wins = [one.move for one in await in_background(rated) if one.verdict == "win"]
        if self.found.here != cell or self.mode:
            return
        self.moves = tuple(self.game.format_move(move) for move in self.game.legal_moves(view))
        self.wins = [move for move in self.moves if move in wins]
        if len(self.wins) == len(self.moves):
            where = "here"
            if deals > 1:
                where = "in the first deal"
            self._note(self.found.noting_pick("any"), f"Every first pick wins {where}. Is it so in other cells?")
            return
        self.mode, self.typed = "pick", ""
        if len(self.wins) == 1:
            self._say("Where is the first pick that wins?")
        else:
            self._say(f"{len(self.wins)} of {len(self.moves)} first picks win. Find one of them.")

    def on_key(self, event: events.Key) -> None:
        """Type a first pick."""
        if self.mode != "pick":
            return
        if event.key == "backspace":
            self.typed = self.typed[:-1]
        elif event.is_printable and event.character and len(self.typed) < LONGEST:
            self.typed += event.character
        else:
            return
        event.stop()
        self.show()

    def action_try(self, at: int) -> None:
        """Check a clicked pick."""
        self.typed = self.moves[at]
        self.action_check()

    def action_check(self) -> None:
        """Check the pick."""
        move = self.typed
        if move not in self.moves:
            self.app.bell()
            return
        self.typed = ""
        if move not in self.wins:
            self._say(f"{move} does not win. Try another.")
            return
        self.mode = ""
        pick, said = pick_in_words(move, self.moves, len(self.wins))
        self._note(self.found.noting_pick(pick), f"{said} Is it so in other cells?")
