"""Fact cards: who wins with best play, how long that takes, and how often a choice matters. Everything is computed.

What games between computers add to the cards of the presets, and what writes these, is in `duelbox.learn.cards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pydantic import RootModel

from duelbox.core.game import AnyGame, Preset, first_preset
from duelbox.core.model import Model
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.registry import text_beside
from duelbox.solve import analyse, stream
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.solve.sentences import percent, times, turns

DEALS, POSITIONS = 100, 200
# So many while rules are being chosen.
FEW_DEALS, FEW_POSITIONS = 20, 40
# Games that need not end are left after so many random moves.
LONGEST = 60
NOTHING = {"positions": 0, "matters": 0, "at_once": 0}


class Facts(Model):
    """What is known of one set of house rules; shares are of deals where something is drawn, else of one."""

    deals: int
    """How many deals were solved."""
    first: Fraction
    """The chance that the player who moves first wins, with best play on both sides."""
    draw: Fraction
    plies: int | None
    """The most turns that best play took in the deals solved; None where that is not computed."""
    positions: int
    """How many positions from the middle of random games were looked at."""
    matters: int
    """In how many of them some moves are worth more than others."""
    at_once: int = 0
    """In how many of these the player to move can win at once."""
    changes: Fraction | None = None
    """How often the win or the draw was thrown away in a game between the second and the third computer."""
    lost_chances: Fraction | None = None
    """The same where there is chance: how often a move gave up 10 points of 100 or more."""
    first_won: Fraction | None = None
    """The share of these games that the player who moved first won."""

    @property
    def second(self) -> Fraction:
        """The chance that the player who moves second wins."""
        return 1 - self.first - self.draw

    @property
    def decides_little(self) -> bool:
        """Whether, as far as was looked, choices don't matter or it's all about who sees a win at once."""
        return bool(self.positions) and (self.plies == 1 or 2 * self.at_once >= self.matters)

    @property
    def sentence(self) -> str:
        """The card in words, said kindly."""
        much = "" if self.decides_little else self._changes()
        return f"{self._who()} {much or self._choices()}".strip()

    @property
    def settled(self) -> bool:
        """Whether it is known who wins, and there is nothing on the way to decide or to find."""
        nothing = self.plies == 1 or (bool(self.positions) and not self.matters)
        return self.deals == 1 and 1 in (self.first, self.second) and nothing

    def _who(self) -> str:
        """Who wins; where there are many deals, of those that were tried, as nothing is known of the others."""
        many, of = self.deals > 1, f"{self.deals} deals tried" if self.deals > 1 else "games"
        if self.draw == 1:
            return f"With best play all {of} are draws." if many else "With best play nobody wins: it is a draw."
        for share, who in ((self.first, "first"), (self.second, "second")):
            if share == 1:
                wins = f"wins all {of}" if many else "always wins"
                return f"With best play the {who} player {wins}{self._length(', the longest within')}."
        drawn = f", {percent(self.draw)} are draws" if self.draw else ""
        length = self._length("; the longest takes")
        return f"With best play the first player wins {percent(self.first)} of {of}{drawn}{length}."

    def _length(self, most: str) -> str:
        if self.plies is None:
            return ""
        if self.deals > 1:
            return f"{most} {turns(self.plies)}"
        return ", by the very first move" if self.plies == 1 else f", within {turns(self.plies)}"

    def _choices(self) -> str:
        if not self.positions:
            return ""
        if not self.matters:
            return f"In none of {self.positions} positions tried on the way does a choice matter."
        often = f"{'all' if self.matters == self.positions else f'{self._share(self.matters)} of'} {self.positions}"
        if self.at_once == self.matters:
            return f"In {often} positions tried on the way some move wins at once, and nothing else has to be found."
        why = f", in {self._share(self.at_once)} because some move wins at once" if self.at_once else ""
        return f"In {often} positions tried on the way it matters what you choose{why}."

    def _changes(self) -> str:
        """What players of two levels make of it; empty where that is not known."""
        if self.changes is not None:
            count = round(self.changes)
            told = f"the win {f'changes hands about {times(count)} a game' if count else 'seldom changes hands'}"
        elif self.lost_chances is not None:
            count = round(self.lost_chances)
            moves = f"about {count} moves give" if count > 1 else f"{'about 1' if count else 'no'} move gives"
            told = f"{moves} up 10 points of 100 or more in a game"
        else:
            return ""
        won = "" if self.first_won is None else f" The first player wins {percent(self.first_won)} of their games."
        return f"Between Peek and Counter {told}.{won}"

    def _share(self, positions: int) -> str:
        return percent(Fraction(positions, self.positions))


def facts(
    game: AnyGame, options: Options, stop: Stop | None = None, deals: int = DEALS, positions: int = POSITIONS
) -> Facts:
    """The card of these house rules; where the seed matters, over many deals."""
    stop = stop or Stop()
    starts = [analyse(game, game.view(state, state.turn), stop) for state in _deals(game, options, deals)]
    return _card(starts, _choices(game, options, positions, stop))


def fairness(game: AnyGame, options: Options, stop: Stop) -> Iterator[Facts]:
    """The card of rules that are being chosen: who wins as soon as that is known, then all of it."""
    dealt = list(_deals(game, options, FEW_DEALS))
    yield _card([next(stream(game, game.view(state, state.turn), stop)) for state in dealt], NOTHING)
    yield facts(game, options, stop, deals=FEW_DEALS, positions=FEW_POSITIONS)


def _card(starts: Sequence[Analysis], looked: dict[str, Any]) -> Facts:
    lengths = [start.plies for start in starts]
    return Facts(
        deals=len(starts),
        first=sum((start.win for start in starts), Fraction(0)) / len(starts),
        draw=sum((start.draw for start in starts), Fraction(0)) / len(starts),
        plies=None if None in lengths else max(length for length in lengths if length is not None),
        **looked,
    )


def _deals(game: AnyGame, options: Options, deals: int) -> Iterator[Any]:
    # What is drawn out of sight is no part of a verdict, so one deal stands for all.
    if not options.draws or game.INFO.hidden:
        yield game.start(options)
        return
    for seed in range(1, deals + 1):
        yield game.start(options.changed(seed=seed))


def _choices(game: AnyGame, options: Options, positions: int, stop: Stop) -> dict[str, Any]:
    """How often a choice mattered on the way through random games."""
    looked = dict(NOTHING)
    for seed in range(1, positions + 1):
        state = _middle(game, options.changed(seed=seed) if options.draws else options, Rng(seed))
        if state is None:
            continue
        try:
            moves = analyse(game, game.view(state, state.turn), stop).moves
        except Stopped:
            break
        looked["positions"] += 1
        if len({(move.win, move.draw) for move in moves}) > 1:
            looked["matters"] += 1
            looked["at_once"] += any(move.verdict == "win" and move.plies == 1 for move in moves)
    return looked


def _middle(game: AnyGame, options: Options, rng: Rng) -> Any:
    """A position from the middle half of a random game; None where that game was over too soon."""
    states = [game.start(options)]
    while (seat := states[-1].turn) is not None and len(states) <= LONGEST:
        move = rng.choice(game.legal_moves(game.view(states[-1], seat)))
        states.append(game.apply(states[-1], seat, move)[0])
    last = len(states) - (states[-1].turn is None)
    middle = states[last // 4 : max(last // 4 + 1, last * 3 // 4)]
    found = rng.choice(middle)
    return None if found.turn is None else found


# -- the cards of the presets, kept as data beside each game's rules

FILE = "facts.json"


class Cards(RootModel[dict[str, Facts]]):
    """A card for each preset of a game, by its id."""


def kept(game: AnyGame) -> dict[str, Facts]:
    """The cards as they were written; none for a game that brings no file."""
    text = text_beside(game.INFO.id, FILE)
    return {} if text is None else Cards.model_validate_json(text).root


def card_of(game: AnyGame, options: Options) -> Facts | None:
    """The kept card of these house rules; None where they are no preset."""
    preset = next((preset for preset in game.PRESETS if preset.options == options), None)
    return kept(game).get(preset.id) if preset else None


def settled(game: AnyGame, options: Options) -> tuple[str, Preset[Any]] | None:
    """A line about a game that is decided before it begins, and the preset to open instead."""
    card, best = card_of(game, options), first_preset(game)
    if card is None or not card.settled or best.options == options:
        return None
    who = "first" if card.first == 1 else "second"
    how = "with the right first move" if card.plies == 1 else "whatever you both play"
    return f"The {who} player always wins here, {how}. In {best.name} your choices decide.", best
