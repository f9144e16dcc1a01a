"""A host whose process was the room is gone, or another relay answers at its address: the guest's match goes on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from duelbox.cli import main
from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.friends import claims, client, connection, embedded_relay
from duelbox.friends.client import RelayRoom
from duelbox.friends.journal import journals, look
from duelbox.friends.journal_notes import Put
from duelbox.friends.unfinished import away
from duelbox.relay.address import free_port
from duelbox.relay.server import serving
from duelbox.relay.wire import Entry, Presence, Ticket
from duelbox.store.store import Store
from duelbox.store.unconfirmed import unconfirmed
from duelbox.table.remote import RemoteTable
from tests.relay.clients import GENEROUS
from tests.table.elsewhere import Stores, go_on, heard, pair_up, play_out, two_stores, until, watch

STARTS = 40
THERE_IS_NO_ROOM = "Not connected: the room is not there. Trying again."


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with two_stores(tmp_path) as both:
        yield both


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> int:
    """The port at which the next host is the relay."""
    monkeypatch.setattr(connection, "_LATEST", 0.2)
    found = free_port()
    monkeypatch.setattr(embedded_relay, "PORT", found)
    return found


@asynccontextmanager
async def of_somebody_else(port: int) -> AsyncIterator[None]:
    """The relay of another host, at the same address."""
    async with serving(f"127.0.0.1:{port}", limits=replace(GENEROUS, open_to_all=False)):
        yield


def unsent(path: Path) -> list[str]:
    """The messages in a journal that are not known to be in the room."""
    notes = look(path)[1]
    put = [note for note in notes if isinstance(note, Put)]
    heard = sum(note.t == "heard" and note.mine for note in notes)
    return [note.text for note in put[heard:]]


async def test_somebody_else_s_host_at_the_same_address_ends_no_match_and_adds_to_no_outbox(
    stores: Stores, port: int
) -> None:
    ann, bob = await pair_up(stores, "sequence-duel")
    await asyncio.gather(ann.leave(), bob.leave())
    (path,) = journals(stores[1].folders)
    async with of_somebody_else(port):
        for _ in range(STARTS):
            bob = await go_on(stores[1], path)
            await until(lambda bob=bob: bob._connection.no_room, bob)
            assert bob.presence == THERE_IS_NO_ROOM
            assert not bob.over
            await bob.leave()
    assert len(unsent(path)) == 1
    ann, bob = await go_on(stores[0], journals(stores[0].folders)[0]), await go_on(stores[1], path)
    await play_out(ann, bob, random.Random(1))
    assert stores[0].export(ann.saved_as) == stores[1].export(bob.saved_as)
    await asyncio.gather(ann.leave(), bob.leave())


def on_this_machine(host: RemoteTable) -> str:
    """The key for watchers of a match whose host is the relay."""
    return f"{host.watch.partition('@')[0]}@127.0.0.1:{host._live.journal.way.listen.rpartition(':')[2]}"


async def test_watchers_wait_for_the_room_while_somebody_else_has_its_address(stores: Stores, port: int) -> None:
    ann, bob = await pair_up(stores, "sequence-duel", watched=True)
    watcher = await watch(on_this_machine(ann))
    await asyncio.gather(ann.leave(), bob.leave())
    async with of_somebody_else(port):
        await until(lambda: watcher._connection.no_room, watcher)
        assert watcher.presence == THERE_IS_NO_ROOM
    ann = await go_on(stores[0], journals(stores[0].folders)[0])
    await until(lambda: watcher.trouble is None, ann, watcher)
    await asyncio.gather(ann.leave(), watcher.leave())


async def test_a_host_comes_back_although_somebody_else_has_the_port(stores: Stores, port: int) -> None:
    ann, bob = await pair_up(stores, "sequence-duel")
    await asyncio.gather(ann.leave(), bob.leave())
    async with of_somebody_else(port):
        ann = await go_on(stores[0], journals(stores[0].folders)[0])
        await until(lambda: ann._connection.trouble != "", ann)
        assert ann.presence.startswith("Not connected")
    bob = await go_on(stores[1], journals(stores[1].folders)[0])
    await until(lambda: ann.here and bob.here, ann, bob)
    await asyncio.gather(ann.leave(), bob.leave())


@pytest.mark.parametrize("tells", ["nothing", "another match"])
async def test_a_relay_that_shows_other_entries_is_told_nothing_and_believed_nothing(
    stores: Stores, port: int, monkeypatch: pytest.MonkeyPatch, tells: str
) -> None:
    ann, bob = await pair_up(stores, "sequence-duel")
    events, told = RelayRoom.events, list[int]()

    async def false(room: RelayRoom, since: int) -> AsyncIterator[Entry | Presence]:
        if room.ticket.who == "host":
            async for one in events(room, since):
                yield one
        yield Presence("host", True)
        if tells == "another match":
            for seq in range(since + 1, since + 9):
                yield Entry(seq, "host", seq, b"\4" + bytes(99), 1)
        await asyncio.Event().wait()

    async def noted(room: RelayRoom, n: int, body: bytes) -> int:
        told.append(n)
        return n

    monkeypatch.setattr(connection, "_PROOF_WITHIN", 0.05)
    await bob.leave()
    with monkeypatch.context() as patch:
        patch.setattr(RelayRoom, "events", false)
        patch.setattr(RelayRoom, "append", noted)
        bob = await go_on(stores[1], journals(stores[1].folders)[0])
        await until(lambda: bob._connection.no_room, bob)
        assert (bob.presence, bob.here, told) == (THERE_IS_NO_ROOM, False, [])
        assert bob.side.stopped is None
    await until(lambda: bob.here, ann, bob)
    await asyncio.gather(ann.leave(), bob.leave())


async def without_the_host(stores: Stores, code: str) -> RemoteTable:
    """The guest's table after the host and the room have gone, at the guest's turn."""
    while True:
        ann, bob = await pair_up(stores, code)
        if bob.my_turn:
            break
        ann.propose("resign")
        await until(lambda bob=bob: bob.over, ann, bob)
        await asyncio.gather(ann.leave(), bob.leave())
    await ann.leave()
    await until(lambda: bool(bob._connection.trouble), bob)
    return bob


async def test_a_move_made_without_the_room_is_answered_at_once_and_reaches_the_friend(
    stores: Stores, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bob = await without_the_host(stores, "sequence-duel")
    while not bob.news.empty():
        bob.news.get_nowait()
    bob.play("7")
    assert await asyncio.wait_for(bob.news.get(), 60) is None
    assert bob.session.named(bob.presence) == "Kept. It goes to Ann when they are back."
    told = "against Ann, your move is kept until they are back"
    assert away(stores[1])[0].sentence == told
    with monkeypatch.context() as patch:
        patch.setenv("DUELBOX_HOME", str(stores[1].folders.data))
        assert await asyncio.to_thread(main, ["history"]) == 0
    assert capsys.readouterr().out.startswith(f"elsewhere  Sequence Duel {told}\n")
    ann = await go_on(stores[0], journals(stores[0].folders)[0])
    await until(lambda: ann.my_turn, ann, bob)
    assert [text for _, text in ann.session.log()] == ["7"]
    await asyncio.gather(ann.leave(), bob.leave())


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """The guest's line to the room: while it is not set, nothing is heard of a connection that is tried."""
    whole = asyncio.Event()
    whole.set()
    really = client.connect

    async def connect(ticket: Ticket) -> RelayRoom:
        if ticket.who == "guest":
            await whole.wait()
        return await really(ticket)

    monkeypatch.setattr(client, "connect", connect)
    monkeypatch.setattr(connection, "_TICK", 0.05)
    monkeypatch.setattr(claims, "AFTER", 0)
    monkeypatch.setattr(claims, "STANDS", 0)
    return whole


