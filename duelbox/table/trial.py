"""Right moves to find, as tasks at a table: a puzzle, the mistakes of a game; lessons are in `lesson.py`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from time import monotonic
from typing import Any, Generic, TypeVar

from duelbox.core.match import Match
from duelbox.core.model import Seat, player
from duelbox.core.news import Moved, PositionChanged
from duelbox.core.session import DEFAULT_NAMES
from duelbox.learn.ideas import MISTAKES, Again, Returned
from duelbox.learn.lessons import Course
from duelbox.learn.mistakes import Mistakes
from duelbox.learn.puzzle_results import PUZZLES, PuzzleResult, result_of, shared
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.learn.trial import Attempt, Trial
from duelbox.solve.api import Analysis, Mark
from duelbox.solve.sentences import HINTS
from duelbox.table.base import BaseTable
from duelbox.table.hints import next_hint
from duelbox.table.prompts import WORKING, Part, Prompts, Refusals, Tone, saying, story
from duelbox.table.state import TableState
from duelbox.table.task import VerbTask, against, level_after, people_in, plays, verb

TAKEN_BACK = 8.0
"""A wrong try is taken back by itself after so many seconds."""
JUDGING = 0.1
"""So long a try is waited for before it says that it is being worked out."""

T = TypeVar("T", bound=Trial)


class TrialTable(BaseTable):
    """A position at which the right move is looked for: the trial decides what becomes of a move."""

    def __init__(self, trial: Trial) -> None:
        session = trial.session.copy()
        super().__init__(session, people_in(session), Match(), session.options)
        self.trial = trial
        self.tried: Attempt | None = None
        """The result of the last try, while it is shown."""
        self.judging: asyncio.Task[None] | None = None
        """A move is being judged."""
        self.over = False
        """All is done, and the end is shown."""
        self.seeker = session.turn
        """The seat that looks for the move; a right one may be played on, and even end the game."""

    @property
    def looking(self) -> bool:
        """A move is looked for: none is judged, and neither a try is shown nor the end."""
        return self.tried is None and self.judging is None and not self.over

    @property
    def people(self) -> tuple[Seat, ...]:
        """The one who looks for the move."""
        return () if self.seeker is None else (self.seeker,)

    @property
    def my_turn(self) -> bool:
        """A move may be tried."""
        return self.looking

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, which hints tell from."""
        return self.trial.analysis if self.looking else None

    @property
    def shown(self) -> tuple[Mark, ...]:
        """The marks of what a right move was good for, while they are shown."""
        return self.tried.shown if self.tried else ()

    async def play(self, move: str) -> None:
        """Let the trial judge a move beside the event loop, and wait a moment for what becomes of it."""
        self.judging = asyncio.create_task(self._judge(move))
        await asyncio.wait((self.judging,), timeout=JUDGING)

    async def _judge(self, move: str) -> None:
        self.tried = await asyncio.to_thread(self.trial.attempt, move)
        self.judging = None
        new = self.tried.played.plies[len(self.session.plies) :]
        self.session = self.tried.played
        self.happened += [Moved(ply.seat, ply) for ply in new] or [PositionChanged()]

    def lay(self) -> None:
        """Lay the position at hand, for another try."""
        self.session, self.tried, self.over = self.trial.session.copy(), None, False
        self.players, self.seeker = people_in(self.session), self.session.turn
        self.happened.append(PositionChanged())

    def end(self) -> None:
        """Show the end."""
        self.over = True
        self.happened.append(PositionChanged())


def looking(task: FindingTask[Any]) -> bool:
    """A move is looked for."""
    return task.table.looking


def at_end(task: FindingTask[Any]) -> bool:
    """All is done."""
    return task.table.over


