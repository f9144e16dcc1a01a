"""Number Circle: step round the ring and add or subtract the number there; the first to hit the target wins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from duelbox.core import game, options
from duelbox.core.errors import BadNotation, IllegalMove
from duelbox.core.model import Event, Outcome, Position, Seat, listed, other, player, with_seat
from duelbox.core.names import quoted
from duelbox.core.picking import number_in
from duelbox.core.rng import Rng

INFO = game.GameInfo(
    id="number-circle",
    title="Number Circle",
    goal="Step to a number next to yours; add or subtract it. Hit the target exactly to win.",
    good_for="sums, and planning ahead",
    may_be_drawn=True,
)
NUMBERS = range(1, 10)
TARGETS = range(10, 21)

Sign = Literal["+", "-"]
SIGNS: tuple[Sign, Sign] = ("+", "-")

_MOVE = re.compile(r"\s*([+-])\s*(0{0,8}[1-9][0-9]{0,2})\s*")


class Options(options.Options):
    """House rules of Number Circle."""

    target: Annotated[int, Field(ge=10, le=20)] | Literal["drawn"] = Field(
        default=15, description="The total that wins"
    )
    backtracking: bool = Field(
        default=False, title="Going back", description="You may go straight back to where you came from"
    )
    sharing: bool = Field(default=True, title="Share a number", description="Both players may stand on the same number")
    shared_total: bool = Field(
        default=False,
        title="Shared total",
        description="Both players share one total; whoever brings it to the target wins",
    )
    floor: Literal[0] | None = Field(default=None, title="Lowest total", description="The lowest total allowed")
    seed: options.Seed = 0

    @property
    def draws(self) -> bool:
        """True if the target is drawn."""
        return self.target == "drawn"

    def phrases(self) -> tuple[str, ...]:
        """The house rules as phrases."""
        target = "a target drawn by lot" if self.target == "drawn" else f"target {self.target}"
        phrases = {
            target: self.target != 15,
            "one total for both": self.shared_total,
            "never below 0": self.floor is not None,
            "one player on a number": not self.sharing,
            "turning back allowed": self.backtracking,
        }
        return options.that_hold(phrases)

    def sentences(self) -> tuple[str, ...]:
        """The rules, a sentence each."""
        target = "the target" if self.target == "drawn" else str(self.target)
        floor = "" if self.floor is None else f", or below {self.floor}"
        shared = "You share one total. Bring it to" if self.shared_total else "Bring your total to"
        sentences = {
            "Step to a number next to yours, then add it or subtract it.": True,
            f"{shared} exactly {target} to win.": True,
            f"It may not go above {target}{floor}.": True,
            "You may not step straight back.": not self.backtracking,
            "You may not step onto your opponent's number.": not self.sharing,
        }
        return options.that_hold(sentences)


class Move(game.Move):
    """Step to a number, and add or subtract it."""

    sign: Sign
    number: int


class State(Position):
    """The markers, the numbers they came from, and both totals (twice the same one if it is shared)."""

    options: Options
    target: int
    totals: tuple[int, int] = (0, 0)
    places: tuple[int, int] = (1, 1)
    came_from: tuple[int | None, int | None] = (None, None)

    @property
    def numbers(self) -> range:
        """Every number on the ring."""
        return NUMBERS

    def why_not(self, seat: Seat, move: Move) -> str | None:
        """The reason why a player may not make this step to a neighbouring number, if there is one."""
        number, total = move.number, result(self.totals[seat], move.sign, move.number)
        if number == self.came_from[seat] and not self.options.backtracking:
            return f"You came from {number} and may not go straight back."
        if number == self.places[other(seat)] and not self.options.sharing:
            return f"{player(other(seat))} stands on {number}, and you may not share a number."
        if total > self.target:
            return f"{self.totals[seat]} + {number} = {total} is above the target, {self.target}."
        if self.options.floor is not None and total < self.options.floor:
            return f"{self.totals[seat]} - {number} = {total} is below {self.options.floor}."
        return None

    def open_to(self, seat: Seat) -> tuple[Move, ...]:
        """The moves that a player could make if it were their turn."""
        moves = (Move(sign=sign, number=number) for number in neighbours(self.places[seat]) for sign in SIGNS)
        return tuple(move for move in moves if self.why_not(seat, move) is None)


View = State


def neighbours(number: int) -> tuple[int, int]:
    """The two numbers next to a number, ascending."""
    before, after = (number - 2) % 9 + 1, number % 9 + 1
    return (before, after) if before < after else (after, before)


def result(total: int, sign: Sign, number: int) -> int:
    """The total after adding or subtracting a number."""
    return total + number if sign == "+" else total - number


class Stepped(Event):
    """A marker moved and a total changed."""

    kind: Literal["stepped"] = "stepped"
    sign: Sign
    number: int
    before: int

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        done = "adds" if self.sign == "+" else "subtracts"
        total = result(self.before, self.sign, self.number)
        sum_ = f"{self.before} {self.sign} {self.number} = {total}"
        return f"{player(self.seat)} moves to {self.number} and {done} it: {sum_}."


class Passed(Event):
    """A player could not move, so their turn was skipped."""

    kind: Literal["passed"] = "passed"

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        return f"{player(self.seat)} cannot move and passes."


EVENTS = (Stepped, Passed)
PRESETS = (
    game.Preset(
        "Classic",
        "Each for themselves; target 15.",
        Options(),
        "to learn",
        "half the excess",
        picture="number-circle/+2.+9.+3.-8",
    ),
    game.Preset(
        "Tug of War",
        "One total for both, to 12, never below 0.",
        Options(target=12, shared_total=True, floor=0),
        first=True,
        seat=2,
        picture="number-circle:target=12,shared_total=on,floor=0/+9.+2.-8.+3",
    ),
    game.Preset(
        "Tug to Fifteen",
        "One total for both, to 15, never below 0; you cannot share a number.",
        Options(shared_total=True, sharing=False, floor=0),
        "to learn",
        "odd and even",
        replaces=("Long Tug",),
        picture="number-circle:sharing=off,shared_total=on,floor=0/+2.+9.+3.-8",
    ),
)


def start(options: Options) -> State:
    """Both markers on 1, both totals 0, the target drawn or named."""
    target = Rng(options.seed).choice(TARGETS) if options.target == "drawn" else options.target
    return State(turn=0, options=options, target=target)


def legal_moves(view: View) -> Sequence[Move]:
    """All legal moves, by number, adding first."""
    return () if view.turn is None else view.open_to(view.turn)


def apply(state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Step and count; then it is the turn of the next player who can move."""
    game.guard(state, seat)
    _check(state, seat, move)
    before = state.totals[seat]
    total = result(before, move.sign, move.number)
    shared = state.options.shared_total
    after = state.changed(
        totals=(total, total) if shared else with_seat(state.totals, seat, total),
        places=with_seat(state.places, seat, move.number),
        came_from=with_seat(state.came_from, seat, state.places[seat]),
        turn=other(seat),
    )
    stepped = Stepped(seat=seat, sign=move.sign, number=move.number, before=before)
    if total == state.target:
        reason = f"{player(seat)} reached {total} exactly."
        return after.changed(turn=None, outcome=Outcome(winner=seat, reason=reason)), (stepped,)
    after, passes = _pass_on(after)
    return after, (stepped, *passes)


