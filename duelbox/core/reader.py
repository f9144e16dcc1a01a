"""Reading a record, whole or damaged: the good part of it, and the first error as a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from duelbox.core.code import FindGame
from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.model import SEATS, Model, listed
from duelbox.core.record import MAX_MOVES, VERSION, Number, Record, Result, Round, Who, player_number, round_record
from duelbox.core.session import DEFAULT_NAMES, BrokenGame, Session, replayed

MAX_TEXT = 4_000_000


@dataclass(frozen=True, slots=True)
class Opened:
    """What could be read of a record: the good part of it, and the first error as a sentence."""

    record: Record | None
    sessions: tuple[Session, ...]
    error: str | None

    @property
    def last_state(self) -> Any | None:
        """The last good state."""
        return self.sessions[-1].state if self.sessions else None


def open_record(text: str | bytes, find_game: FindGame) -> Opened:
    """Read a record, or what is good of it; never raises for what the text says."""
    return _Reader(find_game).read(text)


R = TypeVar("R")


class _Reader:
    """Reads what it can and keeps the first error."""

    def __init__(self, find_game: FindGame) -> None:
        self._find_game = find_game
        self._error: str | None = None

    def read(self, text: str | bytes) -> Opened:
        envelope = self._json(text)
        game = self._game(envelope) if envelope is not None else None
        if envelope is None or game is None:
            return Opened(None, (), self._error)
        self._version(envelope)
        names, players = self._players(envelope.get("players"))
        rounds = self._field("rounds", lambda: _whole(envelope.get("rounds", 1), 1, MAX_ROUNDS), 1)
        first = self._field("first", lambda: _whole(envelope.get("first", 1), 1, 2), 1)
        sessions, played = self._rounds(game, envelope.get("played", []), names, 2 if first == 2 else 1)
        unknown = sorted(set(envelope) - set(Record.model_fields))
        if unknown:
            self._note(f"It has a part that is not known here: {unknown[0][:24]!a}.")
        record = Record(
            game=game.INFO.id,
            players=players,
            rounds=max(rounds, len(played), 1),
            first=2 if first == 2 else 1,
            played=tuple(played),
        )
        return Opened(record, tuple(sessions), self._error)

    def _note(self, sentence: str) -> None:
        self._error = self._error or sentence

    def _json(self, text: str | bytes) -> dict[str, Any] | None:
        if len(text) > MAX_TEXT:
            self._note(f"It is longer than a record can be ({MAX_TEXT} characters).")
            return None
        found: object = None
        try:
            found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            self._note(_json_fault(error))
            found = _salvage(text)
        if isinstance(found, dict):
            return found
        self._note("It is not a duelbox record: those are JSON objects.")
        return None

    def _game(self, envelope: dict[str, Any]) -> AnyGame | None:
        name = envelope.get("game")
        if not isinstance(name, str):
            self._note("It does not say which game it is.")
            return None
        try:
            return self._find_game(name)
        except UnknownGame as error:
            self._note(error.sentence)
            return None

    def _version(self, envelope: dict[str, Any]) -> None:
        version = envelope.get("duelbox")
        if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
            self._note(
                f"It was written by a newer duelbox (version {version} of the record; this one reads {VERSION})."
            )
        elif version != VERSION or isinstance(version, bool):
            self._note(f'It does not say which version it is: "duelbox" must be {VERSION}.')

    def _players(self, raw: object) -> tuple[tuple[str, str], tuple[Who, Who]]:
        fallback = (Who(name=DEFAULT_NAMES[0]), Who(name=DEFAULT_NAMES[1]))
        if not isinstance(raw, list) or len(raw) != 2:
            self._note("It must name two players.")
            return DEFAULT_NAMES, fallback
        one = self._field("players 1", lambda: _strict(Who, raw[0]), fallback[0])
        two = self._field("players 2", lambda: _strict(Who, raw[1]), fallback[1])
        return (one.name, two.name), (one, two)

    def _rounds(
        self, game: AnyGame, raw: object, names: tuple[str, str], first: Number
    ) -> tuple[list[Session], list[Round]]:
        sessions: list[Session] = []
        played: list[Round] = []
        if not isinstance(raw, list):
            self._note("Its rounds are not a list.")
            return sessions, played
        if len(raw) > MAX_ROUNDS:
            self._note(f"It has more than {MAX_ROUNDS} rounds.")
        for number, item in enumerate(raw[:MAX_ROUNDS]):
            seats = names if player_number(0, first, number) == 1 else (names[1], names[0])
            good = self._round(game, item, seats, first, number)
            if good is None:
                break
            sessions.append(good[0])
            played.append(good[1])
            if self._error:
                break
        return sessions, played

    def _round(
        self, game: AnyGame, raw: object, names: tuple[str, str], first: Number, number: int
    ) -> tuple[Session, Round] | None:
        where = f"Round {number + 1}"
        if not isinstance(raw, dict):
            self._note(f"{where} is not an object.")
            return None
        session = self._play(game, raw, names, where)
        if session is None:
            return None
        told = self._field(where, lambda: _strict(Round, raw), None)
        if told is None:
            started = self._field(where, lambda: datetime.fromisoformat(str(raw.get("started"))).astimezone(), None)
            return session, round_record(session, first, number, started or _LONG_AGO, None)
        if told.result is not None and told.result.by == "resignation" and session.outcome is None:
            self._resign(session, told.result, first, number, where)
        good = round_record(session, first, number, told.started, told.ended).changed(assisted=told.assisted)
        if good.result != told.result:
            self._note(f"{where}: the result does not follow from the moves.")
        return session, good

    def _play(self, game: AnyGame, raw: dict[str, Any], names: tuple[str, str], where: str) -> Session | None:
        texts = raw.get("moves", [])
        if not isinstance(texts, list):
            self._note(f"{where}: its moves are not a list.")
            texts = []
        good = texts[:MAX_MOVES]
        for count, text in enumerate(good, 1):
            if not isinstance(text, str):
                self._note(f"{where}, move {count}: it is not a text.")
                good = good[: count - 1]
                break
        try:
            options = game.Options.model_validate_json(json.dumps(raw.get("options", {})))
            return replayed(game, options, good, names)
        except BrokenGame as error:
            self._note(f"{where}: {error.sentence}")
            return error.session
        except ValidationError as error:
            self._note(f"{where}: {_options_fault(game, error)}")
            return None

    def _resign(self, session: Session, result: Result, first: Number, number: int, where: str) -> None:
        for seat in SEATS:
            if result.winner is not None and player_number(seat, first, number) != result.winner:
                session.resign(seat)
                return
        self._note(f"{where}: a resignation needs a winner.")

    def _field(self, where: str, read: Callable[[], R], fallback: R) -> R:
        try:
            return read()
        except ValidationError as error:
            first = error.errors()[0]
            place = " ".join(str(part) for part in first["loc"])
            self._note(f"{where}: {place + ': ' if place else ''}{first['msg']}.")
        except (ValueError, DuelboxError, OverflowError) as error:
            self._note(f"{where}: {error}.")
        return fallback


_LONG_AGO = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


def _strict(model: type[R], raw: object) -> R:
    """A part of the document through its pydantic model, in JSON mode."""
    assert issubclass(model, Model)
    read: R = model.model_validate_json(json.dumps(raw))
    return read


def _whole(raw: object, low: int, high: int) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not low <= raw <= high:
        raise ValueError(f"it must be a whole number from {low} to {high}")
    return raw


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for at, (key, _) in enumerate(pairs) if key in dict(pairs[:at]))
        raise ValueError(f"{twice[:24]!a} stands there twice in one object")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _json_fault(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"It is not whole JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    if isinstance(error, UnicodeDecodeError):
        return f"It is not UTF-8 text: byte {error.start + 1}."
    if isinstance(error, RecursionError):
        return "It is nested deeper than any record."
    return f"It is not whole JSON: {error}."


def _salvage(text: str | bytes) -> object:
    """The beginning of a broken document, as far as it is JSON."""
    try:
        return from_json(text, allow_partial=True)
    except ValueError:
        return None


def _options_fault(game: AnyGame, error: ValidationError) -> str:
    first = error.errors()[0]
    if first["type"] == "option":
        return str(first["msg"])
    key = str(first["loc"][0]) if first["loc"] else ""
    known = list(game.Options.model_fields)
    if key not in known:
        return f"There is no option {key[:24]!a}. Options here: {listed(known)}."
    return f"option {key}: {first['msg']}."
