"""House rule of the words: a sentence on the screen has at most 14 words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from duelbox.core.game import AnyGame
from duelbox.core.model import Voice
from duelbox.core.options import Options
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.table.story import ending, turn_line

ROOT = Path(__file__).parents[2] / "duelbox"
MOST_WORDS = 14

NOT_SHOWN = frozenset(
    {
        "commands/completion.py",
        "games/sequence_duel/solve/snort.py",
        "rules_lab/cache.py",
        "relay/sqlite.py",
        "store/index.py",
        "store/statistics.py",
        "ui/svg.py",
    }
)
"""Files whose long texts nobody reads on a screen: SQL, tables, SVG, scripts of shells."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; a colon ends one, too, as what follows it can be read for itself."""
    for part in re.split(r"(?<=[.!?:])\s+|\n+", text):
        if part.strip():
            yield part.strip()


def words(sentence: str) -> int:
    return sum(1 for word in sentence.split() if re.search(r"\w", word))


def too_long(text: str) -> list[str]:
    return [sentence for sentence in sentences(text) if words(sentence) > MOST_WORDS]


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every text in a module that is not a docstring, with its line; a value that is put in counts as a word."""
    parts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            parts.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts.update(map(id, node.values))
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            parts.update(map(id, ast.walk(node.format_spec)))
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            pieces = [str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values]
            yield node.lineno, "".join(pieces)


def is_read(path: Path) -> bool:
    """True for a file whose sentences are held to the rule."""
    name = path.relative_to(ROOT).as_posix()
    return name not in NOT_SHOWN


def test_sentences_in_the_code_have_at_most_14_words() -> None:
    found: list[str] = []
    for path in sorted(filter(is_read, ROOT.rglob("*.py"))):
        for line, text in texts(ast.parse(path.read_text("utf-8"))):
            found += [f"{path.relative_to(ROOT)}:{line}: {sentence}" for sentence in too_long(text)]
    assert not found, "\n".join(found)


PAGES = sorted([*ROOT.glob("games/*/rules.md"), ROOT / "help/keys.md"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_sentences_on_a_page_have_at_most_14_words(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    blocks = re.split(r"\n\s*\n|\n(?=[-*|#>] )|\n(?=\d+\. )|\n(?=    )|\|", text)
    found = [sentence for block in blocks for sentence in too_long(" ".join(block.split()))]
    assert not found, "\n".join(found)


# ---------------------------------------------------------------- sentences made while a game is played

VOICES = (Voice(("Alice", "Bob")), Voice(("You", "Counter"), 0), Voice(("Planner", "You"), 1))


def game_at_random(game: AnyGame, options: Options, seed: int) -> Session:
    """A game of these rules, its draw and its moves by the seed, of at most 80 turns."""
    if options.draws:
        options = options.changed(seed=seed)
    session = Session(game, options)
    draw = Random(seed)
    while (moves := session.legal_moves()) and len(session.plies) < 80:
        session.play(draw.choice(moves))
    return session


@pytest.mark.parametrize("game_id", game_ids())
def test_sentences_about_a_turn_have_at_most_14_words(game_id: str) -> None:
    found: set[str] = set()
    game = find_game(game_id)
    for preset in game.PRESETS:
        for seed in range(1, 5):
            session = game_at_random(game, preset.options, seed)
            for voice in VOICES:
                told = [turn_line(session, at, voice)[1] for at in range(len(session.plies))]
                if session.outcome is not None:
                    told.append(ending(session, voice))
                found.update(sentence for text in told for sentence in too_long(text))
    assert not found, "\n".join(sorted(found))
