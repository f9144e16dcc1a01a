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
        rounded = min(max(rounded, 1), 99)
    return f"{rounded}%"


def turns(count: int) -> str:
    """A number of turns, those of both players, in words."""
    if count == 1:
        return "1 turn"
    return f"{count} turns"


def times(count: int) -> str:
    """A count of occasions in words: "once", "twice", "3 times"."""
    if count == 1:
        return "once"
    if count == 2:
        return "twice"
    return f"{count} times"


def changes_hands(count: float) -> str:
    """A predicate of the win: "changes hands 2.3 times a game"."""
    if not round(count):
        return "seldom changes hands"
    return f"changes hands {count:.1f} times a game"


def worth(rated: Analysis | Rated) -> str:
    """The value of a move or position: "wins in 3 turns", "a draw", "wins 61/160 (38%), draws 3/160 (2%)"."""
    if rated.verdict == "draw":
        return "a draw"
    if rated.verdict == "chance":
        return _chances(rated)
    word = "wins" if rated.verdict == "win" else "loses"
    if rated.plies is None:
        return word
    return f"{word} in {turns(rated.plies)}"


def _chances(rated: Analysis | Rated) -> str:
    """The chances of a win and of a draw: "wins 61/160 (38%), draws 3/160 (2%)"."""
    chances = "never wins"
    if rated.win:
        chances = f"wins {_share(rated.win)}"
    if rated.draw:
        chances += f", draws {_share(rated.draw)}"
    return chances


def _share(share: Fraction) -> str:
    return f"{share} ({percent(share)})"


def outlook(analysis: Analysis, voice: Voice) -> str:
    """The verdict for the player to move: how soon they win or lose, and with how many of their moves."""
    mover = analysis.turn
    if analysis.verdict == "chance":
        drawn = ""
        if analysis.draw:
            half = f"{percent(analysis.value)} with a draw as half a win"
            drawn = f", and {percent(analysis.draw)} are draws: {half}"
        return f"With best play {voice.does(mover, 'wins', 'win')} {percent(analysis.win)} of games{drawn}."
    soon = _soon(analysis)
    if analysis.verdict == "loss":
        return voice.sentence(f"{voice.does(mover, 'loses', 'lose')} against best play{soon}")
    if analysis.verdict == "win":
        return voice.sentence(f"{voice.whom(mover)} can win{soon}: {_right_moves(analysis, 'win')}")
    return voice.sentence(f"{voice.whom(mover)} can hold a draw{soon}: {_right_moves(analysis, 'hold')}")


def _soon(analysis: Analysis) -> str:
    """The turns to the end as a clause: ", in 3 turns at most"; empty if they are not known."""
    plies = analysis.plies
    if analysis.advised:
        plies = _advised(analysis).plies
    if plies is None:
        return ""
    return f", in {turns(plies)} at most"


def _right_moves(analysis: Analysis, verb: str) -> str:
    """The moves that keep the verdict, as a clause: "2 of 9 moves win", "every move wins"."""
    moves = analysis.moves
    right = sum(one.value == moves[0].value for one in moves)
    if right == len(moves) > 1:
        return f"every move {verb}s"
    if right == len(moves):
        return f"the only move {verb}s"
    if right == 1:
        return f"1 of {len(moves)} moves {verb}s"
    return f"{right} of {len(moves)} moves {verb}"


def _advised(analysis: Analysis) -> Rated:
    return next((one for one in analysis.moves if one.move == analysis.advised), analysis.moves[0])


def reason_and_trap(analysis: Analysis) -> str:
    """The reason for the verdict, and the best trap of a lost position."""
    if analysis.trap is None:
        return analysis.reason
    return f"{analysis.reason} {trap_sentence(analysis.trap, other(analysis.turn))}"


def reason(analysis: Analysis) -> str:
    """The reason for the verdict; it also names a quicker move than the recommended one, or a trap, if there is one."""
    if not analysis.advised or analysis.trap is not None:
        return reason_and_trap(analysis)
    quick, advised = analysis.moves[0], _advised(analysis)
    if analysis.verdict == "win" and quick.plies is not None and (advised.plies or 0) > quick.plies:
        return f"{analysis.reason} {quick.move} is quicker."
    return analysis.reason


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
    if len(analysis.moves) == 1:
        return (f"You have only one move: {analysis.advice}.",)
    if analysis.verdict == "loss":
        return _hints_of_loss(analysis)
    thought = analysis.thought or analysis.reason
    return question(analysis), f"{thought}{_compared(analysis)}", f"Play {analysis.advice}."


