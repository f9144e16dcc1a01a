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
from duelbox.games.number_circle import board as race_board
from duelbox.registry import find_game
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.widgets.board import Drawing, Worth
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.cells import large_digits
from duelbox.ui.widgets.geometry import ring_layout
from tests.effort import tries

BOARDS = ((80, 16), (60, 12), (83, 27), (152, 48))
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
        figures = (large_digits(str(number), 1), large_digits(str(number), 1, low=True), large_digits(str(number), 2))
        assert alone or any(
            all(part in line for part, line in zip(lines_, at_, strict=False))
            for lines_ in figures
            for at_ in windows(shown, len(lines_))
        ), (code, number, shown)


def windows(lines: list[str], high: int) -> Iterator[list[str]]:
    return (lines[at : at + high] for at in range(len(lines) - high + 1))


@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_the_story_stays_in_the_middle(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(str(size))
    for code in [*(circles(rng) for _ in range(tries(40))), *RACES]:
        for game, state, last in moments(code, rng, limit=30):
            look = Look(seat=state.turn or 0, names=rng.choice((("You", "Peek"), ("M" * 24, "W" * 24))), last=last)
            whole = drawn(game, state, look, size).canvas
            told = whole.changes(untold(game, state, look, size, monkeypatch))
            middle = ring_layout(len(state.numbers), *size, wide=game.INFO.id == "number-circle").middle
            assert all(middle.contains_region(region) for region in told), code
            assert told or state.turn is None, code


def untold(game: Any, state: Any, look: Look, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> Canvas:
    """The ring with an empty middle."""
    table = board_of(game.INFO.id)
    scene = replace(table.scene(game.view(state, look.seat), look), story=())
    with monkeypatch.context() as patched:
        patched.setattr(race_board, "_draw_race", lambda *_: None)
        return table.widget().paint(scene, *size, None).canvas


@pytest.mark.parametrize("code", ["circle-duel:size=15,reach=2,trails=own,gaps=2", *RACES[:3]])
@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_a_ring_fills_its_board(code: str, size: tuple[int, int]) -> None:
    played = parse_code(code, find_game)
    lines = drawn(played.game, played.state, Look(seat=0), size).canvas.dump().split("\n")
    used = [at for at, line in enumerate(lines) if line.strip()]
    assert used[-1] - used[0] >= size[1] - 11
    left, right = min(len(line) - len(line.lstrip()) for line in lines if line.strip()), max(map(len, lines))
    assert right - left >= 0.75 * size[0]


def test_where_both_reach_a_hollow_sign_stands_over_the_number() -> None:
    dump = drawing_of("circle-duel:size=15,reach=3,trails=own,without=1-5-6-14/8.12")
    assert dump.count("╭──◇──╮") == 3
    assert "◆ 12  Peek reaches  9 · 10 · 11 · 13 · 15" in dump


def test_what_a_player_reaches_is_lit_in_their_colour_mine_over_theirs() -> None:
    played = parse_code("circle-duel:size=15,reach=3,trails=own,without=1-5-6-14/8.12", find_game)
    canvas = drawn(played.game, played.state, Look(seat=0), (80, 16)).canvas
    styles = {style for y in range(16) for text, style in canvas.row(y) if "━" in text or "┃" in text}
    assert styles == {"seat-0", "low-1"}
    bottom = [style for text, style in canvas.row(14) if "━" in text]
    assert bottom == ["low-1"] * 3 + ["seat-0"] * 3


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
    assert dump.count("██████  ██████") == 1  # 11
    assert "one total for both: who makes it 15 wins" in dump
    assert "target" not in dump


def test_a_step_shows_the_totals_it_leads_to() -> None:
    assert "╰ 4 ┴ 14╯" in drawing_of("number-circle/+2.+9.+3.-8.+4.+7")
    assert "│ − 5 + │" in drawing_of("number-circle/+2.+9.+3.-8.+4.+7")
