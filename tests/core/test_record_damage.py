"""Damaged records: their good part is read, and the first fault is a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from duelbox.core.record_reader import MAX_TEXT, open_record
from duelbox.registry import find_game
from duelbox.testing.laws import is_sentence
from tests.core.fuzz import assert_record_is_told, mutated, one_of_each
from tests.effort import sampled, tries
from tests.golden.said import Said
from tests.positions import SAMPLE


def test_cut_off_anywhere_it_keeps_every_whole_move() -> None:
    kept, errors = [], set()
    for length in range(0, len(SAMPLE), sampled(3, 1)):
        opened = assert_record_is_told(SAMPLE[:length])
        errors.add(opened.error.split(":")[0])
        kept.append(sum(len(session.plies) for session in opened.sessions))
        whole = sum(SAMPLE[:length].count(f'    "{number}"') for number in range(1, 11))
        resigned = '"Player 2 resigned."\n   },\n   "started": "2024-05-04T14:00:00+02:00"' in SAMPLE[:length]
        assert whole + resigned - 1 <= kept[-1] <= whole + 1, f"{length}: {opened.error}"
    assert kept == sorted(kept), "more text never means fewer moves"
    assert 0 <= 7 - kept[-1] <= 1
    assert all(error.startswith("It is not whole JSON") for error in errors)


def test_a_wrong_character_in_the_third_round_keeps_the_first_two() -> None:
    whole = open_record(SAMPLE, find_game).record
    assert whole is not None
    at = SAMPLE.index('"10"')
    opened = assert_record_is_told(SAMPLE[:at] + "?" + SAMPLE[at:])
    assert "line 75, column 5" in str(opened.error)
    assert [len(session.plies) for session in opened.sessions] == [3, 2, 0]
    assert opened.record.played[:2] == whole.played[:2]
    assert opened.record.played[2].started == datetime(1970, 1, 1, tzinfo=UTC), "it was not read, so nobody knows"


def test_a_wrong_byte_in_a_name_costs_the_byte() -> None:
    raw = SAMPLE.encode()
    at = raw.index("李".encode())
    opened = assert_record_is_told(raw[:at] + b"\xff" + raw[at + 1 :])
    assert opened.error == f"It is not UTF-8 text: byte {at + 1}."
    assert sum(len(session.plies) for session in opened.sessions) == 7


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Set the value at a place of the document, such as "played 1 moves 0"; an ellipsis deletes it."""
    *steps, last = (int(step) if step.isdigit() else step for step in path.split())

    def make(document: dict[str, Any]) -> None:
        part: Any = document
        for step in steps:
            part = part[step]
        if value is ...:
            del part[last]
        else:
            part[last] = value

    return make


ROUND = json.loads(SAMPLE)["played"][2]
LOST = {"winner": 1, "by": "play", "reason": "It was so."}

