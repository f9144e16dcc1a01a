"""The form for a new game, by keys alone and by mouse alone, in a usual and in a small terminal."""

from __future__ import annotations

import re
from itertools import cycle
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from duelbox.bots import level_of, levels_of
from duelbox.core.game import Preset, preset_of
from duelbox.registry import find_game, game_ids
from duelbox.rules_lab.preset_facts import facts_on_file
from duelbox.solve.api import Stop
from duelbox.store.settings import PERSON, Config, LastUsed
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.new_game import NewGameScreen, RulesPreview
from duelbox.ui.screens.new_game_rows import HOUSE, kept_of
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.widgets.form import Form, Row
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import (
    SIZES,
    Acting,
    Keys,
    Person,
    click_on,
    rows_of,
    table,
    text_of,
    two_ways,
    until,
)

CLASSIC = {game_id: LastUsed() for game_id in game_ids()}
"""The choices of a player who has played the classic games against Peek."""


def preset_on(app: DuelboxApp) -> Preset[Any] | None:
    local = table(app).table
    return preset_of(local.game, local.options)


@two_ways
async def test_the_form_sets_up_what_it_says(acting: Acting) -> None:
    async with acting(delay=10_000, last=CLASSIC) as person:
        await person.do("New game")
        await person.change("Game")
        await person.change("Game")
        await person.change("You")
        await person.change("Rounds")
        await person.change("House rules", back=True)
        await person.change("Numbers in all")
        await person.change("Numbers in all", back=True)
        await person.change("Numbers in all", back=True)
        await person.change("Ends meet")
        await person.do("Start")
        play = table(person.app).table
        assert play.session.code() == "sequence-duel:size=19,ring=on"
        assert (play.match.rounds, play.match.first) == (3, 1)
        await person.do("Home")
        await person.open_card(3)
        again = table(person.app).table
        assert (again.session.code(), again.match.rounds, again.match.first) == ("sequence-duel:size=19,ring=on", 3, 1)


