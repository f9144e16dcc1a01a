"""History, review and the page You, by keys alone and by mouse alone, in a usual and in a small terminal."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from duelbox.bots import Level, levels_of
from duelbox.core.record import PlayerInfo
from duelbox.learn.ideas import Missed
from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.ui.screens.history import GamePreview, HistoryScreen
from duelbox.ui.screens.review_screen import ReviewScreen
from duelbox.ui.screens.you import YouScreen
from duelbox.ui.widgets.listing import Listing
from duelbox.ui.widgets.plot import Plot
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import (
    Acting,
    click_on,
    is_on,
    record_of,
    table,
    text_of,
    two_ways,
    until,
    wheel,
)

# Games kept for the history: the last one was played last.
KEPT = (
    record_of("circle-duel/4.5.6.7.8.9.10.1.2.3", ("Ann", "Bo"), day=0),
    record_of("number-duel:hand=3,deal=123-321/3x1.2x1.2x1", ("Ann", "Cy"), day=1),
    record_of("digit-chain/26.61.19.90", ("Ann", "Bo"), day=2),
)

FOUND = {
    "circle": ["circle-duel"],
    "won": ["number-duel"],
    "bo": ["digit-chain", "circle-duel"],
    "bo lost circle": ["circle-duel"],
    "nobody": [],
}
"""Words typed to filter games, and the games that pass."""

# -- history and review


async def test_a_code_of_a_game_that_is_over_can_be_reviewed_at_once(started: Started) -> None:
    async with started("circle-duel/4.5.6.7.8.9.10.1.2.3") as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        assert app.store.count() == 1


@two_ways
async def test_history_lists_filters_and_opens(acting: Acting) -> None:
    async with acting(kept=KEPT) as person:
        await person.do("History")
        history = person.app.screen
        assert isinstance(history, HistoryScreen)
        assert [summary.game for summary in history.shown] == ["digit-chain", "number-duel", "circle-duel"]
        for words, games in FOUND.items():
            await person.do("Find")
            await person.pilot.press(*(key for char in words for key in ("space" if char == " " else char,)), "down")
            assert [summary.game for summary in history.shown] == games
            assert f"{len(games)} game" in text_of(person.app)
            await person.do("Find")
            await person.pilot.press("escape")
        assert len(history.shown) == 3
        await person.open_row(2)
        is_on(person, ReviewScreen)
        assert "Number Circle Duel · Review" in text_of(person.app)
        await person.do("Leave")
        is_on(person, HistoryScreen)


async def test_an_empty_history_says_so_and_nothing_else(acting: Acting) -> None:
    async with acting() as person:
        await person.do("History")
        assert "No games here yet" in text_of(person.app)
        assert "Opponent" not in text_of(person.app)
        await person.do("You")
        assert "you won" not in text_of(person.app)
        await person.do("Back")
        is_on(person, HistoryScreen)


async def test_a_deleted_game_can_be_had_back(acting: Acting) -> None:
    async with acting(kept=KEPT) as person:
        await person.do("History")
        await person.do("Delete")
        assert "2 games" in text_of(person.app)
        assert "Press u to undo that" in text_of(person.app)
        await person.do("Undelete")
        assert "3 games" in text_of(person.app)


async def test_the_history_says_how_many_of_its_lines_cannot_be_read(make_app: MakeApp) -> None:
    app = make_app()
    app.store.import_text(KEPT[0])
    with app.store.folders.history.open("ab") as file:
        file.write(b"damaged\n")
    app.store.import_text(KEPT[1])
    async with app.run_test() as pilot:
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        await until(pilot, lambda: "1 line of" in text_of(app))
        assert "2 games" in text_of(app)


@two_ways
async def test_the_game_that_was_deleted_last_is_had_back_first(acting: Acting) -> None:
    async with acting(kept=KEPT) as person:
        await person.do("History")
        history = person.app.screen
        assert isinstance(history, HistoryScreen)
        await person.do("Delete")
        await person.do("Delete")
        assert [summary.game for summary in history.shown] == ["circle-duel"]
        await person.do("Undelete")
        assert [summary.game for summary in history.shown] == ["number-duel", "circle-duel"]
        await person.do("Undelete")
        assert [summary.game for summary in history.shown] == ["digit-chain", "number-duel", "circle-duel"]


async def test_a_game_is_exported_to_a_file_that_can_be_read_again(
    acting: Acting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with acting(kept=KEPT) as person:
        await person.do("History")
        await person.do("Export")
        [path] = tmp_path.glob("duelbox-digit-chain-*.json")
        assert f"Written to {path.name}." in text_of(person.app)
        assert json.loads(path.read_text(encoding="utf-8")) == json.loads(KEPT[2])
        path.unlink()
        path.mkdir()
        await person.do("Export")
        assert "is a folder" in text_of(person.app)


async def test_an_unfinished_game_in_the_history_goes_on(acting: Acting) -> None:
    async with acting(kept=(record_of("circle-duel/4.5"),)) as person:
        await person.do("History")
        await person.open_row(0)
        assert table(person.app).session.code() == "circle-duel/4.5"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_chosen_game_is_shown_with_its_rules_and_its_end(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    for record in (*KEPT, record_of("circle-duel:size=16,reach=2,trails=own,gaps=1,seed=8/10.4", day=3)):
        app.store.import_text(record)
    async with app.run_test(size=size) as pilot:
        await pilot.press("i")
        await until(pilot, lambda: "Two Trails: 16 in the ring" in text_of(app))
        assert "unfinished: Enter goes on with it" in text_of(app)
        await pilot.press("down")
        await until(pilot, lambda: "Ann cannot move: no number begins with 0." in text_of(app))
        assert "Bo won" in text_of(app)
        rows = app.screen.query_one(Listing)
        assert [str(rows.get_row_at(at)[0]) for at in range(4)] == ["…", "◆", "●", "◆"]
        board = app.screen.query_one(GamePreview)
        assert ("●" in str(board.render()).split("Ann")[0][:-2]) == (size == (120, 40))


async def test_the_plot_of_the_chosen_game_is_shown_where_there_is_room(make_app: MakeApp) -> None:
    app = make_app()
    app.store.import_text(record_of("circle-duel:size=4/1", day=0))
    app.store.import_text(record_of("sequence-duel:size=11/3.5.7.1.11.9", day=1))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("i")
        plot = app.screen.query_one(Plot)
        await until(pilot, lambda: plot.visible)
        assert set(plot.curve.marks.values()) & {"!", "*"}
        assert "█" in text_of(app) or "▄" in text_of(app)
        await pilot.press("down")
        await until(pilot, lambda: "unfinished" in text_of(app))
        assert not plot.visible, "nothing is told of a game that is not over"
        await pilot.resize_terminal(80, 24)
        assert not plot.display


async def test_a_table_left_before_a_person_moved_is_not_kept(started: Started) -> None:
    async with started("circle-duel", p1="bot:1", p2="Ann") as (app, pilot):
        await until(pilot, lambda: table(app).session.plies)
        await pilot.press("b")
        assert app.store.count() == 0
    async with started("circle-duel", p1="bot:1", p2="Ann") as (app, pilot):
        await until(pilot, lambda: table(app).session.turn == 1)
        await pilot.press("right", "enter")
        await until(pilot, lambda: app.store.count() == 1)
        (kept,) = app.store.unfinished()
        assert kept.moves >= 2


async def test_a_game_is_reviewed_move_by_move(acting: Acting) -> None:
    async with acting(kept=KEPT[:1]) as person:
        await person.do("History")
        await person.open_row(0)
        review = person.app.screen
        assert isinstance(review, ReviewScreen)
        assert "before turn 1 of 10" in text_of(person.app)
        for _ in range(3):
            await person.do("Forward")
        await person.do("Back")
        assert "before turn 3 of 10" in text_of(person.app)
        await person.do("Copy code")
        assert person.app.clipboard == "circle-duel/4.5"
        assert "Copied circle-duel/4.5" in text_of(person.app)
        await person.do("Last")
        assert "Bo wins." in text_of(person.app)
        await person.do("First")
        assert "before turn 1 of 10" in text_of(person.app)
        await person.do("Forward")
        await person.do("Play on")
        assert table(person.app).session.code() == "circle-duel/4"
        assert table(person.app).session.names == ("Ann", "Bo")


async def test_a_review_opens_at_the_last_move_that_turned_the_game(make_app: MakeApp) -> None:
    app = make_app()
    app.store.import_text(record_of("sequence-duel:size=11/5.7.2.11.9"))  # turned at turns 1 and 4
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i", "enter")
        await until(pilot, lambda: "before turn 4 of 5" in text_of(app))
        assert "Turn 4: 10 was right; 11 threw the win away." in text_of(app)


async def test_a_round_is_exported_as_a_picture_with_a_frame_a_turn(
    acting: Acting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with acting(kept=KEPT[:2]) as person:
        await person.do("History")
        for row, name, frames in ((0, "number-duel", 4), (1, "circle-duel", 11)):
            await person.open_row(row)
            review = person.app.screen
            assert isinstance(review, ReviewScreen)
            await person.do("Forward")
            await person.do("Export")
            assert f"Saved as duelbox-{name}.svg" in text_of(person.app)
            assert review.table.at == 1, "one still looks at the same turn"
            svg = (tmp_path / f"duelbox-{name}.svg").read_text(encoding="utf-8")
            groups = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
            shown = [["".join(use.attrib.values()) for use in one] for one in groups if one.get("class") == "f"]
            assert len(shown) == len({tuple(frame) for frame in shown}) == frames
            assert "Bo wins. " in svg if name == "circle-duel" else "╱" in svg
            assert re.findall('https?:[^"]*', svg) == ["http://www.w3.org/2000/svg"]
            await person.do("Leave")


async def test_a_review_goes_on_by_itself_until_it_is_told_otherwise(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.table.review_table.AUTOPLAY_SECONDS", 0.01)
    async with acting(kept=KEPT[:1]) as person:
        await person.do("History")
        await person.open_row(0)
        await person.do("Autoplay")
        await until(person.pilot, lambda: "after turn 10" in text_of(person.app))
        review = person.app.screen
        assert isinstance(review, ReviewScreen)
        monkeypatch.setattr("duelbox.table.review_table.AUTOPLAY_SECONDS", 3600)
        await person.do("Autoplay")
        assert "before turn 1 of 10" in text_of(person.app)
        await person.do("Forward")
        assert review.table.playing is None, "a step of one's own ends it"


async def test_hidden_hands_are_reviewed_with_three_pairs_of_eyes(acting: Acting) -> None:
    async with acting(kept=KEPT[1:2]) as person:
        await person.do("History")
        await person.open_row(0)
        for _ in range(3):
            await person.do("Other eyes")
        seen = []
        for _ in range(4):
            seen.append(text_of(person.app))
            await person.do("Other eyes")
        assert seen[0] == seen[3]
        assert len(set(seen)) == 3
        assert ["╱" in one for one in seen[:3]] == [True, True, False], "one player's eyes first"


# -- you


def with_level(code: str, level: Level, *, helped: bool = False) -> str:
    """A game against this level of the computer, won by the second player, who has no name."""
    record = json.loads(record_of(code))
    record["players"][0].update(name=level.name, level=level.id)
    record["players"][1].update(name="Player 1")
    record["played"][0]["assisted"] = helped
    return json.dumps(record)


async def test_the_page_you_is_one_key_from_the_history_and_leads_back(acting: Acting) -> None:
    async with acting(kept=KEPT) as person:
        await person.do("History")
        await person.do("You")
        is_on(person, YouScreen)
        await person.do("History")
        is_on(person, HistoryScreen)


async def test_your_results_stand_beside_the_ideas_of_their_game(make_app: MakeApp) -> None:
    app = make_app()
    one, two = levels_of("circle-duel")[:2]
    app.store.import_text(with_level("circle-duel:size=4/1.2.3.4", one))
    app.store.import_text(with_level("circle-duel:size=4/1.2.3.4", two, helped=True))
    app.store.import_text(record_of("circle-duel:size=4/1.2.3.4", ("Zoe", "Yan")))
    async with app.run_test(size=(120, 40)) as pilot:
        app.navigation.open("you")
        await until(pilot, lambda: isinstance(app.screen, YouScreen) and app.screen.shown)
        screen = app.screen
        assert isinstance(screen, YouScreen)
        for idea in screen.shown:
            told = screen.details(idea)
            here = f"Number Circle Duel: you won 2 of 2 games, and have beaten {one.name} and {two.name}. "
            assert (here in told) == (idea.game == "circle-duel")
            assert ("you won" in told) == (idea.game == "circle-duel")
        assert screen.details(next(idea for idea in screen.shown if idea.game == "circle-duel")).endswith("█")


async def test_one_click_opens_a_row_of_history(make_app: MakeApp) -> None:
    app = make_app()
    for day in range(3):
        app.store.import_text(record_of("circle-duel:size=4/1.2.3.4", ("Ann", "Bo" * (day + 1)), day))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        await until(pilot, lambda: "BoBoBo" in text_of(app))
        await click_on(pilot, "Ann : BoBo ")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))


async def test_a_long_history_is_read_page_by_page(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.ui.screens.history.PAGE", 40)
    monkeypatch.setattr("duelbox.ui.widgets.listing.NEAR", 12)
    app = make_app()
    for day in range(90):
        app.store.import_text(record_of("circle-duel:size=4/1.2.3.4", ("Ann", "Bo" * (day + 1 if day < 9 else 1)), day))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        history = app.screen
        assert isinstance(history, HistoryScreen)
        assert "90 games" in text_of(app)
        rows = history.query_one(Listing)
        assert rows.row_count == 40, "the rest is not needed yet"
        await pilot.press("pagedown", "pagedown", "pagedown")
        assert rows.row_count == 80, "by the cursor"
        for _ in range(20):
            await wheel(pilot, 5, 10)
        assert rows.row_count == len(history.shown) == 90, "by the wheel"
        assert [summary.id for summary in history.shown] == [summary.id for summary in app.store.history(limit=-1)]
        assert rows.cursor_row < 40
        await pilot.press("ctrl+end")
        assert rows.cursor_row == 89
        await pilot.press("delete")
        assert rows.row_count == 89, "and as far as it was read it is read again"
        assert "89 games" in text_of(app)


async def test_unfinished_games_can_be_listed_alone(acting: Acting) -> None:
    async with acting(kept=(*KEPT, record_of("circle-duel/4.5"))) as person:
        await person.do("History")
        await person.do("Find")
        await person.pilot.press(*"unf", "down")
        history = person.app.screen
        assert isinstance(history, HistoryScreen)
        assert [summary.over for summary in history.shown] == [False]


async def test_a_secret_game_open_elsewhere_is_looked_at_from_nobodys_seat(started: Started, tmp_path: Path) -> None:
    async with started() as (app, pilot):
        with Store.open(tmp_path / "home") as other:
            asked = read_new_game("number-duel:deal=31524-51234/3x2")
            table = LocalTable(asked, (PlayerInfo(name="Ann"), PlayerInfo(name="Bo")), store=other)
            table.play("2x4")
            assert (saving := table.save())
            assert saving.result()
            await pilot.press("i", "enter")
            await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
            screen = app.screen
            assert isinstance(screen, ReviewScreen)
            assert any("another terminal" in toast.message for toast in app._notifications)
            for key in ("end", "tab", "c", "g", "l", "v", "h", "w", "m", "home", "right"):
                await pilot.press(key)
                assert app.screen is screen
                assert (screen.table.seat, screen.table.secret) == (None, True)
                assert screen.table.judged == [{}]
                assert not re.search(r"31524|51234", text_of(app))
            view = screen.state.view()
            assert all(face is None or face in (3, 1, 2) for seat in (0, 1) for face in view.faces[seat])


async def test_the_day_of_an_idea_is_called_as_on_home(make_app: MakeApp) -> None:
    app = make_app()
    missed = Missed(played="11", names=("Player 1", "Dash"), idea="mirror", day=date.today())
    app.store.progress.add("mistake", "sequence-duel:size=11/3.5", missed.model_dump(mode="json"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i", "tab")
        await until(pilot, lambda: isinstance(app.screen, YouScreen) and "Missed in 1 game." in text_of(app))
        assert "It rests until tomorrow." in text_of(app)
