"""Finds the questions of the tests that end courses: `python -m tests.learn.course_tests GAME/PRESET [--count N]`.

A question is a position of a game between levels in which one kind of move is right, which the pupil who has taken the
course finds for sure. It belongs to the first lesson after which the pupil does so; each lesson gets the same number.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from random import Random

from duelbox.bots import choose
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.session import Session
from duelbox.learn.lessons import lessons_of
from duelbox.learn.puzzles import right_moves
from duelbox.registry import find_game
from duelbox.solve import rate_moves
from tests.bench.ladder import LEVELS
from tests.pupils import pupil
from tests.pupils.courses import COURSES, Course

FIRST = 50_001
"""The seed of the first game; no bench plays it."""
LONG = 20
"""A question has at most so many moves before it."""
MOST_RIGHT = 0.5
"""The share of moves that are right, at most."""


def positions(game: AnyGame, options: Options, seed: int) -> Iterator[Session]:
    """The positions of a game between levels 1 to 4."""
    session = Session(game, options.changed(seed=seed) if options.draws or game.INFO.hidden else options)
    rng = Random(seed)
    while session.turn is not None and len(session.plies) < LONG:
        yield session
        level = LEVELS[rng.choice((1, 2, 3, 4))]
        session.type(choose(game, session.view(session.turn), level, seed * 100 + len(session.plies)).move)


def lesson_of(session: Session, right: tuple[str, ...], course: Course) -> str | None:
    """The first lesson after which the pupil finds a right move for sure, if the pupil still does at the end."""
    game = session.game
    view = session.view(session.turn)
    sure = []
    for rules in course.values():
        left = pupil.left(game.INFO.id, rules, view)
        sure.append({game.format_move(move) for move in left} <= set(right))
    return [*course][sure.index(True)] if sure[-1] else None


def questions(game_id: str, preset: str, count: int) -> Iterator[str]:
    """Lines of questions, so many for each lesson."""
    game = find_game(game_id)
    options = next(one.options for one in game.PRESETS if one.id == preset)
    course = COURSES[game_id, preset]
    ideas = {lesson.name: lesson.idea for lesson in lessons_of(game_id)}
    left = dict.fromkeys(course, count)
    taught = {step.code for lesson in lessons_of(game_id) for step in lesson.step}
    seen = set(taught)
    seed = FIRST
    while any(left.values()) and seed < FIRST + 4000:
        for session in positions(game, options, seed):
            legal = session.legal_moves()
            if len(legal) < 2 or session.code() in seen or legal[0].secret:
                continue
            lone = right_moves(session, rate_moves(game, session.view(session.turn)))
            if lone is None or len(lone.moves) > MOST_RIGHT * len(legal):
                continue
            name = lesson_of(session, lone.moves, course)
            if name is not None and left[name]:
                left[name] -= 1
                seen.add(session.code())
                yield f"{preset} {session.code()} {' '.join(lone.moves)} # {ideas[name]}"
                break
        seed += 1


def main() -> None:
    """Print the questions of a preset, and keep them beside its lessons."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("preset", help="GAME/PRESET")
    parser.add_argument("--count", type=int, default=6, help="questions for each lesson")
    asked = parser.parse_args()
    game_id, _, preset = asked.preset.partition("/")
    folder = Path(f"duelbox/games/{game_id.replace('-', '_')}")
    path = folder / "lessons" / "tests.txt"
    kept = path.read_text("utf-8").splitlines() if path.exists() else []
    kept = [line for line in kept if line.partition(" ")[0] != preset]
    for line in questions(game_id, preset, asked.count):
        print(line, flush=True)
        kept.append(line)
        path.write_text("".join(f"{one}\n" for one in sorted(kept)), "utf-8")


if __name__ == "__main__":
    main()