async def test_a_click_chooses_the_value_it_hits(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        form = app.screen.query_one(Form)
        for value, chosen in (("Leap", "leap"), ("Sequence", "sequence-duel"), ("second", "player-2")):
            await click_on(pilot, value)
            assert form.row is not None
            assert form.row.value == chosen


async def test_house_rules_begin_with_those_of_the_preset(acting: Acting) -> None:
    async with acting(last=CLASSIC) as person:
        await person.do("New game")
        form = person.app.screen.query_one(Form)
        presets = find_game("circle-duel").PRESETS
        await person.change("House rules")
        assert next(row.value for row in form.rows if row.key == "preset") == presets[1].id
        for _ in presets[1:]:
            await person.change("House rules")
        values = {row.key: row.value for row in form.rows}
        assert values["preset"] == HOUSE
        assert {**values, "option size": "16", "option gaps": "4"} == values, "those of the last preset"
        await person.change("House rules")
        await person.change("House rules")
        assert not any(row.key.startswith("option") for row in form.rows)
        await person.do("Start")
        assert preset_on(person.app) is presets[1]


def told(person: Person) -> str:
    """The text on the screen as one line."""
    return " ".join(text_of(person.app).split())


@pytest.mark.parametrize(("preset", "said"), [(0, "second always"), (1, "first in all 100 deals"), (2, "first 48%")])
async def test_the_card_shows_who_wins_with_best_play(acting: Acting, preset: int, said: str) -> None:
    async with acting(last=CLASSIC) as person:
        facts = [*facts_on_file(find_game("circle-duel")).values()][preset]
        await person.do("New game")
        for _ in range(preset):
            await person.change("House rules")
        await until(person.pilot, lambda: f"{said}" in told(person))
        row = next(row for row in rows_of(person.app) if "Best play" in row)
        full, empty = row.count("█"), row.count("░")
        assert abs(full / (full + empty) - (facts.first or 0)) < 1 / (full + empty)


async def test_other_rules_are_looked_at_as_they_are_chosen(acting: Acting) -> None:
    async with acting(last=CLASSIC) as person:
        await person.do("New game")
        await person.change("House rules", back=True)
        await person.change("Numbers in all")
        await until(person.pilot, lambda: "always wins" in told(person))
        assert "first always" in told(person)


async def test_two_computers_of_one_level_are_told_apart_and_sit_down_again(acting: Acting) -> None:
    async with acting(delay=3000, last=CLASSIC) as person:
        await person.do("New game")
        await person.change("Opponent", back=True)
        await person.do("Start")
        seated = table(person.app).table.players
        assert [(who.name, who.level) for who in seated] == [("Peek", "peek"), ("Peek 2", "peek")]
        await person.do("Home")
        await person.open_card(1)
        assert table(person.app).table.players == seated


async def test_who_begins_and_whom_one_plays_is_kept(acting: Acting) -> None:
    async with acting(delay=3000, last=CLASSIC) as person:
        await person.do("New game")
        await person.change("You")
        await person.change("Level")
        await person.do("Start")
        local = table(person.app).table
        assert [who.level for who in local.players] == [None, "counter"]
        assert local.match.first == 1
        await person.do("Home")
        await person.open_card(1)
        again = table(person.app).table
        assert (again.players, again.match.first) == (local.players, 1)


def test_one_person_is_always_the_first_of_the_two() -> None:
    last = LastUsed(players=("dash", PERSON), first="player-1")
    kept_values = kept_of(last, ("Ann", "Bo"), find_game("circle-duel"))
    wanted = {"opponent": "computer", "first": "player-2", "level": "dash", "name1": "Bo", "name2": "Ann"}
    assert {**kept_values, **wanted} == kept_values


async def test_two_people_need_two_names(started: Started) -> None:
    async with started(names=("Ann", "Bo")) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).change("Opponent")
        await Keys(pilot).reach("Your friend")
        await pilot.press(*"ann", "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert "Both players cannot be called ann." in text_of(app)
        await pilot.press("end", "e", "enter")
        assert [who.name for who in table(app).table.players] == ["Ann", "anne"]
        assert app.settings.names == ("Ann", "anne")


@pytest.mark.parametrize(
    ("typed", "refused"), [("You", "Everybody is You"), ("A1", "looks like"), ("bot:3", "bot: or")]
)
async def test_odd_names_are_refused_in_the_form_and_saved_ones_stay(
    started: Started, typed: str, refused: str
) -> None:
    async with started(names=("Al", "run:x")) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).change("Opponent")
        await Keys(pilot).reach("Your friend")
        await pilot.press(*typed, "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert refused in " ".join(text_of(app).split())
        await pilot.press("end", *["backspace"] * len(typed), *"run:x", "enter")
        assert [who.name for who in table(app).table.players] == ["Al", "run:x"]


async def test_from_the_table_the_form_begins_with_what_is_on_it(acting: Acting) -> None:
    async with acting("sequence-duel:size=9/2", p1="Zoë", p2="bot:2", rounds=3, delay=3000) as person:
        await person.do("New")
        form = person.app.screen.query_one(Form)
        values = {row.key: row.value for row in form.rows}
        assert values["game"] == "sequence-duel"
        assert (values["opponent"], values["level"]) == ("computer", table_level(person.app))
        assert (values["rounds"], values["first"], values["option size"]) == ("3", "player-1", "9")
        await person.do("Back")
        assert table(person.app).session.code() == "sequence-duel:size=9/2"


def table_level(app: DuelboxApp) -> str | None:
    play = next(screen for screen in app.screen_stack if isinstance(screen, TableScreen)).table
    return play.players[1].level


async def test_a_new_game_can_be_taken_back(acting: Acting) -> None:
    async with acting("circle-duel/4", p1="Ann", p2="Bo") as person:
        before = table(person.app).session
        await person.do("New")
        await person.do("Start")
        assert table(person.app).session is not before
        await person.do("Undo")
        assert table(person.app).session is before


@pytest.mark.parametrize(
    ("label", "odd", "said", "right", "played"),
    [
        ("Rounds", ("", "0", "00"), "1 to 99", "7", ("circle-duel", 7)),
        ("Numbers in all", ("", "3", "31", "٣", "x"), "4 to 30", "12", ("circle-duel:size=12", 1)),
    ],
)
async def test_odd_numbers_are_refused_while_they_are_typed(
    started: Started, label: str, odd: tuple[str, ...], said: str, right: str, played: tuple[str, int]
) -> None:
    async with started(last=CLASSIC) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).change("House rules", back=True)
        await Keys(pilot).reach(label)
        for typed in odd:
            await pilot.press("ctrl+u", *typed, "enter")
            assert isinstance(app.screen, NewGameScreen)
            assert said in text_of(app)
        await pilot.press("ctrl+u", *right, "enter")
        local = table(app).table
        assert (local.session.code(), local.match.rounds) == played


