"""Boards of rings at every size and moment of a game: nothing moves, overlaps or is cut off."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from textual.geometry import Region

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.registry import find_game
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.widgets.board import Cell, Drawing, Worth
from duelbox.ui.widgets.canvas import Canvas, text_width
from duelbox.ui.widgets.cells import draw_cell, large_digits
from duelbox.ui.widgets.geometry import HUGE, racetrack_layout
from duelbox.ui.widgets.ring_board import RingBoard, RingScene
from tests.effort import tries

BOARDS = ((80, 16), (60, 12), (83, 28), (152, 44))
"""Sizes of the board in windows of 80x24, 60x20, 120x40 and 200x60."""
RACES = (
    "number-circle",
    "number-circle:target=20,floor=0",
    "number-circle:shared_total=on,sharing=off,floor=0,target=13",
    "number-circle:backtracking=on",
)


def circles(rng: random.Random) -> str:
    """A random ring of any size."""
    while True:
        size, reach, trails = rng.randint(4, 30), rng.randint(1, 3), rng.choice(("own", "shared"))
        gaps = rng.choice((0, 0, rng.randint(0, size // 2)))
        code = f"circle-duel:size={size},reach={reach},trails={trails},gaps={gaps},seed={rng.randint(1, 99)}"
        try:
            parse_code(code, find_game)
        except DuelboxError:
            continue
        return code


def moments(code: str, rng: random.Random, limit: int = 12) -> Iterator[tuple[Any, Any, str]]:
    """A random game: the game, the state and the last move at each moment."""
    played = parse_code(code, find_game)
    state: Any = played.state
    last = ""
    for _ in range(limit):
        yield played.game, state, last
        if state.turn is None:
            return
        move = rng.choice(list(played.game.legal_moves(played.game.view(state, state.turn))))
        state, last = played.game.apply(state, state.turn, move)[0], played.game.format_move(move)


def looks(game: Any, state: Any, last: str, rng: random.Random, glyphs: Glyphs) -> Iterator[Look]:
    """Looks at the same moment: plain, rated, and with a move in the line."""
    seat = state.turn or 0
    look = Look(seat=seat, names=("You", "Peek"), last=last, glyphs=glyphs)
    yield look
    moves = (
        [game.format_move(move) for move in game.legal_moves(game.view(state, state.turn))]
        if state.turn in (0, 1)
        else []
    )
    if moves:
        rated = {
            move: Worth(rng.choice(("win", "draw", "loss")), str(rng.randint(1, 40)), best=rng.random() < 0.3)
            for move in moves
        }
        yield replace(look, worths=rated)
        yield replace(look, line=rng.choice(moves), worths=rng.choice(({}, rated)))
        yield replace(look, blockers=(rng.choice(list(state.numbers)),))


def drawn(game: Any, state: Any, look: Look, size: tuple[int, int]) -> Drawing:
    table = board_of(game.INFO.id)
    return table.widget().paint(table.scene(game.view(state, look.seat), look), *size, None)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", BOARDS, ids=str)
@pytest.mark.parametrize("kind", ["circle-duel", "number-circle"])
def test_nothing_on_a_ring_moves_or_is_cut_off(kind: str, size: tuple[int, int], glyphs: Glyphs) -> None:
    rng = random.Random(f"{kind} {size}")
    for _ in range(tries(40)):
        code = circles(rng) if kind == "circle-duel" else rng.choice(RACES)
        places: dict[str, Region] = {}
        for game, state, last in moments(code, rng):
            for look in looks(game, state, last, rng, glyphs):
                drawing = drawn(game, state, look, size)
                places = places or drawing.targets
                assert drawing.targets == places, code
                check(drawing, game, state, code)
                assert glyphs is UNICODE or drawing.canvas.dump().isascii()


@pytest.mark.parametrize("size", [*BOARDS, (80, 15), (71, 14), (100, 20)], ids=str)
def test_no_cell_moves_from_the_first_turn_to_the_last_whoever_plays(size: tuple[int, int]) -> None:
    rng = random.Random(f"whole games {size}")
    for code in [*(circles(rng) for _ in range(tries(6))), *RACES]:
        places = set()
        for game, state, last in moments(code, rng, limit=25):
            for names in (("You", "Dash"), ("M" * 24, "Wilhelmina the Second")):
                look = Look(seat=state.turn or 0, names=names, last=last)
                scene = board_of(game.INFO.id).scene(game.view(state, look.seat), look)
                for shown in (scene, scene.untold()):
                    drawing = board_of(game.INFO.id).widget().paint(shown, *size, None)
                    places.add(tuple(drawing.targets.items()))
        assert len(places) == 1, code


def check(drawing: Drawing, game: Any, state: Any, code: str) -> None:
    """Check that each move is a target that overlaps no other, and each number is complete."""
    moves = (
        {game.format_move(move) for move in game.legal_moves(game.view(state, state.turn))}
        if state.turn in (0, 1)
        else set()
    )
    assert set(drawing.cursor_stops) == moves
    assert moves <= set(drawing.targets)
    regions = list(drawing.targets.values())
    assert not any(one.overlaps(two) for at, one in enumerate(regions) for two in regions[:at])
    lines = [line.ljust(drawing.canvas.width) for line in drawing.canvas.dump().split("\n")]
    for number in state.numbers:
        if number in getattr(state, "gaps", ()):
            continue
        whole = Region.from_union(
            [region for name, region in drawing.targets.items() if name.strip("+-") == str(number)]
        )
        shown = [line[max(0, whole.x - 1) : whole.right + 1] for line in lines[whole.y : whole.bottom]]
        alone = any(re.search(rf"(?<![0-9]){number}(?![0-9])", line) for line in shown)
        figures = (
            large_digits(str(number), 1),
            large_digits(str(number), 1, low=True, narrow=number > 9),
            large_digits(str(number), 2),
        )
        assert alone or any(
            all(part in line for part, line in zip(lines_, at_, strict=False))
            for lines_ in figures
            for at_ in windows(shown, len(lines_))
        ), (code, number, shown)


def windows(lines: list[str], high: int) -> Iterator[list[str]]:
    return (lines[at : at + high] for at in range(len(lines) - high + 1))


@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_the_story_stays_in_the_middle(size: tuple[int, int]) -> None:
    rng = random.Random(str(size))
    for code in [*(circles(rng) for _ in range(tries(40))), *RACES]:
        for game, state, last in moments(code, rng, limit=30):
            names = rng.choice((("You", "Peek"), ("M" * 24, "W" * 24), ("数" * 12, "Bo")))
            look = Look(seat=state.turn or 0, names=names, last=last)
            drawing = drawn(game, state, look, size)
            told = drawing.canvas.changes(untold(game, state, look, size))
            assert all(any(room.contains_region(region) for room in drawing.rooms) for region in told), code
            assert told or state.turn is None, code


def untold(game: Any, state: Any, look: Look, size: tuple[int, int]) -> Canvas:
    """The ring with an empty middle."""
    table = board_of(game.INFO.id)
    return table.widget().paint(table.scene(game.view(state, look.seat), look).untold(), *size, None).canvas


@pytest.mark.parametrize("code", ["circle-duel:size=16,reach=2,trails=own,gaps=1", *RACES[:3]])
@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_a_ring_is_as_high_as_its_board(code: str, size: tuple[int, int]) -> None:
    played = parse_code(code, find_game)
    drawing = drawn(played.game, played.state, Look(seat=0), size)
    cells = drawing.targets.values()
    assert min(cell.y for cell in cells) == 0
    assert max(cell.bottom for cell in cells) >= 0.9 * size[1], "of nine numbers none is at the foot"
    assert len({cell.height for cell in cells}) == 1


def test_the_longest_story_of_the_rules_is_told_whole() -> None:
    rng = random.Random(7)
    for _ in range(tries(60)):
        code = circles(rng)
        for game, state, _ in moments(code, rng, limit=30):
            look = Look(seat=state.turn or 0, names=("M" * 24, "Wwwwwwww"))
            scene = board_of("circle-duel").scene(game.view(state, look.seat), look)
            for at, size in enumerate(scene.stories):
                assert all(
                    text_width(line.variants[min(at, len(line.variants) - 1)]) <= size.width for line in scene.story
                )
                assert 2 * len(scene.story) - 1 <= size.height, code


def test_a_number_that_both_reach_is_outlined_in_ink_and_mine_in_my_colour() -> None:
    code = "circle-duel:size=16,reach=2,trails=own,without=1/7.11"
    lines = {number: style_at(code, number) for number in ("5", "8", "9")}
    assert lines == {"5": "seat-0", "8": "seat-0", "9": "legal"}
    dump = drawing_of("circle-duel:size=15,reach=3,trails=own,without=1-5-6-14/8.12")
    assert "◇" not in dump
    assert "○" not in dump
    assert "◆ 12  Peek reaches  9 · 10 · 11 · 13 · 15" in dump


def style_at(code: str, number: str) -> str:
    """The style of the outline of a number."""
    played = parse_code(code, find_game)
    drawing = drawn(played.game, played.state, Look(seat=0), (80, 16))
    region = drawing.targets[number]
    return style_of(drawing.canvas, region.x, region.y)


def style_of(canvas: Canvas, x: int, y: int) -> str:
    """The style of one cell."""
    for text, style in canvas.row(y):
        if x < len(text):
            return style
        x -= len(text)
    raise AssertionError("outside of the canvas")


def test_what_a_player_reaches_is_a_double_row_of_dots_in_their_colour_mine_over_theirs() -> None:
    played = parse_code("circle-duel:size=16,reach=2,trails=own,without=1/7.11", find_game)
    canvas = drawn(played.game, played.state, Look(seat=0), (80, 16)).canvas
    dots = {
        (x, y): (sign, style_of(canvas, x, y))
        for y, line in enumerate(canvas.dump().split("\n"))
        for x, sign in enumerate(line)
        if "\u2800" < sign <= "\u28ff"
    }
    assert {style for _, style in dots.values()} == {"edge", "low-1", "seat-0"}
    assert {style for (x, y), (_, style) in dots.items() if y < 6} == {"edge"}
    low = {(x, y): style for (x, y), (_, style) in dots.items() if y > 8}
    assert {style for (x, _), style in low.items() if x < 30} == {"low-1"}
    assert {style for (x, _), style in low.items() if x > 50} == {"seat-0"}
    mine = [sign for (_, y), (sign, style) in dots.items() if y == 14 and style == "seat-0"]
    assert max((ord(sign) - 0x2800).bit_count() for sign in mine) == 4, "two rows of two dots"


@pytest.mark.parametrize(("steps", "joined"), [(1, True), (3, True), (4, False)])
def test_a_hint_joins_two_numbers_that_are_up_to_three_steps_apart(steps: int, joined: bool) -> None:
    cells = tuple(Cell(number) for number in range(1, 13))
    for pair in ((2, 2 + steps), (2 + steps, 2)):
        canvas = RingBoard.paint(RingScene(cells, pairs=(pair,)), 80, 16, None).canvas
        styles = {style for y in range(16) for _, style in canvas.row(y)}
        assert ("best" in styles) == joined


def test_a_racetrack_is_drawn_in_every_row_beside_its_numbers_and_gaps() -> None:
    for size in (BOARDS[1], (80, 16)):
        played = parse_code("circle-duel:size=16,reach=2,without=5-6-7-8-13-14-15", find_game)
        drawing = drawn(played.game, played.state, Look(seat=0, glyphs=ASCII), size)
        lines = [line.ljust(size[0]) for line in drawing.canvas.dump().split("\n")]
        ring = racetrack_layout(16, *size)
        assert ring is not None
        middles = {(cell.y + cell.height // 2) for cell in ring.cells}
        taken = [cell for at, cell in enumerate(ring.cells, 1) if at not in played.state.gaps]
        for x, y in ring.line:
            if y not in middles and not any(cell.contains(x, y) for cell in taken):
                assert lines[y][x] in "|/\\-", (size, x, y)


def test_no_move_is_dimmed_when_all_lose() -> None:
    played = parse_code("circle-duel:size=13,reach=2,trails=own,gaps=2,seed=8/10.4.12.6", find_game)
    marks = {move: Worth("loss", "5") for move in ("1", "11", "13")}
    canvas = drawn(played.game, played.state, Look(seat=0, worths=marks), (80, 16)).canvas
    shown = {text.strip(): style for y in range(16) for text, style in canvas.row(y)}
    assert {shown[number] for number in marks} == {"text"}
    assert shown["8"] == "free"


def drawing_of(code: str) -> str:
    played = parse_code(code, find_game)
    return drawn(played.game, played.state, Look(seat=0, names=("You", "Peek")), (80, 16)).canvas.dump()


def test_one_total_for_both_is_told_once() -> None:
    dump = drawing_of("number-circle:shared_total=on,sharing=off,floor=0/+2.+9")
    assert dump.count("▄█  ▄█") == 1  # 11
    assert "one total, to 15" in dump
    assert "target" not in dump


def test_a_step_shows_the_totals_it_leads_to() -> None:
    assert "╰ 4 ─ 14╯" in drawing_of("number-circle/+2.+9.+3.-8.+4.+7")
    assert "│ − 5 + │" in drawing_of("number-circle/+2.+9.+3.-8.+4.+7")


def test_a_total_over_the_target_has_no_button() -> None:
    dump = drawing_of("number-circle:target=12,shared_total=on,floor=0/+2.+9")
    assert "│ − 3   │" in dump
    assert "╰ 8 ────╯" in dump


def test_totals_of_any_length_stand_apart() -> None:
    low = "number-circle/" + ".".join(f"-{(8 - at // 2) % 9 + 1}" for at in range(60))
    for size in BOARDS:
        played = parse_code(low, find_game)
        assert min(played.state.totals) < -99
        dump = drawn(played.game, played.state, Look(seat=0), size).canvas.dump()
        assert not re.search(r"[█▀▄][●◆]|[●◆][█▀▄]", dump), dump


@pytest.mark.parametrize("number", range(4, 31))
def test_large_digits_under_the_cursor_have_ink_on_every_side(number: int) -> None:
    canvas = Canvas(*HUGE)
    draw_cell(canvas, Region(0, 0, *HUGE), Cell(number, legal=True), UNICODE, cursor=True)
    above, *rows, below = canvas.dump().split("\n")
    assert (above, below) == ("▗▄▄▄▄▄▄▄▄▄▖", "▝▀▀▀▀▀▀▀▀▀▘"), "half a row of ink"
    assert {(row[0], row[-1]) for row in rows} == {("▐", "▌")}, "and half a column"
    assert all(row[1:3].isspace() for row in rows), "a sign and a blank have room before two digits"
    assert {style for y in range(1, 4) for text, style in canvas.row(y) if len(text) > 1} == {"chosen"}
