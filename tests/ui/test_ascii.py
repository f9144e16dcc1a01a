"""Plain ASCII: nothing on any screen but plain signs, and everything still told apart."""

from __future__ import annotations

import pytest

from tests.ui.conftest import MakeApp
from tests.ui.person import record_of, text_of

SCREENS: tuple[tuple[str | None, str], ...] = (
    (None, ""),
    (None, "n down down"),
    (None, "s"),
    (None, "question_mark"),
    (None, "i"),
    (None, "i enter right"),
    (None, "i t"),
    (None, "ctrl+p"),
    ("circle-duel:size=14,reach=2,gaps=3/10.11", "9 enter"),
    ("number-circle/+2.+9.+3.-8", "right"),
    ("sequence-duel/10.13.7.16", "1 2 enter"),
    ("digit-chain/26.61", "2 3 enter"),
    ("number-duel:deal=31524-42513/4x3.3x1", "5 x 2"),
    ("number-duel:deal=31524-42513", "5 x 2 enter enter"),
)


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20), (30, 9)], ids=str)
@pytest.mark.parametrize(("code", "keys"), SCREENS, ids=[f"{code or 'home'} {keys}" for code, keys in SCREENS])
async def test_every_screen_is_plain(make_app: MakeApp, code: str | None, keys: str, size: tuple[int, int]) -> None:
    app = make_app(code, "Alice", "Bob", rounds=3, ascii=True)
    app.store.import_text(record_of("sequence-duel:size=5/3.1.5"))
    async with app.run_test(size=size, tooltips=True, notifications=True) as pilot:
        await pilot.press(*keys.split())
        app.notify("Something to know.")
        await pilot.pause()
        shown = text_of(app)
        assert shown.strip()
        assert not {sign for sign in shown if not sign.isascii()} - {"\N{NO-BREAK SPACE}"}


async def test_it_comes_and_goes_with_the_setting(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        assert not text_of(app).isascii()
        app.change_settings(ascii=True)
        await pilot.press("s", "escape")
        assert {sign for sign in text_of(app) if not sign.isascii()} == set()
        app.change_settings(ascii=False)
        await pilot.press("s", "escape")
        assert not text_of(app).isascii()
