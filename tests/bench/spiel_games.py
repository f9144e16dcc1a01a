"""Two of the duels as Python games for OpenSpiel, which `tests.bench.rivals` sets to solving them."""

from __future__ import annotations

from typing import Any

import pyspiel

TERMINAL, CHANCE = pyspiel.PlayerId.TERMINAL, pyspiel.PlayerId.CHANCE


def _type(name: str, chance: bool) -> Any:
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=name,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )


def _info(actions: int, outcomes: int, longest: int) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=outcomes,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=longest,
    )


class Line(pyspiel.Game):  # type: ignore[misc]
    """Sequence Duel on a line."""

    def __init__(self, size: int) -> None:
        super().__init__(_type(f"duelbox_line_{size}", False), _info(size, 0, size), {})
        self.size = size

    def new_initial_state(self, state: Any = None) -> LineState:
        return LineState(self, self.size)


class LineState(pyspiel.State):  # type: ignore[misc]
    """The claims of both players, as bits."""

    def __init__(self, game: Line, size: int) -> None:
        super().__init__(game)
        self.size, self.turn, self.claims = size, 0, [0, 0]

    def open_numbers(self) -> list[int]:
        theirs = self.claims[1 - self.turn]
        barred = self.claims[0] | self.claims[1] | theirs << 1 | theirs >> 1
        return [number for number in range(self.size) if not barred >> number & 1]

    def current_player(self) -> int:
        return TERMINAL if self.is_terminal() else self.turn

    def _legal_actions(self, player: int) -> list[int]:
        return self.open_numbers()

    def _apply_action(self, action: int) -> None:
        self.claims[self.turn] |= 1 << action
        self.turn = 1 - self.turn

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action + 1)

    def is_terminal(self) -> bool:
        return not self.open_numbers()

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.turn == 0 else [1.0, -1.0]

    def __str__(self) -> str:
        return f"{self.turn} {self.claims}"


def register_line(size: int) -> str:
    """Make a line known to OpenSpiel, and tell the name it is loaded by."""
    game = Line(size)
    pyspiel.register_game(game.get_type(), lambda params=None: Line(size))
    name: str = game.get_type().short_name
    return name


class Duel(pyspiel.Game):  # type: ignore[misc]
    """Number Duel, as what both players know: an attack on a hidden number is an event of chance."""

    def __init__(self, hand: int) -> None:
        super().__init__(_type(f"duelbox_duel_{hand}", True), _info((hand + 1) ** 2, hand + 1, 4 * hand), {})
        self.hand = hand

    def new_initial_state(self, state: Any = None) -> DuelState:
        return DuelState(self, self.hand)


class DuelState(pyspiel.State):  # type: ignore[misc]
    """The hidden and the known numbers of both players; while an attack is under way, its number."""

    def __init__(self, game: Duel, hand: int) -> None:
        super().__init__(game)
        numbers = frozenset(range(1, hand + 1))
        self.base, self.turn, self.attacker = hand + 1, 0, 0
        self.hidden = [numbers, numbers]
        self.known: list[frozenset[int]] = [frozenset(), frozenset()]
        self.result: float | None = None

    def current_player(self) -> int:
        if self.result is not None:
            return TERMINAL
        return CHANCE if self.attacker else self.turn

    def _legal_actions(self, player: int) -> list[int]:
        mine = sorted(self.hidden[self.turn] | self.known[self.turn])
        theirs = [0] * bool(self.hidden[1 - self.turn]) + sorted(self.known[1 - self.turn])
        return [number * self.base + target for number in mine for target in theirs]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        hidden = sorted(self.hidden[1 - self.turn])
        return [(number, 1 / len(hidden)) for number in hidden]

    def _apply_action(self, action: int) -> None:
        if self.attacker:
            self._strike(self.attacker, action)
            return
        number, target = divmod(action, self.base)
        if target:
            self._strike(number, target)
        else:
            self.attacker = number

    def _strike(self, number: int, target: int) -> None:
        me, rival = self.turn, 1 - self.turn
        self.attacker, self.turn = 0, rival
        self.hidden[me], self.known[me] = self.hidden[me] - {number}, self.known[me] - {number}
        self.hidden[rival], self.known[rival] = self.hidden[rival] - {target}, self.known[rival] - {target}
        if target > number:
            self.known[rival] |= {target}
        left = [bool(self.hidden[seat] or self.known[seat]) for seat in (0, 1)]
        if not all(left):
            won = left[me] or (not left[rival] and number > target)
            drawn = not any(left) and number == target
            self.result = 0.0 if drawn else 1.0 if won == (me == 0) else -1.0

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action) if player == CHANCE else "x".join(map(str, divmod(action, self.base)))

    def is_terminal(self) -> bool:
        return self.result is not None

    def returns(self) -> list[float]:
        value = self.result or 0.0
        return [value, -value]

    def __str__(self) -> str:
        hands = [sorted(hand) for hand in (*self.hidden, *self.known)]
        return f"{self.turn} {self.attacker} {hands} {self.result}"
