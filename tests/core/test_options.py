"""House rules as people write them: the values of each option, the combinations allowed, and refusals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from duelbox.core.errors import OptionError
from duelbox.core.options import MAX_SEED
from duelbox.registry import find_game, games
from duelbox.testing.laws import is_sentence
from tests.effort import sampled
from tests.house_rules import GAME_IDS, house_rules


def read(game_id: str, written: str) -> Any:
    """Options from "key=value,key=value"."""
    pairs = (setting.split("=") for setting in written.split(",") if setting)
    return find_game(game_id).Options.from_texts(dict(pairs))


def assert_names(refused: OptionError, key: str) -> None:
    """Check that the refusal holds the key and is a sentence."""
    assert refused.key == key
    sentence = refused.sentence
    begins_with_option = sentence.split()[0] in {key, "gaps", "seed"}
    assert is_sentence(f"Option {sentence}" if begins_with_option else sentence), sentence


# From the pages of rules: game, option, lowest and highest number, classic number.
NUMBERS = [
    ("circle-duel", "size", 4, 30, 10),
    ("circle-duel", "reach", 1, 3, 1),
    ("circle-duel", "gaps", 0, 5, 0),
    ("number-circle", "target", 10, 20, 15),
    ("sequence-duel", "size", 5, 60, 20),
    ("digit-chain", "gaps", 0, 60, 0),
    ("number-duel", "hand", 3, 7, 5),
]


@pytest.mark.parametrize(("game_id", "key", "low", "high", "classic"), NUMBERS)
def test_numbers_have_their_bounds(game_id: str, key: str, low: int, high: int, classic: int) -> None:
    assert getattr(find_game(game_id).Options(), key) == classic
    for number in range(low, high + 1):
        assert getattr(read(game_id, f"{key}={number}"), key) == number
    for wrong in (str(low - 1), str(high + 1), "x", "1.0", "", "٣", "1" * 30, "on", "none", "-1", "+5"):
        with pytest.raises(OptionError) as refused:
            read(game_id, f"{key}={wrong}")
        assert_names(refused.value, key)


WORDS = [
    ("number-circle", "backtracking", {"on": True, "off": False}, False),
    ("number-circle", "sharing", {"on": True, "off": False}, True),
    ("number-circle", "shared_total", {"on": True, "off": False}, False),
    ("number-circle", "floor", {"none": None, "0": 0}, None),
    ("sequence-duel", "ring", {"on": True, "off": False}, False),
    ("digit-chain", "zero", {"dead-end": "dead-end", "no-tens": "no-tens", "wild": "wild"}, "dead-end"),
    ("number-duel", "arrange", {"shuffled": "shuffled", "chosen": "chosen"}, "shuffled"),
    ("number-duel", "victors_stay", {"on": True, "off": False}, False),
]


@pytest.mark.parametrize(("game_id", "key", "words", "classic"), WORDS)
def test_words_are_read_and_written(game_id: str, key: str, words: dict[str, Any], classic: Any) -> None:
    assert getattr(find_game(game_id).Options(), key) == classic
    for word, value in words.items():
        options = read(game_id, f"{key}={word}")
        assert getattr(options, key) is value or getattr(options, key) == value
        assert options.texts() == ({} if value == classic else {key: word}), "defaults are left out"
    for wrong in ("maybe", "true", "1", "-0", "0.0", "ON "):
        with pytest.raises(OptionError) as refused:
            read(game_id, f"{key}={wrong}")
        assert refused.value.key == key
        assert all(word in refused.value.sentence for word in words)


def test_a_target_can_be_drawn() -> None:
    drawn = {
        find_game("number-circle").start(read("number-circle", f"target=drawn,seed={n}")).target for n in range(99)
    }
    assert drawn == set(range(10, 21))
    options = read("number-circle", "target=drawn,seed=4")
    assert options.texts() == {"target": "drawn", "seed": "4"}
    assert options.draws
    assert not read("number-circle", "target=20").draws


@pytest.mark.parametrize(
    ("game_id", "written", "key", "says"),
    [
        ("circle-duel", "size=4,gaps=3", "gaps", "0 to 2 of 4"),
        ("circle-duel", "size=5,without=1-2-3", "without", "at most 2"),
        ("circle-duel", "without=3-3", "without", "twice"),
        ("circle-duel", "without=11", "without", "11"),
        ("circle-duel", "without=0", "without", "0"),
        ("circle-duel", "gaps=2,without=3", "without", "the same thing"),
        ("circle-duel", "seed=2,without=3", "without", "the same thing"),
        ("circle-duel", "without=", "without", "3-7-9"),
        ("circle-duel", "without=3--7", "without", "3-7-9"),
        ("digit-chain", "zero=no-tens,without=40", "without", "40"),
        ("digit-chain", "without=100", "without", "100"),
        ("digit-chain", "gaps=3,seed=1,without=5", "without", "the same thing"),
        ("digit-chain", "without=" + "-".join(map(str, range(1, 62))), "without", "at most 60"),
        ("number-duel", "deal=31524-51234,seed=1", "deal", "the same thing"),
        ("number-duel", "deal=31524-51234,arrange=chosen", "deal", "leave out deal"),
        ("number-duel", "deal=31524", "deal", "two orders"),
        ("number-duel", "deal=123-321-213,hand=3", "deal", "two orders"),
        ("number-duel", "deal=31524-51233", "deal", "1 to 5"),
        ("number-duel", "deal=31524-51234,hand=4", "deal", "1 to 4"),
        ("number-duel", "deal=a", "deal", "31524-51234"),
        ("sequence-duel", "gaps=3", "gaps", "size and ring"),
        ("sequence-duel", "Size=3", "Size", "size and ring"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_key(game_id: str, written: str, key: str, says: str) -> None:
    with pytest.raises(OptionError) as refused:
        read(game_id, written)
    assert says in refused.value.sentence
    assert_names(refused.value, key)


def test_named_gaps_stand_in_order() -> None:
    assert read("circle-duel", "without=9-3-7") == read("circle-duel", "without=3-7-9")
    assert read("circle-duel", "without=9-3-7").texts() == {"without": "3-7-9"}


def test_a_deal_is_written_as_it_stands() -> None:
    options = read("number-duel", "deal=31524-51234")
    assert options.deal == ((3, 1, 5, 2, 4), (5, 1, 2, 3, 4))
    assert options.texts() == {"deal": "31524-51234"}


def test_a_seed_is_any_whole_number_that_fits() -> None:
    assert read("number-duel", f"seed={MAX_SEED}").seed == 2**63 - 1
    for wrong in (str(MAX_SEED + 1), "-1", "9" * 5_000):
        with pytest.raises(OptionError) as refused:
            read("number-duel", f"seed={wrong}")
        assert_names(refused.value, "seed")


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_values_of_the_wrong_kind_are_refused(game_id: str) -> None:
    options = find_game(game_id).Options
    for key in options.model_fields:
        for wrong in (3.5, "1", b"1", [1], {"a": 1}, True if key in ("size", "hand", "gaps") else 99**99):
            with pytest.raises(OptionError) as refused:
                options.from_values({key: wrong})
            assert_names(refused.value, key)
    with pytest.raises(OptionError, match="There is no option") as refused:
        options.from_values({"colour": "red"})
    assert refused.value.key == "colour"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_seeds_matter_only_where_something_is_drawn(game_id: str) -> None:
    game = find_game(game_id)
    for number in range(sampled(25, 100)):
        options = house_rules(game_id, Random(number))
        if "seed" not in type(options).model_fields:
            assert not options.draws
            continue
        try:
            others = [options.changed(seed=seed) for seed in range(1, 30)]
        except ValueError:
            # Named gaps and named hands cannot go with a seed.
            assert not options.draws
            continue
        starts = {game.start(one).changed(options=options) for one in others}
        assert (len(starts) > 1) == options.draws, options


def test_every_choice_that_is_described_can_be_made() -> None:
    for game in games():
        for one in game.Options.infos():
            for text in (one.default, *one.choices) if one.default else one.choices:
                assert game.Options.from_texts({one.name: text}).texts().get(one.name, one.default) == text


@pytest.mark.parametrize(
    ("game_id", "dealt", "undealt"),
    [
        ("circle-duel", {"size": "14", "without": "3-8-9"}, {"size": "14", "gaps": "3"}),
        ("digit-chain", {"gaps": "20", "seed": "7"}, {"gaps": "20"}),
        ("number-circle", {"target": "drawn", "seed": "7"}, {"target": "drawn"}),
        ("number-duel", {"hand": "3", "deal": "123-321"}, {"hand": "3"}),
        ("sequence-duel", {"ring": "on"}, {"ring": "on"}),
    ],
)
def test_rules_are_the_same_before_anything_is_drawn(
    game_id: str, dealt: dict[str, str], undealt: dict[str, str]
) -> None:
    assert find_game(game_id).Options.from_texts(dealt).rules_only().texts() == undealt
