"""The words of a table at one moment: the player to move, the effect of each key, the note below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from duelbox.core.match import points_text
from duelbox.core.model import listed, other
from duelbox.core.session import FULL
from duelbox.solve import sentences, why_no_verdict
from duelbox.solve.api import Analysis
from duelbox.table.end_card import CardText, card
from duelbox.table.lost_deal import lost
from duelbox.table.players import next_teams
from duelbox.table.programs import program_line
from duelbox.table.refusals import Refusals
from duelbox.table.story import Line, ending, first_line, preview, turn_line

if TYPE_CHECKING:
    from duelbox.table.state import TableState

WORKING = "Working it out …"
STORY_TURNS = 8
"""This many of the last turns are shown, if there is room."""
ASKED_BY_COACH = ("play", "undo", "home", "help")
"""The verbs that can be taken while the coach asks."""
ON_THE_CARD = ("play", "review", "rounds", "hold", "hint", "verdict", "why")
"""The verbs whose keys stand on the card at the end, so that the key bar leaves them out."""
_CONTINUATIONS = 4
"""This many ways to go on with a half typed move are named."""

Part = tuple[str, str]
"""A text in the prompt, and the verb that a click on it takes."""
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
    """The sentences that refuse verbs."""
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
    card: CardText | None = None
    """The card at the end of a game."""
    verdict: str = ""
    """The winner with best play, in a sentence, while the verdict is shown."""
    reason: str = ""
    """The reason for the verdict."""
    rated: Analysis | None = None
    """The analysis behind the verdict."""
    argued: Analysis | None = None
    """The finished analysis whose whole argument may be read: of a verdict that is shown, or of the last hint."""
    any_key: str = ""
    """The verb that any key or click takes that has no other use now; empty if there is none."""

    def works(self, verb: str) -> bool:
        """The table has this verb, and it can be taken now."""
        return self.refusals.works(verb)

    def why_not(self, verb: str) -> str:
        """The sentence that refuses a verb; empty if no words are needed."""
        return self.refusals.why_not(verb) or ""


def match_prompts(state: TableState, refusals: Refusals) -> Prompts:
    """The words at a match: the player to move, the effect of the keys, and the most important sentence."""
    table = state.table
    if state.asks_back:
        refusals = refusals.only(ASKED_BY_COACH)
    prompt, parts = _prompt(state, refusals)
    note = table.session.named(_note(state))
    return Prompts(
        prompt,
        parts,
        note,
        refusals,
        aside=_aside(state),
        labels=_labels(state),
        line=state.line,
        tone=_tone(state),
        story=_story_beside_card(state),
        remark=f"\u201c{table.remark}\u201d" if table.remark else "",
        card=_card(state, prompt, note),
        verdict=_verdict(state),
        reason=table.session.named(_reason(state)),
        rated=state.analysis if state.verdict_shown else None,
        argued=argued(state, state.analysis),
    )


def argued(state: TableState, analysis: Analysis | None) -> Analysis | None:
    """The analysis whose argument gives nothing away that is not said: of a verdict, or of the last hint."""
    if analysis is None or not analysis.complete or not analysis.moves:
        return None
    last_hint = state.hint_step and state.hint_step >= len(sentences.hints(analysis))
    return analysis if state.verdict_shown or last_hint else None


def story(state: TableState) -> tuple[Line, ...]:
    """The last turns, each in a line, the latest first."""
    session, voice = state.session, state.table.voice
    last = len(session.plies) - 1
    numbers = range(last, max(-1, last - STORY_TURNS), -1)
    return tuple(turn_line(session, at, voice) for at in numbers) or (first_line(session, voice),)


def _story_beside_card(state: TableState) -> tuple[Line, ...]:
    """The last turns, without the reason of the end, which the card gives."""
    session, voice = state.session, state.table.voice
    lines = story(state)
    if not session.plies or session.outcome is None:
        return lines
    seat, last = lines[0]
    before = last.removesuffix(ending(session, voice)).rstrip()
    if before:
        return (seat, before), *lines[1:]
    return lines[1:] or (first_line(session, voice),)


def _card(state: TableState, prompt: str, note: str) -> CardText | None:
    """The card of a finished game, with what is said for now before all else."""
    asked = prompt if state.table.asked else ""
    if saying(state):
        return card(state, f"{note} {asked}".strip(), "")
    return card(state, asked, note)


def _verdict(state: TableState) -> str:
    """The winner with best play, while the verdict is shown."""
    if not state.verdict_shown:
        return ""
    analysis, table = state.analysis, state.table
    if analysis is not None:
        voice = table.voice
        if analysis.turn in table.people:  # the reason says "you" to whoever is to move here, so the verdict does
            voice = replace(voice, you=analysis.turn)
        return sentences.outlook(analysis, voice)
    return why_no_verdict(state.table.game.INFO.id) if state.given_up else WORKING


def _aside(state: TableState) -> str:
    """The round and its points, help that was used, and the number of watchers."""
    table, match = state.table, state.table.match
    rounds = ""
    if match.rounds > 1:
        number = min(len(match.winners) + 1, match.rounds)
        left = match.player_in(table.left_seat)
        points = " : ".join(points_text(table.score.points(player)) for player in (left, other(left)))
        rounds = f"round {number} of {match.rounds} · {points}"
    return " · ".join(filter(None, (rounds, table.helped, table.watched)))


def _labels(state: TableState) -> Mapping[str, str]:
    """The names of keys that change."""
    table = state.table
    now: dict[str, str] = {}
    if state.awaiting == "pass":
        now["play"] = "Pass"
    elif table.session.outcome is not None:
        now |= dict.fromkeys(ON_THE_CARD, "")
        if table.repeats:
            now["new"] = ""
    elif not any(ply.seat in table.people for ply in table.session.plies):
        now["undo"] = ""  # undo would lead to another table
    if state.verdict_on:
        now["verdict"] = "Verdict off"
    if state.peek:
        now["peek"] = "Hide"
    if state.held:
        now["hold"] = "Go on"
    return now


def _tone(state: TableState) -> Tone:
    if state.refusal is not None:
        return "refused"
    if (state.hint_step and state.said) or (state.verdict_on and not saying(state)):
        return "help"
    if state.session.outcome is not None and not state.said:
        return "ended"
    return ""


# -- the prompt


def _prompt(state: TableState, refusals: Refusals) -> tuple[str, tuple[Part, ...]]:
    """The player to move, or what is asked, with the effect of the keys."""
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
        return _prompt_of_computer(state, name)
    if not table.my_turn:
        claims = [part(state, "claim", "claim the game")] if refusals.works("claim") else []
        return session.named(table.presence), tuple(claims)
    prompt = "Your move" if len(table.people) == 1 else f"{name}, your move"
    return prompt, _enter(state)


def _prompt_of_computer(state: TableState, name: str) -> tuple[str, tuple[Part, ...]]:
    """The words while a computer is to move."""
    if state.held:
        return f"{name} pauses", (part(state, "hold", "go on"),)
    thinks = f"{name} is thinking …"
    if state.table.people:
        return thinks, ()
    return thinks, (part(state, "hold", "pause"),)


def part(state: TableState, name: str, does: str) -> Part:
    """A part of the prompt: the key of a verb, and what it does."""
    return f"{state.key(name)}: {does}", name


def _after(state: TableState, refusals: Refusals) -> list[Part]:
    """The ways on after the end of a game: first the effect of Enter, then other keys."""
    table, score = state.table, state.table.score
    parts = {
        "hold": "go on" if state.held else "pause",
        "review": "review",
        "rounds": "rounds",
        "code": "copy the game",
    }
    if table.repeats:
        parts = {"new": "another", **parts}
    slip, level = table.slip_to_mend(state), table.next_level
    teams = next_teams(table.players)
    if not score.over:
        first = f"round {len(score.winners) + 1} of {score.rounds}"
    elif teams is not None:
        first = f"{teams[0].name} and {teams[1].name}"
    elif lost(state):
        first = "the same deal, other seat"
    elif slip is not None:
        first = f"try turn {slip} again"
    elif level is not None:
        first = f"{level.name}, the next level"
    else:
        first = table.again
        parts.pop("new", "")
    works = [part(state, name, does) for name, does in parts.items() if refusals.works(name)]
    if refusals.works("rematch"):
        works.insert(0, (f"Enter: {first}", "play"))
    return works


def _enter(state: TableState) -> tuple[Part, ...]:
    """The effect of Enter on the move line, or what is missing in it."""
    if state.awaiting == "play":
        return (("Enter again plays it", "play"),)
    if not state.line:
        return ((f"{state.input.asks(state.view())}, or click", "play"),)
    parsed = state.parsed
    if parsed.fault is not None and not parsed.begun:
        return ()
    if parsed.fault is not None:
        return ((_ways_on(parsed.begun), "play"),)
    if parsed.made is not None:
        return ((f"Enter{preview(state.session, *parsed.made, state.table.voice.names)}", "play"),)
    return ((f"Enter plays {state.line}", "play"),)


def _ways_on(moves: Sequence[str]) -> str:
    """The moves that a half typed line may become."""
    if len(moves) > _CONTINUATIONS + 1:
        return f"Go on: {', '.join(moves[:_CONTINUATIONS])} …"
    return f"Go on: {listed(moves, 'or')}"


# -- the note


def saying(state: TableState) -> str:
    """The most urgent sentence: a refusal, something said for now, or the fault of the move line."""
    if state.refusal is not None:
        return state.refusal.shown
    if state.asks_back:
        return state.coach
    if state.said:
        return state.said
    if state.line and state.may_move and state.parsed.fault is not None and not state.parsed.begun:
        return state.parsed.fault.shown
    return ""


def _note(state: TableState) -> str:
    """The most important sentence now."""
    urgent = saying(state)
    if urgent:
        return urgent
    session, reason = state.session, _reason(state)
    line = program_line(state)
    if line and not reason and not session.full:
        return line
    note = FULL if session.full else reason
    if not note and session.outcome is None and state.tells_rule and not state.verdict_shown:
        note = state.table.game.aim(state.view())
    if not reason and state.tells_settled and state.settled is not None:
        decided = state.settled[0].removesuffix(".")
        return f"{note} {decided}: press {state.key('more')}.".lstrip()
    return note


def _reason(state: TableState) -> str:
    """The reason for the verdict, while it is shown."""
    analysis, table = state.analysis, state.table
    if not state.verdict_shown or analysis is None:
        return ""
    whose = "" if analysis.turn in table.people else table.voice.names[analysis.turn]
    return sentences.in_place(sentences.reason(analysis), whose)
