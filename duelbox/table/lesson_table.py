"""The lessons of a game at a table: step by step, each with a rule to remember at its end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from duelbox.core.model import listed
from duelbox.learn.course_test import questions_of
from duelbox.learn.ideas import MISTAKES, missed_in_learning
from duelbox.learn.lessons import LESSONS, TEACHER, Course, key_of
from duelbox.solve.api import Mark
from duelbox.solve.sentences import in_first_person
from duelbox.table.prompts import Part
from duelbox.table.refusals import unless
from duelbox.table.state import TableState
from duelbox.table.trial_table import TRIAL_VERBS, TrialTable, at_the_end, while_looking
from duelbox.table.verb import Verb, Verbs

LESSON_VERBS = Verbs(TRIAL_VERBS)
"""The verbs of lessons."""


class LessonTable(TrialTable[Course]):
    """The lessons of a game, one after the other."""

    verbs: ClassVar[Mapping[str, Verb]] = LESSON_VERBS
    NAME = "Lesson"

    @property
    def place(self) -> str:
        """The title of the lesson, and the number of the step."""
        course = self.trial
        if course.own is not None:
            return f"{course.number + 1} {course.lesson.title} · your own game"
        return f"{course.number + 1} {course.lesson.title} · step {course.at + 1} of {len(course.lesson.step)}"

    @property
    def heading(self) -> str:
        """The title of the lesson, and the number of the step."""
        return f"Lesson {super().heading}"

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands for puzzles of the lesson's idea, and for a game in which it helps."""
        game_id, lesson = self.game.INFO.id, self.trial.lesson
        return {
            "puzzles": f'duelbox puzzle {game_id} --idea "{lesson.idea}"',
            "play_game": f"duelbox play {game_id} --preset {self.trial.preset} --p2 bot:1",
        }

    @property
    def shown(self) -> tuple[Mark, ...]:
        """The pairs of the task while a move is looked for, then what a right move is good for."""
        pairs = self.trial.step.pairs
        if self.looking and pairs:
            return (Mark("pairs", pairs=pairs),)
        return super().shown

    def spoken(self, text: str) -> str:
        """A text as the teacher says it."""
        return in_first_person(super().spoken(text), TEACHER)

    @property
    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        if self.trial.goes_on:
            return "go on"
        last = self.trial.own is None and self.trial.at + 1 == len(self.trial.lesson.step)
        return "the rule to take along" if last else "next step"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The rule to remember and where it holds, and the keys for what may follow."""
        course = self.trial
        on = "Enter: leave"
        if course.following is not None:
            on = f"Enter: lesson {course.number + 2}, {course.following.title}"
        elif self.has_test:
            on = "Enter: the test"
        prompt = "Done"
        parts: tuple[Part, ...] = (("p: its puzzles", "puzzles"), ("g: a game", "play_game"))
        if course.missing:
            prompt = "Seen"
            parts = ((f"b: step {course.missing[0] + 1} again", "back"), *parts)
        return f"{course.lesson.end} {self._where_it_holds}", prompt, ((on, "play"), *parts)

    @property
    def _where_it_holds(self) -> str:
        names = [one.name for one in self.game.PRESETS if one.id in self.trial.lesson.presets]
        return f"It holds in {listed(names)}."

    @property
    def has_test(self) -> bool:
        """The course ends in a test."""
        return bool(questions_of(self.game.INFO.id, self.trial.preset))

    def leave_end(self, state: TableState) -> None:
        """Begin the next lesson; after the last the test, or leave if there is none."""
        if self.trial.following is not None:
            self.trial.open(self.trial.number + 1)
            self.lay()
        elif self.has_test:
            state.frontend.open("test")
        else:
            super().leave_end(state)

    def advance(self, state: TableState) -> bool:
        """Keep the step that was reached, and go to the next position."""
        course = self.trial
        if course.own is not None:
            return course.go_on()
        course.finish_step()
        more = course.go_on()
        value = {"step": course.at if more else 0, "done": not course.missing, "solved": sorted(course.solved)}
        state.frontend.remember(LESSONS, key_of(self.game.INFO.id, self.trial.lesson), value)
        if course.missing and not more:  # a step that was only seen comes back
            missed = course.lesson.step[course.missing[0]].code
            state.frontend.remember(MISTAKES, missed, missed_in_learning(course.lesson.idea, date.today()))
        return more


def _after_the_first_step(table: LessonTable, state: TableState) -> str | None:
    """Refuses a verb at the first step, and at the end unless a step is still to be solved."""
    if table.over:
        return unless(bool(table.trial.missing))
    return unless(table.looking and table.trial.at > 0)


@LESSON_VERBS.verb("n", "Skip", while_looking, display="→", title="The next step", help="the next step")
def skip(table: LessonTable, state: TableState) -> None:
    """Skip this step."""
    if table.trial.skip():
        table.lay()
    else:
        table.finish()


@LESSON_VERBS.verb("b", "Back", _after_the_first_step, display="←", title="The step before", help="the step before")
def back(table: LessonTable, state: TableState) -> None:
    """Go back a step; at the end to the first step that is not solved."""
    if table.over:
        table.trial.take_again(table.trial.missing[0])
    else:
        table.trial.go_back()
    table.lay()


LESSON_VERBS.place("puzzles", "p", "Puzzles", at_the_end, title="Puzzles of this idea")
LESSON_VERBS.place("play_game", "g", "Game", at_the_end, title="A game in which the idea helps")
