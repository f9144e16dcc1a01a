"""Draws home from its facts; needs no game, no store and no solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from textual.geometry import Region

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.home_facts import GameFacts, HomeFacts, TodayFacts
from duelbox.ui.widgets.canvas import Canvas, StyledText, text_width

LESSON = "Two minutes, a few positions:"
DAILY, NO_DAILY = "three a day, the same for everyone", "no puzzle for today"
WIDE, TALL, USUAL, LOW = 100, 28, 80, 22
"""WIDE, TALL: the smallest size for games at the left; USUAL, LOW: the smallest size for cards above the games."""
PLAIN = str.maketrans({"·": "-", "…": "~", "■": "#", "□": ".", "★": "*", "½": ".5", "▄": "=", "←": "<", "→": ">"})
ELSEWHERE = "app.open('elsewhere')"
"""The action that opens the form for a friend elsewhere."""
RAISED = "+"
"""The end of a style's name on a raised background."""

Thumbnail = Callable[[str, str, int, int], Canvas]
"""Draws a position small: takes the game, the code, and the columns and rows of the picture."""
Line = tuple[tuple[StyledText, str], ...]
"""Pieces of text, each with the action of a click on it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Home drawn at one size, with the actions of clicks."""

    canvas: Canvas
    spots: tuple[tuple[Region, str], ...]

    def action_at(self, x: int, y: int) -> str:
        """The action of the topmost region at this place, or an empty string."""
        return next((action for region, action in reversed(self.spots) if region.contains(x, y)), "")


