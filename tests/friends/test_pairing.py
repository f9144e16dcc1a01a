"""Pairing by a code: the right one pairs, all others are turned away, and the friend can still come."""

from __future__ import annotations

from contextlib import suppress

import pytest

from duelbox.core.session import DEFAULT_NAMES
from duelbox.friends.join_code import BadJoinCode, JoinCode, code_words, completions, new_join_code, read_join_code
from duelbox.friends.lobby import guest_name
from duelbox.friends.pairing import GUESSES, CodeUsedUp, Pairing
from duelbox.friends.player_side import PlayerSide
from duelbox.relay.wire import Entry
from tests.effort import sampled
from tests.friends.rooms import Chance, Log, Machine, hello_of, meet, read

HELLO = hello_of("sequence-duel")
SPOKEN = JoinCode("7843", "lagoon-honey-berry")


def pasted(seed: object = 0) -> JoinCode:
    return new_join_code("7843", Chance(seed), spoken=False)


def test_there_are_1024_words_that_nobody_mixes_up_with_another_s_beginning() -> None:
    assert len(set(code_words())) == len(code_words()) == 1024
    assert list(code_words()) == sorted(code_words())
    assert all(word.isascii() and word.isalpha() and 3 <= len(word) <= 9 for word in code_words())


@pytest.mark.parametrize("code", [SPOKEN, pasted()])
def test_a_code_is_read_as_it_is_told(code: JoinCode) -> None:
    assert read_join_code(str(code)) == code
    assert read_join_code(f"  {str(code).upper().replace('-', ' ')} ") == code


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "looks like"),
        ("lagoon-honey-berry", "begins with a number"),
        ("7843-lagoon-honey", "come three words; here come 2"),
        ("7843-lagoon-honey-b3rry", "Did you mean berry?"),
        ("7843-lagon-honey-berry", "Did you mean lagoon?"),
        ("7843-" + "u" * 26, "come three words"),
        ("７８４３-lagoon-honey-berry", "begins with a number"),
    ],
)
def test_what_is_no_code_is_refused_in_a_sentence(text: str, told: str) -> None:
    with pytest.raises(BadJoinCode) as refused:
        read_join_code(text)
    assert told in refused.value.sentence
    assert refused.value.sentence.isprintable()


def test_words_are_completed() -> None:
    assert completions("7843-lag") == ("7843-lagoon",)
    assert completions("7843-lagoon-hon") == ("7843-lagoon-honey",)
    assert completions("78") == ()


@pytest.mark.parametrize("code", [SPOKEN, pasted()])
def test_the_right_code_pairs_and_the_match_begins(code: JoinCode) -> None:
    host, guest, log = meet(code, code, HELLO)
    one, two = (Machine(pairing.notes, Chance(seat)) for seat, pairing in enumerate((host, guest)))
    while one.exchange(log) | two.exchange(log):
        pass
    two.side.answer_invitation("Bob", "1")
    while one.exchange(log) | two.exchange(log):
        pass
    assert one.side.ledger.stage == two.side.ledger.stage == "play"
    assert one.side.ledger.terms.players == ("Ann", "Bob")


def test_a_wrong_code_pairs_with_nobody() -> None:
    for seed in range(sampled(6, 200)):
        host, guest, _ = meet(SPOKEN, new_join_code("7843", Chance(seed)), HELLO, seed)
        assert not host.notes + guest.notes
    for seed in range(sampled(60, 1_000)):
        host, guest, _ = meet(pasted(0), pasted(seed + 1), HELLO, seed)
        assert not host.notes + guest.notes


def comes(host: Pairing, guest: Pairing, log: Log) -> None:
    """A guest reads the room from its beginning and puts all their entries."""
    log.append("host", *host.outgoing()[0])
    log.last["guest"] = 0  # as a relay does for a new guest
    for step in range(2):
        for entry in log.entries[guest.since :]:
            guest.receive(entry)
        log.append("guest", *guest.outgoing()[step])
    for entry in log.entries[host.since :]:
        host.receive(entry)


@pytest.mark.parametrize("seed", range(sampled(2, 50)))
def test_a_friend_comes_in_after_strangers_with_wrong_codes(seed: int) -> None:
    """Each stranger is turned away and reported; one who puts too many entries harms nobody."""
    told, log = list[str](), Log()
    host = Pairing("host", SPOKEN, HELLO, Chance(seed), lambda: 0.0, tell=told.append)
    for at in range(GUESSES - 1):
        comes(host, Pairing("guest", guess(at), None, Chance((seed, at)), lambda: 0.0), log)
        assert host.turns_away
        host.turns_away = False
        log.append("guest", 3, b"\x02 and more")
    assert len(told) == GUESSES - 1
    assert set(told) == {
        "Somebody came to your table with a wrong code, and was turned away. It still waits for your friend."
    }
    friend = Pairing("guest", SPOKEN, None, Chance((seed, "friend")), lambda: 0.0)
    comes(host, friend, log)
    assert host.notes


