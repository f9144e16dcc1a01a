"""Right moves to find, as tasks at a table: the steps of a lesson, a puzzle, the mistakes of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from duelbox.bots import Level, levels
from duelbox.core.match import Match
from duelbox.core.model import Seat
from duelbox.core.news import Laid, Moved, News
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.learn import mistakes, strength
from duelbox.learn.lessons import Course
from duelbox.learn.mistakes import Mistakes
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.learn.tries import Trial, Tried
from duelbox.solve.api import Analysis
from duelbox.solve.sentences import HINTS
from duelbox.store.store import Store
from duelbox.table.cues import Part, Play, Refusals, Tone, saying
from duelbox.table.local import LocalTable
from duelbox.table.opening import Opening, apart, computer
from duelbox.table.sitting import Sitting
from duelbox.table.state import TableState
from duelbox.table.verbs import Verb

TAKEN_BACK = 8.0
"""A wrong try is taken back by itself after so many seconds."""

T = TypeVar("T", bound=Trial)
K = TypeVar("K")
R = TypeVar("R")


def people_in(session: Session) -> tuple[Who, Who]:
    """Two people with the names in a session."""
    one, two = session.names
    return Who(name=one), Who(name=two)


def by(method: Callable[[K, TableState], R]) -> Callable[[TableState], R]:
    """What a verb does, or why it cannot be done, by a method of the task at hand."""
    return lambda state: method(cast("K", state.task), state)


def opens(place: str) -> Callable[[TableState], None]:
    """Open what lies beside the table."""
    return lambda state: cast("None", state.face.open(place))


def named(*verbs: Verb) -> Mapping[str, Verb]:
    """Verbs by their names."""
    return {verb.id: verb for verb in verbs}


class TrialTable(Sitting):
    """A position at which the right move is looked for: the trial decides what becomes of a move."""

    def __init__(self, trial: Trial) -> None:
        session = trial.session.copy()
        super().__init__(session, people_in(session), Match(), session.options)
        self.trial = trial
        self.tried: Tried | None = None
        """What became of the last try, while it is shown."""
        self.over = False
        """All is done, and the end is shown."""
        self.seeker = session.turn
        """The seat that looks for the move; a right one may be played on, and even end the game."""
        self._news: list[News] = []

    @property
    def looking(self) -> bool:
        """A move is looked for: neither a try is shown nor the end."""
        return self.tried is None and not self.over

    @property
    def people(self) -> tuple[Seat, ...]:
        """The one who looks for the move."""
        return () if self.seeker is None else (self.seeker,)

    @property
    def my_turn(self) -> bool:
        """A move may be tried."""
        return self.looking

    @property
    def score(self) -> Match:
        """Nothing is counted here."""
        return self.match

    @property
    def hands_open(self) -> bool:
        """Hidden numbers are shown when the game is over."""
        return self.session.outcome is not None

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, which hints tell from."""
        return self.trial.analysis if self.looking else None

    def why_not(self, verb: str) -> str:
        """Nothing of what is done in a match can be done here."""
        return ""

    async def play(self, move: str) -> None:
        """Let the trial judge a move, beside the event loop, and show what becomes of it; raises MoveError."""
        self.tried = await asyncio.to_thread(self.trial.attempt, move)
        new = self.tried.played.plies[len(self.session.plies) :]
        self.session = self.tried.played
        self._news += [Moved(ply.seat, ply) for ply in new] or [Laid()]

    def lay(self) -> None:
        """Lay the position at hand, for another try."""
        self.session, self.tried, self.over = self.trial.session.copy(), None, False
        self.players, self.seeker = people_in(self.session), self.session.turn
        self._news.append(Laid())

    def end(self) -> None:
        """Show the end."""
        self.over = True
        self._news.append(Laid())

    def take_news(self) -> Sequence[News]:
        """What happened at this very table since this was asked last."""
        taken, self._news = self._news, []
        return taken


