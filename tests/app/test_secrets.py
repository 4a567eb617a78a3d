"""No secret of the settings or of a session is told: in no answer, header, log line, metric, and in no table.

A real service runs on a real chain behind a proxy, with a private endpoint, keys of price sources and exchanges, and
passwords of store and Redis. Whatever it asks has moods: it works, fails, lies in HTML, refuses in JSON, leads
elsewhere, cuts off, and is gone; in each mood, but well, it tells whatever it was sent.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.invitations import Invitations
from rhumbline.accounts.key_terms import read_terms
from rhumbline.accounts.members import Members
from rhumbline.accounts.service import Accounts
from rhumbline.api.portal import access
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.account import Role
from rhumbline.domain.clock import system_clock
from tests.app.conftest import Command
from tests.app.leaks import (
    ADAPTERS,
    BASIC,
    MOODS,
    OTHERS,
    PRICES,
    RPC,
    Asker,
    Gossip,
    Notebook,
    Service,
    free_port,
    gossiping,
    note_store,
    values,
)
from tests.portal_fixture import Visitor

COMMAND = Path(sys.executable).with_name("rhumbline")


def written(folder: Path, sandbox: Sandbox, dsn: str, gossip: Gossip, log_format: str) -> tuple[str, int]:
    """Write the settings file; return the service's address and the metrics' port."""
    port, metrics = free_port(), free_port()
    url = f"http://127.0.0.1:{port}"
    wallet = sandbox.accounts[3].address
    text = sandbox_settings(sandbox, folder / "store", url, wallet)
    prices = f"{gossip.url}/{PRICES['pricepath']}"
    chain = sandbox.chain("sbxa")
    secret_dsn = dsn.replace("@/", f":{OTHERS['dsnpassword']}@/", 1)
    keys = f'coingecko_key = "{PRICES["coingecko"]}"\njupiter_key = "{PRICES["jupiter"]}"\n'
    names = ("dexscreener", "defillama", "jupiter", "coingecko")
    sources, listquery = json.dumps(["onchain", *names]), OTHERS["listquery"]
    redis = f"redis://user:{OTHERS['redispassword']}@127.0.0.1:9/0"
    for old, new in (
        ("[store]\n", f'[store]\ndsn = "{secret_dsn}"\n'),
        (f'rpc = "{chain.rpc_url}"', f'rpc = "{gossip.rpc}"'),
        (f'ws = "{chain.rpc_url.replace("http", "ws", 1)}"', f'ws = "{gossip.ws}"'),
        ('["onchain"]\n', f"{sources}\n{keys}" + "".join(f'{n}_url = "{prices}"\n' for n in names)),
        ("shipped = false", f'token_lists = ["{gossip.url}/list.json?key={listquery}"]'),
        ("[limits]\n", f'[limits]\nredis_url = "{redis}"\n'),
        ('level = "warning"', f'level = "debug"\nformat = "{log_format}"\n\n[server]\nport = {port}'),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    # Each on a host of its own: what one host is asked, and whether it rests, is one guard's.
    for name, credential, host in (("kyberswap", "client_id", "127.0.0.1"), ("openocean", "api_key", "localhost")):
        place, secret = ADAPTERS["adapterpath"], ADAPTERS[name]
        text += (
            f'\n[adapters.{name}]\nenabled = true\nurl = "{gossip.url.replace("127.0.0.1", host)}/{place}"\n'
            f'credentials = {{ {credential} = "{secret}" }}\n'
            f'[adapters.{name}.deployments.{chain.id}]\nchain_name = "{chain.key}"\n'
        )
    (folder / "rhumbline.toml").write_text(f"{text}\n[metrics]\nport = {metrics}\n")
    return url, metrics


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Service]:
    log = folder / "log"
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(COMMAND, "serve", cwd=folder, stdout=file, stderr=file)
    service = Service(process, log)
    try:
        while b"ready" not in log.read_bytes():
            assert process.returncode is None, log.read_text()
            await asyncio.sleep(0.05)
        yield service
    finally:
        await service.stop()


async def commands(command: Command, notebook: Notebook, sandbox: Sandbox, url: str) -> dict[str, int]:
    """Run all that asks nodes, price sources, lists or the service, on threads of their own; say how each ended."""
    chain = sandbox.chain("sbxa")
    route = [str(chain.id), chain.tokens["USDC"].address, str(chain.id), chain.tokens["WETH"].address, "1"]
    asked = {
        "doctor": ("doctor",),
        "quote": ("quote", *route, "--sender", sandbox.accounts[1].address, "--url", url),
        "sync": ("catalog", "sync"),
        "verify": ("contracts", "verify", "--chain", "sbxa"),
    }
    codes = {}
    for name, words in asked.items():
        ran = await asyncio.to_thread(command, *words)
        notebook.note(f"rhumbline {name}", ran.out + ran.err)
        codes[name] = ran.code
    return codes


async def drive(asker: Asker, visitor: Visitor, metrics: Asker, sandbox: Sandbox, key: str) -> set[str]:
    """Ask for everything that there is to ask for; return the operations that were answered well."""
    good = await asker.operations(values(sandbox), key)
    for start in ("/", "/portal", "/docs", "/nowhere", "/metrics"):
        seen = await asker.pages(start, visitor.cookies)
        assert start != "/portal" or {"/portal/i/acme/wallets", "/portal/i/acme/keys"} <= seen
    checked = await visitor.send_form(
        "/portal/i/acme/wallets/check", visitor_csrf(visitor), chain_type="EVM", address=sandbox.accounts[5].address
    )
    asker.notebook.note("POST wallets/check", f"{checked.status} {dict(checked.headers)} {checked.text}")
    assert checked.status == 303, "asks the nodes for code, and goes on without them"
    forged = await visitor.send_json("/portal/sign-in", {"message": "x", "signature": "0x"})
    asker.notebook.note("POST sign-in", f"{forged.status} {dict(forged.headers)} {forged.text}")
    assert (await metrics.ask("/metrics"))[0] == 200
    return good


async def restricted(asker: Asker, visitor: Visitor, accounts: Accounts) -> list[str]:
    """Use a key for browsers and invitations where they are refused; return them."""
    terms, _ = read_terms([], ["https://app.example"], [], in_browsers=True)
    _, key = await accounts.create_key("acme", terms=terms)
    for path in ("/v1/quotes", "/v1/transactions", "/v1/tokens"):
        for origin in ("https://app.example", "https://evil.example"):
            await asker.ask(path, headers={"x-api-key": key, "origin": origin})
    invitations = Invitations(accounts.engine, system_clock)
    csrf = (await visitor.get("/portal")).csrf
    codes = [(await invitations.invite("acme", role, 7))[1] for role in (Role.OWNER, Role.VIEWER)]
    for code in (*codes, codes[0] + "x"):
        for path in ("/portal/join", "/portal/join/accept"):
            refused = await visitor.send_form(path, csrf, invitation=code)
            asker.notebook.note(f"POST {path}", f"{refused.status} {dict(refused.headers)} {refused.text}")
    for page in ("keys", "members", "log", "requests"):
        shown = await visitor.get(f"/portal/i/acme/{page}")
        asker.notebook.note(f"GET {page}", f"{shown.status} {dict(shown.headers)} {shown.text}")
    return [key, *codes]


def visitor_csrf(visitor: Visitor) -> str:
    """The session's form token, which only its own pages hold."""
    return access.Visitor(visitor.address, visitor.cookies["portal-session"]).csrf


