"""The sentence of every turn: true to the rules, grammatical, short, and without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from duelbox.core.model import SEATS, Seat, Voice
from duelbox.core.rng import Rng
from duelbox.core.seeds import with_fresh_seed
from duelbox.core.session import Session
from duelbox.games.number_duel.rules import Struck
from duelbox.registry import games
from duelbox.table.story import ending, latest_line, preview, turn_line
from tests.effort import sampled

ALL = [(game, preset) for game in games() for preset in game.PRESETS]
NAMES = ("Ann", "Peek")
NARROW = 58
"""The width of a line in the smallest window, including its sign."""
CLAUSE = re.compile(r": |; |\. |, which ")


def played(session: Session, seed: int) -> Iterator[Session]:
    """The states of a random game."""
    rng = Rng(seed)
    while session.turn is not None and len(session.plies) < 60:
        moves = session.legal_moves()
        session.play(moves[rng.below(len(moves))])
        yield session


@pytest.mark.parametrize(("game", "preset"), ALL, ids=lambda one: getattr(one, "id", None) or one.INFO.id)
@pytest.mark.parametrize("you", SEATS)
def test_every_turn_is_told_in_good_grammar_and_in_a_line(game: object, preset: object, you: Seat) -> None:
    voice = Voice(NAMES, you)
    for seed in range(sampled(2, 12)):
        session = Session(game, with_fresh_seed(game, preset.options), NAMES)
        for one in played(session, seed):
            seat, told = latest_line(one, voice)
            assert seat == one.plies[-1].seat
            assert NAMES[you] not in told, "a person alone is you"
            assert not re.search(r"\b[Yy]ou (\w+s|has)\b", told.replace("you pass", "").replace("you less", "")), told
            assert not re.search(r"\bPeek (\w*[^s]) \d", told), told
            assert told.endswith(".")
            assert told[0].isupper()
            assert len(CLAUSE.split(told)[0]) + 2 <= NARROW, "the first clause fits any window"
        if session.outcome is not None:
            assert "Player" not in ending(session, voice)
            assert NAMES[you] not in ending(session, voice)


def test_a_claim_tells_exactly_what_it_closes_and_makes_safe() -> None:
    game = next(game for game, _ in ALL if game.INFO.id == "sequence-duel")
    session = Session(game, game.Options(), NAMES)
    told = []
    for move in ("11", "3", "9", "18", "6", "15", "10"):
        session.type(move)
        told.append(latest_line(session, Voice(NAMES, 0))[1])
    assert told == [
        "You claim 11: 10 and 12 are closed to Peek.",
        "Peek claims 3: 2 and 4 are closed to you.",
        "You claim 9: 10 is safe, 8 is closed to Peek.",
        "Peek claims 18: 17 and 19 are closed to you.",
        "You claim 6: 7 and 8 are safe, 5 is closed to Peek.",
        "Peek claims 15: 16 and 17 are safe for Peek, 14 is closed to you.",
        "You claim 10, which was safe already.",
    ]


def test_closed_is_what_could_be_claimed_before_and_safe_what_nobody_can_close() -> None:
    """The expected numbers are counted from the rules, without the lists of the talk."""
    game = next(game for game, _ in ALL if game.INFO.id == "sequence-duel")
    for seed in range(sampled(10, 60)):
        session = Session(game, game.Options(size=12), NAMES)
        before = session.state
        for one in played(session, seed):
            state, seat = one.state, one.plies[-1].seat
            told = turn_line(one, len(one.plies) - 1, Voice(NAMES, seat))[1]
            claimed, rival = state.picks[-1], 1 - seat
            closed = [n for n in before.open_to(rival) if abs(n - claimed) == 1]
            if state.outcome is None:
                named = re.search(r"([\d, and]+) (is|are) closed", told)
                gone = [int(n) for n in re.findall(r"\d+", named[1])] if named else []
                assert set(gone) <= set(closed)
                safe = re.search(r"([\d, and]+) (is|are) safe", told)
                for n in re.findall(r"\d+", safe[1]) if safe else ():
                    assert not {int(n) - 1, int(n), int(n) + 1} & set(state.open_to(rival))
            before = state


def test_an_attack_tells_no_number_but_the_two_that_met() -> None:
    for game, preset in ALL:
        for seed in range(sampled(4, 20) if game.INFO.hidden else 0):
            session = Session(game, with_fresh_seed(game, preset.options), NAMES)
            for one in played(session, seed):
                event = one.plies[-1].events[0]
                met = {event.attacker, event.defender} if isinstance(event, Struck) else set()
                assert {int(n) for n in re.findall(r"\d+", latest_line(one, Voice(NAMES, 0))[1])} <= met


def test_a_move_is_foretold_as_it_is_told_then() -> None:
    for game, preset in ALL:
        if game.INFO.hidden:
            continue
        session = Session(game, with_fresh_seed(game, preset.options), NAMES)
        for _ in range(12):
            if session.turn is None:
                break
            mover, move = session.turn, session.legal_moves()[-1]
            made = session.preview(game.format_move(move))
            told = preview(session, *made, NAMES)
            session.play(move)
            if session.outcome is None:
                then = turn_line(session, len(session.plies) - 1, Voice(NAMES, mover))[1]
                foretold = told.strip().partition(" ")[2].split(": ")[-1]
                assert then.removesuffix(".").replace("; ", ". ").endswith(foretold.replace("; ", ". "))
