"""Position codes: canonical form, lenient reading, and a place for every fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbox.core.code import MAX_LENGTH, parse_code
from duelbox.core.errors import CodeError
from duelbox.registry import find_game
from tests.core.fuzz import assert_code_is_told

# Codes from the pages of rules, and some more; each is canonical.
CANONICAL = (
    "circle-duel",
    "circle-duel/4.5.6",
    "circle-duel:size=12,reach=2,without=3-7-9/4.6",
    "circle-duel:gaps=5,seed=9223372036854775807",
    "number-circle:target=15/+2.+9.+3.-8",
    "number-circle:target=drawn,seed=4",
    "number-circle:target=20,backtracking=on,sharing=off,shared_total=on,floor=0/+2.+9.-1",
    "sequence-duel:size=30,ring=on/10.13.7",
    "digit-chain:zero=no-tens,gaps=20,seed=7/26.61.19",
    "digit-chain:zero=wild,without=1-99",
    "number-duel:deal=31524-51234/3x2.2x4",
    "number-duel:arrange=chosen/31524.51234.3x2",
    "number-duel:hand=7,victors_stay=on,seed=3",
)


def canonical(text: str) -> str:
    played = parse_code(text, find_game)
    return played.code()


@pytest.mark.parametrize("code", CANONICAL)
def test_canonical_codes_stand_as_they_are(code: str) -> None:
    # Defaults are left out: 15 is the classic target.
    assert canonical(code) == code.replace(":target=15", "")


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("  circle-duel/4.5.6\n", "circle-duel/4.5.6"),
        ("CIRCLE-DUEL/4", "circle-duel/4"),
        ("circle-duel/04.005", "circle-duel/4.5"),
        ("circle-duel:size=10,reach=1,gaps=0", "circle-duel"),
        ("circle-duel:without=9-3-7,reach=2,size=12/4.6", "circle-duel:size=12,reach=2,without=3-7-9/4.6"),
        ("Sequence-Duel:RING=ON,Size=30", "sequence-duel:size=30,ring=on"),
        ("digit-chain:zero=Dead-End,gaps=07", "digit-chain:gaps=7"),
        ("number-duel/3X2", "number-duel/3x2"),
        ("number-circle:floor=none,sharing=on,target=015/+2.-02", "number-circle/+2.-2"),
    ],
)
def test_reading_is_lenient_and_writing_is_not(written: str, code: str) -> None:
    assert canonical(written) == code
    assert canonical(code) == code


# A code, the refusal, and its character, counted from 1.
FAULTS = [
    ("", 1, "begins with the name of a game"),
    ("   ", 4, "begins with the name of a game"),
    ("/4.5", 1, "begins with the name of a game"),
    (":size=4", 1, "begins with the name of a game"),
    ("chess/e4", 1, "There is no game 'chess'."),
    ("circle-dual/4", 1, "Did you mean circle-duel?"),
    ("circle-duel 4", 12, "without spaces, and ' ' is not."),
    ("circle-duel/4.５", 15, r"and '\uff15' is not."),
    ("  circle-duel/4\x1b[31m", 16, r"and '\x1b' is not."),
    ("circle-duel:", 13, "key=value"),
    ("circle-duel:/4", 13, "key=value"),
    ("circle-duel:size", 13, "'size'"),
    ("circle-duel:size=", 13, "'size='"),
    ("circle-duel:=4", 13, "'=4'"),
    ("circle-duel:size=12,", 21, "key=value"),
    ("circle-duel:size=12,,reach=2", 21, "key=value"),
    ("circle-duel:size=12,size=13", 21, "twice"),
    ("circle-duel:size=12,SIZE=13", 21, "twice"),
    ("circle-duel:size=31", 13, "a number from 4 to 30"),
    ("circle-duel:reach=2,size=31", 21, "a number from 4 to 30"),
    ("circle-duel:reach=2,colour=red", 21, "There is no option 'colour'."),
    ("circle-duel:size=4,gaps=3", 20, "0 to 2 of 4"),
    ("circle-duel:without=3-7,gaps=3", 13, "the same thing"),
    ("circle-duel:gaps=3,seed=5,without=3-7", 27, "the same thing"),
    ("number-duel:seed=5,deal=31524-51234", 20, "the same thing"),
    ("number-duel:arrange=chosen,deal=31524-51234", 28, "leave out deal"),
    ("circle-duel/", 13, "Move 1 is missing."),
    ("circle-duel/4..5", 15, "Move 2 is missing."),
    ("circle-duel/4.5.", 17, "Move 3 is missing."),
    ("circle-duel/4.x", 15, "Move 2, 'x': 'x' is not a move."),
    ("circle-duel/4.11", 15, "Move 2, '11': There is no 11 here"),
    ("circle-duel/4.6", 15, "Move 2, '6': 6 is not next to the last number, 4: only 3 and 5 are. Free for you: 3, 5."),
    ("circle-duel/4/5", 13, "Move 1, '4/5': '4/5' is not a move."),
    ("  circle-duel:reach=2/4.9", 25, "Move 2, '9'"),
    ("circle-duel:size=4/1.2.3.4.1", 28, "Move 5, '1': The game is over. Player 1 cannot move"),
    ("digit-chain/10.1", 16, "Move 2, '1': The game is over."),
    ("number-duel:arrange=chosen/31524.3x2", 34, "First put your numbers in order"),
    ("number-duel/" + "1" * 40, 13, "'" + "1" * 24 + "'"),
    ("circle-duel/4." + "5" * 50, 15, "'" + "5" * 24 + "': '" + "5" * 23 + "…' is not a move."),
    ("x" * (MAX_LENGTH + 1), MAX_LENGTH + 1, "at most"),
    ("  " + "x" * (MAX_LENGTH + 1), MAX_LENGTH + 3, "at most"),
    ("y" * 5_000, 1, "There is no game '" + "y" * 24 + "'."),
]


@pytest.mark.parametrize(("text", "at", "says"), FAULTS, ids=[text[:40] for text, _, _ in FAULTS])
def test_a_bad_code_says_what_is_wrong_and_where(text: str, at: int, says: str) -> None:
    with pytest.raises(CodeError) as refused:
        parse_code(text, find_game)
    assert says in refused.value.sentence
    assert refused.value.at == at
    assert_code_is_told(text)


def test_a_code_replays_with_every_state_and_event() -> None:
    played = parse_code("circle-duel/4.5.6", find_game)
    assert [len(state.picks) for state in (played.start, *(ply.state for ply in played.plies))] == [0, 1, 2, 3]
    assert [event.number for ply in played.plies for event in ply.events] == [4, 5, 6]
    assert [move.number for move in played.moves] == [4, 5, 6]
    assert (played.game.INFO.id, played.options) == ("circle-duel", played.game.Options())


@given(st.text(max_size=60))
def test_any_text_is_a_code_or_a_sentence_with_a_place(text: str) -> None:
    assert_code_is_told(text)


WORDS = (
    *("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel", ":", "/", ".", ",", "=", "-", "x"),
    *("size", "gaps", "seed", "without", "deal", "zero", "arrange", "on", "off", "none", "wild", "chosen", "drawn"),
    *(str(number) for number in (0, 1, 2, 3, 9, 10, 12, 60, 99, 100, 31524, 51234, 2**63)),
)


@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_any_words_of_a_code_are_a_code_or_a_sentence_with_a_place(words: list[str]) -> None:
    assert_code_is_told("".join(words))


@given(st.sampled_from(CANONICAL), st.data())
def test_a_code_with_a_wrong_character_is_a_code_or_a_sentence_with_a_place(code: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(code)))
    wrong = data.draw(st.sampled_from("0123456789abcdefghijklmnopqrstuvwxyz:/.,=-+ \x00é"))
    assert_code_is_told(code[:at] + wrong + code[at + data.draw(st.integers(0, 2)) :])
