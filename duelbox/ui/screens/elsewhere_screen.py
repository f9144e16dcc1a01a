"""Play with a friend elsewhere: the form to begin or go on, and the screen that waits for the friend."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.content import Content
from textual.widgets import Static

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.core.names import chosen_name
from duelbox.friends.join_code import completions, read_join_code
from duelbox.friends.live_match import LiveMatch, WatchedMatch
from duelbox.friends.lobby import WaitingTable, guest_name, join
from duelbox.friends.missing_library import check_friends_available
from duelbox.friends.unfinished import Away, away, forget, go_on
from duelbox.store.store import Store
from duelbox.table.remote import RemoteTable
from duelbox.table.watched import table_of
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.form_screen import FormScreen
from duelbox.ui.widgets.form import TYPE_A_NAME, Form, Row

CODE = "Your friend tells it to you: 7843-lagoon-honey-berry, perhaps with an address behind it. Tab completes a word."
LONGEST = 80
ABOUT = {
    "join": "Your friend has opened a table, and reads you its code.",
    "host": "Choose the game in the form. Then you get a code to read to your friend.",
}


class ElsewhereScreen(FormScreen):
    """A form: go on with a match, sit down at a friend's table or open one; Enter does it."""

    HEADING = "A friend elsewhere"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go on", id="elsewhere.go"),
        *FormScreen.ROWS,
        Binding("delete", "forget", "Forget", id="elsewhere.forget", tooltip="Give up this match for good"),
        Binding("escape,q", "back", "Back", id="elsewhere.back"),
    ]

    def on_mount(self) -> None:
        """Fill in the unfinished matches, and the two ways to begin one."""
        self._lacking = ""
        """A sentence about missing libraries, or an empty string."""
        try:
            check_friends_available()
        except DuelboxError as error:
            self._lacking = error.sentence
        self._fill()

    def _fill(self) -> None:
        self._asked: Away | None = None
        """The match to forget if Delete is pressed once more."""
        self._away = away(self.app.store)
        waiting = tuple((str(at), f"go on: {one.title} {one.sentence}") for at, one in enumerate(self._away))
        ways = (*waiting, ("join", "sit down at a friend's table"), ("host", "open a table for a friend"))
        what = Row("what", "What to do", ways[0][0], ways)
        code = Row("code", "  code", "", typed=True, longest=LONGEST, completions=completions, about=CODE)
        name = Row("name", "  called", guest_name(self.app.settings.names), typed=True, about=TYPE_A_NAME)
        self._rows = {"code": code, "name": name}
        self._show_rows(what)
        self.form.at = 0 if waiting else 1  # most people come to type a code

    def _show_rows(self, what: Row) -> None:
        self.form.rows = (what, *self._rows.values()) if what.value == "join" else (what,)
        self.explain()

    @on(Form.Changed)
    def _changed(self, message: Form.Changed) -> None:
        if message.row.key == "what":
            self._show_rows(message.row)
        else:
            self._rows[message.row.key] = message.row
            self.explain()

    def explain(self) -> None:
        """Show the note on the chosen row, or say what is lacking."""
        self._asked = None
        self.refresh_bindings()
        if self._lacking:
            self.say(self._lacking, refused=True)
        else:
            super().explain()

    def note_on(self, row: Row) -> str:
        """The meaning of a row, or the word of the code that Tab completes."""
        if row.key == "what":
            return ABOUT.get(row.value, "The match goes on where it was.")
        words = completions(row.value) if row.key == "code" and row.value else ()
        return f"Tab: {words[0].rpartition('-')[2]}" if 0 < len(words) < 6 else row.about

    @property
    def _chosen(self) -> Away | None:
        """The unfinished match on the row, if one is chosen."""
        what = self.form.rows[0].value if self.query(Form) and self.form.rows else ""
        return self._away[int(what)] if what.isdigit() else None

    def action_forget(self) -> None:
        """Forget the chosen match; the first press only asks."""
        match = self._chosen
        assert match is not None
        if match != self._asked:
            self._asked = match
            return self.say("Forget this match for good? Press Del again: then you cannot go on with it.")
        try:
            forget(self.app.store, match.path)
        except DuelboxError as error:
            return self.say(error.sentence, refused=True)
        return self._fill()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer forgetting only on an unfinished match."""
        return self._chosen is not None if action == "forget" else super().check_action(action, parameters)

    def action_go(self) -> None:
        """Do what the form says, or explain the fault in the code or the name."""
        what = self.form.rows[0].value
        try:
            check_friends_available()
            if what == "host":
                self.app.pop_screen()
                self.app.navigation.open_new_game(row="where")
            elif what == "join":
                code, name = self._rows["code"].value, self._rows["name"].value
                if name not in self.app.settings.names:
                    name = chosen_name(name)
                read_join_code(code.partition("@")[0])
                self.app.navigation.with_name(name, lambda name: self._join(code, name))
            else:
                path = self._away[int(what)].path
                self.app.navigation.meet(self.app.settings.names[0], lambda store: go_on(store, path))
        except DuelboxError as error:
            self.app.bell()
            self.say(error.sentence, refused=True)

    def _join(self, code: str, name: str) -> None:
        """Meet the friend who reads out this code; the form stays below, with the code, in case this fails."""
        self.app.navigation.meet(name, lambda store: join(store, code, self.app.settings.relay))


class MeetScreen(BaseScreen):
    """Waits until both sit at the table; shows the code to tell, or the game that the friend proposes."""

    HEADING = "A friend elsewhere"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "sit_down(False)", "Sit down", id="meet.sit"),
        Binding("l", "sit_down(True)", "As a lesson", id="meet.lesson", tooltip="Sit down, with hints for both"),
        Binding("c", "copy(False)", "Copy code", id="meet.copy"),
        Binding("w", "copy(True)", "Copy key", id="meet.watch", tooltip="Copy the key for watchers"),
        Binding("escape,q", "back", "Leave", id="meet.back"),
    ]
    DEFAULT_CSS = """
    MeetScreen {
        & #meet { height: 1fr; align: center middle; }
        & #told, & #how { padding: 0 2; text-align: center; }
        & #code { display: none; width: auto; border: heavy $foreground; padding: 1 3; margin: 1; text-style: bold; }
        & #code.-shown { display: block; }
    }
    """

    def __init__(self, name: str, opens: Callable[[Store], Awaitable[WaitingTable | LiveMatch | WatchedMatch]]) -> None:
        """`opens` opens a table and waits there for the friend, or connects to the friend's table."""
        super().__init__()
        self._called, self._opens = name, opens
        self._waiting: WaitingTable | None = None
        self._friend: RemoteTable | None = None

    def body(self) -> ComposeResult:
        """A sentence, the code in a frame, and further steps."""
        with Vertical(id="meet"):
            yield Static("Connecting …", id="told", markup=False)
            yield Center(Static(id="code", markup=False))
            yield Static(id="how", markup=False)

    def on_mount(self) -> None:
        """Begin to look for the friend."""
        self.run_worker(self._meet(), exit_on_error=True)

    async def on_unmount(self) -> None:
        """Stop waiting; a match that has begun has moved to its table by now."""
        if self._friend is not None:
            await self._friend.leave()
        elif self._waiting is not None:
            await self._waiting.close()

    async def _meet(self) -> None:
        try:
            opened = await self._opens(self.app.store)
            if isinstance(opened, WaitingTable):
                self._waiting = opened
                self._show_code(opened)
                opened.tell = self.app.warn
                opened = await opened.friend()
            self._friend = table_of(opened, self.app.store)
            await self._until_ready(self._friend)
        except DuelboxError as error:
            self.app.warn(error.sentence)
            self._uncover()
            self.action_back()

    def _uncover(self) -> None:
        """Close the screens above this one, such as help: the friend has come, or never will."""
        while self in self.app.screen_stack and self.app.screen is not self:
            self.app.pop_screen()

    async def _until_ready(self, friend: RemoteTable) -> None:
        while not friend.ready:
            self._show_friend(friend)
            one = await friend.news.get()
            if isinstance(one, news.Declined | news.Halted):
                raise DuelboxError(friend.sentence_of(one))
        if self not in self.app.screen_stack:  # it was left while the friend sat down
            return
        self._friend = self._waiting = None  # the table owns the connection now
        self._uncover()
        self.app.pop_screen()
        self.app.navigation.open_friend(friend)

    _code = _watch = ""

    def _show_code(self, waiting: WaitingTable) -> None:
        here = waiting.way.listen  # this machine is the relay; any other may be in the friend's settings already
        self._code, self._watch = f"{waiting.code}@{waiting.address}", waiting.watch
        other = "" if here else f"\nIf this relay is not in their settings, they add @{waiting.address}"
        watch = f"\n\nOthers watch with:\nduelbox join --watch {waiting.watch}" if waiting.watch else ""
        how = f"They press o on home and type it. In a shell: duelbox join, then the code.{other}{watch}"
        code = self._code if here else str(waiting.code)
        self._show("Read this code to your friend:", f"{how}\n\nWaiting for your friend …", code)

    def _show_friend(self, friend: RemoteTable) -> None:
        self._code = self._watch = ""
        if friend.invitation is not None:
            lesson = "   l: sit down for a lesson" if friend.invitation.lesson else ""
            self._show(friend.invited, f"Enter: sit down{lesson}   Escape: decline")
        else:
            self._show("Your friend is here, and looks at what you propose." if friend.here else friend.presence)

    def _show(self, sentence: str, how: str = "", code: str = "") -> None:
        self.query_one("#told", Static).update(Content(sentence))
        self.query_one("#code", Static).set_class(bool(code), "-shown").update(code)
        self.query_one("#how", Static).update(how)
        self.refresh_bindings()

    # -- keys

    def action_sit_down(self, lesson: bool) -> None:
        """Accept the invitation."""
        if self._friend is not None:
            self._friend.accept(self._called, lesson=lesson)

    def action_copy(self, watch: bool) -> None:
        """Copy the code, or the key for watchers."""
        copied = self._watch if watch else self._code
        self.app.copy_to_clipboard(copied)
        self.app.notify(f"Copied {copied}", markup=False)

    def action_back(self) -> None:
        """Leave, and decline an invitation."""
        if self._friend is not None and self._friend.invitation is not None:
            self._friend.decline()
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer sitting down only when invited, and copying only while there is a code or a key."""
        invitation = self._friend.invitation if self._friend else None
        if action == "sit_down":
            return invitation is not None and (not parameters[0] or invitation.lesson)
        if action == "copy":
            return bool(self._watch if parameters[0] else self._code)
        return True

    def label(self, action: str) -> str | None:
        """Name Escape "Decline" while there is an invitation."""
        invited = self._friend is not None and self._friend.invitation is not None
        return "Decline" if action == "back" and invited else None
