"""Names of two friends on different machines: clean, told apart, and read by every version."""

from __future__ import annotations

import unicodedata

import pytest

from duelbox.core.names import alike, cells, clean_name
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.proposal import distinct_names, sent_name, shown_name


@pytest.mark.parametrize(
    ("host", "guest", "shown"),
    [
        ("Ann", "Bo", "Bo"),
        ("Ann", "ann", "ann 2"),
        ("Ann", "\u0410nn", "\u0410nn 2"),  # a Cyrillic A
        ("Ann Lee", "Ann  Lee", "Ann  Lee 2"),
        ("a" * 24, "A" * 24, "A" * 22 + " 2"),
        ("Player 1", "Player 1", "Player 1 2"),
    ],
)
def test_a_guest_whose_name_looks_like_the_hosts_gets_a_2(host: str, guest: str, shown: str) -> None:
    assert distinct_names(host, guest) == (host, shown)
    assert not alike(host, shown)


@pytest.mark.parametrize("text", ["You", "YOU", "Y\u043eu", "bot:3", "run:gnuchess"])
def test_a_word_of_the_table_that_came_as_a_name_stands_in_quotation_marks(text: str) -> None:
    """Version 1.0.0 lets its players send such names."""
    assert shown_name(text) == f'"{text}"'
    assert shown_name("y" * 24) == "y" * 24


def test_a_long_word_of_the_table_stays_a_name_in_its_quotation_marks() -> None:
    name = shown_name("bot:" + "x" * 20)
    assert cells(clean_name(name)) == 24
    assert name.endswith('"')


def test_a_name_that_cannot_be_shown_is_a_cheat() -> None:
    with pytest.raises(Cheat):
        shown_name("\x1b[31m")


@pytest.mark.parametrize("name", ["Ann", "\U0001f44d\U0001f3fd" * 12, "\u0f66\u0f92\u0fb2" * 16, "\u674e" * 12])
def test_version_1_0_0_takes_every_name_that_is_sent(name: str) -> None:
    """The rule of that version, once more: a character takes no cell if it combines, two if it is wide, else one."""
    sent = sent_name(name)
    wide = [char for char in sent if unicodedata.east_asian_width(char) in "WF"]
    combining = [char for char in sent if unicodedata.combining(char)]
    assert name.startswith(sent)
    assert len(sent) + len(wide) - len(combining) in (3, 23, 24)
