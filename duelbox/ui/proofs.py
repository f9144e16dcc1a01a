"""Opens proofs: the next one of the ladder, one that was left, one of a position, and one that was pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.session import Session
from duelbox.proof.checker import check, code_to_prove, proving_of
from duelbox.proof.line import read_proof
from duelbox.registry import find_game
from duelbox.table.presets import known_preset
from duelbox.table.proof_kept import answers_in, kept_in
from duelbox.table.proof_progress import PROOFS, next_rung, rung_of
from duelbox.table.proof_table import ProofTable
from duelbox.ui import screens
from duelbox.ui.terminal.background import in_background

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


async def open_line(app: DuelboxApp, text: str) -> None:
    """Check the line of a proof, and open a walk through its answers; say why if it fails."""
    asking = app.screen
    try:
        proof = read_proof(text)
        verdict = await in_background(lambda: check(proof))
        position = parse_code(proof.code, find_game)
    except DuelboxError as error:
        app.warn(error.sentence)
        return
    if not verdict.proved:
        app.warn(verdict.sentence)
    elif app.screen is asking:
        table = table_of(app, position)
        table.show_answers(proof.side, answers_in(proof))
        app.push_screen(screens.proof_screen.ProofScreen(table))


def open_proof(app: DuelboxApp, position: Session, *, instead: bool = False) -> None:
    """Open the proof of a position, where it was left if it was begun; raises DuelboxError if there are no proofs."""
    proving_of(position.game)
    position = parse_code(code_to_prove(position), find_game)
    marks = app.store.progress.newest(PROOFS)
    table = table_of(app, position)
    table.next_rung = next_rung(marks, after=table.code)
    screen = screens.proof_screen.ProofScreen(table, kept_in(marks.get(table.code)))
    (app.switch_screen if instead else app.push_screen)(screen)


def open_next_rung(app: DuelboxApp, game_id: str = "", after: str = "", *, instead: bool = False) -> None:
    """Open the first deal of the ladder that is not proved: of one game, or the next one after a code."""
    if game_id:
        proving_of(find_game(game_id))
    marks = app.store.progress.newest(PROOFS)
    rung = next_rung(marks, game_id, after)
    if rung is None:
        raise DuelboxError("Every deal of this ladder is proved.")
    open_proof(app, parse_code(rung.rung.code, find_game), instead=instead)


def table_of(app: DuelboxApp, position: Session) -> ProofTable:
    """The table of a proof, with its name and its place on the ladder."""
    at = rung_of(position.code())
    if at is not None:
        return ProofTable(position, at)
    preset = known_preset(app.settings, position.game, position.options)
    return ProofTable(position, name=preset.name if preset else "House rules")
