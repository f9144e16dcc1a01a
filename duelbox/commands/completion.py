"""`duelbox completion`: a script that teaches a shell to complete, and the answers when that script asks.

All three scripts hand the line typed so far to `duelbox completion SHELL LINE`, which reads it with the parser of the
command line itself: what that learns is completed at once. Where nothing is printed, shells go on with names of files.
"""

from __future__ import annotations

import re
import shlex
import sys
from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from duelbox.commands.help import commands_of, title_of, topics, what_commands_do

if TYPE_CHECKING:
    from duelbox.core.game import AnyGame
    from duelbox.store.store import Store

__all__ = ["SCRIPTS", "Candidate", "candidates", "run"]

_BASH = r"""# Bash completion of duelbox. In ~/.bashrc:  eval "$(duelbox completion bash)"
_duelbox() {
    local line="${COMP_LINE:0:COMP_POINT}" word one
    word="${line##* }"
    COMPREPLY=()
    while IFS= read -r one; do
        # Bash takes what stands behind a colon or an equals sign for a new word.
        COMPREPLY+=("${one#"${word%"${word##*[:=]}"}"}")
    done < <("$1" completion bash "$line" 2>/dev/null)
}
complete -o default -o nosort -F _duelbox duelbox 2>/dev/null || complete -o default -F _duelbox duelbox
"""
_ZSH = r"""#compdef duelbox
# Zsh completion of duelbox. In ~/.zshrc, after compinit:  eval "$(duelbox completion zsh)"
_duelbox() {
    local -a found
    found=("${(@f)$("${words[1]}" completion zsh "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
    if [[ -n "$found[1]" ]]; then
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


class Candidate(NamedTuple):
    """What may stand at the end of the line, and what it is."""

    word: str
    about: str = ""


def run(args: Namespace) -> int:
    """Print the script, or what completes the line."""
    if args.line is None:
        sys.stdout.write(SCRIPTS[args.shell])
        return 0
    for one in candidates(args.parser, _words(args.line)):
        sys.stdout.write(f"{_WRITTEN[args.shell](one)}\n")
    return 0


def _words(line: str) -> list[str]:
    """The words behind `duelbox`, the last of them still being typed."""
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


def candidates(parser: ArgumentParser, words: list[str]) -> list[Candidate]:
    """What the last of these words may become, in a good order; it is there as far as it was typed."""
    *done, current = words
    place = _Place(parser)
    for word in done:
        place.read(word)
    option, equals, _ = current.partition("=")
    if equals and option in place.options():
        found = [Candidate(f"{option}={one.word}", one.about) for one in place.values(place.options()[option])]
    elif current.startswith("-") and not place.needs:
        found = [Candidate(name, one.help or "") for name, one in place.options().items() if not _is_given(one, done)]
    else:
        found = list(place.next())
    return [one for one in found if one.word.startswith(current)]


def _is_given(action: Action, done: Iterable[str]) -> bool:
    return any(word.partition("=")[0] in action.option_strings for word in done)


class _Place:
    """Where in the command line the next word stands."""

    def __init__(self, parser: ArgumentParser) -> None:
        self.root = self.parser = parser
        self.given: list[str] = []
        """The words so far that are arguments of the command."""
        self.option: Action | None = None
        """The option that the next word may belong to."""

    @property
    def needs(self) -> bool:
        """Whether the option before cannot do without the next word."""
        return self.option is not None and self.option.nargs != "?"

    def options(self) -> dict[str, Action]:
        """The long options of this command."""
        flags = ((name, one) for one in self.parser._actions for name in one.option_strings)
        return {name: one for name, one in flags if name.startswith("--")}

    def read(self, word: str) -> None:
        """Go past a word."""
        if not self.needs and word in self.options():
            action = self.options()[word]
            self.option = None if action.nargs == 0 else action
        elif self.option is not None:
            self.option = None
        elif not word.startswith("-"):
            if isinstance(self._argument(), _SubParsersAction):
                self.parser = commands_of(self.parser).get(word, self.parser)
            else:
                self.given.append(word)

    def _argument(self) -> Action | None:
        """The argument that comes next."""
        arguments = [one for one in self.parser._actions if not one.option_strings]
        at = len(self.given)
        return arguments[at] if at < len(arguments) else arguments[-1] if arguments and arguments[-1].nargs else None

    def next(self) -> Iterator[Candidate]:
        """What may come next."""
        argument = self._argument()
        if self.option is not None:
            yield from self.values(self.option)
        if isinstance(argument, _SubParsersAction) and not self.needs:
            yield from (Candidate(*one) for one in what_commands_do(self.parser).items())
        elif argument is not None and not self.needs:
            yield from self.values(argument)

    def values(self, action: Action) -> Iterator[Candidate]:
        """What an option or an argument may be."""
        if action.choices is not None:
            yield from map(Candidate, map(str, action.choices))
        elif action.dest in _VALUES:
            yield from _VALUES[action.dest](self)


def _games(_: _Place) -> Iterator[Candidate]:
    from duelbox.registry import games

    return (Candidate(game.INFO.id, game.INFO.title) for game in games())


def _named(place: _Place) -> list[AnyGame]:
    """The game that was named, or all."""
    from duelbox.registry import games

    found = list(games())
    words = {re.split("[:/]", word)[0].lower() for word in place.given}
    return [one for one in found if one.INFO.id in words] or found


def _presets(place: _Place) -> Iterator[Candidate]:
    return (Candidate(one.id, one.about) for game in _named(place) for one in game.PRESETS)


def _levels(place: _Place) -> Iterator[Candidate]:
    from duelbox.bots import levels

    return (Candidate(one.id, one.line) for one in levels(_named(place)[0].INFO.id))


def _seats(place: _Place) -> Iterator[Candidate]:
    return (Candidate(f"bot:{one.word}", one.about) for one in _levels(place))


def _grades(_: _Place) -> Iterator[Candidate]:
    from duelbox.learn.puzzles import GRADES

    return (Candidate(str(grade)) for grade in GRADES)


def _themes(_: _Place) -> Iterator[Candidate]:
    from duelbox.store.settings import Theme

    return map(Candidate, get_args(Theme))


def _topics(place: _Place) -> Iterator[Candidate]:
    for name, page in topics().items():
        yield Candidate(name, title_of(page))
    yield from (Candidate(*one) for one in what_commands_do(place.root).items())
    yield from _games(place)


@contextmanager
def _store() -> Iterator[Store | None]:
    """The saved games, where there are any: completing makes no folder."""
    from duelbox.store.files import find_folders
    from duelbox.store.store import Store

    if not find_folders().history.exists():
        yield None
        return
    with Store.open() as store:
        yield store


def _saved(_: _Place, result: Literal["unfinished"] | None = None) -> Iterator[Candidate]:
    """The latest saved games."""
    with _store() as store:
        for one in store.history(result=result, limit=20) if store else ():
            yield Candidate(one.id, f"{one.game}, {one.players[0].name} - {one.players[1].name}")


def _opponents(_: _Place) -> Iterator[Candidate]:
    with _store() as store:
        yield from map(Candidate, store.opponents() if store else ())


_VALUES: dict[str, Callable[[_Place], Iterator[Candidate]]] = {
    "game": _games,
    "codes": _games,
    "laws": _games,
    "preset": _presets,
    "p1": _seats,
    "p2": _seats,
    "theme": _themes,
    "grade": _grades,
    "topic": _topics,
    "opponent": _opponents,
    "id": _saved,
    "what": _saved,
    "go_on": partial(_saved, result="unfinished"),
}
"""What arguments may be, by where the parser keeps them; those that are numbers, or files, are not here."""
