"""The words about a friend elsewhere who is away."""

from __future__ import annotations

import asyncio
import re
import time
from io import StringIO

import pytest

from duelbox.core.model import SEATS
from duelbox.friends.journal import journals
from duelbox.plain.console import Console
from duelbox.plain.line_elsewhere import LineElsewhere
from duelbox.relay.server import serving
from tests.relay.clients import GENEROUS
from tests.table.elsewhere import Stores, go_on, pair_up, until


async def test_a_friend_away_for_days_is_told_with_the_day(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(limits=GENEROUS) as relay:
        ann, bob = await pair_up(stores, "sequence-duel", relay=relay.address)
        await bob.leave()
        await until(lambda: not ann.here, ann)
        left = time.time()
        told = []
        for hours in (0, 12, 4 * 24):
            with monkeypatch.context() as later:
                later.setattr("time.time", lambda hours=hours: left + hours * 3600)
                told.append(ann.presence)
        clock = r"Player [12] has been away since [0-9]{2}:[0-9]{2}\."
        assert re.fullmatch(clock, told[0])
        assert told[1] == told[0]
        assert re.fullmatch(clock.replace("since", "since [0-9]{2} [A-Z][a-z]{2},"), told[2])
        await ann.leave()


async def test_the_time_away_is_told_beside_the_name_of_a_friend_who_is_away_and_no_other(stores: Stores) -> None:
    async with serving(limits=GENEROUS) as relay:
        ann, bob = await pair_up(stores, "sequence-duel", relay=relay.address)
        await until(lambda: ann.here, ann, bob)
        assert [ann.away(seat) for seat in SEATS] == ["", ""]
        await bob.leave()
        await until(lambda: not ann.here, ann)
        beside = {seat: ann.away(seat) for seat in SEATS}
        assert beside.pop(ann.people[0]) == ""
        assert all(text.startswith("away") for text in beside.values())
        await ann.leave()


async def test_in_lines_a_friend_who_goes_and_comes_back_is_told_both_times(stores: Stores) -> None:
    async with serving(limits=GENEROUS) as relay:
        ann, bob = await pair_up(stores, "sequence-duel", relay=relay.address)
        told = StringIO()
        lines = LineElsewhere(Console(None, told), ann, "Ann")
        await bob.leave()
        await until(lambda: not ann.here, ann)
        lines.tell_presence()
        away = told.getvalue()
        assert re.fullmatch(r".* has been away since [0-9:]+\.\n", away)
        bob = await go_on(stores[1], journals(stores[1].folders)[0])
        await until(lambda: ann.here, ann, bob)
        lines.tell_presence()
        assert re.fullmatch(r".* is (here|thinking)\.\n", told.getvalue().removeprefix(away))
        await asyncio.gather(ann.leave(), bob.leave())
