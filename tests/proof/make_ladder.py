"""Makes the ladder of theorems: `python -m tests.proof.make_ladder [STEPS]` writes duelbox/proof/ladder.json.

Each position gets so many steps (20,000) of the search for the fewest questions; a better proof in the file stays.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from duelbox.core.model import Seat
from duelbox.proof import ladder
from duelbox.proof import walk as walks
from duelbox.proof.checker import check, code_to_prove
from duelbox.proof.deal import Deal
from duelbox.proof.line import read_proof
from duelbox.proof.trace import replies
from duelbox.proof.writer import write_proof
from duelbox.solve.api import Stop
from tests.proof.smallest_book import Book

FILE = Path(ladder.__file__).with_name("ladder.json")
MOST = 20_000
"""Positions with more answers than this get a book without a search."""
POSITIONS = {
    "a ring of 9": "sequence-duel:size=9,ring=on",
    "a line of 9": "sequence-duel:size=9",
    "a ring of 10": "sequence-duel:size=10,ring=on",
    "a chain of 21 numbers": "digit-chain:zero=no-tens,gaps=60,seed=6",
    "12 places, own trails": "circle-duel:size=12,reach=2,trails=own",
    "a ring of 11": "sequence-duel:size=11,ring=on",
    "12 numbers in pairs": "circle-duel:size=16,reach=2,gaps=4,seed=5",
    "14 places, own trails": "circle-duel:size=14,reach=2,trails=own",
    "a line of 11": "sequence-duel:size=11",
    "10 places, one gap, own trails": "circle-duel:size=10,reach=2,trails=own,without=1",
    "another chain of 21 numbers": "digit-chain:zero=no-tens,gaps=60,seed=5",
    "9 places, own trails": "circle-duel:size=9,reach=2,trails=own",
    "Wild Zero": "digit-chain:zero=wild,gaps=46,seed=1",
    "Pairs": "circle-duel:size=16,reach=2,gaps=4,seed=2",
    "a line of 13": "sequence-duel:size=13",
    "13 places, own trails": "circle-duel:size=13,reach=2,trails=own",
    "a line of 12": "sequence-duel:size=12",
    "11 places, own trails": "circle-duel:size=11,reach=2,trails=own",
    "a ring of 13": "sequence-duel:size=13,ring=on",
    "a ring of 14": "sequence-duel:size=14,ring=on",
    "a ring of 15": "sequence-duel:size=15,ring=on",
    "12 places, one gap, own trails": "circle-duel:size=12,reach=2,trails=own,without=1",
    "14 places, one gap, own trails": "circle-duel:size=14,reach=2,trails=own,without=1",
    "Two Trails": "circle-duel:size=16,reach=2,trails=own,without=1",
    "a line of 14": "sequence-duel:size=14",
}


def line_of(book: Book) -> str:
    """The proof by the answers of a book."""
    answers = book.answers()

    def answer(view: Any) -> Any:
        spot = book.deal.spot(view)
        return book.deal.game.parse_move(view, str(spot.number_of(answers[spot.shape])))

    return write_proof(book.deal.session.code(), book.side, answer).line


def rung_of(name: str, code: str, steps: int) -> dict[str, Any]:
    """A rung with the smallest book that the search finds."""
    deal = Deal(code)
    book = Book(deal, MOST)
    if book.too_large:
        line, questions = greedy_line(deal, book.side)
    else:
        book.improve(steps)
        line, questions = line_of(book), book.questions
    assert check(read_proof(line)).proved
    return {"name": name, "code": code_to_prove(deal.session), "questions": questions, "proof": line}


def greedy_line(deal: Deal, side: Seat) -> tuple[str, int]:
    """The proof and the questions of answers that each leave the fewest replies."""
    walk = walks.choose(walks.begin(deal.session.code()), side)
    while (at := walks.look(walk).at) is not None:
        spot = deal.after(at)
        assert spot is not None
        following = deal.next(spot)
        walk = walks.answer(walk, min(deal.right(spot, Stop()), key=lambda move: replies(deal, following[move])))
    return walks.proof_of(walk).line, len(walk.right)


def main(steps: int) -> None:
    """Work all rungs out and write them, the one with the fewest questions first."""
    known = {rung.code: rung for rung in ladder.RUNGS}
    rungs = []
    for name, code in POSITIONS.items():
        rung = rung_of(name, code, steps)
        before = known.get(rung["code"])
        if before is not None and before.questions <= rung["questions"]:
            rung = {**before._asdict(), "name": name}
        rungs.append(rung)
        sys.stdout.write(f"{rung['questions']:3} {name}\n")
        sys.stdout.flush()
    rungs.sort(key=lambda rung: rung["questions"])
    FILE.write_text("".join(["[\n", ",\n".join(json.dumps(rung) for rung in rungs), "\n]\n"]), "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
