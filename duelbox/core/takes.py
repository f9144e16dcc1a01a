"""Checks of what a function of the library is given: a wrong argument is refused before anything is done."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import wraps
from math import isnan
from typing import Any, ParamSpec, TypeVar

from duelbox.core.errors import BadArgument

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of argument: its words, and a test of a value."""

    words: str
    """"a whole number"."""
    fits: Callable[[Any], bool]

    def check(self, function: str, name: str, value: object) -> None:
        """Raise BadArgument if the value is of another kind."""
        if not self.fits(value):
            raise BadArgument(f"{function}({name}) takes {self.words}, not {shown(value)}.")

    def or_none(self) -> Kind:
        """The same kind, or None."""
        return Kind(f"{self.words} or None", lambda value: value is None or self.fits(value))


def shown(value: object) -> str:
    """A value as a sentence tells it, also one that cannot be told."""
    try:
        return f"{value!r:.40}"
    except Exception:  # it may be anything
        return f"this {type(value).__name__}"


def is_whole(value: object) -> bool:
    """True for a whole number, also one of a library for numbers; True and False are none."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def whole(least: int, most: int) -> Kind:
    """A whole number in a range."""

    def fits(value: Any) -> bool:
        return is_whole(value) and least <= value <= most

    return Kind(f"a whole number from {least} to {most}", fits)


def is_real(value: object) -> bool:
    """True for a number that can be compared, with or without a fraction."""
    if is_whole(value):
        return True
    return isinstance(value, float) and not isnan(value)


def instance(kind: type, words: str) -> Kind:
    """A value of a class."""
    return Kind(words, lambda value: isinstance(value, kind))


def is_pair(value: object) -> bool:
    """True for a sequence of two; a text is none."""
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2


def is_some(value: object, names: Collection[str]) -> bool:
    """True for a sequence of one or more of these names; a text is none."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    return all(isinstance(name, str) and name in names for name in value)


TEXT = instance(str, "a text")
WHOLE = Kind("a whole number", is_whole)
REAL = Kind("a number", is_real)
TWO_NAMES = Kind("two names", lambda value: is_pair(value) and all(isinstance(name, str) for name in value))
SEAT = Kind("0 or 1", lambda value: is_whole(value) and value in (0, 1))
SEATS_OF_PEOPLE = Kind(
    "the seats of people, such as (0, 1)",
    lambda value: isinstance(value, Collection) and not isinstance(value, str) and all(map(SEAT.fits, value)),
)


def takes(**kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check these arguments of a function, and that there are neither too few nor too many; raises BadArgument."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        name = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError as error:
                raise BadArgument(f"{name}() takes {_parameters(signature)}: {error}.") from None
            for parameter, kind in kinds.items():
                if parameter in given:
                    kind.check(name, parameter, given[parameter])
            return function(*args, **kwargs)

        return checked

    return decorate


def _parameters(signature: inspect.Signature) -> str:
    names = [name for name in signature.parameters if name != "self"]
    return ", ".join(names) or "nothing"
