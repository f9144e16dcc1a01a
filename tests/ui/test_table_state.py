"""The state of a table without a screen: prompts, notes, working verbs, viewers, undo."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from duelbox.core.errors import IllegalMove
from duelbox.core.match import Match
from duelbox.core.model import SEATS, Seat, other
from duelbox.core.news import News
from duelbox.core.record import PlayerInfo
from duelbox.core.rng import Rng
from duelbox.solve import analyse
from duelbox.solve.api import Analysis
from duelbox.store.settings import Settings
from duelbox.table.frontend import Frontend
from duelbox.table.hints import analysed, next_hint
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.prompts import Prompts
from duelbox.table.state import TableState
from duelbox.ui.game_board import board_of
from tests.ui.conftest import SEEN_SECONDS

DEAL = "number-duel:deal=31524-51234"
CHOSEN = "number-duel:hand=3,arrange=chosen"
OVER = "circle-duel:size=4/1.2.3.4"
# After the last move a turn passes by itself: with a floor, Player 1 has no move.
PASSES = "number-circle:floor=0,backtracking=on,sharing=off"


class Set(Frontend):
    """A frontend with settings of its own."""

    def __init__(self, **values: Any) -> None:
        self._settings = Settings(**values)

    @property
    def settings(self) -> Settings:
        return self._settings


def who(name: str) -> PlayerInfo:
    return PlayerInfo(name=name, level="dash" if name in ("Dash", "Peek") else None)


def play(code: str, p1: str = "Ann", p2: str = "Bo", rounds: int = 1) -> LocalTable:
    return LocalTable(read_new_game(code), (who(p1), who(p2)), Match(rounds=rounds))


def state(code: str, p1: str = "Ann", p2: str = "Bo", rounds: int = 1) -> TableState:
    now = play(code, p1, p2, rounds)
    return TableState(now, board_of(now.game.INFO.id), Set(open_hand=False))


def prompt(of: TableState) -> tuple[str, str]:
    """The prompt and its parts as the move line shows them."""
    return of.prompts.prompt, "   ".join(text for text, _ in of.prompts.parts)


def solved(of: TableState) -> Analysis:
    session = of.table.session
    return analyse(session.game, session.view(session.turn))


def make(of: TableState, text: str) -> None:
    of.table.session.type(text)
    of.position_changed()


# -- the move line


@pytest.mark.parametrize(
    ("code", "players", "line", "told"),
    [
        ("circle-duel", ("Ann", "Bo"), "", ("Ann, your move", "Type a number, or click")),
        ("circle-duel/4", ("Ann", "Bo"), "5", ("Bo, your move", "Enter picks 5: Ann goes on with 6")),
        ("circle-duel/4", ("Ann", "Bo"), "7", ("Bo, your move", "")),
        ("circle-duel", ("Ann", "Dash"), "", ("Your move", "Type a number, or click")),
        ("circle-duel/4", ("Ann", "Dash"), "", ("Dash is thinking …", "")),
        ("circle-duel", ("Dash", "Peek"), "", ("Dash is thinking …", "Space: pause")),
        (DEAL, ("Ann", "Bo"), "3x2", ("Ann, your move", "Enter plays 3x2")),
        (OVER, ("Ann", "Bo"), "", ("Game over", "Enter: next game   e: review   c: copy the game")),
        (
            OVER,
            ("Ann", "Dash"),
            "",
            ("Game over", "Enter: next game   e: review   c: copy the game"),
        ),
        (
            f"{CHOSEN}/123.321.3x1.2x1.2x1",
            ("Ann", "Bo"),
            "",
            ("Game over", "Enter: next game   e: review   c: copy the game"),
        ),
    ],
)
def test_the_prompt_says_whose_move_it_is_and_what_enter_does(
    code: str, players: tuple[str, str], line: str, told: tuple[str, str]
) -> None:
    at = state(code, *players)
    at.set_line(line)
    assert prompt(at) == told


@pytest.mark.parametrize(
    ("code", "line", "on"),
    [
        ("number-duel:hand=4,deal=3142-1234", "3x", "Go on: 3x1, 3x2, 3x3 or 3x4"),
        ("number-duel:hand=4,deal=3142-1234", " X 2", "Go on: 1x2, 2x2, 3x2 or 4x2"),
        ("number-duel", "3x", "Go on: 3x1, 3x2, 3x3, 3x4 or 3x5"),
        ("number-duel:hand=6", "3x", "Go on: 3x1, 3x2, 3x3, 3x4 …"),
        ("number-circle", "+", "Go on: +2 or +9"),
        ("number-circle", "9", "Go on: +9 or -9"),
        ("circle-duel:size=30,reach=3/12", "1", "Go on: 10, 11, 13, 14 or 15"),
        ("circle-duel:size=30,reach=3/25", "1", ""),
        ("digit-chain/25", "9", ""),
    ],
)
def test_a_half_typed_move_is_no_fault_yet(code: str, line: str, on: str) -> None:
    of = state(code)
    of.set_line(line)
    assert prompt(of)[1] == on
    assert (of.prompts.note == of.table.game.aim(of.table.session.view(0))) == bool(on)


def test_the_prompt_names_keys_as_they_are_set() -> None:
    at = state(OVER)
    at.frontend = Set(keymap={"review": "f2", "code": "ctrl+r"})
    assert prompt(at)[1] == "Enter: next game   f2: review   ctrl+r: copy the game"
    watched = state("circle-duel", "Dash", "Peek")
    watched.frontend = Set(keymap={"space": "f3"})
    assert prompt(watched)[1] == "f3: pause"


def test_the_prompt_counts_rounds() -> None:
    at = state(OVER, rounds=3)
    assert prompt(at)[1].startswith("Enter: round 2 ")
    assert at.prompts.aside == "round 1 of 3 · 0 : 1"
    at.table.next_round()
    at.seat_front()
    assert prompt(at)[0] == "Bo, your move"
    assert at.prompts.aside == "round 2 of 3 · 0 : 1"
    at.table.assisted = True
    assert at.prompts.aside == "round 2 of 3 · 0 : 1 · with help"


def test_a_computer_that_pauses_says_so() -> None:
    at = state("circle-duel", "Dash", "Peek")
    at.held = True
    assert prompt(at) == ("Dash pauses", "Space: go on")


def test_a_move_to_be_confirmed_is_forgotten_with_the_next_key() -> None:
    at = state("circle-duel")
    at.set_line("4")
    at.awaiting = "play"
    assert prompt(at)[1] == "Enter again plays it"
    at.set_line("5")
    assert prompt(at)[1] == "Enter picks 5: Bo goes on with 4 or 6"


# -- the note


def test_the_note_says_what_matters_most() -> None:
    at = state("sequence-duel/13")
    goal = at.table.game.INFO.goal
    assert at.prompts.note == goal
    at.verdict_on = True
    assert (at.prompts.verdict, at.prompts.note) == ("Working it out …", "")
    found = solved(at)
    analysed(at, found)
    reason = at.session.named(found.reason)
    assert at.prompts.note == reason
    assert at.prompts.verdict.startswith("You can win" if found.verdict == "win" else "You lose")
    at.set_line("12")
    assert at.prompts.note.startswith("12 is next to Ann's 13.")
    at.say("Something for now.")
    assert at.prompts.note == "Something for now."
    at.refusal = IllegalMove("No.")
    assert at.prompts.note == "No."
    at.set_line("")
    at.verdict_on = False
    assert at.prompts.note == goal


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("circle-duel:reach=3", "at most 3 steps"),
        ("number-circle:shared_total=on", "the total you share"),
        ("digit-chain:zero=wild", "After a 0, any number"),
        ("number-duel:victors_stay=on", "and stays"),
    ],
)
def test_the_goal_is_that_of_these_house_rules(code: str, said: str) -> None:
    assert said in state(code).prompts.note


def test_the_story_tells_what_the_board_does_not() -> None:
    at = state(f"{DEAL}/3x2")
    assert at.prompts.story == ((0, "Ann's 3 beats Bo's 1 and is spent."),)
    for seed in range(200):
        at, rng = state(PASSES), Rng(seed)
        while at.table.session.turn is not None and len(at.table.session.plies) < 40:
            at.table.session.play(rng.choice(at.table.session.legal_moves()))
            passed = at.table.session.plies[-1].events[1:]
            if passed and at.table.session.turn is not None:
                assert at.prompts.story[0][1].count(" cannot move and passes") == len(passed)
                return
    pytest.fail("nobody ever passed")


@pytest.mark.parametrize(
    ("code", "rounds", "note"),
    [
        (OVER, 1, "Bo wins"),
        (OVER, 3, "Bo wins"),
    ],
)
def test_the_card_tells_the_end_and_why(code: str, rounds: int, note: str) -> None:
    at = state(code, rounds=rounds)
    card = at.prompts.card
    assert (card.title, card.lines) == (note, (("end", at.session.named(at.session.outcome.reason)),))


def test_the_card_tells_who_wins_the_match() -> None:
    at = state(OVER, rounds=2)
    at.table.next_round()
    at.table.session.resign()
    assert at.table.score.winner is None
    assert ("match", "The match is drawn.") in at.prompts.card.lines


@pytest.mark.parametrize("winner", SEATS)
@pytest.mark.parametrize("rounds", [2, 3])
def test_the_winner_of_a_match_is_called_by_the_right_name(winner: Seat, rounds: int) -> None:
    at = state("circle-duel", "Player 1", "Player 2", rounds=rounds)
    for number in range(rounds):
        if number:
            at.table.next_round()
        at.table.session.resign(other(at.table.match.player_in(winner)))
    assert ("match", f"The match goes to Player {winner + 1}.") in at.prompts.card.lines


# -- keys that work


def working(of: TableState) -> set[str]:
    actions = "play peek hold hint verdict undo redo why rematch review level resign faster code help"
    return {action for action in actions.split() if of.prompts.works(action)}


@pytest.mark.parametrize(
    ("code", "players", "works"),
    [
        ("circle-duel", ("Ann", "Bo"), "play hint verdict resign code help"),
        ("circle-duel/4", ("Ann", "Bo"), "play hint verdict resign code help undo"),
        ("circle-duel/4.5", ("Ann", "Dash"), "play hint verdict resign code help undo"),
        ("circle-duel/4", ("Ann", "Dash"), "verdict code help undo"),
        ("circle-duel/4", ("Dash", "Bo"), "play hint verdict resign code help"),
        ("circle-duel/4", ("Dash", "Peek"), "hold undo faster code help"),
        (OVER, ("Ann", "Bo"), "play undo rematch review code help"),
        (OVER, ("Ann", "Dash"), "play undo rematch review level code help"),
        (OVER, ("Dash", "Peek"), "play undo rematch review code help"),
        (DEAL, ("Ann", "Bo"), "play peek hint verdict resign help"),
        (DEAL, ("Dash", "Bo"), "peek help"),
        (f"{DEAL}/3x2", ("Dash", "Bo"), "play peek hint verdict resign help"),
        (f"{CHOSEN}/123.321.3x1.2x1.2x1", ("Ann", "Bo"), "play rematch review code help"),
    ],
)
def test_only_what_works_now_is_offered(code: str, players: tuple[str, str], works: str) -> None:
    assert working(state(code, *players)) == set(works.split())


@pytest.mark.parametrize(
    ("code", "p2", "action", "said"),
    [
        ("circle-duel", "Bo", "undo", "Nothing has been played yet."),
        ("circle-duel/4", "Bo", "redo", "Nothing has been undone."),
        ("circle-duel", "Dash", "why", "The computer has made no move yet."),
        ("circle-duel", "Bo", "why", "No computer plays here."),
        ("circle-duel/4", "Bo", "review", "The game is not over yet."),
        (f"{DEAL}/3x2.2x4", "Dash", "undo", "cannot be hidden again"),
        (f"{DEAL}/3x2", "Bo", "undo", "cannot be hidden again"),
    ],
)
def test_a_key_that_does_nothing_now_says_why(code: str, p2: str, action: str, said: str) -> None:
    at = state(code, "Ann", p2)
    assert not at.prompts.works(action)
    assert said in at.prompts.why_not(action)


def test_a_round_is_reviewed_only_when_the_match_is_over() -> None:
    """The deal of the first round gives away that of the second."""
    at = state(OVER, rounds=2)
    assert not at.prompts.works("review")
    assert not at.prompts.works("rounds")
    assert not at.wants_judged, "nor is it told where the round turned"
    at.table.next_round()
    at.table.session.type("4")
    at.table.resign()
    assert at.prompts.works("review")
    assert at.prompts.works("rounds")
    assert at.wants_judged


def test_every_part_of_the_prompt_names_an_action_that_works() -> None:
    for code, players in ((OVER, ("Ann", "Dash")), ("circle-duel", ("Dash", "Peek")), (DEAL, ("Ann", "Bo"))):
        for rounds in (1, 2):
            at = state(code, *players, rounds=rounds)
            assert at.prompts.parts
            assert all(at.prompts.works(action) for _, action in at.prompts.parts), at.prompts


def test_why_and_redo_work_when_there_is_something_to_tell() -> None:
    at = state("circle-duel/4.5", "Ann", "Dash")
    at.table.remarks.note(2, at.session.plies[1].move, "Because.", "")
    assert "why" in working(at)
    at.table.undo()
    assert "redo" in working(at)


def test_giving_up_is_forgotten_when_something_else_is_asked() -> None:
    at = state("circle-duel")
    at.say("Press g again to resign.")
    at.awaiting = "resign"
    next_hint(at)
    assert at.awaiting == ""


@pytest.mark.parametrize("between", ["help", "home", "undo", "redo", "hint", "verdict", "board"])
async def test_resigning_takes_the_key_twice_with_none_between(between: str) -> None:
    at = state("circle-duel/4.5")
    for verb in ("resign", between, "resign"):
        await at.do(verb)
        assert at.session.by == "play"
    assert at.awaiting == "resign"
    await at.do("resign")
    assert at.session.by == "resignation"


class Diary(Frontend):
    """A frontend that records the order of saving and showing."""

    def __init__(self) -> None:
        self.done: list[tuple[str, int, bool]] = []
        self.table: TableState

    def _note(self, what: str) -> None:
        self.done.append((what, len(self.table.session.plies), self.table.table.assisted))

    async def keep(self) -> None:
        self._note("kept")

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        self._note("shown")


async def test_a_move_and_help_are_on_disk_before_they_are_shown() -> None:
    diary = Diary()
    at = diary.table = TableState(play("circle-duel"), board_of("circle-duel"), diary)
    await at.take("4")
    assert diary.done == [("kept", 1, False), ("shown", 1, False)]
    for verb in ("hint", "hint", "verdict"):
        await at.do(verb)
    assert diary.done[2:4] == [("kept", 1, True), ("shown", 1, True)]
    assert [what for what, _, _ in diary.done[4:]] == ["shown"] * 2, "once a round is enough"


async def test_an_offer_is_not_answered_before_it_can_have_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    at = state("number-circle")
    monkeypatch.setattr(SEEN_SECONDS, 3600)
    await at.do("draw")
    assert at.prompts.prompt == "Ann offers a draw."
    for verb in ("agree", "decline"):
        await at.do(verb)
        assert at.table.offered is not None
    assert at.session.outcome is None
    monkeypatch.setattr(SEEN_SECONDS, 0)
    await at.do("agree")
    assert at.session.by == "agreement"


async def test_a_look_is_ended_by_its_own_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    at, later, loop = state(DEAL), list[asyncio.TimerHandle](), asyncio.get_running_loop()

    def call_later(_: float, hide: Callable[[], None]) -> asyncio.TimerHandle:
        later.append(asyncio.TimerHandle(0, hide, (), loop))
        return later[-1]

    monkeypatch.setattr(loop, "call_later", call_later)
    for peek in (True, False, True):
        await at.do("peek")
        assert at.peek == peek
    first, second = later
    assert first.cancelled()
    assert not second.cancelled()
    second._run()
    assert not at.peek
