"""New game, by keys alone and by mouse alone, in a usual and in a small terminal."""

from __future__ import annotations

import re
from itertools import cycle
from typing import Any

import pytest
from textual.app import ComposeResult

from duelbox.core.game import Preset, preset_of
from duelbox.registry import find_game, game_ids
from duelbox.solve.fact_cards import kept
from duelbox.store.settings import Config
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.new_game import NewGameScreen, Preview
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.widgets.form import Form, Row
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import (
    SIZES,
    Acting,
    Keys,
    Person,
    rows_of,
    table,
    text_of,
    two_ways,
    until,
)


def preset_on(app: DuelboxApp) -> Preset[Any] | None:
    sitting = table(app).sitting
    return preset_of(sitting.game, sitting.options)


@two_ways
async def test_the_form_sets_up_what_it_says(acting: Acting) -> None:
    async with acting(delay=10_000) as person:
        await person.do("New game")
        await person.change("Game")
        await person.change("Game")
        await person.change("Who starts")
        await person.change("Rounds")
        await person.change("Numbers in all")
        await person.change("Numbers in all", back=True)
        await person.change("Numbers in all", back=True)
        await person.change("Ends meet")
        await person.do("Play")
        play = table(person.app).sitting
        assert play.session.code() == "sequence-duel:size=19,ring=on"
        assert (play.match.rounds, play.match.first) == (2, 1)
        await person.do("Home")
        await person.open_card(3)
        again = table(person.app).sitting
        assert (again.session.code(), again.match.rounds, again.match.first) == ("sequence-duel:size=19,ring=on", 2, 1)


async def test_presets_and_house_rules_name_each_other(acting: Acting) -> None:
    async with acting() as person:
        await person.do("New game")
        form = person.app.screen.query_one(Form)
        game = find_game("circle-duel")
        values = {row.key: row.value for row in form.rows}
        assert values["preset"] == game.PRESETS[0].id
        await person.change("Numbers in all")
        assert next(row.shown for row in form.rows if row.key == "preset") == "House rules"
        await person.change("Numbers in all", back=True)
        assert next(row.value for row in form.rows if row.key == "preset") == game.PRESETS[0].id
        await person.change("Rules")
        await person.do("Play")
        assert preset_on(person.app) is game.PRESETS[1]


def told(person: Person) -> str:
    """All that is on the screen, as if on one line."""
    return " ".join(text_of(person.app).split())


async def test_the_fairness_card_is_honest_and_offers_better(acting: Acting) -> None:
    async with acting() as person:
        cards = kept(find_game("circle-duel"))
        await person.do("New game")
        await until(person.pilot, lambda: cards["classic"].sentence in told(person))
        assert "press f2" in told(person)
        await person.do("More to decide")
        await until(person.pilot, lambda: cards["two-trails"].sentence in told(person))
        assert "press f2" not in told(person)
        await person.do("Play")
        assert preset_on(person.app) is find_game("circle-duel").PRESETS[1]


async def test_other_rules_are_looked_at_as_they_are_chosen(acting: Acting) -> None:
    async with acting() as person:
        await person.do("New game")
        await person.change("Numbers in all")
        await until(person.pilot, lambda: "In none of 40 positions tried" in told(person))
        assert "press f2" in told(person)


