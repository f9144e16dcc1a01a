"""Computer players for Number Duel. They use only public facts: a hidden number may stand anywhere."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from fractions import Fraction

from duelbox.bots.api import Bot, Choice, drawn
from duelbox.bots.levels import COUNTER, DASH, ORACLE, PEEK, PLANNER, five_levels, losing
from duelbox.core.model import listed
from duelbox.core.rng import Rng
from duelbox.games.number_duel import GAME
from duelbox.games.number_duel.rules import Strike, View
from duelbox.games.number_duel.solve.reasons import targets
from duelbox.solve import analyse
from duelbox.solve.api import ONE, ZERO, Stop
from duelbox.solve.sentences import percent

LEVELS = five_levels(
    "Attacks your first position with what comes. Where winners stay, not with its smallest.",
    "Likes to turn over what nobody has seen. Often forgets to look at your answer.",
    "Adds up what an attack wins and costs. Often forgets what stands where. Guards what you have seen.",
    "Adds up what an attack wins and costs. Forgets little of what was shown. Avoids a draw.",
    "Knows the chances of everything that can still happen.",
)

MISSES = {PEEK: 22, COUNTER: 85, PLANNER: 15}
"""Per hundred positions, a level forgets this many shown numbers; Peek as often overlooks the answer."""

Numbers = tuple[int, ...]

_DECIDED = 500  # the worth of the end of the game, compared with squares of numbers
_DRAWN = 80  # the cost of a draw
_EQUAL = 16  # the cost of equal hands, which end in a draw, divided by their numbers
_GUARDED = Fraction(13, 10)  # the worth of a number that was shown, to a level that guards it; others count 1


def _met(view: View, strike: Strike) -> Numbers:
    """The numbers that a strike may meet, all equally likely."""
    return targets(view, view.faces[view.rival][strike.position - 1])


def _after(view: View, mine: int, theirs: int) -> tuple[Numbers, Numbers]:
    """The numbers that both have left after these two have met."""
    stays = mine > theirs and view.victors_stay
    remaining = tuple(one for one in view.left(view.mover) if stays or one != mine)
    return remaining, tuple(one for one in view.left(view.rival) if one != theirs or mine < theirs)


def _worth(view: View, mine: int, theirs: int, seen: Fraction = ONE) -> Fraction:
    """The worth of what both have left: a number counts its square, one's own shown numbers `seen` times that, and the
    end of the game most."""
    remaining, left = _after(view, mine, theirs)
    if not left:
        if remaining or mine > theirs:
            return Fraction(_DECIDED)
        return Fraction(-_DRAWN)
    if not remaining:
        return Fraction(-_DECIDED)
    fresh = view.hidden(view.mover)
    shown = [one for one in remaining if one == mine or one not in fresh]
    worth = _squares(remaining) + _squares(shown) * (seen - 1) - _squares(left)
    if remaining == left:
        worth -= Fraction(_EQUAL, len(left))
    return worth


def _ends_badly(view: View, mine: int, theirs: int) -> bool:
    """True if the mover has lost then, or the rival can win at once."""
    remaining, left = _after(view, mine, theirs)
    if not remaining or not left:
        return _worth(view, mine, theirs) == -_DECIDED
    # The last number of a hand is known to everybody.
    return len(remaining) == 1 and (max(left) > remaining[0] or (remaining[0] in left and len(left) > 1))


def _squares(numbers: Sequence[int]) -> int:
    return sum(number**2 for number in numbers)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of a level; it depends on public facts only."""
    rng = Rng(seed)
    if view.arranging:
        return _order(view, level, rng)
    if level == ORACLE:
        with stop.in_time():
            return _oracle(view, rng, stop)
    if level == DASH:
        return _fresh(view, rng)
    strikes = [move for move in GAME.legal_moves(view) if isinstance(move, Strike)]
    sure = [one for one in strikes if all(_worth(view, one.number, met) == _DECIDED for met in _met(view, one))]
    if sure:
        return drawn(rng, _texts(sure), "It wins at once, whatever it meets.")
    held = [one for one in strikes if not all(_ends_badly(view, one.number, met) for met in _met(view, one))]
    lost = _texts([strike for strike in strikes if strike not in held])
    if level == PEEK:
        if lost and Rng(seed ^ MISSES[PEEK]).below(100) < MISSES[PEEK]:
            chosen = _turned_over(view, strikes, (), rng)
            return replace(chosen, why=f"{chosen.why} I did not look at your answer.")
        return _turned_over(view, held or strikes, lost, rng)
    forgotten = {
        at for at in range(1, len(view.faces[view.rival]) + 1) if Rng(seed ^ at << 32).below(100) < MISSES.get(level, 0)
    }
    return _bargain(view, held or strikes, lost, level == COUNTER, forgotten, rng)


