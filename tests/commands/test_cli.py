"""The commands: their output and their refusals."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from random import Random
from types import SimpleNamespace

import pytest

from duelbox import themes
from duelbox.arguments import parser_of_all
from duelbox.bots import levels_of
from duelbox.commands.play import DEFAULTS
from duelbox.core.code import parse_code
from duelbox.registry import find_game
from duelbox.rules_lab.preset_facts import facts_on_file
from duelbox.solve import explained, sentences
from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from tests.command_line import play, run
from tests.core.fuzz import random_code
from tests.effort import sampled
from tests.games.slow_rules import JUDGED, judge_of
from tests.golden.said import Said
from tests.house_rules import GAME_IDS

# -- show


def shown(*codes: str, typed: str = "") -> list[dict[str, object]]:
    ran = run("show", *codes, "--json", typed=typed)
    assert ran.err == ""
    return [json.loads(line) for line in ran.out.splitlines()]


def test_show_json_has_exactly_the_promised_keys() -> None:
    assert shown("circle-duel/4.5.6", "DIGIT-CHAIN:zero=dead-end/26.60", "number-duel:deal=312-213,hand=3/3x1.3x1") == [
        {"code": "circle-duel/4.5.6", "game": "circle-duel", "turn": 2, "legal": ["7"], "outcome": None},
        {
            "code": "digit-chain/26.60",
            "game": "digit-chain",
            "turn": None,
            "legal": [],
            "outcome": {"winner": 2, "reason": parse_code("digit-chain:zero=dead-end/26.60", find_game).outcome.reason},
        },
        {
            "code": "number-duel:hand=3,deal=312-213/3x1.3x1",
            "game": "number-duel",
            "turn": 1,
            "legal": ["2x1"],
            "outcome": None,
        },
    ]


def test_show_json_tells_a_draw() -> None:
    (drawn,) = shown("number-duel:hand=3,deal=123-123/1x1.2x1.3x1")
    assert drawn["turn"] is None
    outcome = drawn["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["winner"] is None


@pytest.mark.parametrize("game_id", JUDGED)
def test_show_json_agrees_with_the_slow_judge(game_id: str) -> None:
    rng = Random(7)
    codes = [random_code(rng, game_id) for _ in range(sampled(20, 40))]
    for code, answer in zip(codes, shown("-", typed="\n".join(codes)), strict=True):
        played = parse_code(code, find_game)
        judge = judge_of(game_id, played.options, played.start)
        for move in played.moves:
            judge = judge.after(played.game.format_move(move))
        assert answer["code"] == code
        assert sorted(map(str, answer["legal"])) == sorted(judge.moves())
        assert answer["turn"] == (judge.turn + 1 if judge.result == "on" else None)
        outcome = answer["outcome"]
        told = outcome["winner"] if isinstance(outcome, dict) else "on"
        assert told == {"on": "on", "draw": None, 0: 1, 1: 2}[judge.result]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_solve_json_tells_what_the_solver_says(game_id: str) -> None:
    rng = Random(8)
    codes = [random_code(rng, game_id) for _ in range(sampled(4, 400))]
    answers = [json.loads(line) for line in run("solve", "-", "--json", typed="\n".join(codes)).out.splitlines()]
    for code, answer in zip(codes, answers, strict=True):
        played = parse_code(code, find_game)
        if played.turn is None:
            assert (answer["turn"], answer["verdict"], answer["moves"]) == (None, None, [])
            continue
        *_, found = explained(played.game, played.view(played.turn))
        assert answer["idea"] == (found.idea.name if found.idea else None)
        assert tuple(answer["hints"]) == sentences.hints(found)
        assert (answer["turn"], answer["verdict"], answer["plies"]) == (found.turn + 1, found.verdict, found.plies)
        assert [answer[key] for key in ("win", "draw", "value")] == [*map(float, (found.win, found.draw, found.value))]
        assert answer["reason"] == sentences.reason_and_trap(found)
        instead = None
        if found.instead is not None:
            instead = {"move": found.instead.move, "reply": found.instead.reply or None}
        assert answer["instead"] == instead
        assert [(move["move"], move["verdict"], move["plies"], move["value"]) for move in answer["moves"]] == [
            (move.move, move.verdict, move.plies, float(move.value)) for move in found.moves
        ]


def test_show_json_answers_a_bad_code_with_its_place_and_goes_on() -> None:
    ran = run("show", "-", "--json", typed="circle-duel/4.5.9\n\n  \nno-game\r\n circle-duel:size=3\ncircle-duel/4")
    bad, unknown, wrong, good = (json.loads(line) for line in ran.out.splitlines())
    assert ran.status == 2
    assert (bad["code"], bad["at"], set(bad)) == ("circle-duel/4.5.9", 17, {"code", "error", "at"})
    assert "9 is not next to the last number, 5" in bad["error"]
    assert (unknown["code"], unknown["at"]) == ("no-game", 1)
    assert (wrong["code"], wrong["at"]) == (" circle-duel:size=3", 14)
    assert good["code"] == "circle-duel/4"


def test_show_takes_bytes_that_are_not_text() -> None:
    ran = run("show", "-", "--json", typed=b"circle-duel/\xff4\n\x00\n")
    assert [json.loads(line)["at"] for line in ran.out.splitlines()] == [13, 1]


def test_show_says_in_text_what_is_wrong_and_where() -> None:
    ran = run("show", "circle-duel/4.5.9", "\x1b[31mred", "circle-duel/4")
    assert ran.status == 2
    assert "(character 17)" in ran.err
    assert "\x1b" not in ran.err
    assert ran.out.startswith("Number Circle Duel, Classic\n")


def test_show_never_prints_what_is_hidden() -> None:
    one, two = (run("show", f"number-duel:deal=31524-{order}/3x2").out for order in ("51234", "41532"))
    assert one == two
    assert "31524" not in one
    secret = run("show", "number-duel:arrange=chosen/31524").out
    assert secret == run("show", "number-duel:arrange=chosen/12345").out
    seeded = run("show", "number-duel:seed=987654").out
    assert "987654" not in seeded


# -- games and rules


def test_games_json_tells_every_option_and_preset() -> None:
    told = json.loads(run("games", "--json").out)
    assert tuple(game["id"] for game in told) == GAME_IDS
    for one in told:
        game = find_game(one["id"])
        assert (one["title"], one["goal"]) == (game.INFO.title, game.INFO.goal)
        assert [option["name"] for option in one["options"]] == list(game.Options.model_fields)
        for preset, kept in zip(one["presets"], game.PRESETS, strict=True):
            assert parse_code(preset["code"], find_game).options == kept.options
            assert preset["id"] == kept.id
            assert (preset["first"], preset["seat"]) == (kept.first, kept.seat)


def test_games_json_tells_three_figures_for_people_of_every_preset() -> None:
    for one in json.loads(run("games", "--json").out):
        for preset in one["presets"]:
            known = facts_on_file(find_game(one["id"]))[preset["id"]]
            told = {name: preset["facts"].get(name) for name in ("right_picks", "ahead_first", "ahead_second")}
            assert told == known.model_dump(include={*told})
            assert told["ahead_second"] is not None


def test_games_json_tells_types_and_ranges_that_hold() -> None:
    for game in json.loads(run("games", "--json").out):
        options = find_game(game["id"]).Options
        for option in game["options"]:
            texts = list(option["values"])
            if option["min"] is not None:
                texts += [str(option["min"]), str(option["max"])]
                with pytest.raises(Exception, match=option["name"]):
                    options.from_texts({option["name"]: str(option["max"] + 1)})
            assert texts or option["type"] == "numbers"
            for text in texts:
                # half of the classic ring of ten is the largest reach
                if (game["id"], option["name"], text) != ("circle-duel", "gaps", "15"):
                    options.from_texts({option["name"]: text})
            assert options.infos()
            if option["default"]:
                assert options.from_texts({option["name"]: option["default"]}) == options()


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_rules_tell_every_option_and_preset_and_their_examples_are_legal(game_id: str) -> None:
    ran = run("rules", game_id, "--json")
    assert ran.status == 0, f"its folder needs a rules.md: {ran.err}"
    page = json.loads(ran.out)["rules"]
    game = find_game(game_id)
    for name in game.Options.model_fields:
        assert f"`{name}`" in page
    told = "".join(f"- {preset.name}: {preset.about}\n" for preset in game.PRESETS)
    assert f"Presets:\n\n{told}" in page
    examples = re.findall(rf"`({game_id}[:/]\S*)`$", page, re.MULTILINE)
    assert examples
    for code in examples:
        assert parse_code(code, find_game).moves
    assert max(map(len, page.splitlines())) <= 120
    assert page.isascii()


def test_rules_show_what_is_lopsided() -> None:
    assert "second player always wins" in " ".join(run("rules", "circle-duel").out.split())
    assert "a number that ends in 0 wins at once" in " ".join(run("rules", "digit-chain").out.split())


# -- refusals


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("play", "chess", "--plain"), "There is no game 'chess'."),
        (("play", "circle-dule", "--plain"), "Did you mean circle-duel?"),
        (("play", "circle-duel", "--plain", "--preset", "none"), "'none'. Presets: classic, two-trails"),
        (("play", "sequence-duel", "--plain", "--preset", "long-line"), "Ring is there instead"),
        (("play", "sequence-duel", "--plain", "--preset", "Big Ring"), "Big Ring is gone"),
        (("play", "number-circle", "--plain", "--preset", "Long Tug"), "Tug to Fifteen"),
        (("play", "circle-duel/4", "--plain", "--preset", "leap"), "either a code or --preset"),
        (("play", "circle-duel/4.4", "--plain"), "3, 5. (character 15)"),
        (("play", "digit-chain:gaps=3,seed=2/1", "--plain", "--seed", "4"), "leave out --seed"),
        (("play", "circle-duel", "--plain", "--seed", "x"), "'x' is not a whole number"),
        (("play", "digit-chain:gaps=3", "--plain", "--seed", "9" * 19), "seed takes"),
        (("play", "circle-duel", "--plain", "--rounds", "0"), "A match has 1 to 99 rounds, not 0."),
        (("play", "circle-duel", "--plain", "--rounds", "100"), "A match has 1 to 99 rounds, not 100."),
        (("play", "circle-duel", "--plain", "--rounds", "-1"), "--rounds"),
        (("play", "circle-duel", "--plain", "--p1", "a\x1bb"), "character 2 (U+001B) is not."),
        (("play", "circle-duel", "--plain", "--p2", "x" * 25), "at most 24 cells"),
        (("play", "circle-duel", "--plain", "--p1", "Al", "--p2", "AL"), "Both players cannot be called AL."),
        (
            ("play", "circle-duel", "--plain", "--p1", "bot:9"),
            "'9'. Levels: 1 to 5, or dash, peek,",
        ),
        (("play", "circle-duel", "--plain", "--first", "3"), "--first"),
        (("play", "--plain"), "Name a game"),
        (("play", "circle-duel", "--continue", "--plain", "--p2", "bot:1"), "was saved: leave out GAME and --p2."),
        (("show", "circle-duel:size=\u0663"), r"'\u0663' is not. (character 18)"),
        (("play", "circle-duel"), "--plain"),
        (("play", "chess"), "There is no game 'chess'."),
        (("play", "circle-duel", "--p2", "bot:9"), "There is no computer player '9'."),
        (("play", "circle-duel", "--rounds", "0"), "A match has 1 to 99 rounds, not 0."),
        (("play", "circle-duel", "--theme", "pink"), "'pink'; there are auto, dark, light,"),
        (("--theme", "pink"), "there is no theme 'pink'"),
        (("--theme", "pink", "play", "circle-duel"), "there is no theme 'pink'"),
        ((), "--plain"),
        (("host", "circle-duel", "--nearby", "--relay", "wss://a.b"), "leave out --relay."),
        (("export", "\udc80"), "ID: '\\udc80' is no text."),
        (("play", "--plain", "--continue", "\udc80"), "--continue: '\\udc80' is no text."),
        (("history", "--opponent", "\udc80"), "--opponent: '\\udc80' is no text."),
        (("history", "--game", "\udc80"), "--game: '\\udc80' is no text."),
        (("rules", "chess"), "There is no game 'chess'."),
        (("rules",), "GAME"),
        (("show",), "CODE"),
        (("sing",), "'sing'. There are play, history, review,"),
        (("circle-duel",), "To play it: duelbox play circle-duel."),
        (("Sequence-Duel:size=30/10.13",), "duelbox play Sequence-Duel:size=30/10.13"),
        (("show", "circle-duel/4.4"), "4 is already picked."),
        (("solve", "chess"), "There is no game 'chess'."),
        (("show", "circle-duel", "--\x1b[31m"), "\\x1b[31m"),
        (("completion",), "SHELL is missing."),
        (("solve",), "CODE is missing."),
        (("play", "--foo"), "This command does not know --foo."),
        (("play", "--p1"), "Something has to follow --p1."),
        (("history", "--result", "bad"), "'won', 'lost', 'drawn', 'unfinished'"),
        (("worksheet", "circle-duel", "--puzzles", "x"), "--puzzles: 'x' is not a whole number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_refusal_is_a_sentence_and_status_2(args: tuple[str, ...], says: str, said: Said) -> None:
    ran = run(*args)
    assert ran.status == 2
    assert ran.out == ""
    assert says in ran.err
    assert ran.err.count("\n") == 1
    assert "\x1b" not in ran.err
    assert "Traceback" not in ran.err
    said(ran.err)


def test_help_tells_the_themes_and_the_levels_there_are() -> None:
    for page in (" ".join(run(*args, "--help").out.split()).replace("- ", "-") for args in ((), ("play",))):
        assert ", ".join(themes.NAMES) in page
    for game_id in GAME_IDS:
        assert f"levels are 1 to 5: {', '.join(level.id for level in levels_of(game_id))}" in page


@pytest.mark.parametrize("command", ["show", "solve"])
def test_one_bad_code_of_many_is_told_by_the_status(command: str) -> None:
    assert run(command, "circle-duel/4").status == 0
    assert run(command, "-", typed="circle-duel/4\ncircle-duel/4.4\n").status == 2
    assert run(command, "-", "--json", typed="circle-duel/4.4\ncircle-duel/4\n").status == 2


# -- the full screen


def opened(monkeypatch: pytest.MonkeyPatch, *args: str) -> dict[str, object]:
    """The arguments with which the full screen is opened."""
    asked: dict[str, object] = {}

    def run_app(opens: Callable[[Store], LocalTable] | None, theme: str | None) -> int:
        asked["theme"] = theme
        if opens is not None:
            with Store.open() as store:
                table = opens(store)
            names, match = [who.name for who in table.players], table.match
            asked.update(code=table.session.code(), players=names, rounds=match.rounds, first=match.first)
        return 7

    monkeypatch.setitem(sys.modules, "duelbox.ui.app", SimpleNamespace(run_app=run_app))
    monkeypatch.setenv("TERM", "xterm")
    ran = run(*args, terminal=True)
    assert (ran.status, ran.out, ran.err) == (7, "", "")
    return asked


def test_without_a_game_the_full_screen_opens_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(monkeypatch) == opened(monkeypatch, "play") == {"theme": None}
    assert opened(monkeypatch, "--theme", "dark")["theme"] == "dark"
    assert opened(monkeypatch, "--theme", "dark", "play")["theme"] == "dark"


def test_the_full_screen_is_given_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("--p1", " Ann ", "--p2", "bot:3")
    more = ("--rounds", "3", "--theme", "light", "--first", "2")
    assert opened(monkeypatch, "play", "Circle-Duel/4.5", *names, *more) == {
        "code": "circle-duel/4.5",
        "players": ["Ann", levels_of("circle-duel")[2].name],
        "rounds": 3,
        "first": 1,
        "theme": "light",
    }
    code = opened(monkeypatch, "play", "digit-chain", "--preset", "long-chain", "--seed", "5")["code"]
    assert code == "digit-chain:zero=no-tens,gaps=20,seed=5"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("play", "--preset", "leap"), "Name a game"),
        (("play", "--p2", "bot:3"), "Name a game"),
        (("play", "circle-duel/4.4"), "4 is already picked"),
        (("play", "circle-duel", "--rounds", "100"), "1 to 99 rounds"),
    ],
)
def test_the_full_screen_is_not_opened_for_nonsense(args: tuple[str, ...], says: str) -> None:
    ran = run(*args, terminal=True)
    assert (ran.status, ran.out) == (2, "")
    assert says in ran.err


# -- help


def test_help_has_examples_that_are_accepted() -> None:
    page = run("--help").out
    examples = re.findall(r"^  duelbox (show [^-]\S+|help \S+)", page, re.MULTILINE)
    assert len(examples) == 2
    for example in examples:
        assert run(*example.split()).status == 0
    for command in ("play", "show", "games", "rules"):
        assert run(command, "--help").status == 0


# -- random deals


def test_a_game_that_draws_is_dealt_anew_each_time() -> None:
    codes = {re.search(r"Its code: (\S+)", play("digit-chain:gaps=20").out)[1] for _ in range(5)}
    assert len(codes) == 5
    presets = {run("play", "circle-duel", "--preset", "LEAP", "--plain").out.rsplit(" ", 1)[1] for _ in range(5)}
    assert len(presets) == 5
    assert all(parse_code(code.strip(), find_game).options.draws for code in presets)


def test_a_seed_that_is_given_is_kept() -> None:
    assert "digit-chain:gaps=20,seed=7\n" in play("digit-chain:gaps=20,seed=7").out
    preset = run("play", "digit-chain", "--preset", "long-chain", "--seed", "5", "--plain").out
    assert "digit-chain:zero=no-tens,gaps=20,seed=5\n" in preset
    assert "digit-chain:gaps=20/" in play("digit-chain:gaps=20/11").out


def test_the_coin_falls_on_both_sides_and_a_seed_settles_it() -> None:
    names = ("--p1", "Ann", "--p2", "Ben", "--first", "coin")
    tossed = {play("circle-duel", options=(*names, "--seed", str(seed))).out.split()[5] for seed in range(12)}
    assert tossed == {"Ann", "Ben"}
    assert "Ben will go first." in play("circle-duel", options=(*names[:4], "--first", "2")).out


def test_without_arguments_the_same_is_asked_for_as_a_parser_would_read() -> None:
    assert vars(parser_of_all().parse_args([])) == {"theme": None, **DEFAULTS}
