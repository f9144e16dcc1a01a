"""Transcripts of the line mode and printed pages, compared letter by letter; and the end of input at any line.

`python -m tests.golden.make` writes them again. Transcripts whose names begin with "seed" are the original examples of
the games, and never change.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from duelbox.core.code import parse_code
from duelbox.core.talk import full_title
from duelbox.games.number_circle.rules import Move, Options, State, apply
from duelbox.registry import find_game, talk_of
from tests.command_line import play, run
from tests.effort import sampled

GOLDEN = Path(__file__).parents[1] / "golden" / "plain"

# for each game an evening as typed: wrong answers, words, house rules, a second round
SCRIPTS: dict[str, str] = {
    "circle-duel": "circle-duel|Ann|Ben|4|9|5|6|7|8|9|10|1|2|undo|2|3|no",
    "circle-duel-leap": "circle-duel:size=14,reach=2,without=3-8-9|||help|board|1|13|15|x|moves|14|12|10|11|quit",
    "circle-duel-trails": "circle-duel:size=9,reach=2,trails=own|Ann|Ben|4|7|7|9|5|8|moves|2|undo|9|6|8|no",
    "number-circle": (
        "number-circle|Ann|Ben|2|+|9|add|Move to 3|*|+|8|+|-|4||4|+|7|plus|5|+|+6|7|6|+|-|-5|+7|undo|"
        "undo|redo|redo|yes|code"
    ),
    "number-circle-tug": (
        "number-circle:target=10,shared_total=on,sharing=off,floor=0|||1|9|-|+|+2|board|2|-|3|+|undo|3|-|resign|n"
    ),
    "sequence-duel": "sequence-duel|Alice|Bob|10|13|7|16|12|7|1|moves",
    "sequence-duel-ring": "sequence-duel:size=7,ring=on|Alice|Bob|4|7|1|2|6|5|3|y|1",
    "digit-chain": "digit-chain|||26|61|19|94|42|28|83|37|75|54|54|5|40|y|quit",
    "digit-chain-wild": "digit-chain:zero=wild,without=55-56|||50|7|7|55|70|99|code|quit",
    "number-duel": "number-duel:deal=31524-51234|Ann|Ben||9|3|6|2|code||3x2||4|1|x||moves|2|1||5x1||undo|4x1||2x1||",
    "number-duel-order": (
        "number-duel:hand=3,arrange=chosen,victors_stay=on|Ann|Ben||1 2|321|undo||132||213||3x1||2x1|||resign|no"
    ),
}

SEEDS: dict[str, str] = {
    "seed-circle-duel": "circle-duel|Player 1|Player 2|4|5",
    "seed-circle-duel-end": "circle-duel/4.5.6.7.8.9.10.1.2|Ann|Ben|3",
    "seed-number-circle": "number-circle/+2.+9|Ann|Ben|Move to 3|+|Move to 8|-",
    "seed-number-circle-end": "number-circle/+2.+9.+3.-8.+4.+7.+5.+6.-6.-5|Ann|Ben|Move to 7|+",
    "seed-sequence-duel": "sequence-duel|Alice|Bob|10|13|7|16",
    "seed-sequence-duel-end": "sequence-duel:size=5/2.4|Bob|Alice|1|5",
    "seed-digit-chain": "digit-chain|Player 1|Player 2|26|61|19",
    "seed-digit-chain-end": "digit-chain:without=4-41-42-43-44-45-46-47-48-49-40|Ann|Ben|54",
    # the first example's position is impossible (a 5 that attacked and lost); this one differs by one number
    "seed-number-duel": "number-duel:deal=13245-31425/5x2.4x2|Ann|Ben||2|1",
    "number-duel-win": "number-duel:deal=12345-12345|Ann|Ben||5x1",
    "number-duel-victor-stays": "number-duel:deal=12345-12345,victors_stay=on|Ann|Ben||5x1",
    "number-duel-tie": "number-duel:hand=3,deal=123-123/1x1.2x1|Ann|Ben||3x1|",
}
# wrong answers and words at each question, and between rounds
PROMPTS: dict[str, str] = {
    "prompt-names": f"circle-duel|a\u202eb|{'x' * 25}| Ann |ann|Ben|quit",
    "prompt-names-words": 'circle-duel/4|help|undo|code|moves|"code"|quit',
    "prompt-undo": "number-circle/+2.+9|Ann|Ben|3|undo|redo|+3|undo|undo|undo|undo|redo|redo|redo|quit",
    "prompt-resign": "number-circle/+2|Ann|Ben|9|resign|undo|9|+|quit",
    "prompt-over": "circle-duel/4|Ann|Ben|resign|moves|resign|redo|board|maybe|n",
    "prompt-wrong": "circle-duel/4|Ann|Ben|9|\x1b[2J||five|5|quit",
    "prompt-number-circle": "number-circle|Ann|Ben|x|1|12|+|2|x|2||2|+9|-8|quit",
    "prompt-number-duel": "number-duel:hand=3,deal=312-123|Ann|Ben||9|x|9x9|1|4|x||1|3x2|quit",
    "prompt-refused": "sequence-duel/13 --p1 Ann --p2 Ben|12",
    "prompt-end-undone": "digit-chain --p1 Ann --p2 Ben|50|undo|51|no",
    "prompt-pass": "number-circle:target=10,sharing=off,shared_total=on,floor=0 --p1 Ann --p2 Ben|2|+",
    "prompt-passed": "number-circle:target=10,sharing=off,shared_total=on,floor=0/+2 --p1 Ann --p2 Ben",
    "prompt-lost": "number-circle/+2.+9.+3.-8.+4.+7.+5.+6.-6.-5 --p1 bot:5 --p2 Ann",
    "prompt-hand-over": "number-duel:hand=3,deal=312-123 --p1 Ann --p2 Ben||3x2|3x1|moves|resign|",
    "prompt-secret": "number-duel:hand=3,arrange=chosen,seed=1|Ann|Ben||321|moves|undo|redo||undo||132||213|quit",
    "match": "digit-chain --p1 Ann --p2 Ben --rounds 3|50|x||12|resign||60|undo|60|",
    "match-drawn": "digit-chain --p1 Ann --p2 Ben --rounds 2|50||50|",
    "match-open": "digit-chain --p1 Ann --p2 Ben|50|yes|50|Y|50|",
    "match-second-first": "digit-chain --p1 Ann --p2 Ben --first 2|50",
    "match-taken-up": "digit-chain/12.20 --p1 Ann --p2 Ben|undo|21",
    "prompt-draw": "number-circle|Ann|Ben|draw|perhaps|no|draw|+2|draw|yes|no",
}


SHOWN = (
    *("circle-duel:size=9,without=2/4.5", "sequence-duel:size=6/3.5", "number-circle/+2.+9"),
    *("number-circle:shared_total=on/+2.+2", "digit-chain:without=62/26.61.19"),
    *("number-circle:target=10,sharing=off,shared_total=on,floor=0/+2", "number-duel:deal=31524-51234/3x2"),
    *("number-duel:arrange=chosen/31524", "number-duel:seed=987654", "number-duel:hand=3,deal=123-123/1x1.2x1.3x1"),
)
SOLVED = (
    *("circle-duel/3", "circle-duel/4.5.6.7.8.9.10.1.2", "circle-duel:size=4"),
    *("circle-duel:size=15,reach=2,trails=own/4.9.5", "circle-duel:size=15,reach=2,trails=own"),
    *("number-circle", "number-circle:target=17/+9.+2", "number-circle:target=11,shared_total=on,sharing=off,floor=0"),
    "number-circle:shared_total=on,sharing=off,floor=0/+2.+9.+3.-8.-4.+7.+5",
    *("sequence-duel", "sequence-duel:size=17", "sequence-duel:size=21,ring=on", "sequence-duel:ring=on"),
    *("sequence-duel:ring=on/10", "sequence-duel:size=5/3.1", "sequence-duel/10.13.7", "sequence-duel/12.15"),
    *("digit-chain", "digit-chain:zero=no-tens", "digit-chain:zero=no-tens/26"),
    *("digit-chain:zero=wild,gaps=45,seed=56/56", "number-duel", "number-duel:hand=3,deal=123-321/1x1.2x1"),
    "number-duel:hand=4,seed=6147655578437056674/4x1.3x1",
)


def pages() -> dict[str, str]:
    """The output of commands."""
    reasons = (f"{code}\n  {json.loads(run('solve', code, '--json').out)['reason']}\n" for code in SOLVED)
    listed = {"games": run("games").out, "games-json": run("games", "--json").out}
    return {"show": run("show", *SHOWN).out, "reasons": "".join(reasons), **listed}


def typed_in(name: str) -> list[str]:
    return {**SCRIPTS, **SEEDS, **PROMPTS}[name].split("|")


def transcript(name: str) -> str:
    begun, *typed = typed_in(name)
    code, *options = begun.split()
    ran = play(code, *typed, options=tuple(options))
    assert (ran.status, ran.err) == (0, "")
    # fifty blank lines become one, to keep diffs short
    return re.sub(r"\n{40,}", "\n\n(many blank lines)\n\n", ran.out)


TRANSCRIPTS = (*SCRIPTS, *SEEDS, *PROMPTS)


def write_goldens() -> None:
    told = pages()
    for name in TRANSCRIPTS:  # each in a home of its own, without an unfinished game
        with TemporaryDirectory() as home, patch.dict(os.environ, DUELBOX_HOME=home):
            told[name] = transcript(name)
    for name, text in told.items():
        (GOLDEN / f"{name}.txt").write_text(text, encoding="ascii")


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_golden_transcripts(name: str) -> None:
    told = transcript(name)
    assert re.fullmatch(r"[ -~\n]*", told), "plain lines"
    assert told == (GOLDEN / f"{name}.txt").read_text(encoding="ascii")


def test_golden_pages() -> None:
    for name, page in pages().items():
        assert page == (GOLDEN / f"{name}.txt").read_text(encoding="ascii"), name


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*TRANSCRIPTS, *pages()}


def test_a_draw_of_number_circle() -> None:
    options = Options(target=10, floor=0)
    state = State(turn=0, options=options, target=10, totals=(13, 5), places=(9, 8))
    after, _events = apply(state, 0, Move(sign="-", number=8))
    ending = "Neither player can move, even turning round: a draw.\nThe game is a draw."
    assert talk_of(find_game("number-circle")).ending(after) == ending


# -- the end of the input, anywhere


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_input_may_end_anywhere(name: str) -> None:
    code, *typed = typed_in(name)
    for count in range(0, len(typed), sampled(3, 1)):
        ran = play(code, *typed[:count], options=())
        assert (ran.status, ran.err) == (0, "")
        last = ran.out.splitlines()[-1]
        told = re.fullmatch(r"Its code: (\S+)", last)
        if told:
            on = parse_code(told[1], find_game)
            assert on.state.outcome is None
            assert full_title(on.game, on.options) in ran.out
        else:
            assert last == "Goodbye." or "both hands" in last


def test_a_last_line_need_not_end() -> None:
    assert "Number 4 selected." in run("play", "circle-duel", "--plain", "--p1", "A", "--p2", "B", typed="4").out


def test_bytes_that_are_not_text_are_refused() -> None:
    ran = run("play", "circle-duel", "--plain", typed=b"Ann\nBen\n\xff\n\x00\n4\n")
    assert ran.status == 0
    assert "Number 4 selected." in ran.out