async def test_facts_that_come_between_a_wrong_key_and_its_refusal_are_not_shown(started: Started) -> None:
    async with started(last=CLASSIC) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).change("House rules", back=True)
        await Keys(pilot).reach("Numbers in all")
        await pilot.press("ctrl+u")
        app.screen.post_message(NewGameScreen.FactsKnown(Stop(), "Late facts."))
        await pilot.pause()
        assert "4 to 30" in text_of(app)
        assert "Late facts." not in text_of(app)


async def test_names_are_typed_and_odd_ones_refused(started: Started) -> None:
    async with started(last=CLASSIC) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).change("Opponent")
        await Keys(pilot).reach("Your name")
        await pilot.press("backspace", "enter")
        assert isinstance(app.screen, NewGameScreen)
        await pilot.press(*"Zoë s?", "enter")
        assert table(app).table.players[0].name == "Zoë s?"
        assert Config.load(app.config.path.parent).settings.names[0] == "Zoë s?"


TYPED = (
    ("Rounds", "5", "5"),
    ("Rounds", "1 2", "12"),
    ("Rounds", "end 2", "12"),
    ("Rounds", "7 backspace 8", "8"),
    ("Rounds", "right 9", "9"),
    ("Rounds", "7 down up 5", "5"),
    ("Longest step", "2", "2"),
    ("Longest step", "2 3", "3"),
)
"""A row, the keys pressed in it, and its fault then."""


class FormAlone(TerminalApp):
    ROWS = (
        Row("rounds", "Rounds", "1", numbers=range(1, 100)),
        Row("reach", "Longest step", "1", numbers=range(1, 4)),
    )

    def compose(self) -> ComposeResult:
        yield Form()


async def test_what_is_typed_first_takes_the_place_of_what_was_there() -> None:
    app = FormAlone()
    async with app.run_test(size=(80, 24)) as pilot:
        form = app.query_one(Form)
        form.focus()
        for label, keys, value in TYPED:
            form.rows = app.ROWS
            at = [row.label for row in form.rows].index(label)
            form.at = (at + 1) % len(form.rows)
            form.at = at
            await pilot.press(*keys.split())
            assert form.rows[at].value == value, (label, keys)


WRONG = (
    ("Longest step", "backspace", "takes a number from 1 to 3."),
    ("Numbers in all", "3", "from 4 to 30, not '3'."),
    ("Number of gaps", "9", "at most half the ring"),
    ("Rounds", "0", "1 to 99 rounds"),
    ("Your name", "backspace", "at least one character"),
)


async def test_enter_on_a_wrong_value_goes_there_and_says_why(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    app = make_app(names=("Ann", "Cy"), last=CLASSIC)
    async with app.run_test(size=(80, 24)) as pilot:
        for label, keys, why in WRONG:
            monkeypatch.setattr(app, "bell", lambda label=label: rung.append(label))
            await pilot.press("n")
            await Keys(pilot).change("House rules", back=True)
            await Keys(pilot).change("Opponent")
            await Keys(pilot).reach(label)
            await pilot.press(*keys.split())
            assert why in " ".join(text_of(app).split())
            await Keys(pilot).reach("Game")
            assert not app.screen.query_one("#card").has_class("-refused")
            await pilot.press("enter")
            form = app.screen.query_one(Form)
            assert form.row.label.strip() == label
            assert app.screen.query_one("#card").has_class("-refused")
            await pilot.press("escape")
        assert rung == [label for label, _, _ in WRONG]


async def test_levels_are_told_by_their_strength(started: Started) -> None:
    async with started(last=CLASSIC) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).reach("Level")
        for size in ((80, 24), (100, 24), (120, 40)):
            await pilot.resize_terminal(*size)
            told = text_of(app).replace("‹", " ").replace("›", " ")
            assert re.search(r"1 Dash +2 Peek +3 Counter +4 Planner +5 Oracle +Sparring", told)


async def test_all_rows_stay_in_sight_when_the_window_grows_or_shrinks(started: Started) -> None:
    async with started(size=(80, 24), last=CLASSIC) as (app, pilot):
        await pilot.press("n")
        form = app.screen.query_one(Form)
        for height in (26, 24, 30):
            await pilot.resize_terminal(80, height)
            await until(pilot, lambda: form.size.height == form.virtual_size.height == len(form._lines()))


