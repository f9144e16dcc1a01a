"""A match as the log of what was done: the only truth in the store; sessions, record and summary follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pydantic import ValidationError

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.match import MAX_ROUNDS, Player, player_at
from duelbox.core.model import SEATS, Model
from duelbox.core.options import Options
from duelbox.core.reader import Opened
from duelbox.core.record import Number, Record, Round, Who, round_record
from duelbox.core.session import Ply, Session
from duelbox.registry import BUILT_IN, find_game, why_not
from duelbox.store.summary import Finished, Summary


@dataclass(frozen=True, slots=True)
class Step:
    """One entry: the round it belongs to, what was done ("move 5", "undo"), and when (ms since 1970, UTC)."""

    round: int
    what: str
    at: int


def playable(game_id: str) -> AnyGame:
    """The game of a match; raises UnknownGame where its duel is no longer installed, or not whole."""
    if fault := why_not(game_id):
        raise UnknownGame(f"This game is kept, but can't be opened. {fault}")
    return find_game(game_id)


class Header(Model):
    """What the first entry says: which game, who plays, how many rounds, who moves first."""

    game: str
    players: tuple[Who, Who]
    rounds: int
    first: Player


class Trail:
    """One round: its session, what of it is in the log, and when things happened."""

    def __init__(self, session: Session, started: int) -> None:
        self.session = session
        self.started = started
        self.ended: int | None = None
        self.assisted = False
        self._plies: tuple[Ply, ...] = ()
        self._cursor = 0

    def follow(self, session: Session, at: int) -> list[str]:
        """What must have been done since the last time for the session to stand as it does now."""
        self.session = session
        now = session.plies
        same = _same(self._plies, now)
        done = _walk(self._cursor, same)
        if same < len(now):
            done += [_described(session, ply) for ply in now[same:]]
            self._plies = now
        self._cursor = len(now)
        if done:
            self.ended = None if session.outcome is None else at
        return done

    def record(self, first: Number, number: int) -> Round:
        """The round as a record has it."""
        ended = None if self.ended is None else moment(self.ended)
        return round_record(self.session, first, number, moment(self.started), ended).changed(assisted=self.assisted)

    @property
    def moves(self) -> int:
        """Moves played, as far as they stand."""
        return self._cursor - self.session.resigned


def _same(old: tuple[Ply, ...], new: tuple[Ply, ...]) -> int:
    """How many plies are the very same ones; a move played again after an undo is not.

    Looked for from the end: a ply stands on those before it, so where two are the same, all before them are.
    """
    return next((at for at in range(min(len(old), len(new)), 0, -1) if old[at - 1] is new[at - 1]), 0)


def _walk(cursor: int, to: int) -> list[str]:
    return ["undo"] * (cursor - to) + ["redo"] * (to - cursor)


def _described(session: Session, ply: Ply) -> str:
    return f"resign {ply.seat}" if ply.move is None else f"move {session.game.format_move(ply.move)}"


class Log:
    """A match: its entries, and what follows from them."""

    def __init__(self, header: Header, started: int) -> None:
        self.header = header
        self.steps = [Step(0, f"match {header.model_dump_json()}", started)]
        self.rounds: list[Trail] = []
        self.deleted = False
        self.error: str | None = None

    # -- writing

    def follow(self, session: Session, number: int, assisted: bool, now: int, began: int | None = None) -> None:
        """Add what was done in a round since the last time; nothing while it is untouched."""
        if began is None:  # the first round begins with the match, which the import of its record looks for
            began = now if self.rounds else self.steps[0].at
        if number == len(self.rounds) and (session.plies or assisted):
            self.rounds.append(Trail(session, began))
            self.steps.append(Step(number, f"round {session.options.model_dump_json()}", began))
        if number >= len(self.rounds):
            if session.plies:
                raise ValueError(f"round {number} can't follow {len(self.rounds)} rounds")
            return
        trail = self.rounds[number]
        if assisted and not trail.assisted:
            trail.assisted = True
            self.steps.append(Step(number, "assist", now))
        self.steps += [Step(number, what, now) for what in trail.follow(session, now)]

    @classmethod
    def of_record(cls, record: Record, sessions: Sequence[Session]) -> Log:
        """The log of a match that was played elsewhere; raises OverflowError for a time outside the calendar."""
        first: Player = 1 if record.first == 2 else 0
        header = Header(game=record.game, players=record.players, rounds=record.rounds, first=first)
        started = [stamp(one.started) for one in record.played]
        log = cls(header, min(started))
        for number, (one, session) in enumerate(zip(record.played, sessions, strict=True)):
            ended = started[number] if one.ended is None else stamp(one.ended)
            log.follow(session, number, one.assisted, ended, started[number])
        return log

    # -- reading

    @classmethod
    def replay(cls, steps: Iterable[Step]) -> Log:
        """The match these entries tell; where it stops making sense, `error` says why and the rest is left out.

        Raises DuelboxError where not even the first entry can be read.
        """
        first, *rest = steps
        kind, _, text = first.what.partition(" ")
        try:
            if kind != "match":
                raise ValueError(f"it begins with {kind[:24]!a}")
            log = cls(Header.model_validate_json(text), first.at)
        except ValueError as error:
            raise DuelboxError(f"This game can't be read: {error}") from None
        game = playable(log.header.game)
        for step in rest:
            try:
                log._redo(step, game)
            except Exception as error:
                if log.header.game in BUILT_IN and not isinstance(error, (DuelboxError, ValueError, IndexError)):
                    raise  # a stranger's rules may fail in any way; ours may not
                log.error = f"This game can be read up to entry {len(log.steps)} only: {_reason(error)}"
                break
        return log

    def _redo(self, step: Step, game: AnyGame) -> None:
        kind, _, text = step.what.partition(" ")
        if kind == "round":
            if step.round != len(self.rounds) or step.round >= MAX_ROUNDS:
                raise ValueError("its rounds are out of order.")
            options: Options = game.Options.model_validate_json(text)
            self.rounds.append(Trail(Session(game, options, self._names(step.round)), step.at))
        elif kind in ("delete", "restore"):
            self.deleted = kind == "delete"
        elif kind == "assist":
            self.rounds[step.round].assisted = True
        else:
            trail = self.rounds[step.round]
            _take(trail.session, kind, text)
            trail.follow(trail.session, step.at)
        self.steps.append(step)

    def _names(self, number: int) -> tuple[str, str]:
        one, two = (self.header.players[player_at(seat, self.header.first, number)].name for seat in SEATS)
        return one, two

    # -- what follows

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The rounds, with their undo history."""
        return tuple(trail.session for trail in self.rounds)

    def record(self) -> Record:
        """The match as a document, without what was taken back."""
        first: Number = 2 if self.header.first else 1
        played = tuple(trail.record(first, number) for number, trail in enumerate(self.rounds))
        return Record(
            game=self.header.game, players=self.header.players, rounds=self.header.rounds, first=first, played=played
        )

    def opened(self) -> Opened:
        """All of it, as a record is opened."""
        return Opened(self.record(), self.sessions, self.error)

    def summary(self, match_id: str) -> Summary:
        """The match in short."""
        finished: list[Finished] = []
        for number, trail in enumerate(self.rounds):
            outcome = trail.session.outcome
            if outcome is None or trail.ended is None:
                break
            winner = None if outcome.winner is None else player_at(outcome.winner, self.header.first, number)
            finished.append(Finished(winner=winner, ended=moment(trail.ended), assisted=trail.assisted))
        last = next((step.at for step in reversed(self.steps) if step.what not in ("delete", "restore")), 0)
        return Summary(
            id=match_id,
            started=moment(self.steps[0].at),
            last_played=moment(last),
            moves=sum(trail.moves for trail in self.rounds),
            finished=tuple(finished),
            deleted=self.deleted,
            **{name: getattr(self.header, name) for name in Header.model_fields},
        )


def _take(session: Session, kind: str, text: str) -> None:
    """Do in a session what an entry says."""
    if kind == "move":
        session.type(text)
    elif kind == "resign":
        session.resign(1 if text == "1" else 0)
    elif kind == "undo":
        session.undo()
    elif kind == "redo":
        session.redo()
    else:
        raise ValueError(f"{kind[:24]!a} is not known here.")


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return f"{error.errors()[0]['msg']}."
    return "its rounds are out of order." if isinstance(error, IndexError) else str(error)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(at: int) -> datetime:
    """Milliseconds since 1970 as a time; raises OverflowError outside the calendar."""
    return _EPOCH + timedelta(milliseconds=at)


def stamp(time: datetime) -> int:
    """A time as milliseconds since 1970; raises OverflowError where `moment` could not give it back."""
    at = (time - _EPOCH) // timedelta(milliseconds=1)
    moment(at)
    return at
