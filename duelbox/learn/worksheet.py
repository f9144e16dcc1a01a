"""Worksheets: pages of puzzles on one idea, a page for the teacher, and empty boards for two players.

Pages are Markdown; for print they become HTML with drawings of the boards, styled by `worksheet.css`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape, unescape
from importlib.resources import files

from duelbox.core.errors import DuelboxError
from duelbox.core.game import first_preset
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.lessons import Lesson, lessons_of, readable
from duelbox.learn.practice import practice
from duelbox.learn.puzzle_maker import make
from duelbox.learn.puzzles import PAPER, Solving, puzzles_in
from duelbox.registry import find_game, talk_of, text_beside
from duelbox.solve import solver_of
from duelbox.solve.api import Idea
from duelbox.solve.sentences import turns

WORKED, TO_DO = 2, 3
"""The number of puzzles with answers, and of those to do."""
MOST_TO_DO = 50
BOARDS = 3
SMALL = Fraction(4, 3)
"""A board is small up to this share of the classic one, both printed in signs."""
ON_BOARD = ("size", "gaps", "without", "seed", "hand", "target")
"""Options that are no rules to learn: everybody sees them on a drawn board."""
CHECKED = 9
"""An end within so many turns can be checked by hand."""

Draw = Callable[[Session], str]
Page = Sequence[str]
"""The parts of a page as Markdown; no part is broken across two pages."""


@dataclass(frozen=True)
class Sheet:
    """The puzzles of a worksheet; the first ones are shown with answers."""

    game_id: str
    idea: Idea | None
    puzzles: Sequence[Solving]
    again: str
    """The command that prints this sheet again."""

    @property
    def title(self) -> str:
        """The title: the game and the idea."""
        title = find_game(self.game_id).INFO.title
        return f"{title} ({self.idea.name})" if self.idea else title

    @property
    def lesson(self) -> Lesson | None:
        """The lesson on the idea."""
        course = readable(self.game_id) if self.idea else ()
        return next((one for one in course if self.idea and one.idea == self.idea.name), None)

    @property
    def options(self) -> Options:
        """The house rules of most of its puzzles."""
        return Counter(one.session.options.rules_only() for one in self.puzzles).most_common(1)[0][0]


def sheets(game_id: str, seed: int, idea: str = "", grade: int | None = None, count: int = TO_DO) -> list[Sheet]:
    """A sheet on one idea, or on each idea with enough puzzles; raises DuelboxError if there are not enough."""
    if not 1 <= count <= MOST_TO_DO:
        raise DuelboxError(f"A worksheet has 1 to {MOST_TO_DO} puzzles to do, not {count}.")
    needed = WORKED + count
    ideas: list[Idea | None] = [None]
    if practice(game_id):
        ideas = [one for one in solver_of(game_id).ideas if idea in ("", one.name)]
    found, most = list[Sheet](), 0
    for about in ideas:
        if about is None:
            puzzles = [Solving(one) for one in make(find_game(game_id), grade, needed, seed)]
        else:
            puzzles = for_paper(game_id, grade, about.name)
        chosen = choose_puzzles(puzzles, needed, seed)
        most = max(most, len(chosen))
        if len(chosen) == needed:
            asked = f"{f' --grade {grade}' if grade else ''}{f' --puzzles {count}' if count != TO_DO else ''}"
            found.append(Sheet(game_id, about, chosen, _again(game_id, about.name if about else "", asked, seed)))
    if not found:
        raise DuelboxError(f"A sheet needs {needed} such puzzles with different answers; there are {most}.")
    return found


def _again(game_id: str, idea: str, asked: str, seed: int) -> str:
    """A line with the command that prints the same page again."""
    named = f' --idea "{idea}"' if idea else ""
    return f"The same again: `duelbox worksheet {game_id}{named}{asked} --seed {seed}`"


def for_paper(game_id: str, grade: int | None, idea: str) -> list[Solving]:
    """The puzzles of an idea, with those that were made for paper and still are of this idea."""
    small = [one for one in puzzles_in(PAPER) if (one.game_id, one.idea) == (game_id, idea)]
    solving = [Solving(one) for one in small if grade in (None, one.grade)]
    fresh = [one for one in solving if one.analysis.idea is not None and one.analysis.idea.name == idea]
    return [*fresh, *map(Solving, practice(game_id, grade, idea))]


def choose_puzzles(puzzles: Sequence[Solving], count: int, seed: int) -> list[Solving]:
    """Draw puzzles with different answers, sorted by grade.

    Those come first that can be checked by hand, have few house rules and a small board; those of the same house rules
    stay together.
    """
    houses = defaultdict[tuple[bool, Options], list[Solving]](list)
    for one in Rng(seed).shuffled(puzzles):
        houses[_too_far(one), one.session.options.rules_only()].append(one)

    usual = SMALL * len(_board(Session(puzzles[0].session.game, type(puzzles[0].session.options)()))) if puzzles else 0

    def hardness(key: tuple[bool, Options]) -> tuple[int, ...]:
        too_far, options = key
        some = houses[key]
        rules = len(rules_to_learn(options))
        enough = min(count, len(_different(some)))
        size = len(_board(some[0].session))
        return too_far, size > usual, rules > 1, -enough, rules, size

    picked = _different([one for key in sorted(houses, key=hardness) for one in houses[key]])[:count]
    return sorted(picked, key=lambda one: one.puzzle.grade)


def rules_to_learn(options: Options) -> dict[str, str]:
    """The house rules that are not the usual ones and that a drawn board does not show."""
    usual = type(options)().texts()
    changed = {name: text for name, text in options.texts().items() if text != usual.get(name)}
    return {name: text for name, text in changed.items() if name not in ON_BOARD}


def _too_far(one: Solving) -> bool:
    """The end is too far away to be checked by hand."""
    far = one.analysis.plies is None or one.analysis.plies > CHECKED
    return far and one.analysis.verdict != "chance"


def _different(puzzles: Sequence[Solving]) -> list[Solving]:
    """The first puzzle with each answer."""
    return list({one.puzzle.line[0]: one for one in reversed(puzzles)}.values())[::-1]


def pages(sheet: Sheet, board: Draw, key: str, *, answers: bool) -> list[Page]:
    """The pages of a sheet, with the teacher's if asked for; `board` draws a board, `key` explains its signs."""
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
    """The rules of these options, and the signs on the board."""
    listed = "\n".join(f"- {one}" for one in options.sentences() or [find_game(game_id).INFO.goal])
    house = f"\n\nHouse rules: {options.in_words}." if options.in_words else ""
    return f"## Rules\n\n{listed}{house}" + (f"\n\n**On the board:** {key}" if key else "")


