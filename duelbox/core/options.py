"""House rules: one model a game, written as key=value in codes and described in words for people."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from pydantic import AfterValidator, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from duelbox.core.errors import OptionError
from duelbox.core.model import Model, listed

MAX_SEED = 2**63 - 1

Numbers = Annotated[tuple[int, ...], AfterValidator(lambda numbers: tuple(sorted(numbers)))]
"""Some numbers, in any order."""

_WHOLE = re.compile(r"[0-9]{1,19}")


class Options(Model):
    """The house rules of one game of one kind; every default is the classic rule."""

    @property
    def draws(self) -> bool:
        """Whether anything is drawn by chance, so that the seed matters."""
        return False

    def undealt(self) -> Self:
        """The same rules with nothing drawn yet; numbers that were named as gaps are so many gaps again."""
        fields, without = type(self).model_fields, getattr(self, "without", ())
        drawn = {name: fields[name].default for name in self.dealing()}
        return self.changed(**drawn, **({"gaps": len(without)} if without else {}))

    @classmethod
    def dealing(cls) -> tuple[str, ...]:
        """The options that tell what was drawn, not by which rules: the seed, and what is named in its place."""
        return tuple(name for name, field in cls.model_fields.items() if name == "seed" or _kind(field) == "numbers")

    @classmethod
    def described(cls) -> tuple[OptionInfo, ...]:
        """What can be set, in the order it is shown and written."""
        return tuple(
            OptionInfo(
                name=name,
                title=field.title or name.replace("_", " ").capitalize(),
                label=field.description or "",
                kind=_kind(field),
                takes=takes(field),
                default=written(field.default),
                choices=_choices(field),
                numbers=_numbers(field),
            )
            for name, field in cls.model_fields.items()
        )

    @classmethod
    def from_texts(cls, texts: dict[str, str]) -> Self:
        """The options written as {"size": "12", "ring": "on"}; raises OptionError, which names the key."""
        values: dict[str, Any] = {}
        for key, text in texts.items():
            field = cls.model_fields.get(key)
            if field is None:
                raise cls._unknown(key)
            values[key] = _read(key, field, text)
        return cls.from_values(values)

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """The options with these values; raises OptionError, which names the key."""
        try:
            return cls(**values)
        except ValidationError as error:
            raise cls._refusal(error, values) from None

    @classmethod
    def from_json(cls, raw: object) -> Self:
        """The options as a record has them, already parsed; raises OptionError, which names the key."""
        if not isinstance(raw, dict):
            raise OptionError("Options are written as an object of names and values.", "")
        try:
            return cls.model_validate_json(json.dumps(raw))
        except ValidationError as error:
            raise cls._refusal(error, raw) from None

    @classmethod
    def _refusal(cls, error: ValidationError, values: dict[str, Any]) -> OptionError:
        first = error.errors()[0]
        if first["type"] == "option":
            return OptionError(first["msg"], first["ctx"]["key"])
        if not first["loc"]:
            return OptionError("The options cannot be read.", "")
        key = str(first["loc"][0])
        if key not in cls.model_fields:
            return cls._unknown(key)
        return OptionError(f"{key} takes {takes(cls.model_fields[key])}, not {_shown(values[key])}.", key)

    @classmethod
    def _unknown(cls, key: str) -> OptionError:
        return OptionError(f"There is no option {key[:24]!a}. Options here: {listed(list(cls.model_fields))}.", key)

    def texts(self) -> dict[str, str]:
        """What differs from the classic rules, as written in a code."""
        return {
            name: written(getattr(self, name))
            for name, field in type(self).model_fields.items()
            if getattr(self, name) != field.default
        }


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option as people are told of it."""

    name: str
    title: str
    """What it is called, in a word or two."""
    label: str
    """What it means."""
    kind: str
    takes: str
    default: str
    choices: tuple[str, ...]
    """What may be chosen, where that is a short list."""
    numbers: range | None
    """What may be counted, where it takes a number."""


def misfit(sentence: str, key: str) -> PydanticCustomError:
    """What a validator raises when options do not go together: the sentence, and the option to change."""
    return PydanticCustomError("option", "{sentence}", {"sentence": sentence, "key": key})


