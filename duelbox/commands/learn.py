"""`duelbox learn`: the lessons of a game, on the full screen or in lines of text."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from duelbox.commands.shared import above_home
from duelbox.core.game import first_preset

if TYPE_CHECKING:
    from duelbox.learn.lessons import Lessons


TEST = "test"
"""The word for the test of a course, in the place of a lesson."""


def run(args: Namespace) -> int:
    """Take the course of a preset or its test, or list lessons."""
    from duelbox.learn.lessons import found_in, lessons_of, some_lessons_of
    from duelbox.registry import find_game, game_ids
    from duelbox.store.settings import Config
    from duelbox.table.presets import find_preset

    if args.game is None or args.list or args.json:
        listed = [find_game(args.game.lower()).INFO.id] if args.game else game_ids()
        courses = {game_id: lessons_of(game_id) for game_id in listed}
        only = None if args.lesson is None else found_in(courses[listed[0]], args.lesson)
        sys.stdout.write(_listed(courses, only, as_json=args.json))
        return 0
    game = find_game(args.game.lower())
    game_id = game.INFO.id
    lessons = some_lessons_of(game_id)
    preset = first_preset(game).id
    if args.preset is not None:
        preset = find_preset(game, args.preset, Config.load().settings).id
    test = args.lesson == TEST
    number = None if args.lesson is None or test else found_in(lessons, args.lesson)
    if args.plain:
        return _plain(game_id, number, preset, test=test)
    if test:
        return above_home(
            lambda app: app.navigation.open_test(game_id, preset), f"duelbox learn {game_id} test --plain"
        )
    return above_home(
        lambda app: app.navigation.open_lesson(game_id, number, preset), f"duelbox learn {game_id} --plain"
    )


def _plain(game_id: str, number: int | None, preset: str, *, test: bool) -> int:
    """Take lessons in lines, and after the last one the test."""
    from duelbox.learn.course_test import course_test, key_of_test
    from duelbox.learn.lessons import LESSONS, course_of
    from duelbox.plain.console import Console
    from duelbox.plain.line_trial import LineTrial
    from duelbox.store.settings import Config
    from duelbox.store.store import Store
    from duelbox.table.course_test_table import CourseTestTable
    from duelbox.table.lesson_table import LessonTable

    name = Config.load().settings.names[0]
    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        if not test:
            course = course_of(game_id, store.progress.newest(LESSONS), number, name, preset=preset)
            preset = course.preset
            lessons = LineTrial(console, store, LessonTable(course))
            lessons.to_the_end()
            test = lessons.to_test
        if test:
            marks = store.progress.newest(LESSONS)
            last = course_test(game_id, preset, marks, name)
            LineTrial(console, store, CourseTestTable(last, key_of_test(game_id, preset), marks)).to_the_end()
    return 0


def _listed(courses: dict[str, Lessons], only: int | None, *, as_json: bool) -> str:
    """All lessons, or one of each game, as lines with the presets they hold in, or as JSON."""
    from duelbox.registry import find_game

    lessons = [
        (game_id, at, lesson)
        for game_id, course in courses.items()
        for at, lesson in enumerate(course, 1)
        if only in (None, at - 1)
    ]
    if not as_json:
        lines = []
        for game_id, at, one in lessons:
            names = [preset.name for preset in find_game(game_id).PRESETS if preset.id in one.presets]
            lines.append(f"{game_id:<15}{at}  {one.name:<22}{one.title}, {len(one.step)} steps: {', '.join(names)}\n")
        return "".join(lines)
    rows = [
        {
            "game": game_id,
            "lesson": at,
            "name": one.name,
            "idea": one.idea,
            "title": one.title,
            "rule": one.rule,
            "preset": one.preset,
            "presets": list(one.presets),
            "steps": [step.code for step in one.step],
        }
        for game_id, at, one in lessons
    ]
    return json.dumps(rows, indent=1) + "\n"
