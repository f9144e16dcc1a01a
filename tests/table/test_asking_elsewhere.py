"""Offers, claims and help in a match with a friend elsewhere."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event as Flag

import pytest

from duelbox.core import news
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.model import Model
from duelbox.core.move_input import MoveInput
from duelbox.friends import claims
from duelbox.table.state import TableState
from tests.table.elsewhere import PATIENCE, heard, play_out, two, until


async def test_offers_are_asked_and_answered(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        with pytest.raises(DuelboxError, match="Nothing has been played yet"):
            mover.propose("undo")
        mover.play("7")
        with pytest.raises(MoveError, match="on its way"):
            mover.play("9")
        await until(lambda: other.my_turn, ann, bob)
        with pytest.raises(MoveError, match="not your turn"):
            mover.play("9")
        mover.propose("undo")
        await until(lambda: other.offered is not None, ann, bob)
        other.answer(other.offered.id, yes=True)
        await until(lambda: mover.my_turn, ann, bob)
        assert not ann.session.plies
        assert not bob.session.plies
        with pytest.raises(DuelboxError, match="no longer stands"):
            other.answer(1, yes=True)
        mover.say(0)
        assert (await heard(other, news.Said)).text == "Hello!"


async def test_each_is_told_in_their_own_words_what_became_of_an_offer(tmp_path: Path) -> None:
    async with two(tmp_path, "number-circle") as (ann, bob):
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        me, friend = (mover.session.names[one.seat] for one in (mover, other))
        mover.propose("draw")
        offered = await heard(other, news.Offered)
        assert other.session.named(other.asked) == f"{me} offers a draw."
        assert mover.asked == ""
        mover.play(mover.game.format_move(mover.session.legal_moves()[0]))
        for one, whose in ((mover, "Your"), (other, "Their")):
            assert one.sentence_of(await heard(one, news.Lapsed)) == offered.offer.lapsed(whose)
        mover.propose("undo")
        asked = await heard(other, news.Offered)
        other.answer(asked.offer.id, yes=False)
        for one, whose in ((mover, friend), (other, "You")):
            assert one.session.named(one.sentence_of(await heard(one, news.Answered))) == asked.offer.answered(
                whose, yes=False
            )


async def test_a_phrase_does_not_hold_up_a_turn_while_it_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A friend's turn refuses a move until it is saved and shown."""
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        written, write = Flag(), mover._live.journal._lines.add

        def slowly(lines: Sequence[Model]) -> None:
            written.wait(PATIENCE)
            write(lines)

        async def reads_slowly(does: Callable[[], None]) -> None:
            seen = mover.side.ledger.count
            written.clear()
            does()
            await until(lambda: mover.side.ledger.count > seen)

        try:
            monkeypatch.setattr(mover._live.journal._lines, "add", slowly)
            await reads_slowly(lambda: other.say(0))
            assert mover.my_turn
            mover.play("7")
            written.set()
            await until(lambda: other.my_turn, ann, bob)
            await reads_slowly(lambda: other.play("1"))
            assert mover.side.my_turn
            assert not mover.my_turn
            with pytest.raises(MoveError, match="not shown yet"):
                mover.play("12")
        finally:
            written.set()
        await until(lambda: mover.my_turn, ann, bob)


async def test_a_claim_is_promised_to_who_made_it_alone(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        for one in (ann, bob):
            one.side.ledger = one.side.ledger.changed(claim=claims.PendingClaim(bob.me, 0))
        assert bob.presence.startswith("Claimed. The game is yours in a minute")
        assert "yours" not in ann.presence


async def test_help_is_off_unless_both_agreed_to_a_lesson(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, _):
        with pytest.raises(DuelboxError, match="did not agree to a lesson"):
            ann.propose("help")
    async with two(tmp_path, "sequence-duel", lesson=True) as (ann, bob):
        ann.propose("help")
        await play_out(ann, bob, random.Random(1))
        record = json.loads(bob.store.export(bob.saved_as))
        assert record["played"][0]["assisted"] is True


async def test_help_is_recorded_in_each_round_and_in_those_of_the_rematch(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel", rounds=2, lesson=True) as (ann, bob):
        state = TableState(ann, MoveInput())
        for _ in range(2):
            for number in range(2):
                await state.take_help()
                ann.propose("resign")
                await until(lambda: ann.shown_end and bob.shown_end, ann, bob)
                if number == 0:
                    ann.next_round()
                    bob.next_round()
            played = json.loads(bob.store.export(bob.saved_as))["played"]
            assert [one["assisted"] for one in played] == [True, True]
            ann.propose("rematch")
            await until(lambda: bob.offered is not None, ann, bob)
            bob.answer(bob.offered.id, yes=True)
            await until(lambda: not (ann.over or bob.over or ann.session.plies or bob.session.plies), ann, bob)


async def test_a_game_with_a_friend_is_resigned_out_of_turn_too_but_not_while_an_end_is_shown(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel", rounds=2) as (ann, bob):
        waits = bob if ann.my_turn else ann
        state = TableState(waits, MoveInput())
        await state.do("resign")
        assert state.awaiting == "resign", "its key is pressed twice"
        await state.do("resign")
        await until(lambda: ann.shown_end and bob.shown_end, ann, bob)
        assert waits.score.points(waits.me) == 0
        await until(lambda: waits.side.ledger.stage == "play", ann, bob)
        assert state.prompts.why_not("resign") == "This round is over."
        waits.propose("next")
        assert state.prompts.works("resign")
