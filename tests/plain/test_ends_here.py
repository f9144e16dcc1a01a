"""The end of a match on this machine, in lines."""

from __future__ import annotations

from duelbox.store.store import Store
from tests.command_line import play

LEAP = "circle-duel:size=17,reach=3,trails=own,gaps=2"
AGAINST_DASH = ("--p1", "Ann", "--p2", "bot:1")


def test_in_lines_a_lost_deal_is_said_not_counted_and_dealt_again_in_the_other_seat() -> None:
    """The first player had lost from the start, and loses by any answer to 11."""
    ran = play(f"{LEAP},seed=1/16.7.14.4.15.6.13.9", "11", "yes", "quit", options=AGAINST_DASH)
    assert "This deal was lost from the start: all 15 first moves lose. The loss is not in your record." in ran.out
    after = ran.out.partition("Play again? (yes/no): yes")[2]
    assert "Dash will go first." in after
    assert f"Its code: {LEAP},seed=1" in after or f"{LEAP},seed=1" in after
    with Store.open() as store:
        assert store.statistics() == ()


def test_in_lines_a_loss_in_a_deal_that_could_be_won_counts() -> None:
    ran = play(f"{LEAP},seed=2/16.7.17.4.2.6.3.8", "1", "no", options=AGAINST_DASH)
    assert "lost from the start" not in ran.out
    with Store.open() as store:
        assert [one.lost for one in store.statistics()] == [1]
