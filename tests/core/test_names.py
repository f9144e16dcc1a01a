"""Names of players: printable text that no terminal misreads, also inside sentences."""

from __future__ import annotations

import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from duelbox.core.errors import BadName
from duelbox.core.model import named
from duelbox.core.names import MAX_CELLS, alike, cells, check_name, chosen_name, clean_name
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.testing.laws import is_sentence

NASTY_NAMES = (
    "Player 1", "Player 2", "[/b]", "[red]", "[@click=app.quit]x[/]", "\\1", r"\g<1>", "{0}", "%s", "$1", "<b>&lt;</b>",
    "O'Hara", '"', "'s", "None", "1", "0", ".", "12 is next to",
    "Zoë", "Łukasz", "李小龙", "محمد", "עדי", "🙂", "ﬁ", "ß",
)  # fmt: skip


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_these_are_names(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "   ", "\t", "a\tb", "a\nb", "\x1b[31mred", "a\x00b", "a\x7fb", "\x9b31m",  # blank, control, escape
        "a\u202eb", "a\u2066b", "\u200eab", "a\u061cb", "\u200b", "a\u200db", "\ufeffa",  # direction, no width
        "a\u00adb", "\u2028", "a\u00a0b", "\u3000a", "\ud800", "\ue000", "\U000e0041",  # blanks, surrogate, private
        "a\ufe0f", "a\U000e0100", "\u3164", "\u2800", "\uffa0", "a\u034fb", "a\u20ddb",  # variation, blank, enclosing
        "\u0301", "\u0301a", "a" * 25, "李" * 13, "a" + "\u0301" * 60, "😀" * 13,  # no base, too long
    ],
)  # fmt: skip
def test_these_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(text)
    assert is_sentence(refused.value.sentence)


@pytest.mark.parametrize("text", ["a" * 24, "李" * 12, "e\u0301" * 24, "😀" * 12, "x" * 24 + "   "])
def test_24_cells_are_a_name(text: str) -> None:
    assert cells(clean_name(text)) == MAX_CELLS


def test_accents_that_stand_alone_take_no_cell() -> None:
    assert cells("x\u0301" * 24) == cells(clean_name("x\u0301" * 24)) == 24
    assert (cells("李"), cells("ﬁ"), cells("")) == (2, 1, 0)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("\U0001f44d\U0001f3fd", 2),  # a thumb with a skin tone
        ("\u0f66\u0f92\u0fb2", 1),  # three Tibetan letters, stacked
        ("\u0f40\u0fb1\u0f72", 1),  # two, and a vowel above
        ("\u0e40\u0e01\u0e35\u0e48", 2),  # Thai marks above a letter
        ("\u1100\u1161\u11a8", 2),  # a Korean syllable in three parts
    ],
)
def test_a_text_is_as_wide_as_the_terminal_draws_it(text: str, width: int) -> None:
    assert cells(text) == width
    assert cells(f"Ann {text}{text} x") == 6 + 2 * width


def test_a_skin_tone_that_colours_no_figure_is_drawn_itself() -> None:
    assert cells("\U0001f3fd Ann") == 6


def test_characters_are_measured_as_on_the_screen() -> None:
    """The slow judge is the table of the screen; signs made wide by a later Unicode, and spacing marks, may differ."""
    for char in map(chr, range(32, 0x1FFFF)):
        with suppress(BadName):
            name = clean_name(f"a{char}")
            if unicodedata.category(char) not in ("Mc", "So", "No"):
                assert cells(name) == cell_len(name), hex(ord(char))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ann", "ann"), ("INA", "ina"), ("Straße", "STRASSE"), ("ВАНЯ", "ваня"),  # case
        ("Ann", "Аnn"), ("ANN", "ΑΝΝ"), ("bob", "Вob"), ("Sue", "Ѕue"), ("Jo", "Јо"), ("Tim", "Τim"),  # Cyrillic, Greek
        ("Al", "AI"), ("Al", "A1"), ("O1", "0l"), ("Bill", "BiII"), ("a|b", "aIb"),  # figures and strokes
        ("Ann Lee", "Ann  Lee"), ("Ann", "Ａｎｎ"), ("ﬁn", "fin"), ("O'Hara", "O’Hara"), ("A-B", "A–B"),
    ],
)  # fmt: skip
def test_these_names_look_alike(one: str, two: str) -> None:
    assert alike(one, two)
    assert alike(two, one)
    with pytest.raises(BadName) as refused:
        check_name(two, one)
    assert is_sentence(refused.value.sentence)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ann", "Anna"), ("Ali", "All"), ("Bil", "Bli"), ("Player 1", "Player 2"), ("Zoe", "Zoë"), ("李", "木子"),
        ("Ваня", "Вася"), ("Ann", "Ann 2"), ("Иван", "Ivan"), ("A", "B"), ("Jan", "Ian"),
    ],
)  # fmt: skip
def test_these_names_can_be_told_apart(one: str, two: str) -> None:
    assert not alike(one, two)
    assert check_name(two, one) == two


@pytest.mark.parametrize(
    "text", ["You", "you", " YOU ", "Yоu", "Ｙｏｕ", "bot:3", "Bot:Oracle", "bot:", "run:x", "RUN: a b"]
)
def test_words_of_the_table_are_no_names_to_choose(text: str) -> None:
    """Old records and saved names keep them."""
    assert clean_name(text) == text.strip()
    for choose in (chosen_name, lambda text: check_name(text, None)):
        with pytest.raises(BadName) as refused:
            choose(text)
        assert is_sentence(refused.value.sentence)


@pytest.mark.parametrize("text", ["Youri", "Yu", "robot:3", "bot 3", "bot", "Rune", "run"])
def test_names_that_only_resemble_words_of_the_table_may_be_chosen(text: str) -> None:
    assert chosen_name(text) == text


def test_a_refusal_names_the_character_and_its_place() -> None:
    with pytest.raises(BadName, match=r"character 3 \(U\+202E\) is not\."):
        clean_name(" ab\u202ec")


def test_outer_blanks_go_and_accents_are_composed() -> None:
    assert clean_name("  Zoe\u0308  ") == "Zoë"
    assert clean_name("a  b") == "a  b"


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_is_refused(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName as refused:
        sentence = refused.sentence
        name = "Ann"
        assert is_sentence(sentence)
    assert clean_name(name) == name == unicodedata.normalize("NFC", name)
    assert name.isprintable()
    assert cell_len(name) <= MAX_CELLS


@pytest.mark.parametrize("first", NASTY_NAMES)
def test_names_go_into_sentences_as_they_are(first: str) -> None:
    sentence = "12 is next to Player 1's 13, so Player 2 cannot move."
    assert named(sentence, (first, "Bob")) == f"12 is next to {first}'s 13, so Bob cannot move."
    assert named(sentence, ("Bob", first)) == f"12 is next to Bob's 13, so {first} cannot move."
    assert named("Player 12, Player 3, Players 1, xPlayer 1 and Player1", (first, first)) == (
        "Player 12, Player 3, Players 1, xPlayer 1 and Player1"
    )


def test_a_session_names_its_players_in_what_happens() -> None:
    session = Session(find_game("sequence-duel"), find_game("sequence-duel").Options(), ("Player 2", "  [/b]  "))
    assert session.names == ("Player 2", "[/b]")
    first, second = session.type("10"), session.type("13")
    assert [session.named(event.sentence) for event in (*first, *second)] == ["Player 2 claims 10.", "[/b] claims 13."]
    with pytest.raises(BadName):
        Session(find_game("sequence-duel"), find_game("sequence-duel").Options(), ("Ann", "\x1b"))
