"""The laws of every game, as functions that check a random game by assertions.

Authors of games read the first line of a law and the text of the failed assertion.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Any

from duelbox.core.code import format_code, parse_code
from duelbox.core.errors import BadNotation, GameOver, IllegalMove, MoveError, NotYourTurn
from duelbox.core.game import AnyGame
from duelbox.core.model import SEATS, Event, Model, Position, Seat, named, player
from duelbox.core.options import Options
from duelbox.core.packed import OVER, Packer, Packing, winner
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.registry import part

MAX_PLIES = 100
"""Random games are broken off here, as some games need not end."""

SEATS_AND_SPECTATOR: tuple[Seat | None, ...] = (0, 1, None)

NASTY_TEXTS = (
    "", " ", "0", "00", "-", "+", "x", "1x", "x1", "1x0", "0x1", "99", "100", "999", "9" * 5_000, "-1", "+0", "+12",
    "1.5", "1e1", "0x10", "１", "٣", "²", "½", "1 2", "1\n2", "\x1b[31m1", "\u202e1", "[b]1[/b]", "[/b]", "None", "nan",
    "Player 1", "12345", "11111", "1234567", "12345678", "help", "'", '"', "\\", "\0", "\ud800", "1" * 24, "é" * 30,
    "+1+1", "3X", "--3",
)  # fmt: skip


@dataclass(frozen=True)
class RandomGame:
    """A random game as played: `states[0]` is its start, and move n leads from state n to state n + 1."""

    game: AnyGame
    options: Options
    states: tuple[Position, ...]
    moves: tuple[Any, ...]
    events: tuple[tuple[Event, ...], ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seat of each move."""
        return tuple(state.turn for state in self.states[:-1] if state.turn is not None)

    @property
    def code(self) -> str:
        """The code of the last position."""
        return format_code(self.game, self.options, self.moves)


def random_game(game: AnyGame, options: Options, rng: Random, most: int = MAX_PLIES) -> RandomGame:
    """Play at random until the game is over, or for `most` plies."""
    state = game.start(options)
    states: list[Position] = [state]
    moves: list[Any] = []
    events: list[tuple[Event, ...]] = []
    while state.turn is not None and len(moves) < most:
        move = rng.choice(game.legal_moves(game.view(state, state.turn)))
        state, seen = game.apply(state, state.turn, move)
        states.append(state)
        moves.append(move)
        events.append(seen)
    return RandomGame(game, options, tuple(states), tuple(moves), tuple(events))


Law = Callable[[RandomGame, Random], None]
LAWS: list[Law] = []


def law_of(laws: list[Law]) -> Callable[[Law], Law]:
    """A decorator that adds a function to these laws."""

    def law(function: Law) -> Law:
        laws.append(function)
        return function

    return law


law = law_of(LAWS)


# -- parts of laws


def texts_of(played: RandomGame, rng: Random, count: int = 20) -> list[str]:
    """Texts that may be moves: nasty ones, moves of other positions, moves with a wrong character."""
    known = [played.game.format_move(move) for move in played.moves] or ["1"]
    texts = []
    for _ in range(count):
        text = rng.choice(known)
        at = rng.randrange(len(text) + 1)
        wrong = text[:at] + rng.choice("0123456789+-x ,a.\n") + text[at + rng.randrange(2) :]
        texts.append(rng.choice((wrong, rng.choice(NASTY_TEXTS), text, str(rng.randrange(110)))))
    return texts


def attempt(game: AnyGame, state: Position, seat: Seat, text: str) -> MoveError | tuple[Event, ...]:
    """Type a text as this seat: the refusal, or the events of the move."""
    try:
        move = game.parse_move(game.view(state, seat), text)
    except BadNotation as error:
        return error
    try:
        _, events = game.apply(state, seat, move)
    except (IllegalMove, NotYourTurn, GameOver) as error:
        return error
    legal = game.legal_moves(game.view(state, seat))
    assert move in legal, f"{text!r} was played, but is not in the legal list"
    assert plain(text) == game.format_move(move), f"{text!r} was taken for {game.format_move(move)!r}"
    return events


def plain(text: str) -> str:
    """A move as it stands in a code: without blanks, commas, capitals and leading zeros."""
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", re.sub(r"[\s,]", "", text).lower())


def is_sentence(text: str) -> bool:
    """The text is a whole, short, printable sentence without words of the machinery."""
    machinery = r"Traceback|Error\b|Exception|pydantic|Input should|input_|Value error|<class|object at|None\b|\.\.|  "
    quoted_out = re.sub(r"'(\\.|[^'])*'|\"[^\"]*\"", "'…'", text)
    begins = text[:1].isupper() or text[:1].isdigit() or text[:1] in "'\"+-"
    ends = text.endswith((".", "?"))
    return begins and ends and text.isprintable() and len(text) < 700 and not re.search(machinery, quoted_out)


