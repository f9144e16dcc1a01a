"""Sequence Duel, solved as Snort on a path or a ring: private numbers are counted, contested runs are searched.

A position is cut into runs, and a search over sums of runs finds the winner (`snort`). Its cost grows 1.2-fold with
every contested number, since more sums occur that differ only in who gets the last small move. On lines and rings of 54
numbers and more, positions up to the third claim are looked up (`claim_table`). Then with 60 numbers the verdict takes
4 ms in the median and 60 ms at the 99th percentile, and all moves take 0.4 s in the hardest of 500 (CPU, where a plain
loop of 100,000 turns takes 2.2 ms). So the moves are reported one by one.

Some verdicts need no search: the first player on a line takes the middle and answers every claim with its mirror image,
the second player on an even ring takes the number opposite, and in general a player wins who can answer each claim with
its match (the literature on Snort calls such boards opposable). Neither do the moves of a lost position: all of them
lose.

Turns are counted (`turn_count`) if no claim leaves more than `COUNTED` numbers contested. That limit depends neither on
a clock nor on what is in memory, so a position always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from duelbox.core.model import Seat, other, player
from duelbox.games.sequence_duel.rules import View
from duelbox.games.sequence_duel.solve import claim_table, snort, turn_count
from duelbox.games.sequence_duel.solve import reasons as sequence_reason
from duelbox.games.sequence_duel.solve.line import Stretches, line_of
from duelbox.games.sequence_duel.solve.snort import flipped
from duelbox.solve.api import Analysis, Instead, Rated, Reason, Stop
from duelbox.solve.rating import Sign, analysis_from, best_first, rated

COUNTED = 20  # the most contested numbers with which turns are counted: some 20 ms for all first moves on a line of 20

ANSWERED = 30  # the most contested numbers with which answers are worked out

STEPS = 500  # search steps between two analyses while moves are being rated: some 5 ms

NO_CLAIM = 0  # the claim of a reason that recommends none

_Key = tuple[int, int, snort.Sum]


def forget() -> None:
    """Clear the memory."""
    snort.forget()
    turn_count.forget()


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict and its reason, then with the moves as they are rated, then with the turns."""
    return solve(_line(view), view.mover, stop)


def wins(view: View, stop: Stop) -> bool:
    """True if the player to move wins. The first player copies from the middle of a line; on a ring all first claims
    are alike."""
    line, search = _line(view), snort.Search(stop.check)
    if not line.untouched:
        return _won(line.runs, line, search)
    if not line.ring or line.copied() is not None:
        return not line.ring
    return not _won(tuple(map(flipped, line.after(1).runs)), line, search)


def _won(runs: snort.Sum, line: Stretches, search: snort.Search) -> bool:
    """True if Left, moving first, wins these runs of a line: looked up, or searched."""
    known = claim_table.wins(runs, line.size, line.ring)
    return search.wins(0, runs) if known is None else known


def wide(view: View) -> bool:
    """True if rating every answer to every claim would take seconds."""
    return len(_line(view).contested) > ANSWERED


def _line(view: View) -> Stretches:
    """The line for the player to move."""
    owner = {number: 1 if at % 2 == view.turn else -1 for at, number in enumerate(view.picks)}
    return line_of(view.options.size, view.options.ring, owner)


def partners(view: View) -> tuple[dict[str, str], bool]:
    """The matches of a lost line: contested numbers with contested ones, safe with safe."""
    line = _line(view)
    matches = line.copied()
    if matches is None:
        return {}, False
    pairs = [pair for match in matches for pair in zip(*match, strict=True)]
    pairs += [pair[::-1] for pair in pairs] + list(zip(line.private, line.turned().private, strict=False))
    return {str(one): str(two) for one, two in pairs}, True


def solve(line: Stretches, turn: Seat, stop: Stop) -> Iterator[Analysis]:
    """The same for any line on which the player to move has a claim."""
    return _Solution(turn, line, snort.Search(stop.check)).analyses()


def refuted(view: View, move: str, stop: Stop) -> Instead:
    """The answer to a losing claim, and what it takes."""
    return _Solution(view.mover, _line(view), snort.Search(stop.check)).refuted(move)


def counted(line: Stretches) -> bool:
    """True if the solver counts turns after the claims of the player to move."""
    return _few_contested(map(line.after, line.choices))


def _few_contested(after: Iterable[Stretches]) -> bool:
    return max(len(line.contested) for line in after) <= COUNTED


