"""The line mode as a whole: the seeds' samples to the letter, golden transcripts, and the input ending anywhere.

`python -m tests.plain.test_transcripts` writes the golden transcripts anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duelbox.core.code import parse_code
from duelbox.core.talk import full_title
from duelbox.games.number_circle.rules import Move, Options, State, apply
from duelbox.registry import find_game, talk_of
from tests.command_line import play, run
from tests.effort import sampled

GOLDEN = Path(__file__).parents[1] / "golden" / "plain"

# One evening a game, as typed: wrong entries, the words, house rules, a second round.
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

# What is said at each prompt to what is no answer there, and to the words that work everywhere.
PROMPTS: dict[str, str] = {
    "prompt-names": f"circle-duel|a\u202eb|{'x' * 25}| Ann |ann|Ben|quit",
    "prompt-names-words": 'circle-duel/4|help|undo|code|moves|"code"|quit',
    "prompt-undo": "number-circle/+2.+9|Ann|Ben|3|undo|redo|+3|undo|undo|undo|undo|redo|redo|redo|quit",
    "prompt-resign": "number-circle/+2|Ann|Ben|9|resign|undo|9|+|quit",
    "prompt-over": "circle-duel/4|Ann|Ben|resign|moves|resign|redo|board|maybe|n",
    "prompt-wrong": "circle-duel/4|Ann|Ben|9|\x1b[2J||five|5|quit",
    "prompt-number-circle": "number-circle|Ann|Ben|x|1|12|+|2|x|2||2|+9|-8|quit",
    "prompt-number-duel": "number-duel:hand=3,deal=312-123|Ann|Ben||9|x|9x9|1|4|x||1|3x2|quit",
    "prompt-draw": "number-circle|Ann|Ben|draw|perhaps|no|draw|+2|draw|yes|no",
}


def typed_in(name: str) -> list[str]:
    return {**SCRIPTS, **PROMPTS}[name].split("|")


def transcript(name: str) -> str:
    code, *typed = typed_in(name)
    ran = play(code, *typed, options=())
    assert (ran.status, ran.err) == (0, "")
    # Fifty blank lines read the same as one, and show less in a diff.
    return re.sub(r"\n{40,}", "\n\n(many blank lines)\n\n", ran.out)


def write_goldens() -> None:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in (*SCRIPTS, *PROMPTS):
        (GOLDEN / f"{name}.txt").write_text(transcript(name), encoding="ascii")


@pytest.mark.parametrize("name", [*SCRIPTS, *PROMPTS])
def test_golden_transcripts(name: str) -> None:
    told = transcript(name)
    assert re.fullmatch(r"[ -~\n]*", told), "plain lines"
    assert told == (GOLDEN / f"{name}.txt").read_text(encoding="ascii")


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*SCRIPTS, *PROMPTS}


# -- the seeds' samples, to the letter (the seeds call the players by number or by name)


def test_the_sample_of_number_circle_duel() -> None:
    out = play("circle-duel", "4", "5", options=("--p1", "Player 1", "--p2", "Player 2")).out
    assert (
        "Player 1's turn.\nAvailable numbers: 1 2 3 4 5 6 7 8 9 10\nSelect a number: 4\n\nNumber 4 selected.\n"
    ) in out
    assert (
        "Player 2's turn.\nLast number selected: 4\nAvailable adjacent numbers: 3 5\nSelect a number: 5\n\n"
        "Number 5 selected.\n"
    ) in out
    ended = play("circle-duel/4.5.6.7.8.9.10.1.2", "3").out
    assert "Ann has no valid move.\nBen wins the game!\n" in ended


def test_the_sample_of_number_circle() -> None:
    out = play("number-circle/+2.+9", "Move to 3", "+", "Move to 8", "-").out
    assert (
        "Current Total: 2\nAvailable Moves: 2 <-> 3\nChoose your move: Move to 3\nChoose operation (+/-): +\n"
        "You added 3. New Total: 5\n"
    ) in out
    assert (
        "Current Total: 9\nAvailable Moves: 9 <-> 8\nChoose your move: Move to 8\nChoose operation (+/-): -\n"
        "You subtracted 8. New Total: 1\n"
    ) in out
    won = play("number-circle/+2.+9.+3.-8.+4.+7.+5.+6.-6.-5", "Move to 7", "+").out
    assert "Current Total: 8\n" in won
    assert (
        "Choose your move: Move to 7\nChoose operation (+/-): +\nYou added 7. New Total: 15\n\n"
        "Congratulations! You reached the Target Number. You win!\n"
    ) in won


def test_a_draw_of_number_circle() -> None:
    options = Options(target=10, floor=0)
    state = State(turn=0, options=options, target=10, totals=(13, 5), places=(9, 8))
    after, _events = apply(state, 0, Move(sign="-", number=8))
    ending = "Neither player can move, even turning round: a draw.\nThe game is a draw."
    assert talk_of(find_game("number-circle")).ending(after) == ending


def test_the_sample_of_sequence_duel() -> None:
    out = play("sequence-duel", "Alice", "Bob", "10", "13", "7", "16", options=()).out
    assert out.startswith(
        "Welcome to Sequence Duel!\n\nNumbers Available: [1-20]\n\n"
        "Player 1, enter your name: Alice\nPlayer 2, enter your name: Bob\n\nAlice will go first.\n"
    )
    assert (
        "Numbers Available: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]\n"
        "Alice's Claimed Numbers: []\nBob's Claimed Numbers: []\n\nAlice, select a number: 10\n\n"
        "You have claimed number 10.\n"
    ) in out
    assert (
        "Numbers Available: [1-9,11-20] (Note: 10 is claimed by Alice)\n"
        "Numbers adjacent to Alice's numbers (cannot be selected): [9,11]\n"
        "Bob's Claimed Numbers: []\n\nBob, select a number: 13\n\nYou have claimed number 13.\n"
    ) in out
    assert "Numbers Available: [1-9,11,12,14-20]" in out
    assert (
        "Numbers adjacent to Bob's numbers (cannot be selected): [12,14]\n"
        "Alice's Claimed Numbers: [10]\n\nAlice, select a number: 7\n\nYou have claimed number 7.\n"
    ) in out
    assert "Numbers Available: [1-6,8,9,11,12,14-20]" in out
    assert "Bob's Claimed Numbers: [13]\n\nBob, select a number: 16\n\nYou have claimed number 16.\n" in out
    ended = play("sequence-duel:size=5/2.4", "1", "5", options=("--p1", "Bob", "--p2", "Alice")).out
    assert "Bob, you have no valid moves left.\nAlice wins the game!\n" in ended


def test_the_sample_of_digit_chain_duel() -> None:
    out = play("digit-chain", "26", "61", "19", options=("--p1", "Player 1", "--p2", "Player 2")).out
    assert out.startswith("-- Digit Chain Duel --\n")
    assert (
        "Available Numbers: [1-99]\n\nCurrent Number: None\n\nPlayer 1's Turn:\nSelect any number from the pool: 26\n\n"
        "Available Numbers: [1-99 excluding 26]\n\nCurrent Number: 26 (Last digit: 6)\n\n"
        "Player 2's Turn:\nSelect a number starting with 6: 61\n\n"
        "Available Numbers: [1-99 excluding 26, 61]\n\nCurrent Number: 61 (Last digit: 1)\n\n"
        "Player 1's Turn:\nSelect a number starting with 1: 19\n"
    ) in out
    stuck = play("digit-chain:without=4-41-42-43-44-45-46-47-48-49-40", "54").out
    assert (
        "Current Number: 54 (Last digit: 4)\n\nBen's Turn:\nNo valid numbers starting with 4 are available.\n"
        "Ben cannot make a move.\nAnn wins the game!\n"
    ) in stuck


def test_the_sample_of_number_duel() -> None:
    # The seed's own position cannot come about (a 5 that attacked and lost); this one differs from it by one number.
    out = play("number-duel:deal=13245-31425/5x2.4x2", "", "2", "1").out
    assert (
        "Your Remaining Numbers: 1, 2, 4\nSelect a number to attack with: 2\n"
        "Select the position of the opponent's number to attack (positions 1-3): 1\n"
    ) in out
    assert "Ben's Response\nOpponent has attacked your position 1.\nReveal your number at position 1: 3\n" in out
    assert (
        "Ann attacks with 2.\nBen defends with 3.\nBen's 3 defeats Ann's 2.\nAnn removes 2 from the game.\n\n"
        "Ann's Remaining Numbers: 1, 4\nBen's Remaining Numbers: 2, 3, 5\n"
    ) in out


def test_number_duel_tells_a_win_a_tie_and_a_victor_that_stays() -> None:
    won = play("number-duel:deal=12345-12345", "", "5x1").out
    assert "Ann's 5 defeats Ben's 1.\nBen removes 1 from the game.\nAnn's 5 is spent.\n" in won
    stays = play("number-duel:deal=12345-12345,victors_stay=on", "", "5x1").out
    assert "Ann's 5 goes back to its position, revealed.\n" in stays
    tied = play("number-duel:hand=3,deal=123-123/1x1.2x1", "", "3x1", "").out
    assert "The two numbers are equal.\nAnn removes 3 from the game.\nBen removes 3 from the game.\n" in tied
    assert "Ann and Ben have no numbers remaining.\n" in tied
    assert "The game is a draw.\n" in tied
    assert "Score: Ann has 0.5, Ben has 0.5.\n" in tied


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
            assert full_title(on.game, on.options, secret=on.game.INFO.hidden) in ran.out
        else:
            assert last in ("Goodbye.", "The code tells both hands: you can copy it after the game.")


def test_a_last_line_need_not_end() -> None:
    assert "Number 4 selected." in run("play", "circle-duel", "--plain", "--p1", "A", "--p2", "B", typed="4").out


def test_bytes_that_are_not_text_are_refused() -> None:
    ran = run("play", "circle-duel", "--plain", typed=b"Ann\nBen\n\xff\n\x00\n4\n")
    assert ran.status == 0
    assert "Number 4 selected." in ran.out


if __name__ == "__main__":
    write_goldens()
