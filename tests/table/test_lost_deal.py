"""In which presets a deal can be lost from the start, and of which the card says whose game it is."""

from __future__ import annotations

import pytest

from duelbox.bots import levels_of
from duelbox.core.game import Preset
from duelbox.core.move_input import MoveInput
from duelbox.core.record import PlayerInfo
from duelbox.core.seeds import with_fresh_seed
from duelbox.core.session import Session
from duelbox.registry import BUILT_IN, find_game
from duelbox.rules_lab.preset_facts import facts_of_preset
from duelbox.table.local import LocalTable
from duelbox.table.lost_deal import draw_decides, whose_game
from duelbox.table.new_game import NewGame
from duelbox.table.players import computer_player
from duelbox.table.state import TableState

PRESETS = [(game_id, preset) for game_id in BUILT_IN for preset in find_game(game_id).PRESETS]
DRAW_DECIDES = {"long-trails", "leap", "pairs", "full-pool"}
WHOSE = {
    "two-trails": "In Two Trails the first player can always win. Here that was you.",
    "number-circle classic": "In classic Number Circle the first player can always win. Here that was you.",
    "tug-of-war": "In Tug of War the second player can always win. Here that was Dash.",
    "tug-to-fifteen": "In Tug to Fifteen the second player can always win. Here that was Dash.",
    "sequence-duel classic": "In classic Sequence Duel the first player can always win. Here that was you.",
    "ring": "In Ring the first player can always win. Here that was you.",
    "long-chain": "In Long Chain the first player can always win. Here that was you.",
    "wild-zero": "In Wild Zero the first player can always win. Here that was you.",
}
"""The sentence for each preset that is one player's game, beside those that say so before the first move."""


def over(game_id: str, options: object) -> TableState:
    """A game that a person began against the first level, and resigned."""
    game = find_game(game_id)
    session = Session(game, with_fresh_seed(game, options))
    players = PlayerInfo(name="Player 1"), computer_player(levels_of(game_id)[0])
    state = TableState(LocalTable(NewGame(session), players), MoveInput())
    assert not draw_decides(state), "it is not over"
    session.resign(0)
    state.whose_said = frozenset()
    return state


@pytest.mark.parametrize(("game_id", "preset"), PRESETS)
def test_a_deal_can_be_lost_from_the_start_where_the_draw_decides(game_id: str, preset: Preset[object]) -> None:
    state = over(game_id, preset.options)
    assert draw_decides(state) == (preset.id in DRAW_DECIDES)


def test_a_deal_of_house_rules_can_be_lost_from_the_start() -> None:
    game = find_game("circle-duel")
    assert draw_decides(over("circle-duel", game.Options(size=15, reach=2, trails="own", gaps=2)))
    assert not draw_decides(over("circle-duel", game.Options(size=15))), "nothing is drawn"


@pytest.mark.parametrize(("game_id", "preset"), PRESETS)
def test_the_card_says_once_whose_game_a_preset_is(game_id: str, preset: Preset[object]) -> None:
    """In presets to know it is said before the first move; where chance or the draw decides, it is nobody's game."""
    state = over(game_id, preset.options)
    told = WHOSE.get(preset.id, WHOSE.get(f"{game_id} {preset.id}", ""))
    assert whose_game(state) == told
    facts = facts_of_preset(state.session.game, preset.options)
    assert facts is not None
    assert bool(told) == (facts.first in (0, 1) and not facts.settled)
    state.whose_said = frozenset({preset.id})
    assert whose_game(state) == ""
