"""A match with a friend elsewhere; the friend is a table without a screen on the same relay."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.friends import claims
from duelbox.friends.lobby import WaitingTable
from duelbox.friends.messages import PHRASES
from duelbox.relay.server import serving
from duelbox.store.settings import LastUsed
from duelbox.store.store import Store
from duelbox.table.players import lacks_name
from duelbox.table.remote import RemoteTable
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.ask_names import AskNameScreen
from duelbox.ui.screens.elsewhere_screen import ElsewhereScreen, MeetScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.screens.remote_table import PhrasesScreen, RemoteScreen
from duelbox.ui.screens.review_screen import ReviewScreen
from duelbox.ui.widgets.form import Form
from tests.table.elsewhere import friend_at, heard, host, join
from tests.ui.conftest import SEEN_SECONDS, MakeApp
from tests.ui.person import SIZES, table, text_of, until

WITH_A_FRIEND = (ElsewhereScreen, MeetScreen, RemoteScreen, PhrasesScreen)


@pytest.fixture
def friends_store(tmp_path: Path):
    with Store.open(tmp_path / "friend") as store:
        yield store


@asynccontextmanager
async def relay() -> AsyncIterator[str]:
    async with serving("127.0.0.1:0", None) as one:
        yield one.address


async def friend_sits_down(app: DuelboxApp, store: Store, address: str, *, lesson: bool = False) -> RemoteTable:
    """Let the friend join the table at which the screen waits."""
    screen = app.screen
    assert isinstance(screen, MeetScreen)
    friend = await join(store, screen._code, address)
    friend.accept("Bo", lesson=lesson)
    return friend


async def hosted(pilot: Pilot[Any], address: str) -> None:
    """Open a table for a friend, by keys."""
    pilot.app.change_settings(relay=address)
    await pilot.press("o", "up", "right", "enter")
    assert isinstance(pilot.app.screen, NewGameScreen)
    await pilot.press("enter")
    if isinstance(pilot.app.screen, AskNameScreen):  # only before the first friend
        await pilot.press("escape")
    await until(pilot, lambda: "Read this code to your friend" in text_of(pilot.app))


def card_of(app: Any) -> str:
    """The text on the screen as one line; a sentence may have wrapped inside the frame of a card."""
    return " ".join(text_of(app).replace("│", " ").split())


async def at_table(pilot: Pilot[Any]) -> RemoteScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, RemoteScreen))
    found = table(pilot.app)
    assert isinstance(found, RemoteScreen)
    return found


async def joined(pilot: Pilot[Any], waiting: WaitingTable, address: str) -> tuple[RemoteScreen, RemoteTable]:
    """Sit down at a friend's table, by keys; returns the table and the friend at it."""
    pilot.app.change_settings(relay=address)
    coming = asyncio.create_task(friend_at(waiting))
    await pilot.press("o", *str(waiting.code), "enter")
    await until(pilot, lambda: "invites you" in text_of(pilot.app) and "Decline" in text_of(pilot.app))
    friend = await coming
    await pilot.press("enter")
    found = await at_table(pilot)
    await until(pilot, lambda: friend.ready)
    return found, friend


async def test_a_name_is_asked_for_once_before_hosting_and_kept(make_app: MakeApp, friends_store: Store) -> None:
    app = make_app(game="sequence-duel")
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        app.change_settings(relay=address)
        await pilot.press("o", "up", "right", "enter", "enter")
        assert isinstance(app.screen, AskNameScreen)
        assert "Your friend reads this name. You are asked only once" in card_of(app)
        await pilot.press(*"You", "enter")
        assert "Everybody is You on their own screen." in card_of(app)
        await pilot.press(*["backspace"] * 3, *"Ann", "enter")
        await until(pilot, lambda: "Read this code to your friend" in text_of(app))
        assert app.settings.names == ("Ann", "Player 2")
        friend = await friend_sits_down(app, friends_store, address)
        await at_table(pilot)
        await until(pilot, lambda: friend.ready)
        assert friend.side.ledger.terms.players == ("Ann", "Bo")
        await friend.leave()


async def test_a_name_is_asked_for_once_before_joining_and_may_be_declined(
    make_app: MakeApp, friends_store: Store
) -> None:
    app = make_app()
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        app.change_settings(relay=address)
        waiting = await host(friends_store, "sequence-duel", "Bo", relay=address)
        coming = asyncio.create_task(friend_at(waiting))
        await pilot.press("o", *str(waiting.code), "enter")
        assert isinstance(app.screen, AskNameScreen)
        await pilot.press("escape")
        await until(pilot, lambda: "invites you" in text_of(app))
        friend = await coming
        await until(pilot, lambda: not lacks_name(app.store, "Player 1"))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ElsewhereScreen))
        assert app.settings.names == ("Player 1", "Player 2")
        await pilot.press("enter")
        assert not isinstance(app.screen, AskNameScreen)
        await friend.leave()


