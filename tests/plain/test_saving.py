"""Saving in lines: every turn is saved, and the game can be resumed."""

from __future__ import annotations

import io
import re
from threading import Event
from typing import Any

import pytest

from duelbox.cli import main
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.learn.ideas import missed_ideas
from duelbox.registry import find_game
from duelbox.store.progress import Progress
from duelbox.store.store import Store
from tests.command_line import run
from tests.full_disk import Holder, before_change
from tests.golden.said import Said
from tests.ui.person import TIME_LIMIT

NAMES = ("--p1", "Ann", "--p2", "Ben")


def test_every_turn_is_kept_and_can_be_gone_on_with() -> None:
    run("play", "circle-duel", "--plain", *NAMES, typed="4\n5\n")
    with Store.open() as store:
        (unfinished,) = store.unfinished()
        assert store.load(unfinished.id).sessions[-1].code() == "circle-duel/4.5"
    ran = run("play", "--plain", "--continue", typed="undo\nundo\n7\nresign\n")
    assert ran.status == 0
    assert "Ann picks 7." in ran.out or "Number 7 selected." in ran.out
    with Store.open() as store:
        assert store.unfinished() == ()
        (over,) = store.history()
        assert over.id == unfinished.id
        assert over.result == "won"


def test_a_match_goes_on_with_its_next_round() -> None:
    run("play", "sequence-duel:size=5", "--plain", *NAMES, "--rounds", "2", typed="resign\n")
    ran = run("play", "--plain", "--continue", typed="resign\n\n")
    assert "Score: Ann has 1, Ben has 1." in ran.out
    assert "The match is a draw." in ran.out


def test_rounds_without_end_are_games_of_their_own() -> None:
    run("play", "sequence-duel:size=5", "--plain", *NAMES, typed="resign\nyes\n3\n")
    with Store.open() as store:
        assert [(one.rounds, one.over) for one in store.history()] == [(1, False), (1, True)]


def test_there_may_be_nothing_to_go_on_with(said: Said) -> None:
    ran = run("play", "--plain", "--continue")
    assert ran.status == 2
    said(ran.err)
    run("play", "circle-duel", "--plain", *NAMES, typed="resign\n")
    with Store.open() as store:
        (over,) = store.history()
    ran = run("play", "--plain", "--continue", over.id)
    assert ran.status == 2
    said(ran.err.replace(over.id, "ID"))


# -- when saving fails


def test_moves_that_can_not_be_saved_are_told_of_once_and_when_leaving(
    holder: Holder, monkeypatch: pytest.MonkeyPatch, said: Said
) -> None:
    before_change(monkeypatch, {2: holder.hold})
    ran = run("play", "circle-duel", "--plain", *NAMES, typed="4\n5\n6\n7\nquit\n")
    assert ran.status == 0
    assert ran.out.count("disk is full") == 1
    assert ran.out.index("Number 5 selected") < ran.out.index("disk is full") < ran.out.index("Number 6 selected")
    assert "--continue" not in ran.out
    last = ran.out.splitlines()[-1]
    assert last.endswith(" circle-duel/4.5.6.7")
    said(last)
    holder.let_go()
    with Store.open() as store:
        assert [one.moves for one in store.unfinished()] == [1]


def test_a_finished_game_that_can_not_be_saved_is_told_of(
    holder: Holder, monkeypatch: pytest.MonkeyPatch, said: Said
) -> None:
    before_change(monkeypatch, {1: holder.hold})
    ran = run("play", "circle-duel:size=4", "--plain", *NAMES, typed="1\n2\n3\n4\nno\n")
    last = ran.out.splitlines()[-1]
    assert last.endswith(" circle-duel:size=4/1.2.3.4")
    said(last)


def test_moves_that_could_not_be_saved_are_saved_later(holder: Holder, monkeypatch: pytest.MonkeyPatch) -> None:
    before_change(monkeypatch, {2: holder.hold, 3: holder.let_go, 4: holder.hold, 5: holder.let_go})
    ran = run("play", "circle-duel", "--plain", *NAMES, typed="4\n5\n6\n7\n8\nquit\n")
    assert ran.out.count("disk is full") == ran.out.count("What you play is saved again.\n") == 2
    assert "duelbox play --plain --continue" in ran.out
    assert "not saved" not in ran.out
    with Store.open() as store:
        assert [one.moves for one in store.unfinished()] == [5]


