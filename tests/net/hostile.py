"""Bytes, messages and names that a stranger could send."""

from __future__ import annotations

import random
from typing import Any

from duelbox.net import messages as m

_HEX = "0123456789abcdef"


def _key(rng: random.Random) -> str:
    return rng.randbytes(32).hex()


def _card(rng: random.Random) -> m.Card:
    return m.Card(slot=rng.choice((0, 1, 4, 63)), value=rng.choice((0, 1, 5, 999)), salt=_key(rng))


def random_message(rng: random.Random) -> m.Body:
    """A message in the right form, and mostly out of place."""
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
        lambda: m.Bye(secret=rng.choice((None, _key(rng))), order=rng.choice(((), (1, 2, 3, 4, 5), (9,)))),
        lambda: m.Have(),
        lambda: m.Say(phrase=rng.randrange(8)),
        lambda: m.Halt(),
        lambda: m.Claim(),
    ]
    message: m.Body = rng.choice(made)()
    return message


def random_text(rng: random.Random) -> bytes:
    """Noise, or a message with bytes changed, doubled or cut; now and then one that is right."""
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
    """A name that somebody chose to do harm with, or an unusual one."""
    pieces = [rng.choice(_NASTY) for _ in range(rng.randrange(3))]
    pieces += [chr(rng.choice((rng.randrange(128), rng.randrange(0x300), rng.randrange(0x11000)))) for _ in range(3)]
    rng.shuffle(pieces)
    return "".join(pieces) if rng.random() < 0.8 else rng.choice(_NASTY)
