"""Reasons of computers are true; secrets do not change them; and computers stop when they are told."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from duelbox.bots import choose
from duelbox.bots.api import Choice
from duelbox.core.code import parse_code
from duelbox.core.model import SEATS, other
from duelbox.registry import find_game
from duelbox.solve.api import HALF, ONE, Rated, Stop, Stopped
from duelbox.solve.sentences import percent
from tests.bots.scenes import LEVELS, SCENES, Scene, choices, ratings, scene_of, scenes
from tests.bots.test_levels import LIKES, loses_at_once, ways_on, ways_on_from, worlds
from tests.house_rules import WITH_COMPUTERS
from tests.positions import Patience

over_games = pytest.mark.parametrize("game_id", WITH_COMPUTERS)
over_levels = pytest.mark.parametrize("level", LEVELS)


# -- reasons


def same_turns(rated: Rated, turns: str) -> bool:
    """The solver counts the same number of turns, if it counts them."""
    return rated.plies in (None, int(turns))


def only_move(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return len(scene.judge.moves()) == 1


def wins(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return scene.judge.after(rated.move).result == scene.judge.turn


def wins_within(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return rated.value == ONE and same_turns(rated, found[1])


def wins_somehow(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return rated.value == ONE and rated.plies is None


def answers(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    """Each answer it names wins against the move it names, or against any other move."""
    after, told = scene.after(rated.move), found[1].removesuffix(", and so on")
    if found_pass := re.fullmatch(r"a pass with ([-+]?\d+)", told):
        return after.state.turn == scene.state.turn and ratings(after)[found_pass[1]].value == ONE
    named = dict(re.findall(r"([-+]?\d+|anything(?: else)?) with ([-+]?\d+)", told))
    rest = next((answer for move, answer in named.items() if move.startswith("anything")), None)
    replies = set(after.judge.moves()) & set(named) if rest is None else after.judge.moves()
    won = [after.after(move) for move in replies if after.after(move).state.turn is not None]
    played = [(one, named.get(move, rest)) for move, one in zip(replies, won, strict=True)]
    return len(named) == told.count(" with ") and all(
        answer is not None and ratings(one)[answer].value == ONE for one, answer in played
    )


def its_way(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    """Its steps bring its total to the target."""
    steps = list(map(int, found[1].split()))
    return scene.state.totals[scene.state.turn] + sum(steps) == scene.state.target and steps[0] == int(rated.move)


def holds_out(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    every = ratings(scene)
    longest = max(one.plies or 0 for one in every.values())
    return all(not one.value for one in every.values()) and rated.plies == longest == int(found[1])


def names_losers(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    """Other moves lose: those it names, or as many as it says."""
    lost = {one.move for one in ratings(scene).values() if not one.value} - {rated.move}
    count = re.match(r"(\d+) others lose", found[1])
    if count:
        return len(lost) >= int(count[1]) > 3
    named = [move for move in scene.judge.moves() if re.search(rf"(?<![\d+-]){re.escape(move)}(?!\d)", found[1])]
    return 1 <= len(named) <= 3 and set(named) <= lost


def likes(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return len(scene.judge.moves()) > 1


def names_itself(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return likes(scene, rated, found) and found[1] == rated.move


def loses(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return not rated.value and (not found[1] or same_turns(rated, found[1]))


def draws(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    return rated.value == HALF


def traps(scene: Scene, rated: Rated, found: re.Match[str]) -> bool:
    """The number of the rival's right answers is true."""
    answers = ratings(scene.after(rated.move)).values()
    best = max(one.value for one in answers)
    return (sum(one.value == best for one in answers), len(answers)) == (int(found[1]), int(found[2]))


SLIP = re.compile(r"It looked good to me\. I did not see your (?P<answers>[-+\d, or]+) after it\.")
FELT = re.compile(r" ?(?P<moves>[-+\d, and]+|\d+ others) felt wrong to me\.")
NEAR = {"peek": 4, "counter": 4, "planner": 6}
"""The turns within which a slip loses."""
RACE = 12
"""The same in Number Circle, where players count the road."""
SIGHT = {
    "circle-duel": {"peek": 2, "counter": 4, "planner": 6},
    "number-circle": {"peek": 2, "counter": 4, "planner": 6},
    "sequence-duel": {"peek": 2, "counter": 4, "planner": 4},
    "digit-chain": {"peek": 2, "counter": 4, "planner": 6},
}
"""The least number of turns that a level looks ahead."""


