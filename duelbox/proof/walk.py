"""The walk in which a person proves that a side wins: only positions where an answer can be wrong are asked.

A walk is a frozen state of steps; all else follows from it, and is worked out again when it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from duelbox.core.model import Model, Seat, other, player
from duelbox.proof.api import NoProof
from duelbox.proof.checker import Failed
from duelbox.proof.deal import Deal, Spot, deal_of
from duelbox.proof.line import Proof
from duelbox.proof.rules import Rule, broken, parse_rule
from duelbox.proof.trace import Trace, replies
from duelbox.proof.writer import Claim, write_proof
from duelbox.solve.api import Stop

Kind = Literal["side", "answer", "rule"]
MOST_SAVED = 99
"""Questions that a rule saves are counted up to here."""


class Step(Model):
    """A side that was chosen, an answer, or a rule that was claimed, and what came of it."""

    kind: Kind
    at: tuple[str, ...]
    """The moves after the code at which the step was made."""
    text: str
    """The side (1 or 2), the move, or the rule as typed."""
    right: bool
    sentence: str = ""
    """The outcome in a sentence; empty for a right answer."""
    line: tuple[str, ...] = ()
    """The moves after `at` that refute it; empty if it is right."""
    closed: int = 0
    """The opponent's first moves that a rule closed at once."""
    saved: int = 0
    """The questions that a rule made needless, counted up to MOST_SAVED."""

    @property
    def saved_in_words(self) -> str:
        """The questions that a rule made needless: "1 question", "11 questions", "99 questions or more"."""
        if self.saved == 1:
            return "1 question"
        if self.saved >= MOST_SAVED:
            return f"{MOST_SAVED} questions or more"
        return f"{self.saved} questions"


class Walk(Model):
    """A proof in the making: a code, and the steps so far."""

    code: str
    steps: tuple[Step, ...] = ()

    @property
    def side(self) -> Seat | None:
        """The side that is proved to win; None until the right one is chosen."""
        for step in self.steps:
            if step.kind == "side" and step.right:
                return 1 if step.text == "2" else 0
        return None

    @property
    def last(self) -> Step | None:
        """The last step."""
        return self.steps[-1] if self.steps else None

    @property
    def right(self) -> tuple[Step, ...]:
        """The right answers, in the order in which they were given."""
        return tuple(step for step in self.steps if step.kind == "answer" and step.right)

    @property
    def wrong(self) -> int:
        """The number of wrong answers."""
        return sum(step.kind == "answer" and not step.right for step in self.steps)

    @property
    def rules(self) -> tuple[Step, ...]:
        """The rules that held."""
        return tuple(step for step in self.steps if step.kind == "rule" and step.right)

    def then(self, step: Step) -> Walk:
        """The walk with one more step."""
        return self.changed(steps=(*self.steps, step))


@dataclass(frozen=True)
class Stage:
    """All there is to see of a walk whose side is chosen."""

    at: tuple[str, ...] | None
    """The moves after the code to the position that is asked; None if the proof is done."""
    choices: tuple[str, ...]
    """The moves that may be answered there."""
    first: str | None
    """The first move of the claimed side, if it begins and has made it."""
    replies: tuple[str, ...]
    """The opponent's first moves, in number order."""
    closed: tuple[str, ...]
    """Those of them that are closed."""
    now: str | None
    """The one of them that is being tried."""
    row: tuple[str, ...]
    """The answers to the opponent's first moves, in their order: "1-2", "2-1", "4-?"; none where a rule answers."""
    lines: tuple[tuple[str, ...], ...]
    """The games that played themselves out since the last question, as moves after the code."""
    positions: int
    """The positions met so far, up to symmetry."""

    @property
    def done(self) -> bool:
        """True if nothing is left open."""
        return self.at is None


def begin(code: str) -> Walk:
    """The walk through a position; raises NoProof and CodeError."""
    return Walk(code=deal_of(code).session.code())


def choose(walk: Walk, side: Seat, stop: Stop | None = None) -> Walk:
    """Claim a side: the walk goes on if it wins, and otherwise the step tells the game that refutes it."""
    deal = deal_of(walk.code)
    stop = stop or Stop()
    winner = deal.winner(deal.root, stop)
    text = str(side + 1)
    if winner == side:
        return walk.then(Step(kind="side", at=(), text=text, right=True))
    line = tuple(_best_line(deal, deal.root, stop))
    sentence = f"{player(side)} cannot win this: {' '.join(line)}. {_ending(deal, deal.root, line)}"
    return walk.then(Step(kind="side", at=(), text=text, right=False, sentence=sentence, line=line))


def look(walk: Walk, stop: Stop | None = None) -> Stage:
    """The stage of a walk; raises NoProof if no side is chosen, and Stopped."""
    return _stage(_traced(walk, stop))


