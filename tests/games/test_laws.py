"""Every law on every game, with many seeds and random house rules; and every game against a slow judge."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbox.core.code import parse_code
from duelbox.core.errors import IllegalMove, MoveError
from duelbox.core.game import first_preset
from duelbox.core.session import Session
from duelbox.registry import BUILT_IN, find_game, game_ids
from duelbox.testing.laws import LAWS, NASTY_TEXTS, Law, RandomGame, assert_refused, attempt, plain, random_game
from tests.effort import sampled, tries
from tests.games.slow_rules import JUDGED, judge_of
from tests.house_rules import GAME_IDS, SOLVED, WITH_COMPUTERS, house_rules
from tests.positions import free_in

SEEDS = tries(200)


@cache
def trail(game_id: str, seed: int) -> RandomGame:
    rng = Random(f"{game_id} {seed}")
    return random_game(find_game(game_id), house_rules(game_id, rng), rng)


def test_our_five_come_first_and_bring_everything() -> None:
    """A part that a guest lacks is skipped by the tests; for the five games of duelbox that is a fault."""
    for whole in (game_ids(), GAME_IDS, SOLVED, WITH_COMPUTERS, JUDGED):
        assert whole[:5] == ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_game_has_a_slow_judge(game_id: str) -> None:
    assert game_id in JUDGED, f"tests/games/slow_rules.py needs {game_id} once more, slow and plain, and its id"


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Law, game_id: str) -> None:
    for seed in range(SEEDS):
        try:
            law(trail(game_id, seed), Random(seed))
        except Exception as error:
            error.add_note(f"seed {seed}: {trail(game_id, seed).code}")
            raise


@pytest.mark.parametrize("game_id", JUDGED)
def test_a_slow_judge_agrees_on_every_ply(game_id: str) -> None:
    for seed in range(SEEDS):
        played = trail(game_id, seed)
        game = played.game
        judge = judge_of(game_id, played.options, played.states[0])
        for count, state in enumerate(played.states):
            seen = {game.format_move(move) for move in game.legal_moves(game.view(state, None))}
            assert seen == set(judge.moves()), f"seed {seed}, ply {count}: {played.code}"
            if state.outcome is None:
                assert (judge.result, judge.turn) == ("on", state.turn), f"seed {seed}, ply {count}: {played.code}"
            else:
                won = "draw" if state.outcome.winner is None else state.outcome.winner
                assert judge.result == won, f"seed {seed}: {played.code}"
            if count < len(played.moves):
                judge = judge.after(game.format_move(played.moves[count]))


IN_THE_WAY: dict[str, Callable[[Any, int], set[int | None]]] = {
    "circle-duel": lambda state, number: {number} if number in (*state.gaps, *state.picks) else {state.last},
    "sequence-duel": lambda state, number: (
        {*(one for one in state.neighbours(number) if one in state.picks), number} & {*state.picks}
    ),
    "digit-chain": lambda state, number: {number if number not in state.pool else state.current},
}
"""The numbers in the way of a number that is on the board but may not be picked, or some of them."""


@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle", "sequence-duel", "digit-chain"])
def test_a_refusal_says_exactly_what_is_free_and_what_is_in_the_way(game_id: str) -> None:
    for seed in range(tries(60)):
        played = trail(game_id, seed)
        for state in played.states[:-1]:
            legal = played.game.legal_moves(state)
            free = [played.game.format_move(move) for move in legal]
            sample = range(11) if game_id == "number-circle" else range(seed % 3, 101, 3)
            signs = [{"sign": "+"}, {"sign": "-"}] if game_id == "number-circle" else [{}]
            every = [type(legal[0])(number=number, **sign) for number in sample for sign in signs]
            for move in (move for move in every if move not in legal):
                with pytest.raises(IllegalMove) as error:
                    played.game.apply(state, state.turn, move)
                if game_id == "number-circle":
                    assert re.findall(r"[+-][1-9]", error.value.sentence.partition(" Open to you: ")[2]) == free
                    continue
                assert free_in(error.value.sentence) == set(map(int, free))
                blockers, there = set(error.value.blockers), move.number in getattr(state, "numbers", range(1, 100))
                assert bool(blockers) == there
                assert blockers <= IN_THE_WAY[game_id](state, move.number) or not there


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_nasty_text_is_refused_in_every_position_of_a_game(game_id: str) -> None:
    played = trail(game_id, 1)
    refused = 0
    for state in played.states[:-1]:
        assert state.turn is not None
        legal = {played.game.format_move(move) for move in played.game.legal_moves(played.game.view(state, None))}
        for text in NASTY_TEXTS:
            answer = attempt(played.game, state, state.turn, text)
            if plain(text) not in legal:
                assert_refused(answer)
                refused += 1
    assert refused > 40 * (len(played.states) - 1)


@pytest.mark.parametrize("game_id", GAME_IDS)
@settings(max_examples=tries(60))
@given(text=st.text(max_size=40), seed=st.integers(0, SEEDS - 1), data=st.data())
def test_any_text_at_all_is_a_move_or_a_sentence(game_id: str, text: str, seed: int, data: st.DataObject) -> None:
    played = trail(game_id, seed)
    state = data.draw(st.sampled_from(played.states[:-1]))
    assert state.turn is not None
    before = state.model_dump_json()
    answer = attempt(played.game, state, state.turn, text)
    if isinstance(answer, MoveError):
        assert_refused(answer)
    assert state.model_dump_json() == before


@pytest.mark.parametrize("game_id", GAME_IDS)
@settings(max_examples=tries(60))
@given(rng=st.randoms(use_true_random=False))
def test_laws_with_house_rules_that_hypothesis_draws(game_id: str, rng: Random) -> None:
    played = random_game(find_game(game_id), house_rules(game_id, rng), rng, most=12)
    for law in LAWS:
        law(played, Random(0))


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_ten_thousand_random_games_round_trip_as_codes(game_id: str) -> None:
    """Two thousand games of each: a code read again gives the same state and the same code."""
    game = find_game(game_id)
    for seed in range(sampled(60, 2_000)):
        rng = Random(seed)
        played = random_game(game, house_rules(game_id, rng), rng, most=rng.choice((0, 2, 5, 10, 40)))
        again = parse_code(played.code, find_game)
        assert again.state == played.states[-1], played.code
        assert again.code() == played.code


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_games_end_in_time(game_id: str) -> None:
    """All games but Number Circle end when their numbers are used up; only some rules allow a draw."""
    for seed in range(SEEDS):
        played = trail(game_id, seed)
        outcome = played.states[-1].outcome
        if game_id != "number-circle":
            assert outcome is not None, played.code
        if game_id in ("circle-duel", "sequence-duel", "digit-chain"):
            assert outcome.winner == (len(played.moves) - 1) % 2, "who moved last has won"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_one_preset_is_opened_first_and_what_is_to_be_known_or_learned_is_said(game_id: str) -> None:
    presets = find_game(game_id).PRESETS
    assert [preset.kind for preset in presets if preset.first] == ["to play"] or game_id not in BUILT_IN
    assert first_preset(find_game(game_id)).kind == "to play"
    for preset in presets:
        assert preset.kind == "to play" or preset.key
        assert preset.card.startswith(preset.kind.capitalize())
        assert ("lesson" in preset.card) == (preset.kind == "to learn")


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_first_preset_is_the_classic_game(game_id: str) -> None:
    game = find_game(game_id)
    assert (game.PRESETS[0].name, game.PRESETS[0].options) == ("Classic", game.Options())
    assert len({preset.id for preset in game.PRESETS}) == len(game.PRESETS) >= 2
    for preset in game.PRESETS:
        assert Session(game, preset.options).legal_moves()