async def test_better_rules_are_not_offered_where_there_are_none(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game("circle-duel")
    monkeypatch.setitem(vars(game), "PRESETS", game.PRESETS[:1])
    async with acting() as person:
        await person.do("New game")
        await until(person.pilot, lambda: kept(game)["classic"].sentence in told(person))
        assert "more to decide" not in told(person)


async def test_two_computers_of_one_level_are_told_apart_and_sit_down_again(acting: Acting) -> None:
    async with acting(delay=3000) as person:
        await person.do("New game")
        await person.change("Player 1")
        await person.change("Player 1")
        await person.do("Play")
        seated = table(person.app).sitting.players
        assert [(who.name, who.level) for who in seated] == [("Peek", "peek"), ("Peek 2", "peek")]
        await person.do("Home")
        await person.open_card(1)
        assert table(person.app).sitting.players == seated


async def test_who_sits_where_is_kept(acting: Acting) -> None:
    async with acting(delay=3000) as person:
        await person.do("New game")
        await person.change("Player 1")
        await person.change("Player 2", back=True)
        await person.change("Player 2", back=True)
        await person.do("Play")
        seated = table(person.app).sitting.players
        assert [(who.name, who.level) for who in seated] == [("Dash", "dash"), ("Player 2", None)]
        await person.do("Home")
        await person.open_card(1)
        assert table(person.app).sitting.players == seated


async def test_two_people_need_two_names(started: Started) -> None:
    async with started(names=("Ann", "Bo")) as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).change("Player 2", back=True)
        await Keys(pilot).change("Player 2", back=True)
        await Keys(pilot).reach("called")
        await pilot.press(*["backspace"] * 2, *"ann", "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert "Both players cannot be called ann." in text_of(app)
        await pilot.press("e", "enter")
        assert [who.name for who in table(app).sitting.players] == ["Ann", "anne"]
        assert app.settings.names == ("Ann", "anne")


@pytest.mark.parametrize(("seat", "kept"), [(1, ("bo", "Ann")), (2, ("Bo", "ann"))])
async def test_a_person_may_take_the_name_that_the_other_seat_had(
    started: Started, seat: int, kept: tuple[str, str]
) -> None:
    async with started(names=("Ann", "Bo")) as (app, pilot):
        person = Keys(pilot)
        await pilot.press("n")
        if seat == 2:
            await person.change("Player 1")
            await person.change("Player 2", back=True)
            await person.change("Player 2", back=True)
        await person.reach("called")
        await pilot.press(*["backspace"] * 3, *("bo" if seat == 1 else "ann"), "enter")
        assert table(app).sitting.players[seat - 1].name == kept[seat - 1]
        assert app.settings.names == kept
        assert Config.load(app.config.path.parent).settings.names == kept


async def test_better_rules_are_told_where_the_old_ones_were(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).reach("Rules")
        for preset in find_game("circle-duel").PRESETS[1:]:
            if preset.kind != "to play":
                continue
            await pilot.press("f2")
            assert preset.about in " ".join(text_of(app).split())


async def test_from_the_table_the_form_begins_with_what_is_on_it(acting: Acting) -> None:
    async with acting("sequence-duel:size=9/2", p1="Zoë", p2="bot:2", rounds=3, delay=3000) as person:
        await person.do("New")
        form = person.app.screen.query_one(Form)
        values = {row.key: row.value for row in form.rows}
        assert values["game"] == "sequence-duel"
        assert (values["p1"], values["name1"], values["p2"]) == ("person", "Zoë", table_level(person.app))
        assert (values["rounds"], values["first"], values["option size"]) == ("3", "player-1", "9")
        await person.do("Back")
        assert table(person.app).session.code() == "sequence-duel:size=9/2"


def table_level(app: DuelboxApp) -> str | None:
    play = next(screen for screen in app.screen_stack if isinstance(screen, TableScreen)).sitting
    return play.players[1].level


async def test_a_new_game_can_be_taken_back(acting: Acting) -> None:
    async with acting("circle-duel/4", p1="Ann", p2="Bo") as person:
        before = table(person.app).session
        await person.do("New")
        await person.do("Play")
        assert table(person.app).session is not before
        await person.do("Undo")
        assert table(person.app).session is before


@pytest.mark.parametrize(
    ("label", "odd", "said", "right", "played"),
    [
        ("Rounds", ("", "0", "00", "100", "9999999999"), "1 to 99", "7", ("circle-duel", 7)),
        ("Numbers in all", ("", "3", "31", "٣", "x"), "4 to 30", "12", ("circle-duel:size=12", 1)),
    ],
)
async def test_odd_numbers_are_refused_while_they_are_typed(
    started: Started, label: str, odd: tuple[str, ...], said: str, right: str, played: tuple[str, int]
) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).reach(label)
        for typed in odd:
            await pilot.press("ctrl+u", *typed, "enter")
            assert isinstance(app.screen, NewGameScreen)
            assert said in text_of(app)
        await pilot.press("ctrl+u", *right, "enter")
        sitting = table(app).sitting
        assert (sitting.session.code(), sitting.match.rounds) == played