def check_slip(game_id: str, level: str, scene: Scene, chosen: Choice) -> bool:
    """Check a slip: it throws something away, and each answer it names keeps that; True if it is one.

    Without a slip the level sees every end in its sight.
    """
    rated = ratings(scene)
    mine = rated[chosen.move]
    best = max(one.value for one in rated.values())
    found = SLIP.fullmatch(chosen.why)
    if found:
        after = ratings(scene.after(chosen.move))
        named = re.findall(r"[-+]?\d+", found["answers"])
        assert not mine.value
        assert mine.value < best
        assert named == list(chosen.unseen[: len(named)])
        assert all(after[answer].value == ONE for answer in chosen.unseen)
        if game_id != "sequence-duel":
            near = RACE if game_id == "number-circle" else NEAR[level]
            assert mine.plies is not None
            assert mine.plies <= near
        assert not any(one.value == ONE and one.plies == 1 for one in rated.values())
        return True
    assert not chosen.unseen
    sight = SIGHT[game_id].get(level, 0)
    if sight and not mine.value and mine.plies is not None and mine.plies <= sight:
        assert "every move loses" in chosen.why or len(rated) == 1, (chosen, scene.state)
    for one in rated.values():
        wins = one.value == ONE and one.plies is not None and one.plies <= sight
        assert not wins or mine.value == ONE, (chosen, one, scene.state)
    return False


def check_felt(scene: Scene, chosen: Choice) -> set[str]:
    """The moves that felt wrong are worse than the move that was made, and were liked; returns all that are worse."""
    found = FELT.search(chosen.why)
    if found is None:
        return set()
    rated = ratings(scene)
    worse = {one.move for one in rated.values() if one.value < rated[chosen.move].value}
    if found["moves"].endswith("others"):
        assert len(worse) >= int(found["moves"].split()[0]) > 3
    else:
        named = set(re.findall(r"[-+]?\d+", found["moves"]))
        assert 1 <= len(named) <= 3
        assert named <= worse
    return worse


Claim = Callable[[Scene, Rated, re.Match[str]], bool]
CLAIMS: list[tuple[str, Claim]] = [
    (r"", lambda scene, rated, found: len(scene.judge.moves()) > 1),  # all it says is what felt wrong
    (r"It was the only move\.", only_move),
    (r"It wins at once\.", wins),
    (r"I saw that it wins within (\d+) turns\.", wins_within),
    (r"I can win within (\d+) turns, whatever you do(?:: .*)?\.", wins_within),
    (r"I can win from here, whatever you do(?:: .*)?\.", wins_somehow),
    (r"I can win [^:]*: I answer (.*)\.", answers),
    (r"I can win [^:]*: my way is (.*)\.", its_way),
    (r"I saw that every move loses; this one holds out for (\d+) turns\.", holds_out),
    (r"(?:I like it: [^.]*\. |\S+ looked as good to me as any other\. )?I saw that ([^.]* loses?)\.", names_losers),
    (r"I like it: [^.]*\.", likes),
    (r"(\S+) looked as good to me as any other\.", names_itself),
    (r"I lose(?: in (\d+) turns)? against best play(?:, but .*)?\.", loses),
    (r"It keeps the draw(?:, but .*)?\.", draws),
    (r".*, but only (\d+) of your (\d+) answers (?:is|are) right\.", traps),
]


@over_games
@over_levels
def test_every_reason_is_true_of_the_move_that_was_made(game_id: str, level: str) -> None:
    for scene, chosen in choices(game_id, level):
        check_why(game_id, level, scene, chosen)


def check_why(game_id: str, level: str, scene: Scene, chosen: Choice) -> str:
    """Check a computer's reason by the slow rules and the solver's ratings; returns the kinds of its claims."""
    assert re.fullmatch(r"((?:[^.]|\.\d)+\.\s?)+", chosen.why)
    assert chosen.why.endswith(".")
    assert "Player" not in chosen.why, "the computer is I, and who asks is you"
    if game_id == "number-duel":
        return "" if scene.view.arranging else check_attack(level, scene, chosen)
    rated = ratings(scene)[chosen.move]
    if check_slip(game_id, level, scene, chosen):
        return "slips"
    worse = check_felt(scene, chosen)
    if worse:
        chosen = replace(chosen, why=FELT.sub("", chosen.why))
    made = [(claim, found) for pattern, claim in CLAIMS if (found := re.fullmatch(pattern, chosen.why))]
    assert made, f"{chosen.why} claims nothing that is known"
    for claim, found in made:
        assert claim(scene, rated, found), (claim.__name__, chosen, scene.state)
    if liked := re.match(r"I like it: (.*?)\. ?", chosen.why):
        check_liking(game_id, scene, chosen, liked[1], worse)
    return " ".join(claim.__name__ for claim, _ in made)


