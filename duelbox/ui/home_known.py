"""The facts of home, found in the store and in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.record import PROGRAM
from duelbox.core.session import Session
from duelbox.friends.waiting import waiting_elsewhere
from duelbox.learn.daily import Done, all_solved, days_begun, days_done, short_day, streak
from duelbox.registry import find_game, game_ids, guest_fault, title_of
from duelbox.store.settings import Config, Settings
from duelbox.store.store import Store
from duelbox.store.summary import Summary
from duelbox.table.next_game import WON_KIND
from duelbox.table.presets import known_preset
from duelbox.ui.game_board import thumbnail_of
from duelbox.ui.glyphs import Glyphs, chosen_glyphs
from duelbox.ui.home_facts import HomeFacts, MatchFacts, TodayFacts
from duelbox.ui.home_kept import DAYS, KeptHome, Rows, ThumbnailKey, keep, stamp
from duelbox.ui.home_rows import FAULTY, called, row_of
from duelbox.ui.terminal.window import has_small_cells

if TYPE_CHECKING:
    from duelbox.core.model import Seat
    from duelbox.learn.ideas import Again

MOST = 9
"""So many games have a digit."""


def facts_of(store: Store, settings: Settings, today: date) -> HomeFacts:
    """All that home says; waits for the disk, and leaves out what it refuses."""
    return facts_for(store, settings, (today,))[0]


def facts_for(store: Store, settings: Settings, days_to_come: Iterable[date]) -> list[HomeFacts]:
    """All that home says on each of these days, if nothing is played or changed before."""
    ids, tallies = game_ids()[:MOST], store.statistics()
    lessons, played = _newest(store, "lesson"), store.latest_played()
    latest, unfinished = store.history(limit=1), store.unfinished(1)
    known = days_begun(tried_by(store))
    days = days_done(known)
    matches = (*unfinished, *(one for one in latest if one.over))
    missed = _all_missed(store)
    won = _newest(store, WON_KIND)
    proofs = _newest(store, "proof")
    games = tuple(row_of(settings, game_id, tallies, lessons, played, missed, won, proofs) for game_id in ids)
    match = _match(store, settings, matches[0], missed) if matches else None
    best = max((streak(days, day) for day in days), default=0)
    coming, away = coming_ideas(store), waiting_elsewhere(store)
    facts = []
    for day in days_to_come:
        puzzles = _today(known, days, best, day)
        due = sum(one.due is not None and one.due <= day for one in coming)
        over = puzzles is not None and puzzles.over
        facts.append(
            HomeFacts(
                day=short_day(day),
                games=games,
                first=not latest and not lessons and not proofs,
                streak=streak(days, day),
                match=match and replace(match, when=_day(matches[0].last_played.astimezone(), day)),
                today=puzzles,
                due=due,
                rest=_resting(coming, day) if over and not due else "",
                coming=_coming(coming, day),
                away=away[0].news if away else "",
                latest=ids.index(latest[0].game) if latest and latest[0].game in ids else 0,
            )
        )
    return facts


# -- the match, the day, and what waits


def _match(store: Store, settings: Settings, summary: Summary, missed: Sequence[tuple[str, Any]]) -> MatchFacts:
    """The card of a match; only its title and a sentence if it is of a guest that fails."""
    try:
        return _match_facts(store, settings, summary, missed)
    except BaseException as error:
        if guest_fault(error) is None:
            raise
        return MatchFacts(summary.id, summary.game, "", None, FAULTY, "", "", "", summary.over)


def _match_facts(store: Store, settings: Settings, summary: Summary, missed: Sequence[tuple[str, Any]]) -> MatchFacts:
    people = [who.level is None for who in summary.players]
    alone = people.count(True) == 1
    me = people.index(True) if alone else None
    other = summary.players[1 - me] if me is not None else None
    opponent = " and ".join(who.name for who in summary.players)
    if other is not None:
        opponent = called(summary.game, other.level or "")
        if other.level == PROGRAM:
            opponent = other.name
    facts = MatchFacts(summary.id, title_of(summary.game), "", None, "", opponent, "", "", summary.over)
    try:
        sessions = store.load(summary.id).sessions
    except DuelboxError:  # the file cannot be read just now
        sessions = ()
    if not sessions:
        return replace(facts, turn=f"{summary.moves} turns")
    session = sessions[-1]
    preset, turns = known_preset(settings, session.game, session.options), len(session.moves)
    seat, mine = session.turn, session.names.index(summary.players[me].name) if me is not None else None
    if summary.over or seat is None:
        winner, names = session.outcome.winner if session.outcome else None, session.names
        seat = winner
        state = "a draw" if winner is None else "you won" if winner == mine else f"{names[winner]} won"
        state = state if summary.over else f"round {len(summary.finished)} of {summary.rounds} is over"
        turn = f"{turns} turns"
    else:
        state = f"{'you' if seat == mine else session.names[seat]} to move"
        turn = f"turn {turns + 1}"
    turned = _turned_at(session, missed) if summary.over else 0
    return replace(facts, preset=preset.name if preset else "", seat=seat, state=state, turn=turn, turned=turned)


def _turned_at(session: Session, missed: Sequence[tuple[str, Any]]) -> int:
    """The turn of the last mistake that is kept of this game; 0 if none is."""
    whole = session.code()
    for code, _ in reversed(missed):
        if whole.startswith((f"{code}.", f"{code}/")):
            moves = code.partition("/")[2]
            return len(moves.split(".")) + 1 if moves else 1
    return 0


def _day(when: datetime, today: date) -> str:
    """A day near today by its name."""
    ago = (today - when.date()).days
    if ago in (0, 1):
        return ("today", "yesterday")[ago]
    return f"{when:%A}" if 0 < ago < 7 else f"{when.day} {when:%b}"


def _today(known: Mapping[date, Done], days: Mapping[date, Done], best: int, today: date) -> TodayFacts | None:
    from duelbox.learn.daily import daily, title_of_day

    try:
        puzzles = daily(today)
    except DuelboxError:
        return None
    monday = today - timedelta(days=today.weekday())
    week = [days.get(monday + timedelta(days=at)) for at in range(7)]
    mine = [known.get(today, {}).get(one.code) for one in puzzles]
    return TodayFacts(
        title=title_of_day(puzzles),
        grade=puzzles[-1].grade,
        done=" ".join("·" if one is None else "■" if one.solved else "□" for one in mine) if any(mine) else "",
        week=tuple(None if one is None else all_solved(one) for one in week),
        weekday=today.weekday(),
        best=best,
        ideas=tuple(one.idea for one in puzzles),
        moves=(len(puzzles[0].line) + 1) // 2,
    )


def _resting(ideas: Sequence[Again], today: date) -> str:
    """A sentence on the mistakes that rest after this day; empty if none does."""
    if not ideas:
        return ""
    from duelbox.learn.ideas import resting

    return resting(ideas, today)


def _coming(ideas: Sequence[Again], today: date) -> str:
    """The next idea that comes back after this day, and its day; empty if none does."""
    to_come = [(one.due, one.last.idea) for one in ideas if one.due is not None and one.due > today and one.last.idea]
    if not to_come:
        return ""
    from duelbox.learn.ideas import day_called

    due, idea = min(to_come)
    when = day_called(due, today)
    return f"{when[0].upper()}{when[1:]}: {idea} again"


def tried_by(store: Store) -> list[tuple[str, Any]]:
    """All attempts at puzzles that are kept; none where the disk refuses."""
    from duelbox.learn.puzzle_results import PUZZLES, results_of

    try:
        return results_of(store.progress.all(PUZZLES))
    except DuelboxError:
        return []


def _newest(store: Store, kind: str) -> dict[str, Any]:
    try:
        return store.progress.newest(kind)
    except DuelboxError:
        return {}


def _all_missed(store: Store) -> list[tuple[str, Any]]:
    """All marks of mistakes; none where the disk refuses."""
    try:
        return store.progress.all("mistake")
    except DuelboxError:
        return []


def coming_ideas(store: Store) -> list[Again]:
    """The ideas that were missed and come back; none where the disk refuses."""
    kept = _all_missed(store)
    if not kept:
        return []  # as on most first screens, which need not wait for what looks into games
    from duelbox.learn.ideas import missed_ideas

    return [one for one in missed_ideas(kept).values() if one.due is not None]


def keep_home(store: Store, flags: Mapping[str, str | None], today: date, width: int, height: int) -> None:
    """Keep home for the next start, with pictures of this size, unless something changes meanwhile.

    The settings are read once more: those in force may differ from their file where it could not be written.
    """
    folders, known = store.folders, stamp(store.folders, flags)
    config = Config.load(folders.data if folders.data == folders.config else None, flags=flags)
    settings = config.settings
    if known is None or config.notices or settings.keymap or store.told.trouble or store.told.news:
        return
    if any(one.over for one in waiting_elsewhere(store)):
        return  # home says so for a week only
    days = [today + timedelta(days=ahead) for ahead in range(DAYS + 1)]
    facts = facts_for(store, settings, days)
    glyphs = chosen_glyphs(plain=settings.plain, letters=settings.ascii == "auto" and has_small_cells())
    thumbnails: dict[ThumbnailKey, Rows] = {}
    for game in facts[0].games:
        if game.position:
            key = (game.id, game.position, width, height, glyphs.name)
            thumbnails[key] = thumbnail(game.id, game.position, width, height, glyphs)
    home = KeptHome(facts[0], settings.theme, settings.animation, settings.plain, thumbnails)
    if stamp(folders, flags) == known:
        keep(folders, known, list(zip(days, facts, strict=True)), home)


def thumbnail(game_id: str, code: str, width: int, height: int, glyphs: Glyphs) -> Rows:
    """The position of a code, drawn small; of hidden hands the first is open, as it is a sample."""
    seat: Seat | None = 0 if find_game(game_id).INFO.hidden else None
    canvas = thumbnail_of(game_id, parse_code(code, find_game).view(seat), glyphs, width, height)
    return [canvas.row(y) for y in range(canvas.height)]
