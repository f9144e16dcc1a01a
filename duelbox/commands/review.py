"""`duelbox review`: judges every move of a played game, as text or as lines of JSON."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from duelbox.commands.shared import content
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, RecordError
from duelbox.core.model import SEATS, Seat, Voice, named
from duelbox.core.record import player_number
from duelbox.core.record_reader import OpenedRecord, open_record
from duelbox.core.session import Session
from duelbox.core.talk import full_title, winner_sentence
from duelbox.learn.lessons import lesson_on, readable
from duelbox.learn.turning_points import (
    NO_REVIEW_YET,
    JudgedMove,
    best_try,
    most_frequent_idea,
    points,
    summary,
    turning_points,
)
from duelbox.registry import find_game, game_ids
from duelbox.solve.api import Stop, Stopped, json_number
from duelbox.solve.sentences import times, worth
from duelbox.store.store import Store

LUCKY = 5
"""Luck of fewer points of 100 is not told."""


class Reviewed(NamedTuple):
    """A game to review, its number in the match (None for a single game), and the seat to review (None for both)."""

    number: int | None
    session: Session
    seat: Seat | None


def run(args: Namespace) -> int:
    """Review the rounds that may be reviewed; others get a sentence on standard error."""
    rounds, refused = _rounds(args.what, None if args.seat is None else int(args.seat))
    if not rounds:
        raise DuelboxError(refused or "Nothing was played in it yet.")
    for one in rounds:
        judged = _judged(one.session, args.seconds or None)
        shown = [move for move in judged if one.seat in (None, move.seat)]
        lines = (
            [json.dumps(_facts(one, move)) for move in shown]
            if args.json
            else _page(one, judged, shown, args.seconds or None)
        )
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    if refused:
        sys.stderr.write(f"{refused}\n")
    return 0


def _judged(session: Session, seconds: int | None) -> tuple[JudgedMove, ...]:
    try:
        return turning_points(session, stop=Stop(seconds))
    except Stopped:
        raise DuelboxError(
            f"This game was not worked out in {seconds} s. --seconds 0 takes all the time it needs."
        ) from None


# -- the games


def _rounds(what: str, player: int | None) -> tuple[list[Reviewed], str]:
    """The rounds that may be reviewed, and the sentence that refuses another."""
    code = what if _is_code(what) else None
    if code is None and (what == "-" or not re.fullmatch(r"[A-Za-z0-9]+", what) or Path(what).is_file()):
        text = content(what)
        if not re.match(rb"\s*[A-Za-z]", text):
            return _of_record(open_record(text, find_game), player)
        code = text.decode("utf-8", "replace")
    if code is None:
        with Store.open() as store:
            return _of_record(store.load(what), player)
    seat: Seat | None = None if player is None else 0 if player == 1 else 1
    session = parse_code(code, find_game)
    return [Reviewed(None, session, seat)] if session.plies else [], ""


def _of_record(opened: OpenedRecord, player: int | None) -> tuple[list[Reviewed], str]:
    record = opened.record
    if record is None or opened.error:
        raise RecordError(opened.error or "It is not a record.")
    rounds: list[Reviewed] = []
    for count, session in enumerate(opened.sessions):
        if session.outcome is None and not any(who.level for who in record.players):
            return rounds, NO_REVIEW_YET
        if session.plies:
            seats: dict[int, Seat] = {player_number(seat, record.first, count): seat for seat in SEATS}
            rounds.append(Reviewed(count + 1 if record.rounds > 1 else None, session, seats.get(player or 0)))
    return rounds, ""


def _is_code(text: str) -> bool:
    """The text looks like a position code, and not like the name of a file."""
    begins = re.match(r"\s*[A-Za-z0-9-]+[:/]", text) and not re.search(r"\.[A-Za-z]+$", text)
    return bool(begins and not Path(text).exists()) or text.strip().lower() in game_ids()


# -- the answer


def _facts(one: Reviewed, judged: JudgedMove) -> dict[str, Any]:
    return {
        **({} if one.number is None else {"round": one.number}),
        "ply": judged.ply,
        "seat": judged.seat + 1,
        "move": judged.move,
        "kind": judged.kind,
        "worth": json_number(judged.worth.value),
        "best": json_number(judged.best.value),
        "best_moves": list(judged.best_moves),
        "reason": judged.analysis.reason,
        "idea": judged.analysis.idea.name if judged.analysis.idea else None,
        "cause": one.session.named(judged.cause) or None,
    }


def _page(one: Reviewed, judged: tuple[JudgedMove, ...], shown: list[JudgedMove], seconds: int | None) -> Iterator[str]:
    session = one.session
    title = full_title(session.game, session.options)
    yield title if one.number is None else f"Round {one.number}: {title}"
    name_width = max(map(len, session.names))
    move_width = max((len(move.move) for move in shown), default=0)
    for move in shown:
        mark = "!" if move.turning else "*" if move.kind == "only-move" else " "
        name = session.names[move.seat]
        text = f"{move.ply:>3} {mark} {name:<{name_width}}  {move.move:<{move_width}}  {_describe(move)}"
        yield text.rstrip()
        if move.turning:
            yield from (f"      {session.named(text)}" for text in (move.far, move.cause, move.analysis.reason) if text)
    if len(judged) < len(session.moves):
        yield "Turns that take too long to work out are left out."
    if session.outcome is not None:
        yield session.named(f"{winner_sentence(session.outcome)} {session.outcome.reason}")
    yield named(summary(judged), session.names)
    tried = best_try(session, judged, Voice(session.names), Stop(seconds))
    if tried:
        yield tried
    met = most_frequent_idea(move.analysis for move in shown if move.turning)
    if met is not None:
        number = lesson_on(readable(session.game.INFO.id), met[0])
        yield f"Missed most often: {met[0].name}, {times(met[1])}. {met[0].sentence}"
        if number is not None:
            yield f"The lesson: duelbox learn {session.game.INFO.id} {number + 1}"


def _describe(move: JudgedMove) -> str:
    advised = next(one for one in move.analysis.moves if one.move == move.analysis.advice)
    best = f"{advised.move} {worth(advised)}"
    now = worth(move.worth)
    text = {
        "threw-win": f"threw the win away: {best}",
        "threw-draw": f"threw the draw away: {best}",
        "lost-chance": f"gave up {points(move.lost)}: {now}; {best}",
        "slow": f"{now}, slower than needed: {move.best.move} {worth(move.best)}",
        "only-move": f"{now}; the only right move",
        "no-choice": f"{now}; all moves are worth the same",
        "fine": now,
    }[move.kind]
    if move.luck is None or abs(move.luck) * 100 < LUCKY:
        return text
    return f"{text}; {'good' if move.luck > 0 else 'bad'} luck, {points(abs(move.luck))}"
