"""The words of a table at one moment: the player to move, the effect of each key, the note below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from duelbox.core.match import points_text
from duelbox.core.model import listed, other
from duelbox.core.session import FULL
from duelbox.solve import sentences, why_no_verdict
from duelbox.solve.api import Analysis
from duelbox.table.end_card import Card, card, slip_to_mend
from duelbox.table.refusals import board_was_drawn
from duelbox.table.story import Line, ending, first_line, preview, turn_line
from duelbox.table.verbs import VERBS, Verb

if TYPE_CHECKING:
    from duelbox.table.state import TableState

WORKING = "Working it out …"
STORY_TURNS = 8
"""This many of the last turns are shown, if there is room."""
ASKED_BY_COACH = ("play", "undo", "home", "help")
"""The verbs that can be taken while the coach asks."""
_CONTINUATIONS = 4
"""This many ways to go on with a half typed move are named."""

Part = tuple[str, str]
"""A text in the prompt, and the verb that a click on it takes."""
Refusals = Mapping[str, str | None]
Tone = Literal["", "refused", "ended", "help"]
"""The kind of a note: an ordinary one, a refusal, an end, or help (a hint, the reason for a verdict)."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """The words and offers of a table until something changes."""

    prompt: str
    """The player to move, in words."""
    parts: tuple[Part, ...]
    """The effect of Enter and of other keys."""
    note: str
    """The sentences below the board: a hint, a reason, a refusal, an offer."""
    refusals: Refusals
    """The sentence that refuses each verb, empty where no words are needed; None for a verb that can be taken."""
    aside: str = ""
    """The end of the top line: the round, help that was used, watchers."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The names of keys that change."""
    line: str = ""
    """The move line."""
    tone: Tone = ""
    story: tuple[Line, ...] = ()
    """The last turns, each in a line, the latest first."""
    remark: str = ""
    """An unasked remark of the computer about its last move."""
    card: Card | None = None
    """The card at the end of a game."""
    verdict: str = ""
    """The winner with best play, in a sentence, while the verdict is shown."""
    reason: str = ""
    """The reason for the verdict."""
    rated: Analysis | None = None
    """The analysis behind the verdict."""
    any_key: str = ""
    """The verb that any key or click takes that has no other use now; empty if there is none."""

    def works(self, verb: str) -> bool:
        """The task has this verb, and it can be taken now."""
        return self.refusals.get(verb, "") is None

    def why_not(self, verb: str) -> str:
        """The sentence that refuses a verb; empty if no words are needed."""
        return self.refusals.get(verb) or ""


