"""The reason why a position of Number Circle is won, lost or drawn: a race added up, or the answers to moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from duelbox.core.model import Seat, listed, player
from duelbox.games.number_circle.rules import NUMBERS, View, apply, format_move, legal_moves, neighbours, parse_move
from duelbox.games.number_circle.solve.steps import house_rules_of, route, runner_of, stepped
from duelbox.solve.api import Idea, Instead, Mark, Rated, Reason
from duelbox.solve.premises import Premise, reason_by
from duelbox.solve.rating import Sign
from duelbox.solve.sentences import turns

_TOLD = 9  # at most this many steps of a way are listed
_FORK, _FAR, _FARTHEST = 3, 5, 7  # a way to win is told if it takes so many turns
_MANY = 9

Answers = Mapping[str, str]
"""The answer to each move that may be played; empty if the other player has to pass."""

HALF_THE_EXCESS = Idea(
    "half the excess",
    "Add up the numbers on the way: subtract numbers worth half of what is too much.",
    "What do the numbers on your way add up to? How much is that too much?",
)
ODD_AND_EVEN = Idea(
    "odd and even",
    "Adding or subtracting a number keeps the total odd or even: an odd target takes a road with an odd sum.",
    "Is the target odd or even? What does each road add up to, odd or even?",
)
FIRST_THERE = Idea(
    "count the steps",
    "Count the steps that each of you needs: the shorter way wins. If equal, whoever moves next wins.",
    "How many steps does each of you need to the target?",
)
HIT = Idea(
    "no hit",
    "Before each move ask: can I hit the target now, and can my opponent after it?",
    "Can you hit the target now? What could your opponent hit it with after each of your moves?",
)
FORK = Idea(
    "fork",
    "Play so that you can hit the target next, whichever sign your opponent chooses.",
    "After which move could you hit the target next, whatever your opponent's sign?",
)
IDEAS = (HIT, HALF_THE_EXCESS, ODD_AND_EVEN, FIRST_THERE, FORK)


def early(view: View, sign: Sign, plies: int | None) -> str:
    """The reason before any move is rated."""
    if apart(view):
        return _ways(view, sign, None).sentence
    if sign == 0:
        return f"Neither player can force {view.target}."
    who = "You" if sign == 1 else player(view.rival)
    return f"{who} can force {view.target} within {turns(plies or 0)}."


def apart(view: View) -> bool:
    """True if the players never get in each other's way, so that the game is a race."""
    return view.options.sharing and not view.options.shared_total and view.options.floor is None


def reason(view: View, best: Sequence[Rated], answers: Answers, refuted: Callable[[str], Instead | None]) -> Reason:
    """The reason with all moves rated, best first; `answers` are those after the best move, or of a lost position."""
    target, top, them = view.target, best[0], player(view.rival)
    right = [one.move for one in best if one.value == top.value]
    wrong = [one.move for one in best if one.value < top.value]
    instead = next(filter(None, map(refuted, wrong)), None)
    if top.verdict == "win" and top.plies == 1:
        hit = Mark("route", (target,), moves=(top.move,))
        thought = f"One step hits {target} now."
        return Reason(f"Play {top.move}: it hits {target} at once.", HIT, thought, top.move, (hit,), instead)
    if apart(view):
        if top.verdict != "win":
            return _ways(view, -1, None)
        return replace(_by_parity(view, _ways(view, 1, top.move), right), instead=instead)
    shown = tuple((move, answer) for move, answer in answers.items() if answer)
    marks = (Mark("pairs", pairs=shown),) if shown else ()
    if top.verdict == "loss":
        end = f", and hits {target}" if top.plies == 2 else ""
        lost = "Every move loses" if len(best) > 1 else "Your only move loses"
        sentence = f"{lost}: {them} answers {_listed(answers)}{end}."
        return Reason(sentence, HIT if end else None, "", shown=marks)
    forced = _forced(view, top, answers)
    if forced:
        thought = f"Play so that you can hit {target} soon, whichever sign {them} chooses."
        return Reason(f"Play {top.move}. {forced}.", FORK, thought, top.move, marks, instead)
    told = reason_by(_premises(view, right, wrong), right, wrong, refuted)
    if told is not None:
        return replace(told, shown=marks) if told.advised == top.move else told
    sentence = f"Play {top.move}: then neither player can force {target}."
    if top.plies:
        sentence = f"Play {top.move}: then you can force {target} within {turns(top.plies)}."
    if instead is not None:
        sentence = f"{sentence} {instead.sentence}"
    thought = f"Each turn ask: can {them} hit {target} next, and can you?"
    return Reason(sentence, None, thought, top.move, marks, instead)


