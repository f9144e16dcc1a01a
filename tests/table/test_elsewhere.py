"""A match with a friend elsewhere over a real relay: met, played, left, resumed and saved."""

from __future__ import annotations

import asyncio
import json
import random
import re
import stat
from itertools import product
from pathlib import Path
from socket import socket

import pytest

from duelbox.cli import main
from duelbox.core import news
from duelbox.core.code import format_code
from duelbox.core.errors import DuelboxError
from duelbox.friends import claims, embedded_relay
from duelbox.friends.client import RelayRoom
from duelbox.friends.join_code import code_words
from duelbox.friends.journal import MatchJournal, journals, look
from duelbox.friends.unfinished import Away, away, forget
from duelbox.registry import games
from duelbox.relay.address import free_port, relay_at
from duelbox.relay.server import serving
from duelbox.relay.wire import RoomRefused
from duelbox.store import journal as store_journal
from duelbox.store.store import Store
from tests.effort import SHARE
from tests.relay.clients import GENEROUS
from tests.table.elsewhere import Stores, friend_at, go_on, heard, host, join, pair_up, play_out, two, until

PRESETS = [format_code(game, preset.options, ()) for game in games() for preset in game.PRESETS]
SAMPLE = PRESETS if SHARE == 1 else [*PRESETS[::6], "number-duel:arrange=chosen"]


@pytest.mark.parametrize("code", SAMPLE)
async def test_a_match_ends_in_one_record_in_both_histories(tmp_path: Path, code: str) -> None:
    async with two(tmp_path, code, rounds=2) as (ann, bob):
        await play_out(ann, bob, random.Random(code))
        kept = [one.store.export(one.saved_as) for one in (ann, bob)]
        assert kept[0] == kept[1]
        assert [who["name"] for who in json.loads(kept[0])["players"]] == ["Ann", "Bob"]
        assert ann.score.points(0) == bob.score.points(0)
        assert len(ann.rounds) == len(bob.rounds) == 2
    assert not list(tmp_path.glob("*/elsewhere.*"))


async def test_one_player_hosts_two_matches_at_once(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        tables = [await host(store, "circle-duel", "Ann") for _ in range(2)]
        assert len({table.address for table in tables}) == 2
        for table in tables:
            await table.close()


async def test_both_go_on_another_day_without_a_code(stores: Stores) -> None:
    ann, bob = await pair_up(stores, "number-duel:hand=7")
    mover = ann if ann.my_turn else bob
    mover.play(mover.game.format_move(mover.session.legal_moves()[3]))
    await until(lambda: len(ann.session.plies) == len(bob.session.plies) == 1, ann, bob)
    told = [one.session.log() for one in (ann, bob)]
    await bob.leave()
    await ann.leave()
    one, two = away(stores[0])[0], away(stores[1])[0]
    assert {one.sentence, two.sentence} == {
        f"against {'Bob' if mover is bob else 'Ann'}, their move",
        f"against {'Ann' if mover is bob else 'Bob'}, your move",
    } or one.my_move != two.my_move
    assert one.title == "Number Duel"
    ann = await go_on(stores[0], one.path)
    bob = await go_on(stores[1], two.path)
    assert [one.session.log() for one in (ann, bob)] == told
    await until(lambda: ann.here and bob.here, ann, bob)
    await play_out(ann, bob, random.Random(2))
    assert stores[0].export(ann.saved_as) == stores[1].export(bob.saved_as)
    await asyncio.gather(ann.leave(), bob.leave())


async def test_a_move_made_while_the_friend_is_away_waits_for_them(stores: Stores) -> None:
    async with serving(limits=GENEROUS) as relay:
        ann, bob = await pair_up(stores, "sequence-duel", relay=relay.address)
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        at = 1 if mover is ann else 0
        await other.leave()
        await until(lambda: not mover.here, mover)
        assert "has been away since" in mover.presence
        mover.play("7")
        await until(lambda: len(mover.session.plies) == 1, mover)
        await mover.leave()
        other = await go_on(stores[at], away(stores[at])[0].path)
        await until(lambda: other.my_turn, other)
        assert [text for _, text in other.session.log()] == ["7"]
        await other.leave()


async def test_a_long_code_is_pasted_instead_of_read_out(tmp_path: Path, stores: Stores) -> None:
    async with serving(limits=GENEROUS) as relay:
        waiting = await host(stores[0], "circle-duel", "Ann", relay=relay.address, paste=True)
        assert len(waiting.code.secret) == 26
        friend = asyncio.create_task(friend_at(waiting))
        bob = await join(stores[1], str(waiting.code).upper(), relay.address)
        ann = await friend
        assert bob.invitation.name == "Ann"
        bob.decline()
        assert (await heard(ann, news.Declined)).why == "declined"
        await asyncio.gather(ann.leave(), bob.leave())
        assert not list(tmp_path.glob("*/elsewhere.*"))


async def test_a_wrong_code_is_turned_away_and_the_right_one_comes_in_at_once(stores: Stores) -> None:
    store, _ = stores
    async with serving(limits=GENEROUS) as relay:
        waiting = await host(store, "sequence-duel", "Ann", relay=relay.address)
        told: list[str] = []
        waiting.tell = told.append
        friend = asyncio.create_task(friend_at(waiting))
        wrong = f"{waiting.code.room}-acorn-acorn-acorn"
        for count in range(1, 4):
            with pytest.raises(RoomRefused, match="That is not the code"):
                await join(store, wrong, relay.address)
            assert len(told) == count
        bob = await join(stores[1], str(waiting.code), relay.address)
        ann = await friend
        with pytest.raises(DuelboxError, match="has both its players"):
            await join(store, str(waiting.code), relay.address)
        await asyncio.gather(ann.leave(), bob.leave())


async def test_a_match_can_be_forgotten_without_the_friend_and_its_rounds_that_are_over_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stores: Stores
) -> None:
    async with serving(limits=GENEROUS) as relay:
        ann, bob = await pair_up(stores, "sequence-duel", 2, relay=relay.address)
        (ann if ann.my_turn else bob).propose("resign")
        await until(lambda: ann.shown_end and bob.shown_end, ann, bob)
        with pytest.raises(DuelboxError, match="open in another terminal"):
            forget(stores[1], away(stores[1])[0].path)
        await asyncio.gather(ann.leave(), bob.leave())
    monkeypatch.setenv("DUELBOX_HOME", str(stores[1].folders.data))
    for arguments, status, told in (
        ([], 0, r"1  Sequence Duel against Ann, .*\nTo forget one"),
        (["2"], 2, "1 matches wait, and none has the number 2"),
        (["1"], 0, "Forgotten: Sequence Duel against Ann"),
        ([], 0, "No match waits"),
        (["1"], 2, "No matches wait"),
    ):
        assert await asyncio.to_thread(main, ["join", "--forget", *arguments]) == status
        assert re.search(told, "".join(capsys.readouterr()))
    assert not list(stores[1].folders.data.glob("elsewhere.*"))
    (saved,) = stores[1].history()
    assert saved.over


