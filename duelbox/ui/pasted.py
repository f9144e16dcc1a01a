"""Opens what is pasted at home: a homework, lines that were handed in, a proof, or a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.learn.handed_in import has_lines
from duelbox.learn.homework import is_set_name
from duelbox.proof.line import is_proof_line
from duelbox.ui import screens

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


def open_pasted(app: DuelboxApp, pasted: str) -> None:
    """Open a homework by its name, the tables of lines that were handed in, a proof, or a code. Raises DuelboxError."""
    name = pasted.removeprefix("duelbox puzzle ").removesuffix("--plain")
    proof = proof_line_in(pasted)
    if is_set_name(name):
        app.navigation.open_set(name.strip())
    elif has_lines(pasted):
        app.push_screen(screens.homework.teachers_tables(pasted))
    elif proof:
        from duelbox.ui.proofs import open_line

        app.run_worker(open_line(app, proof), exit_on_error=False)
    else:
        app.navigation.open_code(pasted)


def proof_line_in(text: str) -> str:
    """The line of a proof in a text, perhaps below the words for people; empty if there is none."""
    return next((line.strip() for line in text.splitlines() if is_proof_line(line)), "")
