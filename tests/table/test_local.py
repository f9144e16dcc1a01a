"""A match on this machine, without a screen: rounds, saving and resuming, undo, and draws."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from duelbox.core.errors import CannotUndo, DuelboxError
from duelbox.core.match import Match
from duelbox.core.record import PlayerInfo
from duelbox.core.rng import Rng
from duelbox.store.store import Store
from duelbox.table.local import MATCHES_BACK, LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.players import with_default_names
from duelbox.table.rounds import RoundRow, rounds_table

PLAYERS = (PlayerInfo(name="Ann"), PlayerInfo(name="Ben"))
DRAWN = ("circle-duel:gaps=3", "number-circle:target=drawn", "digit-chain:gaps=20", "number-duel:hand=3")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        yield opened


def begun(
    code: str, rounds: int = 1, store: Store | None = None, first: int = 0, open_ended: bool = False
) -> LocalTable:
    match = Match(rounds=rounds, first=first)
    return LocalTable(read_new_game(code), PLAYERS, match, store, open_ended=open_ended)


def keep(table: LocalTable) -> None:
    done = table.save()
    assert done is None or done.result()


def play_out(table: LocalTable, rng: Rng) -> None:
    """Play the round at random to its end, saving every turn."""
    while table.session.turn is not None:
        if len(table.session.plies) > 20:
            table.resign()
        else:
            move = rng.choice(table.session.legal_moves())
            table.play(table.game.format_move(move))
        keep(table)


# -- pairs of rounds


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("code", [*DRAWN, *(f"{code},seed=41" for code in DRAWN)])
def test_the_second_of_a_pair_is_the_same_draw_with_the_other_player_first(code: str, first: int) -> None:
    table, rng = begun(code, rounds=6, first=first), Rng(7)
    starts, starters = [], []
    for number in range(6):
        starts.append(table.session.start)
        starters.append(table.session.names[0])
        play_out(table, rng)
        if number < 5:
            table.next_round()
    assert starters == ["Ann", "Ben"] * 3 if first == 0 else ["Ben", "Ann"] * 3
    draws, told = len({start.model_dump_json() for start in starts}), [one.draw for one in table.rounds]
    if table.game.INFO.hidden:
        assert (draws, told) == (6, [""] * 6), "hidden hands are dealt for every round"
    else:
        assert starts[0::2] == starts[1::2]
        assert (draws, told) == (3, ["1", "1", "2", "2", "3", "3"]), "each pair has a draw of its own"


def test_the_next_secret_draw_does_not_follow_from_the_last() -> None:
    table = begun("number-duel", rounds=6)
    seeds = []
    for number in range(6):
        seeds.append(table.session.options.seed)
        table.resign()
        assert table.hands_open
        if number < 5:
            table.next_round()
    assert all(abs(one - two) > 6 for one, two in pairwise(seeds))


def test_hands_that_were_named_are_shown_when_no_round_has_them_any_more() -> None:
    table = begun("number-duel:deal=31524-42513", rounds=2)
    table.resign()
    assert not table.hands_open
    table.next_round()
    table.resign()
    assert table.hands_open


@pytest.mark.parametrize("finished", [1, 2, 3])
@pytest.mark.parametrize("begin", [False, True], ids=["before the round", "in the round"])
def test_a_match_that_is_resumed_has_the_same_pairs_score_and_table(store: Store, finished: int, begin: bool) -> None:
    table, rng = begun("digit-chain:gaps=20", rounds=4, store=store), Rng(finished)
    for _ in range(finished):
        play_out(table, rng)
        rows, score, last = table.rounds, table.score, table.session.options
        table.next_round()
    if begin:
        table.play(table.game.format_move(table.session.legal_moves()[0]))
        keep(table)
    table.saved.close()
    resumed = LocalTable.resumed(store, table.saved.id)
    assert (resumed.rounds, resumed.match, resumed.players) == (rows, score, PLAYERS)
    assert resumed.session.code() == table.session.code() or (not begin and finished % 2 == 0)
    assert (resumed.session.options == last) == (finished % 2 == 1)
    assert resumed.session.names == table.session.names
    for _ in range(finished, 4):
        play_out(resumed, rng)
        if not resumed.score.over:
            resumed.next_round()
    assert len(resumed.rounds) == 4
    assert store.find(table.saved.id).over


def test_the_table_has_a_line_for_each_round() -> None:
    rows = (RoundRow("", "Zoë 漢", "", 12), RoundRow("", "Bartholomew", "Bartholomew", 3))
    assert rounds_table(rows) == [
        "Round  First        Winner       Turns",
        "1      Zoë 漢       (a draw)     12",
        "2      Bartholomew  Bartholomew  3",
    ]


# -- saving


def test_nothing_is_kept_of_a_match_that_nobody_played(store: Store) -> None:
    table = begun("circle-duel", store=store)
    table.assisted = True
    assert table.save() is None
    assert store.count() == 0
    table.play("4")
    keep(table)
    assert store.load(store.history()[0].id).record.played[0].assisted


def test_rounds_without_end_are_kept_as_games_of_their_own_and_the_score_goes_on(store: Store) -> None:
    table = begun("sequence-duel:size=5", rounds=99, store=store, open_ended=True)
    for _ in range(3):
        table.resign()
        keep(table)
        table.next_round()
    assert table.match.points(1) == 2
    kept = store.history()
    assert [(one.rounds, one.first, one.over) for one in reversed(kept)] == [(1, 0, True), (1, 1, True), (1, 0, True)]


def test_a_match_that_begins_with_a_finished_round_is_kept_with_it(store: Store) -> None:
    table = begun("circle-duel:size=4/1.2.3.4", rounds=2, store=store)
    table.next_round()
    table.play("2")
    keep(table)
    assert [one.code() for one in store.load(store.history()[0].id).sessions] == [
        "circle-duel:size=4/1.2.3.4",
        "circle-duel:size=4/2",
    ]


def test_help_is_of_its_round_alone_and_known_again_when_it_is_gone_on_with(store: Store) -> None:
    table = begun("sequence-duel:size=5", rounds=3, store=store)
    table.assisted = True
    table.resign()
    keep(table)
    table.next_round()
    assert not table.assisted
    table.play("1")
    keep(table)
    table.saved.close()
    for helped in (False, True):
        table = LocalTable.resumed(store, table.saved.id)
        assert table.assisted == helped
        assert [one.assisted for one in store.load(table.saved.id).record.played] == [True, helped]
        table.assisted = True
        keep(table)
        table.saved.close()


# -- undo across matches


def test_undo_leads_from_an_untouched_rematch_to_the_match_before_and_redo_back() -> None:
    old = begun("circle-duel:size=4/1.2.3.4")
    new = old.rematch()
    assert new.undo() is old
    assert old.redo() is new
    assert new.undo() is old
    assert old.undo() is old
    old.play("4")
    with pytest.raises(CannotUndo):
        old.redo()
    new.play("1")
    assert new.undo() is new
    assert not begun("circle-duel").may_go_back
    with pytest.raises(CannotUndo, match="Nothing has been played yet"):
        begun("circle-duel").undo()


def test_undo_at_the_start_of_a_later_round_does_not_throw_the_match_away() -> None:
    match = begun("sequence-duel", rounds=2).rematch()
    assert match.may_go_back
    match.resign()
    match.next_round()
    assert not match.may_go_back
    with pytest.raises(CannotUndo, match="Nothing has been played yet"):
        match.undo()


def test_only_so_many_matches_are_remembered() -> None:
    table = begun("circle-duel:size=4/1.2.3.4")
    for _ in range(2 * MATCHES_BACK):
        table = table.rematch()
    back = 0
    while table.previous is not None:
        table, back = table.previous, back + 1
    assert back == MATCHES_BACK


# -- a draw by agreement


def test_two_at_one_screen_agree_on_a_draw_and_it_is_kept_and_undone(store: Store) -> None:
    table = begun("number-circle", rounds=2, store=store)
    table.play("+2")
    table.propose("draw")
    offer = table.offered
    assert table.session.named(table.asked) == "Ben offers a draw."
    table.answer(offer.id, yes=True)
    keep(table)
    assert table.session.outcome.reason == "Both players agreed on a draw."
    assert (table.score.winners, table.rounds[0].winner, table.rounds[0].turns) == ((None,), "", 1)
    assert table.saved_as is not None
    (told,) = store.resume(table.saved_as).record.played
    assert (told.result.by, told.result.winner) == ("agreement", None)
    table.undo()
    assert table.session.log() == ((0, "+2"),)
    table.redo()
    assert table.session.by == "agreement"


def test_the_default_names_are_not_mixed_up_when_the_second_player_begins() -> None:
    table = LocalTable(read_new_game("number-circle"), with_default_names((None, None)), Match(first=1))
    table.propose("draw")
    assert table.session.named(table.asked) == "Player 2 offers a draw."
    table.answer(table.offered.id, yes=False)
    assert table.session.named(table.sentence_of(table.take_news()[-1])) == "Player 1 said no."


def test_an_offer_is_void_once_the_position_has_moved_on() -> None:
    table = begun("number-circle")
    table.propose("draw")
    offer = table.offered
    table.play("+2")
    assert table.offered is None
    assert table.asked == ""
    with pytest.raises(DuelboxError, match="no longer stands"):
        table.answer(offer.id, yes=True)
    table.undo()
    with pytest.raises(DuelboxError, match="no longer stands"):
        table.answer(offer.id, yes=True)
    assert table.session.outcome is None


def test_a_draw_that_was_declined_is_not_offered_again_in_that_position() -> None:
    table = begun("number-circle")
    table.propose("draw")
    table.answer(table.offered.id, yes=False)
    assert table.offered is None
    assert "declined in this position" in (table.why_not("draw") or "")
    table.play("+2")
    assert table.why_not("draw") is None


@pytest.mark.parametrize("declined", [False, True])
def test_an_offer_and_its_answer_end_with_the_round(declined: bool) -> None:
    """The next round begins with the stamp of the last round's first position."""
    table = begun("number-circle", rounds=2)
    table.propose("draw")
    offer = table.offered
    if declined:
        table.answer(offer.id, yes=False)
    table.resign()
    table.next_round()
    assert (table.session.stamp, table.offered, table.asked) == (offer.id, None, "")
    assert table.why_not("draw") is None
    with pytest.raises(DuelboxError, match="no longer stands"):
        table.answer(offer.id, yes=True)


