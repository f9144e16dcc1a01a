"""Finding a game's words, and words for a game that brings none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.model import Event, Position, player
from duelbox.core.options import Options
from duelbox.core.talk import Answers, Talk, verdict
from duelbox.registry import part, text_beside

AnyTalk = Talk[Any]

_MANY = 60


def talk_of(game: AnyGame) -> AnyTalk:
    """How this game talks: its own module, or else the general words; raises UnknownGame for a guest's broken one."""
    return part(game.INFO.id, "talk", Talk) or GeneralTalk(game).talk


def rules_text(game_id: str) -> str:
    """The rules of a game for people; raises DuelboxError where a guest brings none."""
    text = text_beside(game_id, "rules.md")
    if text is None:
        raise DuelboxError(f"{game_id} has no page of rules.")
    return text


def title_of(game: AnyGame, options: Options, *, secret: bool) -> str:
    """The game with its house rules, in words; what decides the deal is left out where it is secret."""
    seedless = {"seed": 0} if "seed" in type(options).model_fields else {}
    plain = options.changed(**seedless)
    preset = next((one.name for one in game.PRESETS if one.options == plain), None)
    dealt = {one.name for one in options.described() if one.kind == "numbers"} if secret else set()
    rules = ", ".join(f"{key} {text}" for key, text in plain.texts().items() if key not in dealt)
    return game.INFO.title + (f", {preset}" if preset else "") + (f" ({rules})" if rules else "")


class GeneralTalk:
    """Words that fit any game: its view as it is, one question a move, its events as they tell themselves."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    @property
    def talk(self) -> AnyTalk:
        """These words as a game brings its own."""
        return Talk(
            self.welcome, self.board, self.turn, self.question, self.line, self.choices, self.after, self.ending
        )

    def welcome(self, view: Position) -> str:
        """The name of the game, and its aim."""
        return f"Welcome to {self._game.INFO.title}!\n\n{self._game.INFO.goal}"

    def board(self, view: Position) -> str:
        """Everything the view holds, a line each."""
        facts = view.model_dump(mode="json", exclude={"turn", "outcome", "options", "seat"})
        return "\n".join(f"{name.replace('_', ' ').capitalize()}: {value}" for name, value in facts.items())

    def turn(self, view: Position) -> str:
        """The view, and whose turn it is."""
        assert view.turn is not None
        return f"{player(view.turn)}'s turn.\n{self.board(view)}"

    def question(self, view: Position, answers: Answers) -> str | None:
        """The move."""
        return None if answers else "Your move: "

    def line(self, view: Position, answers: Answers) -> str:
        """The move as typed."""
        return answers[0]

    def choices(self, view: Position) -> str:
        """The legal moves, as many as fit."""
        moves = self._game.legal_moves(view)
        more = f" and {len(moves) - _MANY} more" if len(moves) > _MANY else ""
        return ", ".join(map(self._game.format_move, moves[:_MANY])) + more

    def after(self, view: Position, events: Sequence[Event]) -> str:
        """What happened."""
        return "\n" + "\n".join(event.sentence for event in events)

    def ending(self, view: Position) -> str:
        """Why, and who won."""
        assert view.outcome is not None
        return f"{view.outcome.reason}\n{verdict(view.outcome)}"
