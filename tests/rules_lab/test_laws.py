"""Laws of rows: nothing beyond their cells, on all maps that come with the games; proved ones hold by rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from duelbox.core.errors import OptionError
from duelbox.registry import BUILT_IN, find_game
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.facts import Facts
from duelbox.rules_lab.laws import Law, Row, Who, laws_on, pattern_of, proofs, who_wins
from duelbox.rules_lab.map import Map
from duelbox.rules_lab.preset_maps import facts_on_maps
from tests.command_line import run
from tests.games.slow_rules import CircleDuel, Judge, SequenceDuel

WINNERS: dict[str, Who | None] = {"F": "first", "S": "second", "=": "draw", "?": None}


def row_of(text: str, start: int = 4) -> Row:
    """The row that begins at `start`; a blank was not looked at."""
    return {start + at: WINNERS[sign] for at, sign in enumerate(text) if sign != " "}


# -- the pattern of a row


@pytest.mark.parametrize(
    ("text", "start", "end", "period"),
    [
        ("FFFFFF", 4, 9, 1),
        ("SFSFSF", 4, 9, 2),
        ("FSFSFFSFSFSF", 9, 15, 2),
        ("F=SF=SF=S", 4, 12, 3),
        ("?FFFFFF", 5, 10, 1),
        ("FFFFFF  F", 4, 9, 1),
    ],
)
def test_the_smallest_start_and_period_of_a_row(text: str, start: int, end: int, period: int) -> None:
    pattern = pattern_of(row_of(text))
    assert pattern is not None
    assert pattern[:3] == (start, end, period)


@pytest.mark.parametrize("text", ["", "FFFFF", "FFSFFSFF", "FFFFFF?", "FFFFFF  S", "FFFFF FFF", "F F F F F F F"])
def test_too_few_cells_and_rows_with_an_exception_at_their_end_have_no_law(text: str) -> None:
    assert pattern_of(row_of(text)) is None


def slow_pattern(row: Row) -> tuple[int, int, int] | None:
    """The start, end and period of a row, by trying all of them on the row as a list of signs."""
    if not row:
        return None
    first = min(row)
    length = next(length for length in range(1, len(row) + 2) if first + length not in row)
    end = first + length - 1
    for start in range(first, end + 1):
        cells = [row[value] for value in range(start, end + 1)]
        for period in range(1, len(cells) + 1):
            enough = len(cells) >= 6 and len(cells) >= 3 * period
            periodic = all(cells[at] == cells[at % period] for at in range(len(cells)))
            beyond = all(row[value] == cells[(value - start) % period] for value in row if value > end)
            if enough and periodic and beyond and None not in cells:
                return start, end, period
    return None


def rows_of(map_: Map, facts: dict[str, Facts]) -> Iterator[tuple[str, dict[str, Any], Row]]:
    """All rows and columns of a map whose values are numbers, read setting by setting."""
    for across, down in ((map_.x, map_.y), (map_.y, map_.x)):
        for value in down.values:
            fixed = {**map_.values, down.key: value}
            row = dict[int, Who | None]()
            for number in across.values:
                try:
                    options = map_.game.Options.from_values({**fixed, across.key: number})
                except OptionError:
                    continue
                stored = facts.get(code_of(map_.game, options))
                if stored is not None and type(number) is int:
                    row[number] = who_wins(stored)
            yield across.key, {key: fixed[key] for key in fixed if key != across.key}, row


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_row_of_every_map_has_the_law_that_brute_force_finds(game_id: str) -> None:
    game, facts = find_game(game_id), facts_on_maps(find_game(game_id))
    named = 0
    for preset in game.PRESETS:
        map_ = Map.of(game, preset.options)
        laws = {law_key(law): law for law in laws_on(map_, lambda options: facts.get(code_of(game, options)))}
        for axis, values, row in rows_of(map_, facts):
            known = house_rules_of(map_)
            law = laws.pop((axis, tuple(sorted((key, values[key]) for key in values if key in known))), None)
            assert (law and law.pattern[:3]) == slow_pattern(row), (axis, values)
            if law is not None:
                told = law.row()
                for value in range(told["from"], told["to"] + 1):
                    assert told["who"][str(value % told["period"])] == row[value], (axis, values, value)
                named += told["cells"]
        assert not laws, "no law without a row"
    assert named or game_id == "number-duel", "where chance decides, nobody always wins"


def law_key(law: Law) -> tuple[str, tuple[tuple[str, Any], ...]]:
    return law.rule.key, tuple(sorted(law.fixed.items()))


def house_rules_of(map_: Map) -> set[str]:
    return {rule.key for rule in (map_.x, map_.y, *map_.fixed)}


def test_random_rows_have_the_law_that_brute_force_finds() -> None:
    rng = Random(5)
    for _ in range(400):
        period = rng.randint(1, 4)
        signs = [rng.choice("FS=?") for _ in range(rng.randint(0, 6))]
        signs += [rng.choice("FFS") for _ in range(period)] * rng.randint(0, 7)
        if signs and rng.random() < 0.3:
            signs[rng.randrange(len(signs))] = rng.choice("FS= ")
        row = row_of("".join(signs).strip())
        pattern = pattern_of(row)
        assert (pattern and pattern[:3]) == slow_pattern(row), signs


# -- proved laws


def wins_by_pairs(judge: Judge, me: int, pairs: dict[str, str], last: str = "") -> bool:
    """Answering each move with its partner wins against every play of the opponent."""
    if judge.result != "on":
        return judge.result == me
    if judge.turn != me:
        return all(wins_by_pairs(judge.after(move), me, pairs, move) for move in judge.moves())
    answer = pairs.get(last)
    return answer in judge.moves() and wins_by_pairs(judge.after(str(answer)), me, pairs, str(answer))


def free_in_order(size: int, gaps: tuple[int, ...]) -> list[int]:
    """The free numbers of a ring, beginning behind the longest run of gaps."""
    orders = list[list[int]]()
    for begin in range(size):
        orders.append([(begin + step) % size + 1 for step in range(size)])

    def run_before(order: list[int]) -> int:
        length = 0
        while order[-1 - length] in gaps:
            length += 1
        return length

    best = max(orders, key=run_before)
    return [number for number in best if number not in gaps]


def winner_by_partners(size: int, reach: int, gaps: tuple[int, ...]) -> Who:
    free = free_in_order(size, gaps)
    pairs = dict[str, str]()
    for one, two in zip(free[::2], free[1::2], strict=False):
        pairs |= {str(one): str(two), str(two): str(one)}
    judge: Judge = CircleDuel(size, reach, gaps)
    if len(free) % 2:
        assert wins_by_pairs(judge.after(str(free[-1])), 0, pairs)
        return "first"
    assert wins_by_pairs(judge, 1, pairs)
    return "second"


def test_partners_win_every_draw_of_small_rings_by_the_rules_alone() -> None:
    for proof in proofs(find_game("circle-duel")):
        (gaps,) = proof.where["gaps"]
        for size in range(proof.start, max(7, proof.start + 1) + 1):
            for gone in combinations(range(1, size + 1), gaps):
                for reach in proof.where["reach"]:
                    winner = winner_by_partners(size, reach, gone)
                    assert proof.who[size % proof.period] == winner, (size, reach, gone)


def test_the_mirror_wins_lines_by_the_rules_alone() -> None:
    (proof,) = proofs(find_game("sequence-duel"))
    for size in range(proof.start, 13):
        judge = SequenceDuel(size, False).after(str((size + 1) // 2))
        mirror = {str(number): str(size + 1 - number) for number in range(1, size + 1)}
        assert wins_by_pairs(judge, 0, mirror), size
        assert proof.who[size % proof.period] == "first"


def refuted(*claims: Any) -> Any:
    """A case that fits all these claims at once, as z3 finds it; None where there is none."""
    z3 = pytest.importorskip("z3")
    solver = z3.Solver()
    solver.add(*claims)
    if solver.check() == z3.unsat:
        return None
    return solver.model()


def test_partners_are_proved_for_every_size() -> None:
    z3 = pytest.importorskip("z3")
    at, free = z3.Ints("at free")
    partner = z3.If(at % 2 == 0, at + 1, at - 1)
    back = z3.If(partner % 2 == 0, partner + 1, partner - 1)
    lemma = z3.And(partner >= 0, partner < free, back == at, partner != at, z3.Or(partner == at + 1, partner == at - 1))
    place = z3.And(at >= 0, at < free)
    assert refuted(place, free % 2 == 0, z3.Not(lemma)) is None
    assert refuted(place, free == 3, z3.Not(lemma)) is not None, "with a number left over it is no lemma"
    longest, second, gaps, reach = z3.Ints("longest second gaps reach")
    runs = z3.And(longest >= second, second >= 0, longest + second <= gaps)
    near = second + 1 <= reach
    assert refuted(runs, reach >= gaps / 2 + 1, z3.Not(near)) is None
    assert refuted(runs, reach == 1, gaps == 2, z3.Not(near)) is not None
    for proof in proofs(find_game("circle-duel")):
        assert proof.lemma == "partners"
        (gone,) = proof.where["gaps"]
        assert all(step >= gone // 2 + 1 for step in proof.where["reach"])
        for size in range(proof.start, proof.start + 4):
            assert proof.who[size % 2] == ("second", "first")[(size - gone) % 2]


def test_the_mirror_is_proved_for_every_size() -> None:
    z3 = pytest.importorskip("z3")
    size, number, beside = z3.Ints("size number beside")
    middle = (size + 1) / 2
    on_line = z3.And(number >= 1, number <= size)
    answer = size + 1 - number
    apart = z3.Or(answer - number >= 2, number - answer >= 2)
    open_to_them = z3.And(on_line, z3.Or(number < middle - 1, number > middle + 1))
    assert refuted(open_to_them, z3.Not(z3.And(answer >= 1, answer <= size, apart))) is None
    assert refuted(on_line, size == 2, z3.Not(apart)) is not None, "without the middle it is no lemma"
    image = size + 1 - beside
    neighbours = z3.Or(beside == number + 1, beside == number - 1)
    assert refuted(neighbours, answer != image + 1, answer != image - 1) is None
    assert [proof.lemma for proof in proofs(find_game("sequence-duel"))] == ["mirror"]


# -- in lines


KEYS = ["axis", "fixed", "from", "to", "period", "who", "proved", "cells"]


def test_laws_are_lines_of_json() -> None:
    lines = [json.loads(line) for line in run("lab", "sequence-duel", "--laws", "--json").out.splitlines()]
    assert [[*line] for line in lines] == [KEYS, KEYS]
    assert lines[1] == {
        "axis": "size",
        "fixed": {"ring": True},
        "from": 5,
        "to": 60,
        "period": 2,
        "who": {"0": "second", "1": "first"},
        "proved": "checked",
        "cells": 56,
    }
    assert (lines[0]["proved"], lines[0]["who"]) == ("proved", {"0": "first"})


def test_laws_are_sentences_and_say_how_far_they_are_known() -> None:
    told = run("lab", "circle-duel:reach=2", "--x", "size=6-30", "--y", "gaps=3-4", "--laws").out.splitlines()
    assert told == [
        "Number of gaps 3, longest step 2, trails shared",
        "  Numbers in all 6 to 30: the first player wins when even, the second player wins when odd. Proved from 6 on.",
        "Number of gaps 4, longest step 2, trails shared",
        "  Numbers in all 17 to 30: the first player wins when odd, the second player wins when even."
        " Checked there, in 20 draws each.",
    ]
    none = run("lab", "number-duel", "--laws")
    assert none.out == "No row has a law: six cells and three periods are needed.\n"


def test_few_cells_are_worked_out_when_they_did_not_come_with_the_game() -> None:
    told = run("lab", "circle-duel:trails=own", "--x", "size=4-9", "--y", "gaps=0", "--laws", "--json", "--deals", "1")
    (law,) = [json.loads(line) for line in told.out.splitlines()]
    assert (law["from"], law["to"], law["proved"]) == (4, 9, "checked")


def test_what_does_not_go_with_laws_is_a_sentence() -> None:
    assert "leave out --csv" in run("lab", "sequence-duel", "--laws", "--csv").err
    assert run("lab", "sequence-duel", "--laws", "--find").status == 2


@pytest.mark.parametrize("text", ["", "{", "[{}]", '[{"axis": "size"}]'])
def test_a_file_of_proofs_that_makes_no_sense_is_left_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.rules_lab.laws.text_beside", lambda game_id, name: text)
    assert proofs(find_game("circle-duel")) == ()