@pytest.mark.parametrize("game", ["circle-duel", "sequence-duel", "digit-chain"])
def test_no_draw_is_offered_where_there_are_none(game: str) -> None:
    table = begun(game)
    with pytest.raises(DuelboxError, match="always has a winner"):
        table.propose("draw")


@pytest.mark.parametrize(
    ("code", "stubborn"),
    [
        (
            "number-circle:target=10/-9.+2.-8.+3.-7.+4",
            {"counter", "planner", "oracle"},
        ),  # the computer wins within 4 turns
        ("number-circle:target=10/+9.-9.-8.+8.+7.-7", {"planner", "oracle"}),  # within 8, and planner sees 9
        ("number-duel:hand=3,deal=312-213", {"planner", "oracle"}),  # the second player has the better chances
    ],
)
@pytest.mark.parametrize("level", ["dash", "peek", "counter", "planner", "oracle"])
def test_a_computer_agrees_unless_it_sees_that_it_does_better(code: str, stubborn: set[str], level: str) -> None:
    table = LocalTable(read_new_game(code), (PlayerInfo(name="Ann"), PlayerInfo(name="It", level=level)))
    agrees = level not in stubborn
    table.propose("draw")
    assert table.asked == ""
    assert table.answer_of_computer(table.offered) == agrees


def test_a_computer_makes_a_remark_at_most_once_in_six_turns_and_always_has_a_reason() -> None:
    table = begun("circle-duel:size=30,reach=3")
    said = []
    for turn in range(10):
        move = table.session.legal_moves()[0]
        table.speak(move, f"Reason {turn}.", f"Remark {turn}.")
        table.play(table.game.format_move(move))
        said.append(table.remark)
        assert table.remarks.at(turn + 1, table.session) == (f"Reason {turn}.", said[-1])
    assert said == ["Remark 0.", *[""] * 5, "Remark 6.", *[""] * 3]
    table.undo()
    table.play(table.game.format_move(table.session.legal_moves()[1]))
    assert table.remark == table.why == "", "another move was made in that turn"
