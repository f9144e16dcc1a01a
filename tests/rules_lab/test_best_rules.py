"""The search for the best house rules: in a fixed order, on all cores, with the nearest misses where none passes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from duelbox.registry import find_game
from duelbox.rules_lab import best_rules, pool
from duelbox.rules_lab.best_rules import Found, Progress, code_of, find, missed, time_left
from duelbox.rules_lab.facts import Facts, work_out
from duelbox.rules_lab.house_rules import HouseRule, house_rules
from duelbox.rules_lab.pool import Pool, processes, shared_work
from duelbox.solve.api import Stop, Stopped
from tests.command_line import run
from tests.guest_games import WHOLE

OWN_TRAILS = "circle-duel:reach=2,trails=own"


def quick(game: object, options: Any, layer: str, /, **_: object) -> Facts:
    """Facts about Number Duel that are made up: fair from hands of 5 on, alive from 3."""
    if layer == "first":
        return Facts(deals=1, first=options.hand / 14, draw=0.0)
    if layer == "one_rule":
        return Facts(one_rule=0.0)
    return Facts(changes=options.hand / 2, length=20.0)


def test_the_best_rules_come_best_first_and_the_search_ends_when_asked() -> None:
    game = find_game("number-duel")
    seen = list[Progress]()
    found = find(game, told=seen.append, work=quick)
    assert [one.worth for one in found] == sorted((one.worth for one in found), reverse=True)
    assert {one.options.hand for one in found} == {5, 6, 7}  # type: ignore[attr-defined]
    assert [one.done for one in seen] == [*range(len(seen) - 1), len(seen) - 2], "counted one by one"
    assert (seen[-1].found, seen[-1].total) == (found, seen[-1].done)
    assert [one.over for one in seen] == [False] * (len(seen) - 1) + [True]
    stop = Stop()
    stop.stop()
    with pytest.raises(Stopped):
        find(game, stop=stop, work=quick)


@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_finds_the_same(threads: int) -> None:
    game = find_game("number-duel")
    assert find(game, work=quick, threads=threads) == find(game, work=quick)


def test_a_fault_in_a_thread_ends_the_search() -> None:
    def broken(*_: object, **__: object) -> Facts:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        find(find_game("number-duel"), work=broken, threads=2)


@pytest.mark.parametrize(("changes", "length", "looked"), [(0.7, 20.0, False), (2.0, 46.0, False), (1.0, 40.0, True)])
def test_rules_far_from_a_bar_are_only_glanced_at(changes: float, length: float, looked: bool) -> None:
    asked = list[int]()

    def work(game: object, options: object, layer: str, /, deals: int, **_: object) -> Facts:
        if layer == "first":
            return Facts(deals=1, first=0.5, draw=0.0)
        if layer == "one_rule":
            return Facts(one_rule=0.0)
        asked.append(deals)
        return Facts(changes=changes, length=length)

    find(find_game("number-duel"), work=work)
    glances = asked.count(best_rules.GLANCE)
    assert glances > 0
    again = best_rules.BEST  # the nearest misses are looked at once more
    assert asked.count(best_rules.LOOKED) == looked * glances + again


# -- misses


def test_where_nothing_passes_the_nearest_come_with_the_bars_they_miss() -> None:
    def work(game: object, options: Any, layer: str, /, **_: object) -> Facts:
        if layer == "first":
            return Facts(deals=20, first=0.5, draw=0.0)
        if layer == "one_rule":
            return Facts(one_rule=options.gaps / 60)
        return Facts(changes=1.0, length=25.0 + options.gaps)

    found = find(find_game("digit-chain"), work=work)
    assert len(found) == best_rules.NEAR
    assert all(one.misses == ("alive",) for one in found[:3])
    assert {one.options.gaps for one in found} <= {*range(6)}, "the shortest are the nearest"  # type: ignore[attr-defined]
    assert missed(found[0]) == "win changes 1.0"
    worse = Found(found[0].options, Facts(first=0.9, one_rule=0.8, length=47.2), -1.0, ("fair", "one_rule", "length"))
    assert missed(worse) == "first wins 90%, one rule wins 80%, 47 turns"


def test_games_that_the_first_player_seldom_wins_are_not_fair_for_their_draws() -> None:
    def drawn(*_: object, **__: object) -> Facts:
        return Facts(deals=1, first=0.31, draw=0.2, one_rule=0.0, changes=3.0, length=10.0)

    assert {one.misses for one in find(find_game("number-duel"), work=drawn)} == {("fair",)}


def test_a_setting_whose_facts_are_late_does_not_pass() -> None:
    def late(*_: object, **__: object) -> Facts:
        return Facts(late=True)

    assert all(one.facts.late for one in find(find_game("number-duel"), work=late))


def test_the_best_of_some_house_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_rules, "MANY_DEALS", 10)
    monkeypatch.setattr(best_rules, "_SIEVES", (("first", 20), ("one_rule", 3), ("changes", 10)))
    monkeypatch.setattr(pool, "processes", lambda: 1)
    page = run("lab", OWN_TRAILS, "--x", "size=15", "--y", "gaps=2", "--find", "--json")
    (line,) = [json.loads(line) for line in page.out.splitlines()]
    assert (line["code"], line["misses"]) == ("circle-duel:size=15,reach=2,trails=own,gaps=2", [])
    none = run("lab", "sequence-duel", "--x", "size=6-7", "--y", "ring=on", "--find").out
    assert none.startswith("No house rules pass all bars. These come nearest:\n")
    assert "Misses: one rule wins 100%" in none


@pytest.mark.parametrize(
    ("done", "seconds", "words"),
    [
        (0, 9, ""),
        (10, 1, ""),
        (314, 36, "about 2 minutes"),
        (650, 60, "about 1 minute"),
        (1300, 60, "less than a minute"),
    ],
)
def test_the_time_that_is_left_is_told_roughly(done: int, seconds: float, words: str) -> None:
    assert time_left(Progress(done, 1374, ()), seconds) == words


# -- processes


def some_rules() -> tuple[HouseRule, ...]:
    """A few small rings."""
    few: dict[str, tuple[Any, ...]] = {"size": (8, 9), "reach": (2,), "trails": ("own",), "gaps": (1, 2)}
    return tuple(HouseRule(one.key, one.label, few[one.key]) for one in house_rules(find_game("circle-duel")))


def test_one_process_and_two_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_rules, "MANY_DEALS", best_rules.GLANCE)
    monkeypatch.setattr(best_rules, "_SIEVES", (("first", 5), ("changes", best_rules.GLANCE)))
    game = find_game("circle-duel")
    with Pool(2) as two:
        found = find(game, rules=some_rules(), work=two.work_out, threads=2)
    assert found == find(game, rules=some_rules())
    assert found


def test_a_killed_process_leaves_one_setting_out_and_is_replaced() -> None:
    game = find_game("sequence-duel")
    with Pool(1) as one:
        one._all[0].kill()
        one._all[0].wait()
        assert one.work_out(game, game.Options(), "first").late
        assert one.work_out(game, game.Options(), "first") == work_out(game, game.Options(), "first")


def test_the_fault_of_a_guest_in_another_process_is_raised_here(installed: Any, tmp_path: Path) -> None:
    copytree(WHOLE, tmp_path / "guest")
    solve = tmp_path / "guest" / "duelbox_two_heaps" / "solve.py"
    fault = "from dataclasses import replace\nSOLVE = replace(SOLVE, wins=lambda view, stop: 1 / 0)\n"
    solve.write_text(f"{solve.read_text('utf-8')}\n{fault}")
    installed(tmp_path / "guest")
    game = find_game("two-heaps")
    with Pool(1) as one, pytest.raises(ZeroDivisionError):
        one.work_out(game, game.Options(), "first")


def test_the_visitor_of_a_server_gets_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2}, raising=False)
    assert processes() == 3
    monkeypatch.setenv("DUELBOX_ONLY_RELAY", "")
    monkeypatch.setattr(pool, "Pool", None)
    with shared_work(tmp_path / "lab.db") as (_, threads):
        assert threads == 1


PARENT = """
import time
from threading import Thread
from duelbox.rules_lab.pool import Pool
from duelbox.registry import find_game
game = find_game("circle-duel")
hard = game.Options(size=22, reach=2, trails="own", gaps=4)
with Pool(2) as pool:
    for _ in range(2):
        Thread(target=pool.work_out, args=(game, hard, "changes"), kwargs={"deals": 900}, daemon=True).start()
    print(*(process.pid for process in pool._all), flush=True)
    time.sleep(60)
"""


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_the_pool_ends_with_the_process_that_started_it(by: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    assert all(is_running(child) for child in children)
    parent.send_signal(by)
    parent.wait()
    parent.stdout.close()
    while any(is_running(child) for child in children):
        pass


def test_the_code_of_a_setting_has_no_draw() -> None:
    game = find_game("circle-duel")
    assert code_of(game, game.Options(size=9, gaps=2, seed=7)) == "circle-duel:size=9,gaps=2"
