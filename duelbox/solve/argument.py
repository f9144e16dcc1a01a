"""The whole argument for a verdict: best play, an answer to everything that may come, and what the wrong moves miss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from duelbox.core.game import AnyGame
from duelbox.core.model import other, player
from duelbox.solve import difference, rate_moves, solver_of
from duelbox.solve.api import Analysis, Rated, Stop
from duelbox.solve.sentences import worth

LONGEST = 12
"""The most moves of a line of best play that are told."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the argument: a heading, and its rows. They say "you" to the player to move."""

    heading: str
    rows: tuple[str, ...] = ()


def argument(game: AnyGame, view: Any, analysis: Analysis, stop: Stop) -> tuple[Part, ...]:
    """The parts of the argument for a finished analysis; rows for which there is no time are left out."""
    if game.INFO.hidden:
        return (Part("The chances of each attack, with best play after it:", tuple(_chances(game, view, analysis))),)
    parts = [Part(f"Best play: {_best_play(game, view, analysis, stop)}")]
    if analysis.verdict == "loss":
        heading = "Your moves, each with an answer, and how many answers win:"
        parts.append(Part(heading, _answers_to(game, view, [one.move for one in analysis.moves], stop)))
    else:
        parts += [_after_advice(game, view, analysis, stop), *_wrong(game, view, analysis, stop)]
    return tuple(parts)


def _best_play(game: AnyGame, view: Any, analysis: Analysis, stop: Stop) -> str:
    """The moves of best play, the advised one first."""
    moves: list[str] = []
    move = analysis.advice
    while move and len(moves) < LONGEST:
        moves.append(move)
        view, _ = game.apply(view, view.turn, game.parse_move(view, move))
        move = ""
        if view.turn is not None:
            with stop.in_time():
                move = rate_moves(game, view, stop).moves[0].move
    if view.turn is not None:
        moves.append("…")
    return " ".join(moves)


def _after_advice(game: AnyGame, view: Any, analysis: Analysis, stop: Stop) -> Part:
    """An answer of one's own to every answer to the advised move."""
    move, them = analysis.advice, player(other(analysis.turn))
    after, _ = game.apply(view, view.turn, game.parse_move(view, move))
    if after.turn is None:
        return Part(f"{move} ends the game.")
    if after.turn == analysis.turn:
        return Part(f"After {move} {them} has to pass.")
    answers = [game.format_move(one) for one in game.legal_moves(after)]
    count = f"{len(answers)} answers"
    if len(answers) == 1:
        count = "1 answer"
    return Part(
        f"After {move} {them} has {count}. Yours to each, and how many win:", _answers_to(game, after, answers, stop)
    )


def _answers_to(game: AnyGame, view: Any, moves: Sequence[str], stop: Stop) -> tuple[str, ...]:
    """For each of these moves the best answer, and how many answers are as good."""
    rows: list[str] = []
    with stop.in_time():
        for move in moves:
            after, _ = game.apply(view, view.turn, game.parse_move(view, move))
            if after.turn is None:
                rows.append(f"{move}: the game is over")
            elif after.turn == view.turn:
                rows.append(f"{move}: a pass")
            else:
                rated = rate_moves(game, after, stop).moves
                rows.append(f"{move}: {rated[0].move}, {_as_good(rated)}")
    return tuple(rows)


def _as_good(rated: Sequence[Rated]) -> str:
    """The count of the moves that are as good as the best: "2 of 9 win"."""
    right = sum(one.value == rated[0].value for one in rated)
    verb = "win"
    if rated[0].verdict == "draw":
        verb = "hold"
    elif rated[0].verdict == "loss":
        verb = "lose"
    ending = "s" if right == 1 else ""
    return f"{right} of {len(rated)} {verb}{ending}"


def _wrong(game: AnyGame, view: Any, analysis: Analysis, stop: Stop) -> Iterator[Part]:
    """The wrong moves, each with the answer that refutes it."""
    rows: list[str] = []
    with stop.in_time():
        for one in analysis.moves:
            if one.value < analysis.value:
                instead = difference(game, view, one.move, stop)
                rows.append(f"{one.move} {worth(one)}." if instead is None else instead.sentence)
    if rows:
        yield Part("The moves that give it away:", tuple(rows))


def _chances(game: AnyGame, view: Any, analysis: Analysis) -> Iterator[str]:
    """The chances of all moves that can be told apart."""
    alike = solver_of(game.INFO.id).alike
    seen = set()
    for one in analysis.moves:
        key = alike(view, one.move)
        if key not in seen:
            seen.add(key)
            yield f"{one.move}: {worth(one)}"
