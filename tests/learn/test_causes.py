"""Causes of mistakes: the answer refutes the move by the slow rules, near ones come first, and one idea is named."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from duelbox.core.code import parse_code
from duelbox.core.model import player
from duelbox.learn.mistakes import Mistakes, before, mistakes_in, worst_mistakes
from duelbox.learn.turning_points import NEAR, most_frequent_idea, turning_points, why
from duelbox.registry import find_game
from tests.effort import tries
from tests.learn.test_turning_points import JUDGES, planted

MIRRORS = "sequence-duel/1.3.5.7.9.11.13.15.17.19"


@pytest.mark.parametrize("game_id", [game_id for game_id in JUDGES if game_id != "number-duel"])
def test_the_answer_that_is_told_refutes_the_move(game_id: str) -> None:
    found = 0
    for seed in range(tries(60)):
        session, told = planted(game_id, seed)
        for one in turning_points(session):
            if one.ply not in told or not one.turning or one.worth.value:
                continue
            verbs = r"(?:answers|picks|claims|plays|hits \d+ with)"
            answer = re.match(rf"{player(1 - one.seat)} {verbs} ([-+]?\d+)", one.cause)
            position = before(session, one.ply)
            position.type(one.move)
            if answer is None:
                assert position.turn in (None, one.seat), "who has lost at once, or goes on alone, needs no answer"
                continue
            position.type(answer[1])
            assert one.cause in why(one)
            if position.outcome is not None:
                assert position.outcome.winner == 1 - one.seat
            elif position.turn == one.seat:
                assert not max(JUDGES[game_id][0](position.view(one.seat)).values())
            found += 1
    assert found >= tries(20)


def test_an_attack_that_gave_up_a_chance_is_counted() -> None:
    found = 0
    for seed in range(tries(60)):
        session, _ = planted("number-duel", seed)
        for one in turning_points(session):
            if not one.turning or "x" not in one.move:
                continue
            number, at = map(int, one.move.split("x"))
            view = before(session, one.ply).view(one.seat)
            face = view.faces[1 - one.seat][at - 1]
            met = (face,) if face else view.hidden(1 - one.seat)
            mine, theirs = view.left(one.seat), view.left(1 - one.seat)
            wins = sum(other < number for other in met)
            if told := re.match(r"It costs your (\d), all that meets Player [12]'s (\d)\.", one.cause):
                assert (int(told[1]), int(told[2])) == (number, max(theirs))
                assert [own for own in mine if own >= max(theirs)] == [number]
            elif told := re.match(r"It beats (\w+) of (\d+) hidden numbers( and ties)?", one.cause):
                assert told[1] == str(wins or "none")
                assert (int(told[2]), bool(told[3])) == (len(met), number in met)
            elif told := re.match(r"It beats all (\d+) hidden numbers", one.cause):
                assert int(told[1]) == wins == len(met)
            elif told := re.match(r"It costs your (\d), and (\d) at position \d costs less\.", one.cause):
                assert int(told[1]) == number > int(told[2])
            else:
                assert re.match(r"It (beats|cannot beat|ties with) the \d there", one.cause)
            assert "better" in one.cause or "costs" in one.cause, "a mistake is not praised"
            found += 1
    assert found >= tries(10)


def test_mistakes_whose_answer_is_near_come_first() -> None:
    session = parse_code(MIRRORS, find_game)
    found = [replace(one, ply=20 - one.ply) for one in mistakes_in([(session, turning_points(session), None)])]
    assert len(found) == 9
    near = [one for one in worst_mistakes(found) if (one.worth.plies or 99) <= NEAR]
    assert len(near) == 3


def test_the_idea_met_most_often_leads_to_its_lesson() -> None:
    session = parse_code(MIRRORS, find_game)
    judged = turning_points(session)
    met = most_frequent_idea(one.analysis for one in judged if one.turning)
    assert met is not None
    assert (met[0].name, met[1]) == ("mirror", 9)
    assert most_frequent_idea([]) is None
    found = Mistakes(mistakes_in([(session, judged, 0)]))
    assert found.lesson == 0
    assert met[0].sentence in found.summary()
    assert "only the Oracle knew: the end is 18 turns away" in why(judged[0])
    assert "Oracle" not in why(judged[8])