@dataclass
class _Sheet:
    """A picture of home while it is drawn."""

    facts: HomeFacts
    chosen: int
    said: str
    glyphs: Glyphs
    thumbnail: Thumbnail
    canvas: Canvas
    spots: list[tuple[Region, str]] = field(default_factory=list)

    # -- pieces

    def put(self, x: int, y: int, words: StyledText, room: int, action: str = "", raised: bool = False) -> int:
        """Write as much text as fits into the room; return the column after it."""
        left = room
        for text, style in words:
            shown = self.plain(cut(self.plain(text), left))
            self.canvas.put(x + room - left, y, shown, style + RAISED * raised)
            left -= cell_len(shown)
        if action:
            self.spots.append((Region(x, y, room - left, 1), action))
        return x + room - left

    def right(self, x: int, y: int, words: StyledText, raised: bool = False) -> None:
        """Write text that ends at this column."""
        width = sum(cell_len(self.plain(text)) for text, _ in words)
        self.put(x - width + 1, y, words, width, raised=raised)

    def tell(self, x: int, y: int, room: int, line: Line) -> None:
        """Write the pieces of a line that fit, three columns apart, or two if that helps."""
        end, apart = x + room, 3 if sum(text_width(words) + 3 for words, _ in line) - 3 <= room else 2
        for words, action in line:
            if x + text_width(words) <= end or x + room == end:
                x = apart + self.put(x, y, words, end - x, action)

    def plain(self, text: str) -> str:
        """The text in plain ASCII, if only that may be shown."""
        return text if self.glyphs.unicode else text.translate(PLAIN)

    def frame(self, region: Region, title: StyledText, aside: str = "", action: str = "") -> None:
        """Draw a frame with words in its upper edge, and an action for clicks in it."""
        self.canvas.box(region, self.glyphs.box, "edge")
        room = region.width - 4
        end = self.put(region.x + 2, region.y, ((" ", "edge"), *title), room - 1)
        self.put(end, region.y, ((" ", "edge"),), 1)
        if aside and text_width(title) + cell_len(aside) + 6 <= room:
            self.right(region.right - 3, region.y, ((f" {aside} ", "free"),))
        self.spots += [(region, action)] if action else []

    # -- the match and the day

    def match(self, room: int, lines: int) -> tuple[StyledText, str, list[StyledText]]:
        """The card of the unfinished match, the last match or the first lesson: its title, its action and its lines."""
        match = self.facts.match
        if match is None:
            heading = [(LESSON, "text")] if lines > 1 else []
            lesson = self.row.lesson.removeprefix("take ") or "no lesson yet"
            name = "Learn" if lines == 1 else lesson.capitalize() if ":" in lesson else f"Learn: {lesson}"
            title = (self.row.title if lines > 1 else f"{lesson}, {self.row.title}", "free")
            return (("t", "legal"), (f"  {name}", "text")), "lesson", [(one,) for one in (*heading, title)]
        key, name, action = ("i", "Last game", "app.open('history')") if match.over else ("c", "Continue", "resume")
        head = (key, "legal"), (f"  {name}", "text")
        sign = () if match.seat is None else ((f"{self.glyphs.seat(match.seat)} ", f"seat-{match.seat}"),)
        state: StyledText = (*sign, (match.state, "text"))
        title, rest = (match.title, "legal"), [match.opponent, match.turn, match.when]
        together: StyledText = (title, (" · ", "free"), *state)
        if lines == 1:
            return head, action, [((joined([f"{match.title}, {match.opponent}", match.state], room), "free"),)]
        if lines > 2:
            preset = f" · {match.preset}" if match.preset else ""
            return head, action, [(title, (preset, "free")), state, ((joined(rest, room), "free"),)]
        if text_width(together) <= room:
            return head, action, [together, ((joined(rest, room), "free"),)]
        more = joined(rest[:2], room - text_width(state) - 3)
        return head, action, [(title,), (*state, (f" · {more}" if more else "", "free"))]

    def match_card(self, region: Region) -> None:
        """Draw the card of the match."""
        head, action, lines = self.match(region.width - 4, region.height - 2)
        self.frame(region, head, action=action)
        for y, words in enumerate(lines, region.y + 1):
            self.put(region.x + 2, y, words, region.width - 4)

    def today_card(self, region: Region) -> None:
        """Draw the card of the day: its puzzles, and a sign for each day of the week."""
        today, x, y, end = self.facts.today, region.x + 2, region.y + 1, region.right - 3
        best = f"best {today.best} day{'' if today.best == 1 else 's'}" if today and today.best > 1 else ""
        tall, room = region.height > 4, region.width - 4
        name = "  Today: done" if today is not None and today.over else "  Today"
        self.frame(region, (("d", "legal"), (name, "text")), best if tall else "", "app.daily")
        self.put(x, y, titled(today), room - 8)
        if today is None:
            return
        self.right(end, y, ((today.done or "to do", "free" if today.done else "text"),))
        if self.facts.first or tall:
            self.put(x, y + 1, ((DAILY, "free"),), room)
        if not self.facts.first:
            for at, words in enumerate(week(today)):
                self.put(x + at * (6 if tall and room > 40 else 4), region.bottom - 2, words, 3)
            self.right(end, region.bottom - 2, (("" if tall else best, "free"),))

    # -- the games

    def lines_of_games(self, top: int, columns: tuple[int, int, int, int]) -> None:
        """Draw each game in a line: number, name, preset, ladder, next step if there is room, record."""
        (name, preset, ladder, step), end = columns, self.canvas.width - 3
        for at, game in enumerate(self.facts.games):
            y, put = top + at, partial(self.put, raised=at == self.chosen)
            self.head(at, y, 1, name, preset - name - 1)
            put(preset, y, ((game.preset, "free"),), ladder - preset - 1)
            if self.facts.first and at == self.chosen and game.lesson:
                put(ladder, y, ((f"{game.next_step if step else 'first lesson'}: t", "text"),), end - ladder)
            elif self.facts.first:
                put(ladder, y, ((game.good_for if step else game.good_for.partition(",")[0], "free"),), end - ladder)
            else:
                put(ladder, y, ladder_of(game), end - ladder)
                self.right(end, y, ((game.record, "text"),), raised=at == self.chosen)
                room, (at_hand, _, title) = end - step - len(game.record), game.next_step.partition(": ")
                lesson = at_hand.startswith("lesson")
                short = f"learn {title}" if lesson and len(game.next_step) > room else game.next_step
                put(step, y, ((short, "free"),), room if step else 0)

    def head(self, at: int, y: int, left: int, name: int, room: int, rows: int = 1, width: int = 0) -> None:
        """Draw the number and name of a game; the chosen one has a sign and a raised background."""
        raised, region = at == self.chosen, Region(left, y, width or self.canvas.width - 2 * left, rows)
        if raised:
            self.canvas.fill(region, f"text{RAISED}")
        self.put(max(left, name - 4), y, ((self.glyphs.pointer if raised else " ", "legal"),), 1, raised=raised)
        self.put(name - 2, y, ((str(at + 1), "legal"),), 1, raised=raised)
        self.put(name, y, ((self.facts.games[at].title, "legal" if raised else "text"),), room, raised=raised)
        self.spots.append((region, f"choose({at})"))

    def play(self, region: Region) -> None:
        """Draw the games in a frame, each in several lines."""
        self.frame(region, (("Play", "text"),))
        each = max(1, min(7, (region.height - 4) // len(self.facts.games)))
        for at, game in enumerate(self.facts.games):
            y, raised = region.y + 2 + at * each, at == self.chosen
            step, good_for = ((game.next_step, "free"),), ((game.good_for, "free"),)
            lines: list[StyledText] = [((game.preset.ljust(15), "free"), *ladder_of(game)), step, good_for]
            if self.facts.first:
                lesson = ((f"{game.next_step}: t", "text"),)
                lines = [((game.preset, "free"),), lesson if raised and game.lesson else good_for]
            lines = lines[: max(0, each - 1 - (each > 3))]
            self.head(at, y, region.x + 1, region.x + 7, region.width - 19, len(lines) + 1, region.width - 2)
            self.right(region.right - 3, y, ((game.record, "text"),), raised=raised)
            for below, words in enumerate(lines, y + 1):
                self.put(region.x + 7, below, words, region.width - 9, raised=raised)
        self.say(region.x + 2, region.bottom - 2, region.width - 4)

    def say(self, x: int, y: int, room: int) -> None:
        """Write the sentence said last, or else the news of a match elsewhere."""
        away: StyledText = (("o ", "legal"), (self.facts.away, "text")) if self.facts.away and not self.said else ()
        self.put(x, y, away or ((self.said, "text"),), room, ELSEWHERE if away else "")

    # -- the chosen game

    @property
    def row(self) -> GameFacts:
        """The chosen game."""
        return self.facts.games[self.chosen]

    def keys(self, long: bool) -> list[Line]:
        """The lines of keys for the chosen game."""
        number, count = self.row.at
        friend, away = ("friend at this screen", "friend elsewhere") if long else ("friend here", "elsewhere")
        preset = f"preset, {number} of {count}" if number else f"preset, your own, {count} others"
        return [
            (key("f", friend, "friend"), key("o", away, ELSEWHERE)),
            (key("t", self.row.course, "lesson"),) if self.row.lesson else (),
            (key("l", "level", "level"), key("← →", preset, "preset(1)")),
        ]

    def panel(self, region: Region, title: StyledText, beside: int = 0, low: bool = False) -> None:
        """Draw the chosen game: its position, and its goal and keys below or in `beside` columns beside it."""
        game, room = self.row, beside or region.width - 4 - 2 * (not low)
        done = f"level {game.level} of {len(game.beaten)}" if game.level and not low else ""
        self.frame(region, title, "" if self.facts.first else joined([game.record, done], region.width))
        goal: list[Line] = [((((text, "text"),), ""),) for text in wrap(game.lately or game.goal, room)]
        label = f" {self.glyphs.enter} {game.starts} "
        if len(label) > room:
            label = f" {self.glyphs.enter} {game.starts.removeprefix('Play ')} "
        starts = ((label, "tag"),), "open"
        about = game.about and f"{game.about.partition('. ')[0].rstrip('.')}."
        purpose: list[Line] = [((((text, "free"),), ""),) for text in wrap(about, room)]
        rows = region.height - 2
        if low:
            ways = [("f", "friend", "friend"), ("o", "elsewhere", ELSEWHERE)]
            ways += [("t", "lesson", "lesson")] if game.lesson else []
            lists = ("i", "history", "app.open('history')"), ("s", "settings", "app.open('settings')")
            more = key("l", "level", "level"), key("← →", "preset", "preset(1)")
            lines = [*goal, (starts, *more), tuple(key(*one) for one in (*ways, *lists))]
        else:
            long = not beside
            keys = self.keys(long)
            fair: list[Line] = [(), fairness(game, room)] if long and game.first_wins is not None else []
            lines = [*goal, (), (starts,), *purpose, (), *keys, *fair]
            if beside and len(lines) > rows and about.startswith("To play"):
                lines = [*goal, (), (starts,), (), *keys]
            while beside and len(lines) > rows and () in lines:
                del lines[len(lines) - 1 - lines[::-1].index(())]  # the last blank line
        width = region.width - 4 - (beside and beside + 1)
        top = region.y + 1 if beside else max(region.y + 1, region.bottom - 1 - len(lines))
        self.position(Region(region.x + 2, region.y + 1, width, rows if beside else top - region.y - 1))
        x = region.right - 2 - room if beside else region.x + 2 + (not low)
        gap = rows - len(lines) if beside else 0  # the last lines, the keys, stand at the foot
        for at, line in enumerate(lines):
            self.tell(x, top + at + (gap if at >= len(lines) - 3 else 0), room, line)

    def position(self, region: Region) -> None:
        """Draw the position of the chosen game."""
        if region.width > 0 and region.height > 0:
            small = self.thumbnail(self.row.id, self.row.position, region.width, region.height)
            for y in range(small.height):
                self.canvas.put_text(region.x, region.y + y, tuple(small.row(y)))

    # -- the three layouts

    def usual(self, width: int, height: int) -> None:
        """Draw two cards, the games in lines, and the chosen game."""
        left, count = 33 + max(0, width - 80) // 2, len(self.facts.games)
        self.match_card(Region(0, 0, left, 4))
        self.today_card(Region(left, 0, width - left, 4))
        self.lines_of_games(5, (5, 24, 39, 50))
        self.say(3, 5 + count, width - 6)
        beside = min(40, 33 + max(0, width - 80) // 4)
        self.panel(Region(0, 6 + count, width, height - 6 - count), ((self.row.title, "legal"),), beside)

    def low(self, width: int, height: int) -> None:
        """Draw the cards as lines, the games in lines, and the chosen game."""
        today, count = self.facts.today, len(self.facts.games)
        (letter, (name, style)), action, (words,) = self.match(width - 16, 1)
        self.put(1, 1, (letter, (name.ljust(12), style), *words), width - 2, action)
        self.put(1, 2, (("d", "legal"), ("  Today     ", "text"), *titled(today)), width - 18, "app.daily")
        if today:
            signs = tuple(piece for _, (sign, style) in week(today) for piece in ((f" {sign}", style),))
            self.right(width - 3, 2, (("three a day", "free"),) if self.facts.first else signs)
        self.lines_of_games(4, (4, 23, 38, 49 if width >= USUAL else 0))
        self.say(1, 4 + count, width - 2)
        self.panel(Region(0, 5 + count, width, height - 5 - count), ((self.row.title, "legal"),), low=True)

    def wide(self, width: int, height: int) -> None:
        """Draw cards and games at the left, and the chosen game large at the right."""
        left, gap = min(64, max(44, width * 3 // 10)), height >= 34
        first, second = (5, 7) if gap else (4, 4)
        top = first + second + 2 * gap
        self.match_card(Region(0, 0, left, first))
        self.today_card(Region(0, first + gap, left, second))
        self.play(Region(0, top, left, height - top))
        title = (self.row.title, "legal"), (f" · {self.row.preset}", "text")
        self.panel(Region(left + 1, 0, width - left - 1, height), title)


def paint(
    facts: HomeFacts, chosen: int, said: str, width: int, height: int, glyphs: Glyphs, thumbnail: Thumbnail
) -> Picture:
    """Draw home at this size, with a game chosen and a sentence to say."""
    canvas = Canvas(width, height)
    sheet = _Sheet(facts, chosen, said, glyphs, thumbnail, canvas)
    wide = width >= WIDE and height >= TALL
    (sheet.low if is_low(width, height) else sheet.wide if wide else sheet.usual)(width, height)
    return Picture(canvas, tuple(sheet.spots))


def is_low(width: int, height: int) -> bool:
    """True for a size that has room only for lines, and below them for the keys of the chosen game."""
    return width < USUAL or height < LOW


def key(name: str, label: str, action: str) -> tuple[StyledText, str]:
    """A key with its label and its action."""
    return ((name, "legal"), (f" {label}", "free")), action


def titled(today: TodayFacts | None) -> StyledText:
    """The game and the grade of the puzzle of the day."""
    return ((NO_DAILY, "free"),) if today is None else ((f"{today.title} ", "legal"), ("★" * today.grade, "win"))


def week(today: TodayFacts) -> list[StyledText]:
    """The days of this week, each with a sign for its puzzles."""
    signs = ("■" if one else "·" if one is None and at != today.weekday else "□" for at, one in enumerate(today.week))
    styles = ["legal" if at == today.weekday else "free" for at in range(7)]
    return [
        ((day, style), (sign, "win" if sign == "■" else style))
        for day, sign, style in zip("MTWTFSS", signs, styles, strict=True)
    ]


def ladder_of(game: GameFacts) -> StyledText:
    """A sign for each level, filled if it was beaten."""
    gap = " " if len(game.beaten) <= 5 else ""
    return tuple((f"{'■' if one else '□'}{gap}", "win" if one else "free") for one in game.beaten)


def fairness(game: GameFacts, room: int) -> Line:
    """The share of games that the first player wins with best play, as a bar and in words."""
    share = game.first_wins or 0
    words = joined([{0: "second always", 100: "first always"}.get(share, f"first {share}%"), game.changes], room - 33)
    bar = ("▄" * round(share / 5), "seat-0"), ("·" * (20 - round(share / 5)), "free")
    return (((("Best play  ", "free"), *bar, (f" {words}", "free")), ""),)


def cut(text: str, room: int) -> str:
    """The text, shortened to the room."""
    if cell_len(text) <= room:
        return text
    return f"{set_cell_size(text, room - 1).rstrip()}…" if room > 1 else ""


def joined(parts: Sequence[str], room: int) -> str:
    """As many of the parts as fit, with dots between them."""
    text = ""
    for part in filter(None, parts):
        longer = f"{text} · {part}" if text else part
        if cell_len(longer) <= room:
            text = longer
    return text
