"""The names that `import duelbox` offers to engines and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import date, datetime
from random import Random

from duelbox import registry
from duelbox.bots import choose, find_level
from duelbox.bots.api import Choice
from duelbox.bots.program import RUN, Program, result_for
from duelbox.bots.seen import SeenGame
from duelbox.core.code import format_code, parse_code
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.game import AnyGame
from duelbox.core.model import SEATS, Seat, listed
from duelbox.core.packed import Packer, play_out, winner
from duelbox.core.rng import Rng
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.takes import REAL, SEAT, TEXT, TWO_NAMES, WHOLE, Kind, is_whole, takes, whole
from duelbox.exam.marks import Graded, grade
from duelbox.exam.paper import MOST_QUESTIONS, MOST_SEED, Paper
from duelbox.learn import daily as days
from duelbox.learn.practice import practice
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.proof.checker import Checked, check
from duelbox.proof.line import read_proof
from duelbox.registry import talk_of
from duelbox.rules_lab.map_rows import lab
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop, Stopped

__all__ = [
    "Analysis",
    "DuelboxError",
    "Exam",
    "MoveError",
    "Puzzle",
    "Seen",
    "Session",
    "Solving",
    "Stopped",
    "Table",
    "check_proof",
    "daily",
    "find_game",
    "game_ids",
    "lab",
    "play",
    "puzzles",
]


MOVE = Kind("a move as text, or None", lambda value: value is None or isinstance(value, str) or is_whole(value))
LEVEL = Kind("a level, 1 to 5 or its name", lambda value: isinstance(value, str) or is_whole(value))
DAY = Kind(
    "a date, such as date(2026, 12, 1)", lambda value: isinstance(value, date) and not isinstance(value, datetime)
)


@takes()
def game_ids() -> tuple[str, ...]:
    """The ids of all games, those of guests last."""
    return registry.game_ids()


@takes(game_id=TEXT)
def find_game(game_id: str) -> AnyGame:
    """The game of this id, such as "circle-duel"; raises DuelboxError, which names the games there are."""
    return registry.find_game(game_id)


@takes(day=DAY)
def daily(day: date) -> tuple[Puzzle, ...]:
    """The puzzles of a day, the easiest first; raises DuelboxError before the first day."""
    return days.daily(day)


@takes(game_id=TEXT.or_none(), grade=whole(1, 5).or_none(), idea=TEXT)
def puzzles(game_id: str | None = None, grade: int | None = None, idea: str = "") -> tuple[Puzzle, ...]:
    """The puzzles to practise of a game, a grade or an idea; raises DuelboxError where no puzzle has the idea."""
    found = practice(game_id, grade, idea)
    if idea and not practice(game_id, None, idea):
        known = {puzzle.idea for puzzle in practice(game_id)} - {""}
        raise DuelboxError(f"No puzzle has the idea {idea[:24]!a}. Ideas: {listed(sorted(known))}.")
    return found


@takes(line=TEXT)
def check_proof(line: str) -> Checked:
    """Check the line of a proof by the rules alone; raises DuelboxError if it cannot be read.

    >>> checked = check_proof("duelbox proof 1 sequence-duel:size=9 1 Uph2UA 66950c7c")
    >>> checked.proved, checked.sentence
    (True, 'Proved: Player 1 wins sequence-duel:size=9: 2 positions.')
    """
    return check(read_proof(line))


class Seen(SeenGame):
    """A game as one player sees it: rules, position and legal moves. It is the same in all deals that fit.

    >>> seen = Seen.model_validate_json(Table("sequence-duel/10.13").seen().model_dump_json())
    >>> seen.moves, seen.table().code(), seen.actions.index("17")
    (('10', '13'), 'sequence-duel/10.13', 16)
    """

    @takes(seed=WHOLE)
    def table(self, seed: int = 0) -> Table:
        """A table that looks like this to the player: what is hidden is drawn by the seed, of all that fits."""
        world = self.world(seed)
        table = Table.__new__(Table)
        table.__dict__.update(world.__dict__, _guessed=world.game.INFO.hidden)
        return table


class Table(Session):
    """A game at the position of a code: a session that can also solve, choose moves and draw pictures.

    >>> table = Table("circle-duel/4.5")
    >>> table.legal
    ('6',)
    >>> while table.turn is not None:
    ...     events = table.type(table.choose("oracle").move)
    >>> print(table.outcome.reason, table.code())
    Player 1 cannot move: nothing next to 3 is left. circle-duel/4.5.6.7.8.9.10.1.2.3
    """

    _guessed = False
    """True if the table was made from what a player sees, in a game that hides something."""

    @takes(code=TEXT, names=TWO_NAMES)
    def __init__(self, code: str, names: Sequence[str] = DEFAULT_NAMES) -> None:
        played = parse_code(code, registry.find_game)
        if names[0] == names[1]:
            raise DuelboxError(f"Two players have two names, not twice {names[0]!r:.24}.")
        super().__init__(played.game, played.options, names)
        for ply in played.plies:
            self.play(ply.move)

    # A table counts the arguments of these as well; a session, which the whole program plays with, does not.
    view = takes()(Session.view)
    parse = takes()(Session.parse)
    play = takes()(Session.play)
    preview = takes()(Session.preview)
    type = takes()(Session.type)

    @takes(seat=SEAT.or_none())
    def seen(self, seat: Seat | None = None) -> Seen:
        """The game as a seat sees it, by default that of the player to move: all that a program may know of it.

        >>> seen = Table("number-duel:deal=31524-42513").seen()
        >>> seen.to_move, seen.legal[:2], seen.rules[-1]
        (1, ('1x1', '1x2'), 'If you run out of numbers, you lose.')
        """
        if seat is None:
            seat = self.turn
        return Seen.of(self, seat)

    def code(self) -> str:
        """The position code. In a game with hidden hands it contains both: use `public_code` for players."""
        if self._guessed:
            raise DuelboxError("This table has hidden numbers that were only guessed, so it has no code.")
        return super().code()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves, as `type` takes them."""
        return tuple(map(self.game.format_move, self.legal_moves()))

    @takes(seconds=REAL.or_none())
    def solve(self, seconds: float | None = None) -> Analysis:
        """The exact verdict, with a reason and the worth of every move; raises Stopped after this number of seconds.

        >>> found = Table("number-circle/+2.+9.+3").solve()
        >>> found.verdict, found.plies, [move.move for move in found.moves if move.verdict == "win"]
        ('loss', 8, [])
        """
        self._turn()
        return analyse(self.game, self.view(self.turn), Stop(seconds))

    @takes(seed=WHOLE)
    def playout(self, seed: int = 0) -> Seat | None:
        """The winner of this game, played on at random by the seed: 0 or 1; None for a draw. The table stays as it is.

        >>> table = Table("sequence-duel/10.13.7")
        >>> sum(table.playout(seed) == 0 for seed in range(1000))
        609
        """
        packer = registry.part(self.game.INFO.id, "packed", Packer)
        packed = None
        if packer is not None and not self.cut_short:
            packed = packer.pack(self.state)
        if packed is not None:
            return winner(play_out(packed, seed, self.max_moves - len(self.plies)))
        twin = self.copy()
        draw = Random(seed).random
        while twin.turn is not None and not twin.full:
            legal = twin.legal_moves()
            twin.play(legal[int(draw() * len(legal))])
        if twin.outcome is None:
            return None
        return twin.outcome.winner

    @takes(level=LEVEL, seed=WHOLE)
    def choose(self, level: str | int, seed: int = 0) -> Choice:
        """The move that a level of the computer chooses, with its reason; levels are 1 to 5, or names.

        >>> Table("sequence-duel/10.13.7").choose("dash").move
        '17'
        """
        self._turn()
        return choose(self.game, self.view(self.turn), find_level(self.game.INFO.id, str(level)).id, seed)

    def _position(self) -> tuple[object, ...]:
        return self.game.INFO.id, self.options.rules_only(), self.state.position_key, self.outcome

    def __eq__(self, other: object) -> bool:
        """Compare positions: equal by game, house rules and state, whatever moves led there.

        >>> Table("sequence-duel/1.9.5") == Table("sequence-duel/5.9.1")
        True
        """
        return self._position() == other._position() if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        """A hash that changes with every move: put a copy into a set, or use one as a key."""
        return hash(self._position())

    def __repr__(self) -> str:
        if self._guessed:
            return f"<Table of {self.game.INFO.id} with guessed numbers>"
        return f"Table({self.code()!r})"

    def __str__(self) -> str:
        """Draw the board as text, as the player to move sees it."""
        return self.named(talk_of(self.game).board(self.view(self.turn)))

    @takes(theme=TEXT, width=whole(1, 1000), height=whole(1, 1000))
    def svg(self, theme: str = "dark", width: int = 72, height: int = 21) -> str:
        """Draw the board as an SVG picture, as the player to move sees it; `width` and `height` are in cells of text.

        >>> Table("circle-duel/4.5.6").svg("light")[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
        """
        from duelbox.ui.svg import board_svg

        return board_svg(self, width, height, theme)

    def _repr_html_(self) -> str:
        """The picture for a notebook; it holds the board as text for screen readers."""
        return self.svg()


