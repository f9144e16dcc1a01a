"""The rows of home: the record of each game, its next step, and the game that Enter starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from duelbox.bots import SPARRING, levels_of
from duelbox.core.code import format_code, parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame, Preset, preset_of
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.registry import BUILT_IN, find_game, guest_fault, package_of, texts_beside
from duelbox.store.settings import PERSON, First, LastUsed, Settings
from duelbox.store.statistics import Played, Tally
from duelbox.table.new_game import last_choices, last_options
from duelbox.table.next_game import IN_A_ROW, goal_at, level_to_play, losses_in_a_row, offer_after_losses, rules_to_try
from duelbox.table.presets import known_preset, own_presets
from duelbox.ui.home_facts import GameFacts
from duelbox.ui.home_proofs import with_proof

if TYPE_CHECKING:
    from duelbox.learn.lessons import Lesson

SEED = 8
"""The deal that is drawn of house rules without a picture."""
FAULTY = "has a fault"
OWN_RULES = "House rules"
FIRST_STEP = "first: t, "
"""The beginning of the next step that is a lesson after losses."""
SEEN = 3
"""The games lost last that are looked at for what they have in common."""


def chosen(settings: Settings, game: AnyGame, played: Sequence[Played]) -> LastUsed:
    """The choices that a game starts with: the player's own, or else the seat of the preset and the next level."""
    last, known = last_choices(settings, game), levels_of(game.INFO.id)
    if last.chosen or not known:
        return last
    level = known[level_to_play(played, [one.id for one in known])]
    preset = known_preset(settings, game, last_options(game, last))
    first: First = "player-2" if preset is not None and preset.seat == 2 else "player-1"
    return last.changed(players=(PERSON, level.id), first=first)


def with_choices(facts: GameFacts, settings: Settings, played: Sequence[Played]) -> GameFacts:
    """A game after its preset or its level was changed; `played` are the games of it, the latest first."""
    game = find_game(facts.id)
    last = chosen(settings, game, played)
    options, own = last_options(game, last), own_presets(settings, game)
    names = [preset.name for preset in (*game.PRESETS, *own)]
    preset = known_preset(settings, game, options)
    position = picture_of(game, options)
    view = parse_code(position, find_game).view(None)
    first_wins, changes = _fairness(game, preset.id if preset else "")
    return replace(
        facts,
        goal=game.aim(view) if facts.id in BUILT_IN else game.INFO.goal,
        about=_purpose(preset),
        preset=preset.name if preset else OWN_RULES,
        at=(names.index(preset.name) + 1 if preset else 0, len(names)),
        opponent=_opponent(facts.id, last.players),
        players=last.players,
        first=last.first,
        starts=_starts(facts.id, last),
        level=_level_against(facts.id, last.players),
        lately="",
        warned=False,
        raised="",
        prove="",
        source="",
        position=position,
        first_wins=first_wins,
        changes=changes,
    )


def _purpose(preset: Preset[Any] | None) -> str:
    """The purpose of a preset in a sentence; empty if it is to be played and nothing else is known of it."""
    if preset is None:
        return "House rules of your own."
    if not preset.key:
        return ""
    sentence = preset.card.partition(". ")[0].rstrip(".")
    return f"{sentence}."


def row_of(
    settings: Settings,
    game_id: str,
    tallies: tuple[Tally, ...],
    lessons: Mapping[str, Any],
    played: tuple[Played, ...],
    missed: Sequence[tuple[str, Any]],
    won_alone: Mapping[str, Any],
    proofs: Mapping[str, Any],
) -> GameFacts:
    """The row of a game; if a guest fails, its fault in the place of its goal."""
    try:
        mine = played_here(played, game_id, settings)
        row = _game(settings, game_id, tallies, lessons, mine, won_alone)
        if losses_in_a_row(mine):
            row = _after_losses(row, losses_in_a_row(mine), missed)
        return with_proof(row, mine, proofs)
    except BaseException as error:
        fault = guest_fault(error)
        if fault is None:
            raise
        return GameFacts(game_id, game_id, FAULTY, (), FAULTY, "", "", goal=fault.sentence)


