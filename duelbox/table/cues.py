"""Cues: the words of a table at one moment (the player to move, the effect of each key, the note below)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from duelbox.core.model import SEATS, listed, player
from duelbox.core.session import FULL
from duelbox.core.talk import ended
from duelbox.solve import sentences, why_no_verdict
from duelbox.solve.api import Analysis
from duelbox.table.verbs import VERBS, Verb

if TYPE_CHECKING:
    from duelbox.table.state import TableState

WORKING = "Working it out …"
_TOLD = 4
"""So many ways to go on with a half typed move are named."""

Part = tuple[str, str]
"""A part of the prompt: what it says, and the verb that a click on it takes."""
Refusals = Mapping[str, str | None]
Tone = Literal["", "refused", "ended"]
"""The kind of a note: like any other, a refusal, or the end of something."""


@dataclass(frozen=True, slots=True)
class Cues:
    """All that a table says and offers until something changes."""

    prompt: str
    """The player to move, in words."""
    parts: tuple[Part, ...]
    """The effect of Enter and of other keys."""
    note: str
    """The sentence below the board, with the players' names in it."""
    refusals: Refusals
    """For each verb the sentence that refuses it, empty where no words are needed; None where it can be done."""
    aside: str = ""
    """The end of the top line: help that was used, and the round."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The names of keys that change."""
    line: str = ""
    """The move line."""
    tone: Tone = ""
    rated: Analysis | None = None
    """The analysis behind the note, if the note is a verdict on all moves."""
    any_key: str = ""
    """The verb that any key or click takes that has no other use now; empty where there is none."""

    def works(self, verb: str) -> bool:
        """This verb can be taken now."""
        return self.refusals.get(verb) is None

    def why_not(self, verb: str) -> str:
        """The sentence for a key that does nothing; empty if no words are needed."""
        return self.refusals.get(verb) or ""


class Task(Protocol):
    """The purpose of a table: to play, look on, look back, or find right moves."""

    verbs: Mapping[str, Verb]
    """The verbs there are, by their names, in the order of the key bar."""
    place: str
    """The words beside the game in the top line; empty for its rules."""

    def cues(self, state: TableState, refusals: Refusals) -> Cues:
        """The cues of this state, given the verbs that are refused."""


def cues_of(state: TableState) -> Cues:
    """The cues of this state."""
    verbs = state.task.verbs.items()
    return state.task.cues(state, {name: verb.why_not(state) for name, verb in verbs})


class Play:
    """A game is played, or looked on at."""

    verbs: Mapping[str, Verb] = VERBS
    place = ""

    def cues(self, state: TableState, refusals: Refusals) -> Cues:
        """The player to move, the effect of the keys, and the most important sentence."""
        prompt, parts = _prompt(state, refusals)
        note, analysis, verdict = _note(state), state.analysis, _verdict(state)
        return Cues(
            prompt,
            parts,
            state.session.named(note),
            refusals,
            aside=_aside(state),
            labels=_labels(state),
            line=state.line,
            tone=_tone(state),
            rated=analysis if analysis is not None and analysis.complete and note == verdict else None,
        )


def _aside(state: TableState) -> str:
    """Help that was used, the round, and the number of watchers."""
    sitting, match = state.sitting, state.sitting.match
    helped = "a lesson" if sitting.asks_first and sitting.lesson else "with help" if sitting.assisted else ""
    number = min(len(match.winners) + 1, match.rounds)
    rounds = f"Round {number} of {match.rounds}" if match.rounds > 1 else ""
    return "   ".join(filter(None, (helped, rounds, sitting.watched)))


def _labels(state: TableState) -> Mapping[str, str]:
    """The names of keys that change."""
    now: dict[str, str] = {}
    if state.awaiting == "pass":
        now["play"] = "Pass"
    elif state.session.outcome is not None:
        now["play"] = "Rematch" if state.sitting.score.over else "Next round"
    if state.peek:
        now["look"] = "Hide"
    if state.paused:
        now["pause"] = "Go on"
    return now