def answer(walk: Walk, text: str, stop: Stop | None = None) -> Walk:
    """Answer the question with a move as typed; raises MoveError if it is illegal, and NoProof without a question."""
    stop = stop or Stop()
    deal = deal_of(walk.code)
    stage, spot = _question(walk, stop)
    game = deal.game
    move = game.parse_move(spot.view, text)
    game.apply(spot.view, spot.view.turn, move)
    chosen = game.format_move(move)
    right = deal.right(spot, stop)
    if chosen in right:
        return walk.then(Step(kind="answer", at=stage, text=chosen, right=True))
    line = (chosen, *_best_line(deal, deal.next(spot)[chosen], stop))
    sentence = f"{chosen} loses: {_told(spot.view.rival, line[1:])} {_ending(deal, spot, line)}"
    return walk.then(Step(kind="answer", at=stage, text=chosen, right=False, sentence=sentence, line=line))


def claim(walk: Walk, text: str, stop: Stop | None = None) -> Walk:
    """Claim a rule as typed, such as "pairs 1-2 4-5"; raises NoProof if it is none or nobody can tell.

    It may also hold after an answer to the question, which is then given with it.
    """
    stop = stop or Stop()
    deal = deal_of(walk.code)
    at, question = _question(walk, stop)
    spots = _waiting(deal, at, walk.side)
    places = [("", path, spot) for path, spot in spots]
    for move in deal.right(question, stop):
        after = deal.next(question)[move]
        if after.view.turn is not None:
            places.append((move, (*at, move), after))
    for move, path, spot in places:
        rule = _holding(deal, spot, parse_rule(text, deal.proving, spot.view))
        if rule is None:
            continue
        sentence = f"That holds: {rule.typed}."
        if move:
            walk = walk.then(Step(kind="answer", at=at, text=move, right=True))
            sentence = f"That holds once you answer {move}: {rule.typed}."
        step = Step(kind="rule", at=path, text=rule.text, right=True, sentence=sentence)
        return _counted(walk, step, rule, spot, stop)
    if not spots:
        raise NoProof("A rule answers your opponent: make your first pick, then claim it.")
    path, spot = spots[-1]
    rules = parse_rule(text, deal.proving, spot.view)
    if rules[0].lemma.mapped:
        path, spot = spots[0]  # a map is meant from the first pick on
    line, why = broken(deal, spot, rules)
    if not line:
        raise NoProof("I cannot see that yet: go on answering.")
    sentence = f"That does not hold: after {' '.join((*path, *line))}, {why}"
    return walk.then(Step(kind="rule", at=path, text=rules[0].text, right=False, sentence=sentence, line=line))


def undo(walk: Walk) -> Walk:
    """Take the last right step back, and the refutations after it; wrong answers stay counted."""
    for place in reversed(range(len(walk.steps))):
        if walk.steps[place].right:
            return walk.changed(steps=(*walk.steps[:place], *walk.steps[place + 1 :]))
    return walk


def anew(walk: Walk) -> Walk:
    """The walk with the side chosen and nothing answered, for another first pick."""
    return walk.changed(steps=tuple(step for step in walk.steps if step.kind == "side"))


def proof_of(walk: Walk, stop: Stop | None = None) -> Proof:
    """The proof of a walk that is done; raises NoProof, also if it would be too long to check."""
    trace = _traced(walk, stop)
    if trace.asked is not None or walk.side is None:
        raise NoProof("This proof is not finished yet.")
    deal = deal_of(walk.code)

    def answered(view: Any) -> Any:
        spot = deal.spot(view)
        number = spot.number_of(trace.answers[spot.shape])
        return deal.game.parse_move(view, str(number))

    def claimed(view: Any) -> Claim | None:
        spot = deal.spot(view)
        rule = trace.claims.get(spot.shape)
        if rule is None:
            return None
        return Claim(rule.lemma, spot.unshaped(rule.images))

    try:
        return write_proof(walk.code, walk.side, answered, claimed)
    except Failed as failed:
        raise NoProof(f"There is no line of this proof: {failed.fault}") from None


# -- the walk, worked out


def _traced(walk: Walk, stop: Stop | None) -> Trace:
    if walk.side is None:
        raise NoProof("Choose your side first.")
    deal = deal_of(walk.code)
    rules = [parse_rule(step.text, deal.proving, deal.root.view)[0] for step in walk.rules]
    given: dict[tuple[Any, ...], int] = {}
    for step in walk.right:
        spot = deal.after(step.at)
        if spot is not None and step.text in deal.next(spot):
            given[spot.shape] = spot.image[int(step.text)]
    last = walk.right[-1].at if walk.right else None
    trace = Trace(deal, walk.side, given, rules, stop or Stop())
    trace.walk(last)
    return trace


