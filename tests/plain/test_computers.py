"""Computers in lines: they answer moves, give reasons, and are undone and saved with the player's moves."""

from __future__ import annotations

import re

import pytest

from duelbox.bots import levels_of
from duelbox.core.code import parse_code
from duelbox.core.errors import BadName
from duelbox.core.model import Voice
from duelbox.core.session import Session
from duelbox.plain import line_match
from duelbox.registry import find_game
from duelbox.store.store import Store
from duelbox.table.players import named_players
from duelbox.table.story import turn_line
from tests.command_line import play, run, told_after
from tests.house_rules import GAME_IDS

AGAINST = ("--p1", "Ann", "--p2", "bot:1")


def kept() -> Session:
    """The latest unfinished game that is saved."""
    with Store.open() as store:
        return store.load(store.unfinished()[0].id).sessions[-1]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_computer_says_who_it_is_and_answers_every_move(game_id: str) -> None:
    level = levels_of(game_id)[0]
    rules = {"number-duel": ":deal=31524-51234", "digit-chain": ":zero=no-tens"}  # house rules without an early end
    code = f"{game_id}{rules.get(game_id, '')}"
    move = find_game(game_id).format_move(parse_code(code, find_game).game.legal_moves(_view(code))[0])
    ran = play(code, move, options=AGAINST)
    assert ran.status == 0, ran.err
    assert f"\n{level.name} is the computer. {level.line}\n" in ran.out
    assert "press Enter when only you can see" not in ran.out
    session = kept()
    assert session.names == ("Ann", level.name)
    assert session.turn in (0, None)
    for at, ply in enumerate(session.plies[1:], 1):
        told = turn_line(session, at, Voice(session.names, 0))[1]
        assert (session.named(ply.sentence) if session.game.INFO.hidden else told) in ran.out


def _view(code: str) -> object:
    state = parse_code(code, find_game).state
    return find_game(code.partition(":")[0]).view(state, state.turn)


@pytest.mark.parametrize("level", [level.id for level in levels_of("circle-duel")])
@pytest.mark.parametrize("game_id", [one for one in GAME_IDS if one != "number-circle"])
def test_two_computers_play_to_the_end(game_id: str, level: str) -> None:
    ran = play(game_id, options=("--p1", f"bot:{level}", "--p2", "bot:dash", "--seed", "3"))
    assert ran.status == 0, ran.err
    code = re.search(r"The code of this game: (\S+)", ran.out)
    assert code, ran.out
    assert parse_code(code[1], find_game).state.outcome is not None


def test_a_hand_stays_on_the_screen_where_nobody_else_looks() -> None:
    out = play("number-duel:deal=31524-51234", "2x1", options=AGAINST).out
    assert out.count("Your numbers by position: ") == 2
    assert not re.search(r"\n{50,}", out)
    # the computer's hand is not compared
    assert "51234" not in out
    assert "5, 1, 2, 3, 4" not in out


def test_why_tells_about_the_last_move_of_the_computer() -> None:
    out = play("circle-duel", "why", "5", "why", "undo", "why", "redo", "why", options=AGAINST).out
    first, second, third, fourth = re.findall(r"Select a number: why\n(.*)\n", out)
    assert first == third == "The computer has made no move yet."
    assert second == fourth
    assert second.startswith(f"{levels_of('circle-duel')[0].name} says: ")
    assert "No computer plays here.\n" in play("circle-duel", "why").out


def test_a_secret_order_is_not_explained() -> None:
    out = play("number-duel:hand=3,arrange=chosen", "why", "321", "why", options=AGAINST).out
    assert "why\nThe computer has made no move yet.\n" in out
    assert "secret" in told_after(out.partition("why\n")[2], "why")


