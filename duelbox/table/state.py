"""A table as it is looked at: the move being made, what was just said, who sits in front, help that was asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, get_args

from duelbox.bots import told_why
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.game import Preset
from duelbox.core.model import Seat
from duelbox.core.news import Answered, Began, Moved, News, PositionChanged, Undone
from duelbox.core.offer import Offer
from duelbox.core.session import Session
from duelbox.lab.preset_facts import settled
from duelbox.solve import can_solve, sentences, why_no_verdict
from duelbox.solve.api import Analysis
from duelbox.table.base import BaseTable
from duelbox.table.coach import TELLS_RULE, count_move, wants_coach
from duelbox.table.end_card import keep_mistakes
from duelbox.table.frontend import Frontend, MoveInput
from duelbox.table.move_line import LineParser, ParsedLine, in_vain, typed_on
from duelbox.table.prompts import Play, Prompts, Task, prompts_of
from duelbox.table.workers import Analysed, Answer, Chosen, Coached, RoundDue, Turned

if TYPE_CHECKING:
    from duelbox.learn.turning_points import JudgedMove

Ending = Literal["resign", "claim", "draw"]
ENDS = get_args(Ending)
"""The verbs that may end the game at once, and take their key twice."""
Awaiting = Literal["", "play", "pass", "again"] | Ending

NO_MORE = "There are no more hints: the third one was the move."


class TableState:
    """A match on the table as it is looked at; nothing in here would be brought back by undo."""

    table: BaseTable
    line = ""
    pointed = False
    """The line was pointed at (by arrows or a click), not typed."""
    typed_on: str | None = None
    """The characters typed after something had been pointed at."""
    refusal: MoveError | None = None
    said: str
    """A sentence for now: a hint, why the computer moved, that something was copied."""
    awaiting: Awaiting = ""
    """A key that is waited for: Enter to confirm a move (play) or to pass the screen on (pass), the same key again to
    resign, claim or offer a draw, or Enter after something was typed when the game was over (again)."""
    verdict_on = False
    solved: Analysis | None = None
    """The solver's answer, perhaps not yet complete."""
    hint_step = 0
    given_up = False
    """The solver could not work it out, until it is asked again."""
    peek = False
    paused = False
    front: Seat | None = None
    """Between two people with secrets: who sits in front of the screen; None while it changes hands."""
    ended = 0.0
    """When the end of the game was shown here, by the clock that is never set back."""
    judged: tuple[JudgedMove, ...] | None = None
    """The moves of a game that is over, judged; None until they are."""
    offer_since: tuple[Offer | None, float] = (None, 0.0)
    """The offer that is shown, and since when."""
    looks = 0
    """The number of looks at one's own numbers."""
    hand_shown = False
    """A hidden hand was on the screen since the player in front sat down there."""
    coach: Literal["", "judging", "win", "draw"] = ""
    """A person's last move is judged before it is answered; or what it gave away, and whether to undo it is asked."""
    began = 0.0
    """When the turn began, by the clock that is never set back."""
    moves_of_life: int | None = None
    """The moves that a person has made here in games of this kind; None where nobody counts them."""
    _shown = False
    """The last change is shown."""

    def __init__(
        self,
        table: BaseTable,
        move_input: MoveInput,
        frontend: Frontend | None = None,
        *,
        said: str = "",
        task: Task | None = None,
    ) -> None:
        self.table = table
        self.input = move_input
        self.frontend = frontend or Frontend()
        self.task: Task = task or Play()
        self.said = said
        self._line_parser = LineParser()
        if table.needs_handover and table.under_way:  # where the game has gone on, nobody knows who sits in front
            self.leave_front()
        else:
            self.seat_front()
        self.lay_only_move()
        self.began = monotonic()

    @property
    def session(self) -> Session:
        """The round on the table."""
        return self.table.session

    # -- who looks

    def seat_front(self) -> None:
        """Seat the player to move in front; what was said to another is over."""
        self.front, self.hand_shown = self.session.turn, False
        if self.awaiting == "pass":
            self.awaiting, self.said = "", ""

    def leave_front(self) -> None:
        """Nobody sits in front until the screen has been passed on."""
        self.front = None
        self.awaiting = "" if self.session.turn is None else "pass"

    @property
    def viewer(self) -> Seat | None:
        """The seat whose view is drawn: the only person's, or, between two, the one to move or in front."""
        people = self.table.people
        if self.table.needs_handover:
            return self.front
        return people[0] if len(people) == 1 else self.session.turn if people else None

    def view(self) -> Any:
        """The view of that seat: all of the position after the game, unless the next round has the same hands."""
        session = self.session
        state = self.input.open_up(session.state) if self.table.hands_open else session.state
        view = session.game.view(state, self.viewer)
        return (
            view.changed(turn=None, outcome=session.outcome) if session.cut_short and self.table.mover is None else view
        )

    @property
    def hand_lies_open(self) -> bool:
        """The only person's hidden numbers are to be seen: nobody else looks."""
        return self.frontend.settings.open_hand and len(self.table.people) == 1

    @property
    def tells_rule(self) -> bool:
        """The aim is told: to a player who has made only a few moves of this game."""
        return self.moves_of_life is None or self.moves_of_life < TELLS_RULE

    @property
    def may_move(self) -> bool:
        """A person in front of the screen is to move."""
        table = self.table
        return table.my_turn and (not table.needs_handover or self.front == self.session.turn)

    # -- what players do

    async def do(self, name: str, *, sure: bool = False) -> None:
        """Take a verb, if it can be taken now, and show what came of it; `sure`: nothing is asked twice."""
        verb, self._shown = self.task.verbs[name], False
        confirms = "play" if self.awaiting == "again" else self.awaiting
        if self.awaiting in (*ENDS, "again") and name != confirms:
            self.awaiting = ""
        if verb.why_not(self) is None:
            if not sure and verb.twice(self) and self.awaiting != name:
                self.say(verb.twice(self))
                self.awaiting = verb.id  # type: ignore[assignment]
            else:
                await self.or_say(lambda: verb.do(self))
        if not self._shown:
            self.push()

    async def or_say(self, does: Callable[[], Awaitable[None] | None]) -> None:
        """Do this, or say why it cannot be done."""
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
        self.draft("")
        if waits is not None:
            await waits
        await self.settle()

    async def lay(self, now: BaseTable, said: str = "") -> None:
        """Go on with the same match, or with another and a word about it; a friend elsewhere is asked first."""
        if now is not self.table:
            self.frontend.lay(now, said)
        elif now.asks_first:
            self.say("Your opponent is asked.")

    async def settle(self) -> None:
        """Put on disk what happened at this very table, then tell it."""
        if news := self.table.take_news():
            await self.frontend.keep()
            self.heard(*news)

    # -- what happened

    def heard(self, *news: News) -> None:
        """Take in what happened in the match, and show it: the only way in, for moves of one's own, too."""
        for one in news:
            match one:
                case Moved() | Undone() | PositionChanged():
                    count_move(self, one)
                    self.move_made()
                    self.coach = "judging" if isinstance(one, Moved) and wants_coach(self, one) else ""
                case Answered(offer, True) if offer.kind == "undo":
                    self.move_made()
                case Began():
                    self.round_dealt()
            if told := self.table.told(one):
                self.say(told)
        self.push(*news)

    @property
    def asks_back(self) -> bool:
        """The coach asks whether to undo a move that gave something away."""
        return self.coach in ("win", "draw")

    def move_made(self) -> None:
        """Forget what belonged to the position before; between two people with secrets, the screen changes hands."""
        self.draft("")
        self.solved, self.hint_step, self.given_up, self.peek, self.judged = None, 0, False, False, None
        if self.table.needs_handover and self.session.turn not in (None, self.front):
            if self.hand_shown or any(ply.move.secret for ply in self.session.plies[-1:] if ply.move is not None):
                self.leave_front()
            else:
                self.seat_front()
        self.coach, self.began = "", monotonic()
        self.ended = monotonic() if self.session.outcome is not None else 0.0
        self.lay_only_move()

    def lay_only_move(self) -> None:
        """Lay a move that is the only one into the line."""
        if self.may_move and self.forced:
            self.line, self.pointed, self.typed_on = self.forced, True, ""

    @property
    def forced(self) -> str:
        """The only move there is, in a game that hides nothing; empty where there are others."""
        session = self.session
        plays = session.turn is not None and not (session.game.INFO.hidden or self.task.place)
        moves = session.legal_moves() if plays else ()
        return self.session.game.format_move(moves[0]) if len(moves) == 1 else ""

    def round_dealt(self) -> None:
        """A new round begins, perhaps with the other player."""
        self.seat_front()
        self.move_made()

    def push(self, *news: News) -> None:
        """Show the table as it is now, once a change: `news` are what has changed it."""
        self._shown = True
        offer = self.table.offered
        if offer != self.offer_since[0]:
            self.offer_since = offer, monotonic()
        self.frontend.show(self.prompts, news)

    @property
    def prompts(self) -> Prompts:
        """The prompts of the table now."""
        return prompts_of(self)

    # -- the game, and the move being made

    @cached_property
    def settled(self) -> tuple[str, Preset[Any]] | None:
        """A sentence about rules that decide the game before it begins, and a preset with more to decide."""
        return settled(self.table.game, self.table.options)

    @property
    def tells_settled(self) -> bool:
        """It is time to say that these rules leave nothing to decide: before the first move, and after the game."""
        table, session = self.table, self.session
        if table.why_not("more") is not None:
            return False
        begins = not session.plies and not table.match.winners
        return (begins or (session.outcome is not None and table.score.over)) and self.settled is not None

    def key(self, name: str) -> str:
        """The key of a verb, as it is set, for prompts."""
        verb = self.task.verbs[name]
        return self.frontend.settings.keymap.get(verb.setting, verb.written)

    def draft(self, line: str, *, pointed: bool = False) -> None:
        """The move line changes, and with it what was said of the old one."""
        self.line, self.pointed, self.refusal, self.said = line, pointed, None, ""
        self.typed_on = "" if pointed else None
        if self.awaiting != "pass":
            self.awaiting = ""

    def type(self, char: str, *, is_key: bool) -> bool:
        """Take a character into the move line; False where it is no part of it. `is_key`: it is a key of the table."""
        return self.may_move and typed_on(self, char, is_key=is_key)

    def pick(self, target: str) -> str:
        """The line after pointing at this."""
        return self.input.pick(self.view(), self.line, target)

    def further(self, target: str | None) -> str | None:
        """The line after Enter where it is no move yet: with the number under the cursor, or the only way on."""
        if target and (picked := self.pick(target)) != self.line:
            return picked
        begun = self.parsed.begun
        return begun[0] if len(begun) == 1 else None

    @property
    def parsed(self) -> ParsedLine:
        """The meaning of the line, read once for each change."""
        return self._line_parser.parse(self.session, self.line)

    async def play_line(self) -> None:
        """Play the line, or say what is wrong with it; what is no move yet goes on as the cursor says."""
        fault = self.parsed.fault
        if fault is None:
            if self.frontend.settings.confirm and self.awaiting != "play":
                self.awaiting = "play"
            else:
                await self.take(self.line)
        elif (further := self.further(self.frontend.target)) is not None:
            self.draft(further, pointed=True)
        elif self.line:
            self.refusal = fault
        else:
            self.say("There is no move yet: type one, or choose it with the arrows or the mouse.")

    def typed_in_vain(self) -> str:
        """The sentence for a character that cannot go into the line now."""
        return in_vain(self)

    # -- what is said

    def say(self, sentence: str) -> None:
        """Say something for now, no more of what was refused; whoever asks for it has thought better of resigning."""
        if self.refusal is not None:
            self.draft("")
        self.said = sentence
        if self.awaiting in ENDS:
            self.awaiting = ""

    def hide(self) -> None:
        """Hide the numbers again."""
        self.peek = False
        self.push()

    # -- the verdict and hints

    @property
    def may_know(self) -> bool:
        """A verdict may be shown: to the one in front, about their own move."""
        table, turn = self.table, self.table.mover
        seen = turn is not None and (not table.game.INFO.hidden or table.hands_open or self.viewer == turn)
        return seen and self.table.lesson and can_solve(self.table.game.INFO.id)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position: the solver's, or one that is known without it."""
        return self.table.analysis if self.solved is None else self.solved

    @property
    def wants_analysis(self) -> bool:
        """The verdict or a hint waits for the solver."""
        asked = (self.verdict_on or self.hint_step > 0) and self.may_know and self.may_move
        return asked and not self.given_up and (self.analysis is None or not self.analysis.complete)

    @property
    def wants_turned(self) -> bool:
        """It is to be worked out where the game turned; a round that is over may tell of the next one."""
        session, last = self.session, self.table.score.over or self.table.open_ended
        over = last and session.outcome is not None and bool(session.plies)
        return over and not self.task.place and self.judged is None and can_solve(self.table.game.INFO.id)

    async def ask_help(self) -> None:
        """Note that help is asked for, before any is given; raises DuelboxError where none may be."""
        if not self.table.assisted:
            self.table.use_help()
            await self.frontend.keep()

    async def worker_found(self, found: Answer) -> None:
        """Take in what a worker found out, unless the position is another by now."""
        table = self.table
        if found.session is not self.session or found.stamp != self.session.stamp:
            return
        match found:
            case Chosen(move=move, why=why, remark=remark) if table.computer_to_move and not self.paused:
                made = self.session.parse(move)
                number = len(self.session.plies) + 1
                table.reasons[number] = made, told_why(made, why)
                table.remarked(number, made, remark if self.frontend.settings.voice and not made.secret else "")
                await self.or_say(lambda: self.take(move))
            case RoundDue() if table.runs_on and not self.paused:
                await self.do("rematch")
            case Analysed(analysis=analysis):
                self.analysed(analysis)
                self.push()
            case Coached(lost=lost):
                self.coach = lost
                await self.or_say(self.ask_help if lost else lambda: None)
                self.push()
            case Turned(judged=judged, last=last):
                self.judged, self.solved = judged, last
                keep_mistakes(self)
                self.push()

    def analysed(self, analysis: Analysis | None) -> None:
        """The solver has answered, perhaps not yet in full; or it will say no more."""
        if analysis is not None:
            self.solved = analysis
            if self.hint_step and analysis.complete:
                self.tell_hint(analysis)
            return
        self.given_up = True
        if self.hint_step:
            self.hint_step = 0
            self.say(why_no_verdict(self.table.game.INFO.id))

    def tell_hint(self, analysis: Analysis) -> None:
        """Say the hint; the last one lays the move into the line, unless something is typed there."""
        if self.hint_step >= len(sentences.hints(analysis)) and (self.pointed or not self.line):
            self.draft(analysis.advice, pointed=True)
        self.say(sentences.hint(analysis, self.hint_step))

    def next_hint(self) -> None:
        """One hint further: a question, the idea, the move; a forced move needs none."""
        if self.forced:
            self.draft(self.forced, pointed=True)
            self.say(f"{self.forced} is your only move.")
            return
        analysis = self.analysis
        if analysis is not None and self.said in (sentences.hint(analysis, sentences.HINTS), NO_MORE):
            self.say(NO_MORE)
            return
        waits = self.hint_step > 0 and not self.given_up and not (analysis and analysis.complete)
        self.given_up, self.hint_step = False, min(self.hint_step + (not waits), sentences.HINTS)
        if analysis is not None and analysis.complete:
            self.tell_hint(analysis)
        else:
            self.say("Working it out. The hint comes by itself.")
