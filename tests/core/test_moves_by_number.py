"""The numbers of moves: every legal move of a game has one, the same whatever is drawn."""

from __future__ import annotations

from random import Random

import pytest

from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids


@pytest.mark.parametrize("game_id", game_ids())
def test_every_legal_move_of_every_preset_has_one_number(game_id: str) -> None:
    game = find_game(game_id)
    assert game.every_move is not None
    for preset in game.PRESETS:
        texts = [*map(game.format_move, game.every_move(preset.options))]
        assert len({*texts}) == len(texts)
        draw = Random(preset.name)
        options = preset.options
        if options.draws:
            options = options.changed(seed=draw.randrange(10**6))
        assert texts == [*map(game.format_move, game.every_move(options))]
        session = Session(game, options)
        while (moves := session.legal_moves()) and len(session.plies) < 60:
            assert {*map(game.format_move, moves)} <= {*texts}
            session.play(draw.choice(moves))


@pytest.mark.parametrize("game_id", game_ids())
def test_the_rules_of_every_preset_are_sentences(game_id: str) -> None:
    game = find_game(game_id)
    for preset in game.PRESETS:
        sentences = preset.options.sentences()
        assert sentences
        assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)
        assert preset.options.in_words == ", ".join(preset.options.rules_only().phrases())
