"""A program that plays for the host of a match elsewhere: the friend is told, and agrees first."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from duelbox.core import news
from duelbox.core.errors import NotYourTurn
from duelbox.core.record import PROGRAM
from duelbox.friends.messages import Hello, decode, encode
from duelbox.table.program_elsewhere import ProgramElsewhere
from duelbox.table.remote import RemoteTable
from tests.bots.programs import FIRST, command
from tests.friends.rooms import hello_of
from tests.table.elsewhere import Stores, friend_at, heard, host, join, pair_up, until


async def asked_to_move(table: RemoteTable) -> str:
    """Let the program of a table make its move."""
    program = table.programs.of(0)
    assert program is not None
    move = program.ask(table.session.copy())
    table.play(move)
    return move


@pytest.mark.parametrize("code", ["circle-duel", "number-duel:hand=3"])
async def test_a_program_plays_for_the_host_and_the_friend_is_told(stores: Stores, tmp_path: Path, code: str) -> None:
    waiting = await host(stores[0], code, "greedy", command=command(tmp_path, FIRST))
    friend = asyncio.create_task(friend_at(waiting))
    bob = await join(stores[1], f"{waiting.code}@127.0.0.1:{waiting.way.listen.rpartition(':')[2]}")
    assert bob.invited.startswith("greedy, a program, invites you to ")
    bob.accept("Bob")
    ann = await friend
    await until(lambda: ann.ready and bob.ready, ann, bob)
    assert isinstance(ann, ProgramElsewhere)
    assert not ann.my_turn
    seat = ann.people[0]
    assert [table.is_program(seat) for table in (ann, bob)] == [True, True]
    assert [table.is_program(1 - seat) for table in (ann, bob)] == [False, False]
    if not ann.computer_to_move:
        with pytest.raises(NotYourTurn):
            ann.play("4")
        bob.play(bob.game.format_move(bob.session.legal_moves()[0]))
        await until(lambda: ann.computer_to_move, ann, bob)
    count = len(bob.session.plies)
    move = await asked_to_move(ann)
    await until(lambda: len(bob.session.plies) > count, ann, bob)
    assert bob.log()[count][1] in (move, "•••")
    assert not bob.computer_to_move
    ann.programs.end()
    await ann.leave()
    await bob.leave()


async def test_a_fault_resigns_and_the_game_counts_for_nobody(stores: Stores) -> None:
    ann, bob = await pair_up(stores, "circle-duel", command="./nowhere")
    if not ann.computer_to_move:
        bob.play(bob.game.format_move(bob.session.legal_moves()[0]))
        await until(lambda: ann.computer_to_move, ann, bob)
    ann.lose_by_fault("cannot be started")
    assert ann.fault == "Ann cannot be started."
    await heard(bob, news.RoundOver)
    await until(lambda: bob.saved_as is not None, ann, bob)
    assert bob.store is not None
    record = bob.store.load(bob.saved_as or "").record
    assert record is not None
    assert [who.level for who in record.players] == [PROGRAM, None]
    assert bob.store.latest_played() == ()
    await ann.leave()
    await bob.leave()


async def test_a_host_without_the_command_cannot_move_for_a_program(stores: Stores) -> None:
    ann, bob = await pair_up(stores, "circle-duel", command="./nowhere")
    ann.programs = type(ann.programs)()
    if not ann.side.my_turn:
        bob.play(bob.game.format_move(bob.session.legal_moves()[0]))
        await until(lambda: ann.side.my_turn, ann, bob)
    assert not ann.computer_to_move
    assert ann.presence == "Ann is a program: name it in [programs] of the settings to go on."
    await ann.leave()
    await bob.leave()


def test_a_hello_without_a_program_is_written_as_before() -> None:
    hello = hello_of("circle-duel")
    assert b"program" not in encode(hello)
    assert decode(encode(hello)) == hello
    with_program = Hello(**{**hello.model_dump(), "program": True})
    assert decode(encode(with_program)) == with_program


@pytest.mark.parametrize("name", ["run:./x", "RUN:x", "r u n:x"])
async def test_a_friend_who_is_called_run_starts_nothing(stores: Stores, name: str) -> None:
    waiting = await host(stores[0], "circle-duel", name)
    friend = asyncio.create_task(friend_at(waiting))
    bob = await join(stores[1], f"{waiting.code}@127.0.0.1:{waiting.way.listen.rpartition(':')[2]}")
    assert bob.invited.startswith(f'"{name}" invites you')
    assert not bob.programs
    await bob.leave()
    await (await friend).leave()