async def test_names_are_typed_and_odd_ones_refused(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("n", "down", "down", *["backspace"] * 8, "enter")
        assert isinstance(app.screen, NewGameScreen)
        await pilot.press(*"Zoë s?", "enter")
        assert table(app).sitting.players[0].name == "Zoë s?"
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
    ("called", "B o", "Bo"),
    ("called", "backspace", "An"),
    ("called", "end a", "Anna"),
    ("called", "right e", "Anne"),
)
"""A row, what is pressed in it, and what it says then."""


class FormAlone(TerminalApp):
    ROWS = (
        Row("rounds", "Rounds", "1", numbers=range(1, 100)),
        Row("reach", "Longest step", "1", numbers=range(1, 4)),
        Row("name1", "called", "Ann", typed=True),
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
    ("called", "backspace backspace backspace", "at least one character"),
)


async def test_enter_on_a_wrong_value_goes_there_and_says_why(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    app = make_app(names=("Ann", "Cy"))
    async with app.run_test(size=(80, 24)) as pilot:
        for label, keys, why in WRONG:
            monkeypatch.setattr(app, "bell", lambda label=label: rung.append(label))
            await pilot.press("n")
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
    async with started() as (app, pilot):
        await pilot.press("n")
        await Keys(pilot).reach("Player 2")
        for size in ((80, 24), (100, 24), (120, 40)):
            await pilot.resize_terminal(*size)
            told = text_of(app).replace("‹", " ").replace("›", " ")
            assert re.search(r"person +Dash +Peek +Counter +Planner +Oracle +Sparring", told)
            assert "Peek, level 2 of 5:" in told


@pytest.mark.parametrize(("game_id", "size"), zip(game_ids(), cycle(((120, 40), (100, 32))), strict=False))
async def test_every_game_can_be_set_up_with_its_board_beside_where_there_is_room(
    started: Started, game_id: str, size: tuple[int, int]
) -> None:
    async with started(game=game_id, size=size) as (app, pilot):
        await pilot.press("n")
        shown = set()
        for _ in find_game(game_id).PRESETS:
            assert app.screen.query_one(Preview).region.height > 8
            assert app.screen.query_one(Form).region.height >= len(app.screen.query_one(Form).rows)
            shown.add(str(app.screen.query_one(Preview).render()))
            await pilot.press("f2")
        assert all(picture.strip() for picture in shown)
        assert len(shown) > 1 or game_id in ("number-duel", "number-circle", "digit-chain")
        await pilot.press("enter")
        assert preset_on(app) is not None


async def test_forms_name_the_keys_they_take(started: Started) -> None:
    for size in SIZES:
        async with started(size=size) as (app, pilot):
            for key, down in (("n", 2), ("s", 10)):
                await pilot.press(key)
                foot = rows_of(app)[-1]
                for named in ("↑↓ Row", "←→ Change", "esc Back", "↵"):
                    assert named in foot
                await pilot.press(*["down"] * down)
                row = app.screen.query_one(Form).row
                assert row.typed
                assert "Change" not in rows_of(app)[-1]
                assert "Type a name" in text_of(app)
                await pilot.press("escape")


async def test_a_preset_of_the_game_before_is_no_preset_of_this_one(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        form = app.screen.query_one(Form)
        game, preset = (next(row for row in form.rows if row.key == key) for key in ("game", "preset"))
        # Two keys at once: both changes are under way before one of them is heard of.
        form.change(game.moved(1))
        form.change(preset.moved(1))
        await pilot.pause()
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.game.INFO.id == game_ids()[1]
        assert app.screen.asked.options() == find_game(game_ids()[1]).Options()