# Place and value; the first fault as a sentence; the moves left in each round (None: no record).
DAMAGE: list[tuple[str, Any, str, list[int] | None]] = [
    ("duelbox", 2, "It was written by a newer duelbox (record version 2; this one reads 1).", [3, 2, 2]),
    ("duelbox", 0, 'It does not say which version it is: "duelbox" must be 1.', [3, 2, 2]),
    ("duelbox", True, 'It does not say which version it is: "duelbox" must be 1.', [3, 2, 2]),
    ("duelbox", 1.0, 'It does not say which version it is: "duelbox" must be 1.', [3, 2, 2]),
    ("duelbox", ..., 'It does not say which version it is: "duelbox" must be 1.', [3, 2, 2]),
    ("game", ..., "It does not say which game it is.", None),
    ("game", 5, "It does not say which game it is.", None),
    ("game", "chess", "There is no game 'chess'.", None),
    ("game", "digit-chain", "Round 1: There is no option 'size'.", []),
    ("players", ..., "It must name two players.", [3, 2, 2]),
    ("players", [{"name": "Ann"}], "It must name two players.", [3, 2, 2]),
    ("players 0", "Ann", "Player 1: it cannot be read.", [3, 2, 2]),
    ("players 0 name", ..., "Player 1, name: it is missing.", [3, 2, 2]),
    ("players 0 name", "\x1b[31m", "Player 1, name: A name is printable text; character 1 (U+001B) is not.", [3, 2, 2]),
    ("players 1 name", "\ud800", "Player 2: it cannot be read.", [3, 2, 2]),
    ("players 1 level", 3, "Player 2, level: it cannot be read.", [3, 2, 2]),
    ("players 1 \x1b[2J", 3, "Player 2, '\\x1b[2J': it is not known here.", [3, 2, 2]),
    ("rounds", 0, "Rounds: it must be a whole number from 1 to 99.", [3, 2, 2]),
    ("rounds", 100, "Rounds: it must be a whole number from 1 to 99.", [3, 2, 2]),
    ("rounds", True, "Rounds: it must be a whole number from 1 to 99.", [3, 2, 2]),
    ("rounds", "3", "Rounds: it must be a whole number from 1 to 99.", [3, 2, 2]),
    ("rounds", ..., "It has 3 rounds, and a match of 1.", [3]),
    ("rounds", 2, "It has 3 rounds, and a match of 2.", [3, 2]),
    ("first", 3, "First: it must be a whole number from 1 to 2.", [3]),
    ("first", None, "First: it must be a whole number from 1 to 2.", [3]),
    ("first", 1, "Round 1: the result does not follow from the moves.", [3]),
    ("played", {}, "Its rounds are not a list.", []),
    ("played 0", 7, "Round 1 is not an object.", []),
    ("played 1", None, "Round 2 is not an object.", [3]),
    ("played 1", ROUND, "Round 3 begins before round 2 is over.", [3, 2]),
    ("played 0 moves", "3.4.1", "Round 1: its moves are not a list.", [0]),
    ("played 0 moves 1", 4, "Round 1, move 2: it is not a text, or one too many.", [1]),
    ("played 0 moves 1", "x", "Round 1: Move 2: 'x' is not a move.", [1]),
    ("played 0 moves 1", "\x1b[2J", "Round 1: Move 2: '\\x1b[2J' is not a move.", [1]),
    ("played 0 moves 1", "2", "Round 1: Move 2: 2 is a gap: it was removed before the first turn.", [1]),
    ("played 0 moves 2", "3", "Round 1: Move 3: 3 is already picked. Free for you: 1.", [2]),
    ("played 0 moves", ["3", "4", "1", "2"], "Round 1: Move 4: The game is over.", [3]),
    ("played 2 moves 0", "11", "Round 3: Move 1: There is no 11 here", [3, 2, 0]),
    ("played 0 options", [], "Round 1: Options are written as an object", []),
    ("played 0 options size", 31, "Round 1: size takes a number from 4 to 30, not '31'.", []),
    ("played 0 options size", "4", "Round 1: size takes a number from 4 to 30, not '4'.", []),
    ("played 0 options without", [2, 2], "Round 1: without names a number twice.", []),
    ("played 0 options colour", 1, "Round 1: There is no option 'colour'.", []),
    ("played 1 options without", ["\ud800"], "Round 2: The options cannot be read.", [3]),
    ("played 0 result", None, "Round 1: it ended without a result.", [3]),
    ("played 0 result winner", 1, "Round 1: the result does not follow from the moves.", [3]),
    ("played 0 result by", "resignation", "Round 1: the result does not follow from the moves.", [3]),
    ("played 0 result by", "magic", "Round 1, result by: it cannot be read.", [3]),
    ("played 0 result reason", ..., "Round 1, result reason: it is missing.", [3]),
    ("played 1 result winner", None, "Round 2: a resignation needs a winner.", [3, 1]),
    ("played 1 result by", "play", "Round 2: the result does not follow from the moves.", [3, 1]),
    ("played 1 result", None, "Round 3 begins before round 2 is over.", [3, 1]),
    ("played 2 result", LOST, "Round 3: the result does not follow from the moves.", [3, 2, 2]),
    ("played 0 started", ..., "Round 1, started: it is missing.", [3]),
    ("played 0 started", "yesterday", "Round 1, started: it cannot be read.", [3]),
    ("played 0 started", 1714824000, "Round 1, started: it cannot be read.", [3]),
    ("played 0 started", "2024-05-04T12:00:00", "Round 1, started: it cannot be read.", [3]),
    ("played 0 started", "0001-01-01T00:00:00", "Round 1, started: it cannot be read.", [3]),
    ("played 0 ended", "2024-05-04T11:59:59Z", "Round 1: it ended before it started.", [3]),
    ("played 2 ended", "2024-05-04T12:59:59Z", "Round 3: it ended without a result.", [3, 2, 2]),
    ("played 0 assisted", 1, "Round 1, assisted: it cannot be read.", [3]),
    ("played 0 mood", "good", "Round 1, mood: it is not known here.", [3]),
    ("mood", "good", "It has a part that is not known here: mood.", [3, 2, 2]),
    ("\x1b[2J", "x", "It has a part that is not known here: '\\x1b[2J'.", [3, 2, 2]),
]