def assert_refused(error: object) -> None:
    """Assert that a refusal is a sentence that contains the numbers in the way."""
    assert isinstance(error, MoveError), f"not refused: {error}"
    assert is_sentence(error.sentence), f"not a sentence: {error.sentence!r}"
    for number in error.blockers:
        kind = type(error).__name__
        assert re.search(rf"\b{number}\b", error.sentence), (
            f"{kind} has {number} in its blockers, and its sentence does not name it: {error.sentence!r}"
        )


def through_json(model: Model) -> None:
    """Assert that a model is the same after it was written and read."""
    written = model.model_dump_json()
    assert type(model).model_validate_json(written) == model, f"{written} is not the same when read again"


def is_hashable_all_through(value: object) -> bool:
    """The value consists of frozen models, tuples and plain values only."""
    if isinstance(value, Model):
        frozen = type(value).model_config.get("frozen") is True
        return frozen and all(is_hashable_all_through(getattr(value, name)) for name in type(value).model_fields)
    if isinstance(value, tuple):
        return all(is_hashable_all_through(one) for one in value)
    return value is None or isinstance(value, (bool, int, str))


# -- the laws


@law
def start_is_a_function_of_its_options(played: RandomGame, rng: Random) -> None:
    """Equal options begin equal games, and options survive being written."""
    game, options = played.game, played.options
    copied = game.Options.model_validate_json(options.model_dump_json())
    begun = [played.states[0], game.start(options), game.start(copied)]
    assert begun[0] == begun[1] == begun[2], "the same options began another game"
    assert len({state.model_dump_json() for state in begun}) == 1, "the same options began another game"
    assert game.Options.from_texts(options.texts()) == options, f"{options.texts()} is read as other options"


@law
def turn_is_none_iff_there_is_an_outcome(played: RandomGame, rng: Random) -> None:
    """Nobody is to move if, and only if, there is an outcome; everybody sees both, and the reason is a sentence."""
    for state in played.states:
        assert (state.turn is None) == (state.outcome is not None), f"turn {state.turn}, but outcome {state.outcome}"
        for seat in SEATS_AND_SPECTATOR:
            view = played.game.view(state, seat)
            assert (view.turn, view.outcome) == (state.turn, state.outcome), "a view has another turn or outcome"
    for state in played.states[:-1]:
        assert state.turn is not None, "a game went on after its end"
    outcome = played.states[-1].outcome
    assert outcome is None or is_sentence(outcome.reason), f"the reason is no sentence: {outcome}"
    assert outcome is None or outcome.winner is not None or played.game.INFO.may_be_drawn, "INFO says it has no draws"


@law
def legal_moves_are_there_iff_the_game_is_on(played: RandomGame, rng: Random) -> None:
    """There are legal moves while the game is on; each is listed once, and everybody knows them."""
    for state in played.states:
        lists = [list(played.game.legal_moves(played.game.view(state, seat))) for seat in SEATS_AND_SPECTATOR]
        assert bool(lists[0]) == (state.turn is not None), f"turn {state.turn}, but {len(lists[0])} legal moves"
        assert lists[0] == lists[1] == lists[2], "legal_moves gives a spectator, or the other player, other moves"
        texts = [played.game.format_move(move) for move in lists[0]]
        assert len(set(lists[0])) == len(lists[0]) == len(set(texts)), "a move, or its text, is listed twice"


@law
def listed_moves_apply_and_round_trip_as_text(played: RandomGame, rng: Random) -> None:
    """Every listed move can be made, is seen, changes something, and can be written in a code and read again."""
    game = played.game
    for state in rng.sample(played.states[:-1], min(3, len(played.states) - 1)):
        view = game.view(state, state.mover)
        legal = list(game.legal_moves(view))
        for move in rng.sample(legal, min(40, len(legal))):
            text = game.format_move(move)
            assert re.fullmatch(r"[!-~]+", text), f"{text!r} is not printable ASCII without spaces"
            assert not set("./:,=") & set(text), f"{text!r} cannot stand in a code"
            for typed in (text, f"  {text.upper()} "):
                assert game.parse_move(view, typed) == move, f"{typed!r} is read as another move"
            after, events = game.apply(state, state.mover, move)
            assert events, f"nothing was seen of {text!r}"
            assert events[0].seat == state.mover, f"what was seen of {text!r} is told of the other player"
            assert after != state, f"{text!r} changed nothing"


