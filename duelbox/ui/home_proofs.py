"""The row of a game on home, where a proof is begun or offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from duelbox.store.statistics import Played
from duelbox.table.next_game import IN_A_ROW
from duelbox.ui.home_facts import GameFacts


def with_proof(facts: GameFacts, played: Sequence[Played], proofs: Mapping[str, Any]) -> GameFacts:
    """The row with the proof that was left as its step, or after two wins in a row without help the next one."""
    if facts.raised or facts.lately or facts.offer:
        return facts  # the last games were lost, or other rules are offered
    row = played[:IN_A_ROW]
    won = len(row) == IN_A_ROW and all(one.won_alone for one in row)
    if not won and not proofs:
        return facts
    from duelbox.proof.ladder import RUNGS  # not needed on most first screens
    from duelbox.table.proof_progress import is_begun, next_rung

    at = next_rung(proofs, facts.id)
    if at is None:
        return facts
    number, rung = at
    if is_begun(proofs, rung.code):
        return replace(facts, next_step=f"proof {number} of {len(RUNGS)}: k")
    if not won or not facts.at[0]:
        return facts  # nothing was won, or by house rules of the player's own
    return replace(
        facts,
        next_step=f"prove it: {rung.name}",
        lately=f"You won the last two. Does it always work? Prove it: from {rung.questions} questions.",
        prove=f"Prove it: {rung.name}",
        position=rung.code,
    )
