"""The line mode keeps every turn, and goes on where it was left."""

from __future__ import annotations

from duelbox.store.store import Store
from tests.running import run

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


def test_there_may_be_nothing_to_go_on_with() -> None:
    ran = run("play", "--plain", "--continue")
    assert (ran.status, ran.err) == (
        2,
        "Nothing is unfinished: every game that was begun has been played to its end.\n",
    )
    run("play", "circle-duel", "--plain", *NAMES, typed="resign\n")
    with Store.open() as store:
        (over,) = store.history()
    assert "has been played to its end" in run("play", "--plain", "--continue", over.id).err
