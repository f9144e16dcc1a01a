"""Reasons as a strict teacher reads them: short, checkable, with an idea, and true of no losing move."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from duelbox.core.game import AnyGame
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import analyse, difference
from duelbox.solve.api import HALF, Analysis
from tests.bench.follower import positions
from tests.effort import sampled
from tests.games.claims import MATTERS, judge
from tests.games.number_circle import slow as number_circle
from tests.house_rules import house_rules

JUDGED = ["circle-duel", "digit-chain", "number-circle", "number-duel", "sequence-duel"]
ANSWERED = [game_id for game_id in JUDGED if game_id != "number-duel"]
"""Games in which a wrong move has an answer."""
REASONS = sampled(60, 100)
MOST_TRIED = 20 * REASONS
POSITIONS = sampled(120, 3_000)
PRESETS = [(game_id, preset.id) for game_id in JUDGED for preset in find_game(game_id).PRESETS]


@pytest.mark.parametrize(("game_id", "preset_id"), PRESETS)
def test_of_a_hundred_reasons_eighty_can_be_followed_carry_an_idea_and_separate(game_id: str, preset_id: str) -> None:
    game = find_game(game_id)
    options = next(preset.options for preset in game.PRESETS if preset.id == preset_id)
    good, count, by_reply = 0, 0, 0
    for tried, (session, found) in enumerate(positions(game_id, options, MOST_TRIED, 1)):
        if max(found.value - one.value for one in found.moves) < MATTERS:
            if tried > REASONS and not count:
                return  # no choice matters with these rules
            continue
        marks = judge(game, session.view(session.turn), found)
        count += 1
        good += marks.follows and marks.idea and marks.separates != ""
        by_reply += marks.separates == "reply"
        if count == REASONS:
            break
    assert good >= 0.8 * count
    assert by_reply <= count / 3


@pytest.mark.parametrize("game_id", JUDGED)
def test_every_claim_in_a_reason_is_true_with_odd_house_rules(game_id: str) -> None:
    rng, game, kinds = Random(3), find_game(game_id), Counter[str]()
    for _ in range(sampled(60, 400)):
        session = Session(game, house_rules(game_id, rng))
        if getattr(session.options, "size", 0) > 20:
            continue
        for _ in range(rng.randrange(12)):
            if session.turn is not None:
                session.play(rng.choice(session.legal_moves()))
        if session.turn is None:
            continue
        found = analyse(game, session.view(session.turn))
        if max(found.value - one.value for one in found.moves) >= MATTERS:
            kinds[judge(game, session.view(session.turn), found).separates] += 1
    assert kinds["own"] > 5


@pytest.mark.parametrize("game_id", ANSWERED)
def test_the_answer_to_any_wrong_move_keeps_the_win(game_id: str) -> None:
    answered = 0
    for session, view, found in small_positions(game_id):
        game, wrong = session.game, [one for one in found.moves if one.value < found.value]
        assert found.instead is None or found.instead.move in {one.move for one in wrong}
        assert (found.instead is None) == all(difference(game, view, one.move) is None for one in wrong)
        for one in wrong:
            told = difference(game, view, one.move)
            after = game.apply(view, view.turn, game.parse_move(view, one.move))[0]
            if after.turn in (None, view.turn):  # the opponent has to pass
                assert told is None
                continue
            assert told is not None
            then = game.apply(after, after.turn, game.parse_move(after, told.reply))[0]
            assert SLOW[game_id](game, then, view.turn) == one.value, f"{session.code()} {told}"
            answered += 1
    assert answered > POSITIONS / 10


def test_a_wrong_attack_that_tempts_is_named_with_what_it_lacks() -> None:
    rng, game, named = Random(5), find_game("number-duel"), 0
    for _ in range(POSITIONS):
        session = Session(game, house_rules("number-duel", rng))
        for _ in range(rng.randrange(8)):
            if session.turn is not None:
                session.play(rng.choice(session.legal_moves()))
        if session.turn is None:
            continue
        view = session.view(session.turn)
        found = analyse(game, view)
        wrong = [one.move for one in found.moves if found.value - one.value >= MATTERS]
        assert (found.instead is None) == (not wrong)
        if found.instead is not None:
            assert found.instead.move in wrong
            lacks_as_told(view, found.instead.move, found.instead.takes)
            compared = found.mark("region")
            assert compared is not None
            assert set(compared.moves) == {found.instead.move, found.moves[0].move}
            named += 1
    assert named > POSITIONS / 4


def lacks_as_told(view: Any, attack: str, told: str) -> None:
    """Check the clause on what an attack costs or misses, by the numbers themselves."""
    mine, theirs = view.left(view.turn), view.left(1 - view.turn)

    def meets(number: str, position: str) -> tuple[Fraction, list[int]]:
        """The points of an attack, 2 for a number it beats and 1 for a tie, by number there; and what it may take."""
        face = view.faces[1 - view.turn][int(position) - 1]
        there = [face] if face else view.hidden(1 - view.turn)
        points = sum((one < int(number)) + (one <= int(number)) for one in there)
        return Fraction(points, len(there)), [one for one in there if one <= int(number)]

    number, position = attack.split("x")
    share, taken = meets(number, position)
    if kept := re.search(r"costs your (\d), all that meets Player [12]'s (\d)", told):
        assert kept[1] == number
        assert [one for one in mine if one >= int(kept[2])] == [int(number)]
        assert max(theirs) == int(kept[2])
        return
    better = re.search(r"(\d) at position (\d)", told)
    assert better is not None, told
    other_share, other_taken = meets(better[1], better[2])
    if "; better: " in told:
        assert other_share > share
    elif "costs less" in told:
        assert int(better[1]) < int(number)
    elif high := re.search(r"may take the (\d)", told):
        assert max(other_taken) == int(high[1]) > max(taken, default=0)


def small_positions(game_id: str) -> Iterator[tuple[Session, Any, Analysis]]:
    """Positions with odd house rules, small enough to be searched by trying everything."""
    rng, game = Random(4), find_game(game_id)
    for _ in range(POSITIONS):
        session = Session(game, house_rules(game_id, rng))
        plies = rng.randrange(14)
        while session.turn is not None and (plies > 0 or SIZES[game_id](session.view(session.turn))):
            plies -= 1
            session.play(rng.choice(session.legal_moves()))
        if session.turn is not None:
            view = session.view(session.turn)
            yield session, view, analyse(game, view)


def slow_value(game: AnyGame, view: Any, me: int) -> int:
    """1 if this seat wins, else 0, by trying everything; for games without draws."""
    known: dict[Hashable, bool] = {}

    def won(here: Any) -> bool:
        """True if the player to move wins."""
        key = here.position_key
        if key not in known:
            known[key] = False
            for move in game.legal_moves(here):
                then = game.apply(here, here.turn, move)[0]
                if then.turn is None or not won(then):
                    known[key] = True
                    break
        return known[key]

    if view.turn is None:
        return int(view.outcome.winner == me)
    return int(won(view) == (view.turn == me))


def circle_value(game: AnyGame, view: Any, me: int) -> Fraction:
    """The value to this seat in Number Circle: by trying everything if that decides soon, else by the solver."""
    if view.turn is None:
        return HALF if view.outcome.winner is None else Fraction(view.outcome.winner == me)
    sign, _ = number_circle.forced(number_circle.table_of(view), number_circle.spot_of(view), 6)
    value = Fraction(sign + 1, 2)
    if not sign:
        value = analyse(game, view).value
    return value if view.turn == me else 1 - value


SIZES: dict[str, Callable[[Any], bool]] = {
    "circle-duel": lambda view: len(view.free) > 10,
    "digit-chain": lambda view: len(view.pool) > 12,
    "number-circle": lambda view: False,
    "sequence-duel": lambda view: len(view.open_to(0)) + len(view.open_to(1)) > 14,
}
"""True of positions that are too large to be searched slowly."""
SLOW: dict[str, Callable[[AnyGame, Any, int], int | Fraction]] = {
    "circle-duel": slow_value,
    "digit-chain": slow_value,
    "number-circle": circle_value,
    "sequence-duel": slow_value,
}
