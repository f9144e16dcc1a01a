"""Builds the goldens: views, legal moves, events and refusals of one match for each game and preset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from duelbox.core.code import format_code
from duelbox.core.game import AnyGame, Preset
from duelbox.core.model import Position
from duelbox.core.rng import Rng
from duelbox.registry import games
from duelbox.testing.laws import SEATS_AND_SPECTATOR
from tests.golden.said import write_said
from tests.plain.test_transcripts import write_goldens
from tests.positions import refused

FOLDER = Path(__file__).parent / "playthroughs"
MOST_PLIES = 30
SHOWN = 24
"""Moves shown from each end of a long list."""


REFUSED: dict[str, str] = {
    "circle-duel/4.5": "5|4|9|11|six",
    "circle-duel/1": "5",
    "circle-duel:without=3-7": "7",
    "circle-duel:size=30/4.5": "31",
    "circle-duel:trails=own/4.8": "9",
    "number-circle": "+3||2|+two|-",
    "number-circle/+2.+2": "+1|+12",
    "number-circle:sharing=off/+2": "+2",
    "number-circle:target=10/+9.+2": "+8|8",
    "sequence-duel/10": "9",
    "sequence-duel/10.13": "12|10|13|21|",
    "sequence-duel/10.16.12": "11",
    "sequence-duel:ring=on/1": "20",
    "digit-chain/26": "61x|0|100|71|7",
    "digit-chain/66.6": "66",
    "digit-chain/26.61.19": "19",
    "digit-chain:zero=no-tens/26": "60",
    "digit-chain:without=65/26": "65",
    "number-duel:deal=13245-34521": "6x1|3x6|3x0|12345|3|3y2",
    "number-duel:deal=13245-34521/3x2.2x4": "3x1",
    "number-duel:hand=3,deal=132-321/3x2.3x1": "2x2",
    "number-duel:hand=3,deal=132-321/3x2": "1x3",
    "number-duel:arrange=chosen": "3x2|11234|123456|12",
    "number-duel:arrange=chosen,hand=3/123": "x",
}
"""Refused moves at some positions."""


def playthroughs() -> Iterator[tuple[str, str]]:
    """Every golden file by its name, with its text."""
    refusals = (f"{code} {text!a}\n  {refused(code, text)}\n" for code in REFUSED for text in REFUSED[code].split("|"))
    yield "refusals.txt", "".join(refusals)
    for game in games():
        for preset in game.PRESETS:
            yield f"{game.INFO.id}-{preset.id}.txt", "\n".join(_lines(game, preset)) + "\n"


def _lines(game: AnyGame, preset: Preset) -> Iterator[str]:
    rng = Rng(sum(map(ord, game.INFO.id + preset.id)))
    state, moves = game.start(preset.options), []
    yield f"{game.INFO.title}: {preset.name}. {preset.about}"
    yield f"options {preset.options.model_dump_json()}"
    yield from _position(game, state)
    while state.turn is not None and len(moves) < MOST_PLIES:
        seat, move = state.turn, rng.choice(game.legal_moves(game.view(state, state.turn)))
        moves.append(move)
        state, events = game.apply(state, seat, move)
        yield ""
        yield f"{len(moves)}. Player {seat + 1}: {game.format_move(move)} {move.model_dump_json()}"
        for event in events:
            yield f"  {event.sentence} {event.model_dump_json()}"
        yield from _position(game, state)
    yield ""
    yield format_code(game, preset.options, moves)


def _position(game: AnyGame, state: Position) -> Iterator[str]:
    if game.INFO.hidden:
        for seat in SEATS_AND_SPECTATOR:
            who = "a spectator" if seat is None else f"Player {seat + 1}"
            yield f"  view of {who}: {game.view(state, seat).model_dump_json()}"
    else:
        yield f"  view: {game.view(state, None).model_dump_json(exclude={'options'})}"
    legal = [game.format_move(move) for move in game.legal_moves(game.view(state, None))]
    if len(legal) > 2 * SHOWN:
        legal = [*legal[:SHOWN], "…", *legal[-SHOWN:]]
    yield f"  legal: {' '.join(legal) or 'nothing'}"


def main() -> None:
    """Write all goldens, delete unused ones, and rewrite the texts of tests with the fixture `said`."""
    FOLDER.mkdir(exist_ok=True)
    built = dict(playthroughs())
    for name, text in built.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        if path.name not in built:
            path.unlink()
    write_goldens()
    write_said()


if __name__ == "__main__":
    main()
