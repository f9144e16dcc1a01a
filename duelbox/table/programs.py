"""The programs that play at a table: their names, their commands, and what they wrote to their error output.

A command comes from the command line or from the settings, and is kept nowhere else: a record names a program only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Match, Player
from duelbox.core.model import SEATS, Seat, other
from duelbox.core.record import PROGRAM, RUN, PlayerInfo
from duelbox.core.session import Session
from duelbox.store.programs import keep_errors, known_programs, name_in, path_of_errors
from duelbox.store.settings import Config

if TYPE_CHECKING:
    from duelbox.bots.program import Program
    from duelbox.store.autosave import Saved
    from duelbox.table.base import BaseTable
    from duelbox.table.state import TableState

SHOWN = 64
"""The most characters of a program's words on the card."""
ROW = 70
"""The most characters of a program's words with its name and its clock; w shows the words whole."""
SAID_NOTHING = "nothing about this move."


def commands_of(players: Sequence[str | None], known: Mapping[str, str]) -> dict[Player, str]:
    """The commands of the players who are programs, as a command line names them."""
    commands: dict[Player, str] = {}
    for player, text in zip(SEATS, players, strict=True):
        if text is not None and text.startswith(RUN):
            commands[player] = command_of(text, known)
    return commands


def with_commands(players: Sequence[str]) -> list[str]:
    """The players of a command line, each `run:NAME` of a known program with its command in place of the name.

    Raises DuelboxError for a program that is not there.
    """
    named: list[str] = []
    for text in players:
        if text.startswith(RUN):
            command = startable(text, known_programs(Config.load().settings))
            named.append(f"{RUN}{command}")
        else:
            named.append(text)
    return named


def commands_in(players: Sequence[PlayerInfo]) -> dict[Player, str]:
    """The commands of the programs that a record names, by the settings; raises DuelboxError for one not named there.

    The name is a key, never a command: a record starts nothing that this player has not put into the settings.
    """
    commands: dict[Player, str] = {}
    for player in SEATS:
        who = players[player]
        if who.level != PROGRAM:
            continue
        known = known_programs(Config.load().settings)
        if who.name not in known:
            raise DuelboxError(f"{who.name} is a program: name it in [programs] of the settings to go on.")
        commands[player] = known[who.name]
    return commands


def command_of(text: str, known: Mapping[str, str]) -> str:
    """The command of `run:NAME` or `run:COMMAND`: a name of the settings, else the command itself."""
    asked = text.removeprefix(RUN).strip()
    if not asked:
        raise DuelboxError("run: needs a command, such as run:./greedy.")
    return known.get(asked, asked)


def startable(text: str, known: Mapping[str, str]) -> str:
    """The command of `run:NAME` or `run:COMMAND`; raises DuelboxError if no such program can be started."""
    from duelbox.bots.program import check_command

    command = command_of(text, known)
    check_command(command)
    return command


def program_player(text: str, known: Mapping[str, str]) -> PlayerInfo:
    """The player of `run:NAME` or `run:COMMAND`; a command lends its file's name."""
    asked = text.removeprefix(RUN).strip()
    if asked in known:
        return PlayerInfo(name=asked, level=PROGRAM)
    return PlayerInfo(name=name_in(command_of(text, known)), level=PROGRAM)


