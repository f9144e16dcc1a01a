"""Puzzles on paper: for each idea a sheet with worked ones first, a page for the teacher; and boards for two.

All of it is written as Markdown; for print it becomes HTML, with drawings of the boards.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape, unescape

from duelbox.core.errors import DuelboxError
from duelbox.core.game import first_preset
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.lessons import Lesson, lessons_of, readable
from duelbox.learn.practice import practice
from duelbox.learn.puzzle_maker import make
from duelbox.learn.puzzles import Solving
from duelbox.registry import find_game, talk_of, text_beside
from duelbox.solve import solver_of
from duelbox.solve.api import Idea
from duelbox.solve.sentences import turns

WORKED, TO_DO = 2, 3  # so many puzzles are shown with their answers, and so many are left
MOST = 50
BOARDS = 3
CHECKED = 9
"""An end so many turns away can be checked by hand."""
STYLE = """
@page { size: A4; margin: 11mm 15mm; }
body { font: 10.5pt/1.35 sans-serif; color: black; background: white; max-width: 180mm; margin: 0 auto; }
body.large { font-size: 15pt; }
h1 { font-size: 1.5em; margin: 0 0 2mm; }
h2 { font-size: 1.15em; margin: 3mm 0 1mm; }
h3 { font-size: 1em; margin: 0 0 1mm; }
p, ul, ol, pre { margin: 0 0 1.5mm; }
li { margin-bottom: 0.8mm; }
section { break-before: page; }
section:first-of-type { break-before: auto; }
article { break-inside: avoid; overflow: hidden; }
.board { float: left; width: 118mm; height: 51mm; margin-right: 5mm; }
.large .board { float: none; width: 100%; height: 72mm; }
.board svg { width: 100%; height: 100%; }
span, hr { border: 0; border-bottom: 0.3mm solid black; }
span { display: inline-block; }
hr { height: 6mm; margin: 0 0 1mm; }
code { font-size: 0.85em; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 2mm 0; }
th, td { border: 0.3mm solid black; min-width: 7mm; height: 7mm; text-align: center; padding: 0; font-weight: normal; }
"""

Draw = Callable[[Session], str]
Page = Sequence[str]
"""The parts of a page, each as Markdown; none is torn in two."""


@dataclass(frozen=True)
class Sheet:
    """The puzzles of a sheet, the worked ones first."""

    game_id: str
    idea: Idea | None
    puzzles: Sequence[Solving]
    again: str
    """The command that prints it again."""

    @property
    def title(self) -> str:
        """The game, and the idea."""
        title = find_game(self.game_id).INFO.title
        return f"{title} ({self.idea.name})" if self.idea else title

    @property
    def lesson(self) -> Lesson | None:
        """The lesson on its idea."""
        course = readable(self.game_id) if self.idea else ()
        return next((one for one in course if self.idea and one.idea == self.idea.name), None)

    @property
    def options(self) -> Options:
        """The house rules that most of its puzzles have."""
        return Counter(one.session.options.rules_only() for one in self.puzzles).most_common(1)[0][0]


def sheets(game_id: str, seed: int, idea: str = "", grade: int | None = None, count: int = TO_DO) -> list[Sheet]:
    """A sheet of this idea, or of each there are enough puzzles of; raises DuelboxError where there is none."""
    if not 1 <= count <= MOST:
        raise DuelboxError(f"A worksheet has 1 to {MOST} puzzles to do, not {count}.")
    shelf = practice(game_id, grade)
    kinds: list[Idea | None] = [one for one in solver_of(game_id).ideas if idea in ("", one.name)] if shelf else [None]
    found, best = list[Sheet](), 0
    for kind in kinds:
        some = [one for one in shelf if kind and one.idea == kind.name]
        made = make(find_game(game_id), grade, WORKED + count, seed)
        puzzles = chosen([Solving(one) for one in (some if kind else made)], WORKED + count, seed)
        best = max(best, len(puzzles))
        if len(puzzles) == WORKED + count:
            asked = f"{f' --grade {grade}' if grade else ''}{f' --puzzles {count}' if count != TO_DO else ''}"
            found.append(Sheet(game_id, kind, puzzles, _again(game_id, kind.name if kind else "", asked, seed)))
    if not found:
        raise DuelboxError(f"A sheet needs {WORKED + count} such puzzles with different answers; there are {best}.")
    return found


def _again(game_id: str, idea: str, asked: str, seed: int) -> str:
    """The command that prints the same page again."""
    named = f' --idea "{idea}"' if idea else ""
    return f"The same again: `duelbox worksheet {game_id}{named}{asked} --seed {seed}`"


def chosen(puzzles: Sequence[Solving], count: int, seed: int) -> list[Solving]:
    """So many puzzles, no two with one answer, the easiest first: of the same house rules as far as there are such that
    can be checked by hand, others last."""
    drawn, houses = Rng(seed).shuffled(puzzles), defaultdict[tuple[bool, Options], list[Solving]](list)
    for one in drawn:
        houses[_too_far(one), one.session.options.rules_only()].append(one)
    first = sorted(houses, key=lambda key: (key[0], -min(count, len(_apart(houses[key])))))
    picked = _apart([one for key in first for one in houses[key]])[:count]
    return sorted(picked, key=lambda one: one.puzzle.grade)


def _too_far(one: Solving) -> bool:
    """The end is too far away to be checked by hand."""
    far = one.analysis.plies is None or one.analysis.plies > CHECKED
    return far and one.analysis.verdict != "chance"


def _apart(puzzles: Sequence[Solving]) -> list[Solving]:
    """The first with each answer."""
    return list({one.puzzle.line[0]: one for one in reversed(puzzles)}.values())[::-1]


def pages(sheet: Sheet, board: Draw, key: str, *, answers: bool) -> list[Page]:
    """The pages of a sheet, and the teacher's if asked for; `board` puts a board as Markdown, `key` is its signs."""
    worked = [
        f"### {number}. {_task(sheet, one)}\n\n{board(one.session)}\n\n{_answer(one)}"
        for number, one in enumerate(sheet.puzzles[:WORKED], 1)
    ]
    to_do = [
        f"### {number}. {_task(sheet, one)}\n\n{board(one.session)}\n\nMove: ________\n\nWhy:\n\n{_lines(3)}"
        for number, one in enumerate(sheet.puzzles[WORKED:], WORKED + 1)
    ]
    idea = [f"## The idea\n\n{sheet.idea.sentence}\n\n*Ask:* {sheet.idea.question}"] if sheet.idea else []
    top = f"# {sheet.title}\n\nName ____________________________ Date ______________\n\n{sheet.again}"
    first = [top, _rules(sheet.game_id, sheet.options, key), *idea, "## Two that are done", *worked]
    out: list[Page] = [first, ["## Now you", *to_do, _own(sheet, board)]]
    return [*out, _teacher(sheet)] if answers else out


