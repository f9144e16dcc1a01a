"""The attack on a guest: the host, whose process is the room, is killed one move before the guest's winning move."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from queue import Empty
from time import monotonic

import pytest

from duelbox.store.store import Store
from tests.plain.test_line_elsewhere import FINISH, PATIENCE, Program, at_one_table

WON = r"Not confirmed by Ann yet\."


def the_mover(ann: Program, bob: Program) -> Program:
    """The player who is asked for a move."""
    deadline = monotonic() + PATIENCE
    while True:
        assert monotonic() < deadline
        for one in (ann, bob):
            with suppress(Empty):
                one.told += one.pieces.get(timeout=0.05).decode()
            if one.told.endswith(": "):
                return one


def at_bob_s_winning_move(tmp_path: Path, programs: list[Program]) -> tuple[Program, Program]:
    """A match that the host's process carries, before the guest's winning move, which is 3."""
    return at_bob_s_turn(tmp_path, programs, "sequence-duel:size=5/1.5")


def at_bob_s_turn(tmp_path: Path, programs: list[Program], code: str) -> tuple[Program, Program]:
    """A match that the host's process carries, in which the guest is to move first."""
    while True:
        ann, bob, *_ = at_one_table(tmp_path, programs, code)
        if the_mover(ann, bob) is bob:
            return ann, bob
        for one in (ann, bob):
            one.kill()
        for path in tmp_path.glob("*/elsewhere.*"):
            path.unlink()


def history(home: Path) -> str:
    """The output of `duelbox history`."""
    program = Program(home, "history")
    program.process.wait(PATIENCE)
    program._reader.join()
    told = b"".join(iter(program.pieces.get, b"")).decode()
    program.kill()
    return told


def winners(home: Path) -> list[int | None]:
    """The winners of the games in the history, which counts them."""
    with Store.open(home) as store:
        assert sum(tally.played for tally in store.statistics()) == 2 * store.count()
        return [one.match.winner for one in store.history()]


def test_a_guest_s_win_counts_when_the_host_is_gone(tmp_path: Path, programs: list[Program]) -> None:
    ann, bob = at_bob_s_winning_move(tmp_path, programs)
    ann.kill()
    bob.wait_for("Not connected")
    bob.type("3")
    bob.wait_for(WON)
    bob.wait_for(re.escape(FINISH))
    assert winners(tmp_path / "bob") == [1]
    assert re.search("Bob won, not confirmed by Ann yet, ", history(tmp_path / "bob"))
    bob.type("")
    assert bob.end() == 0
    bob = Program(tmp_path / "bob", "join", "--plain")
    programs.append(bob)
    bob.wait_for(WON)
    ann = Program(tmp_path / "ann", "join", "--plain")
    programs.append(ann)
    ann.wait_for(re.escape(FINISH))
    bob.wait_for("The end is confirmed now")
    assert winners(tmp_path / "bob") == winners(tmp_path / "ann") == [1]
    for home in ("ann", "bob"):
        assert "not confirmed" not in history(tmp_path / home)
    with Store.open(tmp_path / "ann") as store, Store.open(tmp_path / "bob") as other:
        assert [store.export(one.id) for one in store.history()] == [other.export(one.id) for one in other.history()]


def test_a_move_without_the_room_is_answered_at_once(tmp_path: Path, programs: list[Program]) -> None:
    ann, bob = at_bob_s_turn(tmp_path, programs, "sequence-duel")
    ann.kill()
    bob.wait_for("Not connected")
    bob.type("7")
    bob.wait_for(r"Kept\. It goes to Ann when they are back\.")
    bob.kill()
    assert "elsewhere  Sequence Duel against Ann, your move is kept until they are back\n" in history(tmp_path / "bob")


@pytest.mark.parametrize("killed", [False, True], ids=["left", "killed"])
def test_a_guest_s_win_counts_even_if_their_program_is_killed(
    tmp_path: Path, programs: list[Program], killed: bool
) -> None:
    ann, bob = at_bob_s_winning_move(tmp_path, programs)
    ann.kill()
    bob.wait_for("Not connected")
    bob.type("3")
    if killed:
        bob.wait_for(WON)
        bob.kill()
    else:
        bob.end()
    assert "Bob won, not confirmed by Ann yet" in history(tmp_path / "bob")
    assert winners(tmp_path / "bob") == [1]
