"""The end of a game as a card: who won and why, how well it was played, and what may follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duelbox.core.model import SEATS, Seat, other
from duelbox.learn.turning import Judged, luck_of, points
from duelbox.solve.api import HALF
from duelbox.table.story import ending, winner_told

if TYPE_CHECKING:
    from duelbox.table.state import TableState

LEAD = 30
"""The lead is drawn in so many signs at most."""


@dataclass(frozen=True, slots=True)
class Card:
    """The end of a game in words."""

    title: str
    winner: Seat | None
    lines: tuple[str, ...]
    lead: tuple[Seat | None, ...] = ()
    """Who stood better after each turn, as far as it is known."""


def card(state: TableState, note: str) -> Card | None:
    """The card of a game that is over, with what else is said now; None while it is on."""
    sitting, session = state.sitting, state.session
    outcome, voice, judged = session.outcome, sitting.voice, state.judged or ()
    if outcome is None or state.task.place:
        return None
    lines = [voice.sentence(ending(session, voice)[:-1])]
    if voice.you is not None:
        lines[0] = " ".join(filter(None, (_grade(judged, voice.you, outcome.winner), lines[0])))
        lines += _accuracy(judged, voice.you)
    elif slips := [one for one in judged if one.turning]:
        lines.append(f"The game turned at turn {slips[-1].ply}: {slips[-1].move} was a slip.")
    if (luck := luck_of(judged)) is not None:
        seat: Seat = 0 if luck > 0 else 1
        lines.append(f"Luck gave {voice.whom(seat)} {points(abs(luck))}." if luck else "Luck favoured nobody.")
    lines += _own_word(state, judged)
    if sitting.score.rounds > 1 and sitting.score.over:
        best = next((seat for seat in SEATS if sitting.match.player_in(seat) == sitting.score.winner), None)
        lines.append("The match is drawn." if best is None else f"The match goes to {voice.whom(best)}.")
    lines += [note] if note else []
    lead = () if session.game.INFO.hidden else tuple(_ahead(one) for one in judged)
    return Card(winner_told(outcome.winner, voice), outcome.winner, tuple(lines), lead)


def slip_to_mend(state: TableState) -> Judged | None:
    """The last move of a person alone that threw away a game they lost; none where hidden numbers are known by now."""
    session, you, outcome = state.session, state.sitting.voice.you, state.session.outcome
    if you is None or outcome is None or outcome.winner != other(you) or session.game.INFO.hidden:
        return None
    own = [one for one in state.judged or () if one.seat == you and one.turning]
    return own[-1] if own and state.sitting.score.over else None


def _grade(judged: Sequence[Judged], you: Seat, winner: Seat | None) -> str:
    own = [one for one in judged if one.seat == you]
    slips = [one for one in own if one.turning]
    if not any(one.kind != "no-choice" for one in own):
        return ""
    if winner == you:
        return "Comeback." if slips else "Flawless."
    if len(slips) == 1:
        return f"One slip, at turn {slips[0].ply}."
    return f"{len(slips)} slips, the last at turn {slips[-1].ply}." if slips else "No slip."


def _accuracy(judged: Sequence[Judged], you: Seat) -> list[str]:
    mattered = [one for one in judged if one.seat == you and one.kind != "no-choice"]
    right = sum(not one.turning for one in mattered)
    return [f"Right moves: {right} of {len(mattered)} where it mattered."] if mattered else []


def _own_word(state: TableState, judged: Sequence[Judged]) -> list[str]:
    """What the computer said of the move that threw its game away."""
    for one in reversed(judged):
        made, why = state.sitting.reasons.get(one.ply, (None, ""))
        if one.turning and why and made == state.session.plies[one.ply - 1].move:
            return [f"{state.session.names[one.seat]}, turn {one.ply}: \u201c{why}\u201d"]
    return []


def _ahead(one: Judged) -> Seat | None:
    value = one.worth.value if one.seat == 0 else 1 - one.worth.value
    return None if value == HALF else 0 if value > HALF else 1


def drawn_lead(lead: Sequence[Seat | None]) -> tuple[Seat | None, ...]:
    """The lead in so many signs as there is room for."""
    count = min(LEAD, len(lead))
    return tuple(lead[at * len(lead) // count] for at in range(count))
