"""The reason why a position of Number Circle is won, lost or drawn: a race added up, or the answers to moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from duelbox.core.model import Seat, listed, player
from duelbox.games.number_circle.rules import View, apply, format_move, legal_moves, parse_move
from duelbox.games.number_circle.solve.steps import house_rules_of, route, runner_of, stepped
from duelbox.solve.api import Idea, Mark, Rated, Reason
from duelbox.solve.rating import Sign
from duelbox.solve.sentences import turns

_TOLD = 9  # at most this many steps of a way are listed
_FAR = 5  # a way to win is told if it takes at most this many turns

Answers = Mapping[str, str]
"""The answer to each move that may be played; empty if the other player has to pass."""

HALF_THE_EXCESS = Idea(
    "half the excess",
    "Add up the numbers on the way; what is too much must be even, and numbers worth half of it are subtracted.",
    "What do the numbers on your way add up to? How much is that too much?",
)
FIRST_THERE = Idea(
    "count the steps",
    "Count the steps that each of you needs: the shorter way wins, and of two equal ones that of the player to move.",
    "How many steps does each of you need to the target?",
)
HIT = Idea(
    "no hit",
    "Before each move ask: can I hit the target now, and what could they hit with after it?",
    "Can you hit the target now? What could they hit it with after each of your moves?",
)
FORK = Idea(
    "fork",
    "Play so that you can hit the target next, whichever sign they choose.",
    "After which move could you hit the target next, whether they add or subtract?",
)
IDEAS = (HIT, HALF_THE_EXCESS, FIRST_THERE, FORK)


def early(view: View, sign: Sign, plies: int | None) -> str:
    """The reason before any move is rated."""
    if apart(view):
        return _ways(view, sign, None).sentence
    if sign == 0:
        return f"Neither player can force {view.target}."
    who = "You" if sign == 1 else "They"
    return f"{who} can force {view.target} within {turns(plies or 0)}."


def apart(view: View) -> bool:
    """True if the players never get in each other's way, so that the game is a race."""
    return view.options.sharing and not view.options.shared_total and view.options.floor is None


def reason(view: View, best: Sequence[Rated], answers: Answers) -> Reason:
    """The reason with all moves rated, best first; `answers` are those after the best move, or of a lost position."""
    target, top = view.target, best[0]
    if top.verdict == "win" and top.plies == 1:
        hit = Mark("route", (target,), moves=(top.move,))
        return Reason(f"Play {top.move}: it hits {target} at once.", HIT, f"One step hits {target} now.", shown=(hit,))
    if apart(view):
        return _ways(view, 1 if top.verdict == "win" else -1, top.move)
    shown = tuple((move, answer) for move, answer in answers.items() if answer)
    marks = (Mark("pairs", pairs=shown),) if shown else ()
    if top.verdict == "loss":
        end = f", and hits {target}" if top.plies == 2 else ""
        lost = "Every move loses" if len(best) > 1 else "Your only move loses"
        sentence = f"{lost}: {player(view.rival)} answers {_listed(answers)}{end}."
        return Reason(sentence, HIT if end else None, "", shown=marks)
    warned, warning = _warning(view, best)
    if top.verdict == "draw":
        lead = f"Play {top.move}: neither player can force {target} then."
        thought = f"Neither player can force {target}. Play so that they cannot hit it next."
        return Reason(f"{lead} {warned}".strip(), warning, thought, shown=marks)
    return _win(view, top, answers, marks, warned, warning)


def _win(
    view: View, top: Rated, answers: Answers, marks: tuple[Mark, ...], warned: str, warning: Idea | None
) -> Reason:
    """The reason for a move that wins later; `warned` is a sentence about a wrong move, `warning` its idea."""
    target, plies, play = view.target, top.plies, f"Play {top.move}"
    if plies == 3:
        end = f"each hits {target}" if len(set(answers.values())) > 1 else f"you hit {target}"
        thought = f"After one of your moves you can hit {target} next, whichever sign they choose."
        return Reason(f"{play}. {_then(answers)}: {end}.", FORK, thought, shown=marks)
    if plies == _FAR and not any(_ends(view, top.move, *both) for both in answers.items() if all(both)):
        sentence = f"{play}. {_then(answers)}: then you can hit {target} next, whichever sign they choose."
        return Reason(sentence, FORK, "You can hit the target with your third move, whatever they play.", shown=marks)
    near = plies is not None and plies <= _FAR
    soon = f"The end is {plies} turns away" if plies else "The end is far away"
    if warning:
        thought = f"One of your moves would let them hit {target}{' next' if warning is HIT else ' soon'}."
        sentence = f"{play}: you can then win within {plies} turns. {warned}"
        if warning is HIT and not near:
            sentence = f"{play}. {warned} {soon}: each turn ask what they could hit with."
        return Reason(sentence, warning, thought, shown=marks)
    asked = f"can they hit {target} next, and can you, whichever sign they choose"
    if near:
        sentence = f"{play}. {_then(answers)}: you win within {plies} turns."
        return Reason(sentence, None, f"{asked.capitalize()}?", shown=marks)
    return Reason(f"{play}. {soon}; each turn ask: {asked}.", None, f"{soon}. Each turn ask: {asked}?", shown=marks)