def guess(seed: int) -> JoinCode:
    return new_join_code("7843", Chance(("guess", seed)))


def test_a_code_is_used_up_by_so_many_wrong_guesses() -> None:
    host, log = Pairing("host", SPOKEN, HELLO, Chance(0), lambda: 0.0), Log()
    for at in range(GUESSES - 1):
        comes(host, Pairing("guest", guess(at), None, Chance(at), lambda: 0.0), log)
    with pytest.raises(CodeUsedUp, match="60 wrong codes were tried at your table"):
        comes(host, Pairing("guest", guess(999), None, Chance(999), lambda: 0.0), log)
    with pytest.raises(CodeUsedUp):
        comes(host, Pairing("guest", SPOKEN, None, Chance(1000), lambda: 0.0), log)
    assert not host.notes


@pytest.mark.parametrize("seed", range(sampled(2, 100)))
def test_one_in_the_middle_who_does_not_know_the_code_learns_nothing(seed: int) -> None:
    """A relay that talks to each side in the other's name pairs with neither."""
    guess = new_join_code("7843", Chance(("guess", seed)))
    for role, theirs in (("host", "guest"), ("guest", "host")):
        victim = Pairing(role, SPOKEN, HELLO, Chance(seed), lambda: 0.0)
        middle = Pairing(theirs, guess, HELLO, Chance((seed, 1)), lambda: 0.0)
        with suppress(CodeUsedUp):  # a host keeps waiting
            talk(role, victim, theirs, middle)
        assert not victim.notes
        assert not middle.notes


def talk(one: str, first: Pairing, two: str, second: Pairing) -> None:
    """Exchange entries between two until both have put all."""
    read = {one: 0, two: 0}
    for _ in range(4):
        for name, here, there in ((one, first, second), (two, second, first)):
            for n, body in here.outgoing()[read[name] :]:
                read[name] = n
                there.receive(Entry(n, name, n, body))


@pytest.mark.parametrize("garbage", [b"", b"\x01", b"\x01" + b"A" * 33, b"\x01" + b"B" * 33, b"\x02" + b"x" * 32])
def test_garbage_instead_of_a_greeting_is_no_guess_and_the_friend_can_still_come(garbage: bytes) -> None:
    host = Pairing("host", SPOKEN, HELLO, Chance(0), lambda: 0.0)
    friend = Pairing("guest", SPOKEN, None, Chance(1), lambda: 0.0)
    friend.receive(Entry(1, "host", 1, host.outgoing()[0][1]))
    for seq, (n, body) in enumerate([(1, garbage), (2, garbage), *friend.outgoing()], 2):
        host.receive(Entry(seq, "guest", n, body))
    assert host.notes
    assert host.notes[0].me == 0


def test_a_code_lasts_ten_minutes() -> None:
    now = [0.0]
    host = Pairing("host", SPOKEN, HELLO, Chance(0), lambda: now[0])
    guest = Pairing("guest", SPOKEN, None, Chance(1), lambda: now[0])
    now[0] = 601
    with pytest.raises(CodeUsedUp, match="older than 10 minutes"):
        host.receive(Entry(1, "guest", 1, guest.outgoing()[0][1]))


@pytest.mark.parametrize("seed", range(sampled(2, 100)))
def test_a_code_used_twice_finds_the_room_taken(seed: int) -> None:
    """A second guest with the right code gets no answer, since their greeting is no message of the match."""
    host, _, log = meet(SPOKEN, SPOKEN, HELLO, seed)
    side = PlayerSide(host.notes, Chance((seed, 2)))
    side.start()
    late = Pairing("guest", SPOKEN, None, Chance((seed, 3)), lambda: 0.0)
    for entry in log.entries[side.since :]:
        side.receive(entry)
    read(side, [Entry(len(log.entries) + 1, "guest", 3, late.outgoing()[0][1])])
    assert "no message of this game" in side.stopped
    assert isinstance(log, Log)


def test_a_guest_who_chose_no_name_is_not_called_as_a_host_who_chose_none() -> None:
    assert guest_name(DEFAULT_NAMES) == DEFAULT_NAMES[1]
    assert guest_name(("Ann", DEFAULT_NAMES[1])) == "Ann"
