"""Laws for what a game brings beside its rules: its solver, computers, words, board and lesson all run."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from duelbox.bots.api import Bot
from duelbox.core.errors import BadNotation
from duelbox.core.model import SEATS, Position
from duelbox.core.talk import Talk
from duelbox.learn.lessons import Course, lesson_of
from duelbox.registry import part
from duelbox.solve.api import Solver, Stop, Stopped
from duelbox.solve.sentences import HINTS, hint, verdict_sentence
from duelbox.testing.laws import SEATS_AND_SPECTATOR, Law, Trail, is_sentence, law_of
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import UNICODE

SECONDS = 2.0
"""The time of a solver or a computer for one position; it may give up."""
PART_LAWS: list[Law] = []
law = law_of(PART_LAWS)


def _positions(trail: Trail, rng: Random) -> list[Position]:
    """Some positions of the game that are not over."""
    return rng.sample(trail.states[:-1], min(3, len(trail.states) - 1))


@law
def a_solver_rates_every_legal_move(trail: Trail, rng: Random) -> None:
    """A solver rates every legal move, and its verdict, its reason and its hints can be said."""
    game = trail.game
    solver = part(game.INFO.id, "solve", Solver)
    if solver is None:
        return
    for state in _positions(trail, rng):
        view = game.view(state, state.mover)
        legal = [game.format_move(move) for move in game.legal_moves(view)]
        try:
            *_, last = solver.stream(view, Stop(SECONDS))
        except Stopped:
            continue
        assert sorted(one.move for one in last.moves) == sorted(legal), "not every legal move is rated once"
        assert last.complete, "the last analysis is not complete"
        told = (last.reason, verdict_sentence(last), *(hint(last, step) for step in range(1, HINTS + 1)))
        assert all(map(is_sentence, told)), f"not all of these are sentences: {told}"
        hash((solver.essence(view), *(solver.alike(view, move) for move in legal)))


@law
def a_computer_makes_legal_moves(trail: Trail, rng: Random) -> None:
    """A computer of each level makes a legal move, the same with the same seed, and says why."""
    game = trail.game
    bot = part(game.INFO.id, "bot", Bot)
    if bot is None:
        return
    for state in _positions(trail, rng):
        view = game.view(state, state.mover)
        legal = [game.format_move(move) for move in game.legal_moves(view)]
        for level in bot.levels:
            try:
                one, again = (bot.choose(view, level.id, 7, Stop(SECONDS)) for _ in range(2))
            except Stopped:
                continue
            assert one.move in legal, f"{level.id} makes the move {one.move!r}"
            assert one == again, f"{level.id} chooses another move with the same seed"
            assert is_sentence(f"1 {one.why}"), f"not a sentence: {one.why!r}"


@law
def words_fit_every_position(trail: Trail, rng: Random) -> None:
    """The words of a game fit every position of it."""
    game = trail.game
    talk = part(game.INFO.id, "talk", Talk)
    if talk is None:
        return
    told = [talk.welcome(game.view(trail.states[0], None))]
    for at, state in enumerate(trail.states):
        told += [talk.board(game.view(state, seat)) for seat in SEATS_AND_SPECTATOR]
        if at:
            told.append(talk.after(game.view(state, None), trail.events[at - 1]))
        if state.turn is not None:
            view = game.view(state, state.turn)
            told += [talk.turn(view), talk.choices(view)]
            _answer(talk, view, game.format_move(game.legal_moves(view)[0]))
        else:
            told.append(talk.ending(game.view(state, None)))
    assert all(isinstance(text, str) and text.replace("\n", "").isprintable() for text in told), "no text to be shown"


def _answer(talk: Talk[Any], view: Any, text: str) -> None:
    """Answer each question with a move, which may be refused."""
    answers: tuple[str, ...] = ()
    while isinstance(talk.question(view, answers), str):
        assert len(answers) < 10, "the questions do not end"
        answers = (*answers, text)
    with suppress(BadNotation):
        assert isinstance(talk.line(view, answers), str), "the answers are not made into a line"


@law
def a_board_draws_every_position(trail: Trail, rng: Random) -> None:
    """A board draws every position in every size, and takes what is pointed at and typed."""
    game = trail.game
    board = part(game.INFO.id, "board", GameBoard)
    if board is None:
        return
    for at, state in enumerate(trail.states):
        views = [game.view(state, seat) for seat in SEATS_AND_SPECTATOR]
        for seat, view in zip(SEATS_AND_SPECTATOR, views, strict=True):
            look = Look(seat=seat, events=trail.events[at - 1] if at else ())
            scene = board.scene(view, look)
            for width, height in ((1, 1), (60, 12), (120, 40)):
                drawing = board.widget().paint(scene, width, height, None)
                assert (drawing.canvas.width, drawing.canvas.height) == (width, height), "a drawing of another size"
            for target in drawing.targets if view.turn is not None else ():
                board.pick(view, "", target)
            if board.stages is not None and at:
                board.stages(game.view(trail.states[at - 1], seat), view, look)
            board.picture(view, UNICODE, 20, 6)
        for seat in SEATS:
            assert isinstance(board.score(views[0], seat), str), "a score is no text"
        if state.turn is not None:
            view = game.view(state, state.turn)
            for char in board.keys:
                board.begins(view, board.typed(view, "", char))
            assert isinstance(board.asks(view), str), "what there is to type is no text"
            board.arrows_pick(view)
            board.has_secret(view)
            board.open_up(state)


@law
def a_lesson_can_be_taken(trail: Trail, rng: Random) -> None:
    """A lesson can be taken to its end by the right moves."""
    lesson = lesson_of(trail.game.INFO.id)
    course = Course(lesson) if lesson else None
    while course is not None and not course.done:
        assert course.attempt(course.right[0]).right, f"step {course.at + 1} refuses its own right move"
        course.go_on()
