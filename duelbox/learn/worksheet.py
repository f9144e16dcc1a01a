"""Puzzles on paper: four a page, the answers with their reasons on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import islice

from duelbox.core.errors import DuelboxError
from duelbox.core.rng import Rng
from duelbox.learn.puzzles import Puzzle, Solving, make
from duelbox.learn.shelf import practice
from duelbox.registry import find_game, talk_of
from duelbox.solve import analyse

A_PAGE = 4
MOST = 100
STYLE = """
@page { size: A4; margin: 15mm; }
body { font-family: sans-serif; color: black; background: white; }
h1 { font-size: 16pt; margin: 0 0 4mm; }
section { page-break-after: always; break-after: page; }
section:last-of-type { page-break-after: auto; break-after: auto; }
article { break-inside: avoid; page-break-inside: avoid; margin-bottom: 5mm; }
h2 { font-size: 11pt; margin: 0; }
pre { font: 9pt/1.25 monospace; margin: 1mm 0; }
.write { border-bottom: 0.3mm solid black; width: 60mm; height: 7mm; }
"""


def chosen(game_id: str, count: int, grade: int | None, seed: int) -> list[Puzzle]:
    """So many puzzles of a game; what the shelf does not have is made. Raises DuelboxError where there are too few."""
    if not 1 <= count <= MOST:
        raise DuelboxError(f"A worksheet has 1 to {MOST} puzzles, not {count}.")
    game = find_game(game_id)
    puzzles = list(Rng(seed).shuffled(practice(game_id, grade)))[:count]
    codes = {one.code for one in puzzles}
    more = (one for one in make(game, grade, count + len(codes), seed) if one.code not in codes)
    puzzles += islice(more, count - len(puzzles))
    if len(puzzles) < count:
        raise DuelboxError(f"Only {len(puzzles)} such puzzles were found, not {count}.")
    return puzzles


def sheet(game_id: str, puzzles: Sequence[Puzzle], *, answers: bool, markdown: bool) -> str:
    """The whole worksheet."""
    title = find_game(game_id).INFO.title
    return _markdown(title, puzzles, answers) if markdown else _html(title, puzzles, answers)


def _html(title: str, puzzles: Sequence[Puzzle], answers: bool) -> str:
    pages = []
    for at in range(0, len(puzzles), A_PAGE):
        tasks = "".join(
            f"<article><h2>{number}. {escape(_task(one))}</h2><pre>{escape(_board(one))}</pre>"
            '<div class="write">Move:</div></article>'
            for number, one in enumerate(puzzles[at : at + A_PAGE], at + 1)
        )
        pages.append(f"<section><h1>{escape(title)}</h1>{tasks}</section>")
    if answers:
        lines = "".join(f"<li>{escape(_answer(one))}</li>" for one in puzzles)
        pages.append(f"<section><h1>{escape(title)}: answers</h1><ol>{lines}</ol></section>")
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    return f"{head}<style>{STYLE}</style></head><body>{''.join(pages)}</body></html>\n"


def _markdown(title: str, puzzles: Sequence[Puzzle], answers: bool) -> str:
    tasks = "".join(
        f"## {number}. {_task(one)}\n\n```\n{_board(one)}\n```\n\nMove: ____________\n\n"
        for number, one in enumerate(puzzles, 1)
    )
    lines = "".join(f"{number}. {_answer(one)}\n" for number, one in enumerate(puzzles, 1))
    return f"# {title}\n\n{tasks}" + (f"# Answers\n\n{lines}" if answers else "")


def _board(puzzle: Puzzle) -> str:
    session = Solving(puzzle).session
    return session.named(talk_of(session.game).board(session.view(session.turn)))


def _task(puzzle: Puzzle) -> str:
    return f"{Solving(puzzle).asked} Grade {puzzle.grade}."


def _answer(puzzle: Puzzle) -> str:
    session = Solving(puzzle).session
    why = session.named(analyse(session.game, session.view(session.turn)).reason)
    return f"{' '.join(puzzle.line)}: {why}"
