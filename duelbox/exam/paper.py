"""Papers of format 1: a paper is a function of its seed, on every machine, in every later version.

Nothing here rests on time, and all that a paper depends on stands in this file, in the rules of the games and in the
random generator of the core: the house rules that are drawn, the words, the order of moves. It never changes; another
way to make papers is another format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from duelbox.core.code import format_code
from duelbox.core.game import AnyGame
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import rate_moves

FORMAT = 1
GAMES = ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")
MOST_MOVES = 8
"""A position comes after 0 to so many moves at random."""
MATTERS = Fraction(1, 10)
"""The best and the worst move of a position differ by at least this much."""
MOST_QUESTIONS = 2000
MOST_SEED = 10**9


class PaperQuestion(NamedTuple):
    """A position of a paper, and the worth of each of its moves."""

    id: str
    """SEED-NNN, such as "7-001"."""
    game: AnyGame
    session: Session
    values: dict[str, Fraction]
    """The value of each move to the player to move: a win is 1, a draw 1/2."""

    @property
    def best(self) -> Fraction:
        """The value of the best move."""
        return max(self.values.values())

    @property
    def regrets(self) -> dict[str, Fraction]:
        """The value that each move gives away."""
        best = self.best
        return {move: best - value for move, value in self.values.items()}

    @property
    def worst(self) -> Fraction:
        """The regret of the worst move, which an illegal answer costs as well."""
        return self.best - min(self.values.values())

    @property
    def mean(self) -> Fraction:
        """The regret of a move drawn at random."""
        return sum(self.regrets.values(), Fraction(0)) / len(self.values)

    def line(self, *, legal: bool) -> dict[str, Any]:
        """The question as a line of the paper."""
        session = self.session
        options: Any = session.options
        seen: str | dict[str, Any] = format_code(self.game, options, session.moves)
        if self.game.INFO.hidden:
            seen = _hand_seen(session)
        line = {
            "id": self.id,
            "game": self.game.INFO.id,
            "rules": RULES[self.game.INFO.id](options),
            "seen": seen,
            "to_move": session.state.mover + 1,
            "moves": [self.game.format_move(move) for move in session.moves],
        }
        if legal:
            line["legal"] = list(self.values)
        line["ask"] = f"You are Player {session.state.mover + 1}. Which move do you make? {ASKED[self.game.INFO.id]}"
        return line


class Paper:
    """The questions of a seed; they are found one after the other, when they are asked for."""

    def __init__(self, seed: int = 1, positions: int = 400) -> None:
        self.seed = seed
        self.positions = positions

    @cached_property
    def questions(self) -> tuple[PaperQuestion, ...]:
        """All questions, the games taking turns."""
        return tuple(questions(self.seed, self.positions))

    def lines(self, *, legal: bool = False) -> Iterator[str]:
        """The paper as lines of JSON, the first of which says what it is."""
        yield json.dumps({"format": FORMAT, "seed": self.seed, "positions": self.positions})
        for question in self.questions:
            yield json.dumps(question.line(legal=legal))

    def key(self) -> Iterator[str]:
        """The regret of each move of each question, as lines of JSON with exact fractions."""
        for question in self.questions:
            regrets = {move: str(regret) for move, regret in question.regrets.items()}
            yield json.dumps({"id": question.id, "regrets": regrets})


def questions(seed: int, positions: int) -> Iterator[PaperQuestion]:
    """The questions of a paper: a position of each game in turn, no two alike."""
    streams = {game_id: _positions(game_id, seed) for game_id in GAMES}
    for number in range(positions):
        game, session, values = next(streams[GAMES[number % len(GAMES)]])
        yield PaperQuestion(f"{seed}-{number + 1:03}", game, session, values)


def _positions(game_id: str, seed: int) -> Iterator[tuple[AnyGame, Session, dict[str, Fraction]]]:
    """The positions of a game in which the choice matters, without end."""
    game = find_game(game_id)
    rng = Rng(seed * len(GAMES) + GAMES.index(game_id))
    met: set[Any] = set()
    while True:
        session = _drawn(game, rng)
        if session is None:
            continue
        view = session.view(session.turn)
        alike = _rules_key(session), view.position_key
        if alike in met:
            continue
        met.add(alike)
        values = {move.move: move.value for move in rate_moves(game, view).moves}
        if max(values.values()) - min(values.values()) >= MATTERS:
            yield game, session, {move: values[move] for move in _in_order(values)}


def _rules_key(session: Session) -> tuple[tuple[str, str], ...]:
    options = session.options
    if session.game.INFO.hidden:
        options = options.rules_only()
    return tuple(options.texts().items())


def _drawn(game: AnyGame, rng: Rng) -> Session | None:
    """A game of house rules drawn at random after some moves; None if it is over by then."""
    options = game.Options(**HOUSE_RULES[game.INFO.id](rng))
    session = Session(game, options)
    for _ in range(rng.below(MOST_MOVES + 1)):
        if session.turn is None:
            return None
        moves = {game.format_move(move): move for move in session.legal_moves()}
        session.play(moves[rng.choice(_in_order(moves))])
    return None if session.turn is None else session


def _in_order(moves: Sequence[str] | dict[str, Any]) -> list[str]:
    """Moves in an order of this format's own: shorter texts first, then by their characters."""
    return sorted(moves, key=lambda text: (len(text), text))