def _hints_of_loss(analysis: Analysis) -> tuple[str, ...]:
    """The hints of a lost position: why it is lost, the trap to set, the move."""
    moves, trap = analysis.moves, analysis.trap
    play = f"Play {analysis.advice}."
    lost = analysis.thought or analysis.reason
    if not lost.startswith(("Every ", "Your only ")):
        lost = f"Every move loses. {lost}"
    if trap is None:
        if all(one.plies is not None for one in moves) and moves[-1].plies != moves[0].plies:
            play = f"Play {analysis.advice}: nothing lasts longer."
        return lost, play
    if trap.right == trap.answers:
        return lost, f"There is no trap to set: every answer wins. {play}"
    win = "wins" if trap.right == 1 else "win"
    return lost, f"Which move is hardest to answer? After one, only {trap.right} of {trap.answers} answers {win}.", play


def question(analysis: Analysis) -> str:
    """The question of the idea, or a general one."""
    if analysis.idea is not None:
        return analysis.idea.question
    if len({(one.value, one.draw) for one in analysis.moves}) == 1:
        every = f"All {len(analysis.moves)}"
        if len(analysis.moves) == 2:
            every = "Both"
        if analysis.verdict == "win":
            return f"{every} moves win."
        return f"{every} moves are worth the same here."
    return f"What can {player(other(analysis.turn))} answer to each of your moves?"


def hint(analysis: Analysis, step: int, whose: str = "") -> str:
    """The hint of a step, with its number; `whose` names the player if they are not the reader."""
    texts = hints(analysis)
    step = min(step, len(texts))
    text = in_place(texts[step - 1], whose)
    if len(texts) == 1:
        return text
    return f"Hint {step} of {len(texts)}. {text}"


def in_place(text: str, whose: str) -> str:
    """A reason that says "you" to the player to move, put for others: "In Peek's place, pick 60: it ends in 0."."""
    if not whose or not text:
        return text
    if not text.startswith("Player "):
        text = f"{text[0].lower()}{text[1:]}"
    return f"In {whose}'s place, {text}"


_OWN = {"has": "have", "goes": "go", "passes": "pass", "is": "am", "can": "can", "must": "must"}
"""Verbs as "I" has them, where that is not the verb without its last letter."""


def in_first_person(text: str, name: str) -> str:
    """Sentences about a player as that player says them: "Teacher picks 9 and wins." becomes "I pick 9 and win."."""
    return " ".join(_said_by(name, one) for one in re.split(r"(?<=[.?]) ", text))


def _said_by(name: str, sentence: str) -> str:
    def own(found: re.Match[str]) -> str:
        return f"{found[1]}{_OWN.get(found[2], found[2].removesuffix('s'))}"

    told = re.sub(rf"\b{name}'s ", "my ", sentence)
    told = re.sub(rf"\b(can|could|has) {name}\b", lambda found: f"{_OWN.get(found[1], found[1])} I", told)
    told, count = re.subn(rf"\b{name}( (?:then )?)(can|must|[a-z]+s)\b", lambda found: f"I{own(found)}", told)
    if count:
        told = re.sub(r"( and )(can|must|has|[a-z]+s)\b", own, told)
    told = re.sub(rf"\b{name}\b", "me", told)
    return f"{told[:1].upper()}{told[1:]}"


_MOVE_FIRST = re.compile(
    r"(?:Pick|Claim|Play|Attack with) [+-]?\d+(?: at position \d+)?(?:[.:]|,(?= then )| and(?= copy:)) (.)"
)


def after_move(text: str) -> str:
    """A reason to read when its move has been played: "Pick 60: it ends in 0." becomes "It ends in 0."."""
    if _MOVE_FIRST.match(text) is None:
        return text
    return _MOVE_FIRST.sub(lambda found: found[1].upper(), text, count=1)


def _compared(analysis: Analysis) -> str:
    """A sentence with two moves to compare; empty if all moves are equally good."""
    compared = analysis.mark("region")
    if compared is None:
        return ""
    deed = "gives the best chance"
    if analysis.verdict == "win":
        deed = "wins"
    elif analysis.verdict == "draw":
        deed = "keeps the draw"
    return f" Compare {listed(compared.moves)}: only one {deed}."


def trap_sentence(trap: Trap, rival: Seat) -> str:
    """The trap of a lost position, with the number of answers that still win."""
    if trap.right == trap.answers:
        return "There is no trap to set: every answer wins."
    win = "wins" if trap.right == 1 else "win"
    return f"Set a trap: after {trap.move} only {trap.right} of {player(rival)}'s {trap.answers} answers still {win}."
