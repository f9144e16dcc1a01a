"""The mistakes of a match, and those of older games that come back, at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import ClassVar

from duelbox.learn.ideas import MISTAKES, Again, Returned
from duelbox.learn.mistakes import Mistakes
from duelbox.table.play_on import game_against, level_after, play_on_label
from duelbox.table.prompts import Part
from duelbox.table.refusals import unless
from duelbox.table.state import TableState
from duelbox.table.trial_table import TRIAL_VERBS, TrialTable
from duelbox.table.verb import Verb, Verbs

MISTAKES_VERBS = Verbs(TRIAL_VERBS)
"""The verbs of mistakes."""


class MistakesTable(TrialTable[Mistakes]):
    """The mistakes of a match, one after the other; what was played after one is not shown before it is mended."""

    verbs: ClassVar[Mapping[str, Verb]] = MISTAKES_VERBS
    NAME = "Mistakes"

    def __init__(self, trial: Mistakes, rounds: int = 1, kept: Sequence[Again] = ()) -> None:
        """`rounds` is the number of rounds of the match; `kept` are mistakes of older games that come back today."""
        super().__init__(trial)
        self._rounds = rounds
        self.kept = kept
        self.level = level_after(trial.session.game.INFO.id, None)
        """The level of the computer that `play_on` plays against."""

    @property
    def place(self) -> str:
        """The number of the mistake, and its turn and round."""
        mistake = self.trial.mistake
        turn = f" · turn {mistake.ply}" if mistake.ply else ""
        rounds = f" of round {mistake.round + 1}" if self._rounds > 1 else ""
        return f"Mistake {self.trial.at + 1} of {len(self.trial.todo)}{turn}{rounds}"

    def labels(self) -> Mapping[str, str]:
        """The number of further mistakes at the end, and the level to play on against."""
        labels = {**super().labels(), **play_on_label(self.level)}
        if self.over:
            labels["skip"] = f"{len(self.trial.rest)} more"
        return labels

    @property
    def commands(self) -> Mapping[str, str]:
        """The command for the lesson on the idea met most often."""
        return {"lesson": f"duelbox learn {self.game.INFO.id} {(self.trial.lesson or 0) + 1}"}

    @property
    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        return "how you did" if self.trial.done else "next mistake"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The count of the mistakes that were mended, and of the rest."""
        parts = [("Enter: leave", "play")]
        if self.trial.rest:
            parts.append((f"m: {len(self.trial.rest)} more", "skip"))
        if self.trial.lesson is not None:
            parts.append(("t: its lesson", "lesson"))
        return self.trial.summary(), "Done", tuple(parts)

    def advance(self, state: TableState) -> bool:
        """Record the result of a mistake that came back, unless its answer was shown, and go to the next."""
        result = self.trial.results.get(self.trial.at)
        if self.kept and result in ("found", "helped"):
            done = Returned(code=self.trial.session.code(), found=result == "found", day=date.today())
            state.frontend.remember(MISTAKES, self.kept[self.trial.at].key, done.model_dump(mode="json"))
        return self.trial.go_on()


def _while_there_are_more(table: MistakesTable, state: TableState) -> str | None:
    """Refuses a verb unless a mistake is looked at, or more wait at the end."""
    return unless(table.looking or (table.over and bool(table.trial.rest)))


def _with_a_level(table: MistakesTable, state: TableState) -> str | None:
    """Refuses a verb if no computer plays the game."""
    return unless(table.level is not None)


def _with_a_lesson(table: MistakesTable, state: TableState) -> str | None:
    """Refuses the lesson before the end, and if no lesson fits."""
    return unless(table.over and table.trial.lesson is not None)


@MISTAKES_VERBS.verb("n,m", "Next", _while_there_are_more, title="Next mistake", help="the next mistake")
def skip(table: MistakesTable, state: TableState) -> None:
    """Skip this mistake; at the end, go on with the rest."""
    if table.over:
        table.trial.more()
        table.lay()
    else:
        table.go_on(state)


@MISTAKES_VERBS.verb("p", "Play on", _with_a_level, title="Play on from here against the computer")
def play_on(table: MistakesTable, state: TableState) -> None:
    """Begin a new game from the position shown, against the computer."""
    session, attempt = table.trial.session, table.attempt
    seat = session.turn
    assert seat is not None
    assert table.level is not None
    if attempt is not None and attempt.right and attempt.played.turn is not None:
        session = attempt.played
    state.frontend.lay(game_against(session, seat, table.level), "")


MISTAKES_VERBS.place("lesson", "t", "Lesson", _with_a_lesson, title="The lesson on the idea met most often")


@MISTAKES_VERBS.verb("l", "Level", _with_a_level, title="Another level of the computer to play on against")
def next_level(table: MistakesTable, state: TableState) -> None:
    """Choose the next level to play on against."""
    table.level = level_after(table.game.INFO.id, table.level)
