"""A game as one player sees it: a value with nothing in it from which something hidden could be got."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import JsonValue, ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.model import Model, Position, Seat
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session, replayed
from duelbox.registry import find_game


class SeenGame(Model):
    """A game as one player sees it. It is the same in all deals that this player cannot tell apart.

    Players are 1 and 2 here, as in every JSON of duelbox; `seat` and `turn` give them as 0 and 1.
    """

    game: str
    options: dict[str, str]
    """The house rules that differ from the classic ones, as in a code; without the draw where something is hidden."""
    rules: tuple[str, ...]
    """The rules as they are played, a sentence each."""
    player: Literal[1, 2] | None
    """The player who sees this; None for a spectator."""
    to_move: Literal[1, 2] | None
    """The player to move; None when the game is over."""
    moves: tuple[str, ...]
    """The moves so far; a secret one is masked."""
    legal: tuple[str, ...]
    """The legal moves, if this player is to move."""
    view: dict[str, JsonValue]
    """The position as the game's own model of a view has it."""

    __hash__ = None  # type: ignore[assignment]  # dicts cannot be hashed

    @classmethod
    def of(cls, session: Session, seat: Seat | None) -> Self:
        """A session as this seat sees it; None is a spectator."""
        game = session.game
        options = session.options
        if game.INFO.hidden:
            options = options.rules_only()
        view = session.view(seat)
        legal: tuple[str, ...] = ()
        if seat is not None and seat == session.turn:
            legal = tuple(map(game.format_move, session.legal_moves()))
        return cls(
            game=game.INFO.id,
            options=options.texts(),
            rules=rules_of(game, options),
            player=number_of(seat),
            to_move=number_of(session.turn),
            moves=tuple(text for _, text in session.log()),
            legal=legal,
            view=view.model_dump(mode="json"),
        )

    @property
    def seat(self) -> Seat | None:
        """The seat of the player who sees this: 0 or 1; None for a spectator."""
        return seat_of(self.player)

    @property
    def turn(self) -> Seat | None:
        """The seat to move: 0 or 1; None when the game is over."""
        return seat_of(self.to_move)

    @property
    def actions(self) -> tuple[str, ...]:
        """Every move that can come up under these house rules; its place is the move's number."""
        game = find_game(self.game)
        if game.every_move is None:
            raise DuelboxError(f"{game.INFO.title} does not number its moves.")
        return tuple(map(game.format_move, game.every_move(game.Options.from_texts(self.options))))

    def position(self) -> Position:
        """The view as the game's model; raises DuelboxError if it is none."""
        kind = find_game(self.game).View
        for view in (kind, *kind.__subclasses__()):
            try:
                read: Position = view.model_validate(self.view, strict=False)
            except ValidationError:
                continue
            return read
        raise DuelboxError(f"This is not what a player sees of {self.game}.")

    def world(self, seed: int) -> Session:
        """A session that looks like this to the player: the hidden numbers are drawn by the seed, of all that fit."""
        game = find_game(self.game)
        if self.turn is None:
            raise DuelboxError("The game is over: there is nothing to play on.")
        options = game.Options.from_texts(self.options)
        if not game.INFO.hidden:
            return replayed(game, options, self.moves)
        return Session(game, options, start=game.worlds(self.position(), Rng(seed)))


def rules_of(game: AnyGame, options: Options) -> tuple[str, ...]:
    """The rules of a game under these options, a sentence each."""
    return tuple(options.sentences()) or (game.INFO.goal,)


def number_of(seat: Seat | None) -> Literal[1, 2] | None:
    """The number of a player by the seat."""
    if seat is None:
        return None
    return 2 if seat else 1


def seat_of(number: Literal[1, 2] | None) -> Seat | None:
    """The seat of a player by the number."""
    if number is None:
        return None
    return 1 if number == 2 else 0