@dataclass
class _Solution:
    """The analysis of one position; Left is the player to move."""

    turn: Seat
    line: Stretches
    search: snort.Search
    known: dict[_Key, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.after = {number: self.line.after(number) for number in self.line.choices}
        self.keys = {number: _key(line) for number, line in self.after.items()}
        self.them = player(other(self.turn))

    def analyses(self) -> Iterator[Analysis]:
        """The verdict, then all moves, then their turns."""
        self.search.check()
        plain = sequence_reason.plain(self.line, self.after, self.them)
        wins = self._wins() if plain is None else plain[0]
        sign: Sign = 1 if wins else -1
        first = int(plain[1].advised or NO_CLAIM) if plain else self._hopeful(self.after, wins)
        reason = plain[1] if plain else self._early(wins, first)
        known = [rated(str(first), 1, None)] if wins and first != NO_CLAIM else []
        yield analysis_from(self.turn, sign, None, known, reason.sentence, complete=False)
        moves: list[Rated] = []
        for moves in self._rated(wins, first):
            yield analysis_from(self.turn, sign, None, moves, reason.sentence, complete=False)
        if _few_contested(self.after.values()):
            moves = self._counted(moves)
        right = [one.move for one in best_first(moves) if one.verdict == "win"]
        wrong = [one.move for one in moves if one.verdict == "loss"]
        if wins:
            balance = sequence_reason.winning(self.line, right, wrong, self.them, self.refuted)
            reason = balance if plain is None else replace(reason, instead=balance.instead)
            reason = sequence_reason.held_back(reason, self.line, right, wrong)
        elif plain is None:
            reason = self._lost([int(one.move) for one in best_first(moves)])
        yield analysis_from(self.turn, sign, _plies(moves, sign), moves, reason)

    def _rated(self, wins: bool, first: int) -> Iterator[list[Rated]]:
        """The moves rated so far, now and then, and finally all: `first`, then the promising ones."""
        signs: dict[int, Sign] = {}
        steps = self.search.nodes
        for number in sorted(_ranked(self.after), key=lambda number: number != first):
            self.search.check()
            signs[number] = 1 if wins and self._keeps(self.after[number]) else -1
            if self.search.nodes - steps > STEPS or len(signs) == len(self.after):
                steps = self.search.nodes
                yield [rated(str(one), signs[one], None) for one in self.after if one in signs]

    def _wins(self) -> bool:
        if self.line.untouched:
            return self._keeps(self.after[1])  # on a ring all first claims are alike; a line has a plain reason
        return _won(self.line.runs, self.line, self.search)

    def _keeps(self, line: Stretches) -> bool:
        """True if a claim that leaves this line to the opponent wins."""
        key = _key(line)
        if key not in self.known:
            self.known[key] = not _won(tuple(map(flipped, line.runs)), line, self.search)
        return self.known[key]

    def _hopeful(self, after: dict[int, Stretches], wins: bool) -> int:
        """The claim that leaves most on average; of winning claims, one that shows it without a search."""
        ranked = _ranked(after)
        shown = (one for one in ranked if not wins or snort.shown(map(flipped, after[one].runs)) is False)
        return next(shown, None) or next(one for one in ranked if self._keeps(after[one]))

    def _answers(self, line: Stretches) -> list[tuple[int, int]]:
        """Every claim of a lost line with one that wins after it, with few different ones."""
        if len(line.contested) > ANSWERED:
            return []
        turned = line.turned()
        ranked = _ranked({number: turned.after(number) for number in turned.choices})
        replied = {claim: line.after(claim).turned() for claim in line.choices}
        answer_to: dict[int, int] = {}
        for claim, then in replied.items():
            answer_to[claim] = self._first_to_win(then, ranked)
            ranked.sort(key=lambda number: number != answer_to[claim])  # a claim that has won once is tried first
        often = sorted(set(answer_to.values()), key=lambda number: -list(answer_to.values()).count(number))
        for claim, then in replied.items():
            answer_to[claim] = self._first_to_win(then, often)
        return list(answer_to.items())

    def _first_to_win(self, line: Stretches, numbers: Sequence[int]) -> int:
        return next(number for number in numbers if number in line.choices and self._keeps(line.after(number)))

    def _early(self, wins: bool, first: int) -> Reason:
        """The reason before all claims are rated."""
        if wins:
            return Reason(f"Claim {first}.")
        return Reason("Every claim loses.")

    def _lost(self, claims: Sequence[int]) -> Reason:
        """The reason of a lost line after a search, by the answers to these claims."""
        answers = self._answers(self.line)
        if not answers:
            turned = self.after[claims[0]].turned()
            answers = [(claims[0], self._hopeful({reply: turned.after(reply) for reply in turned.choices}, True))]
        return sequence_reason.losing(self.line, claims[0], answers, self.them)

    def refuted(self, claim: str) -> Instead:
        """The winning answer to a losing claim after which the opponent leads most."""
        turned = self.after[int(claim)].turned()
        ranked = sorted(turned.choices, key=lambda reply: -sequence_reason.lead(turned.after(reply)))
        reply = next(reply for reply in ranked if self._keeps(turned.after(reply)))
        return sequence_reason.answered(self.line, int(claim), reply, self.them)

    def _counted(self, moves: Sequence[Rated]) -> list[Rated]:
        """The moves with their turns."""
        count = turn_count.TurnCount(self.search)
        plies = {key: count.plies(*key) + 1 for key in dict.fromkeys(self.keys.values())}
        return [replace(move, plies=plies[self.keys[int(move.move)]]) for move in moves]


def _ranked(after: dict[int, Stretches]) -> list[int]:
    """Claims by the mean that they leave, best first."""
    return sorted(after, key=lambda number: -snort.mean(after[number].runs))


def _key(line: Stretches) -> _Key:
    """The position for the rival as Left: private numbers of both, and contested runs."""
    return turn_count.sorted_out(map(flipped, line.runs))


def _plies(moves: Sequence[Rated], sign: Sign) -> int | None:
    """Turns to the end: the winner hurries, the loser delays."""
    counts = [move.plies for move in moves if move.plies is not None and (sign < 0 or move.verdict == "win")]
    return (min(counts) if sign > 0 else max(counts)) if counts else None


# -- what a position comes to


def essence(view: View) -> Hashable:
    """For each piece, the players who may claim its numbers: both (b), the mover (m), the opponent (o)."""
    mine, theirs = set(view.open_to(view.mover)), set(view.open_to(view.rival))
    kinds = [
        "b" if one in mine and one in theirs else "m" if one in mine else "o" if one in theirs else " "
        for one in view.numbers
    ]
    if view.options.ring:
        if " " not in kinds:
            return "ring", len(kinds)
        at = kinds.index(" ")
        kinds = kinds[at:] + kinds[:at]
    pieces = ["".join(piece) for empty, piece in groupby(kinds, lambda kind: kind == " ") if not empty]
    return tuple(sorted(min(piece, piece[::-1]) for piece in pieces))