def _forced(view: View, top: Rated, answers: Answers) -> str:
    """The answers that hit the target, or hit or fork the turn after, whatever the opponent plays; empty if the end
    is further away."""
    target = view.target
    if top.plies == _FORK:
        end = f"each hits {target}" if len(set(answers.values())) > 1 else f"you hit {target}"
        return f"{_then(answers, player(view.rival))}: {end}"
    if top.plies == _FAR and not any(_ends(view, top.move, *both) for both in answers.items() if all(both)):
        line = _line(view, top.move, answers, _hit)
        if line:
            return f"{_then(answers, player(view.rival))}. Then answer {line}: you hit {target}"
        return f"{_then(answers, player(view.rival))}: then you hit {target}, whatever comes"
    if top.plies == _FARTHEST:
        line = _line(view, top.move, answers, _fork)
        if line:
            return f"{_then(answers, player(view.rival))}. Then fork: answer {line}"
        return f"{_then(answers, player(view.rival))}: then you can fork next"
    return ""


def _line(view: View, move: str, answers: Answers, chosen: Callable[[View], str]) -> str:
    """The moves after the only answer, each with the move chosen against it; empty if there is more to say."""
    if len(answers) != 1:
        return ""
    then = view
    for text in (move, *answers, *answers.values()):
        if not text:
            return ""
        then, _ = apply(then, then.mover, parse_move(then, text))
    if then.turn != view.rival:
        return ""
    pairs: dict[str, str] = {}
    for reply in legal_moves(then):
        after, _ = apply(then, then.mover, reply)
        if after.turn != view.turn:
            return ""
        pairs[format_move(reply)] = chosen(after)
    return _listed(pairs) if all(pairs.values()) else ""


def _premises(view: View, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Premise]:
    """Questions of this turn that can be answered by looking two or three turns ahead, the easiest first."""
    moves = [*right, *wrong]
    them = player(view.rival)
    asked = f"Can {them} hit {view.target} next, and can you, whichever sign {them} chooses?"
    after = {move: apply(view, view.mover, parse_move(view, move))[0] for move in moves}
    yield from _threats(view, after, asked)
    yield from _counts(view, {move: _replied(view, then) for move, then in after.items()}, wrong, asked)
    yield Premise(dict.fromkeys(moves, 0), "Play {}.".format, HIT, asked)  # it needs a reply


def _threats(view: View, after: Mapping[str, View], asked: str) -> Iterator[Premise]:
    """Steps after which the opponent can neither hit nor fork."""
    target, them = view.target, player(view.rival)
    hits = {move: -bool(then.turn == view.rival and _hit(then)) for move, then in after.items()}
    forks = {move: hits[move] - bool(then.turn == view.rival and _fork(then)) for move, then in after.items()}

    def no_hit(move: str) -> str:
        if hits[move]:
            return ""
        return f"Play {move}: then {them} cannot hit {target} next."

    def no_fork(move: str) -> str:
        if forks[move]:
            return ""
        return f"Play {move}: then {them} cannot fork, so as to hit {target} whatever you play."

    yield Premise(hits, no_hit, HIT, asked, contrast=True)
    yield Premise(forks, no_fork, FORK, asked, contrast=True)