@pytest.mark.parametrize("game_id", game_ids())
async def test_the_sentence_about_a_level_is_never_cut(started: Started, game_id: str) -> None:
    async with started(size=(60, 20)) as (app, pilot):
        await pilot.press("n")
        await pilot.press(*["right"] * game_ids().index(game_id))
        await Keys(pilot).reach("Level")
        for size in ((60, 20), (80, 24), (120, 40)):
            await pilot.resize_terminal(*size)
            for _ in levels_of(game_id):
                await pilot.press("right")
                level = level_of(game_id, app.screen.query_one(Form).row.value)
                assert level is not None
                note = app.screen.query_one("#note", Static)
                assert str(note.content) == level.line
                assert len(Content(level.line).wrap(note.content_size.width)) <= note.content_size.height


@pytest.mark.parametrize(("game_id", "size"), zip(game_ids(), cycle(((120, 40), (100, 32))), strict=False))
async def test_every_game_can_be_set_up_with_its_board_beside_where_there_is_room(
    started: Started, game_id: str, size: tuple[int, int]
) -> None:
    async with started(game=game_id, size=size) as (app, pilot):
        await pilot.press("n")
        shown = set()
        for _ in find_game(game_id).PRESETS:
            assert app.screen.query_one(RulesPreview).region.height > 8
            assert app.screen.query_one(Form).region.height >= len(app.screen.query_one(Form).rows)
            shown.add(str(app.screen.query_one(RulesPreview).render()))
            await Keys(pilot).change("House rules")
        assert all(picture.strip() for picture in shown)
        assert len(shown) > 1 or game_id in ("number-duel", "number-circle", "digit-chain")
        await pilot.press("enter")
        assert preset_on(app) is not None


async def test_forms_name_the_keys_they_take(started: Started) -> None:
    for size in SIZES:
        async with started(size=size) as (app, pilot):
            for key, label in (("n", "Your name"), ("s", "Player 1's name")):
                await pilot.press(key)
                foot = rows_of(app)[-1]
                for named in ("↑↓ Row", "←→ Change", "esc Back", "↵"):
                    assert named in foot
                if key == "n":
                    await Keys(pilot).change("Opponent")
                await Keys(pilot).reach(label)
                row = app.screen.query_one(Form).row
                assert row.typed
                assert "Change" not in rows_of(app)[-1]
                assert "Type a name" in text_of(app)
                await pilot.press("escape")


async def test_a_preset_of_the_game_before_is_no_preset_of_this_one(started: Started) -> None:
    async with started(last=CLASSIC) as (app, pilot):
        await pilot.press("n")
        form = app.screen.query_one(Form)
        game, preset = (next(row for row in form.rows if row.key == key) for key in ("game", "preset"))
        # Two keys at once: both changes are on their way before the form handles the first.
        form.change(game.moved(1))
        form.change(preset.moved(1))
        await pilot.pause()
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.game.INFO.id == game_ids()[1]
        assert isinstance(app.screen.filled.options(), find_game(game_ids()[1]).Options)


async def test_a_pace_is_asked_for_between_two_people_alone_and_stays(acting: Acting) -> None:
    async with acting() as person:
        await person.do("New game")
        assert "pace" not in [row.key for row in person.app.screen.query_one(Form).rows]
        await person.change("Opponent")
        await person.change("Pace")
        await person.do("Start")
        assert person.app.settings.pace == "30"
        assert "0:00 of 0:30" in text_of(person.app)


async def test_a_coach_is_asked_for_in_the_form_and_stays(acting: Acting) -> None:
    async with acting(delay=3000) as person:
        await person.do("New game")
        await person.change("Ask")
        await person.do("Start")
        assert person.app.settings.coach
        await person.do("New")
        form = person.app.screen.query_one(Form)
        assert next(row.value for row in form.rows if row.key == "coach") == "on"


async def test_a_large_window_has_a_large_board_beside_facts_in_one_row_each(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("n")
        await until(pilot, lambda: any("changes hands" in row and "times a game" in row for row in rows_of(app)))
        assert app.screen.query_one(RulesPreview).size.area > 1300, "more than a quarter of the window"
