"""A second checker of proofs, written from the pages `duelbox help proofs` and `codes` and the rules, without duelbox.

`python tests/proof/second_checker.py < proofs.txt` tells of each line if it holds.
"""

from __future__ import annotations

import hashlib
import sys

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
MOST = 100_000


class Fails(Exception):
    """The proof does not hold."""


class Unreadable(Exception):
    """The text is no proof."""


class Bits:
    """The bits of a base64url word."""

    def __init__(self, word):
        bits = "".join(f"{ALPHABET.index(letter):06b}" for letter in word)
        self.size = len(bits) // 8 * 8
        if len(word) % 4 == 1 or "1" in bits[self.size :]:
            raise Unreadable("no base64url word")
        self.bits, self.at = bits[: self.size], 0

    def take(self, width):
        if self.at + width > self.size:
            raise Fails("the bits end too soon")
        value = 0
        for bit in self.bits[self.at : self.at + width]:
            value = 2 * value + int(bit)
        self.at += width
        return value

    def choice(self, count):
        """One of so many."""
        value = self.take(len(bin(count - 1)) - 2 if count > 1 else 0)
        if value >= count:
            raise Fails("no such choice")
        return value


# Of each game: a position is a tuple of picks, in order; seat 0 picks first.


class Ring:
    """Number Circle Duel."""

    claims = ("pairs",)

    def __init__(self, size="10", reach="1", trails="shared", without=""):
        self.size, self.reach, self.own = int(size), int(reach), trails == "own"
        gaps = {int(gap) for gap in without.split("-") if gap}
        self.last = self.size
        self.places = set(range(1, self.size + 1)) - gaps

    def near(self, a, b):
        steps = abs(a - b)
        return 0 < min(steps, self.size - steps) <= self.reach

    def trail(self, picks, seat):
        return picks[seat::2][-1:] if self.own else picks[-1:]

    def moves(self, picks):
        free = self.places - set(picks)
        return sorted(n for n in free if all(self.near(n, p) for p in self.trail(picks, len(picks) % 2)))

    def same(self, picks):
        return (
            frozenset(self.places - set(picks)),
            self.trail(picks, 0) if self.own else picks[-1:],
            self.trail(picks, 1) if self.own else (),
        )

    def holds(self, claim, pairs, picks):
        free = self.places - set(picks)
        if self.own or not all(n in free and self.near(n, pairs[n]) for n in pairs):
            return False
        reached = set(self.moves(picks))
        while True:
            more = {n for n in free - reached if any(self.near(n, r) for r in reached)}
            if not more:
                return reached <= set(pairs)
            reached |= more


class Line:
    """Sequence Duel."""

    claims = ("copy", "count")

    def __init__(self, size="20", ring="off"):
        self.last, self.ring = int(size), ring == "on"

    def beside(self, a, b):
        return abs(a - b) == 1 or (self.ring and abs(a - b) == self.last - 1)

    def open(self, picks, seat):
        theirs = picks[1 - seat :: 2]
        return [
            n
            for n in range(1, self.last + 1)
            if n not in picks and not any(self.beside(n, claimed) for claimed in theirs)
        ]

    def moves(self, picks):
        return self.open(picks, len(picks) % 2)

    def same(self, picks):
        return frozenset(picks[0::2]), frozenset(picks[1::2])

    def holds(self, claim, images, picks):
        mover = len(picks) % 2
        theirs, mine = self.open(picks, mover), self.open(picks, 1 - mover)
        if claim == "count":
            safe = not set(theirs) & set(mine) and not any(self.beside(a, b) for a in mine for b in theirs)
            return safe and len(mine) >= len(theirs)
        everything = range(1, self.last + 1)
        if any(n not in images for n in everything):
            return False
        if any(self.beside(a, b) != self.beside(images[a], images[b]) for a in everything for b in everything):
            return False
        if any(images[n] not in picks[1 - mover :: 2] for n in picks[mover::2]):
            return False
        return not any(images[n] in picks or images[n] == n or self.beside(n, images[n]) for n in theirs)


