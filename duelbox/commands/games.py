"""`duelbox games`: lists the games with their house rules and presets, checks their facts, or writes a new game."""

from __future__ import annotations

import json
import re
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from shutil import rmtree
from typing import Any

from duelbox.core.code import format_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame, Preset
from duelbox.friends.missing_library import editable_install
from duelbox.registry import game_ids, games, guests, package_of, why_unplayable
from duelbox.store.settings import Config
from duelbox.table.presets import own_presets, preset_faults

_LONGEST = 30
"""The most characters of the id of a new game."""


def run(args: Namespace) -> int:
    """List all games; with `verify`, returns 1 if a fact is wrong."""
    if args.new:
        return _new(*args.new)
    if args.verify:
        return _verify()
    settings = Config.load().settings
    with_facts = args.facts or args.json
    listings = []
    for game in games():
        cards = _cards(game) if with_facts else {}
        listings.append((game, (*game.PRESETS, *own_presets(settings, game)), cards))
    if args.json:
        text = json.dumps([_listing(*one) for one in listings], indent=1)
    else:
        pages = [_page(*one) for one in listings]
        text = "\n\n".join([*pages, *filter(None, map(why_unplayable, guests()))])
    sys.stdout.write(f"{text}\n")
    sys.stderr.write("".join(f"{fault}\n" for fault in preset_faults(settings)))
    return 0


def _new(game_id: str, name: str) -> int:
    """Write a copy of the example game Two Heaps, under another id, into a new folder."""
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", game_id) or len(game_id) > _LONGEST:
        takes = f"small letters, digits and hyphens between them, at most {_LONGEST}, such as my-duel"
        raise DuelboxError(f"{game_id[:40]!a} cannot be the id of a game: it takes {takes}.")
    if game_id in (*game_ids(), *guests()):
        raise DuelboxError(f"The id {game_id} is taken: duelbox has a game of that name.")
    package, title = f"duelbox_{game_id.replace('-', '_')}", game_id.replace("-", " ").title()
    words = {"duelbox_two_heaps": package, "two-heaps": game_id, "Two Heaps": title}
    folder, made, above = Path(name), False, ("README.md", "pyproject.toml", "test_laws.py")
    try:
        folder.mkdir(parents=True)
        made = True
        (folder / package).mkdir()
        for file in files("duelbox.testing").joinpath("guest").iterdir():
            text = re.sub("|".join(words), lambda found: words[found[0]], file.read_text("utf-8"))
            own = file.name.removesuffix(".txt")
            (folder / own if own in above else folder / package / own).write_text(text, "utf-8")
    except OSError as error:
        if made:
            rmtree(folder, ignore_errors=True)
        why = "it is there already" if isinstance(error, FileExistsError) else error.strerror
        raise DuelboxError(f"{name[:200]} cannot be made: {why}. Name a folder that is not there yet.") from None
    sys.stdout.write(
        f"{title} is in {folder}, with the rules of Two Heaps to begin with: change {package}/rules.py first.\n"
        f"To install it: {editable_install(shlex.quote(name))}\n"
        f"To play it: duelbox play {game_id}\n"
        "What each file is for: duelbox help own-games\n"
    )
    return 0


def _verify() -> int:
    # only this function needs the solvers
    from duelbox.rules_lab.preset_facts import facts_on_file, mismatches
    from duelbox.solve import NoSolver, solver_of

    status = 0
    for game in games():
        try:
            solver_of(game.INFO.id)
        except NoSolver as missing:
            # without facts there is nothing to compare
            status = 1 if facts_on_file(game) else status
            sys.stdout.write(f"{game.INFO.id}: not verified. {missing.sentence}\n")
            continue
        faults = mismatches(game)
        status = 1 if faults else status
        sys.stdout.write("\n".join(faults or [f"{game.INFO.id}: all facts hold."]) + "\n")
        sys.stdout.flush()
    return status


def _cards(game: AnyGame) -> dict[str, Any]:
    """The facts about each preset by its id; none if a guest's file cannot be read."""
    from duelbox.rules_lab.preset_facts import facts_on_file  # with all solvers

    try:
        return facts_on_file(game)
    except (DuelboxError, ValueError):
        return {}


def _listing(game: AnyGame, presets: Sequence[Preset[Any]], cards: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": game.INFO.id,
        "title": game.INFO.title,
        "goal": game.INFO.goal,
        "package": package_of(game.INFO.id),
        "options": [
            {
                "name": option.name,
                "about": option.label,
                "type": option.kind,
                "takes": option.takes,
                "min": option.numbers[0] if option.numbers else None,
                "max": option.numbers[-1] if option.numbers else None,
                "values": list(option.choices),
                "default": option.default,
            }
            for option in game.Options.infos()
        ],
        "presets": [
            {
                "id": preset.id,
                "name": preset.name,
                "about": preset.about,
                "kind": preset.kind,
                "card": preset.card,
                "first": preset.first,
                "seat": preset.seat,
                "code": format_code(game, preset.options, ()),
                **({"facts": cards[preset.id].model_dump(exclude_none=True)} if preset.id in cards else {}),
            }
            for preset in presets
        ],
    }


def _page(game: AnyGame, presets: Sequence[Preset[Any]], cards: dict[str, Any]) -> str:
    lines = [f"{game.INFO.id}: {game.INFO.title}", f"  {game.INFO.goal}", f"  Good for {game.INFO.good_for}."]
    if game.INFO.id in guests():
        lines.append(f"  A guest: duelbox runs the package {package_of(game.INFO.id)}.")
    lines.append("  House rules:")
    for option in game.Options.infos():
        default = f" (classic: {option.default})" if option.default else ""
        lines.append(f"    {option.name} = {option.takes}{default}. {option.label}.")
    lines.append("  Presets:")
    for preset in presets:
        lines += [f"    {preset.id}: {preset.about}", f"      {preset.card}{' Open this one first.' * preset.first}"]
        lines.append(f"      {format_code(game, preset.options, ())}")
        if preset.id in cards:
            from duelbox.rules_lab.sentences import summary

            lines.append(f"      {summary(game, cards[preset.id])}")
    return "\n".join(lines)
