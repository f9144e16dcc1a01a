"""Two sides of a match in one room always agree, for every game and with hidden hands."""

from __future__ import annotations

import random
import re

import pytest

from duelbox.core import news
from duelbox.core.code import format_code
from duelbox.core.errors import DuelboxError
from duelbox.core.record_reader import open_record
from duelbox.friends import claims
from duelbox.friends import messages as m
from duelbox.friends.messages import decode, encode
from duelbox.friends.player_side import PlayerSide
from duelbox.registry import find_game, games
from tests.effort import sampled
from tests.friends.rooms import Machine, Pair, play_some_move

PRESETS = [format_code(game, preset.options, ()) for game in games() for preset in game.PRESETS]


@pytest.mark.parametrize("code", PRESETS)
def test_both_sides_keep_the_same_record_of_a_match(code: str) -> None:
    pair = Pair(code, code, rounds=2)
    rng = random.Random(code)
    pair.play_or_resign(rng)
    record = pair.host.ledger.record()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "over"
    assert record == pair.guest.ledger.record()
    assert open_record(record.to_json(), find_game).error is None
    assert len(record.played) == 2
    if pair.host.ledger.proposal and pair.host.ledger.proposal.drawn:
        same = record.played[0].options == record.played[1].options
        assert same != find_game(record.game).INFO.hidden, "rounds come in pairs of one draw; hands are dealt afresh"


