"""The table of a match on this machine, which is saved, and from which other matches begin."""

from __future__ import annotations

from contextlib import suppress

from duelbox.core.errors import DuelboxError
from duelbox.table.coach import MOVES_KIND
from duelbox.table.local import LocalTable
from duelbox.table.lost_deal import presets_said
from duelbox.table.new_game import read_new_game
from duelbox.ui.screens.table import TableScreen


class LocalScreen(TableScreen[LocalTable]):
    """A match whose players sit here; codes can be pasted over it."""

    def on_mount(self) -> None:
        """Look up how many moves of this game the player has ever made, and the presets whose winner was said."""
        with suppress(DuelboxError):  # then the aim of the game is explained again
            note = self.app.store.progress.newest(MOVES_KIND).get(self.table.game.INFO.id)
            count = note.get("count") if isinstance(note, dict) else 0
            self.state.moves_of_life = count if isinstance(count, int) else 0
            self.state.whose_said = presets_said(self.app.store, self.table.game.INFO.id)

    async def keep(self) -> None:
        """Save the match before the change is shown."""
        await self.app.game_changed(self.table)

    def paste(self, text: str) -> None:
        """Make the moves of a pasted code that goes on with this game, or open its game; type any other text."""
        if not set(":/") & set(text) or self.table.store is None:
            super().paste(text)
            return
        added = self.table.catch_up(read_new_game(text).session)
        if added is None:
            self.app.navigation.open_code(text, self.table)
            return
        self.run(self.state.settle())
        self.say("" if added == 1 else f"{added or 'No'} moves were added.")

    # -- screens beside the table

    def open_new(self) -> None:
        """Open the form for a new game."""
        self.app.navigation.open_new_game(self.table)

    def open_level(self) -> None:
        """Open the form for a new game, at the row of the computer."""
        self.app.navigation.open_new_game(self.table, row=f"p{2 - self.table.people[0]}")

    def open_prove(self) -> None:
        """Open the proof of the position on the table; leaving it leads back here."""
        from duelbox.ui.proofs import open_proof

        open_proof(self.app, self.table.session)

    def open_more(self) -> None:
        """Begin a game by rules with more to decide."""
        if self.state.settled is not None:
            self.app.navigation.open_preset(self.table.game, self.state.settled[1], self.table)