def _pass_on(state: State) -> tuple[State, tuple[Passed, ...]]:
    """Skip turns until a player can move; the game is drawn if neither could, even free to turn back."""
    passes: list[Passed] = []
    while (seat := state.turn) is not None and not state.open_to(seat):
        free_to_turn = state.changed(came_from=(None, None))
        if not free_to_turn.open_to(0) and not free_to_turn.open_to(1):
            reason = "Neither player can move, even turning round: a draw."
            state = state.changed(turn=None, outcome=Outcome(winner=None, reason=reason))
        else:
            passes.append(Passed(seat=seat))
            state = state.changed(came_from=with_seat(state.came_from, seat, None), turn=other(seat))
    return state, tuple(passes)


def _check(state: State, seat: Seat, move: Move) -> None:
    open_moves = state.open_to(seat)
    if move in open_moves:
        return
    free = f" Open to you: {listed([format_move(one) for one in open_moves])}."
    place = state.places[seat]
    if move.number not in neighbours(place):
        near = listed(neighbours(place))
        raise IllegalMove(f"{move.number} is not next to {place}, where you stand: only {near} are.{free}", (place,))
    raise IllegalMove(f"{state.why_not(seat, move)}{free}", (move.number,))


def format_move(move: Move) -> str:
    """Write the sign, then the number."""
    return f"{move.sign}{move.number}"


def parse_move(view: View, text: str) -> Move:
    """Parse a sign and a number."""
    match = _MOVE.fullmatch(text)
    if match is None:
        example = format_move(legal_moves(view)[0]) if view.turn is not None else "+2"
        raise BadNotation(f"{quoted(text)} is not a move. Type a sign and the number to move to, such as {example}.")
    sign: Sign = "+" if match[1] == "+" else "-"
    return Move(sign=sign, number=number_in(match[2], NUMBERS))


def goal(view: View) -> str:
    """The aim, also for a shared total."""
    if not view.options.shared_total:
        return INFO.goal
    return f"Step to a number next to yours. Add it to the total you share, or subtract it. Hit {view.target} to win."


def every_move(options: Options) -> Sequence[Move]:
    """Every number, added and subtracted."""
    return [Move(sign=sign, number=number) for number in range(1, 10) for sign in SIGNS]


GAME = game.Game(
    INFO,
    PRESETS,
    EVENTS,
    Options,
    State,
    View,
    start,
    legal_moves,
    apply,
    format_move,
    parse_move,
    goal=goal,
    every_move=every_move,
)
