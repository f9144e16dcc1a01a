"""Sequence Duel: claim numbers on a line, never next to a number of your opponent's; if you cannot, you lose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pydantic import Field

from duelbox.core import game, options
from duelbox.core.model import Seat, Voice, listed, other, player
from duelbox.core.picking import Pick, Picked, PickingState, apply, every_pick, format_move, legal_moves, parse_move

INFO = game.GameInfo(
    id="sequence-duel",
    title="Sequence Duel",
    goal="Claim a number that is not next to your opponent's. If you cannot, you lose.",
    good_for="claiming space, and counting moves",
)


class Options(options.Options):
    """House rules of Sequence Duel."""

    size: int = Field(default=20, title="Numbers in all", ge=5, le=60, description="How many numbers stand on the line")
    ring: bool = Field(default=False, title="Ends meet", description="The two ends are next to each other")

    def phrases(self) -> tuple[str, ...]:
        """The house rules as phrases."""
        if self.ring:
            return (f"{self.size} in a ring",)
        return () if self.size == 20 else (f"{self.size} on a line",)

    def sentences(self) -> tuple[str, ...]:
        """The rules, a sentence each."""
        meets = (f"The line is a ring: {self.size} is next to 1.",) if self.ring else ()
        first = "Claim a number that is not next to your opponent's. Next to your own is fine."
        return (first, *meets, "If you cannot, you lose.")


class Claimed(Picked):
    """A number was claimed."""

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        return f"{player(self.seat)} claims {self.number}."


class State(PickingState):
    """The line and its claims."""

    event = Claimed

    options: Options

    @property
    def followed(self) -> int:
        """Claims do not depend on earlier ones."""
        return 0

    @property
    def numbers(self) -> range:
        """Every number on the line."""
        return range(1, self.options.size + 1)

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The numbers next to a number."""
        return _neighbours(number, self.options.size, self.options.ring)

    def open_to(self, seat: Seat) -> tuple[int, ...]:
        """The numbers that a player could claim if it were their turn."""
        shut = {near for number in self.picked(other(seat)) for near in self.neighbours(number)}
        shut.update(self.picks)
        return tuple(number for number in self.numbers if number not in shut)

    def safe(self, seat: Seat) -> tuple[int, ...]:
        """The numbers that only this player can ever claim."""
        mine, theirs = self.open_to(seat), set(self.open_to(other(seat)))
        return tuple(one for one in mine if theirs.isdisjoint((one, *self.neighbours(one))))

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers that may be claimed next."""
        return self.open_to(self.mover)

    def yours(self, seat: Seat) -> tuple[int, ...]:
        """The numbers that only this player can claim at present; the opponent may still close those that are not
        safe."""
        theirs = self.open_to(other(seat))
        return tuple(number for number in self.open_to(seat) if number not in theirs)

    def blockers(self, number: int, seat: Seat) -> tuple[int, ...]:
        """The opponent's numbers that close this one to a player."""
        theirs = self.picked(other(seat))
        return tuple(near for near in self.neighbours(number) if near in theirs)

    def taken(self, number: int) -> str:
        """The sentence that refuses a number that has been claimed."""
        return f"{number} is already claimed by {'you' if number in self.picked(self.mover) else player(self.rival)}."

    def why_not(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The sentence that refuses a number that nobody has claimed, and the numbers in the way."""
        blockers = self.blockers(number, self.mover)
        return f"{number} is next to {player(self.rival)}'s {listed(blockers)}.", blockers

    def stuck(self, loser: Seat, voice: Voice) -> str:
        """The reason why a player has lost."""
        return f"{voice.does(loser, 'has', 'have')} no number left to claim"


@cache
def _neighbours(number: int, size: int, ring: bool) -> tuple[int, ...]:
    if ring:
        return ((number - 2) % size + 1, number % size + 1)
    return tuple(near for near in (number - 1, number + 1) if 1 <= near <= size)


View = State
PRESETS = (
    game.Preset(
        "Classic",
        "The numbers 1 to 20 on a line.",
        Options(),
        key="the first player claims the middle, then copies",
        first=True,
        picture="sequence-duel/10.13.7.16",
    ),
    game.Preset(
        "Ring",
        "Thirty-seven numbers in a ring: no ends.",
        Options(size=37, ring=True),
        "to learn",
        "leave the fewest answers",
        replaces=("Big Ring", "Long Line"),
        picture="sequence-duel:size=37,ring=on/23.2.5.9",
    ),
)


def start(options: Options) -> State:
    """An empty line."""
    return State(turn=0, options=options)


def every_move(options: Options) -> Sequence[Pick]:
    """Every number of the line."""
    return every_pick(start(options))


GAME = game.Game(
    INFO,
    PRESETS,
    (Claimed,),
    Options,
    State,
    View,
    start,
    legal_moves,
    apply,
    format_move,
    parse_move,
    every_move=every_move,
)