class Task:
    """The purpose of a table: this one is to play or watch a game, others are to review it or to find right moves."""

    verbs: Mapping[str, Verb] = VERBS
    """The verbs by name, in the order of the key bar."""
    place = ""
    """The word beside the game in the top line; empty in play, where the house rules stand there."""

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The player to move, the effect of the keys, and the most important sentence."""
        if state.asks_back:
            refusals = {name: why if name in ASKED_BY_COACH else "" for name, why in refusals.items()}
        prompt, parts = _prompt(state, refusals)
        shown = state.verdict_shown
        note = state.session.named(_note(state))
        said, more = (note, "") if saying(state) else ("", note)
        asked = prompt if state.table.asked else ""
        return Prompts(
            prompt,
            parts,
            note,
            refusals,
            aside=_aside(state),
            labels=_labels(state),
            line=state.line,
            tone=_tone(state),
            story=story(state),
            remark=f"\u201c{state.table.remark}\u201d" if state.table.remark else "",
            card=card(state, " ".join(filter(None, (said, asked))), more),
            verdict=_verdict(state) if shown else "",
            reason=state.session.named(_reason(state)),
            rated=state.analysis if shown else None,
        )


def story(state: TableState) -> tuple[Line, ...]:
    """The last turns, each in a line, the latest first."""
    table, session = state.table, state.session
    numbers = range(len(session.plies) - 1, max(-1, len(session.plies) - 1 - STORY_TURNS), -1)
    lines = [turn_line(session, at, table.voice) for at in numbers]
    if lines and session.outcome is not None and not state.task.place:  # the card gives the reason of the end
        seat, last = lines.pop(0)
        rest = last.removesuffix(ending(session, table.voice)).rstrip()
        lines[:0] = [(seat, rest)] if rest else []
    return tuple(lines) or (first_line(session, table.voice),)


def _verdict(state: TableState) -> str:
    if state.analysis is not None:
        return sentences.outlook(state.analysis, state.table.voice)
    return why_no_verdict(state.table.game.INFO.id) if state.given_up else WORKING


def _aside(state: TableState) -> str:
    """The round and its points, help that was used, and the number of watchers."""
    table, match = state.table, state.table.match
    helped = "a lesson" if table.asks_first and table.lesson else "with help" if table.assisted else ""
    number = min(len(match.winners) + 1, match.rounds)
    left = table.match.player_in(table.left_seat)
    points = " : ".join(points_text(table.score.points(one)) for one in (left, other(left)))
    rounds = f"round {number} of {match.rounds} · {points}" if match.rounds > 1 else ""
    return " · ".join(filter(None, (rounds, helped, table.watched)))


def _labels(state: TableState) -> Mapping[str, str]:
    """The names of keys that change."""
    now: dict[str, str] = {}
    if state.awaiting == "pass":
        now["play"] = "Pass"
    elif state.session.outcome is not None:  # these keys stand on the card
        now |= dict.fromkeys(("play", "review", "rounds", "pause", "hint", "verdict", "why"), "")
        now |= {"new": ""} if board_was_drawn(state) else {}
    elif not any(ply.seat in state.table.people for ply in state.session.plies):
        now["undo"] = ""  # undo would lead to another table
    if state.verdict_on:
        now["verdict"] = "Verdict off"
    if state.peek:
        now["look"] = "Hide"
    if state.paused:
        now["pause"] = "Go on"
    return now


def _tone(state: TableState) -> Tone:
    if state.refusal is not None:
        return "refused"
    if (state.hint_step and state.said) or (state.verdict_on and not saying(state)):
        return "help"
    return "ended" if state.session.outcome is not None and not state.said else ""


# -- the prompt


def _prompt(state: TableState, refusals: Refusals) -> tuple[str, tuple[Part, ...]]:
    table, session = state.table, state.table.session
    if table.asked:
        return session.named(table.asked), (part(state, "agree", "agree"), part(state, "decline", "decline"))
    if session.turn is None:
        return "Game over", tuple(_after(state, refusals))
    name = table.who(session.turn).name
    if state.asks_back:
        return "Your choice", (part(state, "undo", "take it back"), ("Enter: play on", "play"))
    if state.awaiting == "pass":
        return f"Pass to {name}", (("Enter covers the table", "play"),)
    if session.full and session.turn not in table.people:
        return "The game stops here", (part(state, "undo", "undo"), part(state, "new", "new game"))
    if table.computer_to_move:
        if state.paused:
            return f"{name} pauses", (part(state, "pause", "go on"),)
        return f"{name} is thinking …", () if table.people else (part(state, "pause", "pause"),)
    if not table.my_turn:
        claim = (part(state, "claim", "claim the game"),) if refusals["claim"] is None else ()
        return session.named(table.presence), claim
    return ("Your move" if len(table.people) == 1 else f"{name}, your move"), tuple(_enter(state))


def part(state: TableState, name: str, does: str) -> Part:
    """A part of the prompt: the key of a verb, and what it does."""
    return f"{state.key(name)}: {does}", name


def _after(state: TableState, refusals: Refusals) -> list[Part]:
    table, done = state.table, state.table.score
    slip, drawn = slip_to_mend(state), board_was_drawn(state)
    again = "new" if drawn else "rematch"
    parts = {
        again: ("another board like this" if drawn else "again") if done.over and not table.asks_first else "",
        "pause": "go on" if state.paused else "pause",
        "review": "review",
        "rounds": "rounds",
        "code": "copy the game",
    }
    if table.asks_first and done.over:
        first = "ask for a rematch"
    elif not done.over:
        first = f"round {len(done.winners) + 1} of {done.rounds}"
    elif slip is not None and not table.asks_first:
        first = f"try turn {slip} again"
    elif (level := table.next_level) is not None:
        first = f"{level.name}, the next level"
    else:
        first = parts.pop(again)
    works = [part(state, name, does) for name, does in parts.items() if does and refusals[name] is None]
    return [(f"Enter: {first}", "play"), *works] if refusals["rematch"] is None else works


def _enter(state: TableState) -> list[Part]:
    if state.awaiting == "play":
        text = "Enter again plays it"
    elif not state.line:
        text = f"{state.input.asks(state.view())}, or click"
    elif (parsed := state.parsed).fault is not None:
        text = _ways_on(parsed.begun)
    elif parsed.made is not None:
        text = f"Enter{preview(state.session, *parsed.made, state.table.voice.names)}"
    else:
        text = f"Enter plays {state.line}"
    return [(text, "play")] if text else []


def _ways_on(moves: Sequence[str]) -> str:
    if len(moves) > _CONTINUATIONS + 1:
        return f"Go on: {', '.join(moves[:_CONTINUATIONS])} …"
    return f"Go on: {listed(moves, 'or')}" if moves else ""


# -- the note


def saying(state: TableState) -> str:
    """The most urgent sentence: a refusal, something said for now, or the fault of the move line."""
    if state.refusal is not None:
        return state.refusal.shown
    if state.asks_back:
        return f"That gives the {state.coach} away. Take it back?"
    if state.said:
        return state.said
    if state.line and state.may_move and state.parsed.fault is not None and not state.parsed.begun:
        return state.parsed.fault.shown
    return ""


def _note(state: TableState) -> str:
    session = state.session
    if first := saying(state):
        return first
    reason = _reason(state)
    note = (FULL if session.full else "") or reason
    if not note and session.outcome is None and state.tells_rule and not state.verdict_shown:
        note = state.table.game.aim(state.view())
    if state.tells_settled and not reason and state.settled is not None:
        return f"{note} {state.settled[0].removesuffix('.')}: press {state.key('more')}.".lstrip()
    return note


def _reason(state: TableState) -> str:
    """The reason for the verdict, while it is shown."""
    return sentences.reason(state.analysis) if state.verdict_shown and state.analysis else ""
