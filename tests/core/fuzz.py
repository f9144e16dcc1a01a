"""Random and mutated codes and records: each can be read, or is refused in a sentence with a place."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError
from duelbox.core.match import Match, round_options
from duelbox.core.model import Outcome
from duelbox.core.record import PlayerInfo, Record, RecordedRound, player_number, recorded_round
from duelbox.core.record_reader import OpenedRecord, open_record
from duelbox.core.session import By, Session
from duelbox.registry import find_game
from duelbox.testing.laws import is_sentence, random_game
from tests.house_rules import GAME_IDS, house_rules

CHARACTERS = '0123456789+-x.,:/=abcdeghilmnorstuwz -\n\x00\x1bé٣１\ud800😀"{}[]'
ODD = (
    *(None, True, 0, -1, 1.5, 2, 10**25, 1e300, "", "x", "1", [], {}, [[]], {"a": 1}),
    *("\x1b[31m", "9999-99-99", "\ud800"),
)


# -- codes


def random_code(rng: Random, game_id: str = "") -> str:
    """The code of a random game that may break off anywhere."""
    game_id = game_id or rng.choice(GAME_IDS)
    return random_game(find_game(game_id), house_rules(game_id, rng), rng, most=rng.choice((0, 1, 5, 30, 60))).code


def mutated(text: str, rng: Random) -> str:
    """The text with some characters cut out, doubled, moved or replaced."""
    for _ in range(rng.randint(1, 3)):
        at, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        end = min(end, at + 8)
        part = text[at:end]
        wrong = "".join(rng.choice(CHARACTERS) for _ in range(rng.randint(1, 3)))
        text = text[:at] + rng.choice(("", part * 2, part[::-1], wrong, wrong + part, part.upper())) + text[end:]
    return text


def _read(text: str) -> Session | None:
    try:
        return parse_code(text, find_game)
    except CodeError as error:
        sentence, place = error.sentence, error.at
    begins_with_option = re.match(r"[a-z_]+ (takes|names|with|and)\b", sentence)
    assert is_sentence(f"Option {sentence}" if begins_with_option else sentence), f"{text!r}: {sentence!r}"
    assert 1 <= place <= len(text) + 1, f"{text!r}: at {place}"
    return None


def assert_code_is_told(text: str) -> bool:
    """Check that a code is read and its canonical form is stable, or is refused with a sentence and a place."""
    played = _read(text)
    if played is None:
        return False
    code = played.code()
    again = parse_code(code, find_game)
    assert (again.options, again.moves, again.state) == (played.options, played.moves, played.state)
    assert again.code() == code
    return True


# -- records


def random_record(rng: Random, most: int = 12) -> Record:
    """A match of one to four rounds, some unfinished, some resigned."""
    game_id = rng.choice(GAME_IDS)
    game, options = find_game(game_id), house_rules(game_id, rng)
    first, rounds = rng.choice((1, 2)), rng.randint(1, 4)
    moment = datetime(2024, 2, 29, 23, 59, 59, rng.randrange(1_000_000), UTC)
    played: list[RecordedRound] = []
    for number in range(rng.randint(0, rounds)):
        session = random_session(Session(game, round_options(game, options, number)), rng, most)
        done = session.outcome is not None
        ended = moment + timedelta(seconds=rng.randint(0, 5_000)) if done and rng.randrange(4) else None
        played.append(recorded_round(session, first, number, moment, ended).changed(assisted=rng.random() < 0.2))
        if not done:
            break
    level = rng.choice((None, "easy"))
    players = (PlayerInfo(name=rng.choice(("Ann", "李小龙", "[/b]"))), PlayerInfo(name="Player 1", level=level))
    return Record(game=game_id, players=players, rounds=rounds, first=first, played=tuple(played))


def cut_short(session: Session, rng: Random) -> None:
    """End a session without a move, in one of the ways that its game allows."""
    ways: list[By] = ["resignation", "claim"]
    session.cut(rng.choice([*ways, *["agreement"] * session.game.INFO.may_be_drawn]), rng.choice((0, 1)))


def random_session(session: Session, rng: Random, most: int) -> Session:
    """Play a session at random: to its end, to an early end, or to a position in between."""
    for _ in range(most):
        if session.turn is None:
            break
        if not rng.randrange(10):
            cut_short(session, rng)
            break
        session.play(rng.choice(session.legal_moves()))
    return session


def mutated_document(document: Any, rng: Random) -> Any:
    """The document with an odd value in one place."""
    if isinstance(document, dict) and document and rng.randrange(6):
        key = rng.choice(list(document))
        way = rng.randrange(8)
        if way == 0:
            return {name: value for name, value in document.items() if name != key}
        if way == 1:
            return {**document, rng.choice(("x", "\x1b[2J", "moves", "played")): rng.choice(ODD)}
        return {**document, key: mutated_document(document[key], rng)}
    if isinstance(document, list) and document and rng.randrange(6):
        at = rng.randrange(len(document))
        put = rng.choice(([], document[at : at + 1] * 2, [mutated_document(document[at], rng)]))
        return document[:at] + put + document[at + 1 :]
    return rng.choice(ODD)


def broken(text: str, rng: Random) -> str | bytes:
    """A JSON document with an error, as text or as structure."""
    if rng.randrange(2):
        return json.dumps(mutated_document(json.loads(text), rng))
    wrong = mutated(text, rng)
    return wrong if rng.randrange(2) else wrong.encode(errors="surrogatepass")


def assert_record_is_told(text: str | bytes) -> OpenedRecord:
    """Check that a record is read, or refused with a sentence, and that the part that could be read is a whole
    record."""
    opened = open_record(text, find_game)
    if opened.error is not None:
        begins_with_option = re.search(r": [a-z_]+ (takes|names|with|and)\b", opened.error)
        assert begins_with_option or is_sentence(opened.error), f"{opened.error!r} of {text!r}"
    assert opened.record is not None or opened.error is not None
    if opened.record is None:
        assert opened.sessions == ()
        return opened
    assert_sessions_tell(opened)
    again = open_record(opened.record.to_json(), find_game)
    assert (again.record, again.error) == (opened.record, None), "the good part of a record is a record"
    return opened


def assert_sessions_tell(opened: OpenedRecord) -> None:
    """Check that the record and the sessions agree on moves, winners and names."""
    record = opened.record
    assert len(record.played) == len(opened.sessions)
    match = Match(rounds=record.rounds, first=0 if record.first == 1 else 1)
    for number, (told, session) in enumerate(zip(record.played, opened.sessions, strict=True)):
        moves = [session.game.format_move(ply.move) for ply in session.plies if ply.move is not None]
        assert list(told.moves) == moves
        sits = [record.players[player_number(seat, record.first, number) - 1].name for seat in (0, 1)]
        assert list(session.names) == sits
        assert (told.result is None) == (session.outcome is None)
        if session.outcome is not None:
            match = match.with_round(Outcome(winner=session.outcome.winner, reason=""))
            winner = match.winners[-1]
            assert told.result.winner == (None if winner is None else winner + 1)


def one_of_each(rng: Random) -> None:
    """Try a code, a mutated code, a record, and two damaged records."""
    code = random_code(rng)
    assert assert_code_is_told(code), code
    assert_code_is_told(mutated(code, rng))
    record = random_record(rng)
    text = record.to_json()
    assert assert_record_is_told(text).record == record
    for _ in range(2):
        assert_record_is_told(broken(text, rng))
