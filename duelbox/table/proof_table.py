"""A proof at a table: the claim of a side, the questions one after the other, and what plays itself between them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from duelbox.bots import levels_of
from duelbox.core.model import Seat, other
from duelbox.core.news import PositionChanged
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.proof import walk as walks
from duelbox.proof.api import Lemma
from duelbox.proof.checker import proving_of
from duelbox.proof.ladder import RUNGS
from duelbox.proof.walk import Stage, Step, Walk
from duelbox.solve.api import Mark, Stop
from duelbox.table.players import YOU, computer_player
from duelbox.table.prompts import Prompts
from duelbox.table.proof_frames import Frame, frames_between, frames_of_line
from duelbox.table.proof_kept import Answer, mark_of
from duelbox.table.proof_playing import PlayingTable
from duelbox.table.proof_progress import PROOFS, At
from duelbox.table.proof_prompts import prompts_of
from duelbox.table.proof_rule import NamedRule, pairs_of
from duelbox.table.proof_verbs import PROOF_VERBS
from duelbox.table.refusals import Refusals
from duelbox.table.state import TableState
from duelbox.table.verb import Verb

Phase = Literal["side", "playing", "asked", "rule", "refuted", "over", "walked"]
"""The side is chosen, positions play themselves, a question is asked, a rule is named, the claim is refuted by the
other side's win, the proof is done, or one walks through it."""


