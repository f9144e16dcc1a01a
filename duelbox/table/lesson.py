"""Lessons, as a task at a table: step by step, with the rule to take along at the end of each."""

from __future__ import annotations

from duelbox.learn.lessons import LESSONS, Course, key_of
from duelbox.table.prompts import Part
from duelbox.table.state import TableState
from duelbox.table.task import verb
from duelbox.table.trial import HintingTask, at_end, looking


class LessonTask(HintingTask[Course]):
    """The lessons of a game, one after the other, step by step."""

    place = "Lesson"

    def aside(self) -> str:
        """The lesson, and its step."""
        trial = self.trial
        return f"{trial.number + 1} {trial.lesson.title} · step {trial.at + 1} of {len(trial.lesson.step)}"

    def way_on(self) -> str:
        """The next thing after a right move, in words."""
        if self.trial.goes_on:
            return "go on"
        return "the rule to take along" if self.trial.at + 1 == len(self.trial.lesson.step) else "next step"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The rule to take along, and three ways on."""
        following = self.trial.following
        on = f"Enter: lesson {self.trial.number + 2}, {following.title}" if following else "Enter: leave"
        parts = (on, "play"), ("p: its puzzles", "puzzles"), ("g: a game", "play_game")
        return self.trial.lesson.end, "Done", parts

    def go_away(self, state: TableState) -> None:
        """From the end of a lesson to the next one."""
        if self.trial.following is None:
            self.leave(state)
        else:
            self.trial.open(self.trial.number + 1)
            self.table.lay()

    def found(self, state: TableState) -> bool:
        """Note how far the lesson has been taken, and go to the next position."""
        more = self.trial.go_on()
        value = {"step": self.trial.at if more else 0, "done": not more}
        state.frontend.remember(LESSONS, key_of(self.table.game.INFO.id, self.trial.lesson), value)
        return more

    @verb("n", "Skip", when=looking, display="→", title="The next step")
    def next(self, state: TableState) -> None:
        """On to the next step without this one."""
        if self.trial.skip():
            self.table.lay()
        else:
            self.table.end()

    @verb(
        "b", "Back", when=lambda lesson: looking(lesson) and lesson.trial.at > 0, display="←", title="The step before"
    )
    def back(self, state: TableState) -> None:
        """To the step before."""
        self.trial.go_back()
        self.table.lay()

    @verb("p", "Puzzles", when=at_end, title="Puzzles of this idea")
    def puzzles(self, state: TableState) -> None:
        """Solve puzzles of the idea."""
        state.frontend.open("puzzles")

    @verb("g", "Game", when=at_end, title="A game in which the idea helps")
    def play_game(self, state: TableState) -> None:
        """Play the game."""
        state.frontend.open("game")
