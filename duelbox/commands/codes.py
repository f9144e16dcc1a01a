"""What `show` and `solve` have in common: many codes in, an answer or a sentence for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.names import printable
from duelbox.core.session import Session
from duelbox.registry import find_game

FAILED, REFUSED = 1, 2


def answer_all(
    codes: Iterable[str],
    *,
    as_json: bool,
    facts: Callable[[Session], dict[str, Any]],
    page: Callable[[Session], str],
) -> int:
    """Answer for every code, as lines of JSON or as text; 2 if any can't be read, 1 if one can't be answered."""
    status = 0
    for code in codes_in(codes):
        try:
            session = parse_code(code, find_game)
            answer = json.dumps(facts(session)) if as_json else f"{page(session)}\n"
            sys.stdout.write(f"{answer}\n")
        except DuelboxError as error:
            status = max(status, REFUSED if isinstance(error, CodeError) else FAILED)
            _complain(code, error, as_json=as_json)
        sys.stdout.flush()
    return status


def codes_in(given: Iterable[str]) -> Iterator[str]:
    """The codes named; `-` stands for the lines of the standard input that are not blank."""
    for code in given:
        if code != "-":
            yield code
        elif sys.stdin is not None:
            yield from (line.rstrip("\r\n") for line in sys.stdin if line.strip())


def _complain(code: str, error: DuelboxError, *, as_json: bool) -> None:
    at = error.at if isinstance(error, CodeError) else None
    if as_json:
        sys.stdout.write(json.dumps({"code": code, "error": error.sentence, "at": at}) + "\n")
        return
    where = f" (character {at})" if at is not None else ""
    sys.stdout.flush()
    sys.stderr.write(printable(f"{code[:60]}: {error.sentence}{where}") + "\n")
