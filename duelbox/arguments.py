"""The parser of the command line, from which help, completions and the man page are made."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from duelbox import themes
from duelbox.commands.play import DEFAULTS
from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable

if TYPE_CHECKING:
    _Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"

REFUSED = 2

_SEAT = "a name, or bot:LEVEL; levels are 1 to 5: dash, peek, counter, planner, oracle; sparring; or run:COMMAND"
"""Read by `table/players.py`."""
_THEME = f"colours of the full screen: {', '.join(themes.NAMES)}"
_PROXY = "address or network of a trusted proxy, whose X-Forwarded-For is believed; may be repeated"
_LAYERS = ("first", "length", "depth", "choice", "changes", "one_rule")

GROUPS = {
    "play": ("play", "history", "review"),
    "learn": ("learn", "puzzle", "progress", "worksheet"),
    "explore": ("games", "show", "solve", "prove", "lab", "exam"),
    "with others": ("host", "join", "relay", "serve"),
    "keep, and find your way": ("export", "import", "doctor", "help", "completion"),
}
"""The commands as `duelbox --help` lists them. A word that is not listed goes on working: `rules`, `watch`."""

_EXAMPLES = """examples:
  duelbox                                     the full screen
  duelbox play sequence-duel --plain          lines of text: for screen readers, pipes, dumb terminals
  duelbox play circle-duel --preset leap --p1 Ann --p2 bot:3 --rounds 3 --plain
  duelbox play sequence-duel:size=30/10.13.7  go on from a position
  duelbox show circle-duel/4.5.6              a position as text
  duelbox show - --json < codes.txt           many positions, a line of JSON each
  duelbox solve circle-duel/4.5.6             its exact verdict, with a reason
  duelbox prove sequence-duel:size=9          prove who wins: it asks, you answer
  duelbox review circle-duel:reach=2/4.5.7    where a game turned; also a saved game or a record
  duelbox lab circle-duel:reach=2,trails=own  who wins by which house rules, as a map
  duelbox help number-duel                    the rules of a game
  duelbox history --game circle-duel          saved games; duelbox export ID > game.json