@pytest.mark.parametrize(("path", "value", "says", "kept"), DAMAGE)
def test_damage_is_told_and_the_good_part_is_kept(path: str, value: Any, says: str, kept: list[int] | None) -> None:
    document = json.loads(SAMPLE)
    change(path, value)(document)
    opened = assert_record_is_told(json.dumps(document))
    assert opened.error.startswith(says)
    assert (opened.record is None) == (kept is None)
    assert [len(session.plies) for session in opened.sessions] == (kept or [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", " line 1, column 1."),
        ("null", "JSON objects"),
        ("[]", "JSON objects"),
        ('"circle-duel"', "JSON objects"),
        ("{}", "It does not say which game it is."),
        ("circle-duel/4.5", " line 1, column 1."),
        ("\ud800", " line 1, column 1."),
        (b"\xff\xfe{\x00}\x00", "It is not UTF-8 text: byte 1."),
        (b"\x00\x01\x02", " line 1, column 1."),
        ("SQLite format 3\x00", " line 1, column 1."),
        (" " * (MAX_TEXT + 1), "4000000 characters"),
        (SAMPLE.replace('"rounds": 3', '"rounds": NaN'), "It is not sound: NaN is not JSON."),
        (SAMPLE.replace('"rounds": 3', '"rounds": -Infinity'), "It is not sound: -Infinity is not JSON."),
        (SAMPLE.replace('"rounds": 3', '"rounds": 1e999'), "from 1 to 99."),
        (
            SAMPLE.replace('"rounds": 3', f'"rounds": {"9" * 5000}'),
            "more than 30",
        ),
        (
            SAMPLE.replace('"first"', '"rounds": 3, "first"'),
            "rounds stands there twice",
        ),
        (SAMPLE.replace('"4"\n', '"4", "1", "1"\n'), "Round 2: Move 3: The game is over."),
        (SAMPLE + "x", " line 84, column 2."),
    ],
    ids=range(18),
)
def test_what_is_no_record_is_told(text: str | bytes, says: str, said: Said) -> None:
    opened = assert_record_is_told(text)
    assert says in opened.error
    said(opened.error)


def test_unsound_numbers_and_doubled_keys_keep_the_moves() -> None:
    for wrong in ('"rounds": 3, "rounds": 3', '"rounds": 3, "seed": NaN', '"rounds": 3, "seed": ' + "1" * 31):
        opened = assert_record_is_told(SAMPLE.replace('"rounds": 3', wrong))
        assert opened.error.startswith("It is not sound")
        assert [len(session.plies) for session in opened.sessions] == [3, 2, 2]


def test_nesting_of_any_depth_is_told() -> None:
    for depth in (*range(1, 1_200, sampled(7, 1)), 5_000, 100_000):
        nested = "[" * depth + "]" * depth
        at = 0 if depth % 3 else 1
        places = ('"size": 4', '"mood": 1')
        text = SAMPLE.replace('"size": 4', f'"size": {nested}', 1).replace('"rounds": 3', places[at], 1 - at)
        opened = open_record(text, find_game)
        assert opened.error is not None
        assert len(opened.error) < 300


def test_any_one_character_may_be_wrong() -> None:
    rng = Random(4)
    text = SAMPLE
    for at in range(0, len(text), sampled(11, 2)):
        wrong = text[:at] + rng.choice('0"{}[],:x\\ 9\n') + text[at + 1 :]
        assert_record_is_told(wrong)


def test_thousands_of_codes_and_records_with_something_wrong_in_them() -> None:
    for seed in range(tries(300)):
        one_of_each(Random(seed))
    rng = Random(1)
    for _ in range(tries(600)):
        assert_record_is_told(mutated(SAMPLE, rng))


def test_every_sentence_above_is_a_sentence() -> None:
    told = [says for _, _, says, _ in DAMAGE if says.endswith(".")]
    assert len(told) > 50
    assert all(is_sentence(says) for says in told if " takes " not in says and " names " not in says)
