"""Puzzles on paper: four a page, the answers with their reasons on a page of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import islice

from duelbox.core.errors import DuelboxError
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.puzzles import Puzzle, Solving, make
from duelbox.learn.shelf import practice
from duelbox.registry import find_game, talk_of

A_PAGE = 4
MOST = 100
STYLE = """
@page { size: A4; margin: 12mm 15mm; }
body { font-family: sans-serif; color: black; background: white; max-width: 180mm; margin: 0 auto; }
h1 { font-size: 16pt; margin: 0 0 3mm; }
section { break-after: page; page-break-after: always; }
section:last-of-type { break-after: auto; page-break-after: auto; }
article { break-inside: avoid; page-break-inside: avoid; height: 63mm; overflow: hidden; }
h2 { font-size: 10pt; margin: 0 0 1mm; min-height: 8mm; }
.task { display: flex; gap: 6mm; align-items: center; }
.board { width: 120mm; height: 52mm; }
.board svg { width: 100%; height: 100%; }
.write { width: 50mm; }
.write p { border-bottom: 0.3mm solid black; height: 9mm; margin: 0 0 3mm; }
li { margin-bottom: 2mm; }
"""


def chosen(game_id: str, count: int, grade: int | None, seed: int, idea: str = "") -> list[Puzzle]:
    """So many puzzles of a game, the easiest first; what the shelf does not have is made, but none of an idea that is
    named. Raises DuelboxError where there are too few."""
    if not 1 <= count <= MOST:
        raise DuelboxError(f"A worksheet has 1 to {MOST} puzzles, not {count}.")
    game = find_game(game_id)
    puzzles = list(Rng(seed).shuffled(practice(game_id, grade, idea)))[:count]
    codes = {one.code for one in puzzles}
    more = (one for one in make(game, grade, count + len(codes), seed) if one.code not in codes)
    puzzles += islice(more, 0 if idea else count - len(puzzles))
    if len(puzzles) < count:
        raise DuelboxError(f"Only {len(puzzles)} such puzzles were found, not {count}.")
    return sorted(puzzles, key=lambda one: one.grade)


def sheet(
    game_id: str, puzzles: Sequence[Puzzle], draw: Callable[[Session], str] | None = None, *, answers: bool
) -> str:
    """The whole worksheet: HTML where there is something to draw its boards as SVG, and else Markdown."""
    title = find_game(game_id).INFO.title
    tasks = [Solving(one) for one in puzzles]
    return _markdown(title, tasks, answers) if draw is None else _html(title, tasks, draw, answers)


def _html(title: str, puzzles: Sequence[Solving], draw: Callable[[Session], str], answers: bool) -> str:
    pages = []
    for at in range(0, len(puzzles), A_PAGE):
        tasks = "".join(
            f"<article><h2>{number}. {escape(_task(one))}</h2>"
            f'<div class="task"><div class="board">{draw(one.session)}</div>'
            '<div class="write"><p>Move:</p><p>Why:</p><p></p></div></div></article>'
            for number, one in enumerate(puzzles[at : at + A_PAGE], at + 1)
        )
        pages.append(f"<section><h1>{escape(title)}</h1>{tasks}</section>")
    if answers:
        lines = "".join(f"<li>{escape(_answer(one))}</li>" for one in puzzles)
        pages.append(f"<section><h1>{escape(title)}: answers</h1><ol>{lines}</ol></section>")
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    return f"{head}<style>{STYLE}</style></head><body>{''.join(pages)}</body></html>\n"


def _markdown(title: str, puzzles: Sequence[Solving], answers: bool) -> str:
    sheet, lines = f"# {title}\n\n", ""
    for number, one in enumerate(puzzles, 1):
        board = one.session.named(talk_of(one.session.game).board(one.session.view(one.session.turn)))
        sheet += f"## {number}. {_task(one)}\n\n```\n{board}\n```\n\nMove: ____________\n\n"
        lines += f"{number}. {_answer(one)}\n"
    return f"{sheet}# Answers\n\n{lines}" if answers else sheet


def _task(one: Solving) -> str:
    return f"{one.asked} Grade {one.puzzle.grade}."


def _answer(one: Solving) -> str:
    why = one.session.named(one.analysis.reason)
    first, *rest = one.puzzle.line
    then = (f"; after {theirs}, play {own}" for theirs, own in zip(rest[::2], rest[1::2], strict=True))
    return f"Play {first}{''.join(then)}. {why}" if rest else f"{first}: {why}"