"""


def parser_of_all() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="duelbox",
        description="Five small number duels for two. Without a command, the full screen opens.",
        epilog=_EXAMPLES,
        formatter_class=_InGroups,
        allow_abbrev=False,
    )
    about = "show the version, in a checkout its commit, too"
    parser.add_argument("--version", action=_Version, nargs=0, dest=argparse.SUPPRESS, help=about)
    parser.add_argument("--theme", type=_theme, metavar="NAME", help=_THEME)
    parser.set_defaults(**DEFAULTS)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    for add in (
        _add_play, _add_elsewhere, _add_positions, _add_prove, _add_games, _add_exam, _add_learning, _add_saved,
        _add_relay, _add_serve,
    ):  # fmt: skip
        add(commands)
    _add_help(commands, parser)
    return parser


def _add(commands: _Commands, name: str, about: str, module: str = "", function: str = "run") -> _Parser:
    """Add a command, which runs a function of a module of `duelbox.commands`."""
    parser = commands.add_parser(name, help=about, allow_abbrev=False)
    parser.set_defaults(command=(module or name, function))
    return parser


def _add_old(commands: _Commands, name: str, module: str, function: str) -> _Parser:
    """Add a command that has another name today: it works, and no list names it."""
    parser = commands.add_parser(name, allow_abbrev=False)
    parser.set_defaults(command=(module, function))
    return parser


def _add_play(commands: _Commands) -> None:
    play = _add(commands, "play", "play a game, or go on from a position")
    play.add_argument("game", nargs="?", metavar="GAME|CODE", help="a game's name, or a position code")
    play.add_argument("--plain", action="store_true", help="lines of text instead of the full screen")
    play.add_argument("--p1", metavar="NAME", help=f"the first player: {_SEAT}")
    play.add_argument("--p2", metavar="NAME", help="the second player, likewise")
    play.add_argument("--memory", type=_whole, metavar="MB", help="the most memory of a program, in megabytes")
    play.add_argument("--rounds", type=_whole, metavar="N", help="a match of N rounds")
    play.add_argument("--seed", type=_whole, metavar="N", help="the number that decides every random draw")
    play.add_argument("--preset", metavar="NAME", help="house rules by name (see: duelbox games)")
    play.add_argument("--first", choices=("1", "2", "coin"), help="who moves first in round 1")
    about = "go on with an unfinished game: the latest, or the one of this id (see: duelbox history)"
    play.add_argument("--continue", dest="go_on", nargs="?", const="", type=_text, metavar="ID", help=about)
    # without a default, so that `duelbox --theme NAME play` keeps its theme
    play.add_argument("--theme", type=_theme, metavar="NAME", default=argparse.SUPPRESS, help=_THEME)


def _add_elsewhere(commands: _Commands) -> None:
    host = _add(commands, "host", "open a table for a friend elsewhere", "elsewhere", "host")
    host.add_argument("game", metavar="GAME|CODE", help="a game's name, or a position code")
    host.add_argument("--preset", metavar="NAME", help="house rules by name (see: duelbox games)")
    host.add_argument("--rounds", type=_whole, metavar="N", default=1, help="a match of N rounds (1)")
    host.add_argument("--lesson", action="store_true", help="propose that hints and verdicts are allowed")
    host.add_argument("--run", metavar="COMMAND", help="a program that plays for you; your friend is told")
    host.add_argument("--watch", action="store_true", help="let others watch, who get a key of their own")
    host.add_argument("--paste", action="store_true", help="a longer code, to be pasted instead of read out")
    join = _add(commands, "join", "sit down at a friend's table, or go on with a match", "elsewhere", "join")
    about = "the code your friend reads out; without it, go on with the last match"
    join.add_argument("code", nargs="?", metavar="CODE[@HOST[:PORT]]", help=about)
    about = "forget the waiting match N for good; without N, list those that wait"
    join.add_argument("--forget", type=_whole, metavar="N", nargs="?", const=0, help=about)
    about = "only watch two who play elsewhere: the code is the key that one of them gives you"
    join.add_argument("--watch", action="store_true", help=about)
    watch = _add_old(commands, "watch", "elsewhere", "watch")
    watch.add_argument("code", metavar="KEY[@HOST[:PORT]]", help="what a player gives you, and where they meet")
    for command in (host, join):
        command.add_argument("--name", metavar="NAME", help="your name")
    for command in (host, join, watch):
        command.add_argument("--relay", metavar="URL", help="the relay to meet at, such as wss://relay.example.org")
        command.add_argument("--nearby", action="store_true", help="find each other on the same network")
        command.add_argument("--plain", action="store_true", help="lines of text instead of the full screen")


def _add_positions(commands: _Commands) -> None:
    show = _add(commands, "show", "print positions")
    solve = _add(commands, "solve", "who wins with best play, and why")
    for command in (show, solve):
        about = "position codes; - reads one a line from the input"
        command.add_argument("codes", nargs="+", metavar="CODE", help=about)
        _add_json(command)
    _add_seconds(solve, "a position")
    review = _add(commands, "review", "where a game turned, move by move")
    about = "a saved game, a code, or a file with either (- reads the input)"
    review.add_argument("what", metavar="ID|FILE|CODE", help=about)
    _add_json(review)
    about = "only the moves of the player named first or second"
    review.add_argument("--as", dest="seat", choices=("1", "2"), help=about)
    _add_seconds(review, "the game")


def _add_prove(commands: _Commands) -> None:
    prove = _add(commands, "prove", "prove that a side wins, whatever comes; or check a proof")
    about = "a proof, a file of proofs (-: the input), a code, or N of the ladder"
    prove.add_argument("words", nargs="*", metavar="LINE|FILE|CODE|N", help=about)
    prove.add_argument("--plain", action="store_true", help="lines of text instead of the full screen")


def _add_games(commands: _Commands) -> None:
    games = _add(commands, "games", "list the games, their house rules and presets")
    _add_json(games)
    games.add_argument("--facts", action="store_true", help="add what is known of every preset: who wins, how soon")
    games.add_argument("--verify", action="store_true", help="compute all facts again; status 1 if one differs")
    about = "write a package with a game to begin with into a new folder"
    games.add_argument("--new", nargs=2, metavar=("ID", "FOLDER"), help=about)
    lab = _add(commands, "lab", "who wins by which house rules: a map of two of them, or the best")
    lab.add_argument("game", metavar="GAME[:RULES]", help="a game's name, with the house rules that stay")
    lab.add_argument("--x", metavar="KEY[=A-B]", help="the house rule across, such as size=9-24")
    lab.add_argument("--y", metavar="KEY[=A-B]", help="the house rule down, such as gaps=0-6")
    about = "who wins, turns, questions to prove it, choices, changes of the win, one rule"
    lab.add_argument("--layer", action="append", choices=_LAYERS, help=f"{about}; may be repeated")
    lab.add_argument("--deals", type=_whole, metavar="N", default=20, help="N deals of a setting (20)")
    about = "N seconds for a fact of a setting (3); 0: all the time it needs"
    lab.add_argument("--seconds", type=_whole, metavar="N", default=3, help=about)
    task = lab.add_mutually_exclusive_group()
    task.add_argument("--find", action="store_true", help="the best house rules of all, on all cores")
    task.add_argument("--laws", action="store_true", help="who wins along a row: the patterns that fit it")
    form = lab.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="a line of JSON a setting")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    rules = _add_old(commands, "rules", "help", "rules")
    rules.add_argument("game", metavar="GAME", help="a game's name (see: duelbox games), or a code")
    _add_json(rules)


def _add_exam(commands: _Commands) -> None:
    exam = _add(commands, "exam", "how much a player gives away in positions nobody has seen")
    about = "run:COMMAND (see: duelbox help programs), bot:1 to bot:5, or me"
    exam.add_argument("players", nargs="*", metavar="PLAYER", help=about)
    exam.add_argument("--league", action="store_true", help="the players play each other instead")
    exam.add_argument("--games", type=_whole, metavar="N", help="with --league: so many games of each pair (10)")
    about = "with --league: a code, or unseen for house rules drawn by the seed (unseen)"
    exam.add_argument("--rules", metavar="CODE", help=about)
    exam.add_argument("--write", metavar="PAPER", help="write a paper into a new file, a question a line; - prints it")
    exam.add_argument("--mark", metavar="ANSWERS", help="mark a file of answers, a line each; - reads the input")
    exam.add_argument("--paper", metavar="PAPER", help="with --mark: the paper that was answered")
    exam.add_argument(
        "--key", metavar="KEY", help="with --write: the regret of each move; with --mark: compare with it"
    )
    exam.add_argument("--legal", action="store_true", help="with --write: the legal moves of each question, too")
    exam.add_argument("--seed", type=_whole, metavar="N", help="the number that decides the positions (1)")
    exam.add_argument(
        "--positions", type=_whole, metavar="N", help="so many positions, of all games in turn (400; for a person 20)"
    )
    exam.add_argument("--plain", action="store_true", help="lines of text instead of the full screen")
    exam.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="the table as JSON, instead of text; with FILE beside it"
    )


def _add_learning(commands: _Commands) -> None:
    learn = _add(commands, "learn", "take the lessons of a game")
    learn.add_argument("game", nargs="?", metavar="GAME", help="a game's name; without one, the lessons are listed")
    learn.add_argument(
        "lesson", nargs="?", metavar="LESSON", help="its number or name, or test; else from where you left it"
    )
    learn.add_argument("--preset", metavar="NAME", help="the preset whose course you take; else that for a new player")
    learn.add_argument("--list", action="store_true", help="list the lessons")
    _add_json(learn)
    learn.add_argument("--plain", action="store_true", help="lines of text instead of the full screen")
    puzzle = _add(commands, "puzzle", "solve a puzzle, or the puzzles of the day")
    about = "only of this game; or the name of a homework, such as room-7-10"
    puzzle.add_argument("game", nargs="?", metavar="GAME", help=about)
    puzzle.add_argument("--name", metavar="NAME", help="of the pupil whose homework it is")
    puzzle.add_argument("--grade", type=_whole, metavar="N", help="only of this grade, 1 to 5")
    puzzle.add_argument("--idea", metavar="NAME", help='only of this idea, such as "mirror"')
    puzzle.add_argument("--seed", type=_whole, metavar="N", help="the number that decides which one")
    puzzle.add_argument("--daily", nargs="?", const="", metavar="DATE", help="the puzzles of the day, or of that day")
    puzzle.add_argument("--missed", action="store_true", help="what you missed in games and comes back today")
    puzzle.add_argument("--make", type=_whole, metavar="N", help="make N of them, a line of JSON each")
    puzzle.add_argument("--pack", metavar="FILE", help="the puzzles of a file that --make wrote; - reads the input")
    puzzle.add_argument("--answer", action="store_true", help="with --json: the answer, too")
    puzzle.add_argument("--plain", action="store_true", help="lines of text instead of the full screen")
    _add_json(puzzle)
    progress = _add(commands, "progress", "how far you know each idea, the weakest first")
    form = progress.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="JSON instead of text")
    form.add_argument("--csv", action="store_true", help="with --of: a table for a spreadsheet")
    about = "a table of many pupils instead: exports of their progress, or the lines they handed in; - reads the input"
    progress.add_argument("--of", nargs="+", metavar="FILE", help=about)
    _add_worksheet(commands)


def _add_worksheet(commands: _Commands) -> None:
    sheet = _add(commands, "worksheet", "print puzzles on paper, for a class", "puzzle", "worksheet")
    sheet.add_argument("game", metavar="GAME", help="a game's name; for a map, with the house rules that stay")
    sheet.add_argument("--puzzles", type=_whole, metavar="N", default=3, help="N puzzles to do on each sheet (3)")
    sheet.add_argument("--grade", type=_whole, metavar="N", help="of this grade, 1 to 5")
    sheet.add_argument("--idea", metavar="NAME", help='only of this idea, such as "mirror"; else a sheet of each')
    sheet.add_argument("--seed", type=_whole, metavar="N", default=1, help="the number that decides which ones")
    sheet.add_argument("--answers", action="store_true", help="add a page for the teacher, with the answers")
    sheet.add_argument("--boards", action="store_true", help="empty boards for two instead of puzzles")
    sheet.add_argument("--table", action="store_true", help="an empty map of house rules instead, to find who wins")
    sheet.add_argument("--x", metavar="KEY[=A-B]", help="with --table: the house rule across, such as size=5-12")
    sheet.add_argument("--y", metavar="KEY[=A-B]", help="with --table: the house rule down, such as gaps=0-3")
    sheet.add_argument("--large", action="store_true", help="large print")
    sheet.add_argument("--md", action="store_true", help="Markdown instead of HTML")


def _add_saved(commands: _Commands) -> None:
    history = _add(commands, "history", "list the saved games", "saved", "history")
    history.add_argument("--game", type=_text, metavar="GAME", help="only this game")
    about = "only with this player, or this level of the computer"
    history.add_argument("--opponent", type=_text, metavar="NAME", help=about)
    history.add_argument("--result", choices=("won", "lost", "drawn", "unfinished"), help="only those that ended so")
    history.add_argument("--limit", type=_whole, metavar="N", default=50, help="at most N games (50)")
    _add_json(history)
    export = _add(commands, "export", "print a saved game, or your progress, as JSON", "saved", "export")
    about = "as `duelbox history` has it; its beginning will do; or: progress, or all (a line each)"
    export.add_argument("id", type=_text, metavar="ID", help=about)
    export.add_argument("--code", action="store_true", help="position codes instead, one for each round")
    add = _add(commands, "import", "add records, a position code or exported progress", "saved", "import_")
    add.add_argument(
        "file",
        metavar="FILE",
        help="a file with a record, a code, or what `export all` printed (-: the input)",
    )
    doctor = _add(commands, "doctor", "check the saved games, the settings and the terminal")
    _add_json(doctor)
    doctor.add_argument("--report", action="store_true", help="print what a bug report needs, without names and paths")
    doctor.add_argument("--laws", metavar="ID", help="check a game by the laws instead; status 1 if it breaks one")


def _add_relay(commands: _Commands) -> None:
    relay = _add(commands, "relay", "run a place where players on other machines meet")
    relay.add_argument("--listen", metavar="HOST:PORT", default="0.0.0.0:8765", help="where to listen (0.0.0.0:8765)")
    relay.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"), help="speak TLS with these files; SIGHUP renews them")
    about = "where to keep the rooms (relay.server.db, beside the saved games)"
    relay.add_argument("--file", metavar="FILE", help=about)
    relay.add_argument("--nats", metavar="URL", help="keep the rooms in NATS JetStream instead, for several relays")
    relay.add_argument("--proxy", action="append", metavar="ADDRESS", default=[], help=_PROXY)
    relay.add_argument("--addresses", action="store_true", help="log the addresses of those who connect")


def _add_serve(commands: _Commands) -> None:
    serve = _add(commands, "serve", "let others play in their browsers, or over ssh")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: this machine only)")
    serve.add_argument("--port", type=_whole, metavar="N", default=8000, help="the port (8000); 0 for any that is free")
    serve.add_argument("--name", action="append", default=[], help="a name the page is known by, besides its address")
    serve.add_argument("--ssh", type=_whole, metavar="PORT", help="over ssh, on this port, instead of in browsers")
    serve.add_argument("--keys", metavar="FILE", help="with --ssh: who may come in, as in authorized_keys")
    about = "for browsers: the password is the first line of this file"
    serve.add_argument("--password", metavar="FILE", help=about)
    serve.add_argument("--proxy", action="append", metavar="ADDRESS", default=[], help=_PROXY)
    about = "the relay by which visitors play with friends elsewhere; without it they cannot"
    serve.add_argument("--relay", metavar="URL", help=about)
    serve.add_argument("--visitors", type=_whole, metavar="N", default=20, help="at most N visitors at a time (20)")
    serve.add_argument("--per-address", type=_whole, metavar="N", help="at most N from one address (half of all)")
    about = "end a visit after this many minutes without input (30); 0 for never"
    serve.add_argument("--idle", type=_whole, metavar="MINUTES", default=30, help=about)
    serve.add_argument("--memory", type=_whole, metavar="MB", default=512, help="memory for each visitor (512)")
    about = "end a visit after this many minutes of processor time (10); 0 for never"
    serve.add_argument("--processor", type=_whole, metavar="MINUTES", default=10, help=about)
    serve.add_argument(
        "--disk", type=_whole, metavar="MB", default=1000, help="save nothing more once all games fill this (1000)"
    )


def _add_help(commands: _Commands, parser: _Parser) -> None:
    about = _add(commands, "help", "read about a topic, a command, or the rules of a game")
    what = "a topic, a command, a game or a code; without one, what there is"
    about.add_argument("topic", nargs="?", metavar="TOPIC", help=what)
    about.add_argument("--json", action="store_true", help="the rules of a game, or of a code, as JSON")
    about.add_argument("--man", action="store_true", help="everything as a man page: duelbox help --man | man -l -")
    about.set_defaults(parser=parser)
    completion = _add(commands, "completion", "teach a shell to complete duelbox")
    shells = ("bash", "zsh", "fish")
    completion.add_argument("shell", choices=shells, metavar="SHELL", help="bash, zsh or fish: prints a script")
    completion.add_argument("line", nargs="?", metavar="LINE", help="the line typed so far, which the script passes")
    completion.set_defaults(parser=parser)


def _add_seconds(parser: argparse.ArgumentParser, what: str) -> None:
    about = f"give {what} up after N seconds (60); 0 for never"
    parser.add_argument("--seconds", type=_whole, metavar="N", default=60, help=about)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="JSON instead of text")


def _whole(text: str) -> int:
    # int() alone accepts signs, underscores, digits of other scripts, and numbers of any length
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text[:24]!a} is not a whole number from 0 up")
    return int(text)


def _text(text: str) -> str:
    # lone surrogates (bytes that were not UTF-8) cannot be stored in SQLite
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise argparse.ArgumentTypeError(f"{text[:24]!a} is no text")
    return text


def _theme(text: str) -> str:
    if text not in themes.NAMES:
        raise argparse.ArgumentTypeError(f"there is no theme {text[:24]!a}; there are {', '.join(themes.NAMES)}")
    return text


_SAYS = (
    (r"the following arguments are required: (.*)", "{0} is missing"),
    (r"unrecognized arguments: (.*)", "this command does not know {0}"),
    (r"argument (.*?): invalid choice: (.*) \(choose from (.*)\)", "{0} cannot be {1}. It can be {2}"),
    (r"argument (.*?): expected one argument", "something has to follow {0}"),
    (r"argument (.*?): expected (.*?) arguments?", "{1} words have to follow {0}"),
    (r"argument (.*?): ignored explicit argument (.*)", "{0} takes nothing, not {1}"),
    (r"argument (.*?): ('.*)", "{0}: {1}"),
)
"""Messages of argparse, and ours in their place."""


class _Version(argparse.Action):
    """Prints the version, which is worked out only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from duelbox.commands.shared import version_in_full

        sys.stdout.write(f"duelbox {version_in_full()}\n")
        parser.exit()


