"""A lesson on the full screen: one sentence, a board, one thing to do."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from duelbox.learn.lessons import Course
from duelbox.table.cues import Part
from duelbox.ui.screens.tries import TryScreen


class LessonScreen(TryScreen[Course]):
    """The steps of a game's lesson, one after the other."""

    TITLE_PLACE = "Lesson"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", "Skip", show=False),
        Binding("left", "turn(-1)", "Back", show=False),
        Binding("h", "answer", "Answer", show=False),
        Binding("n", "skip", "Skip", id="try.next", key_display="→", tooltip="The next step"),
        Binding("b", "back", "Back", id="try.back", key_display="←", tooltip="The step before"),
        Binding("p", "play_game", "Play", id="lesson.play", tooltip="Play the game"),
    ]

    def aside(self) -> str:
        """How far the lesson is."""
        return f"Step {self.trial.at + 1} of {len(self.trial.lesson.step)}"

    def way_on(self) -> str:
        """What Enter does after a right move."""
        last = self.trial.at + 1 == len(self.trial.lesson.step)
        return "Enter: the rule to take along" if last and not self.over else "Enter: next step"

    def goes_on(self) -> bool:
        """Note how far the lesson has been taken, and go to the next step."""
        more = self.trial.go_on()
        game_id, at = self.trial.session.game.INFO.id, self.trial.at
        self.app.note_progress("lesson", game_id, {"step": at if more else 0, "done": not more})
        return more

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The rule to take along."""
        parts = ("Enter: leave", "go_on"), ("p: play a game", "play_game")
        return f"Take this along: {self.trial.lesson.rule}", "Done", parts

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A game is offered at the end; there is a step before but at the first."""
        if action == "play_game":
            return self.over
        if action == "back":
            return self.trial.at > 0 and self.tried is None
        return super().check_action(action, parameters)

    def action_turn(self, count: int) -> None:
        """A step on or back; while a number is pointed at, the one beside it."""
        if self.tried is None and self.board.target is None:
            (self.action_skip if count > 0 else self.action_back)()
        else:
            self.action_step(count, 0)

    def action_skip(self) -> None:
        """On to the next step without this one."""
        if self.trial.go_on():
            self.lay()
        else:
            self.action_leave()

    def action_back(self) -> None:
        """To the step before."""
        self.trial.go_back()
        self.lay()

    def action_play_game(self) -> None:
        """Play the game."""
        self.dismiss(None)
        self.app.ways.start(self.trial.session.game.INFO.id)
