"""Read a record, whole or damaged: its good part, and the first error as a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from duelbox.core.code import FindGame
from duelbox.core.errors import OptionError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.match import MAX_ROUNDS
from duelbox.core.model import SEATS, Model, other
from duelbox.core.record import (
    VERSION,
    PlayerInfo,
    PlayerNumber,
    Record,
    RecordedRound,
    Result,
    player_number,
    recorded_round,
)
from duelbox.core.session import DEFAULT_NAMES, MAX_MOVES, BrokenGame, Session, replayed

MAX_TEXT = 4_000_000
MAX_DIGITS = 30


@dataclass(frozen=True, slots=True)
class OpenedRecord:
    """The good part of a record, and the first error as a sentence."""

    record: Record | None
    sessions: tuple[Session, ...]
    error: str | None


def open_record(text: str | bytes, find_game: FindGame) -> OpenedRecord:
    """Read a record as far as it is good; a damaged text never raises."""
    try:
        return _Reader(find_game).read(text)
    except RecursionError:
        return OpenedRecord(None, (), "It is nested deeper than any record.")


R = TypeVar("R")
M = TypeVar("M", bound=Model)


class _Reader:
    """Reads as much as it can and collects the faults; only the first one is reported."""

    def __init__(self, find_game: FindGame) -> None:
        self._find_game = find_game
        self._faults: list[str] = []

    def read(self, text: str | bytes) -> OpenedRecord:
        envelope = self._envelope(text)
        game = self._game(envelope)
        if game is None:
            return OpenedRecord(None, (), self._faults[0])
        self._version(envelope)
        self._players = self._two(envelope.get("players"))
        rounds = self._field("Rounds", lambda: _whole(envelope.get("rounds", 1), MAX_ROUNDS), None)
        self._first: PlayerNumber = (
            2 if self._field("First", lambda: _whole(envelope.get("first", 1), 2), 1) == 2 else 1
        )
        games = self._rounds(game, envelope.get("played", []), rounds or MAX_ROUNDS)
        for part in sorted(envelope.keys() - Record.model_fields.keys()):
            self._note(f"It has a part that is not known here: {_place([part])}.")
        record = Record(
            game=game.INFO.id,
            players=self._players,
            rounds=rounds or max(len(games), 1),
            first=self._first,
            played=tuple(recorded for _, recorded in games),
        )
        return OpenedRecord(record, tuple(session for session, _ in games), self._faults[0] if self._faults else None)

    def _note(self, sentence: str) -> None:
        self._faults.append(sentence)

    # -- the document

    def _envelope(self, text: str | bytes) -> dict[str, Any]:
        if len(text) > MAX_TEXT:
            self._note(f"It is longer than a record can be ({MAX_TEXT} characters).")
            return {}
        if isinstance(text, bytes):
            try:
                text = text.decode()
            except UnicodeDecodeError as error:
                self._note(f"It is not UTF-8 text: byte {error.start + 1}.")
                text = error.object.decode(errors="replace")
        document = self._json(text.removeprefix("\ufeff"))
        if isinstance(document, dict):
            return document
        self._note("It is not a duelbox record: those are JSON objects.")
        return {}

    def _json(self, text: str) -> object:
        try:
            return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_short_int)
        except json.JSONDecodeError as error:
            self._note(f"It is not whole JSON: it ends or goes wrong at line {error.lineno}, column {error.colno}.")
            return _beginning(text[: error.pos])
        except ValueError as error:
            self._note(f"It is not sound: {error}.")
            return _beginning(text)

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
        if type(version) is int and version > VERSION:
            self._note(f"It was written by a newer duelbox (record version {version}; this one reads {VERSION}).")
        elif type(version) is not int or version != VERSION:
            self._note(f'It does not say which version it is: "duelbox" must be {VERSION}.')

    def _two(self, raw: object) -> tuple[PlayerInfo, PlayerInfo]:
        one, two = (PlayerInfo(name=name) for name in DEFAULT_NAMES)
        if isinstance(raw, list) and len(raw) == 2:
            one = self._field("Player 1", lambda: _strict(PlayerInfo, raw[0]), one)
            return one, self._field("Player 2", lambda: _strict(PlayerInfo, raw[1]), two)
        self._note("It must name two players.")
        return one, two

    def _field(self, where: str, read: Callable[[], R], fallback: R) -> R:
        try:
            return read()
        except ValidationError as error:
            self._note(f"{where}{_fault(error)}")
        except ValueError as error:
            self._note(f"{where}: {error}.")
        return fallback

    # -- the rounds

    def _rounds(self, game: AnyGame, raw: object, most: int) -> list[tuple[Session, RecordedRound]]:
        games: list[tuple[Session, RecordedRound]] = []
        if not isinstance(raw, list):
            self._note("Its rounds are not a list.")
            return games
        before = len(self._faults)
        for number, item in enumerate(raw):
            if number == most:
                self._note(f"It has {len(raw)} rounds, and a match of {most}.")
            elif games and games[-1][0].outcome is None:
                self._note(f"Round {number + 1} begins before round {number} is over.")
            elif game_and_round := self._round(game, item, number):
                games.append(game_and_round)
            if len(self._faults) > before:
                break
        return games

    def _round(self, game: AnyGame, raw: object, number: int) -> tuple[Session, RecordedRound] | None:
        where = f"Round {number + 1}"
        if not isinstance(raw, dict):
            self._note(f"{where} is not an object.")
            return None
        mover = player_number(0, self._first, number)
        names = self._players[mover - 1].name, self._players[2 - mover].name
        session = self._play(game, raw, names, where)
        if session is None:
            return None
        recorded = self._field(where, lambda: _strict(RecordedRound, raw), None)
        if recorded is None:
            return session, recorded_round(session, self._first, number, _moment(raw.get("started")), None)
        if (
            recorded.result is not None
            and recorded.result.by != "play"
            and (session.outcome is None or recorded.result.by == "unshown")
        ):
            self._cut(session, recorded.result, number, where)
        good = recorded_round(session, self._first, number, recorded.started, recorded.ended)
        if _decision(good.result) != _decision(recorded.result):
            self._note(f"{where}: the result does not follow from the moves.")
        return session, good.changed(assisted=recorded.assisted)

    def _play(self, game: AnyGame, raw: dict[str, Any], names: tuple[str, str], where: str) -> Session | None:
        moves = raw.get("moves", [])
        if not isinstance(moves, list):
            self._note(f"{where}: its moves are not a list.")
            moves = []
        texts = list(takewhile(lambda text: isinstance(text, str), moves[:MAX_MOVES]))
        if len(texts) < len(moves):
            self._note(f"{where}, move {len(texts) + 1}: it is not a text, or one too many.")
        try:
            return replayed(game, game.Options.from_json(raw.get("options", {})), texts, names)
        except BrokenGame as error:
            self._note(f"{where}: {error.sentence}")
            return error.session
        except OptionError as error:
            self._note(f"{where}: {error.sentence}")
            return None

    def _cut(self, session: Session, result: Result, number: int, where: str) -> None:
        won = next((seat for seat in SEATS if player_number(seat, self._first, number) == result.winner), None)
        if (won is None) != (result.by == "agreement"):
            has = "needs a winner" if won is None else "has no winner"
            self._note(f"{where}: {'an' if result.by == 'agreement' else 'a'} {result.by} {has}.")
        elif won is not None and result.fault:
            session.cut("fault", other(won), result.fault)
        elif won is not None:
            session.cut(result.by, other(won) if result.by == "resignation" else won)
        elif why := session.why_no_draw():
            self._note(f"{where}: {why}")
        else:
            session.cut("agreement")


def _moment(raw: object) -> datetime:
    """The start of a damaged round, if its text can be read; else 1970."""
    with suppress(ValueError):
        if (moment := datetime.fromisoformat(str(raw))).tzinfo:
            return moment
    return datetime.fromtimestamp(0, UTC)


def _decision(result: Result | None) -> tuple[PlayerNumber | None, str] | None:
    """The part of a result that must agree with the moves; the wording of a reason may change between versions."""
    return None if result is None else (result.winner, result.by)


def _strict(model: type[M], raw: object) -> M:
    """Validate a part of the document with its pydantic model, in JSON mode."""
    return model.model_validate_json(json.dumps(raw))


_SAYS = {"missing": "it is missing", "extra_forbidden": "it is not known here"}


def _fault(error: ValidationError) -> str:
    """The first fault in plain words, with its place: ", name: it is missing."."""
    first = error.errors()[0]
    own = first["ctx"]["error"] if first["type"] == "value_error" else _SAYS.get(first["type"], "it cannot be read")
    return f"{', ' if first['loc'] else ''}{_place(first['loc'])}: {str(own).rstrip('.')}."


def _place(parts: Sequence[object]) -> str:
    """A place in the document. Its names come from the file, so they are shortened and escaped."""
    short = [str(part)[:24] for part in parts]
    return " ".join(part if part.isascii() and part.isalnum() else ascii(part) for part in short)


def _whole(raw: object, high: int) -> int:
    if type(raw) is not int or not 1 <= raw <= high:
        raise ValueError(f"it must be a whole number from 1 to {high}")
    return raw


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    items: dict[str, Any] = {}
    for key, value in pairs:
        if key in items:
            raise ValueError(f"{_place([key])} stands there twice in one object")
        items[key] = value
    return items


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _short_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def _beginning(text: str) -> object:
    """The valid beginning of a broken JSON document."""
    try:
        return from_json(text.encode(errors="replace"), allow_partial=True)
    except ValueError:
        return None
