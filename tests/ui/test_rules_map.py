"""The map of house rules, with real facts: by keys in the smallest window, by mouse in a usual one."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from threading import Event as Flag
from typing import Any

import pytest

from duelbox.registry import find_game
from duelbox.rules_lab.best_rules import Found, Progress
from duelbox.rules_lab.cache import Cache
from duelbox.rules_lab.facts import Facts
from duelbox.solve import NoSolver, analyse
from duelbox.solve.api import Stop, Stopped
from duelbox.store.settings import Config, LastUsed
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.find_rules import FindRulesScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.screens.rules_map import RulesMapScreen
from duelbox.ui.widgets.map import MapPicture
from tests.guest_games import WHOLE
from tests.ui.conftest import MakeApp
from tests.ui.person import WAYS, Mouse, Person, click_at, click_on, record_of, rows_of, table, text_of, until

LAST = {"circle-duel": LastUsed(options={"size": "9", "reach": "2"}), "sequence-duel": LastUsed(options={"size": "9"})}


@pytest.fixture(params=["Keys-60", "Mouse-80"])
def opened(request: pytest.FixtureRequest, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A person at the map of a game, with keys in a small window or a mouse in a usual one."""
    monkeypatch.setattr("duelbox.rules_lab.pool.processes", lambda: 1)
    kind, size = WAYS[request.param]

    @asynccontextmanager
    async def start(number: int, **settings: Any) -> AsyncIterator[Person]:
        app = make_app(None, delay=0, **{"last": LAST, **settings})
        async with app.run_test(size=size) as pilot:
            person: Person = kind(pilot)
            await pilot.press(*["down"] * (number - 1))
            await person.do("New game")
            await person.do("Map")
            yield person

    return start


def lab(app: DuelboxApp) -> RulesMapScreen:
    screen = app.screen
    assert isinstance(screen, RulesMapScreen), f"no map, but {screen}"
    return screen


def shown(app: DuelboxApp, column: Any, row: Any) -> str:
    """The text of the cell with these values, read from the screen."""
    x, y = place(app, column, row)
    return rows_of(app)[y][x : x + 3].strip(" []")


def place(app: DuelboxApp, column: Any, row: Any) -> tuple[int, int]:
    """The place of the cell with these values on the screen."""
    map_, picture = lab(app).map, app.screen.query_one(MapPicture)
    across = map_.x.values.index(column) - picture._first[0]
    down = map_.y.values.index(row) - picture._first[1]
    return picture.region.x + picture._label + across * picture._cell + 1, picture.region.y + 1 + down


async def go(person: Person, column: int, row: int) -> None:
    """Move the cursor to the cell with these values."""
    if isinstance(person, Mouse):
        await click_at(person.pilot, *place(person.app, column, row))
        return
    map_ = lab(person.app).map
    across = map_.x.values.index(column) - map_.at[0]
    down = map_.y.values.index(row) - map_.at[1]
    await person.pilot.press(*["right" if across > 0 else "left"] * abs(across))
    await person.pilot.press(*["down" if down > 0 else "up"] * abs(down))


def axes(app: DuelboxApp) -> tuple[str, str]:
    return lab(app).map.x.key, lab(app).map.y.key


async def test_from_the_form_to_the_map_and_a_kept_preset_is_played_and_known_again(opened: Any) -> None:
    async with opened(1) as person:
        app = person.app
        assert lab(app).chosen == find_game("circle-duel").Options(size=9, reach=2)
        await until(person.pilot, lambda: (shown(app, 9, 0), shown(app, 8, 0), shown(app, 10, 1)) == ("●", "◆", "●"))
        seen = [axes(app)]
        for _ in range(4):
            await (person.do("Axes") if isinstance(person, Mouse) else person.pilot.press("1"))
            seen.append(axes(app))
        assert seen == [("size", "gaps"), ("reach", "gaps"), ("trails", "gaps"), ("gaps", "trails"), ("size", "trails")]
        if isinstance(person, Mouse):
            await person.from_menu("Another rule downwards")
        else:
            await person.pilot.press("2")
        assert axes(app) == ("size", "gaps")
        await go(person, 11, 1)
        await until(person.pilot, lambda: shown(app, 11, 1) == "◆")
        law = "With best play the second player wins all 20 deals"
        await until(person.pilot, lambda: law in " ".join(text_of(app).split()))
        await person.do("Keep")
        await person.pilot.press(*"Eleven", "enter")
        await until(person.pilot, lambda: isinstance(app.screen, RulesMapScreen))
        if isinstance(person, Mouse):
            await go(person, 11, 1)  # the second click
        else:
            await person.do("Play")
        assert table(app).table.session.options.rules_only().texts() == {"size": "11", "reach": "2", "gaps": "1"}
        assert "Eleven" in text_of(app)
    kept = Config.load().settings
    async with opened(1, last=kept.last, presets=kept.presets) as person:
        assert "Eleven" in text_of(person.app)
        await person.do("Form")
        assert isinstance(person.app.screen, NewGameScreen)
        assert person.app.screen.filled.value("preset") == "eleven"