class _InGroups(argparse.RawDescriptionHelpFormatter):
    """Help that lists the commands in their groups."""

    def _format_action(self, action: argparse.Action) -> str:
        if not isinstance(action, argparse._SubParsersAction):
            return super()._format_action(action)
        commands = {command.dest: command for command in action._choices_actions}
        text = ""
        for group, names in GROUPS.items():
            text += f"  {group}\n"
            self._indent()
            for name in names:
                text += super()._format_action(commands[name])
            self._dedent()
        return text


class _Parser(argparse.ArgumentParser):
    """Reports an error in one printable sentence, and takes any number of arguments after options, too."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        found, rest = super().parse_known_args(args, namespace)
        for action in self._actions:
            if action.nargs == "*" and not action.option_strings:
                getattr(found, action.dest).extend(word for word in rest if not word.startswith("-"))
                rest = [word for word in rest if word.startswith("-")]
        return found, rest

    def _check_value(self, action: argparse.Action, value: str) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            names = ", ".join(name for names in GROUPS.values() for name in names)
            what = f"To play it: duelbox play {value[:60]}" if _is_game(value) else f"There are {names}"
            raise argparse.ArgumentError(None, f"there is no command {value[:24]!a}. {what}")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        for pattern, says in _SAYS:
            if found := re.fullmatch(pattern, message, re.DOTALL):
                message = says.format(*found.groups())
        self.exit(REFUSED, f"{printable(f'{message[:1].upper()}{message[1:]}. See: {self.prog} --help')}\n")


def _is_game(text: str) -> bool:
    """The text names a game or a position."""
    from duelbox.registry import find_game

    try:
        find_game(text.partition("/")[0].partition(":")[0].lower())
    except DuelboxError:
        return False
    return True
