"""Checking a proof by the rules and the lemmas alone: a walk through every move of the opponent."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from duelbox.core.code import format_code, parse_code
from duelbox.core.errors import UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import Model, Seat, player
from duelbox.core.session import Session
from duelbox.proof.api import SAME, Lemma, NoProof, Proving
from duelbox.proof.bits import BitReader, EndOfBits, WrongMap, width_of
from duelbox.proof.line import Proof
from duelbox.registry import find_game, part

MOST_POSITIONS = 100_000
"""A walk stops at this many positions, counted again when they are met again."""
_WHY_NONE = {
    "number-circle": "Number Circle may go round in circles, so there are no proofs of it.",
    "number-duel": "Number Duel has chance, so there are no proofs of it.",
}


class Checked(Model):
    """The end of a check: proved, or the moves at which the proof fails and the reason."""

    code: str
    side: Seat
    positions: int
    """The different positions that were met before the end of the game."""
    at: tuple[str, ...] = ()
    """The moves at which the proof fails, after those of the code."""
    fault: str = ""
    """The sentence that says why it fails; empty if it is proved."""

    @property
    def proved(self) -> bool:
        """True if nothing is left open."""
        return not self.fault

    @property
    def sentence(self) -> str:
        """The end in words."""
        if self.proved:
            count = f"{self.positions:,} position{'s' if self.positions != 1 else ''}"
            return f"Proved: {player(self.side)} wins {self.code}: {count}."
        if not self.at:
            return f"Not proved: {self.fault}"
        return f"Not proved: after {' '.join(self.at)}: {self.fault}"


def proving_of(game: AnyGame) -> Proving:
    """All that proofs need of a game; raises NoProof."""
    try:
        proving = part(game.INFO.id, "proof", Proving)
    except UnknownGame as error:
        raise NoProof(error.sentence) from error
    if proving is None:
        raise NoProof(_WHY_NONE.get(game.INFO.id, f"There are no proofs of {game.INFO.title}."))
    return proving


def session_to_prove(code: str) -> Session:
    """The position of a code whose winner can be proved; raises NoProof and CodeError."""
    session = parse_code(code, find_game)
    proving_of(session.game)
    if session.turn is None:
        raise NoProof("The game is over there: nothing is left to prove.")
    return session


class Failed(Exception):
    """A proof fails at these moves."""

    def __init__(self, at: tuple[str, ...], fault: str) -> None:
        super().__init__(fault)
        self.at = at
        self.fault = fault


class FormatWalk:
    """The walk of format 1 through a position: depth first, positions already met not entered again."""

    def __init__(self, session: Session, side: Seat) -> None:
        self.session = session
        self.game = session.game
        self.proving = proving_of(session.game)
        self.side = side
        self.met: set[Hashable] = set()

    def answer(self, view: Any, moves: Sequence[Any], path: tuple[str, ...]) -> Any:
        """The move with which the claimed side answers a new position."""
        raise NotImplementedError

    def is_claimed(self, view: Any, path: tuple[str, ...]) -> bool:
        """True if a rule is claimed in a new position with the opponent to move, so that no move need be tried."""
        raise NotImplementedError

    def pause(self) -> None:
        """Called at each position; may raise."""

    def walk(self) -> None:
        """Visit every position; raises Failed. Each waits on a stack as the position before it and a move."""
        reached = 1
        stack: list[tuple[Any, Any, tuple[str, ...]]] = []
        self._visit(self.session.state, (), stack)
        while stack:
            before, move, path = stack.pop()
            view, _ = self.game.apply(before, before.turn, move)
            self._visit(view, (*path, self.game.format_move(move)), stack)
            reached += 1
            if reached > MOST_POSITIONS:
                raise Failed((), f"it goes on after {MOST_POSITIONS:,} positions, where every check stops.")
            self.pause()

    def _visit(self, view: Any, path: tuple[str, ...], stack: list[tuple[Any, Any, tuple[str, ...]]]) -> None:
        """Put the moves that follow a position on the stack: one of the claimed side, all of the opponent."""
        if view.turn is None:
            if view.outcome.winner != self.side:
                raise Failed(path, view.outcome.reason)
            return
        key = self.proving.key(view, SAME)
        if key in self.met:
            return
        self.met.add(key)
        moves = self.game.legal_moves(view)
        if view.turn == self.side:
            stack.append((view, self.answer(view, moves, path), path))
        elif not self.is_claimed(view, path):
            for move in reversed(moves):
                stack.append((view, move, path))


def code_to_prove(session: Session) -> str:
    """The code of a position with its gaps named, so that a checker need not draw them."""
    options = session.options
    gaps = getattr(session.start, "gaps", ())
    if gaps and not getattr(options, "without", gaps):
        options = options.changed(gaps=0, seed=0, without=gaps)
    return format_code(session.game, options, session.moves)


def check(proof: Proof, pause: Callable[[], None] | None = None) -> Checked:
    """Walk through a proof; `pause` is called at each position and may raise. Raises NoProof and CodeError."""
    walk = ProofWalk(proof)
    if pause is not None:
        walk.pause = pause  # type: ignore[method-assign]
    session = walk.session
    code = session.code()
    at: tuple[str, ...] = ()
    fault = ""
    try:
        walk.walk()
        walk.check_end()
    except Failed as failed:
        at = failed.at
        fault = failed.fault
    return Checked(code=code, side=proof.side, positions=len(walk.met), at=at, fault=fault)


class ProofWalk(FormatWalk):
    """The walk that reads its answers from the word of a proof."""

    def __init__(self, proof: Proof) -> None:
        session = session_to_prove(proof.code)
        if code_to_prove(session) != session.code():
            raise NoProof("The gaps of a proof are named, not drawn: its code has without, not gaps.")
        super().__init__(session, proof.side)
        self.bits = BitReader(proof.answers)
        self.claims = self.bits.number(1) == 1
        self.answered: list[tuple[Any, Any]] = []
        """The positions that were answered, with their answers."""

    def answer(self, view: Any, moves: Sequence[Any], path: tuple[str, ...]) -> Any:
        """Read the number of the move."""
        place = self._number(len(moves), path)
        if place >= len(moves):
            raise Failed(path, f"the answer is move {place + 1}, and there are only {len(moves)}.")
        self.answered.append((view, moves[place]))
        return moves[place]

    def is_claimed(self, view: Any, path: tuple[str, ...]) -> bool:
        """Read the claim, and check it by its lemma."""
        if not self.claims or not self._number(2, path):
            return False
        lemmas = self.proving.lemmas
        place = self._number(len(lemmas), path)
        if place >= len(lemmas):
            raise Failed(path, f"rule {place + 1} is claimed, and there are only {len(lemmas)}.")
        lemma = lemmas[place]
        images: dict[int, int] = {}
        if lemma.mapped:
            images = self._map(lemma, view.numbers[-1], path)
        why = lemma.fails(view, images)
        if why is not None:
            raise Failed(path, f"{lemma.name} does not hold. {why}")
        return True

    def check_end(self) -> None:
        """Refuse answers that the walk did not ask for."""
        if not self.bits.is_used_up:
            raise Failed((), "answers are left over at its end.")

    def _number(self, choices: int, path: tuple[str, ...]) -> int:
        try:
            return self.bits.number(width_of(choices))
        except EndOfBits:
            raise Failed(path, "the answers end here, and the game goes on.") from None

    def _map(self, lemma: Lemma, last: int, path: tuple[str, ...]) -> dict[int, int]:
        try:
            return self.bits.map(last)
        except (EndOfBits, WrongMap):
            raise Failed(path, f"the map of {lemma.name} is damaged.") from None