@law
def every_legal_move_has_a_number(played: RandomGame, rng: Random) -> None:
    """A game that numbers its moves numbers each of them, once, the same whatever is drawn."""
    if played.game.every_move is None:
        return
    texts = [*map(played.game.format_move, played.game.every_move(played.options))]
    assert len({*texts}) == len(texts), "a move has two numbers"
    assert texts == [*map(played.game.format_move, played.game.every_move(played.options.rules_only()))], (
        "the numbers of moves depend on the draw"
    )
    for state in played.states:
        legal = played.game.legal_moves(played.game.view(state, state.turn))
        without = {*map(played.game.format_move, legal)} - {*texts}
        assert not without, f"{min(without)} has no number"


@law
def a_packed_game_agrees_with_its_models(played: RandomGame, rng: Random) -> None:
    """A game in plain numbers has the seat to move, the legal moves and the winner of its models, at every turn."""
    game = played.game
    packer = part(game.INFO.id, "packed", Packer)
    if packer is None:
        return
    assert game.every_move is not None, "a packed game needs every_move: a move is its place there"
    number_of = {game.format_move(move): at for at, move in enumerate(game.every_move(played.options))}
    position: Packing | None = None
    for at, state in enumerate(played.states):
        packed = packer.pack(state)
        if packed is None:
            continue
        assert position in (None, packed.start), f"after turn {at} the position is {position}, not {packed.start}"
        if state.outcome is not None:
            assert packed.start[0] >= OVER, "the game is over, and goes on packed"
            assert winner(packed.start) == state.outcome.winner, "another player has won"
            return
        legal = [number_of[game.format_move(move)] for move in game.legal_moves(game.view(state, state.turn))]
        assert packed.start[0] == state.turn, "another player is to move"
        assert [*packed.moves(packed.start)] == legal, f"the legal moves are {packed.moves(packed.start)}, not {legal}"
        if at < len(played.moves):
            position = packed.after(packed.start, number_of[game.format_move(played.moves[at])])


@law
def every_other_text_is_refused_and_changes_nothing(played: RandomGame, rng: Random) -> None:
    """A text that is no legal move is refused with a sentence, as BadNotation or IllegalMove, and changes nothing."""
    game = played.game
    for state in rng.sample(played.states[:-1], min(3, len(played.states) - 1)):
        before = state.model_dump_json()
        legal = {game.format_move(move) for move in game.legal_moves(game.view(state, state.mover))}
        for text in texts_of(played, rng):
            answer = attempt(game, state, state.mover, text)
            if text in legal:
                assert isinstance(answer, tuple), f"{text!r} is legal, but: {answer}"
            elif plain(text) not in legal:
                assert_refused(answer)
        assert state.model_dump_json() == before, "a refused move changed the state"


@law
def apply_never_touches_its_input(played: RandomGame, rng: Random) -> None:
    """A move leaves the state before it as it was, always does the same, and nothing in a state can be changed."""
    game = played.game
    for count, state in enumerate(played.states[:-1]):
        before, hashed = state.model_dump_json(), hash(state)
        after, events = game.apply(state, played.seats[count], played.moves[count])
        assert (state.model_dump_json(), hash(state)) == (before, hashed), "a move changed the state before it"
        assert (after, events) == (played.states[count + 1], played.events[count]), "the same move had another effect"
        for shown in (after, *(game.view(after, seat) for seat in SEATS_AND_SPECTATOR)):
            assert is_hashable_all_through(shown), f"{type(shown).__name__} holds what can be changed, such as a list"


@law
def moves_out_of_turn_and_after_the_end_are_refused(played: RandomGame, rng: Random) -> None:
    """A move out of turn is refused as NotYourTurn, and every move after the end as GameOver."""

    def refuse(state: Position, seat: Seat, move: Any, kind: type[MoveError], otherwise: str) -> None:
        try:
            played.game.apply(state, seat, move)
        except kind as error:
            assert_refused(error)
        else:
            raise AssertionError(otherwise)

    for state, move in zip(played.states, played.moves, strict=False):
        refuse(state, state.rival, move, NotYourTurn, "the wrong player could move")
    end = played.states[-1]
    for move in played.moves if end.turn is None else ():
        for seat in SEATS:
            refuse(end, seat, move, GameOver, "a move was made after the end")


@law
def everything_survives_json(played: RandomGame, rng: Random) -> None:
    """Options, states, views, moves and events are the same after they were written as JSON and read."""
    through_json(played.options)
    for state in played.states:
        through_json(state)
        for seat in SEATS_AND_SPECTATOR:
            view = played.game.view(state, seat)
            assert isinstance(view, played.game.View), f"a view is a {type(view).__name__}, not the game's View"
            through_json(view)
    for move in played.moves:
        through_json(move)
    for event in (event for events in played.events for event in events):
        assert type(event) in played.game.EVENTS, f"{type(event).__name__} is not in EVENTS"
        through_json(event)
        assert is_sentence(event.sentence), f"not a sentence: {event.sentence!r}"
        assert "Player" not in named(event.sentence, ("Ann", "Bob")), (
            f"a player is named otherwise than by player(seat) in {event.sentence!r}"
        )


