"""duelbox in a real browser: Chromium without a window. Without a Chromium here nothing of this is tried."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from duelbox.bots import choose
from duelbox.core.code import parse_code
from duelbox.core.model import Seat
from duelbox.registry import find_game
from duelbox.solve.api import Stop
from tests.effort import SHARE
from tests.serve.chromium import PATIENCE, PROGRAM, Browser, Page, chromium
from tests.serve.server import Server, serving

pytestmark = [
    pytest.mark.skipif(SHARE > 1, reason="tried with --long; a plain client of websockets is always tried"),
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here (Debian has it: apt install chromium)"),
    pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc"),
]

GAMES = ("circle-duel", "number-circle", "sequence-duel", "digit-chain")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--port", "0") as one:
        yield one


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[Browser]:
    async with chromium(tmp_path / "chromium") as one:
        yield one


@pytest.fixture
async def page(server: Server, browser: Browser) -> Page:
    """Somebody new, at home."""
    one = await browser.page(server.address, await browser.person())
    await one.see("New game")
    return one


def whole_game(code: str) -> list[tuple[Seat, str]]:
    """Who moves and what, from there to the end, as two computers play."""
    session, moves = parse_code(code, find_game), []
    while session.turn is not None:
        choice = choose(session.game, session.view(session.turn), "counter", seed=3, stop=Stop())
        moves.append((session.turn, choice.move))
        session.type(choice.move)
    return moves


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_with_a_friend_is_played_to_its_end(page: Page, game: str) -> None:
    for _ in range(GAMES.index(game)):
        await page.press("ArrowRight", 39)
    await page.type("f")
    for seat, move in whole_game(game):
        await page.see(f"Player {seat + 1}, your move")
        await page.type(f"{move}\n")
    await page.see("Game over", "Rematch")


async def test_hidden_numbers_are_played_to_the_end_with_arrows(page: Page) -> None:
    await page.type("5")
    async with asyncio.timeout(PATIENCE):
        while "Game over" not in await page.text():
            await page.press("ArrowRight", 39)
            await page.press("Enter", 13, text="\r")
            await asyncio.sleep(0.3)


async def test_keys_clicks_and_the_verdict(page: Page) -> None:
    await page.click_on("Sequence Duel")
    await page.see("Your move")
    await page.type("13\n")
    await page.see("1 claimed")
    await page.see("Your move")
    await page.type("v")
    await page.see("With best play")


async def test_two_clicks_move_and_a_new_size_keeps_the_game(page: Page) -> None:
    await page.resize(1200, 800)
    await page.type("f")
    await page.see("Player 1, your move")
    await page.type("5\n")
    await page.see("Player 2, your move")
    await page.resize(740, 460)
    await page.settle()
    await page.click_on("│  6  │")
    await page.see("Player 2 picks 6")
    await page.click_on("▸  6  ◂")
    await page.see("Player 1, your move", "next to it: 7")
    for size in ((400, 300), (1600, 900), (800, 600)):
        await page.resize(*size)
    await page.see("Player 1, your move", "next to it: 7")


async def test_a_position_is_copied_and_pasted(page: Page, browser: Browser) -> None:
    await browser.allow(page.person, "clipboardReadWrite", "clipboardSanitizedWrite")
    await page.paste("sequence-duel:size=30,ring=on/10.13")
    await page.see("Your move", "1 claimed")
    await page.type("c")
    await page.see("Copied")

    async def copied() -> bool:
        return await page.copied() == "sequence-duel:size=30,ring=on/10.13"

    await page.until(copied, "the code on the clipboard")


async def test_two_at_once_each_with_a_game_of_their_own(page: Page, browser: Browser, server: Server) -> None:
    other = await browser.page(server.address, await browser.person())
    await page.type("f")
    await page.see("Player 1, your move")
    await page.type("5\n")
    await page.see("Player 2, your move")
    await other.see("New game")
    assert "Continue" not in await other.text()
    await other.paste("sequence-duel/7")
    await other.see("1 claimed")
    assert "1 picked" in await page.text()


async def test_closing_the_page_ends_its_process_and_keeps_the_game(
    page: Page, browser: Browser, server: Server
) -> None:
    await page.type("f")
    await page.see("Player 1, your move")
    await page.type("5\n")
    await page.see("Player 2, your move")
    assert len(server.processes()) == 1
    await page.close()
    await server.alone()
    again = await browser.page(server.address, page.person)
    await again.see("Continue")
    await again.go(server.address)  # the same page, loaded anew
    await again.see("Continue")
    await again.type("\n")
    await again.see("Player 2, your move")


async def test_leaving_is_told_and_one_key_comes_back(page: Page) -> None:
    await page.press("q", 81, ctrl=True)

    async def told() -> bool:
        return await page.said() == "duelbox has closed. Every game is kept."

    await page.until(told, "the end to be told")
    await page.press("Enter", 13, text="\r")
    await asyncio.sleep(0.5)
    await page.see("New game")


async def test_nobody_else_is_asked_for_anything_and_nothing_goes_wrong(page: Page, server: Server) -> None:
    await page.press("q", 81, ctrl=True)
    await asyncio.sleep(0.5)
    names = {address.partition("://")[2].partition("/")[0] for address in page.requested if "data:" not in address}
    assert names == {server.address.removeprefix("http://")}
    assert page.complaints == []
    assert await page.run("document.fonts.check('16px \"Roboto Mono\"')")


async def test_every_sign_has_its_place(page: Page) -> None:
    """The terminal gives each sign one cell, as duelbox counts them; wide ones would push the rest along."""
    signs = "●◆○◇▸◂·▒╭─╮│╯╰┄┊╔═╗║╝╚┏━┓┃┛┗↵←→▲▽▁▂▃▄▅▆▇█▐▌▀▝▘▖▗⠁⣿⡇"
    widths = await page.run(
        f"[...'{signs}'].map(sign => theTerminal._core.unicodeService.wcwidth(sign.codePointAt(0)))"
    )
    assert widths == [1] * len(signs)
    drawn = await page.run(
        "(signs => { const pen = document.createElement('canvas').getContext('2d');"
        "pen.font = '16px \"Roboto Mono\"';"
        "return [...signs].filter(sign => pen.measureText(sign).width > pen.measureText('0').width + 0.5) })"
        f"('{signs}')"
    )
    assert "".join(sign for sign in drawn if not "⠀" <= sign <= "⣿") == ""


@pytest.mark.parametrize("size", [(375, 667), (1000, 700)])
async def test_the_page_fits_a_telephone_too(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    page = await browser.page(server.address, await browser.person(), size)
    await page.see("New game")
    assert "duelbox needs" not in await page.text()
    assert await page.run("document.documentElement.scrollHeight <= innerHeight")