async def test_keys_lie_on_disk_for_their_owner_alone_and_go_with_the_match(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        (path,) = (tmp_path / "ann").glob("elsewhere.*")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert '"key":"' in path.read_text()
        with pytest.raises(DuelboxError, match="open in another terminal"):
            MatchJournal.open(path)
        await play_out(ann, bob, random.Random(1))
    assert not path.exists()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(28, "No space left on device"), r".* cannot be kept: No space left"),
        (RuntimeError("can't start new thread"), r"A fault .*thread.* waits"),
    ],
)
async def test_a_move_that_cannot_be_kept_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        for one in (ann, bob):
            while not one.news.empty():
                one.news.get_nowait()

        def full(lines: object) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(mover._live.journal._lines, "add", full)
            mover.play("7")
            told = await asyncio.wait_for(mover.news.get(), 60)
        assert isinstance(told, news.Halted)
        assert re.match(sentence, told.sentence)
        mover.say(1)
        await asyncio.sleep(0.2)
        assert not other.session.plies
        assert other.news.empty()


async def test_a_match_that_the_saved_games_do_not_take_is_kept_until_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(text: str) -> str:
        raise DuelboxError("The disk is full.")

    async with two(tmp_path, "sequence-duel") as (ann, bob):
        monkeypatch.setattr(ann.store, "import_text", full)
        (ann if ann.my_turn else bob).propose("resign")
        await until(lambda: ann.over and bob.over, ann, bob)
    (path,) = tmp_path.glob("*/elsewhere.*")
    with Store.open(tmp_path / "ann") as store:
        assert store.count() == 0
        again = await go_on(store, path)
        assert again.over
        assert again.saved_as
        await again.leave()
        assert store.count() == 1
    assert not path.exists()


async def test_a_match_that_is_stopped_stays_where_it_is_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(journal: store_journal.Journal, lines: object) -> None:
        raise OSError(28, "No space left on device")

    async with two(tmp_path, "sequence-duel") as (ann, bob):
        ann._send(ann.side._stop, "A card was false.")
        await until(lambda: bob.side.stopped is not None, ann, bob)
        monkeypatch.setattr(store_journal.Journal, "add", full)
    left = list(tmp_path.glob("*/elsewhere.*"))
    assert len(left) == 2
    assert not any(path.name.endswith(".stopped.jsonl") for path in left)


