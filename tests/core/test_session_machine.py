"""A session used in any order always equals one that plays its moves from the start."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from duelbox.core.code import parse_code
from duelbox.core.errors import CannotUndo, DuelboxError, GameOver, MoveError, NotYourTurn
from duelbox.core.model import other
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.record_reader import open_record
from duelbox.core.session import By, Session
from duelbox.registry import find_game
from duelbox.testing.laws import NASTY_TEXTS, SEATS_AND_SPECTATOR, is_sentence, plain
from tests.effort import tries
from tests.house_rules import GAME_IDS, house_rules
from tests.positions import NOON

CUTS: dict[str, By] = {"resigns": "resignation", "draw agreed": "agreement", "claims the game": "claim"}


class SessionMachine(RuleBasedStateMachine):
    """A model beside the session: the turns as text, and the number of undone ones."""

    game_id = ""

    @initialize(rng=st.randoms(use_true_random=False))
    def begin(self, rng: Random) -> None:
        self.game = find_game(self.game_id)
        self.options = house_rules(self.game_id, rng)
        self.session = Session(self.game, self.options, ("Ann", "Player 1"))
        self.turns: list[tuple[int, str]] = []
        self.undone: list[tuple[int, str]] = []
        self.stamp = 0

    def took(self, seat: int, text: str) -> None:
        self.turns.append((seat, text))
        self.undone.clear()
        self.stamp += 1

    @property
    def cut_short(self) -> bool:
        return bool(self.turns) and self.turns[-1][1] in CUTS

    # -- what players do

    @precondition(lambda self: self.session.turn is not None)
    @rule(rng=st.randoms(use_true_random=False))
    def play(self, rng: Random) -> None:
        seat = self.session.turn
        move = rng.choice(self.session.legal_moves())
        text = self.game.format_move(move)
        foreseen = self.session.preview(text)
        assert self.session.stamp == self.stamp, "to ask is not to play"
        if rng.randrange(2):
            events = self.session.type(text)
            assert events == self.session.plies[-1].events
            assert foreseen == (None if self.game.INFO.hidden else (self.session.state, events))
        else:
            self.session.play(move, rng.choice((None, seat)))
        self.took(seat, text)

    @precondition(lambda self: self.session.turn is not None)
    @rule(text=st.sampled_from(NASTY_TEXTS) | st.text(max_size=4))
    def type_nonsense(self, text: str) -> None:
        legal = {self.game.format_move(move) for move in self.session.legal_moves()}
        if plain(text) in legal:
            return
        with pytest.raises(MoveError) as refused:
            self.session.type(text)
        assert is_sentence(refused.value.sentence)

    @precondition(lambda self: self.session.turn is not None)
    @rule()
    def play_out_of_turn(self) -> None:
        with pytest.raises(NotYourTurn):
            self.session.play(self.session.legal_moves()[0], other(self.session.turn))

    @precondition(lambda self: self.session.turn is not None)
    @rule(seat=st.sampled_from([None, 0, 1]))
    def resign(self, seat: Any) -> None:
        loser = self.session.turn if seat is None else seat
        self.session.resign(seat)
        self.took(loser, "resigns")
        assert self.session.outcome.winner == other(loser)
        assert self.session.outcome.reason == f"Player {loser + 1} resigned."

    @precondition(lambda self: self.session.turn is not None)
    @rule(seat=st.sampled_from([0, 1]))
    def claim(self, seat: Any) -> None:
        self.session.cut("claim", seat)
        self.took(seat, "claims the game")
        assert self.session.outcome.winner == seat

    @precondition(lambda self: self.session.turn is not None)
    @rule()
    def agree_on_a_draw(self) -> None:
        turn = self.session.turn
        if not self.game.INFO.may_be_drawn:
            with pytest.raises(DuelboxError, match="always has a winner"):
                self.session.cut("agreement")
            return
        self.session.cut("agreement")
        self.took(turn, "draw agreed")
        assert self.session.outcome.winner is None

    @precondition(lambda self: self.session.turn is None)
    @rule(seat=st.sampled_from([None, 0, 1]), text=st.sampled_from(["1", "+2", "1x1", "x"]))
    def play_after_the_end(self, seat: Any, text: str) -> None:
        for forbidden in (lambda: self.session.type(text), lambda: self.session.resign(seat)):
            with pytest.raises(GameOver, match="The game is over"):
                forbidden()

    @rule()
    def undo(self) -> None:
        why = self.session.why_no_undo()
        hidden = self.game.INFO.hidden
        if not self.turns:
            assert why == "Nothing has been played yet."
        elif hidden and "x" in self.turns[-1][1]:
            assert "revealed" in why
        elif hidden and self.session.outcome is not None:
            assert "hands are known" in why
        else:
            assert why is None
        if why is None:
            self.session.undo()
            self.undone.append(self.turns.pop())
            self.stamp += 1
        else:
            with pytest.raises(CannotUndo) as refused:
                self.session.undo()
            assert (refused.value.sentence, is_sentence(why)) == (why, True)

    @rule()
    def redo(self) -> None:
        assert self.session.can_redo == bool(self.undone)
        if self.undone:
            self.session.redo()
            self.turns.append(self.undone.pop())
            self.stamp += 1
        else:
            with pytest.raises(CannotUndo, match="Nothing has been undone"):
                self.session.redo()

    @rule(rounds=st.integers(1, 3), first=st.sampled_from([1, 2]))
    def save_and_open(self, rounds: int, first: Any) -> None:
        """The opened game equals the saved one, without the undone turns."""
        one = recorded_round(self.session, first, 0, NOON, NOON)
        names = self.session.names if first == 1 else self.session.names[::-1]
        players = (PlayerInfo(name=names[0]), PlayerInfo(name=names[1]))
        record = Record(game=self.game_id, players=players, rounds=rounds, first=first, played=(one,))
        opened = open_record(record.to_json(), find_game)
        assert (opened.record, opened.error) == (record, None)
        (session,) = opened.sessions
        assert (session.state, session.outcome, session.names) == (
            self.session.state,
            self.session.outcome,
            self.session.names,
        )
        assert (session.plies, session.code()) == (self.session.plies, self.session.code())
        self.session, self.stamp = session, session.stamp
        self.undone.clear()

    # -- what is always so

    @invariant()
    def it_is_what_its_moves_make_it(self) -> None:
        state = self.game.start(self.options)
        for seat, text in self.turns:
            if text not in CUTS:
                assert state.turn == seat
                state, _ = self.game.apply(state, seat, self.game.parse_move(self.game.view(state, seat), text))
        assert self.session.state == state
        assert self.session.turn == (None if self.cut_short else state.turn)
        assert self.session.cut_short == self.cut_short
        assert (self.session.outcome is None) == (self.session.turn is not None)
        assert list(self.session.legal_moves()) == (
            [] if self.cut_short else list(self.game.legal_moves(self.game.view(state, None)))
        )
        for seat in SEATS_AND_SPECTATOR:
            assert self.session.view(seat) == self.game.view(state, seat)

    @invariant()
    def its_stamp_counts_every_change(self) -> None:
        assert self.session.stamp == self.stamp

    @invariant()
    def its_log_and_code_tell_the_turns(self) -> None:
        over = self.session.outcome is not None
        secret = [self.game.INFO.hidden and "x" not in text and text not in CUTS for _, text in self.turns]
        shown = [
            (seat, "•••" if hide and not over else text) for (seat, text), hide in zip(self.turns, secret, strict=True)
        ]
        assert list(self.session.log()) == shown
        code = self.session.code()
        moves = [text for _, text in self.turns if text not in CUTS]
        assert code.partition("/")[2] == ".".join(moves)
        assert parse_code(code, find_game).state == self.session.state
        if self.game.INFO.hidden and not over:
            with pytest.raises(DuelboxError, match="tells both hands"):
                self.session.public_code()
        else:
            assert self.session.public_code() == code


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_session_under_every_kind_of_use(game_id: str) -> None:
    class Machine(SessionMachine):
        pass

    Machine.game_id = game_id
    run_state_machine_as_test(Machine, settings=settings(max_examples=tries(80), stateful_step_count=30))
