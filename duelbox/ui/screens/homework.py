"""Homework: the form that takes the name of a set, its positions, the line to hand in, and a teacher's tables."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content

from duelbox.core.errors import DuelboxError
from duelbox.core.names import chosen_name, printable
from duelbox.core.session import DEFAULT_NAMES
from duelbox.learn.handed_in import handed_in, has_lines, read_lines, tables
from duelbox.learn.homework import EXAMPLE, HOMEWORK, LEGEND, Homework, homework_in, read_set
from duelbox.registry import title_of
from duelbox.table.homework_table import HomeworkTable
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.form import Form, Row

LONGEST_PASTE = 100_000
"""Most characters that the first row takes: lines that were handed in may be pasted there, too."""
NEAR = "a puzzle near your strength"
FRAME = 8
"""The cells beside the text of a panel, with those of a scroll bar."""
WIDEST = 76


class SetScreen(FormScreen):
    """A form for a puzzle near the player's strength, or the set of a pupil, if its name is typed."""

    HEADING = "Puzzles"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go", id="set.go"),
        *FormScreen.ROWS[:2],
        Binding("escape", "back", "Back", id="set.back"),
    ]

    def __init__(self, name: str = "") -> None:
        """`name` is that of a set, if it is known."""
        super().__init__()
        self._asked = name
        self._fault = ""
        """The sentence that refused what is typed."""

    def on_mount(self) -> None:
        """Fill in the set, or the one that was left in the middle, and the name of the pupil."""
        self._marks = self.app.store.progress.all(HOMEWORK)
        works = homework_in(self._marks)
        begun = [one for one in works if not one.done]
        usual = self.app.settings.names[0]
        pupil = "" if usual in DEFAULT_NAMES else usual
        if works:
            pupil = works[-1].pupil
        name = self._asked
        if not name and begun:
            name = begun[-1].set.name
            pupil = begun[-1].pupil
        about = f"Enter opens one. For homework, type its name here, such as {EXAMPLE}."
        self.form.rows = (
            Row("set", "Puzzle", name, typed=True, about=about, placeholder=NEAR, longest=LONGEST_PASTE),
            Row("pupil", "Your name", pupil, typed=True, about="It stands in the line of homework that you hand in."),
        )
        if self.form.entry is not None:
            self.form.entry.select_on_focus = False  # the focus may come after the first key
            self.form.entry.action_select_all()

    @on(Form.Changed)
    def _changed(self) -> None:
        self._fault = ""
        self.explain()

    def note_on(self, row: Row) -> str:
        """The set that is typed and the work done on it, or the meaning of the row."""
        try:
            work = self._work()
        except DuelboxError:
            return row.about
        signs, of = work.signs, work.set
        done = len(signs) - signs.count("-")
        what = f"{of.name}: the idea {of.idea}, {title_of(of.game_id)}. {len(signs)} positions, {done} done."
        return f"{what} {row.about}" if row.key == "pupil" else f"{what} The same for everybody."

    def _work(self) -> Homework:
        """The set and the pupil of the form; raises DuelboxError if there is no such set."""
        of, pupil = read_set(self.form.rows[0].value), self.form.rows[1].value.strip()
        return Homework(of, pupil, self._marks)

    def action_go(self) -> None:
        """Open a puzzle, the set, or the tables of pasted lines; or explain the fault in what was typed."""
        self.form.take_typed()
        typed = self.form.rows[0].value.strip()
        if not typed:
            self.dismiss(None)
            self.app.navigation.open_puzzles()
            return
        if has_lines(typed):
            self.dismiss(None)
            self.app.push_screen(teachers_tables(typed))
            return
        try:
            work = self._work()
        except DuelboxError as error:
            self._refuse(0, error.sentence)
            return
        try:
            work.pupil = chosen_name(work.pupil)
        except DuelboxError as error:
            self._refuse(1, error.sentence if work.pupil else "Type your name: it stands in the line that you hand in.")
            return
        self.dismiss(None)
        self.app.push_screen(next_screen(work))

    def _refuse(self, row: int, sentence: str) -> None:
        self.app.bell()
        self._fault = sentence
        self.form.at = row
        self.explain()

    def explain(self) -> None:
        """Show the fault in what was typed, until it is changed, or else the note on the row."""
        if self._fault:
            self.say(self._fault, refused=True)
        else:
            super().explain()

    def action_back(self) -> None:
        """Return to the screen below."""
        self.dismiss(None)


class HomeworkScreen(TaskScreen[HomeworkTable], inherit_bindings=False):
    """A position of homework; the next one follows it, or the line to hand in."""

    def __init__(self, work: Homework, index: int) -> None:
        super().__init__(HomeworkTable(work, index, self._note))

    def _note(self, kind: str, key: str, value: dict[str, object]) -> None:
        self.app.note_progress(kind, key, value)

    @on(events.Mount)
    async def _work_out(self) -> None:
        """Analyse the position before it is shown."""
        await in_background(self.table.trial.work_out)

    def open_next(self) -> None:
        """Open what follows this position."""
        self.dismiss(None)
        self.app.push_screen(next_screen(self.table.homework, self.table.index))


class TextScreen(PanelScreen):
    """A panel with lines of text, broken where the window ends."""

    def __init__(self, heading: str, lines: Iterable[str]) -> None:
        super().__init__(heading)
        self._lines = lines

    def panes(self) -> Iterable[tuple[str, Content]]:
        """The lines, broken."""
        room = min(self.app.size.width - FRAME, WIDEST)
        broken = [part for line in self._lines for part in wrap(line, room) or [""]]
        return ((self._heading, Content("\n".join(broken))),)


class HandInScreen(TextScreen):
    """The line to hand in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("c", "copy", "Copy the line", id="hand-in.copy")]

    def __init__(self, work: Homework) -> None:
        done = self._done = handed_in(work)
        told = f"{done.at_once} of {len(done.signs)} right at once, {done.helped} with help. Hand in this line:"
        super().__init__(f"{work.set.name} is done", (told, "", done.line, "", f"{LEGEND}."))

    def action_copy(self) -> None:
        """Copy the line."""
        self.app.copy_to_clipboard(self._done.line)
        self.notify("Copied. Paste it where your teacher collects the lines.")


def next_screen(work: Homework, after: int = -1) -> HomeworkScreen | HandInScreen:
    """The next unfinished position after this one, or the line to hand in."""
    if work.done:
        return HandInScreen(work)
    return HomeworkScreen(work, work.next_after(after))


def teachers_tables(text: str) -> TextScreen:
    """A panel with tables of the lines that pupils handed in, and a sentence on each that cannot be read."""
    rows, faults = read_lines(text)
    blank = [""] if rows and faults else []
    return TextScreen("Homework", [*tables(rows), *blank, *map(printable, faults)])
