"""The facts of home, found in the store and in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from duelbox.bots import SPARRING, levels_of
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.rng import Rng
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.friends.waiting import waiting_elsewhere
from duelbox.learn.daily import Done, all_solved, days_begun, days_done, streak
from duelbox.registry import BUILT_IN, find_game, game_ids, guest_fault, texts_beside, title_of
from duelbox.store.settings import PERSON, Config, LastUsed, Settings
from duelbox.store.statistics import Tally
from duelbox.store.store import Store
from duelbox.store.summary import Summary
from duelbox.table.new_game import last_choices, last_options
from duelbox.table.presets import known_preset, own_presets
from duelbox.ui.game_board import thumbnail_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.home_facts import GameFacts, HomeFacts, MatchFacts, TodayFacts
from duelbox.ui.home_kept import DAYS, KeptHome, ThumbnailKey, keep, stamp
from duelbox.ui.screens.home_picture import Thumbnail, paint
from duelbox.ui.widgets.canvas import Canvas

if TYPE_CHECKING:
    from duelbox.learn.ideas import Again

MOST = 9
"""So many games have a digit."""
SEED, TURNS, TRIES, CHOICES = 8, 4, 12, 3
"""The position that is drawn of a preset: of this deal or one of the next ones, after so many turns; both players can
choose between so many moves in it."""
FAULTY = "has a fault"
OWN_RULES = "House rules"
Climbed = Mapping[str, tuple[bool, ...]]


def facts_of(store: Store, settings: Settings, today: date) -> HomeFacts:
    """All that home says; waits for the disk, and leaves out what it refuses."""
    return facts_for(store, settings, (today,))[0]


def facts_for(store: Store, settings: Settings, days_to_come: Iterable[date]) -> list[HomeFacts]:
    """All that home says on each of these days, if nothing is played or changed before."""
    ids, tallies = game_ids()[:MOST], store.statistics()
    lessons = _newest(store, "lesson")
    latest, unfinished = store.history(limit=1), store.unfinished(1)
    known = days_begun(tried_by(store))
    days = days_done(known)
    matches = (*unfinished, *(one for one in latest if one.over))
    games = tuple(_row(settings, game_id, tallies, lessons) for game_id in ids)
    match = _match(store, settings, matches[0]) if matches else None
    best = max((streak(days, day) for day in days), default=0)
    coming, away = coming_ideas(store), waiting_elsewhere(store)
    return [
        HomeFacts(
            day=f"{day:%a} {day.day} {day:%b}",
            games=games,
            first=not latest and not lessons,
            streak=streak(days, day),
            match=match and replace(match, when=_day(matches[0].last_played.astimezone(), day)),
            today=_today(known, days, best, day),
            due=sum(one.due is not None and one.due <= day for one in coming),
            away=away[0].news if away else "",
            latest=ids.index(latest[0].game) if latest and latest[0].game in ids else 0,
        )
        for day in days_to_come
    ]


# -- the games


def chosen(settings: Settings, game: AnyGame, beaten: tuple[bool, ...]) -> LastUsed:
    """The choices that a game starts with: the player's own, or the preset to begin with and the next level."""
    last, known = last_choices(settings, game), levels_of(game.INFO.id)
    if game.INFO.id in settings.last or not known:
        return last
    return last.changed(players=(PERSON, known[_next_level(beaten)].id))


def with_choices(facts: GameFacts, settings: Settings) -> GameFacts:
    """A game after its preset or its level was changed."""
    game = find_game(facts.id)
    last = chosen(settings, game, facts.beaten)
    options, own = last_options(game, last), own_presets(settings, game)
    names = [preset.name for preset in (*game.PRESETS, *own)]
    preset = known_preset(settings, game, options)
    view, position = _position(game, options)
    first_wins, changes = _fairness(game, preset.id if preset else "")
    return replace(
        facts,
        goal=game.aim(view) if facts.id in BUILT_IN else game.INFO.goal,
        about="House rules of your own." if preset is None else preset.card if preset.key else "",
        preset=preset.name if preset else OWN_RULES,
        at=(names.index(preset.name) + 1 if preset else 0, len(names)),
        opponent=_opponent(facts.id, last.players),
        players=last.players,
        position=position,
        first_wins=first_wins,
        changes=changes,
    )


def _row(settings: Settings, game_id: str, tallies: tuple[Tally, ...], lessons: Mapping[str, Any]) -> GameFacts:
    """The row of a game; if a guest fails, its fault in the place of its goal."""
    try:
        return _game(settings, game_id, tallies, lessons)
    except BaseException as error:
        fault = guest_fault(error)
        if fault is None:
            raise
        return GameFacts(game_id, game_id, FAULTY, (), FAULTY, "", "", goal=fault.sentence)


