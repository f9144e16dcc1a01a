"""A match being played, with no screen: pairs of rounds, what is kept of it, going on with it, and its table."""

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
from duelbox.table.opening import opening
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
    return LocalTable.of(opening(code), PLAYERS, match, store, open_ended=open_ended)


def keep(sitting: LocalTable) -> None:
    done = sitting.save()
    assert done is None or done.result()


def play_out(sitting: LocalTable, rng: Rng) -> None:
    """Play the round at random to its end, saving every turn."""
    while sitting.session.turn is not None:
        if len(sitting.session.plies) > 20:
            sitting.resign()
        else:
            move = rng.choice(sitting.session.legal_moves())
            sitting.play(sitting.game.format_move(move))
        keep(sitting)


# -- pairs of rounds


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("code", [*DRAWN, *(f"{code},seed=41" for code in DRAWN)])
def test_the_second_of_a_pair_is_the_same_draw_with_the_other_player_first(code: str, first: int) -> None:
    sitting, rng = begun(code, rounds=6, first=first), Rng(7)
    starts, starters = [], []
    for number in range(6):
        starts.append(sitting.session.start)
        starters.append(sitting.session.names[0])
        play_out(sitting, rng)
        if number < 5:
            sitting.next_round()
    assert starters == ["Ann", "Ben"] * 3 if first == 0 else ["Ben", "Ann"] * 3
    draws, told = len({start.model_dump_json() for start in starts}), [one.draw for one in sitting.rounds]
    if sitting.game.INFO.hidden:
        assert (draws, told) == (6, [""] * 6), "hidden hands are dealt for every round"
    else:
        assert starts[0::2] == starts[1::2]
        assert (draws, told) == (3, ["1", "1", "2", "2", "3", "3"]), "each pair has a draw of its own"


def test_the_next_secret_draw_does_not_follow_from_the_last() -> None:
    sitting = begun("number-duel", rounds=6)
    seeds = []
    for number in range(6):
        seeds.append(sitting.session.options.seed)
        sitting.resign()
        assert sitting.hands_open
        if number < 5:
            sitting.next_round()
    assert all(abs(one - two) > 6 for one, two in pairwise(seeds))


def test_hands_that_were_named_are_shown_when_no_round_has_them_any_more() -> None:
    sitting = begun("number-duel:deal=31524-42513", rounds=2)
    sitting.resign()
    assert not sitting.hands_open
    sitting.next_round()
    sitting.resign()
    assert sitting.hands_open


@pytest.mark.parametrize("finished", [1, 2, 3])
@pytest.mark.parametrize("begin", [False, True], ids=["before the round", "in the round"])
def test_a_match_that_is_resumed_has_the_same_pairs_score_and_table(store: Store, finished: int, begin: bool) -> None:
    sitting, rng = begun("digit-chain:gaps=20", rounds=4, store=store), Rng(finished)
    for _ in range(finished):
        play_out(sitting, rng)
        rows, score, last = sitting.rounds, sitting.score, sitting.session.options
        sitting.next_round()
    if begin:
        sitting.play(sitting.game.format_move(sitting.session.legal_moves()[0]))
        keep(sitting)
    sitting.saved.close()
    resumed = LocalTable.resumed(store, sitting.saved.id)
    assert (resumed.rounds, resumed.match, resumed.players) == (rows, score, PLAYERS)
    assert resumed.session.code() == sitting.session.code() or (not begin and finished % 2 == 0)
    assert (resumed.session.options == last) == (finished % 2 == 1)
    assert resumed.session.names == sitting.session.names
    for _ in range(finished, 4):
        play_out(resumed, rng)
        if not resumed.score.over:
            resumed.next_round()
    assert len(resumed.rounds) == 4
    assert store.find(sitting.saved.id).over


def test_the_table_has_a_line_for_each_round() -> None:
    rows = (RoundRow("", "Zoë 漢", "", 12), RoundRow("", "Bartholomew", "Bartholomew", 3))
    assert rounds_table(rows) == [
        "Round  First        Winner       Turns",
        "1      Zoë 漢       (a draw)     12",
        "2      Bartholomew  Bartholomew  3",
    ]


# -- what is kept


def test_nothing_is_kept_of_a_match_that_nobody_played(store: Store) -> None:
    sitting = begun("circle-duel", store=store)
    sitting.assisted = True
    assert sitting.save() is None
    assert store.count() == 0
    sitting.play("4")
    keep(sitting)
    assert store.load(store.history()[0].id).record.played[0].assisted


def test_rounds_without_end_are_kept_as_games_of_their_own_and_the_score_goes_on(store: Store) -> None:
    sitting = begun("sequence-duel:size=5", rounds=99, store=store, open_ended=True)
    for _ in range(3):
        sitting.resign()
        keep(sitting)
        sitting.next_round()
    assert sitting.match.points(1) == 2
    kept = store.history()
    assert [(one.rounds, one.first, one.over) for one in reversed(kept)] == [(1, 0, True), (1, 1, True), (1, 0, True)]


