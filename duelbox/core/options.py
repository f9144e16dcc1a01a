"""House rules: a model for each game, written as key=value in codes and described in words for people."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

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
        return tuple(info.name for info in cls.infos() if info.name == "seed" or info.kind == "numbers")

    @classmethod
    @cache
    def infos(cls) -> tuple[OptionInfo, ...]:
        """A description of every option, in the order in which they are shown and written."""
        return tuple(_info(name, field) for name, field in cls.model_fields.items())

    @classmethod
    def from_texts(cls, texts: dict[str, str]) -> Self:
        """Read options written as {"size": "12", "ring": "on"}; raises OptionError, which names the key."""
        infos = {info.name: info for info in cls.infos()}
        values: dict[str, Any] = {}
        for key, text in texts.items():
            if key not in infos:
                raise cls._unknown(key)
            values[key] = infos[key].read(text)
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
        return next((info.refusal(values[key]) for info in cls.infos() if info.name == key), cls._unknown(key))

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
    """The values that it takes, in words: "on or off", "a number from 4 to 30"."""
    default: str
    by_text: Mapping[str, Any]
    """All values by their text, in order; empty if they are too many to count."""
    numbers: range | None
    """The numbers that the option takes, if it takes any."""
    item: Any
    """The type of an item, if the option takes tuples."""

    @property
    def values(self) -> tuple[Any, ...]:
        """All values in order; empty if they are too many to count."""
        return tuple(self.by_text.values())

    @property
    def choices(self) -> tuple[str, ...]:
        """The values to choose from, if they are few: switches, words, and the numbers of an option that takes both."""
        return tuple(self.by_text) if any(value not in (self.numbers or ()) for value in self.values) else ()

    def read(self, text: str) -> Any:
        """Read a value; raises OptionError if the text is none."""
        if text in self.by_text:
            return self.by_text[text]
        if self.numbers and _WHOLE.fullmatch(text):
            return int(text)
        if self.item and re.fullmatch(r"[0-9]{1,7}(-[0-9]{1,7})*", text):
            return tuple(int(part) if self.item is int else tuple(map(int, part)) for part in text.split("-"))
        raise self.refusal(text)

    def refusal(self, value: object) -> OptionError:
        """The error for a value that the option does not take."""
        text = written(value)
        short = text if len(text) <= 24 else text[:23] + "…"
        return OptionError(f"{self.name} takes {self.takes}, not {short!r}.", self.name)


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


def _info(name: str, field: FieldInfo) -> OptionInfo:
    type_ = field.annotation
    kinds, takes, by_text = list[str](), list[str](), dict[str, Any]()
    numbers: range | None = None
    item = None
    for part in get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,):
        marks = field.metadata
        if get_origin(part) is Annotated:
            # Bounds on one type of a union are inside Annotated: on the field, pydantic applies them to all types.
            part, marks = part.__origin__, part.__metadata__[0].metadata
        if part is bool:
            kinds.append("switch")
            takes += "on", "off"
            by_text |= {"off": False, "on": True}
        elif part is NoneType or get_origin(part) is Literal:
            words = {"none": None} if part is NoneType else {str(word): word for word in get_args(part)}
            kinds.append("choice")
            takes += words
            by_text |= words
        elif part is int:
            low = next((mark.ge for mark in marks if hasattr(mark, "ge")), 0)
            high = next((mark.le for mark in marks if hasattr(mark, "le")), MAX_SEED)
            kinds.append("number")
            numbers = range(low, high + 1)
            takes.append(f"a number from {low} to {high}" if high < MAX_SEED else "a whole number")
            by_text |= {str(number): number for number in numbers} if high < MAX_SEED else {}
        else:
            kinds.append("numbers")
            item = get_args(part)[0] if get_origin(part) is tuple else None
            takes.append(str((field.examples or ["numbers joined by -"])[0]))
    title, label = field.title or name.replace("_", " ").capitalize(), field.description or ""
    default = written(field.default)
    return OptionInfo(name, title, label, kinds[0], listed(takes, "or"), default, by_text, numbers, item)


def that_hold(texts: Mapping[str, object]) -> tuple[str, ...]:
    """The texts with a true value, in order."""
    return tuple(text for text, holds in texts.items() if holds)


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
