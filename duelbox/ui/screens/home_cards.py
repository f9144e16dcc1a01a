"""The picture that the facts of home make: no game, no store and no solver is needed to draw it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from textual.geometry import Region

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.home_facts import GameFacts, HomeFacts
from duelbox.ui.widgets.canvas import Canvas, Words, words_width

LEARN, LESSON = "Learn: the first lesson", "Two minutes, six positions:"
DAILY = "one a day, the same for everyone"
WIDE, TALL, USUAL, LOW = 100, 28, 80, 22
"""From so many columns and rows below the title the games stand at the left; and below these there are rows alone."""
PLAIN = str.maketrans({"·": "-", "…": "~", "■": "#", "□": ".", "★": "*", "½": ".5", "▄": "=", "←": "<", "→": ">"})
RAISED = "+"
"""Ends the name of a style on raised ground."""

Mini = Callable[[str, str, int, int], Canvas]
"""A position drawn small, given its game, its code, and the columns and rows there are."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Home drawn at one size, and what a click on each place does."""

    canvas: Canvas
    spots: tuple[tuple[Region, str], ...]

    def action_at(self, x: int, y: int) -> str:
        """The action of what lies on top there, or nothing."""
        return next((action for region, action in reversed(self.spots) if region.contains(x, y)), "")