async def test_the_setting_under_the_cursor_comes_back_to_the_form(opened: Any) -> None:
    async with opened(3) as person:
        app = person.app
        await go(person, 11, True)
        await person.do("Form")
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.filled.options().texts() == {"size": "11", "ring": "on"}
        await person.do("Map")
        assert lab(app).map.at == (6, 1)


async def test_layers_and_the_rules_that_are_no_axes_are_turned(opened: Any) -> None:
    async with opened(1) as person:
        app = person.app
        await person.do("Rule")
        assert lab(app).chosen is not None
        assert lab(app).chosen.texts() == {"size": "9", "reach": "2", "trails": "own"}
        while "questions prove who wins" not in text_of(app):
            await person.do("Layer")
        await until(
            person.pilot, lambda: "most 15 questions prove it" in " ".join(text_of(app).replace("│", " ").split())
        )
        await go(person, 9, 6)
        assert "Not allowed" in text_of(app)
        await person.do("Play")
        assert isinstance(app.screen, RulesMapScreen), "what is not allowed is not played"


async def test_rules_are_turned_by_a_click_on_their_names(make_app: MakeApp) -> None:
    app = make_app(last=LAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "f3")
        await click_on(pilot, "Trails shared")
        await click_on(pilot, "Longest step 2")
        assert lab(app).map.values == {**lab(app).map.values, "reach": 3, "trails": "own", "size": 9}
        await click_on(pilot, "Longest step 3")
        assert "Longest step 1" in text_of(app)
        await click_on(pilot, "Numbers in all")
        assert axes(app) == ("reach", "gaps")


async def test_a_window_without_room_comes_and_goes(make_app: MakeApp) -> None:
    app = make_app(last=LAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "f3")
        for size in ((20, 6), (1, 1), (200, 60), (60, 20)):
            await pilot.resize_terminal(*size)
            await pilot.press("right", "down")
        assert "Number Circle Duel" in text_of(app)


async def test_the_laws_of_the_map_are_said_when_asked_for(opened: Any) -> None:
    async with opened(3) as person:
        await person.do("Laws")
        told = " ".join(text_of(person.app).replace("│", " ").split())
        assert "Ends meet off" in told
        assert "Numbers in all 5 to 60: the first player" in told
        await person.do("Back")
        assert isinstance(person.app.screen, RulesMapScreen)


