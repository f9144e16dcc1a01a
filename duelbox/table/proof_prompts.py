"""The words of a proof at one moment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from duelbox.core.model import SEATS, other
from duelbox.table.end_card import CardText
from duelbox.table.prompts import WORKING, Part, Prompts, match_prompts, part, saying
from duelbox.table.refusals import Refusals
from duelbox.table.story import Line

if TYPE_CHECKING:
    from duelbox.table.proof_table import ProofTable
    from duelbox.table.state import TableState

WHO = ("who begins", "who answers")
"""The two sides in words."""
WINS = ("Whoever begins wins", "Whoever answers wins")
ARROWS = ("←", "→")
SIGNS = ("●", "◆")
LABELS = {
    "side": "Claim",
    "playing": "Go on",
    "rule": "Claim",
    "refuted": "Turn round",
    "walked": "Next",
    "over": "Next",
}
"""The name of Enter in each phase but that of a question."""


def prompts_of(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """The words for the phase of a proof."""
    if table.working is not None:
        shown = Prompts("", (), WORKING, refusals, story=_story(table))
    elif table.phase == "side":
        shown = _choosing(table, state, refusals)
    elif table.phase == "asked":
        shown = _asked(table, state, refusals)
    elif table.phase == "rule":
        shown = _naming(table, state, refusals)
    elif table.phase == "refuted":
        shown = _refuted(table, state, refusals)
    elif table.phase == "walked":
        shown = _walked(table, state, refusals)
    elif table.phase == "over":
        shown = _over(table, state, refusals)
    else:
        shown = Prompts("", (), "", refusals, story=_story(table))
    return replace(shown, labels=_labels(table))


def _story(table: ProofTable) -> tuple[Line, ...]:
    """The sentences on what happened, the latest first."""
    return tuple(reversed(table.told))


def _labels(table: ProofTable) -> dict[str, str]:
    """The names of keys that change."""
    labels = {}
    if table.phase in LABELS:
        labels["play"] = LABELS[table.phase]
    if table.phase == "rule":
        labels["claim"] = "Another rule" if table.further_rules else "Back"
    if table.phase == "rule" or (table.phase == "walked" and not table.pasted):
        labels["leave"] = "Back"
    return labels


def _choosing(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """The two sides on a card."""
    machine = table.machine.name
    count = len(table.session.legal_moves())
    said = f"A proof beats every reply, not one. {machine} can begin with {count} numbers."
    if table.deal.turn == table.side:
        said = f"A proof beats every reply, not one. You begin, then {machine} tries them all."
    buttons: list[Part] = []
    for seat in SEATS:
        words = f"{SIGNS[seat]} {WHO[_role(table, seat)]}"
        if seat == table.side:
            buttons.append((f"Enter: {words}", "play"))
        else:
            buttons.append((f"{ARROWS[seat]}: {words}", "side"))
    told = f"{machine} plays every number. You answer where you could lose."
    note = "Claim a side: a wrong claim, or a wrong answer, is refuted on the board."
    card = CardText("Who wins, whatever comes?", None, (("end", state.said or told),))
    return Prompts("", tuple(buttons), note, refusals, story=((None, said),), card=card)


def _role(table: ProofTable, seat: int) -> int:
    """0 for the player who moves next in the position, 1 for the one who answers."""
    return 0 if seat == table.deal.turn else 1


def _asked(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """The question; before the first answer, what is asked and what is not."""
    shown = match_prompts(state, refusals)
    note = table.session.named(saying(state))
    if not note and not table.walk.right and not table.walk.wrong:
        note = f"Answer so that you still win, whatever {table.machine.name} does. A wrong answer is refuted."
    return replace(shown, prompt="Your answer", note=note, aside="", story=_story(table), card=None)


def _naming(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """The rule that is being named."""
    rule = table.rule
    assert rule is not None
    said = f"A rule answers every number of {table.machine.name} at once."
    if rule.takes_pairs:
        parts: tuple[Part, ...] = (("Type pairs such as 1-2 4-5, or click them", "play"),)
        if rule.pairs:
            parts = (("  Enter claims these pairs", "play"),)
        note = "Each number of a pair answers the other: always free, and always near enough."
        return Prompts("Your pairs", parts, state.said or note, refusals, line=rule.line, story=((None, said),))
    parts = (("  Enter claims it", "play"), part(state, "claim", "another"))
    return Prompts("Your rule", parts, state.said, refusals, line=rule.words, story=((None, said),))


def _refuted(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """The other side's win."""
    machine = table.machine.name
    winner = WINS[_role(table, other(table.side))]
    note = state.said or f"{machine} wins, however you play. So your claim is refuted."
    parts = ((f"Enter claims: {winner[0].lower()}{winner[1:]}", "play"),)
    return Prompts("Refuted", parts, note, refusals, story=_story(table), tone="refused")


def _walked(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """One answer of the proof."""
    answers = table.answers
    before, answer = answers[table.at_answer]
    prompt = f"Answer {table.at_answer + 1} of {len(answers)}"
    parts = (("→: the next one", "forward"), ("←: the one before", "back"))
    told: Line = (None, "The proof begins.")
    if before:
        told = table.line_of(before)
    note = state.said or f"The proof answers with {answer}."
    return Prompts(prompt, parts, note, refusals, line=answer, story=(told,))


def _over(table: ProofTable, state: TableState, refusals: Refusals) -> Prompts:
    """The card at the end."""
    parts: list[Part] = []
    following = table.next_rung
    if following is not None:
        parts.append((f"Enter: proof {following.number}, {following.rung.name}", "play"))
    parts.append(("c: copy", "copy"))
    score = f"proof {table.at_rung.number}" if table.at_rung else ""
    card = CardText("Proved", table.walk.side, (("end", state.said or _result(table)),), score=score)
    return Prompts("", tuple(parts), _why(table), refusals, story=_end_story(table), card=card)


def _result(table: ProofTable) -> str:
    """The winner, and all that was answered: "Whoever begins wins: 7 questions, 1 wrong, 11 saved by a rule."."""
    walk = table.walk
    counts = [_counted(len(walk.right), "question"), f"{walk.wrong} wrong"]
    if table.hints:
        counts.append(_counted(table.hints, "hint"))
    saved = sum(step.saved for step in walk.rules)
    if saved:
        counts.append(f"{saved} saved by a rule")
    return f"{WINS[_role(table, table.side)]}: {', '.join(counts)}."


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _end_story(table: ProofTable) -> tuple[Line, ...]:
    """The rule that closed the last numbers, or the end in a sentence."""
    if not table.walk.rules:
        return (None, f"Everything is closed: {table.machine.name} has nothing left."), *_story(table)
    rule = table.walk.rules[-1]
    return (None, f"The rule closes {rule.closed} at once: {rule.text}."), *_story(table)


def _why(table: ProofTable) -> str:
    """The reason why that is a proof."""
    if table.walk.rules:
        return f"Whatever {table.machine.name} does, your rule has the answer."
    return f"{table.machine.name} has tried every number, and each one is answered."