Player = str | int | Callable[[Seen], object]
"""A level of the computer, a function from what a player sees to a move, or "run:COMMAND" for a program."""
PLAYER = Kind("a level or a function from Seen to a move", lambda value: LEVEL.fits(value) or callable(value))


@takes(code=TEXT, one=PLAYER, two=PLAYER, seed=WHOLE)
def play(code: str, one: Player, two: Player, seed: int = 0) -> Table:
    """Play on from the position of a code, and return the table; a draw that the code leaves open is the seed's.

    It ends with the game, or after `max_moves` moves. An illegal move of a function raises
    MoveError, a fault of a program DuelboxError.

    >>> table = play("sequence-duel:size=9", "oracle", lambda seen: seen.legal[-1])
    >>> table.outcome.winner, table.plies[1].seat
    (0, 1)
    """
    table = Table(code)
    if table.options.draws and not table.moves and "seed" not in table.options.texts():
        table = Table(format_code(table.game, table.options.changed(seed=seed), ()))
    rng = Rng(seed)
    with ExitStack() as programs:
        started = [_program(player, programs) for player in (one, two)]
        players = [_seated(player, rng, own) for player, own in zip((one, two), started, strict=True)]
        while table.turn is not None and not table.full:
            move = players[table.turn](table)
            if isinstance(move, str):
                table.type(move)
            else:
                table.play(move)
        for seat in SEATS:
            program = started[seat]
            if program is not None and table.outcome is not None:
                program.over(result_for(seat, table.outcome.winner))
    return table


