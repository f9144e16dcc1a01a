"""The card at the end of a game: the winner, the reason, how well it was played, and what may follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from duelbox.core.match import points_text
from duelbox.core.model import SEATS, Seat, Voice, other
from duelbox.core.record import PROGRAM
from duelbox.learn.turning_points import JudgedMove, luck_of
from duelbox.solve.api import HALF, ONE
from duelbox.table.lost_deal import about_deal, whose_game
from duelbox.table.programs import last_words
from duelbox.table.story import ending, winner_text

if TYPE_CHECKING:
    from duelbox.core.session import Session
    from duelbox.table.base import BaseTable
    from duelbox.table.state import TableState

LEAD = 30
"""The lead is drawn in at most this many signs."""
BETTER = {"threw-win": "would have won", "threw-draw": "would have held the draw"}
"""The merit of the right move, by the kind of a slip."""

LineKind = Literal["end", "whose", "said", "match", "moves", "trap", "computer", "more", "note"]


@dataclass(frozen=True, slots=True)
class CardText:
    """The end of a game in words."""

    title: str
    winner: Seat | None
    lines: tuple[tuple[LineKind, str], ...]
    """Sentences, and the kind of each; in little room the kinds of least importance are left out."""
    score: str = ""
    """The points of a match of several rounds."""
    lead: tuple[Seat | None, ...] = ()
    """The seat that stood better after each turn, as far as known; None if it was even."""
    lead_text: str = ""
    """The lead in words: "you, from turn 5"."""


def card(state: TableState, note: str, more: str) -> CardText | None:
    """The card of a finished game, with a sentence said for now and further notes; None during the game."""
    table, session = state.table, state.session
    outcome = session.outcome
    if outcome is None:
        return None
    judged = state.judged or ()
    end = _end(state, judged)
    deal = about_deal(state)
    whose = whose_game(state)
    lines: list[tuple[LineKind, str]] = [("end", end)]
    if deal:
        lines = [("end", deal), ("moves", end)]
    elif whose:
        lines.append(("whose", whose))
    lines += [("said", said) for said in last_words(table)]
    moves = " ".join(_about_moves(state, judged))
    if moves:
        lines.append(("moves", moves))
    if state.best_trap:
        lines.append(("trap", state.best_trap))
    lines += [("computer", own) for own in _words_of_loser(state, judged)]
    if table.score.rounds > 1 and table.score.over:
        lines.append(("match", _end_of_match(table)))
    if table.unconfirmed:
        lines.append(("match", session.named(table.unconfirmed)))
    if more:
        lines.append(("more", more))
    if note:
        lines.append(("note", note))
    lead: tuple[Seat | None, ...] = ()
    if not session.game.INFO.hidden:
        lead = tuple(map(_ahead, judged))
    title = winner_text(outcome.winner, table.voice)
    return CardText(title, outcome.winner, tuple(lines), _score(table), lead, _lead_text(judged, lead, table.voice))


def _end(state: TableState, judged: Sequence[JudgedMove]) -> str:
    """The reason of the end, after a word about how well the only person here played."""
    if resigned_won(state):
        return "You resigned a game you could still win."
    session, voice = state.session, state.table.voice
    end = voice.sentence(ending(session, voice)[:-1])
    if voice.you is None:
        return end
    grade = _grade(session, judged, voice.you, helped=state.table.assisted)
    return f"{grade} {end}".strip()


def _about_moves(state: TableState, judged: Sequence[JudgedMove]) -> Iterator[str]:
    """Sentences about the moves: how many were right, where the game turned, and whom luck favoured."""
    table, voice = state.table, state.table.voice
    slips = [move for move in judged if move.turning]
    if not resigned_won(state):
        if voice.you is not None:
            yield from _about_moves_of(state, voice.you, judged)
        elif slips:
            yield f"The game turned at turn {slips[-1].ply}: {slips[-1].move} was a slip."
    luck = luck_of(judged)
    if luck == 0:
        yield "Luck favoured nobody."
    elif luck is not None:
        lucky: Seat = 0 if luck > 0 else 1
        yield f"Luck favoured {table.voice.whom(lucky)}."


def _about_moves_of(state: TableState, you: Seat, judged: Sequence[JudgedMove]) -> Iterator[str]:
    """Sentences about the moves of the only person here."""
    table, outcome = state.table, state.session.outcome
    yield from _accuracy(judged, you, helped=table.assisted)
    won = outcome is not None and outcome.winner == you
    if won and table.assisted and table.against_computer and not table.programs:
        yield "Only a win without help counts on the ladder."


def _end_of_match(table: BaseTable) -> str:
    """The winner of the whole match, in a sentence."""
    for seat in SEATS:
        if table.match.player_in(seat) == table.score.winner:
            return f"The match goes to {table.voice.whom(seat)}."
    return "The match is drawn."


def _score(table: BaseTable) -> str:
    """The points after this round, from left to right; empty for a match of one round."""
    score, left = table.score, table.match.player_in(table.left_seat)
    if score.rounds == 1:
        return ""
    points = " : ".join(points_text(score.points(player)) for player in (left, other(left)))
    return f"{points} after round {len(score.winners)}"


def _lead_text(judged: Sequence[JudgedMove], lead: Sequence[Seat | None], voice: Voice) -> str:
    """The player who could win at the end, and the turn from which on they could, in words."""
    if not lead:
        return ""
    first = len(lead) - 1
    while first > 0 and lead[first - 1] == lead[-1]:
        first -= 1
    whose = "nobody"
    if lead[-1] is not None:
        whose = voice.whom(lead[-1])
    return f"{whose}, from turn {judged[first].ply}"


def resigned_won(state: TableState) -> bool:
    """The only person here resigned in their own turn, although they could force a win."""
    you, plies = state.table.voice.you, state.session.plies
    if not plies or plies[-1].by != "resignation" or plies[-1].seat != you:
        return False
    analysis = state.solved
    return analysis is not None and analysis.turn == you and analysis.value == ONE


def slip_to_mend(state: TableState) -> int | None:
    """The turn in which the only person here threw away a game they lost; None if hidden numbers have been seen."""
    session, you = state.session, state.table.voice.you
    if you is None or session.outcome is None or session.outcome.winner != other(you) or session.game.INFO.hidden:
        return None
    if not state.table.score.over:
        return None
    if resigned_won(state):
        return len(session.plies)
    slips = [move.ply for move in state.judged or () if move.seat == you and move.turning]
    return slips[-1] if slips else None


def keep_mistakes(state: TableState) -> None:
    """Save the mistakes that the only person here could have seen; none in a match with hidden numbers that goes on."""
    from duelbox.learn.ideas import MISTAKES, Missed
    from duelbox.learn.mistakes import mistakes_in, worst_mistakes

    session, you = state.session, state.table.voice.you
    if you is None or session.outcome is None or (session.game.INFO.hidden and not state.table.score.over):
        return
    near = [move for move in state.judged or () if move.shallow]
    for mistake in worst_mistakes(mistakes_in([(session, near, you)])):
        idea = mistake.analysis.idea.name if mistake.analysis.idea else ""
        cause = session.named(mistake.cause)
        missed = Missed(played=mistake.played, names=session.names, idea=idea, day=date.today(), cause=cause)
        state.frontend.remember(MISTAKES, mistake.session.code(), missed.model_dump(mode="json"))


def _grade(session: Session, judged: Sequence[JudgedMove], you: Seat, *, helped: bool) -> str:
    """A word about how well this player played; empty if there is none to say."""
    own = [move for move in judged if move.seat == you]
    slips = [move for move in own if move.turning]
    won = session.outcome is not None and session.outcome.winner == you
    chose = any(move.kind != "no-choice" for move in own)
    if helped and won:
        return "Won with help."
    if not chose or (session.cut_short and (won or not slips)):
        return ""
    if won:
        return "Comeback." if slips else "Flawless."
    if not slips:
        return "No slip."
    if len(slips) == 1:
        return f"One slip, at turn {slips[0].ply}."
    return f"{len(slips)} slips, the last at turn {slips[-1].ply}."


def _accuracy(judged: Sequence[JudgedMove], you: Seat, *, helped: bool) -> Iterator[str]:
    """The number of right moves among those that mattered, in a sentence, if any did."""
    mattered = [move for move in judged if move.seat == you and move.kind != "no-choice"]
    if mattered:
        right = sum(not move.turning for move in mattered)
        label = "Right moves, with help" if helped else "Right moves"
        yield f"{label}: {right} of {len(mattered)} where it mattered."


def _words_of_loser(state: TableState, judged: Sequence[JudgedMove]) -> Iterator[str]:
    """A sentence of the computer about the move that threw its game away, and the right one."""
    for slip in reversed(judged):
        level = state.table.who(slip.seat).level
        if slip.turning and level not in (None, PROGRAM):
            better = BETTER.get(slip.kind, "was better")
            said = f"At turn {slip.ply} I played {slip.move}; {slip.best.move} {better}."
            yield f"{state.session.names[slip.seat]}: \u201c{said}\u201d"
            return


def _ahead(move: JudgedMove) -> Seat | None:
    """The seat that stands better after a move; None if it is even."""
    value = move.worth.value
    if value == HALF:
        return None
    return move.seat if value > HALF else other(move.seat)


def drawn_lead(lead: Sequence[Seat | None], room: int = LEAD) -> tuple[Seat | None, ...]:
    """The lead, shortened to the room there is; each part shows its last turn, so that the bar ends as the game did."""
    count = min(LEAD, len(lead), max(1, room))
    return tuple(lead[(at + 1) * len(lead) // count - 1] for at in range(count))
