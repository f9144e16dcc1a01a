"""Fact cards: who wins with best play, how long that takes, and how often a choice matters. Everything is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from duelbox.core.game import AnyGame
from duelbox.core.model import Model
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.solve import analyse, stream
from duelbox.solve.api import Analysis, Stop, Stopped

DEALS = 100
POSITIONS = 200
# Games that need not end are left after so many random moves.
LONGEST = 60


class Facts(Model):
    """What is known of one set of house rules; shares are of deals where something is drawn, else of one."""

    deals: int
    """How many deals were solved."""
    first: Fraction
    """The chance that the player who moves first wins, with best play on both sides."""
    draw: Fraction
    plies: int | None
    """The most moves that best play took; None where that is not computed."""
    positions: int
    """How many positions from the middle of random games were looked at."""
    matters: int
    """In how many of them some moves are worth more than others."""

    @property
    def second(self) -> Fraction:
        """The chance that the player who moves second wins."""
        return 1 - self.first - self.draw

    @property
    def sentence(self) -> str:
        """The card in words, said kindly."""
        return f"{self._who()} {self._choices()}".strip()

    def _who(self) -> str:
        length = "" if self.plies is None else f", in at most {_moves(self.plies)}"
        if self.first == 1:
            return f"With best play the first player always wins{length}."
        if self.second == 1:
            return f"With best play the second player always wins{length}."
        if self.draw == 1:
            return "With best play nobody wins: it is a draw."
        drawn = f", {_percent(self.draw)} are draws" if self.draw else ""
        what = f"{self.deals} deals" if self.deals > 1 else "games"
        return f"With best play the first player wins {_percent(self.first)} of {what}{drawn}{length}."

    def _choices(self) -> str:
        if not self.positions:
            return ""
        if not self.matters:
            return f"In none of {self.positions} positions on the way does a choice matter."
        share = _percent(Fraction(self.matters, self.positions))
        return f"In {share} of positions on the way it matters what you choose."


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}"


def _percent(share: Fraction) -> str:
    rounded = round(share * 100)
    if rounded in (0, 100) and share not in (0, 1):
        return "under 1 %" if rounded == 0 else "over 99 %"
    return f"{rounded} %"


def facts(
    game: AnyGame, options: Options, stop: Stop | None = None, deals: int = DEALS, positions: int = POSITIONS
) -> Facts:
    """The card of these house rules; where the seed matters, over many deals."""
    stop = stop or Stop()
    starts = [analyse(game, game.view(state, state.turn), stop) for state in _deals(game, options, deals)]
    return _card(starts, *_choices(game, options, positions, stop))


def fairness(game: AnyGame, options: Options, stop: Stop) -> Iterator[str]:
    """The card in words for while rules are being chosen: who wins as soon as that is known, then all of it."""
    dealt = list(_deals(game, options, 20))
    yield _card([next(stream(game, game.view(state, state.turn), stop)) for state in dealt], 0, 0).sentence
    card = facts(game, options, stop, deals=20, positions=40)
    yield card.sentence if card.matters else f"{card.sentence} F2 plays by rules that leave more to decide."


def _card(starts: Sequence[Analysis], positions: int, matters: int) -> Facts:
    lengths = [start.plies for start in starts]
    return Facts(
        deals=len(starts),
        first=sum((start.win for start in starts), Fraction(0)) / len(starts),
        draw=sum((start.draw for start in starts), Fraction(0)) / len(starts),
        plies=None if None in lengths else max(length for length in lengths if length is not None),
        positions=positions,
        matters=matters,
    )


def _deals(game: AnyGame, options: Options, deals: int) -> Iterator[Any]:
    # What is drawn out of sight is no part of a verdict, so one deal stands for all.
    if not options.draws or game.INFO.hidden:
        yield game.start(options)
        return
    for seed in range(1, deals + 1):
        yield game.start(options.changed(seed=seed))


def _choices(game: AnyGame, options: Options, positions: int, stop: Stop) -> tuple[int, int]:
    looked = matters = 0
    for seed in range(1, positions + 1):
        state = _middle(game, options.changed(seed=seed) if options.draws else options, Rng(seed))
        if state is None:
            continue
        try:
            moves = analyse(game, game.view(state, state.turn), stop).moves
        except Stopped:
            break
        looked += 1
        matters += len({(move.win, move.draw) for move in moves}) > 1
    return looked, matters


def _middle(game: AnyGame, options: Options, rng: Rng) -> Any:
    """A position from the middle half of a random game; None where that game was over too soon."""
    states = [game.start(options)]
    while (seat := states[-1].turn) is not None and len(states) <= LONGEST:
        move = rng.choice(game.legal_moves(game.view(states[-1], seat)))
        states.append(game.apply(states[-1], seat, move)[0])
    over = states[-1].turn is None
    last = len(states) - over
    middle = states[last // 4 : max(last // 4 + 1, last * 3 // 4)]
    found = rng.choice(middle) if middle else None
    return found if found is not None and found.turn is not None else None
