"""A league: all pairs of players play each other; starts alternate, and two games in a row of a pair share a draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from duelbox.bots import choose, levels_of
from duelbox.bots.program import RUN, Program, ProgramFault
from duelbox.core.code import format_code, parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import listed, other
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.exam.kept import Kept, as_it_is
from duelbox.exam.paper import GAMES, HOUSE_RULES
from duelbox.exam.room import LEVELS, checked_player, free_name
from duelbox.registry import find_game, title_of
from duelbox.store.programs import keep_errors, name_in, path_of_errors

UNSEEN = "unseen"
"""House rules that nobody has seen, drawn by the seed."""
GAMES_OF_A_PAIR = 2 * len(GAMES)
"""The games of a pair, unless told otherwise: two of each game that has unseen house rules."""
MOST_TURNS = 200
"""After so many turns a game is a draw."""
MOST_GAMES = 1000
MOST_PLAYERS = 20
RESULTS = {None: "draw", True: "win", False: "loss"}
"""The end of a game as a program is told."""


class Fixture(NamedTuple):
    """A game to be played, by the numbers of its players."""

    first: int
    second: int
    code: str
    """Its start."""
    seed: int
    """Decides what the levels overlook."""


class Played(NamedTuple):
    """A game that was played."""

    first: int
    second: int
    winner: int | None
    """The number of the player who won; None for a draw."""
    code: str
    turns: int
    fault: str = ""
    """The sentence on the program that lost by a fault."""

    def lost_by(self, number: int) -> bool:
        """This player lost it."""
        return self.winner not in (None, number) and number in (self.first, self.second)


class Score(NamedTuple):
    """A row of the table."""

    name: str
    number: int
    points: float
    won: int
    drawn: int
    lost: int
    faults: int
    against: dict[int, float]
    """The points against each opponent, by their numbers."""

    @property
    def games(self) -> int:
        """The games played so far."""
        return self.won + self.drawn + self.lost


class League:
    """Players, their games, and the results so far; one that was killed goes on after its last whole game."""

    def __init__(
        self,
        players: Sequence[str],
        games: int = GAMES_OF_A_PAIR,
        rules: str = UNSEEN,
        seed: int = 1,
        *,
        folder: Path | None = None,
        check: Callable[[], object] | None = None,
    ) -> None:
        """`games` are those of each pair; `folder` keeps the results; `check` may raise to end the league."""
        players = [checked_player(player, "run:COMMAND or bot:1 to bot:5") for player in players]
        if not 2 <= len(players) <= MOST_PLAYERS:
            raise DuelboxError(f"A league has 2 to {MOST_PLAYERS} players, not {len(players)}.")
        if not 1 <= games <= MOST_GAMES:
            raise DuelboxError(f"--games takes a number from 1 to {MOST_GAMES}, not {games}.")
        self.players = tuple(players)
        self.names = _names(players)
        self.rules = rules
        self.seed = seed
        self.export: Path | None = None
        """The file into which the table is written once it is whole, if one was asked for."""
        self.check = check
        self.fixtures = tuple(_fixtures(len(players), games, rules, seed))
        self.played: list[Played] = []
        self.session = self._session(self.fixtures[0])
        """The game being played, or the one played last."""
        self._programs = [self._program(player) for player in players]
        self._kept: Kept | None = None
        if folder is not None:
            states = [as_it_is(player.removeprefix(RUN)) for player in players]
            self._kept = Kept(folder, "league of own draws", *players, str(games), rules, str(seed), *states)
            self.played += _kept_games(self._kept, self.fixtures)

    # -- playing

    def play(self) -> Iterator[bool]:
        """Play the rest of the games; yields after each turn, True at the end of a game. `session` is that game."""
        for fixture in self.fixtures[len(self.played) :]:
            self.session = self._session(fixture)
            start = len(self.session.moves)
            fault = ""
            winner: int | None = None
            rng = Rng(fixture.seed)
            seats = (fixture.first, fixture.second)
            while self.session.turn is not None and len(self.session.moves) - start < MOST_TURNS:
                seat = self.session.turn
                try:
                    move = self._move(seats[seat], self.session, rng)
                except ProgramFault as error:
                    fault = error.sentence
                    winner = seats[other(seat)]
                    break
                self.session.type(move)
                yield False
            outcome = self.session.outcome
            if outcome is not None and outcome.winner is not None:
                winner = seats[outcome.winner]
            for number in seats:
                self._tell_end(number, winner)
            played = Played(*seats, winner, self.session.code(), len(self.session.moves) - start, fault)
            self.played.append(played)
            if self._kept is not None:
                self._kept.add(played._asdict())
            yield True

    def done(self) -> None:
        """Forget what was kept in case of a kill: the table was shown."""
        if self._kept is not None:
            self._kept.done()

    def close(self) -> None:
        """End the programs; the results stay kept."""
        for program in self._programs:
            if program is None:
                continue
            program.end()
            if self._kept is not None:
                keep_errors(program.errors, path_of_errors(program.command))
        if self._kept is not None:
            self._kept.close()

    def _session(self, fixture: Fixture) -> Session:
        session = parse_code(fixture.code, find_game)
        session.names = (self.names[fixture.first], self.names[fixture.second])
        return session

    def _program(self, player: str) -> Program | None:
        if player in LEVELS:
            return None
        return Program(player.removeprefix(RUN))

    def _move(self, number: int, session: Session, rng: Rng) -> str:
        seed = rng.next64()
        program = self._programs[number]
        if program is not None:
            return program.ask(session, self.check)
        if self.check is not None:
            self.check()
        level = levels_of(session.game.INFO.id)[LEVELS.index(self.players[number])]
        return choose(session.game, session.view(session.turn), level.id, seed).move

    def _tell_end(self, number: int, winner: int | None) -> None:
        program = self._programs[number]
        if program is None:
            return
        won = None
        if winner is not None:
            won = winner == number
        program.over(RESULTS[won])

    # -- the table

    @property
    def done_games(self) -> tuple[int, int]:
        """The games played, and those of the whole league."""
        return len(self.played), len(self.fixtures)

    @property
    def rows(self) -> tuple[Score, ...]:
        """The table, the best first; a win counts 1, a draw 1/2."""
        scores = [self._score(number) for number in range(len(self.players))]
        return tuple(sorted(scores, key=lambda score: -score.points))

    def _score(self, number: int) -> Score:
        mine = [game for game in self.played if number in (game.first, game.second)]
        won = [game for game in mine if game.winner == number]
        drawn = [game for game in mine if game.winner is None]
        faults = [game for game in mine if game.fault and game.lost_by(number)]
        against = {at: 0.0 for at in range(len(self.players)) if at != number}
        for game in won:
            against[_opponent(game, number)] += 1
        for game in drawn:
            against[_opponent(game, number)] += 0.5
        lost = len(mine) - len(won) - len(drawn)
        points = len(won) + len(drawn) / 2
        return Score(self.names[number], number, points, len(won), len(drawn), lost, len(faults), against)

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the games played so far, in the order in which they came."""
        starts = [game.code.partition("/")[0] for game in self.played]
        game_ids = dict.fromkeys(start.partition(":")[0] for start in starts)
        return tuple(title_of(game_id) for game_id in game_ids)

    def to_json(self) -> dict[str, Any]:
        """The table and the games, as JSON has them."""
        rows = [
            {
                "name": row.name,
                "player": self.players[row.number],
                "points": row.points,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "faults": row.faults,
                "against": {self.names[at]: points for at, points in row.against.items()},
            }
            for row in self.rows
        ]
        games = []
        for game in self.played:
            winner = None
            if game.winner is not None:
                winner = self.names[game.winner]
            facts = {"first": self.names[game.first], "second": self.names[game.second], "winner": winner}
            games.append({**facts, "code": game.code, "turns": game.turns, "fault": game.fault})
        return {"rules": self.rules, "seed": self.seed, "players": rows, "games": games}

    def lines(self) -> Iterator[str]:
        """The table in lines."""
        rows = self.rows
        wide = max(8, *(len(row.name) for row in rows))
        heads = " ".join(f"{row.name[:8]:>8}" for row in rows)
        done, of = self.done_games
        yield f"{done} of {of} games, house rules: {self.rules}"
        if self.played:
            yield f"Played: {listed(self.titles)}."
        yield f"{'':{wide}}  points   won drawn  lost  faults  {heads}"
        for row in rows:
            against = " ".join(f"{_against(row, at.number):>8}" for at in rows)
            counts = f"{row.points:6g} {row.won:5} {row.drawn:5} {row.lost:5} {row.faults:7}"
            yield f"{row.name:{wide}}  {counts}  {against}".rstrip()
        yield from dict.fromkeys(game.fault for game in self.played if game.fault)


