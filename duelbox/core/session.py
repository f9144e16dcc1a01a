"""A game being played, with undo and redo: the only mutable object in core."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from duelbox.core.code import format_code
from duelbox.core.errors import BadNotation, CannotUndo, DuelboxError, GameOver, IllegalMove, MoveError
from duelbox.core.game import AnyGame, Move
from duelbox.core.model import SEATS, Event, Outcome, Position, Seat, Voice, named, other, player
from duelbox.core.names import clean_name
from duelbox.core.options import Options
from duelbox.core.takes import SEAT, SEATS_OF_PEOPLE, TEXT, TWO_NAMES, WHOLE, Kind, is_whole, shown, takes

DEFAULT_NAMES = ("Player 1", "Player 2")
MAX_MOVES = 10_000
"""The most moves in a game: some games can go on for ever, and a record is limited."""
FULL = f"A game has at most {MAX_MOVES:,} moves, and this one has them."

By = Literal["play", "resignation", "agreement", "claim", "unshown", "fault"]
"""The end of a game: by its rules, by a player who resigns, by both who agree on a draw, by a player who claims it
because the other one is away, (unshown) because the other one never showed their hidden hand, or by a program's fault.
"""
_IN_LOG: dict[By, str] = {
    "resignation": "resigns",
    "agreement": "draw agreed",
    "claim": "claims the game",
    "unshown": "wins: the other hand was not shown",
    "fault": "loses by a fault",
}
LOSING: tuple[By, ...] = ("resignation", "fault")
"""The ends without a move by which the seat that acted loses."""
WAY = Kind(f"one of {', '.join(_IN_LOG)}", lambda value: isinstance(value, str) and value in _IN_LOG)


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn: a move, or (move None) an end without a move."""

    seat: Seat
    """The seat that acted; for an agreed draw, the seat to move."""
    move: Any | None
    state: Position
    events: tuple[Event, ...]
    by: By = "play"
    fault: str = ""
    """The fault of a program, as a clause after its name: "did not say a move in time"."""

    @property
    def sentence(self) -> str:
        """The turn in one or more sentences."""
        if self.move is None:
            return f"{player(self.seat)} resigns." if self.by == "resignation" else self.outcome.reason
        return " ".join(event.sentence for event in self.events)

    @property
    def outcome(self) -> Outcome:
        """The outcome of an end without a move."""
        winner: Seat | None = self.seat
        if self.by == "agreement":
            winner = None
        elif self.by in LOSING:
            winner = other(self.seat)
        return Outcome(winner=winner, reason=f"{self.ending(Voice())}.")

    def ending(self, voice: Voice) -> str:
        """The reason of an end without a move."""
        me, rival = self.seat, other(self.seat)
        if self.by == "agreement":
            return "Both players agreed on a draw"
        if self.by == "resignation":
            return f"{voice.whom(me)} resigned"
        if self.by == "fault":
            return f"{voice.names[me]} {self.fault}"
        if self.by == "unshown":
            hand = "your hand" if rival == voice.you else "their hand"
            return f"{voice.whom(rival)} did not show {hand} at the end, so {voice.whom(me)} won"
        away = voice.does(rival, "was", "were")
        return f"{away} away for too long, and {voice.whom(me)} claimed the game"

    @property
    def reveals(self) -> bool:
        """True if something hidden came to light, so that the turn can't be undone."""
        return any(event.reveals for event in self.events)


