"""Matches of a duel that is no longer installed: they stay, are listed, and disturb nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbox.cli import main
from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.store.store import Store
from tests.guest_games import TOY, toy_with

pytestmark = pytest.mark.usefixtures("quick")
Capsys = pytest.CaptureFixture[str]
Install = Callable[[Path], None]
AWAY = "toy-heap is not installed here."


def kept(store: Store, game_id: str, *moves: str) -> str:
    """The id of a match with these moves."""
    saved = store.begin(game_id, (PlayerInfo(name="Ann"), PlayerInfo(name="Bo")))
    game = find_game(game_id)
    session = Session(game, game.Options(), ("Ann", "Bo"))
    for move in moves:
        session.type(move)
    saved.sync(session).result()
    saved.close()
    return saved.id


@pytest.fixture
def ids(home: Path, installed: Install, uninstalled: Install) -> tuple[str, str, str]:
    """A match of ours, then one of a guest that is over and one that is not; the guest is gone."""
    installed(TOY)
    with Store.open(home) as store:
        ours = kept(store, "circle-duel", "4")
        over, unfinished = kept(store, "toy-heap", "3", "3", "3", "3"), kept(store, "toy-heap", "2")
    uninstalled(TOY)
    return ours, over, unfinished


def test_they_are_listed_and_counted_but_not_gone_on_with(ids: tuple[str, str, str], home: Path) -> None:
    ours, over, unfinished = ids
    with Store.open(home) as store:
        assert {summary.id for summary in store.history()} == set(ids)
        assert store.games() == {"circle-duel": 1, "toy-heap": 2}
        assert [tally.game for tally in store.statistics()] == ["toy-heap", "toy-heap"]
        assert [summary.id for summary in store.unfinished()] == [ours]
        assert store.to_go_on("").id == ours
        for use in (store.load, store.resume, store.export, store.codes):
            for match_id in (over, unfinished):
                with pytest.raises(UnknownGame) as refused:
                    use(match_id)
                assert refused.value.sentence.endswith(f" cannot be opened. {AWAY}")
        store.delete(ours)
        with pytest.raises(DuelboxError, match=r"unfinished .* not installed here"):
            store.to_go_on("")
        store.delete(over)
        assert store.count() == 1
        store.restore(over)
        assert store.count() == 2
        assert store.check() == ()


def test_they_are_there_again_with_their_duel(ids: tuple[str, str, str], home: Path, installed: Install) -> None:
    installed(TOY)
    with Store.open(home) as store:
        assert store.unfinished()[0].id == ids[2]
        assert store.resume(ids[2]).sessions[0].code() == "toy-heap/2"


def test_one_that_is_not_whole_says_why(
    ids: tuple[str, str, str], home: Path, tmp_path: Path, installed: Install
) -> None:
    installed(toy_with(tmp_path, rules="\nimport nowhere_at_all\n"))
    with Store.open(home) as store, pytest.raises(UnknownGame, match="duelbox_toy cannot be loaded"):
        store.load(ids[1])


def test_one_whose_rules_fail_by_now_is_good_up_to_there(
    ids: tuple[str, str, str], home: Path, tmp_path: Path, installed: Install
) -> None:
    installed(toy_with(tmp_path, rules="\n\ndef apply(state, seat, move): return 1 / 0\n"))
    with Store.open(home) as store:
        opened = store.load(ids[2])
        assert re.match(r"Round 1: Move 1: .*ZeroDivisionError\(", str(opened.error))
        assert opened.sessions[0].code() == "toy-heap"


def test_the_commands_say_so(ids: tuple[str, str, str], capsys: Capsys) -> None:
    assert main(["history"]) == 0
    assert capsys.readouterr().out.count("  toy-heap (not installed)  Ann - Bo") == 2
    assert main(["history", "--game", "toy-heap"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["history", "--game", "toy-hole"]) == 2
    assert main(["export", ids[1]]) == 2
    assert AWAY in capsys.readouterr().err


def test_a_doctor_finds_the_file_sound(ids: tuple[str, str, str], capsys: Capsys) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "archive:   3 saved games, " in out
    assert ", whole\n" in out
    assert re.search(r"(?m)^elsewhere: 2 saved games .*: toy-heap$", out)


def test_a_doctor_names_matches_that_do_not_keep_the_rules_of_today(
    ids: tuple[str, str, str], tmp_path: Path, installed: Install, capsys: Capsys
) -> None:
    guest = toy_with(tmp_path)
    rules = guest / "duelbox_toy" / "rules.py"
    rules.write_text(re.sub(r"\bheap(: int|=|\))", r"size\1", rules.read_text()))
    installed(guest)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    for match_id in ids[1:]:
        assert re.search(rf"(?m)^wrong: .*{match_id} cannot be replayed: Round 1: ", out)


def test_a_doctor_names_a_guest_that_is_not_whole(tmp_path: Path, installed: Install, capsys: Capsys) -> None:
    installed(toy_with(tmp_path, solve="import nowhere_at_all\n"))
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "number-duel, toy-heap\n" in out
    assert re.search(r"(?m)^wrong: .* toy-heap .* duelbox_toy\.solve cannot", out)