def test_what_is_told_of_saving_stays_in_front_of_the_next_player(
    holder: Holder, monkeypatch: pytest.MonkeyPatch, said: Said
) -> None:
    """The move is told before the screen is cleared; a code that holds both hands is not told."""
    before_change(monkeypatch, {1: holder.hold})
    ran = run("play", "number-duel", "--seed", "1", "--plain", *NAMES, typed="\n1x1\nquit\n")
    pushed = ran.out.index("\n" * 40)
    assert pushed < ran.out.index("disk is full") < ran.out.index("Ben, press Enter when only you")
    assert "number-duel:" not in ran.out
    said(ran.out.splitlines()[-1])


def test_a_game_that_became_a_copy_meanwhile_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def elsewhere() -> None:
        with Store.open() as other:
            (match,) = other.unfinished()
            journal = other.folders.data / f"match.{match.id}.jsonl"
            content = journal.read_bytes()
            journal.unlink()
            journal.write_bytes(content)  # another file, which nobody holds
            resumed = other.resume(match.id)
            resumed.sessions[0].type("3")
            assert resumed.saved.sync(resumed.sessions[0]).result()

    before_change(monkeypatch, {2: elsewhere})
    ran = run("play", "circle-duel", "--plain", *NAMES, typed="4\n5\n6\n")
    assert ran.out.count("so you play on in a copy.") == 1


def test_a_game_open_elsewhere_is_gone_on_with_as_a_copy_that_says_so(said: Said) -> None:
    with Store.open() as other:
        session = Session(find_game("circle-duel"), find_game("circle-duel").Options())
        session.type("4")
        other.begin("circle-duel", (PlayerInfo(name="Ann"), PlayerInfo(name="Ben"))).sync(session).result()
        ran = run("play", "--plain", "--continue", typed="5\n6\n")
    said(ran.out.splitlines()[0])
    assert ran.out.count(ran.out.splitlines()[0]) == 1


def test_history_says_whether_there_are_games_or_only_none_of_the_kind(said: Said) -> None:
    said(run("history").err)
    assert run("history", "--limit", "0").err == run("history").err
    run("play", "circle-duel", "--plain", *NAMES, typed="4\n5\n")
    for kind in (("--opponent", "nobody"), ("--game", "number-duel"), ("--result", "lost")):
        assert [int(one) for one in re.findall(r"\d+", run("history", *kind).err)] == [1], (
            "there is one of another kind"
        )
    said(run("history", "--opponent", "nobody").err)
    said(run("history", "--limit", "0").err)


def test_a_hint_before_the_names_takes_no_names_away() -> None:
    run("play", "circle-duel", "--plain", typed="hint\nAl\nBo\n5\nquit\n")
    with Store.open() as store:
        (unfinished,) = store.unfinished()
        assert [who.name for who in unfinished.players] == ["Al", "Bo"]
        assert store.load(unfinished.id).record.played[0].assisted


@pytest.mark.parametrize("game", ["digit-chain", "number-duel", "number-duel:arrange=chosen"])
def test_nothing_is_promised_of_a_game_that_nobody_played(game: str, said: Said) -> None:
    ran = run("play", game, "--plain", *NAMES, typed="quit\n")
    said(ran.out.splitlines()[-2])
    assert "--continue" not in ran.out
    with Store.open() as store:
        assert store.unfinished() == ()


class Waiting(io.StringIO):
    """Lines whose last one comes after an event."""

    def __init__(self, lines: str, happened: Event) -> None:
        super().__init__(lines)
        self.left, self.happened = lines.count("\n"), happened

    def readline(self, size: int | None = -1) -> str:
        self.left -= 1
        assert self.left or self.happened.wait(TIME_LIMIT)
        return super().readline(-1)


def test_a_finished_game_keeps_its_mistakes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, add = Event(), Progress.add

    def noted(progress: Progress, kind: str, key: str, value: Any) -> None:
        add(progress, kind, key, value)
        kept.set()

    monkeypatch.setattr(Progress, "add", noted)
    monkeypatch.setattr("sys.stdin", Waiting("11\n\n", kept))
    assert main(["play", "sequence-duel:size=11/3.5.7.1", "--plain", "--p1", "Ann", "--p2", "bot:1"]) == 0
    assert "Dash" in capsys.readouterr().out
    with Store.open() as store:
        found = missed_ideas(store.progress.all("mistake"))
    assert {one.code for one in found.values()} >= {"sequence-duel:size=11/3.5.7.1"}
