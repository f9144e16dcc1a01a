"""The answers of a proof in a row, each beside the number that it answers; nobody says what they show."""

from __future__ import annotations

from textual.content import Content
from textual.events import Click

from duelbox.ui.widgets.lines import BETWEEN, MoveList

LABEL = "Your answers"


class Answers(MoveList):
    """The answers in one line, the latest at its end, or in as many lines as there are."""

    DEFAULT_CSS = "Answers { height: 1; padding: 0 1; color: $text-muted; }"

    def render(self) -> Content:
        """The answers; in one line as many of the latest as fit."""
        width, height = self.content_size
        pairs = [text for _, text in self.moves]
        if height > 1:
            lines = Content(BETWEEN.join(pairs) or "None yet.").wrap(max(1, width))
            return Content("\n").join(lines[-height:])
        if not pairs:
            return Content(f"{LABEL}{BETWEEN}none")
        room = width - len(LABEL) - len(BETWEEN)
        shown = [pairs.pop()]
        while pairs and len(BETWEEN.join((pairs[-1], *shown))) + 4 <= room:
            shown.insert(0, pairs.pop())
        if pairs:
            shown.insert(0, "…")
        last = Content.styled(shown[-1], "$foreground bold")
        before = "".join(f"{text}{BETWEEN}" for text in shown[:-1])
        return Content.assemble(LABEL, BETWEEN, before, last)

    def on_click(self, event: Click) -> None:
        """Do nothing: an answer leads nowhere."""
        event.stop()
        event.prevent_default()