def _counts(view: View, replied: Mapping[str, Sequence[View]], wrong: Sequence[str], asked: str) -> Iterator[Premise]:
    """The opponent's answers that stop a hit or a fork, and the own steps that stop one after each answer."""
    target, them = view.target, player(view.rival)
    stops = {move: -sum(not _mine(view, one) for one in then) for move, then in replied.items()}
    safe = {move: min((_safe(view, one) for one in then), default=_MANY) for move, then in replied.items()}
    left = {move: -sum(not _soon(view, one) for one in then) for move, then in replied.items()}

    smallest = min(map(len, replied.values()))

    def stopped(move: str) -> str:
        if -stops[move] == len(replied[move]):
            return ""
        return f"Play {move}. Only {_of(-stops[move], len(replied[move]), them)} you hitting {target} next."

    def kept(move: str) -> str:
        if not 0 < safe[move] < _MANY:
            return ""
        steps = "1 step of yours keeps" if safe[move] == 1 else f"{safe[move]} steps of yours keep"
        less = _less(safe, wrong, move)
        return f"Play {move}. Whatever {them} plays, at least {steps} {target} out of reach.{less}"

    def near(move: str) -> str:
        if -left[move] == len(replied[move]):
            return ""
        return f"Play {move}. Only {_of(-left[move], len(replied[move]), them)} you winning within 3 turns."

    def fewest(move: str) -> str:
        count = len(replied[move])
        if not count:
            return ""
        steps = "1 step" if count == 1 else f"{count} steps"
        most = "" if count > smallest else ", the fewest you can leave"
        return f"Play {move}. {them} then has only {steps}{most}."

    yield Premise(stops, stopped, HIT, asked)
    yield Premise(safe, kept, HIT, asked)
    yield Premise(left, near, FORK, asked)
    yield Premise({move: -len(then) for move, then in replied.items()}, fewest, HIT, asked)


def _less(safe: Mapping[str, int], wrong: Sequence[str], move: str) -> str:
    """A sentence on the wrong move that comes nearest, if it keeps less safe; after a space."""
    nearest = max(wrong, key=lambda one: safe[one], default=move)
    if safe[nearest] >= safe[move]:
        return ""
    return f" With {nearest} it may be {safe[nearest] or 'none'}."


def _of(count: int, every: int, them: str) -> str:
    """Some of the opponent's answers, as a subject: "1 of Player 2's 2 answers stops"."""
    return f"{count or 'none'} of {them}'s {every} answers {'stop' if count > 1 else 'stops'}"


def _replied(view: View, after: View) -> list[View]:
    """The positions after each answer of the opponent."""
    if after.turn != view.rival:
        return []
    return [apply(after, after.mover, move)[0] for move in legal_moves(after)]


def _mine(view: View, then: View) -> bool:
    """True if the player of this view comes to move there and can hit the target."""
    return then.turn == view.turn and bool(_hit(then))


def _soon(view: View, then: View) -> bool:
    """True if they can hit the target now, or next, whatever is answered."""
    return _mine(view, then) or (then.turn == view.turn and bool(_fork(then)))


def _safe(view: View, then: View) -> int:
    """The number of their steps after which the opponent cannot hit the target."""
    if then.turn != view.turn:
        return 0
    steps = [apply(then, then.mover, move)[0] for move in legal_moves(then)]
    return sum(one.turn != view.rival or not _hit(one) for one in steps)