class Finding(Play, Generic[T]):
    """A task with right moves to find: a wrong try is answered and taken back, a right one leads on."""

    verbs: Mapping[str, Verb]

    def __init__(self, trial: T) -> None:
        self.trial = trial
        self.table = TrialTable(trial)
        """Where it lies."""

    # -- what is said

    def prompt(self, state: TableState, refusals: Refusals) -> tuple[str, tuple[Part, ...]]:
        """What Enter and other keys do: try a move, go on from a try, or leave the end."""
        tried = self.table.tried
        if self.table.over:
            return self.end()
        if tried is None:
            return super().prompt(state, refusals)
        if tried.right:
            return "Right", ((f"Enter: {self.way_on()}", "play"),)
        return "Not yet", (("Enter: try again", "play"),)

    def note(self, state: TableState) -> str:
        """What matters most: a refusal, the end, what became of the try, or the task."""
        tried = self.table.tried
        if first := saying(state):
            return first
        if self.table.over:
            return self.result()
        if tried is None:
            return self.trial.asked
        return f"{tried.move} is right. {tried.sentence}" if tried.right else tried.sentence

    def labels(self, state: TableState) -> Mapping[str, str]:
        """Enter goes on after a try."""
        return {} if self.table.looking else {"play": "Go on"}

    def line(self, state: TableState) -> str:
        """The move as it was typed so far, or as it was tried."""
        if self.table.over or self.table.tried is None:
            return state.line
        return self.table.tried.move

    def tone(self, state: TableState) -> Tone:
        """Refused, where a try was wrong; the end, where all is done."""
        if self.table.looking:
            return super().tone(state)
        if self.table.over:
            return "ended"
        return "refused" if self.table.tried and not self.table.tried.right else ""

    def otherwise(self, state: TableState) -> str:
        """While a try is shown, any key that does nothing else goes on."""
        return "" if self.table.looking else "play"

    def way_on(self) -> str:
        """The next thing after a right move."""
        raise NotImplementedError

    def end(self) -> tuple[str, tuple[Part, ...]]:
        """The prompt when all is done, and its parts."""
        raise NotImplementedError

    def result(self) -> str:
        """The note when all is done."""
        raise NotImplementedError

    # -- what is done

    def found(self, state: TableState) -> bool:
        """Go on from a position that is done with; False at the end."""
        return self.trial.go_on()

    def proceed(self, state: TableState) -> None:
        """On to the next position, or to the end."""
        if self.found(state):
            self.table.lay()
        else:
            self.table.end()

    async def go_on(self, state: TableState) -> None:
        """Try the move in the line; after a try, go on; from the end, leave."""
        table = self.table
        if table.over:
            self.leave(state)
        elif table.tried is not None:
            self.proceed(state) if table.tried.right else table.lay()
        else:
            await state.play_line()
            asyncio.get_running_loop().call_later(TAKEN_BACK, partial(self._take_back, state, table.tried))

    def _take_back(self, state: TableState, tried: Tried | None) -> None:
        if tried and not tried.right and self.table.tried is tried:  # else somebody went on meanwhile
            self.table.lay()
            state.heard(*self.table.take_news())

    def leave(self, state: TableState) -> None:
        """Back to where this was opened."""
        state.face.open("leave")

    def answer(self, state: TableState) -> None:
        """Lay a right move into the line."""
        move = self.trial.right[0]
        self.trial.answered()
        state.draft(move, pointed=True)
        state.say(f"Play {move}.")

    def why_no_help(self, state: TableState) -> str | None:
        """Help is there while a move is looked for."""
        return None if self.table.looking else ""


PLAY = Verb(id="play", key="enter", label="Play", do=by(Finding.go_on))
ANSWER = Verb(id="answer", key="a", label="Answer", do=by(Finding.answer), why_not=by(Finding.why_no_help))
RULES = Verb(id="help", key="question_mark", display="?", label="Rules", do=opens("help"))
LEAVE = Verb(id="leave", key="escape", label="Leave", do=opens("leave"))


class Lesson(Finding[Course]):
    """The steps of a game's lesson, one after the other."""

    place = "Lesson"

    def aside(self, state: TableState) -> str:
        """How far the lesson is."""
        return f"Step {self.trial.at + 1} of {len(self.trial.lesson.step)}"

    def way_on(self) -> str:
        """The next step, or the end."""
        return "the rule to take along" if self.trial.at + 1 == len(self.trial.lesson.step) else "next step"

    def end(self) -> tuple[str, tuple[Part, ...]]:
        """A game can be played."""
        return "Done", (("Enter: leave", "play"), ("p: play a game", "play_game"))

    def result(self) -> str:
        """The rule to take along."""
        return f"Take this along: {self.trial.lesson.rule}"

    def found(self, state: TableState) -> bool:
        """Note how far the lesson has been taken, and go to the next step."""
        more = self.trial.go_on()
        game_id, at = self.table.game.INFO.id, self.trial.at
        state.face.remember("lesson", game_id, {"step": at if more else 0, "done": not more})
        return more

    def skip(self, state: TableState) -> None:
        """On to the next step without this one."""
        if self.trial.go_on():
            self.table.lay()
        else:
            self.leave(state)

    def back(self, state: TableState) -> None:
        """To the step before."""
        self.trial.go_back()
        self.table.lay()

    def why_not_back(self, state: TableState) -> str | None:
        """There is a step before, but at the first."""
        return None if self.trial.at > 0 and self.table.looking else ""

    def why_no_game(self, state: TableState) -> str | None:
        """A game is offered at the end."""
        return None if self.table.over else ""

    verbs = named(
        PLAY,
        replace(ANSWER, key="a,h"),
        Verb(
            id="next",
            key="n",
            display="→",
            label="Skip",
            title="The next step",
            do=by(skip),
            why_not=by(Finding.why_no_help),
        ),
        RULES,
        LEAVE,
        Verb(
            id="back",
            key="b",
            display="←",
            label="Back",
            title="The step before",
            do=by(back),
            why_not=by(why_not_back),
        ),
        Verb(
            id="play_game",
            key="p",
            label="Play",
            title="Play the game",
            do=opens("game"),
            why_not=by(why_no_game),
        ),
    )


