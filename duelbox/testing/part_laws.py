"""The laws of the parts beside the rules of a game: its solver, computers, words, board and lesson run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

from duelbox.bots.api import Bot
from duelbox.core.errors import BadNotation
from duelbox.core.model import Voice
from duelbox.core.talk import Talk
from duelbox.learn.lessons import Course, lessons_of
from duelbox.registry import part
from duelbox.solve.api import Solver, Stop, Stopped
from duelbox.solve.sentences import HINTS, hint, outlook
from duelbox.testing.laws import SEATS_AND_SPECTATOR, Law, RandomGame, is_sentence, law_of
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import UNICODE

P = TypeVar("P")
SECONDS = 2.0
"""The time of a solver or a computer for one position; giving up is allowed."""
PART_LAWS: list[Law] = []
law = law_of(PART_LAWS)


def _tried(played: RandomGame, rng: Random, name: str, kind: type[P]) -> Iterator[tuple[P, Any, list[str]]]:
    """Yield the part, some views of the player to move, and the legal moves there."""
    game, tested = played.game, part(played.game.INFO.id, name, kind)
    for state in rng.sample(played.states[:-1], min(3, len(played.states) - 1)) if tested is not None else ():
        view = game.view(state, state.mover)
        yield tested, view, [game.format_move(move) for move in game.legal_moves(view)]  # type: ignore[misc]


@law
def a_solver_rates_every_legal_move(played: RandomGame, rng: Random) -> None:
    """A solver rates every legal move, and its verdict, its reason and its hints can be said."""
    for solver, view, legal in _tried(played, rng, "solve", Solver):
        with suppress(Stopped):
            *_, last = solver.stream(view, Stop(SECONDS))
            assert sorted(one.move for one in last.moves) == sorted(legal), "not every legal move is rated once"
            assert last.complete, "the last analysis is not complete"
            texts = (last.reason, outlook(last, Voice()), *(hint(last, step) for step in range(1, HINTS + 1)))
            assert all(map(is_sentence, texts)), f"not all of these are sentences: {texts}"
            hash((solver.essence(view), *(solver.alike(view, move) for move in legal)))


@law
def a_computer_makes_legal_moves(played: RandomGame, rng: Random) -> None:
    """A computer of each level makes a legal move, the same with the same seed, and says why."""
    for bot, view, legal in _tried(played, rng, "bot", Bot):
        for level in bot.levels:
            with suppress(Stopped):
                one, again = (bot.choose(view, level.id, 7, Stop(SECONDS)) for _ in range(2))
                assert one.move in legal, f"{level.id} makes the move {one.move!r}"
                assert one == again, f"{level.id} chooses another move with the same seed"
                assert is_sentence(f"1 {one.why}"), f"not a sentence: {one.why!r}"


@law
def words_fit_every_position(played: RandomGame, rng: Random) -> None:
    """The words of a game fit every position of it."""
    game = played.game
    start = played.states[0]
    end = played.states[-1]
    for talk, view, legal in _tried(played, rng, "talk", Talk):
        texts = [talk.welcome(game.view(start, None)), talk.board(view), talk.turn(view), talk.choices(view)]
        texts.append(talk.after(game.view(played.states[1], None), played.events[0]))
        texts += [talk.ending(game.view(end, None))] if end.turn is None else []
        assert all(text.replace("\n", "").isprintable() for text in texts), "a text cannot be shown"
        answers: tuple[str, ...] = ()
        while talk.question(view, answers) is not None:
            assert len(answers) < 10, "the questions do not end"
            answers = (*answers, legal[0])
        with suppress(BadNotation):
            assert isinstance(talk.line(view, answers), str), "the answers are not made into a line"


@law
def a_board_draws_every_position(played: RandomGame, rng: Random) -> None:
    """A board draws every position in every size, and takes what is pointed at and typed."""
    game = played.game
    for board, view, _ in _tried(played, rng, "board", GameBoard):
        look = Look(seat=view.turn)
        for width, height in ((1, 1), (60, 12), (120, 40)):
            drawing = board.widget().paint(board.scene(view, look), width, height, None)
            assert drawing.canvas.size == (width, height), "a drawing of another size"
        lines = [board.pick(view, "", target) for target in drawing.targets]
        lines += [board.typed(view, "", char) for char in board.keys]
        assert all(isinstance(board.begins(view, line), bool) for line in lines), "it cannot say what begins a move"
        assert isinstance(board.score(view, 0) + board.asks(view), str), "a score is no text"
        board.arrows_pick(view)
        board.has_secret(view)
        board.picture(view, UNICODE, 20, 6)
        for at, state in enumerate(played.states[1:], 1):
            board.open_up(state)
            for seat in SEATS_AND_SPECTATOR:
                before, now = (game.view(played.states[one], seat) for one in (at - 1, at))
                look = Look(seat=seat, events=played.events[at - 1])
                board.widget().paint(board.scene(now, look), 80, 20, None)
                if board.stages is not None:
                    board.stages(before, now, look)


@law
def a_lesson_can_be_taken(played: RandomGame, rng: Random) -> None:
    """A lesson can be taken to its end by the right moves."""
    lessons = lessons_of(played.game.INFO.id)
    course = Course(lessons) if lessons else None
    while course is not None:
        where = f"step {course.at + 1} of {course.lesson.name}"
        assert course.attempt(course.right[0]).right, f"{where} refuses its own right move"
        if not course.go_on():
            if course.following is None:
                break
            course.open(course.number + 1)