def _game(settings: Settings, game_id: str, tallies: tuple[Tally, ...], lessons: Mapping[str, Any]) -> GameFacts:
    info = find_game(game_id).INFO
    mine = [one for one in tallies if one.game == game_id and _is_mine(one, settings)]
    alone = {level for one in mine for level, ways in one.beaten.items() if not all(helped for helped, _ in ways)}
    beaten = tuple(level.id in alone for level in levels_of(game_id))
    won, drawn, lost = (sum(getattr(one, name) for one in mine) for name in ("won", "drawn", "lost"))
    taught = game_id in BUILT_IN or bool(texts_beside(game_id, "lessons", ".toml"))
    to_learn, step, units = _lesson(game_id, lessons) if taught else ("", "", "")
    facts = GameFacts(
        id=game_id,
        title=info.title,
        good_for=info.good_for,
        beaten=beaten,
        next_step=step or (_climb(game_id, beaten) if mine or not to_learn else to_learn),
        record=f"{_points(won, drawn)} : {_points(lost, drawn)}" if mine else "",
        lesson=to_learn or ("the lesson again" if taught else ""),
        units=units,
    )
    return with_choices(facts, settings)


def _is_mine(tally: Tally, settings: Settings) -> bool:
    """Games of whoever sits here: against a computer in either seat, against people under the first name."""
    one, two = settings.names
    mine = {one, DEFAULT_NAMES[0]} | ({two, DEFAULT_NAMES[1]} if tally.level else set())
    return tally.player in mine


def _points(whole: int, drawn: int) -> str:
    half = "½" if drawn % 2 else ""
    points = whole + drawn // 2
    return f"{points or ''}{half}" if half else str(points)


def _lesson(game_id: str, marks: Mapping[str, Any]) -> tuple[str, str, str]:
    """The lesson to take; of a course that was begun the lesson at hand, and a sign for each."""
    mine = {key: value for key, value in marks.items() if key.partition("/")[0] == game_id}
    if not mine:
        return "take the first lesson", "", ""
    from duelbox.learn.lessons import is_done, left_at, readable

    lessons = readable(game_id)
    number, at = left_at(game_id, lessons, mine)
    units = "".join("■" if is_done(game_id, lesson, mine) else "□" for lesson in lessons)
    if not lessons or (number, at) == (0, 0):
        return "", "", units
    told = f"lesson {number + 1}: {lessons[number].title.lower()}"
    return told, told, units


def _next_level(beaten: tuple[bool, ...]) -> int:
    """The level above all that were beaten; where there is none, the easiest that was left out, or else the last."""
    above = max((at + 1 for at, done in enumerate(beaten) if done), default=0)
    left_out = (at for at, done in enumerate(beaten) if not done)
    return above if above < len(beaten) else next(left_out, len(beaten) - 1)


def _climb(game_id: str, beaten: tuple[bool, ...]) -> str:
    """The step up the ladder that comes next."""
    if all(beaten):
        return "all levels beaten" if beaten else ""
    return f"beat {levels_of(game_id)[_next_level(beaten)].name} next"


def _opponent(game_id: str, players: tuple[str, str]) -> str:
    known = [level.id for level in levels_of(game_id)]
    ids = [one for one in players if one in known]
    if len(ids) == 2:
        return " and ".join(_called(game_id, one) for one in ids)
    if SPARRING.id in players and known:
        return "a computer like you"
    return _called(game_id, ids[0]) if ids else "a friend here"


def _called(game_id: str, level_id: str) -> str:
    """A computer with the number of its level."""
    return next((f"{one.name} {at}" for at, one in enumerate(levels_of(game_id), 1) if one.id == level_id), level_id)


def _position(game: AnyGame, options: Any) -> tuple[Any, str]:
    """A position that these rules can lead to, as everybody sees it, and its code."""
    own = game.INFO.id in BUILT_IN
    if game.INFO.picture and (options == game.Options() or not own):
        try:
            session: Session = parse_code(game.INFO.picture, find_game)
            return session.view(None), game.INFO.picture
        except DuelboxError:  # a guest's picture that is no position
            pass
    session = sample_of(game, options)
    return session.view(None), session.code()


def sample_of(game: AnyGame, options: Any) -> Session:
    """A game by these rules after a few turns, still open; of guests and of what is hidden, one at its beginning."""
    turns = TURNS if game.INFO.id in BUILT_IN and not game.INFO.hidden else 0
    sessions = (_after(game, options, seed, turns) for seed in range(SEED, SEED + TRIES))
    return next(filter(_is_open, sessions), None) or _after(game, options, SEED, turns)


def _after(game: AnyGame, options: Any, seed: int, turns: int) -> Session:
    """A game after so many turns, all by chance."""
    session, rng = Session(game, options.changed(seed=seed) if options.draws else options), Rng(seed)
    for _ in range(turns):
        if session.turn is not None:
            session.play(rng.choice(session.legal_moves()))
    return session