class ProofTable(PlayingTable[Phase]):
    """A position whose winner is proved: one person answers every number that a machine tries."""

    verbs: ClassVar[Mapping[str, Verb]] = PROOF_VERBS
    playing: Phase = "playing"

    def __init__(self, deal: Session, at: At | None = None, name: str = "") -> None:
        """A position to prove; `at` is its rung if it is on the ladder, else it has a name."""
        self.machine = computer_player(levels_of(deal.game.INFO.id)[-1])
        super().__init__(deal, self._players_at(0), "side")
        self.at_rung = at
        self.name = name
        if at is not None:
            self.name = f"{at.rung.name[0].upper()}{at.rung.name[1:]}"
        self.code = deal.code()
        self.walk: Walk = walks.begin(self.code)
        """The answers so far."""
        self.stage: Stage | None = None
        """The question that is asked, and what is closed; None until the right side is claimed."""
        self.hints = 0
        """The questions at which a hint was asked for."""
        self.undone: list[Walk] = []
        """The walks that undo left, the next one to redo last."""
        self.at_answer = 0
        """The number of the answer that is shown, while one walks through the proof."""
        self.pasted: tuple[Answer, ...] = ()
        """The answers of a proof that was pasted."""
        self.rule: NamedRule | None = None
        """The rule that is being named."""
        self.remember: Callable[[str, str, Mapping[str, Any]], None] = lambda kind, key, value: None
        """Saves an entry of progress."""
        self.next_rung: At | None = None
        """The rung that comes next, once the screen knows what is proved."""
        self._hinted_at: tuple[str, ...] | None = None
        self._sit(0)

    # -- the two sides

    @property
    def side(self) -> Seat:
        """The seat of the person: the side that is claimed, or chosen for now."""
        return self.people[0]

    def _players_at(self, side: Seat) -> tuple[PlayerInfo, PlayerInfo]:
        """The person in this seat, and the machine in the other."""
        person = PlayerInfo(name=YOU)
        if side == 0:
            return person, self.machine
        return self.machine, person

    def _sit(self, side: Seat) -> None:
        self.sit_down(self._players_at(side))
        self.deal.names = self.session.names

    def choose_side(self, side: Seat) -> None:
        """Choose a side for now."""
        self._sit(side)
        self.happened.append(PositionChanged())

    async def claim_side(self, state: TableState) -> None:
        """Claim the chosen side: its first question follows, or the win of the other side."""
        before, side = self.walk, self.side

        def work(stop: Stop) -> Callable[[], None]:
            walk = walks.choose(before, side, stop)
            if walk.side is None:
                return lambda: self._refute_claim(walk)
            stage = walks.look(walk, stop)
            return lambda: self._go_on_to(walk, stage)

        await self.work(work)
        self.show_on(state)

    def _refute_claim(self, walk: Walk) -> None:
        """Show how the other side wins."""
        assert walk.last is not None
        self.walk = walk
        self.play_itself(frames_of_line(self, (), walk.last.line), "refuted")

    async def turn_round(self, state: TableState) -> None:
        """Claim the other side after a refuted claim."""
        self._sit(other(self.side))
        self.lay(())
        await self.claim_side(state)

    # -- going on with a proof that is kept

    def take_up(self, walk: Walk, stage: Stage, hints: int) -> None:
        """Go on with a walk that is kept, at the stage that it has reached."""
        self._sit(walk.side or 0)
        self.walk = walk
        self.stage = stage
        self.hints = hints
        count = len(walk.right)
        stand = "1 answer stands" if count == 1 else f"{count} answers stand"
        self.tell((None, f"You go on where you left: {stand}."))
        self.arrive("over" if stage.done else "asked")

    def keep(self) -> None:
        """Save the walk among the player's progress."""
        if self.walk.side is not None:
            self.remember(PROOFS, self.code, mark_of(self.walk, self.hints, done=self.proved))

    # -- answers

    @property
    def proved(self) -> bool:
        """Everything is closed."""
        return self.stage is not None and self.stage.done

    @property
    def wrong_here(self) -> Sequence[str]:
        """The wrong answers to the question that is asked."""
        asked = self.stage.at if self.stage else None
        return [step.text for step in self.walk.steps if step.kind == "answer" and not step.right and step.at == asked]

    def play(self, move: str) -> Awaitable[None]:
        """Answer the question; raises MoveError."""
        typed = self.game.format_move(self.session.parse(move))
        self.session.preview(typed)
        before = self.walk

        def work(stop: Stop) -> Callable[[], None]:
            walk = walks.answer(before, typed, stop)
            assert walk.last is not None
            if not walk.last.right:
                return lambda: self._refute(walk)
            stage = walks.look(walk, stop)
            return lambda: self._go_on_to(walk, stage)

        return self.work(work)

    def _refute(self, walk: Walk) -> None:
        """Show how a wrong answer loses; the question stays."""
        step = walk.last
        assert step is not None
        self.walk = walk
        frames = frames_of_line(self, step.at, step.line)
        reply = self.line_of((*step.at, *step.line[:2]))[1]
        first = re.split("[:,.]", reply)[0]
        end = "and you cannot move" if len(step.line) == 2 else "and wins from there"
        frames.append(Frame(step.at, (None, f"{step.text} loses: {first}, {end}."), self.closed))
        self.play_itself(frames, "asked")

    def _go_on_to(self, walk: Walk, stage: Stage, *, undone: Sequence[Walk] = ()) -> None:
        """Show what plays itself up to the next question, or up to the end."""
        by_rule = walk.last is not None and walk.last.kind == "rule"
        frames = frames_between(self, self.stage, stage, by_rule=by_rule)
        self.walk = walk
        self.stage = stage
        self.undone = list(undone)
        self.play_itself(frames, "over" if stage.done else "asked")

    @property
    def last_right(self) -> Step | None:
        """The last right answer or rule; None before the first."""
        steps = [step for step in self.walk.steps if step.right and step.kind != "side"]
        return steps[-1] if steps else None

    async def undo_answer(self, state: TableState) -> None:
        """Take the last right answer or rule back; wrong ones and hints still count."""
        step = self.last_right
        assert step is not None
        told = f"{_called(step)} is undone."
        await self._jump_to(state, walks.undo(self.walk), (*self.undone, self.walk), told)

    async def redo_answer(self, state: TableState) -> None:
        """Give the answer again that was taken back."""
        *rest, walk = self.undone
        right = [step for step in walk.steps if step.right]
        await self._jump_to(state, walk, rest, f"{_called(right[-1])} stands again.")

    async def _jump_to(self, state: TableState, walk: Walk, undone: Sequence[Walk], told: str) -> None:
        """Show the question of a walk at once, with a sentence."""

        def jump(stage: Stage | None) -> None:
            self.tell((None, told))
            self.walk = walk
            self.stage = stage
            self.undone = list(undone)
            if stage is None:
                self.arrive("side")
            else:
                self.arrive("over" if stage.done else "asked")

        def work(stop: Stop) -> Callable[[], None]:
            stage = None if walk.side is None else walks.look(walk, stop)
            return lambda: jump(stage)

        await self.work(work)
        self.show_on(state)

    def count_hint(self) -> None:
        """Note that a hint was asked for at this question."""
        asked = self.stage.at if self.stage else None
        if asked != self._hinted_at:
            self._hinted_at = asked
            self.hints += 1
            self.keep()

    # -- the phases

    def arrive(self, phase: Phase) -> None:
        """Show the question, or the end."""
        self.phase = phase
        if phase == "refuted":
            return
        self.lay((self.stage.at if self.stage else None) or ())

    def put_away(self) -> bool:
        """Go back from a rule to its question, or from a walk to the end; False if there is nothing to put away."""
        if self.phase == "playing":
            self.finish_playing()
        elif self.phase == "rule":
            self.arrive("asked")
        elif self.phase == "walked" and not self.pasted:
            self.arrive("over")
        else:
            return False
        return True

    # -- naming a rule

    @property
    def why_no_rule(self) -> str | None:
        """The sentence that says why no rule can be claimed; None if one can."""
        stage = self.stage
        assert stage is not None
        if self.walk.side == self.deal.turn and stage.first is None:
            return "Answer first: a rule answers what your opponent does."
        if getattr(self.deal.options, "trails", "") == "own":
            return "Nobody knows a rule for trails of your own: go on answering."
        return None

    @property
    def further_rules(self) -> Sequence[Lemma]:
        """The rules that can be named next."""
        lemmas = proving_of(self.game).lemmas
        if self.phase != "rule" or self.rule is None:
            return lemmas
        return lemmas[lemmas.index(self.rule.lemma) + 1 :]

    def choose_rule(self) -> None:
        """Begin to name a rule, or go on to the next one, and after the last one back to the question."""
        further = self.further_rules
        if not further:
            self.arrive("asked")
            return
        self.rule = NamedRule(further[0])
        self.phase = "rule"
        assert self.stage is not None
        self.lay(() if self.stage.first is None else (self.stage.first,))

    def step_rule(self, step: int) -> None:
        """Name the next rule, or the one before; pairs that are typed stay."""
        rule = self.rule
        if rule is None or rule.line:
            return
        lemmas = proving_of(self.game).lemmas
        at = lemmas.index(rule.lemma) + step
        if 0 <= at < len(lemmas):
            self.rule = NamedRule(lemmas[at])

    async def name_rule(self, state: TableState) -> None:
        """Claim the rule that is named: it closes what it covers, or the reply that breaks it is shown."""
        assert self.rule is not None
        before, text = self.walk, self.rule.text

        def work(stop: Stop) -> Callable[[], None]:
            walk = walks.claim(before, text, stop)
            assert walk.last is not None
            if not walk.last.right:
                return lambda: self._break_rule(walk)
            stage = walks.look(walk, stop)
            return lambda: self._go_on_to(walk, stage)

        await self.work(work)
        self.show_on(state)

    def _break_rule(self, walk: Walk) -> None:
        """Show the replies after which the rule has no answer; the question stays."""
        step = walk.last
        assert step is not None
        assert self.stage is not None
        self.walk = walk
        frames = frames_of_line(self, step.at, step.line)
        words = step.sentence.partition(", ")[2] or step.sentence
        told = self.session.named(f"The rule breaks: {words}")
        frames.append(Frame(self.stage.at or (), (None, told), self.closed))
        self.play_itself(frames, "asked")

    # -- walking through it

    @property
    def answers(self) -> Sequence[Answer]:
        """The right answers so far, or those of a proof that was pasted."""
        return self.pasted or [(step.at, step.text) for step in self.walk.right]

    def show_answers(self, side: Seat, answers: Sequence[Answer]) -> None:
        """Walk through the proof of somebody else."""
        self._sit(side)
        self.pasted = tuple(answers)
        self.begin_walk()

    def begin_walk(self) -> None:
        """Show the first answer."""
        self.phase = "walked"
        self._show_answer(0)

    def go_through(self, step: int) -> None:
        """Show the next answer, or the one before; after the last one the end."""
        at = self.at_answer + step
        if at >= len(self.answers):
            self.put_away()
        elif at >= 0:
            self._show_answer(at)

    def _show_answer(self, at: int) -> None:
        self.at_answer = at
        self.lay(self.answers[at][0])

    # -- what is closed

    @property
    def replies(self) -> tuple[str, ...]:
        """The first numbers of the machine, in their order."""
        return self.stage.replies if self.stage else ()

    @property
    def closed(self) -> tuple[str, ...]:
        """The first numbers that are closed; while positions play themselves, those that were closed by then."""
        if self.phase == "playing" and self.frame is not None:
            return self.frame.closed
        return self.stage.closed if self.stage else ()

    @property
    def closing(self) -> tuple[str, ...]:
        """The first number that is being tried; none once all are closed."""
        return self.replies[len(self.closed) : len(self.closed) + 1]

    @property
    def still_open(self) -> tuple[str, ...]:
        """The first numbers that come after it."""
        return self.replies[len(self.closed) + 1 :]

    # -- what a table is asked

    @property
    def my_turn(self) -> bool:
        """A question is asked."""
        return self.phase == "asked" and self.working is None

    @property
    def computer_to_move(self) -> bool:
        """False: the machine only tries numbers."""
        return False

    @property
    def to_be_judged(self) -> bool:
        """False: there is no game to look back on."""
        return False

    @property
    def shown(self) -> tuple[Mark, ...]:
        """The pairs of a rule, while it is named and at the end; after a wrong answer the number that refutes it."""
        step = self.walk.last
        if self.phase == "asked" and step is not None and step.text in self.wrong_here:
            return (Mark("border", numbers=tuple(int(reply) for reply in step.line[1:2])),)
        pairs: tuple[tuple[str, str], ...] = ()
        if self.phase == "rule" and self.rule is not None:
            pairs = self.rule.pairs
        elif self.phase == "over" and self.walk.rules:
            pairs = pairs_of(self.walk.rules[-1].text)
        return (Mark("pairs", pairs=pairs),) if pairs else ()

    @property
    def text_to_copy(self) -> str:
        """The line for people, and the packed proof."""
        proof = walks.proof_of(self.walk, self.stop)
        count = len(self.walk.right)
        saved = sum(step.saved for step in self.walk.rules)
        by_rule = f", a rule saved {saved}" if saved else ""
        name = f"a position of {self.game.INFO.title}"
        if self.at_rung is not None:
            name = self.at_rung.rung.name
        return f"I proved {name}: {count} questions{by_rule}. Can you? {self.code}\n{proof.line}"

    def why_not_typed(self, state: TableState) -> str:
        """Empty: no words are needed for a character that cannot be typed now."""
        return ""

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The words of the table now."""
        return prompts_of(self, state, refusals)

    @property
    def place_on_ladder(self) -> str:
        """The place on the ladder, and the fewest questions known."""
        if self.at_rung is None:
            return ""
        number, rung = self.at_rung
        return f"proof {number} of {len(RUNGS)} · from {rung.questions} questions"


def _called(step: Step) -> str:
    """An answer or a rule at the beginning of a sentence."""
    if step.kind == "rule":
        return "Your rule"
    return f"Your answer {step.text}"
