"""Watchers of a match elsewhere over a real relay: many, late, returning, and one too many."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.core.offer import Offer
from duelbox.friends.channel import Keys
from duelbox.friends.client import RelayRoom, connect
from duelbox.friends.unfinished import away
from duelbox.friends.watch_key import read_watch_key
from duelbox.relay.server import serving
from duelbox.relay.wire import RoomRefused, Ticket
from duelbox.table.remote import RemoteTable
from tests.relay.clients import GENEROUS
from tests.table.elsewhere import Stores, friend_at, go_on, host, join, pair_up, play_out, until, watch
from tests.table.elsewhere import two as two_players

MOST = 20


def two(folder: Path, code: str, rounds: int = 1, relay: str = ""):
    return two_players(folder, code, rounds, relay=relay, watched=True)


def move(one: RemoteTable) -> None:
    one.play(one.game.format_move(one.session.legal_moves()[0]))


def sees(one: RemoteTable) -> object:
    return one.session.view(None), one.session.names, [who.name for who in one.players]


async def test_two_watch_a_match_from_its_first_move_to_the_last_of_its_rematch(tmp_path: Path) -> None:
    async with two(tmp_path, "number-duel:hand=3", rounds=2) as (ann, bob):
        watchers = [await watch(ann.watch), await watch(bob.watch)]
        everybody = (ann, bob, *watchers)
        for _ in range(2):
            await play_out(ann, bob, random.Random(1))
            await until(lambda: all(one.over for one in watchers), *everybody)
            assert {one.session.code() for one in everybody} == {ann.session.code()}
            assert all(one.score.points(0) == ann.score.points(0) for one in watchers)
            ann.propose("rematch")
            await until(lambda: bob.offered is not None, *everybody)
            bob.answer(bob.offered.id, yes=True)
            await until(lambda: all(one.session.outcome is None for one in everybody), *everybody)
        assert {one.watched for one in everybody} == {"2 watching"}
        await asyncio.gather(*(one.leave() for one in watchers))
        await until(lambda: ann.watched == bob.watched == "0 watching", ann, bob)


async def test_watchers_are_told_the_right_name_whoever_goes_first(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel", rounds=2) as (ann, bob):
        watcher = await watch(ann.watch)
        await until(lambda: watcher.ready, ann, bob, watcher)
        for number in range(2):
            for by, name in ((ann.me, "Ann"), (bob.me, "Bob")):
                assert watcher.session.named(watcher.sentence_of(news.Said(by, "Hello!"))) == f"{name}: Hello!"
                asked = watcher.sentence_of(news.Offered(Offer(1, by, "draw")))
                assert watcher.session.named(asked) == f"{name} offers a draw."
            if number == 0:
                ann.propose("resign")
                await until(lambda: watcher.shown_end, ann, bob, watcher)
                watcher.next_round()
        await watcher.leave()


async def test_a_watcher_comes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came = []

    async def counted(ticket: Ticket) -> RelayRoom:
        came.append(ticket)
        return await connect(ticket)

    async with two(tmp_path, "sequence-duel:size=7") as (ann, bob):
        monkeypatch.setattr("duelbox.friends.client.connect", counted)
        watcher = await watch(ann.watch)
        await play_out(ann, bob, random.Random(3))
        await until(lambda: watcher.over, watcher)
        assert [ticket.who for ticket in came] == ["watcher"]
        assert "Both are here." in watcher.presence
        await watcher.leave()


async def test_twenty_watch_and_one_more_is_told_that_it_is_full(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel:size=7") as (ann, bob):
        watchers = [await watch(ann.watch) for _ in range(MOST)]
        await until(lambda: ann.watched == "20 watching", ann, bob, *watchers)
        with pytest.raises(RoomRefused, match=r"Room \d+ has 20 watchers"):
            await watch(ann.watch)
        await play_out(ann, bob, random.Random(2))
        await until(lambda: all(one.over for one in watchers), *watchers)
        assert {one.session.code() for one in watchers} == {ann.session.code()}
        await watchers.pop().leave()
        await until(lambda: ann.watched == "19 watching", ann, bob)
        watchers.append(await watch(ann.watch))
        await asyncio.gather(*(one.leave() for one in watchers))


async def test_a_late_or_returning_watcher_sees_all_that_is_public(tmp_path: Path) -> None:
    async with two(tmp_path, "number-duel") as (ann, bob):
        early = await watch(ann.watch)
        for _ in range(4):
            move(ann if ann.my_turn else bob)
            await until(lambda: ann.my_turn or bob.my_turn, ann, bob)
        late = await watch(bob.watch)
        await until(lambda: len(early.session.plies) == len(late.session.plies) == 4, early, late)
        assert sees(early) == sees(late)
        await early.leave()
        move(ann if ann.my_turn else bob)
        again = await watch(ann.watch)
        await until(lambda: all(len(one.session.plies) == 5 for one in (ann, again, late)), ann, again, late)
        assert sees(again) == sees(late)
        assert ann.session.view(None) == again.session.view(None)
        await asyncio.gather(again.leave(), late.leave())


async def test_watchers_come_back_to_a_relay_that_was_started_again(tmp_path: Path, stores: Stores) -> None:
    async with serving(path=tmp_path / "relay.db", limits=GENEROUS) as relay:
        address = relay.address
        ann, bob = await pair_up(stores, "sequence-duel", relay=address, watched=True)
        watcher = await watch(ann.watch)
        await until(lambda: watcher.ready, ann, bob, watcher)
    await until(lambda: watcher.presence == "Not connected. Trying again.", ann, bob, watcher)
    async with serving(address.removeprefix("ws://"), tmp_path / "relay.db", limits=GENEROUS):
        await until(lambda: ann.my_turn or bob.my_turn, ann, bob)
        move(ann if ann.my_turn else bob)
        await until(lambda: len(watcher.session.plies) == 1, ann, bob, watcher)
        await until(lambda: ann.watched == bob.watched == "1 watching", ann, bob, watcher)
        await asyncio.gather(*(one.leave() for one in (ann, bob, watcher)))


async def test_a_watcher_can_do_nothing_and_the_relay_takes_nothing_from_one(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        watcher = await watch(ann.watch)
        await until(lambda: watcher.ready, ann, bob, watcher)
        deeds = [partial(watcher.propose, deed) for deed in ("resign", "claim", "rematch", "undo", "help")]
        for act in (lambda: watcher.play("5"), *deeds):
            with pytest.raises(DuelboxError, match=r"You only watch this match\."):
                act()
        assert (watcher.people, watcher.my_turn, watcher.offered, watcher.lesson) == ((), False, None, False)
        ticket = ann._live.journal.way.ticket
        entrance = Keys.of_watchers(read_watch_key(ann.watch.partition("@")[0]).secret).entrance
        for stolen in ("host", "guest"):
            with pytest.raises(RoomRefused, match="This is not a key to room"):
                await connect(ticket.changed(who=stolen, key=entrance))
        room = await connect(ticket.changed(who="watcher", key=entrance))
        with pytest.raises(RoomRefused, match="Watchers only watch"):
            await room.append(1, b"a word in a mouth")
        await room.close()
        await watcher.leave()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda key: f"{key[:-1]}{'0' if key[-1] != '0' else '1'}", r"This is not a key to room \d+\."),
        (lambda key: key[1:], "the code of a player"),
        (lambda key: "w9999999-" + key.rpartition("-")[2], "There is no room 9999999"),
        (lambda key: "nonsense", "A key for watchers looks like"),
    ],
)
async def test_a_wrong_key_is_refused_in_a_sentence(tmp_path: Path, change, sentence: str) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, _):
        key, _, address = ann.watch.partition("@")
        with pytest.raises(DuelboxError, match=sentence):
            await watch(f"{change(key)}@{address}")


async def test_nobody_watches_where_the_host_has_not_asked_for_it(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (watched, _):
        secret = watched.watch.partition("@")[0].partition("-")[2]
        async with two_players(tmp_path / "b", "sequence-duel") as (ann, bob):
            ticket = ann._live.journal.way.ticket
            assert ann.watch == bob.watch == ann.watched == bob.watched == ""
            with pytest.raises(RoomRefused, match="its host has not asked for that"):
                await watch(f"w{ticket.room}-{secret}@{ticket.relay}")


async def test_the_guest_knows_before_they_sit_down_and_watchers_may_come_first(stores: Stores) -> None:
    async with serving(limits=GENEROUS) as relay:
        waiting = await host(stores[0], "number-duel", "Ann", relay=relay.address, watch=True)
        coming = asyncio.create_task(watch(waiting.watch))
        friend = asyncio.create_task(friend_at(waiting))
        bob = await join(stores[1], f"{waiting.code}", relay.address)
        ann, watcher = await friend, await coming
        assert "Others may watch." in bob.invited
        await until(lambda: watcher.presence == "The two have not sat down yet.", watcher)
        bob.accept("Bob")
        await until(lambda: watcher.ready, ann, bob, watcher)
        turn = watcher.session.turn
        assert watcher.presence == f"Player {(turn or 0) + 1} is thinking."
        away_is = watcher.match.player_in(turn or 0)
        await (ann, bob)[away_is].leave()
        await until(lambda: watcher.presence == f"Player {(turn or 0) + 1} is away.", watcher)
        await (ann, bob)[1 - away_is].leave()
        await until(lambda: watcher.presence == "Both are away.", watcher)
        again = await go_on(stores[0], away(stores[0])[0].path)
        assert again.watch == waiting.watch  # the key belongs to the match, not to a program
        await again.leave()
        await watcher.leave()