def played_here(played: Iterable[Played], game_id: str, settings: Settings) -> list[Played]:
    """The games of this kind that were played by the person who sits here, in the same order."""
    mine = {*settings.names, *DEFAULT_NAMES}
    return [one for one in played if one.game == game_id and one.player in mine]


def _game(
    settings: Settings,
    game_id: str,
    tallies: tuple[Tally, ...],
    lessons: Mapping[str, Any],
    played: Sequence[Played],
    won_alone: Mapping[str, Any],
) -> GameFacts:
    info = find_game(game_id).INFO
    mine = [one for one in tallies if one.game == game_id and is_mine(one, settings)]
    alone = {level for one in mine for level, ways in one.beaten.items() if not all(helped for helped, _ in ways)}
    beaten = tuple(level.id in alone for level in levels_of(game_id))
    won, drawn, lost = (sum(getattr(one, name) for one in mine) for name in ("won", "drawn", "lost"))
    taught = game_id in BUILT_IN or bool(texts_beside(game_id, "lessons", ".toml"))
    to_learn, step, units = "", "", ""
    if taught:
        to_learn, step, units = _lesson(game_id, lessons, _chosen_preset(settings, game_id, played))
    facts = GameFacts(
        id=game_id,
        title=info.title,
        good_for=info.good_for,
        beaten=beaten,
        next_step=step or (_climb(game_id, beaten, played) if mine or not to_learn else to_learn),
        record=f"{_points(won, drawn)} : {_points(lost, drawn)}" if mine else "",
        lesson=to_learn or ("the lesson again" if taught else ""),
        units=units,
        provable=find_spec(f"{package_of(game_id)}.proof") is not None,
    )
    facts = _with_offer(with_choices(facts, settings, played), played, lesson_left=bool(to_learn))
    return _with_rules_to_try(facts, won_alone)


def _with_offer(facts: GameFacts, played: Sequence[Played], *, lesson_left: bool) -> GameFacts:
    """The row with one thing to try as its next step, if the last games were lost."""
    known = levels_of(facts.id)
    if not facts.level:
        return facts
    offer = offer_after_losses(played, facts.level - 1, lesson_left=lesson_left)
    if offer == "lesson":
        title = _lesson_title(facts)
        return replace(facts, next_step=f"{FIRST_STEP}{title}", raised=title.capitalize())
    if offer == "level":
        lower = known[facts.level - 2]
        return replace(facts, next_step=f"easier: x, {lower.name}", offer=(PERSON, lower.id, facts.first))
    if offer == "seat":
        swapped: First = "player-2" if facts.first == "player-1" else "player-1"
        return replace(facts, next_step="other seat: x", offer=(*facts.players, swapped))
    return facts


def _with_rules_to_try(facts: GameFacts, won_alone: Mapping[str, Any]) -> GameFacts:
    """The row with other rules, and the second seat, as its next step, if its preset was won often enough."""
    game = find_game(facts.id)
    preset = next((one for one in game.PRESETS if one.name == facts.preset), None)
    if preset is None or preset.then is None or not facts.level or facts.next_step.startswith(FIRST_STEP):
        return facts
    to_try = rules_to_try(game, preset, won_alone)
    if to_try is None or facts.offer:
        return facts
    name, options = to_try
    computer_begins: First = "player-1"
    if facts.players[0] == PERSON:
        computer_begins = "player-2"
    return replace(
        facts,
        next_step=f"{name}, second: x",
        offer=(*facts.players, computer_begins),
        offer_rules=format_code(game, options, ()),
    )