class Chain:
    """Digit Chain Duel."""

    claims = ("reverse",)
    last = 99

    def __init__(self, zero="dead-end", without=""):
        self.zero = zero
        gaps = {int(gap) for gap in without.split("-") if gap}
        self.pool = {n for n in range(1, 100) if n not in gaps and (zero != "no-tens" or n % 10)}

    def moves(self, picks):
        free = sorted(self.pool - set(picks))
        if not picks or (picks[-1] % 10 == 0 and self.zero == "wild"):
            return free
        return [n for n in free if str(n)[0] == str(picks[-1])[-1]]

    def same(self, picks):
        return frozenset(self.pool - set(picks)), picks[-1:]

    def holds(self, claim, _, picks):
        free = self.pool - set(picks)

        def back(n):
            text = str(n)
            if len(set(text)) == 1:
                return int(text[0]) if len(text) == 2 else int(text * 2)
            return int(text[::-1])

        return self.zero == "no-tens" and all(back(n) in free for n in self.moves(picks))


GAMES = {"circle-duel": Ring, "sequence-duel": Line, "digit-chain": Chain}


def position(code):
    head, _, moves = code.partition("/")
    name, _, rules = head.partition(":")
    if name not in GAMES:
        raise Unreadable("no such game")
    settings = dict(rule.split("=") for rule in rules.split(",") if rule)
    if "gaps" in settings or "seed" in settings:
        raise Unreadable("gaps are named, not drawn")
    game = GAMES[name](**settings)
    picks = ()
    for move in moves.split(".") if moves else ():
        if int(move) not in game.moves(picks):
            raise Unreadable("an illegal move")
        picks += (int(move),)
    if not game.moves(picks):
        raise Unreadable("the game is over")
    return game, picks


def read_map(game, bits):
    images = {}
    for number in range(1, game.last + 1):
        if number not in images:
            partner = bits.take(len(bin(game.last)) - 2)
            if partner == 0:
                continue
            if partner < number or partner > game.last or partner in images:
                raise Fails("a wrong map")
            images[number], images[partner] = partner, number
    return images


def holds(line):
    """True if the line proves its claim; raises Unreadable."""
    words = line.split()
    if len(words) != 7 or words[:3] != ["duelbox", "proof", "1"] or words[4] not in ("1", "2"):
        raise Unreadable("no line of format 1")
    if hashlib.sha256(" ".join(words[:6]).encode()).hexdigest()[:8] != words[6]:
        raise Unreadable("a wrong sum")
    game, start = position(words[3])
    try:
        bits = Bits(words[5])
        if bits.take(1):
            raise Unreadable("the first bit is 1")
        walk(game, start, int(words[4]) - 1, bits)
    except Fails:
        return False
    return True


def walk(game, start, side, bits):
    claims = bits.take(1)
    met, reached, todo = set(), 0, [start]
    while todo:
        picks = todo.pop()
        reached += 1
        if reached > MOST:
            raise Fails("too long")
        moves, turn = game.moves(picks), len(picks) % 2
        if not moves:
            if turn == side:
                raise Fails("the other side wins")
            continue
        if (game.same(picks), turn) in met:
            continue
        met.add((game.same(picks), turn))
        if turn == side:
            todo.append((*picks, moves[bits.choice(len(moves))]))
        elif claims and bits.take(1):
            claim = game.claims[bits.choice(len(game.claims))]
            images = read_map(game, bits) if claim in ("pairs", "copy") else {}
            if not game.holds(claim, images, picks):
                raise Fails("the rule does not hold")
        else:
            todo.extend((*picks, move) for move in reversed(moves))
    if bits.size - bits.at >= 8 or "1" in bits.bits[bits.at :]:
        raise Fails("bits are left over")


if __name__ == "__main__":
    for text in sys.stdin:
        print(holds(text))
