"""The game that a host proposes, and a comparison of both sides' rules."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from duelbox.core.code import format_code, parse_code
from duelbox.core.dealing import AnyDealing, Dealing
from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.names import MAX_CELLS, MAX_CHARACTERS, cells, clean_name, is_word_of_the_table, told_apart
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.friends.channel import digest
from duelbox.friends.hidden_hands import Cheat
from duelbox.registry import find_game, part

_TRIES, _TURNS = 3, 24


@dataclass(frozen=True)
class Proposal:
    """A game or position that two players on different machines can play."""

    game: AnyGame
    options: Options
    moves: tuple[Any, ...]
    """The moves made before, if it begins at a position."""
    dealing: AnyDealing | None
    """The dealing of hidden hands, if the game has any."""

    @classmethod
    def of(cls, session: Session) -> Proposal:
        """Propose this game or position; raises DuelboxError if it cannot be played elsewhere."""
        game, options = session.game, session.options
        dealing = part(game.INFO.id, "dealing", Dealing) if game.INFO.hidden else None
        if game.INFO.hidden and dealing is None:
            raise DuelboxError(f"{game.INFO.title} hides something, and cannot be played with a friend elsewhere.")
        if dealing and (session.plies or options != options.rules_only()):
            raise DuelboxError("This code tells both hands. For a friend elsewhere, name the game and its house rules.")
        if session.turn is None:
            raise DuelboxError("In this position the game is over.")
        return cls(game, options, tuple(ply.move for ply in session.plies), dealing)

    @classmethod
    def read(cls, code: str) -> Proposal:
        """Read the game from a code; raises DuelboxError."""
        return cls.of(parse_code(code, find_game))

    @property
    def code(self) -> str:
        """The code of the game or position."""
        return format_code(self.game, self.options, self.moves)

    @property
    def drawn(self) -> bool:
        """Something is drawn that the code leaves open."""
        return self.options.draws and self.options == self.options.rules_only()

    def rules(self) -> str:
        """The fingerprint of what the rules do in sample games; equal if both sides have the same rules."""
        return _fingerprint(self.game, self.options, drawn=self.drawn)


def seeded(options: Options, seed: int) -> Options:
    """The options with this seed."""
    return type(options).from_values({**dict(options), "seed": seed})


@lru_cache(16)
def _fingerprint(game: AnyGame, options: Options, *, drawn: bool) -> str:
    texts = [game.INFO.id, repr(sorted(options.texts().items()))]
    for seed in range(1, _TRIES + 1):
        played = options
        if drawn:
            played = seeded(options, seed)
        texts += _playout(game, played, seed)
    return digest("rules", *texts).hex()


def _playout(game: AnyGame, options: Options, seed: int) -> list[str]:
    """A game of random moves, as the texts of its moves and events."""
    session = Session(game, options)
    rng = Rng(seed)
    texts: list[str] = []
    while session.turn is not None and len(session.plies) < _TURNS:
        moves = tuple(islice(session.legal_moves(), 500))
        events = session.play(rng.choice(moves))
        texts += [game.format_move(session.plies[-1].move), *(event.model_dump_json() for event in events)]
    return [*texts, repr(session.outcome and session.outcome.winner)]


def sent_name(text: str) -> str:
    """A clean name, cut where version 1.0.0 would refuse it: there a skin tone and a stacked letter take cells, too."""
    name = clean_name(text)
    while sum(map(_cells_in_1_0_0, name)) > MAX_CELLS:
        name = name[:-1]
    return name


def _cells_in_1_0_0(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 1


def shown_name(text: str) -> str:
    """The name that the other side sent, if it can be shown; raises Cheat.

    A word of the table, such as `You`, stands in quotation marks: version 1.0.0 takes it for a name.
    """
    try:
        name = clean_name(text)
    except BadName as error:
        raise Cheat(f"The other side's name cannot be shown. {error.sentence}") from None
    if not is_word_of_the_table(name):
        return name
    while cells(name) > MAX_CELLS - 2 or len(name) > MAX_CHARACTERS - 2:
        name = name[:-1]
    return clean_name(f'"{name}"')


def distinct_names(host: str, guest: str) -> tuple[str, str]:
    """Both names, with a 2 behind the guest's if they look alike."""
    return host, told_apart(host, guest)