@pytest.mark.parametrize("log_format", ["console", "json"])
async def test_nothing_is_told(
    tmp_path: Path,
    sandbox: Sandbox,
    store_dsn: str,
    store_engine: AsyncEngine,
    command: Command,
    log_format: str,
) -> None:
    notebook = Notebook()
    accounts = Accounts(store_engine, system_clock)
    await accounts.create_integrator("acme", None, None)
    _, key = await accounts.create_key("acme")
    async with AsyncExitStack() as upstreams, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        gossip = await upstreams.enter_async_context(gossiping(sandbox.chain("sbxa").rpc_url))
        url, port = written(tmp_path, sandbox, store_dsn, gossip, log_format)
        async with serving(tmp_path) as service:
            asker = Asker(url, session, notebook)
            metrics = Asker(f"http://127.0.0.1:{port}", session, notebook)
            visitor = Visitor(url, session, sandbox.accounts[2].private_key)
            await Members(store_engine, system_clock).put(visitor.address, "acme", Role.OWNER)
            await visitor.sign_in()
            # The cookie itself is its browser's; from here on nobody tells it again.
            notebook.secrets += [visitor.cookies["portal-session"], key]
            notebook.secrets += await restricted(asker, visitor, accounts)
            good = await drive(asker, visitor, metrics, sandbox, key)
            assert {"/v1/quotes", "/v1/token", "/v1/tokens", "/v1/prices", "/v1/transactions", "/health"} <= good
            assert {"/v1/advanced/routes", "/v1/advanced/stepTransaction"} <= good
            assert await commands(command, notebook, sandbox, url) == {"doctor": 1, "quote": 0, "sync": 1, "verify": 0}
            # Both formats write the same lines, differently: what is not well shows in one of them, but for one kind.
            moods = MOODS[1:] if log_format == "console" else ("error",)
            for mood in (*moods, "gone"):
                gossip.mood = mood
                if mood == "gone":
                    await upstreams.aclose()
                await drive(asker, visitor, metrics, sandbox, key)
                if log_format == "console":
                    ended = await commands(command, notebook, sandbox, url)
                    assert ended == {"doctor": 1, "quote": 1, "sync": 1, "verify": 1}
    # While it goes, something may still ask.
    assert set(gossip.asked) - {"gone"} == {MOODS[0], *moods}
    heard = " ".join(gossip.heard)
    told = [OTHERS[name] for name in ("listquery", "wspath", "wsquery")]
    for secret in (*PRICES.values(), *ADAPTERS.values(), RPC["rpcpath"], RPC["rpcquery"], BASIC, *told):
        assert secret in heard, "what nobody was told, nobody could give away"
    notebook.note("log", service.log.read_text())
    tables = await note_store(store_engine, notebook)
    assert {"integrators", "api_keys", "portal_sessions", "prices", "token_lists", "trails"} <= set(tables)
    assert sum(where == "table trails" for where, _ in notebook.pages) > 10
    assert notebook.leaks() == []
