"""Random and hostile bytes lead to a sentence at most: no traceback, no control characters for a terminal."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.friends import messages as m
from duelbox.friends.effects import applied
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.ledger import Ledger
from duelbox.friends.messages import Malformed, decode, encode
from duelbox.relay.wire import Entry
from tests.effort import sampled
from tests.friends.rooms import Pair, play_some_move, read


def _key(rng: random.Random) -> str:
    return rng.randbytes(32).hex()


def _card(rng: random.Random) -> m.Card:
    return m.Card(slot=rng.choice((0, 1, 4, 63)), value=rng.choice((0, 1, 5, 999)), salt=_key(rng))


def random_message(rng: random.Random) -> m.Body:
    """A well-formed message, mostly out of place."""
    made: list[Any] = [
        lambda: m.Hello(app="1", name="Eve", game="sequence-duel", rules=_key(rng)),
        lambda: m.Join(app="1", name="Eve"),
        lambda: m.Refuse(why="declined"),
        lambda: m.Commit(sealed=_key(rng)),
        lambda: m.Reveal(nonce=_key(rng), lock=_key(rng)),
        lambda: m.Slots(cards=tuple(_key(rng) for _ in range(rng.choice((1, 5, 20))))),
        lambda: m.Move(text=rng.choice(("1", "3x2", "99", "31524", "+9", "x", "[/b]")), card=None),
        lambda: m.Move(text="3x2", card=_card(rng)),
        lambda: m.Open(card=_card(rng)),
        lambda: m.Propose(kind=rng.choice(("undo", "draw", "rematch", "pause"))),
        lambda: m.Reply(offer=rng.randrange(40), yes=True),
        lambda: m.Resign(),
        lambda: m.Bye(secret=_key(rng), order=rng.choice(((), (1, 2, 3, 4, 5), (9,)))),
        lambda: m.Have(),
        lambda: m.Say(phrase=rng.randrange(8)),
        lambda: m.Halt(),
        lambda: m.Claim(),
    ]
    message: m.Body = rng.choice(made)()
    return message


def random_text(rng: random.Random) -> bytes:
    """Noise, or a message with bytes changed, doubled or cut; now and then a correct one."""
    if rng.random() < 0.4:
        return rng.randbytes(rng.randrange(200))
    text = bytearray(m.encode(random_message(rng)))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(text)) if text else 0
        how = rng.randrange(4)
        if how == 0 and text:
            text[at] = rng.randrange(256)
        elif how == 1:
            text[at:at] = text[at : at + rng.randrange(30)]
        elif how == 2:
            del text[at : at + rng.randrange(10)]
        else:
            text[at:at] = rng.choice((b"true", b"NaN", b"-1", b"1e9", b'"', b"\\u0000", b"\\ud800", b"[[[[", b"\xff"))
    return bytes(text)


_NASTY = (
    "\x1b[2J",
    "\x1b]0;owned\x07",
    "\x9b31m",
    "\r\n",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\u0301",
    "\ud800",
    "[/foo]",
    "[@click=app.quit]x[/]",
    "\u3164",
    "漢字" * 20,
    "e\u0301" * 30,
    "😀",
    "\x00",
    " " * 50,
    "Ann",
    "ANN ",
    "Player 1",
    "🏳️‍🌈",
    "\U000e0041",
    "Bob",
    "{0}",
    "%s%n",
)


def hostile_name(rng: random.Random) -> str:
    """A name that could do harm, or an unusual one."""
    pieces = [rng.choice(_NASTY) for _ in range(rng.randrange(3))]
    pieces += [chr(rng.choice((rng.randrange(128), rng.randrange(0x300), rng.randrange(0x11000)))) for _ in range(3)]
    rng.shuffle(pieces)
    return "".join(pieces) if rng.random() < 0.8 else rng.choice(_NASTY)


def test_random_frames_are_refused_in_a_sentence() -> None:
    """Half of the frames are noise, half are changed messages."""
    rng = random.Random(1)
    read = 0
    for _ in range(sampled(4_000, 1_000_000)):
        text = random_text(rng)
        message = message_in(text)
        if isinstance(message, str):
            assert message.isprintable()
        else:
            read += 1
            assert encode(message) == text
    assert read > 50


def message_in(text: bytes) -> m.Body | str:
    """The message, or the sentence that refuses it."""
    try:
        return decode(text)
    except Malformed as error:
        return error.sentence


def test_random_messages_in_the_right_form_leave_a_match_or_stop_it() -> None:
    """A rival who knows the key sends anything at any time; the match goes on or stops with a sentence."""
    for seed in range(sampled(30, 5_000)):
        rng = random.Random(seed)
        code = rng.choice(("sequence-duel", "number-duel", "number-duel:arrange=chosen", "digit-chain:gaps=5"))
        pair, honest = Pair(code, seed, answer=rng.random() < 0.9), True
        for _ in range(rng.randrange(12)):
            mover = pair.mover()
            if mover is not None and (honest or mover is pair.host) and rng.random() < 0.5:
                play_some_move(mover, rng)
            else:
                pair.guest._put(random_message(rng))
                honest = False  # a side that lied about its own hand cannot play on
            pair.settle()
            if pair.host.stopped:
                assert pair.host.stopped.isprintable()
                assert pair.host.stopped.endswith(".")
                break
        pair.host.take_news()


def test_random_bytes_in_the_room_stop_the_match_in_a_sentence() -> None:
    rng = random.Random(3)
    for seed in range(sampled(40, 2_000)):
        pair = Pair("circle-duel", seed % 3)
        body = rng.randbytes(rng.choice((0, 1, 20, 37, 60, 4096)))
        if rng.random() < 0.5 and pair.log.entries:
            body = bytearray(rng.choice(pair.log.entries).body)
            body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        who = rng.choice(("guest", "guest", "host", "watcher-1", "\x1b[2J"))
        n = pair.log.last.get(who, 0) + rng.choice((1, 1, 1, 0, 2, 1_000_000))
        read(pair.host, [Entry(len(pair.log.entries) + 1, who, n, bytes(body))])
        assert pair.host.stopped is None or (pair.host.stopped.isprintable() and pair.host.stopped.endswith("."))


def test_a_hostile_name_never_reaches_a_terminal() -> None:
    rng = random.Random(4)
    shown = refused = 0
    for _ in range(sampled(400, 5_000)):
        name = hostile_name(rng)
        ledger, _ = applied(Ledger("place"), 0, m.Hello(app="1", name="Ann", game="circle-duel", rules=rules()))
        joined = joined_as(ledger, name)
        if isinstance(joined, str):
            refused += 1
            assert joined.isprintable()
            continue
        shown += 1
        host, guest = joined.terms.players
        for called in (host, guest):
            assert called.isprintable()
            assert 0 < len(called) <= 48
        assert host.casefold() != guest.casefold()
    assert shown > 20
    assert refused > 20


def joined_as(ledger: Ledger, name: str) -> Ledger | str:
    """The match after a guest of this name has joined, or the sentence that refuses them."""
    try:
        join = m.Join(app="1", name=name, at=1, chain=ledger.transcript.chains[1].hex())
        joined, _ = applied(ledger, 1, join)
    except Cheat as error:
        return error.sentence
    except ValueError:
        return "It is no message."
    return joined


def rules() -> str:
    from duelbox.friends.proposal import Proposal

    return Proposal.read("circle-duel").rules()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("no-such-game", "game"),
        ("circle-duel:size=99999", "game"),
        ("circle-duel/4.5.9", "game"),
        ("number-duel:deal=31524-51234", "game"),
        ("number-duel:seed=5", "game"),
        ("circle-duel/" + "1." * 1000, "game"),
        ("sequence-duel", "rules"),
    ],
)
def test_a_game_that_cannot_be_played_is_declined(code: str, why: str) -> None:
    ledger, _ = applied(Ledger("place"), 0, m.Hello(app="1", name="Ann", game=code, rules="0" * 64))
    assert ledger.why_unplayable() == why


def test_another_version_is_declined() -> None:
    later = m.PROTOCOL_VERSION + 1
    hello = m.Hello(proto=(later, later + 1), app="9", name="Ann", game="sequence-duel", rules="0" * 64)
    ledger, _ = applied(Ledger("place"), 0, hello)
    assert ledger.why_unplayable() == "version"


@pytest.mark.parametrize(
    "text",
    [
        b'{"at":0,"chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":true}',
        b'{"at":0,"chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":1.0}',
        b'{"at":0,"chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":NaN}',
        b'{"at":0,"chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":8}',
        b'{"at":0,"at":0,"chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":1}',
        b'{"at":0,"chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":1,"more":1}',
        b'{"at":0, "chain":"00000000000000000000000000000000","time":0,"t":"say","phrase":1}',
        b'{"at":0,"chain":"00000000000000000000000000000000\\n","time":0,"t":"say","phrase":1}',
        b'{"t":"say","at":0,"chain":"00000000000000000000000000000000","time":0,"phrase":1}',
        b'{"at":' + b"9" * 4000 + b"}",
        b"[" * 4000,
        b"\xff\xfe",
        b"",
        b"x" * 10_000,
    ],
)
def test_what_is_not_written_as_messages_are_is_refused(text: bytes) -> None:
    with pytest.raises(Malformed):
        decode(text)


def test_a_flood_of_messages_stops_the_match_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair("sequence-duel")
    monkeypatch.setattr("duelbox.friends.effects.MOST_IDLE", 100)
    monkeypatch.setattr(pair.host, "_check", lambda: None)
    for _ in range(200):
        pair.host._put(m.Say(phrase=1))
        pair.settle()
    assert pair.guest.stopped
    assert "messages came that change nothing" in pair.guest.stopped
    assert len(pair.guest.ledger.transcript.chains) < 150
    assert len([one for one in pair.guest.take_news() if isinstance(one, news.Said)]) == m.MOST_PHRASES


def test_phrases_have_a_limit_and_can_be_muted() -> None:
    pair = Pair("sequence-duel")
    for _ in range(m.MOST_PHRASES):
        pair.host.say(0)
    with pytest.raises(DuelboxError, match="20 phrases since the last move"):
        pair.host.say(0)
    pair.guest.muted.add(pair.host.me)
    pair.settle()
    assert not any(isinstance(one, news.Said) for one in pair.guest.take_news())


def test_entries_that_say_nothing_leave_nothing_in_the_journal() -> None:
    pair = Pair("sequence-duel")
    before = len(pair.machines[1].disk)
    for entry in [*pair.log.entries]:  # a relay repeats all entries, and adds one of a member that does not exist
        again = replace(entry, seq=len(pair.log.entries) + 1, who="host")
        pair.log.entries += [again, replace(again, seq=again.seq + 1, who="watcher-1")]
    pair.machines[1].exchange(pair.log)
    assert pair.guest.stopped is None
    assert len(pair.machines[1].disk) == before
    assert pair.guest.since == len(pair.log.entries)