def _against(row: Score, number: int) -> str:
    """The points against a player, as text; a dot in the player's own column."""
    if number not in row.against:
        return "."
    return f"{row.against[number]:g}"


def _opponent(game: Played, number: int) -> int:
    if game.first == number:
        return game.second
    return game.first


def _names(players: Sequence[str]) -> tuple[str, ...]:
    """A short name for each player, no two alike."""
    names: list[str] = []
    for player in players:
        name = name_in(player.removeprefix(RUN))
        if player in LEVELS:
            name = levels_of(GAMES[0])[LEVELS.index(player)].name
        names.append(free_name(name, names))
    return tuple(names)


def _fixtures(players: int, games: int, rules: str, seed: int) -> Iterator[Fixture]:
    """All games: every pair plays once, then once more with the other start, and so on with its own next draw."""
    seeds = Rng(seed)
    levels = Rng(seed + 1)
    draws = {pair: Rng(seeds.next64()) for pair in combinations(range(players), 2)}
    codes: dict[tuple[int, int], str] = {}
    for number in range(games):
        for pair, rng in draws.items():
            if number % 2 == 0:
                codes[pair] = _start(rules, number // 2, rng)
            one, two = pair
            first = one
            if number % 2:
                first = two
            yield Fixture(first, one + two - first, codes[pair], levels.next64())


def _start(rules: str, number: int, rng: Rng) -> str:
    """The code of a draw: of the house rules as they are asked for, or of a game with unseen ones."""
    if rules == UNSEEN:
        game = find_game(GAMES[number % len(GAMES)])
        return format_code(game, game.Options(**HOUSE_RULES[game.INFO.id](rng)), ())
    session = parse_code(rules, find_game)
    if session.turn is None:
        raise DuelboxError("The game of --rules is over: give a code that can be played on.")
    options: Any = session.options
    if options.draws and not session.moves and "seed" not in options.texts():
        return format_code(session.game, options.changed(seed=rng.below(10**6)), ())
    return session.code()


def _kept_games(kept: Kept, fixtures: Sequence[Fixture]) -> Iterator[Played]:
    """The games that an earlier process played, as far as they fit."""
    for fixture, line in zip(fixtures, kept.lines, strict=False):
        try:
            game = Played(**line)
        except TypeError:
            return
        if (game.first, game.second) != (fixture.first, fixture.second):
            return
        yield game
