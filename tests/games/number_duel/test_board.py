"""The board of Number Duel: notes against a slow reading of public facts, and nothing hidden in any picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from duelbox.core.model import SEATS, Seat, other
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.games.number_duel import GAME
from duelbox.games.number_duel.board import BOARD, scene, stages
from duelbox.games.number_duel.rules import Struck
from duelbox.ui.game_board import Look
from duelbox.ui.widgets.hand_board import HandBoard, HandCard, HandScene
from tests.effort import sampled

RULES: list[dict[str, Any]] = [{}, {"hand": 3}, {"victors_stay": True, "hand": 4}, {"hand": 4}]


def played(seed: int, rules: dict[str, Any]) -> Iterator[tuple[Session, Any, Struck | None]]:
    """A random game turn by turn: the session, the state before the last move, and its events."""
    session, rng = Session(GAME, GAME.Options(seed=seed, **rules)), Rng(seed)
    yield session, session.state, None
    while session.turn is not None:
        before = session.state
        [struck] = session.play(rng.choice(session.legal_moves()))
        yield session, before, struck


# -- what my card does there


def possible(session: Session, seat: Seat) -> list[set[int]]:
    """The numbers that each place of a hand may hold, by trying every deal that fits what was shown."""
    places: list[set[int]] = [set() for _ in session.state.hands[seat]]
    rival = session.start.hands[other(seat)]
    for order in permutations(session.start.hands[seat]):
        deal = (order, rival) if seat == 0 else (rival, order)
        twin = Session(GAME, session.options.changed(seed=0, deal=deal))
        for ply in session.plies:
            if ply.move not in twin.legal_moves() or twin.play(ply.move) != ply.events:
                break
        else:
            if twin.view(None).faces == session.view(None).faces:
                for place, number in enumerate(twin.state.hands[seat]):
                    places[place].add(number)
    return places


def told(card: HandCard, attacker: int) -> tuple[set[int], set[int], set[int]]:
    """The numbers that the notes of a card list as beaten, tied with and run into."""
    text = " ".join("".join(piece for piece, _ in line.variants[0]) for line in card.notes)
    beats = re.search(r"beats ((?:\d ?)+)", text)
    ties = re.search(r"ties (\d)", text)
    loses = re.search(r"(?:not|loses to) ((?:\d ?)+)", text)
    tie = {attacker} if "both go" in text else {int(ties[1])} if ties else set()
    return numbers(beats), tie, numbers(loses)


def numbers(found: re.Match[str] | None) -> set[int]:
    return {int(one) for one in found[1].split()} if found else set()


@pytest.mark.parametrize("rules", RULES[1:], ids=str)
@pytest.mark.parametrize("seed", range(1, sampled(3, 12)))
def test_the_notes_say_of_each_place_what_every_deal_that_fits_says(seed: int, rules: dict[str, Any]) -> None:
    for session, _, _ in played(seed, rules):
        if session.turn is None:
            return
        me, rival = session.turn, other(session.turn)
        holds = possible(session, rival)
        for mine in session.view(me).left(me):
            drawn = scene(session.view(me), Look(seat=me, line=f"{mine}x", peek=True))
            for card, may_be in zip(drawn.theirs, holds, strict=True):
                beats = {one for one in may_be if one < mine}
                assert told(card, mine) == (beats, may_be & {mine}, may_be - beats - {mine})


@pytest.mark.parametrize(
    ("width", "height", "row"), [(80, 16, 6), (60, 12, 4), (83, 27, 11), (152, 48, 20), (72, 13, 5)]
)
def test_notes_are_shortened_and_never_cut(width: int, height: int, row: int) -> None:
    session = Session(GAME, GAME.Options(hand=7, seed=3))
    for number in range(1, 8):
        drawn = scene(session.view(0), Look(seat=0, line=f"{number}x"))
        dump = HandBoard.paint(drawn, width, height, None).canvas.dump().split("\n")
        whole = " ".join(map(str, range(1, number))) or "none"
        ways = {f"beats {whole}", f"beats 1-{number - 1}", f"{number - 1} of 7"}
        texts = re.split("  +", dump[row].replace(f"with your ● {number}", "").strip())
        texts = texts if len(texts) == 7 else re.findall("beats [0-9 ]+[0-9]|beats [a-z0-9-]+", dump[row])
        assert len(texts) == 7
        assert set(texts) <= ways
        if height == 12:
            assert (f"beats {whole}" in dump[row + 1]) == (number > 1)


# -- what is hidden stays hidden


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_no_picture_of_any_turn_shows_a_number_that_is_hidden_from_who_looks(rules: dict[str, Any]) -> None:
    for seed in range(1, sampled(8, 40)):
        for session, before, struck in played(seed, rules):
            for viewer in (None, *SEATS):
                look = Look(seat=viewer, events=(struck,) if struck else (), peek=True)
                view = session.view(viewer)
                check_hidden([scene(view, look)], view, viewer, set())
                if struck is not None:
                    seen = GAME.view(before, viewer)
                    pictures = [stage.scene for stage in stages(seen, view, look)]
                    assert len(pictures) == 3
                    attacker = {(struck.seat, struck.attacker)}
                    met = {(other(struck.seat), struck.defender)}
                    check_hidden(pictures[:1], seen, viewer, attacker)
                    check_hidden(pictures[1:], seen, viewer, attacker | met)
                    check_attack(pictures, struck, viewer)


def check_hidden(pictures: list[Any], view: Any, viewer: Seat | None, open_now: set[tuple[int, int]]) -> None:
    for picture in pictures:
        for card in (*picture.theirs, *picture.mine):
            known = card.face in view.faces[card.seat] or (card.seat, card.face) in open_now
            assert card.face is None or card.seat == viewer or known


def check_attack(pictures: list[HandScene], struck: Struck, viewer: Seat | None) -> None:
    """Check that the attacker, the number it meets, and the fate of both have shapes of their own."""
    hands = [(*picture.theirs, *picture.mine) for picture in pictures]
    for cards in hands[:2]:
        assert [(card.seat, card.face) for card in cards if card.lifted] == [(struck.seat, struck.attacker)]
        assert [card.seat for card in cards if card.aimed] == [other(struck.seat)]
    judged = {card.seat: card for card in hands[2] if card.feet}
    attacker, defender = judged[struck.seat], judged[other(struck.seat)]
    assert (attacker.face, defender.face) == (struck.attacker, struck.defender)
    assert attacker.beaten == (struck.attacker <= struck.defender)
    assert defender.beaten == (struck.attacker >= struck.defender)
    assert defender.last
    for picture in pictures:
        facts = ["".join(text for text, _ in line.variants[0]).split() for line in picture.above]
        hides = {number for word, *numbers in facts for number in numbers if word == "hides"}
        assert not hides & {str(card.face) for card in picture.theirs}, "what lies open is not said to be hidden"
    for card in (*pictures[0].mine, *pictures[2].mine):
        assert card.face is not None or viewer is None, "the own hand never turns over by itself"


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_is_drawn_for_two_at_one_screen_does_not_depend_on_a_hidden_order(rules: dict[str, Any]) -> None:
    for seed in range(1, sampled(8, 40)):
        for session, before, struck in played(seed, rules):
            if struck is None or session.turn is None:
                continue
            twin = next(
                (
                    (one, after)
                    for one in (GAME.worlds(GAME.view(before, None), Rng(draw)) for draw in range(200))
                    for after, events in [GAME.apply(one, struck.seat, session.plies[-1].move)]
                    if events == (struck,) and GAME.view(after, None) == session.view(None)
                ),
                None,
            )
            assert twin is not None
            look = Look(seat=struck.seat, events=(struck,))
            for seat in SEATS:
                views = [(GAME.view(one, seat), GAME.view(two, seat)) for one, two in ((before, session.state), twin)]
                one, two = ([*stages(*pair, look), scene(pair[1], look)] for pair in views)
                assert one == two


def test_a_look_shows_the_own_order() -> None:
    session = Session(GAME, GAME.Options(deal=((3, 1, 5, 2, 4), (5, 1, 2, 3, 4))))
    for peek, shown in ((False, [1, 2, 3, 4, 5]), (True, [3, 1, 5, 2, 4])):
        assert [card.face for card in scene(session.view(0), Look(seat=0, peek=peek)).mine] == shown
    assert [card.face for card in scene(session.view(None), Look(seat=None)).mine] == [None] * 5


# -- after the game


def box_corners(drawing: str) -> list[tuple[int, int]]:
    """The upper left corners of the cards."""
    rows = enumerate(drawing.split("\n"))
    return [(x, y) for y, row in rows for x, char in enumerate(row) if char in "╭▗"]


def test_both_hands_are_shown_as_they_were_dealt_with_what_became_of_each_number() -> None:
    session = Session(GAME, GAME.Options(deal=((4, 2, 3, 5, 1), (3, 5, 1, 4, 2))))
    for move in ("2x4", "1x1", "4x3", "3x3", "5x1", "2x1"):
        session.type(move)
    view = GAME.view(BOARD.open_up(session.state), 0)
    drawn = scene(view, Look(seat=0))
    assert [card.face for card in drawn.theirs] == [3, 5, 1, 4, 2]
    assert [card.face for card in drawn.mine] == [4, 2, 3, 5, 1]
    assert [card.feet[0] for card in drawn.theirs] == ["beat 1", "tied 5", "lost to 4", "tied 4", "lost to 3"]
    assert [card.feet[0] for card in drawn.mine] == ["tied 4", "lost to 4", "stands", "tied 5", "lost to 3"]
    begun = scene(GAME.view(Session(GAME, session.options).state, 0), Look(seat=0))
    for size in ((80, 16), (60, 12), (83, 27)):
        places = [box_corners(HandBoard.paint(one, *size, None).canvas.dump()) for one in (begun, drawn)]
        before, after = places
        assert [x for x, _ in before] == [x for x, _ in after], "no card grows or moves to a side at the end"
        apart = [min(y for _, y in one[5:]) - max(y for _, y in one[:5]) for one in places]
        assert before == after or (after[0][1] == 0 and apart[0] < apart[1]), "hands part for the card of the end alone"


# -- places


@pytest.mark.parametrize("size", [(80, 16), (60, 12), (83, 27), (152, 48), (72, 19)], ids=str)
@pytest.mark.parametrize("hand", range(3, 8))
def test_places_stay_where_they_are_as_long_as_the_game_lasts(size: tuple[int, int], hand: int) -> None:
    session, rng, first = Session(GAME, GAME.Options(hand=hand, seed=5)), Rng(hand), None
    while session.turn is not None:
        me = session.turn
        number = session.view(me).left(me)[0]
        for line in ("", f"{number}x", f"{number}x1"):
            regions = HandBoard.paint(scene(session.view(me), Look(seat=me, line=line)), *size, None).targets
            places = [regions[f"x{at}"] for at in range(1, len(session.state.hands[other(me)]) + 1)]
            first = first or places
            assert places == first[: len(places)]
            own = [regions[str(one)] for one in session.view(me).left(me)]
            assert [region.x for region in own] == [region.x for region in first[: len(own)]]
            assert len({region.bottom for region in own}) == 1
            assert {region.height for region in own[1:]} <= {places[0].height}
        session.play(rng.choice(session.legal_moves()))
