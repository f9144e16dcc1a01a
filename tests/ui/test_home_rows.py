"""The rows of home: the level and the seat that Enter starts with, and the next step."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from duelbox.bots import Level, levels_of
from duelbox.core.code import parse_code
from duelbox.core.game import first_preset
from duelbox.learn.daily import daily
from duelbox.learn.ideas import Missed
from duelbox.learn.lessons import lessons_of
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.registry import find_game, game_ids
from duelbox.store.settings import PERSON, Settings
from duelbox.store.store import Store
from duelbox.ui.home_facts import GameFacts
from duelbox.ui.home_known import facts_of
from duelbox.ui.home_rows import picture_of
from tests.ui.person import record_of

TODAY = date(2026, 11, 26)
CHOICES = 2
"""The least moves to choose from in the position that a first preset shows."""


def test_whoever_has_chosen_nothing_begins_with_the_first_presets_and_climbs(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        facts = facts_of(store, Settings(), TODAY)
        assert facts.first
        assert [game.preset for game in facts.games] == [first_preset(find_game(one)).name for one in game_ids()]
        assert {game.opponent for game in facts.games} == {"Dash 1"}
        for number, level in enumerate(levels_of("sequence-duel"), 1):
            for wins in (1, 2):
                keep_game(store, level, "3.1.5", 2 * number + wins)
                game = facts_of(store, Settings(), TODAY).games[2]
                assert Counter(game.beaten)[True] == number
                assert game.record == f"{2 * number + wins - 2} : 0"
                following = min(number + wins - 1, 5)
                name = levels_of("sequence-duel")[following - 1].name
                assert game.opponent == f"{name} {following}"
                assert game.starts == f"Play {name}. You go first."
                proves = (number, wins) != (1, 1)
                assert game.next_step == ("prove it: a ring of 9" if proves else f"beat {name} once more")
                assert bool(game.prove) == proves


def keep_game(store: Store, level: Level, moves: str, minute: int, *, helped: bool = False) -> None:
    """Keep a game of Sequence Duel that "Player 1" began against a level."""
    record = json.loads(record_of(f"sequence-duel:size=5/{moves}", ("Player 1", level.name)))
    record["players"][1]["level"] = level.id
    for key in ("started", "ended"):
        record["played"][0][key] = f"2026-11-01T10:{minute:02}:00+00:00"
    record["played"][0]["assisted"] = helped
    store.import_text(json.dumps(record))


def test_after_two_losses_the_row_offers_one_thing_and_enter_stays_the_next_game(tmp_path: Path) -> None:
    dash, peek, *_ = levels_of("sequence-duel")
    lost = "1.5.2.4"
    with Store.open(tmp_path) as store:

        def row() -> GameFacts:
            return facts_of(store, Settings(), TODAY).games[2]

        keep_game(store, dash, "3.1.5", 1)
        keep_game(store, peek, lost, 2)
        assert row().next_step == "beat Peek next"
        keep_game(store, peek, lost, 3)
        title = lessons_of("sequence-duel")[0].title.lower()
        assert (row().next_step, row().starts) == (f"first: t, {title}", "Play Peek. You go first.")
        for minute in (4, 5):
            keep_game(store, peek, lost, minute)
        assert (row().next_step, row().starts) == ("easier: x, Dash", "Play Peek. You go first.")
        assert row().offer == (PERSON, "dash", "player-1")
        for minute in range(6, 10):
            keep_game(store, dash, lost, minute)
        assert (row().next_step, row().offer) == ("other seat: x", (PERSON, "dash", "player-2"))
        keep_game(store, dash, "3.1.5", 10, helped=True)
        assert (row().next_step, row().offer) == ("beat Dash alone", ())


def test_home_says_which_idea_comes_back_next(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert facts_of(store, Settings(), TODAY).coming == ""
        for days_ago, idea, code in ((0, "mirror", "sequence-duel/3.5"), (4, "fork", "number-circle/+2")):
            missed = Missed(played="7", names=("Ann", "Bo"), idea=idea, day=TODAY - timedelta(days=days_ago))
            store.progress.add("mistake", code, missed.model_dump(mode="json"))
        facts = facts_of(store, Settings(), TODAY)
        assert (facts.due, facts.coming) == (1, "Tomorrow: mirror again")
        assert facts_of(store, Settings(), TODAY + timedelta(days=1)).coming == ""


def test_home_says_when_the_day_is_done(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        over = []
        for puzzle in daily(TODAY):
            result = PuzzleResult(grade=puzzle.grade, at_once=(True,), day=TODAY.isoformat())
            store.progress.add("puzzle", puzzle.code, result.model_dump(mode="json"))
            today = facts_of(store, Settings(), TODAY).today
            assert today is not None
            over.append(today.over)
            assert today.ideas == tuple(one.idea for one in daily(TODAY))
    assert over == [*[False] * (len(over) - 1), True]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_preset_names_a_position_by_its_rules_with_something_to_choose(game_id: str) -> None:
    game = find_game(game_id)
    pictures = [preset.picture for preset in game.PRESETS]
    assert len({*pictures}) == len(pictures)
    for preset in game.PRESETS:
        session = parse_code(preset.picture, find_game)
        assert session.options.rules_only() == preset.options.rules_only()
        assert session.moves
        assert len(session.legal_moves()) >= (CHOICES if preset.first else 1)
        assert picture_of(game, preset.options.changed(seed=5) if preset.options.draws else preset.options) == (
            preset.picture
        )


def test_house_rules_without_a_picture_show_their_first_position() -> None:
    game = find_game("circle-duel")
    position = parse_code(picture_of(game, game.Options(size=12, gaps=2)), find_game)
    assert (position.options.size, position.options.gaps) == (12, 2)
    assert not position.moves
