"""Everything that can be done in a review, in the order of the key bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.bots import level_of
from duelbox.solve import sentences
from duelbox.table.local import LocalTable
from duelbox.table.new_game import NewGame
from duelbox.table.play_on import game_against, level_after
from duelbox.table.refusals import unless, why_no_proofs
from duelbox.table.verb import Verbs

if TYPE_CHECKING:
    from duelbox.table.review_table import ReviewTable
    from duelbox.table.state import TableState

FAR = 10_000
"""More turns than a game can have."""

REVIEW_VERBS = Verbs()
"""The verbs of a review."""


def _at_a_move(table: ReviewTable, state: TableState) -> str | None:
    """Refuses a verb unless a move was or could be made at the position shown."""
    return unless(table.mover is not None)


def _after_a_move(table: ReviewTable, state: TableState) -> str | None:
    """Refuses a verb before the first move."""
    return unless(table.at > 0)


def _without_secrets(table: ReviewTable, state: TableState) -> str | None:
    """Refuses a verb while the position shown holds secrets."""
    return unless(not table.secret)


def _where_play_goes_on(table: ReviewTable, state: TableState) -> str | None:
    """Refuses to play on unless the position shown holds no secrets, and a move can be made."""
    return unless(not table.secret and table.mover is not None)


def _with_rounds(table: ReviewTable, state: TableState) -> str | None:
    """Refuses a verb in a match of one round."""
    return unless(len(table.played) > 1)


def _say(state: TableState, sentence: str) -> None:
    """Say something in place of a hint."""
    state.hint_step = 0
    state.say(sentence)


@REVIEW_VERBS.verb("home", "First", shown=False)
def first(table: ReviewTable, state: TableState) -> None:
    """Go to the start of the round."""
    table.go(-FAR)


@REVIEW_VERBS.verb("left", "Back", display="←")
def back_one(table: ReviewTable, state: TableState) -> None:
    """Go a turn back."""
    table.go(-1)


@REVIEW_VERBS.verb("right", "Forward", display="→")
def forward(table: ReviewTable, state: TableState) -> None:
    """Go a turn on."""
    table.go(1)


@REVIEW_VERBS.verb("end", "Last", shown=False)
def last(table: ReviewTable, state: TableState) -> None:
    """Go to the end of the round."""
    table.go(FAR)


@REVIEW_VERBS.verb("m", "Mistakes", title="Find a better move where the game turned")
def mistakes(table: ReviewTable, state: TableState) -> None:
    """Open the mistakes, or say that there are none."""
    table.stop_autoplay()
    table.wanted = not table.complete
    if table.complete and table.mistakes() is not None:
        state.frontend.open("mistakes")
    else:
        _say(state, table.why_no_mistakes())


@REVIEW_VERBS.verb("v", "Verdict", _at_a_move)
def verdict(table: ReviewTable, state: TableState) -> None:
    """Show or hide the worth of each move, at all turns."""
    state.verdict_on = not state.verdict_on
    _say(state, "")


@REVIEW_VERBS.verb("h", "Hint", _at_a_move)
def hint(table: ReviewTable, state: TableState) -> None:
    """Give the next of three hints."""
    state.say("")
    state.hint_step = min(state.hint_step + 1, sentences.HINTS)


@REVIEW_VERBS.verb("w", "Why", _after_a_move, title="Why the move was right or wrong")
def why(table: ReviewTable, state: TableState) -> None:
    """Say why the last move was right or wrong."""
    _say(state, table.why_of_last())


@REVIEW_VERBS.verb("space", "Autoplay")
def autoplay(table: ReviewTable, state: TableState) -> None:
    """Show turn after turn until the end, or until the user moves about."""
    if table.playing is not None:
        table.stop_autoplay()
        return
    if table.at == table.last:
        table.show(0)
    table.play_later(state)


@REVIEW_VERBS.verb("up", "Round before", _with_rounds, shown=False)
def round_before(table: ReviewTable, state: TableState) -> None:
    """Go to the start of the round before."""
    table.stop_autoplay()
    table.show(0, table.round - 1)


@REVIEW_VERBS.verb("down", "Next round", _with_rounds)
def next_round(table: ReviewTable, state: TableState) -> None:
    """Go to the start of the next round."""
    table.stop_autoplay()
    table.show(0, table.round + 1)


@REVIEW_VERBS.verb("tab", "Other eyes", _without_secrets, title="As one player saw it, as the other, or all revealed")
def eyes(table: ReviewTable, state: TableState) -> None:
    """Show the match as one player saw it, as the other did, or all revealed."""
    _say(state, table.next_eyes())


@REVIEW_VERBS.verb("c", "Copy code", _without_secrets)
def code(table: ReviewTable, state: TableState) -> None:
    """Copy the code of the position shown."""
    text = table.session.code()
    state.frontend.copy(text)
    state.say(f"Copied {text}")


@REVIEW_VERBS.verb("x", "Export", _without_secrets, title="Write the round to a file, as a picture that moves")
def export(table: ReviewTable, state: TableState) -> None:
    """Write the round to a file as a moving picture."""
    table.stop_autoplay()
    state.frontend.open("export")


@REVIEW_VERBS.verb("g", "Play on", _where_play_goes_on, title="Play on from here as a new game")
def play_on(table: ReviewTable, state: TableState) -> None:
    """Begin a new game from here: with the same players, or against the chosen level of the computer."""
    game = table.game_from_here()
    if table.level is not None and game.turn is not None:
        seat = game.turn if table.seat is None else table.seat
        state.frontend.lay(game_against(game, seat, table.level), "")
        return
    players = table.who(0), table.who(1)
    state.frontend.lay(LocalTable(NewGame(game, fresh=True), players), "")


@REVIEW_VERBS.verb("l", "Level", _where_play_goes_on, title="Another level of the computer to play on against")
def level(table: ReviewTable, state: TableState) -> None:
    """Choose the next level of the computer to play on against."""
    record = table.record
    here = table.level
    if here is None:
        here = next((level_of(record.game, player.level) for player in record.players if player.level), None)
    table.level = level_after(record.game, here)
    if table.level is None:
        _say(state, "No computer plays this.")
    else:
        _say(state, f"g plays on from here against {table.level.name}.")


def _with_proofs(table: ReviewTable, state: TableState) -> str | None:
    """Refuses a proof after the end, while secrets are hidden, and in games without proofs."""
    if table.mover is None or table.barred:
        return ""
    return why_no_proofs(table.game)


REVIEW_VERBS.place("prove", "k", "Prove it", _with_proofs, title="Prove who wins here, whatever comes", shown=False)
REVIEW_VERBS.place("leave", "escape,q", "Leave", display="esc")