def _rules(game_id: str, options: Options, key: str) -> str:
    """The rules by these options, and the signs on the board."""
    told = "\n".join(f"- {one}" for one in options.sentences() or [find_game(game_id).INFO.goal])
    house = f"\n\nHouse rules: {options.in_words}." if options.in_words else ""
    return f"## Rules\n\n{told}{house}" + (f"\n\n**On the board:** {key}" if key else "")


def _task(sheet: Sheet, one: Solving) -> str:
    """The task, with the house rules where they are others than the sheet's."""
    rules = one.session.options
    if rules.rules_only() == sheet.options:
        return f"{one.task} Grade {one.puzzle.grade}."
    return f"{one.task} House rules here: {rules.in_words or 'the classic ones'}. Grade {one.puzzle.grade}."


def _lines(count: int) -> str:
    return "\n\n".join(["________"] * count)


def _own(sheet: Sheet, board: Draw) -> str:
    """A puzzle to make."""
    number, game = len(sheet.puzzles) + 1, find_game(sheet.game_id)
    told = "Play with a partner until one move alone is right, and write the moves down. A neighbour solves it."
    empty = "" if game.INFO.hidden else f"\n\n{board(Session(game, sheet.options))}"
    write = f"Moves: ________\n\nAnswer: ________\n\nWhy:\n\n{_lines(1)}"
    return f"### {number}. Make one yourself\n\n{told}{empty}\n\n{write}"


def _answer(one: Solving) -> str:
    """The right move with its reason, and how the line goes on."""
    rest = one.puzzle.line[1:]
    then = "".join(f" After {theirs} play {own}." for theirs, own in zip(rest[::2], rest[1::2], strict=True))
    return one.session.named(one.analysis.reason) + then