async def cut_off(stores: Stores, line: asyncio.Event) -> tuple[RemoteTable, RemoteTable]:
    """A match at the guest's winning move, which is 3, after their line was cut."""
    while True:
        ann, bob = await pair_up(stores, "sequence-duel:size=5/1.5")
        if bob.my_turn:
            break
        ann.propose("resign")
        await until(lambda ann=ann, bob=bob: ann.over and bob.over, ann, bob)
        for one in (ann, bob):
            one.store.delete(one.saved_as)
        await asyncio.gather(ann.leave(), bob.leave())
    line.clear()
    await bob._connection._room.close()
    await until(lambda: not bob._connection.connected, bob)
    bob.play("3")
    await until(lambda: bob.over, bob)
    assert bob.session.named(bob.unconfirmed) == "Not confirmed by Ann yet."
    assert [one.match.winner for one in bob.store.history()] == [1]
    assert unconfirmed(bob.store) == {bob.saved_as: "Ann"}
    return ann, bob


def told_in_history(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """All that `duelbox history` says."""
    with monkeypatch.context() as patch:
        patch.setenv("DUELBOX_HOME", str(store.folders.data))
        assert main(["history"]) == 0
    return "".join(capsys.readouterr())


async def test_what_the_room_took_first_stands_and_the_history_says_what_changed(
    stores: Stores,
    port: int,
    line: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ann, bob = await cut_off(stores, line)
    ann.propose("claim")
    await until(lambda: ann.over, ann)
    line.set()
    told = await heard(bob, news.Withdrawn)
    sentence = "It went otherwise in the room: the end shown here does not count."
    assert bob.sentence_of(told) == sentence
    await until(lambda: bob.over and bob.unconfirmed == "", bob)
    assert (bob.session.by, bob.session.names[bob.session.outcome.winner]) == ("claim", "Ann")
    assert [[store.export(one.id) for one in store.history()] for store in stores] == [
        [stores[0].export(ann.saved_as)]
    ] * 2
    await asyncio.gather(ann.leave(), bob.leave())
    said = await asyncio.to_thread(told_in_history, stores[1], monkeypatch, capsys)
    assert f"Sequence Duel against Ann: {sentence}" in said
    assert "not confirmed" not in said


async def test_a_game_that_both_claimed_is_in_neither_history(
    stores: Stores,
    port: int,
    line: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    while True:
        ann, bob = await pair_up(stores, "sequence-duel", watched=True)
        if bob.my_turn:
            break
        await asyncio.gather(ann.leave(), bob.leave())
    watcher = await watch(on_this_machine(ann))
    line.clear()
    await bob._connection._room.close()
    await until(lambda: not bob._connection.connected, bob)
    bob.play("7")
    bob.propose("claim")
    await until(lambda: bob.over, bob)
    ann.propose("claim")
    await until(lambda: ann.over, ann)
    assert [[one.match.winner for one in store.history()] for store in stores] == [[0], [1]]
    line.set()
    for one in (ann, bob, watcher):
        told = await heard(one, news.Voided)
        assert one.sentence_of(told) == "Both claimed this game, so it counts for nobody."
    await until(lambda: not stores[0].count() and not stores[1].count(), ann, bob)
    assert not stores[0].statistics()
    await asyncio.gather(ann.leave(), bob.leave(), watcher.leave())
    for store, rival in zip(stores, ("Bob", "Ann"), strict=True):
        said = await asyncio.to_thread(told_in_history, store, monkeypatch, capsys)
        assert f"Sequence Duel against {rival}: Both claimed this game, so it counts for nobody." in said


async def test_a_round_that_only_one_side_saw_ends_again_when_the_room_is_back(
    stores: Stores, port: int, line: asyncio.Event
) -> None:
    while True:
        ann, bob = await pair_up(stores, "sequence-duel", 2)
        if bob.my_turn:
            break
        await asyncio.gather(ann.leave(), bob.leave())
    line.clear()
    await bob._connection._room.close()
    await until(lambda: not bob._connection.connected, bob)
    bob.play("7")
    bob.propose("claim")
    await until(lambda: bob.shown_end, bob)
    assert bob.session.named(bob.why_not("rematch")) == "Not confirmed by Ann yet."
    with pytest.raises(DuelboxError, match=r"The next round begins when .* is back\."):
        bob.next_round()
    line.set()
    await until(lambda: ann.shown_end and bob.unconfirmed == "", ann, bob)
    assert not bob.over, "the room has one round, and the second is open"
    for one in (ann, bob):
        one.next_round()
        assert one.session.outcome is None
        assert len(one.match.winners) == 1
    await until(lambda: ann.my_turn or bob.my_turn, ann, bob)
    await asyncio.gather(ann.leave(), bob.leave())


async def test_a_program_that_has_not_tried_to_reach_the_room_claims_nothing_without_it(
    stores: Stores, port: int, line: asyncio.Event
) -> None:
    while True:
        ann, bob = await pair_up(stores, "sequence-duel")
        await bob.leave()
        if ann.my_turn:
            break
        await ann.leave()
    line.clear()
    bob = await go_on(stores[1], journals(stores[1].folders)[0])
    bob.propose("claim")
    await asyncio.gather(*bob._posts)
    assert not bob.over
    assert not stores[1].count()
    line.set()
    await until(lambda: not bob.side.moving, ann, bob)
    await asyncio.gather(ann.leave(), bob.leave())
