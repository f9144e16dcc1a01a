"""Build the golden playthroughs: every view, legal list and event of one game for each game and preset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from duelbox.core.game import AnyGame, Preset
from duelbox.core.model import Position
from duelbox.core.notation import format_code
from duelbox.core.rng import Rng
from duelbox.registry import games
from duelbox.testing.laws import SEATS_AND_SPECTATOR
from tests.plain.test_transcripts import write_goldens

FOLDER = Path(__file__).parent / "playthroughs"
MOST_PLIES = 30
SHOWN = 24
"""Of a long list of legal moves, so many are shown from each end."""


def playthroughs() -> Iterator[tuple[str, str]]:
    """Every file by its name, with what belongs in it."""
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
    """Write all of them, take away what no preset asks for, and write what the line mode and commands say."""
    FOLDER.mkdir(exist_ok=True)
    built = dict(playthroughs())
    for name, text in built.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        if path.name not in built:
            path.unlink()
    write_goldens()


if __name__ == "__main__":
    main()