def _teacher(sheet: Sheet) -> Page:
    """Aims, questions to ask, what pupils may think, and the answers with their reasons."""
    lesson, idea = sheet.lesson, sheet.idea
    known = f' in their own words: "{lesson.rule if lesson else idea.sentence}"' if idea else ""
    aims = [f"say the idea{known}", "find a board where it helps, and one where it does not", "check a move: play on"]
    asked = [*([idea.question] if idea else []), "How do you know? Show it with a partner.", *_explore(sheet.game_id)]
    parts = [f"# For the teacher: {sheet.title}", _listed("Aims: pupils can", aims), _listed("Questions to ask", asked)]
    if lesson and lesson.mistaken:
        parts.append(_listed("What pupils may think", lesson.mistaken))
    return [*parts, "## Answers", *(_solved(number, one) for number, one in enumerate(sheet.puzzles, 1))]


def _solved(number: int, one: Solving) -> str:
    """An answer, how far the end is, and the code to look it up with."""
    far = f"Over within {turns(one.analysis.plies)}. " if one.analysis.plies else ""
    return f"{number}\\. {_answer(one)} {far}`duelbox solve {one.puzzle.code}`"


def _listed(title: str, lines: Sequence[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines)


def _section(game_id: str, title: str) -> str:
    """A part of a game's page of rules; empty where there is none."""
    return (text_beside(game_id, "rules.md") or "").partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


def _explore(game_id: str) -> list[str]:
    """The questions on a game's page of rules."""
    return [" ".join(one.split()) for one in re.split(r"^- ", _section(game_id, "Explore"), flags=re.M) if one]


def boards(game_id: str, seed: int, idea: str, board: Draw, key: str) -> list[Page]:
    """A page for two who play on paper: the rules of the lesson on an idea, or the first ones, and empty boards, each
    drawn anew."""
    game = find_game(game_id)
    preset = next((one.preset for one in lessons_of(game_id) if one.idea == idea), first_preset(game).id)
    rules = next(one.options for one in game.PRESETS if one.id == preset)
    again = _again(game_id, idea, " --boards", seed)
    told = f"# {game.INFO.title}, for two\n\nPlayer 1 __________________ Player 2 __________________\n\n{again}"
    how = _section(game_id, "On paper")
    out = [told, _rules(game_id, rules, key), f"## On paper\n\n{how}" if how else ""]
    for number in range(1, BOARDS + 1):
        dealt = rules.changed(seed=seed + number - 1) if rules.draws else rules
        empty = "" if game.INFO.hidden else f"{board(Session(game, dealt))}\n\n"
        out.append(f"### Game {number}\n\n{empty}Moves:\n\n{_lines(3)}\n\nWinner: ________")
    return [out]


def markdown(written: Sequence[Page]) -> str:
    """The pages as Markdown."""
    return "\n\n".join(part for page in written for part in page if part) + "\n"


def html(written: Sequence[Page], *, large: bool) -> str:
    """The pages as HTML: what is fenced as `svg` is a drawing, and underscores are lines to write on."""
    from markdown_it import MarkdownIt

    body, reader = "", MarkdownIt().enable("table")
    for page in written:
        parts = "".join(f"<article>{reader.render(part)}</article>" for part in page if part)
        body += f"<section>{parts}</section>"
    body = re.sub("_{4,}", lambda found: f'<span style="width: {len(found[0])}ch"></span>', body)
    drawn = '<pre><code class="language-svg">(.*?)</code></pre>'
    body = re.sub(drawn, lambda found: f'<div class="board">{unescape(found[1])}</div>', body, flags=re.DOTALL)
    title = escape(written[0][0].partition("\n")[0].removeprefix("# "))
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    return f"{head}<style>{STYLE}</style></head><body{' class=large' if large else ''}>{body}</body></html>\n"


def picture(draw: Callable[[Session], str] | None) -> Draw:
    """A board as Markdown: as it is drawn, or as text where nothing draws it."""

    def board(session: Session) -> str:
        if draw is not None:
            return f"```svg\n{draw(session)}\n```"
        told = talk_of(session.game).board(session.view(session.turn))
        return f"```\n{session.named(told)}\n```"

    return board
