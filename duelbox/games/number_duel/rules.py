"""Number Duel: hidden numbers attack hidden numbers; the player who has none left loses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from duelbox.core import game, options
from duelbox.core.errors import BadNotation, IllegalMove
from duelbox.core.model import SEATS, Event, Model, Outcome, Position, Seat, in_words, listed, other, player, with_seat
from duelbox.core.names import quoted
from duelbox.core.rng import Rng

INFO = game.GameInfo(
    id="number-duel",
    title="Number Duel",
    goal="Attack hidden numbers; the higher one wins. If you run out, you lose.",
    good_for="chance, memory and nerve",
    hidden=True,
    may_be_drawn=True,
)

Order = tuple[int, ...]
Faces = tuple[int | None, ...]


class Options(options.Options):
    """House rules of Number Duel."""

    hand: int = Field(default=5, title="Numbers each", ge=3, le=7, description="How many numbers each player has")
    arrange: Literal["shuffled", "chosen"] = Field(
        default="shuffled",
        title="Their order",
        description="The numbers are shuffled, or each player secretly puts them in order",
    )
    victors_stay: bool = Field(
        default=False, title="Winners stay", description="An attacker that wins goes back to its place, revealed"
    )
    deal: tuple[Order, ...] = Field(
        default=(),
        description="The two orders, instead of a draw; 0 stands for a number never shown",
        examples=["two orders joined by -, such as 31524-51234"],
    )
    seed: options.Seed = 0

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if not self.deal:
            return self
        if self.seed:
            raise options.misfit("seed and deal say the same thing: give one of them.", "deal")
        if self.arrange == "chosen":
            raise options.misfit("With arrange=chosen the players make the orders: leave out deal.", "deal")
        shown = [[number for number in order if number] for order in self.deal]
        twice = any(len(set(one)) < len(one) or max(one, default=1) > self.hand for one in shown)
        if twice or [*map(len, self.deal)] != [self.hand] * 2:
            raise options.misfit(f"deal takes two orders of the numbers 1 to {self.hand}, joined by -.", "deal")
        return self

    @property
    def draws(self) -> bool:
        """True if the hands are shuffled."""
        return self.arrange == "shuffled" and not self.deal

    def phrases(self) -> tuple[str, ...]:
        """The house rules as phrases."""
        phrases = {
            f"{in_words(self.hand)} numbers each": self.hand != 5,
            "winners stay": self.victors_stay,
            "an order of your own": self.arrange == "chosen",
        }
        return options.that_hold(phrases)

    def sentences(self) -> tuple[str, ...]:
        """The rules, a sentence each."""
        sentences = {
            "First put your numbers in order, in secret.": self.arrange == "chosen",
            "Attack one of your opponent's numbers with one of yours: the higher one wins, and the lower one is "
            "gone.": True,
            "If they are equal, both are gone.": True,
            "An attacker that wins goes back to its place.": self.victors_stay,
            "An attacker is spent, win or lose.": not self.victors_stay,
            "If you run out of numbers, you lose.": True,
        }
        return options.that_hold(sentences)


class Arrange(game.Move):
    """Put your own numbers in order, in secret."""

    secret: ClassVar[bool] = True
    order: Order


class Strike(game.Move):
    """Attack with a number at a position of the other hand, counted from 1."""

    number: int
    position: int


Move = Arrange | Strike


class Gone(Model):
    """A number that left the hand: spent by its own successful attack, or removed in a duel lost or tied."""

    number: int
    how: Literal["spent", "removed"]
    met: int
    """The number it met."""


class State(Position):
    """Both hands in order, the numbers that everybody knows, and those that are gone."""

    options: Options
    hands: tuple[Order, Order] = ((), ())
    known: tuple[Order, Order] = ((), ())
    gone: tuple[tuple[Gone, ...], tuple[Gone, ...]] = ((), ())
    dealt: tuple[Order, Order] = ((), ())
    """Both hands as they were at the start."""
    lies_open: bool = False
    """True if the hands are shown after the game."""


class View(Position):
    """The knowledge of one seat; it has no field for the other hand's order."""

    seat: Seat | None
    hand: int
    arrange: Literal["shuffled", "chosen"]
    victors_stay: bool
    mine: Order
    """The order of this seat's own hand; empty for a spectator."""
    faces: tuple[Faces, Faces]
    """Both hands as everybody sees them: a revealed number, or None."""
    gone: tuple[tuple[Gone, ...], tuple[Gone, ...]]

    @property
    def arranging(self) -> bool:
        """True if the player to move has to put their numbers in order."""
        return self.turn is not None and self.unarranged(self.turn)

    def unarranged(self, seat: Seat) -> bool:
        """True if a player has not put their numbers in order yet."""
        return not self.faces[seat] and not self.gone[seat]

    def left(self, seat: Seat) -> tuple[int, ...]:
        """The numbers that a player still has, ascending; everybody knows them, but not their places."""
        gone = {one.number for one in self.gone[seat]}
        return tuple(number for number in range(1, self.hand + 1) if number not in gone)

    def hidden(self, seat: Seat) -> tuple[int, ...]:
        """The numbers that a face-down position of a player may hold, ascending."""
        return tuple(number for number in self.left(seat) if number not in self.faces[seat])


