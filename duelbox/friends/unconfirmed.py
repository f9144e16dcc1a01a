"""Results in the history that the friend has not confirmed yet, and the word on those that were changed later."""

from __future__ import annotations

from duelbox.friends.ledger import Ledger
from duelbox.friends.player_side import PlayerSide
from duelbox.registry import title_of
from duelbox.store.store import Store
from duelbox.store.times import now
from duelbox.store.unconfirmed import KIND, Result, results

WITHDRAWN = "It went otherwise in the room: the end shown here does not count."
VOID = "Both claimed this game, so it counts for nobody."


def settle(store: Store, key: str, side: PlayerSide) -> str | None:
    """Bring the history up to what this side knows of its match, which `key` names; returns its id there, if any.

    Raises DuelboxError.
    """
    before = results(store).get(key, Result())
    sure = side.ledger.stage == "over"
    saved = _saved(store, side)
    if before.id and before.id != saved:
        store.delete(before.id)
    after = _result(side, before, saved)
    if sure and side.ledger.both_claimed and saved is not None and after != before:
        store.delete(saved)
    if after != before:
        store.progress.add(KIND, key, after.model_dump(mode="json"))
    return saved


def _saved(store: Store, side: PlayerSide) -> str | None:
    """Save the match if it is over for both, or some rounds of it for this side alone; returns its id."""
    if side.ledger.stage == "over":
        return store.import_text(side.ledger.record().to_json())
    foreseen = side.foreseen()
    if foreseen is None or len(foreseen.ledger.standing.recorded) <= len(side.ledger.standing.recorded):
        return None
    return store.import_text(foreseen.ledger.record().to_json())


def _result(side: PlayerSide, before: Result, saved: str | None) -> Result:
    """The mark of a match whose id in the history is `saved`."""
    ledger = side.ledger
    rival = ledger.terms.players[side.rival]
    foreseen = side.foreseen()
    if ledger.stage != "over" and saved is not None and foreseen is not None:
        return Result(id=saved, rival=rival, winners=winners_of(foreseen.ledger))
    note = ""
    if ledger.stage == "over" and side.ledger.both_claimed:
        note = VOID
    elif before.id and not winners_of(ledger).startswith(before.winners):
        note = WITHDRAWN
    if not note:
        return Result(note=before.note, at=before.at)
    title = title_of(ledger.proposal.game.INFO.id)
    return Result(note=f"{title} against {rival}: {note}", at=before.at or f"{now():%Y-%m-%d}")


def winners_of(ledger: Ledger) -> str:
    """The winners of the rounds that are over: "1", "2", or "-" for a draw."""
    results = [one.result for one in ledger.standing.recorded if one.result is not None]
    return "".join(str(result.winner or "-") for result in results)