def reverse(text: str) -> int:
    """The number with its digits reversed: 55 for 5, 5 for 55, none for 50."""
    ends = text[-1] + text[0]
    return 0 if ends[0] == "0" else int(text[0] if text == ends and len(text) > 1 else ends)


def answers_to(view: Any, text: str) -> int:
    """The number of remaining numbers that begin with the last digit."""
    left, last = set(view.pool) - {int(text)}, text[-1]
    wild = last == "0" and view.options.zero == "wild"
    return sum(wild or str(one)[0] == last for one in left)


LIKINGS: dict[tuple[str, str], Callable[[Any, str], Any]] = {
    ("circle-duel", "it leaves the most ways on"): lambda view, text: len(ways_on(view, int(text))),
    ("circle-duel", "it keeps the most ways open"): lambda view, text: ways_on_from(view, int(text)),
    ("circle-duel", "it leaves a way on"): lambda view, text: bool(ways_on(view, int(text))),
    ("circle-duel", "it leaves at least three ways on"): lambda view, text: min(len(ways_on(view, int(text))), 3),
    ("circle-duel", "it goes on clockwise, next to a free number"): LIKES["circle-duel", "dash"],
    ("circle-duel", "no number is further from the gaps"): lambda view, text: min(
        min((int(text) - gap) % view.options.size, (gap - int(text)) % view.options.size) for gap in view.gaps
    ),
    ("number-circle", "it adds, and the total is low"): lambda view, text: text[0] == "+",
    ("number-circle", "it keeps our total about the middle"): LIKES["number-circle", "peek"],
    ("number-circle", "it adds to my total"): lambda view, text: text[0] == "+",
    ("digit-chain", "it is odd"): lambda view, text: int(text) % 2 == 1,
    ("digit-chain", "nothing follows it"): lambda view, text: text.endswith("0"),
    ("digit-chain", "you cannot answer with its reverse"): lambda view, text: reverse(text) not in view.pool,
    ("digit-chain", "it leaves you the fewest answers"): lambda view, text: -answers_to(view, text),
    ("sequence-duel", "it is the middle of the line"): lambda view, text: (
        abs(2 * int(text) - view.options.size - 1) <= 1
    ),
    ("sequence-duel", "it copies a claim of yours about the middle"): lambda view, text: (
        view.options.size + 1 - int(text) in view.picked(view.rival)
    ),
    ("sequence-duel", "nothing is nearer to your numbers"): LIKES["sequence-duel", "peek"],
}
"""Measures, by the rules alone, of the things that levels like; more is better."""


def check_liking(game_id: str, scene: Scene, chosen: Choice, liked: str, worse: set[str]) -> None:
    """Its move is the one it says it likes best, of those it did not see lose and that did not feel worse."""
    assert " or " not in liked, "it says the one reason that holds"
    if measure := LIKINGS.get((game_id, liked)):
        assert measure(scene.view, chosen.move) is not False, (chosen, scene)
        lost = {one.move for one in ratings(scene).values() if not one.value} | worse
        mine = measure(scene.view, chosen.move)
        others = [move for move in scene.judge.moves() if move not in lost]
        assert all(measure(scene.view, move) <= mine for move in others), (chosen, scene)


def test_an_answer_to_a_rival_who_is_stuck_is_called_one_to_a_pass() -> None:
    scene = scene_of("number-circle", 500109)
    chosen = scene.choice("oracle")
    assert "I answer a pass with +3." in chosen.why
    check_why("number-circle", "oracle", scene, chosen)


def test_answers_are_told_of_the_move_they_follow() -> None:
    session = parse_code("sequence-duel:size=7/5", find_game)
    made = [choose(session.game, session.view(session.turn), "oracle", seed) for seed in range(12)]
    assert {one.move: one.why.partition(": ")[2] for one in made} == {
        "2": "",
        "3": "I answer 1 with 7, 2 with 6, 7 with 1 and 6 with 2.",
    }


def struck(scene: Scene, move: str) -> tuple[int, int | None]:
    """The number that attacks, and the face it attacks."""
    number, position = map(int, move.split("x"))
    return number, scene.view.faces[other(scene.view.turn)][position - 1]