def _after_losses(facts: GameFacts, losses: int, marks: Sequence[tuple[str, Any]]) -> GameFacts:
    """The row after losses: the lesson on the last mistake; after two its position, and a warning in the next game."""
    from duelbox.learn.ideas import lost_lately
    from duelbox.learn.lessons import readable

    lost = lost_lately(marks, facts.id)[: min(losses, SEEN)]
    if not lost:
        return facts
    code, last = lost[0]
    rule = ""
    for number, lesson in enumerate(readable(facts.id, preset_id(facts)), 1):
        if lesson.idea == last.idea:
            facts = replace(facts, lesson=f"lesson {number}: {lesson.title.lower()}")
            if facts.raised:
                facts = _with_lesson(facts, lesson)
                rule = lesson.rule
            break
    if losses < IN_A_ROW or not facts.level:
        return facts
    game = find_game(facts.id)
    try:
        session: Session = parse_code(code, find_game)
    except DuelboxError:  # a mistake under rules that are gone
        return facts
    lately = f"Here you played {last.played}, a slip."
    if last.cause:
        lately = f"Here you played {last.played}. {last.cause}"
    if len(lost) == SEEN and last.idea and {one.idea for _, one in lost} == {last.idea}:
        why = lately if last.cause else ""
        lately = f"All three games turned on {last.idea}. {why}".rstrip()
    warned = not game.INFO.hidden
    about = rule
    if warned and not facts.raised:
        about = "The next game asks before you give it away."
    source = _source_of(session, facts)
    return replace(facts, lately=lately, about=about, warned=warned, position=session.code(), source=source)


def _with_lesson(facts: GameFacts, lesson: Lesson) -> GameFacts:
    """The row with this lesson as its step and on its button."""
    count = 1 + len(lesson.step)  # the position that was lost is the first
    return replace(
        facts,
        next_step=f"{FIRST_STEP}{lesson.title.lower()}",
        raised=f"{lesson.title}: {count} positions",
    )


def _source_of(session: Session, facts: GameFacts) -> str:
    """The turn of a position in words, with its preset if that is not the preset of the row."""
    turn = len(session.moves) + 1
    preset = preset_of(session.game, session.options)
    if preset is not None and preset.name != facts.preset:
        return f"turn {turn} in {preset.name}"
    return f"turn {turn} of an earlier game"


def _lesson_title(facts: GameFacts) -> str:
    """The title of the lesson to take next."""
    from duelbox.learn.lessons import readable

    begun = facts.lesson.partition(": ")[2]
    lessons = readable(facts.id, preset_id(facts))
    if begun or not lessons:
        return begun or "its lesson"
    return lessons[0].title.lower()


def is_mine(tally: Tally, settings: Settings) -> bool:
    """Games of whoever sits here: against a computer in either seat, against people under the first name."""
    one, two = settings.names
    mine = {one, DEFAULT_NAMES[0]} | ({two, DEFAULT_NAMES[1]} if tally.level else set())
    return tally.player in mine


def _points(whole: int, drawn: int) -> str:
    half = "½" if drawn % 2 else ""
    points = whole + drawn // 2
    return f"{points or ''}{half}" if half else str(points)


def preset_id(row: GameFacts) -> str | None:
    """The id of the preset of a row; None for the player's own house rules."""
    return next((preset.id for preset in find_game(row.id).PRESETS if preset.name == row.preset), None)


def _chosen_preset(settings: Settings, game_id: str, played: Sequence[Played]) -> str | None:
    """The id of the preset that Enter starts; None for the player's own house rules."""
    game = find_game(game_id)
    preset = preset_of(game, last_options(game, chosen(settings, game, played)))
    return preset.id if preset else None


def _lesson(game_id: str, marks: Mapping[str, Any], preset: str | None) -> tuple[str, str, str]:
    """The lesson to take; of a preset's course that was begun the lesson at hand, and a sign for each."""
    if not any(key.partition("/")[0] == game_id for key in marks):
        return _first_lesson(game_id, preset), "", ""
    from duelbox.learn.course_test import has_test_left
    from duelbox.learn.lessons import is_done, left_at, readable

    lessons = readable(game_id, preset)
    units = "".join("■" if is_done(game_id, lesson, marks) else "□" for lesson in lessons)
    if not lessons:
        return "", "", ""
    if "□" not in units:
        told = "lesson: the test" if preset and has_test_left(game_id, preset, marks) else ""
    else:
        number, _ = left_at(game_id, lessons, marks)
        told = f"lesson {number + 1}: {lessons[number].title.lower()}"
    return told, told, units


