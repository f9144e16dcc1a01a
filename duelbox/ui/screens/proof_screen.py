"""A proof: a side is claimed, and each question that could lose is asked on the board."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from textual import events, on
from textual.content import Content

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Seat, other
from duelbox.proof.walk import look
from duelbox.table.prompts import Prompts
from duelbox.table.proof_kept import Kept
from duelbox.table.proof_rule import NamedRule
from duelbox.table.proof_table import ProofTable
from duelbox.ui.game_board import UNRATED, Look
from duelbox.ui.proofs import open_next_rung
from duelbox.ui.screens.table_layout import WIDE
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.answers import Answers
from duelbox.ui.widgets.board import Board, Scene, Worth
from duelbox.ui.widgets.canvas import FittingLine
from duelbox.ui.widgets.line_board import LineScene
from duelbox.ui.widgets.lines import MoveLine, MoveList, Moves, Plate, TopLine
from duelbox.ui.widgets.ring_board import RingScene

ENDS_PLAYING = ("enter", "space", "escape")
"""Keys that only end what plays itself; any other does what it does as well."""
SQUARES, SQUARES_IN_ASCII = "■▪□", "*o."
"""The signs of a first number that is closed, tried now, and open."""
MOST_SQUARES = 16
"""At most so many first numbers have a square in the top line."""


class ProofScreen(TaskScreen[ProofTable], inherit_bindings=False):
    """A deal, the claim, the questions and all that is closed."""

    LISTED: ClassVar[type[MoveList]] = Answers
    SPARE: ClassVar[tuple[str, ...]] = ("help", "another", "undo")

    def __init__(self, table: ProofTable, kept: Kept | None = None) -> None:
        """`kept` is this proof as it was left, if it was begun."""
        super().__init__(table)
        table.remember = self.remember
        self._kept = kept
        self._unsaved: list[tuple[str, str, dict[str, Any]]] = []
        """Entries of progress that are still to be saved."""
        self._saving = asyncio.Lock()
        self._help.border_title = "Closed"
        self._lists[1].border_title = "Your answers"

    @on(events.Mount)
    async def _take_up(self) -> None:
        """Go on with a proof that was left, which may take a second to reach."""
        kept = self._kept
        if kept is None or kept.walk.side is None:
            return
        try:
            stage = await in_background(lambda: look(kept.walk, self.table.stop))
        except DuelboxError as error:
            self.say(error.sentence)
            return
        self.table.take_up(kept.walk, stage, kept.hints)
        await self.state.settle()

    async def on_unmount(self) -> None:
        """Stop what is worked out."""
        self.table.stop.stop()

    # -- keys

    async def on_key(self, event: events.Key) -> None:
        """End at once what plays itself, before the key does what it does."""
        if self.app.screen is self and self.table.phase == "playing":
            self.table.finish_playing()
            await self.state.settle()
            if event.key in ENDS_PLAYING:
                event.stop()
                event.prevent_default()  # else the key would answer the question that nobody has read yet
                return
        rule = self.table.rule
        if self.app.screen is self and self.table.phase == "rule" and rule is not None and event.is_printable:
            named = rule.typed(event.character or "")
            if named is not None:
                event.stop()
                event.prevent_default()
                self._show_rule(named)

    def action_erase(self) -> None:
        """Delete the last character of what is typed."""
        if self.table.phase == "rule" and self.table.rule is not None:
            self._show_rule(self.table.rule.erased())
        else:
            super().action_erase()

    @on(Board.Picked)
    async def _clicked(self, message: Board.Picked) -> None:
        """End what plays itself; while a rule is named, two clicked numbers are a pair if it takes some."""
        table = self.table
        if table.phase == "playing":
            table.finish_playing()
            await self.state.settle()
        elif table.phase == "rule" and table.rule is not None:
            rule = table.rule
            if rule.takes_pairs:
                rule = rule.clicked(message.target)
            self._show_rule(rule)
        else:
            return
        message.prevent_default()

    def _show_rule(self, rule: NamedRule) -> None:
        """Show the rule as it is named now."""
        self.table.rule = rule
        self.sync()

    async def action_step(self, dx: int, dy: int) -> None:
        """Choose the side, go through the answers or the rules, or move the cursor on the board."""
        phase = self.table.phase
        if phase == "side":
            self.table.choose_side(0 if dx + dy < 0 else 1)
            await self.state.settle()
        elif phase == "walked":
            await self.state.do("forward" if dx + dy > 0 else "back")
        elif phase == "rule":
            self.table.step_rule(1 if dx + dy > 0 else -1)
            self.sync()
        else:
            await super().action_step(dx, dy)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that work now."""
        if action == "step":
            return self.table.phase in ("side", "walked", "rule") or self.state.may_move
        return super().check_action(action, parameters)

    # -- the board

    def look(self) -> Look:
        """The board with answers that lose, and with closed first numbers while the machine begins."""
        table, look = self.table, super().look()
        named = table.phase == "rule" or (table.phase == "over" and bool(table.shown))
        waits = look.waits and not named and table.phase != "side"
        return replace(look, worths=self._worths(), waits=waits)

    def _worths(self) -> dict[str, Worth]:
        table = self.table
        if table.phase == "asked":
            return {number: Worth("loss") for number in table.wrong_here}
        if table.phase == "playing" and self.session.turn not in (None, table.side):
            return {number: Worth("win") for number in table.closed}
        return {}

    def scene(self, view: Any, look: Look) -> Scene:
        """The scene; in the middle of a ring also the first numbers, closed and open, unless a pane has them."""
        scene = super().scene(view, look)
        if isinstance(scene, RingScene | LineScene):
            plain = (replace(cell, worth=None) if cell.worth is UNRATED else cell for cell in scene.cells)
            scene = replace(scene, cells=tuple(plain))
        beside = self.app.size.width >= WIDE and not self.has_class("-large")
        if isinstance(scene, RingScene) and self.table.phase in ("asked", "playing") and not beside:
            return replace(scene, story=(*scene.story, *self._closed_and_open()))
        return scene

    def _closed_and_open(self) -> tuple[FittingLine, ...]:
        """The first numbers of the machine in three lines, each in several lengths."""
        table, glyphs = self.table, self.app.glyphs
        rows = (
            ("closed", table.closed, "best", f"{glyphs.win} "),
            ("now", table.closing, f"seat-{other(table.side)}", f"{glyphs.seats[other(table.side)]} "),
            ("open", table.still_open, "text", "  "),
        )
        if not table.replies:
            return ()
        lines = []
        for label, numbers, style, sign in rows:
            words = " ".join(f"{number:>2}" for number in numbers)
            count = f"{len(numbers)}"
            head = (f"{label:<8}{sign}", "free" if style == "text" else style)
            lines.append(FittingLine(((head, (words, style)), (head, (count, style)), ((sign, style), (count, style)))))
        return tuple(lines)

    # -- the words

    def top(self) -> tuple[str, str, str]:
        """The deal, and how much of it is closed."""
        return "Prove it", self.table.name, self._progress()

    def _progress(self) -> str:
        """The first numbers that are closed, or the place of the proof on the ladder."""
        table = self.table
        if table.phase == "side" or not table.replies:
            return table.place_on_ladder
        closed, count = len(table.closed), len(table.replies)
        words = f"{closed} of {count} closed"
        if count > MOST_SQUARES or self.app.size.width < 80:
            return words
        signs = SQUARES if self.app.glyphs.unicode else SQUARES_IN_ASCII
        squares = signs[0] * closed + signs[1] * len(table.closing) + signs[2] * len(table.still_open)
        return f"{words}  {' '.join(squares)}"

    def plate(self, view: Any, seat: Seat) -> Plate:
        """The line about a player: the answers, or the number that is tried."""
        mine = seat == self.table.side
        words = self._words_of_person() if mine else self._words_of_machine()
        shown = super().plate(view, seat)
        asked = shown.to_move and self.table.phase in ("asked", "playing", "walked")
        return replace(shown, score=words, to_move=asked, won=mine and self.table.proved)

    def _words_of_person(self) -> str:
        """The answers so far, counted."""
        walk = self.table.walk
        if self.table.pasted:
            return f"{len(self.table.pasted)} answers"
        if walk.side is None:
            return "choose your side"
        return f"{len(walk.right)} right · {walk.wrong} wrong"

    def _words_of_machine(self) -> str:
        """The number that the machine tries."""
        table = self.table
        if table.walk.side is None:
            return "plays every number"
        if table.proved:
            return "has nothing left"
        return f"tries {table.closing[0]}" if table.closing else ""

    def _answers(self) -> tuple[tuple[Seat, str], ...]:
        """Each answer beside the number that it answers, and the number that is asked now."""
        table = self.table
        answers = table.answers
        if table.phase == "walked":
            answers = answers[: table.at_answer + 1]
        pairs = ["-".join((*before[-1:], text)) for before, text in answers]
        if table.phase != "walked" and table.stage is not None and table.stage.at:
            pairs.append(f"{table.stage.at[-1]}-?")
        return tuple((table.side, pair) for pair in pairs)

    def show_prompt(self, prompts: Prompts | None) -> None:
        """Show the move line, with a cursor also while pairs are typed."""
        super().show_prompt(prompts)
        if self.table.phase == "rule":
            self.board.target = None  # else Enter would play it once the rule breaks
        rule = self.table.rule
        if prompts is not None and self.table.phase == "rule" and rule is not None:
            for line in self.query(MoveLine):
                line.typing = rule.takes_pairs

    def show_around(
        self, top: tuple[str, str, str], plates: tuple[Plate, Plate], prompts: Prompts, moves: Moves, at: int | None
    ) -> None:
        """Show the answers in the place of the moves, and closed numbers in green."""
        self.query_one(TopLine).good = SQUARES[0] + SQUARES_IN_ASCII[0]
        super().show_around(top, plates, prompts, self._answers(), None)

    def idle(self, prompts: Prompts) -> tuple[Content, ...]:
        """The first numbers of the machine, closed and open, in the pane."""
        table, glyphs = self.table, self.app.glyphs
        if not table.replies:
            return ()
        closed = Content.assemble(("closed  ", "$text-muted"), (f"{glyphs.win} {' '.join(table.closed)}", "$win bold"))
        now = Content.assemble(("now     ", "$text-muted"), (f"  {' '.join(table.closing)}", "bold"))
        still = Content.assemble(("open    ", "$text-muted"), (f"  {' '.join(table.still_open)}", ""))
        return closed, now, still

    def _show_words(self) -> None:
        """Show the text beside a card that stands inside the board."""
        super()._show_words()
        if self._waiting is None:
            return
        prompts = self._waiting[0]
        if prompts.card and self._card.inside:
            self._text.words = (Content(prompts.note),)
        self._help.display = self.app.size.width >= WIDE

    # -- keeping it, and other screens

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save the proof; what is shown on the board waits for it."""
        self._unsaved.append((kind, key, dict(value)))
        self.app.run_worker(self.keep(), exit_on_error=False)

    async def keep(self) -> None:
        """Save all that is not saved yet, in its order: the entry added last is the valid one."""
        async with self._saving:
            while self._unsaved:
                entry = self._unsaved.pop(0)
                try:
                    await asyncio.to_thread(self.app.store.progress.add, *entry)
                except DuelboxError as error:
                    self.app.warn(error.sentence)

    async def open_saved(self) -> None:
        """Return to the screen below once the proof is saved, as home tells of it."""
        await self.keep()
        self.open_leave()

    def open_next_proof(self) -> None:
        """Open the next proof of the ladder in place of this one."""
        try:
            open_next_rung(self.app, after=self.table.code, instead=True)
        except DuelboxError as error:
            self.say(error.sentence)
