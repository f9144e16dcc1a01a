"""An analysis in words, for every mode: a sentence, and hints that ask before they tell."""

from __future__ import annotations

from fractions import Fraction

from duelbox.core.model import Seat, Voice, listed, other, player
from duelbox.solve.api import Analysis, Rated, Trap

TOO_LONG = "This position takes too long to work out."


def percent(share: Fraction | float) -> str:
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


def changes_hands(count: float) -> str:
    """The average number of times that the win does, in the same words everywhere."""
    return f"changes hands {count:.1f} times a game" if round(count) else "seldom changes hands"


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


def outlook(analysis: Analysis, voice: Voice) -> str:
    """Who wins with best play, how soon, and with how many of the moves, for the player to move."""
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
    """The reason for the verdict; where the move it recommends takes longer than another, that one, too."""
    if not analysis.advised:
        return analysis.reason
    quick, advised = analysis.moves[0], _advised(analysis)
    later = analysis.verdict == "win" and quick.plies is not None and (advised.plies or 0) > quick.plies
    return f"{analysis.reason} {quick.move} is quicker." if later else analysis.reason


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


def hints(analysis: Analysis) -> tuple[str, ...]:
    """The hints: a question, the idea with what to compare, the move; a single one where there is nothing to choose."""
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
    """The question that the idea asks, or one that always helps."""
    if analysis.idea is not None:
        return analysis.idea.question
    if len({(one.value, one.draw) for one in analysis.moves}) == 1:
        every = "Both" if len(analysis.moves) == 2 else f"All {len(analysis.moves)}"
        return f"{every} moves {'win' if analysis.verdict == 'win' else 'are worth the same here'}."
    return f"What can {player(other(analysis.turn))} answer to each of your moves?"


def hint(analysis: Analysis, step: int, whose: str = "") -> str:
    """The hint of this step, with its number; in the place of somebody else, if their name is given."""
    told = hints(analysis)
    step = min(step, len(told))
    text = in_place(told[step - 1], whose)
    return f"Hint {step} of {len(told)}. {text}" if len(told) > 1 else text


def in_place(text: str, whose: str) -> str:
    """A reason, which says "you" to the player to move, told to others: "In Peek's place, pick 60: it ends in 0."."""
    if not whose or not text:
        return text
    begins = text if text.startswith("Player ") else f"{text[0].lower()}{text[1:]}"
    return f"In {whose}'s place, {begins}"


def _compared(analysis: Analysis) -> str:
    """Two moves to compare, of which one is best; nothing where all are worth the same."""
    compared = analysis.mark("region")
    if compared is None:
        return ""
    deed = {"win": "wins", "draw": "keeps the draw"}.get(analysis.verdict, "gives the best chance")
    return f" Compare {listed(compared.moves)}: only one {deed}."


def trap_sentence(trap: Trap, rival: Seat) -> str:
    """The best try in a lost position, with the number of answers that still win."""
    if trap.right == trap.answers:
        return f"Whatever {player(rival)} answers, you lose."
    win = "wins" if trap.right == 1 else "win"
    return f"Set a trap: after {trap.move} only {trap.right} of their {trap.answers} answers still {win}."
