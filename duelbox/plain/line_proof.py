"""A proof in lines: the questions one after the other, answered by typing."""

from __future__ import annotations

import sys
from collections.abc import Callable

from duelbox.core.errors import DuelboxError
from duelbox.core.model import MOST_NAMED, listed, player, ranges
from duelbox.core.talk import full_title
from duelbox.plain.console import Console
from duelbox.proof import walk as walks
from duelbox.proof.api import NoProof
from duelbox.proof.checker import proving_of
from duelbox.proof.deal import deal_of
from duelbox.proof.walk import Stage, Walk
from duelbox.registry import talk_of
from duelbox.solve.api import Stop
from duelbox.store.store import Store
from duelbox.table.proof_kept import Kept, kept_in, mark_of
from duelbox.table.proof_progress import PROOFS, next_rung

_HELP = """Type your answer, a rule, or one of these words:
  board  show the position again
  hint   be told an answer that wins
  undo   take the last answer back
  help   show this
  quit   leave; your answers are kept"""


def prove(code: str) -> int:
    """Ask the questions of a position from where they were left; 0 once it is proved, and when the player leaves."""
    walk = walks.begin(code)
    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        kept = kept_in(store.progress.newest(PROOFS).get(walk.code))
        hints = 0
        done = kept is not None and kept.done
        if kept is not None and kept.walk.code == walk.code and not done:
            walk = kept.walk
            hints = kept.hints

        def keep(kept: Kept) -> None:
            mark = mark_of(kept.walk, kept.hints, done=kept.done or done)
            try:
                store.progress.add(PROOFS, walk.code, mark)
            except DuelboxError as error:
                console.say(error.sentence)

        proof = LineProof(console, walk, hints, keep)
        proof.play()
        marks = store.progress.newest(PROOFS)
        at = next_rung(marks, after=walk.code)
        if proof.done and at is not None:
            console.say(f"Next: duelbox prove {at.number}, {at.rung.name}, from {at.rung.questions} questions")
    return 0


class LineProof:
    """A walk at a console."""

    def __init__(self, console: Console, walk: Walk, hints: int, keep: Callable[[Kept], None]) -> None:
        self.console = console
        self.walk = walk
        self.hints = hints
        self.deal = deal_of(walk.code)
        self._hinted: Stage | None = None
        self._keep = keep
        self._shown: Walk | None = None

    def play(self) -> None:
        """Ask until everything is closed, or the player leaves."""
        session = self.deal.session
        self.console.say(f"Prove it: {full_title(session.game, session.options)}")
        self._check_kept()
        if self.walk.side is None:
            self._board(())
        while True:
            question = self._question()
            if question is None:
                return
            self.console.write(question)
            typed = self.console.read()
            if typed is None:
                self.console.say()
                return
            self.console.echo(typed)
            if typed.lower() in ("quit", "q", "exit"):
                return
            try:
                self._take(typed)
            except DuelboxError as error:
                self.console.say(error.sentence)

    def _check_kept(self) -> None:
        """Tell how many answers stand; a kept proof that cannot be read begins anew."""
        if self.walk.side is None:
            return
        try:
            walks.look(self.walk)
        except DuelboxError as error:
            self.console.say(f"{error.sentence} It begins anew.")
            self.walk = walks.begin(self.walk.code)
            return
        count = len(self.walk.right)
        self.console.say(f"You go on where you left it, after {_counted(count, 'answer')}.")

    def _question(self) -> str | None:
        """The next question; None once everything is closed, which is told."""
        if self.walk.side is None:
            mover = player(self.deal.session.state.mover)
            return f"{mover} is to move. Who wins, whatever comes: 1 or 2? "
        stage = walks.look(self.walk)
        if stage.at is None:
            self._tell_end(stage)
            return None
        if self._shown != self.walk.changed(steps=self.walk.right):
            self._shown = self.walk.changed(steps=self.walk.right)
            self._tell_progress(stage)
            self._board(stage.at)
        choices = listed(stage.choices, "or")
        if len(stage.choices) > MOST_NAMED:
            choices = ranges([int(move) for move in stage.choices])
        return f"Your answer, {player(self.walk.side)}: {choices}? "

    def _take(self, typed: str) -> None:
        """Do what was typed; raises DuelboxError where it is refused."""
        word = typed.lower()
        if word == "help":
            rules = [lemma.typed for lemma in proving_of(self.deal.game).lemmas]
            self.console.say(f"{_HELP}\nRules here: {listed(rules)}. More: duelbox help proofs")
        elif word == "board":
            self._shown = None
        elif word == "undo":
            self._go(walks.undo(self.walk))
        elif self.walk.side is None:
            self._choose(word)
        elif word == "hint":
            self._hint()
        elif word[:1].isdigit():
            self._go(walks.answer(self.walk, typed))
        else:
            self._go(walks.claim(self.walk, typed))

    def _choose(self, word: str) -> None:
        if word == "1":
            self._go(walks.choose(self.walk, 0))
        elif word == "2":
            self._go(walks.choose(self.walk, 1))
        else:
            self.console.say("Type 1 or 2: the player who wins.")

    def _go(self, walk: Walk) -> None:
        """Keep the walk, and tell what its last step came to."""
        new = len(walk.steps) > len(self.walk.steps)
        self.walk = walk
        self._save()
        if new and walk.last is not None and walk.last.sentence:
            self.console.say(walk.last.sentence)

    @property
    def done(self) -> bool:
        """True if nothing is left open."""
        return self.walk.side is not None and walks.look(self.walk).done

    def _save(self) -> None:
        self._keep(Kept(walk=self.walk, hints=self.hints, done=self.done))

    def _hint(self) -> None:
        """Tell an answer that wins, and count the hint once at each question."""
        stage = walks.look(self.walk)
        spot = self.deal.after(stage.at or ())
        assert spot is not None
        if stage != self._hinted:
            self._hinted = stage
            self.hints += 1
            self._save()
        self.console.say(f"{self.deal.right(spot, Stop())[0]} wins.")

    # -- telling

    def _board(self, at: tuple[str, ...]) -> None:
        spot = self.deal.after(at)
        assert spot is not None
        self.console.say(talk_of(self.deal.game).board(spot.view))

    def _tell_progress(self, stage: Stage) -> None:
        """Tell the answers so far, and which of the opponent's first moves are closed."""
        assert stage.at is not None
        if stage.closed:
            self.console.say(f"Closed: {' '.join(stage.closed)}.")
        if stage.first is not None:
            self.console.say(f"You begin with {stage.first}.")
        if stage.row:
            self.console.say(f"Your first answers: {' '.join(stage.row)}")
        moves = " ".join(stage.at) or "nothing yet"
        self.console.say(f"Played: {moves}.")

    def _tell_end(self, stage: Stage) -> None:
        assert self.walk.side is not None
        questions = len(self.walk.right)
        said = [f"Proved: {player(self.walk.side)} wins, whatever comes."]
        said.append(f"{_counted(questions, 'question')} answered, {self.walk.wrong} wrong.")
        if self.hints:
            said.append(f"{_counted(self.hints, 'hint')} taken.")
        for rule in self.walk.rules:
            name = rule.text.partition(" ")[0]
            said.append(f"Your {name} saved {rule.saved_in_words}.")
        try:
            said.append(walks.proof_of(self.walk).line)
        except NoProof as error:
            said.append(error.sentence)
        self.console.say("\n".join(said))


def _counted(count: int, what: str) -> str:
    """So many things: "1 question", "2 questions"."""
    if count == 1:
        return f"1 {what}"
    return f"{count} {what}s"