def test_a_match_that_begins_with_a_finished_round_is_kept_with_it(store: Store) -> None:
    sitting = begun("circle-duel:size=4/1.2.3.4", rounds=2, store=store)
    sitting.next_round()
    sitting.play("2")
    keep(sitting)
    assert [one.code() for one in store.load(store.history()[0].id).sessions] == [
        "circle-duel:size=4/1.2.3.4",
        "circle-duel:size=4/2",
    ]


def test_help_is_of_its_round_alone_and_known_again_when_it_is_gone_on_with(store: Store) -> None:
    sitting = begun("sequence-duel:size=5", rounds=3, store=store)
    sitting.use_help()
    sitting.resign()
    keep(sitting)
    sitting.next_round()
    assert not sitting.assisted
    sitting.play("1")
    keep(sitting)
    sitting.saved.close()
    for helped in (False, True):
        sitting = LocalTable.resumed(store, sitting.saved.id)
        assert sitting.assisted == helped
        assert [one.assisted for one in store.load(sitting.saved.id).record.played] == [True, helped]
        sitting.use_help()
        keep(sitting)
        sitting.saved.close()


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
    sitting = begun("circle-duel:size=4/1.2.3.4")
    for _ in range(2 * MATCHES_BACK):
        sitting = sitting.rematch()
    back = 0
    while sitting.previous is not None:
        sitting, back = sitting.previous, back + 1
    assert back == MATCHES_BACK


# -- a draw by agreement


def test_two_at_one_screen_agree_on_a_draw_and_it_is_kept_and_undone(store: Store) -> None:
    sitting = begun("number-circle", rounds=2, store=store)
    sitting.play("+2")
    sitting.offer("draw")
    offer = sitting.offered
    assert sitting.asked == "Ben offers a draw."
    sitting.answer(offer.id, yes=True)
    keep(sitting)
    assert sitting.session.outcome.reason == "Both players agreed on a draw."
    assert (sitting.score.winners, sitting.rounds[0].winner, sitting.rounds[0].turns) == ((None,), "", 1)
    assert sitting.saved_as is not None
    (told,) = store.resume(sitting.saved_as).record.played
    assert (told.result.by, told.result.winner) == ("agreement", None)
    sitting.undo()
    assert sitting.session.log() == ((0, "+2"),)
    sitting.redo()
    assert sitting.session.by == "agreement"


def test_an_offer_is_void_once_the_position_has_moved_on() -> None:
    sitting = begun("number-circle")
    sitting.offer("draw")
    offer = sitting.offered
    sitting.play("+2")
    assert sitting.offered is None
    assert sitting.asked == ""
    with pytest.raises(DuelboxError, match="no longer stands"):
        sitting.answer(offer.id, yes=True)
    sitting.undo()
    with pytest.raises(DuelboxError, match="no longer stands"):
        sitting.answer(offer.id, yes=True)
    assert sitting.session.outcome is None


def test_a_draw_that_was_declined_is_not_offered_again_in_that_position() -> None:
    sitting = begun("number-circle")
    sitting.offer("draw")
    sitting.answer(sitting.offered.id, yes=False)
    assert sitting.offered is None
    assert "declined in this position" in (sitting.why_not("draw") or "")
    sitting.play("+2")
    assert sitting.why_not("draw") is None


@pytest.mark.parametrize("declined", [False, True])
def test_an_offer_and_its_answer_end_with_the_round(declined: bool) -> None:
    """The next round begins with the stamp that the first position of the last one had."""
    sitting = begun("number-circle", rounds=2)
    sitting.offer("draw")
    offer = sitting.offered
    if declined:
        sitting.answer(offer.id, yes=False)
    sitting.resign()
    sitting.next_round()
    assert (sitting.session.stamp, sitting.offered, sitting.asked) == (offer.id, None, "")
    assert sitting.why_not("draw") is None
    with pytest.raises(DuelboxError, match="no longer stands"):
        sitting.answer(offer.id, yes=True)


@pytest.mark.parametrize("game", ["circle-duel", "sequence-duel", "digit-chain"])
def test_no_draw_is_offered_where_there_are_none(game: str) -> None:
    sitting = begun(game)
    with pytest.raises(DuelboxError, match="always has a winner"):
        sitting.offer("draw")


@pytest.mark.parametrize(
    ("code", "stubborn"),
    [
        (
            "number-circle:target=10/-9.+2.-8.+3.-7.+4",
            {"counter", "planner", "oracle"},
        ),  # the computer wins within 4 turns
        ("number-circle:target=10/+9.-9.-8.+8.+7.-7", {"planner", "oracle"}),  # within 8, and planner sees 9
        ("number-duel:hand=3,deal=312-213", {"planner", "oracle"}),  # who moves second has the better chances
    ],
)
@pytest.mark.parametrize("level", ["dash", "peek", "counter", "planner", "oracle"])
def test_a_computer_agrees_unless_it_sees_that_it_does_better(code: str, stubborn: set[str], level: str) -> None:
    sitting = LocalTable.of(opening(code), (PlayerInfo(name="Ann"), PlayerInfo(name="It", level=level)))
    agrees = level not in stubborn
    sitting.offer("draw")
    assert sitting.asked == ""
    assert sitting.answer_for_computer(sitting.offered) == agrees
