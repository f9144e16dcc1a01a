"""`duelbox review` of a code, a file and a saved game, as text and JSON; and games that it refuses."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve.api import ONE, ZERO
from duelbox.store.store import Store
from tests.command_line import run
from tests.golden.said import Said
from tests.learn.test_turning_points import number_duel
from tests.positions import NOON

CODE = "sequence-duel:size=10,ring=on/1.5.9.3.8"
KEYS = ["ply", "seat", "move", "kind", "worth", "best", "best_moves", "reason", "idea", "cause"]


def reviewed(*args: str, typed: str = "") -> list[dict[str, Any]]:
    ran = run("review", *args, "--json", typed=typed)
    assert (ran.status, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def record_of(*codes: str, rounds: int = 1, level: str | None = None) -> Record:
    """A match of these games between Ann, who moves first, and Bob."""
    sessions: list[Session] = [parse_code(code, find_game) for code in codes]
    played = tuple(recorded_round(session, 1, number, NOON, NOON) for number, session in enumerate(sessions))
    players = (PlayerInfo(name="Ann"), PlayerInfo(name="Bob", level=level))
    return Record(game=sessions[0].game.INFO.id, players=players, rounds=rounds, played=played)


def test_a_line_of_json_for_every_move() -> None:
    lines = reviewed(CODE)
    assert [list(line) for line in lines] == [KEYS] * 5
    assert [(line["ply"], line["seat"], line["move"]) for line in lines] == [
        (1, 1, "1"), (2, 2, "5"), (3, 1, "9"), (4, 2, "3"), (5, 1, "8"),
    ]  # fmt: skip
    assert lines[-1] == {
        "ply": 5, "seat": 1, "move": "8", "kind": "threw-win", "worth": 0, "best": 1, "best_moves": ["7"],
        "reason": lines[-1]["reason"], "idea": "hold back", "cause": lines[-1]["cause"],
    }  # fmt: skip
    assert "7" in lines[-1]["reason"]
    assert reviewed(CODE, "--as", "2") == [line for line in lines if line["seat"] == 2]


def test_text_says_where_it_turned_and_what_was_right(said: Said) -> None:
    told = run("review", CODE).out.splitlines()
    assert told[-6].split()[:5] == ["5", "!", "Player", "1", "8"]
    assert told[-6].endswith(": 7 wins in 3 turns")
    assert [line.strip() for line in told[-5:-3]] == [reviewed(CODE)[-1][key] for key in ("cause", "reason")]
    assert re.search(r"\b8 .* turn 5\.", told[-3])
    assert "mirror" in told[-2] or "count the end" in told[-2]
    assert re.search(r"duelbox learn sequence-duel \d$", told[-1])
    said("\n".join(told))


def test_a_slow_move_is_compared_with_the_quickest_even_if_it_is_the_one_explained() -> None:
    line = run("review", "sequence-duel/12.9.11").out.splitlines()[3]
    assert line.endswith("11  wins in 17 turns, slower than needed: 7 wins in 13 turns")


@pytest.mark.parametrize(
    "code", ["number-duel:hand=3,deal=123-231/2x3.3x2.1x1", "number-duel:hand=3,deal=312-312/2x2.3x2.3x1"]
)
def test_luck_is_told_of_the_player_who_had_it(code: str) -> None:
    """By the slow judge no move gives anything up, so the whole gain of the winner is luck."""
    start, _, moves = code.partition("/")
    session, worths, best = parse_code(start, find_game), list[Fraction](), list[Fraction]()
    for move in moves.split("."):
        rated = number_duel(session.view(session.turn))
        worths.append(rated[move])
        best.append(max(rated.values()))
        session.type(move)
    assert worths == best
    assert session.outcome is not None
    winner = session.outcome.winner
    assert winner is not None
    told = run("review", code).out.splitlines()
    assert told[-1].endswith(f"Luck favoured Player {winner + 1}.")
    # for each move, for Player 1: the worth of the next position minus the worth of the move before the reveal
    values = [one if at % 2 == 0 else ONE - one for at, one in enumerate(best)] + [ZERO if winner else ONE]
    for at, line in enumerate(told[1 : len(best) + 1]):
        luck = values[at + 1] - values[at] if at % 2 == 0 else values[at] - values[at + 1]
        said = f"{'good' if luck > 0 else 'bad'} luck, {round(100 * abs(luck))} points of 100"
        assert re.findall(r"\w+ luck, .*", line) == ([said] if luck else []), line


def test_a_code_a_file_the_input_and_a_saved_game_are_told_alike(tmp_path: Path) -> None:
    file, saved = tmp_path / "code.txt", tmp_path / "record.json"
    code = "circle-duel:size=9,reach=2/5.6.8.1.2.4.3"
    assert parse_code(code, find_game).outcome is not None
    file.write_text(f"{code}\n", encoding="utf-8")
    saved.write_text(record_of(code).to_json(), encoding="utf-8")
    with Store.open() as store:
        match_id = store.import_text(saved.read_bytes())
    wanted = reviewed(code)
    assert wanted
    assert reviewed(str(file)) == reviewed(str(saved)) == reviewed(match_id) == reviewed(match_id[:4]) == wanted
    assert reviewed("-", typed=code) == reviewed("-", typed=saved.read_text(encoding="utf-8")) == wanted


def test_in_a_match_a_player_changes_seats(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(record_of("circle-duel:size=4/1.2.3.4", "circle-duel:size=4/4.3.2.1", rounds=2).to_json())
    lines = reviewed(str(file), "--as", "1")
    assert [(line["round"], line["seat"]) for line in lines] == [(1, 1), (1, 1), (2, 2), (2, 2)]


def test_a_game_between_people_is_not_reviewed_before_it_is_over(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    refusal = "This game between two people is not over. It can be reviewed when it is.\n"
    file.write_text(record_of("circle-duel/4.5").to_json())
    ran = run("review", str(file))
    assert (ran.status, ran.out, ran.err) == (2, "", refusal)
    file.write_text(record_of("circle-duel:size=4/1.2.3.4", "circle-duel/4", rounds=2).to_json())
    ran = run("review", str(file), "--json")
    assert (ran.status, len(ran.out.splitlines()), ran.err) == (0, 4, refusal)
    file.write_text(record_of("circle-duel/4.5", level="peek").to_json())
    assert len(reviewed(str(file))) == 2


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("nowhere.json",), "nowhere.json cannot be read: "),
        (("no/where.json",), "no/where.json cannot be read: "),
        (("ffff",), "There is no saved game 'ffff'. "),
        (("circle-dul/3",), "There is no game 'circle-dul'. "),
        (("circle-duel/4.9",), "Move 2, '9': "),
        (("circle-duel/4", "--as", "3"), "--as cannot be '3'. It can be"),
        (("circle-duel",), "Nothing was played in it yet."),
        (("-",), "It is not whole JSON"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_a_sentence(args: tuple[str, ...], sentence: str, said: Said) -> None:
    ran = run("review", *args)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(sentence)
    said(ran.err)