def _first_lesson(game_id: str, preset: str | None) -> str:
    """The lesson that the course of a preset begins with; no lesson is checked for it, which takes longer."""
    import tomllib

    titles: list[str] = []
    with suppress(tomllib.TOMLDecodeError, DuelboxError):
        for text in texts_beside(game_id, "lessons", ".toml").values():
            lesson = tomllib.loads(text)
            title = str(lesson.get("title", "its lesson")).lower()
            if preset in (lesson.get("preset"), *lesson.get("also", ())):
                return f"lesson 1: {title}"
            titles.append(title)
    if titles:
        return f"lesson 1: {titles[0]}"
    return "lesson 1"


def _climb(game_id: str, beaten: tuple[bool, ...], played: Sequence[Played]) -> str:
    """The step up the ladder that comes next."""
    if all(beaten):
        return "all levels beaten" if beaten else ""
    known = levels_of(game_id)
    at = level_to_play(played, [one.id for one in known])
    if beaten[-1] and at == len(known) - 1:
        return f"beat {known[beaten.index(False)].name}, left out"
    return goal_at(played, known[at])


def _starts(game_id: str, last: LastUsed) -> str:
    """A sentence with what Enter starts: the opponent, and who goes first."""
    known = {level.id: level.name for level in levels_of(game_id)}
    people = [who == PERSON for who in last.players]
    if all(people) or not known:
        return "Play a friend here."
    if not any(people):
        return f"Watch {_opponent(game_id, last.players)}."
    level = last.players[people.index(False)]
    if level not in known:
        return "Play a computer like you."
    play = f"Play {known[level]}."
    if last.first == "chance":
        return f"{play} A coin decides."
    you_begin = (last.first == "player-1") == people[0]
    return f"{play} You go {'first' if you_begin else 'second'}."


def _level_against(game_id: str, players: tuple[str, str]) -> int:
    """The number of the level that plays a person, from 1; 0 in other cases."""
    known = [level.id for level in levels_of(game_id)]
    ranked = [known.index(one) + 1 for one in players if one in known]
    return ranked[0] if len(ranked) == 1 and PERSON in players else 0


def _opponent(game_id: str, players: tuple[str, str]) -> str:
    known = [level.id for level in levels_of(game_id)]
    ids = [one for one in players if one in known]
    if len(ids) == 2:
        return " and ".join(called(game_id, one) for one in ids)
    if SPARRING.id in players and known:
        return "a computer like you"
    return called(game_id, ids[0]) if ids else "a friend here"


def called(game_id: str, level_id: str) -> str:
    """A computer with the number of its level."""
    return next((f"{one.name} {at}" for at, one in enumerate(levels_of(game_id), 1) if one.id == level_id), level_id)


def picture_of(game: AnyGame, options: Any) -> str:
    """The code of a position by these rules: the one that their preset names, or else their first."""
    preset = preset_of(game, options)
    for code in (preset.picture if preset else "", game.INFO.picture):
        try:
            if code and parse_code(code, find_game).options.rules_only() == options.rules_only():
                return code
        except DuelboxError:  # a guest's code that is no position
            pass
    return Session(game, options.changed(seed=SEED) if options.draws else options).code()


def _fairness(game: AnyGame, preset_id: str) -> tuple[int | None, str]:
    """Of a hundred deals, those that the first player wins, and how often the win changes hands in a game."""
    from duelbox.rules_lab.preset_facts import facts_on_file
    from duelbox.solve.sentences import changes_hands

    try:
        card = facts_on_file(game).get(preset_id)
    except (DuelboxError, ValueError):  # a guest's file
        card = None
    if card is None:
        return None, ""
    told = bool(card.changes) and not game.INFO.hidden
    return round(100 * (card.first or 0)), f"the win {changes_hands(card.changes or 0)}" if told else ""
