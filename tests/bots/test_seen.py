"""The game as a program sees it: the same in all deals that fit, and enough to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest

import duelbox
from duelbox.core.errors import MoveError
from duelbox.core.model import SEATS
from duelbox.core.session import Session
from duelbox.library import Seen
from duelbox.registry import find_game, game_ids
from tests.effort import sampled

GAMES = game_ids()


def tables(game_id: str, seed: int) -> list[duelbox.Table]:
    """Tables along a game at random, by a preset that the seed chooses."""
    draw = Random(seed)
    game = find_game(game_id)
    options = draw.choice(game.PRESETS).options
    if options.draws:
        options = options.changed(seed=seed)
    code = Session(game, options).code()
    table = duelbox.Table(code)
    found = [table.copy()]
    while (moves := table.legal_moves()) and len(found) < 12:
        table.play(draw.choice(moves))
        found.append(table.copy())
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_it_comes_whole_out_of_json_and_has_the_legal_moves(game_id: str) -> None:
    for seed in range(10):
        for table in tables(game_id, seed):
            for seat in SEATS:
                seen = table.seen(seat)
                assert Seen.model_validate_json(seen.model_dump_json()) == seen
                assert (seen.seat, seen.turn) == (seat, table.turn)
                assert seen.position() == table.view(seat)
                if seat == table.turn:
                    assert seen.legal == table.legal
                    assert set(seen.legal) <= set(seen.actions)
                else:
                    assert seen.legal == ()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_made_of_it_looks_the_same_to_the_player(game_id: str) -> None:
    for seed in range(10):
        for table in tables(game_id, seed):
            if table.turn is None:
                continue
            seen = table.seen()
            again = seen.table(seed)
            assert again.view(table.turn) == table.view(table.turn)
            assert again.legal == table.legal
            assert again.seen().model_copy(update={"moves": seen.moves}) == seen


def test_it_is_the_same_where_only_hidden_numbers_differ() -> None:
    differ = 0
    for seed in range(100):
        for table in tables("number-duel", seed):
            seat = table.turn
            if seat is None:
                continue
            worlds = [table.seen().table(n) for n in range(3)]
            texts = {world.seen(seat).model_dump_json() for world in worlds}
            assert len(texts) == 1, (seed, texts)
            differ += len({world.state.hands for world in worlds}) > 1
    assert differ > 300


def test_a_table_with_guessed_numbers_has_no_code() -> None:
    table = duelbox.Table("number-duel:deal=31524-42513/4x3").seen().table(1)
    with pytest.raises(duelbox.DuelboxError, match="only guessed"):
        table.code()
    assert "guessed" in repr(table)
    assert duelbox.Table("circle-duel/4.5").seen().table(1).code() == "circle-duel/4.5"


def tries_each_move(seen: Seen) -> str:
    """A bot in six lines: win at once if the position that it sees allows it."""
    for move in seen.legal:
        table = seen.table(seed=1)
        table.type(move)
        if table.outcome is not None and table.outcome.winner == seen.seat:
            return move
    return seen.legal[0]


def test_a_bot_that_tries_moves_on_what_it_sees_learns_nothing_hidden() -> None:
    results = Counter[object]()
    for seed in range(1, 21):
        table = duelbox.play(f"number-duel:seed={seed}", tries_each_move, "oracle", seed=seed)
        assert table.outcome is not None
        results[table.outcome.winner] += 1
    assert results[0] <= 8, results


@pytest.mark.parametrize("game_id", GAMES)
def test_the_same_seed_plays_the_same_game(game_id: str) -> None:
    codes = [duelbox.play(game_id, "peek", "dash", seed=4).code() for _ in range(2)]
    assert codes[0] == codes[1]


def test_an_illegal_move_of_a_player_is_the_callers_to_see() -> None:
    with pytest.raises(MoveError, match="There is no 99 here"):
        duelbox.play("circle-duel", "dash", lambda seen: "99")
    with pytest.raises(duelbox.DuelboxError, match=r"a level or a function from Seen to a move, not None"):
        duelbox.play("circle-duel", None, "dash")  # type: ignore[arg-type]


def test_a_draw_that_the_code_leaves_open_is_of_the_seed() -> None:
    tables = [duelbox.play("circle-duel:gaps=3", "dash", "dash", seed=seed) for seed in range(6)]
    assert len({table.options for table in tables}) == 6
    named = duelbox.play("circle-duel:gaps=3,seed=5", "dash", "dash", seed=2)
    assert named.code().startswith("circle-duel:gaps=3,seed=5/")


def looks_ahead(table: duelbox.Table, legal: Sequence[str]) -> str:
    """The move after which the player has the most numbers left over the opponent, in the world of this table."""

    def worth(move: str) -> float:
        twin = table.copy()
        seat = twin.turn
        twin.type(move)
        hands = twin.view(0).mine, twin.view(1).mine
        ahead = len(hands[0]) - len(hands[1])
        if seat == 1:
            ahead = -ahead
        return ahead - int(move[0]) / 10

    return max(legal, key=worth)


def wins_against_the_oracle(player: Callable[[duelbox.Seen], str] | str, games: int) -> int:
    """The wins of so many games of Number Duel, in both seats."""
    won = 0
    for number in range(games):
        players = [player, "oracle"]
        if number % 2:
            players.reverse()
        table = duelbox.play("number-duel", players[0], players[1], seed=number // 2 + 1)
        assert table.outcome is not None
        won += table.outcome.winner == number % 2
    return won


def test_six_lines_that_look_at_hidden_numbers_win_on_a_table_and_not_on_what_is_seen() -> None:
    games = sampled(6, 60)
    honest = wins_against_the_oracle(lambda seen: looks_ahead(seen.table(len(seen.moves)), seen.legal), games)
    assert honest <= wins_against_the_oracle("planner", games)
    table = duelbox.Table("number-duel:deal=31524-42513")
    while table.turn is not None:
        if table.turn == 0:
            table.type(looks_ahead(table, table.legal))
        else:
            table.type(table.choose("oracle").move)
    assert table.outcome is not None
    assert table.outcome.winner == 0
