"""Number Duel: the example of its description move by move, the edge cases of every house rule, and the views."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.model import SEATS, Seat, other
from duelbox.core.session import Session
from duelbox.games.number_duel import board, rules
from duelbox.registry import find_game, talk_of
from duelbox.testing.laws import NASTY_TEXTS, SEATS_AND_SPECTATOR, random_game
from duelbox.ui.game_board import Look
from tests.effort import tries
from tests.golden.said import Said
from tests.house_rules import house_rules
from tests.positions import at, legal, refused

# Two orders that fit the seed's sample: Player 2's second is a 4, and after one of each has gone, Player 1's 5 and
# Player 2's 1 stand on position 4. (The sample still says "position 5" for that 5; "positions 1-3" settles that later
# ones move up.)
SAMPLE = "number-duel:deal=13245-34521"


def left(code: str) -> list[tuple[int, ...]]:
    """The numbers that each player has left."""
    view = rules.view(at(code), None)
    return [view.left(seat) for seat in SEATS]


def gone(code: str) -> list[list[tuple[int, str]]]:
    return [[(one.number, one.how) for one in hand] for hand in at(code).gone]


def test_the_seeds_sample_move_by_move(said: Said) -> None:
    assert left(SAMPLE) == [(1, 2, 3, 4, 5), (1, 2, 3, 4, 5)]
    played = parse_code(f"{SAMPLE}/3x2.2x4.5x4", find_game)
    sentences = [event.sentence for ply in played.plies for event in ply.events]
    assert [[int(one) for one in re.findall(r"\d+", sentence)] for sentence in sentences] == [
        [1, 3, 2, 2, 4, 3], [2, 2, 4, 1, 5, 2], [1, 5, 4, 2, 1, 5],
    ]  # fmt: skip
    assert ["stays" in sentence for sentence in sentences] == [True, True, False]
    said("\n".join(sentences))
    assert left(f"{SAMPLE}/3x2") == [(1, 2, 4, 5), (1, 2, 3, 4, 5)]
    assert left(f"{SAMPLE}/3x2.2x4") == [(1, 2, 4, 5), (1, 3, 4, 5)]
    assert left(f"{SAMPLE}/3x2.2x4.5x4") == [(1, 2, 4), (3, 4, 5)]
    assert gone(f"{SAMPLE}/3x2.2x4.5x4") == [[(3, "removed"), (5, "spent")], [(2, "removed"), (1, "removed")]]
    assert at(f"{SAMPLE}/3x2.2x4.5x4").outcome is None, "the game continues"


def test_the_samples_position_5_is_position_4_once_the_later_ones_have_moved_up() -> None:
    assert re.search(r"\b5: Player 1's .* 1 to 4\.", refused(f"{SAMPLE}/3x2", "2x5"))


def test_the_seeds_command_line_sample() -> None:
    """Player 1 has 1, 2 and 4 and attacks position 1 of 1-3 with the 2: it meets a 3, and 1 and 4 remain."""
    after_sample = at(f"{SAMPLE}/3x2.2x4.5x4")
    state = after_sample.changed(turn=0)
    view = rules.view(state, 0)
    assert view.left(0) == (1, 2, 4)
    assert {move.position for move in rules.legal_moves(view)} == {1, 2, 3}
    after, (struck,) = rules.apply(state, 0, rules.Strike(number=2, position=1))
    assert (struck.attacker, struck.defender) == (2, 3)
    assert re.search("Player 2's 3, .* stays; the 2 ", struck.sentence)
    assert [rules.view(after, None).left(seat) for seat in SEATS] == [(1, 4), (3, 4, 5)]


DRAW = "both .* draw"


@pytest.mark.parametrize(
    ("code", "winner", "reason"),
    [
        # The last number of each: the attack is higher and takes it, or equal.
        ("number-duel:hand=3,deal=132-321/3x2.3x1.2x1", 0, "Player 1's 2 .* Player 2's last"),
        ("number-duel:hand=3,deal=312-312/1x3.1x1.3x2.3x1", 1, "Player 2's 3 .* Player 1's last"),
        ("number-duel:hand=3,deal=231-123/3x2.3x1.1x1", None, DRAW),
        ("number-duel:hand=3,victors_stay=on,deal=132-213/2x1.1x1.3x1", None, DRAW),
        # A last number is spent by its own attack, even by one that wins.
        ("number-duel:hand=3,deal=231-231/2x2.2x2.3x2", 1, "Player 1 has no numbers left."),
        # The defender's last number goes while the attacker has more, in a tie too.
        ("number-duel:hand=3,deal=123-123/2x2.1x2.3x1", 0, "Player 2 has no numbers left."),
        ("number-duel:hand=3,victors_stay=on,deal=231-132/3x2.1x1.2x1", 0, "Player 2 has no numbers left."),
        # The last number attacks a higher one.
        ("number-duel:hand=3,deal=123-312/1x1.1x1.2x1.3x1", 1, "Player 1 has no numbers left."),
    ],
)
def test_how_it_ends(code: str, winner: Seat | None, reason: str) -> None:
    before, _, _ = code.rpartition(".")
    assert at(before).outcome is None
    outcome = at(code).outcome
    assert outcome.winner == winner
    assert re.search(reason, outcome.reason)


def test_an_attacker_is_spent_even_when_it_wins_and_a_defender_stays_known() -> None:
    state = at("number-duel:deal=12345-12345/5x1.2x4")
    assert gone("number-duel:deal=12345-12345/5x1.2x4") == [[(5, "spent")], [(1, "removed"), (2, "removed")]]
    assert rules.view(state, None).faces == ((None, None, None, 4), (None, None, None))
    assert (state.hands[0], state.known[0]) == ((1, 2, 3, 4), (4,))


def test_a_tie_removes_both() -> None:
    assert gone("number-duel:deal=12345-12345/3x3") == [[(3, "removed")], [(3, "removed")]]


def test_victors_stay_in_their_place_revealed() -> None:
    code = "number-duel:victors_stay=on,deal=12345-12345/5x1"
    assert rules.view(at(code), 1).faces == ((None, None, None, None, 5), (None,) * 4)
    assert left(code) == [(1, 2, 3, 4, 5), (2, 3, 4, 5)]
    (struck,) = parse_code(code, find_game).plies[-1].events
    assert re.match("Player 1's 5 .* 1 .* Player 2's 1, .* gone; the 5 goes back", struck.sentence)
    assert gone(f"{code}.2x5") == [[], [(1, "removed"), (2, "removed")]], "a victor that stayed can defend"
    assert gone(f"{code}.2x5.5x1") == [[], [(1, "removed"), (2, "removed"), (3, "removed")]], "and attack again"
    assert gone(f"{code}.5x5") == [[(5, "removed")], [(1, "removed"), (5, "removed")]], "and be taken in a tie"


def test_legal_moves_are_every_own_number_at_every_position() -> None:
    assert legal("number-duel:hand=3") == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3", "3x1", "3x2", "3x3"]
    assert legal("number-duel:hand=3,deal=132-321/3x2") == ["1x1", "1x2", "3x1", "3x2"]
    assert legal("number-duel:hand=3,deal=132-321/3x2.3x1") == ["2x1"]


def test_a_chosen_order_is_any_of_the_whole_hand() -> None:
    orders = {"".join(order) for order in permutations("1234")}
    assert set(legal("number-duel:arrange=chosen,hand=4")) == orders
    assert set(legal("number-duel:arrange=chosen,hand=4/1234")) == orders
    assert legal("number-duel:arrange=chosen,hand=3/123.321") == legal("number-duel:hand=3")
    chosen, dealt = at("number-duel:arrange=chosen/31524.51234.3x2"), at("number-duel:deal=31524-51234/3x2")
    assert (chosen.hands, chosen.known, chosen.gone) == (dealt.hands, dealt.known, dealt.gone)


def test_orders_are_read_with_blanks_and_commas() -> None:
    view = rules.view(at("number-duel:arrange=chosen"), 0)
    for text in ("31524", " 3 1 5 2 4 ", "3,1,5,2,4", "3, 1, 5, 2, 4"):
        assert rules.parse_move(view, text) == rules.Arrange(order=(3, 1, 5, 2, 4))
    for text in ("3x2", "3X2", " 3 x 2 "):
        assert rules.parse_move(view, text) == rules.Strike(number=3, position=2)


def test_hands_are_shuffled_fairly_enough() -> None:
    """Each number stands about equally often on each position, and the hands are independent."""
    deals = [rules.start(rules.Options(hand=3, seed=seed)).hands for seed in range(1_800)]
    for seat in SEATS:
        counts = [sum(deal[seat] == order for deal in deals) for order in permutations((1, 2, 3))]
        assert all(240 < count < 360 for count in counts)
    assert 240 < sum(first == second for first, second in deals) < 360


# -- what a seat may know


def test_a_view_has_no_room_for_the_other_order() -> None:
    assert set(rules.View.model_fields) == {
        "turn", "outcome", "seat", "hand", "arrange", "victors_stay", "mine", "faces", "gone"
    }  # fmt: skip
    state = at("number-duel:deal=31524-51234")
    assert rules.view(state, 0).mine == (3, 1, 5, 2, 4)
    assert rules.view(state, 1).mine == (5, 1, 2, 3, 4)
    assert rules.view(state, None).mine == ()
    for seat in SEATS_AND_SPECTATOR:
        assert rules.view(state, seat).faces == ((None,) * 5, (None,) * 5)


def everything_sent(session: Session, seat: Seat | None) -> list[object]:
    """All that a session tells a seat: its view, the log, the legal moves, refusals, undo, the code."""
    told: list[object] = [session.view(seat).model_dump_json(), session.log(), session.stamp, session.can_redo]
    told += [session.turn, session.outcome, session.why_no_undo(), list(session.legal_moves())]
    for event in (event for ply in session.plies for event in ply.events):
        told += [event.model_dump_json(), session.named(event.sentence)]
    try:
        told.append(session.public_code())
    except DuelboxError as error:
        told.append(error.sentence)
    for text in (*NASTY_TEXTS[:24], "9x1", "1x9", "54321", "12345", "321"):
        for asker in SEATS if seat is None else (seat,):
            try:
                move = rules.parse_move(session.view(asker), text)
                if asker != session.turn or move not in session.legal_moves():
                    rules.apply(session.state, asker, move)
            except MoveError as error:
                told.append((text, type(error), error.sentence, error.blockers))
    return told


Seen = set[tuple[Seat, int]]


def twin_of(orders: Sequence[Sequence[int]], seen: Seen, hide: tuple[Seat, ...], rng: Random) -> list[list[int]]:
    """The two orders with the numbers that nobody has seen in other places."""
    twin = [list(order) for order in orders]
    for seat in hide:
        places = [place for place, number in enumerate(orders[seat]) if (seat, number) not in seen]
        for place, source in zip(places, rng.sample(places, len(places)), strict=True):
            twin[seat][place] = orders[seat][source]
    return twin


def dealt(options: rules.Options, orders: Sequence[Sequence[int]]) -> tuple[rules.Options, list[str]]:
    """The options and first moves of a game with these two orders, dealt or chosen."""
    if options.arrange == "chosen":
        return options, ["".join(map(str, order)) for order in orders]
    return options.changed(seed=0, deal=tuple(map(tuple, orders))), []


@pytest.mark.parametrize("seat", SEATS_AND_SPECTATOR)
def test_two_sessions_that_differ_only_in_what_is_hidden_send_the_same(seat: Seat | None) -> None:
    different = 0
    for seed in range(tries(400)):
        rng = Random(seed)
        options = house_rules("number-duel", rng)
        played = random_game(rules.GAME, options, rng)
        hands = next(state.hands for state in played.states if all(state.hands))
        strikes = [rules.format_move(move) for move in played.moves if isinstance(move, rules.Strike)]
        strikes = strikes[: rng.randrange(len(strikes) // 2 + 1)]
        seen: Seen = set()
        for event in [event for events in played.events for event in events if event.reveals][: len(strikes)]:
            seen |= {(event.seat, event.attacker), (other(event.seat), event.defender)}
        orders = twin_of(hands, seen, SEATS if seat is None else (other(seat),), rng)
        different += orders != [list(hand) for hand in hands]
        first, orders_played = dealt(options, hands)
        second, twin_orders_played = dealt(options, orders)
        session, twin = Session(rules, first), Session(rules, second)
        texts = zip([*orders_played, *strikes], [*twin_orders_played, *strikes], strict=True)
        for text, twin_text in texts:
            assert everything_sent(session, seat) == everything_sent(twin, seat)
            session.type(text)
            twin.type(twin_text)
            if session.why_no_undo() is None:
                session.undo()
                twin.undo()
                assert everything_sent(session, seat) == everything_sent(twin, seat)
                session.redo()
                twin.redo()
        assert everything_sent(session, seat) == everything_sent(twin, seat)
    assert different > tries(260), "most twins really hide something else"


def test_worlds_reach_every_order_that_is_possible_and_no_other() -> None:
    state = at("number-duel:deal=1234-1234,hand=4/4x1")
    view = rules.view(state, 0)
    hands = {rules.worlds(view, rules.Rng(seed)).hands[1] for seed in range(300)}
    assert hands == set(permutations((2, 3, 4)))
    after = rules.view(at("number-duel:deal=1234-1234,hand=4/2x4"), 0)
    hands = {rules.worlds(after, rules.Rng(seed)).hands[1] for seed in range(300)}
    assert hands == {(*order, 4) for order in permutations((1, 2, 3))}


@pytest.mark.parametrize(
    ("deal", "fits"),
    [
        ("31524-00300", True),
        ("00000-00000", True),
        ("31524-00330", False),
        ("31524-00800", False),
        ("31524-0300", False),
    ],
)
def test_a_deal_says_which_numbers_were_never_shown(deal: str, fits: bool) -> None:
    if not fits:
        with pytest.raises(DuelboxError, match="two orders of the numbers 1 to 5"):
            at(f"number-duel:deal={deal}")
        return
    state = at(f"number-duel:deal={deal}")
    assert parse_code(f"number-duel:deal={deal}", find_game).code() == f"number-duel:deal={deal}"
    opened = board.BOARD.open_up(state)
    hands = "-".join("".join(map(str, order)) for order in rules.view(opened, None).opened)
    assert hands == deal
    cards = board.scene(rules.view(opened, 1), Look(seat=1, peek=True)).mine
    assert "".join(str(card.face or 0) for card in cards) == deal.partition("-")[2]
    assert re.search(r"Number.*\?", talk_of(find_game("number-duel")).board(rules.view(state, 1)))


def test_a_game_goes_on_from_a_hand_that_was_never_shown_as_if_its_lowest_number_came_first() -> None:
    code = "number-duel:deal=00300-00000"
    assert [event.sentence for ply in parse_code(f"{code}/5x2.4x1", find_game).plies for event in ply.events] == [
        "Player 1's 5 attacks position 2 and meets Player 2's 1, which is gone; the 5 is spent.",
        "Player 2's 4 attacks position 1 and meets Player 1's 1, which is gone; the 4 is spent.",
    ]
    rng = Random(1)
    for _ in range(tries(320)):
        session = parse_code(code, find_game)
        while session.turn is not None:
            session.play(rng.choice(session.legal_moves()))
            for seat in SEATS:
                assert len(session.state.hands[seat]) == len(rules.view(session.state, None).left(seat))