class OpenView(View):
    """A view of a finished game with both hands shown."""

    opened: tuple[Order, Order]
    """Both hands at the end."""
    dealt: tuple[Order, Order]
    """Both hands as they were at the start."""


class Arranged(Event):
    """A player put their numbers in order."""

    kind: Literal["arranged"] = "arranged"

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        return f"{player(self.seat)} has put their numbers in order."


class Struck(Event):
    """A number attacked another; both are revealed."""

    reveals: ClassVar[bool] = True
    kind: Literal["struck"] = "struck"
    attacker: int
    position: int
    defender: int
    stays: bool
    """True if the attacker won and went back to its place."""

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        mine, theirs = f"{player(self.seat)}'s {self.attacker}", f"{player(other(self.seat))}'s {self.defender}"
        if self.attacker == self.defender:
            end = "and both are gone"
        elif self.attacker < self.defender:
            end = f"which stays; the {self.attacker} is gone"
        else:
            spent = "goes back to its place" if self.stays else "is spent"
            end = f"which is gone; the {self.attacker} {spent}"
        return f"{mine} attacks position {self.position} and meets {theirs}, {end}."


EVENTS = (Arranged, Struck)
PRESETS = (
    game.Preset(
        "Classic",
        "Five numbers each, shuffled; every attack spends its number.",
        Options(),
        first=True,
        seat=2,
        picture="number-duel:deal=31524-42513/4x3.3x1",
    ),
    game.Preset(
        "Big Hands",
        "Six numbers each.",
        Options(hand=6),
        seat=2,
        picture="number-duel:hand=6,seed=8/4x3.3x1",
    ),
    game.Preset(
        "Winners Stay",
        "Seven numbers each; an attacker that wins goes back to its place.",
        Options(hand=7, victors_stay=True),
        picture="number-duel:hand=7,victors_stay=on,seed=8/4x3.3x1",
    ),
    game.Preset(
        "Own Order",
        "You put your own numbers in order, in secret.",
        Options(arrange="chosen"),
        seat=2,
        picture="number-duel:arrange=chosen/31524.42513.4x3.3x1",
    ),
)


def start(options: Options) -> State:
    """Two hands, shuffled or named; empty hands if the players choose their order."""
    if options.arrange == "chosen":
        return State(turn=0, options=options)
    rng = Rng(options.seed)
    numbers = range(1, options.hand + 1)
    first, second = options.deal or (rng.shuffled(numbers), rng.shuffled(numbers))
    return State(turn=0, options=options, hands=(first, second), dealt=(first, second))