def _task(sheet: Sheet, one: Solving) -> str:
    """The task, with the house rules if other ones are to be learned than on the sheet."""
    rules = one.session.options
    if rules_to_learn(rules) == rules_to_learn(sheet.options):
        return f"{one.task} Grade {one.puzzle.grade}."
    return f"{one.task} House rules here: {rules.in_words or 'the classic ones'}. Grade {one.puzzle.grade}."


def _lines(count: int) -> str:
    return "\n\n".join(["________"] * count)


def _own(sheet: Sheet, board: Draw) -> str:
    """The task to make a puzzle."""
    number, game = len(sheet.puzzles) + 1, find_game(sheet.game_id)
    task = "Play with a partner until only one move is right. Write the moves down. A neighbour solves it."
    empty = "" if game.INFO.hidden else f"\n\n{board(Session(game, sheet.options))}"
    write = f"Moves: ________\n\nAnswer: ________\n\nWhy:\n\n{_lines(1)}"
    return f"### {number}. Make one yourself\n\n{task}{empty}\n\n{write}"


def _answer(one: Solving) -> str:
    """The right move with its reason, and the rest of the line."""
    rest = one.puzzle.line[1:]
    then = "".join(f" After {theirs} play {own}." for theirs, own in zip(rest[::2], rest[1::2], strict=True))
    return one.session.named(one.analysis.reason) + then