def check_attack(level: str, scene: Scene, chosen: Choice) -> str:
    """The same for the reason of an attack."""
    number, face = struck(scene, chosen.move)
    fresh = number in scene.view.hidden(scene.view.turn)
    told = re.search(r"my (\d)", chosen.why)
    assert told is None or int(told[1]) == number
    assert "nobody has seen" not in chosen.why or face is None
    assert "either of the two" not in chosen.why or (face is None and fresh)
    if told := re.search(r"Of ([a-z ]+) my \d (beats|ties with|beats nothing)\b(.*?):", chosen.why):
        rival = other(scene.view.turn)
        can_stand = scene.view.left(rival) if face is None else (face,)
        if told[1] == "all you have left":
            can_stand = scene.view.left(rival)
        elif face is None:
            can_stand = scene.view.hidden(rival)
        beaten, tied = told[2] + told[3], re.search(r"ties with (\d)", told[2] + told[3])
        below = [one for one in can_stand if one < number]
        assert [int(one) for one in re.findall(r"\d", re.sub(r"(and )?ties with \d", "", beaten))] == below
        assert (tied is not None) == (number in can_stand)
    rated = ratings(scene)
    if "Nothing is left to turn over" in chosen.why:
        assert not scene.view.hidden(scene.view.turn)
        assert all(known is not None for known in scene.view.faces[other(scene.view.turn)])
    if "every attack loses" in chosen.why:
        assert not any(one.value for one in rated.values())
    elif found := re.search(r"I saw that ([^.]* loses?)\.", chosen.why):
        assert names_losers(scene, rated[chosen.move], found)
    elif level in ("peek", "counter", "planner") and not re.search("wins at once|did not look", chosen.why):
        assert not any(loses_at_once(scene, move) for move in rated)
    if "wins at once" in chosen.why:
        assert scene.judge.after(chosen.move).result == scene.view.turn
    elif level == "oracle":
        assert not any(one.verdict == "win" and one.plies == 1 for one in rated.values())
    if "others" in chosen.why and "bargain" in chosen.why:
        assert "I saw that" in chosen.why
    return "number duel"


def test_the_top_level_of_number_duel_tells_its_chances() -> None:
    told = 0
    for scene, chosen in choices("number-duel", "oracle"):
        rated = ratings(scene)[chosen.move]
        for chance, word in ((rated.win, "win"), (rated.draw, "draw")):
            if found := re.search(rf"{word} (\d+%)", chosen.why):
                assert found[1] == percent(chance)
                told += 1
        if "for certain" in chosen.why:
            assert rated.win == ONE
        if "Against best play I lose" in chosen.why:
            assert not rated.value
    assert told >= SCENES // 8


# -- secrets


@over_levels
def test_no_order_of_the_rivals_hidden_numbers_changes_the_move_or_the_reason(level: str) -> None:
    tried = 0
    for scene, chosen in choices("number-duel", level):
        alike = worlds(scene)
        tried += len(alike) > 1
        assert all(world.choice(level) == chosen for world in alike)
    assert tried >= SCENES // 4


@over_levels
def test_the_order_is_chosen_without_knowing_the_rivals(level: str) -> None:
    game = find_game("number-duel")
    start = game.start(game.Options(hand=4, arrange="chosen"))
    states = [game.apply(start, 0, move)[0] for move in game.legal_moves(game.view(start, 0))]
    for seed in range(3):
        assert len({choose(game, game.view(state, 1), level, seed) for state in states}) == 1


def test_the_views_computers_get_hold_no_secrets() -> None:
    for scene in scenes("number-duel"):
        for seat in SEATS:
            assert "hands" not in scene.game.view(scene.state, seat).model_dump()


# -- stopping

BIG = {
    "circle-duel": {"size": 30, "reach": 3},
    "number-circle": {"sharing": False, "target": 20},
    "sequence-duel": {"size": 60},
    "digit-chain": {"zero": "wild"},
    "number-duel": {"hand": 7, "victors_stay": True},
}


def big(game_id: str) -> tuple[Any, Any]:
    game = find_game(game_id)
    return game, game.view(game.start(game.Options(**BIG[game_id])), 0)


@over_games
@over_levels
def test_a_flag_that_is_up_stops_every_level(game_id: str, level: str) -> None:
    game, view = big(game_id)
    stop = Stop()
    stop.stop()
    with pytest.raises(Stopped):
        choose(game, view, level, 1, stop)


@over_games
def test_a_flag_that_goes_up_stops_the_top_level_in_the_middle_of_a_thought(game_id: str) -> None:
    game, view = big(game_id)
    with pytest.raises(Stopped):
        choose(game, view, "oracle", 1, Patience(1))


@pytest.mark.parametrize("game_id", ["circle-duel", "sequence-duel", "digit-chain"])
@pytest.mark.parametrize("level", LEVELS[:-1])
def test_a_short_sighted_level_does_not_wait_for_the_whole_analysis_of_a_big_board(
    game_id: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def analysed(*asked: object) -> None:
        raise AssertionError("the whole position was analysed")

    monkeypatch.setattr("duelbox.bots.levels.analyse", analysed)
    game, view = big(game_id)
    assert choose(game, view, level, 1).move