async def test_a_match_is_hosted_played_asked_for_again_and_looked_at(
    make_app: MakeApp, friends_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SEEN_SECONDS, 0.0)
    app = make_app(game="digit-chain", last={"digit-chain": LastUsed()}, names=("Ann", "Cy"))
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        await hosted(pilot, address)
        friend = await friend_sits_down(app, friends_store, address)
        screen = await at_table(pilot)
        await until(pilot, lambda: friend.ready)
        if friend.my_turn:
            await until(pilot, lambda: "Bo is" in text_of(app))
            friend.play("10")
        else:
            await pilot.press(*"10", "enter")
        await until(pilot, lambda: screen.session.outcome is not None and screen.table.saved_as)
        await until(pilot, lambda: "↵ ask for a rematch" in text_of(app))
        assert screen.session.code() == friend.session.code() == "digit-chain/10"
        await until(pilot, lambda: friend.over)
        friend.propose("rematch")
        await until(pilot, lambda: "Bo asks for a rematch." in text_of(app))
        await pilot.press("a")
        await until(pilot, lambda: screen.session.outcome is None)
        await until(pilot, lambda: not friend.over)
        assert screen.session.plies == ()
        await friend.leave()
    assert friends_store.count() == app.store.count() == 1


async def test_moves_of_a_friend_come_by_themselves(
    make_app: MakeApp, friends_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(names=("Ann", "Cy"))
    rung: list[bool] = []
    monkeypatch.setattr(app, "bell", lambda: rung.append(True))
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        waiting = await host(friends_store, "sequence-duel", "Bo", relay=address)
        screen, friend = await joined(pilot, waiting, address)
        if not friend.my_turn:
            await pilot.press(*"10", "enter")
            await until(pilot, lambda: friend.my_turn)
        rung.clear()
        friend.play("5")
        await until(pilot, lambda: "Bo claims 5: 4 and 6 are closed to you." in text_of(app))
        assert text_of(app).count("claims 5") == 1
        assert rung
        friend.say(2)
        await until(pilot, lambda: "Bo: Nice move!" in text_of(app))
        await until(pilot, lambda: "your move" in text_of(app).lower())
        for key in ("h", "v"):
            await pilot.press(key)
            await until(pilot, lambda: "you did not agree to a lesson" in " ".join(text_of(app).split()))
        # a key press meant for something else does not answer a question that has just come
        friend.propose("undo")
        await until(pilot, lambda: "Bo asks to undo their last move." in text_of(app))
        screen.state.offer_since = (screen.table.offered, screen.state.offer_since[1] + 1000)
        await pilot.press("z")
        assert friend.side.ledger.offers
        screen.state.offer_since = (screen.table.offered, 0.0)
        await pilot.press("z")
        await until(pilot, lambda: not friend.side.ledger.offers)
        await friend.leave()
        await until(pilot, lambda: "Bo is away" in text_of(app) or "your move" in text_of(app).lower())


async def test_a_phrase_and_a_pause_are_said_by_their_numbers(make_app: MakeApp, friends_store: Store) -> None:
    app = make_app(names=("Ann", "Cy"))
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        waiting = await host(friends_store, "sequence-duel", "Bo", relay=address)
        _, friend = await joined(pilot, waiting, address)
        await pilot.press("b", "2")
        assert (await heard(friend, news.Said)).text == PHRASES[1]
        await pilot.press("b", str(len(PHRASES) + 1))
        offered = await heard(friend, news.Offered)
        assert friend.session.named(friend.asked) == "Ann asks to go on another time."
        friend.answer(offered.offer.id, yes=True)
        await until(pilot, lambda: "agreed to go on another time" in text_of(app))
        await friend.leave()


async def test_a_match_is_left_and_gone_on_with_from_home(make_app: MakeApp, friends_store: Store) -> None:
    app = make_app(names=("Ann", "Cy"))
    async with relay() as address, app.run_test(size=(60, 20)) as pilot:
        waiting = await host(friends_store, "sequence-duel", "Bo", relay=address)
        _, friend = await joined(pilot, waiting, address)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await until(pilot, lambda: re.search("o Your move against Bo|o Bo is to move", text_of(app)))
        await pilot.press("i")
        await until(pilot, lambda: "Elsewhere: Sequence Duel against Bo, " in text_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await until(pilot, lambda: not friend.here)
        if friend.my_turn:
            friend.play("7")
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, ElsewhereScreen))
        assert "go on: Sequence Duel against Bo" in text_of(app)
        await pilot.press("enter")
        screen = await at_table(pilot)
        await until(pilot, lambda: screen.table.my_turn)
        await friend.leave()


