"""The lessons of a game as a task at a table: step by step, each with a rule to remember at its end."""

from __future__ import annotations

from collections.abc import Mapping

from duelbox.learn.lessons import LESSONS, Course, key_of
from duelbox.table.prompts import Part
from duelbox.table.state import TableState
from duelbox.table.task import verb
from duelbox.table.trial import TrialTask, at_end, looking


class LessonTask(TrialTask[Course]):
    """The lessons of a game, one after the other."""

    place = "Lesson"

    def aside(self) -> str:
        """The title of the lesson, and the number of the step."""
        trial = self.trial
        return f"{trial.number + 1} {trial.lesson.title} · step {trial.at + 1} of {len(trial.lesson.step)}"

    @property
    def heading(self) -> str:
        """The title of the lesson, and the number of the step."""
        return f"Lesson {super().heading}"

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands for puzzles of the lesson's idea, and for a game in which it helps."""
        game_id, lesson = self.table.game.INFO.id, self.trial.lesson
        return {
            "puzzles": f'duelbox puzzle {game_id} --idea "{lesson.idea}"',
            "play_game": f"duelbox play {game_id} --preset {lesson.preset} --p2 bot:1",
        }

    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        if self.trial.goes_on:
            return "go on"
        return "the rule to take along" if self.trial.at + 1 == len(self.trial.lesson.step) else "next step"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The rule to remember, and the keys for what may follow."""
        following = self.trial.following
        on = f"Enter: lesson {self.trial.number + 2}, {following.title}" if following else "Enter: leave"
        parts = (on, "play"), ("p: its puzzles", "puzzles"), ("g: a game", "play_game")
        return self.trial.lesson.end, "Done", parts

    def leave_end(self, state: TableState) -> None:
        """Begin the next lesson, or leave after the last."""
        if self.trial.following is None:
            self.leave(state)
        else:
            self.trial.open(self.trial.number + 1)
            self.table.lay()

    def advance(self, state: TableState) -> bool:
        """Keep the step that was reached, and go to the next position."""
        more = self.trial.go_on()
        value = {"step": self.trial.at if more else 0, "done": not more}
        state.frontend.remember(LESSONS, key_of(self.table.game.INFO.id, self.trial.lesson), value)
        return more

    @verb("n", "Skip", when=looking, display="→", title="The next step", alias="skip", in_lines="the next step")
    def next(self, state: TableState) -> None:
        """Skip this step."""
        if self.trial.skip():
            self.table.lay()
        else:
            self.table.end()

    @verb(
        "b",
        "Back",
        when=lambda lesson: looking(lesson) and lesson.trial.at > 0,
        display="←",
        title="The step before",
        in_lines="the step before",
    )
    def back(self, state: TableState) -> None:
        """Go back a step."""
        self.trial.go_back()
        self.table.lay()

    @verb("p", "Puzzles", when=at_end, title="Puzzles of this idea")
    def puzzles(self, state: TableState) -> None:
        """Open puzzles of the lesson's idea."""
        state.frontend.open("puzzles")

    @verb("g", "Game", when=at_end, title="A game in which the idea helps")
    def play_game(self, state: TableState) -> None:
        """Open a game in which the idea helps."""
        state.frontend.open("game")