@law
def a_code_tells_the_whole_game(played: RandomGame, rng: Random) -> None:
    """A game written as a code is the same game when it is read, whatever the order, the case and the blanks."""

    def find(game_id: str) -> AnyGame:
        assert game_id == played.game.INFO.id, f"the code names the game {game_id!r}"
        return played.game

    code = played.code
    assert re.fullmatch(r"[!-~]+", code), f"{code!r} is not printable ASCII without spaces"
    reread = parse_code(code, find)
    assert (reread.options, reread.moves) == (played.options, played.moves), "a code is read as other moves"
    read = [(ply.state, ply.events) for ply in reread.plies]
    assert read == list(zip(played.states[1:], played.events, strict=True)), "a code is read as another game"
    assert reread.code() == code, "a code that was read is written otherwise"
    settings = list(played.options.texts().items())
    rng.shuffle(settings)
    loose = ",".join(f"{key}={value}" for key, value in settings).upper()
    head, slash, line = code.partition("/")
    written = head.split(":")[0].upper() + (f":{loose}" if loose else "") + slash + line.upper()
    again = parse_code(f" {written}\n", find)
    assert again.code() == code, f"{written!r} is not read as the same"


@law
def a_session_plays_the_same_game(played: RandomGame, rng: Random) -> None:
    """Typed move by move, a game runs as it was played."""
    session = Session(played.game, played.options)
    for count, move in enumerate(played.moves):
        text = played.game.format_move(move)
        assert session.state == played.states[count], f"the state before {text!r} is another"
        listed = list(played.game.legal_moves(session.view(session.turn)))
        assert list(session.legal_moves()) == listed, "a session lists other moves"
        assert session.type(text) == played.events[count], f"{text!r} had another effect when it was typed"
        assert session.stamp == count + 1, f"{text!r} was not counted"
    assert (session.state, session.outcome) == (played.states[-1], played.states[-1].outcome), (
        "the same moves, made one by one in a session, ended otherwise"
    )
    assert session.code() == played.code, f"its code is {session.code()}"


@law
def nothing_leaks(played: RandomGame, rng: Random) -> None:
    """A player is told the same in every world that this player cannot rule out."""
    game = played.game
    for state in played.states:
        for seat in SEATS_AND_SPECTATOR:
            world = game.worlds(game.view(state, seat), Rng(rng.getrandbits(64)))
            assert isinstance(world, game.State), f"worlds gives a {type(world).__name__}, not a State"
            assert game.view(world, seat) == game.view(state, seat), "a world looks different from what was seen"
            if game.INFO.hidden:
                texts = texts_of(played, rng, 8)
                told, told_there = sent(game, state, seat, texts), sent(game, world, seat, texts)
                for here, there in zip_longest(told, told_there):
                    assert here == there, (
                        f"{_who(seat)} is told what is secret: {here}, but {there} where something else is hidden. "
                        "A move that brings it to light needs an event with reveals = True"
                    )
            else:
                assert world == state, "a game that hides nothing has one world; is INFO.hidden missing?"


def worlds_differ(played: RandomGame, rng: Random) -> bool:
    """Some seat in this game has two possible worlds."""
    game = played.game
    for state in played.states:
        for seat in SEATS_AND_SPECTATOR:
            view = game.view(state, seat)
            worlds = [game.worlds(view, Rng(rng.getrandbits(64))) for _ in range(4)]
            if any(world != worlds[0] for world in worlds):
                return True
    return False


def _who(seat: Seat | None) -> str:
    return "a spectator" if seat is None else player(seat)


def sent(game: AnyGame, state: Position, seat: Seat | None, texts: list[str], further: int = 1) -> list[object]:
    """Everything a seat is told in a position: its view, the legal moves, the refusals, and the events of secret moves.

    Events that reveal something are left out, as they may differ between two worlds.
    """
    view = game.view(state, seat)
    told: list[object] = [view.model_dump_json(), [game.format_move(move) for move in game.legal_moves(view)]]
    for text in texts:
        for asker in SEATS if seat is None else (seat,):
            answer = attempt(game, state, asker, text)
            if isinstance(answer, MoveError):
                told.append((text, type(answer), answer.sentence, answer.blockers))
            else:
                told.append((text, [event.model_dump_json() for event in answer if not event.reveals]))
    if further and state.turn is not None:
        for move in game.legal_moves(view)[:2]:
            after, events = game.apply(state, state.turn, move)
            if not any(event.reveals for event in events):
                told += [event.model_dump_json() for event in events if seat != state.turn]
                told += sent(game, after, seat, texts, further - 1)
    return told