def _program(player: Player, programs: ExitStack) -> Program | None:
    """The program of a player, which ends with the stack; None for levels and functions."""
    if isinstance(player, str) and player.startswith(RUN):
        return programs.enter_context(Program(player.removeprefix(RUN)))
    return None


def _seated(player: Player, rng: Rng, program: Program | None) -> Callable[[Table], object]:
    """A player as a function from the table to a move."""
    if program is not None:
        return program.ask
    if isinstance(player, (str, int)):
        level = player
        return lambda table: table.choose(level, rng.next64()).move
    function = player
    return lambda table: function(table.seen())


class Exam:
    """A paper of positions nobody has seen, the same for everybody with its seed, and the exact regret of answers.

    >>> exam = Exam(seed=7, positions=5)
    >>> [exam.mark(name, seen.legal[0]).regret for name, seen in exam.questions.items()]
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1), Fraction(1, 1), Fraction(0, 1)]
    """

    @takes(seed=whole(0, MOST_SEED), positions=whole(1, MOST_QUESTIONS))
    def __init__(self, seed: int = 1, positions: int = 400) -> None:
        self._questions = {question.id: question for question in Paper(seed, positions).questions}
        self.questions = {name: Seen.of(found.session, found.session.turn) for name, found in self._questions.items()}
        """The positions by their ids, as the player to move sees them."""

    @takes(question=TEXT, move=MOVE)
    def mark(self, question: str, move: str | int | None) -> Graded:
        """Grade an answer; None is no answer. An illegal one costs as much as the worst move."""
        if question not in self._questions:
            raise DuelboxError(f"There is no question {question[:24]!a}; they are the keys of `questions`.")
        answer = None
        if move is not None:
            answer = str(move)
        return grade(self._questions[question], answer)