@pytest.mark.parametrize("code", ["number-duel:hand=7", "number-duel:victors_stay=on", "number-duel:arrange=chosen"])
def test_events_on_an_assumed_deal_are_the_true_ones(code: str) -> None:
    for seed in range(sampled(6, 1_000 // 3)):
        pair = Pair(code, seed)
        pair.play_out(random.Random(seed))
        session = pair.host.session
        assert session.outcome is not None
        assert pair.guest.session.plies == session.plies
        for machine in (pair.host, pair.guest):
            events = [one.ply.events for one in machine.take_news() if isinstance(one, news.Moved)]
            assert events[-len(session.plies) :] == [ply.events for ply in session.plies][-len(events) :]


def test_the_end_of_a_hidden_game_is_shown_when_both_hands_were_checked() -> None:
    pair = Pair("number-duel", 1)
    pair.host.propose("resign")
    host, guest = pair.machines
    host.keep()
    host.exchange(pair.log)
    guest.exchange(pair.log)
    assert guest.side.ledger.stage == "bye"
    assert guest.side.session.outcome is None
    pair.settle()
    assert guest.side.session.outcome is not None


def test_an_order_is_chosen_by_chance_and_by_nobody_alone() -> None:
    seen = set()
    for seed in range(sampled(20, 80)):
        host = Pair("number-duel:hand=3", seed).host
        seen.add(host.round.hands.whole[host.seat])
    assert len(seen) == 6


def test_a_rival_s_hidden_order_is_nowhere_on_this_side() -> None:
    pair = Pair("number-duel", 3)
    assert pair.host.ledger.hands.whole == (None, None)
    cards = pair.host.round.hands
    assert cards.whole[pair.guest.seat] is None
    assert cards.assumed()[pair.guest.seat] == (1, 2, 3, 4, 5)


def test_each_round_has_hands_and_secrets_of_its_own() -> None:
    pair = Pair("number-duel:hand=7", 4, rounds=3)
    dealt, secrets = [], []
    for _ in range(3):
        for side in (pair.host, pair.guest):
            dealt.append((side.me, side.round.hands.whole[side.seat]))
            secrets.append(side.hand.secrets(side.ledger))
        pair.host.propose("resign")
        pair.settle()
    assert pair.host.ledger.stage == "over"
    assert len(set(dealt)) == len(set(secrets)) == 6


def test_the_first_player_is_drawn() -> None:
    assert {Pair("sequence-duel", seed).host.seat for seed in range(12)} == {0, 1}


# -- offers


def begun(code: str = "sequence-duel", moves: int = 3) -> tuple[Pair, PlayerSide, PlayerSide]:
    """A match with some moves made: the pair, the player who moved last, and the player to move."""
    pair = Pair(code, 5)
    rng = random.Random(5)
    for _ in range(moves):
        mover = pair.mover()
        play_some_move(mover, rng)
        pair.settle()
    mover = pair.mover()
    return pair, pair.guest if mover is pair.host else pair.host, mover


def plies(side: PlayerSide) -> int:
    return len(side.session.plies)


def test_an_undo_needs_the_other_s_yes() -> None:
    pair, last, mover = begun()
    last.propose("undo")
    pair.settle()
    assert plies(last) == 3
    (offer,) = mover.ledger.offers
    mover.answer(offer.id, yes=True)
    pair.settle()
    assert plies(last) == plies(mover) == 2
    assert last.my_turn


def test_an_offer_is_void_when_the_position_moved_on() -> None:
    pair, last, mover = begun()
    last.propose("undo")
    pair.settle()
    (offer,) = mover.ledger.offers
    play_some_move(mover, random.Random(1))
    mover.answer(offer.id, yes=True)
    pair.settle()
    assert plies(last) == plies(mover) == 4
    assert not mover.ledger.offers
    assert any(isinstance(one, news.Lapsed) for one in last.take_news())


def test_a_move_that_crosses_an_accepted_undo_is_void_on_both_sides() -> None:
    pair, last, mover = begun()
    mover.propose("undo")
    pair.settle()
    (offer,) = last.ledger.offers
    last.answer(offer.id, yes=True)
    play_some_move(mover, random.Random(1))
    first, second = (machine for machine in sorted(pair.machines, key=lambda machine: machine.side is mover))
    first.keep()
    first.exchange(pair.log)
    second.put(pair.log)
    pair.settle()
    assert plies(last) == plies(mover) == 1
    assert pair.host.ledger.transcript.chains == pair.guest.ledger.transcript.chains
    assert any(isinstance(one, news.NotCounted) for one in mover.take_news())


def test_nothing_is_taken_back_past_a_reveal() -> None:
    _, last, _ = begun("number-duel", 1)
    assert "revealed" in last.ledger.why_no_offer(last.me, "undo")


def test_two_who_ask_for_an_undo_at_once_are_both_asked_and_nothing_is_taken_back() -> None:
    pair, last, mover = begun()
    before = plies(last)
    last.propose("undo")
    mover.propose("undo")
    pair.settle()
    assert plies(last) == plies(mover) == before
    for side in (last, mover):
        assert [offer.by for offer in side.ledger.offers if offer.by != side.me] == [side.rival]


def test_a_rematch_begins_another_match_with_the_other_first() -> None:
    pair = Pair("number-duel", 2)
    first = pair.host.seat
    pair.play_out(random.Random(2))
    pair.host.propose("rematch")
    pair.settle()
    (offer,) = pair.guest.ledger.offers
    pair.guest.answer(offer.id, yes=True)
    pair.settle()
    assert pair.host.ledger.stage == "play"
    assert pair.host.seat != first
    pair.play_out(random.Random(3))
    assert pair.host.ledger.record() == pair.guest.ledger.record()


def test_both_offering_a_rematch_is_a_yes() -> None:
    pair = Pair("circle-duel", 2)
    pair.play_out(random.Random(2))
    pair.host.propose("rematch")
    pair.guest.propose("rematch")
    pair.settle()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert pair.host.ledger.matches == 1


def results(pair: Pair) -> list[tuple[int | None, str]]:
    """The results of the rounds, which must be the same on both sides."""
    assert pair.host.stopped is pair.guest.stopped is None
    record = pair.host.ledger.record()
    assert record == pair.guest.ledger.record()
    return [(one.result.winner, one.result.by) for one in record.played if one.result]


def test_help_is_noted_in_the_round_in_which_it_was_asked_for_and_in_no_later_one() -> None:
    pair = Pair("sequence-duel", 5, rounds=3, lesson=True)
    for helped in (False, True, False):
        if helped:
            pair.host.propose("help")
            pair.settle()
        pair.host.propose("resign")
        pair.settle()
    assert [played.assisted for played in pair.guest.ledger.record().played] == [False, True, False]


def test_an_offer_of_a_draw_stands_when_who_made_it_starts_the_program_again() -> None:
    pair = Pair("number-circle", 1)
    pair.host.propose("draw")
    pair.settle()
    pair.machines[0].begin()
    pair.settle()
    for side in (pair.host, pair.guest):
        assert [(offer.by, offer.kind) for offer in side.ledger.offers] == [(pair.host.me, "draw")]


def test_a_move_is_told_as_its_player_s_also_when_it_turns_up_a_card_of_the_other() -> None:
    pair = Pair("number-duel", 3)
    movers = []
    for number in range(3):
        mover = pair.mover()
        movers.append(mover.me)
        play_some_move(mover, random.Random(number))
        pair.settle()
    for side in (pair.host, pair.guest):
        assert [one.by for one in side.take_news() if isinstance(one, news.Moved)] == movers


@pytest.mark.parametrize("code", ["number-circle", "number-duel", "number-duel:arrange=chosen"])
def test_two_agree_on_a_draw(code: str) -> None:
    pair = Pair(code, 1)
    mover = pair.mover()
    mover.propose("draw")
    pair.settle()
    last = pair.guest if mover is pair.host else pair.host
    (offer,) = last.ledger.offers
    assert (offer.kind, offer.by) == ("draw", mover.me)
    last.answer(offer.id, yes=True)
    pair.settle()
    assert results(pair) == [(None, "agreement")]


def test_both_offering_a_draw_is_a_yes() -> None:
    pair = Pair("number-circle", 1)
    pair.host.propose("draw")
    pair.guest.propose("draw")
    pair.settle()
    assert results(pair) == [(None, "agreement")]


def test_a_draw_is_offered_only_where_there_are_draws() -> None:
    pair = Pair("sequence-duel", 1)
    assert pair.host.ledger.why_no_offer(pair.host.me, "draw") == "Sequence Duel always has a winner."
    pair.host._put(m.Propose(kind="draw"))
    pair.settle()
    assert not pair.host.ledger.offers
    assert any(isinstance(one, news.Lapsed) for one in pair.guest.take_news())


def away(code: str, hours: float, *, rounds: int = 1) -> tuple[Pair, Machine, Machine]:
    """A match in which one side says nothing at its turn for so long: the pair, the waiting side, the silent side."""
    pair = Pair(code, 1, rounds=rounds)
    mover = pair.mover()
    waiting, moving = sorted(pair.machines, key=lambda machine: machine.side is mover)
    pair.log.time += int(hours * 3600)
    return pair, waiting, moving


def claim(pair: Pair, machine: Machine) -> None:
    """Claim the game while the other player is away."""
    machine.side.propose("claim")
    for _ in range(2):
        machine.keep()
        while machine.exchange(pair.log):
            pass
        pair.log.time += claims.STANDS + 1
        machine.side.tick()


def test_a_game_is_claimed_from_who_is_away_too_long_and_they_learn_it() -> None:
    pair, here, gone = away("sequence-duel", 12.1)
    claim(pair, here)
    assert here.side.ledger.stage == "over"
    assert here.side.ledger.record().played[0].result.by == "claim"
    play_some_move(gone.side, random.Random(1))  # they come back without knowing of the claim
    gone.put(pair.log)
    pair.settle()
    assert results(pair) == [(here.side.me + 1, "claim")]
    (over,) = [one for one in gone.side.take_news() if isinstance(one, news.RoundOver)]
    loser, winner = over.session.names[1 - here.side.seat], over.session.names[here.side.seat]
    sentence = over.session.named(over.session.outcome.reason)
    assert re.match(rf"{loser} .* away .* {winner} claimed", sentence)


def test_a_claim_counts_though_the_clock_of_who_was_away_is_a_little_behind() -> None:
    pair, here, gone = away("sequence-duel", 12)
    gone.clock = lambda: pair.log.time - 100
    claim(pair, here)
    pair.settle()
    assert results(pair) == [(here.side.me + 1, "claim")]


def test_a_clock_that_was_set_forward_claims_nothing() -> None:
    pair, here, _ = away("sequence-duel", 11.9)
    here.clock = lambda: pair.log.time + 1e9
    assert here.side.why_no_claim() is None
    claim(pair, here)
    pair.settle()
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert any(isinstance(one, news.NotCounted) for one in here.side.take_news())
    assert pair.mover() is not None
    pair.play_out(random.Random(1))
    assert [by for _, by in results(pair)] == ["play"]


def test_nobody_claims_at_their_own_turn_or_from_who_was_heard_of() -> None:
    pair, here, gone = away("sequence-duel", 12.1)
    gone.side._put(m.Claim())
    pair.settle()
    assert pair.host.ledger.stage == "play"
    with pytest.raises(DuelboxError, match="silent for 12 hours"):  # the other player has just been heard of
        here.side.propose("claim")
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "play"
    assert gone.side.why_no_claim() == "It is your turn."


def test_a_card_that_is_withheld_can_be_claimed_for_whatever_else_is_said() -> None:
    pair, gone, here = away("number-duel", 0)
    play_some_move(here.side, random.Random(1))
    here.keep()
    here.exchange(pair.log)
    here.exchange(pair.log)
    assert here.side.ledger.stage == "open"
    pair.log.time += 43_000
    gone.side._put_owed = lambda: None
    gone.side.say(4)
    gone.exchange(pair.log)
    gone.exchange(pair.log)
    pair.log.time += 300
    here.side.propose("claim")
    here.put(pair.log)
    gone.side.say(4)
    gone.exchange(pair.log)
    here.exchange(pair.log)
    pair.log.time += claims.STANDS + 1
    here.side.tick()
    while here.exchange(pair.log):
        pass
    assert [one.result.by for one in here.side.ledger.record().played] == ["claim"]


def test_two_who_resign_at_once_have_one_loser() -> None:
    pair = Pair("sequence-duel", 1)
    pair.host.propose("resign")
    pair.guest.propose("resign")
    pair.settle()
    assert pair.host.ledger.record() == pair.guest.ledger.record()
    assert pair.host.ledger.record().played[0].result.winner == 2


def test_a_hand_laid_when_the_round_is_over_is_void() -> None:
    pair = Pair("number-duel:arrange=chosen", 1)
    mover = pair.mover()
    (pair.guest if mover is pair.host else pair.host).propose("resign")
    mover.play("31524")
    slow, fast = sorted(pair.machines, key=lambda machine: machine.side is not mover)
    fast.keep()
    fast.exchange(pair.log)
    slow.put(pair.log)
    pair.settle()
    assert not pair.host.stopped
    assert pair.host.ledger.stage == pair.guest.ledger.stage == "over"
    assert pair.host.ledger.record() == pair.guest.ledger.record()


def test_an_invitation_is_answered_once() -> None:
    pair = Pair("circle-duel", 1, answer=False)
    pair.guest.answer_invitation("Bob", "1")
    pair.guest.answer_invitation("Bob", "1", yes=False)
    pair.settle()
    assert not pair.host.stopped
    assert pair.host.ledger.stage == "play"


def test_every_message_is_written_in_one_way() -> None:
    pair = Pair("number-duel", 4)
    pair.play_out(random.Random(4))
    texts = [note.text for machine in pair.machines for note in machine.disk if note.t == "put" and not note.raw]
    assert len(texts) > 10
    for text in texts:
        assert encode(decode(text.encode())) == text.encode()