def _warning(view: View, best: Sequence[Rated]) -> tuple[str, Idea | None]:
    """A sentence about a move that lets the opponent hit the target next or soon, with its idea; empty if there is
    none."""
    ways: dict[int, tuple[Callable[[View], str], str, Idea]] = {
        2: (_hit, f"hit {view.target} with {{}}", HIT),
        4: (_fork, f"play {{}} and hit {view.target} next, whatever you play", FORK),
    }
    for plies, (find, threat, idea) in ways.items():
        for lost in (one for one in best if one.verdict == "loss" and one.plies == plies):
            after, _ = apply(view, view.mover, parse_move(view, lost.move))
            if after.turn not in (None, view.turn) and (answer := find(after)):
                return f"After {lost.move} they could {threat.format(answer)}.", idea
    return "", None


def _hit(view: View) -> str:
    """A move that hits the target now, if any."""
    return next((format_move(one) for one in legal_moves(view) if apply(view, view.mover, one)[0].outcome), "")


def _fork(view: View) -> str:
    """A move after which the target can be hit next, whatever is answered, if any."""
    for move in legal_moves(view):
        after, _ = apply(view, view.mover, move)
        replied = [apply(after, after.mover, one)[0] for one in legal_moves(after)] if after.turn is not None else []
        if replied and all(one.turn == view.turn != after.turn and _hit(one) for one in replied):
            return format_move(move)
    return ""


def _ends(view: View, *moves: str) -> bool:
    """True if the game is over after these moves."""
    for move in moves:
        view, _ = apply(view, view.mover, parse_move(view, move))
    return view.outcome is not None


def _then(answers: Answers) -> str:
    """The next moves to play, in words."""
    plays = set(answers.values())
    if "" in answers and len(answers) == 1:
        return "They cannot move"
    if len(plays) == 1 and len(answers) > 1 and "" not in plays:
        return f"Then play {plays.pop()}, whatever they play"
    return f"Answer {_listed(answers)}"


def _listed(answers: Answers) -> str:
    return listed([f"{move} with {answer or 'a pass'}" for move, answer in answers.items()])


def _ways(view: View, sign: Sign, move: str | None) -> Reason:
    """The reason in a race: the winner's way added up, and the number of steps of both."""
    mine, theirs = _way(view, view.mover, move if sign == 1 else None), _way(view, view.rival)
    way, longer = (mine, theirs) if sign == 1 else (theirs, mine)
    start = view.totals[view.mover if sign == 1 else view.rival]
    shown = Mark("route", tuple(accumulate(way, initial=start))[1:], moves=tuple(f"{step:+}" for step in way))
    needs = f"{len(longer)} step{'' if len(longer) == 1 else 's'}"
    if sign != 1:
        return Reason(
            f"They need {_count(way)}, you {needs}: {_added(view, start, way)}.", FIRST_THERE, "", shown=(shown,)
        )
    compared = (
        f"{_count(way)}, and you go first" if len(way) == len(longer) else f"{_count(way)} to their {len(longer)}"
    )
    excess = any(step < 0 for step in way)
    thought = f"Add up the road from {start} to {view.target}. They need {needs}."
    if excess:
        thought = f"Add up the road to {view.target}: subtract half of what is too much. They need {needs}."
    lead = f"Play {move}. " if move else ""
    sentence = f"{lead}{_added(view, start, way)}: {compared}."
    return Reason(sentence, HALF_THE_EXCESS if excess else FIRST_THERE, thought, shown=(shown,))


def _added(view: View, start: int, way: Sequence[int]) -> str:
    """A way added up, with the numbers to subtract: "2+3+4+5+6+7 = 27, 12 too many: subtract 6"."""
    if len(way) > _TOLD:
        return f"the way begins {' '.join(f'{step:+}' for step in way[:_TOLD])}"
    numbers, lost = [abs(step) for step in way], [-step for step in way if step < 0]
    from_start = f"{start}+" if start else ""
    total = start + sum(numbers)
    road = f"{from_start}{'+'.join(map(str, numbers))} = {total}"
    less = f"{listed(lost)} {'is' if len(lost) == 1 else 'are'} subtracted"
    return f"{road}, {total - view.target} too many, so {less}" if lost else road


def _count(way: Sequence[int]) -> str:
    return f"{len(way)} step{'' if len(way) == 1 else 's'}"


def _way(view: View, seat: Seat, move: str | None = None) -> tuple[int, ...]:
    house, runner = house_rules_of(view), runner_of(view, seat)
    if move is None:
        return route(house.backtracking, runner)
    return int(move), *route(house.backtracking, stepped(house, runner, parse_move(view, move)))
