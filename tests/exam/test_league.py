"""A league: who begins, what is drawn, how games end, what is kept of one that was killed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from time import process_time

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.exam import league
from duelbox.exam.league import League
from duelbox.exam.paper import GAMES
from duelbox.exam.room import checked
from duelbox.registry import find_game
from tests.command_line import run
from tests.effort import sampled
from tests.exam.test_room import program, questions

LINE = "sequence-duel:size=9"


def played(*players: str, games: int = 4, rules: str = LINE, seed: int = 1) -> League:
    """A league whose games are played."""
    found = League(players, games, rules, seed)
    list(found.play())
    found.close()
    return found


def test_starts_alternate_and_two_games_of_a_pair_share_a_draw_of_its_own() -> None:
    fixtures = League(("bot:1", "bot:2", "bot:3"), 6, "unseen").fixtures
    for pair in ((0, 1), (0, 2), (1, 2)):
        mine = [game for game in fixtures if {game.first, game.second} == {*pair}]
        assert [game.first for game in mine] == [pair[0], pair[1]] * 3
        codes = [game.code for game in mine]
        assert codes[::2] == codes[1::2]
        assert len({*codes}) == 3
    assert len({game.code for game in fixtures}) == 9, "each pair has draws of its own"
    again = League(("bot:1", "bot:2", "bot:3"), 6, "unseen").fixtures
    assert again == fixtures
    assert League(("bot:1", "bot:2"), 6, "unseen", 2).fixtures[0].code != fixtures[0].code


def test_every_pair_plays_each_game_twice_unless_told_otherwise() -> None:
    games = Counter(parse_code(fixture.code, find_game).game.INFO.id for fixture in League(("bot:1", "bot:2")).fixtures)
    assert games == dict.fromkeys(GAMES, 2)


def test_a_game_is_counted_for_both_and_its_code_tells_how_it_went() -> None:
    found = played("bot:1", "bot:5", "bot:3")
    rows = found.rows
    assert sum(row.points for row in rows) == len(found.played) == 12
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    wins: Counter[int] = Counter()
    for game in found.played:
        session = parse_code(game.code, find_game)
        assert session.outcome is not None
        winner = session.outcome.winner
        wins[game.first if winner == 0 else game.second] += 1
        assert len(session.moves) == game.turns
    assert {row.number: row.won for row in rows} == {number: wins[number] for number in range(3)}
    again = played("bot:1", "bot:5", "bot:3")
    assert again.played == found.played, "a league of levels is a function of its seed"


def test_a_fault_loses_the_game_with_its_sentence() -> None:
    found = played("bot:1", "run:./nowhere", games=2)
    assert [(row.name, row.points, row.faults) for row in found.rows] == [("Dash", 2, 0), ("nowhere", 0, 2)]
    assert found.played[0].fault == "./nowhere cannot be started: No such file or directory."


def test_a_program_of_the_settings_is_known_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path))
    command = program(tmp_path).removeprefix("run:")
    (tmp_path / "settings.toml").write_text(f"[programs]\ngreedy = {json.dumps(command)}\n")
    told = run("exam", "--league", "run:greedy", "bot:1", "--games", "1", "--rules", LINE).out
    assert "1 of 1 games" in told
    assert questions(tmp_path) > 1
    assert '"name": "First"' in run("exam", "run:greedy", "--positions", "3", "--json").out


def test_a_level_has_a_number_and_a_name() -> None:
    assert League(("bot:peek", "bot:2"), 1, LINE).players == ("bot:2", "bot:2")
    assert checked(("bot:oracle", "me", "bot:5")) == ("bot:5", "me")


@pytest.mark.skipif(sampled(0, 1) == 0, reason="a league of 80 games, with --long")
def test_a_league_of_five_with_80_games_takes_at_most_15_seconds() -> None:
    before = process_time()
    found = played("bot:1", "bot:2", "bot:3", "bot:4", "bot:5", games=8, rules="unseen")
    assert len(found.played) == 80
    assert process_time() - before < 15


def test_a_game_of_200_turns_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league, "MOST_TURNS", 3)
    found = played("bot:1", "bot:2", games=2)
    assert [(game.winner, game.turns) for game in found.played] == [(None, 3), (None, 3)]
    assert [(row.points, row.drawn) for row in found.rows] == [(1, 2), (1, 2)]


def test_a_killed_league_goes_on_after_its_last_whole_game(tmp_path: Path) -> None:
    players = (program(tmp_path), "bot:1")
    left = League(players, 4, LINE, folder=tmp_path / "home")
    for ended in left.play():
        if ended and len(left.played) == 2:
            break
    left.close()
    asked = questions(tmp_path)
    goes_on = League(players, 4, LINE, folder=tmp_path / "home")
    assert goes_on.played == left.played
    list(goes_on.play())
    goes_on.done()
    goes_on.close()
    rest = questions(tmp_path) - asked
    whole = played(*players)
    assert questions(tmp_path) == 2 * (asked + rest), "the games that were kept are not played again"
    assert goes_on.played == whole.played
    assert not list((tmp_path / "home").glob("exam.*"))


def test_a_league_in_lines_and_as_json(tmp_path: Path) -> None:
    asked = ("exam", "--league", "bot:1", "bot:4", "--games", "2", "--rules", LINE)
    told = run(*asked).out
    assert "2 of 2 games, house rules: sequence-duel:size=9" in told
    assert "\nPlayed: Sequence Duel.\n" in told
    assert "points   won drawn  lost  faults" in told
    facts = json.loads(run(*asked, "--json").out)
    assert {player["name"] for player in facts["players"]} == {"Dash", "Planner"}
    assert [game["first"] for game in facts["games"]] == ["Dash", "Planner"]
    file = tmp_path / "league.json"
    assert run(*asked, "--json", str(file)).out == told
    assert json.loads(file.read_text()) == facts
    assert "is there already" in run(*asked, "--json", str(file)).err
    before = ("exam", "--league", "--games", "2", "--rules", LINE, "bot:1", "--json", "bot:4")
    assert json.loads(run(*before).out) == facts, "a player is no file"


WRONG = {
    "one player": (("bot:1",), "A league has 2 to 20 players, not 1."),
    "a person": (("bot:1", "me"), "A player is run:COMMAND or bot:1 to bot:5, not 'me'."),
    "no games": (("bot:1", "bot:2", "--games", "0"), "--games takes a number"),
    "a game that is over": (("bot:1", "bot:2", "--rules", "sequence-duel:size=5/3.1.5"), "is over"),
    "a paper": (("bot:1", "bot:2", "--write", "-"), "--league plays games: leave out --write."),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_league_that_cannot_be_is_refused(wrong: str) -> None:
    asked, sentence = WRONG[wrong]
    ran = run("exam", "--league", *asked)
    assert ran.status == 2
    assert sentence in ran.err
    with pytest.raises(DuelboxError):
        League(("bot:1", "bot:9"))
