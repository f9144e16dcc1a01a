"""What the table says and offers at a moment: whose move it is, what Enter and the other keys do, the note below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duelbox.core.model import SEATS, listed, player
from duelbox.core.session import FULL
from duelbox.core.talk import ended
from duelbox.solve import sentences, why_no_verdict
from duelbox.solve.api import Analysis

if TYPE_CHECKING:
    from duelbox.sitting.sitting import Sitting
    from duelbox.ui.table_state import TableState

NO_LESSON = "Hints and verdicts are off in this match: you did not agree to a lesson."
WORKING = "Working it out …"
_TOLD = 4
"""So many ways to go on with a half typed move are named."""

Part = tuple[str, str]
"""A part of the prompt: what it says, and the action that a click on it takes."""


@dataclass(frozen=True, slots=True)
class Cues:
    """What is said and offered until something changes."""

    prompt: str
    """Whose move it is."""
    parts: tuple[Part, ...]
    """What Enter will do, and other keys."""
    note: str
    """The sentence below the board."""
    rated: Analysis | None
    """What it tells, where it is a verdict on all moves."""
    aside: str
    """What stands at the end of the top line: whether there was help, and the round."""
    cannot: frozenset[str]
    """The actions that can't be taken now."""
    labels: Mapping[str, str]
    """What keys are called, where that changes."""

    def works(self, action: str) -> bool:
        """Whether this action of the table can be taken now."""
        return action not in self.cannot


def cues_of(state: TableState) -> Cues:
    """What this state says and offers."""
    prompt, parts = _prompt(state)
    cannot = frozenset(action for action, works in _rules(state).items() if not works)
    note = _note(state)
    analysis = state.analysis if state.analysis is not None and state.analysis.complete else None
    rated = analysis if analysis is not None and note == _verdict(state) else None
    return Cues(prompt, parts, note, rated, _aside(state.sitting), cannot, _labels(state))


def why_not(state: TableState, action: str) -> str:
    """Why a key that is pressed does nothing now; empty where that needs no words."""
    if state.awaiting == "pass" and action != "undo":
        return ""
    people, to_move = len(state.sitting.people), state.sitting.who(state.sitting.session.turn or 0)
    known = {
        "undo": state.sitting.why_no_undo() or "",
        "redo": "Nothing has been undone.",
        "look": "Your own numbers lie open." if state.sitting.game.INFO.hidden and state.hand_lies_open else "",
        "why": "No computer plays here." if people == len(SEATS) else "The computer has made no move yet.",
        "play": f"{to_move.name} is thinking." if people and state.sitting.computer_to_move else "",
        **dict.fromkeys(
            ("rematch", "review"), "The game is not over yet." if state.sitting.session.outcome is None else ""
        ),
        **dict.fromkeys(("hint", "verdict"), "" if state.sitting.lesson else NO_LESSON),
        "draw": state.sitting.why_not("draw") or "",
        "claim": state.sitting.why_no_claim() or "",
    }
    return known.get(action, "")


def _rules(state: TableState) -> dict[str, bool]:
    """Which actions can be taken now; those that are not here always can."""
    sitting, session = state.sitting, state.sitting.session
    over, hidden, may_move = session.outcome is not None, sitting.game.INFO.hidden, state.may_move
    watched = not (sitting.people or sitting.elsewhere or sitting.score.over)
    goes_on = over and not (sitting.watching and sitting.score.over)
    return {
        "play": goes_on or state.awaiting == "pass" or may_move,
        "look": hidden
        and state.viewer is not None
        and not (over or state.hand_lies_open)
        and state.board.has_secret(state.view()),
        "pause": watched,
        "hint": may_move and state.may_know,
        "verdict": not over and state.may_know and bool(sitting.people),
        "undo": (state.awaiting != "pass" and sitting.why_no_undo() is None) or sitting.may_go_back,
        "redo": sitting.can_redo,
        "why": bool(sitting.why),
        "rematch": goes_on,
        # A round that is over may tell of the next one, which has the same draw or one that follows from it.
        "review": over and sitting.score.over and (not sitting.elsewhere or sitting.saved_as is not None),
        "rounds": over and sitting.score.over and sitting.match.rounds > 1,
        "harder": over and sitting.next_level is not None,
        "level": over and sitting.against_computer,
        "more": _tells_settled(state),
        "new_game": not sitting.elsewhere,
        "agree": bool(sitting.asked),
        "decline": bool(sitting.asked),
        "speak": sitting.elsewhere and not sitting.watching,
        "resign": may_move,
        "draw": sitting.offered is None and sitting.why_not("draw") is None and (may_move or sitting.elsewhere),
        "claim": sitting.why_no_claim() is None,
        "slower": watched,
        "faster": watched,
        "copy_code": not hidden or over,
    }


def _labels(state: TableState) -> dict[str, str]:
    now: dict[str, str] = {}
    if state.awaiting == "pass":
        now["play"] = "Pass"
    elif state.sitting.session.outcome is not None:
        now["play"] = "Rematch" if state.sitting.score.over else "Next round"
    if state.peek:
        now["look"] = "Hide"
    if state.paused:
        now["pause"] = "Go on"
    return now


def _aside(sitting: Sitting) -> str:
    match = sitting.match
    parts = ["a lesson"] if sitting.elsewhere and sitting.lesson else ["with help"] if sitting.assisted else []
    if match.rounds > 1:
        parts.append(f"Round {min(len(match.winners) + 1, match.rounds)} of {match.rounds}")
    return "   ".join([*parts, sitting.watched] if sitting.watched else parts)