def _teacher(sheet: Sheet) -> Page:
    """The page for the teacher: aims, questions, common mistakes, and the answers with their reasons."""
    lesson, idea = sheet.lesson, sheet.idea
    known = f' in their own words: "{lesson.rule if lesson else idea.sentence}"' if idea else ""
    aims = [f"say the idea{known}", "find a board where it helps, and one where it does not", "check a move: play on"]
    asked = ["How do you know? Show it with a partner.", "What would change if it were the other player's turn?"]
    if idea:
        asked = [idea.question, *asked, "On which board does the idea not help? Draw one."]
    parts = [f"# For the teacher: {sheet.title}"]
    if lesson and lesson.curriculum:
        parts.append(f"In the curriculum: **{lesson.curriculum}**.")
    parts += [_listed("Aims: pupils can", aims), _listed("Questions to ask", asked)]
    if lesson and lesson.mistaken:
        parts.append(_listed("What pupils may think", lesson.mistaken))
    return [*parts, "## Answers", *(_solved(number, one) for number, one in enumerate(sheet.puzzles, 1))]


def _solved(number: int, one: Solving) -> str:
    """An answer, the distance of the end, and the command that solves it."""
    far = f"Over within {turns(one.analysis.plies)}. " if one.analysis.plies else ""
    return f"{number}\\. {_answer(one)} {far}`duelbox solve {one.puzzle.code}`"


def _listed(title: str, lines: Sequence[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines)


def _section(game_id: str, title: str) -> str:
    """A section of a game's page of rules, or nothing."""
    return (text_beside(game_id, "rules.md") or "").partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


def boards(game_id: str, seed: int, idea: str, board: Draw, key: str) -> list[Page]:
    """A page for two players: the rules of the lesson on an idea, or those of the first preset, and empty boards."""
    game = find_game(game_id)
    preset = next((one.preset for one in lessons_of(game_id) if one.idea == idea), first_preset(game).id)
    rules = next(one.options for one in game.PRESETS if one.id == preset)
    again = _again(game_id, idea, " --boards", seed)
    head = f"# {game.INFO.title}, for two\n\nPlayer 1 __________________ Player 2 __________________\n\n{again}"
    how = _section(game_id, "On paper")
    explore = _section(game_id, "Explore")
    out = [head, _rules(game_id, rules, key), f"## On paper\n\n{how}" if how else ""]
    for number in range(1, BOARDS + 1):
        dealt = rules.changed(seed=seed + number - 1) if rules.draws else rules
        empty = "" if game.INFO.hidden else f"{board(Session(game, dealt))}\n\n"
        out.append(f"### Game {number}\n\n{empty}Moves:\n\n{_lines(3)}\n\nWinner: ________")
    if explore:
        out.append(f"## To explore\n\n{explore}")
    return [out]


def markdown(written: Sequence[Page]) -> str:
    """The pages as Markdown."""
    return "\n\n".join(part for page in written for part in page if part) + "\n"


def html(written: Sequence[Page], *, large: bool) -> str:
    """The pages as HTML; code blocks in `svg` become drawings, and underscores lines to write on."""
    from markdown_it import MarkdownIt

    body, reader = "", MarkdownIt().enable("table")
    for page in written:
        parts = "".join(f"<article>{reader.render(part)}</article>" for part in page if part)
        body += f"<section>{parts}</section>"
    body = re.sub("_{4,}", lambda match: f'<span style="width: {len(match[0])}ch"></span>', body)
    drawn = '<pre><code class="language-svg">(.*?)</code></pre>'
    body = re.sub(drawn, lambda match: f'<div class="board">{unescape(match[1])}</div>', body, flags=re.DOTALL)
    title = escape(written[0][0].partition("\n")[0].removeprefix("# "))
    style = files("duelbox.learn").joinpath("worksheet.css").read_text("utf-8")
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    return f"{head}<style>\n{style}</style></head><body{' class=large' if large else ''}>{body}</body></html>\n"


def picture(draw: Callable[[Session], str] | None) -> Draw:
    """A function that draws a board as Markdown: as SVG with `draw`, or else as text."""

    def board(session: Session) -> str:
        if draw is not None:
            return f"```svg\n{draw(session)}\n```"
        return f"```\n{session.named(_board(session))}\n```"

    return board


def _board(session: Session) -> str:
    """A board as text."""
    return talk_of(session.game).board(session.view(session.turn))