def view(state: State, seat: Seat | None) -> View:
    """The seat's own order, and the revealed numbers."""
    seen = View(
        turn=state.turn,
        outcome=state.outcome,
        seat=seat,
        hand=state.options.hand,
        arrange=state.options.arrange,
        victors_stay=state.options.victors_stay,
        mine=() if seat is None else state.hands[seat],
        faces=(_faces(state, 0), _faces(state, 1)),
        gone=state.gone,
    )
    return OpenView(**dict(seen), opened=state.hands, dealt=state.dealt) if state.lies_open else seen


def _faces(state: State, seat: Seat) -> Faces:
    return tuple(number if number in state.known[seat] else None for number in state.hands[seat])


def legal_moves(view: View) -> Sequence[Move]:
    """Every order while arranging; else every own number at every position of the other hand."""
    if view.turn is None:
        return ()
    if view.arranging:
        return [Arrange(order=order) for order in permutations(range(1, view.hand + 1))]
    positions = range(1, len(view.faces[view.rival]) + 1)
    return [Strike(number=number, position=position) for number in view.left(view.turn) for position in positions]


def apply(state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Put a hand in order, or attack."""
    game.guard(state, seat)
    _check(view(state, seat), move)
    if isinstance(move, Arrange):
        hands = with_seat(state.hands, seat, move.order)
        return state.changed(hands=hands, dealt=hands, turn=other(seat)), (Arranged(seat=seat),)
    return _strike(state, seat, move)


def _strike(state: State, seat: Seat, move: Strike) -> tuple[State, tuple[Event, ...]]:
    rival = other(seat)
    if move.number not in state.hands[seat]:
        state = _settled(state, seat, state.hands[seat].index(0), move.number)
    state = _settled(state, rival, move.position - 1)
    attacker, defender = move.number, state.hands[rival][move.position - 1]
    won, stays = attacker > defender, attacker > defender and state.options.victors_stay
    lost = None if stays else Gone(number=attacker, how="spent" if won else "removed", met=defender)
    beaten = None if attacker < defender else Gone(number=defender, how="removed", met=attacker)
    after = _fought(_fought(state, seat, attacker, lost), rival, defender, beaten)
    outcome = _outcome(after, seat, attacker, defender)
    struck = Struck(seat=seat, attacker=attacker, position=move.position, defender=defender, stays=stays)
    return after.changed(turn=None if outcome else rival, outcome=outcome), (struck,)


def _settled(state: State, seat: Seat, at: int, number: int = 0) -> State:
    """The state with a number at this place of a hand that was never shown: the given one, or the lowest possible."""
    hand, gone = state.hands[seat], [one.number for one in state.gone[seat]]
    if hand[at]:
        return state
    number = number or next(one for one in range(1, state.options.hand + 1) if one not in (*hand, *gone))
    return state.changed(hands=with_seat(state.hands, seat, (*hand[:at], number, *hand[at + 1 :])))


def _outcome(state: State, seat: Seat, attacker: int, defender: int) -> Outcome | None:
    rival = other(seat)
    mine, theirs = state.hands[seat], state.hands[rival]
    if mine and theirs:
        return None
    if mine or theirs:
        loser = rival if mine else seat
        return Outcome(winner=other(loser), reason=f"{player(loser)} has no numbers left.")
    if attacker == defender:
        return Outcome(winner=None, reason="The last two numbers were equal and both are gone: a draw.")
    return Outcome(winner=seat, reason=f"{player(seat)}'s {attacker} beat {player(rival)}'s last number.")


def _fought(state: State, seat: Seat, number: int, gone: Gone | None) -> State:
    """The state after a duel of this number, which is gone or stays revealed."""
    known = tuple(one for one in state.known[seat] if one != number)
    if gone is None:
        return state.changed(known=with_seat(state.known, seat, (*known, number)))
    return state.changed(
        hands=with_seat(state.hands, seat, tuple(one for one in state.hands[seat] if one != number)),
        known=with_seat(state.known, seat, known),
        gone=with_seat(state.gone, seat, (*state.gone[seat], gone)),
    )


def _check(view: View, move: Move) -> None:
    """Refuse an illegal move by the mover's view alone, so that a refusal can't reveal more."""
    assert view.seat is not None
    if isinstance(move, Arrange):
        if not view.arranging:
            raise IllegalMove("Your numbers are already in their order. Attack with one, such as 3x2.")
        if sorted(move.order) != list(range(1, view.hand + 1)):
            raise IllegalMove(f"An order names each of the numbers 1 to {view.hand} once.")
        return
    if view.arranging:
        raise IllegalMove(f"First put your numbers in order: each of 1 to {view.hand} once, such as {_example(view)}.")
    mine = view.left(view.seat)
    targets = len(view.faces[other(view.seat)])
    if move.number not in mine:
        raise IllegalMove(f"You have no {move.number} to attack with. You have {listed(mine)}.", (move.number,))
    if not 1 <= move.position <= targets:
        where = f"positions are 1 to {targets}" if targets > 1 else "only position is 1"
        raise IllegalMove(f"There is no position {move.position}: {player(other(view.seat))}'s {where}.")


def _example(view: View) -> str:
    return "".join(map(str, (*range(2, view.hand + 1), 1)))


def format_move(move: Move) -> str:
    """Write an order as digits, and an attack as number x position."""
    if isinstance(move, Arrange):
        return "".join(map(str, move.order))
    return f"{move.number}x{move.position}"


def parse_move(view: View, text: str) -> Move:
    """Parse an order while arranging, else an attack."""
    strike = re.fullmatch(r"\s*([0-9]{1,2})\s*[xX]\s*([0-9]{1,2})\s*", text)
    if strike:
        return Strike(number=int(strike[1]), position=int(strike[2]))
    order = re.sub(r"[\s,]", "", text)
    if re.fullmatch(r"[0-9]{3,7}", order):
        return Arrange(order=tuple(map(int, order)))
    if view.arranging:
        raise BadNotation(f"{quoted(text)} is not an order. Type each of 1 to {view.hand} once, like {_example(view)}.")
    if re.fullmatch(r"\s*[0-9]\s*[xX]?\s*", text):
        raise BadNotation("Name one of your opponent's positions, too, such as 3x2.")
    if re.fullmatch(r"\s*[xX]\s*[0-9]\s*", text):
        raise BadNotation("Name one of your numbers, too, such as 3x2.")
    raise BadNotation(f"{quoted(text)} is not a move. Type your number, x and a position, such as 3x2.")


def worlds(view: View, rng: Rng) -> State:
    """Shuffle the hidden numbers of the other hand; of both hands for a spectator."""
    hands = [view.mine, view.mine]
    for seat in SEATS:
        if seat != view.seat:
            hidden = iter(rng.shuffled(view.hidden(seat)))
            hands[seat] = tuple(next(hidden) if number is None else number for number in view.faces[seat])
    known = [tuple(number for number in faces if number is not None) for faces in view.faces]
    return State(
        turn=view.turn,
        outcome=view.outcome,
        options=Options(hand=view.hand, arrange=view.arrange, victors_stay=view.victors_stay),
        hands=(hands[0], hands[1]),
        known=(known[0], known[1]),
        gone=view.gone,
    )


def goal(view: View) -> str:
    """The aim, also while arranging and if winners stay."""
    if view.arranging:
        return f"Put your numbers, 1 to {view.hand}, in order. Your opponent will not see it."
    stays = "Attack hidden numbers; the higher one wins, and stays. If you run out, you lose."
    return stays if view.victors_stay else INFO.goal


def every_move(options: Options) -> Sequence[Move]:
    """Every attack; before them every order, if the players choose theirs."""
    numbers = range(1, options.hand + 1)
    moves: list[Move] = []
    if options.arrange == "chosen":
        moves += [Arrange(order=order) for order in permutations(numbers)]
    moves += [Strike(number=number, position=position) for number in numbers for position in numbers]
    return moves


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
    view,
    worlds,
    goal,
    every_move,
)