# -- the prompt


def _prompt(state: TableState) -> tuple[str, tuple[Part, ...]]:
    sitting, session = state.sitting, state.sitting.session
    if sitting.asked:
        return session.named(sitting.asked), (_part(state, "agree", "agree"), _part(state, "decline", "decline"))
    if session.turn is None:
        return "Game over", tuple(_after(state))
    name = sitting.who(session.turn).name
    if state.awaiting == "pass":
        return f"Pass to {name}", (("Enter covers the table", "play"),)
    if session.full and session.turn not in sitting.people:
        return "The game stops here", (_part(state, "undo", "undo"), _part(state, "new", "new game"))
    if sitting.computer_to_move:
        if state.paused:
            return f"{name} pauses", (_part(state, "space", "go on"),)
        return f"{name} is thinking …", () if sitting.people else (_part(state, "space", "pause"),)
    if not sitting.my_turn:
        claim = (_part(state, "claim", "claim the game"),) if sitting.why_no_claim() is None else ()
        return session.named(sitting.presence), claim
    return ("Your move" if len(sitting.people) == 1 else f"{name}, your move"), tuple(_enter(state))


_PARTS = {
    "undo": ("u", "undo"),
    "new": ("n", "new_game"),
    "code": ("c", "copy_code"),
    "level": ("l", "level"),
    "harder": ("x", "harder"),
    "rounds": ("t", "rounds"),
    "space": ("Space", "pause"),
    "more": ("o", "more"),
    "agree": ("a", "agree"),
    "decline": ("d", "decline"),
    "claim": ("k", "claim"),
}
"""The built-in key of each, and its action."""


def _part(state: TableState, name: str, does: str) -> Part:
    built_in, action = _PARTS[name]
    return f"{state.keys.get(name, built_in)}: {does}", action


def _after(state: TableState) -> list[Part]:
    sitting, done, works = state.sitting, state.sitting.score, _rules(state)
    again = "Enter: ask for a rematch" if sitting.elsewhere else "Enter: a rematch"
    parts = {
        "space": "go on" if state.paused else "pause",
        "rounds": "rounds",
        "harder": f"play {sitting.next_level.name}" if sitting.next_level else "",
        "new": "new game",
        "code": "copy code",
        "level": "level",
        "undo": "undo",
    }
    names = {name: does for name, does in parts.items() if works[_PARTS[name][1]]}
    first = (again if done.over else f"Enter: round {len(done.winners) + 1}", "play")
    return [*[first] * works["rematch"], *(_part(state, name, does) for name, does in names.items())]


def _enter(state: TableState) -> list[Part]:
    if state.awaiting == "play":
        told = "Enter again plays it"
    elif not state.line:
        told = f"{state.board.asks(state.view())}, use the arrows, or click"
    elif (reading := state.reading).fault is not None:
        told = _ways_on(reading.begun)
    elif reading.told:
        told = f"Enter: {state.sitting.session.named(reading.told)}"
    else:
        told = f"Enter plays {state.line}"
    return [(told, "play")] if told else []


def _ways_on(moves: Sequence[str]) -> str:
    if len(moves) > _TOLD + 1:
        return f"Go on: {', '.join(moves[:_TOLD])} …"
    return f"Go on: {listed(moves, 'or')}" if moves else ""


# -- the note


def _note(state: TableState) -> str:
    """The refusal, the hint, the result, the verdict, what happened, or the goal: what matters most."""
    session = state.sitting.session
    if state.refusal is not None:
        return state.refusal.sentence
    if state.said:
        return state.said
    if state.line and state.may_move and state.reading.fault is not None and not state.reading.begun:
        return state.reading.fault.sentence
    full = FULL if session.full else ""
    told = _result(state) or full or _verdict(state) or _news(state.sitting)
    told = told or state.sitting.game.goal(state.view())
    known = state.settled if told and _tells_settled(state) and not _verdict(state) else None
    return f"{told} {known[0].removesuffix('.')}: press {state.keys.get('more', 'o')}." if known else told


def _tells_settled(state: TableState) -> bool:
    """Whether it is time to say that these rules leave nothing to decide: before the first move, and after the game."""
    sitting = state.sitting
    begins = not sitting.session.plies and not sitting.match.winners
    if sitting.elsewhere:
        return False
    return (begins or (sitting.session.outcome is not None and sitting.score.over)) and state.settled is not None


def _result(state: TableState) -> str:
    sitting = state.sitting
    outcome = sitting.session.outcome
    if outcome is None:
        return ""
    score = sitting.score
    tail = ""
    if score.rounds > 1 and score.over:
        winner = next((seat for seat in SEATS if sitting.match.player_in(seat) == score.winner), None)
        tail = " The match is drawn." if winner is None else f" The match goes to {player(winner)}."
    return f"{ended(outcome)}{tail}{f' {state.turned}' if state.turned else ''}"


def _verdict(state: TableState) -> str:
    if not (state.verdict_on and state.may_know and state.may_move):
        return ""
    if state.analysis is None:
        return why_no_verdict(state.sitting.game.INFO.id) if state.given_up else WORKING
    return f"{sentences.verdict_sentence(state.analysis)} {state.analysis.reason}"


def _news(sitting: Sitting) -> str:
    """What happened that the board alone does not tell: a hidden number came to light, a turn passed."""
    plies = sitting.session.plies
    if not plies:
        return ""
    seen = plies[-1].events if sitting.game.INFO.hidden else plies[-1].events[1:]
    return " ".join(event.sentence for event in seen)