def written(value: object) -> str:
    """A value as a code has it: on, off, none, 12, wild, 3-7-9, 31524-51234."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "-".join("".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value)
    return str(value)


def _shown(value: object) -> str:
    text = written(value)
    return repr(text if len(text) <= 24 else text[:23] + "…")


def _alternatives(field: FieldInfo) -> tuple[tuple[Any, list[Any]], ...]:
    """The types a value may have, each with the bounds set on it."""
    annotation = field.annotation
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    # A bound on one type of several is written Annotated[int, Field(ge=…)]: pydantic would hold the others to it too.
    return tuple(
        (part.__origin__, part.__metadata__[0].metadata) if get_origin(part) is Annotated else (part, field.metadata)
        for part in parts
    )


def _bounds(marks: list[Any]) -> tuple[int, int]:
    low = next((mark.ge for mark in marks if hasattr(mark, "ge")), 0)
    high = next((mark.le for mark in marks if hasattr(mark, "le")), MAX_SEED)
    return low, high


def _kind(field: FieldInfo) -> str:
    kinds = {bool: "switch", int: "number"}
    first, _ = _alternatives(field)[0]
    if get_origin(first) is Literal:
        return "choice"
    return kinds.get(first, "numbers")


def _choices(field: FieldInfo) -> tuple[str, ...]:
    """Every value, where a choice has few: switches, words, and short runs of numbers that words stand beside."""
    kinds = _alternatives(field)
    out: list[str] = []
    for kind, marks in kinds:
        if kind is bool:
            out += ["off", "on"]
        elif kind is NoneType:
            out.append("none")
        elif get_origin(kind) is Literal:
            out += [str(word) for word in get_args(kind)]
        elif kind is int and len(kinds) > 1:
            low, high = _bounds(marks)
            out += [str(number) for number in range(low, high + 1)]
    return tuple(out)


def _numbers(field: FieldInfo) -> range | None:
    for kind, marks in _alternatives(field):
        if kind is int:
            low, high = _bounds(marks)
            return range(low, high + 1)
    return None


def takes(field: FieldInfo) -> str:
    """What an option takes, in words: "on or off", "a number from 4 to 30"."""
    words: list[str] = []
    for kind, marks in _alternatives(field):
        if kind is bool:
            words += ["on", "off"]
        elif kind is int:
            low, high = _bounds(marks)
            words.append(f"a number from {low} to {high}" if high < MAX_SEED else "a whole number")
        elif kind is NoneType:
            words.append("none")
        elif get_origin(kind) is Literal:
            words += [str(word) for word in get_args(kind)]
        else:
            words.append(str((field.examples or ["numbers joined by -"])[0]))
    return listed(words, "or")


def _read(key: str, field: FieldInfo, text: str) -> Any:
    """The value this text stands for; what it may be is told by the field's type."""
    for kind, _ in _alternatives(field):
        if kind is bool and text in ("on", "off"):
            return text == "on"
        if kind is int and _WHOLE.fullmatch(text):
            return int(text)
        if kind is NoneType and text == "none":
            return None
        if get_origin(kind) is Literal:
            for word in get_args(kind):
                if text == str(word):
                    return word
        if get_origin(kind) is tuple and re.fullmatch(r"[0-9]{1,7}(-[0-9]{1,7})*", text):
            parts = text.split("-")
            nested = get_origin(get_args(kind)[0]) is tuple
            return tuple(tuple(map(int, part)) if nested else int(part) for part in parts)
    raise OptionError(f"{key} takes {takes(field)}, not {_shown(text)}.", key)


def check_without(without: tuple[int, ...], pool: Sequence[int], most: int, gaps: int, seed: int) -> None:
    """Refuse named gaps that repeat, are not in the pool, are too many, or come on top of drawn ones."""
    if not without:
        return
    if gaps or seed:
        raise misfit("gaps with seed, and without, say the same thing: give one of them.", "without")
    if len(set(without)) < len(without):
        raise misfit("without names a number twice.", "without")
    for number in without:
        if number not in pool:
            raise misfit(f"without names {number}, which is not among the numbers of this game.", "without")
    if len(without) > most:
        raise misfit(f"without takes away at most {most} numbers here, not {len(without)}.", "without")
