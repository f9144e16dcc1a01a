"""A table as it is seen: everything drawn from the moment, nothing done to it."""

from __future__ import annotations

from typing import Any

from duelbox.core.game import preset_of
from duelbox.core.model import Seat
from duelbox.core.session import Session
from duelbox.sitting.sitting import Sitting
from duelbox.ui import motion
from duelbox.ui.moment import Moment
from duelbox.ui.screens.face import TableFace
from duelbox.ui.widgets.lines import MoveLine, Plate


class ShownTable(TableFace):
    """The board with its players and lines."""

    def __init__(self, moment: Moment) -> None:
        super().__init__(moment.sitting.game.INFO.id)
        self.moment = moment

    @property
    def sitting(self) -> Sitting:
        """The match on the table."""
        return self.moment.sitting

    @property
    def session(self) -> Session:
        """The game on the table."""
        return self.moment.sitting.session

    def view(self) -> Any:
        """What the one in front may know."""
        return self.session.view(self.moment.viewer)

    def draw(self, before: motion.Before | None = None) -> None:
        """Draw everything from the session: the only road to the widgets; `before` is what a move has changed."""
        self.draw_board()
        if before is not None:
            motion.show_move(self.board, self.table, before, self.view(), self.moment.look(self.app.glyphs))
        sitting, view = self.sitting, self.view()
        self._ask(view)
        preset = preset_of(sitting.game, sitting.options)
        self.show_title(sitting.game.INFO.title, preset.name if preset else "House rules", self.moment.aside())
        self.show_players(self._plate(view, 0), self._plate(view, 1))
        self.show_moves(self.session.log())
        self.draw_line()
        self.refresh_bindings()

    def draw_board(self) -> None:
        """Draw the board alone."""
        self.board.scene = self.table.scene(self.view(), self.moment.look(self.app.glyphs))

    def _ask(self, view: Any) -> None:
        """What the table knows to say of a view, if anything."""
        self.moment.asked = self.table.asks(view)

    def _plate(self, view: Any, seat: Seat) -> Plate:
        who, outcome = self.sitting.who(seat), self.session.outcome
        points = self.moment.points(seat).replace("½", ".5" if self.app.settings.ascii else "½")
        return Plate(
            name=who.name,
            score="  ".join(filter(None, (self.table.score(view, seat), points))),
            to_move=self.session.turn == seat,
            computer=who.level is not None,
            won=outcome is not None and outcome.winner == seat,
        )

    def draw_line(self) -> None:
        """Draw the move line, and what is said."""
        self.moment.keys = self.app.settings.keymap
        line = self.query_one(MoveLine)
        line.line = self.moment.line
        line.prompt, line.told = self.moment.prompt()
        said, ended = self.session.named(self.moment.note()), self.session.outcome is not None
        self.show_note(said, refused=self.moment.refusal is not None, ended=ended and not self.moment.said)

    def tell_why_not(self, key: str) -> None:
        """Say why a key does nothing now, where it would at other times."""
        for binding in self._bindings.key_to_bindings.get(key, ()):
            if why_not := self.moment.why_not(binding.action):
                self.say(why_not)

    def say(self, sentence: str) -> None:
        """Say something below the board, until the next move or key."""
        self.moment.say(sentence)
        self.draw_line()
