"""Checking a game by all laws: random games under random house rules, and a sentence for each broken law."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from duelbox.core.errors import OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.testing.laws import LAWS, Law, RandomGame, random_game, worlds_differ

SEEDS, PART_SEEDS = 60, 6
"""The number of random games for the laws of the rules, and for those of the other parts."""
LONGEST = 400
"""The most characters of a report that are shown."""


def random_rules(options: type[Options], rng: Random) -> Options:
    """Random house rules; each one is classic one time in three, or if it clashes with another."""
    drawn = options()
    for option in options.infos():
        if not rng.randrange(3):
            continue
        # a single number, as there may be too many to list
        number = [str(rng.randint(option.numbers[0], option.numbers[-1]))] if option.numbers else []
        if values := [*option.choices, *number]:
            with suppress(OptionError):
                drawn = options.from_texts({**drawn.texts(), option.name: rng.choice(values)})
    return drawn


def broken_part_laws(game: AnyGame, seeds: int = PART_SEEDS) -> list[str]:
    """A sentence for every law that the solver, the computers, the words, the board or the lesson breaks."""
    from duelbox.testing.part_laws import PART_LAWS

    return broken_laws(game, seeds, PART_LAWS)


def broken_laws(game: AnyGame, seeds: int = SEEDS, laws: Sequence[Law] = LAWS) -> list[str]:
    """A sentence for every law that some random game breaks."""
    if not __debug__:
        return ["The laws are assertions, and Python was started with -O, which leaves them out."]
    broken: dict[str, str] = {}
    certain = laws is LAWS and game.INFO.hidden
    for seed in range(seeds):
        rng = Random(seed)
        options = game.Options() if seed == 0 else random_rules(game.Options, rng)
        try:
            played = random_game(game, options, rng)
        except Exception as error:
            broken.setdefault("", f"A random game can be played. {_told(error)} Seen with {game.INFO.id} {options!r}.")
            continue
        for law in laws:
            if law.__name__ not in broken and (why := _broken(law, played, seed)):
                broken[law.__name__] = why
        with suppress(Exception):  # a law reports it
            certain = certain and not worlds_differ(played, rng)
    if certain:
        broken["worlds"] = "A player who knows less can think of several worlds. But worlds always gives the same one."
    return list(broken.values())


def _broken(law: Law, played: RandomGame, seed: int) -> str:
    """A sentence on how a game breaks a law, or nothing."""
    try:
        law(played, Random(seed))
    except Exception as error:
        asked = (law.__doc__ or law.__name__).splitlines()[0]
        return f"{asked} {_told(error)} Seen in {_code(played)}."
    return ""


def _told(error: Exception) -> str:
    """The text of a failed assertion, or the place and the error in the game."""
    if type(error) is AssertionError:
        return f"But {_short(str(error) or 'it is not so')}."
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"But {Path(last.filename).name}, line {last.lineno}, raises {_short(repr(error))}."


def _short(text: str) -> str:
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"


def _code(played: RandomGame) -> str:
    try:
        return played.code
    except Exception:
        return f"{played.game.INFO.id} {played.options!r}"
