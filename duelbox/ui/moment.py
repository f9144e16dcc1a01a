"""What the table knows beside the game: the move being made, what was just said, who sits in front. No Textual here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from duelbox.core.errors import MoveError
from duelbox.core.match import points_text
from duelbox.core.model import SEATS, Seat, listed, player
from duelbox.core.session import FULL, Session
from duelbox.sitting.sitting import Sitting
from duelbox.solve import can_solve, sentences
from duelbox.solve.api import Analysis
from duelbox.ui.game_board import Look, worths
from duelbox.ui.glyphs import Glyphs

Awaiting = Literal["", "play", "pass", "resign"]

_TOLD = 4
"""So many ways to go on with a half typed move are named."""


@dataclass
class Moment:
    """A game on the table at this moment; nothing in here would be brought back by undo."""

    sitting: Sitting
    line: str = ""
    pointed: bool = False
    """Whether the line was pointed at (by arrows or a click), not typed."""
    refusal: MoveError | None = None
    said: str = ""
    """A sentence for now: a hint, why the computer moved, that something was copied."""
    awaiting: Awaiting = ""
    """What the next Enter (or g) does, where it does not play: confirm a move, pass the screen on, resign."""
    verdict_on: bool = False
    analysis: Analysis | None = None
    hint_step: int = 0
    given_up: bool = False
    """Whether the solver could not work it out, until it is asked again."""
    peek: bool = False
    paused: bool = False
    why: str = ""
    """Why the computer moved as it did."""
    front: Seat | None = None
    """Between two people with secrets: who sits in front of the screen; None while it changes hands."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys by what they do, where they differ from the built-in ones."""
    asked: str = "Type it"
    """What there is to type."""
    _listed: tuple[Session, int, list[str]] | None = None

    def __post_init__(self) -> None:
        """The one to move sits in front; but where the game has gone on, nobody knows who does."""
        if self.sitting.needs_curtain and self.sitting.under_way:
            self.leave_front()
        else:
            self.seat_front()

    def seat_front(self) -> None:
        """Whoever is to move sits in front."""
        self.front, self.awaiting = self.sitting.session.turn, ""

    def leave_front(self) -> None:
        """Nobody sits in front until the screen has been passed on."""
        self.front = None
        self.awaiting = "" if self.sitting.session.turn is None else "pass"

    def move_made(self) -> None:
        """Forget what belonged to the position before; between two people with secrets, the screen changes hands."""
        self.draft("")
        self.analysis, self.hint_step, self.given_up, self.peek = None, 0, False, False
        if self.sitting.needs_curtain and self.sitting.session.turn not in (None, self.front):
            self.leave_front()

    def draft(self, line: str, *, pointed: bool = False) -> None:
        """The move line changes, and with it what was said of the old one."""
        self.line, self.pointed, self.refusal, self.said = line, pointed, None, ""
        if self.awaiting != "pass":
            self.awaiting = ""

    def continued(self) -> str:
        """What is typed goes on from here: from nothing, after a refusal and after what was pointed at to the end."""
        at_end = self.pointed and (self.fault() is None or not self.begun())
        return "" if at_end or self.refusal is not None else self.line

    def say(self, sentence: str) -> None:
        """Say something for now, no more of what was refused; whoever asks for it has thought better of giving up."""
        if self.refusal is not None:
            self.draft("")
        self.said = sentence
        if self.awaiting == "resign":
            self.awaiting = ""

    @property
    def viewer(self) -> Seat | None:
        """Whose view is drawn."""
        people = self.sitting.people
        if self.sitting.needs_curtain:
            return self.front
        return people[0] if len(people) == 1 else self.sitting.session.turn if people else None

    @property
    def may_move(self) -> bool:
        """Whether a person in front of the screen is to move."""
        turn = self.sitting.session.turn
        if turn is None or turn not in self.sitting.people:
            return False
        return not self.sitting.needs_curtain or self.front == turn

    @property
    def may_know(self) -> bool:
        """Whether a verdict may be shown: for the one in front, about their own move."""
        turn = self.sitting.session.turn
        seen = turn is not None and (not self.sitting.game.INFO.hidden or self.viewer == turn)
        return seen and self._solvable

    @cached_property
    def _solvable(self) -> bool:
        return can_solve(self.sitting.game.INFO.id)

    @property
    def wants_analysis(self) -> bool:
        """Whether the verdict or a hint waits for the solver."""
        asked = (self.verdict_on or self.hint_step > 0) and self.may_know and self.may_move
        return asked and not self.given_up and (self.analysis is None or not self.analysis.complete)

    def analysed(self, analysis: Analysis) -> None:
        """The solver has answered, perhaps not yet in full."""
        self.analysis = analysis
        if self.hint_step and analysis.complete:
            self.say(sentences.hint(analysis, self.hint_step))

    def gave_up(self) -> None:
        """The solver can't say more."""
        self.given_up = True
        if self.hint_step:
            self.hint_step = 0
            self.say(sentences.TOO_LONG)

    def next_hint(self) -> None:
        """One hint further: where to look, which idea, the move."""
        self.given_up = False
        self.hint_step = min(self.hint_step + 1, sentences.HINTS)
        ready = self.analysis is not None and self.analysis.complete
        self.say(sentences.hint(self.analysis, self.hint_step) if ready and self.analysis else "Working it out …")

    def works(self, action: str) -> bool:
        """Whether an action of the table can be taken now."""
        sitting, session = self.sitting, self.sitting.session
        over, hidden = session.outcome is not None, sitting.game.INFO.hidden
        rules = {
            "play": over or self.awaiting == "pass" or self.may_move,
            "step": self.may_move,
            "look": hidden and self.viewer is not None and not over,
            "pause": not sitting.people and not over,
            "hint": self.may_move and self.may_know,
            "verdict": not over and self.may_know and bool(sitting.people),
            "undo": (self.awaiting != "pass" and sitting.why_no_undo() is None) or sitting.may_go_back,
            "redo": session.can_redo or sitting.following is not None,
            "why": bool(self.why),
            "rematch": over,
            "review": over and sitting.score.over,  # in a match that goes on, a round may tell of the next
            "level": over and len(sitting.people) == 1,
            "resign": self.may_move,
            "speed": not sitting.people and not over,
            "copy_code": not hidden or over,
        }
        return rules.get(action, True)

    def why_not(self, action: str) -> str:
        """Why a key that is pressed does nothing now; empty where that needs no sentences."""
        if self.awaiting == "pass":
            return ""
        known = {
            "undo": self.sitting.why_no_undo() or "",
            "redo": "There is nothing to play again.",
            "why": "" if len(self.sitting.people) == len(SEATS) else "There is no move of the computer to tell of.",
        }
        return known.get(action, "")

    def fault(self) -> MoveError | None:
        """What is wrong with the move line as it stands."""
        try:
            self.sitting.session.check(self.line)
        except MoveError as error:
            return error
        return None

    def begun(self) -> list[str]:
        """The moves that the move line may become, where it is none yet."""
        line = self.line.replace(" ", "").lower()
        moves = self._moves() if line and not self.sitting.session.full else []
        begun = [move for move in moves if line and move.startswith(line)]
        return begun or [move for move in moves if line and _ends(move, line)]

    def _moves(self) -> list[str]:
        """All legal moves as text, listed once for each position: an order can be put in 5,040 ways."""
        session = self.sitting.session
        if self._listed is None or self._listed[:2] != (session, session.stamp):
            self._listed = session, session.stamp, [session.game.format_move(move) for move in session.legal_moves()]
        return self._listed[2]

    def look(self, glyphs: Glyphs) -> Look:
        """What the board should know beside the view."""
        log = self.sitting.session.log()
        return Look(
            seat=self.viewer,
            names=self.sitting.session.names,
            line=self.line,
            last=log[-1][1] if log else "",
            events=self.sitting.session.plies[-1].events if log else (),
            marks=worths(self.analysis) if self.verdict_on and self.analysis and self.may_know else {},
            blockers=self.refusal.blockers if self.refusal else (),
            peek=self.peek,
            glyphs=glyphs,
        )

    # -- in words

    def aside(self) -> str:
        """What stands at the end of the top line: whether there was help, and the round."""
        match = self.sitting.match
        parts = ["assisted"] if self.sitting.assisted else []
        if match.rounds > 1:
            parts.append(f"Round {min(len(match.winners) + 1, match.rounds)} of {match.rounds}")
        return "   ".join(parts)

    def points(self, seat: Seat) -> str:
        """What the one who sits there has won of the match, in a few signs; nothing where it is one round."""
        match = self.sitting.match
        return f"{points_text(self.sitting.score.points(match.player_in(seat)))} pt" if match.rounds > 1 else ""

    def label(self, action: str) -> str | None:
        """What a key is called now, where that changes."""
        now = {
            "play": "Pass" if self.awaiting == "pass" else self._after() if self.sitting.session.outcome else None,
            "look": "Hide" if self.peek else None,
            "pause": "Go on" if self.paused else None,
        }
        return now.get(action)

    def _after(self) -> str:
        return "Rematch" if self.sitting.score.over else "Next round"

    def prompt(self) -> tuple[str, str]:
        """Whose move it is, and what Enter will do."""
        sitting, session = self.sitting, self.sitting.session
        if session.turn is None:
            done = sitting.score
            go_on = "Enter: a rematch" if done.over else f"Enter: round {len(done.winners) + 1}"
            others = [f"{self.key('new', 'n')}: new game", f"{self.key('code', 'c')}: copy code"]
            if len(sitting.people) == 1:
                others.append(f"{self.key('level', 'l')}: level")
            if sitting.why_no_undo() is None:
                others.append(f"{self.key('undo', 'u')}: take back")
            return "Game over", "   ".join([go_on, *others])
        name = sitting.who(session.turn).name
        if self.awaiting == "pass":
            return f"Pass to {name}", "Enter covers the table"
        if session.full and session.turn not in sitting.people:
            return "The game stops here", f"{self.key('undo', 'u')}: take back   {self.key('new', 'n')}: new game"
        if sitting.computer_to_move:
            space = self.key("space", "Space")
            if self.paused:
                return f"{name} pauses", f"{space}: go on"
            return f"{name} is thinking …", "" if sitting.people else f"{space}: pause"
        return ("Your move" if len(sitting.people) == 1 else f"{name}, your move"), self._enter()

    def key(self, name: str, built_in: str) -> str:
        """The key of an action, as it is set."""
        return self.keys.get(name, built_in)

    def _enter(self) -> str:
        if self.awaiting == "play":
            return "Enter again plays it"
        if not self.line:
            return f"{self.asked}, use the arrows, or click"
        if self.fault() is not None:
            return _ways_on(self.begun())
        session = self.sitting.session
        if self.sitting.game.INFO.hidden:
            return f"Enter plays {self.line}"
        return f"Enter: {session.named(session.check(self.line)[0].sentence)}"

    def note(self) -> str:
        """The sentence below the board: the refusal, the hint, the result, the verdict, what happened, or the goal."""
        if self.refusal is not None:
            return self.refusal.sentence
        if self.said:
            return self.said
        if self.line and self.may_move and (fault := self.fault()) is not None and not self.begun():
            return fault.sentence
        full = FULL if self.sitting.session.full else ""
        goal = self.sitting.game.goal(self.sitting.session.view(self.viewer))
        return self._result() or full or self._verdict() or self._news() or goal

    def _result(self) -> str:
        outcome = self.sitting.session.outcome
        if outcome is None:
            return ""
        head = "A draw." if outcome.winner is None else f"{player(outcome.winner)} wins."
        score = self.sitting.score
        tail = ""
        if score.rounds > 1 and score.over:
            winner = next((seat for seat in SEATS if self.sitting.match.player_in(seat) == score.winner), None)
            tail = " The match is drawn." if winner is None else f" The match goes to {player(winner)}."
        return f"{head} {outcome.reason}{tail}"

    def _verdict(self) -> str:
        if not (self.verdict_on and self.may_know and self.may_move):
            return ""
        if self.analysis is None:
            return sentences.TOO_LONG if self.given_up else "Working it out …"
        return f"{sentences.verdict_sentence(self.analysis)} {self.analysis.reason}"

    def _news(self) -> str:
        """What happened that the board alone does not tell: a hidden number came to light, a turn passed."""
        plies = self.sitting.session.plies
        if not plies:
            return ""
        seen = plies[-1].events if self.sitting.game.INFO.hidden else plies[-1].events[1:]
        return " ".join(event.sentence for event in seen)


def _ends(move: str, line: str) -> bool:
    """Whether the line is the end of a move; of a number it has to be the whole."""
    start = move.removesuffix(line)
    return start != move and not (start[-1:].isdigit() and line[0].isdigit())


def _ways_on(moves: Sequence[str]) -> str:
    if len(moves) > _TOLD + 1:
        return f"Go on: {', '.join(moves[:_TOLD])} …"
    return f"Go on: {listed(moves, 'or')}" if moves else ""