H = TypeVar("H", bound=Solving | Mistakes)


class Hinting(Finding[H]):
    """A task with hints."""

    def hint(self, state: TableState) -> None:
        """The next of three hints; after a wrong try, where they were left."""
        state.hint_step = self.trial.hint_step
        if state.hint_step < HINTS:
            self.trial.hinted()
        state.next_hint()


HINT = Verb(id="hint", key="h", label="Hint", do=by(Hinting.hint), why_not=by(Finding.why_no_help))


class Solve(Hinting[Solving]):
    """One puzzle; at its end a result to share, and the next one."""

    place = "Puzzle"

    def __init__(self, puzzles: Sequence[Puzzle], day: date | None = None) -> None:
        """Of several puzzles, the first; the others follow."""
        super().__init__(Solving(puzzles[0], DEFAULT_NAMES))
        self.rest, self.day = puzzles[1:], day
        self._began = monotonic()
        self._attempt: strength.Attempt | None = None
        self._shared = ""

    @property
    def last_of_day(self) -> bool:
        """The other days follow, rather than another puzzle."""
        return self.day is not None and not self.rest

    def aside(self, state: TableState) -> str:
        """The day, and how hard it is."""
        return f"{self.day or ''}  {'★' * self.trial.puzzle.grade}".strip()

    def labels(self, state: TableState) -> Mapping[str, str]:
        """After the puzzle of a day come the other days."""
        return {**super().labels(state), **({"next": "Calendar"} if self.last_of_day else {})}

    def way_on(self) -> str:
        """The result, at the end of the line."""
        return "the result" if self.trial.done else "go on"

    def end(self) -> tuple[str, tuple[Part, ...]]:
        """The next puzzle, and the result to be copied."""
        on = "Enter: calendar" if self.last_of_day else "Enter: next puzzle"
        solved = self._attempt is not None and not self._attempt.shown
        return "Solved" if solved else "Done", ((on, "play"), ("c: copy result", "share"))

    def result(self) -> str:
        """The result, as it is shared."""
        return self._shared

    def found(self, state: TableState) -> bool:
        """Keep what was done when the line is at its end."""
        if self.trial.go_on():
            return True
        day = self.day.isoformat() if self.day else ""
        self._attempt = strength.attempt_of(self.trial, monotonic() - self._began, day)
        state.face.remember(strength.KIND, self.trial.puzzle.code, self._attempt.model_dump(mode="json"))
        self._shared = strength.shared(self.table.game.INFO.title, self._attempt, ascii_only=state.face.ascii_only)
        return False

    def leave(self, state: TableState) -> None:
        """On to the next puzzle."""
        state.face.open("next")

    def share(self, state: TableState) -> None:
        """Copy the result."""
        state.face.copy(self._shared)

    def why_no_result(self, state: TableState) -> str | None:
        """There is a result at the end."""
        return None if self.table.over else ""

    verbs = named(
        PLAY,
        HINT,
        ANSWER,
        Verb(id="next", key="n", label="Next puzzle", do=opens("next")),
        RULES,
        LEAVE,
        Verb(
            id="share",
            key="c",
            label="Copy result",
            title="Copy the result, without the answer",
            do=by(share),
            why_not=by(why_no_result),
        ),
    )


