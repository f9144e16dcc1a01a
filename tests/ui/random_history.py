"""A store with a random history: games against all levels, puzzles of the day, lessons and mistakes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from duelbox.bots import levels_of
from duelbox.core.game import first_preset
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.session import Session
from duelbox.learn.daily import A_DAY, THREES
from duelbox.learn.ideas import DAYS, Missed
from duelbox.learn.lessons import course_in, key_of, lessons_of
from duelbox.learn.practice import practice
from duelbox.registry import find_game, game_ids
from duelbox.store.store import Store


@dataclass
class History:
    """The same history, kept beside the store."""

    games: list[dict[str, Any]] = field(default_factory=list)
    """Finished games: game, level (None for a friend), own seat, winning seat or None, helped."""
    days: dict[date, bool] = field(default_factory=dict)
    """For each puzzle of a day, True if it was solved at the first try."""
    due: int = 0
    lessons: dict[str, str | None] = field(default_factory=dict)
    """The present lesson of each begun course, as home names it; None for a finished course."""
    unfinished: list[str] = field(default_factory=list)
    """The codes of unfinished games, in order."""


def fill_store(store: Store, seed: int, today: date, games: int = 30) -> History:
    """Fill a store up to this day."""
    rng, done = Random(seed), History()
    for number in range(games):
        _play(store, rng, done, datetime.combine(today, datetime.min.time(), UTC) - timedelta(hours=games - number))
    for ago in range(12):
        if rng.random() < 0.7:
            day = today - timedelta(days=ago)
            done.days[day] = rng.random() < 0.6
            value = {"grade": 2, "at_once": [done.days[day]], "tries": [True], "seconds": 42, "day": day.isoformat()}
            for one in practice()[A_DAY * ago : A_DAY * ago + (A_DAY if day >= THREES else 1)]:
                store.progress.add("puzzle", one.code, value)
    for number in range(rng.randrange(5)):
        ahead = rng.choice((-2, 0, 3))
        done.due += ahead <= 0
        day = today + timedelta(days=ahead - DAYS[0])
        value = Missed(played="1", names=("Ann", "Bo"), day=day).model_dump(mode="json")
        store.progress.add("mistake", f"a-{number}", value)
    for game_id in game_ids():
        lessons = course_in(lessons_of(game_id), first_preset(find_game(game_id)).id)
        count = rng.randrange(-len(lessons), len(lessons) + 1)
        for lesson in lessons[: max(0, count)]:
            store.progress.add("lesson", key_of(game_id, lesson), {"step": 0, "done": True})
        if count >= 0 and (at := next((at for at in range(count, len(lessons))), None)) is not None:
            store.progress.add("lesson", key_of(game_id, lessons[at]), {"step": 2, "done": False})
            done.lessons[game_id] = f"lesson {at + 1}: {lessons[at].title.lower()}"
        elif count >= 0:
            done.lessons[game_id] = None
    return done


def _play(store: Store, rng: Random, done: History, started: datetime) -> None:
    game = find_game(rng.choice(game_ids()))
    preset = rng.choice(game.PRESETS[:2])
    session = Session(game, preset.options.changed(seed=rng.randrange(999)) if preset.options.draws else preset.options)
    level = rng.choice((*levels_of(game.INFO.id), None))
    me = rng.randrange(2) if level else 0
    people = [PlayerInfo(name="Player 1"), PlayerInfo(name="Player 2")]
    if level is not None:
        people[1 - me] = PlayerInfo(name=level.name, level=level.id)
    session.names = (people[0].name, people[1].name)
    for _ in range(rng.choice((4, 60, 60, 60))):
        if session.turn is not None:
            session.play(rng.choice(game.legal_moves(session.view(session.turn))))
    helped = rng.random() < 0.2
    ended = started + timedelta(minutes=5)
    one = recorded_round(session, 1, 0, started, ended).changed(assisted=helped)
    store.import_text(Record(game=game.INFO.id, players=tuple(people), played=(one,)).to_json())
    if session.outcome is None:
        done.unfinished.append(json.dumps([game.INFO.id, len(session.plies)]))
        return
    told = {"game": game.INFO.id, "level": level and level.id, "me": me, "helped": helped}
    done.games.append({**told, "winner": session.outcome.winner})
