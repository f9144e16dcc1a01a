"""Wrong calls of the library are refused with a sentence, and change nothing."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

import duelbox
from duelbox.core.errors import DuelboxError

WRONG: tuple[Any, ...] = (
    None, True, -1, 2, 7, 10**30, 1.5, -0.5, math.nan, math.inf, "", " ", "x", "AB", "\0", "nonsense" * 40, b"4", "²",
    (), [], {}, set(), ("A",), ("A", "A"), ("A", "B", "C"), ("A", 4), (None, None), [[]], object(), print,
    date(1, 1, 1), datetime(2026, 11, 20), 1j, range(3), duelbox, NotImplemented, ..., iter(()),
)  # fmt: skip

METHODS = (
    "solve",
    "seen",
    "playout",
    "choose",
    "svg",
    "view",
    "parse",
    "play",
    "preview",
    "type",
    "resign",
    "cut",
    "go",
    "undo",
    "redo",
)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Table": duelbox.Table,
    "Solving": duelbox.Solving,
    "check_proof": duelbox.check_proof,
    "daily": duelbox.daily,
    "find_game": duelbox.find_game,
    "game_ids": duelbox.game_ids,
    "lab": lambda *args, **named: next(duelbox.lab(*args, **named)),
    "duelbox.play": duelbox.play,
    "puzzles": duelbox.puzzles,
}
RIGHT: dict[str, tuple[Any, ...]] = {
    "Table": ("circle-duel", ("Ann", "Ben")),
    "Solving": (duelbox.puzzles("circle-duel")[0], ("Ann", "Ben")),
    "check_proof": ("duelbox proof 1 sequence-duel:size=9 1 Uph2UA 66950c7c",),
    "daily": (date(2026, 12, 1),),
    "find_game": ("circle-duel",),
    "game_ids": (),
    "lab": ("sequence-duel", "size=6-7", "ring=on"),
    "duelbox.play": ("circle-duel", "dash", lambda seen: seen.legal[0], 3),
    "puzzles": ("circle-duel", 3, "room"),
    "solve": (9.0,),
    "playout": (3,),
    "choose": ("dash", 1),
    "svg": ("dark", 40, 12),
    "view": (0,),
    "seen": (0,),
    "parse": ("6",),
    "preview": ("6",),
    "type": ("6",),
    "play": (duelbox.Table("circle-duel/4.5").legal_moves()[0], 0),
    "resign": (0,),
    "cut": ("claim", 0),
    "go": (1,),
    "undo": ((0, 1),),
    "redo": ((0, 1),),
}


def spoilt(args: tuple[Any, ...], draw: Random) -> tuple[Any, ...]:
    """The arguments with one replaced, left out or added."""
    if not args or draw.random() < 0.1:
        return (*args, draw.choice(WRONG))
    if draw.random() < 0.1:
        return args[1:]
    at = draw.randrange(len(args))
    return (*args[:at], draw.choice(WRONG), *args[at + 1 :])


def refusal_of(function: Callable[..., Any], args: tuple[Any, ...]) -> str | None:
    """The sentence that refuses the call; None if it was taken. Any other error comes through."""
    try:
        function(*args)
    except DuelboxError as refusal:
        return refusal.sentence
    return None


@pytest.mark.parametrize("name", METHODS)
def test_a_wrong_call_of_a_table_is_refused_and_changes_nothing(name: str) -> None:
    draw = Random(name)
    for _ in range(100):
        table = duelbox.Table("circle-duel/4.5.6")
        table.undo()
        before = (table.code(), table.outcome, table.names, table.can_redo)
        args = spoilt(RIGHT[name], draw)
        sentence = refusal_of(getattr(table, name), args)
        if sentence is not None:
            assert sentence.endswith("."), (name, args)
            assert (table.code(), table.outcome, table.names, table.can_redo) == before, (name, args)
        assert table.turn in (0, 1, None)
        assert str(table)
        assert table.turn is None or table.solve().moves


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_call_of_a_function_is_refused(name: str) -> None:
    draw = Random(name)
    for _ in range(100):
        args = spoilt(RIGHT[name], draw)
        sentence = refusal_of(FUNCTIONS[name], args)
        assert sentence is None or sentence.endswith("."), (name, args)


def test_every_public_method_of_a_table_that_takes_something_is_tried() -> None:
    public = [name for name in dir(duelbox.Table) if not name.startswith("_")]
    methods = {name for name in public if inspect.isfunction(vars_of(duelbox.Table, name))}
    with_arguments = {name for name in methods if len(inspect.signature(getattr(duelbox.Table, name)).parameters) > 1}
    assert with_arguments == {*METHODS, "named", "why_no_undo"}
    functions = {name for name in duelbox.__all__ if not inspect.isclass(getattr(duelbox, name))}
    assert {name.removeprefix("duelbox.") for name in FUNCTIONS} == {*functions, "Table", "Solving"}


def vars_of(kind: type, name: str) -> object:
    """The attribute of a class as it was written, not as it is got."""
    return inspect.getattr_static(kind, name)


WRONG_CALLS: dict[str, tuple[Callable[[duelbox.Table], Any], str]] = {
    "one name": (lambda _: duelbox.Table("circle-duel", ("A",)), "takes two names"),
    "a text as names": (lambda _: duelbox.Table("circle-duel", "AB"), "takes two names"),
    "twice a name": (lambda _: duelbox.Table("circle-duel", ("A", "A")), "Two players have two names"),
    "a day as text": (lambda _: duelbox.daily("2026-11-20"), r"daily\(day\) takes a date, such as date\(2026, 12, 1\)"),
    "a seat that is none": (lambda table: table.resign(5), r"resign\(seat\) takes 0 or 1 or None, not 5"),
    "a seat before the first": (lambda table: table.resign(-1), r"not -1\."),
    "a view of nobody": (lambda table: table.view(7), "takes 0 or 1 or None"),
    "a seed with a fraction": (lambda table: table.choose("peek", 1.5), "whole number, not 1.5"),
    "a height below nothing": (lambda table: table.svg("dark", 9, -3), "from 1 to 1000, not -3"),
    "a grade as text": (lambda _: duelbox.puzzles("circle-duel", grade="3"), "from 1 to 5 or None, not '3'"),
    "an idea of no puzzle": (lambda _: duelbox.puzzles("circle-duel", idea="luck"), "Ideas: .*room"),
    "no number of seconds": (lambda table: table.solve("x"), "a number or None, not 'x'"),
    "no code": (lambda _: duelbox.Table(None), "takes a text, not None"),
    "no game": (lambda _: duelbox.find_game(None), "takes a text, not None"),
    "no move": (lambda table: table.type(None), r"such as '6', not as None"),
    "a layer that is none": (lambda _: duelbox.lab("sequence-duel", layers=("x",)), "some of first, length"),
    "too much": (lambda _: duelbox.game_ids(3), "takes nothing"),
}


@pytest.mark.parametrize("wrong", WRONG_CALLS)
def test_a_wrong_call_says_what_would_be_right(wrong: str) -> None:
    call, sentence = WRONG_CALLS[wrong]
    with pytest.raises(DuelboxError, match=sentence):
        call(duelbox.Table("circle-duel/4.5"))