def test_undo_goes_back_to_the_own_last_choice() -> None:
    out = play("circle-duel:size=12,reach=2", "5", "undo", "undo", "redo", options=AGAINST).out
    taken = re.search(r"Undone: (Ann picks 5\. \w+ picks \d+\.)\n", out)
    assert taken
    assert "undo\nNothing has been played yet.\n" in out
    assert f"Redone: {taken[1]}\n" in out
    out = play("circle-duel:size=12,reach=2", "undo", options=("--p1", "bot:1", "--p2", "Ann")).out
    assert "no move" in told_after(out, "undo")


def test_a_game_against_the_computer_is_gone_on_with() -> None:
    play("circle-duel:size=30,reach=3", "5", options=AGAINST)
    before = [ply.move.number for ply in kept().plies if ply.move]
    assert len(before) == 2
    ran = run("play", "--plain", "--continue", typed="why\nundo\n7\n")
    assert "forgotten" in told_after(ran.out, "why")
    after = [ply.move.number for ply in kept().plies if ply.move]
    assert (len(after), after[0]) == (2, 7)
    assert f"{levels_of('circle-duel')[0].name} picks {after[1]}: you go on with " in ran.out


def test_a_match_changes_the_starter_and_counts_for_the_computer() -> None:
    name = levels_of("circle-duel")[0].name
    ran = play("circle-duel:size=30,reach=3", "resign", "", "resign", options=(*AGAINST, "--rounds", "2"))
    assert f"Score: Ann has 0, {name} has 1." in ran.out
    assert f"Round 2 of 2. {name} will go first." in ran.out
    assert f"{name} wins the match!" in ran.out
    with Store.open() as store:
        (over,) = store.history()
        assert [who.level for who in over.players] == [None, "dash"]


def test_two_computers_without_an_end_stop_for_the_people_who_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_match, "_PAUSE", 3)
    both = ("--p1", "bot:1", "--p2", "bot:1")
    out = play("circle-duel:size=30,reach=3", "what", "why", "", "undo", "quit", options=both).out
    assert re.findall(r"(?m)^(\d+) turns .*: (\w*)$", out)[:4] == [
        ("3", "what"),
        ("3", "why"),
        ("3", ""),
        ("6", "undo"),
    ]
    assert "Enter" in told_after(out, "what")
    assert " says: " in told_after(out, "why")
    assert told_after(out, "undo").startswith("Undone: ")


def test_the_first_player_is_named_alike_everywhere() -> None:
    game = find_game("circle-duel")
    assert named_players(game, (None, None)) == (None, None)
    one, two = named_players(game, (" Ann ", "bot:5"))
    assert one
    assert two
    assert (one.name, one.level, two.name, two.level) == ("Ann", None, "Oracle", "oracle")
    one, two = named_players(game, ("bot:5", "bot:Oracle"))
    assert one
    assert two
    assert (one.name, two.name, two.level) == ("Oracle", "Oracle 2", "oracle")
    one, two = named_players(game, ("bot:5", "oracle"))
    assert one
    assert two
    assert (one.name, one.level, two.name, two.level) == ("Oracle 2", "oracle", "oracle", None)
    with pytest.raises(BadName, match="Both players cannot be called oracle"):
        named_players(game, ("Oracle", "oracle"))


@pytest.mark.parametrize(
    ("players", "typed"), [(("bot:1", "bot:2"), ()), (("Ann", "bot:2"), ("6",))], ids=["watched", "played"]
)
def test_a_game_that_is_as_long_as_it_can_be_stops_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, players: tuple[str, str], typed: tuple[str, ...]
) -> None:
    monkeypatch.setattr("duelbox.core.session.Session.max_moves", 3)
    ran = play("circle-duel/4.5", *typed, "go on", options=("--p1", players[0], "--p2", players[1]))
    assert ran.status == 0, ran.err
    assert re.search(r"at most 10,000 moves.* undo\b.* quit: go on\n", ran.out)
    assert {"undo", "quit", "help"} <= set(re.findall(r"\w+", told_after(ran.out, "go on")))
    assert "--continue" in ran.out
    assert len(kept().plies) == 3
