"""An analysis in words, for every mode: a sentence, and hints in three steps."""

from __future__ import annotations

from fractions import Fraction

from duelbox.core.model import Voice, listed, other, player
from duelbox.solve.api import Analysis, Mark, Rated

TOO_LONG = "This position takes too long to work out."


def percent(share: Fraction) -> str:
    """A chance as a whole per cent; never 0% or 100% unless it is exactly that."""
    rounded = round(share * 100)
    if rounded in (0, 100) and share * 100 != rounded:
        rounded = 1 if rounded == 0 else 99
    return f"{rounded}%"


def turns(count: int) -> str:
    """So many moves of both players together."""
    return f"{count} turn{'' if count == 1 else 's'}"


def times(count: int) -> str:
    """How often."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def worth(rated: Analysis | Rated) -> str:
    """In words: "wins in 3 turns", "loses", "a draw", "wins 61/160 (38%), draws 3/160 (2%)"."""
    if rated.verdict == "draw":
        return "a draw"
    if rated.verdict == "chance":
        drawn = f", draws {_share(rated.draw)}" if rated.draw else ""
        return f"{f'wins {_share(rated.win)}' if rated.win else 'never wins'}{drawn}"
    word = "wins" if rated.verdict == "win" else "loses"
    return word if rated.plies is None else f"{word} in {turns(rated.plies)}"


def _share(share: Fraction) -> str:
    return f"{share} ({percent(share)})"


def verdict_sentence(analysis: Analysis) -> str:
    """Who wins with best play, and how soon."""
    mover = player(analysis.turn)
    if analysis.verdict == "chance":
        wins = f"wins {percent(analysis.win)}" if analysis.win else "never wins"
        if not analysis.draw:
            return f"With best play {mover} {wins} of games."
        half = f"{percent(analysis.value)} with a draw as half a win"
        return f"With best play {mover} {wins} and draws {percent(analysis.draw)} of games: {half}."
    if analysis.verdict == "draw":
        return "With best play this is a draw."
    soon = "" if analysis.plies is None else f" in {turns(analysis.plies)}"
    return f"With best play {mover} {'wins' if analysis.verdict == 'win' else 'loses'}{soon}."


def standing(analysis: Analysis, voice: Voice) -> str:
    """Who wins with best play, how soon, and with how many of the moves, for the player to move."""
    mover, moves = analysis.turn, analysis.moves
    if analysis.verdict == "chance":
        drawn = f", and {percent(analysis.draw)} are draws" if analysis.draw else ""
        return f"With best play {voice.does(mover, 'wins', 'win')} {percent(analysis.win)} of games{drawn}."
    right, soon = sum(one.value == moves[0].value for one in moves), ""
    if analysis.plies is not None:
        soon = f", in {turns(analysis.plies)} at most"
    which, many = f"{right} of {len(moves)} moves", right > 1
    if right == len(moves):
        which, many = "every move" if right > 1 else "the only move", False
    if analysis.verdict == "loss":
        return f"{which.capitalize()} loses against best play{soon}."
    can, does = ("can win", "win") if analysis.verdict == "win" else ("can hold a draw", "hold")
    return voice.sentence(f"{voice.whom(mover)} {can}{soon}: {which} {does}{'' if many else 's'}")


def best_moves(analysis: Analysis) -> tuple[Rated, ...]:
    """The moves worth as much as the best one, as far as is known: an end that nobody counted may be as near as any."""
    moves = analysis.moves
    if not moves:
        return ()
    top = moves[0]
    alike = tuple(rated for rated in moves if (rated.win, rated.draw) == (top.win, top.draw))
    at_once = top.verdict == "win" and top.plies == 1
    if not at_once and any(rated.plies is None for rated in alike):
        return alike
    return tuple(rated for rated in alike if rated.plies == top.plies)


HINTS = 3


def hint(analysis: Analysis, step: int) -> str:
    """The hint of this step (1: where to look, 2: which idea, 3: the move)."""
    told = _where(analysis) if step == 1 else _idea(analysis) if step == 2 else f"Play {analysis.moves[0].move}."
    return f"Hint {min(step, HINTS)} of {HINTS}. {told}"


def _idea(analysis: Analysis) -> str:
    """What to look for, unless every move has it."""
    idea = analysis.idea or analysis.reason
    if len(analysis.moves) == 1 or any(rated.verdict != "win" for rated in analysis.moves) or "Look for a" not in idea:
        return idea
    return f"Every move wins here{', so look for the quickest' if analysis.mark('region') else ''}."


def _where(analysis: Analysis) -> str:
    """The moves to compare, one of which is best; in a lost position something to try."""
    best, total, compared = analysis.moves[0], len(analysis.moves), analysis.mark("region")
    if total == 1:
        return f"You have only one move: {best.move}."
    if analysis.verdict == "loss":
        return f"Every move loses against best play. {_try(analysis)}"
    if compared is None:  # they are worth the same, or no more is known than that they win
        counted = all(rated.plies is not None for rated in analysis.moves)
        does = "win" if analysis.verdict == "win" and not counted else "are worth the same here"
        return f"{'Both' if total == 2 else f'All {total}'} moves {does}."
    return f"Compare {listed(compared.moves)}. Only one of them {_deed(analysis, compared)}."


def _try(analysis: Analysis) -> str:
    """What lasts longest, or else what the opponent has to find."""
    best, answers, rival = analysis.moves[0], analysis.mark("pairs", "mirror"), player(other(analysis.turn))
    if analysis.mark("region") is not None and all(rated.plies is not None for rated in analysis.moves):
        return f"Try {best.move}: nothing lasts longer."
    answer = next((answer for pick, answer in answers.pairs if pick == best.move), None) if answers else None
    return f"Try {best.move}{f': {rival} may miss {answer}' if answer else f', and hope that {rival} goes wrong'}."


def _deed(analysis: Analysis, compared: Mark) -> str:
    """What the best move does, and those compared with it do not."""
    if analysis.verdict != "win":
        return "keeps the draw" if analysis.verdict == "draw" else "gives the best chance"
    others = [rated for rated in analysis.moves if rated.move in compared.moves and rated != analysis.moves[0]]
    return "wins soonest" if any(rated.verdict == "win" for rated in others) else "wins"