def _order(view: View, level: str, rng: Rng) -> Choice:
    numbers = range(view.hand, 0, -1)
    if level == DASH:
        return Choice("".join(map(str, numbers)), "I put my best foot forward.")
    return Choice("".join(map(str, rng.shuffled(numbers))), "I shuffled: what follows no rule cannot be guessed.")


def _fresh(view: View, rng: Rng) -> Choice:
    mine = view.left(view.mover)
    chosen = mine[1:] if view.victors_stay and len(mine) > 1 else mine
    what = "with anything but my smallest" if len(chosen) < len(mine) else "with what comes"
    return drawn(rng, [f"{number}x1" for number in chosen], f"I start at the front, {what}.")


def _turned_over(view: View, strikes: Sequence[Strike], lost: Sequence[str], rng: Rng) -> Choice:
    def news(strike: Strike) -> tuple[bool, bool]:
        return view.faces[view.rival][strike.position - 1] is None, strike.number in view.hidden(view.mover)

    def cost(strike: Strike) -> int:
        return -strike.number if view.victors_stay else strike.number

    most = max(map(news, strikes))
    newest = [one for one in strikes if news(one) == most]
    liked = [one for one in newest if cost(one) == min(map(cost, newest))]
    strike = rng.choice(liked)
    liking = {
        (True, True): "I like to turn numbers over: nobody has seen either of these two yet.",
        (True, False): "I like to turn numbers over, and nobody has seen that position yet.",
        (False, True): f"Nobody has seen my {strike.number} yet.",
        (False, False): "I can turn over nothing new without losing." if lost else "Nothing is left to turn over.",
    }
    remark = "I like to turn numbers over." if any(most) else ""
    return Choice(GAME.format_move(strike), f"{liking[most]}{_seen(lost, strike)}", _texts(liked), remark)


def _seen(lost: Sequence[str], made: Strike) -> str:
    """The words for moves left out because they lose, or for having no other."""
    if not lost:
        return ""
    return " I saw that every attack loses." if GAME.format_move(made) in lost else f" I saw that {losing(lost)}."


def _bargain(
    view: View, strikes: Sequence[Strike], lost: Sequence[str], guards: bool, forgotten: Set[int], rng: Rng
) -> Choice:
    def met(strike: Strike) -> Numbers:
        return view.left(view.rival) if strike.position in forgotten else _met(view, strike)

    def worth(strike: Strike) -> Fraction:
        seen = _GUARDED if guards else ONE
        return sum((_worth(view, strike.number, one, seen) for one in met(strike)), ZERO) / len(met(strike))

    most = max(map(worth, strikes))
    liked = [one for one in strikes if worth(one) == most]
    strike = rng.choice(liked)
    what = "all you have left" if strike.position in forgotten else "what can stand there"
    beaten = [one for one in met(strike) if one < strike.number]
    deeds = [f"beats {listed(beaten)}"] if beaten else []
    deeds += [f"ties with {strike.number}"] if strike.number in met(strike) else []
    bargain = "the best bargain of the others" if lost and GAME.format_move(strike) not in lost else "the best bargain"
    weighed = f"Of {what} my {strike.number} {listed(deeds) or 'beats nothing'}: {bargain}, big numbers counting most."
    return Choice(GAME.format_move(strike), f"{_seen(lost, strike).strip()} {weighed}".strip(), _texts(liked))


def _texts(strikes: Sequence[Strike]) -> tuple[str, ...]:
    return tuple(map(GAME.format_move, strikes))


def _oracle(view: View, rng: Rng, stop: Stop) -> Choice:
    """The move with the best chances; a win at once before any other."""
    moves = analyse(GAME, view, stop).moves
    top = moves[0]
    best = [one.move for one in moves if one.value == top.value and one.draw == top.draw]
    draw = f" and draw {percent(top.draw)}" if top.draw else ""
    why = f"With best play I win {percent(top.win)}{draw} of the time."
    if top.win == ONE:
        best = [one.move for one in moves if (one.win, one.plies) == (ONE, top.plies)]
        why = "It wins at once, whatever it meets." if top.plies == 1 else "With it I win for certain."
    elif not top.value:
        why = "Against best play I lose."
    return drawn(rng, best, f"{why} No other attack promises more.")


BOT = Bot(LEVELS, choose, {DASH: 0, PEEK: 1, COUNTER: 1})