def _tone(state: TableState) -> Tone:
    if state.refusal is not None:
        return "refused"
    return "ended" if state.session.outcome is not None and not state.said else ""


# -- the prompt


def _prompt(state: TableState, refusals: Refusals) -> tuple[str, tuple[Part, ...]]:
    sitting, session = state.sitting, state.sitting.session
    if sitting.asked:
        return session.named(sitting.asked), (part(state, "agree", "agree"), part(state, "decline", "decline"))
    if session.turn is None:
        return "Game over", tuple(_after(state, refusals))
    name = sitting.who(session.turn).name
    if state.awaiting == "pass":
        return f"Pass to {name}", (("Enter covers the table", "play"),)
    if session.full and session.turn not in sitting.people:
        return "The game stops here", (part(state, "undo", "undo"), part(state, "new", "new game"))
    if sitting.computer_to_move:
        if state.paused:
            return f"{name} pauses", (part(state, "pause", "go on"),)
        return f"{name} is thinking …", () if sitting.people else (part(state, "pause", "pause"),)
    if not sitting.my_turn:
        claim = (part(state, "claim", "claim the game"),) if refusals["claim"] is None else ()
        return session.named(sitting.presence), claim
    return ("Your move" if len(sitting.people) == 1 else f"{name}, your move"), tuple(_enter(state))


def part(state: TableState, name: str, does: str) -> Part:
    """A part of the prompt: the key of a verb, and what it does."""
    return f"{state.key(name)}: {does}", name


def _after(state: TableState, refusals: Refusals) -> list[Part]:
    sitting, done = state.sitting, state.sitting.score
    parts = {
        "pause": "go on" if state.paused else "pause",
        "rounds": "rounds",
        "harder": f"play {sitting.next_level.name}" if sitting.next_level else "",
        "new": "new game",
        "code": "copy code",
        "level": "level",
        "undo": "undo",
    }
    again = "Enter: ask for a rematch" if sitting.asks_first else "Enter: a rematch"
    first = (again if done.over else f"Enter: round {len(done.winners) + 1}", "play")
    works = [part(state, name, does) for name, does in parts.items() if refusals[name] is None]
    return [first, *works] if refusals["rematch"] is None else works


def _enter(state: TableState) -> list[Part]:
    if state.awaiting == "play":
        told = "Enter again plays it"
    elif not state.line:
        told = f"{state.input.asks(state.view())}, use the arrows, or click"
    elif (reading := state.reading).fault is not None:
        told = _ways_on(reading.begun)
    elif reading.told:
        told = f"Enter: {state.session.named(reading.told)}"
    else:
        told = f"Enter plays {state.line}"
    return [(told, "play")] if told else []


def _ways_on(moves: Sequence[str]) -> str:
    if len(moves) > _TOLD + 1:
        return f"Go on: {', '.join(moves[:_TOLD])} …"
    return f"Go on: {listed(moves, 'or')}" if moves else ""


# -- the note


def saying(state: TableState) -> str:
    """The most urgent sentence: a refusal, something said for now, or the fault of the move line."""
    if state.refusal is not None:
        return state.refusal.sentence
    if state.said:
        return state.said
    if state.line and state.may_move and state.reading.fault is not None and not state.reading.begun:
        return state.reading.fault.sentence
    return ""


def _note(state: TableState) -> str:
    session = state.session
    if first := saying(state):
        return first
    verdict = _verdict(state)
    told = _result(state) or (FULL if session.full else "") or verdict or _news(state)
    told = told or state.sitting.game.goal(state.view())
    if state.tells_settled and not verdict and state.settled is not None:
        return f"{told} {state.settled[0].removesuffix('.')}: press {state.key('more')}."
    return told


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


def _news(state: TableState) -> str:
    """Events that the board alone does not show: a hidden number came to light, a turn passed."""
    plies = state.session.plies
    if not plies:
        return ""
    seen = plies[-1].events if state.sitting.game.INFO.hidden else plies[-1].events[1:]
    return " ".join(event.sentence for event in seen)