async def test_leaving_ends_the_thread_and_coming_back_goes_on(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    working: list[RulesMapScreen] = []
    work = RulesMapScreen._work

    def noted(screen: RulesMapScreen, cache: Cache) -> None:
        working.append(screen)
        work(screen, cache)
        working.remove(screen)

    monkeypatch.setattr(RulesMapScreen, "_work", noted)
    async with opened(1) as person:
        screen = lab(person.app)
        await person.do("Rule")  # own trails: cells take long
        await until(person.pilot, lambda: working == [screen])
        await person.do("Keep")
        await until(person.pilot, lambda: not working)
        await person.do("Back")
        known = len(screen.facts)
        await until(person.pilot, lambda: len(screen.facts) > known)
        await person.do("Form")
        await until(person.pilot, lambda: not working)


async def test_found_rules_are_shown_on_the_map_and_bars_are_moved(opened: Any) -> None:
    async with opened(5) as person:
        app, before = person.app, lab(person.app).chosen
        await person.do("Find")
        search = app.screen
        assert isinstance(search, FindRulesScreen)
        await until(person.pilot, lambda: search.progress.found)
        found = search.progress.found
        await person.do("Bar")
        for _ in range(3):
            await person.do("Move it")
        assert search.bars.alive == 3
        assert "win changes 3 or more" in text_of(app)
        assert not search.progress.found or search.progress.found != found, "the search begins again"
        for _ in range(5):
            await person.pilot.press("minus")
        await until(person.pilot, lambda: search.chosen)
        chosen = search.chosen
        assert chosen is not None
        await person.do("On the map")
        assert lab(app).chosen == chosen.options
        assert chosen.facts.changes is not None
        assert chosen.facts.changes >= 0.5
        assert before is not None


async def test_the_cursor_stays_at_the_best_until_it_is_moved(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.ui.screens.find_rules.find", lambda *args, **how: ())
    options = find_game("sequence-duel").Options
    good, better, best = (Found(options(size=size), Facts(first=0.5), worth=size / 10) for size in (7, 8, 9))
    async with opened(3) as person:
        await person.do("Find")
        search = person.app.screen
        assert isinstance(search, FindRulesScreen)
        await until(person.pilot, lambda: "0 of 0" in text_of(person.app))
        search.progress = Progress(3, 9, (better, good))
        search.show()
        assert search.chosen == better
        search.progress = Progress(4, 9, (best, better, good))
        search.show()
        assert search.chosen == best
        await person.pilot.press("down")
        await until(person.pilot, lambda: "sequence-duel:size=8 " in text_of(person.app))
        search.progress = Progress(5, 9, (best, good, better))
        search.show()
        assert search.chosen == better
        near = replace(good, misses=("length",), facts=Facts(first=0.5, length=47.0))
        search.progress = Progress(1374, 1374, (near,), over=True)
        search.show()
        note = "1,374 of 1,374 looked at. None passes: these come nearest."
        await until(person.pilot, lambda: note in text_of(person.app))
        assert "47 turns" in text_of(person.app)


async def test_escape_keeps_what_was_found_and_then_leaves(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = Flag()

    def search_on(game: Any, told: Callable[[Progress], None], stop: Stop, **_: Any) -> tuple[Found, ...]:
        told(Progress(314, 1374, (Found(game.Options(size=9), Facts(first=0.5), worth=0.5),)))
        while not stop.asked:
            stopped.wait(0.01)
        stopped.set()
        raise Stopped

    monkeypatch.setattr("duelbox.ui.screens.find_rules.find", search_on)
    monkeypatch.setattr("duelbox.ui.screens.find_rules.BETWEEN", -1.0)
    async with opened(3) as person:
        await person.do("Find")
        await until(person.pilot, lambda: "314 of 1,374" in text_of(person.app))
        await person.do("Keep what is there")
        await until(person.pilot, stopped.is_set)
        await until(person.pilot, lambda: "314 of 1,374 looked at." in text_of(person.app))
        assert "sequence-duel:size=9 " in text_of(person.app)
        await person.do("Map")
        assert isinstance(person.app.screen, RulesMapScreen)


async def test_what_takes_long_is_worked_out_on_when_asked_for(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.ui.screens.rules_map.LIMIT", 0.0)
    monkeypatch.setattr("duelbox.ui.screens.rules_map.facts_on_maps", lambda game: {})
    async with opened(3) as person:
        app = person.app
        await until(person.pilot, lambda: shown(app, 9, False) == "?" == shown(app, 10, False))
        await person.do("Play")
        await until(person.pilot, lambda: shown(app, 9, False) == "●")
        assert shown(app, 10, False) == "?", "it alone"
        await person.do("Play")
        assert table(app).table.options.texts() == {"size": "9"}


async def test_a_guest_has_a_map_by_its_options(installed: Callable[..., None], make_app: MakeApp) -> None:
    installed(WHOLE)
    app = make_app("two-heaps")
    async with app.run_test() as pilot:
        await pilot.press("n", "f3")
        game, map_ = find_game("two-heaps"), lab(app).map
        assert {map_.x.key, map_.y.key} <= {*game.Options.model_fields} - {"seed"}
        await until(pilot, lambda: shown(app, map_.x.values[0], map_.y.values[0]) in ("●", "◆"))
        start = game.start(map_.setting(0, 0))
        assert (shown(app, map_.x.values[0], map_.y.values[0]) == "●") == (analyse(game, start).verdict == "win")


async def test_a_game_without_a_solver_has_no_map(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.ui.navigation.solver_of", no_solver)
    app = make_app()
    async with app.run_test() as pilot:
        await pilot.press("n", "f3")
        assert isinstance(app.screen, NewGameScreen)
        assert [toast.message for toast in app._notifications] == ["There is no solver for circle-duel."]


def no_solver(game_id: str) -> None:
    raise NoSolver("There is no solver for circle-duel.")


@pytest.mark.parametrize("preset", ["two-trails", "leap"])
async def test_the_map_of_a_preset_opens_drawn(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, preset: str) -> None:
    monkeypatch.setattr(RulesMapScreen, "_work", lambda screen, cache: None)
    game = find_game("circle-duel")
    rules = next(one.options for one in game.PRESETS if one.id == preset)
    app = make_app(last={"circle-duel": LastUsed(options=rules.texts())})
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("n", "f3")
        await until(pilot, lambda: isinstance(app.screen, RulesMapScreen))
        map_ = lab(app).map
        cells = {(x, y): shown(app, x, y) for x in map_.x.values[:20] for y in map_.y.values[:8]}
        assert "…" not in cells.values()
        assert (cells[4, 5], cells[14, 1]) == ("", "●")


async def test_a_preset_on_the_map_has_the_figures_of_its_card_and_unknown_signs_are_told(make_app: MakeApp) -> None:
    game = find_game("circle-duel")
    rules = next(one.options for one in game.PRESETS if one.id == "two-trails")
    app = make_app(last={"circle-duel": LastUsed(options=rules.texts())})
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "f3")
        await until(pilot, lambda: isinstance(app.screen, RulesMapScreen) and "[●]" in text_of(app))
        seen = " ".join(text_of(app).split())
        assert "With best play the first player wins all 100 deals" in seen.replace(" │ │ ", " ")
        assert "… not worked out yet" in seen
        for key in ("+- Rule", "g Investigate"):
            assert key in seen, "there is room in the line of keys"


async def test_rules_from_the_map_say_so_and_the_preset_comes_back_with_one_key(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "f3", "down", "escape")
        form = app.screen
        assert isinstance(form, NewGameScreen)
        assert form.filled.value("preset") == "house rules"
        await until(pilot, lambda: "Your own, from the map. ← takes Two Trails again." in text_of(app))
        await until(pilot, lambda: "Best play" in text_of(app))
        rows = "\n".join(rows_of(app))
        for row in ("You", "Opponent", "Level", "Ask", "Rounds", "Best play"):
            assert row in rows, "all rows of the form are seen at once"
        await pilot.press("question_mark")
        await until(pilot, lambda: "two gaps" in " ".join(text_of(app).split()))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is form)
        await pilot.press("left")
        assert form.filled.value("preset") == "two-trails"
        await pilot.press("right")
        assert form.filled.value("preset") == "long-trails", "rules of one's own are the last again"
        await pilot.press("question_mark")
        await until(pilot, lambda: re.search(r"\? .*Long Trails ─", text_of(app)))


@pytest.mark.parametrize(
    ("size", "named"),
    [
        ((60, 20), ("w Laws", "g Investigate")),
        ((80, 24), ("1 2 Axes", "+- Rule", "/ Find", "w Laws", "g Investigate")),
    ],
)
async def test_the_foot_of_the_map_names_its_laws(
    size: tuple[int, int], named: tuple[str, ...], make_app: MakeApp
) -> None:
    app = make_app(None, delay=0, last=LAST)
    async with app.run_test(size=size) as pilot:
        await pilot.press("n", "f3")
        foot = rows_of(app)[-1]
        assert [text for text in ("Play", *named, "^p Menu", "esc Form") if text not in foot] == []


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_after_ten_games_the_form_names_the_key_of_the_map(size: tuple[int, int], make_app: MakeApp) -> None:
    app = make_app()
    for day in range(10):
        app.store.import_text(record_of("sequence-duel:size=5/3.1.5", ("Ann", "Bo"), day=day))
    async with app.run_test(size=size) as pilot:
        await pilot.press("n")
        foot = rows_of(app)[-1]
        assert [text for text in ("Start", "F3 Map", "^p Menu", "esc Back") if text not in foot] == []


async def test_before_ten_games_the_key_of_the_map_works_without_a_name(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        assert "F3 Map" not in text_of(app)
        await pilot.press("f3")
        assert isinstance(app.screen, RulesMapScreen)