def _is_open(session: Session) -> bool:
    """There is something to choose, also for whoever answers: a position that one wants to play."""
    if session.turn is None or len(moves := session.legal_moves()) < CHOICES:
        return False
    if session.game.INFO.hidden:
        return True
    answers = []
    for move in moves:
        session.play(move)
        answers.append(len(session.legal_moves()) if session.turn is not None else 0)
        session.undo()
    return sorted(answers)[len(answers) // 2] >= CHOICES


def _fairness(game: AnyGame, preset_id: str) -> tuple[int | None, str]:
    """Of a hundred deals, those that the first player wins, and how often the win changes hands in a game."""
    from duelbox.lab.preset_facts import facts_on_file
    from duelbox.solve.sentences import changes_hands

    try:
        card = facts_on_file(game).get(preset_id)
    except (DuelboxError, ValueError):  # a guest's file
        card = None
    if card is None:
        return None, ""
    told = bool(card.changes) and not game.INFO.hidden
    return round(100 * (card.first or 0)), f"the win {changes_hands(card.changes or 0)}" if told else ""


# -- the match, the day, and what waits


def _match(store: Store, settings: Settings, summary: Summary) -> MatchFacts:
    """The card of a match; only its title and a sentence if it is of a guest that fails."""
    try:
        return _match_facts(store, settings, summary)
    except BaseException as error:
        if guest_fault(error) is None:
            raise
        return MatchFacts(summary.id, summary.game, "", None, FAULTY, "", "", "", summary.over)


def _match_facts(store: Store, settings: Settings, summary: Summary) -> MatchFacts:
    people = [who.level is None for who in summary.players]
    alone = people.count(True) == 1
    me = people.index(True) if alone else None
    other = summary.players[1 - me] if me is not None else None
    opponent = " and ".join(who.name for who in summary.players)
    if other is not None:
        opponent = _called(summary.game, other.level or "")
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
    return replace(facts, preset=preset.name if preset else "", seat=seat, state=state, turn=turn)


def _day(when: datetime, today: date) -> str:
    """A day near today by its name."""
    ago = (today - when.date()).days
    if ago in (0, 1):
        return ("today", "yesterday")[ago]
    return f"{when:%A}" if 0 < ago < 7 else f"{when.day} {when:%b}"


def _today(known: Mapping[date, Done], days: Mapping[date, Done], best: int, today: date) -> TodayFacts | None:
    from duelbox.learn.daily import daily

    try:
        puzzles = daily(today)
    except DuelboxError:
        return None
    monday = today - timedelta(days=today.weekday())
    week = [days.get(monday + timedelta(days=at)) for at in range(7)]
    mine = [known.get(today, {}).get(one.code) for one in puzzles]
    return TodayFacts(
        title=title_of(puzzles[0].game_id),
        grade=puzzles[-1].grade,
        done=" ".join("·" if one is None else "■" if one.solved else "□" for one in mine) if any(mine) else "",
        week=tuple(None if one is None else all_solved(one) for one in week),
        weekday=today.weekday(),
        best=best,
    )


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


def coming_ideas(store: Store) -> list[Again]:
    """The ideas that were missed and come back; none where the disk refuses."""
    try:
        kept = store.progress.all("mistake")
    except DuelboxError:
        return []
    if not kept:
        return []  # as on most first screens, which need not wait for what looks into games
    from duelbox.learn.ideas import missed_ideas

    return [one for one in missed_ideas(kept).values() if one.due is not None]


def keep_home(store: Store, flags: Mapping[str, str | None], today: date, width: int, height: int) -> None:
    """Keep home at this size for the next start, unless something changes meanwhile.

    The settings are read once more: those in force may differ from their file where it could not be written.
    """
    folders, known = store.folders, stamp(store.folders, flags)
    config = Config.load(folders.data if folders.data == folders.config else None, flags=flags)
    settings = config.settings
    if known is None or config.notices or settings.keymap or store.notice:
        return
    if any(one.over for one in waiting_elsewhere(store)):
        return  # home says so for a week only
    days = [today + timedelta(days=ahead) for ahead in range(DAYS + 1)]
    facts = facts_for(store, settings, days)
    glyphs, thumbnails = ASCII if settings.plain else UNICODE, dict[ThumbnailKey, Canvas]()
    for chosen in range(len(facts[0].games)):
        paint(facts[0], chosen, "", width, height, glyphs, thumbnails_in(thumbnails, glyphs))
    home = KeptHome(facts[0], settings.theme, settings.animation, settings.plain, thumbnails)
    if stamp(folders, flags) == known:
        keep(folders, known, list(zip(days, facts, strict=True)), home)


def thumbnails_in(known: dict[ThumbnailKey, Canvas], glyphs: Glyphs) -> Thumbnail:
    """Draws small positions; each is drawn once, and found among those known from then on."""

    def thumbnail(game_id: str, code: str, width: int, height: int) -> Canvas:
        key = game_id, code, width, height, not glyphs.unicode
        if not code:  # of a guest that fails
            return Canvas(width, height)
        if key not in known:
            game = find_game(game_id)
            view = parse_code(code, find_game).view(0 if game.INFO.hidden else None)  # a sample: one's own is open
            known[key] = thumbnail_of(game_id, view, glyphs, width, height)
        return known[key]

    return thumbnail
