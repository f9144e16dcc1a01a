"""Why a position of Number Circle is won, lost or drawn: the ways of two who never touch, else what answers what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from duelbox.core.model import Seat, listed, player
from duelbox.games.number_circle.rules import View, parse_move
from duelbox.games.number_circle.solve.moves import house_of, route, runner_of, stepped
from duelbox.solve.api import Mark, Rated
from duelbox.solve.rating import Sign
from duelbox.solve.sentences import turns

_TOLD = 9  # so many steps of a way are told

Answers = Mapping[str, str]
"""Each move that may be played, with what answers it; nothing where the other player has to pass."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, the same without the move to play, and what of it can be drawn."""

    sentence: str
    idea: str = ""
    shown: tuple[Mark, ...] = ()


def early(view: View, sign: Sign, plies: int | None) -> str:
    """Who can force the target, before any move is rated."""
    if apart(view):
        return _ways(view, sign, None).sentence
    if sign == 0:
        return f"Neither player can force {view.target}."
    who = "You" if sign == 1 else player(view.rival)
    return f"{who} can force {view.target} within {turns(plies or 0)}."


def apart(view: View) -> bool:
    """Whether the two never touch."""
    return view.options.sharing and not view.options.shared_total and view.options.floor is None


def reason(view: View, best: Sequence[Rated], answers: Answers) -> Reason:
    """Why, with all moves rated, best first; `answers` to what may follow the best, or to each of a lost position."""
    rival, target, top = player(view.rival), view.target, best[0]
    if top.verdict == "win" and top.plies == 1:
        hit = Mark("route", (target,), moves=(top.move,))
        return Reason(f"Play {top.move}: it hits {target} at once.", f"One step hits {target} now.", (hit,))
    if apart(view):
        return _ways(view, 1 if top.verdict == "win" else -1, top.move)
    shown = tuple((move, answer) for move, answer in answers.items() if answer)
    marks = (Mark("pairs", pairs=shown),) if shown else ()
    if top.verdict == "loss":
        end = f", and hits {target}" if top.plies == 2 else ""
        return Reason(f"Every move loses: {rival} answers {_told(answers)}{end}.", "", marks)
    then = _then(view, answers)
    if top.verdict == "draw":
        lost = [one.move for one in best if one.verdict == "loss"]
        avoid = f" and avoid {listed(lost)}" if lost else ""
        idea = f"Neither player can force {target}. Play so that {rival} cannot hit it next."
        return Reason(f"Play {top.move} for a draw{avoid}. {then}.", idea, marks)
    end = f"each hits {target}" if top.plies == 3 and len(set(answers.values())) > 1 else f"you hit {target}"
    soon = end if top.plies == 3 else f"you win within {top.plies} turns"
    idea = f"Look for a step after which you can answer whatever {rival} plays. You can win within {top.plies} turns."
    return Reason(f"Play {top.move}. {then}: {soon}.", idea, marks)


def _then(view: View, answers: Answers) -> str:
    """What to play next."""
    rival, plays = player(view.rival), set(answers.values())
    if "" in answers and len(answers) == 1:
        return f"{rival} cannot move"
    if len(plays) == 1 and len(answers) > 1 and "" not in plays:
        return f"Then play {plays.pop()}, whatever {rival} plays"
    return f"Answer {_told(answers)}"


def _told(answers: Answers) -> str:
    return listed([f"{move} with {answer or 'a pass'}" for move, answer in answers.items()])


def _ways(view: View, sign: Sign, move: str | None) -> Reason:
    """The race of two who never touch: both ways to the target, this move being the first step of the mover's."""
    rival = player(view.rival)
    mine, theirs = _way(view, view.mover, move if sign == 1 else None), _way(view, view.rival)
    first, second = (mine, theirs) if sign == 1 else (theirs, mine)
    owner, others = ("Your", f"{rival}'s") if sign == 1 else (f"{rival}'s", "yours")
    start = view.totals[view.mover if sign == 1 else view.rival]
    tie = f"{rival}'s is as long, but you go first" if sign == 1 else ""
    longer = tie if len(first) == len(second) else f"{others} is longer: {_steps(second)}"
    way = f"{owner} way from {start} to {view.target} is {_steps(first)}; {longer}."
    totals = accumulate(first, initial=start)
    shown = Mark("route", tuple(totals)[1:], moves=tuple(f"{step:+}" for step in first))
    if sign != 1:
        return Reason(way, "", (shown,))
    needs = f"{len(second)} step{'' if len(second) == 1 else 's'}"
    idea = f"Look for the shortest way from {start} to {view.target}: {rival} needs {needs}."
    return Reason(f"Play {move}. {way}" if move else way, idea, (shown,))


def _way(view: View, seat: Seat, move: str | None = None) -> tuple[int, ...]:
    house, runner = house_of(view), runner_of(view, seat)
    if move is None:
        return route(house.backtracking, runner)
    return int(move), *route(house.backtracking, stepped(house, runner, parse_move(view, move)))


def _steps(way: Sequence[int]) -> str:
    told = " ".join(f"{step:+}" for step in way[:_TOLD])
    return told if len(way) <= _TOLD else f"{told} and so on"
