"""The boards: their drawings, their targets, and the secrets they keep."""

import random
import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.geometry import Region

from duelbox.core.code import parse_code
from duelbox.core.game import AnyGame
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.games.number_duel import GAME as NUMBER_DUEL
from duelbox.registry import find_game
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.textual_themes import THEMES
from duelbox.ui.widgets.board import Board, Cell, Drawing, Worth
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.cells import draw_cell, large_digits
from duelbox.ui.widgets.geometry import BOX, HUGE, LARGE, SHORT, SMALL
from duelbox.ui.widgets.hand_board import HandBoard, HandScene, digits
from duelbox.ui.widgets.thumbnails import content_of
from tests.effort import sampled, tries
from tests.ui.board_positions import DRAWN, GOLDENS, POSITIONS, SIZES, Position

NAMES = {position.name: position for position in POSITIONS}
OTHER_SIZES = ((100, 22), (84, 29), (80, 13), (80, 9), (60, 12), (48, 20), (40, 10), (200, 60))


def named(*names: str) -> Any:
    """Parametrize a test with these positions, or all."""
    return pytest.mark.parametrize("position", [NAMES[name] for name in names or NAMES], ids=names or list(NAMES))


@named()
def test_a_board_is_drawn_as_its_golden_file_has_it(position: Position) -> None:
    golden = (GOLDENS / f"{position.name}.txt").read_text(encoding="utf-8")
    assert position.text() == golden, "if this is meant: python -m tests.ui.board_positions"


@named("circle-two-trails", "circle-rated", "step-race", "line-safe", "pool-chain", "pool-next", "hands-known")
def test_a_blank_stands_between_a_sign_and_a_figure(position: Position) -> None:
    """Some terminals draw ◆ two cells wide, over the figure behind it."""
    dump = position.draw(80, 16).canvas.dump()
    boxes = [line for line in dump.split("\n") if re.search("[▐║┃]", line)]
    assert boxes
    assert not [line for line in boxes if re.search("[▐║┃][●◆][0-9]", line)]


def test_every_golden_file_has_a_position() -> None:
    assert {path.stem for path in GOLDENS.glob("*.txt")} == set(NAMES)


@named()
def test_pointing_at_what_is_drawn_hits_it_and_nothing_else(position: Position) -> None:
    every = sampled(3, 1)
    for size in (*SIZES, *OTHER_SIZES[POSITIONS.index(position) % every :: every]):
        check_targets(position, size)


def check_targets(position: Position, size: tuple[int, int]) -> None:
    drawing = position.draw(*size)
    lines = [line.ljust(size[0]) for line in drawing.canvas.dump().split("\n")]
    for target, region in drawing.targets.items():
        assert Region(0, 0, *size).contains_region(region)
        assert not any(region.overlaps(other) for name, other in drawing.targets.items() if name != target)
        if target in drawing.cursor_stops:
            # A number that can be added or subtracted has two targets, the halves of its cell.
            more = region.width + 1
            left, right = max(0, region.x - more * (target[0] == "+")), region.right + more * (target[0] == "-")
            shown = "".join(line[left:right] for line in lines[region.y : region.bottom])
            number = target.strip("+-")
            figures = (
                large_digits(number, 1),
                large_digits(number, 1, low=True, narrow=len(number) > 1),
                large_digits(number, 2),
                digits(number, 13),
            )
            assert number in shown or any(all(line in shown for line in lines) for lines in figures)
    assert set(drawing.cursor_stops) <= set(drawing.targets)


def game_of(position: Position) -> AnyGame:
    return parse_code(position.code, find_game).game


@named()
def test_arrow_keys_visit_exactly_the_legal_moves(position: Position) -> None:
    view = position.view()
    game = game_of(position)
    legal = {game.format_move(move) for move in game.legal_moves(view)}
    stops = set(position.draw(80, 14).cursor_stops)
    if position.code.startswith("number-duel"):
        pairs = {first + second for first in stops for second in stops if first[0] != "x" == second[0]}
        assert view.arranging or position.spectator or pairs == legal
    else:
        assert stops == legal


def reached(board: Board[Any]) -> set[str | None]:
    """The targets that the arrow keys reach."""
    seen: set[str | None] = set()
    ways = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    first = board.step(1, 0)
    todo = [first]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        for way in ways:
            board.target = here
            todo.append(board.step(*way))
    return seen


