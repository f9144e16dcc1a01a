"""House rules: a model for each game, written as key=value in codes and described in words for people."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Self, Union, get_args, get_origin

from pydantic import AfterValidator, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from duelbox.core.errors import OptionError
from duelbox.core.model import Model, listed

MAX_SEED = 2**63 - 1

Seed = Annotated[int, Field(ge=0, le=MAX_SEED, description="The number that decides every random draw")]
Gaps = Annotated[
    int, Field(title="Number of gaps", ge=0, description="How many numbers are removed before the first turn")
]
Without = Annotated[
    tuple[int, ...],
    AfterValidator(lambda numbers: tuple(sorted(numbers))),
    Field(description="Which numbers are removed", examples=["numbers joined by -, such as 3-7-9"]),
]

_WHOLE = re.compile(r"[0-9]{1,19}")


class Options(Model):
    """Base of a game's house rules; every default is the classic rule."""

    @property
    def draws(self) -> bool:
        """True if something is drawn by chance, so that the seed matters; by default, if there are gaps."""
        return "seed" in type(self).model_fields and bool(getattr(self, "gaps", 0))

    def rules_only(self) -> Self:
        """The same house rules before any draw: the seed and named draws are reset, and named gaps become their
        count."""
        fields, without = type(self).model_fields, getattr(self, "without", ())
        drawn = {name: fields[name].default for name in self.drawn_names()}
        return self.changed(**drawn, **({"gaps": len(without)} if without else {}))

    @classmethod
    def drawn_names(cls) -> tuple[str, ...]:
        """The options that hold a draw and not a rule: the seed, and what can be named in its place."""
        fields = cls.model_fields.items()
        return tuple(name for name, field in fields if name == "seed" or _kinds(field)[0].name == "numbers")

    @classmethod
    def infos(cls) -> tuple[OptionInfo, ...]:
        """A description of every option, in the order in which they are shown and written."""
        return tuple(_told(name, field) for name, field in cls.model_fields.items())

    @classmethod
    def from_texts(cls, texts: dict[str, str]) -> Self:
        """Read options written as {"size": "12", "ring": "on"}; raises OptionError, which names the key."""
        values: dict[str, Any] = {}
        for key, text in texts.items():
            field = cls.model_fields.get(key)
            if field is None:
                raise cls._unknown(key)
            values[key] = _read(key, field, text)
        return cls.from_values(values)

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """Build options from values; raises OptionError, which names the key."""
        try:
            return cls(**values)
        except ValidationError as error:
            raise cls._refusal(error, values) from None

    @classmethod
    def from_json(cls, raw: object) -> Self:
        """Read options from a parsed record; raises OptionError, which names the key."""
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

    def phrases(self) -> Sequence[str]:
        """The house rules as short phrases such as "27 in a ring", the classic ones left out; by default made from
        titles."""
        titles = {info.name: info.title.lower() for info in type(self).infos()}
        switches = {"on": "{}", "off": "no {}"}
        texts = self.texts().items()
        return [switches.get(text, f"{{}}: {text.replace('-', ' ')}").format(titles[name]) for name, text in texts]

    def sentences(self) -> Sequence[str]:
        """The rules of a game under these options, a sentence each; empty if the goal says everything."""
        return ()

    @property
    def in_words(self) -> str:
        """The phrases in one line, such as "no tens, 20 gaps", whatever was drawn; empty for the classic game."""
        return ", ".join(self.rules_only().phrases())

    def texts(self) -> dict[str, str]:
        """The options that differ from the classic rules, by name, each written as in a code."""
        return {
            name: written(getattr(self, name))
            for name, field in type(self).model_fields.items()
            if getattr(self, name) != field.default
        }


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option, described for people and for forms."""

    name: str
    title: str
    """The name for people, in a word or two."""
    label: str
    """The meaning in a sentence."""
    kind: str
    takes: str
    default: str
    choices: tuple[str, ...]
    """The values to choose from, if they are few: switches, words, and the numbers of an option that takes both."""
    numbers: range | None
    """The numbers that the option takes, if it takes any."""
    values: tuple[Any, ...]
    """All values in order; empty if they are too many to count."""


def misfit(sentence: str, key: str) -> PydanticCustomError:
    """The error that a validator raises for options that do not go together; `key` is the option to change."""
    return PydanticCustomError("option", "{sentence}", {"sentence": sentence, "key": key})


def written(value: object) -> str:
    """Write a value as in a code: on, off, none, 12, wild, 3-7-9, 31524-51234."""
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


class _Kind(NamedTuple):
    """One of the types that the value of an option may have."""

    name: str
    takes: tuple[str, ...]
    """The accepted values, in words."""
    words: dict[str, Any]
    """The values of a type made of words, by their text."""
    numbers: range | None = None
    """The values of a number."""
    each: Any = None
    """The type of an item, for a tuple."""


def _kinds(field: FieldInfo) -> list[_Kind]:
    annotation = field.annotation
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return [_kind(part, field) for part in parts]


def _kind(type_: Any, field: FieldInfo) -> _Kind:
    marks = field.metadata
    if get_origin(type_) is Annotated:
        # Bounds on one type of a union are written inside Annotated: on the field, pydantic applies them to all types.
        type_, marks = type_.__origin__, type_.__metadata__[0].metadata
    if type_ is bool:
        return _Kind("switch", ("on", "off"), {"off": False, "on": True})
    if type_ is NoneType:
        return _Kind("none", ("none",), {"none": None})
    if get_origin(type_) is Literal:
        words = {str(word): word for word in get_args(type_)}
        return _Kind("choice", tuple(words), words)
    if type_ is int:
        low = next((mark.ge for mark in marks if hasattr(mark, "ge")), 0)
        high = next((mark.le for mark in marks if hasattr(mark, "le")), MAX_SEED)
        told = f"a number from {low} to {high}" if high < MAX_SEED else "a whole number"
        return _Kind("number", (told,), {}, range(low, high + 1))
    each = get_args(type_)[0] if get_origin(type_) is tuple else None
    return _Kind("numbers", (str((field.examples or ["numbers joined by -"])[0]),), {}, each=each)


def _told(name: str, field: FieldInfo) -> OptionInfo:
    kinds = _kinds(field)
    numbers = next((kind.numbers for kind in kinds if kind.numbers), None)
    beside = numbers if numbers and len(kinds) > 1 else ()
    return OptionInfo(
        name=name,
        title=field.title or name.replace("_", " ").capitalize(),
        label=field.description or "",
        kind=kinds[0].name,
        takes=takes(field),
        default=written(field.default),
        choices=tuple(text for kind in kinds for text in kind.words or map(str, beside)),
        numbers=numbers,
        values=() if numbers and numbers[-1] == MAX_SEED else _values(kinds),
    )


def _values(kinds: Sequence[_Kind]) -> tuple[Any, ...]:
    return tuple(value for kind in kinds for value in kind.numbers or kind.words.values())


def takes(field: FieldInfo) -> str:
    """The values that an option takes, in words: "on or off", "a number from 4 to 30"."""
    return listed([words for kind in _kinds(field) for words in kind.takes], "or")


def _read(key: str, field: FieldInfo, text: str) -> Any:
    """Read a value according to the type of its field; raises OptionError."""
    for kind in _kinds(field):
        if text in kind.words:
            return kind.words[text]
        if kind.numbers and _WHOLE.fullmatch(text):
            return int(text)
        if kind.each and re.fullmatch(r"[0-9]{1,7}(-[0-9]{1,7})*", text):
            return tuple(int(part) if kind.each is int else tuple(map(int, part)) for part in text.split("-"))
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
