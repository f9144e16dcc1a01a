"""The two cards of home: the match to go on with or the last one, and the puzzles of the day."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive

from duelbox.ui.home_facts import HomeFacts, MatchFacts, TodayFacts
from duelbox.ui.screens.home_parts import GOOD, KEY, QUIET, TEXT, Part, joined, spread

SEVERAL_GAMES = "Three games"
"""The title of a day with puzzles of several games."""
LONG_TITLE = "Three positions of three games"
WEEK = 13
"""The columns of the signs at the end of a title, at most."""


class Card(Part):
    """A card: a key with its name, and lines about what the key opens; in a single row all of it is one line."""

    facts: reactive[HomeFacts | None] = reactive(None, repaint=False, init=False)
    lesson: reactive[str] = reactive("", repaint=False, init=False)
    """The lesson of the chosen game."""

    def head(self, facts: HomeFacts) -> tuple[str, str]:
        """The key and its name."""
        raise NotImplementedError

    def told(self, facts: HomeFacts, width: int, height: int) -> list[Content]:
        """The content of the card; a single line where `height` is 1."""
        raise NotImplementedError

    def watch_facts(self, facts: HomeFacts) -> None:
        """Write the key and its name in the upper edge, and draw what has changed."""
        key, name = self.head(facts)
        title = Content.assemble((key, KEY), (f"  {name}", TEXT))
        if self.border_title != title.markup:
            self.border_title = title
        self.redraw()

    def watch_lesson(self) -> None:
        """Draw what has changed."""
        self.redraw()

    def lines(self, width: int, height: int) -> list[Content]:
        """The content; in a single row after the key and its name, which are in the frame otherwise."""
        if self.facts is None:
            return []
        if height > 1:
            return self.told(self.facts, width, height)
        key, name = self.head(self.facts)
        head = Content.assemble((key, KEY), (f"  {name:<11} ", TEXT))
        (line,) = self.told(self.facts, width - head.cell_length, 1)
        return [Content.assemble(head, line).truncate(width, ellipsis=True)]


class MatchCard(Card):
    """The card of the unfinished match, of the last match, or of the first lesson."""

    def head(self, facts: HomeFacts) -> tuple[str, str]:
        """The key and its name."""
        if facts.match is None:
            self.action = "lesson"
            return "t", "Learn"
        if facts.match.over:
            self.action = "last"
            return "e", "Last game"
        self.action = "resume"
        return "c", "Continue"

    def told(self, facts: HomeFacts, width: int, height: int) -> list[Content]:
        """The match: its game, its state, the opponent and the turn."""
        match = facts.match
        if match is None:
            return self._first_lesson(height)
        if height == 1:
            told = joined([f"{match.title}, {match.opponent}", match.state], width)
            return [Content.styled(told, QUIET)]
        title = Content.styled(match.title, KEY)
        state = self._state(match)
        rest = [match.opponent, match.turn, match.when]
        if match.turned:
            rest = [f"It turned at turn {match.turned}", match.when]
        if height > 2:
            preset = f" · {match.preset}" if match.preset else ""
            named = Content.assemble(title, (preset, QUIET))
            return [named, state, Content.styled(joined(rest, width), QUIET)]
        together = Content.assemble(title, (" · ", QUIET), state)
        if match.turned and match.preset and together.cell_length > width:
            together = Content.assemble((match.preset, KEY), (" · ", QUIET), state)
        if together.cell_length <= width:
            return [together, Content.styled(joined(rest, width), QUIET)]
        more = joined(["", *rest[:2]], width - state.cell_length - 3)
        if more:
            state = Content.assemble(state, (f" · {more}", QUIET))
        return [title.truncate(width, ellipsis=True), state.truncate(width, ellipsis=True)]

    def _first_lesson(self, height: int) -> list[Content]:
        """The lesson to begin with."""
        lesson = self.lesson or "no lesson yet"
        if height == 1:
            return [Content.styled(lesson, QUIET)]
        length = "two minutes, a few positions" if self.lesson else ""
        return [Content.styled(lesson.capitalize(), TEXT), Content.styled(length, QUIET)]

    def _state(self, match: MatchFacts) -> Content:
        """The state of the match, with the sign of the player to move or of the winner."""
        if match.seat is None:
            return Content.styled(match.state, TEXT)
        sign = self.app.glyphs.seat(match.seat)
        return Content.assemble((f"{sign} ", f"$seat-{match.seat} bold"), (match.state, TEXT))


class TodayCard(Card):
    """The card of the puzzles of the day."""

    action = "app.daily"

    def head(self, facts: HomeFacts) -> tuple[str, str]:
        """The key and its name."""
        done = facts.today is not None and facts.today.over
        return "d", "Today: done" if done else "Today"

    def told(self, facts: HomeFacts, width: int, height: int) -> list[Content]:
        """The puzzles, and a sign for each day of the week."""
        today = facts.today
        if today is None:
            return [Content.styled("no puzzle for today", QUIET)]
        title = Content.styled(_title(today, width - WEEK), KEY)
        if height == 1 and today.over:
            return [Content.styled(facts.coming or "one more game?", QUIET)]
        if height == 1:
            signs = Content(" ").join(Content.styled(sign, style) for _, sign, style in week(today))
            return [spread(title, signs, width)]
        signs = Content.styled(today.done or "□ □ □", QUIET)
        days = self._week(today, width)
        lines = [spread(title, signs, width), days]
        if today.over:
            told = joined([facts.coming, "one more game?"], width)
            lines = [self._results(today, width, height), Content.styled(f"{told[0].upper()}{told[1:]}", QUIET)]
        elif today.best == 0:
            lines[1] = Content.styled(_first_puzzle(today), QUIET)
        if height < 5:
            return lines
        if lines[1] is days:
            lines[1] = Content.styled(_first_puzzle(today), QUIET)
        return [*lines, *[Content("")] * (height - 3), days]

    def _results(self, today: TodayFacts, width: int, height: int) -> Content:
        """The ideas of the day with their results; only the results if there is no room."""
        signs = today.done.split()
        best = Content.styled(_best(today), QUIET)
        pieces = [f"{idea} {sign}" for idea, sign in zip(today.ideas, signs, strict=False)]
        told = "  ".join(pieces).capitalize()
        if not all(today.ideas) or len(told) > width:
            return spread(Content.styled(_title(today, width - WEEK), KEY), Content.styled(today.done, QUIET), width)
        if height > 2 or len(told) + 2 + best.cell_length > width:
            best = Content("")
        return spread(Content.styled(told, TEXT), best, width)

    def _week(self, today: TodayFacts, width: int) -> Content:
        """A sign for each day of the week, and the longest run of days."""
        days = [Content.assemble((day, style), (sign, style)) for day, sign, style in week(today)]
        return spread(Content("  ").join(days), Content.styled(_best(today), QUIET), width)


def _title(today: TodayFacts, room: int) -> str:
    """The number of puzzles and of games; the game alone, if it is one, or if there is no room."""
    if today.title == SEVERAL_GAMES and len(LONG_TITLE) <= room:
        return LONG_TITLE
    return today.title


def _first_puzzle(today: TodayFacts) -> str:
    """The length of the first puzzle."""
    return "The first takes one move" if today.moves == 1 else f"The first takes {today.moves} moves"


def _best(today: TodayFacts) -> str:
    """The longest run of days, if it is one."""
    return f"best {today.best} days" if today.best > 1 else ""


def week(today: TodayFacts) -> list[tuple[str, str, str]]:
    """For each day of the week its letter, a sign for its puzzles, and the style of both."""
    days = []
    for at, (letter, solved) in enumerate(zip("MTWTFSS", today.week, strict=True)):
        is_today = at == today.weekday
        style = KEY if is_today else QUIET
        if solved:
            days.append((letter, "■", GOOD))
        elif solved is None and not is_today:
            days.append((letter, "·", style))
        else:
            days.append((letter, "□", style))
    return days
