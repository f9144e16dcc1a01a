"""`duelbox prove`: proofs checked, and made by typing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duelbox.proof.ladder import RUNGS
from duelbox.store.store import Store
from duelbox.table.proof_progress import PROOFS, is_done
from tests.command_line import run

PAIRS = "circle-duel:size=16,reach=2,gaps=4,seed=9"
LINE = "duelbox proof 1 circle-duel:size=16,reach=2,without=4-8-11-12 2 YigOBQAOgA 2f4548de"
PROVED = "Proved: Player 2 wins circle-duel:size=16,reach=2,without=4-8-11-12: 1 position.\n"


@pytest.mark.parametrize(
    "words",
    [("prove", LINE), ("prove", *LINE.split()), LINE.split()[1:], ("prove", *LINE.split()[1:])],
    ids=["one word", "many words", "as it stands", "without duelbox"],
)
def test_a_line_is_checked_however_it_is_typed(words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert (ran.status, ran.out, ran.err) == (0, PROVED, "")


def test_a_file_of_lines_is_checked_and_its_worst_line_is_the_status(tmp_path: Path) -> None:
    file = tmp_path / "proofs.txt"
    file.write_text(f"{LINE}\n\n{LINE}\n", "utf-8")
    assert run("prove", str(file)).out == PROVED * 2
    file.write_text(f"{LINE}\nproof 1 circle-duel 2 AA 1a5d2036\n", "utf-8")
    ran = run("prove", str(file))
    assert ran.status == 1
    assert ran.out.splitlines()[1] == "Not proved: after 7: the answers end here, and the game goes on."
    file.write_text(f"no proof\n{LINE}\n", "utf-8")
    ran = run("prove", str(file))
    assert ran.status == 2
    assert ran.out == PROVED


def test_a_damaged_line_cannot_be_read() -> None:
    ran = run("prove", LINE.replace("YigO", "YihO"))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "The line is damaged: its sum does not fit. Copy it again, whole.\n"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("number-circle", "Number Circle may go round in circles, so there are no proofs of it.\n"),
        ("number-duel", "Number Duel has chance, so there are no proofs of it.\n"),
        ("circle-duel:size=4/1.2.3.4", "The game is over there: nothing is left to prove.\n"),
    ],
)
def test_a_position_without_proofs_is_refused_in_a_sentence(code: str, sentence: str) -> None:
    ran = run("prove", code)
    assert (ran.status, ran.err) == (2, sentence)


def test_a_proof_is_made_by_typing() -> None:
    typed = ["1", "2", "2", "9", "pairs 1-2 3-5 6-7 9-10 13-14 15-16"]
    ran = run("prove", PAIRS, typed="\n".join([*typed, ""]))
    assert ran.status == 0
    assert "Player 1 cannot win this: 1 2 16 14 13 15." in ran.out
    assert "9 loses: Player 1 picks 10. Player 2 cannot move: no number within 2 steps of 10 is left." in ran.out
    assert "1 question answered, 1 wrong.\nYour pairs saved " in ran.out
    *_, line, after = ran.out.splitlines()
    assert run("prove", line).status == 0
    assert after == f"Next: duelbox prove 1, {RUNGS[0].name}, from {RUNGS[0].questions} questions"


def test_words_at_a_question_do_what_they_say_and_the_rest_is_refused() -> None:
    ran = run("prove", PAIRS, typed="0\n2\nhelp\nboard\n2\nundo\nreverse\n12\nquit\n")
    assert "Type 1 or 2: the player who wins." in ran.out
    assert "Rules here: pairs." in ran.out
    assert "The rules you can claim here: pairs." in ran.out
    assert "12 is a gap" in ran.out
    assert ran.out.count("Your answer, Player 2: 2, 3, 15 or 16? ") == 6


def test_the_ladder_is_listed_and_its_rungs_are_proved_by_number() -> None:
    ran = run("prove")
    assert ran.status == 0
    assert ran.out.count("\n") == len(RUNGS) + 3
    first = RUNGS[0]
    assert f" 1  {first.questions:4}  {first.name}\n" in ran.out
    assert run("prove", "1").out == run("prove", first.code).out
    run("prove", "1", typed="1\n")
    assert re.search(rf" {first.name} +begun\n", run("prove").out)
    assert run("prove", "0").err == f"The ladder has {len(RUNGS)} proofs, and no proof 0.\n"


def test_many_answers_are_named_in_ranges() -> None:
    assert run("prove", "sequence-duel:size=12", typed="1\n").out.endswith("Your answer, Player 1: 1-12? \n")


def test_a_proof_that_was_left_goes_on_where_it_was() -> None:
    run("prove", PAIRS, typed="2\n2\n9\nhint\nhint\nquit\n")
    ran = run("prove", PAIRS, typed="pairs 1-2 3-5 6-7 9-10 13-14 15-16\n")
    assert "You go on where you left it, after 1 answer." in ran.out
    assert "1 question answered, 1 wrong.\n1 hint taken." in ran.out
    assert "Who wins" in run("prove", PAIRS).out


def test_a_kept_proof_that_is_damaged_begins_anew() -> None:
    steps = [{"kind": "side", "at": [], "text": "2", "right": True}]
    steps += [{"kind": "rule", "at": [], "text": "nonsense", "right": True}]
    with Store.open() as store:
        store.progress.add(PROOFS, PAIRS, {"walk": {"code": PAIRS, "steps": steps}})
    ran = run("prove", PAIRS)
    assert "It begins anew." in ran.out
    assert ran.out.endswith("Who wins, whatever comes: 1 or 2? \n")


def test_a_proof_that_is_done_stays_done_while_it_is_done_again() -> None:
    run("prove", PAIRS, typed="2\npairs 1-2 3-5 6-7 9-10 13-14 15-16\n")
    run("prove", PAIRS, typed="2\n")
    with Store.open() as store:
        assert is_done(store.progress.newest(PROOFS), PAIRS)


def test_a_terminal_opens_the_screen_unless_lines_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def above_home(then: object, instead: str) -> int:
        opened.append(instead)
        return 0

    monkeypatch.setattr("duelbox.commands.prove.has_screen", lambda: True)
    monkeypatch.setattr("duelbox.commands.prove.above_home", above_home)
    assert "Who wins" in run("prove", "2", "--plain").out
    assert run("prove", "number-duel").status == 2, "it is refused before the screen opens"
    assert run("prove", LINE).out == PROVED
    assert opened == []
    run("prove", "2")
    assert opened == ["duelbox prove CODE --plain"]
