"""What the table knows beside the match: the move being made, what was just said, who sits in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, Literal, TypeVar, get_args

from duelbox.core.errors import MoveError
from duelbox.core.game import Preset
from duelbox.core.model import Seat
from duelbox.core.session import Session
from duelbox.sitting.sitting import Sitting
from duelbox.solve import can_solve, sentences, why_no_verdict
from duelbox.solve.api import Analysis
from duelbox.solve.fact_cards import settled
from duelbox.ui.cues import Cues, cues_of
from duelbox.ui.game_board import GameBoard, Look, board_of, drawn, worths
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Worth

Ending = Literal["resign", "claim", "draw"]
ENDS = get_args(Ending)
"""The actions that may end the game at once, and take their key twice."""
Awaiting = Literal["", "play", "pass", "again"] | Ending

MAX_LINE = 12
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the move line means as it stands."""

    fault: MoveError | None = None
    """What is wrong with it; None where it is a move."""
    told: str = ""
    """What the move would do, where that may be told."""
    begun: tuple[str, ...] = ()
    """The moves it may become, where it is none yet."""


@dataclass(eq=False)
class TableState:
    """A match on the table as it is looked at; nothing in here would be brought back by undo."""

    sitting: Sitting
    line: str = ""
    pointed: bool = False
    """Whether the line was pointed at (by arrows or a click), not typed."""
    typed_on: str | None = None
    """What was typed on after something had been pointed at."""
    refusal: MoveError | None = None
    said: str = ""
    """A sentence for now: a hint, why the computer moved, that something was copied."""
    awaiting: Awaiting = ""
    """What the next Enter (or g, or k) does, where it does not play: confirm a move, pass the screen on, resign, claim;
    or only say that what was typed after the game was not played."""
    verdict_on: bool = False
    analysis: Analysis | None = None
    hint_step: int = 0
    given_up: bool = False
    """Whether the solver could not work it out, until it is asked again."""
    peek: bool = False
    paused: bool = False
    front: Seat | None = None
    """Between two people with secrets: who sits in front of the screen; None while it changes hands."""
    open_hand: bool = False
    """Whether a hand that nobody else can see lies open."""
    ended: float = 0.0
    """When the end of the game was drawn here, by the clock that is never set back."""
    turned: str | None = None
    """Where the game that is over turned, in a line; None until it is known."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys by what they do, where they differ from the built-in ones."""

    def __post_init__(self) -> None:
        """The one to move sits in front; but where the game has gone on, nobody knows who does."""
        self._known: dict[str, tuple[object, Any]] = {}
        if self.sitting.needs_curtain and self.sitting.under_way:
            self.leave_front()
        else:
            self.seat_front()

    # -- who looks

    def seat_front(self) -> None:
        """Whoever is to move sits in front."""
        self.front, self.awaiting = self.sitting.session.turn, ""

    def leave_front(self) -> None:
        """Nobody sits in front until the screen has been passed on."""
        self.front = None
        self.awaiting = "" if self.sitting.session.turn is None else "pass"

    @property
    def viewer(self) -> Seat | None:
        """Whose view is drawn: the only person's, or, between two, the one's who is to move, or sits in front."""
        people = self.sitting.people
        if self.sitting.needs_curtain:
            return self.front
        return people[0] if len(people) == 1 else self.sitting.session.turn if people else None

    def view(self) -> Any:
        """What that one may know: all of it after the game, unless the next round has the same draw."""
        session, sitting = self.sitting.session, self.sitting
        opened = session.outcome is not None and (sitting.score.over or len(sitting.match.winners) % 2)
        state = self.board.open_up(session.state) if opened else session.state
        view = session.game.view(state, self.viewer)
        return view.changed(turn=None, outcome=session.outcome) if session.cut_short else view

    @property
    def hand_lies_open(self) -> bool:
        """Whether the only person's hidden numbers are to be seen: nobody else looks."""
        return self.open_hand and len(self.sitting.people) == 1

    @property
    def may_move(self) -> bool:
        """Whether a person in front of the screen is to move."""
        sitting = self.sitting
        return sitting.my_turn and (not sitting.needs_curtain or self.front == sitting.session.turn)

    # -- the game, and the move being made

    @cached_property
    def settled(self) -> tuple[str, Preset[Any]] | None:
        """What is known of rules under which the game is decided before it begins, and a preset with more to decide."""
        return settled(self.sitting.game, self.sitting.options)

    @cached_property
    def board(self) -> GameBoard:
        """What the game brings for the screen."""
        return board_of(self.sitting.game.INFO.id)

    def move_made(self) -> None:
        """Forget what belonged to the position before; between two people with secrets, the screen changes hands."""
        self.draft("")
        self.analysis, self.hint_step, self.given_up, self.peek, self.turned = None, 0, False, False, None
        if self.sitting.needs_curtain and self.sitting.session.turn not in (None, self.front):
            self.leave_front()

    def round_dealt(self) -> None:
        """A new round begins, perhaps with the other player."""
        if self.sitting.needs_curtain:
            self.leave_front()
        else:
            self.seat_front()
        self.move_made()

    def draft(self, line: str, *, pointed: bool = False) -> None:
        """The move line changes, and with it what was said of the old one."""
        self.line, self.pointed, self.refusal, self.said = line, pointed, None, ""
        self.typed_on = "" if pointed else None
        if self.awaiting != "pass":
            self.awaiting = ""

    def type(self, char: str, *, is_key: bool) -> bool:
        """Take a character into the move line; False where it is no part of it. In the middle of a typed line letters
        are, so that no word fires keys of the table, and so is what is no key (`is_key`): it will be refused. What
        begins a move takes the place of letters that begin none."""
        if not self.may_move:
            return False
        goes_on = self.line if char in self.board.changing and self.refusal is None else self._continued()
        begins = partial(self.board.begins, self.view())
        if goes_on.isalpha() and not begins(goes_on) and (char in self.board.keys or begins(char)):
            goes_on = ""
        in_word = char.isalpha() and bool(goes_on) and not self.pointed
        if char in self.board.keys or begins(goes_on + char):
            self._type_on(goes_on, char)
        elif in_word or (not is_key and (goes_on or not char.isspace())):
            self.draft((goes_on + char)[:MAX_LINE])
        else:
            return False
        return True

    def _type_on(self, goes_on: str, char: str) -> None:
        """Type a character of a move: after what was pointed at, or, where that leads nowhere, after what was typed."""
        own, lines = self.typed_on, [self.board.typed(self.view(), goes_on, char)[:MAX_LINE]]
        if own:
            lines.append(self.board.typed(self.view(), own, char)[:MAX_LINE])
        for line in (*lines, lines[0]):
            self.draft(line)
            if self.reading.fault is None or self.reading.begun:
                break
        self.typed_on = None if own is None else own + char

    def _continued(self) -> str:
        """What is typed goes on from here: from nothing, after a refusal and after what was pointed at to the end."""
        at_end = self.pointed and (self.reading.fault is None or not self.reading.begun)
        return "" if at_end or self.refusal is not None else self.line

    def pick(self, target: str) -> str:
        """The line after pointing at this."""
        return self.board.pick(self.view(), self.line, target)

    def further(self, target: str | None) -> str | None:
        """What Enter makes of a line that is no move yet: it takes what the cursor is on, or the only way on."""
        if target and (picked := self.pick(target)) != self.line:
            return picked
        begun = self.reading.begun
        return begun[0] if len(begun) == 1 else None

    @property
    def reading(self) -> Reading:
        """What the line means, read once for each change."""
        session = self.sitting.session
        return self._once("reading", (session, session.stamp, self.line), lambda: self._read(session))

    def _once(self, name: str, about: object, work: Callable[[], T]) -> T:
        """What this work comes to, done once while it is about the same."""
        if name not in self._known or self._known[name][0] != about:
            self._known[name] = about, work()
        result: T = self._known[name][1]
        return result

    def _read(self, session: Session) -> Reading:
        try:
            return Reading(told=session.preview(self.line))
        except MoveError as fault:
            line = self.line.replace(" ", "").lower()
            if not line or session.full:
                return Reading(fault)
            at, text = (session, session.stamp), session.game.format_move  # an order can be put in 5,040 ways
            moves = self._once("moves", at, lambda: tuple(map(text, session.legal_moves())))
            begun = tuple(move for move in moves if move.startswith(line))
            return Reading(fault, begun=begun or tuple(move for move in moves if _ends(move, line)))

    # -- what is said and offered

    def say(self, sentence: str) -> None:
        """Say something for now, no more of what was refused; whoever asks for it has thought better of resigning."""
        if self.refusal is not None:
            self.draft("")
        self.said = sentence
        if self.awaiting in ENDS:
            self.awaiting = ""

    @property
    def cues(self) -> Cues:
        """What the table says and offers, worked out once for each change."""
        sitting, session = self.sitting, self.sitting.session
        of_match = (session, session.stamp, sitting.match, sitting.following, sitting.assisted, sitting.why)
        of_friend = (sitting.my_turn, sitting.presence, sitting.watched, sitting.offered, sitting.saved_as)
        facts = (*_facts(self), *of_match, *of_friend, sitting.why_no_claim())
        return self._once("cues", facts, lambda: cues_of(self))

    def look(self, glyphs: Glyphs) -> Look:
        """What the board should know beside the view."""
        session = self.sitting.session
        log = session.log()
        return Look(
            seat=self.viewer,
            names=session.names,
            line=self.line,
            last=log[-1][1] if log else "",
            events=session.plies[-1].events if log else (),
            marks=self._worths if self.verdict_on and self.may_know else {},
            shown=drawn(self.analysis, self.hint_step) if self.analysis and self.may_know and self.may_move else (),
            blockers=self.refusal.blockers if self.refusal else (),
            peek=self.peek or self.hand_lies_open,
            glyphs=glyphs,
        )

    # -- the verdict and hints

    @property
    def _worths(self) -> Mapping[str, Worth]:
        analysis = self.analysis
        return self._once("worths", (analysis,), lambda: worths(analysis) if analysis else {})

    @property
    def may_know(self) -> bool:
        """Whether a verdict may be shown: for the one in front, about their own move."""
        turn = self.sitting.session.turn
        seen = turn is not None and (not self.sitting.game.INFO.hidden or self.viewer == turn)
        return seen and self.sitting.lesson and can_solve(self.sitting.game.INFO.id)

    @property
    def wants_analysis(self) -> bool:
        """Whether the verdict or a hint waits for the solver."""
        asked = (self.verdict_on or self.hint_step > 0) and self.may_know and self.may_move
        return asked and not self.given_up and (self.analysis is None or not self.analysis.complete)

    @property
    def wants_turned(self) -> bool:
        """Whether it is to be worked out where the game turned; a round that is over may tell of the next one."""
        sitting, session = self.sitting, self.sitting.session
        over = session.outcome is not None and bool(session.plies) and sitting.score.over
        return over and self.turned is None and can_solve(sitting.game.INFO.id)

    def analysed(self, analysis: Analysis | None) -> None:
        """The solver has answered, perhaps not yet in full; or it will say no more."""
        if analysis is not None:
            self.analysis = analysis
            if self.hint_step and analysis.complete:
                self.tell_hint(analysis)
            return
        self.given_up = True
        if self.hint_step:
            self.hint_step = 0
            self.say(why_no_verdict(self.sitting.game.INFO.id))

    def tell_hint(self, analysis: Analysis) -> None:
        """Say the hint; the last one lays the move into the line, unless something is typed there."""
        if self.hint_step == sentences.HINTS and (self.pointed or not self.line):
            self.draft(analysis.moves[0].move, pointed=True)
        self.say(sentences.hint(analysis, self.hint_step))

    def next_hint(self) -> None:
        """One hint further: where to look, which idea, the move."""
        waits = self.hint_step > 0 and not self.given_up and (self.analysis is None or not self.analysis.complete)
        self.given_up = False
        self.hint_step = min(self.hint_step + (not waits), sentences.HINTS)
        if self.analysis is not None and self.analysis.complete:
            self.tell_hint(self.analysis)
        else:
            self.say("Working it out. The hint comes by itself.")


_facts = attrgetter(*(one.name for one in fields(TableState)))


def _ends(move: str, line: str) -> bool:
    """Whether the line is the end of a move; of a number it has to be the whole."""
    start = move.removesuffix(line)
    return start != move and not (start[-1:].isdigit() and line[0].isdigit())


def typed_in_vain(state: TableState) -> str:
    """What to say of a character that can't go into the line now."""
    sitting, turn = state.sitting, state.sitting.session.turn
    if turn is None:
        state.awaiting = "again"
        return "The game is over, so nothing more is played."
    if not sitting.people or state.may_move:
        return ""
    if state.awaiting == "pass":
        return f"Press Enter first: the screen goes to {sitting.who(turn).name}."
    told = sitting.presence or f"{sitting.who(turn).name} is thinking."
    return f"{told} Type your move when it is your turn."
