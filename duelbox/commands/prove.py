"""`duelbox prove`: checks proofs, or asks the questions of one."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from duelbox.commands.shared import FAILED, REFUSED, above_home, content, has_screen
from duelbox.core.errors import CodeError, DuelboxError
from duelbox.core.names import columns, printable
from duelbox.core.session import Session
from duelbox.proof.api import NoProof
from duelbox.proof.checker import check, session_to_prove
from duelbox.proof.ladder import RUNGS
from duelbox.proof.line import is_proof_line, read_proof
from duelbox.store.store import Store
from duelbox.table.proof_progress import PROOFS, is_begun, is_done

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


def run(args: Namespace) -> int:
    """Check the proof of these words or of a file, a line each; prove any other text, which is a code or a rung.

    Without words, the ladder is listed.
    """
    text = " ".join(args.words)
    if not text:
        return _tell_ladder()
    if is_proof_line(text):
        return _check(text)
    if text == "-" or _is_file(text):
        return _check_file(text)
    code = _code(text)
    if has_screen() and not args.plain:
        position = session_to_prove(code)
        return above_home(lambda app: _open(app, position), "duelbox prove CODE --plain")
    from duelbox.plain.line_proof import prove

    return prove(code)


def _open(app: DuelboxApp, position: Session) -> None:
    """Open the proof of a position above home."""
    from duelbox.ui.proofs import open_proof

    open_proof(app, position)


def _tell_ladder() -> int:
    """List the theorems, the one with the fewest questions first."""
    with Store.open() as store:
        marks = store.progress.newest(PROOFS)
    rows = [("", "from", "", "")]
    for number, rung in enumerate(RUNGS, 1):
        done = ""
        if is_done(marks, rung.code):
            done = "proved"
        elif is_begun(marks, rung.code):
            done = "begun"
        rows.append((f"{number:2}", f"{rung.questions:4}", rung.name, done))
    sys.stdout.write("\n".join(["The ladder: duelbox prove N", *columns(rows), ""]))
    sys.stdout.write("from: the fewest questions known, without a rule\n")
    return 0


def _code(text: str) -> str:
    """The code of a position; a number stands for a rung of the ladder."""
    if not (text.isascii() and text.isdigit()):
        return text
    number = int(text[:4])
    if not 1 <= number <= len(RUNGS):
        raise NoProof(f"The ladder has {len(RUNGS)} proofs, and no proof {text[:8]}.")
    return RUNGS[number - 1].code


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _check_file(name: str) -> int:
    """Check the lines of a file; the status is the worst of them."""
    lines = [line for line in content(name).decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines:
        raise NoProof(f"{name[:200]} is empty: a proof is a line.")
    status = 0
    for line in lines:
        status = max(status, _check(line))
    return status


def _check(line: str) -> int:
    """Tell the verdict on a line: 0 if it is proved, 1 if not, 2 if it cannot be read."""
    try:
        verdict = check(read_proof(line))
    except DuelboxError as error:
        where = ""
        if isinstance(error, CodeError):
            where = f" (character {error.at} of the code)"
        sys.stdout.flush()
        sys.stderr.write(printable(f"{error.sentence}{where}") + "\n")
        return REFUSED
    sys.stdout.write(f"{verdict.sentence}\n")
    if verdict.proved:
        return 0
    return FAILED
