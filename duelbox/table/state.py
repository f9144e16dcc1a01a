"""One viewer's state of a table beside the match itself: the move line, what was said, the hints and verdicts shown.

Undo restores nothing in here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, get_args

from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.game import Preset
from duelbox.core.model import Seat
from duelbox.core.move_input import MoveInput
from duelbox.core.news import Answered, Began, Moved, News, PositionChanged, Undone
from duelbox.core.offer import Offer
from duelbox.core.session import Session
from duelbox.rules_lab.preset_facts import settled
from duelbox.solve import can_solve
from duelbox.solve.api import Analysis
from duelbox.table.base import BaseTable
from duelbox.table.coach import JUDGING, TELLS_RULE, TELLS_SIGNS, count_move, keep_warning, wants_coach
from duelbox.table.frontend import Frontend
from duelbox.table.move_line import LineParser, ParsedLine, type_char
from duelbox.table.prompts import Prompts
from duelbox.table.refusals import Refusals

if TYPE_CHECKING:
    from asyncio import TimerHandle

    from duelbox.learn.turning_points import JudgedMove
    from duelbox.table.local import LocalTable

Ending = Literal["resign", "claim", "draw"]
ENDS = get_args(Ending)
"""The verbs that may end the game at once; their key must be pressed twice."""
Awaiting = Literal["", "play", "pass", "again"] | Ending


class TableState:
    """A table as one viewer sees it; screens and lines show it, and act through it."""

    table: BaseTable
    line = ""
    pointed = False
    """The line came from arrows or a click, not from typing."""
    typed_after: str | None = None
    """The characters typed after something was pointed at."""
    refusal: MoveError | None = None
    said: str
    """A sentence said for now: a hint, why the computer moved, a notice that something was copied."""
    awaiting: Awaiting = ""
    """The key that must come next: Enter to confirm a move (play) or to pass the screen on (pass), the same key again
    to resign, claim or offer a draw, or Enter after something was typed when the game was over (again)."""
    verdict_on = False
    solved: Analysis | None = None
    """The solver's answer, perhaps not yet complete."""
    hint_step = 0
    given_up = False
    """The solver could not work it out; the next request tries again."""
    peek = False
    held = False
    """The computers wait, as a player holds them."""
    front: Seat | None = None
    """Between two people with secrets, the player in front of the screen; None while it changes hands."""
    judged: tuple[JudgedMove, ...] | None = None
    """The judged moves of a finished game; None until all are judged."""
    best_trap = ""
    """A sentence on the best trap in a lost game without a slip, once it is worked out."""
    offer_since: tuple[Offer | None, float] = (None, 0.0)
    """The displayed offer, and the `monotonic` time since when it is visible."""
    hiding: TimerHandle | None = None
    """The timer that ends the last look at hidden numbers."""
    hand_shown = False
    """A hidden hand has been on the screen since the player in front sat down."""
    coach: str = ""
    """`JUDGING` while the coach judges a person's last move; or its question, while undo is offered."""
    began = 0.0
    """The `monotonic` time at which the turn began, or the end of the game was shown."""
    whose_said: frozenset[str] | None = None
    """The presets of this game whose winner was said at the end of an earlier game; None if it is never said."""
    moves_of_life: int | None = None
    """The moves that a person has ever made in this game, counted up to the first few; None if nobody counts them."""
    _shown = False
    """The last change is shown."""

    def __init__(
        self,
        table: BaseTable,
        move_input: MoveInput,
        frontend: Frontend | None = None,
        *,
        said: str = "",
    ) -> None:
        self.table = table
        self.input = move_input
        self.frontend = frontend or Frontend()
        self.said = said
        self._line_parser = LineParser()
        if table.needs_handover and table.under_way:  # it is not known who sits in front of a game that was resumed
            self.leave_front()
        else:
            self.seat_front()
        self._enter_forced()
        self.began = monotonic()

    @property
    def session(self) -> Session:
        """The round on the table."""
        return self.table.session

    # -- the viewer

    def seat_front(self) -> None:
        """Seat the player to move in front of the screen."""
        self.front = self.session.turn
        self.hand_shown = False
        if self.awaiting == "pass":
            self.awaiting = ""
            self.said = ""

    def leave_front(self) -> None:
        """Leave the place in front of the screen empty until the screen has been passed on."""
        self.front = None
        self.awaiting = "" if self.session.turn is None else "pass"

    @property
    def viewer(self) -> Seat | None:
        """The seat whose view is drawn: the only person's, or, between two, the one to move or in front."""
        people = self.table.people
        if self.table.needs_handover:
            return self.front
        if len(people) == 1:
            return people[0]
        return self.session.turn if people else None

    def view(self) -> Any:
        """The viewer's view; after the game everything is open, unless the next round has the same hands."""
        session = self.session
        state = session.state
        if self.table.hands_open:
            state = self.input.open_up(state)
        view = session.game.view(state, self.viewer)
        if session.cut_short and self.table.mover is None:
            return view.changed(turn=None, outcome=session.outcome)
        return view

    @property
    def hand_lies_open(self) -> bool:
        """The only person's hidden numbers are always shown, as nobody else looks."""
        return self.table.hands_lie_open(self.frontend.settings)

    def hide_hand(self) -> None:
        """Hide the player's own numbers after a look."""
        self.peek = False
        self.push()

    @property
    def tells_rule(self) -> bool:
        """The aim is shown, because the player has made only a few moves of this game."""
        return self.moves_of_life is None or self.moves_of_life < TELLS_RULE

    @property
    def tells_signs(self) -> bool:
        """The board explains its signs, because the player has played only a few games of this kind."""
        return self.moves_of_life is None or self.moves_of_life < TELLS_SIGNS

    @property
    def may_move(self) -> bool:
        """A person in front of the screen is to move."""
        table = self.table
        return table.my_turn and (not table.needs_handover or self.front == self.session.turn)

    # -- verbs and moves

    async def do(self, name: str, *, sure: bool = False) -> None:
        """Take a verb, if it can be taken now, and show the result; `sure` needs no second key press."""
        verb = self.table.verbs[name]
        self._shown = False
        confirms = "play" if self.awaiting == "again" else self.awaiting
        if self.awaiting in (*ENDS, "again") and name != confirms:
            self.awaiting = ""
        if verb.refuse(self) is None:
            again = "" if sure or self.awaiting == name else verb.confirm(self)
            if again:
                self.say(again)
                self.awaiting = verb.id  # type: ignore[assignment]
            else:
                await self.or_say(lambda: verb.do(self))
        if not self._shown:
            self.push()

    async def or_say(self, does: Callable[[], Awaitable[None] | None]) -> None:
        """Do this, or say why it is refused."""
        try:
            done = does()
            if done is not None:
                await done
            await self.settle()
        except DuelboxError as error:
            self.say(error.sentence)
            self._shown = False

    async def take(self, move: str) -> None:
        """Play a move; raises MoveError."""
        waits = self.table.play(move)
        self.set_line("")
        if waits is not None:
            await waits
        await self.settle()

    async def go_on_at(self, other: LocalTable | None, said: str = "") -> None:
        """Show another table with a sentence about it; without one, say that a friend elsewhere is asked first."""
        if other is not None:
            self.frontend.lay(other, said)
        elif self.table.asking:
            self.say(self.table.asking)

    async def settle(self) -> None:
        """Save what has happened at this table, then show it."""
        news = self.table.take_news()
        if news:
            await self.frontend.keep()
            self.heard(*news)

    # -- news

    def heard(self, *news: News) -> None:
        """Take in what happened in the match, and show it; moves made here come in this way too."""
        for change in news:
            match change:
                case Moved():
                    count_move(self, change)
                    keep_warning(self, change)
                    self.position_changed()
                    if wants_coach(self, change):
                        self.coach = JUDGING
                case Undone() | PositionChanged():
                    self.position_changed()
                case Answered(offer, True) if offer.kind == "undo":
                    self.position_changed()
                case Began():
                    self.seat_front()
                    self.position_changed()
            sentence = self.table.sentence_of(change)
            if sentence:
                self.say(sentence)
        self.push(*news)

    @property
    def asks_back(self) -> bool:
        """The coach asks whether to undo a move that gave something away."""
        return self.coach not in ("", JUDGING)

    def position_changed(self) -> None:
        """Forget what belonged to the old position; between two people with secrets, hand the screen over."""
        self.set_line("")
        self.solved = None
        self.hint_step = 0
        self.given_up = False
        self.peek = False
        self.judged = None
        self.best_trap = ""
        if self.table.needs_handover and self.session.turn not in (None, self.front):
            if self.hand_shown or any(ply.move.secret for ply in self.session.plies[-1:] if ply.move is not None):
                self.leave_front()
            else:
                self.seat_front()
        self.coach = ""
        self.began = monotonic()
        self._enter_forced()

    def _enter_forced(self) -> None:
        """Put a move that is the only one into the line."""
        forced = self.table.forced if self.may_move else ""
        if forced:
            self.line = forced
            self.pointed = True
            self.typed_after = ""

    def push(self, *news: News) -> None:
        """Show the table as it is now; `news` are what has changed it."""
        self._shown = True
        offer = self.table.offered
        if offer != self.offer_since[0]:
            self.offer_since = offer, monotonic()
        self.frontend.show(self.prompts, news)

    @property
    def prompts(self) -> Prompts:
        """The words on the table now."""
        return self.table.prompts(self, Refusals(self))

    # -- the game, and the move line

    @cached_property
    def settled(self) -> tuple[str, Preset[Any]] | None:
        """A sentence about rules that decide the game before it begins, and a preset with more to decide."""
        return settled(self.table.game, self.table.options)

    @property
    def tells_settled(self) -> bool:
        """These rules leave nothing to decide, and this is the time to say so: before the first move, or at the end."""
        table, session = self.table, self.session
        if table.why_not("more") is not None:
            return False
        begins = not session.plies and not table.match.winners
        ended = session.outcome is not None and table.score.over
        return (begins or ended) and self.settled is not None

    def key(self, name: str) -> str:
        """The key of a verb as it is set, for prompts."""
        verb = self.table.verbs[name]
        return self.frontend.settings.keymap.get(verb.setting, verb.written)

    def set_line(self, line: str, *, pointed: bool = False) -> None:
        """Change the move line, and clear what was said of the old one."""
        self.line = line
        self.pointed = pointed
        self.typed_after = "" if pointed else None
        self.refusal = None
        self.said = ""
        if self.awaiting != "pass":
            self.awaiting = ""

    def type(self, char: str, *, is_key: bool) -> bool:
        """Take a character into the move line; False if it is no part of it. `is_key` says that it is a bound key."""
        return self.may_move and type_char(self, char, is_key=is_key)

    def pick(self, target: str) -> str:
        """The line after pointing at this target."""
        return self.input.pick(self.view(), self.line, target)

    def further(self, target: str | None) -> str | None:
        """The line after Enter on an unfinished move: with the number under the cursor, or the only way to go on."""
        if target:
            picked = self.pick(target)
            if picked != self.line:
                return picked
        begun = self.parsed.begun
        return begun[0] if len(begun) == 1 else None

    @property
    def parsed(self) -> ParsedLine:
        """The meaning of the move line."""
        return self._line_parser.parse(self.session, self.line)

    async def play_line(self) -> None:
        """Play the line, or continue an unfinished move at the cursor, or say what is wrong."""
        fault = self.parsed.fault
        if fault is None:
            if self.frontend.settings.confirm and self.awaiting != "play":
                self.awaiting = "play"
            else:
                await self.take(self.line)
            return
        further = self.further(self.frontend.target)
        if further is not None:
            self.set_line(further, pointed=True)
        elif self.line:
            self.refusal = fault
        else:
            self.say("There is no move yet: type one, or choose it with the arrows or the mouse.")

    def say(self, sentence: str) -> None:
        """Say something for now in place of a refusal; a pending second press of resign, claim or draw is dropped."""
        if self.refusal is not None:
            self.set_line("")
        self.said = sentence
        if self.awaiting in ENDS:
            self.awaiting = ""

    # -- the verdict and hints

    @property
    def may_know(self) -> bool:
        """The verdict may be shown: to the player in front, about their own move."""
        table, turn = self.table, self.table.mover
        seen = turn is not None and (not table.game.INFO.hidden or table.hands_open or self.viewer == turn)
        return seen and table.lesson and can_solve(table.game.INFO.id)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position: the solver's, or one that the table knows already."""
        return self.table.analysis if self.solved is None else self.solved

    @property
    def verdict_shown(self) -> bool:
        """The verdict is on the screen, or appears there when it is known."""
        return self.verdict_on and self.may_know and self.may_move

    @property
    def wants_analysis(self) -> bool:
        """The verdict or a hint waits for the solver."""
        asked = (self.verdict_on or self.hint_step > 0) and self.may_know and self.may_move
        return asked and not self.given_up and (self.analysis is None or not self.analysis.complete)

    @property
    def wants_judged(self) -> bool:
        """The moves of a finished game wait to be judged."""
        return self.judged is None and self.table.to_be_judged and can_solve(self.table.game.INFO.id)

    async def take_help(self) -> None:
        """Save that help was asked for, before any is given; raises DuelboxError if none is allowed."""
        if not self.table.assisted:
            self.table.take_help()
            await self.frontend.keep()