async def test_a_match_whose_host_was_the_relay_and_never_comes_back_can_be_forgotten(
    make_app: MakeApp, friends_store: Store
) -> None:
    app = make_app(names=("Ann", "Cy"))
    async with app.run_test(size=(80, 24)) as pilot:
        waiting = await host(friends_store, "sequence-duel", "Bo")
        _, friend = await joined(pilot, waiting, waiting.way.ticket.relay)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await friend.leave()
        await pilot.press("o")
        await until(pilot, lambda: "go on: Sequence Duel against Bo" in text_of(app))
        await pilot.press("delete")
        await until(pilot, lambda: "Press Del again" in text_of(app))
        await pilot.press("right", "left")
        await until(pilot, lambda: "The match goes on where it was" in text_of(app))
        await pilot.press("delete")
        await until(pilot, lambda: "Press Del again" in text_of(app))
        assert list(app.store.folders.data.glob("elsewhere.*"))
        await pilot.press("delete")
        await until(pilot, lambda: "go on: Sequence Duel" not in text_of(app))
        assert not list(app.store.folders.data.glob("elsewhere.*"))
        await pilot.press("delete")
        assert isinstance(app.screen, ElsewhereScreen)


async def test_the_friends_hidden_numbers_are_not_on_the_screen(make_app: MakeApp, friends_store: Store) -> None:
    app = make_app(names=("Ann", "Cy"))
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        waiting = await host(friends_store, "number-duel", "Bo", relay=address)
        screen, friend = await joined(pilot, waiting, address)
        seat, view = screen.table.seat, screen.state.view()
        assert view.mine == screen.session.state.hands[seat]
        assert view.faces[1 - seat] == (None,) * 5
        await until(pilot, lambda: text_of(app).count("╱╱╱╱╱╱╱") == 15)
        await friend.leave()


async def test_a_wrong_code_is_refused_in_words_and_tab_completes_one(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    warned: list[str] = []
    monkeypatch.setattr(app, "warn", warned.append)
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        app.change_settings(relay=address)
        await pilot.press("o", *"7843-lago", "tab", *"-hon", "tab", *"-zzz")
        assert "7843-lagoon-honey-zzz" in text_of(app)
        await pilot.press("enter")
        assert "'zzz' is not a word of codes" in " ".join(text_of(app).split())
        await pilot.press("backspace", "backspace", "backspace", *"berry", "enter")
        assert isinstance(app.screen, AskNameScreen)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ElsewhereScreen))
        assert "room" in " ".join(warned)
        assert "7843-lagoon-honey-berry" in text_of(app), "the code need not be typed again"


async def test_nobody_waits_after_the_table_is_given_up(make_app: MakeApp, friends_store: Store) -> None:
    app = make_app()
    async with relay() as address, app.run_test(size=(60, 20)) as pilot:
        await hosted(pilot, address)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, MeetScreen))
        assert not any(isinstance(screen, ReviewScreen | MeetScreen) for screen in app.screen_stack)


async def test_no_table_opens_for_who_leaves_in_the_moment_the_friend_sits_down(
    make_app: MakeApp, friends_store: Store
) -> None:
    app = make_app()
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        await hosted(pilot, address)
        screen, below = app.screen, app.screen_stack[:-1]
        assert isinstance(screen, MeetScreen)
        friend = await join(friends_store, screen._code, address)
        await until(pilot, lambda: screen._friend is not None)
        assert screen._friend
        screen.action_back()
        screen._friend.ready = True
        screen._friend.news.put_nowait(None)
        await until(pilot, lambda: not screen.is_running)
        assert app.screen_stack == below
        await until(pilot, lambda: friend.presence.startswith("Player 1 has been away"))
        await friend.leave()


@pytest.mark.parametrize("key", ["question_mark", "ctrl+p"])
async def test_help_that_is_read_while_a_friend_is_waited_for_gives_way_to_the_table(
    make_app: MakeApp, friends_store: Store, key: str
) -> None:
    app = make_app(names=("Ann", "Cy"))
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        await hosted(pilot, address)
        meeting = app.screen
        assert isinstance(meeting, MeetScreen)
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not meeting)
        friend = await join(friends_store, meeting._code, address)
        friend.accept("Bo")
        await at_table(pilot)
        assert meeting not in app.screen_stack
        await until(pilot, lambda: friend.ready)
        await friend.leave()