async def test_a_fault_in_the_background_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(who: object, message: object, time: int) -> None:
        raise KeyError("something")

    async with two(tmp_path, "sequence-duel") as (ann, bob):
        monkeypatch.setattr(ann.side, "apply", fault)
        bob.say(1)
        told = await heard(ann, news.Halted)
        assert told.sentence == ann.presence
        assert "KeyError('something')" in told.sentence


async def test_a_round_that_ended_behind_another_is_not_shown_in_the_rematch(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel", rounds=2) as (ann, bob):
        ann.propose("resign")
        await until(lambda: ann.shown_end and bob.shown_end, ann, bob)
        bob.next_round()
        bob.propose("resign")
        await until(lambda: ann.over and bob.over, ann, bob)
        bob.propose("rematch")
        await until(lambda: ann.offered is not None, ann, bob)
        ann.answer(ann.offered.id, yes=True)
        await until(lambda: ann.my_turn or bob.my_turn, ann, bob)
        ann.propose("resign")
        await until(lambda: ann.shown_end, ann, bob)
        ann.next_round()
        assert not ann.shown_end
        assert ann.session.outcome is None


@pytest.mark.parametrize("away", [0, 0.1], ids=["at hand", "far away"])
async def test_nothing_is_left_of_a_match_that_cannot_be_played(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, away: float
) -> None:
    """The host is told, too, even at a distant relay."""
    append = RelayRoom.append

    async def later(room: RelayRoom, n: int, body: bytes) -> int:
        await asyncio.sleep(away)
        return await append(room, n, body)

    monkeypatch.setattr(RelayRoom, "append", later)
    async with serving(path=None, limits=GENEROUS) as own:
        waiting = await host(stores[0], "sequence-duel", "Ann", relay=own.address)
        waiting.hello = waiting.hello.changed(rules="0" * 64)
        friend = asyncio.create_task(friend_at(waiting))
        with pytest.raises(DuelboxError, match="The rules of this game differ"):
            await join(stores[1], str(waiting.code), own.address)
        assert journals(stores[1].folders) == []
        ann = await friend
        await until(lambda: ann.side.ledger.stage == "refused", ann)
        await ann.leave()


async def test_a_match_goes_on_where_another_of_the_same_host_is_the_relay_by_now(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_relay, "PORT", free_port())
    ann, bob = await pair_up(stores, "sequence-duel")
    first = ann._live.journal.path, bob._live.journal.path
    await asyncio.gather(ann.leave(), bob.leave())
    ann, bob = await pair_up(stores, "sequence-duel")
    assert ann._live.journal.way.listen == look(first[0])[0].listen
    again = await go_on(stores[0], first[0]), await go_on(stores[1], first[1])
    await until(lambda: all(one.here for one in (ann, bob, *again)), ann, bob, *again)
    await asyncio.gather(*(one.leave() for one in (*again, ann, bob)))


async def test_what_is_assumed_is_told_to_nobody(tmp_path: Path) -> None:
    async with two(tmp_path, "number-duel") as (ann, bob):
        mover = ann if ann.my_turn else bob
        mover.play("3x2")
        await until(lambda: len(ann.session.plies) == len(bob.session.plies) == 1, ann, bob)
        for one, other in ((ann, bob), (bob, ann)):
            assert not one.store.history()
            with pytest.raises(DuelboxError, match="both hands"):
                one.session.public_code()
            assert one.session.view(one.seat).faces == other.session.view(other.seat).faces


async def test_a_game_with_both_hands_told_cannot_be_hosted(stores: Stores) -> None:
    store, _ = stores
    with pytest.raises(DuelboxError, match="tells both hands"):
        await host(store, "number-duel:deal=31524-51234", "Ann", relay="ws://127.0.0.1:9")
    with pytest.raises(DuelboxError, match="the game is over"):
        await host(store, "circle-duel:size=4/1.2.3.4", "Ann", relay="ws://127.0.0.1:9")


@pytest.mark.parametrize(
    ("text", "relay"),
    [
        ("192.168.1.5", "ws://192.168.1.5:8765"),
        ("host.example.org:99", "ws://host.example.org:99"),
        ("[::1]:7", "ws://[::1]:7"),
        ("wss://relay.example.org", "wss://relay.example.org"),
    ],
)
def test_an_address_is_read(text: str, relay: str) -> None:
    assert relay_at(text) == relay


@pytest.mark.parametrize("text", ["a b", "x:99999999", "\x1b[2J", "a/b"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(DuelboxError, match="is no address"):
        relay_at(text)


async def test_a_game_that_was_claimed_is_kept_and_waits_to_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "AFTER", 0)
    monkeypatch.setattr(claims, "STANDS", 0)
    monkeypatch.setattr("duelbox.friends.connection._TICK", 0.05)
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        one, gone = (ann, bob) if bob.my_turn else (bob, ann)
        await gone.leave()
        one.propose("claim")
        await until(lambda: one.over, one)
        assert one.session.by == "claim"
        assert one.saved_as is not None
        assert journals(one.store.folders) if one.store else None  # until a lasting relay has all of it
        told = Away(Path(), "sequence-duel", "Sequence Duel", "Bob", my_move=False, over=True)
        assert told.sentence == "against Bob, they have not seen the end"
        for rival, over, mine, kept in product(("", "x" * 24), *[(False, True)] * 3):
            told = Away(Path(), "number-circle", "Number Circle Duel", rival, my_move=mine, over=over, kept=kept)
            assert len(f" {told.news}: press o ") <= 60, "home has no more room"


@pytest.mark.parametrize("taken", [False, True], ids=["its port is free", "its port is taken"])
async def test_the_file_of_an_own_relay_goes_when_no_match_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: bool
) -> None:
    with Store.open(tmp_path) as store, socket() as other:
        other.bind(("", 0))
        if taken:
            other.listen()
            monkeypatch.setattr(embedded_relay, "PORT", other.getsockname()[1])
        waiting = await host(store, "circle-duel", "Ann")
        assert list(tmp_path.glob("relay.*.db"))
        await waiting.close()
        assert not list(tmp_path.glob("relay.*"))


async def test_a_hosted_match_is_its_own_relay_when_that_of_another_process_ends(stores: Stores) -> None:
    ann, bob = await pair_up(stores, "sequence-duel")
    listen = ann._live.journal.way.listen
    await asyncio.gather(ann.leave(), bob.leave())
    async with embedded_relay.relaying(stores[0], listen):  # the other process
        ann = await go_on(stores[0], away(stores[0])[0].path)
        await until(lambda: ann._connection.connected, ann)
    bob = await go_on(stores[1], away(stores[1])[0].path)
    await until(lambda: ann.here and bob.here, ann, bob)
    await asyncio.gather(ann.leave(), bob.leave())
    assert list(stores[0].folders.data.glob("relay.*.db"))


@pytest.mark.parametrize("killed", [0, 1], ids=["the host", "the guest"])
async def test_nothing_of_a_finished_match_stays_on_disk_once_duelbox_was_started_again(
    stores: Stores, killed: int
) -> None:
    ann, bob = sides = await pair_up(stores, "sequence-duel:size=5")
    await play_out(ann, bob, random.Random(1))
    one = sides[killed]
    await until(lambda: one._live.agreed, *sides)
    one._running.cancel()  # as if the process were killed
    await one._connection.stop()
    one._live.journal.close()
    await one._live.resources.aclose()
    await sides[1 - killed].leave()
    assert journals(stores[killed].folders)
    assert away(stores[killed]) == ()
    assert not [*stores[killed].folders.data.glob("elsewhere.*"), *stores[killed].folders.data.glob("relay.*")]
    assert stores[killed].count() == 1


async def test_home_tells_whose_move_it_is_in_a_match_elsewhere(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        for mine, theirs, move in ((mover, other, "7"), (other, mover, "")):
            name = mine.session.names[theirs.seat]
            assert [one.sentence for one in away(mine.store)] == [f"against {name}, your move"]
            assert [one.news for one in away(mine.store)] == [f"Your move against {name}"]
            name = mine.session.names[mine.seat]
            assert [one.sentence for one in away(theirs.store)] == [f"against {name}, their move"]
            assert [one.news for one in away(theirs.store)] == [f"{name} is to move"]
            if move:
                mover.play(move)
                await until(lambda: other.my_turn and not mover.my_turn and not mover.side.moving, ann, bob)


async def test_leaving_does_not_wait_for_a_friend_who_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.friends.live_match._FAREWELL", 3600)
    async with two(tmp_path, "sequence-duel:size=5") as (ann, bob):
        await bob.leave()
        await until(lambda: not ann.here, ann)
        if ann.my_turn:
            ann.propose("resign")
            await until(lambda: ann.over, ann)
        async with asyncio.timeout(60):
            await ann.leave()


async def test_both_can_compare_four_words_made_of_the_key(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel:size=5") as (ann, bob):
        assert ann.side.verifier == bob.side.verifier
        assert len(ann.side.verifier.split()) == 4
        assert set(ann.side.verifier.split()) <= set(code_words())
