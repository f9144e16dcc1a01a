"""`duelbox completion`: prints a script for a shell, and the completions that this script asks for.

All three scripts pass the line typed so far to `duelbox completion SHELL LINE`, which reads it with the parser of the
command line itself, so new options are completed at once. If nothing is printed, shells complete names of files.
"""

from __future__ import annotations

import re
import shlex
import sys
from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from duelbox import themes
from duelbox.commands.shared import commands_of, title_of, topics, what_commands_do

if TYPE_CHECKING:
    from duelbox.core.game import AnyGame

_BASH = r"""# Bash completion of duelbox. In ~/.bashrc:  eval "$(duelbox completion bash)"
_duelbox() {
    local line="${COMP_LINE:0:COMP_POINT}" word one
    word="${line##* }"
    COMPREPLY=()
    while IFS= read -r one; do
        # Bash takes what stands behind a colon or an equals sign for a new word.
        COMPREPLY+=("${one#"${word%"${word##*[:=]}"}"}")
    done < <("$1" completion bash "$line" 2>/dev/null)
    [[ "${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null  # its value comes next
}
complete -o default -o nosort -F _duelbox duelbox 2>/dev/null || complete -o default -F _duelbox duelbox
"""
_ZSH = r"""#compdef duelbox
# Zsh completion of duelbox. In ~/.zshrc, after compinit:  eval "$(duelbox completion zsh)"
_duelbox() {
    local -a found
    found=("${(@f)$("${words[1]}" completion zsh "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
    if [[ "$found[1]" == *=(:*|) ]]; then
        _describe -V duelbox found -S ''  # its value comes next
    elif [[ -n "$found[1]" ]]; then
        _describe -V duelbox found
    else
        _files
    fi
}
if [ "$funcstack[1]" = "_duelbox" ]; then
    _duelbox "$@"
else
    compdef _duelbox duelbox
fi
"""
_FISH = r"""# Fish completion of duelbox. In ~/.config/fish/config.fish:  duelbox completion fish | source
function __duelbox_complete
    set -l found (duelbox completion fish (commandline -cp | string collect) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c duelbox -e
complete -c duelbox -f -k -a '(__duelbox_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


_FEW = 12
"""The values of a house rule are offered if there are at most this many."""


class Candidate(NamedTuple):
    """A word that can complete the line, and its description."""

    word: str
    about: str = ""


class _Place(NamedTuple):
    """The end of the line: the arguments of a command before it, and the unfinished word."""

    root: ArgumentParser
    arguments: list[str]
    current: str
    """The unfinished word."""


def run(args: Namespace) -> int:
    """Print the script, or the completions of a line."""
    if args.line is None:
        sys.stdout.write(SCRIPTS[args.shell])
        return 0
    for one in candidates(args.parser, _words(args.line)):
        sys.stdout.write(f"{_WRITTEN[args.shell](one)}\n")
    return 0


def _words(line: str) -> list[str]:
    """The words after `duelbox`; the last one is unfinished."""
    try:
        words = shlex.split(line)
    except ValueError:  # a quotation mark is still open
        words = line.split()
    return [*words[1:], *([""] if line[-1:].isspace() else [])] or [""]


_WRITTEN: dict[str, Callable[[Candidate], str]] = {
    "bash": lambda one: re.sub(r"([^\w@%+=:,./-])", r"\\\1", one.word),
    "zsh": lambda one: one.word.replace(":", r"\:") + (one.about and f":{one.about}"),
    "fish": lambda one: f"{one.word}\t{one.about}",
}


def candidates(root: ArgumentParser, words: list[str]) -> list[Candidate]:
    """The completions of the last word, the most useful first."""
    *done, current = words
    parser, place = root, _Place(root, [], current)
    option: Action | None = None  # the option that takes the next word
    for word in done:
        if word in _options(parser) and (option is None or option.nargs == "?"):
            option = _options(parser)[word]
            option = None if option.nargs == 0 else option
        elif option is not None:
            option = None
        elif not word.startswith("-"):
            if isinstance(_argument(parser, place), _SubParsersAction):
                parser = commands_of(parser).get(word, parser)
            else:
                place.arguments.append(word)
    options, argument = _options(parser), _argument(parser, place)
    name, equals, _ = current.partition("=")
    if equals and name in options:
        found = [Candidate(f"{name}={one.word}", one.about) for one in _values(options[name], place)]
    elif option is not None and option.nargs != "?":  # the option requires a value
        found = [*_values(option, place)]
    elif current.startswith("-"):
        used = {word.partition("=")[0] for word in done}
        found = [
            Candidate(flag, one.help or "") for flag, one in options.items() if used.isdisjoint(one.option_strings)
        ]
    else:
        found = [one for action in (option, argument) if action for one in _values(action, place)]
    return [one for one in found if one.word.startswith(current)]


def _options(parser: ArgumentParser) -> dict[str, Action]:
    flags = ((name, one) for one in parser._actions for name in one.option_strings)
    return {name: one for name, one in flags if name.startswith("--")}


def _argument(parser: ArgumentParser, place: _Place) -> Action | None:
    arguments = [one for one in parser._actions if not one.option_strings]
    at = len(place.arguments)
    return arguments[at] if at < len(arguments) else arguments[-1] if arguments and arguments[-1].nargs else None


def _values(action: Action, place: _Place) -> Iterable[Candidate]:
    if isinstance(action, _SubParsersAction):
        return _commands(place)
    if action.choices is not None:
        return [Candidate(str(one)) for one in action.choices]
    return _VALUES[action.dest](place) if action.dest in _VALUES else ()


def _commands(place: _Place) -> Iterable[Candidate]:
    return [Candidate(*one) for one in what_commands_do(place.root).items()]


def _games(_: _Place) -> Iterable[Candidate]:
    from duelbox.registry import games

    return [Candidate(game.INFO.id, game.INFO.title) for game in games()]


def _codes(place: _Place) -> Iterable[Candidate]:
    """The games; after a colon the house rules of a game, after an equals sign the values of one."""
    from duelbox.registry import games

    before, colon, settings = place.current.partition(":")
    game = next((one for one in games() if one.INFO.id == before.lower()), None)
    if game is None or not colon or "/" in settings:
        return _games(place)
    *done, setting = settings.split(",")
    key, equals, _ = setting.partition("=")
    head = "".join(f"{one}," for one in done)
    taken = {one.partition("=")[0] for one in done}
    if not equals:
        rules = [one for one in game.Options.infos() if one.name not in taken]
        return [Candidate(f"{before}:{head}{one.name}=", one.label) for one in rules]
    values = [one.choices or one.numbers or () for one in game.Options.infos() if one.name == key]
    return [Candidate(f"{before}:{head}{key}={value}") for few in values if len(few) <= _FEW for value in few]


def _named(place: _Place) -> list[AnyGame]:
    """The games that were named, or all."""
    from duelbox.registry import games

    found = list(games())
    words = {re.split("[:/]", word)[0].lower() for word in place.arguments}
    return [one for one in found if one.INFO.id in words] or found


def _presets(place: _Place) -> Iterable[Candidate]:
    from duelbox.store.settings import Config
    from duelbox.table.presets import own_presets

    settings = Config.load().settings
    return [
        Candidate(one.id, one.about) for game in _named(place) for one in (*game.PRESETS, *own_presets(settings, game))
    ]


def _axes(place: _Place) -> Iterable[Candidate]:
    from duelbox.rules_lab.house_rules import house_rules

    return [Candidate(knob.key, knob.label) for game in _named(place)[:1] for knob in house_rules(game)]


def _seats(place: _Place) -> Iterable[Candidate]:
    from duelbox.bots import levels_of

    levels = [Candidate(f"bot:{one.id}", one.line) for one in levels_of(_named(place)[0].INFO.id)]
    return [*levels, *_runs(place)]


def _runs(_: _Place) -> Iterable[Candidate]:
    from duelbox.store.programs import known_programs
    from duelbox.store.settings import Config

    return [Candidate(f"run:{name}", command) for name, command in known_programs(Config.load().settings).items()]


def _sitters(place: _Place) -> Iterable[Candidate]:
    return [Candidate("me", "a person"), *_seats(place)]


def _starts(place: _Place) -> Iterable[Candidate]:
    return [Candidate("unseen", "house rules drawn by the seed"), *_codes(place)]


def _grades(_: _Place) -> Iterable[Candidate]:
    from duelbox.learn.puzzles import GRADES

    return [Candidate(str(grade)) for grade in GRADES]


def _ideas(place: _Place) -> Iterable[Candidate]:
    from duelbox.solve import can_solve, solver_of

    known = [one.INFO for one in _named(place) if can_solve(one.INFO.id)]
    return [Candidate(idea.name, info.title) for info in known for idea in solver_of(info.id).ideas]


def _lessons(place: _Place) -> Iterable[Candidate]:
    from duelbox.learn.lessons import lessons_of

    return [Candidate(one.name, one.title) for game in _named(place) for one in lessons_of(game.INFO.id)]


def _topics(place: _Place) -> Iterable[Candidate]:
    pages = [Candidate(name, title_of(page)) for name, page in topics().items()]
    return [*pages, *_commands(place), *_games(place)]


def _saved(result: Literal["unfinished"] | None = None, *, opponents: bool = False) -> Iterator[Candidate]:
    """The latest saved games, or the names of opponents; creates no folder."""
    from duelbox.store.files import find_folders
    from duelbox.store.store import Store

    if find_folders().history.exists():
        with Store.open() as store:
            if opponents:
                yield from map(Candidate, store.opponents())
            else:
                for one in store.history(result=result, limit=20):
                    yield Candidate(one.id, f"{one.game}, {one.players[0].name} - {one.players[1].name}")


_VALUES: dict[str, Callable[[_Place], Iterable[Candidate]]] = {
    **dict.fromkeys(("game", "codes", "words"), _codes),
    "laws": _games,
    "preset": _presets,
    **dict.fromkeys(("p1", "p2"), _seats),
    "players": _sitters,
    "rules": _starts,
    **dict.fromkeys(("x", "y"), _axes),
    "theme": lambda _: map(Candidate, themes.NAMES),
    "grade": _grades,
    "idea": _ideas,
    "lesson": _lessons,
    "topic": _topics,
    "opponent": lambda _: _saved(opponents=True),
    "id": lambda _: _saved(),
    "what": lambda place: _codes(place) if ":" in place.current else _saved(),
    "go_on": lambda _: _saved("unfinished"),
}
"""The completions of arguments by their `dest`; numbers and files have none."""