async def test_help_that_is_read_while_a_code_is_used_up_gives_way(
    make_app: MakeApp, friends_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.friends.pairing.GUESSES", 2)
    app = make_app()
    async with relay() as address, app.run_test(size=(80, 24)) as pilot:
        await hosted(pilot, address)
        meeting = app.screen
        assert isinstance(meeting, MeetScreen)
        await pilot.press("question_mark")
        await until(pilot, lambda: app.screen is not meeting)
        room = meeting._code.partition("-")[0]
        for code in (f"{room}-lagoon-honey-berry", f"{room}-acorn-acorn-acorn"):  # the first of a few wrong codes
            with pytest.raises(DuelboxError):
                await join(friends_store, code, address)
        await until(pilot, lambda: meeting not in app.screen_stack)


async def test_all_of_it_can_be_plain(make_app: MakeApp, friends_store: Store) -> None:
    app = make_app(names=("Ann", "Cy"), ascii=True)

    def is_plain(kind: type[Screen[Any]]) -> None:
        assert isinstance(app.screen, kind)
        shown = text_of(app)
        assert shown.strip()
        assert not {sign for sign in shown if not sign.isascii()} - {"\N{NO-BREAK SPACE}"}

    async with relay() as address, app.run_test(size=(60, 20)) as pilot:
        await pilot.press("o")
        is_plain(ElsewhereScreen)
        await pilot.press("escape")
        await hosted(pilot, address)
        is_plain(MeetScreen)
        friend = await friend_sits_down(app, friends_store, address)
        await at_table(pilot)
        await until(pilot, lambda: friend.ready and "Bo" in text_of(app))
        is_plain(RemoteScreen)
        await pilot.press("b")
        is_plain(PhrasesScreen)
        await friend.leave()


async def test_a_draw_is_agreed_on_and_a_game_claimed_from_who_is_away(
    make_app: MakeApp, friends_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SEEN_SECONDS, 0.0)
    app = make_app(names=("Ann", "Cy"))
    monkeypatch.setattr("duelbox.friends.connection._TICK", 0.05)
    async with relay() as address, app.run_test(size=(60, 20)) as pilot:
        waiting = await host(friends_store, "number-circle", "Bo", 2, relay=address)
        screen, friend = await joined(pilot, waiting, address)
        await pilot.press("k")
        await until(pilot, lambda: screen.state.said != "")
        assert "silent for 12 hours" in screen.state.said or screen.state.said == "It is your turn."
        friend.propose("draw")
        await until(pilot, lambda: "Bo offers a draw." in text_of(app))
        await pilot.press("a")
        await until(pilot, lambda: "Both players agreed on a draw." in card_of(app))
        await until(pilot, lambda: screen.table.shown_end)
        await pilot.press("enter")
        await until(pilot, lambda: screen.session.outcome is None)
        if screen.table.my_turn:
            await pilot.press(*"+2", "enter")
        await until(pilot, lambda: not (screen.table.my_turn or screen.table.side.moving))
        await friend.leave()
        await until(pilot, lambda: "Bo has been away since" in text_of(app))
        monkeypatch.setattr(claims, "AFTER", 0)
        monkeypatch.setattr(claims, "STANDS", 0)
        await pilot.press("k")
        await until(pilot, lambda: "k: claim the game" in text_of(app))
        await until(pilot, lambda: "Press k again to claim the game." in text_of(app))
        for _ in range(5):  # news from the relay between two presses cancels the first
            if screen.session.outcome is None:
                await pilot.press("k")
        await until(pilot, lambda: screen.table.over)
        assert screen.session.by == "claim"
        await until(pilot, lambda: "Bo was away for too long, and you claimed" in card_of(app))
        assert "Flawless" not in card_of(app), "a claim praises no play"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("length", [20, 160])
async def test_missing_libraries_are_told_before_a_code_is_typed(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], length: int
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.setattr(sys, "executable", "/home/".ljust(length, "x"))
    async with make_app().run_test(size=size) as pilot:
        await pilot.press("o")
        form, note = pilot.app.screen.query_one(Form), pilot.app.screen.query_one("#note").content_region
        rows = form.region
        for key in ("7", "up", "down"):
            lines = text_of(pilot.app).splitlines()
            words = "".join(line[note.x : note.right] for line in lines[note.y : note.bottom]).replace(" ", "")
            assert words.startswith("Playingwithafriendelsewheretakeslibrariesthatarenotinstalled.Toinstallthem:")
            assert sys.executable in words
            assert words.endswith('"duelbox[net]"') or ('"duelbox[net]@' in words and words.endswith('"'))
            assert (form.region, form.max_scroll_y) == (rows, 0), "the rows stand where they stood"
            await pilot.press(key)