class Programs:
    """The programs of a match by their players; each starts when it is first asked for a move."""

    def __init__(self, commands: Mapping[Player, str] | None = None, memory: int | None = None) -> None:
        """`memory` are the megabytes each may use; None for no limit."""
        self._commands = dict(commands or {})
        self._memory = memory
        self._programs: dict[Player, Program] = {}
        self._errors: dict[Player, Path] = {}
        if self._commands:
            from duelbox.bots.program import Program

            for player, command in self._commands.items():
                self._programs[player] = Program(command, memory=memory)
                self._errors[player] = path_of_errors(command)

    def __bool__(self) -> bool:
        return bool(self._programs)

    def of(self, player: Player) -> Program | None:
        """The program of a player; None for people and levels."""
        return self._programs.get(player)

    def afresh(self) -> Programs:
        """The same programs for another table; none of them has been started."""
        return Programs(self._commands, self._memory)

    def by_seat(self, match: Match) -> Programs:
        """The same programs for a match whose first player is the one who begins now."""
        commands: dict[Player, str] = {}
        for seat in SEATS:
            command = self._commands.get(match.player_in(seat))
            if command is not None:
                commands[seat] = command
        return Programs(commands, self._memory)

    def tell_end(self, session: Session, match: Match) -> None:
        """Tell the programs how the game on the table has ended."""
        outcome = session.outcome
        if outcome is None or not self._programs:
            return
        from duelbox.bots.program import result_for

        for seat in SEATS:
            program = self.of(match.player_in(seat))
            if program is not None:
                program.over(result_for(seat, outcome.winner))

    def end(self) -> None:
        """End all programs, which takes up to a second and a half, and keep their errors."""
        for program in self._programs.values():
            program.end()
        self.keep_errors()

    def keep_errors(self) -> None:
        """Keep the end of each program's error output in a file of its name, if it wrote any."""
        for player, program in self._programs.items():
            keep_errors(program.errors, self._errors[player])

    def leave(self) -> None:
        """End all programs in a thread, for which Python waits before it ends."""
        if self._programs:
            Thread(target=self.end, name="programs").start()


NO_PROGRAMS = Programs()


def resumed_programs(players: Sequence[PlayerInfo], saved: Saved) -> Programs:
    """The programs of a match that goes on; raises DuelboxError if the settings lack one, and lets the match go."""
    try:
        return Programs(commands_in(players))
    except DuelboxError:
        saved.close()
        raise


def program_line(state: TableState) -> str:
    """The last thing that a program said of its move, and its clock; its words wait for the end if hands are hidden."""
    table, session = state.table, state.session
    seat = session.turn
    if seat is None:
        return ""
    thinking = program_in(table, seat)
    if thinking is not None and thinking.begun is not None:
        spent = monotonic() - thinking.begun
        if thinking.info or spent >= 1:
            return _told(state, seat, thinking, f"{spent:.0f}")
    moved = program_in(table, other(seat))
    if moved is not None and session.plies:
        return _told(state, other(seat), moved, f"{moved.used:.2f}")
    return ""


def program_in(table: BaseTable, seat: Seat) -> Program | None:
    """The program that plays in this seat at this screen."""
    if not table.programs or not table.is_program(seat):
        return None
    return table.programs.of(table.match.player_in(seat))


def _told(state: TableState, seat: Seat, program: Program, spent: str) -> str:
    """The words of a program and the seconds it has spent."""
    session = state.session
    clock = f"{spent} of {program.seconds:g} s"
    name = session.names[seat]
    if not program.info or session.game.INFO.hidden:
        return f"{name}: {clock}"
    room = ROW - len(f"{name}: “”   {clock}")
    return f"{name}: “{shortened(program.info, room)}”   {clock}"


def last_words(table: BaseTable) -> Iterator[str]:
    """Sentences about the program that has just lost: its fault elsewhere, its last words, its last error."""
    outcome = table.session.outcome
    if table.fault:
        yield table.fault
    if outcome is None or outcome.winner is None:
        return
    loser = other(outcome.winner)
    program = table.programs.of(table.match.player_in(loser))
    if program is None:
        return
    name = table.session.names[loser]
    if program.said:
        yield f"{name}: “{shortened(program.said)}”"
    error = program.last_error
    if error and (table.fault or table.session.by == "fault"):
        yield f"Its error output ends: {shortened(error)}"


def shortened(said: str, room: int = SHOWN) -> str:
    """The words of a program, cut to so many characters."""
    if len(said) <= room:
        return said
    return f"{said[: room - 1].rstrip()}…"
