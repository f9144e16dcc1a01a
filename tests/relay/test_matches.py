"""Whole matches with the players at different relays, on NATS."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from duelbox.core.code import format_code
from duelbox.friends.client import open_room
from duelbox.registry import games
from tests.commands.test_relay import relay
from tests.effort import SHARE
from tests.plain.test_line_elsewhere import Program, play_on, records
from tests.relay.clients import GENEROUS
from tests.relay.conftest import serving_nats
from tests.table.elsewhere import pair_up, play_out, two_stores, until, watch

PRESETS = [format_code(game, preset.options, ()) for game in games() for preset in game.PRESETS]
TIMES = 250 // len(PRESETS) + 1 if SHARE == 1 else 1
SAMPLE = PRESETS if SHARE == 1 else PRESETS[::7]


@pytest.mark.parametrize("code", SAMPLE)
async def test_both_histories_hold_one_record(tmp_path: Path, nats_url: str, code: str) -> None:
    async with serving_nats(nats_url, GENEROUS) as one, serving_nats(nats_url, GENEROUS) as two:
        with two_stores(tmp_path) as stores:
            for number in range(TIMES):
                ann, bob = await pair_up(stores, code, relay=one.address, guests_relay=two.address)
                await play_out(ann, bob, random.Random(f"{code} {number}"))
                assert stores[0].export(ann.saved_as) == stores[1].export(bob.saved_as)
                await asyncio.gather(ann.leave(), bob.leave())


async def test_watchers_at_either_relay_see_one_match(tmp_path: Path, nats_url: str) -> None:
    async with serving_nats(nats_url, GENEROUS) as one, serving_nats(nats_url, GENEROUS) as two:
        with two_stores(tmp_path) as stores:
            meeting = {"relay": one.address, "guests_relay": two.address}
            ann, bob = await pair_up(stores, "number-duel:hand=3", 2, watched=True, **meeting)
            key = ann.watch.partition("@")[0]
            watchers = [await watch(f"{key}@{relay.address}") for relay in (one, two, one, two)]
            everybody = (ann, bob, *watchers)
            await until(lambda: {table.watched for table in everybody} == {"4 watching"}, *everybody)
            await play_out(ann, bob, random.Random(1))
            await until(lambda: all(table.over for table in watchers), *everybody)
            assert {table.session.code() for table in everybody} == {ann.session.code()}
            await asyncio.gather(*(table.leave() for table in watchers))
            await until(lambda: {ann.watched, bob.watched} == {"0 watching"}, ann, bob)
            await asyncio.gather(ann.leave(), bob.leave())


async def test_a_relay_before_nats_serves_as_any_other(nats_url: str) -> None:
    with relay("--nats", nats_url) as (_, address):
        await open_room(address)


@pytest.mark.skipif(SHARE > 1, reason="tried by --long: each of them starts four programs")
@pytest.mark.parametrize("code", PRESETS)
def test_four_processes_play_a_game_to_one_record(tmp_path: Path, nats_url: str, code: str) -> None:
    with relay("--nats", nats_url) as (_, one), relay("--nats", nats_url) as (_, two):
        ann = Program(tmp_path / "ann", "host", code, "--plain", "--name", "Ann", "--relay", one)
        spoken = ann.wait_for(r"^Code: (\d+-[a-z]+-[a-z]+-[a-z]+)\n")[1]
        bob = Program(tmp_path / "bob", "join", spoken, "--plain", "--name", "Bob", "--relay", two)
        try:
            bob.wait_for("Ann invites you to .*\n")
            bob.type("")
            play_on({"Ann": ann, "Bob": bob}, code)
            ann.type("")
            bob.type("")
            assert bob.end() == ann.end() == 0
        finally:
            ann.kill()
            bob.kill()
    first, second = records(tmp_path)
    assert first == second