@dataclass
class _Sheet:
    """A picture in the making."""

    facts: HomeFacts
    chosen: int
    said: str
    glyphs: Glyphs
    mini: Mini
    canvas: Canvas
    spots: list[tuple[Region, str]] = field(default_factory=list)

    # -- pieces

    def put(self, x: int, y: int, words: Words, room: int, action: str = "", raised: bool = False) -> int:
        """Write as much as there is room for; the column after it."""
        left = room
        for text, style in words:
            shown = self.plain(cut(self.plain(text), left))
            self.canvas.put(x + room - left, y, shown, style + RAISED * raised)
            left -= cell_len(shown)
        if action and room > left:
            self.spots.append((Region(x, y, room - left, 1), action))
        return x + room - left

    def right(self, x: int, y: int, words: Words, raised: bool = False) -> None:
        """Write up to this column."""
        width = sum(cell_len(self.plain(text)) for text, _ in words)
        self.put(x - width + 1, y, words, width, raised=raised)

    def plain(self, text: str) -> str:
        """The text in plain ASCII, where that is wished for."""
        return text if self.glyphs.braille else text.translate(PLAIN)

    def frame(self, region: Region, title: Words, aside: str = "", action: str = "", style: str = "edge") -> None:
        """A frame with words in its upper edge; a click in it does this."""
        self.canvas.box(region, self.glyphs.box, style)
        room = region.width - 4
        self.put(region.x + 2, region.y, ((" ", style), *title, (" ", style)), room)
        if aside and words_width(title) + cell_len(aside) + 6 <= room:
            self.right(region.right - 3, region.y, ((f" {aside} ", "free"),))
        if action:
            self.spots.append((region, action))

    def keys(self, x: int, y: int, room: int, *items: tuple[str, str, str]) -> None:
        """Keys with what they do, each to be clicked, three columns apart."""
        end = x + room
        for key, told, action in items:
            if cell_len(key) + 1 + cell_len(told) > end - x:
                return
            x = 3 + self.put(x, y, ((key, "legal"), (f" {told}", "free")), end - x, action)

    @property
    def game(self) -> GameFacts:
        """The chosen one."""
        return self.facts.games[self.chosen]

    @property
    def stars(self) -> str:
        """The puzzle's grade."""
        today = self.facts.today
        return "★" * (today.grade if today else 0)

    def ladder(self, beaten: Sequence[bool]) -> Words:
        """A sign for each level, filled where it was beaten."""
        gap = " " if len(beaten) <= 5 else ""
        return tuple((f"{'■' if one else '□'}{gap}", "win" if one else "free") for one in beaten)

    # -- the two cards

    def match_words(self, room: int, lines: int) -> list[Words]:
        """The match in so many lines."""
        match = self.facts.match
        assert match is not None
        sign = "" if match.seat is None else self.glyphs.seat(match.seat)
        state: Words = (*([(f"{sign} ", f"seat-{match.seat}")] if sign else []), (match.state, "text"))
        title: Words = ((match.title, "legal"),)
        rest = [match.opponent, match.turn, match.when]
        together = (*title, (" · ", "free"), *state)
        if lines > 2:
            named = (*title, (f" · {match.preset}", "free")) if match.preset else title
            return [named, state, ((joined(rest, room), "free"),)]
        if words_width(together) <= room:
            return [together, ((joined(rest, room), "free"),)]
        return [title, (*state, (f" · {joined(rest[:2], room - words_width(state) - 3)}", "free"))]

    def left_card(self, region: Region) -> None:
        """The match to go on with, the last one, or the first lesson."""
        room, match = region.width - 4, self.facts.match
        if match is None:
            key, name, action = "t", LEARN, "lesson"
            lines: list[Words] = [((LESSON, "text"),), ((self.game.title, "free"),)]
        else:
            key, name, action = ("i", "Last game", "app.open('history')") if match.over else ("c", "Continue", "resume")
            lines = self.match_words(room, region.height - 2)
        self.frame(region, ((key, "legal"), (f"  {name}", "text")), action=action)
        for y, words in enumerate(lines[: region.height - 2], region.y + 1):
            self.put(region.x + 2, y, words, room)

    def today_card(self, region: Region) -> None:
        """The puzzle of the day, and how this week's went."""
        today, x, y = self.facts.today, region.x + 2, region.y + 1
        best = f"best {today.best} day{'' if today.best == 1 else 's'}" if today and today.best > 1 else ""
        tall = region.height > 4
        self.frame(region, (("d", "legal"), ("  Today", "text")), best if tall else "", "app.daily")
        if today is None:
            self.put(x, y, (("No puzzle for today.", "free"),), region.width - 4)
            return
        self.put(x, y, ((f"{today.title} ", "legal"), (self.stars, "win")), region.width - 18)
        self.right(region.right - 3, y, ((today.done or "to do", "free" if today.done else "text"),))
        if self.facts.first or tall:
            self.put(x, y + 1, ((DAILY, "free"),), region.width - 4)
            if self.facts.first:
                return
        y = region.bottom - 2
        pitch = max(4, min(6, (region.width - 4) // 7)) if tall or not best else 4
        for at, done in enumerate(today.week):
            ahead = at > today.weekday
            self.put(x + at * pitch, y, self.day_words(at, done, ahead), 3)
        if best and not tall:
            self.right(region.right - 3, y, ((best, "free"),))

    def day_words(self, at: int, done: bool | None, ahead: bool) -> Words:
        """A day of the week and how its puzzle went."""
        today = self.facts.today
        sign = "·" if ahead or (done is None and today and at < today.weekday) else "■" if done else "□"
        return (
            ("MTWTFSS"[at], "legal" if today and at == today.weekday else "free"),
            (sign, "win" if sign == "■" else "dim" if ahead else "text"),
        )

    # -- the rows

    def row(self, at: int, y: int, columns: tuple[int, int, int, int]) -> None:
        """A game: number, name, preset, ladder, next step where there is room, record."""
        game, raised, width = self.facts.games[at], at == self.chosen, self.canvas.width
        name, preset, ladder, step = columns
        if raised:
            self.canvas.fill(Region(1, y, width - 2, 1), f"text{RAISED}")
        self.put(name - 4 if name > 4 else 1, y, ((self.glyphs.up if raised else " ", "legal"),), 1, raised=raised)
        self.put(name - 2, y, ((str(at + 1), "legal"),), 1, raised=raised)
        self.put(name, y, ((game.title, "legal" if raised else "text"),), preset - name - 1, raised=raised)
        self.put(preset, y, ((game.preset, "free"),), ladder - preset - 1, raised=raised)
        end = width - 3
        if self.facts.first:
            told = f"{game.next_step if step else 'first lesson'}: t"
            if not raised:
                told = game.good_for if step else game.good_for.partition(",")[0]
            self.put(ladder, y, ((told, "text" if raised else "free"),), end - ladder, raised=raised)
        else:
            self.put(ladder, y, self.ladder(game.beaten), end - ladder, raised=raised)
            self.right(end, y, ((game.record, "text"),), raised=raised)
            room = end - step - len(game.record)
            self.put(step, y, ((game.next_step, "free"),), max(0, room) if step else 0, raised=raised)
        self.spots.append((Region(0, y, width, 1), f"choose({at})"))

    def said_row(self, x: int, y: int, room: int) -> None:
        """What was just said, or what waits elsewhere."""
        if self.said or not self.facts.away:
            self.put(x, y, ((self.said, "text"),), room)
        else:
            self.put(x, y, (("o ", "legal"), (self.facts.away, "text")), room, "elsewhere")

    # -- the chosen game

    def starts(self) -> Words:
        """All that Enter starts."""
        return ((f" {self.glyphs.enter} {self.game.preset} with {self.game.opponent} ", "tag"),)

    def choices(self, long: bool) -> list[list[tuple[str, str, str]]]:
        """The keys of the chosen game, by lines."""
        game = self.game
        number, count = game.at
        friend, away = ("friend at this screen", "friend elsewhere") if long else ("friend here", "elsewhere")
        which = f"{number} of {count}" if number else f"your own, {count} others"
        return [
            [("f", friend, "friend"), ("o", away, "elsewhere")],
            [("t", game.lesson, "lesson")],
            [("l", "level", "level"), ("← →", f"preset, {which}", "preset(1)")],
        ]

    def panel(self, region: Region) -> None:
        """The chosen game beside what can be started of it."""
        game = self.game
        aside = joined([game.record, self.level_told()], region.width)
        self.frame(region, ((game.title, "legal"),), "" if self.facts.first else aside, "open")
        room = min(40, 32 + max(0, region.width - 80) // 4)
        left = region.width - 5 - room
        self.draw_mini(Region(region.x + 2, region.y + 1, left, region.height - 2))
        x, y, rows = region.x + 3 + left, region.y + 1, region.height - 2
        keys = self.choices(long=False)
        goal = wrap(game.goal, room)
        about = wrap(game.about and f"{game.about.partition('. ')[0].rstrip('.')}.", room)
        if len(goal) + len(about) + len(keys) + (3 if self.game.about.startswith("To play") else 1) > rows:
            about = []
        spare = rows - len(goal) - len(about) - len(keys) - 1
        for line in goal:
            y = self.line(x, y, line, room)
        y += spare > 0
        self.put(x, y, self.starts(), room, "open")
        y += 1
        for line in about:
            y = self.line(x, y, line, room, "free")
        y = region.bottom - 1 - len(keys)
        for items in keys:
            self.keys(x, y, room, *items)
            y += 1

    def line(self, x: int, y: int, text: str, room: int, style: str = "text") -> int:
        """A line of text; the row after it."""
        self.put(x, y, ((text, style),), room)
        return y + 1

    def draw_mini(self, region: Region) -> None:
        """The position of the chosen game."""
        if region.width < 1 or region.height < 1:
            return
        small = self.mini(self.game.id, self.game.position, region.width, region.height)
        for y in range(small.height):
            self.canvas.put_words(region.x, region.y + y, tuple(small.row(y)))

    def level_told(self) -> str:
        """How far the ladder has been climbed."""
        return f"{sum(self.game.beaten)} of {len(self.game.beaten)} levels beaten" if self.game.beaten else ""

    def low_panel(self, region: Region) -> None:
        """The chosen game where there is little room: the rule, the position, a line of keys."""
        game, room = self.game, region.width - 4
        self.frame(region, ((game.title, "legal"),), "" if self.facts.first else game.record, "open")
        x, y, end = region.x + 2, region.y + 1, region.bottom - 2
        for text in wrap(game.goal, room)[: max(0, end - y)]:
            y = self.line(x, y, text, room)
        self.draw_mini(Region(x, y, room, max(0, end - y)))
        items = [("f", "friend", "friend"), ("t", "lesson", "lesson"), ("l", "level", "level")]
        x = 2 + self.put(x, end, self.starts(), room, "open")
        self.keys(x, end, region.right - 2 - x, *items)

    def large_panel(self, region: Region) -> None:
        """The chosen game at the right: a large position, and below it all that can be started."""
        game, room, x = self.game, region.width - 6, region.x + 3
        aside = joined([game.record, self.level_told()], region.width)
        self.frame(
            region, ((game.title, "legal"), (f" · {game.preset}", "text")), "" if self.facts.first else aside, "open"
        )
        goal, keys, about = wrap(game.goal, room), self.choices(long=True), wrap(game.about, room)
        rows = len(goal) + len(keys) + len(about) + 4 + 2 * bool(game.first_wins is not None)
        self.draw_mini(Region(region.x + 2, region.y + 1, region.width - 4, region.height - 2 - rows))
        y = region.bottom - 1 - rows
        for text in goal:
            y = self.line(x, y, text, room)
        for text in about:
            y = self.line(x, y, text, room, "free")
        self.put(x, y + 1, self.starts(), room, "open")
        y += 3
        for items in keys:
            self.keys(x + 1, y, room - 1, *items)
            y += 1
        if game.first_wins is not None:
            self.bar(x, y + 1, room, game.first_wins, game.changes)

    def bar(self, x: int, y: int, room: int, share: int, changes: str) -> None:
        """How often the first player wins with best play."""
        told = joined([{0: "never", 100: "always"}.get(share, f"{share} % of deals"), changes], room - 34)
        filled = round(share / 5)
        x = self.put(x, y, (("First wins ", "free"),), room)
        x = self.put(x, y, (("▄" * filled, "seat-0"), ("·" * (20 - filled), "free")), 20)
        self.put(x + 1, y, ((told, "free"),), room - 32)

    # -- the three layouts

    def usual(self, width: int, height: int) -> None:
        """Two cards, the rows, the chosen game."""
        left = 33 + max(0, width - 80) // 2
        self.left_card(Region(0, 0, left, 4))
        self.today_card(Region(left, 0, width - left, 4))
        count = len(self.facts.games)
        for at in range(count):
            self.row(at, 5 + at, (5, 24, 39, 50))
        self.said_row(3, 5 + count, width - 6)
        self.panel(Region(0, 6 + count, width, height - 6 - count))

    def low(self, width: int, height: int) -> None:
        """The cards as lines, the rows, the chosen game."""
        self.low_cards(width)
        count = len(self.facts.games)
        for at in range(count):
            self.row(at, 4 + at, (4, 23, 38, 49 if width >= USUAL else 0))
        self.said_row(1, 4 + count, width - 2)
        self.low_panel(Region(0, 5 + count, width, height - 5 - count))

    def low_cards(self, width: int) -> None:
        """The match and the day, each in a line."""
        match, today = self.facts.match, self.facts.today
        if match is None:
            words: Words = (("t", "legal"), ("  Learn     ", "text"), (f"the first lesson, {self.game.title}", "free"))
            action = "lesson"
        else:
            key, name = ("i", "Last game ") if match.over else ("c", "Continue  ")
            rest = joined([f"{match.title}, {match.opponent}", match.state], width - 16)
            words, action = ((key, "legal"), (f"  {name}", "text"), (rest, "free")), "resume"
            action = "app.open('history')" if match.over else "resume"
        self.put(1, 1, words, width - 2, action)
        told = f"{today.title} {self.stars}" if today else "no puzzle for today"
        self.put(1, 2, (("d", "legal"), ("  Today     ", "text"), (told, "free")), width - 2, "app.daily")
        if today and self.facts.first:
            self.right(width - 3, 2, (("one a day", "free"),))
        elif today:
            week = [self.day_words(at, done, at > today.weekday) for at, done in enumerate(today.week)]
            self.right(width - 3, 2, tuple(piece for _, (sign, style) in week for piece in ((f" {sign}", style),)))

    def wide(self, width: int, height: int) -> None:
        """Cards and games at the left, the chosen game large at the right."""
        left = min(64, max(44, width * 3 // 10))
        first, second = (5, 7) if height >= 34 else (4, 4)
        gap = height >= 34
        self.left_card(Region(0, 0, left, first))
        self.today_card(Region(0, first + gap, left, second))
        top = first + second + 2 * gap
        self.play(Region(0, top, left, height - top))
        self.large_panel(Region(left + 1, 0, width - left - 1, height))

    def play(self, region: Region) -> None:
        """The games, each in several lines."""
        self.frame(region, (("Play", "text"),))
        each = max(1, min(7, (region.height - 4) // len(self.facts.games)))
        for at, game in enumerate(self.facts.games):
            y, x, room = region.y + 2 + at * each, region.x + 7, region.width - 9
            raised = at == self.chosen
            told: list[Words] = [
                ((game.preset.ljust(15), "free"), *self.ladder(game.beaten)),
                ((game.next_step, "free"),),
            ]
            if self.facts.first:
                told = [((game.preset, "free"),), ((game.good_for, "free"),)]
                told[1:] = [((f"{game.next_step}: t", "text"),)] if raised else told[1:]
            elif each > 4:
                told += [((game.good_for, "free"),)]
            lines = told[: max(0, each - 1 - (each > 3))]
            if raised:
                self.canvas.fill(Region(region.x + 1, y, region.width - 2, 1 + len(lines)), f"text{RAISED}")
                self.put(region.x + 3, y, ((self.glyphs.up, "legal"),), 1, raised=True)
            self.put(x - 2, y, ((str(at + 1), "legal"),), 1, raised=raised)
            self.put(x, y, ((game.title, "legal" if raised else "text"),), room - 10, raised=raised)
            self.right(region.right - 3, y, ((game.record, "text"),), raised=raised)
            for below, words in enumerate(lines, y + 1):
                self.put(x, below, words, room, raised=raised)
            self.spots.append((Region(region.x, y, region.width, each), f"choose({at})"))
        self.said_row(region.x + 2, region.bottom - 2, region.width - 4)


def paint(facts: HomeFacts, chosen: int, said: str, width: int, height: int, glyphs: Glyphs, mini: Mini) -> Picture:
    """Home at this size, with a game chosen and a sentence to say; a pure function."""
    canvas = Canvas(width, height, braille=glyphs.braille)
    sheet = _Sheet(facts, chosen, said, glyphs, mini, canvas)
    if width < USUAL or height < LOW:
        sheet.low(width, height)
    elif width >= WIDE and height >= TALL:
        sheet.wide(width, height)
    else:
        sheet.usual(width, height)
    return Picture(canvas, tuple(sheet.spots))


def cut(text: str, room: int) -> str:
    """As much of a text as there is room for."""
    if cell_len(text) <= room:
        return text
    return f"{set_cell_size(text, room - 1).rstrip()}…" if room > 1 else ""


def joined(parts: Sequence[str], room: int) -> str:
    """The parts with dots between them, as many as there is room for."""
    told = ""
    for part in filter(None, parts):
        more = f"{told} · {part}" if told else part
        if cell_len(more) > room:
            break
        told = more
    return told