def _stage(trace: Trace) -> Stage:
    """The stage at a question, or at the end."""
    deal = trace.deal
    spot = deal.root
    first: str | None = None
    depth = 0
    if spot.view.turn == trace.side and spot.shape in trace.answers:
        first = str(spot.number_of(trace.answers[spot.shape]))
        spot = deal.next(spot)[first]
        depth = 1
    replies: tuple[str, ...] = ()
    if spot.view.turn == other(trace.side):
        replies = tuple(deal.next(spot))
    closed = replies
    now = None
    choices: tuple[str, ...] = ()
    if trace.asked is not None:
        closed = ()
        question = deal.after(trace.asked)
        assert question is not None
        choices = tuple(deal.next(question))
        if len(trace.asked) > depth:
            now = trace.asked[depth]
            closed = replies[: replies.index(now)]
    row = [_answer_to(trace, spot, reply) for reply in closed]
    if now is not None:
        row.append(_answer_to(trace, spot, now) or f"{now}-?")
    row = [one for one in row if one]
    return Stage(trace.asked, choices, first, replies, closed, now, tuple(row), tuple(trace.lines), len(trace.met))


def _answer_to(trace: Trace, spot: Spot, reply: str) -> str:
    """A first move of the opponent with its answer: "1-2"; empty if it has none."""
    after = trace.deal.next(spot)[reply]
    number = trace.answers.get(after.shape)
    if number is None:
        return ""
    return f"{reply}-{after.number_of(number)}"


def _question(walk: Walk, stop: Stop) -> tuple[tuple[str, ...], Spot]:
    """The position that is asked; raises NoProof if nothing is."""
    at = _traced(walk, stop).asked
    if at is None:
        raise NoProof("Nothing is left to answer: it is proved.")
    spot = deal_of(walk.code).after(at)
    assert spot is not None
    return at, spot


def _waiting(deal: Deal, at: tuple[str, ...], side: Seat | None) -> list[tuple[tuple[str, ...], Spot]]:
    """The positions on the way to a question in which the opponent is to move."""
    waiting = []
    for length in range(len(at)):
        spot = deal.after(at[:length])
        assert spot is not None
        if spot.view.turn != side:
            waiting.append((at[:length], spot))
    return waiting


def _holding(deal: Deal, spot: Spot, rules: Sequence[Rule]) -> Rule | None:
    """The first of these rules that holds in a position of the opponent."""
    for rule in rules:
        if deal.held(spot, rule.lemma, rule.images) is not None:
            return rule
    return None


def _counted(walk: Walk, step: Step, rule: Rule, spot: Spot, stop: Stop) -> Walk:
    """The walk with a rule that holds, and what it closed and saved."""
    before = look(walk, stop)
    after = look(walk.then(step), stop)
    closed = len(after.closed) - len(before.closed)
    return walk.then(step.changed(closed=closed, saved=_saved(deal_of(walk.code), spot, rule, walk, stop)))


def _saved(deal: Deal, start: Spot, rule: Rule, walk: Walk, stop: Stop) -> int:
    """The questions that would have been asked if the rule's own answers had been typed, up to MOST_SAVED."""
    given = {spot.shape for spot in (deal.after(step.at) for step in walk.right) if spot is not None}
    met: set[tuple[Any, ...]] = set()
    saved = 0
    stack = [start]
    while stack and saved < MOST_SAVED:
        spot = stack.pop()
        if spot.view.turn is None or spot.shape in met:
            continue
        met.add(spot.shape)
        for move, after in deal.next(spot).items():
            if after.view.turn is None or after.shape in met:
                continue
            met.add(after.shape)
            right = deal.right(after, stop)
            if len(right) < len(deal.next(after)) and after.shape not in given:
                saved += 1
            reply = str(rule.lemma.reply(spot.view, deal.held(spot, rule.lemma, rule.images) or {}, int(move)))
            if reply not in right:
                reply = right[0]
            stack.append(deal.next(after)[reply])
    return min(saved, MOST_SAVED)


# -- refutations


def _best_line(deal: Deal, spot: Spot, stop: Stop) -> list[str]:
    """A game to its end in which the winner wins soon: they leave the fewest replies, the loser as many as can be."""
    line: list[str] = []
    while spot.view.turn is not None:
        following = deal.next(spot)
        moves = deal.right(spot, stop)
        if moves:
            move = min(moves, key=lambda move: replies(deal, following[move]))
        else:
            move = max(following, key=lambda move: replies(deal, following[move]))
        line.append(move)
        spot = following[move]
    return line


def _told(seat: Seat, line: Sequence[str]) -> str:
    """The moves of a refutation in words: who answers what."""
    if len(line) == 1:
        return f"{player(seat)} picks {line[0]}."
    return f"{player(seat)} picks {line[0]} and wins after {' '.join(line[1:])}."


def _ending(deal: Deal, start: Spot, line: Sequence[str]) -> str:
    """The reason why the game is over after these moves."""
    spot = deal.after(line, start)
    assert spot is not None
    reason: str = spot.view.outcome.reason
    return reason