class Mend(Hinting[Mistakes]):
    """One mistake after the other; nothing of what followed is in here before the move is found."""

    place = "Mistakes"

    def __init__(self, trial: Mistakes, rounds: int = 1, kept: Sequence[Mapping[str, Any]] = ()) -> None:
        """`rounds` are those of the match; `kept` are mistakes that come back, as they were kept."""
        super().__init__(trial)
        self._rounds, self._kept = rounds, kept
        self.level = level_after(trial.session.game.INFO.id, None)
        """The level to play on against."""

    def aside(self, state: TableState) -> str:
        """How far one is, and where in the game."""
        mistake = self.trial.mistake
        turn = f" · turn {mistake.ply}" if mistake.ply else ""
        rounds = f" of round {mistake.round + 1}" if self._rounds > 1 else ""
        return f"Mistake {self.trial.at + 1} of {len(self.trial.todo)}{turn}{rounds}"

    def labels(self, state: TableState) -> Mapping[str, str]:
        """The rest at the end, and who is played on against."""
        more = {"next": f"{len(self.trial.rest)} more"} if self.table.over else {}
        return {**super().labels(state), **more, **plays(self.level)}

    def way_on(self) -> str:
        """The next mistake, or the end."""
        return "how you did" if self.trial.done else "next mistake"

    def end(self) -> tuple[str, tuple[Part, ...]]:
        """The rest can be had."""
        more = ((f"m: {len(self.trial.rest)} more", "next"),) if self.trial.rest else ()
        return "Done", (("Enter: leave", "play"), *more)

    def result(self) -> str:
        """How the mistakes were found."""
        return self.trial.told()

    def found(self, state: TableState) -> bool:
        """A kept mistake that was looked at comes back later, or no more."""
        found = self.trial.results.get(self.trial.at)
        if self._kept and found:
            value = mistakes.again(dict(self._kept[self.trial.at]), found == "found", date.today())
            state.face.remember(mistakes.KIND, value["code"], value)
        return self.trial.go_on()

    def skip(self, state: TableState) -> None:
        """Leave this one for the next; at the end, on to the rest."""
        if self.table.over:
            self.trial.more()
            self.table.lay()
        else:
            self.proceed(state)

    def why_no_next(self, state: TableState) -> str | None:
        """At the end, the rest can be had."""
        return None if (self.trial.rest if self.table.over else self.table.looking) else ""

    def keep(self, state: TableState) -> None:
        """Keep this mistake, to come back."""
        value = self.trial.mistake.kept(date.today())
        state.face.remember(mistakes.KIND, value["code"], value)
        state.say("Kept. It comes back after 1, 3, 7 and 21 days, until you find it twice in a row.")

    def why_not_keep(self, state: TableState) -> str | None:
        """One that comes back is kept already."""
        return "" if self.table.over or self._kept else None

    def played_on(self, store: Store) -> LocalTable:
        """A new game from the position looked at, against the computer."""
        session, tried = self.trial.session, self.table.tried
        assert session.turn is not None
        assert self.level is not None
        from_here = tried.played if tried and tried.right and tried.played.turn is not None else session
        return against(from_here, session.turn, self.level, store)

    def other_level(self, state: TableState) -> None:
        """The next level to play on against."""
        self.level = level_after(self.table.game.INFO.id, self.level)

    def why_no_computer(self, state: TableState) -> str | None:
        """Somebody plays this game."""
        return None if self.level is not None else ""

    verbs = named(
        PLAY,
        HINT,
        ANSWER,
        Verb(id="next", key="n,m", label="Next", title="Next mistake", do=by(skip), why_not=by(why_no_next)),
        RULES,
        LEAVE,
        Verb(
            id="keep",
            key="k",
            label="Keep",
            title="Keep this mistake; it comes back in a few days",
            do=by(keep),
            why_not=by(why_not_keep),
        ),
        Verb(
            id="play_on",
            key="p",
            label="Play on",
            title="Play on from here against the computer",
            do=opens("play on"),
            why_not=by(why_no_computer),
        ),
        Verb(
            id="level",
            key="l",
            label="Level",
            title="Another level of the computer to play on against",
            do=by(other_level),
            why_not=by(why_no_computer),
        ),
    )


# -- playing on


def level_after(game_id: str, level: Level | None) -> Level | None:
    """The next level of the computer, after the strongest the weakest again; none where nobody plays."""
    known = levels(game_id)
    return known[(known.index(level) + 1) % len(known)] if level in known else known[len(known) // 2] if known else None


def plays(level: Level | None) -> Mapping[str, str]:
    """The label of the key that plays on, with the level."""
    return {"play_on": f"Play {level.name}"} if level is not None else {}


def against(session: Session, seat: Seat, level: Level, store: Store) -> LocalTable:
    """A new game from a position: the one who sits here against the computer."""
    one, two = (Who(name=session.names[at]) if at == seat else computer(level) for at in (0, 1))
    return LocalTable.of(Opening(session.copy(), fresh=True), apart(one, two), store=store)
