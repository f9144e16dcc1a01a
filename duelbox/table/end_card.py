"""The card at the end of a game: the winner, the reason, how well it was played, and what may follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from duelbox.core.match import points_text
from duelbox.core.model import SEATS, Seat, Voice, other
from duelbox.learn.turning_points import JudgedMove, luck_of, luck_told
from duelbox.solve.api import HALF, ONE
from duelbox.table.story import ending, winner_text

if TYPE_CHECKING:
    from duelbox.core.session import Session
    from duelbox.table.state import TableState

LEAD = 30
"""The lead is drawn in at most this many signs."""


Kind = Literal["end", "match", "moves", "computer", "more", "note"]


@dataclass(frozen=True, slots=True)
class Card:
    """The end of a game in words."""

    title: str
    winner: Seat | None
    lines: tuple[tuple[Kind, str], ...]
    """Sentences, and the kind of each; in little room the kinds of least importance are left out."""
    score: str = ""
    """The points of a match of several rounds."""
    lead: tuple[Seat | None, ...] = ()
    """The seat that stood better after each turn, as far as known; None if it was even."""
    lead_text: str = ""
    """The lead in words: "yours from turn 5"."""


def card(state: TableState, note: str, more: str) -> Card | None:
    """The card of a finished game, with a sentence said for now and further notes; None during the game."""
    table, session = state.table, state.session
    outcome, voice, judged = session.outcome, table.voice, state.judged or ()
    if outcome is None or state.task.place:
        return None
    you, end = voice.you, voice.sentence(ending(session, voice)[:-1])
    lines: list[tuple[Kind, str]] = []
    moves = []
    if resigned_won(state):
        end = "You resigned a game you could still win."
    elif you is not None:
        end = " ".join(filter(None, (_grade(session, judged, you, helped=table.assisted), end)))
        moves = _accuracy(judged, you, helped=table.assisted)
        if table.assisted and outcome.winner == you and table.against_computer:
            moves.append("Only a win without help counts on the ladder.")
    elif slips := [one for one in judged if one.turning]:
        moves.append(f"The game turned at turn {slips[-1].ply}: {slips[-1].move} was a slip.")
    if (luck := luck_of(judged)) is not None:
        moves.append(luck_told(luck, voice.whose(0 if luck > 0 else 1)) if luck else "Luck favoured nobody.")
    lines.append(("end", end))
    lines += [("moves", " ".join(moves))] if moves else []
    lines += [("computer", own) for own in _words_of_loser(state, judged)]
    if table.score.rounds > 1 and table.score.over:
        best = next((seat for seat in SEATS if table.match.player_in(seat) == table.score.winner), None)
        lines.append(("match", "The match is drawn." if best is None else f"The match goes to {voice.whom(best)}."))
    lines += [("more", more)] if more else []
    lines += [("note", note)] if note else []
    lead = () if session.game.INFO.hidden else tuple(_ahead(one) for one in judged)
    title = winner_text(outcome.winner, voice)
    return Card(title, outcome.winner, tuple(lines), _score(state), lead, _lead_text(judged, lead, voice))


def _score(state: TableState) -> str:
    """The points after this round, from left to right; empty for a match of one round."""
    score, left = state.table.score, state.table.match.player_in(state.table.left_seat)
    points = " : ".join(points_text(score.points(one)) for one in (left, other(left)))
    return f"{points} after round {len(score.winners)}" if score.rounds > 1 else ""


def _lead_text(judged: Sequence[JudgedMove], lead: Sequence[Seat | None], voice: Voice) -> str:
    """The player in the lead at the end, and the turn at which the lead began, in words."""
    if not lead:
        return ""
    first = next((at for at in range(len(lead) - 1, 0, -1) if lead[at - 1] != lead[-1]), 0)
    whose = "even" if lead[-1] is None else "yours" if lead[-1] == voice.you else voice.whose(lead[-1])
    return f"{whose} from turn {judged[first].ply}"


def resigned_won(state: TableState) -> bool:
    """The only person here resigned in their own turn, although they could force a win."""
    you, found, plies = state.table.voice.you, state.solved, state.session.plies
    mine = bool(plies) and plies[-1].by == "resignation" and plies[-1].seat == you
    return mine and found is not None and (found.turn, found.value) == (you, ONE)


def slip_to_mend(state: TableState) -> int | None:
    """The turn in which the only person here threw away a game they lost; None if hidden numbers have been seen."""
    session, you, outcome = state.session, state.table.voice.you, state.session.outcome
    if you is None or outcome is None or outcome.winner != other(you) or session.game.INFO.hidden:
        return None
    own = [one.ply for one in state.judged or () if one.seat == you and one.turning]
    own += [len(session.plies)] if resigned_won(state) else []
    return own[-1] if own and state.table.score.over else None


def keep_mistakes(state: TableState) -> None:
    """Save the mistakes that the only person here could have seen; none in a match with hidden numbers that goes on."""
    from duelbox.learn.ideas import MISTAKES, Missed
    from duelbox.learn.mistakes import mistakes_in, worst_mistakes

    session, you = state.session, state.table.voice.you
    if you is None or session.outcome is None or (session.game.INFO.hidden and not state.table.score.over):
        return
    near = [one for one in state.judged or () if one.shallow]
    for one in worst_mistakes(mistakes_in([(session, near, you)])):
        idea = one.analysis.idea.name if one.analysis.idea else ""
        missed = Missed(played=one.played, names=session.names, idea=idea, day=date.today())
        state.frontend.remember(MISTAKES, one.session.code(), missed.model_dump(mode="json"))


def _grade(session: Session, judged: Sequence[JudgedMove], you: Seat, *, helped: bool) -> str:
    own = [one for one in judged if one.seat == you]
    slips = [one for one in own if one.turning]
    if not any(one.kind != "no-choice" for one in own):
        return "With help." if helped else ""
    won = session.outcome is not None and session.outcome.winner == you
    if won and helped:
        return "With help."
    if session.cut_short and (won or not slips):
        return ""
    if won:
        return "Comeback." if slips else "Flawless."
    if len(slips) == 1:
        return f"One slip, at turn {slips[0].ply}."
    return f"{len(slips)} slips, the last at turn {slips[-1].ply}." if slips else "No slip."


def _accuracy(judged: Sequence[JudgedMove], you: Seat, *, helped: bool) -> list[str]:
    mattered = [one for one in judged if one.seat == you and one.kind != "no-choice"]
    right, label = sum(not one.turning for one in mattered), "Right moves, with help" if helped else "Right moves"
    return [f"{label}: {right} of {len(mattered)} where it mattered."] if mattered else []


def _words_of_loser(state: TableState, judged: Sequence[JudgedMove]) -> list[str]:
    """A sentence of the computer about the move that threw its game away, and the right one."""
    players = state.table.players
    slip = next((one for one in reversed(judged) if one.turning and players[one.seat].level is not None), None)
    if slip is None:
        return []
    better = {"threw-win": "would have won", "threw-draw": "would have held the draw"}.get(slip.kind, "was better")
    said = f"At turn {slip.ply} I played {slip.move}; {slip.best.move} {better}."
    return [f"{state.session.names[slip.seat]}: \u201c{said}\u201d"]


def _ahead(one: JudgedMove) -> Seat | None:
    value = one.worth.value if one.seat == 0 else 1 - one.worth.value
    return None if value == HALF else 0 if value > HALF else 1


def drawn_lead(lead: Sequence[Seat | None], room: int = LEAD) -> tuple[Seat | None, ...]:
    """The lead, shortened to the room there is."""
    count = min(LEAD, len(lead), max(1, room))
    return tuple(lead[at * len(lead) // count] for at in range(count))