def answered(view: View, move: str, reply: str, plies: int | None) -> Instead:
    """The answer to a wrong move, and what it takes: the target, or steps that would keep it out of reach."""
    target, them = view.target, player(view.rival)
    after, _ = apply(view, view.mover, parse_move(view, move))
    then, _ = apply(after, after.mover, parse_move(after, reply))
    if apart(view):
        needed = len(_way(then, view.rival)) if then.turn is not None else 0
        takes = f"{them} plays {reply} and needs {needed} more, you {len(_way(view, view.mover, move)) - 1}"
        return Instead(move, reply, takes if needed else f"{them} hits {target} with {reply}")
    if plies == 1:
        return Instead(move, reply, f"{them} hits {target} with {reply}")
    if plies == _FORK:
        return Instead(move, reply, f"{them} plays {reply} and hits {target} next, whatever you play")
    if plies == _FAR:
        return Instead(move, reply, f"{them} plays {reply} and can fork next, whatever you play")
    if plies == _FARTHEST:
        return Instead(move, reply, f"{them} plays {reply} and can fork in two turns, whatever you play")
    if then.turn == view.turn:
        safe, every = _safe(view, then), len(legal_moves(then))
        if safe < every:
            takes = f"{them} plays {reply}: only {safe} of your {every} steps stops a hit"
            return Instead(move, reply, takes)
    end = f"wins within {turns(plies)}" if plies else "holds the draw"
    return Instead(move, reply, f"{them} plays {reply} and {end}", counted=False)


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


def _then(answers: Answers, them: str) -> str:
    """The next moves to play, in words."""
    plays = set(answers.values())
    if "" in answers and len(answers) == 1:
        return f"{them} cannot move"
    if len(plays) == 1 and len(answers) > 1 and "" not in plays:
        return f"Then play {plays.pop()}, whatever {them} plays"
    return f"Answer {_listed(answers)}"


def _listed(answers: Answers) -> str:
    return listed([f"{move} with {answer or 'a pass'}" for move, answer in answers.items()])


def _ways(view: View, sign: Sign, move: str | None) -> Reason:
    """The reason in a race: the winner's way added up, and the number of steps of both."""
    mine, theirs = _way(view, view.mover, move if sign == 1 else None), _way(view, view.rival)
    way, longer = (mine, theirs) if sign == 1 else (theirs, mine)
    start = view.totals[view.mover if sign == 1 else view.rival]
    shown = Mark("route", tuple(accumulate(way, initial=start))[1:], moves=tuple(f"{step:+}" for step in way))
    needs, them = f"{len(longer)} step{'' if len(longer) == 1 else 's'}", player(view.rival)
    if sign != 1:
        return Reason(
            f"{them} needs {_count(way)}, you {needs}: {_added(view, start, way)}.", FIRST_THERE, "", shown=(shown,)
        )
    compared = (
        f"{_count(way)}, and you go first" if len(way) == len(longer) else f"{_count(way)} to {them}'s {len(longer)}"
    )
    excess = any(step < 0 for step in way)
    thought = f"Add up the road from {start} to {view.target}. {them} needs {needs}."
    if excess:
        thought = f"Add up the road to {view.target}: subtract half of what is too much. {them} needs {needs}."
    lead = f"Play {move}. " if move else ""
    sentence = f"{lead}{_added(view, start, way)}: {compared}."
    return Reason(sentence, HALF_THE_EXCESS if excess else FIRST_THERE, thought, shown=(shown,))


def _by_parity(view: View, reason: Reason, right: Sequence[str]) -> Reason:
    """The reason of a race; by odd and even, if as many steps on the other road come to enough, but never fit."""
    roads = {abs(int(move)) for move in right}
    if view.options.backtracking or view.came_from[view.mover] is not None or len(roads) > 1:
        return reason
    way, here = _way(view, view.mover, right[0]), view.places[view.mover]
    other_road = next(number for number in neighbours(here) if number not in roads)
    step = 1 if other_road == here % len(NUMBERS) + 1 else -1
    total = sum((here - 1 + step * at) % len(NUMBERS) + 1 for at in range(1, len(way) + 1))
    if total < view.target or (total - view.target) % 2 == 0:
        return reason
    kind = "odd" if view.target % 2 else "even"
    thought = f"Add up {len(way)} steps on each road: which sum is {kind}, like {view.target}?"
    return replace(reason, idea=ODD_AND_EVEN, thought=thought)


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
