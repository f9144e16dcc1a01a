"""Mistakes on the full screen: the game stops before each of them, and a better move is looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from duelbox.bots import Level, levels
from duelbox.core.model import Seat
from duelbox.core.record import Who
from duelbox.core.session import Session
from duelbox.learn.mistakes import KIND, Mistakes, again
from duelbox.learn.turning import Judged
from duelbox.table.cues import Part
from duelbox.table.local import LocalTable
from duelbox.table.opening import Opening, apart, computer
from duelbox.ui.screens.tries import TryScreen
from duelbox.ui.widgets.plot import Plot, curve_of


class MistakesScreen(TryScreen[Mistakes]):
    """One mistake after the other; nothing of what followed is in here before the move is found."""

    TITLE_PLACE = "Mistakes"
    SPARE: ClassVar[tuple[str, ...]] = ("level", "play_on", "help")
    LEFT_ALONE = (*TryScreen.LEFT_ALONE, "k", "l", "m")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "skip", "Next mistake", id="try.next"),
        Binding("k", "keep", "Keep", id="mistakes.keep", tooltip="Keep this mistake; it comes back in a few days"),
        Binding("p", "play_on", "Play on", id="mistakes.play_on", tooltip="Play on from here against the computer"),
        Binding("l", "level", "Level", id="mistakes.level", tooltip="Another level of the computer to play on against"),
    ]
    DEFAULT_CSS = "MistakesScreen.-low Plot { display: none; }"

    def __init__(
        self,
        trial: Mistakes,
        games: Sequence[tuple[Session, Sequence[Judged]]] = (),
        back: Callable[[], Screen[None]] | None = None,
        kept: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__(trial)
        self._games, self._back, self._kept = games, back, kept
        """The rounds as they were judged, for the plot; where Leave leads; and what comes back, as it was kept."""
        self._level = level_after(trial.session.game.INFO.id, None)

    def between(self) -> ComposeResult:
        """The plot, too, up to where the game stops."""
        yield from super().between()
        yield Plot()

    def aside(self) -> str:
        """How far one is, and where in the game."""
        mistake = self.trial.mistake
        turn = f" · turn {mistake.ply}" if mistake.ply else ""
        rounds = f" of round {mistake.round + 1}" if len(self._games) > 1 else ""
        return f"Mistake {self.trial.at + 1} of {len(self.trial.todo)}{turn}{rounds}"

    def way_on(self) -> str:
        """What Enter does after a right move."""
        return "Enter: how you did" if self.trial.done else "Enter: next mistake"

    def draw_line(self) -> None:
        """Draw the plot, too: the game up to the stop; the whole of it once the move is found."""
        super().draw_line()
        plot, mistake = self.query_one(Plot), self.trial.mistake
        if not self._games:
            plot.display = False
            return
        session, judged = self._games[mistake.round]
        hidden, seat = session.game.INFO.hidden, mistake.session.turn
        if self.tried is not None and self.tried.right:
            curve = curve_of(judged, len(session.moves), hidden, seat)
        else:
            before = [one for one in judged if one.ply < mistake.ply]
            curve = curve_of(before, mistake.ply, hidden, seat, asked=mistake.ply)
        plot.glyphs, plot.curve, plot.at = self.app.glyphs, curve, mistake.ply

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """How the mistakes were found."""
        more = ((f"m: {len(self.trial.rest)} more", "skip"),) if self.trial.rest else ()
        return self.trial.told(), "Done", (("Enter: leave", "go_on"), *more)

    def goes_on(self) -> bool:
        """A kept mistake that was looked at comes back later, or no more."""
        result = self.trial.results.get(self.trial.at)
        if self._kept and result:
            value = again(self._kept[self.trial.at], result == "found", date.today())
            self.app.note_progress(KIND, value["code"], value)
        return self.trial.go_on()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """At the end, the rest can be had; what comes back is kept already."""
        if action == "skip":
            return bool(self.trial.rest) if self.over else self.tried is None
        if action == "keep":
            return not (self.over or self._kept)
        if action in ("play_on", "level"):
            return self._level is not None
        return super().check_action(action, parameters)

    def label(self, action: str) -> str | None:
        """What a key is called now."""
        if action == "skip" and self.over:
            return f"{len(self.trial.rest)} more"
        if action == "play_on" and self._level is not None:
            return f"Play {self._level.name}"
        return super().label(action)

    def action_skip(self) -> None:
        """Leave this one for the next; at the end, on to the rest."""
        if self.over:
            self.over = False
            self.trial.more()
            self.lay()
        else:
            self.proceed()

    async def action_help_on(self) -> None:
        """The next of three hints."""
        self.trial.hint()
        self.state.analysis, self.state.hint_step = self.trial.mistake.analysis, self.trial.step
        self.state.tell_hint(self.trial.mistake.analysis)
        self.show_line()

    def action_answer(self) -> None:
        """Lay a right move into the line."""
        self.trial.shown()
        super().action_answer()

    def action_keep(self) -> None:
        """Keep this mistake, to come back."""
        value = self.trial.mistake.kept(date.today())
        self.app.note_progress(KIND, value["code"], value)
        self.show_note("Kept. It comes back after 1, 3, 7 and 21 days, until you find it twice in a row.")

    def action_play_on(self) -> None:
        """A new game from the position looked at, against the computer."""
        session, tried, seat = self.trial.session, self.tried, self.trial.session.turn
        if self._level is not None and seat is not None:
            played = tried.played if tried and tried.right and tried.played.turn is not None else session
            self.app.ways.open_table(against(played, seat, self._level, self.app.store))

    def action_level(self) -> None:
        """The next level to play on against."""
        self._level = level_after(self.trial.session.game.INFO.id, self._level)
        self.refresh_bindings()

    def action_leave(self) -> None:
        """Back to the game, or to where this was opened."""
        self._forget()
        if self._back is None:
            self.dismiss(None)
        else:
            self.app.switch_screen(self._back())


def level_after(game_id: str, level: Level | None) -> Level | None:
    """The next level of the computer, after the strongest the weakest again; none where nobody plays."""
    known = levels(game_id)
    return known[(known.index(level) + 1) % len(known)] if level in known else known[len(known) // 2] if known else None


def against(session: Session, seat: Seat, level: Level, store: Any) -> LocalTable:
    """A new game from a position: the one who sits here against the computer."""
    one, two = (Who(name=session.names[at]) if at == seat else computer(level) for at in (0, 1))
    return LocalTable.of(Opening(session.copy(), fresh=True), apart(one, two), store=store)
