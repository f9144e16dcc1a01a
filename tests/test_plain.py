"""The line mode: the seeds' samples, every word at every prompt, every way to end, and nothing hidden in sight.

`python -m tests.test_plain` writes the golden transcripts anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbox import registry
from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError
from duelbox.core.session import Session
from duelbox.plain import table
from duelbox.plain.talk import GeneralTalk, rules_text, talk_of, title_of
from duelbox.registry import find_game
from tests.house_rules import GAME_IDS, house_rules
from tests.running import play, run

GOLDEN = Path(__file__).parent / "golden" / "plain"

# One whole evening a game: wrong entries, the words, house rules, a second round.
SCRIPTS: dict[str, tuple[str, ...]] = {
    "circle-duel": (
        "circle-duel",
        "Ann",
        "Ben",
        "4",
        "9",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
        "1",
        "2",
        "undo",
        "2",
        "3",
        "no",
    ),
    "circle-duel-leap": (
        *("circle-duel:size=14,reach=2,without=3-8-9", "", "", "help", "board", "1", "13", "15", "x", "moves", "14"),
        *("12", "10", "11", "quit"),
    ),
    "number-circle": (
        *("number-circle", "Ann", "Ben", "2", "+", "9", "add", "Move to 3", "*", "+", "8", "+", "-", "4", "", "4", "+"),
        *("7", "plus", "5", "+", "+6", "7", "6", "+", "-", "-5", "+7", "undo", "undo", "redo", "redo", "yes", "code"),
    ),
    "number-circle-tug": (
        *(
            "number-circle:target=10,shared_total=on,sharing=off,floor=0",
            "",
            "",
            "1",
            "9",
            "-",
            "+",
            "+2",
            "board",
            "2",
        ),
        *("-", "3", "+", "undo", "3", "-", "resign", "n"),
    ),
    "sequence-duel": ("sequence-duel", "Alice", "Bob", "10", "13", "7", "16", "12", "7", "1", "moves"),
    "sequence-duel-ring": ("sequence-duel:size=7,ring=on", "Alice", "Bob", "4", "7", "1", "2", "6", "5", "3", "y", "1"),
    "digit-chain": (
        "digit-chain",
        "",
        "",
        *["26", "61", "19", "94", "42", "28", "83", "37", "75", "54"],
        "54",
        "5",
        "40",
        "y",
        "quit",
    ),
    "digit-chain-wild": (
        "digit-chain:zero=wild,without=55-56",
        "",
        "",
        "50",
        "7",
        "7",
        "55",
        "70",
        "99",
        "code",
        "quit",
    ),
    "number-duel": (
        *("number-duel:deal=31524-51234", "Ann", "Ben", "", "9", "3", "6", "2", "code", "", "3x2", "", "4", "1", "x"),
        *("", "moves", "2", "1", "", "5x1", "", "undo", "4x1", "", "2x1", "", ""),
    ),
    "number-duel-order": (
        *("number-duel:hand=3,arrange=chosen,victors_stay=on", "Ann", "Ben", "", "1 2", "321", "undo", "", "132", ""),
        *("213", "", "3x1", "", "2x1", "", "", "resign", "no"),
    ),
}


def transcript(name: str) -> str:
    code, *typed = SCRIPTS[name]
    ran = play(code, *typed, options=())
    assert (ran.status, ran.err) == (0, "")
    # Fifty blank lines read the same as one, and show less in a diff.
    return re.sub(r"\n{40,}", "\n\n(many blank lines)\n\n", ran.out)


def write_goldens() -> None:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in SCRIPTS:
        (GOLDEN / f"{name}.txt").write_text(transcript(name), encoding="ascii")


@pytest.mark.parametrize("name", SCRIPTS)
def test_golden_transcripts(name: str) -> None:
    assert transcript(name) == (GOLDEN / f"{name}.txt").read_text(encoding="ascii")


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_transcripts_are_plain_lines(name: str) -> None:
    assert re.fullmatch(r"[ -~\n]*", transcript(name))


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


# -- names


def test_names_may_be_left_out() -> None:
    assert "Player 1 will go first." in play("circle-duel", "", "", options=()).out
    assert "Player 1 will go first." in play("circle-duel", options=()).out
    ran = play("circle-duel", "Cy", options=("--p2", "Di"))
    assert "Player 2, enter" not in ran.out
    assert "Cy will go first." in ran.out


def test_a_bad_name_is_asked_for_again() -> None:
    out = play("circle-duel", "a\u202eb", "x" * 25, " Ann ", "ann", "Ben", "4", options=()).out
    assert "A name is printable text; character 2 (U+202E) is not.\nPlayer 1, enter your name: " in out
    assert "A name has at most 24 cells; this one has 25.\nPlayer 1, enter your name: Ann\n" in out
    assert "Both players cannot be called ann.\nPlayer 2, enter your name: Ben\n" in out
    assert "\u202e" not in out
    assert "Ann will go first." in out


def test_words_work_where_names_are_asked_for_unless_quoted() -> None:
    out = play("circle-duel/4", "help", "undo", "code", "moves", '"code"', "quit", options=()).out
    assert table.HELP in out
    assert "enter your name: undo\nThat comes after the names.\nPlayer 1, enter" in out
    assert "enter your name: code\ncircle-duel/4\nPlayer 1, enter" in out
    assert "enter your name: moves\nPlayed so far: Player 1: 4.\nPlayer 2 may play: 3, 5.\n" in out
    assert out.endswith(
        "Player 2, enter your name: quit\nThe game stops here. To go on with it, keep its code: circle-duel/4\n"
    )
    assert "code's turn." in play("circle-duel", '"code"', "Ben", options=()).out


# -- the words, at every prompt


def questions(out: str) -> list[str]:
    """The lines that end with what was typed."""
    return [line for line in out.splitlines() if re.match(r"(Choose|Select|Type the)\b.*:", line)]


@pytest.mark.parametrize("word", ["help", "rules", "board", "moves", "code", "HELP"])
@pytest.mark.parametrize(
    ("code", "typed"),
    [("circle-duel/4", ()), ("number-circle", ()), ("number-circle", ("2",)), ("digit-chain:zero=wild/50", ())],
)
def test_a_word_changes_nothing_and_the_question_comes_again(word: str, code: str, typed: tuple[str, ...]) -> None:
    plain, asked = play(code, *typed).out, play(code, *typed, word).out
    question = questions(plain)[-1]
    assert questions(asked)[-2:] == [f"{question}{word}", question]
    said = asked[len(plain[: plain.rindex(question)]) + len(question) + len(word) + 1 : asked.rindex(question)]
    session = Session(find_game(code.partition("/")[0].partition(":")[0]), parse_code(code, find_game).options)
    wanted = {"help": table.HELP, "rules": rules_text(session.game.INFO.id).rstrip(), "code": code}
    assert said.strip() == wanted.get(word.lower(), said.strip()) != ""


def test_the_rules_and_the_help_name_each_other() -> None:
    words = re.findall(r"^  (\w+) ", table.HELP, re.MULTILINE)
    assert words == ["help", "rules", "board", "moves", "undo", "redo", "code", "resign", "quit"]
    for word in words:
        assert "is not a move" not in play("sequence-duel", word).out
    assert "is not a move" in play("sequence-duel", "word").out


def test_undo_and_redo_at_either_question() -> None:
    out = play("number-circle/+2.+9", "3", "undo", "redo", "+3", "undo", "undo", "undo", "undo").out
    assert "Choose operation (+/-): undo\nTaken back: Ben moves to 9 and adds it: 0 + 9 = 9.\n\nBen's Turn:" in out
    assert "redo\nPlayed again: Ben moves to 9 and adds it: 0 + 9 = 9.\n\nAnn's Turn:" in out
    assert out.endswith(
        "undo\nThere is nothing to take back yet.\nChoose your move: \n"
        "The game stops here. To go on with it, keep its code: number-circle\n"
    )
    assert "There is nothing to play again.\nSelect a number: " in play("circle-duel", "redo").out


def test_a_pass_is_told() -> None:
    code = "number-circle:target=10,sharing=off,shared_total=on,floor=0"
    assert "You added 2. New Total: 2\nBen cannot move and passes.\n\nAnn's Turn:" in play(code, "2", "+").out
    assert "adds it: 0 + 2 = 2. Ben cannot move and passes.\n\nAnn's Turn:" in play(f"{code}/+2").out


def test_resign_at_either_question_and_undo_after_the_end() -> None:
    out = play("number-circle/+2", "9", "resign", "undo", "9", "+", "quit").out
    assert "Choose operation (+/-): resign\n\nBen resigned.\nAnn wins the game!\n" in out
    assert "Play again? (yes/no): undo\nTaken back: Ben resigns.\n\nBen's Turn:" in out
    assert "You added 9. New Total: 9\n" in out
    assert "Played so far: Ann: 4, Ben: resigns.\nPlay again?" in play("circle-duel/4", "resign", "moves").out
    over = play("circle-duel/4", "resign", "resign", "redo", "board", "maybe", "n").out
    assert "yes/no): resign\nThe game is over. Ben resigned.\n" in over
    assert "yes/no): maybe\nType yes or no, or undo, or quit.\nPlay again? (yes/no): n\nGoodbye.\n" in over


def test_the_end_may_be_taken_back_by_play_too() -> None:
    out = play("digit-chain", "50", "undo", "51", "no").out
    assert "undo\nTaken back: Ann picks 50.\n" in out
    assert "Current Number: 51 (Last digit: 1)" in out


def test_a_wrong_entry_changes_nothing_and_is_answered() -> None:
    good = play("circle-duel/4", "5").out
    bad = play("circle-duel/4", "9", "\x1b[2J", "", "five", "5").out
    assert "9 is not next to the last number, 4: those are 3 and 5. Free for you: 3, 5.\nSelect a number: " in bad
    assert "Select a number: \\x1b[2J\n'\\x1b[2J' is not a move." in bad
    assert "Type a move, or help.\nSelect a number: five\n'five' is not a move." in bad
    assert bad.rpartition("Number 5 selected.")[2] == good.rpartition("Number 5 selected.")[2]


def test_refusals_name_the_players() -> None:
    assert "12 is next to Ann's 13." in play("sequence-duel/13", "12").out


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("x",), "'x' is not a number to move to. Type 2 or 9.\nChoose your move: "),
        (("1",), "1 is not next to 1, where you stand: those are 2 and 9."),
        (("12",), "There is no 12 here: the numbers are 1 to 9.\nChoose your move: "),
        (("2", "x"), "'x' is not an operation. Type + or -.\nChoose operation (+/-): "),
        (("2", ""), "Choose operation (+/-): \nChoose your move: "),
        (("2", "+9"), "You added 9. New Total: 9\n"),
        (("-9",), "You subtracted 9. New Total: -9\n"),
        (("+",), "'+' is not a number to move to."),
    ],
)
def test_two_questions_of_number_circle(typed: tuple[str, ...], says: str) -> None:
    assert says in play("number-circle", *typed).out


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("9",), "You have no 9 to attack with. You have 1, 2 and 3.\nSelect a number to attack with: "),
        (("x",), "'x' is not one of your numbers. Type 1, 2 or 3.\nSelect a number to attack with: "),
        (("1", "4"), "There is no position 4: Ben's positions are 1 to 3.\nSelect the position"),
        (("1", "x"), "'x' is not one of the positions 1-3.\nSelect the position"),
        (("1", ""), "(positions 1-3): \nSelect a number to attack with: "),
        (("1", "3x2"), "Ann attacks with 3.\nBen defends with 2.\n"),
        (("9x9",), "You have no 9"),
    ],
)
def test_two_questions_of_number_duel(typed: tuple[str, ...], says: str) -> None:
    assert says in play("number-duel:hand=3,deal=312-123", "", *typed).out


# -- the end of the input, anywhere


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_input_may_end_anywhere(name: str) -> None:
    code, *typed = SCRIPTS[name]
    for count in range(len(typed)):
        ran = play(code, *typed[:count], options=())
        assert (ran.status, ran.err) == (0, "")
        last = ran.out.splitlines()[-1]
        told = re.fullmatch(r"The game stops here\. To go on with it, keep its code: (\S+)", last)
        if told:
            on = parse_code(told[1], find_game)
            assert on.states[-1].outcome is None
            assert title_of(on.game, on.options, secret=on.game.INFO.hidden) in ran.out
        else:
            assert last in (
                "Goodbye.",
                "The game stops here. The code tells both hands, so it can be had when the game is over.",
            )


def test_a_last_line_need_not_end() -> None:
    assert "Number 4 selected." in run("play", "circle-duel", "--plain", "--p1", "A", "--p2", "B", typed="4").out


def test_bytes_that_are_not_text_are_refused() -> None:
    ran = run("play", "circle-duel", "--plain", typed=b"Ann\nBen\n\xff\n\x00\n4\n")
    assert ran.status == 0
    assert "Number 4 selected." in ran.out


# -- rounds


def test_a_match_alternates_the_starter_and_keeps_the_score() -> None:
    out = play(
        *("digit-chain", "50", "x", "", "12", "resign", "", "60", "undo", "60", ""),
        options=("--p1", "Ann", "--p2", "Ben", "--rounds", "3"),
    ).out
    starts = re.findall(r"^Round (\d) of 3\. (\w+) will go first\.$", out, re.MULTILINE)
    assert starts == [("1", "Ann"), ("2", "Ben"), ("3", "Ann")]
    assert re.findall(r"^Score: (.*)\.$", out, re.MULTILINE) == [
        "Ann has 1, Ben has 0",
        "Ann has 1, Ben has 1",
        "Ann has 2, Ben has 1",
        "Ann has 2, Ben has 1",
    ]
    assert "Press Enter for round 2 of 3: x\nType Enter alone, or undo, or quit.\n" in out
    assert out.endswith("Ann wins the match!\nPress Enter to finish: \nGoodbye.\n")


def test_a_drawn_match() -> None:
    out = play("digit-chain", "50", "", "50", "", options=("--p1", "Ann", "--p2", "Ben", "--rounds", "2")).out
    assert "Score: Ann has 1, Ben has 1.\nThe match is a draw.\n" in out


def test_without_rounds_each_game_asks_for_the_next() -> None:
    out = play("digit-chain", "50", "yes", "50", "Y", "50", "").out
    assert [line.split()[0] for line in out.splitlines() if line.endswith("will go first.")] == ["Ann", "Ben", "Ann"]
    assert "Round" not in out
    assert out.endswith("Score: Ann has 2, Ben has 1.\nPlay again? (yes/no): \nGoodbye.\n")


def test_who_goes_first_takes_the_first_seat() -> None:
    out = play("digit-chain", "50", options=("--p1", "Ann", "--p2", "Ben", "--first", "2")).out
    assert "Ben will go first." in out
    assert "Ben wins the game!" in out
    assert "Score: Ann has 0, Ben has 1." in out


def test_a_finished_code_is_shown_and_may_be_taken_up() -> None:
    out = play("digit-chain/12.20", "undo", "21").out
    assert "Ann went first." in out
    assert out.index("Ben wins the game!") < out.index("Taken back: Ben picks 20.") < out.index("Current Number: 21")


def test_later_rounds_are_dealt_anew_and_the_deal_of_a_secret_game_does_not_follow_from_the_last() -> None:
    def seeds(*options: str) -> list[int]:
        out = play("number-duel:hand=3", "", "resign", "", "", "resign", "", options=("--rounds", "2", *options)).out
        return [int(seed) for seed in re.findall(r"seed=(\d+)", out)]

    one, two = seeds("--p1", "Ann", "--p2", "Ben")
    assert abs(one - two) > 1
    assert seeds("--p1", "Ann", "--p2", "Ben", "--seed", "7") == [7, 8]


# -- secrets


def test_a_hand_over_fills_the_screen_and_waits() -> None:
    out = play("number-duel:hand=3,deal=312-123", "", "3x2", "3x1", "moves", "resign", "").out
    private, public = re.split(r"\n{50,}", out)
    assert "Your numbers by position: 3, 1, 2\n" in private
    assert "Your numbers" not in public.partition("Ben, press Enter")[0]
    assert "can see the screen: 3x1\nNothing is played yet: press Enter alone.\nBen, press Enter" in public
    assert "moves\nPlayed so far: Ann: 3x2.\nBen, press" in public
    assert "resign\nResign at your turn: press Enter first.\nBen, press" in public
    assert "Your numbers by position: 1, 3\n" in public


def test_a_secret_order_can_be_taken_back_and_is_never_told() -> None:
    typed = ("", "321", "moves", "undo", "redo", "", "undo", "", "132", "", "213", "quit")
    out = play("number-duel:hand=3,arrange=chosen", *typed).out
    assert "moves\nPlayed so far: Ann: (in secret).\n" in out
    assert out.count("Taken back: Ann has put their numbers in order.\n") == 2
    assert "Played again: Ann has put their numbers in order.\n" in out
    assert len(re.findall(r"\n{50,}", out)) == 4
    for order in ("321", "132", "213"):
        assert out.count(order) == 1  # as it was typed


def segments(out: str) -> Iterator[tuple[str, str]]:
    """Who could see each part of a transcript: "Ann", "Ben", or "" for both."""
    for part in re.split(r"\n{50,}", out):
        public, *private = re.split(r"(?=^(?:Ann|Ben)'s Turn\n)", part, flags=re.MULTILINE)
        yield "", public
        for one in private:
            yield one[:3], one


def seen_by_ann(code: str) -> Any:
    played = parse_code(code, find_game)
    return [played.game.view(state, 0) for state in played.states], played.events


@pytest.mark.parametrize("seed", range(12))
def test_two_worlds_that_a_player_cannot_tell_apart_read_the_same(seed: int) -> None:
    rng = Random(seed)
    game = find_game("number-duel")
    orders = list(permutations("12345"))
    mine, theirs = rng.choice(orders), rng.choice(orders)
    rules = rng.choice(("", ",victors_stay=on"))

    def code(order: tuple[str, ...], moves: list[str]) -> str:
        return f"number-duel:deal={''.join(mine)}-{''.join(order)}{rules}/{'.'.join(moves)}".rstrip("/")

    moves: list[str] = []
    while len(moves) < 3:
        state = parse_code(code(theirs, moves), find_game).states[-1]
        if state.turn is None:
            break
        moves.append(game.format_move(rng.choice(game.legal_moves(game.view(state, state.turn)))))
    typed = [line for move in moves for line in ("", *move.split("x"))] + ["", "9", "code", "undo", "moves", "board"]

    def seen(order: tuple[str, ...]) -> list[str]:
        out = play(code(order, []), *typed).out
        return [text for who, text in segments(out) if who != "Ben"]

    real = seen(theirs)
    worlds = [order for order in orders if order != theirs and same_game(code(order, moves), code(theirs, moves))]
    assert worlds
    for order in rng.sample(worlds, min(len(worlds), 6)):
        assert seen(order) == real


def same_game(one: str, two: str) -> bool:
    """Whether the same moves are legal in both, and show Ann the same."""
    try:
        return bool(seen_by_ann(one) == seen_by_ann(two))
    except CodeError:
        return False


# -- whole games, of every kind


def answers(game_id: str, text: str, rng: Random) -> tuple[str, ...]:
    """A move as people type it: whole, or an answer to each question."""
    if text == "resign":
        return (text,)
    if game_id == "number-circle" and rng.randrange(2):
        return (text[1:], text[0])
    if game_id == "number-duel" and rng.randrange(2):
        return tuple(text.split("x"))
    return (text,)


def random_game(game_id: str, rng: Random) -> Session:
    """A game of random moves under random house rules, given up if it takes too long."""
    session = Session(find_game(game_id), house_rules(game_id, rng))
    while session.turn is not None:
        session.play(rng.choice(session.legal_moves()))
        if len(session.plies) == 80:
            session.resign()
    return session


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("general", [False, True])
def test_random_games_end_where_they_should(game_id: str, general: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if general:
        monkeypatch.setattr(table, "talk_of", GeneralTalk)
    rng = Random(game_id)
    for _ in range(8):
        session = random_game(game_id, rng)
        typed: list[str] = []
        for ply in session.plies:
            text = "resign" if ply.move is None else session.game.format_move(ply.move)
            hand_over = ("",) if session.game.INFO.hidden else ()
            typed += [*hand_over, *((text,) if general else answers(game_id, text, rng))]
        settings = ",".join(f"{key}={value}" for key, value in ({"seed": "0"} | session.options.texts()).items())
        start = f"{game_id}:{settings}" if session.options.draws else session.code().partition("/")[0]
        out = play(start, *typed).out
        assert f"The code of this game: {session.code()}\n" in out
        assert session.outcome is not None
        winner = session.outcome.winner
        assert ("The game is a draw." if winner is None else f"{('Ann', 'Ben')[winner]} wins the game!") in out


# -- guests


def guest(folder: Path, game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's game without words of its own: one of ours under another name."""
    source = Path(str(find_game("circle-duel").__file__)).read_text(encoding="utf-8")  # type: ignore[attr-defined]
    package = folder / game_id
    package.mkdir()
    (package / "rules.py").write_text(source.replace('id="circle-duel"', f'id="{game_id}"'), encoding="utf-8")
    (package / "__init__.py").write_text(f"from {game_id} import rules\n\nGAME = rules\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setitem(registry.BUILT_IN, game_id, game_id)


def test_a_guest_without_words_plays_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guest(tmp_path, "guest_ring", monkeypatch)
    assert isinstance(talk_of(find_game("guest_ring")), GeneralTalk)
    out = play("guest_ring:size=4", "1", "2", "rules", "moves", "3", "4").out
    assert "Ann's turn.\nGaps: []\nPicks: []\nYour move: 1\n\nAnn picks 1.\n" in out
    assert "Your move: rules\nguest_ring has no page of rules.\n" in out
    assert "Ann may play: 3.\n" in out
    assert "Ann cannot move: nothing next to 4 is left.\nBen wins the game!\n" in out


def test_a_guest_whose_words_are_broken_is_not_silently_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest(tmp_path, "guest_broken", monkeypatch)
    (tmp_path / "guest_broken" / "talk.py").write_text("import no_such_module_anywhere\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
        talk_of(find_game("guest_broken"))


def test_the_general_words_cut_a_long_list_of_moves_short() -> None:
    game = find_game("digit-chain")
    choices = GeneralTalk(game).choices(game.start(game.Options()))
    assert choices.endswith(", 59, 60 and 39 more")


if __name__ == "__main__":
    write_goldens()
