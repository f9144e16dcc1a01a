"""`duelbox learn`: the lessons of a game, on the full screen or in lines of text."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from duelbox.commands.shared import above_home

if TYPE_CHECKING:
    from duelbox.learn.lessons import Lessons


def run(args: Namespace) -> int:
    """Take the lessons of a game, or list lessons."""
    from duelbox.learn.lessons import LESSONS, course_of, found_in, lessons_of, some_lessons_of
    from duelbox.registry import find_game, game_ids

    if args.game is None or args.list or args.json:
        listed = [find_game(args.game.lower()).INFO.id] if args.game else game_ids()
        courses = {game_id: lessons_of(game_id) for game_id in listed}
        only = None if args.lesson is None else found_in(courses[listed[0]], args.lesson)
        sys.stdout.write(_listed(courses, only, as_json=args.json))
        return 0
    game = find_game(args.game.lower())
    lessons = some_lessons_of(game.INFO.id)
    number = None if args.lesson is None else found_in(lessons, args.lesson)
    if not args.plain:
        return above_home(
            lambda app: app.navigation.open_lesson(game.INFO.id, number), f"duelbox learn {game.INFO.id} --plain"
        )
    from duelbox.plain.console import Console
    from duelbox.plain.line_trial import LineTrial
    from duelbox.store.settings import Config
    from duelbox.store.store import Store
    from duelbox.table.lesson_table import LessonTable

    with Store.open() as store:
        course = course_of(game.INFO.id, store.progress.newest(LESSONS), number, Config.load().settings.names[0])
        LineTrial(Console(sys.stdin, sys.stdout), store, LessonTable(course)).to_the_end()
    return 0


def _listed(courses: dict[str, Lessons], only: int | None, *, as_json: bool) -> str:
    """All lessons, or one of each course, as lines or as JSON."""
    lessons = [
        (game_id, at, lesson)
        for game_id, course in courses.items()
        for at, lesson in enumerate(course, 1)
        if only in (None, at - 1)
    ]
    if not as_json:
        return "".join(
            f"{game_id:<15}{at}  {one.name:<22}{one.title}, {len(one.step)} steps\n" for game_id, at, one in lessons
        )
    rows = [
        {
            "game": game_id,
            "lesson": at,
            "name": one.name,
            "idea": one.idea,
            "title": one.title,
            "rule": one.rule,
            "preset": one.preset,
            "steps": [step.code for step in one.step],
        }
        for game_id, at, one in lessons
    ]
    return json.dumps(rows, indent=1) + "\n"
