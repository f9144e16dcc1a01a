"""The mistakes of a match, and those of older games that come back, as a task at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from duelbox.learn.ideas import MISTAKES, Again, Returned
from duelbox.learn.mistakes import Mistakes
from duelbox.table.prompts import Part
from duelbox.table.state import TableState
from duelbox.table.task import game_against, level_after, play_on_label, verb
from duelbox.table.trial import TrialTask, at_end, looking


def _has_level(task: MistakesTask) -> bool:
    return task.level is not None


class MistakesTask(TrialTask[Mistakes]):
    """The mistakes of a match, one after the other; what was played after one is not shown before it is mended."""

    place = "Mistakes"

    def __init__(self, trial: Mistakes, rounds: int = 1, kept: Sequence[Again] = ()) -> None:
        """`rounds` is the number of rounds of the match; `kept` are mistakes of older games that come back today."""
        super().__init__(trial)
        self._rounds, self.kept = rounds, kept
        self.level = level_after(trial.session.game.INFO.id, None)
        """The level of the computer that `play_on` plays against."""

    def aside(self) -> str:
        """The number of the mistake, and its turn and round."""
        mistake = self.trial.mistake
        turn = f" · turn {mistake.ply}" if mistake.ply else ""
        rounds = f" of round {mistake.round + 1}" if self._rounds > 1 else ""
        return f"Mistake {self.trial.at + 1} of {len(self.trial.todo)}{turn}{rounds}"

    def labels(self) -> Mapping[str, str]:
        """The number of further mistakes at the end, and the level to play on against."""
        more = {"next": f"{len(self.trial.rest)} more"} if self.table.over else {}
        return {**super().labels(), **more, **play_on_label(self.level)}

    @property
    def commands(self) -> Mapping[str, str]:
        """The command for the lesson on the idea met most often."""
        return {"lesson": f"duelbox learn {self.table.game.INFO.id} {(self.trial.lesson or 0) + 1}"}

    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        return "how you did" if self.trial.done else "next mistake"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The count of the mistakes that were mended, and of the rest."""
        more = ((f"m: {len(self.trial.rest)} more", "next"),) if self.trial.rest else ()
        learn = (("t: its lesson", "lesson"),) if self.trial.lesson is not None else ()
        return self.trial.summary(), "Done", (("Enter: leave", "play"), *more, *learn)

    def advance(self, state: TableState) -> bool:
        """Record the result of a mistake that came back, and go to the next."""
        result = self.trial.results.get(self.trial.at)
        if self.kept and result:
            done = Returned(code=self.trial.session.code(), found=result == "found", day=date.today())
            state.frontend.remember(MISTAKES, self.kept[self.trial.at].key, done.model_dump(mode="json"))
        return self.trial.go_on()

    @verb(
        "n,m",
        "Next",
        when=lambda task: looking(task) or (at_end(task) and bool(task.trial.rest)),
        title="Next mistake",
        alias="skip",
        in_lines="the next mistake",
    )
    def next(self, state: TableState) -> None:
        """Skip this mistake; at the end, go on with the rest."""
        if self.table.over:
            self.trial.more()
            self.table.lay()
        else:
            self.go_on(state)

    @verb("p", "Play on", when=_has_level, title="Play on from here against the computer")
    def play_on(self, state: TableState) -> None:
        """Begin a new game from the position shown, against the computer."""
        session, attempt, seat = self.trial.session, self.table.attempt, self.trial.session.turn
        assert seat is not None
        assert self.level is not None
        mended = attempt is not None and attempt.right and attempt.played.turn is not None
        played = attempt.played if attempt and mended else session
        state.frontend.lay(game_against(played, seat, self.level), "")

    @verb(
        "t",
        "Lesson",
        when=lambda task: at_end(task) and task.trial.lesson is not None,
        title="The lesson on the idea met most often",
    )
    def lesson(self, state: TableState) -> None:
        """Open the lesson on the idea met most often."""
        state.frontend.open("lesson")

    @verb("l", "Level", when=_has_level, title="Another level of the computer to play on against")
    def next_level(self, state: TableState) -> None:
        """Choose the next level to play on against."""
        self.level = level_after(self.table.game.INFO.id, self.level)
