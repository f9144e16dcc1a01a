"""Finds the puzzles for paper: small boards, few house rules, one right move, an end that can be checked by hand.

`python -m tests.learn.paper_puzzles` writes `duelbox/learn/paper.txt` anew; it takes three minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import duelbox.learn
from duelbox.core.code import parse_code
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.puzzle_maker import kinds_of, level_chances
from duelbox.learn.puzzles import PAPER, Puzzle, right_moves
from duelbox.learn.worksheet import CHECKED
from duelbox.registry import find_game
from duelbox.solve import analyse, solver_of

HOUSES = {
    "circle-duel": (
        "circle-duel:reach=2",
        "circle-duel:reach=2,gaps=2",
        "circle-duel:size=12,reach=2,gaps=3",
        "circle-duel:size=13,reach=2,gaps=3",
        "circle-duel:size=14,reach=2,gaps=4",
        "circle-duel:reach=2,trails=own",
        "circle-duel:size=12,reach=2,trails=own",
    ),
    "sequence-duel": (
        "sequence-duel:size=9",
        "sequence-duel:size=11",
        "sequence-duel:size=13",
        "sequence-duel:size=15",
        "sequence-duel:size=10,ring=on",
    ),
    "digit-chain": (
        "digit-chain:zero=no-tens,gaps=60",
        "digit-chain:zero=wild,gaps=60",
        "digit-chain:zero=no-tens,gaps=40",
    ),
    "number-duel": ("number-duel:hand=4", "number-duel:hand=4,victors_stay=on"),
}
"""House rules to look in, the simplest first."""
WANTED = 10
"""Puzzles of each idea, no two with one answer."""
GAMES = 120
"""Games with each of the house rules."""
CHOICES = range(3, 13)
"""A position to be solved on paper has so many kinds of moves."""


def positions(house: str, seed: int) -> Iterator[Session]:
    """The positions of a game, in which half the moves are best moves and half are random."""
    rng = Rng(seed)
    start = parse_code(house, find_game)
    options = start.options
    if options.draws:
        options = options.changed(seed=rng.below(1000))
    session = Session(start.game, options)
    while session.turn is not None and len(session.plies) < 30:
        yield session
        legal = session.legal_moves()
        if rng.below(2) and not legal[0].secret:
            session.type(analyse(session.game, session.view(session.turn)).moves[0].move)
        else:
            session.play(rng.choice(legal))


def puzzle_of(session: Session) -> Puzzle | None:
    """The puzzle of a position, if it is one for paper."""
    legal = session.legal_moves()
    if legal[0].secret or len(legal) > CHOICES[-1] or kinds_of(session) not in CHOICES:
        return None
    lone = right_moves(session)
    if lone is None:
        return None
    analysis = analyse(session.game, session.view(session.turn))
    near = analysis.verdict == "chance" or (analysis.plies is not None and 1 < analysis.plies <= CHECKED)
    if analysis.idea is None or not near:
        return None
    missed = sum(2 * chance < 1 for chance in level_chances([session]))
    return Puzzle(code=session.code(), grade=1 + missed, line=lone.moves[:1], idea=analysis.idea.name)


def found(game_id: str) -> Iterator[Puzzle]:
    """The puzzles of a game for paper, those with the simplest house rules first."""
    answers: dict[str, set[str]] = {idea.name: set() for idea in solver_of(game_id).ideas}
    for house in HOUSES[game_id]:
        for seed in range(GAMES):
            if all(len(some) >= WANTED for some in answers.values()):
                return
            for session in positions(house, seed):
                puzzle = puzzle_of(session)
                if puzzle is None:
                    continue
                known = answers[puzzle.idea]
                if len(known) < WANTED and puzzle.line[0] not in known:
                    known.add(puzzle.line[0])
                    yield puzzle
        sys.stderr.write(f"{house}: { ({name: len(some) for name, some in answers.items()}) }\n")


def main() -> None:
    """Write the file."""
    lines = [
        f"{one.grade} {one.code} {' '.join(one.line)} # {one.idea}\n"
        for game_id in HOUSES
        for one in sorted(found(game_id), key=lambda one: one.idea)
    ]
    Path(duelbox.learn.__path__[0], PAPER).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