class Bare(App[None]):
    """An app of nothing but a board."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position
        self.picked: list[str] = []
        self.register_theme(THEMES["dark"])
        self.theme = THEMES["dark"].name

    def compose(self) -> ComposeResult:
        board = self.position.table.widget()
        board.scene = self.position.scene()
        yield board

    def on_board_picked(self, event: Board.Picked) -> None:
        self.picked.append(event.target)


@named("circle-leaps", "step-both-ways", "line-ring", "line-long", "pool-first", "pool-gaps", "hands-known")
async def test_arrow_keys_get_everywhere(position: Position) -> None:
    app = Bare(position)
    async with app.run_test(size=SIZES[0]) as pilot:
        board = app.query_one(Board)
        every = sampled(3, 1)
        for size in SIZES[POSITIONS.index(position) % every :: every]:
            await pilot.resize_terminal(*size)
            board.target = None
            assert reached(board) == set(board.cursor_stops())


@named("circle-next", "step-next", "line-claims", "pool-next", "hands-known", "hands-arrange")
async def test_every_target_is_where_it_can_be_clicked(position: Position) -> None:
    app = Bare(position)
    async with app.run_test(size=(80, 14)) as pilot:
        board = app.query_one(Board)
        targets = list(board.regions())
        assert targets
        for target in targets:
            assert board.target_at(*board.offset_of(target)) == target
        for target in targets[:6]:
            app.picked.clear()
            await pilot.click(Board, offset=board.offset_of(target))
            assert app.picked == [target]
        app.picked.clear()
        await pilot.click(Board, offset=(79, 0))
        assert app.picked == []


@named("pool-next", "pool-gaps", "pool-ascii")
@pytest.mark.parametrize("size", [*SIZES, *OTHER_SIZES], ids=str)
def test_between_two_numbers_of_the_pool_lies_the_nearer_one(position: Position, size: tuple[int, int]) -> None:
    targets = position.draw(*size).targets
    if not targets:
        return
    for tens in range(1, 10):
        row = [targets[str(number)] for number in (tens, *range(10 * tens, 10 * tens + 10))]
        assert [cell.x for cell in row[1:]] == [cell.right for cell in row[:-1]]


@named("circle-next", "line-claims")
async def test_what_is_on_the_screen_is_what_was_drawn(position: Position) -> None:
    app = Bare(position)
    async with app.run_test(size=(80, 14)):
        board = app.query_one(Board)
        board.target = position.target
        shown = [board.render_line(y).text for y in range(14)]
        assert "\n".join(line.rstrip() for line in shown) == position.draw(80, 14).canvas.dump()
        assert all(segment.style and segment.style.bgcolor for y in range(14) for segment in board.render_line(y))


async def test_a_cursor_on_what_is_no_longer_to_be_had_goes_away() -> None:
    app = Bare(NAMES["line-first"])
    async with app.run_test(size=(80, 14)):
        board = app.query_one(Board)
        board.target = "10"
        board.scene = NAMES["line-claims"].scene()
        assert board.target is None
        assert board.step(1, 0) == board.cursor_stops()[0]


async def test_a_number_is_dragged_to_its_place() -> None:
    app = Bare(NAMES["hands-arrange"])
    async with app.run_test(size=(80, 14)) as pilot:
        board = app.query_one(Board)
        for source, place in (("5", "@1"), ("@1", "@3")):
            app.picked.clear()
            await pilot.mouse_down(Board, offset=board.offset_of(source))
            await pilot.hover(Board, offset=board.offset_of(place))
            await pilot.mouse_up(Board, offset=board.offset_of(place))
            assert app.picked == [source + place]


# -- every size


@named(
    "circle-leaps",
    "circle-crowd",
    "step-next",
    "line-long",
    "line-ring-long",
    "pool-next",
    "hands-seven",
    "hands-arrange",
)
def test_no_size_is_too_small_or_too_large(position: Position) -> None:
    rng = random.Random(position.name)
    sizes = [(1, 1), (130, 45), (1, 45), (130, 1)]
    sizes += [(rng.randint(1, 130), rng.randint(1, 45)) for _ in range(tries(120))]
    for width, height in sizes:
        drawing = position.draw(width, height)
        lines = drawing.canvas.dump().split("\n")
        assert len(lines) == height
        assert max(map(len, lines)) <= width
        assert all(Region(0, 0, width, height).contains_region(region) for region in drawing.targets.values())


@named()
def test_every_sign_takes_one_cell(position: Position) -> None:
    for size in SIZES:
        dump = position.draw(*size).canvas.dump()
        assert all(cell_len(sign) == 1 for sign in dump if sign != "\n")
        assert position.glyphs is not ASCII or dump.isascii()


# -- told apart without colour

STATES = {
    "mine": Cell(7, owner=0),
    "theirs": Cell(7, owner=1),
    "mine, the last move": Cell(7, owner=0, last=True),
    "theirs, the last move": Cell(7, owner=1, last=True),
    "free, to be had": Cell(7, open_to=(0, 1), legal=True),
    "free, but not now": Cell(7, open_to=(0, 1)),
    "only mine": Cell(7, open_to=(0,), legal=True),
    "only mine, not my turn": Cell(7, open_to=(0,)),
    "only theirs": Cell(7, open_to=(1,)),
    "nobody's": Cell(7),
    "never there": Cell(7, gap=True),
    "in the move line": Cell(7, open_to=(0, 1), legal=True, chosen=True),
    "in the way": Cell(7, open_to=(0, 1), flash=True),
    "mine, in the way": Cell(7, owner=0, flash=True),
    "worth a win": Cell(7, open_to=(0, 1), legal=True, worth=Worth("win", "3")),
    "the best": Cell(7, open_to=(0, 1), legal=True, worth=Worth("win", "3", best=True)),
    "worth a draw": Cell(7, open_to=(0, 1), legal=True, worth=Worth("draw")),
    "to be compared": Cell(7, open_to=(0, 1), legal=True, hint="?"),
    "a partner, not to be had": Cell(7, open_to=(0, 1), hint="a"),
    "worth a loss": Cell(7, open_to=(0, 1), legal=True, worth=Worth("loss", "3")),
}


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [HUGE, LARGE, BOX, SMALL, SHORT], ids=str)
def test_states_differ_in_shape_not_only_in_colour(size: tuple[int, int], glyphs: Glyphs) -> None:
    def text(cell: Cell, *, cursor: bool = False) -> str:
        canvas = Canvas(*size)
        draw_cell(canvas, Region(0, 0, *size), cell, glyphs, cursor=cursor)
        return canvas.dump()

    texts = {name: text(cell) for name, cell in STATES.items()}
    assert text(STATES["free, to be had"], cursor=True) == texts["in the move line"]
    told = {shown: name for name, shown in texts.items()}
    assert len(told) == len(texts), [name for name in texts if name not in told.values()]


# -- names


@pytest.mark.parametrize("names", [("横山光輝", "Zoë"), ("e\u0301", "한국어 이름"), ("x" * 24, "ｗｉｄｅ")])
@pytest.mark.parametrize("size", [*SIZES, (30, 14), (21, 9)], ids=str)
def test_no_name_makes_a_line_too_long(names: tuple[str, str], size: tuple[int, int]) -> None:
    for code in ("number-duel", "sequence-duel"):
        table, view = board_of(code), Position("", code).view()
        canvas = table.widget().paint(table.scene(view, Look(seat=0, names=names)), *size, None).canvas
        assert all(sum(cell_len(text) for text, _ in canvas.row(y)) == size[0] for y in range(size[1]))


@pytest.mark.parametrize("rules", ["", ":shared_total=on"])
@pytest.mark.parametrize("size", [*SIZES, (60, 12), (60, 13)], ids=str)
def test_the_target_of_the_circle_stays_beside_what_is_chosen(rules: str, size: tuple[int, int]) -> None:
    for moves in ("/+2", "/-9.-2.-8"):
        at = Position("", f"number-circle{rules}{moves}")
        shown = "target" in at.draw(*size).canvas.dump()
        played = parse_code(at.code, find_game)
        for move in map(played.game.format_move, played.legal_moves()):
            assert ("target" in replace(at, line=move).draw(*size).canvas.dump()) == shown


def test_half_a_wide_sign_is_never_left() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "日本語", "text")
    canvas.put(1, 0, "x", "text")
    canvas.put(4, 0, "y", "text")
    canvas.put(5, 0, "語", "text")
    assert canvas.dump() == " x本y"


# -- secrets


def rows(drawing: Drawing) -> list[Any]:
    return [drawing.canvas.row(y) for y in range(drawing.canvas.height)]


@pytest.mark.parametrize("seed", range(12))
def test_masked_hands_tell_nothing(seed: int) -> None:
    """Two deals that a spectator cannot tell apart look the same to the player who has not asked to look."""
    rng = random.Random(seed)
    session = Session(NUMBER_DUEL, NUMBER_DUEL.Options(seed=seed + 1, victors_stay=bool(seed % 2)))
    for _ in range(rng.randint(0, 5)):
        if session.turn is not None:
            session.play(rng.choice(list(session.legal_moves())))
    if session.turn is None:
        return
    table, seat = board_of("number-duel"), session.turn
    twin = NUMBER_DUEL.worlds(session.view(None), Rng(seed))
    events = session.plies[-1].events if session.plies else ()

    def draw(state: Any, *, peek: bool) -> Drawing:
        look = Look(seat=seat, peek=peek, events=events)
        return table.widget().paint(table.scene(NUMBER_DUEL.view(state, seat), look), 80, 14, None)

    assert rows(draw(session.state, peek=False)) == rows(draw(twin, peek=False))
    if twin.hands[seat] != session.state.hands[seat]:
        assert rows(draw(session.state, peek=True)) != rows(draw(twin, peek=True))


def test_a_hand_is_seen_only_when_asked_for() -> None:
    faces = {
        name: [card.face for card in scene(name).mine] for name in ("hands-known", "hands-peek", "hands-spectator")
    }
    assert faces["hands-known"] == [1, 2, 4, 5], "one's own numbers, ascending"
    assert faces["hands-peek"] == [1, 5, 2, 4]
    assert faces["hands-spectator"] == [None, None, None, 4]
    assert [card.face for card in scene("hands-peek").theirs] == [None, None, None]


def scene(name: str) -> HandScene:
    found = NAMES[name].scene()
    assert isinstance(found, HandScene)
    return found


# -- clicks make moves


@pytest.mark.parametrize("game_id", DRAWN)
@pytest.mark.parametrize("seed", range(5))
def test_every_legal_move_can_be_pointed_at(game_id: str, seed: int) -> None:
    rng = random.Random(seed)
    game = find_game(game_id)
    session = Session(game, game.Options())
    table = board_of(game_id)
    while session.turn is not None and len(session.plies) < 60:
        moves = list(session.legal_moves())
        view = session.view(session.turn)
        drawing = table.widget().paint(table.scene(view, Look(seat=session.turn)), 80, 14, None)
        for move in moves:
            text = game.format_move(move)
            line = ""
            for target in re.findall(r"x\d+|[+-]?\d+", text):
                assert target in drawing.cursor_stops
                line = table.pick(view, line, target)
            assert game.parse_move(view, line) == move
        assert table.score(view, 0)
        session.play(rng.choice(moves))


@pytest.mark.parametrize(
    ("line", "target", "after"),
    [
        ("", "3", "3x"),
        ("3x", "x2", "3x2"),
        ("", "x2", "x2"),
        ("x2", "3", "3x2"),
        ("3x2", "4", "4x2"),
        ("3x2", "x1", "3x1"),
        ("3", "x1", "3x1"),
        (" 3 X 2 ", "5", "5x2"),
    ],
)
def test_an_attack_is_pointed_together(line: str, target: str, after: str) -> None:
    view = NAMES["hands-first"].view()
    assert board_of("number-duel").pick(view, line, target) == after


@pytest.mark.parametrize(
    ("line", "target", "after"),
    [
        ("", "3", "3"),
        ("31", "4", "314"),
        ("314", "1", "34"),
        ("314", "@1", "14"),
        ("314", "@5", "314"),
        ("314", "5@1", "5314"),
        ("314", "@1@3", "143"),
        ("314", "4@1", "431"),
        ("", "2@4", "2"),
        ("3 1, 4", "5", "3145"),
    ],
)
def test_an_order_is_pointed_together(line: str, target: str, after: str) -> None:
    view = NAMES["hands-arrange"].view()
    assert board_of("number-duel").pick(view, line, target) == after


# -- thumbnails


@pytest.mark.parametrize("code", sorted({position.code for position in POSITIONS}))
def test_small_pictures_show_something_and_stay_in_their_frame(code: str) -> None:
    played = parse_code(code, find_game)
    view = played.game.view(played.state, None)
    for glyphs, size in product((UNICODE, ASCII), ((24, 6), (38, 11), (22, 4), (8, 1))):
        canvas = board_of(played.game.INFO.id).picture(view, glyphs, *size)
        assert (canvas.width, canvas.height) == size
        lines = content_of(canvas)
        assert [line.cell_length for line in lines] == [size[0]] * size[1]
        assert glyphs is UNICODE or canvas.dump().isascii()
        assert canvas.dump().strip() or played.state.outcome or size[1] < 5


def test_hands_board_ignores_drags_outside_an_arrangement() -> None:
    assert not scene("hands-known").dragging
    assert HandBoard.paint(scene("hands-known"), 80, 14, None).cursor_stops[0] == "1"