# ---------------------------------------------------------------- house rules that are drawn


def _circle(rng: Rng) -> dict[str, Any]:
    reach = 1 + rng.below(2)
    if rng.below(2):
        size = 8 + rng.below(9)
        return {"size": size, "reach": reach, "trails": "own", "without": rng.sample(range(1, size + 1), rng.below(4))}
    size = 8 + rng.below(13)
    return {"size": size, "reach": reach, "without": rng.sample(range(1, size + 1), rng.below(min(6, size // 2 + 1)))}


def _race(rng: Rng) -> dict[str, Any]:
    floor = None
    if rng.below(2):
        floor = 0
    return {
        "target": 10 + rng.below(11),
        "backtracking": bool(rng.below(2)),
        "sharing": bool(rng.below(2)),
        "shared_total": bool(rng.below(2)),
        "floor": floor,
    }


def _line(rng: Rng) -> dict[str, Any]:
    return {"size": 9 + rng.below(14), "ring": bool(rng.below(2))}


def _chain(rng: Rng) -> dict[str, Any]:
    zero = ("dead-end", "no-tens", "wild")[rng.below(3)]
    numbers = [*range(11, 100)]
    if zero == "no-tens":
        numbers = [number for number in numbers if number % 10]
    return {"zero": zero, "without": rng.sample(numbers, 20 + rng.below(41))}


def _hands(rng: Rng) -> dict[str, Any]:
    hand = 3 + rng.below(3)
    numbers = range(1, hand + 1)
    return {"hand": hand, "victors_stay": bool(rng.below(2)), "deal": (rng.shuffled(numbers), rng.shuffled(numbers))}


HOUSE_RULES: dict[str, Callable[[Rng], dict[str, Any]]] = {
    "circle-duel": _circle,
    "number-circle": _race,
    "sequence-duel": _line,
    "digit-chain": _chain,
    "number-duel": _hands,
}
"""The house rules of a position, drawn."""


# ---------------------------------------------------------------- words


def _said(*sentences: str) -> list[str]:
    """The sentences that are not empty."""
    return [sentence for sentence in sentences if sentence]


def _circle_rules(options: Any) -> list[str]:
    near = f"at most {options.reach} steps from"
    if options.reach == 1:
        near = "next to"
    whose = "the last number picked, whoever picked it"
    first = "The first pick of the game is free."
    if options.trails == "own":
        whose = "the last number you picked yourself"
        first = "Your own first pick is free."
    gone = ""
    if options.without:
        gone = f"Nobody can pick {_listed(options.without)}, but each still counts as a step."
    return _said(
        f"The numbers 1 to {options.size} stand in a ring: {options.size} is next to 1.",
        "Two players take turns to pick a number that nobody has picked.",
        f"A pick is {near} {whose}.",
        first,
        gone,
        "If you cannot pick on your turn, you lose.",
    )


def _race_rules(options: Any) -> list[str]:
    totals = "Each player has a total that begins at 0."
    if options.shared_total:
        totals = "Both players share one total that begins at 0."
    floor = ""
    if options.floor is not None:
        floor = "The total may not go below 0."
    back = "You may step straight back to where you came from."
    if not options.backtracking:
        back = "You may not step straight back to where you came from."
    shared = "Both players may stand on the same number."
    if not options.sharing:
        shared = "You may not step onto the number your opponent stands on."
    return _said(
        "The numbers 1 to 9 stand in a ring: 9 is next to 1.",
        totals,
        "Both players begin on 1.",
        "On your turn step to a number next to yours.",
        "Then add that number to the total or subtract it.",
        f"Whoever makes the total exactly {options.target} wins.",
        f"The total may not go above {options.target}.",
        floor,
        back,
        shared,
        "If you have no move, your turn passes. Then you may step either way.",
    )


def _line_rules(options: Any) -> list[str]:
    shape = f"The numbers 1 to {options.size} stand in a line."
    if options.ring:
        shape = f"The numbers 1 to {options.size} stand in a ring: {options.size} is next to 1."
    return _said(
        shape,
        "Two players take turns to claim a number that nobody has claimed.",
        "It may not be next to a number that your opponent has claimed.",
        "If you cannot claim on your turn, you lose.",
    )


def _chain_rules(options: Any) -> list[str]:
    zero = {
        "dead-end": "No number begins with 0, so nothing follows a number that ends in 0.",
        "no-tens": "The numbers 10, 20 and so on to 90 are not in the game.",
        "wild": "After a number that ends in 0, any number may follow.",
    }
    return _said(
        "Two players take turns to pick a number from 1 to 99.",
        "Nobody can pick a number twice.",
        "A number begins with the last digit of the one before it.",
        "A number below 10 begins and ends with its one digit.",
        "The first pick of the game is free.",
        zero[options.zero],
        f"Nobody can pick {_listed(options.without)}.",
        "If you cannot pick on your turn, you lose.",
    )


def _hand_rules(options: Any) -> list[str]:
    stays = "An attacker that wins is spent and leaves the game."
    if options.victors_stay:
        stays = "An attacker that wins goes back to its place, and is known now."
    return _said(
        f"Each player has the numbers 1 to {options.hand}, in a hidden order.",
        "On your turn one of your numbers attacks a position of the other hand.",
        "Both numbers are shown. The lower one leaves the game; equal ones both do.",
        stays,
        "If you have no number left, you lose.",
        "If nobody has one, the attacker wins. With two equal numbers it is a draw.",
    )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


RULES: dict[str, Callable[[Any], list[str]]] = {
    "circle-duel": _circle_rules,
    "number-circle": _race_rules,
    "sequence-duel": _line_rules,
    "digit-chain": _chain_rules,
    "number-duel": _hand_rules,
}
"""The rules of a position in sentences."""

ASKED = {
    "circle-duel": "Answer with a number, such as 5.",
    "number-circle": "Answer with + or - and the number you step to, such as +5.",
    "sequence-duel": "Answer with a number, such as 5.",
    "digit-chain": "Answer with a number, such as 57.",
    "number-duel": "Answer with your number, x and a position, such as 3x2.",
}


def _hand_seen(session: Session) -> dict[str, Any]:
    """The hands as the player to move sees them; positions that nobody has seen are null."""
    view = session.view(session.turn)
    mine, theirs = session.state.mover, view.rival
    return {
        "hand": view.hand,
        "winners_stay": view.victors_stay,
        "mine": list(view.mine),
        "mine_shown": list(view.faces[mine]),
        "theirs": list(view.faces[theirs]),
        "mine_gone": [gone.number for gone in view.gone[mine]],
        "theirs_gone": [gone.number for gone in view.gone[theirs]],
    }
