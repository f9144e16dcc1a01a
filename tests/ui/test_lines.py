"""The boards of lines and chains: each number is complete, keeps its place, and can be clicked there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from textual.geometry import Region, Size

from duelbox.core.code import parse_code
from duelbox.core.session import Session
from duelbox.games.sequence_duel.rules import Options, State, start
from duelbox.games.sequence_duel.solve.line import line_of
from duelbox.registry import find_game
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.widgets.board import Cell, Drawing, Worth
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.cells import draw_cell, large_digits
from duelbox.ui.widgets.chain_board import ChainScene
from duelbox.ui.widgets.geometry import snake_layout
from tests.effort import tries
from tests.house_rules import house_rules

BOARDS = ((80, 16), (60, 12), (83, 27), (152, 48))
"""Sizes of the board in windows of 80x24, 60x20, 120x40 and 200x60."""
GAMES = ("sequence-duel", "digit-chain")


def draw(view: Any, size: tuple[int, int], **look: Any) -> Drawing:
    """Draw a position as the player to move sees it."""
    table = board_of("sequence-duel" if isinstance(view, State) else "digit-chain")
    return table.widget().paint(table.scene(view, Look(seat=view.turn, **look)), *size, None)


def moments(game_id: str, rng: Random) -> Iterator[Any]:
    """The positions of a random game with random house rules."""
    game = find_game(game_id)
    session = Session(game, house_rules(game_id, rng))
    yield session.view(0)
    while session.turn is not None:
        session.play(rng.choice(list(session.legal_moves())))
        yield session.view(0)


def shown_in(rows: list[str], region: Region) -> str:
    """The text in a region of a drawing, of which these are the rows."""
    return "\n".join(row[region.x : region.right].ljust(region.width) for row in rows[region.y : region.bottom])


def overlap(regions: Sequence[Region]) -> bool:
    """True if any two regions have a cell in common."""
    cells = {(x, y) for one in regions for y in one.line_range for x in one.column_range}
    return len(cells) < sum(one.area for one in regions)


@cache
def is_in_full(number: str, text: str) -> bool:
    """True if a number stands in this region in plain or large digits."""
    large = (large_digits(number, 1), large_digits(number, 1, low=True), large_digits(number, 2))
    return number in text or any(all(line in text for line in lines) for lines in large)


@pytest.mark.parametrize("count", range(5, 61))
def test_rows_wind_so_that_neighbours_touch(count: int) -> None:
    for size, ring in product((*BOARDS, (80, 14), (100, 20)), (False, True)):
        check_rows(count, size, ring)


def check_rows(count: int, size: tuple[int, int], ring: bool) -> None:
    layout = snake_layout(count, *size, ring=ring)
    assert layout is not None
    cells = layout.cells
    assert len(cells) == count
    assert all(Region(0, 0, *size).contains_region(cell) for cell in cells)
    assert not overlap(cells)
    turned = 0
    for one, two in pairwise(cells):
        if one.y == two.y:
            between = Region(min(one.right, two.right), one.y + one.height // 2, abs(one.x - two.x) - one.width, 1)
            assert between.width == 0 or one.height == 1 or between in layout.links
        else:
            assert one.x == two.x
            assert one.bottom < two.y, "there is a line between two rows"
            (x1, y1), (x2, y2) = layout.turns[turned]
            assert (x1, y1, x2, y2) == (one.x + one.width // 2, one.bottom, x1, two.y - 1)
            turned += 1
    assert len(layout.turns) == turned + ring
    if ring:
        check_closed(cells, layout.turns[-1])


def check_closed(cells: tuple[Region, ...], path: tuple[tuple[int, int], ...]) -> None:
    """Check the line from the end of a ring to its start: around the left side, past every other number."""
    first, last = cells[0], cells[-1]
    assert path[0] == (last.x - 1, last.y + (last.height - 1) // 2)
    assert path[-1] == (first.x - 1, first.y + (first.height - 1) // 2)
    assert min(x for x, _ in path) >= 0
    for (x1, y1), (x2, y2) in pairwise(path):
        run = Region.from_corners(min(x1, x2), min(y1, y2), max(x1, x2) + 1, max(y1, y2) + 1)
        assert not any(run.overlaps(cell) for cell in cells)


@pytest.mark.parametrize(
    ("count", "ring", "size", "cell", "lines"),
    [
        (20, False, (80, 16), (7, 4), 2),
        (30, False, (80, 16), (7, 4), 3),
        (60, False, (80, 16), (5, 3), 4),
        (20, False, (60, 12), (5, 4), 2),
        (20, False, (83, 27), (11, 7), 3),
        (20, False, (152, 48), (19, 11), 3),
        (37, True, (80, 16), (7, 3), 4),
        (49, True, (80, 16), (5, 3), 4),
        (37, True, (60, 12), (4, 1), 4),
    ],
)
def test_rows_of_the_usual_games(
    count: int, ring: bool, size: tuple[int, int], cell: tuple[int, int], lines: int
) -> None:
    layout = snake_layout(count, *size, ring=ring)
    assert layout is not None
    assert (layout.cells[0].size, len({one.y for one in layout.cells})) == (cell, lines)


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (10, 3), (20, 1)], ids=str)
def test_where_nothing_fits_no_rows_stand(size: tuple[int, int]) -> None:
    assert snake_layout(60, *size) is None


@pytest.mark.parametrize("seed", range(tries(160)))
@pytest.mark.parametrize("game_id", GAMES)
def test_no_number_moves_or_is_cut_in_a_whole_game(game_id: str, seed: int) -> None:
    rng = Random(seed)
    places: dict[Any, Region] = {}
    for view in moments(game_id, rng):
        legal = {str(number) for number in view.choices} if view.turn is not None else set()
        rated = {number: Worth(rng.choice(("win", "draw", "loss")), "12") for number in sorted(legal)}
        marks = rng.choice(({}, rated))
        for size in BOARDS:
            drawing = draw(view, size, worths=marks, glyphs=rng.choice((UNICODE, ASCII)))
            assert set(drawing.cursor_stops) == legal
            check_numbers(view, drawing)
            for number, region in drawing.targets.items():  # the row that may follow has a second place
                asked = isinstance(view, State) or view.digit == int(number[0])
                assert places.setdefault((size, number, asked), region) == region


def check_numbers(view: Any, drawing: Drawing) -> None:
    """Check that each number is complete at a place of its own, without gaps and missing tens."""
    numbers = {*(view.numbers if isinstance(view, State) else view.pool), *view.picks}
    regions = list(drawing.targets.values())
    assert numbers <= set(map(int, drawing.targets))
    assert all(Region(0, 0, drawing.canvas.width, drawing.canvas.height).contains_region(one) for one in regions)
    assert not overlap(regions)
    rows = drawing.canvas.dump().split("\n")
    for number in map(str, numbers):
        assert is_in_full(number, shown_in(rows, drawing.targets[number])), number


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("zero", ["dead-end", "no-tens", "wild"])
def test_the_chain_stands_on_the_board_and_is_open_for_what_is_typed(zero: str, glyphs: Glyphs) -> None:
    rng = Random(zero)
    session = Session(find_game("digit-chain"), house_rules("digit-chain", rng).model_copy(update={"zero": zero}))
    while session.turn is not None:
        moves = list(session.legal_moves())
        view, text = session.view(session.turn), session.game.format_move(rng.choice(moves))
        for size in BOARDS[:2]:
            first, typed = (
                "".join(draw(view, size, line=line, glyphs=glyphs).canvas.dump().split("\n")[:4]) for line in ("", text)
            )
            halves = [f"{pick[0]}{glyphs.box[3]}{pick[1]}" for pick in map(str, view.picks[-6:]) if len(pick) > 1]
            assert all(one in first for one in halves)
            assert len(text) < 2 or f"{text[0]}{glyphs.box[3]}{text[1]}" in typed
        session.play(moves[0] if len(moves) < 3 else rng.choice(moves))


def test_only_what_can_be_picked_opens_a_row_or_stands_in_the_domino() -> None:
    view: Any = parse_code("digit-chain/26.61.19.95.51", find_game).state

    def scene(line: str) -> ChainScene:
        drawn = board_of("digit-chain").scene(view, Look(seat=1, line=line))
        assert isinstance(drawn, ChainScene)
        return drawn

    def bright(line: str) -> set[str]:
        canvas = draw(view, (80, 16), line=line).canvas
        words = [piece for y in range(10, 16) for piece in canvas.row(y)]
        return {text.strip()[0] for text, style in words if style == "legal" and text.strip()[1:2] == "_"}

    assert (scene("17").draft, scene("55").draft, scene("").draft) == ("17▏", "1▏", "1▏")
    assert (bright("17"), bright("55"), bright("61"), bright("")) == ({"7"}, set(), set(), set()), (
        "the row to be answered stands above"
    )


# -- yours, and safe


@cache
def fates(owners: tuple[int, ...], ring: bool) -> tuple[frozenset[int], ...]:
    """For each number its possible owners (2: nobody), if any player may claim at any time; straight from the rules."""
    found = [{owners[at]} if owners[at] < 2 else set() for at in range(len(owners))]
    over = True
    for seat in (0, 1):
        for at, owner in enumerate(owners):
            near = (
                [at - 1, (at + 1) % len(owners)]
                if ring
                else [one for one in (at - 1, at + 1) if 0 <= one < len(owners)]
            )
            if owner == 2 and all(owners[one] != 1 - seat for one in near):
                over = False
                for fate, more in zip(found, fates((*owners[:at], seat, *owners[at + 1 :]), ring), strict=True):
                    fate |= more
    return tuple(frozenset(fate | ({2} if over and not fate else set())) for fate in found)


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_safe_numbers_are_those_that_can_only_become_ones_own(size: int, ring: bool) -> None:
    """Compare with playing everything out in any order of turns."""
    todo = {start(Options(size=size, ring=ring))}
    seen = set()
    while todo:
        state = todo.pop()
        key = frozenset((number, state.owner(number)) for number in state.picks), state.turn
        if key in seen:
            continue
        seen.add(key)
        owners = tuple(2 if (owner := state.owner(number)) is None else owner for number in state.numbers)
        fate = fates(owners, ring)
        for seat in (0, 1):
            certain = [n for n in state.numbers if owners[n - 1] == 2 and fate[n - 1] == {seat}]
            assert list(state.safe(seat)) == certain
            assert set(state.safe(seat)) <= set(state.yours(seat))
        todo.update(find_game("sequence-duel").apply(state, state.turn, move)[0] for move in moves_of(state))


def moves_of(state: State) -> list[Any]:
    """The legal moves."""
    return list(find_game("sequence-duel").legal_moves(state)) if state.turn is not None else []


@pytest.mark.parametrize("seed", range(tries(320)))
def test_the_board_and_the_verdict_mean_the_same_by_safe(seed: int) -> None:
    for view in moments("sequence-duel", Random(seed)):
        claims = {claim: 1 if at % 2 == 0 else -1 for at, claim in enumerate(view.picks)}
        line = line_of(view.options.size, view.options.ring, claims)
        assert (view.safe(0), view.safe(1)) == (line.private, line.turned().private)
        score = board_of("sequence-duel").score
        assert [score(view, seat).split(" · ")[1] for seat in (0, 1)] == [
            f"{len(line.private)} safe",
            f"{len(line.turned().private)} safe",
        ]


def test_signs_go_with_the_seat_and_words_with_who_looks() -> None:
    view: Any = parse_code("sequence-duel/11.3.9.18.13", find_game).state
    told = {}
    for seat in (0, 1, None):
        look = Look(seat=seat, names=("Ben", "Ann"), legend=True)
        drawing = board_of("sequence-duel").widget().paint(board_of("sequence-duel").scene(view, look), 80, 16, None)
        *rows, legend = drawing.canvas.dump().rstrip().split("\n")
        assert "   ◎" in rows[4], "10 is safe for the first player, whoever looks"
        told[seat] = " ".join(legend.split())
    assert told == {
        0: "◎ safe: nobody can close it ○ only you, for now ◇ only Ann",
        1: "◈ safe: nobody can close it ◇ only you, for now ○ only Ben",
        None: "◎◈ safe: nobody can close it ○ only Ben ◇ only Ann",
    }


@pytest.mark.parametrize("size", [Size(4, 1), Size(5, 3), Size(7, 3)])
@pytest.mark.parametrize("last", [False, True])
def test_a_blank_stands_before_a_digit_in_small_cells_too_and_no_number_moves(size: Size, last: bool) -> None:
    for number in (4, 12):
        rows = []
        for owner in (None, 1):
            canvas = Canvas(*size)
            cell = Cell(number, owner=owner, legal=owner is None, open_to=(0, 1), last=last and owner is not None)
            draw_cell(canvas, Region(0, 0, *size), cell, UNICODE)
            rows.append(canvas.dump().split("\n")[size.height // 2])
        free, owned = rows
        assert free.index(str(number)) == owned.index(str(number))
        assert ("◆ " in owned) == (number == 4 or size.width > 5), "two digits leave no room in five columns"


@pytest.mark.parametrize("size", [Size(7, 4), Size(11, 5), Size(11, 7), Size(19, 11)])
@pytest.mark.parametrize("legal", [False, True])
def test_a_number_in_the_move_line_stands_on_ink_whether_it_is_free_or_not(size: Size, legal: bool) -> None:
    canvas = Canvas(*size)
    draw_cell(canvas, Region(0, 0, *size), Cell(14, legal=legal, chosen=True), UNICODE)
    for y in range(1, size.height - 1):
        inside = "".join(style * len(text) for text, style in canvas.row(y) if style == "chosen")
        assert len(inside) == len("chosen") * (size.width - 2)
