"""Positions that show every state of every board, drawn as text; `python -m tests.ui.board_positions` writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.model import Seat
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve.api import Mark
from duelbox.ui.game_board import GameBoard, Look, board_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.widgets.board import Drawing, Scene, Worth

GOLDENS = Path(__file__).parent / "boards"
DRAWN = tuple(BUILT_IN)
"""Games with a board of their own."""
SIZES = ((80, 16), (83, 28), (60, 12))
"""Sizes of the board in windows of 80x24, 120x40 and 60x20."""


@dataclass(frozen=True)
class Position:
    """A position with the state of the screen around it."""

    name: str
    code: str
    line: str = ""
    target: str | None = None
    marks: Mapping[str, Worth] = field(default_factory=dict)
    shown: tuple[Mark, ...] = ()
    blockers: tuple[int, ...] = ()
    peek: bool = False
    spectator: bool = False
    glyphs: Glyphs = UNICODE

    @property
    def table(self) -> GameBoard:
        """The board of its game."""
        return board_of(self.code.partition("/")[0].partition(":")[0])

    def view(self) -> Any:
        """The view of the player to move; after the end, of Player 1."""
        played = parse_code(self.code, find_game)
        state = self.table.open_up(played.state) if played.state.turn is None else played.state
        return played.game.view(state, self.seat())

    def seat(self) -> Seat | None:
        """The seat that looks."""
        turn = parse_code(self.code, find_game).state.turn
        return None if self.spectator else turn or 0

    def scene(self) -> Scene:
        """The scene of the board."""
        played = parse_code(self.code, find_game)
        look = Look(
            seat=self.seat(),
            line=self.line,
            last=played.game.format_move(played.moves[-1]) if played.moves else "",
            events=played.plies[-1].events if played.plies else (),
            worths=self.marks,
            hint=self.shown,
            blockers=self.blockers,
            peek=self.peek,
            glyphs=self.glyphs,
        )
        return self.table.scene(self.view(), look)

    def draw(self, width: int, height: int, target: str | None = None) -> Drawing:
        """The board drawn at one size."""
        return self.table.widget().paint(self.scene(), width, height, target or self.target)

    def text(self) -> str:
        """The text of its golden file: the board at every size."""
        drawn = (f"{width}x{height}\n{self.draw(width, height).canvas.dump()}\n" for width, height in SIZES)
        return f"{self.code}\n\n" + "\n".join(drawn)


BEST, WIN, DRAW, LOSS = Worth("win", "3", best=True), Worth("win", "11"), Worth("draw"), Worth("loss", "14")
PAIRS = Mark("pairs", (5, 6, 7, 9, 2, 3), (("5", "6"), ("7", "9"), ("2", "3")))
MIRROR = Mark("mirror", (14,), tuple((str(one), str(21 - one)) for one in range(1, 6)))
REVERSE = Mark("pairs", (), (("49", "94"), ("4", "44"), ("41", "14")))
ROUTE = Mark("route", (5, 9, 14, 8, 15), moves=("+3", "+4", "+5", "-6", "+7"))
ANSWERS = Mark("pairs", (), (("-8", "+4"), ("+8", "-4")))
BEATS = Mark("beats", (3,), (("4", "3"), ("4", "4"), ("4", "5")), ("4x1",))
DEAL = "number-duel:deal=31524-51234"
POSITIONS = (
    Position("circle-first", "circle-duel"),
    Position("circle-next", "circle-duel/4.5.6", line="7", target="7"),
    Position("circle-leaps", "circle-duel:size=20,reach=3,without=5-7-11-15-19/8.9", marks={"6": WIN, "12": LOSS}),
    Position("circle-crowd", "circle-duel:size=30,reach=2/8.9", target="10", blockers=(8,)),
    Position("circle-pairs", "circle-duel:size=14,reach=2/4", shown=(PAIRS,)),
    Position("circle-partners", "circle-duel:size=10,reach=2/4", shown=(PAIRS,), glyphs=ASCII),
    Position("circle-trails", "circle-duel:size=15,reach=2,trails=own/4.9.5.8.3.10.1", target="11"),
    Position("circle-two-trails", "circle-duel:size=13,reach=2,trails=own,gaps=2,seed=8/10.4.12.6", line="1"),
    Position(
        "circle-rated",
        "circle-duel:size=13,reach=2,trails=own,gaps=2,seed=8/10.4.12.6",
        marks={"1": BEST, "11": WIN, "13": LOSS},
    ),
    Position("circle-both-reach", "circle-duel:size=15,reach=3,trails=own,without=1-5-6-14/8.12"),
    Position("circle-over", "circle-duel:size=4/1.2.3.4"),
    Position("circle-ascii", "circle-duel/4.5.6", target="7", glyphs=ASCII),
    Position("step-first", "number-circle"),
    Position(
        "step-onto-rival",
        "number-circle/-9",
        marks={"+2": BEST, "-2": WIN, "+9": LOSS, "-9": DRAW},
    ),
    Position("circle-touching", "circle-duel/8"),
    Position("step-race", "number-circle/+2.+9.+3.-8.+4.+7", line="+5"),
    Position("step-tug", "number-circle:shared_total=on,sharing=off,floor=0/+2.+9"),
    Position("step-next", "number-circle/+2.+9", line="+3", target="+3", marks={"+3": DRAW, "-3": BEST}),
    Position("step-both-ways", "number-circle:backtracking=on/+2.+9.-3.-8", blockers=(4,)),
    Position("step-route", "number-circle/+2.+9", line="+3", shown=(ROUTE,)),
    Position("step-answers", "number-circle:shared_total=on,sharing=off,floor=0/+2.+9", shown=(ANSWERS,)),
    Position("step-compared", "number-circle/+2.+9", shown=(Mark("region", (3,), moves=("+3", "-3")),)),
    Position("step-shared", "number-circle:shared_total=on,sharing=off,floor=0/+2.+9.-3", line="-8", target="-8"),
    Position("step-ascii", "number-circle/+2.+9", target="-3", glyphs=ASCII),
    Position("line-first", "sequence-duel"),
    Position("line-safe", "sequence-duel/11.3.9.18", line="6"),
    Position("line-claims", "sequence-duel/10.13.7.4.20", line="16", target="16", blockers=(7,)),
    Position("line-marks", "sequence-duel:size=9/2.8", marks={"4": BEST, "5": LOSS, "6": DRAW}),
    Position("line-compared", "sequence-duel:size=9/2.8", shown=(Mark("region", (4, 5, 6), moves=("4", "5", "6")),)),
    Position("line-mirror", "sequence-duel/7", shown=(MIRROR,)),
    Position("line-borders", "sequence-duel/10.13", shown=(Mark("border", (11, 12)),), line="11"),
    Position("line-over", "sequence-duel:size=5/3.1.5"),
    Position("line-long", "sequence-duel:size=60/10.13.7.40", target="30"),
    Position("line-ring-37", "sequence-duel:size=37,ring=on/10.13.7", target="8"),
    Position("line-ring", "sequence-duel:size=21,ring=on/10.13.7"),
    Position("line-ring-long", "sequence-duel:size=60,ring=on/10.13.7"),
    Position("line-ascii", "sequence-duel/10.13.7.4.20", line="16", glyphs=ASCII),
    Position("pool-chain", "digit-chain:zero=no-tens,gaps=20,seed=7/26.61.13.34.43.36", line="68"),
    Position("pool-first", "digit-chain"),
    Position(
        "pool-next",
        "digit-chain/26.61.19.95.51",
        line="17",
        target="17",
        marks={"10": BEST, "11": LOSS, "12": WIN, "13": DRAW},
    ),
    Position("pool-pairs", "digit-chain/26.61", shown=(REVERSE,), line="14"),
    Position("pool-gaps", "digit-chain:zero=wild,gaps=50,seed=3/22.27", blockers=(27,)),
    Position("pool-any", "digit-chain:zero=wild,gaps=50,seed=3/22.27.71.10", line="80"),
    Position("pool-over", "digit-chain/20"),
    Position("pool-ascii", "digit-chain/26.61.19.95.51", target="17", glyphs=ASCII),
    Position("hands-first", DEAL, line="3x"),
    Position(
        "hands-known",
        f"{DEAL}/3x2.2x4",
        line="4x2",
        target="x2",
        marks={"4x1": Worth("chance", "62%", best=True), "4x2": Worth("chance", "31%")},
    ),
    Position("hands-beats", f"{DEAL}/3x2.2x4", shown=(BEATS,), line="4x1"),
    Position("hands-compared", f"{DEAL}/3x2.2x4", shown=(Mark("region", (4, 5), moves=("4x1", "4x2", "5x1")),)),
    Position("hands-peek", f"{DEAL}/3x2.2x4", peek=True),
    Position("hands-seven", "number-duel:hand=7,seed=3/7x2.1x3.2x4", target="3"),
    Position("hands-arrange", "number-duel:arrange=chosen", line="314", target="5"),
    Position("hands-spectator", f"{DEAL}/3x2.2x4", spectator=True),
    Position("hands-over", "number-duel:hand=3,deal=123-321/3x1.2x1.2x1"),
    Position("hands-ascii", f"{DEAL}/3x2.2x4", target="4", glyphs=ASCII),
)


def write() -> None:
    """Write every golden file anew."""
    GOLDENS.mkdir(exist_ok=True)
    for old in GOLDENS.glob("*.txt"):
        old.unlink()
    for position in POSITIONS:
        (GOLDENS / f"{position.name}.txt").write_text(position.text(), encoding="utf-8")


if __name__ == "__main__":
    write()
