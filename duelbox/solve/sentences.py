"""Analyses in words: verdicts, reasons, and hints that first ask and then tell."""

from __future__ import annotations

import re
from fractions import Fraction

from duelbox.core.model import Seat, Voice, listed, other, player
from duelbox.solve.api import Analysis, Rated, Trap

TOO_LONG = "This position takes too long to work out."


def percent(share: Fraction | float) -> str:
    """A chance in per cent; it says 0% or 100% only if that is exact."""
    rounded = round(share * 100)
    if rounded in (0, 100) and share * 100 != rounded:
        rounded = 1 if rounded == 0 else 99
    return f"{rounded}%"


def turns(count: int) -> str:
    """A number of turns, those of both players, in words."""
    return f"{count} turn{'' if count == 1 else 's'}"


def times(count: int) -> str:
    """A count of occasions in words: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def changes_hands(count: float) -> str:
    """A predicate of the win: "changes hands 2.3 times a game"."""
    return f"changes hands {count:.1f} times a game" if round(count) else "seldom changes hands"


def worth(rated: Analysis | Rated) -> str:
    """The value of a move or position: "wins in 3 turns", "a draw", "wins 61/160 (38%), draws 3/160 (2%)"."""
    if rated.verdict == "draw":
        return "a draw"
    if rated.verdict == "chance":
        drawn = f", draws {_share(rated.draw)}" if rated.draw else ""
        return f"{f'wins {_share(rated.win)}' if rated.win else 'never wins'}{drawn}"
    word = "wins" if rated.verdict == "win" else "loses"
    return word if rated.plies is None else f"{word} in {turns(rated.plies)}"


def _share(share: Fraction) -> str:
    return f"{share} ({percent(share)})"


def outlook(analysis: Analysis, voice: Voice) -> str:
    """The verdict for the player to move: how soon they win or lose, and with how many of their moves."""
    mover, moves = analysis.turn, analysis.moves
    if analysis.verdict == "chance":
        half = f": {percent(analysis.value)} with a draw as half a win" if analysis.draw else ""
        drawn = f", and {percent(analysis.draw)} are draws{half}" if analysis.draw else ""
        return f"With best play {voice.does(mover, 'wins', 'win')} {percent(analysis.win)} of games{drawn}."
    right, soon = sum(one.value == moves[0].value for one in moves), ""
    plies = _advised(analysis).plies if analysis.advised else analysis.plies
    if plies is not None:
        soon = f", in {turns(plies)} at most"
    which, many = f"{right} of {len(moves)} moves", right > 1
    if right == len(moves):
        which, many = "every move" if right > 1 else "the only move", False
    if analysis.verdict == "loss":
        return voice.sentence(f"{voice.does(mover, 'loses', 'lose')} against best play{soon}")
    can, does = ("can win", "win") if analysis.verdict == "win" else ("can hold a draw", "hold")
    return voice.sentence(f"{voice.whom(mover)} {can}{soon}: {which} {does}{'' if many else 's'}")


def _advised(analysis: Analysis) -> Rated:
    return next((one for one in analysis.moves if one.move == analysis.advised), analysis.moves[0])


def reason(analysis: Analysis) -> str:
    """The reason for the verdict; it also names a quicker move than the recommended one, if there is one."""
    if not analysis.advised:
        return analysis.reason
    quick, advised = analysis.moves[0], _advised(analysis)
    later = analysis.verdict == "win" and quick.plies is not None and (advised.plies or 0) > quick.plies
    return f"{analysis.reason} {quick.move} is quicker." if later else analysis.reason


def best_moves(analysis: Analysis) -> tuple[Rated, ...]:
    """The moves as good as the best one; a move with uncounted plies is as good as any of the same value."""
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


def hints(analysis: Analysis) -> tuple[str, ...]:
    """The hints of a position: a question, the idea with two moves to compare, the move; one if there is one move."""
    moves, trap, move = analysis.moves, analysis.trap, analysis.advice
    if len(moves) == 1:
        return (f"You have only one move: {move}.",)
    play = f"Play {move}."
    if analysis.verdict == "loss":
        if trap is None:
            last = all(one.plies is not None for one in moves) and moves[-1].plies != moves[0].plies
            return ("Every move loses against best play.", f"Play {move}{': nothing lasts longer' if last else ''}.")
        if trap.right == trap.answers:
            return (
                f"Every move loses, whatever {player(other(analysis.turn))} answers: there is no trap to set.",
                play,
            )
        many = f"only {trap.right} of {trap.answers} answers win{'s' if trap.right == 1 else ''}"
        return ("Every move loses. After which one is it hardest to find a right answer?", f"After one, {many}.", play)
    return question(analysis), f"{analysis.thought or analysis.reason}{_compared(analysis)}", play


def question(analysis: Analysis) -> str:
    """The question of the idea, or a general one."""
    if analysis.idea is not None:
        return analysis.idea.question
    if len({(one.value, one.draw) for one in analysis.moves}) == 1:
        every = "Both" if len(analysis.moves) == 2 else f"All {len(analysis.moves)}"
        return f"{every} moves {'win' if analysis.verdict == 'win' else 'are worth the same here'}."
    return f"What can {player(other(analysis.turn))} answer to each of your moves?"


def hint(analysis: Analysis, step: int, whose: str = "") -> str:
    """The hint of a step, with its number; `whose` names the player if they are not the reader."""
    texts = hints(analysis)
    step = min(step, len(texts))
    text = in_place(texts[step - 1], whose)
    return f"Hint {step} of {len(texts)}. {text}" if len(texts) > 1 else text


def in_place(text: str, whose: str) -> str:
    """A reason that says "you" to the player to move, put for others: "In Peek's place, pick 60: it ends in 0."."""
    if not whose or not text:
        return text
    begins = text if text.startswith("Player ") else f"{text[0].lower()}{text[1:]}"
    return f"In {whose}'s place, {begins}"


_MOVE_FIRST = re.compile(
    r"(?:Pick|Claim|Play|Attack with) [+-]?\d+(?: at position \d+)?(?:[.:]|,(?= then )| and(?= copy:)) (.)"
)


def after_move(text: str) -> str:
    """A reason to read when its move has been played: "Pick 60: it ends in 0." becomes "It ends in 0."."""
    return _MOVE_FIRST.sub(lambda found: found[1].upper(), text, count=1) if _MOVE_FIRST.match(text) else text


def _compared(analysis: Analysis) -> str:
    """A sentence with two moves to compare; empty if all moves are equally good."""
    compared = analysis.mark("region")
    if compared is None:
        return ""
    deed = {"win": "wins", "draw": "keeps the draw"}.get(analysis.verdict, "gives the best chance")
    return f" Compare {listed(compared.moves)}: only one {deed}."


def trap_sentence(trap: Trap, rival: Seat) -> str:
    """The trap of a lost position, with the number of answers that still win."""
    if trap.right == trap.answers:
        return f"Whatever {player(rival)} answers, you lose."
    win = "wins" if trap.right == 1 else "win"
    return f"Set a trap: after {trap.move} only {trap.right} of their {trap.answers} answers still {win}."
