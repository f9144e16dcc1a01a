"""The table of an exam: all players by what they give away, and what can be said of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from duelbox import __version__
from duelbox.core.code import format_code
from duelbox.core.model import listed
from duelbox.exam.marks import Chance, Graded, Marks
from duelbox.exam.paper import GAMES, PaperQuestion
from duelbox.registry import title_of
from duelbox.solve import difference

SHORT = dict(zip(GAMES, ("Ring", "Race", "Line", "Chain", "Hands"), strict=True))
"""The heads of the columns."""
YOU = "You"
"""The person who sits an exam."""


class Results(NamedTuple):
    """The marks of the players who sat a paper, and of chance and the levels."""

    seed: int
    players: tuple[Marks, ...]
    anchors: tuple[Marks, ...]

    @property
    def rows(self) -> tuple[Marks, ...]:
        """All marks, the best first; a level that was asked for stands once."""
        by_name = {row.name: row for row in (*self.anchors, *self.players)}
        return tuple(sorted(by_name.values(), key=lambda row: row.regret))

    @property
    def positions(self) -> int:
        """The positions of the paper."""
        return max((len(row.graded) for row in self.rows), default=0)

    def compared(self, player: Marks, verdict: str) -> list[str]:
        """The names of those whom a player is "better" or "worse" than, or from whom it "cannot be told"."""
        others = [row for row in self.rows if row.name != player.name and len(row.graded) == len(player.graded)]
        return [row.name for row in others if player.against(row).verdict == verdict]

    def comparisons(self, player: Marks) -> Iterator[str]:
        """A sentence on each of the three, where it has names."""
        who = f"{player.name} is"
        if player.name == YOU:
            who = "You are"
        for verdict in ("better", "worse"):
            names = self.compared(player, verdict)
            if names:
                yield f"{who} {verdict} than {listed(names)}."
        names = self.compared(player, "cannot be told")
        if names:
            yield f"{player.name} cannot be told from {listed(names, 'or')} by {len(player.graded)} positions."

    def weakest(self, player: Marks) -> str:
        """A sentence on the game in which a player gives away most, beside chance; empty if it gives nothing away."""
        games = player.by_game()
        weakest = max(games, key=games.__getitem__)
        if not games[weakest]:
            return ""
        by_chance = next((row.by_game()[weakest] for row in self.anchors if isinstance(row, Chance)), None)
        beside = ""
        if by_chance is not None and not isinstance(player, Chance):
            beside = f"; chance gives away {100 * by_chance:.0f}"
        return f"Weakest: {title_of(weakest)}, {100 * games[weakest]:.0f} in 100 given away{beside}."

    def to_json(self) -> dict[str, Any]:
        """The table as JSON has it; levels may play otherwise in another version."""
        return {
            "duelbox": __version__,
            "seed": self.seed,
            "positions": self.positions,
            "players": [player.to_json() for player in self.players],
            "anchors": [anchor.to_json() for anchor in self.anchors],
            "faults": [first_fault_as_json(player) for player in self.players if player.illegal],
            "dearest": [dearest_as_json(row) for row in (*self.players, *self.anchors) if not isinstance(row, Chance)],
        }


def mistakes(player: Marks) -> list[tuple[PaperQuestion, Graded]]:
    """The questions at which a player gave something away, the dearest first; none for chance, which has no answers."""
    if isinstance(player, Chance):
        return []
    pairs = [pair for pair in zip(player.questions, player.graded, strict=True) if pair[1].regret]
    return sorted(pairs, key=lambda pair: -pair[1].regret)


def position(question: PaperQuestion) -> str:
    """The position of a question as a code, or, with hidden hands, as its title."""
    session = question.session
    if question.game.INFO.hidden:
        return f"{title_of(question.game.INFO.id)}, question {question.id}"
    return format_code(question.game, session.options, session.moves)


def reason(question: PaperQuestion, graded: Graded) -> str:
    """The answer that refutes a move that gave something away; empty where there is none, or the move is illegal."""
    if not graded.move or not graded.regret:
        return ""
    session = question.session
    instead = difference(question.game, session.view(session.turn), graded.move)
    if instead is None:
        return ""
    return instead.effect


def dearest_as_json(player: Marks) -> dict[str, Any]:
    """The question at which most was given away, as JSON has it."""
    question, graded = player.dearest
    return {
        "player": player.name,
        "id": question.id,
        "game": question.game.INFO.id,
        "regret": str(graded.regret),
        "sentence": graded.sentence,
    }


def first_fault(player: Marks) -> str:
    """A sentence on a player's first answer that was no legal move, or was not there; empty if all are legal."""
    if player.first_fault is None:
        return ""
    question, graded = player.first_fault
    return f"First fault: {question.id}, {question.game.INFO.title}. {graded.sentence}"


def first_fault_as_json(player: Marks) -> dict[str, Any]:
    """The first question that a player did not answer with a legal move, as JSON has it."""
    assert player.first_fault is not None
    question, graded = player.first_fault
    game = question.game.INFO.id
    return {"player": player.name, "id": question.id, "game": game, "sentence": graded.sentence}


def table_of(results: Results) -> Iterator[str]:
    """The table and what can be said of the players, in lines."""
    rows = results.rows
    wide = max(8, *(len(row.name) for row in rows))
    titles = " ".join(f"{SHORT[game_id].lower():>9}" for game_id in rows[0].by_game())
    yield f"Given away in 100, in {results.positions} positions"
    yield f"{'':{wide}}  in 100          right  illegal  {titles}"
    for row in rows:
        games = " ".join(f"{100 * regret:9.1f}" for regret in row.by_game().values())
        sure = f"{100 * row.regret:6.1f} +- {100 * row.interval:4.1f}"
        yield f"{row.name:{wide}}  {sure}  {100 * row.none:4.0f} %  {row.illegal:7}  {games}"
    for player in results.players:
        yield ""
        yield from results.comparisons(player)
        if player.illegal:
            yield first_fault(player)
        question, graded = player.dearest
        if graded.regret:
            why = f"{graded.sentence} {reason(question, graded)}".rstrip()
            yield f"The dearest answer: {question.id}, {question.game.INFO.title}. {why}"