class Session:
    """A game with its two players and its moves. `stamp` grows with every change."""

    max_moves = MAX_MOVES

    def __init__(
        self,
        game: AnyGame,
        options: Options,
        names: Sequence[str] = DEFAULT_NAMES,
        *,
        start: Position | None = None,
        plies: Sequence[Ply] = (),
    ) -> None:
        """A new game, or one to be carried on, of which the state before the first move and the turns are known."""
        TWO_NAMES.check(type(self).__name__, "names", names)
        self.game = game
        self.options = options
        self.names = (clean_name(names[0]), clean_name(names[1]))
        self.stamp = 0
        self.start: Position = game.start(options) if start is None else start
        """The state before the first move."""
        self._plies: list[Ply] = [*plies]
        self._cursor = len(plies)

    # -- where we are

    @property
    def state(self) -> Position:
        """The full state, secrets included; players must get `view` instead."""
        return self._plies[self._cursor - 1].state if self._cursor else self.start

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The turns up to the present position."""
        return tuple(self._plies[: self._cursor])

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves up to the present position."""
        return tuple(ply.move for ply in self._plies[: self._cursor] if ply.move is not None)

    @property
    def undone(self) -> tuple[Ply, ...]:
        """The undone turns, the next one to redo first."""
        return tuple(self._plies[self._cursor :])

    def copy(self) -> Self:
        """An independent copy, moves included."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__, _plies=self._plies.copy())
        return twin

    __copy__ = copy

    @property
    def outcome(self) -> Outcome | None:
        """The result, if the game is over."""
        return self._plies[self._cursor - 1].outcome if self.cut_short else self.state.outcome

    @property
    def by(self) -> By:
        """The way in which the game ended, if it is over."""
        return self._plies[self._cursor - 1].by if self._cursor else "play"

    @property
    def cut_short(self) -> bool:
        """True if the game ended without a last move."""
        return self.by != "play"

    @property
    def turn(self) -> Seat | None:
        """The seat to move; None when the game is over."""
        return None if self.cut_short else self.state.turn

    def view(self, seat: Seat | None) -> Any:
        """The view of a seat; None stands for a spectator."""
        if seat is not None and seat not in SEATS:
            SEAT.or_none().check("view", "seat", seat)
        return self.game.view(self.state, seat)

    def legal_moves(self) -> Sequence[Any]:
        """The legal moves of the player to move; empty when the game is over or has `max_moves`."""
        return () if self.turn is None or self.full else self.game.legal_moves(self.view(self.turn))

    def code(self) -> str:
        """The position code. In a game with hidden hands it contains both: use `public_code` for players."""
        return format_code(self.game, self.options, self.moves)

    def public_code(self) -> str:
        """The position code; refused while it would tell what is hidden."""
        if self.game.INFO.hidden and self.outcome is None:
            raise DuelboxError("The code tells both hands: you can copy it after the game.")
        return self.code()

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """The moves as everybody may see them: the seat, and the text of the move; a secret one is masked."""

        def text_of(move: Any) -> str:
            return "•••" if move.secret and self.outcome is None else self.game.format_move(move)

        return tuple((ply.seat, _IN_LOG[ply.by] if ply.move is None else text_of(ply.move)) for ply in self.plies)

    @takes(sentence=TEXT)
    def named(self, sentence: str) -> str:
        """Replace "Player 1" and "Player 2" in a sentence by the players' names."""
        return named(sentence, self.names)

    @property
    def full(self) -> bool:
        """True if the game has as many moves as a record can hold."""
        return self._cursor >= self.max_moves and self.turn is not None

    # -- changes

    def parse(self, text: str) -> Any:
        """Parse a move as text, in this position; raises MoveError."""
        view = self.view(self._turn())
        if not isinstance(text, str):
            example = str(text)
            if not is_whole(text):
                example = self.game.format_move(self.game.legal_moves(view)[0])
            here = f"A move is typed as text, such as {example!r}"
            raise BadNotation(f"{here}, not as {shown(text)}; for models there is play().")
        return self.game.parse_move(view, text)

    def play(self, move: Any, seat: Seat | None = None) -> tuple[Event, ...]:
        """Make a move for the player to move, or for this seat. Raises MoveError and then changes nothing."""
        if not isinstance(move, Move):
            here = "play() takes a move, such as one of legal_moves()"
            raise BadNotation(f"{here}; for text there is type({shown(move)}).")
        turn = self._turn()
        mover = turn
        if seat is not None:
            SEAT.check("play", "seat", seat)
            mover = seat
        state, events = self._after(move, mover)
        self._add(Ply(mover, move, state, events))
        return events

    def preview(self, text: str) -> tuple[Position, tuple[Event, ...]] | None:
        """The state after a move and its events, without making it. None in a game that hides something, where they
        could tell too much. Raises MoveError."""
        after = self._after(self.parse(text), self._turn())
        return None if self.game.INFO.hidden else after

    def type(self, text: str) -> tuple[Event, ...]:
        """Parse a move as text and make it; raises MoveError."""
        return self.play(self.parse(text))

    @takes(seat=SEAT.or_none())
    def resign(self, seat: Seat | None = None) -> None:
        """Resign for the player to move, or for this seat."""
        self.cut("resignation", seat)

    @takes(by=WAY, seat=SEAT.or_none(), fault=TEXT)
    def cut(self, by: By, seat: Seat | None = None, fault: str = "") -> None:
        """End the game without a move: the player to move, or this seat, resigns or claims it, or both agree on a draw.
        Raises DuelboxError in a game that always has a winner. `unshown` may follow the last move."""
        turn = seat if by == "unshown" and seat is not None else self._turn()
        if by == "agreement":
            if why := self.why_no_draw():
                raise DuelboxError(why)
            seat = turn
        self._add(Ply(turn if seat is None else seat, None, self.state, (), by, fault))

    def why_no_draw(self) -> str | None:
        """The reason why no draw can be agreed on, if there is one."""
        if self.turn is None:
            return "The game is over."
        return None if self.game.INFO.may_be_drawn else f"{self.game.INFO.title} always has a winner."

    def _turn(self) -> Seat:
        if self.turn is None:
            assert self.outcome is not None
            raise GameOver(f"The game is over. {self.outcome.reason}")
        return self.turn

    def _after(self, move: Any, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
        if self.full:
            raise IllegalMove(f"{FULL} Resign, or undo some moves.")
        after: tuple[Position, tuple[Event, ...]] = self.game.apply(self.state, seat, move)
        return after

    def _add(self, ply: Ply) -> None:
        self._plies[self._cursor :] = [ply]
        self._cursor += 1
        self.stamp += 1

    # -- undo

    def why_no_undo(self, people: Collection[Seat] = SEATS) -> str | None:
        """The reason why the players in these seats cannot undo, if there is one."""
        if not self._cursor:
            return "Nothing has been played yet."
        if self._plies[self._cursor - 1].reveals:
            return "What has been revealed cannot be hidden again, so this cannot be undone."
        if self.game.INFO.hidden and self.outcome is not None:
            return "The hands are known now, so the game cannot be taken up again."
        if not any(ply.seat in people for ply in self.plies):
            return "You have made no move yet that could be undone."
        return None

    @takes(people=SEATS_OF_PEOPLE)
    def undo(self, people: Collection[Seat] = SEATS) -> None:
        """Undo the last turn, and those before it back to the last choice of one of these people; raises CannotUndo."""
        if why := self.why_no_undo(people):
            raise CannotUndo(why)
        self.go(self._cursor - 1)
        while self.turn not in people and self.why_no_undo(people) is None:
            self.go(self._cursor - 1)

    @property
    def can_redo(self) -> bool:
        """True if a turn was undone that can be redone."""
        return self._cursor < len(self._plies)

    @takes(people=SEATS_OF_PEOPLE)
    def redo(self, people: Collection[Seat] = SEATS) -> None:
        """Redo the last undone turn, and those that `undo` took back with it; raises CannotUndo."""
        if not self.can_redo:
            raise CannotUndo("Nothing has been undone.")
        self.go(self._cursor + 1)
        while self.turn not in people and self.can_redo:
            self.go(self._cursor + 1)

    @takes(count=WHOLE)
    def go(self, count: int) -> None:
        """Go to the position after this many turns; later turns can still be redone."""
        self._cursor = max(0, min(count, len(self._plies)))
        self.stamp += 1


def follow(session: Session, newer: Session) -> None:
    """Bring a session up to a newer one of the same game, with its hands and turns; `stamp` counts the turns."""
    if newer.plies != session.plies:
        session.stamp += max(1, len(newer.plies) - len(session.plies))
    session.options = newer.options
    session.start = newer.start
    session._plies = [*newer.plies]
    session._cursor = len(newer.plies)


def replayed(game: AnyGame, options: Options, moves: Iterable[Any], names: Sequence[str] = DEFAULT_NAMES) -> Session:
    """Play moves, models or texts, in a new session; raises BrokenGame with the session of the good ones."""
    session = Session(game, options, names)
    for count, move in enumerate(moves, 1):
        try:
            session.play(session.parse(move) if isinstance(move, str) else move)
        except MoveError as error:
            raise BrokenGame(session, count, error.sentence) from error
        except Exception as error:  # a guest's rules may raise anything
            raise BrokenGame(session, count, f"the rules fail: {error!r}.") from error
    return session


class BrokenGame(DuelboxError):
    """A list of moves of which one is not legal; `session` has played those before it."""

    def __init__(self, session: Session, count: int, reason: str) -> None:
        super().__init__(f"Move {count}: {reason}")
        self.session = session
        self.count = count
        self.reason = reason
