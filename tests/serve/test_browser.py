"""duelbox in a headless Chromium; skipped if there is none."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from duelbox.learn.homework import read_set
from tests.effort import SHARE
from tests.learn.test_homework import SET
from tests.serve.proxy import headers_of_the_help, small_proxy
from tests.serve.server import Server, serving

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 30.0  # seconds; reached only when something is broken

SWITCHES = (
    *("--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

# The terminal draws on a canvas, so tests read its buffer. The page hides the terminal object, so it is
# caught when it opens.
CATCH = """
    Object.defineProperty(Object.prototype, "_core", {
        configurable: true,
        set(value) {
            Object.defineProperty(this, "_core", {value, writable: true, configurable: true});
            if (typeof this.loadAddon === "function") { window.theTerminal = this; }
        },
    });
"""
TEXT = """
    (() => {
        const {active} = theTerminal.buffer;
        const rows = Array.from({length: theTerminal.rows}, (_, y) => active.getLine(y + active.viewportY));
        return rows.map(row => row.translateToString(true, 0, theTerminal.cols)).join("\\n");
    })()
"""


class Page:
    """A tab of a browser."""

    def __init__(self, send: Callable[..., Any], session: str, person: str) -> None:
        self._send, self._session = send, session
        self.person = person
        self.requested: list[str] = []
        self.complaints: list[str] = []

    async def do(self, method: str, **params: Any) -> dict[str, Any]:
        return await self._send(method, params, self._session)

    async def run(self, script: str) -> Any:
        """The value of a line of JavaScript."""
        answer = await self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    async def go(self, address: str) -> None:
        await self.do("Page.navigate", url=address)

    async def text(self) -> str:
        """The text on the terminal."""
        return str(await self.run(f"window.theTerminal ? {TEXT} : ''"))

    async def said(self) -> str:
        """The page's sentence about the end of a visit."""
        return str(await self.run("(end => end && !end.hidden ? why.textContent : '')(document.getElementById('end'))"))

    async def until(self, condition: Callable[[], Any], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not await condition():
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"waited {PATIENCE:.0f} s for {what}\n{await self.text()}") from None

    async def see(self, *texts: str) -> None:
        """Wait until the terminal shows all of these."""

        async def shown() -> bool:
            text = await self.text()
            return all(one in text for one in texts)

        await self.until(shown, f"{texts}")

    async def settle(self) -> None:
        """Wait until nothing has been drawn for a while."""
        before = ""
        while (now := await self.text()) != before:
            before = now
            await asyncio.sleep(0.7)

    async def press(self, key: str, code: int, *, ctrl: bool = False, text: str = "") -> None:
        """Press a key by its code; `text` is the text it types."""
        options = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 2 if ctrl else 0}
        await self.do("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **options)
        await self.do("Input.dispatchKeyEvent", type="keyUp", **options)

    async def type(self, text: str) -> None:
        """Type a text, with Enter between its lines."""
        for sign in text:
            if sign == "\n":
                await self.press("Enter", 13)
            else:
                await self.do("Input.dispatchKeyEvent", type="keyDown", text=sign, key=sign)
                await self.do("Input.dispatchKeyEvent", type="keyUp", key=sign)

    async def paste(self, text: str) -> None:
        """Paste a text as the browser's own menu does."""
        await self.run(
            "(text => { const data = new DataTransfer(); data.setData('text/plain', text);"
            "document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true})) })"
            f"({json.dumps(text)})"
        )

    async def copied(self) -> str:
        """The text on the clipboard, although the page itself may not read it."""
        return str(await self.run("Navigator.prototype.__lookupGetter__('clipboard').call(navigator).readText()"))

    async def click_on(self, text: str) -> None:
        """Click in the middle of a text on the terminal."""
        await self.see(text)
        rows = (await self.text()).split("\n")
        y, x = next((y, row.index(text)) for y, row in enumerate(rows) if text in row)
        box = await self.run(
            "(({x, y, width, height}) => [x, y, width / theTerminal.cols, height / theTerminal.rows])"
            "(document.querySelector('.xterm-screen').getBoundingClientRect())"
        )
        at = {"x": box[0] + (x + len(text) / 2) * box[2], "y": box[1] + (y + 0.5) * box[3]}
        await self.do("Input.dispatchMouseEvent", type="mouseMoved", **at)
        for kind in ("mousePressed", "mouseReleased"):
            await self.do("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    async def resize(self, width: int, height: int) -> None:
        """Resize the window, in pixels."""
        await self.do(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    async def close(self) -> None:
        """Close the tab as its owner does."""
        await self.do("Page.close")


class Browser:
    """A browser in which each person has cookies of their own."""

    def __init__(self, line: aiohttp.ClientWebSocketResponse) -> None:
        self._line = line
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}

    async def person(self) -> str:
        """A new person, without cookies."""
        return str((await self._send("Target.createBrowserContext", {}))["browserContextId"])

    async def page(self, address: str, person: str, size: tuple[int, int] = (1000, 700)) -> Page:
        target = await self._send("Target.createTarget", {"url": "about:blank", "browserContextId": person})
        attached = await self._send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        page = self._pages[attached["sessionId"]] = Page(self._send, attached["sessionId"], person)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.do(f"{domain}.enable")
        await page.do("Page.addScriptToEvaluateOnNewDocument", source=CATCH)
        await page.resize(*size)
        await page.go(address)
        return page

    async def allow(self, person: str, *permissions: str) -> None:
        await self._send("Browser.grantPermissions", {"permissions": permissions, "browserContextId": person})

    async def listen(self) -> None:
        """Receive the browser's messages until it ends."""
        async for message in self._line:
            said = message.json()
            if "id" in said:
                asked = self._asked.pop(said["id"])
                if asked.done():
                    continue
                if "error" in said:
                    asked.set_exception(AssertionError(said["error"]))
                else:
                    asked.set_result(said["result"])
            elif page := self._pages.get(said.get("sessionId", "")):
                self._note(page, said["method"], said["params"])

    def _note(self, page: Page, method: str, params: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            page.requested.append(params["request"]["url"])
        elif method == "Network.webSocketCreated":
            page.requested.append(params["url"])
        elif method == "Runtime.exceptionThrown":
            page.complaints.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            page.complaints.append(params["entry"]["text"])

    async def _send(self, method: str, params: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        number = next(self._numbers)
        self._asked[number] = answer = asyncio.get_running_loop().create_future()
        await self._line.send_json(
            {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        )
        async with asyncio.timeout(PATIENCE):
            return await answer


@asynccontextmanager
async def chromium(folder: Path) -> AsyncIterator[Browser]:
    """A browser that ends with its test."""
    assert PROGRAM is not None
    process = subprocess.Popen(
        [PROGRAM, *SWITCHES, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )
    try:
        port = folder / "DevToolsActivePort"
        async with asyncio.timeout(PATIENCE):
            while not (port.exists() and port.read_text(encoding="utf-8").count("\n")):
                assert process.poll() is None, "Chromium has ended"
                await asyncio.sleep(0.05)
        number, path = port.read_text(encoding="utf-8").split()
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"ws://127.0.0.1:{number}{path}", max_msg_size=0) as line,
        ):
            browser = Browser(line)
            listening = asyncio.create_task(browser.listen())
            try:
                yield browser
            finally:
                listening.cancel()
    finally:
        process.kill()
        process.wait()


pytestmark = [
    pytest.mark.skipif(SHARE > 1, reason="tried with --long; a plain client of websockets is always tried"),
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here (Debian has it: apt install chromium)"),
    pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc"),
]


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
    """The page of a new person."""
    one = await browser.page(server.address, await browser.person())
    await one.see("Puzzles")
    return one


async def test_hidden_numbers_are_played_to_the_end_with_arrows(page: Page) -> None:
    await page.type("5")
    async with asyncio.timeout(PATIENCE):
        while "e review" not in await page.text():
            await page.press("ArrowRight", 39)
            await page.press("ArrowUp", 38)
            await page.press("Enter", 13, text="\r")
            await asyncio.sleep(0.3)


async def test_keys_clicks_and_the_verdict(page: Page) -> None:
    for _ in range(2):  # the first click chooses, the second plays
        await page.click_on("Sequence Duel")
    await page.see("Your move")
    await page.type("13\n")
    await page.see("1 claimed")
    await page.see("Your move")
    await page.type("v")
    await page.see("You can win")


async def test_two_clicks_move_and_a_new_size_keeps_the_game(page: Page) -> None:
    await page.resize(1200, 800)
    await page.press("ArrowLeft", 37)  # the classic ring, in which nothing is drawn at random
    await page.type("f")
    await page.see("Player 1, your move")
    await page.type("5\n")
    await page.see("Player 2, your move")
    await page.resize(740, 460)
    await page.settle()
    await page.click_on("│  6  │")
    await page.see("Enter picks 6")
    await page.click_on("┃  6  ┃")
    await page.see("Player 1, your move", "Player 1 goes on with 7")
    for size in ((400, 300), (1600, 900), (800, 600)):
        await page.resize(*size)
    await page.see("Player 1, your move", "Player 1 goes on with 7")


async def test_a_position_is_copied_and_pasted(page: Page, browser: Browser) -> None:
    await browser.allow(page.person, "clipboardReadWrite", "clipboardSanitizedWrite")
    await page.paste("sequence-duel:size=30,ring=on/10.13")
    await page.see("Your move", "1 claimed")
    await page.type("c")
    await page.see("Copied")

    async def copied() -> bool:
        return await page.copied() == "sequence-duel:size=30,ring=on/10.13"

    await page.until(copied, "the code on the clipboard")


async def test_homework_is_typed_and_done_and_its_line_is_copied(page: Page, browser: Browser) -> None:
    await browser.allow(page.person, "clipboardReadWrite", "clipboardSanitizedWrite")
    await page.type(f"p{SET}")
    await page.see(f"{SET}: the idea room")
    await page.press("ArrowDown", 40)
    await page.type("Ann\n")
    for number, puzzle in enumerate(read_set(SET).puzzles, 1):
        for move in puzzle.line[::2]:
            await page.see(f"{SET} · {number} of", "Your move")
            await page.type(f"{move}\n")
            await page.see("is right")
            await page.type("\n")
        await page.see("Solved")
        await page.type("\n")
    await page.see(f"{SET} is done")
    await page.type("c")

    async def copied() -> bool:
        return (await page.copied()).startswith(f"homework {SET} ")

    await page.until(copied, "the line on the clipboard")


async def test_closing_the_page_ends_its_process_and_keeps_the_game(
    page: Page, browser: Browser, server: Server
) -> None:
    await page.press("ArrowLeft", 37)  # the classic ring, in which nothing is drawn at random
    await page.type("f")
    await page.see("Player 1, your move")
    await page.type("5\n")
    await page.see("Player 2, your move")
    assert len(server.processes()) == 1
    await page.close()
    await server.alone()
    again = await browser.page(server.address, page.person)
    await again.see("Player 2, your move")
    await again.go(server.address)  # the same page, loaded again
    await again.see("Player 2, your move")


async def test_leaving_is_told_and_one_key_comes_back(page: Page) -> None:
    await page.press("q", 81, ctrl=True)

    async def told() -> bool:
        return await page.said() == "duelbox has closed. Every game is kept."

    await page.until(told, "the end to be told")
    await page.press("Enter", 13, text="\r")
    await asyncio.sleep(0.5)
    await page.see("Puzzles")


async def test_nobody_else_is_asked_for_anything_and_nothing_goes_wrong(page: Page, server: Server) -> None:
    await page.press("q", 81, ctrl=True)
    await asyncio.sleep(0.5)
    names = {address.partition("://")[2].partition("/")[0] for address in page.requested if "data:" not in address}
    assert names == {server.address.removeprefix("http://")}
    assert page.complaints == []
    assert await page.run("document.fonts.check('16px \"Roboto Mono\"')")


async def test_every_sign_has_its_place(page: Page) -> None:
    """The terminal gives each character as many cells as duelbox counts; else the rest of a line would shift."""
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
    await page.see("Puzzles")
    assert "duelbox needs" not in await page.text()
    assert await page.run("document.documentElement.scrollHeight <= innerHeight")


async def test_the_password_is_typed_into_the_page_and_one_logs_out(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("open sesame", encoding="utf-8")
    with serving(tmp_path, "--port", "0", "--password", str(tmp_path / "password")) as server:
        page = await browser.page(server.address, await browser.person())

        async def asked() -> bool:
            return bool(await page.run("document.activeElement?.name === 'password'"))

        async def told() -> bool:
            return await page.said() == "duelbox has closed. Every game is kept."

        await page.until(asked, "the password to be asked for")
        await page.type("open sesame")
        await page.press("Enter", 13, text="\r")
        await page.see("Puzzles")
        await page.press("q", 81, ctrl=True)
        await page.until(told, "the end to be told")
        await page.run("document.querySelector('form[action=logout] button').click()")
        await page.until(asked, "the password to be asked for again")


@pytest.mark.parametrize(("name", "where"), [("", "end"), ("lines?game=digit-chain", "log")])
async def test_a_server_in_between_that_hides_the_address_of_the_page_is_named(
    browser: Browser, server: Server, name: str, where: str
) -> None:
    async with small_proxy(server.port, headers_of_the_help() | {"Host": "$host"}) as address:
        page = await browser.page(f"{address}/{name}", await browser.person())

        async def told() -> bool:
            text = await page.run(f"document.getElementById('{where}')?.textContent || ''")
            return "The server in between does not pass on the address of this page." in text

        await page.until(told, "the server in between to be named")