class FindingTask(VerbTask, Generic[T]):
    """A task with right moves to find: a wrong try is answered and taken back, a right one leads on."""

    def __init__(self, trial: T) -> None:
        self.trial = trial
        self.table = TrialTable(trial)
        """The table it lies on."""

    # -- what differs

    def aside(self) -> str:
        """The end of the top line."""
        raise NotImplementedError

    def way_on(self) -> str:
        """The next thing after a right move, in words."""
        raise NotImplementedError

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """When all is done: the note, the prompt and its parts."""
        raise NotImplementedError

    def found(self, state: TableState) -> bool:
        """Go on from a position that is done with; False at the end."""
        return self.trial.go_on()

    def labels(self) -> Mapping[str, str]:
        """The names of keys that change: Enter goes on after a try."""
        return {"play": "Go on"} if self.table.tried is not None or self.table.over else {}

    # -- what is said

    def _asked(self, state: TableState) -> str:
        """The task, told to the player who sits here."""
        you, told = state.table.voice.you, self.trial.asked
        if you is not None:
            told = told.replace(f"{player(you)} to move and", "Your move:").replace(
                f"{player(you)} played", "You played"
            )
        return state.session.named(told)

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The task; or what became of the try; or the end. Any key that does nothing else goes on from a try."""
        tried, aside, labels, told = self.table.tried, self.aside(), self.labels(), story(state)
        if self.table.over:
            note, prompt, parts = self.end()
            note = state.said or note
            return Prompts(prompt, parts, note, refusals, aside, labels, tone="ended", story=told, any_key="play")
        if self.table.judging is not None:
            return Prompts("", (), WORKING, refusals, aside, labels, story=told)
        if tried is None:
            note = state.session.named(saying(state)) or self._asked(state)
            return replace(super().prompts(state, refusals), note=note, aside=aside, labels=labels)
        prompt, on = ("Right", self.way_on()) if tried.right else ("Not yet", "try again")
        note = f"{tried.move} is right. {tried.sentence}" if tried.right else f"{tried.sentence} {self._asked(state)}"
        note = state.said or note.strip()
        tone: Tone = "" if tried.right else "refused"
        parts = ((f"Enter: {on}", "play"),)
        return Prompts(prompt, parts, note, refusals, aside, labels, tried.move, tone, told, any_key="play")

    # -- what is done

    @verb("enter", "Play")
    async def play(self, state: TableState) -> None:
        """Try the move in the line; after a try, go on; from the end, leave."""
        table = self.table
        if table.over:
            self.go_away(state)
        elif table.looking:
            await state.play_line()
            if table.judging is None:
                self._shown(state)
            else:
                state.frontend.run(self._judged(state, table.judging))
        elif table.tried is not None and table.tried.right:
            self.proceed(state)
        elif table.tried is not None:
            table.lay()

    async def _judged(self, state: TableState, judging: asyncio.Task[None]) -> None:
        """Show what became of a try that took longer."""
        await judging
        state.heard(*self.table.take_news())
        self._shown(state)

    def _shown(self, state: TableState) -> None:
        """Take a wrong try back after a while."""
        if (tried := self.table.tried) is not None and not tried.right:
            asyncio.get_running_loop().call_later(TAKEN_BACK, self._take_back, state, tried)

    def _take_back(self, state: TableState, tried: Attempt) -> None:
        if self.table.tried is tried:  # else somebody went on meanwhile
            self.table.lay()
            state.heard(*self.table.take_news())

    def proceed(self, state: TableState) -> None:
        """On to the next position, or to the end."""
        if self.found(state):
            self.table.lay()
        else:
            self.table.end()

    def go_away(self, state: TableState) -> None:
        """Leave the end."""
        self.leave(state)

    @verb("h", "Answer", when=looking, shown=False)
    def hint(self, state: TableState) -> None:
        """All the help there is, where there are no hints."""
        self.answer(state)

    @verb("a", "Answer", when=looking)
    def answer(self, state: TableState) -> None:
        """Lay a right move into the line."""
        move = self.trial.right[0]
        self.trial.answered()
        state.set_line(move, pointed=True)
        state.say(f"Play {move}.")

    @verb("n", "Next", when=looking)
    def next(self, state: TableState) -> None:
        """Leave this position for the next."""
        self.proceed(state)

    @verb("question_mark", "Rules", display="?")
    def help(self, state: TableState) -> None:
        """The rules of the game."""
        state.frontend.open("help")

    @verb("escape,q", "Leave", display="esc")
    def leave(self, state: TableState) -> None:
        """Back to where this was opened."""
        state.frontend.open("leave")


H = TypeVar("H", bound=Course | Solving | Mistakes)


class HintingTask(FindingTask[H]):
    """A task with hints."""

    @verb("h", "Hint", when=looking)
    def hint(self, state: TableState) -> None:
        """The next of three hints; after a wrong try they go on where they were left."""
        state.hint_step = self.trial.hint_step
        if state.hint_step < HINTS:
            self.trial.hinted()
        next_hint(state)


class PuzzleTask(HintingTask[Solving]):
    """One puzzle; at its end a result to share, and the next one."""

    place = "Puzzle"

    def __init__(
        self, puzzles: Sequence[Puzzle], day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Of several puzzles, the first; the others follow. `done` are those of the day that went before."""
        super().__init__(Solving(puzzles[0], DEFAULT_NAMES))
        self.rest, self.day = puzzles[1:], day
        self._before = tuple(done)
        self._attempt: PuzzleResult | None = None
        self._began = monotonic()
        self._result, self._solved = "", False

    @property
    def last_of_day(self) -> bool:
        """The other days follow, rather than another puzzle."""
        return self.day is not None and not self.rest

    @property
    def last_of_idea(self) -> bool:
        """The puzzles of an idea are over, and no other follows."""
        return self.day is None and not self.rest and bool(self._before)

    @property
    def done(self) -> tuple[PuzzleResult | None, ...]:
        """What was done of the day's puzzles, this one at the end; None for one that was left out."""
        return *self._before, self._attempt

    def aside(self) -> str:
        """The day, which of its positions it is, and how hard it is."""
        at, count = len(self.done), len(self.done) + len(self.rest)
        signs = "".join("·" if one is None else "■" if one.solved else "□" for one in self.done)
        place = f" · {at} of {count} {signs:·<{count}}" if count > 1 else ""
        return f"{self.day or ''}{place}  {'★' * self.trial.puzzle.grade}".lstrip(" ·")

    def labels(self) -> Mapping[str, str]:
        """After the puzzles of a day come the other days."""
        return {**super().labels(), **({"next": "Calendar"} if self.last_of_day else {})}

    def way_on(self) -> str:
        """The next thing after a right move, in words."""
        return "the result" if self.trial.done else "go on"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The result, and the idea there was to see."""
        idea = self.trial.puzzle.idea
        told = f"{self._result}. The idea: {idea}." if idea else self._result
        on = f"Enter: next p{'osition' if self.day else 'uzzle'}"
        on = "Enter: calendar" if self.last_of_day else "Enter: leave" if self.last_of_idea else on
        return told, "Solved" if self._solved else "Done", ((on, "play"), ("c: copy result", "share"))

    def found(self, state: TableState) -> bool:
        """Keep what was done when the line is at its end."""
        if self.trial.go_on():
            return True
        attempt = result_of(self.trial, monotonic() - self._began, self.day.isoformat() if self.day else "")
        state.frontend.remember(PUZZLES, self.trial.puzzle.code, attempt.model_dump(mode="json"))
        self._attempt, self._solved = attempt, not attempt.shown
        done = [one for one in self.done if one]
        self._result = shared(self.table.game.INFO.title, done, ascii_only=state.frontend.settings.plain)
        return False

    def go_away(self, state: TableState) -> None:
        """From the result to the next puzzle."""
        self.next(state)

    @verb("n", "Next puzzle")
    def next(self, state: TableState) -> None:
        """The next puzzle, or the other days."""
        state.frontend.open("next")

    @verb("c", "Copy result", when=at_end, title="Copy the result, without the answer")
    def share(self, state: TableState) -> None:
        """Copy the result."""
        state.frontend.copy(self._result)


def _somebody_plays(task: MistakesTask) -> bool:
    return task.level is not None


class MistakesTask(HintingTask[Mistakes]):
    """One mistake after the other; nothing of what followed is in here before the move is found."""

    place = "Mistakes"

    def __init__(self, trial: Mistakes, rounds: int = 1, kept: Sequence[Again] = ()) -> None:
        """`rounds` are those of the match; `kept` are what came back."""
        super().__init__(trial)
        self._rounds, self.kept = rounds, kept
        self.level = level_after(trial.session.game.INFO.id, None)
        """The level to play on against."""

    def aside(self) -> str:
        """The number of the mistake, and its turn in the game."""
        mistake = self.trial.mistake
        turn = f" · turn {mistake.ply}" if mistake.ply else ""
        rounds = f" of round {mistake.round + 1}" if self._rounds > 1 else ""
        return f"Mistake {self.trial.at + 1} of {len(self.trial.todo)}{turn}{rounds}"

    def labels(self) -> Mapping[str, str]:
        """The rest at the end, and who is played on against."""
        more = {"next": f"{len(self.trial.rest)} more"} if self.table.over else {}
        return {**super().labels(), **more, **plays(self.level)}

    def way_on(self) -> str:
        """The next thing after a right move, in words."""
        return "how you did" if self.trial.done else "next mistake"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """A count of the mistakes found, and of the rest."""
        more = ((f"m: {len(self.trial.rest)} more", "next"),) if self.trial.rest else ()
        learn = (("t: its lesson", "lesson"),) if self.trial.lesson is not None else ()
        return self.trial.told(), "Done", (("Enter: leave", "play"), *more, *learn)

    def found(self, state: TableState) -> bool:
        """Let an idea that came back do so again later, or no more."""
        result = self.trial.results.get(self.trial.at)
        if self.kept and result:
            done = Returned(code=self.trial.session.code(), found=result == "found", day=date.today())
            state.frontend.remember(MISTAKES, self.kept[self.trial.at].key, done.model_dump(mode="json"))
        return self.trial.go_on()

    @verb(
        "n,m", "Next", when=lambda task: looking(task) or (at_end(task) and bool(task.trial.rest)), title="Next mistake"
    )
    def next(self, state: TableState) -> None:
        """Leave this one for the next; at the end, on to the rest."""
        if self.table.over:
            self.trial.more()
            self.table.lay()
        else:
            self.proceed(state)

    @verb("p", "Play on", when=_somebody_plays, title="Play on from here against the computer")
    def play_on(self, state: TableState) -> None:
        """A new game from the position looked at, against the computer."""
        session, tried, seat = self.trial.session, self.table.tried, self.trial.session.turn
        assert seat is not None
        assert self.level is not None
        played = tried.played if tried and tried.right and tried.played.turn is not None else session
        state.frontend.lay(against(played, seat, self.level), "")

    @verb(
        *("t", "Lesson"),
        when=lambda task: at_end(task) and task.trial.lesson is not None,
        title="The lesson on the idea met most often",
    )
    def lesson(self, state: TableState) -> None:
        """Take the lesson on the idea met most often."""
        state.frontend.open("lesson")

    @verb("l", "Level", when=_somebody_plays, title="Another level of the computer to play on against")
    def next_level(self, state: TableState) -> None:
        """The next level to play on against."""
        self.level = level_after(self.table.game.INFO.id, self.level)
